//! A farm from the plan to the merged certificate: wins and holds, both rules; and everything that goes wrong on the way.

use harary::effort::Limits;
use harary::engines::facts::{Fact, Kind, Says};
use harary::engines::numbers::Numbers;
use harary::farm::facts::{self, Facts};
use harary::farm::result::{JobResult, KIND, Verdict};
use harary::farm::sealed::{seal, unseal};
use harary::farm::tree::End;
use harary::farm::work::{Ended, Manner, Part, hand, hands, work_together};
use harary::farm::{FarmError, Folder, Plan, merge, round, status};
use harary::{Board, Claim, Game, Rule, Shape, Topology, WideSet};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const MEMORY: usize = 16 << 20;

fn game(rows: &str, side: usize, topology: Topology, rule: Rule) -> Game {
    Game::new(Shape::from_rows(rows).unwrap(), Board::new(side, side, topology).unwrap(), rule)
}

/// Skinny on 5x5 under the weak rule: a hold of some 40 small jobs.
fn small() -> Game {
    game("XXXX", 5, Topology::Plain, Rule::Weak)
}

fn manner() -> Manner {
    let checkpoint = Duration::from_secs(600);
    Manner { threads: 1, memory: MEMORY, checkpoint, stop: Arc::default(), facts: true, part: None }
}

fn begin(folder: &Path, game: Game, jobs: usize, budget: u64) -> Folder {
    let folder = Folder::at(folder);
    let plan = Plan::new(game, 2, jobs, budget, 200).unwrap().with_certain(jobs);
    round::begin(&folder, plan, MEMORY).unwrap();
    folder
}

/// Does the jobs of the last round, and says how each ended.
fn do_round(folder: &Folder) -> Vec<(u32, Ended)> {
    let plan = folder.read_plan().unwrap();
    let round = folder.read_round(&plan, plan.round).unwrap();
    let ids: Vec<u32> = round.jobs.iter().map(|job| job.id).collect();
    let mut ends = Vec::new();
    let mut worker = hand(folder, &plan, manner()).unwrap();
    worker.work(&round, &ids, &mut |job, ended, _| ends.push((job, ended))).unwrap();
    ends
}

/// Rounds until the game is decided; how many there were.
fn do_all(folder: &Folder) -> usize {
    for rounds in 1..40 {
        do_round(folder);
        if round::next(folder, MEMORY).unwrap().decided.is_some() {
            return rounds;
        }
    }
    panic!("no end in 40 rounds");
}

fn merged(folder: &Folder) -> Claim {
    merge::merge(folder, 8 * MEMORY, &Limits::none()).unwrap().certificate.proved().claim()
}

#[test]
fn wins_and_holds_of_both_rules_are_put_together() {
    // The shape, the board, the rule, jobs of a round, the budget, and whether Black wins.
    let games = [
        (small(), 12, 50, false),
        (game(".X./XXX", 5, Topology::Plain, Rule::Weak), 10, 60, true),
        (game(".X./XXX", 5, Topology::Plain, Rule::Strong), 10, 200, true),
        (game("XXXX", 6, Topology::Plain, Rule::Strong), 30, 2000, false),
        (game("XXX./..XX", 5, Topology::Torus, Rule::Weak), 10, 100, true),
    ];
    let (mut rounds, mut names) = (0, Vec::new());
    for (game, jobs, budget, wins) in games {
        let place = tempfile::tempdir().unwrap();
        let folder = begin(&place.path().join("farm"), game, jobs, budget);
        rounds += do_all(&folder);
        let claim = merged(&folder);
        assert_eq!(matches!(claim, Claim::Win(_)), wins, "{claim}");
        names.push(claim.to_string());
    }
    assert!(rounds > 6, "several rounds, {rounds}: {names:?}");
}

