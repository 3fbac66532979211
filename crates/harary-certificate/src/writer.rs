//! Writing certificates: the words of the format, one method for each kind of line.
//!
//! A [`CertificateWriter`] puts down what it is told, in the order it is told; whether that proves anything is for
//! the [checker](crate::checker) to say. Who gives the lines in a fixed order gets the same file byte for byte.

use crate::cell::Cell;
use crate::cell_set::{CellSet, WideSet};
use crate::model::{After, Answer, Card, CardKind, Format, Header, Kind, Pair, Placing, Setting, Symmetry};
use crate::stones::Stones;
use std::fmt;
use std::io::{self, Write};

/// Writes one certificate, line by line.
pub struct CertificateWriter<W: Write> {
    out: W,
}

impl<W: Write> CertificateWriter<W> {
    /// Writes the header, in the oldest format that has its words.
    pub fn new(out: W, header: &Header) -> io::Result<CertificateWriter<W>> {
        CertificateWriter::in_format(Format::One, out, header)
    }

    /// Writes the header of a file whose lines need this format, or a newer one if the header itself does.
    pub fn in_format(format: Format, mut out: W, header: &Header) -> io::Result<CertificateWriter<W>> {
        let number = if format.max(header.format()) == Format::One { 1 } else { 2 };
        writeln!(out, "harary-certificate {number}")?;
        match &header.setting {
            Setting::Board { shape, board } => writeln!(out, "game {board} {shape}")?,
            Setting::Sets { black, white } => {
                writeln!(out, "game sets {}", header.vertices)?;
                black.iter().try_for_each(|set| writeln!(out, "black {set}"))?;
                white.iter().try_for_each(|set| writeln!(out, "white {set}"))?;
            }
        }
        let Stones { black, white } = header.start;
        if !header.start.is_empty() {
            writeln!(out, "start {black} {white}")?;
        }
        if let Some(first) = header.first {
            writeln!(out, "first {first}")?;
        }
        writeln!(out, "rule {}", header.rule)?;
        if !header.turns.is_alternating() {
            writeln!(out, "turns {}", header.turns.letters())?;
        }
        writeln!(out, "claim {}", header.claim)?;
        match &header.symmetry {
            Symmetry::None => writeln!(out, "symmetry none")?,
            Symmetry::Board => writeln!(out, "symmetry board")?,
            Symmetry::Generators(list) => {
                writeln!(out, "symmetry generators {}", list.len())?;
                for generator in list {
                    write!(out, "g")?;
                    generator.iter().try_for_each(|cell| write!(out, " {}", cell.index()))?;
                    writeln!(out)?;
                }
            }
        }
        if let Some(cover) = header.cover {
            writeln!(out, "cover {cover}")?;
        }
        Ok(CertificateWriter { out })
    }

