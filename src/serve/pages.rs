//! The pages and what they are made of. Everything is part of the program; nothing comes from elsewhere.

use crate::atlas::compare::{self, Asked};
use crate::atlas::key::GameKey;
use crate::atlas::published::{self, Published};
use crate::atlas::sheet::escape;
use crate::atlas::{Tablebase, tables};
use crate::qbf::published::PublishedSizes;
use crate::views::page::{COLOURS, PARTS_SCRIPT, PARTS_STYLE, PLAYER, fill};
use crate::views::site::{self, Site};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

const FRAME: &str = include_str!("page/frame.html");
const STUDIO: &str = include_str!("page/studio.html");
const HOUSE_STYLE: &str = include_str!("page/house.css");
const STUDIO_STYLE: &str = include_str!("page/studio.css");
/// In this order: each file uses those before it.
const STUDIO_SCRIPTS: [&str; 6] = [
    include_str!("page/server.js"),
    include_str!("page/drawing.js"),
    include_str!("page/position.js"),
    include_str!("page/progress.js"),
    include_str!("page/proof.js"),
    include_str!("page/studio.js"),
];

/// A page or a part of one, by its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asset {
    /// The studio.
    Studio,
    /// What it looks like.
    StudioStyle,
    /// What it does.
    StudioScript,
    /// The atlas with its filters.
    Atlas,
    /// What it looks like.
    AtlasStyle,
    /// What it does.
    AtlasScript,
    /// Where the published tables are wrong.
    Errata,
    /// What is open, and how to help.
    Open,
    /// What lists look like.
    ListStyle,
    /// The picture in the browser's tab.
    Icon,
}

impl Asset {
    /// All there are, with their addresses.
    pub const ALL: [(&'static str, Asset); 10] = [
        ("/", Asset::Studio),
        ("/studio.css", Asset::StudioStyle),
        ("/studio.js", Asset::StudioScript),
        ("/atlas", Asset::Atlas),
        ("/atlas.css", Asset::AtlasStyle),
        ("/atlas.js", Asset::AtlasScript),
        ("/errata", Asset::Errata),
        ("/open", Asset::Open),
        ("/list.css", Asset::ListStyle),
        ("/icon.svg", Asset::Icon),
    ];

    /// What it is.
    pub fn media(self) -> &'static str {
        match self {
            Asset::Studio | Asset::Atlas | Asset::Errata | Asset::Open => "text/html; charset=utf-8",
            Asset::StudioStyle | Asset::AtlasStyle | Asset::ListStyle => "text/css; charset=utf-8",
            Asset::StudioScript | Asset::AtlasScript => "text/javascript; charset=utf-8",
            Asset::Icon => "image/svg+xml",
        }
    }

    /// Its text.
    pub fn text(self) -> io::Result<String> {
        let strict = |scripts: &[&str]| format!("\"use strict\";\n{{\n{}}}\n", scripts.concat());
        match self {
            Asset::Studio => {
                let mut body = Vec::new();
                fill(STUDIO, &[("<!--player-->", PLAYER.to_owned())], &mut body)?;
                let body = String::from_utf8(body).map_err(io::Error::other)?;
                page("Studio", "/studio.css", Some("/studio.js"), body)
            }
            Asset::StudioStyle => Ok([COLOURS, PARTS_STYLE, HOUSE_STYLE, STUDIO_STYLE].concat()),
            Asset::StudioScript => Ok(strict(&[PARTS_SCRIPT, &STUDIO_SCRIPTS].concat())),
            Asset::Atlas => {
                let files = BTreeMap::new();
                let site = Site::new(Tablebase::shipped(), &files).linked(link);
                page("Atlas", "/atlas.css", Some("/atlas.js"), site.body()?)
            }
            Asset::AtlasStyle => Ok([COLOURS, site::STYLE, HOUSE_STYLE].concat()),
            Asset::AtlasScript => Ok(strict(&[site::SCRIPT])),
            Asset::Errata => page("Errata", "/list.css", None, errata()),
            Asset::Open => page("Open games", "/list.css", None, open()),
            Asset::ListStyle => Ok([COLOURS, PARTS_STYLE, HOUSE_STYLE].concat()),
            Asset::Icon => Ok(include_str!("page/icon.svg").to_owned()),
        }
    }
}