#[test]
fn what_is_done_is_done_and_two_masters_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = begin(place.path(), small(), 10, 3000);
    assert!(matches!(
        round::begin(&folder, Plan::new(small(), 2, 1, 1, 200).unwrap(), MEMORY),
        Err(FarmError::Taken(_))
    ));
    let first = do_round(&folder);
    assert!(first.iter().any(|(_, ended)| matches!(ended, Ended::Done(_))), "{first:?}");
    let again = do_round(&folder);
    assert!(again.iter().all(|(_, ended)| matches!(ended, Ended::Before(_) | Ended::Needless)), "{again:?}");
    let lock = folder.lock().unwrap();
    assert!(matches!(round::next(&folder, MEMORY), Err(FarmError::Locked(_))));
    assert!(matches!(merge::merge(&folder, MEMORY, &Limits::none()), Err(FarmError::Locked(_))));
    drop(lock);
    round::next(&folder, MEMORY).unwrap();
    // Other games and other jobs are no farm of this one.
    let plan = folder.read_plan().unwrap();
    let last = folder.read_round(&plan, plan.round).unwrap();
    assert!(matches!(last.job(99_999), Err(FarmError::NoJob { .. })));
    assert!(Plan::new(small().with_handicap(1), 2, 1, 1, 200).is_err());
}

/// The results that decide something.
fn decided(folder: &Folder) -> Vec<(u32, Verdict)> {
    folder.results().unwrap().into_iter().filter(|(_, verdict)| *verdict != Verdict::Open).collect()
}

#[test]
fn damaged_and_lying_results_are_refused_and_done_again() {
    let place = tempfile::tempdir().unwrap();
    let folder = begin(place.path(), small(), 12, 3000);
    do_round(&folder);
    let results = decided(&folder);
    assert!(results.len() >= 5, "{results:?}");
    // A byte changed in a result, one in a certificate, a certificate of another position under a right sum, a verdict that
    // was turned round, a result that was cut off.
    let (job, verdict) = results[0];
    let path = folder.result(job, verdict);
    let mut bytes = fs::read(&path).unwrap();
    bytes[40] ^= 1;
    fs::write(&path, bytes).unwrap();
    let path = folder.certificate(results[1].0);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (job, verdict) = results[2];
    let other = fs::read(folder.certificate(results[3].0)).unwrap();
    fs::write(folder.certificate(job), &other).unwrap();
    let read = |job, verdict| JobResult::read(&fs::read(folder.result(job, verdict)).unwrap()).unwrap();
    let lie = JobResult { certificate: Some(blake3::hash(&other).to_hex().to_string()), ..read(job, verdict) };
    fs::write(folder.result(job, verdict), seal(KIND, &lie.body())).unwrap();
    let (job, verdict) = results[3];
    let turned = if verdict == Verdict::Won { Verdict::Held } else { Verdict::Won };
    let lie = JobResult { verdict: turned, reply: None, ..read(job, verdict) };
    fs::write(folder.result(job, turned), seal(KIND, &lie.body())).unwrap();
    fs::remove_file(folder.result(job, verdict)).unwrap();
    let (job, verdict) = results[4];
    let bytes = fs::read(folder.result(job, verdict)).unwrap();
    fs::write(folder.result(job, verdict), &bytes[..bytes.len() / 2]).unwrap();

    let planned = round::next(&folder, MEMORY).unwrap();
    let refused: Vec<u32> = planned.refused.iter().map(|(job, _)| *job).collect();
    let expected: Vec<u32> = results[..5].iter().map(|(job, _)| *job).collect();
    assert_eq!(refused, expected, "{:?}", planned.refused);
    if planned.decided.is_none() {
        do_all(&folder);
    }
    assert_eq!(merged(&folder), Claim::Hold(None));
    assert!(fs::read_dir(place.path().join("refused")).unwrap().count() >= 10);
}

/// Facts that say the opposite of the truth, rightly sealed: the jobs come out right all the same.
#[test]
fn lying_facts_cost_time_and_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let folder = begin(place.path(), game("XXXX", 6, Topology::Plain, Rule::Strong), 30, 2000);
    do_round(&folder);
    assert!(round::next(&folder, MEMORY).unwrap().decided.is_none(), "more than one round");
    let path = folder.facts(2);
    let mut told = Facts::<1>::read(&unseal(facts::KIND, &fs::read(&path).unwrap()).unwrap(), 36).unwrap();
    assert!(told.list.iter().any(Fact::is_decided));
    for fact in &mut told.list {
        let count = if fact.kind == Kind::Weak { 0 } else { 9 };
        fact.says = match fact.says {
            Says::Won { zone, best, .. } => Says::Held { zone, best, left: 2 * count },
            Says::Held { zone, best, .. } => Says::Won { zone, best, moves: count, ignored: 0 },
            open => open,
        };
    }
    fs::write(&path, seal(facts::KIND, &told.body())).unwrap();
    do_all(&folder);
    assert_eq!(merged(&folder), Claim::Hold(None));
}

