//! What a source claims beside what the atlas knows.

use super::entry::{Entry, Finding};

use super::key::GameKey;
use super::published::{Claim, Published};
use super::report;
use super::tablebase::Tablebase;
use crate::effort::Limits;
use crate::engines::blocking;
use crate::game::Game;
use crate::paving::Pairs;
use crate::paving::periodic::{Lattice, periodic_paving};
use harary_certificate::{Board, Rule, Shape, Stones, Topology};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Whether a source is right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// Ours says the same.
    Agrees,
    /// The source claims nothing.
    NoClaim,
    /// Not settled here yet, in whole or in part.
    Open,
    /// Refuted by a search whose refutation nobody has certified.
    Searched,
    /// Ours says otherwise, certified.
    Differs,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Agreement::Agrees => "agree",
            Agreement::NoClaim => "no claim",
            Agreement::Open => "not settled yet",
            Agreement::Searched => "DIFFERS (searched)",
            Agreement::Differs => "DIFFERS",
        })
    }
}

/// A claim and our answer.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What the source says.
    pub published: &'static Published,
    /// Whether it is borne out.
    pub agreement: Agreement,
    /// Our answer in words.
    pub ours: String,
    /// How long ours took.
    pub seconds: Option<f64>,
    /// The entry that decides, if it is one.
    pub entry: Option<Entry>,
}

/// Answers questions about pavings: whether White can play up to a turn of a game so that there is one after it; none if
/// that took too long.
pub type Pavings<'a> = &'a dyn Fn(&Game, usize) -> Option<bool>;

/// Counts the formulas a claim is about: what it is about has so many of it.
pub type Counted<'a> = &'a dyn Fn(&Published) -> Option<usize>;

/// Who answers what the atlas does not know.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// About pavings.
    pub pavings: Pavings<'a>,
    /// About formulas.
    pub counted: Counted<'a>,
}

impl Asked<'_> {
    /// Nobody: such claims stay open.
    pub const NOBODY: Asked<'static> = Asked { pavings: &|_, _| None, counted: &|_| None };
}

/// Compares a claim with what is known.
pub fn compare(published: &'static Published, known: &Tablebase, asked: Asked) -> Comparison {
    let Asked { pavings, counted } = asked;
    let judged = |agreement, ours: String| Comparison { published, agreement, ours, seconds: None, entry: None };
    let Some(shape) = published.shapes.first() else { return judged(Agreement::NoClaim, String::new()) };
    let about = |board: Board| known.get(&GameKey::new(shape, board, published.rule));
    match (published.claim, published.boards().first()) {
        (Claim::Count { wins, holds, unknown, games }, Some(_)) => {
            let (ours, seconds) = count(published, known);
            let agreement = judge_count([wins, holds, unknown], games, ours);
            let text = match ours {
                [wins, holds, 0] => format!("{wins} win, {holds} hold"),
                [wins, holds, unknown] => format!("{wins} win, {holds} hold, {unknown} not settled yet"),
            };
            let sum = wins + holds + unknown;
            let text = match sum == games {
                true => text,
                false => format!("{text}; the source's numbers add up to {sum}, not {games}"),
            };
            Comparison { seconds: Some(seconds).filter(|_| ours[2] == 0), ..judged(agreement, text) }
        }
        (Claim::LastK(turn), Some(_)) => last_k(published, known, turn, pavings),
        (Claim::Size { part, number, .. }, _) => match counted(published) {
            Some(found) => judged(agree(found == number), part.counted(found)),
            None => judged(Agreement::Open, "not counted".to_owned()),
        },
        (Claim::Times, _) => judged(Agreement::NoClaim, String::new()),
        (Claim::Paving(turn) | Claim::NoPaving(turn), Some(&board)) => {
            let claimed = matches!(published.claim, Claim::Paving(_));
            match pavings(&Game::new(shape.clone(), board, published.rule), turn) {
                Some(true) => judged(agree(claimed), format!("paving after {turn} turns")),
                Some(false) => judged(agree(!claimed), format!("no paving after {turn} turns")),
                None => judged(Agreement::Open, "not settled yet".to_owned()),
            }
        }
        (Claim::Never, _) | (Claim::Open, None) => {
            let (agreement, ours) = on_all_boards(published, known);
            judged(agreement, ours)
        }
        (claim, Some(&board)) => {
            let entry = about(board);
            let mut agreement = entry.map_or(Agreement::Open, |entry| judge(claim, entry));
            let mut ours = entry.map_or_else(|| "not settled yet".to_owned(), describe);
            let mut deciding = entry;
            if let Claim::Smallest(_) = claim {
                let (smaller, remark, win) = smaller_boards(published, board, known);
                // What contradicts the source is shown: its own board first.
                deciding = if agreement == Agreement::Differs { entry } else { win.or(entry) };
                agreement = agreement.max(smaller);
                ours.push_str(&remark);
            }
            let seconds = deciding.filter(|entry| entry.finding.is_settled()).map(report::seconds);
            Comparison { seconds, entry: deciding.cloned(), ..judged(agreement, ours) }
        }
        (_, None) => judged(Agreement::NoClaim, String::new()),
    }
}

