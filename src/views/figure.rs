//! The boards of a [plan](Plan) on a sheet of a given width: a tree, or one line of play.
//!
//! A board stands for a move of the strategy and shows the reply before it. A tree grows to the right; where the page ends
//! a letter says where it goes on below. A line of play is read as a text is, row by row.

use super::drawing::{LINE, Part, Point, Sheet, wrapped};
use super::picture::{Picture, letter};
use super::plan::{Next, Plan};
use super::tree::View;

/// The side of a cell, in millimetres.
const CELL: f64 = 4.0;

/// Room for the numbers of rows and the letters of columns.
const MARGIN: f64 = CELL;

/// Between two boards side by side: room for the arrows.
const GAP: f64 = 7.0;

/// A letter of a caption is so wide on average.
const LETTER: f64 = 1.6;

/// No tile is narrower, for its captions' sake.
const NARROWEST: f64 = 24.0;

/// A board with its captions, and where it goes.
struct Tile {
    column: usize,
    row: usize,
    above: Vec<String>,
    picture: Picture,
    below: Vec<String>,
    /// The tile an arrow leads here from.
    parent: Option<usize>,
}

/// Tiles being laid out.
struct Layout<'a> {
    view: &'a View<'a>,
    /// So many boards side by side.
    columns: usize,
    /// Letters of a caption's line.
    letters: usize,
    tiles: Vec<Tile>,
    rows: usize,
    /// Plans that go on below, each with its letter.
    later: Vec<(String, &'a Plan)>,
}

impl View<'_> {
    /// The plan as SVG; `None` if the game lies on no board.
    pub fn svg(&self, plan: &Plan, width: f64) -> Option<String> {
        Some(self.sheet(plan, width)?.svg())
    }

    /// The plan for LaTeX, as one `tikzpicture`; `None` if the game lies on no board.
    pub fn tikz(&self, plan: &Plan, width: f64) -> Option<String> {
        Some(self.sheet(plan, width)?.tikz())
    }

    /// The boards of a plan on a sheet of so many millimetres.
    fn sheet(&self, plan: &Plan, width: f64) -> Option<Sheet> {
        let (wide, high) = self.picture(plan, false)?.extent();
        let (wide, high) = (wide * CELL, high * CELL);
        let tile = (MARGIN + wide).max(NARROWEST);
        let columns = (((width + GAP) / (tile + GAP)).floor() as usize).max(1);
        let letters = (tile / LETTER) as usize;
        let mut layout = Layout { view: self, columns, letters, tiles: Vec::new(), rows: 0, later: Vec::new() };
        if self.is_line() {
            layout.line(plan);
        } else {
            layout.tree(plan);
        }
        Some(layout.sheet((tile, wide, high)))
    }
}

impl<'a> Layout<'a> {
    /// One board after the other.
    fn line(&mut self, plan: &'a Plan) {
        let (mut at, mut reply) = (plan, String::new());
        loop {
            let (after, caption) = self.moves(at, &reply);
            let parent = self.tiles.len().checked_sub(1);
            let (column, row) = (self.tiles.len() % self.columns, self.tiles.len() / self.columns);
            self.rows = row + 1;
            self.add((column, row), at, after, caption, parent);
            let Next::Replies(fork) = &after.next else { return };
            let Some(group) = fork.groups.first() else { return };
            reply = self.view.reply_in_figure(after, fork.player, group);
            at = &group.then;
        }
    }

    /// The tree, and below it what does not fit beside it.
    fn tree(&mut self, plan: &'a Plan) {
        self.branch(0, plan, "", None);
        let mut place = 0;
        while let Some((name, plan)) = self.later.get(place).map(|(name, plan)| (name.clone(), *plan)) {
            place += 1;
            self.branch(0, plan, &format!("({name})"), None);
        }
    }

