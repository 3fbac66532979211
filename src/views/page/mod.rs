//! A certificate as one page for a browser: the visitor plays the losing side against it.
//!
//! The page needs no server and no network. Its parts are the files beside this one, put together here; what it knows
//! of the game comes from the [proof](crate::proof) reader, after the [`checker`] has accepted it. The
//! header travels as JSON, positions and nodes as packed tables, so that a certificate of 20 MB makes a page
//! of a few, opened in a second or two.

mod table;

use ahash::AHashMap;
use harary_certificate::{
    Cell, Claim, Header, Proved, Refused, Setting, WIDE, WideSet,
    checker::{self, Checker},
    model::{Answer, Kind, Position, Root, Step, Then},
};
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use table::{Table, bytes_for};

/// The frame of the page; what takes the place of its markers is named in [`Page::write`].
const FRAME: &str = include_str!("page.html");
/// What all pages of ours look like.
pub(crate) const COLOURS: &str = include_str!("colours.css");
const STYLE: &str = include_str!("page.css");
/// In this order: each file uses those before it.
const SCRIPTS: [&str; 6] = [
    include_str!("table.js"),
    include_str!("game.js"),
    include_str!("strategy.js"),
    include_str!("reason.js"),
    include_str!("board.js"),
    include_str!("page.js"),
];

/// An accepted certificate, ready to be written as a page.
pub struct Page {
    accepted: Proved,
    rules: Checker<WIDE>,
}

impl Page {
    /// Reads a certificate and checks it; of a bad one no page is made.
    pub fn open(input: impl Read) -> Result<Page, Refused> {
        let (accepted, rules) = checker::check_and_keep(input)?;
        Ok(Page { accepted, rules })
    }

    pub fn accepted(&self) -> &Proved {
        &self.accepted
    }

    /// Writes the page. The name is that of the shape, or of a game that lies on no board.
    pub fn write(&self, name: Option<&str>, out: &mut impl Write) -> io::Result<()> {
        let title = self.accepted.header().sentence(name);
        let (tables, sizes) = self.tables();
        let mut facts = self.facts(name);
        facts["sentence"] = title.as_str().into();
        facts["tables"] = sizes;
        let parts = [
            ("<!--title-->", escaped(&title)),
            ("<!--style-->", [COLOURS, STYLE].concat()),
            ("<!--facts-->", facts.to_string().replace('<', "\\u003c")),
            ("<!--tables-->", tables),
            ("<!--script-->", SCRIPTS.concat()),
        ];
        fill(FRAME, &parts, out)
    }

    /// The header, and what was checked.
    fn facts(&self, name: Option<&str>) -> Value {
        let Header { setting, vertices, start, first, rule, turns, claim, symmetric, cover } = &self.accepted.header();
        let (claim, last) = match claim {
            Claim::Win(turn) => ("win", Some(turn)),
            Claim::Hold(turn) => ("hold", turn.as_ref()),
        };
        let mut facts = json!({
            "name": name,
            "vertices": vertices,
            "start": start.map(|set| set.to_string()),
            "first": first.unwrap_or_else(|| WideSet::first_cells(*vertices) - start[0] - start[1]).to_string(),
            "rule": rule,
            "turns": turns.letters(),
            "claim": claim,
            "last": last,
            "symmetric": symmetric,
            "cover": cover.map(|cover| cover.to_string()),
            "lines": self.accepted.lines(),
            "positions": self.accepted.positions(),
            "nodes": self.accepted.nodes(),
            "version": env!("CARGO_PKG_VERSION"),
        });
        match setting {
            Setting::Board { shape, board } => {
                facts["board"] = json!({
                    "width": board.width(), "height": board.height(), "torus": board.is_torus(),
                });
                facts["shape"] = json!(shape.cells());
            }
            Setting::Sets { black, white } => {
                facts["black"] = black.iter().map(ToString::to_string).collect();
                facts["white"] = white.iter().map(ToString::to_string).collect();
            }
        }
        facts
    }

