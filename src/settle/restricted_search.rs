//! The search of a game by a restricted player.

use super::distance::black_turns;
use super::options::Options;
use super::outcome::{Account, Claimed, Found};
use super::restricted::{Restricted, RestrictedReport};
use super::workbench::{Shares, Workbench};
use crate::effort::Halt;
use crate::effort::progress::{Meter, Observer, watched};
use crate::engines::any_order::AnyOrder;
use crate::engines::beck::Beck;
use crate::engines::engine::Engine;
use crate::evidence::Evidence;
use crate::evidence::strategy::ProofError;
use crate::game::{Game, with_width};
use harary_certificate::{Board, Claim};

/// Lets a restricted player search the game. Whatever he does not prove stays open.
pub fn search_restricted(
    game: &Game,
    player: Restricted,
    options: &Options,
    meter: &Meter,
    observer: Observer,
) -> Result<Found, ProofError> {
    let work = || with_width!(game.vertices(), N => search_in::<N>(game, player, options, meter));
    watched(observer, || meter.read(&options.limits), work)
}

fn search_in<const N: usize>(
    game: &Game,
    player: Restricted,
    options: &Options,
    meter: &Meter,
) -> Result<Found, ProofError> {
    let limits = &options.limits;
    let bench = Workbench::<N>::new(game, &game.symmetries(), Shares::attack(options.memory / 10 * 9), 1);
    let mut report = RestrictedReport { player, failed_turn: None, failed: false };
    let account = |report, nodes, stopped| Account {
        nodes,
        stopped,
        refuted_turn: meter.refuted_turn(),
        restricted: Some(report),
        ..Account::new(player.name())
    };
    let board: Option<&Board> = game.shape_on_board().map(|(_, board)| board);
    match (player, board) {
        (Restricted::Adjacent, Some(board)) => {
            let mut engine = AnyOrder::beside_own(&bench.attacking(limits), board);
            let last = options.last_turn(game);
            for until in black_turns(game, last) {
                meter.at_turn(until);
                match engine.wins_by(until) {
                    Err(Halt) => return Ok(open(account(report, engine.nodes(), true))),
                    Ok(false) => report.failed_turn = Some(until),
                    Ok(true) => {
                        let claim = bench.prove(&bench.arena, &mut engine, Claim::Win(until), None, limits);
                        let first_move = engine.winning_move(game.start().resized(), until)?;
                        let done = account(report, engine.nodes(), false);
                        return found(claim, first_move, done);
                    }
                }
            }
            report.failed = true;
            Ok(open(account(report, engine.nodes(), false)))
        }
        (Restricted::Adjacent, None) => Ok(open(account(report, 0, false))),
        (Restricted::Beck, _) => {
            let mut engine = Beck::new(&bench.arena, &bench.canon, options.memory / 10 * 9, limits);
            match engine.holds() {
                Err(Halt) => Ok(open(account(report, engine.nodes(), true))),
                Ok(false) => {
                    report.failed = true;
                    Ok(open(account(report, engine.nodes(), false)))
                }
                Ok(true) => {
                    let last = Some(game.schedule().len()).filter(|_| game.is_cut_short());
                    let claim = bench.prove(&bench.arena, &mut engine, Claim::Hold(last), None, limits);
                    let done = account(report, engine.nodes(), false);
                    found(claim, None, done)
                }
            }
        }
    }
}

fn open(account: Account) -> Found {
    Found { claimed: None, evidence: None, account }
}

/// What a strategy proves, if it was finished in time.
fn found<E: Evidence + 'static>(
    strategy: Result<E, ProofError>,
    first_move: Option<harary_certificate::Cell>,
    account: Account,
) -> Result<Found, ProofError> {
    let evidence: Box<dyn Evidence> = match strategy {
        Ok(strategy) => Box::new(strategy),
        Err(ProofError::Halt(_)) => return Ok(open(Account { stopped: true, ..account })),
        Err(contradiction) => return Err(contradiction),
    };
    let claimed = match evidence.claim() {
        // The least turn of a restricted attacker need not be that of the game, unless Black has no stone to spare.
        Claim::Win(by) => {
            Claimed::Win { by, least: account.refuted_turn.is_none_or(|refuted| by == refuted + 2), first_move }
        }
        Claim::Hold(_) | Claim::Loss(_) => Claimed::Hold,
    };
    Ok(Found { claimed: Some(claimed), evidence: Some(evidence), account })
}