    /// Puts one board into the next free row, and its replies to the right of it.
    fn branch(&mut self, column: usize, plan: &'a Plan, reply: &str, parent: Option<usize>) {
        let row = self.rows;
        let (after, caption) = self.moves(plan, reply);
        let own = self.tiles.len();
        self.add((column, row), plan, after, caption, parent);
        self.rows = row + 1;
        let Next::Replies(fork) = &after.next else { return };
        if fork.groups.is_empty() {
            return;
        }
        // The last column is for boards after which nothing branches; what goes on there goes on below.
        if column + 1 == self.columns && column > 0 {
            let name = letter(self.later.len()).to_uppercase();
            self.tiles[own].below.push(format!("goes on at ({name})"));
            self.later.push((name, plan));
            return;
        }
        // On a page for one board only, replies stand under one another.
        let next = if self.columns == 1 { 0 } else { column + 1 };
        for (index, group) in fork.groups.iter().enumerate() {
            self.rows = if index == 0 && next > 0 { row } else { self.rows };
            let reply = self.view.reply_in_figure(after, fork.player, group);
            self.branch(next, &group.then, &reply, (next > 0).then_some(own));
        }
    }

    /// The plan after the moves of the strategy, and all moves in words, each from a line of its own on.
    fn moves(&self, plan: &'a Plan, reply: &str) -> (&'a Plan, Vec<String>) {
        let mut caption = wrapped(reply, self.letters);
        let mut at = plan;
        while let Next::Plays(player, cell, next) = &at.next {
            let text = format!("{}. {player} {}", at.played() + 1, self.view.name(*cell));
            caption.extend(wrapped(&text, self.letters));
            at = next;
        }
        (at, caption)
    }

    fn add(
        &mut self,
        (column, row): (usize, usize),
        before: &Plan,
        after: &Plan,
        above: Vec<String>,
        parent: Option<usize>,
    ) {
        let newest = after.played() > before.played();
        let Some(picture) = self.view.picture(after, newest) else { return };
        let mut below = wrapped(&self.view.remark(after), self.letters);
        if after.state.elsewhere() > 0 {
            below.push(format!("White elsewhere: {}", after.state.elsewhere()));
        }
        self.tiles.push(Tile { column, row, above, picture, below, parent });
    }

    /// Everything in its place. Rows are as high as their tallest tile.
    fn sheet(&self, (tile, wide, high): (f64, f64, f64)) -> Sheet {
        let lines = |list: &Vec<String>| list.len() as f64 * LINE + if list.is_empty() { 0.0 } else { 1.0 };
        let tallest = |row: usize, part: fn(&Tile) -> &Vec<String>| {
            self.tiles.iter().filter(|tile| tile.row == row).map(|tile| lines(part(tile))).fold(0.0, f64::max)
        };
        let mut top = 0.0;
        // Where the boards of each row begin.
        let mut boards = Vec::new();
        for row in 0..self.rows {
            boards.push(top + tallest(row, |tile| &tile.above));
            top = boards[row] + high + MARGIN + tallest(row, |tile| &tile.below) + 3.0;
        }
        let left = |column: usize| column as f64 * (tile + GAP);
        let mut parts = Vec::new();
        for one in &self.tiles {
            let (x, y) = (left(one.column), boards[one.row]);
            if !one.above.is_empty() {
                let at = (x, y - lines(&one.above));
                parts.push(Part::Caption { at, lines: one.above.clone(), faint: false });
            }
            parts.push(Part::Picture { corner: (x + MARGIN, y + high), cell: CELL, picture: one.picture.clone() });
            if !one.below.is_empty() {
                let at = (x, y + high + MARGIN + 0.5);
                parts.push(Part::Caption { at, lines: one.below.clone(), faint: true });
            }
        }
        for one in &self.tiles {
            let Some(parent) = one.parent.map(|parent| &self.tiles[parent]) else { continue };
            // A line of play that goes on in the next row needs no arrow across the page.
            if parent.column >= one.column {
                continue;
            }
            let from: Point = (left(parent.column) + MARGIN + wide + 0.5, boards[parent.row] + high / 2.0);
            let to: Point = (left(one.column), boards[one.row] + high / 2.0);
            let bend = left(one.column) - GAP / 2.0;
            let points = match parent.row == one.row {
                true => vec![from, to],
                false => vec![from, (bend, from.1), (bend, to.1), to],
            };
            parts.push(Part::Arrow { points });
        }
        let columns = self.tiles.iter().map(|tile| tile.column + 1).max().unwrap_or(1) as f64;
        Sheet { width: columns * (tile + GAP) - GAP + 1.0, height: top, parts }
    }
}