fn agree(holds: bool) -> Agreement {
    if holds { Agreement::Agrees } else { Agreement::Differs }
}

/// An entry in words.
fn describe(entry: &Entry) -> String {
    match (entry.finding, entry.refuted_turn) {
        (Finding::Unknown, Some(turn)) => format!("not settled yet, no win by {turn}"),
        (Finding::Unknown, None) => "not settled yet".to_owned(),
        (finding, _) => finding.to_string(),
    }
}

/// Whether an entry bears a claim about its game out. Certified verdicts contradict a source; that a turn is refuted by
/// search counts as much beside a certified win only, and is called what it is where nothing else is known.
fn judge(claim: Claim, entry: &Entry) -> Agreement {
    match (claim, entry.finding) {
        (Claim::Open, _) => Agreement::NoClaim,
        (Claim::NoWinBy(turn), Finding::Unknown) if entry.refuted_turn.is_some_and(|refuted| refuted >= turn) => {
            Agreement::Agrees
        }
        (Claim::Smallest(turn) | Claim::Least(turn) | Claim::WinBy(turn), Finding::Unknown)
            if entry.refuted_turn.is_some_and(|refuted| refuted >= turn) =>
        {
            Agreement::Searched
        }
        (_, Finding::Unknown) => Agreement::Open,
        (Claim::Hold, finding) => agree(finding == Finding::Hold),
        (Claim::Win, finding) => agree(matches!(finding, Finding::Win { .. })),
        (Claim::NoWinBy(_), Finding::Hold) => Agreement::Agrees,
        (Claim::Smallest(_) | Claim::Least(_) | Claim::WinBy(_), Finding::Hold) => Agreement::Differs,
        (Claim::Smallest(turn) | Claim::Least(turn), Finding::Win { by, least: true }) => agree(by == turn),
        (Claim::Smallest(turn) | Claim::Least(turn), Finding::Win { by, least: false }) => {
            let refuted = entry.refuted_turn.is_some_and(|refuted| refuted >= turn);
            if by < turn || refuted { Agreement::Differs } else { Agreement::Open }
        }
        (Claim::WinBy(turn), Finding::Win { by, least }) => {
            if by <= turn {
                Agreement::Agrees
            } else if least {
                Agreement::Differs
            } else {
                Agreement::Open
            }
        }
        (Claim::NoWinBy(turn), Finding::Win { by, least }) => {
            if by <= turn {
                Agreement::Differs
            } else if least || entry.refuted_turn.is_some_and(|refuted| refuted >= turn) {
                Agreement::Agrees
            } else {
                Agreement::Open
            }
        }
        // Claims about more than one game are judged elsewhere.
        (
            Claim::Never
            | Claim::Paving(_)
            | Claim::NoPaving(_)
            | Claim::Count { .. }
            | Claim::LastK(_)
            | Claim::Size { .. }
            | Claim::Times,
            _,
        ) => Agreement::NoClaim,
    }
}

