//! Where a subcommand writes, and what is known about the reader.

use std::ffi::OsStr;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Whether to use colour, given the environment variables NO_COLOR and TERM.
    fn is_wanted(self, terminal: bool, no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb"),
        }
    }
}

/// Standard output, buffered. A long computation should `flush` what it has to say.
pub struct Console {
    out: BufWriter<StdoutLock<'static>>,
    color: bool,
    width: Option<usize>,
}

impl Console {
    /// Standard output, buffered, with colour or without.
    pub fn new(color: Color) -> Console {
        let terminal = io::stdout().is_terminal();
        let variable = |name| std::env::var_os(name);
        Console {
            out: BufWriter::new(io::stdout().lock()),
            color: color.is_wanted(terminal, variable("NO_COLOR").as_deref(), variable("TERM").as_deref()),
            width: terminal.then(terminal_size::terminal_size).flatten().map(|(columns, _)| columns.0.into()),
        }
    }

    /// Whether to write colours.
    pub fn color(&self) -> bool {
        self.color
    }

    /// How many columns a line may have: those of the terminal, or 80 in a file or a pipe, where the layout is to be
    /// the same every time.
    pub fn page_width(&self) -> usize {
        self.width.unwrap_or(80)
    }
}

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_wanted_on_terminals_unless_somebody_objects() {
        let (yes, empty, xterm, dumb) = (OsStr::new("1"), OsStr::new(""), OsStr::new("xterm"), OsStr::new("dumb"));
        for (color, terminal, no_color, term, wanted) in [
            (Color::Auto, true, None, Some(xterm), true),
            (Color::Auto, true, None, None, true),
            (Color::Auto, false, None, Some(xterm), false),
            (Color::Auto, true, Some(yes), Some(xterm), false),
            (Color::Auto, true, Some(empty), Some(xterm), true),
            (Color::Auto, true, None, Some(dumb), false),
            (Color::Always, false, Some(yes), Some(dumb), true),
            (Color::Never, true, None, Some(xterm), false),
        ] {
            assert_eq!(color.is_wanted(terminal, no_color, term), wanted, "{color:?} {terminal} {no_color:?} {term:?}");
        }
    }
}