    /// Goes on with what begins in another way: a file of cards.
    pub fn continuing(out: W) -> CertificateWriter<W> {
        CertificateWriter { out }
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

    /// Black to move; White answers in these pairs up to the last turn of the claim (format 2).
    pub fn k<const N: usize>(&mut self, black: &CellSet<N>, white: &CellSet<N>, pairs: &[Pair]) -> io::Result<()> {
        writeln!(self.out, "k {black} {white}{}", List(pairs))
    }

    /// White to move plays `cell`, on the way to a set of hers (format 2).
    pub fn l<const N: usize>(&mut self, black: &CellSet<N>, white: &CellSet<N>, cell: Cell) -> io::Result<()> {
        writeln!(self.out, "l {black} {white} {}", cell.index())
    }

    /// A node: `own` is its B or W, `open` its Z, its kind tells what it is. A [`Kind::Card`] becomes a `u` line, which
    /// has no sets of its own.
    pub fn node<const N: usize>(
        &mut self,
        id: u32,
        own: &CellSet<N>,
        open: &CellSet<N>,
        kind: &Kind,
    ) -> io::Result<()> {
        match kind {
            Kind::Done(cell) => writeln!(self.out, "a {id} {own} {open} done {}", cell.index()),
            Kind::Move(cell, list) => writeln!(self.out, "a {id} {own} {open} move {}{}", cell.index(), List(list)),
            Kind::Card(placing, _) => self.u(id, *placing),
            Kind::Pave(pairs) => writeln!(self.out, "n {id} {own} {open} pave{}", List(pairs)),
            Kind::Reply(list) => writeln!(self.out, "n {id} {own} {open} reply{}", List(list)),
            Kind::StrongReply(list) => writeln!(self.out, "s {id} {own} {open} reply{}", List(list)),
            Kind::Threat(Answer { to, reply, child }) => {
                let child = child.map_or(String::new(), |child| format!(":{child}"));
                writeln!(self.out, "s {id} {own} {open} threat {} {}{child}", to.index(), reply.index())
            }
        }
    }

    /// A card (format 2).
    pub fn c(&mut self, id: u32, Card { width, height, own, open, kind, .. }: &Card) -> io::Result<()> {
        write!(self.out, "c {id} {width}x{height} {own} {open} ")?;
        match kind {
            CardKind::Done(cell) => writeln!(self.out, "done {}", cell.index()),
            CardKind::Move(cell, children) => writeln!(self.out, "move {}{}", cell.index(), List(children)),
        }
    }

    /// A card on the board (format 2), as attack node `id`.
    pub fn u(&mut self, id: u32, Placing { card, turn, shift: (dx, dy) }: Placing) -> io::Result<()> {
        writeln!(self.out, "u {id} {card} {turn} {dx},{dy}")
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

impl Card {
    /// A card to be written.
    pub fn new((width, height): (usize, usize), own: WideSet, open: WideSet, kind: CardKind) -> Card {
        Card { line: 0, width, height, own, open, kind }
    }
}

/// The rest of a line: each entry behind a space.
struct List<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|entry| write!(f, " {entry}"))
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.a.index(), self.b.index())
    }
}

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.reply.index(), self.child)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.to.index(), self.reply.index())?;
        self.child.map_or(Ok(()), |child| write!(f, ":{child}"))
    }
}

impl fmt::Display for Placing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{},{},{}", self.card, self.turn, self.shift.0, self.shift.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Topology};
    use crate::certificate_file::CertificateFile;
    use crate::checker;
    use crate::model::Claim;
    use crate::player::Rule;
    use crate::shape::Shape;
    use crate::turn::Schedule;
    use std::fs::File;

    fn domino() -> Header {
        let board = Board::new(2, 2, Topology::Plain).unwrap();
        Header {
            setting: Setting::Board { shape: Shape::from_rows("XX").unwrap(), board },
            vertices: 4,
            start: Stones::NONE,
            first: None,
            rule: Rule::Strong,
            turns: Schedule::alternating(4),
            claim: Claim::Win(3),
            symmetry: Symmetry::Board,
            cover: None,
        }
    }

    fn write_domino(out: impl Write) -> CertificateWriter<impl Write> {
        let mut writer = CertificateWriter::new(out, &domino()).unwrap();
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
        assert_eq!(checker::check(&text[..]).unwrap().positions(), 2);
    }

    #[test]
    fn games_of_sets_spell_themselves_out() {
        let header = Header {
            setting: Setting::Sets { black: vec![WideSet::first_cells(2)], white: vec![WideSet::first_cells(3)] },
            vertices: 5,
            start: Stones::new(WideSet::single(Cell::new(4)), WideSet::EMPTY),
            first: Some(WideSet::first_cells(2)),
            rule: Rule::Strong,
            turns: Schedule::from_letters("WB").unwrap(),
            claim: Claim::Hold(Some(2)),
            symmetry: Symmetry::None,
            cover: None,
        };
        let mut text = Vec::new();
        let mut writer = CertificateWriter::new(&mut text, &header).unwrap();
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
