//! What a search finds, and what becomes of it when the checker has looked.
//!
//! [`Found`] is a claim of the search's with its evidence. [`Outcome`] is made of certificates the checker accepted:
//! turns and verdicts are read off them, never off the search. What only the search knows stays [`Claimed`].

use super::cover_mode::CoverMode;
use super::restricted::RestrictedReport;
use crate::evidence::Evidence;
use harary_certificate::{Cell, Certificate};
use std::io;
use std::time::Duration;

/// Who wins, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Black forces a win.
    Win,
    /// White holds: Black does not win.
    Hold,
    /// White forces a win.
    Loss,
    /// Not settled.
    Unknown,
}

/// What a search knows; nobody has checked it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claimed {
    /// Black wins.
    Win {
        /// By this turn at the latest.
        by: usize,
        /// No earlier turn wins.
        least: bool,
        /// His first move, if it was asked for.
        first_move: Option<Cell>,
    },
    /// White holds to the end.
    Hold,
    /// White wins.
    Loss {
        /// By this turn at the latest.
        by: usize,
        /// No earlier turn wins.
        least: bool,
    },
    /// Black does not win by this turn, which was all that was asked.
    NotBy(usize),
}

impl Claimed {
    /// The verdict on the whole game.
    pub fn verdict(&self) -> Verdict {
        match self {
            Claimed::Win { .. } => Verdict::Win,
            Claimed::Hold => Verdict::Hold,
            Claimed::Loss { .. } => Verdict::Loss,
            Claimed::NotBy(_) => Verdict::Unknown,
        }
    }
}

/// What a search has to say.
pub struct Found {
    /// What it knows, if it knows.
    pub claimed: Option<Claimed>,
    /// Evidence of it, if it was asked for and finished in time.
    pub evidence: Option<Box<dyn Evidence>>,
    /// How it went about it.
    pub account: Account,
}

/// The work that was done, and what it shows besides a verdict.
#[derive(Clone, Debug)]
pub struct Account {
    /// The engine that had the last word.
    pub engine: &'static str,
    /// How many threads it used.
    pub threads: usize,
    /// Positions searched, by all engines.
    pub nodes: u64,
    /// The greatest turn of Black's by which the search found no win.
    pub refuted_turn: Option<usize>,
    /// A limit ended it.
    pub stopped: bool,
    /// A proof had no room in the memory given.
    pub lacked_memory: bool,
    /// Of a search inside covers.
    pub cover: Option<CoverReport>,
    /// How far the defender came, if he took part and nothing is settled.
    pub defence: Option<DefenceReport>,
    /// Of a search by cards.
    pub cards: Option<CardReport>,
    /// Of a restricted player.
    pub restricted: Option<RestrictedReport>,
}

impl Account {
    /// Nothing done yet.
    pub(super) fn new(engine: &'static str) -> Account {
        Account {
            engine,
            threads: 1,
            nodes: 0,
            refuted_turn: None,
            stopped: false,
            lacked_memory: false,
            cover: None,
            defence: None,
            cards: None,
            restricted: None,
        }
    }
}

/// How a search inside covers went. It proves wins only.
#[derive(Clone, Copy, Debug)]
pub struct CoverReport {
    /// Which covers.
    pub mode: CoverMode,
    /// How many different covers were tried.
    pub covers: usize,
    /// No strategy inside one of them wins by this turn, which says nothing about other strategies.
    pub failed_turn: Option<usize>,
}

/// How far a search by cards came: White's answers to one first move, one of each kind.
#[derive(Clone, Debug)]
pub struct CardReport {
    /// Black's first move.
    pub first_move: Cell,
    /// The answers he wins against.
    pub won: Vec<Cell>,
    /// The others: nothing is known of them.
    pub open: Vec<Cell>,
    /// Cards learned that hold on other boards too.
    pub learned: usize,
    /// Wins learned that hold on this torus alone.
    pub knots: usize,
}

/// A level the blocking search is done with: White has no paving after so many moves of hers.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// White's moves.
    pub moves: u16,
    /// Done up to then: positions, questions to the SAT solver, and the time since the start.
    pub nodes: u64,
    /// Questions to the SAT solver.
    pub calls: u64,
    /// Since the start.
    pub elapsed: Duration,
}

/// How far the defender came with a game that is not settled.
#[derive(Clone, Debug)]
pub struct DefenceReport {
    /// The levels it is done with.
    pub levels: Vec<Level>,
    /// Black wins the weak game: White can hold the strong one only by threats of her own.
    pub weak_win: bool,
    /// Black's first moves, one of each kind: those the weak game is held against, those that win it, and the others.
    pub held: Vec<Cell>,
    /// First moves that win the weak game.
    pub winning: Vec<Cell>,
    /// First moves nobody has an answer to yet.
    pub open: Vec<Cell>,
}

