//! Writing certificates: the words of the format, one method for each kind of line.
//!
//! A [`CertificateWriter`] puts down what it is told, in the order it is told; whether that proves anything is for
//! the [checker](crate::checker) to say. Who gives the lines in a fixed order gets the same file byte for byte.

use crate::cell::Cell;
use crate::cell_set::{CellSet, WideSet};
use crate::game::{Game, Origin};
pub use crate::proof::Claim;
use crate::whole_file::WholeFile;
use std::io::{self, Write};
use std::path::Path;

/// How hard zstd tries: certificates are written once and kept.
const ZSTD_LEVEL: i32 = 12;

/// What a certificate says besides the game itself.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    pub claim: Claim,
    /// Positions are given in canonical form, up to the board's symmetries (those that keep the cover).
    pub symmetric: bool,
    pub cover: Option<&'a WideSet>,
}

/// Writes one certificate, line by line.
pub struct CertificateWriter<W: Write> {
    out: W,
}

impl<W: Write> CertificateWriter<W> {
    /// Writes the header. A game that ends before the board is full cannot claim more than its turns: its `hold`
    /// becomes a `hold K`.
    pub fn new(mut out: W, game: &Game, statement: Statement) -> io::Result<CertificateWriter<W>> {
        writeln!(out, "harary-certificate 1")?;
        match game.origin() {
            Origin::Board { shape, board } => writeln!(out, "game {board} {shape}")?,
            Origin::Sets { .. } => {
                writeln!(out, "game sets {}", game.vertices())?;
                game.black_sets().iter().try_for_each(|set| writeln!(out, "black {set}"))?;
                game.white_sets().iter().try_for_each(|set| writeln!(out, "white {set}"))?;
            }
        }
        let (black, white) = (game.black_start(), game.white_start());
        if !(black.is_empty() && white.is_empty()) {
            writeln!(out, "start {black} {white}")?;
        }
        if let Some(first) = game.first() {
            writeln!(out, "first {first}")?;
        }
        writeln!(out, "rule {}", game.rule())?;
        if !game.schedule().is_alternating() {
            writeln!(out, "turns {}", game.schedule().letters())?;
        }
        let cut_short = game.schedule().len() < game.vertices() - black.len() - white.len();
        let claim = match statement.claim {
            Claim::Hold(None) if cut_short => Claim::Hold(Some(game.schedule().len())),
            claim => claim,
        };
        writeln!(out, "claim {claim}")?;
        writeln!(out, "symmetry {}", if statement.symmetric { "board" } else { "none" })?;
        if let Some(cover) = statement.cover {
            writeln!(out, "cover {cover}")?;
        }
        Ok(CertificateWriter { out })
    }

    /// A remark, for people.
    pub fn comment(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| writeln!(self.out, "# {line}"))
    }

    /// Black to move plays `cell`.
    pub fn p<const N: usize>(
        &mut self,
        black: &CellSet<N>,
        white: &CellSet<N>,
        elsewhere: usize,
        cell: Cell,
    ) -> io::Result<()> {
        writeln!(self.out, "p {black} {white} {elsewhere} {}", cell.index())
    }

    /// White to move plays `cell`.
    pub fn q<const N: usize>(&mut self, black: &CellSet<N>, white: &CellSet<N>, cell: Cell) -> io::Result<()> {
        writeln!(self.out, "q {black} {white} {}", cell.index())
    }

    /// Black to move; block node `id` applies.
    pub fn b<const N: usize>(&mut self, black: &CellSet<N>, white: &CellSet<N>, id: u32) -> io::Result<()> {
        writeln!(self.out, "b {black} {white} {id}")
    }

    /// Attack node: Black completes a set at `cell`.
    pub fn a_done<const N: usize>(
        &mut self,
        id: u32,
        own: &CellSet<N>,
        open: &CellSet<N>,
        cell: Cell,
    ) -> io::Result<()> {
        writeln!(self.out, "a {id} {own} {open} done {}", cell.index())
    }

    /// Attack node: Black plays `cell`; each reply of White leads to a child.
    pub fn a_move<const N: usize>(
        &mut self,
        id: u32,
        own: &CellSet<N>,
        open: &CellSet<N>,
        cell: Cell,
        replies: impl IntoIterator<Item = (Cell, u32)>,
    ) -> io::Result<()> {
        write!(self.out, "a {id} {own} {open} move {}", cell.index())?;
        replies.into_iter().try_for_each(|(reply, child)| write!(self.out, " {}:{child}", reply.index()))?;
        writeln!(self.out)
    }

    /// Block node: the pairs hit every winning set that misses White's stones.
    pub fn n_pave<const N: usize>(
        &mut self,
        id: u32,
        own: &CellSet<N>,
        open: &CellSet<N>,
        pairs: impl IntoIterator<Item = (Cell, Cell)>,
    ) -> io::Result<()> {
        write!(self.out, "n {id} {own} {open} pave")?;
        pairs.into_iter().try_for_each(|(a, b)| write!(self.out, " {}-{}", a.index(), b.index()))?;
        writeln!(self.out)
    }

    /// Block node: for each Black move White's reply and the child it leads to.
    pub fn n_reply<const N: usize>(
        &mut self,
        id: u32,
        own: &CellSet<N>,
        open: &CellSet<N>,
        replies: impl IntoIterator<Item = (Cell, Cell, u32)>,
    ) -> io::Result<()> {
        write!(self.out, "n {id} {own} {open} reply")?;
        replies.into_iter().try_for_each(|(m, o, child)| write!(self.out, " {}:{}:{child}", m.index(), o.index()))?;
        writeln!(self.out)
    }

    /// The last line of a certificate by nodes.
    pub fn root(&mut self, id: u32) -> io::Result<()> {
        writeln!(self.out, "root {id}")
    }

    /// The last line of a hold position by position.
    pub fn root_explicit(&mut self) -> io::Result<()> {
        writeln!(self.out, "root explicit")
    }

    /// The sink, with everything written to it but not flushed.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// A certificate's file, which appears under its name only when it is complete; compressed if the name ends in `.zst`.
