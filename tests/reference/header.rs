//! The header: the game, its rule, its turns, the claim, the symmetry and the cover.

use super::game::{Game, alternating, complete, group, image};
use super::lines::{Lines, below, number, set, sides, two};
use super::{Result, Set, TOO_LARGE, need, size};
use std::collections::HashSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    Win(u64),
    Hold(Option<u64>),
    Loss(u64),
}

pub struct Header {
    pub format: u64,
    /// Its symmetries are those of the orbits.
    pub game: Game,
    pub claim: Claim,
    /// The symmetries of canonical forms; none stands for the identity alone.
    pub stored: Vec<Vec<usize>>,
    pub cover: Option<Set>,
}

pub fn read(lines: &mut Lines) -> Result<Header> {
    let magic = lines.next()?;
    need(magic == ["harary-certificate", "1"] || magic == ["harary-certificate", "2"], "magic")?;
    let format = number(magic[1])?;
    let mut game = game(lines)?;
    let rule = lines.next()?;
    need(rule == ["rule", "strong"] || rule == ["rule", "weak"], "rule")?;
    game.strong = rule[1] == "strong";
    if !game.strong {
        game.white.clear();
    }
    let empty = game.cells - size(game.start.0 | game.start.1);
    game.turns = alternating(empty);
    if let Some(turns) = lines.next_if("turns") {
        need(turns.len() == 2, "turns")?;
        game.turns = turns[1].chars().collect();
        need(game.turns.iter().all(|letter| ['B', 'W'].contains(letter)), "letters")?;
    }
    let claim = claim(&lines.next()?)?;
    need(format == 2 || !matches!(claim, Claim::Loss(_)), "format 1 knows no loss")?;
    check_game(&game, claim, empty)?;
    let (mut stored, generators) = symmetry(lines, &mut game, format)?;
    let mut cover = None;
    if let Some(line) = lines.next_if("cover") {
        need(line.len() == 2 && matches!(claim, Claim::Win(_)) && game.board.is_some(), "cover")?;
        need(!generators, "a cover with generators")?;
        let set = set(line[1], game.cells)?;
        stored.retain(|symmetry| image(symmetry, set) == set);
        cover = Some(set);
    }
    Ok(Header { format, game, claim, stored, cover })
}

fn game(lines: &mut Lines) -> Result<Game> {
    let line = lines.next()?;
    need(line.len() >= 3 && line[0] == "game", "game")?;
    if line[1] == "sets" {
        need(line.len() == 3, "game sets")?;
        let vertices = below(line[2], 1001)?;
        need(vertices > 0, "no vertices")?;
        need(vertices <= 128, TOO_LARGE)?;
        return game_of_sets(lines, vertices);
    }
    let (width, height) = sides(line[1])?;
    need(["plain", "torus"].contains(&line[2]), "topology")?;
    let mut shape = Vec::new();
    for field in &line[3..] {
        let (x, y) = two(field, ',')?;
        let place = (number(x)?, number(y)?);
        need(!shape.contains(&place), "a cell twice")?;
        shape.push(place);
    }
    let left = shape.iter().map(|place| place.0).min().ok_or("no shape")?;
    let low = shape.iter().map(|place| place.1).min().ok_or("no shape")?;
    need(shape.iter().all(|&(x, y)| x - left < 19 && y - low < 19), "a shape too large")?;
    need(width * height <= 128, TOO_LARGE)?;
    let shape: Vec<_> = shape.iter().map(|&(x, y)| ((x - left) as usize, (y - low) as usize)).collect();
    Ok(Game::on_board(width, height, line[2] == "torus", &shape, true))
}

fn game_of_sets(lines: &mut Lines, vertices: usize) -> Result<Game> {
    let mut game = Game { cells: vertices, ..Game::default() };
    for (word, sets) in [("black", &mut game.black), ("white", &mut game.white)] {
        while let Some(line) = lines.next_if(word) {
            need(line.len() == 2, word)?;
            sets.push(set(line[1], vertices)?);
        }
        let different: HashSet<&Set> = sets.iter().collect();
        need(different.len() == sets.len() && !sets.contains(&0), "a winning set repeated or empty")?;
    }
    if let Some(line) = lines.next_if("start") {
        need(line.len() == 3, "start")?;
        game.start = (set(line[1], vertices)?, set(line[2], vertices)?);
        need(game.start.0 & game.start.1 == 0, "two stones on a vertex")?;
    }
    if let Some(line) = lines.next_if("first") {
        need(line.len() == 2, "first")?;
        game.first = Some(set(line[1], vertices)?);
    }
    Ok(game)
}

fn claim(line: &[&str]) -> Result<Claim> {
    let turn = line.get(2).map(|text| number(text)).transpose()?;
    need(line.len() <= 3 && line[0] == "claim" && turn != Some(0), "claim")?;
    match (line.get(1), turn) {
        (Some(&"win"), Some(turn)) => Ok(Claim::Win(turn)),
        (Some(&"hold"), turn) => Ok(Claim::Hold(turn)),
        (Some(&"loss"), Some(turn)) => Ok(Claim::Loss(turn)),
        _ => Err("claim".into()),
    }
}

/// What game, turns and claim must be together.
fn check_game(game: &Game, claim: Claim, empty: usize) -> Result<()> {
    let turns = game.turns.len();
    let needed = match claim {
        Claim::Win(turn) | Claim::Hold(Some(turn)) | Claim::Loss(turn) => turn.min(empty as u64) as usize,
        Claim::Hold(None) => empty,
    };
    need((needed..=empty).contains(&turns), "the number of turns")?;
    if let Claim::Loss(turn) = claim {
        need(game.strong, "a loss under the weak rule")?;
        need(turn <= turns as u64, "a loss beyond the last turn")?;
    }
    let (black, white) = game.start;
    need(empty == 0 || !game.choices(game.all(), black, white, 0).is_empty(), "first")?;
    need(!complete(&game.black, black) && !complete(&game.white, white), "the game is over")
}

/// Reads the stored symmetries, and whether they come from generators, which become the symmetries of the game.
fn symmetry(lines: &mut Lines, game: &mut Game, format: u64) -> Result<(Vec<Vec<usize>>, bool)> {
    let line = lines.next()?;
    match line[..] {
        ["symmetry", "none"] => Ok((Vec::new(), false)),
        ["symmetry", "board"] => {
            need(game.board.is_some(), "no board")?;
            Ok((game.symmetries.clone(), false))
        }
        ["symmetry", "generators", count] => {
            need(format == 2, "format 1 knows no generators")?;
            let count = below(count, 17)?;
            need(count > 0, "no generators")?;
            let mut generators = Vec::new();
            for _ in 0..count {
                let line = lines.next()?;
                need(line[0] == "g", "a generator missing")?;
                let images: Vec<usize> =
                    line[1..].iter().map(|field| below(field, game.cells)).collect::<Result<_>>()?;
                game.check_symmetry(&images)?;
                generators.push(images);
            }
            game.symmetries = group(&generators, game.cells)?;
            Ok((game.symmetries.clone(), true))
        }
        _ => Err("symmetry".into()),
    }
}
