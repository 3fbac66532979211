//! Attacker and defender at once: whoever finishes first settles the game.
//!
//! The attacker proves wins, and the defender that there is none: a block of the weak game holds in the strong game
//! too. The defender also proves wins, but not their least turn, so the attacker goes on looking for it. With one thread
//! they take turns, each time with four times the nodes, so that the same run gives the same certificate byte for byte.

use super::attack::search_attacking;
use super::defender::{Defence, Defender, Ledger, Manner, report};
use super::distance::black_turns;
use super::options::{EngineChoice, Options};
use super::outcome::{Account, Claimed, Found};
use super::workbench::{Shares, Workbench};
use crate::effort::Limits;
use crate::effort::progress::{Meter, Observer, Progress, watched};
use crate::effort::tuning::slices::{DEAR_STRONG, DEAR_WEAK, FIRST_LOOK, FIRST_ROUND, GROWTH, LARGE};
use crate::evidence::opened::paved;
use crate::evidence::strategy::ProofError;
use crate::game::{Game, with_width};
use crate::paving::Pairs;
use crate::paving::oracle::Oracle;
use harary_certificate::Rule;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A node of the defender is worth so many of the attacker's. The weak game is the defender's own: there the attacker only
/// looks for the least turn.
fn dear(rule: Rule) -> u64 {
    match rule {
        Rule::Strong => DEAR_STRONG,
        Rule::Weak => DEAR_WEAK,
    }
}

/// Settles a game the defender applies to.
pub fn search_racing(game: &Game, options: &Options, meter: &Meter, observer: Observer) -> Result<Found, ProofError> {
    with_width!(game.vertices(), N => search_in::<N>(game, options, meter, observer))
}

fn search_in<const N: usize>(
    game: &Game,
    options: &Options,
    meter: &Meter,
    observer: Observer,
) -> Result<Found, ProofError> {
    if game.vertices() > LARGE
        && let Some(paving) =
            Oracle::<N>::new(game, Pairs::Any).paving_by(game.start().resized(), FIRST_LOOK, &options.limits)
    {
        let evidence = paved(game, paving)?;
        let defence = Defence::Hold { engine: "paving", evidence };
        return Ok(combine(game, Found { claimed: None, evidence: None, account: Account::new("paving") }, defence));
    }
    let ledger = Ledger::new();
    let alone = options.engine == EngineChoice::Defender;
    // The attacker's table is the greater one.
    let memory = if alone { options.memory / 10 * 9 } else { options.memory / 4 };
    // Before the strong game is searched one thread is the defender's, then half of them.
    let strong_threads = if alone { options.threads } else { (options.threads / 2).max(1) };
    let threads = if alone { options.threads.saturating_sub(1).max(1) } else { strong_threads };
    let lent = Arc::new(AtomicUsize::new(usize::from(options.threads > 1)));
    let account = options.account();
    let bench = Workbench::<N>::within(&account, game, &game.symmetries(), Shares::defence(memory), threads);
    let manner = Manner { threads: strong_threads, shortens: !alone, lent: &lent };
    let defender = || Defender::new(&bench, &ledger, meter, manner);
    let reported = |found: Found| {
        let defence = found.evidence.is_none().then(|| report(&bench, &ledger));
        Found { account: Account { defence, ..found.account }, ..found }
    };
    let progress = || Progress { fill: bench.fill(), ..meter.read(&options.limits) };
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
    let attack = |limits: Limits| {
        let (engine, memory) = (EngineChoice::Alphabeta, options.memory - memory);
        let (lent, account) = (lent.clone(), Some(account.clone()));
        let options = Options { engine, limits, memory, account, lent, ..options.clone() };
        search_attacking(game, &options, meter, observer)
    };
    let found = if options.threads > 1 {
        race(game, options, &lent, attack, |limits| defender().work(limits))
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
    lent: &AtomicUsize,
    attack: impl Fn(Limits) -> Result<Found, ProofError>,
    defend: impl Fn(&Limits) -> Result<Defence, ProofError> + Sync,
) -> Result<Found, ProofError> {
    let (attacking, defending) = (options.limits.part(None), options.limits.part(None));
    std::thread::scope(|scope| {
        let defender = scope.spawn(|| {
            let defence = defend(&defending);
            lent.store(0, Ordering::Relaxed);
            if matches!(defence, Ok(Defence::Hold { .. } | Defence::Win { least: true, .. })) {
                attacking.stop();
            }
            defence
        });
        let attacked = attack(attacking.clone());
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
    attack: impl Fn(Limits) -> Result<Found, ProofError>,
    mut defend: impl FnMut(&Limits) -> Result<Defence, ProofError>,
) -> Result<Found, ProofError> {
    let mut defence = Defence::Open(None);
    let mut budget = FIRST_ROUND;
    loop {
        let attacked = attack(options.limits.part(Some(budget)))?;
        if matches!(defence, Defence::Open(_)) && attacked.evidence.is_none() {
            defence = defend(&options.limits.part(Some(budget / dear(game.rule()))))?;
        }
        let over = attacked.evidence.is_some()
            || matches!(defence, Defence::Hold { .. } | Defence::Win { least: true, .. })
            || options.limits.check_now().is_err();
        if over {
            return Ok(combine(game, attacked, defence));
        }
        budget = budget.saturating_mul(GROWTH);
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
        Defence::Win { engine, turn, least, first_move, evidence } => {
            let claimed = Claimed::Win { by: turn, least, first_move };
            Found { claimed: Some(claimed), evidence: Some(evidence), account: Account { engine, ..account } }
        }
        Defence::Open(known) => {
            Found { claimed: attacked.claimed.or(known), account: Account { stopped: true, ..account }, evidence: None }
        }
    }
}