fn harary(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
    command.arg("farm").args(&arguments[..1]).arg(folder).args(&arguments[1..]).stdout(Stdio::null());
    command
}

/// Asked to stop a worker ends with 75 and leaves a checkpoint; the next one goes on from there. Killed with -9 it leaves
/// nothing, and nothing is lost but time.
#[test]
fn a_worker_that_is_stopped_goes_on_where_it_was() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("farm");
    // One job, and one that nobody finishes in the time of this test.
    let folder = begin(&dir, game("XXXX./...XX", 10, Topology::Plain, Rule::Weak), 1, u64::MAX >> 1);
    let wait = Instant::now() + Duration::from_secs(300);
    let mut spent = 0;
    for signal in [Signal::SIGTERM, Signal::SIGUSR1, Signal::SIGKILL] {
        let mut worker =
            harary(&["run", "--job", "1", "--memory", "16MiB", "--checkpoint", "200ms"], &dir).spawn().unwrap();
        let pid = Pid::from_raw(i32::try_from(worker.id()).unwrap());
        let checkpoint = || {
            let bytes = fs::read(folder.checkpoint(1)).ok()?;
            Facts::<2>::read(&unseal(facts::KIND, &bytes).ok()?, 100).ok()
        };
        while checkpoint().is_none_or(|facts| facts.spent <= spent) {
            assert!(Instant::now() < wait && worker.try_wait().unwrap().is_none(), "no checkpoint");
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(folder.lock_job(1).unwrap().is_none(), "the job is being done");
        kill(pid, signal).unwrap();
        let code = worker.wait().unwrap().code();
        assert_eq!(code, if signal == Signal::SIGKILL { None } else { Some(75) }, "{signal}");
        let now = checkpoint().expect("a checkpoint that is whole");
        assert!(now.spent > spent && !now.list.is_empty(), "{} after {spent}", now.spent);
        spent = now.spent;
        assert!(folder.lock_job(1).unwrap().is_some(), "the lock goes with the process");
        assert!(folder.results().unwrap().is_empty());
    }
}

