//! A game in words: what a terminal shows of it and what a player types.

use super::finite::Finite;

/// How a position is shown and moves are named.
pub trait Spoken: Finite {
    /// The game, in a few words.
    fn title(&self) -> String;

    /// The position, in lines.
    fn drawing(&self) -> String;

    /// What the mover is to choose, as a question.
    fn question(&self) -> String;

    /// A move as one types it.
    fn name_of(&self, step: Self::Move) -> String;

    /// The move somebody typed.
    fn read(&self, text: &str) -> Result<Self::Move, String> {
        let moves = self.moves();
        let found = moves.iter().find(|step| self.name_of(**step).eq_ignore_ascii_case(text));
        found.copied().ok_or_else(|| {
            let names: Vec<String> = moves.iter().take(20).map(|step| self.name_of(*step)).collect();
            let more = if moves.len() > names.len() { ", ..." } else { "" };
            format!("'{text}' is no move now; the moves are {}{more}", names.join(", "))
        })
    }

    /// What a value means.
    fn meaning(&self, value: i32) -> String {
        match value {
            1.. => "the first player wins".to_owned(),
            0 => "a draw".to_owned(),
            _ => "the second player wins".to_owned(),
        }
    }
}
