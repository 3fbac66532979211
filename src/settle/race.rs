//! Attacker and defender at once: whoever finishes first settles the game.
//!
//! The attacker proves wins, and the defender that there is none: a block of the weak game holds in the strong game
//! too. The defender also proves wins, but not their least turn, so the attacker goes on looking for it. With one thread
//! they take turns, each time with four times the nodes, so that the same run gives the same certificate byte for byte.

use super::attack::search_attacking;
use super::certify::black_turns;
use super::defender::{Defence, DefenceReport, Defender, Ledger, Rooms};
use super::{Account, Claimed, EngineChoice, Found, Options};
use crate::effort::Limits;
use crate::effort::progress::{Meter, Observer, Progress, watched};
use crate::engines::busy::Busy;
use crate::engines::canon::Canon;
use crate::engines::dfpn::{Gauge, ProofTable};
use crate::engines::maker_breaker::Shared;
use crate::engines::table::Table;
use crate::evidence::strategy::ProofError;
use crate::game::Game;
use crate::game::position::Arena;
use harary_certificate::{Rule, WIDE};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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
pub fn search_racing(game: &Game, options: &Options, meter: &Meter, observer: Observer) -> Result<Found, ProofError> {
    match game.vertices().div_ceil(64) {
        0 | 1 => search_in::<1>(game, options, meter, observer),
        2 => search_in::<2>(game, options, meter, observer),
        _ => search_in::<WIDE>(game, options, meter, observer),
    }
}

fn search_in<const N: usize>(
    game: &Game,
    options: &Options,
    meter: &Meter,
    observer: Observer,
) -> Result<Found, ProofError> {
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
        meter,
    };
    let defender = || Defender::new(&rooms);
    let reported = |found: Found| {
        let defence = found.evidence.is_none().then(|| DefenceReport::new(game, &shared, &ledger));
        Found { account: Account { defence, ..found.account }, ..found }
    };
    let progress = || Progress { fill: (1000.0 * table.fill()) as usize, ..meter.read(&options.limits) };
    if alone {
        let mut defender = defender();
        let defence = watched(observer, progress, || match options.threads {
            0 | 1 => defender.work(&options.limits),
            threads => defender.work_together(threads, &options.limits),
        })?;
        let (threads, nodes) = (options.threads, options.limits.counted());
        let refuted_turn = meter.refuted_turn();
        let account = Account { threads, nodes, refuted_turn, stopped: true, ..Account::new("defender") };
        return Ok(reported(combine(game, Found { claimed: None, evidence: None, account }, defence)));
    }
    let attack = |limits: Limits, lent: &Arc<AtomicUsize>| {
        let (engine, memory) = (EngineChoice::Alphabeta, options.memory - memory);
        let options = Options { engine, limits, memory, lent: lent.clone(), ..options.clone() };
        search_attacking(game, &options, meter, observer)
    };
    let found = if options.threads > 1 {
        race(game, options, attack, |limits| defender().work(limits))
    } else {
        let mut defender = defender();
        take_turns(game, options, attack, |limits| watched(observer, progress, || defender.work(limits)))
    };
    found.map(reported)
}

/// Both at once, on threads of their own.
fn race(
    game: &Game,
    options: &Options,
    attack: impl Fn(Limits, &Arc<AtomicUsize>) -> Result<Found, ProofError>,
    defend: impl Fn(&Limits) -> Result<Defence, ProofError> + Sync,
) -> Result<Found, ProofError> {
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
        if !matches!(&attacked, Ok(found) if found.evidence.is_none()) {
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
    attack: impl Fn(Limits, &Arc<AtomicUsize>) -> Result<Found, ProofError>,
    mut defend: impl FnMut(&Limits) -> Result<Defence, ProofError>,
) -> Result<Found, ProofError> {
    let lent = Arc::default();
    let mut defence = Defence::Open(None);
    let mut budget = FIRST_ROUND;
    loop {
        let attacked = attack(options.limits.part(Some(budget)), &lent)?;
        if matches!(defence, Defence::Open(_)) && attacked.evidence.is_none() {
            defence = defend(&options.limits.part(Some(budget / dear(game.rule()))))?;
        }
        let over = attacked.evidence.is_some()
            || matches!(defence, Defence::Hold { .. })
            || options.limits.check_now().is_err();
        if over {
            return Ok(combine(game, attacked, defence));
        }
        budget = budget.saturating_mul(4);
    }
}

/// What both found together: evidence first, then what one of them knows.
fn combine(game: &Game, attacked: Found, defended: Defence) -> Found {
    if attacked.evidence.is_some() {
        return attacked;
    }
    let account = Account { stopped: false, ..attacked.account };
    match defended {
        Defence::Hold { engine, evidence } => {
            let refuted_turn = black_turns(game, game.schedule().len()).next_back();
            let account = Account { engine, refuted_turn, ..account };
            Found { claimed: Some(Claimed::Hold), evidence: Some(evidence), account }
        }
        Defence::Win { engine, turn, first_move, evidence } => {
            let claimed = Claimed::Win { by: turn, least: false, first_move };
            Found { claimed: Some(claimed), evidence: Some(evidence), account: Account { engine, ..account } }
        }
        Defence::Open(known) => {
            Found { claimed: attacked.claimed.or(known), account: Account { stopped: true, ..account }, evidence: None }
        }
    }
}