/// Whether White holds on all smaller square boards the shape fits on; if not, where Black wins.
fn smaller_boards<'a>(
    published: &Published,
    board: Board,
    known: &'a Tablebase,
) -> (Agreement, String, Option<&'a Entry>) {
    let mut open = Vec::new();
    for side in 1..board.width() {
        let (Some(shape), Ok(smaller)) = (published.shapes.first(), Board::new(side, side, board.topology())) else {
            continue;
        };
        if !shape.fits(side, side) {
            continue;
        }
        let entry = known.get(&GameKey::new(shape, smaller, published.rule));
        match entry.map(|entry| entry.finding) {
            Some(Finding::Win { by, .. }) => {
                return (Agreement::Differs, format!("; wins on {side}x{side} already, by {by}"), entry);
            }
            Some(Finding::Hold) => {}
            Some(Finding::Unknown) | None => open.push(format!("{side}x{side}")),
        }
    }
    match open.is_empty() {
        true => (Agreement::Agrees, String::new(), None),
        false => (Agreement::Open, format!("; {} not settled yet", open.join(", ")), None),
    }
}

/// Our numbers of wins, holds and unknowns, and the seconds for all of them.
fn count(published: &Published, known: &Tablebase) -> ([usize; 3], f64) {
    let (mut numbers, mut seconds) = ([0; 3], 0.0);
    for entry in games(published, known) {
        let index = match entry.map(|entry| entry.finding) {
            Some(Finding::Win { .. }) => 0,
            Some(Finding::Hold) => 1,
            Some(Finding::Unknown) | None => 2,
        };
        numbers[index] += 1;
        seconds += entry.map_or(0.0, report::seconds);
    }
    (numbers, seconds)
}

/// What is known about each game of a claim.
fn games<'a>(published: &'a Published, known: &'a Tablebase) -> impl Iterator<Item = Option<&'a Entry>> {
    let boards = published.boards();
    published.shapes.iter().flat_map(move |shape| {
        let keys: Vec<GameKey> = boards.iter().map(|&board| GameKey::new(shape, board, published.rule)).collect();
        keys.into_iter().map(|key| known.get(&key))
    })
}

/// The source's winners must be among ours, and so its losers; all its games must be accounted for.
fn judge_count([wins, holds, unknown]: [usize; 3], games: usize, ours: [usize; 3]) -> Agreement {
    let too_many = wins > ours[0] + ours[2] || holds > ours[1] + ours[2];
    if too_many || wins + holds + unknown != games {
        Agreement::Differs
    } else if ours[2] > 0 {
        Agreement::Open
    } else {
        Agreement::Agrees
    }
}

/// How many of the games are settled at `turn` and not before.
fn last_k(published: &'static Published, known: &Tablebase, turn: usize, pavings: Pavings) -> Comparison {
    let (mut found, mut open) = (0, 0);
    for entry in games(published, known) {
        match entry.map(|entry| (entry.finding, entry)) {
            Some((Finding::Win { by, least: true }, _)) => found += usize::from(by == turn),
            Some((Finding::Hold, _)) if turn % 2 == 1 => {}
            Some((Finding::Hold, entry)) => {
                let game = entry.key.game();
                let earlier = if turn == 0 { Some(false) } else { pavings(&game, turn - 2) };
                match (earlier, earlier.filter(|earlier| !earlier).and_then(|_| pavings(&game, turn))) {
                    (Some(true), _) | (_, Some(false)) => {}
                    (_, Some(true)) => found += 1,
                    (_, None) => open += 1,
                }
            }
            _ => open += 1,
        }
    }
    let open_text = if open == 0 { String::new() } else { format!(", {open} not settled yet") };
    // A game that ran out of time counts for the source, so that none at this turn does not contradict it.
    let agreement = match (found, open) {
        (1.., _) => Agreement::Agrees,
        (0, 0) => Agreement::NoClaim,
        (0, _) => Agreement::Open,
    };
    Comparison {
        published,
        agreement,
        ours: format!("{found} {}{open_text}", if found == 1 { "game" } else { "games" }),
        seconds: None,
        entry: None,
    }
}

