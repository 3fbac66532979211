//! Games that stand in files: `.pg`, and Q-sage's models with the domain they belong to.

use super::input;
use super::mistake::{OrUsage, UsageError};
use crate::game::ig::{self, Description, LONGEST_TEXT};
use crate::game::{Game, pg};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A game and what to call it.
#[derive(Clone, Debug)]
pub struct NamedGame {
    /// The catalogue's name of the shape, or its cells if it has none; the name of a `.pg` file without its folder.
    pub name: String,
    /// The game.
    pub game: Game,
    /// The turn by which Black has to win it, if the file says so and the game goes on.
    pub within: Option<usize>,
}

/// Reads a game of a file, whichever language it is written in; `-` is standard input.
pub fn any_game(path: &Path) -> anyhow::Result<NamedGame> {
    let mut bytes = Vec::new();
    let cannot = |error| UsageError(format!("cannot read {}: {error}", input::name(path)));
    input::open(path)?.take(LONGEST_TEXT.max(pg::MAX_BYTES) + 1).read_to_end(&mut bytes).map_err(cannot)?;
    match std::str::from_utf8(&bytes) {
        Ok(text) if Description::is_likely(text) => modelled(path, described(path, text)?, None),
        _ => {
            let game = pg::read(&input::name(path), &bytes[..]).usage()?;
            Ok(NamedGame { name: title(path), game, within: None })
        }
    }
}

/// Reads a model: its instance, and its domain where it does not lie beside it; in either order.
pub fn model(paths: &[PathBuf]) -> anyhow::Result<NamedGame> {
    let mut parts = Vec::new();
    for path in paths {
        let text = input::read_text(path, LONGEST_TEXT, "a model")?;
        if !Description::is_likely(&text) && paths.len() == 1 {
            let game = pg::read(&input::name(path), text.as_bytes());
            let advice = if game.is_ok() {
                "it is a .pg file: write --pg"
            } else {
                "it has neither #boardsize nor #blackactions"
            };
            return Err(UsageError(format!("{} is no model of Q-sage's language; {advice}", input::name(path))).into());
        }
        parts.push((path.as_path(), described(path, &text)?));
    }
    parts.sort_by_key(|(_, part)| part.board.is_none());
    let mut parts = parts.into_iter();
    match (parts.next(), parts.next()) {
        (Some((_, one)), Some((other, second))) if one.board.is_some() == second.board.is_some() => {
            let what = if one.board.is_some() { "instances" } else { "domains" };
            Err(UsageError(format!("{} and {} are both {what}; a model is one of each", one.file, input::name(other)))
                .into())
        }
        (Some((path, instance)), domain) => modelled(path, instance, domain.map(|(_, domain)| domain)),
        (None, _) => Err(UsageError("a model needs a file".to_owned()).into()),
    }
}

fn described(path: &Path, text: &str) -> anyhow::Result<Description> {
    Description::read(&input::name(path), text).usage()
}

/// The game of an instance and its domain, which is looked for if it is not given.
fn modelled(path: &Path, instance: Description, domain: Option<Description>) -> anyhow::Result<NamedGame> {
    let has_actions = instance.black_actions.is_some() || instance.white_actions.is_some();
    let domain = match domain {
        Some(domain) => domain,
        None if has_actions => instance.clone(),
        None => {
            let found = beside(path).ok_or_else(|| {
                let name = input::name(path);
                UsageError(format!(
                    "{name} has no actions, and no domain lies beside it (domain.ig); write --ig {name} DOMAIN"
                ))
            })?;
            described(&found, &input::read_text(&found, LONGEST_TEXT, "a domain")?)?
        }
    };
    let found = ig::game(&domain, &instance).map_err(|error| {
        let falls = error.mistake.contains("NOT(open(?x,?y+1))");
        let advice = if falls { "; stones that fall: 'harary neighbours connect --ig FILE'" } else { "" };
        UsageError(format!("{error}{advice}"))
    })?;
    Ok(NamedGame { name: title(path), game: found.game, within: found.within })
}

/// The domain in the folder of an instance: `httt-domain.ig` for `httt-3x3_5_el.ig`, otherwise `domain.ig`.
fn beside(path: &Path) -> Option<PathBuf> {
    if input::is_dash(path) {
        return None;
    }
    let name = path.file_name()?.to_string_lossy();
    let starts = name.match_indices(['-', '_']).map(|(at, _)| format!("{}-domain.ig", &name[..at]));
    let mut names: Vec<String> = starts.collect();
    names.reverse();
    names.push("domain.ig".to_owned());
    names.into_iter().map(|name| path.with_file_name(name)).find(|path| path.is_file())
}

/// What to call the game of a file.
fn title(path: &Path) -> String {
    match input::is_dash(path) {
        true => input::name(path),
        false => path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
    }
}
