//! The atlas as a static site: a grid of shapes and boards, and behind each verdict what it rests on.
//!
//! One page, made of the files beside this one, that works without a server, without the network and, but for the
//! filters, without scripts. A verdict is a link to the part of the page that is about its game; that part names the
//! strategy page and the certificate, if they are there, the command that gives them again, and what was published.

use crate::atlas::compare::{self, Agreement};
use crate::atlas::entry::{Entry, Finding, Mark};
use crate::atlas::key::GameKey;
use crate::atlas::published::{self, Claim};
use crate::atlas::shapes::{Shapes, as_catalogued};
use crate::atlas::tablebase::Tablebase;
use crate::views::page::{COLOURS, escaped, fill};
use harary_certificate::{Board, Rule, Shape, Topology};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

const FRAME: &str = include_str!("site.html");
const BODY: &str = include_str!("site_body.html");
pub(crate) const STYLE: &str = include_str!("site.css");
pub(crate) const SCRIPT: &str = include_str!("site.js");

/// Files that belong to a game, as paths from the page.
#[derive(Clone, Debug)]
pub struct Files {
    /// The page that plays the certificate.
    pub strategy: String,
    /// The certificate.
    pub certificate: String,
    /// Of this certificate, which may be another than the one the atlas knows.
    pub mark: Mark,
}

/// What a source says about a game, and whether it is right.
#[derive(Clone, Debug)]
struct Remark {
    source: &'static str,
    says: String,
    ours: String,
    agreement: Agreement,
}

/// What there is to show about a game.
#[derive(Default)]
struct Case<'a> {
    entry: Option<&'a Entry>,
    remarks: Vec<Remark>,
    files: Option<&'a Files>,
}

/// The site of a tablebase.
pub struct Site<'a> {
    cases: BTreeMap<GameKey, Case<'a>>,
    /// Where a game can be opened, if this is a page of a server.
    link: Option<fn(&GameKey) -> String>,
}

