//! Attacker and defender at once: whoever finishes first settles the game.
//!
//! The attacker proves wins, and the defender that there is none: a block of the weak game holds in the strong game
//! too. In the weak game the defender also proves wins, but not their least turn, so the attacker goes on looking for
//! it. With one thread they take turns, each time with four times the nodes, so that the same run gives the same
//! certificate byte for byte.

use super::{ByNodes, EngineChoice, Observer, Options, Progress, Settlement, Verdict, settle_attacking};
use crate::blocking::{BlockOutcome, block};
use crate::game::Game;
use crate::player::{Player, Rule};
use crate::prover::ProofError;
use crate::search::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};

/// Nodes of the attacker in the first round of a single thread. A node of the defender, mostly a search for a paving, is
/// worth `DEAR` of his.
const FIRST_ROUND: u64 = 1 << 16;
const DEAR: u64 = 16;

/// Settles a game the defender applies to.
pub fn settle_racing(game: &Game, options: &Options, observer: Observer) -> Result<Settlement, ProofError> {
    let unpaved = AtomicU16::new(0);
    let observer = |progress: &Progress| {
        let moves = Some(unpaved.load(Ordering::Relaxed)).filter(|&moves| moves > 0);
        observer(&Progress { unpaved: moves, ..*progress });
    };
    let attack = |limits: Limits, lent: &Arc<AtomicUsize>| {
        let engine = EngineChoice::Alphabeta;
        settle_attacking(game, &Options { engine, limits, lent: lent.clone(), ..options.clone() }, &observer)
    };
    let defend = |limits: &Limits| {
        let found = block(game, limits, &mut |moves, _| unpaved.store(moves, Ordering::Relaxed));
        found.map(|(outcome, _)| outcome).map_err(|_| ProofError::LostLemma)
    };
    if options.threads > 1 { race(game, options, attack, defend) } else { take_turns(game, options, attack, defend) }
}

/// Both at once, on threads of their own.
fn race(
    game: &Game,
    options: &Options,
    attack: impl Fn(Limits, &Arc<AtomicUsize>) -> Result<Settlement, ProofError>,
    defend: impl Fn(&Limits) -> Result<BlockOutcome, ProofError> + Sync,
) -> Result<Settlement, ProofError> {
    let (attacking, defending) = (options.limits.part(None), options.limits.part(None));
    let lent = Arc::new(AtomicUsize::new(1));
    std::thread::scope(|scope| {
        let defender = scope.spawn(|| {
            let outcome = defend(&defending);
            lent.store(0, Ordering::Relaxed);
            if matches!(outcome, Ok(BlockOutcome::Hold { .. })) {
                attacking.stop();
            }
            outcome
        });
        let attacked = attack(attacking.clone(), &lent);
        if !matches!(&attacked, Ok(settlement) if !settlement.is_settled()) {
            defending.stop();
        }
        let defended = defender.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        combine(game, attacked?, defended?)
    })
}

/// One after the other, with growing budgets.
fn take_turns(
    game: &Game,
    options: &Options,
    attack: impl Fn(Limits, &Arc<AtomicUsize>) -> Result<Settlement, ProofError>,
    defend: impl Fn(&Limits) -> Result<BlockOutcome, ProofError>,
) -> Result<Settlement, ProofError> {
    let lent = Arc::default();
    let mut defence = None;
    let mut budget = FIRST_ROUND;
    loop {
        let attacked = attack(options.limits.part(Some(budget)), &lent)?;
        if defence.is_none() && !attacked.is_settled() {
            let limits = options.limits.part(Some(budget / DEAR));
            defence = Some(defend(&limits)?).filter(|outcome| !matches!(outcome, BlockOutcome::Unknown { .. }));
        }
        let over = attacked.is_settled()
            || matches!(defence, Some(BlockOutcome::Hold { .. }))
            || options.limits.check_now().is_err();
        if over {
            return combine(game, attacked, defence.unwrap_or(BlockOutcome::Unknown { refused: None }));
        }
        budget = budget.saturating_mul(4);
    }
}

/// What both found together.
fn combine(game: &Game, attacked: Settlement, defended: BlockOutcome) -> Result<Settlement, ProofError> {
    if attacked.is_settled() {
        return Ok(attacked);
    }
    match defended {
        BlockOutcome::Hold { proof, .. } => Ok(Settlement {
            verdict: Verdict::Hold,
            refuted_turn: (1..=game.schedule().len())
                .rev()
                .find(|&turn| game.schedule().player_after(turn - 1) == Some(Player::Black)),
            engine: "blocking",
            evidence: Some(Box::new(ByNodes(proof))),
            halted: false,
            ..attacked
        }),
        BlockOutcome::Win { turn, proof } if game.rule() == Rule::Weak => Ok(Settlement {
            verdict: Verdict::Win,
            win_by: Some(turn),
            engine: "blocking",
            evidence: Some(Box::new(ByNodes(proof))),
            halted: false,
            ..attacked
        }),
        _ => Ok(attacked),
    }
}
