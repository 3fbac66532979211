//! Attacker and defender at once: whoever finishes first settles the game.
//!
//! The attacker proves wins, and the defender that there is none: a block of the weak game holds in the strong game
//! too. The defender also proves wins, but not their least turn, so the attacker goes on looking for it. With one thread
//! they take turns, each time with four times the nodes, so that the same run gives the same certificate byte for byte.

use super::defender::{Defence, DefenceReport, Defender, Ledger, Rooms};
use super::{EngineChoice, Observer, Options, Progress, Settlement, Verdict, settle_attacking, watched};
use crate::effort::Limits;
use crate::engines::busy::Busy;
use crate::engines::canon::Canon;
use crate::engines::dfpn::{Gauge, ProofTable};
use crate::engines::maker_breaker::Shared;
use crate::engines::table::Table;
use crate::evidence::strategy::ProofError;
use crate::game::Game;
use crate::game::position::Arena;
use harary_certificate::{Player, Rule, WIDE};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Nodes of the attacker in the first round of a single thread.
const FIRST_ROUND: u64 = 1 << 16;

/// A node of the defender is worth so many of the attacker's. The weak game is the defender's own: there the attacker only
/// looks for the least turn.
fn dear(rule: Rule) -> u64 {
    match rule {
        Rule::Strong => 3,
        Rule::Weak => 1,
    }
}

/// Settles a game the defender applies to.
pub fn settle_racing(game: &Game, options: &Options, observer: Observer) -> Result<Settlement, ProofError> {
    match game.vertices().div_ceil(64) {
        0 | 1 => settle_racing_in::<1>(game, options, observer),
        2 => settle_racing_in::<2>(game, options, observer),
        _ => settle_racing_in::<WIDE>(game, options, observer),
    }
}

fn settle_racing_in<const N: usize>(
    game: &Game,
    options: &Options,
    observer: Observer,
) -> Result<Settlement, ProofError> {
    let ledger = Ledger::new();
    let alone = options.engine == EngineChoice::Defender;
    // The attacker's table is the greater one.
    let memory = if alone { options.memory / 10 * 9 } else { options.memory / 4 };
    let (table, proof_table, gauge) = (Table::new(memory / 2), ProofTable::new(memory / 2), Gauge::default());
    let canon = Canon::new(&game.symmetries(), game.vertices());
    let busy = Busy::new(if alone { options.threads.saturating_sub(1) } else { 1 });
    let (arena, weak_arena) = (Arena::<N>::new(game), Arena::new(&game.weak()));
    let shared = Shared { table: &table, canon: &canon, busy: &busy };
    let rooms = Rooms {
        game,
        arena: &arena,
        weak_arena: &weak_arena,
        proof_table: &proof_table,
        gauge: &gauge,
        shared: &shared,
        ledger: &ledger,
    };
    let defender = || Defender::new(&rooms);
    let reported = |settlement: Settlement| {
        let defence = (!settlement.is_settled()).then(|| DefenceReport::new(game, &shared, &ledger));
        Settlement { defence, ..settlement }
    };
    if alone {
        let mut defender = defender();
        let started = Instant::now();
        let progress = || Progress {
            unpaved: ledger.unpaved(),
            nodes: options.limits.counted(),
            fill: table.fill(),
            elapsed: started.elapsed(),
            ..Progress::NOTHING
        };
        let defence = watched(observer, progress, || match options.threads {
            0 | 1 => defender.work(&options.limits),
            threads => defender.work_together(threads, &options.limits),
        })?;
        let nodes = options.limits.counted();
        let unknown = Settlement { threads: options.threads, nodes, ..Settlement::unknown("defender") };
        return Ok(reported(combine(game, unknown, defence)));
    }
    let observer = |progress: &Progress| observer(&Progress { unpaved: ledger.unpaved(), ..*progress });
    let attack = |limits: Limits, lent: &Arc<AtomicUsize>| {
        let (engine, memory) = (EngineChoice::Alphabeta, options.memory - memory);
        settle_attacking(game, &Options { engine, limits, memory, lent: lent.clone(), ..options.clone() }, &observer)
    };
    let settlement = if options.threads > 1 {
        race(game, options, attack, |limits| defender().work(limits))
    } else {
        let mut defender = defender();
        take_turns(game, options, attack, |limits| defender.work(limits))
    };
    settlement.map(reported)
}

/// Both at once, on threads of their own.
fn race(
    game: &Game,
    options: &Options,
    attack: impl Fn(Limits, &Arc<AtomicUsize>) -> Result<Settlement, ProofError>,
    defend: impl Fn(&Limits) -> Result<Defence, ProofError> + Sync,
) -> Result<Settlement, ProofError> {
    let (attacking, defending) = (options.limits.part(None), options.limits.part(None));
    let lent = Arc::new(AtomicUsize::new(1));
    std::thread::scope(|scope| {
        let defender = scope.spawn(|| {
            let defence = defend(&defending);
            lent.store(0, Ordering::Relaxed);
            if matches!(defence, Ok(Defence::Hold { .. })) {
                attacking.stop();
            }
            defence
        });
        let attacked = attack(attacking.clone(), &lent);
        if !matches!(&attacked, Ok(settlement) if !settlement.is_settled()) {
            defending.stop();
        }
        let defended = defender.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok(combine(game, attacked?, defended?))
    })
}

/// One after the other, with growing budgets.
fn take_turns(
    game: &Game,
    options: &Options,
    attack: impl Fn(Limits, &Arc<AtomicUsize>) -> Result<Settlement, ProofError>,
    mut defend: impl FnMut(&Limits) -> Result<Defence, ProofError>,
) -> Result<Settlement, ProofError> {
    let lent = Arc::default();
    let mut defence = Defence::Open;
    let mut budget = FIRST_ROUND;
    loop {
        let attacked = attack(options.limits.part(Some(budget)), &lent)?;
        if matches!(defence, Defence::Open) && !attacked.is_settled() {
            defence = defend(&options.limits.part(Some(budget / dear(game.rule()))))?;
        }
        let over =
            attacked.is_settled() || matches!(defence, Defence::Hold { .. }) || options.limits.check_now().is_err();
        if over {
            return Ok(combine(game, attacked, defence));
        }
        budget = budget.saturating_mul(4);
    }
}

/// What both found together.
fn combine(game: &Game, attacked: Settlement, defended: Defence) -> Settlement {
    if attacked.is_settled() {
        return attacked;
    }
    match defended {
        Defence::Hold { engine, evidence } => Settlement {
            verdict: Verdict::Hold,
            refuted_turn: (1..=game.schedule().len())
                .rev()
                .find(|&turn| game.schedule().player_after(turn - 1) == Some(Player::Black)),
            engine,
            evidence: Some(evidence),
            halted: false,
            ..attacked
        },
        Defence::Win { engine, turn, first_move, evidence } => Settlement {
            verdict: Verdict::Win,
            win_by: Some(turn),
            first_move,
            engine,
            evidence: Some(evidence),
            halted: false,
            ..attacked
        },
        Defence::Open => attacked,
    }
}