impl<'a> Site<'a> {
    /// The site of what is known, with these files beside it.
    pub fn new(known: &'a Tablebase, files: &'a BTreeMap<GameKey, Files>) -> Site<'a> {
        let mut cases: BTreeMap<GameKey, Case> = BTreeMap::new();
        for entry in known.entries() {
            cases.entry(entry.key.clone()).or_default().entry = Some(entry);
        }
        for claim in published::all() {
            // Only what is said about one game: counts and claims about all boards have their own tables.
            let about_one = matches!(
                claim.claim,
                Claim::Smallest(_) | Claim::Least(_) | Claim::WinBy(_) | Claim::NoWinBy(_) | Claim::Hold | Claim::Open
            );
            let (true, [shape], [board]) = (about_one, &claim.shapes[..], &claim.boards()[..]) else { continue };
            let compared = compare::compare(claim, known, compare::Asked::NOBODY);
            let remark = Remark {
                source: &claim.source,
                says: claim.text(),
                ours: compared.ours,
                agreement: compared.agreement,
            };
            cases.entry(GameKey::new(shape, *board, claim.rule)).or_default().remarks.push(remark);
        }
        for (key, files) in files {
            cases.entry(key.clone()).or_default().files = Some(files);
        }
        Site { cases, link: None }
    }

    /// The same with a link for each game.
    pub fn linked(self, link: fn(&GameKey) -> String) -> Site<'a> {
        Site { link: Some(link), ..self }
    }

    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let parts = [
            ("<!--style-->", [COLOURS, STYLE].concat()),
            ("<!--body-->", self.body()?),
            ("<!--script-->", SCRIPT.to_owned()),
        ];
        fill(FRAME, &parts, out)
    }

    /// What the page shows, for a frame of somebody else's.
    pub(crate) fn body(&self) -> io::Result<String> {
        let parts = [
            ("<!--summary-->", self.summary()),
            ("<!--sizes-->", self.sizes()),
            ("<!--grid-->", self.grid()),
            ("<!--games-->", self.cases.iter().map(|(key, case)| case.about(key, self.link)).collect()),
        ];
        let mut text = Vec::new();
        fill(BODY, &parts, &mut text)?;
        String::from_utf8(text).map_err(io::Error::other)
    }

    fn summary(&self) -> String {
        let count = |verdict: &str| self.cases.values().filter(|case| case.verdict() == verdict).count();
        let differing = self.cases.values().filter(|case| case.differs()).count();
        format!(
            "{} games: Black wins {}, White holds {}, {} are open here. Published values differ in {differing}.",
            self.cases.len(),
            count("win"),
            count("hold"),
            count("open")
        )
    }

    /// The choices of the filter for sizes of shapes.
    fn sizes(&self) -> String {
        let sizes: BTreeSet<Size> = self.cases.keys().map(|key| Size::of(key.shapes())).collect();
        sizes.iter().map(|size| format!("<option value=\"{}\">{}</option>", size.word(), size.title())).collect()
    }

    /// Shapes down, boards across; in each place up to four games, plain and torus, strong and weak.
    fn grid(&self) -> String {
        let boards: BTreeSet<(usize, usize, usize)> = self.cases.keys().map(|key| place(&key.board())).collect();
        let mut text = String::from("<thead><tr><th scope=\"col\">shape</th>");
        for (_, width, height) in &boards {
            let _ = write!(text, "<th scope=\"col\">{width}×{height}</th>");
        }
        text.push_str("</tr></thead>\n");
        let mut targets: Vec<&Shapes> = self.cases.keys().map(GameKey::shapes).collect();
        targets.dedup();
        let mut size = None;
        for shapes in targets {
            let own = Size::of(shapes);
            if size != Some(own) {
                if size.is_some() {
                    text.push_str("</tbody>\n");
                }
                size = Some(own);
                let columns = boards.len() + 1;
                let _ = writeln!(
                    text,
                    "<tbody data-size=\"{}\"><tr class=\"size\"><th scope=\"rowgroup\" colspan=\"{columns}\"><span>{}</span></th></tr>",
                    own.word(),
                    own.title()
                );
            }
            text.push_str(&self.row(shapes, &boards));
        }
        text.push_str("</tbody>\n");
        text
    }

    fn row(&self, shapes: &Shapes, boards: &BTreeSet<(usize, usize, usize)>) -> String {
        let own = || self.cases.iter().filter(|(key, _)| key.shapes() == shapes);
        let name = own().next().map_or_else(String::new, |(key, _)| key.name());
        let mut text = format!(
            "<tr class=\"shape\"><th scope=\"row\"><span class=\"named\"><span class=\"slot\">{}</span><span>{}</span></span></th>",
            drawings(shapes),
            escaped(&name)
        );
        for board in boards {
            let chips: String =
                own().filter(|(key, _)| place(&key.board()) == *board).map(|(key, case)| case.chip(key)).collect();
            let _ = write!(text, "<td><span class=\"chips\">{chips}</span></td>");
        }
        text + "</tr>\n"
    }
}

