//! Shapes as they are typed: by name, by cells, as a picture, out of a file.

use super::input;
use super::mistake::{OrUsage, UsageError};
use crate::game::catalogue::{Catalogue, Entry};
use harary_certificate::Shape;
use std::path::Path;

/// How a shape may be written, for the long help of every subcommand that takes one.
pub const SHAPE_HELP: &str = "The shape: a name (skinny, L5, D5), cells \"0,0 1,0 2,0\", rows XX./.XX, or a file of shapes \
    (@FILE, or a path with a / or ending in .txt; @FILE#NAME if it holds several). A file holds a picture (rows of X and ., \
    the top row first), or several with a line 'name: WORD' above each and an empty line between";

/// A longer file holds something else than shapes.
const LONGEST_FILE: u64 = 1 << 20;

/// A shape and what to call it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedShape {
    /// The catalogue's name, that of its file, or the cells.
    pub name: String,
    /// The shape.
    pub shape: Shape,
}

/// Reads a shape in any of the ways of [`SHAPE_HELP`].
pub fn parse_shape(text: &str) -> anyhow::Result<NamedShape> {
    let catalogue = Catalogue::standard();
    // Only a picture may start with a blank that counts.
    let picture = text;
    let text = text.trim();
    if let Some(path) = text.strip_prefix('@') {
        return shape_from_file(path);
    }
    if let Some(entry) = catalogue.find(text) {
        return Ok(NamedShape { name: entry.name.clone(), shape: entry.shape.clone() });
    }
    if text.ends_with(".txt") || (text.contains('/') && Path::new(text).is_file()) {
        return shape_from_file(text);
    }
    let word = text.to_ascii_lowercase();
    let row = word.strip_prefix("row").is_some_and(|length| length.bytes().all(|byte| byte.is_ascii_digit()));
    if text.contains('+') || row || word == "lines" || word == "hex" {
        let takers = "solve, lookup, atlas, play, show, pave, smallest, encode, crosscheck and deepen take others";
        return Err(UsageError(format!("'{text}' is no single shape, and here one is asked for; {takers}")).into());
    }
    let shape = if text.contains(',') {
        Shape::from_cells(text).usage()?
    } else if text.chars().all(|mark| "Xx#*.-_/ \n".contains(mark)) {
        Shape::from_rows(picture).usage()?
    } else if text.contains('/') {
        return shape_from_file(text);
    } else {
        let advice = match catalogue.nearest(text) {
            Some(name) => format!("did you mean {name}?"),
            None => "'harary shapes' lists them".to_owned(),
        };
        return Err(UsageError(format!("no shape '{text}'; {advice}")).into());
    };
    let name = catalogue.find_shape(&shape).map_or_else(|| shape.to_string(), |entry| entry.name.clone());
    Ok(NamedShape { name, shape })
}

/// The shapes of a file.
pub fn shapes_of_file(path: &str) -> anyhow::Result<Vec<Shape>> {
    Ok(named_in_file(path)?.into_iter().map(|(_, shape)| shape).collect())
}

/// The shapes of a file, each with the names it has there.
fn named_in_file(path: &str) -> anyhow::Result<Vec<(Vec<String>, Shape)>> {
    let content = input::read_text(Path::new(path), LONGEST_FILE, "a file of shapes")?;
    if let Some(shape) = bare_picture(&content) {
        let shape = shape.map_err(|mistake| format!("{path}: {mistake}")).usage()?;
        let name =
            Catalogue::standard().find_shape(&shape).map_or_else(|| shape.to_string(), |known| known.name.clone());
        return Ok(vec![(vec![name], shape)]);
    }
    let catalogue = Catalogue::read(path, &content).usage()?;
    let named = |entry: &Entry| (entry.names().map(str::to_owned).collect(), entry.shape.clone());
    match catalogue.entries() {
        [] => Err(UsageError(format!("{path} holds no shape")).into()),
        entries => Ok(entries.iter().map(named).collect()),
    }
}

/// The shape of a file that holds a picture or cells and nothing else.
fn bare_picture(content: &str) -> Option<Result<Shape, harary_certificate::ShapeError>> {
    let consists_of = |marks: &str| !content.trim().is_empty() && content.chars().all(|mark| marks.contains(mark));
    if consists_of("Xx#*.-_ \r\n") {
        Some(Shape::from_rows(content.trim_end()))
    } else if consists_of("0123456789, \r\n") {
        Some(Shape::from_cells(content))
    } else {
        None
    }
}