/// A page in the frame they all have.
fn page(title: &str, style: &str, script: Option<&str>, body: String) -> io::Result<String> {
    let script = script.map_or(String::new(), |address| format!("<script src=\"{address}\" defer></script>"));
    let style = format!("<link rel=\"stylesheet\" href=\"{style}\">");
    let mark = |name: &str, address: &str| {
        let current = if name == title { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"{address}\"{current}>{name}</a>\n")
    };
    let ways = [("Studio", "/"), ("Atlas", "/atlas"), ("Errata", "/errata"), ("Open games", "/open")];
    let parts = [
        ("<!--title-->", title.to_owned()),
        ("<!--style-->", style),
        ("<!--script-->", script),
        ("<!--ways-->", ways.iter().map(|(name, address)| mark(name, address)).collect()),
        ("<!--body-->", body),
        ("<!--version-->", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    let mut text = Vec::new();
    fill(FRAME, &parts, &mut text)?;
    String::from_utf8(text).map_err(io::Error::other)
}

/// The address at which the studio has a game ready.
fn link(key: &GameKey) -> String {
    // In a query a plus is a blank.
    let target = key.name().replace(' ', "_").replace('+', "%2B");
    format!("/?target={target}&board={}&family={}&rule={}", key.board().sides(), key.board().topology(), key.rule())
}

fn errata() -> String {
    let formulas = PublishedSizes::default();
    let counted = |claim: &Published| formulas.count(claim);
    let asked = || Asked { pavings: &|_, _| None, counted: &counted };
    let rows: Vec<_> =
        published::all().iter().map(|claim| compare::compare(claim, Tablebase::shipped(), asked())).collect();
    let sheet = tables::errata_sheet(&rows);
    format!(
        "<main class=\"list errata\">\n<h1>{}</h1>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Errata\">{}</div></main>\n",
        escape(&sheet.title),
        sheet.html_body()
    )
}

fn open() -> String {
    let open: Vec<_> = Tablebase::shipped().entries().filter(|entry| entry.is_open()).collect();
    let mut text = format!(
        "<main class=\"list\">\n<h1>Open games</h1>\n<p>{} games of the atlas lack a winner or a least turn. Help settle one: \
         open it here and let your machine search, or run the command. Every verdict is checked before it counts, so \
         nobody has to be believed.</p>\n<ol class=\"games\">\n",
        open.len()
    );
    for entry in open {
        let what = if entry.finding.is_settled() { "the least turn is open" } else { "who wins is open" };
        let _ = writeln!(
            text,
            "<li><h2>{}</h2><p>{what}; {}</p><p class=\"help\"><a class=\"button\" href=\"{}\">Help settle it</a> \
             <code>{}</code></p></li>",
            escape(&entry.key.to_string()),
            escape(&entry.how_far()),
            escape(&link(&entry.key)),
            escape(&entry.command_to_go_on())
        );
    }
    text + "</ol>\n</main>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_ask_for_nothing_from_elsewhere_and_have_no_script_inside() {
        for (address, asset) in Asset::ALL {
            let text = asset.text().unwrap();
            let known = text.replace("http://www.w3.org/2000/svg", "");
            for word in ["http://", "https://", "@import", "<style", "<!--", " onclick", "javascript:"] {
                assert!(!known.contains(word), "{address}: {word}");
            }
            // Scripts are files of their own, so that the header can forbid all others.
            assert_eq!(text.matches("<script").count(), text.matches("<script src=\"/").count(), "{address}");
        }
    }

    #[test]
    fn every_open_game_has_a_link_and_a_command() {
        let text = open();
        let games = Tablebase::shipped().entries().filter(|entry| entry.is_open()).count();
        assert!(games > 0);
        assert_eq!(
            (text.matches("<code>harary solve ").count(), text.matches("href=\"/?target=").count()),
            (games, games)
        );
        assert!(errata().contains("<td>skinny"), "the first of all errata");
    }
}