impl Case<'_> {
    fn verdict(&self) -> &'static str {
        match self.entry.map(|entry| entry.finding) {
            Some(Finding::Win { .. }) => "win",
            Some(Finding::Hold) => "hold",
            Some(Finding::Unknown) | None => "open",
        }
    }

    fn differs(&self) -> bool {
        self.remarks.iter().any(|remark| remark.agreement == Agreement::Differs)
    }

    /// The verdict in the grid, a link to what is behind it.
    fn chip(&self, key: &GameKey) -> String {
        let (verdict, differs) = (self.verdict(), self.differs());
        let shown = match self.entry.map(|entry| entry.finding) {
            Some(Finding::Win { by, least: true }) => by.to_string(),
            Some(Finding::Win { by, least: false }) => format!("≤{by}"),
            Some(Finding::Hold) => "–".to_owned(),
            Some(Finding::Unknown) | None => "?".to_owned(),
        };
        let (topology, rule) = (key.board().topology(), key.rule());
        let mark = if differs { "<sup>≠</sup>" } else { "" };
        let label = format!("{}: {}{}", title(key), self.sentence(), if differs { " A source differs." } else { "" });
        format!(
            "<a class=\"chip {verdict} {topology} {rule}\" href=\"#{}\" data-verdict=\"{verdict}\" \
             data-topology=\"{topology}\" data-rule=\"{rule}\" data-differs=\"{differs}\" title=\"{label}\" \
             aria-label=\"{label}\">{shown}{mark}</a>",
            anchor(key),
            label = escaped(&label),
        )
    }

    fn sentence(&self) -> String {
        let Some(entry) = self.entry else { return "not settled here yet.".to_owned() };
        match (entry.finding, entry.refuted_turn) {
            (Finding::Win { by, least: true }, Some(_)) => format!("Black wins by turn {by}, and not earlier."),
            (Finding::Win { by, .. }, _) => format!("Black wins by turn {by}."),
            (Finding::Hold, _) => "White holds: Black cannot force a win.".to_owned(),
            (Finding::Unknown, Some(turn)) => format!("not settled yet; no win by turn {turn}."),
            (Finding::Unknown, None) => "not settled yet.".to_owned(),
        }
    }

    /// All about one game.
    fn about(&self, key: &GameKey, link: Option<fn(&GameKey) -> String>) -> String {
        let id = anchor(key);
        let mut text = format!(
            "<article id=\"{id}\" tabindex=\"-1\" aria-labelledby=\"{id}-title\"><a class=\"close\" href=\"#grid\">Close</a>\
             {}<h2 id=\"{id}-title\">{}</h2><p class=\"verdict {}\">{}</p>",
            drawings(key.shapes()),
            escaped(&title(key)),
            self.verdict(),
            escaped(&capital(&self.sentence()))
        );
        if let Some(link) = link {
            let _ =
                write!(text, "<p class=\"links\"><a class=\"play\" href=\"{}\">Open it</a></p>", escaped(&link(key)));
        }
        if let Some(Files { strategy, certificate, mark }) = self.files {
            let _ = write!(
                text,
                "<p class=\"links\"><a class=\"play\" href=\"{strategy}\">Play against it</a> \
                 <a href=\"{certificate}\" download>Certificate</a> <small>{}, {}</small></p>",
                bytesize::ByteSize::b(mark.bytes).display().si(),
                mark.short()
            );
        }
        if let Some(entry) = self.entry.filter(|entry| entry.finding.is_settled()) {
            let command = escaped(&entry.command());
            let _ = write!(text, "<p>Again, with the same certificate:</p><pre><code>{command}</code></pre>");
            let mark = entry.certificate.map_or_else(String::new, |mark| format!(", certificate {}", mark.short()));
            let _ = write!(
                text,
                "<p class=\"facts\">Settled {} by {} in {:.3} s, {} nodes{mark}.</p>",
                entry.day(),
                escaped(&entry.engine),
                entry.time.as_secs_f64(),
                entry.nodes
            );
        } else {
            let _ = write!(text, "<pre><code>harary solve {}</code></pre>", escaped(&key.arguments()));
        }
        if !self.remarks.is_empty() {
            text.push_str("<h3>Published</h3><table class=\"published\"><tbody>");
            for Remark { source, says, ours, agreement } in &self.remarks {
                let class = if *agreement == Agreement::Differs { " class=\"differs\"" } else { "" };
                let judged =
                    if *agreement == Agreement::Differs { format!("≠ here {ours}") } else { agreement.to_string() };
                let _ = write!(
                    text,
                    "<tr{class}><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>",
                    escaped(source),
                    escaped(says),
                    escaped(&judged)
                );
            }
            text.push_str("</tbody></table>");
        }
        text + "</article>\n"
    }
}

/// Where a board stands among the columns: small ones first.
fn place(board: &Board) -> (usize, usize, usize) {
    (board.size(), board.width(), board.height())
}

/// Under which heading a target stands: the single shapes by their size, and after them several shapes together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Cells(usize),
    Several,
}

impl Size {
    fn of(shapes: &Shapes) -> Size {
        shapes.only().map_or(Size::Several, |shape| Size::Cells(shape.size()))
    }