/// A spare job that is being done when the round is over is broken off; its result says so, and its leaf is not split for it.
#[test]
fn a_job_that_nobody_needs_any_more_is_broken_off() {
    let place = tempfile::tempdir().unwrap();
    // Nobody finishes these jobs in the time of this test.
    let folder = Folder::at(place.path());
    let long = game("XXXX./...XX", 10, Topology::Plain, Rule::Weak);
    let budget = u64::MAX >> 8;
    round::begin(&folder, Plan::new(long, 2, 50, budget, 100).unwrap().with_certain(2), MEMORY).unwrap();
    let plan = folder.read_plan().unwrap();
    let mut round = folder.read_round(&plan, 1).unwrap();
    round.jobs.iter_mut().for_each(|job| job.spare = job.id > 1);
    round.jobs[1].limit = Numbers { proof: u32::MAX / 2, disproof: u32::MAX / 2 };
    let first = JobResult {
        of: plan.name(),
        job: 1,
        round: 1,
        stones: round.jobs[0].stones,
        verdict: Verdict::Open,
        numbers: Numbers::UNIT,
        reply: None,
        zone: WideSet::EMPTY,
        broken_off: false,
        nodes: budget * 4,
        budget,
        began: 1,
        ended: 2,
        processor: 1,
        worker: "another 1".to_owned(),
        certificate: None,
    };
    let mut ends = Vec::new();
    std::thread::scope(|scope| {
        let manner = Manner { checkpoint: Duration::from_millis(100), ..manner() };
        let stop = manner.stop.clone();
        let working = scope.spawn(|| {
            let mut worker = hand(&folder, &plan, manner).unwrap();
            worker.work(&round, &[2], &mut |job, ended, nodes| ends.push((job, ended, nodes > 0))).unwrap();
        });
        let wait = Instant::now() + Duration::from_secs(300);
        while !folder.checkpoint(2).is_file() && Instant::now() < wait {
            std::thread::sleep(Duration::from_millis(20));
        }
        folder.write(&folder.result(1, Verdict::Open), KIND, &first.body()).unwrap();
        // If it is not broken off it ends all the same, otherwise.
        while !working.is_finished() && Instant::now() < wait + Duration::from_secs(300) {
            std::thread::sleep(Duration::from_millis(20));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(ends, [(2, Ended::Needless, true)]);
    let result = JobResult::read(&fs::read(folder.result(2, Verdict::Open)).unwrap()).unwrap();
    assert!(result.broken_off && result.nodes > 0 && result.end() == End::BrokenOff, "{result:?}");
    assert!(folder.learned(2).is_file() && !folder.checkpoint(2).exists());
    round::next(&folder, MEMORY).unwrap();
    let again = folder.read_round(&plan, 2).unwrap();
    assert!(again.jobs.iter().any(|job| job.stones == round.jobs[1].stones), "{again:?}");
    assert!(again.jobs.iter().all(|job| job.stones != round.jobs[0].stones), "this one took all it might");
}

/// Each of two workers begins with another half of the jobs, and does the others after it.
#[test]
fn workers_begin_with_parts_of_their_own() {
    let order = |part: Option<Part>| {
        let place = tempfile::tempdir().unwrap();
        let folder = begin(place.path(), small(), 12, 1);
        let plan = folder.read_plan().unwrap();
        let mut round = folder.read_round(&plan, 1).unwrap();
        round.jobs.iter_mut().for_each(|job| job.spare = false);
        let ids: Vec<u32> = round.jobs.iter().map(|job| job.id).collect();
        let mut told = Vec::new();
        let mut worker = hand(&folder, &plan, Manner { part, ..manner() }).unwrap();
        worker.work(&round, &ids, &mut |job, _, _| told.push(job)).unwrap();
        told
    };
    let (all, first, second) =
        (order(None), order(Some(Part { number: 0, of: 2 })), order(Some(Part { number: 1, of: 2 })));
    assert!(all.is_sorted() && all.len() >= 6, "{all:?}");
    let half = all.len() / 2;
    let sorted = |jobs: &[u32]| {
        let mut jobs = jobs.to_vec();
        jobs.sort_unstable();
        jobs
    };
    assert_eq!((sorted(&first), sorted(&second)), (all.clone(), all.clone()));
    assert_eq!(sorted(&first[..half]), sorted(&second[second.len() - half..]), "{first:?} {second:?}");
    assert!(first[..half].iter().all(|job| !second[..half].contains(job)), "{first:?} {second:?}");
}

/// Workers who share their tables do each job once, tell of each, and what they come to is a proof.
#[test]
fn workers_at_one_desk_do_each_job_once() {
    for game in [small(), game("XXXX", 6, Topology::Plain, Rule::Strong)] {
        let place = tempfile::tempdir().unwrap();
        let folder = begin(place.path(), game, 16, 2000);
        let plan = folder.read_plan().unwrap();
        let mut workers = hands(&folder, &plan, &manner(), 3).unwrap();
        let mut decided = false;
        for rounds in 1.. {
            assert!(rounds < 40, "no end");
            let plan = folder.read_plan().unwrap();
            let round = folder.read_round(&plan, plan.round).unwrap();
            let (mut done, mut nodes) = (Vec::new(), 0);
            let all = work_together(&mut workers, &round, &mut |job, ended, spent| {
                if let Ended::Done(_) = ended {
                    (done.push(job), nodes += spent).1
                }
            });
            assert!(all.unwrap());
            done.sort_unstable();
            assert!(done.windows(2).all(|pair| pair[0] < pair[1]), "one job done twice: {done:?}");
            let (results, damaged) = status::results_of(&folder, &round).unwrap();
            let closed: Vec<&JobResult> = results.iter().filter(|result| !result.broken_off).collect();
            assert_eq!((closed.len(), damaged), (done.len(), 0));
            assert_eq!(closed.iter().map(|result| result.nodes).sum::<u64>(), nodes, "each counts its own nodes");
            decided = round::next(&folder, MEMORY).unwrap().decided.is_some();
            if decided {
                break;
            }
        }
        assert!(decided);
        assert_eq!(merged(&folder), Claim::Hold(None));
    }
}

/// Asked to stop they all end, each with a checkpoint of what they know together.
#[test]
fn workers_at_one_desk_stop_together() {
    let place = tempfile::tempdir().unwrap();
    // Jobs that nobody finishes in the time of this test.
    let folder = begin(place.path(), game("XXXX./...XX", 10, Topology::Plain, Rule::Weak), 2, u64::MAX >> 8);
    let plan = folder.read_plan().unwrap();
    let mut round = folder.read_round(&plan, 1).unwrap();
    let wide = Numbers { proof: u32::MAX / 2, disproof: u32::MAX / 2 };
    round.jobs.iter_mut().for_each(|job| job.limit = wide);
    assert_eq!(round.jobs.len(), 2);
    let manner = Manner { checkpoint: Duration::from_millis(50), ..manner() };
    let mut workers = hands(&folder, &plan, &manner, 2).unwrap();
    let spent = |job| {
        let body = unseal(facts::KIND, &fs::read(folder.checkpoint(job)).ok()?).ok()?;
        Some(Facts::<2>::read(&body, 100).ok()?.spent)
    };
    let mut told = Vec::new();
    let all = std::thread::scope(|scope| {
        scope.spawn(|| {
            let wait = Instant::now() + Duration::from_secs(300);
            // Nodes are counted by hundreds: the first checkpoint may say that there are none.
            while (1..=2).any(|job| spent(job).is_none_or(|nodes| nodes == 0)) && Instant::now() < wait {
                std::thread::sleep(Duration::from_millis(20));
            }
            manner.stop.store(true, Ordering::Relaxed);
        });
        work_together(&mut workers, &round, &mut |job, ended, nodes| told.push((job, ended, nodes > 0)))
    });
    assert!(!all.unwrap());
    let mut stopped: Vec<u32> =
        told.iter().filter(|told| (told.1, told.2) == (Ended::Stopped, true)).map(|t| t.0).collect();
    stopped.sort_unstable();
    assert_eq!(stopped, [1, 2], "{told:?}");
    assert!(spent(1) > Some(0) && spent(2) > Some(0) && folder.results().unwrap().is_empty());
}

/// Two workers on one machine, as somebody without a cluster runs it.
#[test]
fn workers_on_one_machine_share_the_jobs() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("farm");
    let plan = ["plan", "--rule", "weak", "--jobs", "16", "--budget", "3000", "--memory", "16MiB", "-o"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
    let planned = command.args(["farm", plan[0], "skinny", "5x5"]).args(&plan[1..]).arg(&dir).output().unwrap();
    assert!(planned.status.success(), "{}", String::from_utf8_lossy(&planned.stderr));
    let ran = harary(&["run", "--local", "2", "--rounds", "9", "--memory", "16MiB"], &dir).status().unwrap();
    assert_eq!(ran.code(), Some(0));
    let certificate = place.path().join("whole.cert");
    let merged = harary(&["merge", "--memory", "64MiB", "-o", certificate.to_str().unwrap()], &dir).status().unwrap();
    assert_eq!(merged.code(), Some(0));
    let proved = harary::check(fs::File::open(certificate).unwrap()).unwrap();
    assert_eq!(proved.claim(), Claim::Hold(None));
}

/// A set of games: farms in folders of their own, run, planned and merged together.
#[test]
fn a_set_of_games_is_done_together() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("set");
    let program = |arguments: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
        command.arg("farm").args(arguments.split(' ')).current_dir(place.path()).output().unwrap()
    };
    let plan =
        "plan-set --shapes tic,tippy,skinny --boards 4x4..5x5 --rule weak --jobs 6 --budget 300 --memory 16MiB -o set";
    let planned = program(plan);
    assert!(planned.status.success(), "{}", String::from_utf8_lossy(&planned.stderr));
    assert_eq!(program(plan).status.code(), Some(2), "the folder is taken");
    // What is about one game says so.
    let refused = program("run set --job 1");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("set/tic-4x4-plain-weak"), "{refused:?}");
    assert_eq!(program("merge set -o early").status.code(), Some(3), "nothing is run yet");
    let script = program("script set --slurm --tasks 2 --max-array 1001");
    assert!(script.status.success(), "{script:?}");
    let script = fs::read_to_string(dir.join("round-001.sh")).unwrap();
    assert!(script.contains("set/skinny-5x5-plain-weak"), "{script}");
    // One round by hand, the rest at once.
    assert_eq!(program("run set --memory 16MiB").status.code(), Some(0));
    assert_eq!(program("next set --memory 16MiB").status.code(), Some(3));
    let ran = program("run set --local 2 --rounds 30 --memory 16MiB");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(program("run set --local 2 --rounds 30 --memory 16MiB").status.code(), Some(0), "decided before");
    let status = String::from_utf8(program("status set").stdout).unwrap();
    assert_eq!(status.matches("of processor time").count(), 6, "{status}");
    assert!(program("simulate set --workers 2").status.success());
    assert_eq!(program("merge set -o proofs --memory 64MiB").status.code(), Some(0));
    let mut claims = Vec::new();
    for name in ["tic-4x4", "tippy-4x4", "skinny-4x4", "tic-5x5", "tippy-5x5", "skinny-5x5"] {
        let path = place.path().join(format!("proofs/{name}-plain-weak.cert.zst"));
        claims.push(harary::check(fs::File::open(path).unwrap()).unwrap().claim().last().is_some());
    }
    assert_eq!(claims, [true, true, false, true, true, false]);
}

