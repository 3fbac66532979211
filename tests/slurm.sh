#!/usr/bin/env bash
# A farm on a real Slurm: Debian's slurm-wlm on this one machine, started by hand, its nodes standing for several machines.
#   bash tests/slurm.sh          a small game; a task requeued, one killed with -9, a result damaged; part of the full lane
#   bash tests/slurm.sh long     snaky 8x8 weak and skinny 7x7 torus strong, the same mishaps (docs/farm.md)
#   bash tests/slurm.sh shell    starts it, runs a shell in which sbatch works, stops it
# Installs slurm-wlm and munge where they are missing (root). Everything else lies in a folder of its own and is removed.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:-lean}
harary=${HARARY:-$PWD/target/release/harary}
[ -x "$harary" ] || cargo build --quiet --release --locked
# By the name that it gives itself in the scripts it writes.
harary=$(readlink -f "$harary")

command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null \
    || { apt-get update -q && apt-get install -y -q --no-install-recommends slurm-wlm munge; }

# --- Slurm on one machine -------------------------------------------------------------------------------------------
home=$(mktemp -d /tmp/harary-slurm.XXXXXX)
pids=()
stop() {
    # Only what was started here, by its number.
    if [ -f "$home/slurm.conf" ]; then
        scancel --user=root --full >/dev/null 2>&1 || true
        # The tasks go before the daemons do: what starts them would be left behind.
        for _ in $(seq 150); do [ -n "$(squeue -h 2>/dev/null)" ] || break; sleep 0.2; done
    fi
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${pids[@]}"; do
        for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.2; done
        kill -9 "$pid" 2>/dev/null || true
    done
    rm -rf "$home"
}
trap stop EXIT
trap 'exit 130' INT TERM

port=$(( 20000 + $$ % 20000 ))
mkdir -p "$home"/{munge,state,spool,logs,farms}
chmod 755 "$home"; chmod 700 "$home/munge"
dd if=/dev/urandom of="$home/munge/key" bs=1 count=1024 status=none
chmod 600 "$home/munge/key"
munged --force --foreground --key-file="$home/munge/key" --socket="$home/munge.socket" \
    --pid-file="$home/munge/pid" --log-file="$home/munge/log" --seed-file="$home/munge/seed" >/dev/null 2>&1 &