/// What is proved of a game.
#[derive(Debug)]
pub enum Outcome {
    /// Black wins.
    Win {
        /// The accepted certificate.
        certificate: Certificate,
        /// The turn it names: he wins by then at the latest.
        by: usize,
        /// Black's first move.
        first_move: Option<Cell>,
        /// Whether he wins earlier.
        least: Least,
    },
    /// White holds to the last turn.
    Hold {
        /// The accepted certificate.
        certificate: Certificate,
        /// Whether White wins.
        white: WhiteSide,
    },
    /// White wins.
    Loss {
        /// The accepted certificate.
        certificate: Certificate,
        /// The turn it names: she wins by then at the latest.
        by: usize,
        /// The search found no earlier win of hers.
        least: bool,
    },
    /// Black does not win by this turn, which was all that was asked.
    NotBy {
        /// The turn asked about.
        turn: usize,
        /// The accepted certificate, if one was asked for; otherwise this is the search's word.
        certificate: Option<Certificate>,
    },
    /// Nothing is proved.
    Open {
        /// What the search knows all the same.
        claimed: Option<Claimed>,
        /// What kept its evidence from being checked, if not a limit.
        unwritten: Option<io::Error>,
    },
}

/// What is known of White's own win in a game that Black does not win.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for a whole game; a box would only be in the way")]
pub enum WhiteSide {
    /// She cannot win: she has no winning sets, or Black would steal her strategy.
    Excluded,
    /// She cannot win: this certificate is about the game with the colours exchanged.
    Held(Certificate),
    /// Nobody knows.
    Open,
}

/// Whether the turn of a win is the least.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for a whole game; a box would only be in the way")]
pub enum Least {
    /// It is: this certificate proves that no earlier turn wins.
    Certified(Certificate),
    /// It is: a search found no earlier win.
    Searched,
    /// It is: Black does not have enough stones any earlier.
    ByDistance,
    /// Nobody knows.
    Unknown,
}

impl WhiteSide {
    /// What is said of her win, in one word.
    pub fn word(&self) -> &'static str {
        match self {
            WhiteSide::Excluded => "excluded",
            WhiteSide::Held(_) => "refuted",
            WhiteSide::Open => "open",
        }
    }
}

impl Least {
    /// How it is known that the turn is the least, in one word.
    pub fn word(&self) -> Option<&'static str> {
        match self {
            Least::Certified(_) => Some("certified"),
            Least::Searched => Some("searched"),
            Least::ByDistance => Some("distance"),
            Least::Unknown => None,
        }
    }
}

impl Outcome {
    /// The verdict on the whole game.
    pub fn verdict(&self) -> Verdict {
        match self {
            Outcome::Win { .. } => Verdict::Win,
            Outcome::Hold { .. } => Verdict::Hold,
            Outcome::Loss { .. } => Verdict::Loss,
            Outcome::NotBy { .. } | Outcome::Open { .. } => Verdict::Unknown,
        }
    }

    /// The certificate of what is proved.
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Outcome::Win { certificate, .. }
            | Outcome::Hold { certificate, .. }
            | Outcome::Loss { certificate, .. } => Some(certificate),
            Outcome::NotBy { certificate, .. } => certificate.as_ref(),
            Outcome::Open { .. } => None,
        }
    }

    /// The same, to be read or kept.
    pub fn certificate_mut(&mut self) -> Option<&mut Certificate> {
        match self {
            Outcome::Win { certificate, .. }
            | Outcome::Hold { certificate, .. }
            | Outcome::Loss { certificate, .. } => Some(certificate),
            Outcome::NotBy { certificate, .. } => certificate.as_mut(),
            Outcome::Open { .. } => None,
        }
    }

    /// With a win, the turn by which it is proved.
    pub fn win_by(&self) -> Option<usize> {
        match self {
            Outcome::Win { by, .. } => Some(*by),
            _ => None,
        }
    }

    /// With a win of White's, the turn by which it is proved.
    pub fn loss_by(&self) -> Option<usize> {
        match self {
            Outcome::Loss { by, .. } => Some(*by),
            _ => None,
        }
    }

    /// With a win, the turn if it is the least.
    pub fn least_turn(&self) -> Option<usize> {
        match self {
            Outcome::Win { least: Least::Unknown, .. } => None,
            other => other.win_by(),
        }
    }

    /// With a win, Black's first move.
    pub fn first_move(&self) -> Option<Cell> {
        match self {
            Outcome::Win { first_move, .. } => *first_move,
            _ => None,
        }
    }
}

/// A game as far as it is settled.
#[derive(Debug)]
pub struct Settled {
    /// What is proved.
    pub outcome: Outcome,
    /// How that came about.
    pub account: Account,
}