    /// Positions, nodes and the answers of nodes, packed, and how to unpack them. Nodes are counted in the order of
    /// their ids, so a child comes before its parent here too.
    fn tables(&self) -> (String, Value) {
        let proof = &self.rules.proof;
        let mut ids: Vec<u32> = proof.nodes.keys().copied().collect();
        ids.sort_unstable();
        let place: AHashMap<u32, usize> = ids.iter().enumerate().map(|(place, &id)| (id, place)).collect();
        let set_bytes = proof.header.vertices.div_ceil(8);
        let cell_bytes = bytes_for(proof.header.vertices);
        let node_bytes = bytes_for(ids.len());

        let mut lines: Vec<(&Position<WIDE>, &Step)> = proof.steps.iter().collect();
        lines.sort_unstable_by_key(|line| line.0);
        let most_elsewhere = lines.iter().map(|line| line.0.elsewhere).max().unwrap_or(0);
        let mut steps = Table::new(&[
            ("black", set_bytes),
            ("white", set_bytes),
            ("elsewhere", bytes_for(most_elsewhere.into())),
            ("block", bytes_for(1)),
            ("then", cell_bytes.max(node_bytes)),
        ]);
        for (at, step) in lines {
            let (block, then) = match step.then {
                Then::Play(cell) => (0, cell.index()),
                Then::Block(id) => (1, place[&id]),
            };
            steps.set(at.black).set(at.white).number(at.elsewhere.into()).number(block).number(then);
        }

        let count = proof.nodes.values().map(|node| node.kind.answers().len()).sum();
        let mut nodes = Table::new(&[
            ("own", set_bytes),
            ("open", set_bytes),
            ("kind", bytes_for(3)),
            ("cell", cell_bytes),
            ("first", bytes_for(count)),
        ]);
        let mut answers = Table::new(&[("cell", cell_bytes), ("answer", cell_bytes), ("child", node_bytes)]);
        let mut first = 0;
        for id in &ids {
            let node = &proof.nodes[id];
            let (kind, cell) = match &node.kind {
                Kind::Done(cell) => (0, *cell),
                Kind::Move(cell, _) => (1, *cell),
                Kind::Pave(_) => (2, Cell::new(0)),
                Kind::Reply(_) => (3, Cell::new(0)),
            };
            nodes.set(node.own).set(node.open).number(kind).number(cell.index()).number(first);
            for Answer(cell, answer, child) in node.kind.answers() {
                // The pairs of a paving lead nowhere.
                let child = if kind == 2 { 0 } else { place[child] };
                answers.number(cell.index()).number(answer.index()).number(child);
            }
            first += node.kind.answers().len();
        }

        let root = match proof.root {
            Some(Root::Node(id)) => Some(place[&id]),
            _ => None,
        };
        let sizes = json!({
            "root": root, "steps": steps.plan(), "nodes": nodes.plan(), "answers": answers.plan(),
        });
        (table::pack(&[steps, nodes, answers]), sizes)
    }
}

/// Writes a frame with something in the place of each marker. What was put in is not looked at again.
pub(crate) fn fill(frame: &str, parts: &[(&str, String)], out: &mut impl Write) -> io::Result<()> {
    let mut rest = frame;
    for (marker, text) in parts {
        let (before, after) = rest.split_once(marker).expect("frames are part of the program and have their markers");
        out.write_all(before.as_bytes())?;
        out.write_all(text.as_bytes())?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// Text that stands in HTML as it is.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMINO: &str = "harary-certificate 1\ngame 2x2 plain 0,0 1,0\nrule strong\nclaim win 3\nsymmetry board\n\
                          p 0 0 0 0\n";

    fn page(name: Option<&str>) -> String {
        let mut text = Vec::new();
        Page::open(DOMINO.as_bytes()).unwrap().write(name, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn names_are_text_wherever_they_stand() {
        let text = page(Some("</script><script>alert(1)</script>"));
        assert!(!text.contains("<script>alert"), "{text}");
        assert!(text.contains("<title>Black wins &lt;/script&gt;&lt;script&gt;alert(1)"), "{text}");
        assert_eq!(text.matches("</script>").count(), page(None).matches("</script>").count());
    }

    #[test]
    fn a_page_asks_for_nothing_from_elsewhere() {
        let text = page(Some("domino"));
        for word in ["http://", "https://", "src=", "@import", "fetch(", "XMLHttpRequest"] {
            let found = text.replace("http://www.w3.org/2000/svg", "").contains(word);
            assert!(!found, "{word}");
        }
        assert!(text.contains("default-src 'none'"));
    }

    #[test]
    fn a_damaged_certificate_makes_no_page() {
        assert!(Page::open(DOMINO.replace("win 3", "win 1").as_bytes()).is_err());
    }
}
