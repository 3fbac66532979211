//! Wins inside covers: the driver of [`crate::engines::cover`], and the strategies drawn out of it.
//!
//! For one first move out of each orbit, the cover is the cells of all placements through it; the turn limit deepens
//! over all covers together, so the turn found is the least any of them gives. It is not proved least for the game, and
//! failure proves nothing: there may be wins that no cover shows.
//!
//! Instead of the covers of first moves one may ask for a *window*, a rectangle in the middle of the board: a win on a
//! small board is often one on every larger board, inside a window of that size.
//!
//! *Static*: the cover stays that of the first move. *Dynamic*: it shrinks as the game goes on. Black plays only inside
//! sets he can still complete in time ([`CoverAttacker::single_minded`]); and because a certificate has one cover for
//! the whole game, the cover of the win is then cut down to the cells Black's strategy uses, and further orbit by
//! orbit as long as it still wins by the same turn. Why this is sound: nothing is concluded from the old strategy. Each
//! smaller cover is searched afresh as a static cover, and its own strategy is written down.

use super::cover_mode::CoverMode;
use super::workbench::{Shares, Workbench};
use crate::effort::tuning::slices::{COVER_ALLOWANCE, COVER_PATIENCE};
use crate::effort::{Halt, Limits, Meter};
use crate::engines::cover::{CoverAttacker, CoverGame, CoverStones, cover_of};
use crate::evidence::strategy::{Line, ProofError, Strategy};
use crate::game::{Game, with_width};
use ahash::AHashSet;
use harary_certificate::{Board, Cell, CellSet, Stones, WIDE, WideSet};

/// The cells of a window in the middle of the board, as far as they are on it.
fn window(board: &Board, width: usize, height: usize) -> WideSet {
    let (width, height) = (width.min(board.width()), height.min(board.height()));
    let (left, low) = ((board.width() - width) / 2, (board.height() - height) / 2);
    (low..low + height).flat_map(|y| (left..left + width).map(move |x| board.cell(x, y))).collect()
}

/// A win inside a cover.
#[derive(Clone, Debug)]
pub struct CoverWin {
    /// Black wins by this turn at the latest; an earlier win is not ruled out.
    pub turn: usize,
    /// His first move.
    pub first_move: Option<Cell>,
    /// The cells he keeps to.
    pub cover: WideSet,
    /// How he plays.
    pub strategy: Strategy<WIDE>,
}

/// What the search of all covers found.
#[derive(Clone, Debug)]
pub struct CoverFinding {
    /// A win, if there is one.
    pub win: Option<CoverWin>,
    /// No cover that was tried gives a win by this turn. This says nothing about the game.
    pub failed_turn: Option<usize>,
    /// Different covers searched.
    pub covers: usize,
    /// Positions searched.
    pub nodes: u64,
    /// A limit stopped the search.
    pub halted: bool,
}

/// Looks for a win of Black's inside the cover of a first move, by turn `within` at the latest. Players must alternate.
pub fn search_covers(
    game: &Game,
    mode: CoverMode,
    within: Option<usize>,
    memory: usize,
    limits: &Limits,
    meter: &Meter,
) -> Result<CoverFinding, ProofError> {
    let games = cover_games(game, mode);
    let share = memory / games.len().max(1);
    let single_minded = mode == CoverMode::Dynamic;
    let mut fields: Vec<Box<dyn Field>> = games.into_iter().map(|game| new_field(game, share, single_minded)).collect();
    let mut finding = CoverFinding { win: None, failed_turn: None, covers: fields.len(), nodes: 0, halted: false };
    let last = within.unwrap_or(usize::MAX).min(game.schedule().len());
    for turn in (1..=last).step_by(2) {
        meter.at_turn(turn);
        for number in 0..fields.len() {
            let answer = fields[number].wins(turn, u64::MAX, limits);
            meter.fill(fields[number].fill());
            finding.nodes = fields.iter().map(|field| field.nodes()).sum();
            match answer {
                Ok(false) => {}
                Ok(true) => {
                    meter.proving();
                    let field = fields.swap_remove(number);
                    // The other tables are not needed any more, and shrinking wants memory.
                    fields.clear();
                    return won(game, field, turn, mode, memory, limits, finding);
                }
                Err(Halt) => return Ok(CoverFinding { halted: true, ..finding }),
            }
        }
        finding.failed_turn = Some(turn);
        // Black's stones all lie in the cover; longer games are lost as well.
        if fields.iter().all(|field| field.game().cover().len() <= turn.div_ceil(2)) {
            finding.failed_turn = Some(last);
            break;
        }
    }
    Ok(finding)
}

