//! Where the published claims are: `tablebases/sources.bib`.
//!
//! The file is BibTeX, for people and their papers; from it are read the keys and the fields that a list of sources shows.

use super::published::{self, Published};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use thiserror::Error;

static ALL: LazyLock<Vec<SourceEntry>> = LazyLock::new(|| {
    // The file is compiled in and a test reads it: a failure here cannot reach a user.
    read(include_str!("../../tablebases/sources.bib")).expect("the sources are well-formed")
});

/// A source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceEntry {
    /// What it is cited by.
    pub key: String,
    /// The entry as it stands in the file, with an end of line.
    pub bibtex: String,
    fields: BTreeMap<String, String>,
}

impl SourceEntry {
    /// A field without braces and accents of TeX, empty if it is not there.
    pub fn field(&self, name: &str) -> String {
        self.fields.get(name).map_or_else(String::new, |text| plain(text))
    }

    /// Who, what, where and when, in a line.
    pub fn text(&self) -> String {
        let place = ["journal", "school", "howpublished"].map(|name| self.field(name));
        let volume = Some(self.field("volume")).filter(|volume| !volume.is_empty());
        let place = place.into_iter().find(|place| !place.is_empty()).unwrap_or_default();
        let place = volume.map_or_else(|| place.clone(), |volume| format!("{place} {volume}"));
        let parts = [self.field("author"), self.field("title"), place, self.field("year")];
        let parts = parts.iter().map(|part| part.trim_end_matches('.')).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(". ")
    }

    /// The claims it is cited for.
    pub fn claims(&self) -> Vec<&'static Published> {
        published::all().iter().filter(|claim| claim.cite.contains(&self.key)).collect()
    }
}

/// All sources, in the order of the file.
pub fn all() -> &'static [SourceEntry] {
    &ALL
}

/// The source with a key.
pub fn find(key: &str) -> Option<&'static SourceEntry> {
    all().iter().find(|source| source.key.eq_ignore_ascii_case(key))
}

/// Why the file cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("sources.bib, line {line}: {mistake}")]
pub struct SourcesError {
    /// Where.
    pub line: usize,
    /// What.
    pub mistake: &'static str,
}

/// Reads the text of a BibTeX file, written as this one is: an entry begins with `@` and ends with `}` at the beginning of
/// a line, and each field has a line of its own.
fn read(text: &str) -> Result<Vec<SourceEntry>, SourcesError> {
    let mut sources: Vec<SourceEntry> = Vec::new();
    let mut inside = false;
    for (line, number) in text.lines().zip(1..) {
        let wrong = |mistake| SourcesError { line: number, mistake };
        match (inside, line.strip_prefix('@')) {
            (false, Some(begin)) => {
                let key = begin.split_once('{').and_then(|(_, key)| key.strip_suffix(','));
                let key = key.ok_or_else(|| wrong("an entry begins with @kind{key,"))?.to_owned();
                if sources.iter().any(|source| source.key == key) {
                    return Err(wrong("the key is taken"));
                }
                sources.push(SourceEntry { key, bibtex: format!("{line}\n"), fields: BTreeMap::new() });
                inside = true;
            }
            (false, None) if line.is_empty() || line.starts_with('%') => {}
            (false, None) => return Err(wrong("neither an entry nor a comment")),
            (true, Some(_)) => return Err(wrong("the entry before is not closed")),
            (true, None) => {
                let Some(source) = sources.last_mut() else { continue };
                source.bibtex.push_str(&format!("{line}\n"));
                inside = line != "}";
                if inside {
                    let (name, value) = line.split_once('=').ok_or_else(|| wrong("a field is name = {value},"))?;
                    source.fields.insert(name.trim().to_owned(), value.trim().trim_end_matches(',').to_owned());
                }
            }
        }
    }
    if inside {
        Err(SourcesError { line: text.lines().count(), mistake: "the entry is not closed" })
    } else {
        Ok(sources)
    }
}

/// The letters the file needs, written as TeX writes them.
const ACCENTS: [(&str, &str); 4] = [("{\\'a}", "á"), ("{\\'e}", "é"), ("{\\`a}", "à"), ("{\\\"o}", "ö")];

fn plain(text: &str) -> String {
    let accented = ACCENTS.iter().fold(text.to_owned(), |text, (tex, letter)| text.replace(tex, letter));
    accented.replace(['{', '}'], "").replace("--", "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_has_a_source_and_every_source_a_claim() {
        let sources = read(include_str!("../../tablebases/sources.bib")).unwrap();
        for claim in published::all() {
            assert!(!claim.cite.is_empty(), "{claim:?}");
            for key in &claim.cite {
                assert!(sources.iter().any(|source| source.key == *key), "no source {key}");
            }
        }
        for source in &sources {
            assert!(!source.claims().is_empty(), "{} is cited nowhere", source.key);
            let says = |name: &str| !source.field(name).is_empty();
            assert!(says("author") && (says("title") || says("note")), "{}", source.key);
            assert!(!source.text().contains(['{', '}', '\\']), "TeX is left in {}", source.text());
            assert_eq!(source.bibtex.matches('{').count(), source.bibtex.matches('}').count(), "{}", source.bibtex);
        }
        // The same words stand for the same sources all over the file.
        let mut meant: BTreeMap<&str, &Vec<String>> = BTreeMap::new();
        for claim in published::all() {
            assert_eq!(meant.entry(&claim.source).or_insert(&claim.cite), &&claim.cite);
        }
    }

    #[test]
    fn a_source_in_a_line() {
        assert_eq!(find("HARARY1982").unwrap().text(), "Harary, Frank. Achieving the Skinny Animal. Eureka 42. 1982");
        assert!(find("boucher2026").unwrap().text().contains("quantifiées (QBF)"));
        assert_eq!(find("nobody"), None);
    }

    #[test]
    fn mistakes_are_located() {
        for (text, line, mistake) in [
            ("@misc{a,\n}\n@misc{a,\n}\n", 3, "the key is taken"),
            ("@misc{a\n}\n", 1, "an entry begins with @kind{key,"),
            ("% fine\nwhat\n", 2, "neither an entry nor a comment"),
            ("@misc{a,\n@misc{b,\n}\n", 2, "the entry before is not closed"),
            ("@misc{a,\n  year 1982\n}\n", 2, "a field is name = {value},"),
            ("@misc{a,\n  year = {1982}\n", 2, "the entry is not closed"),
        ] {
            assert_eq!(read(text), Err(SourcesError { line, mistake }), "{text}");
        }
    }
}
