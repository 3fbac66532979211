//! The catalogue: names for shapes.
//!
//! The files of the folder `shapes/` are part of the program, so that a user needs nothing but the binary. They are
//! text a person can read and edit; the format is explained at the top of `shapes/animals-1-to-4.txt`. Users may write
//! files of their own in the same format.

use harary_certificate::{MAX_SIDE, Shape, ShapeError};
use std::sync::LazyLock;
use thiserror::Error;

const FILES: [(&str, &str); 4] = [
    ("shapes/animals-1-to-4.txt", include_str!("../../shapes/animals-1-to-4.txt")),
    ("shapes/animals-5.txt", include_str!("../../shapes/animals-5.txt")),
    ("shapes/animals-6.txt", include_str!("../../shapes/animals-6.txt")),
    ("shapes/snaky-creatures.txt", include_str!("../../shapes/snaky-creatures.txt")),
];

static STANDARD: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut catalogue = Catalogue::default();
    for (file, text) in FILES {
        // The files are compiled in and a test reads them all: a failure here cannot reach a user.
        catalogue.add(file, text).expect("the built-in catalogue is well-formed");
    }
    catalogue.lines = lines().filter(|line| catalogue.find(&line.name).is_none()).collect();
    catalogue
});

static HEXAGONAL: LazyLock<Catalogue> = LazyLock::new(|| {
    let (file, text) = ("shapes/polyhexes.txt", include_str!("../../shapes/polyhexes.txt"));
    Catalogue::read(file, text).expect("the built-in catalogue is well-formed")
});

/// I1 to I19, straight, and D2 to D19, along the diagonal.
fn lines() -> impl Iterator<Item = Entry> {
    let line = |letter: char, length: usize, up: i32| {
        let cells: Vec<(i32, i32)> = (0..length as i32).map(|step| (step, up * step)).collect();
        let note = if up == 0 { "cells in a row" } else { "cells along a diagonal" };
        let note = Some(format!("{length} {note}"));
        Some(Entry { name: format!("{letter}{length}"), aliases: Vec::new(), note, shape: Shape::new(&cells).ok()? })
    };
    let straight = (1..=MAX_SIDE).filter_map(move |length| line('I', length, 0));
    straight.chain((2..=MAX_SIDE).filter_map(move |length| line('D', length, 1)))
}

/// What is wrong in a file of shapes, and where.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{file}, line {line}: {mistake}")]
pub struct CatalogueError {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub mistake: Mistake,
}

/// What is wrong.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Mistake {
    /// A picture or a note before the first name.
    #[error("an entry starts with 'name: WORD', not with '{0}'")]
    NoName(String),
    /// A word that cannot be a name.
    #[error("a name is one word, not '{0}'")]
    NotAName(String),
    /// Two shapes of one name.
    #[error("the name '{0}' is taken")]
    NameTaken(String),
    /// A name without a picture.
    #[error("the shape '{0}' has no picture")]
    NoPicture(String),
    /// A line that is neither a row of a picture nor anything else that is known.
    #[error("'{0}' is no row of a picture; rows are written with X and .")]
    NotARow(String),
    /// A picture that is no shape.
    #[error("{0}")]
    Shape(#[from] ShapeError),
}

/// A shape with its names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its first name.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// What is worth knowing about it.
    pub note: Option<String>,
    /// In the orientation of its picture.
    pub shape: Shape,
}

impl Entry {
    /// Its name and its aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

/// Shapes by name. No two entries share a name, upper and lower case being the same.
#[derive(Clone, Default, Debug)]
pub struct Catalogue {
    entries: Vec<Entry>,
    /// Lines of every length, which are known by name and not listed.
    lines: Vec<Entry>,
}

impl Catalogue {
    /// The built-in catalogue: all animals up to six cells and the creatures inside snaky.
    pub fn standard() -> &'static Catalogue {
        &STANDARD
    }