    /// For the filter.
    fn word(self) -> String {
        match self {
            Size::Cells(count) => count.to_string(),
            Size::Several => "several".to_owned(),
        }
    }

    fn title(self) -> String {
        match self {
            Size::Cells(1) => "1 cell".to_owned(),
            Size::Cells(count) => format!("{count} cells"),
            Size::Several => "several shapes".to_owned(),
        }
    }
}

/// `skinny on 7×7 torus, strong rule`.
fn title(key: &GameKey) -> String {
    let board = key.board();
    let torus = if board.topology() == Topology::Torus { " torus" } else { "" };
    let rule = if key.rule() == Rule::Weak { "weak" } else { "strong" };
    format!("{} on {}×{}{torus}, {rule} rule", key.name(), board.width(), board.height())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The name of a game in addresses: `skinny-7x7-plain-strong`, as its certificate is called.
pub fn anchor(key: &GameKey) -> String {
    key.file_name("").trim_end_matches(".cert.zst").to_owned()
}

/// The shapes, one after the other.
fn drawings(shapes: &Shapes) -> String {
    shapes.iter().map(drawing).collect::<Vec<_>>().join(" ")
}

/// The shape, small, lying as the catalogue has it.
fn drawing(shape: &Shape) -> String {
    let shape = as_catalogued(shape);
    let (width, height) = (shape.width(), shape.height());
    let mut svg = format!(
        "<svg class=\"drawing\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" aria-hidden=\"true\">",
        width * 10,
        height * 10,
        width * 11,
        height * 11
    );
    for &(x, y) in shape.cells() {
        let (left, top) = (usize::from(x) * 10, (height - 1 - usize::from(y)) * 10);
        let _ = write!(svg, "<rect x=\"{left}.5\" y=\"{top}.5\" width=\"9\" height=\"9\" rx=\"2\"/>");
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atlas::entry::tests::win;

    fn site(known: &Tablebase, files: &BTreeMap<GameKey, Files>) -> String {
        let mut text = Vec::new();
        Site::new(known, files).write(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn every_game_has_a_place_in_the_grid_and_a_part_of_its_own() {
        let known = Tablebase::shipped();
        let text = site(known, &BTreeMap::new());
        for entry in known.entries() {
            let anchor = anchor(&entry.key);
            assert_eq!(text.matches(&format!("href=\"#{anchor}\"")).count(), 1, "{anchor}");
            assert_eq!(text.matches(&format!("<article id=\"{anchor}\"")).count(), 1, "{anchor}");
            if entry.finding.is_settled() {
                assert!(text.contains(&escaped(&entry.command())), "{anchor}");
            }
        }
    }

    #[test]
    fn files_are_linked_and_differences_marked() {
        let tippy = GameKey::new(
            &Shape::from_rows("XX./.XX").unwrap(),
            Board::new(4, 4, Topology::Plain).unwrap(),
            Rule::Strong,
        );
        let entry =
            Entry { key: tippy.clone(), finding: Finding::Win { by: 9, least: true }, refuted_turn: Some(7), ..win() };
        let files = Files {
            strategy: "games/tippy.html".into(),
            certificate: "certificates/tippy.cert.zst".into(),
            mark: Mark { hash: [7; 32], bytes: 1234 },
        };
        let known: Tablebase = [entry].into_iter().collect();
        let files: BTreeMap<GameKey, Files> = [(tippy, files)].into_iter().collect();
        let text = site(&known, &files);
        assert!(text.contains("href=\"games/tippy.html\""));
        assert!(text.contains("href=\"certificates/tippy.cert.zst\""));
        let chip = text.split("<a class=\"chip").find(|chip| chip.contains("#tippy-4x4-plain-strong")).unwrap();
        assert!(chip.contains("data-differs=\"true\"") && chip.contains(">9<sup>≠</sup></a>"), "{chip}");
        // What nobody has settled here is there as well, open, with what is published about it.
        assert!(text.contains("skinny on 7×7, strong rule: not settled here yet."));
    }
}
