//! A plain search of a whole game, which knows no certificates: the truth that accepted claims are held against.

use harary_certificate::{Claim, Header, Player, Rule, Setting, WideSet, rules::winning_sets};
use std::collections::HashMap;

/// A game small enough to be searched through, on sets of 32 cells.
pub struct Game {
    cells: usize,
    pub sets: [Vec<u32>; 2],
    pub start: [u32; 2],
    pub first: u32,
    pub turns: Vec<Player>,
    /// Who wins from here by `last`, if the player in question can force it.
    known: HashMap<(u32, u32), bool>,
}

pub fn word(set: &WideSet) -> u32 {
    set.words()[0] as u32
}

impl Game {
    pub fn of(header: &Header) -> Game {
        let (black, mut white) = match &header.setting {
            Setting::Board { shape, board } => (winning_sets(shape, board), winning_sets(shape, board)),
            Setting::Sets { black, white } => (black.clone(), white.clone()),
        };
        if header.rule == Rule::Weak {
            white.clear();
        }
        let all = WideSet::first_cells(header.vertices);
        Game {
            cells: header.vertices,
            sets: [black.iter().map(word).collect(), white.iter().map(word).collect()],
            start: [word(&header.start.black), word(&header.start.white)],
            first: word(&header.first.unwrap_or(all)),
            turns: (0..header.turns.len()).filter_map(|played| header.turns.player_after(played)).collect(),
            known: HashMap::new(),
        }
    }

    pub fn completed(&self, player: Player, stones: u32) -> bool {
        self.sets[player as usize].iter().any(|set| set & !stones == 0)
    }

    /// Whether `hero` can force to complete a set at turn `last` or earlier, before the other does.
    pub fn wins(&mut self, hero: Player, stones: [u32; 2], last: usize) -> bool {
        if let Some(&known) = self.known.get(&(stones[0], stones[1])) {
            return known;
        }
        let played = (stones[0] | stones[1]).count_ones() - (self.start[0] | self.start[1]).count_ones();
        let played = played as usize;
        let wins = match self.turns.get(played).copied() {
            _ if played >= last => false,
            None => false,
            Some(mover) => {
                let allowed = if played == 0 { self.first } else { u32::MAX };
                let free = |cell: &usize| (stones[0] | stones[1]) >> cell & 1 == 0 && allowed >> cell & 1 == 1;
                let moves: Vec<usize> = (0..self.cells).filter(free).collect();
                let mut after = |cell: usize| {
                    let mut next = stones;
                    next[mover as usize] |= 1 << cell;
                    match self.completed(mover, next[mover as usize]) {
                        true => mover == hero,
                        false => self.wins(hero, next, last),
                    }
                };
                if mover == hero {
                    moves.iter().any(|&cell| after(cell))
                } else {
                    moves.iter().all(|&cell| after(cell))
                }
            }
        };
        self.known.insert((stones[0], stones[1]), wins);
        wins
    }
}

/// Whether a claim is true, by searching the whole game; none if it is too large for that.
pub fn truth(header: &Header) -> Option<bool> {
    let mut game = Game::of(header);
    if header.vertices > 20 || header.vertices - header.start.len() > 9 {
        return None;
    }
    let (start, end) = (game.start, game.turns.len());
    Some(match header.claim {
        Claim::Win(last) => game.wins(Player::Black, start, last.min(end)),
        Claim::Hold(last) => !game.wins(Player::Black, start, last.unwrap_or(end).min(end)),
        Claim::Loss(last) => game.wins(Player::White, start, last),
    })
}
