//! How every certificate begins: its header, and the names of the vertices for people.

use crate::game::Game;
use harary_certificate::model::Format;
use harary_certificate::{CertificateWriter, Header};
use std::io::{self, Write};

/// Writes the header of a certificate about `game`, and the remark with its names if they say more than numbers.
pub fn begin<W: Write>(out: W, game: &Game, header: &Header) -> io::Result<CertificateWriter<W>> {
    begin_in(Format::One, out, game, header)
}

/// The same for a certificate whose lines need this format.
pub fn begin_in<W: Write>(format: Format, out: W, game: &Game, header: &Header) -> io::Result<CertificateWriter<W>> {
    let mut writer = CertificateWriter::in_format(format, out, header)?;
    if let Some(names) = game.names() {
        writer.comment(&names.to_string())?;
    }
    Ok(writer)
}
