//! Values in words: what a position is worth to whom.

use super::{Value, Verdict};
use harary_certificate::{Cell, Player, Rule};

/// What a value means, whoever asks.
pub fn sentence(value: Value, rule: Rule) -> String {
    match (value, rule) {
        (Value::Held, Rule::Strong) => "a draw".to_owned(),
        (Value::Held, Rule::Weak) => "White holds to the end".to_owned(),
        (value, _) => value.to_string(),
    }
}

/// The value as the side to move sees it, in words: `wins at turn 5`.
pub fn standing(value: Value, player: Player, rule: Rule) -> String {
    match (value.verdict(player, rule), value.turn()) {
        (Verdict::Win, Some(turn)) => format!("wins at turn {turn}"),
        (Verdict::Win, None) => "holds to the end".to_owned(),
        (Verdict::Draw, _) => "draws".to_owned(),
        (Verdict::Loss, Some(turn)) => format!("loses at turn {turn}"),
        (Verdict::Loss, None) => "cannot win, White holds".to_owned(),
    }
}

/// The value as the side to move sees it, in a cell: `+5`, `=`, `-6`.
pub fn short(value: Value, player: Player, rule: Rule) -> String {
    let sign = match value.verdict(player, rule) {
        Verdict::Win => "+",
        Verdict::Draw => "=",
        Verdict::Loss => "-",
    };
    format!("{sign}{}", value.turn().map_or(String::new(), |turn| turn.to_string()))
}

/// The moves by what they lead to, the best for `player` first.
pub fn grouped(moves: &[(Cell, Value)], player: Player) -> Vec<(Value, Vec<Cell>)> {
    let mut groups: Vec<(Value, Vec<Cell>)> = Vec::new();
    for &(cell, value) in moves {
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, cells)) => cells.push(cell),
            None => groups.push((value, vec![cell])),
        }
    }
    groups.sort_by_key(|(value, _)| match player {
        Player::Black => -value.score(),
        Player::White => value.score(),
    });
    groups
}