/// Reads `FILE`, which holds one shape, or `FILE#NAME`.
fn shape_from_file(text: &str) -> anyhow::Result<NamedShape> {
    let (path, wanted) = match text.split_once('#') {
        Some((path, name)) => (path, Some(name)),
        None => (text, None),
    };
    let shapes = named_in_file(path)?;
    let is_meant = |names: &[String]| match wanted {
        Some(wanted) => names.iter().any(|name| name.eq_ignore_ascii_case(wanted)),
        None => shapes.len() == 1,
    };
    if let Some((names, shape)) = shapes.iter().find(|(names, _)| is_meant(names)) {
        return Ok(NamedShape { name: names[0].clone(), shape: shape.clone() });
    }
    let names: Vec<&str> = shapes.iter().map(|(names, _)| names[0].as_str()).collect();
    let mistake = match wanted {
        None => format!("{path} holds several shapes; write @{path}#NAME with one of {}", names.join(", ")),
        Some(wanted) => format!("{path} has no shape '{wanted}'; it has {}", names.join(", ")),
    };
    Err(UsageError(mistake).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        let error = parse_shape(text).unwrap_err();
        assert!(error.is::<UsageError>(), "{error}");
        error.to_string()
    }

    #[test]
    fn a_shape_is_known_however_it_is_written() {
        for text in
            ["skinny", "I4", "i4", "SKINNY", " skinny ", "XXXX", "X/X/X/X", "5,7 6,7 7,7 8,7", "0,0 0,1 0,2 0,3"]
        {
            let named = parse_shape(text).unwrap();
            assert_eq!((named.name.as_str(), named.shape.size()), ("skinny", 4), "{text}");
        }
        assert_eq!(parse_shape("x").unwrap().name, "elam");
        assert_eq!(parse_shape("X5").unwrap().name, "X5");
        assert_eq!(parse_shape(" X/X ").unwrap().shape.to_string(), "0,0 1,1");
        assert_eq!(parse_shape("X.X").unwrap().name, "0,0 2,0");
    }

    #[test]
    fn mistakes_in_shapes_name_the_nearest_right_thing() {
        assert_eq!(complaint("skiny"), "no shape 'skiny'; did you mean skinny?");
        assert_eq!(complaint("Sanky"), "no shape 'Sanky'; did you mean snaky?");
        assert_eq!(complaint("dodecahedron"), "no shape 'dodecahedron'; 'harary shapes' lists them");
        assert_eq!(complaint(""), "a shape needs at least one cell");
        assert_eq!(complaint("../.."), "a shape needs at least one cell");
        assert_eq!(complaint("0,0 1,0 0,0"), "the cell 0,0 is given twice");
        assert_eq!(complaint("0,0 1"), "'1' is not a cell; cells are written x,y, for example 0,0 1,0 2,0");
        assert_eq!(complaint("0,0 0,19"), "a shape is at most 19 cells wide and high, this one is 1x20");
    }

    #[test]
    fn shapes_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("one.txt"), "name: corner\nX..\nX..\nXXX\n").unwrap();
        std::fs::write(path("two"), "name: p\nX\n\nname: q\nX.\n.X\n").unwrap();
        std::fs::write(path("none.txt"), "# nothing\n").unwrap();
        std::fs::write(path("long.txt"), " ".repeat((1 << 20) + 1)).unwrap();
        for text in [path("one.txt"), format!("@{}", path("one.txt")), format!("@{}#Corner", path("one.txt"))] {
            let named = parse_shape(&text).unwrap();
            assert_eq!((named.name.as_str(), named.shape.size()), ("corner", 5), "{text}");
        }
        assert_eq!(parse_shape(&format!("@{}#q", path("two"))).unwrap().shape.to_string(), "0,1 1,0");
        let two = path("two");
        assert_eq!(complaint(&two), format!("{two} holds several shapes; write @{two}#NAME with one of p, q"));
        assert_eq!(complaint(&format!("@{two}#r")), format!("{two} has no shape 'r'; it has p, q"));
        assert_eq!(complaint(&path("none.txt")), format!("{} holds no shape", path("none.txt")));
        std::fs::write(path("bare.txt"), "XX.\r\n.XX\r\n").unwrap();
        std::fs::write(path("cells"), "0,0 1,0\n1,1 2,1\n").unwrap();
        assert_eq!(parse_shape(&path("bare.txt")).unwrap().name, "tippy");
        assert_eq!(parse_shape(&path("cells")).unwrap().name, "tippy");
        for (file, reason) in
            [("lost", "No such file"), ("long.txt", "is too long for a file of shapes"), ("lost.txt", "No such file")]
        {
            let error = format!("{:#}", parse_shape(&path(file)).unwrap_err());
            assert!(error.contains(&path(file)) && error.contains(reason), "{error}");
        }
    }
}
