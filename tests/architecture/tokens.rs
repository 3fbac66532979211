//! Rust source as a list of words: comments gone, each string literal one word, test code left out on request.

use std::iter::Peekable;
use std::str::Chars;

/// A word of the source and the line it begins on, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

/// The words of a source file.
pub fn tokens(source: &str) -> Vec<Token> {
    let mut lexer = Lexer { rest: source.chars().peekable(), line: 1 };
    std::iter::from_fn(|| lexer.token()).collect()
}

struct Lexer<'a> {
    rest: Peekable<Chars<'a>>,
    line: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    /// The character `n` places ahead, 0 being the next one.
    fn ahead(&self, n: usize) -> Option<char> {
        self.rest.clone().nth(n)
    }

    fn token(&mut self) -> Option<Token> {
        loop {
            match (self.ahead(0)?, self.ahead(1)) {
                (c, _) if c.is_whitespace() => drop(self.next()),
                ('/', Some('/')) => while self.next()? != '\n' {},
                ('/', Some('*')) => self.block_comment()?,
                _ => break,
            }
        }
        let line = self.line;
        let mut text = String::from(self.next()?);
        match text.as_bytes()[0] {
            b'"' => self.string(&mut text)?,
            b'\'' => self.quote(&mut text)?,
            b':' if self.rest.peek() == Some(&':') => text.extend(self.next()),
            first if first.is_ascii_alphanumeric() || first == b'_' => {
                self.word(&mut text);
                match (text.as_str(), self.rest.peek()) {
                    ("r" | "br" | "cr", Some('"' | '#')) => self.raw(&mut text)?,
                    ("b" | "c", Some('"')) => {
                        text.extend(self.next());
                        self.string(&mut text)?;
                    }
                    ("b", Some('\'')) => {
                        text.extend(self.next());
                        self.quote(&mut text)?;
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Some(Token { text, line })
    }

    fn word(&mut self, text: &mut String) {
        while self.rest.peek().is_some_and(|c| c.is_alphanumeric() || *c == '_') {
            text.extend(self.next());
        }
    }

    fn block_comment(&mut self) -> Option<()> {
        let mut depth = 0;
        loop {
            match (self.next()?, self.rest.peek()) {
                ('/', Some('*')) => depth += 1,
                ('*', Some('/')) => depth -= 1,
                _ => continue,
            }
            self.next();
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// A string after its opening quote.
    fn string(&mut self, text: &mut String) -> Option<()> {
        loop {
            let c = self.next()?;
            text.push(c);
            match c {
                '"' => return Some(()),
                '\\' => text.extend(self.next()),
                _ => {}
            }
        }
    }

    /// A raw string after its `r`, or a raw name (`r#type`).
    fn raw(&mut self, text: &mut String) -> Option<()> {
        let mut hashes = 0;
        while self.rest.peek() == Some(&'#') {
            text.extend(self.next());
            hashes += 1;
        }
        if self.rest.peek() != Some(&'"') {
            self.word(text);
            return Some(());
        }
        text.extend(self.next());
        let end = format!("\"{}", "#".repeat(hashes));
        let start = text.len();
        while !text[start..].ends_with(&end) {
            text.push(self.next()?);
        }
        Some(())
    }

    /// A character literal, or a lifetime, after its quote.
    fn quote(&mut self, text: &mut String) -> Option<()> {
        if self.rest.peek() == Some(&'\\') {
            text.extend(self.next());
            text.extend(self.next());
        } else if self.ahead(1) != Some('\'') {
            self.word(text);
            return Some(());
        }
        while !text[1..].ends_with('\'') || text.ends_with("\\'") && text.len() == 3 {
            text.push(self.next()?);
        }
        Some(())
    }
}

/// The words without the items marked `#[cfg(test)]`, and the names of the files that are such items (`mod scene;`).
pub fn without_tests(tokens: Vec<Token>) -> (Vec<Token>, Vec<String>) {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut test_files) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let marked =
            MARK.iter().enumerate().all(|(i, word)| tokens.get(at + i).is_some_and(|token| token.text == *word));
        if !marked {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += MARK.len();
        let end = end_of_item(&tokens, at);
        let item: Vec<&str> = tokens[at..end].iter().map(|token| token.text.as_str()).collect();
        if let [.., "mod", name, ";"] = item[..] {
            test_files.push(name.to_owned());
        }
        at = end;
    }
    (kept, test_files)
}

/// One past the last word of the item that begins at `start`: its `;`, or the bracket that closes its body.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth -= 1,
            "}" if depth == 1 => return at + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}
