//! Blocks that serve more than one game.
//!
//! A block node says that White, owning some stones, keeps Black from all winning sets inside its cells. A shape that
//! contains another completes it on the way, and every set of the one contains a set of the other, on a torus too as long as
//! the image does not overlap itself. So the nodes proved against a shape hold, word for word, against every shape around
//! it on the same board, under either rule; only the header of the certificate changes. Of several shapes each must contain
//! one of those the block was found for. That is an argument for trying; what counts is that the checker accepts the
//! certificate for the other game.

use super::entry::{Entry, Finding};

use super::key::GameKey;
use crate::evidence::carry::with_header;
use crate::game::Game;
use dashmap::DashMap;
use harary_certificate::model::Format;
use harary_certificate::{Board, Certificate, CertificateWriter, Claim};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// Longer blocks are not kept. That of I5 on the 6x6 torus has 662 MB and serves six games of hexominoes.
pub const LONGEST: u64 = 1 << 30;

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

/// Whether a proof is by nodes. A hold position by position ends in `root explicit`; its positions may meet sets the nodes
/// do not know.
pub fn is_by_nodes(text: &str) -> bool {
    text.lines().last().is_some_and(|line| line.starts_with("root ") && line != "root explicit")
}

/// The nodes of a proof under the header of another game, for the checker to judge. Where both are of one shape only the
/// lines of the game and the rule change; the sets of several shapes are spelled out.
pub fn under_header(text: &str, to: &Game, claim: Claim) -> io::Result<Vec<u8>> {
    let game = text.lines().find(|line| line.starts_with("game "));
    let spelled = game.is_none_or(|line| line.starts_with("game sets "));
    if !spelled && to.shape_on_board().is_some() {
        return with_header(text.as_bytes(), to, claim);
    }
    let format = if text.starts_with("harary-certificate 1\n") { Format::One } else { Format::Two };
    let mut out = Vec::with_capacity(text.len());
    let mut writer = CertificateWriter::in_format(format, &mut out, &to.header(claim, false, None))?;
    if let Some(names) = to.names() {
        writer.comment(&names.to_string())?;
    }
    let is_node = |line: &&str| ["n ", "s ", "a ", "root "].iter().any(|kind| line.starts_with(kind));
    text.lines().filter(is_node).try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(out)
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
            let serves = |game: &GameKey| key.board() == game.board() && key.shapes().are_inside(game.shapes());
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
        if is_by_nodes(&text) {
            let block = Block { key: key.clone(), text: text.into() };
            self.found.entry(key.board()).or_default().push(block);
        }
    }

    /// The blocks that may hold this game as well, short ones first.
    pub fn for_game(&self, key: &GameKey) -> Vec<Block> {
        let serves = |block: &&Block| block.key.shapes().are_inside(key.shapes());
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