/// Ten thousand jobs: planned, done by another program that knows the formats alone, listed, taken over and planned again.
#[test]
fn ten_thousand_jobs_are_planned_listed_and_taken_over() {
    let place = tempfile::tempdir_in(if Path::new("/dev/shm").is_dir() { "/dev/shm" } else { "/tmp" }).unwrap();
    let folder = begin(place.path(), game("XXXX./...XX", 9, Topology::Plain, Rule::Weak), 10_000, 1000);
    let plan = folder.read_plan().unwrap();
    let first = folder.read_round(&plan, 1).unwrap();
    assert_eq!(first.jobs.len(), 10_000);
    assert_eq!(fs::read_to_string(folder.table()).unwrap().lines().count(), 10_001);
    for job in &first.jobs {
        let (black, white) = (job.stones.black, job.stones.white);
        let body = format!(
            "of {}\njob {} 1\nposition {black} {white}\nverdict open 7 9\nreply -\nzone 0\nnodes 1000 of 1000\n\
             time {} {} 10\nworker other 1\ncertificate -\n",
            plan.name(),
            job.id,
            job.id * 10,
            job.id * 10 + 10
        );
        fs::write(folder.result(job.id, Verdict::Open), seal(KIND, &body)).unwrap();
    }
    let listed = status::status(&folder, &plan).unwrap();
    assert_eq!((listed[0].jobs, listed[0].open, listed[0].damaged), (10_000, 10_000, 0));
    assert_eq!((listed[0].labour.nodes, listed[0].labour.workers.len()), (10_000_000, 1));
    let planned = round::next(&folder, MEMORY).unwrap();
    assert_eq!((planned.grafted, planned.refused.len(), planned.missing.len()), (10_000, 0, 0));
    assert_eq!(planned.round.map(|round| round.jobs.len()), Some(10_000));
}

/// The same with real results: a hold of ten thousand positions becomes one certificate.
#[test]
#[ignore = "does ten thousand jobs for real, which takes minutes"]
fn ten_thousand_results_are_merged() {
    let place = tempfile::tempdir_in(if Path::new("/dev/shm").is_dir() { "/dev/shm" } else { "/tmp" }).unwrap();
    let folder = begin(place.path(), game(".XXXX/XX...", 8, Topology::Plain, Rule::Weak), 10_000, 5000);
    do_all(&folder);
    let began = Instant::now();
    assert_eq!(merged(&folder), Claim::Hold(None));
    println!("{} results merged in {:?}", folder.results().unwrap().len(), began.elapsed());
}
