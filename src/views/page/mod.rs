//! A certificate as one page for a browser: the visitor plays the losing side against it.
//!
//! The page needs no server and no network. Its parts are the files beside this one, put together here; what it knows
//! of the game comes from a [`Playbook`], which the checker has accepted. The header travels as JSON, positions and nodes as packed tables, so that a certificate of 20 MB makes a page
//! of a few, opened in a second or two.

mod facts;
mod table;

use ahash::AHashMap;
pub use facts::facts;
use harary_certificate::{
    Cell, Claim, Proved, Refused, WIDE,
    model::{After, Answer, Kind, Pair, Position, Root, Then},
    playbook::Playbook,
};
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use table::{Table, bytes_for};

/// The frame of the page; what takes the place of its markers is named in [`Page::write`].
const FRAME: &str = include_str!("page.html");
/// What all pages of ours look like.
pub(crate) const COLOURS: &str = include_str!("colours.css");
/// What pages with a board share.
pub(crate) const PARTS_STYLE: &str = include_str!("parts.css");
const STYLE: &str = include_str!("page.css");
/// A board, and beside it what is said about the game that is played on it.
pub(crate) const PLAYER: &str = include_str!("player.html");
/// What pages with a board share, in this order: each file uses those before it.
pub(crate) const PARTS_SCRIPT: &[&str] = &[
    include_str!("table.js"),
    include_str!("game.js"),
    include_str!("strategy.js"),
    include_str!("reason.js"),
    include_str!("board.js"),
    include_str!("player.js"),
];
const SCRIPT: &str = include_str!("page.js");

/// An accepted certificate, ready to be written as a page.
pub struct Page {
    playbook: Playbook,
}

impl Page {
    /// Reads a certificate and checks it; of a bad one no page is made.
    pub fn open(input: impl Read) -> Result<Page, Refused> {
        Ok(Page { playbook: Playbook::open(input)? })
    }

    /// What its certificate proves.
    pub fn accepted(&self) -> &Proved {
        self.playbook.proved()
    }

    /// Writes the page. The name is that of the shape, or of a game that lies on no board.
    pub fn write(&self, name: Option<&str>, out: &mut impl Write) -> io::Result<()> {
        let title = self.accepted().header().sentence(name);
        let (facts, tables) = self.parts(name);
        let parts = [
            ("<!--title-->", escaped(&title)),
            ("<!--style-->", [COLOURS, PARTS_STYLE, STYLE].concat()),
            ("<!--player-->", PLAYER.to_owned()),
            ("<!--facts-->", facts.to_string().replace('<', "\\u003c")),
            ("<!--tables-->", tables),
            ("<!--script-->", [PARTS_SCRIPT, &[SCRIPT]].concat().concat()),
        ];
        fill(FRAME, &parts, out)
    }

    /// The header, what was checked, and how to unpack the tables that follow.
    fn facts(&self, name: Option<&str>, sizes: Value) -> Value {
        let (header, proved) = (self.playbook.header(), self.accepted());
        let mut facts = facts(header, self.playbook.names(), name);
        facts["claim"] = match header.claim {
            Claim::Win(_) => "win",
            Claim::Hold(_) => "hold",
            Claim::Loss(_) => "loss",
        }
        .into();
        facts["last"] = json!(header.claim.last());
        facts["sentence"] = header.sentence(name).into();
        facts["lines"] = proved.lines().into();
        facts["positions"] = proved.positions().into();
        facts["nodes"] = proved.nodes().into();
        facts["tables"] = sizes;
        facts
    }

    /// What a page needs to play the certificate: the facts of the game, and its tables as text.
    pub fn parts(&self, name: Option<&str>) -> (Value, String) {
        let (tables, sizes) = self.tables();
        (self.facts(name, sizes), tables)
    }

