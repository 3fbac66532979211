//! The lines a user types: edited on a terminal, with those typed before at hand; read as they come elsewhere.

use super::console::Console;
use anyhow::Context;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Editor, Helper};
use std::io::{BufRead, IsTerminal, Read, StdinLock, Write};

/// A longer line is no command, and is cut.
const LONGEST_LINE: u64 = 4096;

/// Where lines come from.
pub enum Typed {
    /// A terminal: arrows move in the line and through the lines before it, Tab completes.
    Terminal(Box<Editor<Words, MemHistory>>),
    /// A file or a pipe.
    Plain(StdinLock<'static>),
}

/// What Tab completes to.
pub struct Words(Vec<String>);

impl Typed {
    /// Standard input. `words` are what Tab completes to.
    pub fn new(words: Vec<String>) -> Typed {
        if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
            let config = Config::builder().auto_add_history(true).build();
            if let Ok(mut editor) = Editor::with_history(config, MemHistory::new()) {
                editor.set_helper(Some(Words(words)));
                return Typed::Terminal(Box::new(editor));
            }
        }
        Typed::Plain(std::io::stdin().lock())
    }

    /// Whether somebody sits there.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Typed::Terminal(_))
    }

    /// Other words from now on.
    pub fn complete_to(&mut self, words: Vec<String>) {
        if let Typed::Terminal(editor) = self {
            editor.set_helper(Some(Words(words)));
        }
    }

    /// The next line, whatever bytes it has; `None` at the end.
    pub fn next(&mut self, prompt: &str, console: &mut Console) -> anyhow::Result<Option<String>> {
        console.flush()?;
        match self {
            Typed::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(Some(line.trim().to_owned())),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(error).context("cannot read what you type"),
            },
            Typed::Plain(input) => {
                let mut bytes = Vec::new();
                let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
                let read = read.context("cannot read what you type")?;
                Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
            }
        }
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, candidates(&self.0, &line[..cursor])))
    }
}

/// The words that begin so.
fn candidates(words: &[String], begun: &str) -> Vec<String> {
    let begins = |word: &&String| word.get(..begun.len()).is_some_and(|start| start.eq_ignore_ascii_case(begun));
    words.iter().filter(begins).cloned().collect()
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_completed_whatever_their_case() {
        let words = ["a1", "a10", "b2", "save", "ä1"].map(str::to_owned);
        assert_eq!(candidates(&words, "A1"), ["a1", "a10"]);
        assert_eq!(candidates(&words, "s"), ["save"]);
        assert_eq!(candidates(&words, "").len(), 5);
        assert!(candidates(&words, "é").is_empty() && candidates(&words, "a1 ").is_empty());
    }
}
