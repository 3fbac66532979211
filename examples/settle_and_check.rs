//! Settles a game, keeps the certificate, and checks the file as a stranger would:
//!
//!     cargo run --release --example settle_and_check

use harary::{Board, Catalogue, Game, Least, Options, Outcome, Playbook, Rule, Topology, check, settle};
use harary_certificate::playbook::Turn;
use std::error::Error;
use std::fs::File;

fn main() -> Result<(), Box<dyn Error>> {
    let shape = Catalogue::standard().find("tippy").ok_or("tippy is in the catalogue")?.shape.clone();
    let board = Board::new(4, 4, Topology::Plain)?;
    let game = Game::new(shape, board, Rule::Strong);

    let options = Options { certify_refutation: true, ..Options::default() };
    let settled = settle(&game, &options, &|_| {})?;
    let Outcome::Win { mut certificate, by, least, .. } = settled.outcome else {
        return Err("Black wins tippy on 4x4".into());
    };
    println!("Black wins by turn {by}, found by {} in {} nodes.", settled.account.engine, settled.account.nodes);
    if let Least::Certified(refutation) = &least {
        println!("No earlier turn wins: {}.", refutation.proved());
    }

    let folder = tempfile::tempdir()?;
    let path = folder.path().join("tippy.cert");
    certificate.keep(&path)?;
    println!("Checked again from the file: {}.", check(File::open(&path)?)?);

    let book = Playbook::open(File::open(&path)?)?;
    if let Turn::Plays(player, cell, _) = book.turn(&book.start()) {
        println!("It begins with {player} at {}.", board.cell_name(cell));
    }
    Ok(())
}
