//! What a text says in a position.

use super::text::{Image, Rule, Script, Spoken};
use crate::game::Game;
use crate::game::symmetry::{Symmetry, SymmetryGroup};
use harary_certificate::{Cell, Player, Stones, WIDE, WideSet};

/// A position with the side of the text to move, and the stones put last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    pub stones: Stones<WIDE>,
    /// Where a stone may go.
    pub playable: WideSet,
    /// The other side's last stone.
    pub last: Option<Cell>,
    /// One's own.
    pub own: Option<Cell>,
    /// Where the other side would complete a set.
    pub threats: WideSet,
}

/// What is said: the moves to choose from, and the line that says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Said {
    pub choices: Vec<Cell>,
    pub number: usize,
}

/// A text, ready to be asked.
pub(super) struct Answers<'a> {
    game: &'a Game,
    script: &'a Script,
    /// The symmetries under which lines are read, each with the one that undoes it.
    images: Vec<(Symmetry, Symmetry)>,
}

impl<'a> Answers<'a> {
    pub fn new(game: &'a Game, script: &'a Script) -> Answers<'a> {
        let group = if script.symmetric { game.symmetries() } else { SymmetryGroup::trivial(game.vertices()) };
        let images = group.elements().iter().map(|symmetry| (symmetry.clone(), symmetry.inverse())).collect();
        Answers { game, script, images }
    }

    /// What the text says here; nothing if it is silent, or if nothing it says can be played.
    pub fn at(&self, scene: &Scene) -> Option<Said> {
        let always = self.script.always.as_ref().and_then(|(number, rules)| self.first(rules, scene, *number));
        let line = || self.of_line(false, scene).or_else(|| self.of_line(true, scene));
        let otherwise = || self.script.otherwise.as_ref().and_then(|(number, rules)| self.first(rules, scene, *number));
        always.or_else(line).or_else(otherwise)
    }

    /// Whether the text may still speak in a position that has all these stones.
    pub fn may_speak_after(&self, stones: &Stones<WIDE>) -> bool {
        self.script.always.is_some() || self.script.otherwise.is_some() || self.has_lines_after(stones)
    }

    /// Whether some line speaks of a position that has all these stones.
    fn has_lines_after(&self, stones: &Stones<WIDE>) -> bool {
        let (own, other) = (self.script.side, self.script.side.other());
        self.images.iter().any(|(image, _)| {
            let seen = image.stones(stones);
            self.script.lines.iter().any(|line| {
                let more = (seen.of(other) - line.stones.of(other)).len();
                seen.of(own).is_subset(&line.stones.of(own)) && more <= usize::from(line.open)
            })
        })
    }

    /// The pairs of a text that from here on answers in pairs and does nothing else.
    pub fn pairs_only(&self, stones: &Stones<WIDE>) -> Option<&[(Cell, Cell)]> {
        match &self.script.otherwise {
            Some((_, rules)) if self.script.always.is_none() && !self.has_lines_after(stones) => match &rules[..] {
                [Rule::Pairs(pairs), ..] => Some(pairs),
                _ => None,
            },
            _ => None,
        }
    }

    /// What the first fitting line says that can be played.
    fn of_line(&self, open: bool, scene: &Scene) -> Option<Said> {
        let lines = self.script.lines.iter().filter(|line| line.open == open);
        lines.into_iter().find_map(|line| {
            self.images.iter().find_map(|(image, back)| {
                let seen = Scene {
                    stones: image.stones(&scene.stones),
                    playable: image.set(&scene.playable),
                    last: scene.last.map(|cell| image.cell(cell)),
                    own: scene.own.map(|cell| image.cell(cell)),
                    threats: image.set(&scene.threats),
                };
                let said = self.fits(line, &seen.stones).then(|| self.first(&line.rules, &seen, line.number))??;
                Some(Said { choices: said.choices.into_iter().map(|cell| back.cell(cell)).collect(), ..said })
            })
        })
    }

    fn fits(&self, line: &Spoken, stones: &Stones<WIDE>) -> bool {
        let (own, other) = (self.script.side, self.script.side.other());
        let more = stones.of(other) - line.stones.of(other);
        stones.of(own) == line.stones.of(own)
            && line.stones.of(other).is_subset(&stones.of(other))
            && more.len() == usize::from(line.open)
    }

    /// The first of some rules that can be played.
    fn first(&self, rules: &[Rule], scene: &Scene, number: usize) -> Option<Said> {
        rules.iter().find_map(|rule| {
            let mut choices = self.cells(rule, scene);
            choices.retain(|cell| scene.playable.contains(*cell));
            (!choices.is_empty()).then_some(Said { choices, number })
        })
    }

    fn cells(&self, rule: &Rule, scene: &Scene) -> Vec<Cell> {
        match rule {
            Rule::Cells(cells) => cells.clone(),
            Rule::Last(dx, dy) => self.step(scene.last, (*dx, *dy)),
            Rule::Own(dx, dy) => self.step(scene.own, (*dx, *dy)),
            Rule::Image(image) => self.image(*image, scene.last),
            Rule::Pairs(pairs) => {
                let partner = |&(a, b): &(Cell, Cell)| match scene.last {
                    Some(last) if last == a => Some(b),
                    Some(last) if last == b => Some(a),
                    _ => None,
                };
                pairs.iter().filter_map(partner).collect()
            }
            Rule::Block => scene.threats.iter().take(1).collect(),
        }
    }

    fn step(&self, from: Option<Cell>, (dx, dy): (i32, i32)) -> Vec<Cell> {
        let Some(((_, board), from)) = self.game.shape_on_board().zip(from) else { return Vec::new() };
        let (x, y) = board.xy(from);
        board.cell_at((x as i32 + dx, y as i32 + dy)).into_iter().collect()
    }

    fn image(&self, image: Image, of: Option<Cell>) -> Vec<Cell> {
        let Some(((_, board), of)) = self.game.shape_on_board().zip(of) else { return Vec::new() };
        let ((x, y), (right, top)) = (board.xy(of), (board.width() - 1, board.height() - 1));
        let (x, y) = match image {
            Image::Opposite => (right - x, top - y),
            Image::LeftRight => (right - x, y),
            Image::UpDown => (x, top - y),
            Image::Rising => (y, x),
            Image::Falling => (top - y, right - x),
        };
        vec![board.cell(x, y)]
    }
}

/// Where a player would complete a set.
pub(super) fn completions(game: &Game, player: Player, stones: &Stones<WIDE>) -> WideSet {
    let sets = match player {
        Player::Black => game.black_sets(),
        Player::White => game.white_sets(),
    };
    let live = sets.iter().filter(|set| set.is_disjoint(&stones.of(player.other())));
    let missing = live.map(|set| *set - stones.of(player)).filter(|missing| missing.len() == 1);
    missing.fold(WideSet::EMPTY, |all, one| all | one)
}
