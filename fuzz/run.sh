#!/usr/bin/env bash
# Runs every fuzz target for some seconds (60): bash fuzz/run.sh [SECONDS] [TARGET...]. Wants cargo-fuzz and a nightly compiler.
# With RUNS=10000000 it stops after so many inputs instead. What is found lies in fuzz/artifacts; a case that was mended goes to
# fuzz/corpus, where tests/seeds.rs keeps it. With LEARNT=FOLDER what is learnt is kept there, a folder a target.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
targets=${*:-$(cargo +nightly fuzz list)}
limit=${RUNS:+-runs=$RUNS}
for target in $targets; do
    seeds=(fuzz/corpus/"$target")
    longest=1000
    case $target in
        certificate) seeds+=(tests/certificates); longest=2000 ;;
        pg) seeds+=(tests/pg) ;;
        ig) seeds+=(tests/ig); longest=2000 ;;
        cards | atlas) longest=800 ;;
        qrp) longest=600 ;;
        record) longest=400 ;;
        shape) longest=300 ;;
    esac
    # What is learnt on the way is not for the repository.
    learnt=${LEARNT:+$LEARNT/$target}
    learnt=${learnt:-$(mktemp -d)}
    mkdir -p "$learnt"
    echo "== $target"
    # There is no unsafe code to watch here, and the address sanitizer trips over zstd's C.
    cargo +nightly fuzz run --sanitizer none "$target" "$learnt" "${seeds[@]}" -- \
        "${limit:--max_total_time=$seconds}" -max_len=$longest -timeout=20 -rss_limit_mb=2048 -print_final_stats=1
    [ -n "${LEARNT:-}" ] || rm -rf "$learnt"
done
