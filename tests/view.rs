//! `harary view`: pages made from certificates, opened and played in a real browser.

mod browser;
// Its certificates are wanted here, not its checker.
#[allow(dead_code)]
mod reference;

use assert_cmd::Command;
use browser::Browser;
use harary::game::placements;
use harary::views::page::Page;
use harary_certificate::playbook::{LineError, Playbook};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Plays games with random moves of the visitor through the page's own script; what happened in each is returned.
/// The numbers are those of a small generator with a seed, so that a failure can be seen again.
const RANDOM_GAMES: &str = "
    let seed = 20261116;
    const random = (below) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor(seed / 4294967296 * below);
    };
    const games = [];
    for (let game = 0; game < GAMES; game++) {
        harary.restart();
        const said = [];
        for (;;) {
            const { line, choices, threats, why } = harary.report();
            if (choices.length === 0) break;
            said.push({ threats, why: why.join(' ') });
            // Half of the time a threat is parried, or a cell near the last stone taken, or the games would be short.
            const near = (cell) => line.length > 0 && Math.abs(cell.charCodeAt(0) - line.at(-1).charCodeAt(0)) < 2
                && Math.abs(cell.slice(1) - line.at(-1).slice(1)) < 2;
            const lists = [threats, choices.filter(near)].filter((list) => list.length > 0 && random(2) === 0);
            const sensible = lists[0] ?? choices;
            if (!harary.play(sensible[random(sensible.length)])) throw new Error('refused a legal move');
        }
        games.push({ ...harary.report(), said });
    }
    return games;";

fn harary(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/certificates");
    let done = command.args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

/// A certificate that is kept with the tests.
fn kept(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)
}

/// A place for certificates and pages that is empty at the start of a test.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("view").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Settles a game and keeps its certificate.
fn solved(folder: &Path, arguments: &[&str]) -> PathBuf {
    let file = folder.join("game.cert");
    let (code, output, errors) = harary(&[&["solve"], arguments, &["--certificate", file.to_str().unwrap()]].concat());
    assert_eq!(code, 0, "{output}{errors}");
    file
}

/// The page of a certificate.
fn page(certificate: &Path) -> PathBuf {
    let page = certificate.with_extension("html");
    let (code, output, errors) = harary(&["view", certificate.to_str().unwrap(), "-o", page.to_str().unwrap()]);
    assert_eq!((code, errors.as_str()), (0, ""), "{output}");
    page
}

fn random_games(browser: &Browser, games: usize) -> Vec<Value> {
    match browser.script(&RANDOM_GAMES.replace("GAMES", &games.to_string())) {
        Value::Array(games) => games,
        other => panic!("{other}"),
    }
}

