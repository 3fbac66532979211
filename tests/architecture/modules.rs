//! Which file uses which: the paths of every file, followed through `use` and `pub use` to the file that has the thing.

use super::tokens::{Token, tokens, without_tests};
use std::collections::{BTreeMap, BTreeSet};

/// A source file: which crate it belongs to, its place in the module tree, and where it lies.
#[derive(Debug)]
pub struct Source {
    pub krate: String,
    pub module: Vec<String>,
    pub path: String,
    pub text: String,
}

/// One file uses another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The line of `from`, and the path as it stands there.
    pub line: usize,
    pub path: String,
}

/// A name brought in by `use`: `use a::b as c` is the name `c` for the path `a::b`.
#[derive(Debug)]
struct Import {
    name: String,
    path: Vec<String>,
    line: usize,
    public: bool,
}

#[derive(Debug, Default)]
struct Names {
    imports: Vec<Import>,
    /// Paths of two words and more that stand elsewhere than in a `use`.
    paths: Vec<(Vec<String>, usize)>,
    /// Every word outside the `use` lines.
    words: BTreeSet<String>,
    /// What the file itself defines.
    items: BTreeSet<String>,
    test_files: Vec<String>,
}

/// The files of a program and what each says.
pub struct Modules {
    pub sources: Vec<Source>,
    names: Vec<Names>,
    by_module: BTreeMap<(String, Vec<String>), usize>,
}

impl Modules {
    /// Reads the files; those that are compiled for tests only are left out.
    pub fn new(sources: Vec<Source>) -> Modules {
        let read: Vec<(Source, Names)> = sources
            .into_iter()
            .map(|source| {
                let names = read_names(&source.text);
                (source, names)
            })
            .collect();
        let tests: BTreeSet<(String, Vec<String>)> = read
            .iter()
            .flat_map(|(source, names)| {
                names.test_files.iter().map(|file| (source.krate.clone(), child(&source.module, file)))
            })
            .collect();
        let (sources, names): (Vec<Source>, Vec<Names>) = read
            .into_iter()
            .filter(|(source, _)| !tests.contains(&(source.krate.clone(), source.module.clone())))
            .unzip();
        let by_module = sources.iter().enumerate().map(|(i, s)| ((s.krate.clone(), s.module.clone()), i)).collect();
        Modules { sources, names, by_module }
    }

    /// Every use of one file by another, once a pair, in order.
    ///
    /// That a parent re-exports from its child is no use of it, unless the parent speaks the name itself.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = BTreeMap::new();
        for from in 0..self.sources.len() {
            let names = &self.names[from];
            let imports = names
                .imports
                .iter()
                .filter(|import| !import.public || names.words.contains(&import.name))
                .map(|import| (&import.path, import.line));
            for (path, line) in imports.chain(names.paths.iter().map(|(path, line)| (path, *line))) {
                if let Some(to) = self.resolve(from, path, 0)
                    && to != from
                {
                    edges.entry((from, to)).or_insert_with(|| Edge { from, to, line, path: path.join("::") });
                }
            }
        }
        edges.into_values().collect()
    }

    /// The file that has what `path` names when it stands in file `from`; nothing for what is not ours.
    fn resolve(&self, from: usize, path: &[String], depth: usize) -> Option<usize> {
        let source = &self.sources[from];
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.walk(self.file(&source.krate, &[])?, rest, depth),
            "self" => self.walk(from, rest, depth),
            "super" => {
                let (_, parent) = source.module.split_last()?;
                let parent = self.file(&source.krate, parent)?;
                match rest.first().map(String::as_str) {
                    Some("super") => self.resolve(parent, rest, depth),
                    _ => self.walk(parent, rest, depth),
                }
            }
            name if self.has(from, name) => self.walk(from, path, depth),
            name => self.walk(self.file(name, &[])?, rest, depth),
        }
    }

    /// Follows `path` downwards from the module of file `at`.
    fn walk(&self, mut at: usize, path: &[String], depth: usize) -> Option<usize> {
        let mut path = path;
        while let Some((name, rest)) = path.split_first() {
            let source = &self.sources[at];
            if let Some(below) = self.file(&source.krate, &child(&source.module, name)) {
                (at, path) = (below, rest);
                continue;
            }
            // A circle of re-exports would not compile; the bound is for sources that do not.
            if depth > 20 {
                return None;
            }
            let names = &self.names[at];
            if let Some(import) = names.imports.iter().find(|import| import.name == *name && import.path != path) {
                let full: Vec<String> = import.path.iter().chain(rest).cloned().collect();
                return self.resolve(at, &full, depth + 1).or(Some(at));
            }
            if names.items.contains(name) {
                return Some(at);
            }
            let globs = names.imports.iter().filter(|import| import.name == "*");
            let from_glob =
                globs.filter_map(|import| self.resolve(at, &import.path[..import.path.len() - 1], depth + 1));
            return from_glob.into_iter().find(|file| self.names[*file].items.contains(name)).or(Some(at));
        }
        Some(at)
    }

    /// Whether `name` means something of ours in file `at`.
    fn has(&self, at: usize, name: &str) -> bool {
        let source = &self.sources[at];
        self.file(&source.krate, &child(&source.module, name)).is_some()
            || self.names[at]
                .imports
                .iter()
                .any(|import| import.name == name && import.path.first().is_some_and(|first| first != name))
    }

    fn file(&self, krate: &str, module: &[String]) -> Option<usize> {
        self.by_module.get(&(krate.to_owned(), module.to_vec())).copied()
    }
}

