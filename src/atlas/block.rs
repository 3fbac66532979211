//! Blocks that serve more than one game.
//!
//! A block node says that White, owning some stones, keeps Black from all winning sets inside its cells. A shape that
//! contains another completes it on the way, and every set of the one contains a set of the other, on a torus too as long as
//! the image does not overlap itself. So the nodes proved against a shape hold, word for word, against every shape around
//! it on the same board, under either rule; only the header of the certificate changes. That is an argument for trying;
//! what counts is that the checker accepts the certificate for the other game.

use super::entry::{Entry, Finding};

use super::key::GameKey;
use dashmap::DashMap;
use harary_certificate::{Board, Certificate};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Longer blocks are not kept. That of I5 on the 6x6 torus has 662 MB and serves six games of hexominoes.
const LONGEST: u64 = 1 << 30;

/// A hold by nodes: the certificate, and the game it is about.
#[derive(Clone, Debug)]
pub struct Block {
    key: GameKey,
    text: Arc<str>,
}

impl Block {
    /// The game it was found for.
    pub fn key(&self) -> &GameKey {
        &self.key
    }

    /// The text of its certificate.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The blocks found so far, board by board, shared by the threads of a run.
#[derive(Default)]
pub struct Blocks {
    found: DashMap<Board, Vec<Block>, ahash::RandomState>,
}

impl Blocks {
    /// Lends the certificate of a hold to other games, if it is by nodes and not too long.
    pub fn lend(&self, key: &GameKey, mut certificate: Certificate) -> io::Result<()> {
        let mut text = String::new();
        certificate.reader()?.take(LONGEST + 1).read_to_string(&mut text)?;
        if text.len() as u64 <= LONGEST {
            self.lend_text(key, text);
        }
        Ok(())
    }

    /// Lends what earlier runs settled and kept in a folder, as far as it may serve one of these games. A file that is not
    /// what was settled is left alone.
    pub fn lend_kept(&self, entries: &[Entry], folder: &Path, games: &[GameKey]) {
        for entry in entries.iter().filter(|entry| entry.finding == Finding::Hold && entry.borrowed.is_none()) {
            let key = &entry.key;
            let serves = |game: &GameKey| key.board() == game.board() && key.shape().is_inside(game.shape());
            let Some(mark) = entry.certificate.filter(|mark| mark.bytes <= LONGEST && games.iter().any(serves)) else {
                continue;
            };
            if let Ok(text) = read_packed(&folder.join(key.file_name("")))
                && *blake3::hash(text.as_bytes()).as_bytes() == mark.hash
            {
                self.lend_text(key, text);
            }
        }
    }

    fn lend_text(&self, key: &GameKey, text: String) {
        // A hold position by position ends in `root explicit`; its positions may meet sets the block does not know.
        let by_nodes = text.lines().last().is_some_and(|line| line.starts_with("root ") && line != "root explicit");
        if by_nodes {
            let block = Block { key: key.clone(), text: text.into() };
            self.found.entry(key.board()).or_default().push(block);
        }
    }

    /// The blocks that may hold this game as well, short ones first.
    pub fn for_game(&self, key: &GameKey) -> Vec<Block> {
        let serves = |block: &&Block| block.key.shape().is_inside(key.shape());
        let on_board = self.found.get(&key.board());
        let mut blocks: Vec<Block> = on_board.iter().flat_map(|found| found.iter().filter(serves)).cloned().collect();
        blocks.sort_by_key(|block| block.text.len());
        blocks
    }
}

/// A certificate as runs keep it.
fn read_packed(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    zstd::Decoder::new(File::open(path)?)?.take(LONGEST).read_to_string(&mut text)?;
    Ok(text)
}