fn line(game: &Value) -> Vec<&str> {
    game["line"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// The moves of a game as the certificate has them: the line of play is followed by the Rust side, which refuses a
/// move of the strategy's that is not the certificate's.
fn follow(playbook: &Playbook, line: &[&str]) -> Result<(), LineError> {
    playbook.follow(&line.join(" ")).map(drop)
}

#[test]
fn black_wins_every_random_game_of_skinny_by_turn_13() {
    let certificate = solved(&folder("skinny"), &["skinny", "7x7", "--threads", "1"]);
    let browser = Browser::start();
    browser.open(&page(&certificate));
    let games = random_games(&browser, 1000);
    assert_eq!(games.len(), 1000);
    let playbook = Playbook::open(fs::File::open(&certificate).unwrap()).unwrap();
    for (number, game) in games.iter().enumerate() {
        assert_eq!(game["outcome"], "black", "game {number}: {game}");
        let line = line(game);
        assert!(line.len() <= 13 && line.len() % 2 == 1, "game {number}: {game}");
        // Four in a row or column, stones of Black's only.
        let stones: Vec<&str> = line.iter().step_by(2).copied().collect();
        let set: Vec<&str> = game["completed"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert!(set.len() == 4 && set.iter().all(|cell| stones.contains(cell)), "game {number}: {game}");
        let (columns, rows): (Vec<u8>, Vec<u8>) =
            set.iter().map(|cell| (cell.as_bytes()[0], cell.as_bytes()[1])).unzip();
        let span = |values: &[u8]| values.iter().max().unwrap() - values.iter().min().unwrap();
        assert_eq!((span(&columns).min(span(&rows)), span(&columns).max(span(&rows))), (0, 3), "{game}");
        // What forces White is said, and nothing else is.
        for said in game["said"].as_array().unwrap() {
            let (threats, why) = (said["threats"].as_array().unwrap(), said["why"].as_str().unwrap());
            let forced = threats
                .first()
                .is_some_and(|cell| why.contains(&format!("White must block at {}.", cell.as_str().unwrap())));
            assert_eq!((forced, why.contains("threats: ")), (threats.len() == 1, threats.len() > 1), "{said}");
            assert!(!why.contains("must block") || forced, "{said}");
        }
        // Every answer but the last is that of the certificate; there Black completes, which has no line.
        if number < 100 {
            assert_eq!(follow(&playbook, &line[..line.len() - 1]), Ok(()), "game {number}: {game}");
            let end = follow(&playbook, &line).unwrap_err();
            assert!(matches!(&end, LineError::Over(_, why) if why.starts_with("Black completes")), "{end}: {game}");
        }
    }
    let said = || games.iter().flat_map(|game| game["said"].as_array().unwrap());
    let forced = |said: &&Value| said["threats"].as_array().unwrap().len() == 1;
    assert!(said().any(|said| forced(&said)), "White was never forced");
    // Different games were played, not one game a thousand times.
    let different: std::collections::HashSet<Vec<&str>> = games.iter().map(line).collect();
    assert!(different.len() > 500, "{} different games", different.len());
    assert_eq!(browser.complaints(), Value::Array(vec![]));
}

#[test]
fn white_holds_in_every_random_game_of_snaky() {
    let certificate = solved(&folder("snaky"), &["snaky", "7x7", "--time", "5m"]);
    let browser = Browser::start();
    browser.open(&page(&certificate));
    let games = random_games(&browser, 1000);
    assert_eq!(games.len(), 1000);
    let playbook = Playbook::open(fs::File::open(&certificate).unwrap()).unwrap();
    let board = harary_certificate::Board::new(7, 7, harary_certificate::Topology::Plain).unwrap();
    let snaky = harary::game::catalogue::Catalogue::standard().find("snaky").unwrap().shape.clone();
    let sets = placements(&snaky, &board);
    for (number, game) in games.iter().enumerate() {
        let line = line(game);
        let cells =
            |first: usize| line.iter().skip(first).step_by(2).map(|name| board.parse_cell(name).unwrap()).collect();
        let (black, white): (harary_certificate::WideSet, harary_certificate::WideSet) = (cells(0), cells(1));
        assert!(!sets.iter().any(|set| set.is_subset(&black)), "game {number}: Black completes snaky: {game}");
        // Judged here: the game went on until Black could not complete it any more, or White had. Of 49 turns 25 are his.
        let left = 25 - black.len();
        let held = sets.iter().all(|set| !set.is_disjoint(&white) || (*set - black).len() > left);
        let completed = sets.iter().any(|set| set.is_subset(&white));
        assert!(held || completed, "game {number} ended too early: {game}");
        // The certificate names White's answers up to a paving, or up to a move that needs no answer.
        let end = (1..=line.len()).find_map(|moves| follow(&playbook, &line[..moves]).err());
        let named = match &end {
            None => true,
            Some(LineError::Over(_, why)) => why.contains("pair") || why.contains("may play anywhere"),
            Some(_) => false,
        };
        assert!(named, "game {number}: {end:?}: {game}");
    }
    assert_eq!(browser.complaints(), Value::Array(vec![]));
}

/// The keys a keyboard has and text has not, as WebDriver names them.
const TAB: char = '\u{e004}';
const ENTER: char = '\u{e007}';
const LEFT: char = '\u{e012}';
const UP: char = '\u{e013}';
const RIGHT: char = '\u{e014}';
const DOWN: char = '\u{e015}';

fn report(browser: &Browser) -> Value {
    browser.script("return harary.report()")
}

/// The visitor's next move in a game that is to last: a threat is parried.
fn next_move(report: &Value) -> Option<String> {
    let first = |list: &Value| list.get(0).and_then(Value::as_str).map(str::to_owned);
    first(&report["choices"]).map(|any| first(&report["threats"]).unwrap_or(any))
}

#[test]
fn a_whole_game_is_played_with_clicks() {
    let certificate = solved(&folder("clicks"), &["skinny", "7x7"]);
    let browser = Browser::start();
    browser.open(&page(&certificate));
    assert_eq!(report(&browser)["line"].as_array().unwrap().len(), 1, "Black has begun");
    let mut clicks = 0;
    while let Some(cell) = next_move(&report(&browser)) {
        browser.click(&format!("#cell-{cell}"));
        clicks += 1;
        let line = report(&browser)["line"].clone();
        assert_eq!(line[2 * clicks - 1], cell.as_str(), "the stone is where the click was");
        assert_eq!(line.as_array().unwrap().len(), 2 * clicks + 1, "Black has answered");
    }
    assert_eq!(report(&browser)["outcome"], "black");
    assert!(clicks >= 3, "{clicks} clicks");
    browser.drawn();
    let verdict = browser.script("return document.getElementById('verdict').textContent");
    assert!(verdict.as_str().unwrap().starts_with("Black wins at turn "), "{verdict}");
    // The completed set is drawn on the board, and a click on a stone or after the end changes nothing.
    assert_eq!(browser.script("return document.querySelectorAll('.completed path').length"), 1);
    assert_eq!(browser.script("return document.querySelectorAll('.stone.winning').length"), 4);
    let before = report(&browser);
    browser.click("#cell-a7");
    assert_eq!(report(&browser), before);
    // Two moves back, another way: both are in the tree, and the first can be gone back to.
    browser.click("#undo");
    browser.click("#undo");
    let turn = report(&browser)["turn"].as_u64().unwrap();
    assert_eq!(turn as usize, 2 * clicks - 3);
    browser.click("#cell-g1");
    browser.drawn();
    assert_eq!(browser.script("return document.querySelectorAll('.others').length"), 1);
    browser.click(".others li:last-child .move");
    assert_eq!(report(&browser), before);
    browser.click("#restart");
    assert_eq!(report(&browser)["line"].as_array().unwrap().len(), 1);
    assert_eq!(browser.complaints(), Value::Array(vec![]));
}

#[test]
fn a_whole_game_is_played_with_the_keyboard_alone() {
    let certificate = solved(&folder("keyboard"), &["skinny", "7x7"]);
    let browser = Browser::start();
    browser.open(&page(&certificate));
    browser.drawn();
    let focus = || browser.script("return document.activeElement.id").as_str().unwrap().to_owned();
    browser.keys(&[TAB]);
    // Some versions of headless Chromium spend the first one on entering the page.
    if focus().is_empty() {
        browser.keys(&[TAB]);
    }
    assert_eq!(focus(), "cell-d4", "the tab key leads to the middle of the board");
    let mut said = Vec::new();
    while let Some(target) = next_move(&report(&browser)) {
        let place = |name: &str| (name.as_bytes()[0] as i32, name.as_bytes()[1] as i32);
        let (from, to) = (place(focus().strip_prefix("cell-").unwrap()), place(&target));
        let walk = |steps: i32, back, forth| vec![if steps < 0 { back } else { forth }; steps.unsigned_abs() as usize];
        browser.keys(&walk(to.0 - from.0, LEFT, RIGHT));
        browser.keys(&walk(to.1 - from.1, DOWN, UP));
        assert_eq!(focus(), format!("cell-{target}"));
        browser.keys(&[ENTER]);
        browser.drawn();
        let label = browser.script("return document.activeElement.getAttribute('aria-label')");
        assert!(label.as_str().unwrap().starts_with(&format!("{target}, white stone")), "{label}");
        said.push(browser.script("return document.querySelector('[aria-live]').innerText").to_string());
    }
    assert_eq!(report(&browser)["outcome"], "black");
    // What is said names the moves and what they force.
    assert!(said.iter().any(|text| text.contains("Two threats: ")), "{said:?}");
    assert!(said.last().unwrap().contains("Black completes skinny at "), "{said:?}");
    browser.keys(&['u']);
    assert_eq!(report(&browser)["outcome"], Value::Null);
    browser.keys(&['r']);
    assert_eq!(report(&browser)["turn"], 1);
    // A walk does not leave the board.
    browser.keys(&[LEFT; 9]);
    browser.keys(&[UP; 9]);
    assert_eq!(focus(), "cell-a7");
}

/// Every kind of certificate there is, played against at random: positions, attacks, blocks, pavings, covers, tori,
/// other turn orders, games of sets, stones at the start.
#[test]
fn every_kind_of_certificate_answers_from_its_lines() {
    let folder = folder("kinds");
    let mut certificates: Vec<(String, Vec<u8>)> =
        reference::corpus::format_one().into_iter().map(|(name, text)| (name, text.into_bytes())).collect();
    for (name, arguments) in [
        ("by the solver, cover", &["knobby", "9x9", "--cover"][..]),
        ("by the solver, two stones", &["elly", "3x3", "--stones", "2,1"]),
        ("by the solver, within a turn", &["tippy", "4x4", "--within", "7"]),
        ("by the solver, sets", &["--pg", "../pg/hex-3x3.pg"]),
        ("by the solver, nodes on a torus", &["fatty", "5x5", "--torus"]),
    ] {
        certificates.push((name.to_owned(), fs::read(solved(&folder, arguments)).unwrap()));
    }
    let browser = Browser::start();
    let mut ends = std::collections::BTreeSet::new();
    for (name, text) in &certificates {
        let file = folder.join("page.html");
        Page::open(&text[..]).unwrap().write(None, &mut fs::File::create(&file).unwrap()).unwrap();
        browser.open(&file);
        let certificate = String::from_utf8_lossy(text);
        let claim = certificate.lines().find_map(|line| line.strip_prefix("claim ")).unwrap();
        for game in random_games(&browser, 20) {
            let (outcome, turn) = (game["outcome"].as_str().unwrap(), game["turn"].as_u64().unwrap());
            match claim.strip_prefix("win ") {
                Some(last) => assert!(outcome == "black" && turn <= last.parse().unwrap(), "{name}: {game}"),
                None => assert_ne!(outcome, "black", "{name}: {game}"),
            }
            ends.insert(outcome.to_owned());
        }
        assert_eq!(browser.complaints(), Value::Array(vec![]), "{name}");
    }
    assert!(certificates.len() > 50);
    assert_eq!(ends.into_iter().collect::<Vec<_>>(), ["black", "blocked", "full", "late", "white"]);
}

/// A certificate of some megabytes makes a page of a fraction, in which every position is found.
#[test]
fn long_certificates_make_short_pages() {
    let certificate = solved(&folder("long"), &["skinny", "7x7", "--within", "11"]);
    let page = page(&certificate);
    let size = |file: &Path| fs::metadata(file).unwrap().len();
    assert!(size(&certificate) > 500_000, "{} bytes", size(&certificate));
    assert!(size(&page) < size(&certificate) / 2, "{} bytes", size(&page));
    let browser = Browser::start();
    browser.open(&page);
    assert!(random_games(&browser, 100).iter().all(|game| game["outcome"] == "late"));
}

/// Cells and their state are there for those who cannot see them, and what is written can be read by those who can.
#[test]
fn the_page_is_for_everyone() {
    let browser = Browser::start();
    let certificate = folder("everyone").join("fatty.cert");
    fs::copy(kept("fatty-4x4-paving.cert"), &certificate).unwrap();
    browser.open(&page(&certificate));
    browser.script("harary.play('b2')");
    browser.drawn();
    let tree = browser.chromium("Accessibility.getFullAXTree", Value::Object(Default::default()));
    let named = |role: &str| -> Vec<String> {
        let nodes = tree["nodes"].as_array().unwrap().iter().filter(|node| node["role"]["value"] == role);
        nodes.map(|node| node["name"]["value"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(named("grid"), ["Board, 4 columns, 4 rows"]);
    assert_eq!((named("row").len(), named("gridcell").len()), (4, 16));
    for cell in ["b2, black stone, pair c", "c2, white stone, pair c, last move", "a1, empty, pair a", "a2, empty"] {
        assert!(named("gridcell").iter().any(|name| name == cell), "{cell}: {:?}", named("gridcell"));
    }
    assert_eq!(named("heading")[0], "Fatty on 4×4");
    assert!(named("button").iter().any(|name| name.starts_with("Undo")), "{:?}", named("button"));
    assert!(named("button").iter().any(|name| name == "Turn 1, Black b2"), "{:?}", named("button"));
    assert_eq!(named("status").len(), 1);
    for look in browser::LOOKS {
        browser.look(look);
        browser.drawn();
        assert!(browser.readable() > 20);
    }
}

#[test]
fn hex_is_drawn_as_hex() {
    let browser = Browser::start();
    browser.open(&page(&solved(&folder("hex"), &["--pg", "../pg/hex-3x3.pg"])));
    let count = |selector: &str| browser.script(&format!("return document.querySelectorAll('{selector}').length"));
    assert_eq!((count(".cell polygon"), count(".cell rect")), (9.into(), 0.into()));
    // Black joins the rows 1 and 3, so the sides below and above are his.
    assert_eq!((count(".sides .black"), count(".sides .white")), (2.into(), 2.into()));
    let middle = |cell: &str| -> Vec<f64> {
        let place = browser.script(&format!(
            "const box = document.querySelector('#cell-{cell} polygon').getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2, box.width]"
        ));
        place.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    // Each row begins half a cell to the right of the one below, and hexagons of neighbours touch.
    let (low, high, side) = (middle("a1"), middle("a2"), middle("a1")[2]);
    assert!((high[0] - low[0] - side / 2.0).abs() < 0.5 && high[1] < low[1], "{low:?} {high:?}");
    let distance = (high[0] - low[0]).hypot(high[1] - low[1]);
    assert!((distance - side).abs() < 0.5, "{distance} {side}");
    browser.click("#cell-b2");
    assert_eq!(report(&browser)["line"][0], "b2");
    assert_eq!(browser.complaints(), Value::Array(vec![]));
    // What is no Hex keeps its squares.
    browser.open(&page(&solved(&folder("no-hex"), &["el", "3x3"])));
    assert_eq!((count(".cell polygon"), count(".cell rect")), (0.into(), 9.into()));
}

#[test]
fn the_names_of_cells_can_be_read_on_the_largest_board() {
    let browser = Browser::start();
    browser.open(&page(&solved(&folder("largest"), &["fatty", "19x19"])));
    for look in browser::LOOKS {
        browser.look(look);
        browser.drawn();
        let heights = browser.script(
            "const scale = document.querySelector('.board').getScreenCTM().a;
             return ['.names text', '.letter'].map((name) =>
                 scale * parseFloat(getComputedStyle(document.querySelector(name)).fontSize))",
        );
        for height in heights.as_array().unwrap() {
            let least = if look.name.starts_with("phone") { 8.0 } else { 11.0 };
            assert!(height.as_f64().unwrap() >= least, "{}: {heights}", look.name);
        }
    }
}

#[test]
fn names_are_text_and_nothing_else() {
    let folder = folder("names");
    let page = folder.join("page.html");
    let name = "</title></script><script>window.broken = true</script><b>&";
    let (code, _, errors) = harary(&["view", "el-3x3.cert", "-o", page.to_str().unwrap(), "--name", name]);
    assert_eq!((code, errors.as_str()), (0, ""));
    let browser = Browser::start();
    browser.open(&page);
    assert_eq!(browser.script("return window.broken ?? null"), Value::Null);
    browser.drawn();
    let heading = browser.script("return document.querySelector('h1').textContent");
    assert_eq!(heading, format!("{name} on 3×3"));
    assert_eq!(
        browser.script("return document.title"),
        format!("Black wins {name} on 3x3 plain, strong rule, by turn 5")
    );
    assert_eq!(browser.script("return document.querySelectorAll('b').length"), 0);
}

#[test]
fn a_damaged_certificate_makes_no_page() {
    let folder = folder("damaged");
    let (damaged, page) = (folder.join("damaged.cert"), folder.join("page.html"));
    let good = fs::read_to_string(kept("el-3x3.cert")).unwrap();
    fs::write(&damaged, good.replace("p 10 1 0 1", "p 10 1 0 0")).unwrap();
    let (code, output, _) = harary(&["view", damaged.to_str().unwrap(), "-o", page.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(output.contains("refused: line 7: a1 is occupied"), "{output}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "only the certificate is there");
    let (code, _, errors) = harary(&["view", "el-3x3.cert", "-o", "no/such/folder/page.html"]);
    assert_eq!(code, 2, "told before the work");
    assert!(errors.starts_with("harary: cannot write no/such/folder/page.html: "), "{errors}");
    assert_eq!(harary(&["view", "el-3x3.cert"]).0, 2);
}

/// Pictures of every kind of page, to look at: light and dark, on a desk and on a phone.
#[test]
fn pages_look_well() {
    let browser = Browser::start();
    browser.open(&page(&solved(&folder("looks-strategy"), &["skinny", "7x7"])));
    browser.script("for (const cell of ['d5', 'e4']) harary.play(cell); harary.undo(); harary.play('a4')");
    browser.pictures("strategy");
    browser.open(&page(&solved(&folder("looks-paving"), &["fatty", "8x8"])));
    browser.script("for (const cell of ['d4', 'e5', 'b7']) harary.play(cell)");
    browser.pictures("paving");
    // A set that goes out at one side and comes in at the other, found by playing, then played alone.
    let torus = page(&solved(&folder("looks-torus"), &["skinny", "7x7", "--torus"]));
    browser.open(&torus);
    let games = random_games(&browser, 200);
    let across = |game: &&Value| {
        let set = game["completed"].to_string();
        ["a", "g"].iter().all(|column| set.contains(&format!("\"{column}")))
            || ["1", "7"].iter().all(|row| set.contains(&format!("{row}\"")))
    };
    let game = games.iter().find(across).expect("some set lies across the edge");
    browser.open(&torus);
    line(game).iter().skip(1).step_by(2).for_each(|cell| {
        browser.script(&format!("return harary.play('{cell}')"));
    });
    browser.pictures("torus");
    // The rim repeats the other side, and a set is drawn at all places it can be seen at.
    let count = |selector: &str| browser.script(&format!("return document.querySelectorAll('{selector}').length"));
    assert_eq!((count(".rim rect"), count(".completed path")), (32.into(), 9.into()));
    browser.open(&page(&solved(&folder("looks-cover"), &["knobby", "9x9", "--cover"])));
    browser.script("document.getElementById('zone').click(); harary.play('a1')");
    browser.pictures("cover");
    assert_eq!(count(".outside"), 68, "all but the 13 cells of the cover");
    browser.open(&page(&solved(&folder("looks-sets"), &["--pg", "../pg/hex-3x3.pg"])));
    browser.script("harary.play('2')");
    let folder = browser.pictures("sets");
    assert_eq!(browser.complaints(), Value::Array(vec![]));
    let kept = fs::read_dir(folder).unwrap().filter(|file| file.as_ref().unwrap().path().extension().is_some());
    assert!(kept.count() >= 16);
}