/// What is known on all boards of the claim's topology.
fn on_all_boards(published: &Published, known: &Tablebase) -> (Agreement, String) {
    let (Some(shape), Some(&topology)) = (published.shapes.first(), published.topologies.first()) else {
        return (Agreement::NoClaim, String::new());
    };
    let found: Vec<(Board, &Entry)> = boards(shape, topology, published.rule, known).collect();
    let list = |wanted: fn(&Finding) -> bool| {
        let sides = found.iter().filter(|(_, entry)| wanted(&entry.finding)).map(|(board, _)| board.sides());
        sides.collect::<Vec<_>>().join(", ")
    };
    let wins = list(|finding| matches!(finding, Finding::Win { .. }));
    let holds = list(|finding| *finding == Finding::Hold);
    let ours = match (wins.is_empty(), holds.is_empty()) {
        (true, true) => "not settled yet".to_owned(),
        (true, false) => format!("hold on {holds}"),
        (false, true) => format!("win on {wins}"),
        (false, false) => format!("win on {wins}; hold on {holds}"),
    };
    match (published.claim, wins.is_empty()) {
        (Claim::Never, false) => (Agreement::Differs, ours),
        (Claim::Never, true) => match paving_of_the_plane(shape, topology) {
            Some(period) => {
                let name = &published.subject;
                let command = format!("harary pave {name} 8x8 --periodic {period}");
                (Agreement::Agrees, format!("hold on every board: paving of the plane, period {period} ({command})"))
            }
            None => (Agreement::Open, format!("{ours}; on all boards not settled yet")),
        },
        _ => (Agreement::NoClaim, ours),
    }
}

/// The most cells of the periods that are tried.
const LARGEST_PERIOD: usize = 16;
/// How long all of them may take.
const PERIOD_TIME: Duration = Duration::from_secs(5);

/// The period of a paving of the plane, which proves that White holds on every plain board.
fn paving_of_the_plane(shape: &Shape, topology: Topology) -> Option<Lattice> {
    let limits = Limits::new(Some(PERIOD_TIME), None, Arc::default());
    let paves = |lattice: &Lattice| matches!(periodic_paving(shape, *lattice, Pairs::Any, &limits), Ok(Some(_)));
    (1..=LARGEST_PERIOD).flat_map(Lattice::of_size).find(|lattice| topology == Topology::Plain && paves(lattice))
}

/// What is known about a shape on the boards of a topology.
fn boards<'a>(
    shape: &Shape,
    topology: Topology,
    rule: Rule,
    known: &'a Tablebase,
) -> impl Iterator<Item = (Board, &'a Entry)> {
    let canonical = shape.canonical();
    let same = move |entry: &&Entry| {
        let key = &entry.key;
        key.shape() == Some(&canonical) && key.board().topology() == topology && key.rule() == rule
    };
    known.entries().filter(same).map(|entry| (entry.key.board(), entry))
}

/// Whether a QBF solver can be expected to decide, in minutes, if Black wins by this turn on this board: DepQBF needs
/// seconds for tippy 4x4 by turns 7 and 9 and for 4cells1 on the 5x5 torus by turn 7, and the published times grow tenfold
/// and more with two turns.
pub fn within_reach(board: Board, turn: usize) -> bool {
    match board.size() {
        0..=16 => true,
        17..=25 => turn <= 9,
        26..=49 => turn <= 7,
        _ => false,
    }
}