    /// Positions, nodes and the answers of nodes, packed, and how to unpack them. Nodes are counted in the order of
    /// their ids, so a child comes before its parent here too.
    fn tables(&self) -> (String, Value) {
        let (proof, all) = (self.playbook.proof(), self.playbook.proof().nodes());
        let mut ids: Vec<u32> = all.keys().copied().collect();
        ids.sort_unstable();
        let place: AHashMap<u32, usize> = ids.iter().enumerate().map(|(place, &id)| (id, place)).collect();
        let vertices = self.playbook.header().vertices;
        let set_bytes = vertices.div_ceil(8);
        let cell_bytes = bytes_for(vertices);
        let node_bytes = bytes_for(ids.len());

        let mut lines: Vec<(&Position<WIDE>, Then)> = proof.steps().collect();
        lines.sort_unstable_by_key(|line| line.0);
        let most_elsewhere = lines.iter().map(|line| line.0.elsewhere).max().unwrap_or(0);
        let mut steps = Table::new(&[
            ("black", set_bytes),
            ("white", set_bytes),
            ("elsewhere", bytes_for(most_elsewhere.into())),
            ("block", bytes_for(1)),
            ("then", cell_bytes.max(node_bytes)),
        ]);
        for (at, then) in lines {
            let (block, then) = match then {
                Then::Play(cell) => (0, cell.index()),
                Then::Block(id) => (1, place[&id]),
                Then::Pairs(_) => unreachable!("a playbook has paving nodes in their place"),
            };
            steps.set(at.stones.black).set(at.stones.white).number(at.elsewhere.into()).number(block).number(then);
        }

        // A child that is none is one beyond the last.
        let child = |id: Option<u32>| id.map_or(ids.len(), |id| place[&id]);
        let rows: Vec<Row> = ids.iter().map(|id| Row::of(&all[id].kind)).collect();
        let count = rows.iter().map(|row| row.answers.len()).sum();
        let mut nodes = Table::new(&[
            ("own", set_bytes),
            ("open", set_bytes),
            ("kind", bytes_for(4)),
            ("cell", cell_bytes),
            ("first", bytes_for(count)),
        ]);
        let mut answers = Table::new(&[("cell", cell_bytes), ("answer", cell_bytes), ("child", node_bytes)]);
        let mut first = 0;
        for (id, row) in ids.iter().zip(&rows) {
            let node = &all[id];
            nodes.set(node.own).set(node.open).number(row.kind).number(row.cell.index()).number(first);
            for &(cell, answer, next) in &row.answers {
                answers.number(cell.index()).number(answer.index()).number(child(next));
            }
            first += row.answers.len();
        }

        let root = match proof.root() {
            Some(Root::Node(id)) => Some(place[&id]),
            _ => None,
        };
        let sizes = json!({
            "root": root, "steps": steps.plan(), "nodes": nodes.plan(), "answers": answers.plan(),
        });
        (table::pack(&[steps, nodes, answers]), sizes)
    }
}

/// A node as the page's tables have it: its kind, its own move, and for each cell the answer and the child.
struct Row {
    kind: usize,
    cell: Cell,
    answers: Vec<(Cell, Cell, Option<u32>)>,
}

impl Row {
    fn of(kind: &Kind) -> Row {
        let nowhere = Cell::new(0);
        let answered = |answers: &[Answer]| answers.iter().map(|a| (a.to, a.reply, a.child)).collect();
        let (kind, cell, answers) = match kind {
            Kind::Done(cell) | Kind::Card(_, cell) => (0, *cell, Vec::new()),
            Kind::Move(cell, list) => {
                let answers = list.iter().map(|&After { reply, child }| (reply, nowhere, Some(child))).collect();
                (1, *cell, answers)
            }
            Kind::Pave(pairs) => (2, nowhere, pairs.iter().map(|&Pair { a, b }| (a, b, None)).collect()),
            Kind::Reply(answers) | Kind::StrongReply(answers) => (3, nowhere, answered(answers)),
            Kind::Threat(answer) => (4, answer.to, answered(&[*answer])),
        };
        Row { kind, cell, answers }
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
