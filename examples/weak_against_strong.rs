//! Where the rules differ: games that Black wins if White only defends, and does not win if her own sets count.
//!
//!     cargo run --release --example weak_against_strong

use harary::{Board, Catalogue, Game, Options, Rule, Topology, Verdict, settle};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    for side in 3..=4 {
        for entry in Catalogue::standard().entries().iter().filter(|entry| entry.shape.size() <= 4) {
            for topology in [Topology::Plain, Topology::Torus] {
                let board = Board::new(side, side, topology)?;
                let [weak, strong] = [Rule::Weak, Rule::Strong].map(|rule| {
                    let game = Game::new(entry.shape.clone(), board, rule);
                    settle(&game, &Options::default(), &|_| {})
                });
                let (weak, strong) = (weak?.outcome, strong?.outcome);
                if (weak.verdict(), strong.verdict()) == (Verdict::Win, Verdict::Hold) {
                    let turn = weak.win_by().ok_or("a win has a turn")?;
                    println!("{} on {board}: weak win by turn {turn}, strong draw", entry.name);
                }
            }
        }
    }
    Ok(())
}