/// The commands that show a difference: the proof, that of the least turn if that is in question, and QBF solvers asked
/// the same where they can be.
pub fn commands(comparison: &Comparison) -> Vec<String> {
    if let Claim::Size { turns, .. } = comparison.published.claim {
        return vec![size_command(comparison.published, turns)];
    }
    let Some(entry) = &comparison.entry else { return Vec::new() };
    let (key, board) = (&entry.key, entry.key.board());
    // A win on a smaller board than the source's contradicts it by itself.
    let same_board = comparison.published.boards().contains(&board);
    if let (Agreement::Searched, Claim::Smallest(claimed) | Claim::Least(claimed) | Claim::WinBy(claimed)) =
        (comparison.agreement, comparison.published.claim)
    {
        return vec![format!("harary solve {} --within {claimed} --certificate FILE", key.arguments())];
    }
    let mut commands = vec![format!("{} --fresh", entry.command())];
    if let (Some(turn), Claim::Smallest(claimed) | Claim::Least(claimed) | Claim::WinBy(claimed)) =
        (entry.finding.least_turn(), comparison.published.claim)
        && claimed < turn
        && same_board
    {
        commands.push(match entry.leastness.mark() {
            Some(_) => format!("harary atlas certificate {} --least --output FILE", key.arguments()),
            None => format!("harary solve {} --certify-least FILE --fresh", key.arguments()),
        });
    }
    let turns: Vec<usize> = match (entry.finding, comparison.published.claim) {
        (Finding::Win { by, .. }, Claim::Smallest(turn) | Claim::Least(turn) | Claim::WinBy(turn)) if same_board => {
            let mut turns = vec![by, turn];
            turns.sort_unstable();
            turns.dedup();
            turns
        }
        (Finding::Win { by, .. }, _) => vec![by],
        _ => Vec::new(),
    };
    let turns: Vec<String> =
        turns.iter().filter(|&&turn| within_reach(board, turn)).map(|turn| turn.to_string()).collect();
    if !turns.is_empty() {
        // COR++ knows the symmetries of a torus.
        let torus = if board.is_torus() { " --torus --encodings cor++" } else { " --encodings cor+" };
        let rule = if key.rule() == Rule::Weak { " --rule weak" } else { "" };
        commands.push(format!(
            "harary crosscheck --shapes {} --boards {}{torus}{rule} --turns {} --timeout 10m",
            key.name(),
            board.sides(),
            turns.join(",")
        ));
    }
    commands
}

/// The command that counts the formulas of a claim.
fn size_command(published: &Published, turns: usize) -> String {
    // Without a name it is about all animals that fit.
    let shapes = match published.shapes.len() {
        1 => format!(" --shapes {}", published.subject),
        _ => String::new(),
    };
    let sides = published.board.map_or_else(String::new, |(width, height)| format!("{width}x{height}"));
    let topology = match published.topologies[..] {
        [Topology::Plain] => "",
        [Topology::Torus] => " --torus",
        _ => " --both",
    };
    let encoding = published.row.to_lowercase();
    format!(
        "harary crosscheck{shapes} --boards {sides}{topology} --encodings {encoding} --turns {turns} --faithful --sizes"
    )
}