fn won(
    game: &Game,
    field: Box<dyn Field>,
    turn: usize,
    mode: CoverMode,
    memory: usize,
    limits: &Limits,
    finding: CoverFinding,
) -> Result<CoverFinding, ProofError> {
    let mut before = finding.nodes;
    let drawn = match draw_smallest(game, field, turn, mode, memory, limits, &mut before) {
        Err(ProofError::Halt(_)) => return Ok(CoverFinding { halted: true, ..finding }),
        other => other?,
    };
    Ok(CoverFinding {
        nodes: before,
        win: Some(CoverWin {
            turn,
            first_move: drawn.first_move,
            cover: drawn.cover,
            strategy: Strategy::in_cover(drawn.cover, turn, drawn.lines),
        }),
        ..finding
    })
}

/// The games inside the covers that are tried, the most promising first: the window, or the covers of first moves, one
/// out of each orbit. On a large board many of those away from the border are the same game; the one with the most
/// symmetries stands for them.
fn cover_games(game: &Game, mode: CoverMode) -> Vec<CoverGame> {
    let covers: AHashSet<WideSet> = match (mode, game.shape_on_board()) {
        (CoverMode::Window(width, height), Some((_, board))) => [window(board, width, height)].into_iter().collect(),
        _ => {
            let all = WideSet::first_cells(game.vertices());
            game.symmetries().representatives(&all).iter().map(|first| cover_of(game, first)).collect()
        }
    };
    // An empty cover is no game: no placement runs through that cell.
    let mut games: Vec<CoverGame> = covers.into_iter().filter_map(|cover| CoverGame::new(game, cover).ok()).collect();
    games.sort_by_cached_key(|game| {
        let (sets, symmetries) = (game.game().black_sets().len(), game.board_symmetries().len());
        (usize::MAX - sets, usize::MAX - symmetries, *game.cover())
    });
    let mut seen = AHashSet::new();
    games.retain(|game| seen.insert((game.game().black_sets().to_vec(), game.game().white_sets().to_vec())));
    games
}

/// A strategy inside a cover, in the board's coordinates.
struct Drawn {
    first_move: Option<Cell>,
    cover: WideSet,
    lines: Vec<Line<WIDE>>,
    /// The cells Black plays or completes a set at.
    used: WideSet,
}

/// One cover with its tables, whatever the width of its sets.
trait Field {
    fn game(&self) -> &CoverGame;
    fn nodes(&self) -> u64;
    /// The share of the table in use, in thousandths.
    fn fill(&self) -> usize;
    /// Whether Black wins by this turn, if that can be told with so many nodes.
    fn wins(&mut self, turn: usize, most: u64, limits: &Limits) -> Result<bool, Halt>;
    /// The strategy of a win that is there.
    fn draw(&mut self, turn: usize, limits: &Limits) -> Result<Drawn, ProofError>;
}

fn new_field(game: CoverGame, memory: usize, single_minded: bool) -> Box<dyn Field> {
    with_width!(game.game().vertices(), N => Box::new(FieldIn::<N>::new(game, memory, single_minded)))
}

struct FieldIn<const N: usize> {
    game: CoverGame,
    bench: Workbench<N>,
    single_minded: bool,
    nodes: u64,
}

impl<const N: usize> FieldIn<N> {
    fn new(game: CoverGame, memory: usize, single_minded: bool) -> FieldIn<N> {
        let bench = Workbench::new(game.game(), game.symmetries(), Shares::attack(memory), 1);
        FieldIn { game, bench, single_minded, nodes: 0 }
    }

    fn attacker<'a>(&'a self, limits: &'a Limits) -> CoverAttacker<'a, N> {
        CoverAttacker::new(&self.game, &self.bench.attacking(limits)).single_minded(self.single_minded)
    }

    fn canonical(&self, stones: CoverStones<N>) -> CoverStones<N> {
        let (Stones { black, white }, _) = self.game.symmetries().canonical(&Stones::new(stones.black, stones.white));
        CoverStones { black, white, ..stones }
    }
}

