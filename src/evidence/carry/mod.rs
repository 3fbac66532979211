//! Certificates carried from one game to another: the laws between games ([lemma 9](../../../docs/game.md#lemma-9-laws-between-games))
//! as proofs.
//!
//! | from | to | how |
//! |---|---|---|
//! | a game | the same board, another rule or shape | the same text with another header; positions that end earlier are left out |
//! | a win on a plain board | the weak game on a larger board or a torus | the strategy as cards, see [`win`] |
//! | a weak hold | the weak game on a smaller plain board | the blocks cut down to it, see [`hold`] |
//!
//! What comes out is evidence like any other: the checker decides whether it proves anything of the other game.

mod carried;
mod hold;
mod win;

pub use carried::{Carried, NotCarried};

use crate::game::Game;
use carried::completion;
use harary_certificate::model::Then;
use harary_certificate::playbook::{Playbook, Turn};
use harary_certificate::{Board, CertificateWriter, Claim, Header, Player, Setting, rules};
use std::io::{self, Read, Write};

/// Longer certificates are not carried.
const LONGEST: u64 = 1 << 30;

/// Carries an accepted certificate, given by its text, to the game `to`.
pub fn carry(certificate: &mut impl Read, to: &Game) -> Result<Carried, NotCarried> {
    let mut text = Vec::new();
    certificate.take(LONGEST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(NotCarried::Form("the certificate to be carried is too long"));
    }
    let playbook = Playbook::open(&text[..])?;
    let header = playbook.header();
    let (Setting::Board { board, .. }, Some((shape, target))) = (&header.setting, to.shape_on_board()) else {
        return Err(NotCarried::Form("only shapes on boards have laws"));
    };
    let fits = |small: &Board, large: &Board| small.width() <= large.width() && small.height() <= large.height();
    match header.claim {
        claim if board == target && claim.last().is_none() => {
            Ok(Carried { claim, text: with_header(&text, to, claim)?, first_move: None })
        }
        Claim::Win(turn) if board == target => same_board(&playbook, &text, to, turn),
        Claim::Win(_) if !board.is_torus() && fits(board, target) => win::on_larger_board(&playbook, board, shape, to),
        Claim::Hold(None) if !target.is_torus() && fits(target, board) => {
            hold::on_smaller_board(&playbook, board, target, to)
        }
        _ => Err(NotCarried::NoLaw(header.sentence(None), to.header(header.claim, false, None).sentence(None))),
    }
}

/// The text with the header lines of another game.
pub fn with_header(text: &[u8], to: &Game, claim: Claim) -> io::Result<Vec<u8>> {
    let asked = to.header(claim, false, None);
    let Setting::Board { shape, board } = &asked.setting else { return Ok(text.to_vec()) };
    let mut out = Vec::with_capacity(text.len() + 64);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match line.split(|&byte| byte == b' ').next() {
            Some(b"game") => writeln!(out, "game {board} {shape}")?,
            Some(b"rule") => writeln!(out, "rule {}", asked.rule)?,
            _ => out.extend_from_slice(line),
        }
    }
    Ok(out)
}

/// A win on the same board. By nodes: the text. By positions: those in which Black cannot complete the new shape at once,
/// since a certificate has no line for the others.
fn same_board(playbook: &Playbook, text: &[u8], to: &Game, turn: usize) -> Result<Carried, NotCarried> {
    let claim = Claim::Win(turn);
    let first_move = match playbook.turn(&playbook.start()) {
        Turn::Plays(_, cell, _) => Some(cell),
        _ => None,
    };
    if playbook.proof().root().is_some() || playbook.header().cover.is_some() {
        return Ok(Carried { claim, text: with_header(text, to, claim)?, first_move });
    }
    let header = Header { symmetry: playbook.header().symmetry.clone(), ..to.header(claim, false, None) };
    let Setting::Board { shape, board } = &header.setting else { return Err(NotCarried::Form("no board")) };
    let sets = rules::winning_sets(shape, board);
    let mut steps: Vec<_> = playbook.proof().steps().collect();
    steps.sort_unstable_by_key(|(at, _)| (at.stones.len(), **at));
    let mut text = Vec::new();
    let mut writer = CertificateWriter::new(&mut text, &header)?;
    for (at, then) in steps {
        let (black, white) = (at.stones.of(Player::Black), at.stones.of(Player::White));
        if let Then::Play(cell) = then
            && completion(&sets, black, white).is_none()
            && !sets.iter().any(|set| set.is_subset(&black))
        {
            writer.p(&black, &white, 0, cell)?;
        }
    }
    Ok(Carried { claim, text, first_move })
}
