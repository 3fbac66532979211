//! `harary view`: a certificate as a page one can play against.

use super::console::Console;
use super::ending::Outcome;
use super::files;
use crate::game::description::certified_name;
use crate::views::page::Page;
use anyhow::Context;
use clap::Args;
use harary_certificate::whole_file;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Makes a page of a certificate, to play against it in a browser
///
/// The page is one file that needs no server and no network. The visitor plays the losing side with any move; every
/// answer comes from the certificate, which is checked first.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary view skinny-7x7.cert -o skinny.html\n  harary view hold.cert.zst -o hold.html\n  \
    harary view hex.cert --name \"Hex puzzle 3\" -o hex.html\n\n\
    Exit codes: 0 the page is written, 1 the certificate is refused, 2 it cannot be read, or wrong usage."
)]
pub struct View {
    /// The certificate, plain or zstd-compressed; `-` is standard input
    #[arg(value_name = "CERTIFICATE")]
    file: PathBuf,
    /// The page to write; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// What to call the shape, or a game that lies on no board; otherwise its name in the catalogue
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl View {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        files::check_output(&self.output, &[&self.file])?;
        let page = match Page::open(files::Hashed::open(&self.file)?) {
            Ok(page) => page,
            Err(refused) => {
                writeln!(console, "{}: refused: {}", self.file.display(), refused.to_string().trim_end())?;
                return Ok(Outcome::Refused);
            }
        };
        let header = page.accepted().header();
        let name = self.name.or_else(|| certified_name(header));
        if self.output == Path::new("-") {
            page.write(name.as_deref(), console)?;
            return Ok(Outcome::Done);
        }
        let mut bytes = Vec::new();
        page.write(name.as_deref(), &mut bytes)?;
        whole_file::write(&self.output, &bytes).with_context(|| format!("cannot write {}", self.output.display()))?;
        writeln!(console, "{}: {}", self.output.display(), page.accepted().sentence(name.as_deref()))?;
        Ok(Outcome::Done)
    }
}