/// Whether White can play up to `turn` so that a paving exists, within some limits; for [`Pavings`].
pub fn paving(game: &Game, turn: usize, limits: &Limits) -> Option<bool> {
    blocking::paved_after(game, &Stones::NONE, turn, limits)
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::win;
    use super::super::published;
    use super::*;

    /// A win by turn 5, and what claims make of it.
    #[test]
    fn claims_are_judged() {
        let hold = Entry { finding: Finding::Hold, first_move: None, ..win() };
        let late = Entry { finding: Finding::Win { by: 7, least: false }, ..win() };
        let unknown = Entry { finding: Finding::Unknown, certificate: None, first_move: None, ..win() };
        use Agreement::{Agrees, Differs, Open, Searched};
        for (claim, expected) in [
            // win 5, hold, win by 7 and not by 3, unknown and not by 3
            (Claim::Least(5), [Agrees, Differs, Open, Open]),
            (Claim::Least(3), [Differs, Differs, Differs, Searched]),
            (Claim::Least(9), [Differs, Differs, Differs, Open]),
            (Claim::Win, [Agrees, Differs, Agrees, Open]),
            (Claim::WinBy(5), [Agrees, Differs, Open, Open]),
            (Claim::WinBy(7), [Agrees, Differs, Agrees, Open]),
            (Claim::WinBy(3), [Differs, Differs, Open, Searched]),
            (Claim::NoWinBy(3), [Agrees, Agrees, Agrees, Agrees]),
            (Claim::NoWinBy(5), [Differs, Agrees, Open, Open]),
            (Claim::NoWinBy(7), [Differs, Agrees, Differs, Open]),
            (Claim::Hold, [Differs, Agrees, Differs, Open]),
        ] {
            let found = [win(), hold.clone(), late.clone(), unknown.clone()].map(|entry| judge(claim, &entry));
            assert_eq!(found, expected, "{claim:?}");
        }
    }

    #[test]
    fn fatty_is_held_on_every_board_by_a_paving_of_the_plane() {
        let never = published::all().iter().find(|claim| claim.claim == Claim::Never).unwrap();
        let found = compare(never, Tablebase::shipped(), Asked::NOBODY);
        assert_eq!((found.agreement, never.subject.as_str()), (Agreement::Agrees, "fatty"));
        assert!(found.ours.contains("harary pave fatty 8x8 --periodic 2x1+1"), "{}", found.ours);
        // On tori it says nothing.
        assert_eq!(paving_of_the_plane(&never.shapes[0], Topology::Torus), None);
    }

    #[test]
    fn counts_must_fit_and_add_up() {
        for (source, ours, expected) in [
            ([8, 40, 0], [8, 40, 0], Agreement::Agrees),
            ([7, 40, 1], [8, 40, 0], Agreement::Agrees),
            ([9, 39, 0], [8, 40, 0], Agreement::Differs),
            ([7, 41, 0], [8, 40, 0], Agreement::Differs),
            ([8, 39, 0], [8, 40, 0], Agreement::Differs),
            ([8, 40, 0], [7, 40, 1], Agreement::Open),
            ([9, 39, 0], [7, 40, 1], Agreement::Differs),
        ] {
            assert_eq!(judge_count(source, 48, ours), expected, "{source:?} {ours:?}");
        }
    }

    /// The small boards are settled for good: the tables about them agree, but for numbers that do not add up.
    #[test]
    fn the_tables_of_the_small_boards() {
        let compare = |name: &str| -> Vec<Comparison> {
            let rows = published::all().iter().filter(|claim| claim.table == name);
            rows.map(|claim| compare(claim, Tablebase::shipped(), Asked::NOBODY)).collect()
        };
        assert!(compare("thesis-4.1").iter().all(|row| row.agreement == Agreement::Agrees));
        let wrong: Vec<String> = compare("thesis-4.2")
            .iter()
            .filter(|row| row.agreement != Agreement::Agrees)
            .map(|row| format!("{}: {}", row.published.row, row.ours))
            .collect();
        assert_eq!(wrong, ["Caqe, bloqqer, COR: 14 win, 84 hold; the source's numbers add up to 84, not 98"]);
        let tippy = compare("thesis-7.1")
            .into_iter()
            .find(|row| (row.published.subject.as_str(), row.published.board) == ("tippy", Some((4, 4))));
        let tippy = tippy.unwrap();
        assert_eq!((tippy.agreement, tippy.ours.as_str()), (Agreement::Differs, "win 9"));
        assert_eq!(
            commands(&tippy),
            [
                "harary solve tippy 4x4 --threads 1 --memory 1024MiB --certificate FILE --fresh",
                "harary atlas certificate tippy 4x4 --least --output FILE",
                "harary crosscheck --shapes tippy --boards 4x4 --encodings cor+ --turns 7,9 --timeout 10m"
            ]
        );
    }
}