    /// The names of polyhexes, for boards of hexagonal cells.
    pub fn hexagonal() -> &'static Catalogue {
        &HEXAGONAL
    }

    /// Reads a file of shapes; `file` is its name, for messages.
    pub fn read(file: &str, text: &str) -> Result<Catalogue, CatalogueError> {
        let mut catalogue = Catalogue::default();
        catalogue.add(file, text)?;
        Ok(catalogue)
    }

    fn add(&mut self, file: &str, text: &str) -> Result<(), CatalogueError> {
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line.trim()))
            .filter(|(_, l)| !l.starts_with('#'))
            .collect();
        for block in lines.split(|(_, line)| line.is_empty()).filter(|block| !block.is_empty()) {
            let entry =
                self.entry(block).map_err(|(line, mistake)| CatalogueError { file: file.to_owned(), line, mistake })?;
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Reads one entry from its numbered lines, of which there is at least one.
    fn entry(&self, block: &[(usize, &str)]) -> Result<Entry, (usize, Mistake)> {
        let (start, first) = block[0];
        let name = first.strip_prefix("name:").ok_or_else(|| (start, Mistake::NoName(first.to_owned())))?.trim();
        let mut entry_names = vec![self.free_name(start, name, &[])?];
        let mut note = None;
        let mut rows = Vec::new();
        for &(number, line) in &block[1..] {
            if let Some(words) = line.strip_prefix("aliases:") {
                for word in words.split_whitespace() {
                    entry_names.push(self.free_name(number, word, &entry_names)?);
                }
            } else if let Some(text) = line.strip_prefix("note:") {
                note = Some(text.trim().to_owned());
            } else if line.chars().all(|mark| matches!(mark, 'X' | '.')) {
                rows.push((number, line));
            } else {
                return Err((number, Mistake::NotARow(line.to_owned())));
            }
        }
        let Some(&(picture, _)) = rows.first() else {
            return Err((start, Mistake::NoPicture(name.to_owned())));
        };
        let picture_text = rows.iter().map(|row| row.1).collect::<Vec<_>>().join("/");
        let shape = Shape::from_rows(&picture_text).map_err(|error| (picture, error.into()))?;
        let name = entry_names.remove(0);
        Ok(Entry { name, aliases: entry_names, note, shape })
    }

    /// Checks that `name` is one word and not yet in use.
    fn free_name(&self, line: usize, name: &str, besides: &[String]) -> Result<String, (usize, Mistake)> {
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err((line, Mistake::NotAName(name.to_owned())));
        }
        if self.find(name).is_some() || besides.iter().any(|taken| taken.eq_ignore_ascii_case(name)) {
            return Err((line, Mistake::NameTaken(name.to_owned())));
        }
        Ok(name.to_owned())
    }

    /// All shapes of the files, in their order; lines that are in none are known as well.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry with this name or alias, upper and lower case being the same.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.known().find(|entry| entry.names().any(|known| known.eq_ignore_ascii_case(name)))
    }

    /// The entry of this shape, turned or flipped in whatever way.
    pub fn find_shape(&self, shape: &Shape) -> Option<&Entry> {
        let canonical = shape.canonical();
        self.known().find(|entry| entry.shape.size() == shape.size() && entry.shape.canonical() == canonical)
    }

    fn known(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().chain(&self.lines)
    }

    /// The name most like a misspelt one, if any is close enough to be meant.
    pub fn nearest(&self, misspelt: &str) -> Option<&str> {
        let misspelt = misspelt.to_ascii_lowercase();
        let names = self.entries.iter().flat_map(Entry::names);
        let (distance, name) = names
            .map(|name| (strsim::osa_distance(&misspelt, &name.to_ascii_lowercase()), name))
            .min_by_key(|(distance, _)| *distance)?;
        // One slip in three letters may be a slip; more is another word.
        (distance <= misspelt.chars().count().div_ceil(3)).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::polyomino::free_polyominoes;

    #[test]
    fn harary_names_and_letters_mean_the_same_shapes() {
        let catalogue = Catalogue::standard();
        for (name, alias, rows) in [
            ("elam", "I1", "X"),
            ("domino", "I2", "XX"),
            ("tic", "I3", "XXX"),
            ("el", "V3", "XX/X."),
            ("skinny", "I4", "XXXX"),
            ("knobby", "T4", ".X./XXX"),
            ("elly", "L4", "XXX/X.."),
            ("tippy", "S4", "XX./.XX"),
            ("fatty", "O4", "XX/XX"),
            ("fivecells-l", "L5", "XXXX/X..."),
            ("fivecells-y", "Y5", "XXXX/.X.."),
            ("fivecells-z", "N5", "XX../.XXX"),
        ] {
            let entry = catalogue.find(name).unwrap();
            assert_eq!(entry.shape.canonical(), Shape::from_rows(rows).unwrap().canonical(), "{name}");
            assert_eq!(catalogue.find(&alias.to_lowercase()), Some(entry), "{alias}");
            assert_eq!(catalogue.find_shape(&Shape::from_rows(rows).unwrap()), Some(entry), "{rows}");
        }
    }

    /// Every animal up to six cells is there exactly once, and the hexominoes are numbered as the list says.
    #[test]
    fn all_small_animals_have_a_name() {
        let catalogue = Catalogue::standard();
        for size in 1..=6 {
            let known = |entry: &&Entry| entry.shape.is_animal() && entry.shape.size() == size;
            let mut named: Vec<Shape> = catalogue.entries().iter().filter(known).map(|e| e.shape.canonical()).collect();
            named.sort();
            assert_eq!(named, free_polyominoes(size), "size {size}");
        }
        for (index, shape) in free_polyominoes(6).iter().enumerate() {
            let entry = catalogue.find(&format!("hex-{:02}", index + 1)).unwrap();
            assert_eq!(entry.shape.canonical(), *shape, "{}", entry.name);
        }
    }

    #[test]
    fn the_pentominoes_have_their_letters() {
        for (letter, rows, orientations) in [
            ("F", ".XX/XX./.X.", 8),
            ("I", "XXXXX", 2),
            ("L", "XXXX/X...", 8),
            ("N", ".XXX/XX..", 8),
            ("P", "XX/XX/X.", 8),
            ("T", "XXX/.X./.X.", 4),
            ("U", "X.X/XXX", 4),
            ("V", "X../X../XXX", 4),
            ("W", "X../XX./.XX", 4),
            ("X", ".X./XXX/.X.", 1),
            ("Y", "..X./XXXX", 8),
            ("Z", "XX./.X./.XX", 4),
        ] {
            let shape = &Catalogue::standard().find(&format!("{letter}5")).unwrap().shape;
            assert_eq!(shape.canonical(), Shape::from_rows(rows).unwrap().canonical(), "{letter}");
            assert_eq!(shape.orientations().len(), orientations, "{letter}");
        }
    }

    /// The creatures are named by which cells of snaky they keep besides its ends.
    #[test]
    fn creatures_inside_snaky() {
        let cells = [("A", (0, 0)), ("B", (1, 0)), ("C", (1, 1)), ("D", (2, 1)), ("E", (3, 1)), ("F", (4, 1))];
        let catalogue = Catalogue::standard();
        let snaky = &catalogue.find("snaky").unwrap().shape;
        assert_eq!(*snaky, Shape::new(&cells.map(|cell| cell.1)).unwrap());
        for (name, kept) in [
            ("2cells", "AF"),
            ("3cells1", "ABF"),
            ("3cells2", "ACF"),
            ("3cells3", "ADF"),
            ("4cells1", "ABCF"),
            ("4cells2", "ABDF"),
            ("4cells3", "ABEF"),
            ("4cells4", "ACDF"),
            ("4cells5", "ACEF"),
            ("4cells6", "ADEF"),
            ("5cells1", "ABCDF"),
            ("5cells2", "ABCEF"),
            ("5cells3", "ABDEF"),
            ("5cells4", "ACDEF"),
        ] {
            let kept: Vec<(i32, i32)> = cells.iter().filter(|cell| kept.contains(cell.0)).map(|cell| cell.1).collect();
            let entry = catalogue.find(name).unwrap();
            assert_eq!(entry.shape, Shape::new(&kept).unwrap(), "{name}");
            assert_eq!(
                entry.shape.orientations().len(),
                if name == "4cells3" || name == "2cells" { 4 } else { 8 },
                "{name}"
            );
            assert!(entry.shape.is_inside(snaky) && !entry.shape.is_animal(), "{name}");
        }
        // The image of one another: A F E and A F B.
        let afe = Shape::new(&[(0, 0), (4, 1), (3, 1)]).unwrap();
        assert_eq!(catalogue.find_shape(&afe).map(|entry| entry.name.as_str()), Some("3cells1"));
        let entries = catalogue.entries();
        let forms: std::collections::BTreeSet<Shape> = entries.iter().map(|entry| entry.shape.canonical()).collect();
        assert_eq!(forms.len(), entries.len(), "no shape has two entries");
    }

    #[test]
    fn lines_of_every_length_have_a_name() {
        let catalogue = Catalogue::standard();
        let cells = |name: &str| catalogue.find(name).unwrap().shape.to_string();
        assert_eq!(cells("d3"), "0,0 1,1 2,2");
        assert_eq!(cells("I7"), "0,0 1,0 2,0 3,0 4,0 5,0 6,0");
        assert_eq!((cells("D19").split(' ').count(), catalogue.find("D20"), catalogue.find("D1")), (19, None, None));
        assert_eq!(catalogue.find("I4").unwrap().name, "skinny");
        let falling = Shape::from_rows("X.../.X../..X./...X").unwrap();
        assert_eq!(catalogue.find_shape(&falling).unwrap().name, "D4");
        assert!(catalogue.entries().iter().all(|entry| !entry.name.starts_with("D")), "they are not listed");
    }

    #[test]
    fn mistakes_in_files_are_located() {
        for (text, expected) in [
            ("# x\n\nXX\n", "f.txt, line 3: an entry starts with 'name: WORD', not with 'XX'"),
            ("name: a b\nXX", "f.txt, line 1: a name is one word, not 'a b'"),
            ("name:\nXX", "f.txt, line 1: a name is one word, not ''"),
            ("name: a\nXX\n\nname: A\nXXX", "f.txt, line 4: the name 'A' is taken"),
            ("name: a\naliases: b a\nXX", "f.txt, line 2: the name 'a' is taken"),
            ("name: a\nnote: nothing\n\nXX", "f.txt, line 1: the shape 'a' has no picture"),
            ("name: a\nXOX", "f.txt, line 2: 'XOX' is no row of a picture; rows are written with X and ."),
            ("name: a\n# empty\n...\n", "f.txt, line 3: a shape needs at least one cell"),
        ] {
            assert_eq!(Catalogue::read("f.txt", text).unwrap_err().to_string(), expected);
        }
        let catalogue = Catalogue::read("f.txt", "name: a\r\nnote: b c\r\nX.\r\n.X\r\n\r\n").unwrap();
        let entry = catalogue.find("A").unwrap();
        assert_eq!((entry.shape.to_string().as_str(), entry.note.as_deref()), ("0,1 1,0", Some("b c")));
    }

    #[test]
    fn misspelt_names_are_recognised() {
        let catalogue = Catalogue::standard();
        assert_eq!(catalogue.nearest("skiny"), Some("skinny"));
        assert_eq!(catalogue.nearest("SNAYK"), Some("snaky"));
        assert_eq!(catalogue.nearest("fivecells"), Some("fivecells-l"));
        assert_eq!(catalogue.nearest("pentagon"), None);
    }
}