impl<const N: usize> Field for FieldIn<N> {
    fn game(&self) -> &CoverGame {
        &self.game
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn fill(&self) -> usize {
        self.bench.fill()
    }

    fn wins(&mut self, turn: usize, most: u64, limits: &Limits) -> Result<bool, Halt> {
        let mut attacker = self.attacker(limits).at_most(most);
        let answer = attacker.wins(turn.div_ceil(2));
        self.nodes += attacker.nodes();
        answer
    }

    fn draw(&mut self, turn: usize, limits: &Limits) -> Result<Drawn, ProofError> {
        let mut attacker = self.attacker(limits);
        let start = CoverStones { black: CellSet::EMPTY, white: CellSet::EMPTY, elsewhere: 0 };
        let mut seen = AHashSet::new();
        let mut waiting = vec![start];
        let mut lines = Vec::new();
        let mut used = CellSet::EMPTY;
        let mut first_move = None;
        while let Some(at) = waiting.pop() {
            if let Some(cell) = attacker.completions(&at).first() {
                used.insert(cell);
                first_move = first_move.or(Some(cell));
                continue;
            }
            let left = turn.div_ceil(2) - at.black.len();
            let Some(cell) = attacker.winning_move(&at, left)? else {
                let (black, white) = (self.game.board_set(&at.black), self.game.board_set(&at.white));
                return Err(ProofError::Contradiction { black: black.to_string(), white: white.to_string() });
            };
            first_move = first_move.or(Some(cell));
            used.insert(cell);
            lines.push((at, cell));
            let after = CoverStones { black: at.black.with(cell), ..at };
            let threats = attacker.completions(&after);
            used |= threats;
            let replies = self.game.inside() - after.black - after.white;
            let inside = replies.iter().map(|reply| CoverStones { white: after.white.with(reply), ..after });
            let elsewhere = (after.elsewhere < self.game.outside())
                .then_some(CoverStones { elsewhere: after.elsewhere + 1, ..after });
            // A threat that is not parried ends the play.
            for next in inside.chain(elsewhere).filter(|next| threats.is_subset(&next.white)) {
                let next = self.canonical(next);
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        let nodes = attacker.nodes();
        self.nodes += nodes;
        let game = &self.game;
        let line = |(at, cell): (CoverStones<N>, Cell)| Line {
            stones: Stones::new(game.board_set(&at.black), game.board_set(&at.white)),
            elsewhere: at.elsewhere,
            cell: game.board_cell(cell),
        };
        Ok(Drawn {
            first_move: first_move.map(|cell| game.board_cell(cell)),
            cover: *game.cover(),
            lines: lines.into_iter().map(line).collect(),
            used: game.board_set(&used),
        })
    }
}

/// The strategy of a win; in dynamic mode, the one with the fewest lines found while the cover is cut down.
fn draw_smallest(
    game: &Game,
    mut field: Box<dyn Field>,
    turn: usize,
    mode: CoverMode,
    memory: usize,
    limits: &Limits,
    nodes: &mut u64,
) -> Result<Drawn, ProofError> {
    let most = COVER_PATIENCE * field.nodes() + COVER_ALLOWANCE;
    let mut best = field.draw(turn, limits)?;
    if mode != CoverMode::Dynamic {
        return Ok(best);
    }
    drop(field);
    // Whether the win is still there inside `cover`, and how it is written down.
    let mut attempt = |cover: WideSet| -> Result<Option<Drawn>, ProofError> {
        let Ok(smaller) = CoverGame::new(game, cover) else { return Ok(None) };
        let mut field = new_field(smaller, memory, true);
        let answer = field.wins(turn, most, limits);
        let drawn = match answer {
            Ok(true) => Some(field.draw(turn, limits)?),
            Ok(false) => None,
            Err(Halt) => {
                limits.check_now()?;
                None
            }
        };
        *nodes += field.nodes();
        Ok(drawn)
    };
    // First to what the strategy uses, with all its images: its lines stand for symmetric positions too.
    loop {
        let group = game.symmetries().stabiliser(&[best.cover]);
        let cover = group.elements().iter().fold(WideSet::EMPTY, |cover, symmetry| cover | symmetry.set(&best.used));
        if cover == best.cover {
            break;
        }
        match attempt(cover)? {
            Some(drawn) if drawn.lines.len() < best.lines.len() => best = drawn,
            _ => break,
        }
    }
    // Then orbit by orbit, as long as the proof gets shorter.
    let group = game.symmetries().stabiliser(&[best.cover]);
    for representative in group.representatives(&best.cover) {
        let orbit: WideSet = group.elements().iter().map(|symmetry| symmetry.cell(representative)).collect();
        let cover = best.cover - orbit;
        if cover == best.cover {
            continue;
        }
        if let Some(drawn) = attempt(cover)?
            && drawn.lines.len() < best.lines.len()
        {
            best = drawn;
        }
    }
    Ok(best)
}
