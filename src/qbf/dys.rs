//! DYS, in the manner of Diptarama, Yoshinaka and Shinohara (2016): the first encoding of this game.
//!
//! Only an outline of it is to be had, so this follows the outline and not the letter: White has one universal variable
//! for each cell and turn, so she may break the rules, and variables say when a player has (*cheat*); wins are looked
//! for at every turn; once the game is over (*gameover*), every clause about later turns is true.
//!
//! Lean mode drops the variables for Black's cheating, which clauses forbid directly, and half of each equivalence.

use crate::qbf::formula::{Clauses, Literal, Prefix, Sink};
use crate::qbf::play::{Play, Stones, set_name};
use harary_certificate::{Cell, Player};

pub struct Dys {
    play: Play,
    stones: Stones,
    turns: Vec<Turn>,
}

/// The variables of one turn.
struct Turn {
    moves: Vec<Literal>,
    /// Ways to break the rules: each says that all of its parts are true.
    cheats: Vec<(Literal, Vec<Literal>)>,
    /// One of the cheats happened.
    cheat: Literal,
    /// Black's sets, at his turns.
    wins: Vec<Literal>,
    /// The game is over after this turn.
    over: Literal,
}

impl Dys {
    pub fn new(play: Play, prefix: &mut Prefix) -> Dys {
        let mut stones = Stones::default();
        stones.declare(&play, prefix);
        let before_the_first = Turn {
            moves: Vec::new(),
            cheats: Vec::new(),
            cheat: Literal::FALSE,
            wins: Vec::new(),
            over: Literal::FALSE,
        };
        let mut turns = vec![before_the_first];
        for turn in 1..=play.turns {
            let player = play.player(turn);
            let moves: Vec<Literal> = play
                .cells()
                .map(|cell| {
                    let meaning = format!("move t{turn} {}", play.name(cell));
                    match player {
                        Player::Black => prefix.exists(meaning),
                        Player::White => prefix.for_all(meaning),
                    }
                })
                .collect();
            let (black, white) = (&stones.black[turn - 1], &stones.white[turn - 1]);
            let cheats = cheats(&play, turn, &moves, black, white, prefix);
            let cheat = match cheats.is_empty() {
                true => Literal::FALSE,
                false => prefix.exists(format!("cheat t{turn}")),
            };
            stones.declare(&play, prefix);
            let can_win = !play.is_lean() || play.earliest_win().is_some_and(|first| turn >= first);
            let sets = play.black_sets.iter().filter(|_| player == Player::Black && can_win);
            let wins = sets.map(|set| prefix.exists(format!("win t{turn} {}", set_name(&play, set)))).collect();
            let over = prefix.exists(format!("gameover t{turn}"));
            turns.push(Turn { moves, cheats, cheat, wins, over });
        }
        Dys { play, stones, turns }
    }
}

/// The ways to cheat at a turn: no stone, two stones, a stone on a stone, a first stone where none is allowed.
fn cheats(
    play: &Play,
    turn: usize,
    moves: &[Literal],
    black: &[Literal],
    white: &[Literal],
    prefix: &mut Prefix,
) -> Vec<(Literal, Vec<Literal>)> {
    if play.is_lean() && play.player(turn) == Player::Black {
        return Vec::new();
    }
    let mut found = vec![(prefix.exists(format!("cheat-none t{turn}")), moves.iter().map(|&moved| !moved).collect())];
    for (cell, &moved) in play.cells().zip(moves) {
        let name = play.name(cell);
        for (other, &second) in play.cells().zip(moves).skip(cell.index() + 1) {
            let meaning = format!("cheat-two t{turn} {name} {}", play.name(other));
            found.push((prefix.exists(meaning), vec![moved, second]));
        }
        for (colour, stone) in [("black", black[cell.index()]), ("white", white[cell.index()])] {
            found.push((prefix.exists(format!("cheat-on-{colour} t{turn} {name}")), vec![moved, stone]));
        }
        if turn == 1 && !first_allowed(play, cell) {
            found.push((prefix.exists(format!("cheat-first t{turn} {name}")), vec![moved]));
        }
    }
    found
}

/// Whether the first stone may be put here.
fn first_allowed(play: &Play, cell: Cell) -> bool {
    play.first_moves().contains(cell)
}

impl Clauses for Dys {
    fn emit(&self, sink: &mut Sink) {
        let Dys { play, stones, turns } = self;
        let two_sided = !play.is_lean();
        if two_sided {
            for cell in play.cells() {
                let (black, white) = (stones.black[0][cell.index()], stones.white[0][cell.index()]);
                sink.clause([if play.game.black_start().contains(cell) { black } else { !black }]);
                sink.clause([if play.game.white_start().contains(cell) { white } else { !white }]);
            }
        }
        for t in 1..=play.turns {
            let (over, turn) = (turns[t - 1].over, &turns[t]);
            let mut rule = |literals: Vec<Literal>| sink.clause([over].into_iter().chain(literals));
            let player = play.player(t);
            let (own, others) = (stones.of(player), stones.of(player.other()));
            for c in play.cells().map(Cell::index) {
                let (moved, before, after) = (turn.moves[c], own[t - 1][c], own[t][c]);
                // Where a stone lay at the start nothing changes. A move there is a cheat, and must not be more.
                if !after.is_constant() {
                    rule(vec![!before, after]);
                    rule(vec![!moved, after]);
                    rule(vec![before, moved, !after]);
                }
                rule(vec![!others[t - 1][c], others[t][c]]);
                rule(vec![others[t - 1][c], !others[t][c]]);
            }
            // A cheat is what it says (White's must not be claimed falsely) and counts (Black's must not be hidden).
            for (cheat, parts) in &turn.cheats {
                if two_sided || player == Player::White {
                    parts.iter().for_each(|&part| rule(vec![!*cheat, part]));
                }
                if two_sided {
                    rule(parts.iter().map(|&part| !part).chain([*cheat]).collect());
                    rule(vec![!*cheat, turn.cheat]);
                }
            }
            if !turn.cheats.is_empty() {
                rule(turn.cheats.iter().map(|&(cheat, _)| cheat).chain([!turn.cheat]).collect());
            }
            match player {
                Player::Black if two_sided => rule(vec![!turn.cheat]),
                Player::Black => {
                    for (c, &moved) in turn.moves.iter().enumerate() {
                        turn.moves[c + 1..].iter().for_each(|&second| rule(vec![!moved, !second]));
                        rule(vec![!moved, !stones.black[t - 1][c]]);
                        rule(vec![!moved, !stones.white[t - 1][c]]);
                        if t == 1 && !first_allowed(play, Cell::new(c)) {
                            rule(vec![!moved]);
                        }
                    }
                }
                Player::White => {
                    for set in &play.white_sets {
                        let held = set.iter().map(|cell| !stones.white[t][cell.index()]);
                        rule(held.chain([turn.cheat]).collect());
                    }
                }
            }
            for (&win, set) in turn.wins.iter().zip(&play.black_sets) {
                set.iter().for_each(|cell| rule(vec![!win, stones.black[t][cell.index()]]));
                if two_sided {
                    rule(set.iter().map(|cell| !stones.black[t][cell.index()]).chain([win]).collect());
                }
            }
            let mut reasons = turn.wins.clone();
            reasons.push(over);
            if player == Player::White {
                reasons.push(turn.cheat);
            }
            sink.any_of(turn.over, &reasons);
        }
        sink.clause([turns[play.turns].over]);
    }
}