pids+=($!)
cores=$(nproc); [ "$cores" -ge 2 ] || cores=2
host=$(hostname -s)
cat > "$home/slurm.conf" <<CONF
ClusterName=farm
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$home/munge.socket
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$(( port + 1 ))
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
SlurmctldLogFile=$home/logs/slurmctld
SlurmdLogFile=$home/logs/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=1000
JobRequeue=1
KillWait=20
MinJobAge=300
MaxArraySize=1001
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=8000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$home/slurm.conf
for _ in $(seq 50); do [ -S "$home/munge.socket" ] && break; sleep 0.1; done
slurmctld -D >/dev/null 2>&1 & pids+=($!)
slurmd -D >/dev/null 2>&1 & pids+=($!)
for _ in $(seq 150); do sinfo -h -o %t 2>/dev/null | grep -qE '^(idle|mix)$' && break; sleep 0.2; done
sinfo -h -o %t | grep -qE '^(idle|mix)$' || { echo "Slurm does not start:"; tail -5 "$home"/logs/*; exit 1; }
echo "Slurm $(sinfo --version | cut -d' ' -f2): $(sinfo -h -o '%n %C')"

if [ "$mode" = shell ]; then bash -i; exit; fi

# --- farms -----------------------------------------------------------------------------------------------------------
# Waits until no task of an array is left, at most ten minutes without a change.
wait_for() {
    local before='' same=0 now
    while now=$(squeue -h -r -j "$1" -t PD,R,CG,S -o '%i %t' 2>/dev/null) && [ -n "$now" ]; do
        if [ "$now" = "$before" ]; then same=$(( same + 1 )); else same=0; before=$now; fi
        if [ "$same" -gt 1200 ]; then echo "a task hangs: $now"; exit 1; fi
        sleep 0.5
    done
}

# Runs a farm to its end. mishaps: the round in which one task is requeued and one is killed, and a result is damaged.
farm() {
    local name=$1 mishaps=$2 rounds=0 code id script; shift 2
    local dir=$home/farms/$name
    echo "== $name"
    "$harary" farm plan "$@" -o "$dir"
    while :; do
        rounds=$(( rounds + 1 ))
        "$harary" farm script "$dir" --slurm --tasks 2 --max-array 21 --mem 1500 --time 00:30:00 --warning 30 >/dev/null
        script=$dir/round-$(printf %03d "$rounds").sh
        if [ "$rounds" = "$mishaps" ]; then
            slowed "$dir" "$script"
            id=$(sbatch --parsable "$dir/slowed.sh")
            mishap "$dir" "$id"
        else
            id=$(sbatch --parsable "$script")
        fi
        wait_for "$id"
        # A farm whose task was killed says so, and the same array is handed in again: what is done is done at once.
        if [ "$rounds" = "$mishaps" ]; then
            id=$(sbatch --parsable "$script")
            wait_for "$id"
            damage "$dir"
        fi
        code=0; "$harary" farm next "$dir" | tee "$home/next" || code=${PIPESTATUS[0]}
        if [ "$rounds" = "$mishaps" ]; then
            grep -q 'refused, to be done again' "$home/next" || { echo "the damaged result was not refused"; exit 1; }
        fi
        [ "$code" = 3 ] || break
    done
    [ "$code" = 0 ] || { echo "farm next ended with $code"; exit 1; }
    [ "$rounds" -ge "$mishaps" ] || { echo "decided before the mishaps"; exit 1; }
    "$harary" farm status "$dir"
    "$harary" farm merge "$dir" -o "$home/$name.cert"
    "$harary" check "$home/$name.cert"
}

# The number of a worker that is in the middle of its task, but not this one.
worker_at_work() {
    local note pid
    for note in "$1"/slow/*; do
        pid=$(cat "$note" 2>/dev/null)
        if [ -n "$pid" ] && [ "$pid" != "$2" ] && [ "$(ticks "$pid")" -ge "$busy" ]; then echo "$pid"; return; fi
    done
}

# Processor time of a process in hundredths of a second; -1 if there is none.
ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat" 2>/dev/null || echo -1; }

# The jobs of small games are over before anybody could be caught: their workers wait before they begin. Those of a longer one are
# caught in their search, after half a second of it.
pause=3 busy=0

# In the round of the mishaps each worker says its number, so that it can be caught.
slowed() {
    local dir=$1 script=$2
    mkdir -p "$dir/slow"
    printf '#!/bin/bash\necho $$ > "%s/slow/$SLURM_ARRAY_TASK_ID"\nsleep %s\nexec "%s" "$@"\n' "$dir" "$pause" "$harary" > "$dir/slow.sh"
    chmod +x "$dir/slow.sh"
    sed "s|^\"$harary\" farm run|\"$dir/slow.sh\" farm run|" "$script" > "$dir/slowed.sh"
    grep -q "slow.sh" "$dir/slowed.sh"
}

# Waits for such a worker and stops it at once, so that it does not end while it is looked at.
catch() {
    local pid
    for _ in $(seq 3000); do
        pid=$(worker_at_work "$1" "$2")
        if [ -n "$pid" ] && kill -STOP "$pid" 2>/dev/null; then echo "$pid"; return; fi
        sleep 0.02
    done
    echo "no worker could be caught in the middle" >&2
    exit 1
}

task_of() { tr '\0' '\n' < "/proc/$1/environ" | sed -n 's/^SLURM_ARRAY_TASK_ID=//p'; }

# In the middle of a round: one running task requeued, the worker of another killed with -9.
mishap() {
    local dir=$1 id=$2 one other task
    one=$(catch "$dir" none)
    other=$(catch "$dir" "$one")
    task=${id}_$(task_of "$other")
    kill -9 "$other"
    echo "killed the worker of task $task with -9 in the middle"
    task=${id}_$(task_of "$one")
    scontrol requeue "$task"
    kill -CONT "$one" 2>/dev/null || true
    for _ in $(seq 600); do kill -0 "$one" 2>/dev/null || break; sleep 0.1; done
    # Slurm lets a requeued task wait for two minutes; not here.
    scontrol update job="$task" StartTime=now || true
    echo "requeued task $task in the middle"
}

# One result of the round just done gets a wrong byte, in its certificate if it has one.
damage() {
    local dir=$1 file
    file=$(find "$dir/results" -name '*.held' -o -name '*.won' -o -name '*.open' | sort | tail -1)
    printf X | dd of="$file" bs=1 seek=40 conv=notrunc status=none
    echo "damaged $(basename "$file")"
}

snaky() { farm snaky 2 snaky 8x8 --rule weak --jobs 40 --budget 3000; }
torus() { pause=0 busy=50 farm torus 1 skinny 7x7 --torus --jobs 40 --budget 100000; }

case "$mode" in
    lean) farm lean 1 skinny 6x6 --jobs 6 --budget 20000 ;;
    snaky) snaky ;;
    torus) torus ;;
    long) snaky; torus ;;
    *) echo "no mode '$mode'"; exit 2 ;;
esac
echo "slurm: all well"