fn child(module: &[String], name: &str) -> Vec<String> {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

fn read_names(text: &str) -> Names {
    let (tokens, test_files) = without_tests(tokens(text));
    let mut names = Names { test_files, ..Names::default() };
    let text = |at: usize| tokens.get(at).map_or("", |token: &Token| token.text.as_str());
    let mut at = 0;
    while at < tokens.len() {
        let line = tokens[at].line;
        match text(at) {
            "use" if text(at + 1) != "<" => {
                let public = at > 0 && matches!(text(at - 1), "pub" | ")");
                at += 1;
                while matches!(text(at), "::") {
                    at += 1;
                }
                use_tree(&tokens, &mut at, &mut Vec::new(), &mut |name, path| {
                    names.imports.push(Import { name, path, line, public });
                });
            }
            "const" if text(at + 1) == "fn" => at += 1,
            "struct" | "enum" | "fn" | "trait" | "type" | "const" | "static" | "mod" => {
                names.items.insert(text(at + 1).to_owned());
                at += 2;
            }
            word if is_word(word) => {
                let start = at;
                let mut path = vec![word.to_owned()];
                while text(at + 1) == "::" && is_word(text(at + 2)) {
                    path.push(text(at + 2).to_owned());
                    at += 2;
                }
                at += 1;
                if start > 0 && matches!(text(start - 1), "." | "::") {
                    continue;
                }
                names.words.insert(word.to_owned());
                if path.len() > 1 {
                    names.paths.push((path, line));
                }
            }
            _ => at += 1,
        }
    }
    names
}

/// Reads `a::b::{c, d as e, f::*}` and calls `found` with each name and its path; stops at what ends it.
fn use_tree(tokens: &[Token], at: &mut usize, prefix: &mut Vec<String>, found: &mut impl FnMut(String, Vec<String>)) {
    let mut name = None;
    while let Some(token) = tokens.get(*at) {
        match token.text.as_str() {
            "{" => {
                *at += 1;
                while tokens.get(*at).is_some_and(|token| !matches!(token.text.as_str(), "}" | ";")) {
                    use_tree(tokens, at, &mut prefix.clone(), found);
                    if tokens.get(*at).is_some_and(|token| token.text == ",") {
                        *at += 1;
                    }
                }
                *at += 1;
                return;
            }
            "," | "}" | ";" => break,
            "::" => *at += 1,
            "as" => {
                name = tokens.get(*at + 1).map(|token| token.text.clone());
                *at += 2;
            }
            "self" if !prefix.is_empty() => *at += 1,
            word => {
                prefix.push(word.to_owned());
                *at += 1;
            }
        }
    }
    if let Some(last) = prefix.last() {
        found(name.unwrap_or_else(|| last.clone()), prefix.clone());
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !text.contains(['"', '\''])
}
