//! Where a subcommand writes, and what is known about the reader.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// Standard output, buffered. A long computation should `flush` what it has to say.
pub struct Console {
    out: BufWriter<StdoutLock<'static>>,
    color: bool,
    width: Option<usize>,
}

impl Console {
    pub fn new(color: Color) -> Console {
        let terminal = io::stdout().is_terminal();
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Console {
            out: BufWriter::new(io::stdout().lock()),
            color: match color {
                Color::Auto => terminal && !unwanted,
                Color::Always => true,
                Color::Never => false,
            },
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