pub enum CertificateFile {
    Plain(WholeFile),
    Zstd(Box<zstd::Encoder<'static, WholeFile>>),
}

impl CertificateFile {
    pub fn create(path: &Path) -> io::Result<CertificateFile> {
        let file = WholeFile::create(path)?;
        Ok(match path.extension().is_some_and(|extension| extension == "zst") {
            true => CertificateFile::Zstd(Box::new(zstd::Encoder::new(file, ZSTD_LEVEL)?)),
            false => CertificateFile::Plain(file),
        })
    }

    /// Writes out what is left and gives the file its name.
    pub fn finish(self) -> io::Result<()> {
        match self {
            CertificateFile::Plain(file) => file.finish(),
            CertificateFile::Zstd(encoder) => encoder.finish()?.finish(),
        }
    }
}

impl Write for CertificateFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            CertificateFile::Plain(out) => out.write(bytes),
            CertificateFile::Zstd(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            CertificateFile::Plain(out) => out.flush(),
            CertificateFile::Zstd(out) => out.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Topology};
    use crate::checker;
    use crate::game::Sets;
    use crate::player::Rule;
    use crate::shape::Shape;
    use crate::turn::Schedule;
    use std::fs::File;

    fn domino() -> Game {
        let board = Board::new(2, 2, Topology::Plain).unwrap();
        Game::new(Shape::from_rows("XX").unwrap(), board, Rule::Strong)
    }

    fn write_domino(out: impl Write) -> CertificateWriter<impl Write> {
        let statement = Statement { claim: Claim::Win(3), symmetric: true, cover: None };
        let mut writer = CertificateWriter::new(out, &domino(), statement).unwrap();
        writer.comment("the corner,\nthen a neighbour").unwrap();
        writer.p(&WideSet::EMPTY, &WideSet::EMPTY, 0, Cell::new(0)).unwrap();
        writer
    }

    #[test]
    fn what_is_written_is_accepted() {
        let mut text = Vec::new();
        write_domino(&mut text);
        assert_eq!(
            String::from_utf8(text.clone()).unwrap(),
            "harary-certificate 1\ngame 2x2 plain 0,0 1,0\nrule strong\nclaim win 3\nsymmetry board\n\
             # the corner,\n# then a neighbour\np 0 0 0 0\n"
        );
        assert_eq!(checker::check(&text[..]).unwrap().positions, 2);
    }

    #[test]
    fn games_of_sets_spell_themselves_out() {
        let sets = Sets {
            names: (0..5).map(|v| v.to_string()).collect(),
            black: vec![WideSet::first_cells(2)],
            white: vec![WideSet::first_cells(3)],
            rule: Rule::Strong,
            schedule: Schedule::from_letters("WB").unwrap(),
            black_start: WideSet::single(Cell::new(4)),
            white_start: WideSet::EMPTY,
            first: Some(WideSet::first_cells(2)),
        };
        let game = Game::of_sets(sets).unwrap();
        let mut text = Vec::new();
        let statement = Statement { claim: Claim::Hold(None), symmetric: false, cover: None };
        let mut writer = CertificateWriter::new(&mut text, &game, statement).unwrap();
        writer.root_explicit().unwrap();
        assert_eq!(
            String::from_utf8(text.clone()).unwrap(),
            "harary-certificate 1\ngame sets 5\nblack 3\nwhite 7\nstart 10 0\nfirst 3\nrule strong\nturns WB\n\
             claim hold 2\nsymmetry none\nroot explicit\n"
        );
        assert!(checker::check(&text[..]).is_ok(), "one stone of Black's completes nothing");
    }

    #[test]
    fn files_appear_only_when_they_are_complete() {
        let folder = tempfile::tempdir().unwrap();
        let entries = || std::fs::read_dir(folder.path()).unwrap().count();
        for name in ["a.cert", "a.cert.zst"] {
            let path = folder.path().join(name);
            drop(write_domino(CertificateFile::create(&path).unwrap()));
            assert!(!path.exists());
            let mut file = CertificateFile::create(&path).unwrap();
            write_domino(&mut file);
            assert!(!path.exists());
            file.finish().unwrap();
            assert!(checker::check(File::open(&path).unwrap()).is_ok());
        }
        assert_eq!(entries(), 2);
        let packed = std::fs::read(folder.path().join("a.cert.zst")).unwrap();
        assert_eq!(packed[..4], [0x28, 0xb5, 0x2f, 0xfd]);
    }
}
