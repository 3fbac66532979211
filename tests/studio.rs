//! The studio in a real browser: drawn, settled, played, stopped, reloaded, on a phone, by keyboard.

// Not all that other tests ask of a browser is wanted here.
#[allow(dead_code)]
mod browser;
#[allow(dead_code)]
mod server;

use assert_cmd::Command;
use browser::{Browser, LOOKS};
use serde_json::{Value, json};
use server::{Served, patiently};
use std::path::{Path, PathBuf};

/// A browser at the studio.
struct Studio {
    browser: Browser,
}

impl Studio {
    fn open(served: &Served, address: &str) -> Studio {
        let studio = Studio { browser: Browser::start() };
        studio.go(served, address);
        studio
    }

    fn go(&self, served: &Served, address: &str) {
        self.browser.go(&format!("http://{}{address}", served.address));
        assert_eq!(self.browser.script("return await studio.ready"), true);
    }

    fn text(&self, id: &str) -> String {
        let text = self.browser.script(&format!("return document.getElementById('{id}')?.innerText ?? ''"));
        text.as_str().unwrap().to_owned()
    }

    /// Waits until a part of the page says something.
    fn until(&self, id: &str, says: &str) {
        patiently(|| self.text(id).contains(says).then_some(()));
    }

    /// Clicks cells of the drawing board.
    fn draw(&self, cells: &str) {
        cells.split(' ').for_each(|cell| self.browser.click(&format!("#draw-{cell}")));
    }

    /// Writes into a field, as typing does.
    fn fill(&self, id: &str, value: &str) {
        self.browser.script(&format!(
            "const field = document.getElementById('{id}'); field.value = '{value}';
             for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {{ bubbles: true }}))"
        ));
    }

    fn report(&self) -> Value {
        self.browser.script("return studio.player.report()")
    }

    /// Plays a whole game against the proof, by clicks: threats are parried, and otherwise a cell far down the list is
    /// taken. What happened is returned.
    fn play_out(&self) -> Value {
        loop {
            let report = self.report();
            let list = |name: &str| report[name].as_array().unwrap().clone();
            // When the game is over there are no choices, though threats may be left.
            let Some(any) = list("choices").get(list("choices").len() / 3).cloned() else { return report };
            let cell = list("threats").first().cloned().unwrap_or(any);
            self.browser.click(&format!("#cell-{}", cell.as_str().unwrap()));
        }
    }

    /// Downloads what a link leads to; the file.
    fn download(&self, link: &str, folder: &Path) -> PathBuf {
        let place = json!({ "behavior": "allow", "downloadPath": folder });
        self.browser.chromium("Browser.setDownloadBehavior", place);
        self.browser.click(link);
        let half = |path: &Path| path.to_str().is_none_or(|name| name.contains("crdownload") || name.contains("/.org"));
        patiently(|| {
            let mut files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            files.find(|path| !half(path))
        })
    }
}

/// What `harary check` says of a file.
fn checked(file: &Path) -> String {
    let check = Command::new(env!("CARGO_BIN_EXE_harary")).arg("check").arg(file).output().unwrap();
    assert!(check.status.success(), "{check:?}");
    String::from_utf8(check.stdout).unwrap()
}

#[test]
fn skinny_is_drawn_settled_played_and_taken_home() {
    let (data, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let served = Served::start(data.path(), &[]);
    let studio = Studio::open(&served, "/");
    assert!(studio.text("game-title").contains("Draw a shape"));
    studio.draw("b2 c2 d2 e2");
    studio.until("game-title", "skinny (0,0 1,0 2,0 3,0) on 7x7 plain, strong rule");
    assert!(studio.text("known").contains("The atlas: Black wins by turn 13"), "{}", studio.text("known"));
    assert_eq!(studio.text("command"), "harary solve skinny 7x7");
    studio.browser.click("#settle");
    studio.until("run", "Black wins by turn 13.");
    assert!(studio.text("run").contains("Certificate accepted"), "{}", studio.text("run"));
    studio.browser.pictures("studio-settled");
    studio.browser.click("#run-play-proof");
    let end = studio.play_out();
    assert_eq!(end["outcome"], "black", "{end}");
    assert!(end["turn"].as_u64().unwrap() <= 13);
    studio.browser.pictures("studio-won");
    assert!(studio.text("verdict").contains("certified was turn 13"), "{}", studio.text("verdict"));
    let file = studio.download("#file-certificate", home.path());
    assert!(checked(&file).contains("accepted: Black wins skinny on 7x7 plain, strong rule, by turn 13"));
    // Back at the start, the tree is walked: the first of the longest replies is played by a click.
    studio.browser.click("#restart");
    studio.browser.click("#walk summary");
    studio.until("choices", "until turn 13");
    studio.browser.click("#choices .reply");
    assert_eq!(studio.report()["turn"], 3);
    // Whoever reloads the page finds the run again.
    studio.go(&served, "/");
    studio.until("runs", "Black wins by turn 13");
    studio.browser.click("#runs .run");
    studio.until("run", "Black wins by turn 13.");
    assert_eq!(studio.browser.complaints(), json!([]));
}

#[test]
fn a_shape_nobody_named_on_a_torus_by_the_weak_rule() {
    let (data, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let served = Served::start(data.path(), &[]);
    let studio = Studio::open(&served, "/");
    studio.draw("a1 c1 d2");
    studio.fill("width", "5");
    studio.fill("height", "5");
    studio.fill("family", "torus");
    studio.browser.click("input[name=rule][value=weak]");
    studio.until("game-title", "0,0 2,0 3,1 on 5x5 torus, weak rule");
    assert!(studio.text("shape-name").contains("no name"));
    // The atlas does not know it, a law does: it lies inside a shape that wins.
    assert!(studio.text("known").contains("By a law between games: Black wins by turn 7"), "{}", studio.text("known"));
    studio.browser.click("#settle");
    studio.until("run", "Certificate accepted");
    let verdict = studio.text("run-verdict");
    studio.browser.click("#run-play-proof");
    let end = studio.play_out();
    let won = if verdict.contains("Black wins") { "black" } else { "blocked" };
    assert_eq!(end["outcome"], won, "{verdict} {end}");
    studio.browser.pictures("studio-torus");
    let file = studio.download("#file-certificate", home.path());
    assert!(
        checked(&file).contains("accepted: Black wins the shape 0,0 2,0 3,1 on 5x5 torus, weak rule"),
        "{}",
        checked(&file)
    );
    assert_eq!(studio.browser.complaints(), json!([]));
}

#[test]
fn runs_survive_a_stop_a_kill_and_a_restart() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &["--cores", "1"]);
    let port = served.address.rsplit(':').next().unwrap().to_owned();
    let studio = Studio::open(&served, "/?target=snaky&board=9x9&family=plain&rule=strong");
    studio.until("game-title", "snaky");
    studio.fill("seconds", "30");
    let label = "return document.querySelector('#run .steps .refuted')?.getAttribute('aria-label')";
    let first_refuted = || patiently(|| Some(studio.browser.script(label).as_str()?.split(',').next()?.to_owned()));
    studio.browser.click("#settle");
    let stopped_after = first_refuted();
    studio.browser.pictures("studio-searching");
    studio.browser.click("#run-stop");
    studio.until("run-state", "stopped");
    studio.fill("seconds", "3600");
    studio.browser.click("#settle");
    studio.until("run-state", "searching");
    let killed_after = first_refuted();
    assert!(stopped_after.starts_with("no win by turn ") && killed_after.starts_with("no win by turn "));
    served.kill();
    // The same address, as somebody who starts it again would have it; the page is loaded again.
    let served = Served::at(&port, data.path(), &["--cores", "1"]);
    studio.go(&served, "/");
    studio.until("runs", "interrupted");
    let listed = studio.text("runs");
    assert!(
        listed.contains("stopped · no win by turn ") && listed.contains("interrupted · no win by turn "),
        "{listed}"
    );
    studio.browser.click("#runs .run.interrupted");
    studio.until("run-state", "interrupted");
    assert_eq!(first_refuted(), killed_after);
    // It can be gone on with, and forgotten.
    studio.browser.click("#run-again");
    studio.until("run-state", "searching");
    studio.browser.click("#run-stop");
    studio.until("run-state", "stopped");
    studio.browser.click("#run-forget");
    studio.until("run", "Forgotten");
    // The stream that broke off with the server, and nothing else.
    let complaints = studio.browser.complaints();
    let broken = |line: &Value| line["message"].as_str().is_some_and(|text| text.contains("/events - Failed to load"));
    assert!(complaints.as_array().unwrap().iter().all(broken), "{complaints}");
}

#[test]
fn any_position_is_examined_and_games_are_saved_as_text() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &[]);
    let studio = Studio::open(&served, "/?target=tic&board=3x3&family=plain&rule=strong");
    studio.until("game-title", "tic");
    for cell in ["b2", "a3", "a2"] {
        studio.browser.click(&format!("#at-{cell}"));
    }
    studio.until("position-turn", "Turn 4: White to move");
    studio.browser.click("#worth");
    studio.until("position-says", "Of White's 6 moves");
    let label = |cell: &str| {
        studio.browser.script(&format!("return document.getElementById('at-{cell}').getAttribute('aria-label')"))
    };
    assert_eq!(label("b3"), "b3, empty, Black wins by turn 5");
    assert_eq!(label("c2"), "c2, empty, the game is a draw");
    studio.browser.pictures("studio-worth");
    studio.browser.click("#hint");
    studio.until("position-says", "Play c2: the game is a draw.");
    studio.browser.click("#panel-position details summary");
    studio.browser.click("#save");
    studio.until("position-says", "Copy the text");
    let text = studio.browser.script("return document.getElementById('text').value");
    assert!(text.as_str().unwrap().ends_with("\nb2 a3 a2\n"), "{text}");
    studio.browser.click("#empty");
    studio.until("position-turn", "Turn 1");
    // Stones put anywhere: two of Black's in a row and White to move.
    studio.browser.click("input[name=tool][value=black]");
    studio.browser.click("#at-a1");
    studio.browser.click("#at-b1");
    studio.fill("to-move", "white");
    studio.browser.click("#worth");
    studio.until("position-says", "Of White's 7 moves");
    assert_eq!(label("a3"), "a3, empty, Black wins by turn 2");
    studio.browser.click("#load");
    studio.until("position-turn", "Turn 4: White to move");
    // Pairs hold fatty.
    studio.go(&served, "/?target=fatty&board=4x4");
    studio.until("game-title", "fatty");
    studio.browser.click("#pave");
    studio.until("position-says", "pairs hold");
    assert!(studio.text("position-says").contains("The checker has accepted it"), "{}", studio.text("position-says"));
    studio.browser.pictures("studio-pairs");
    assert_eq!(studio.browser.complaints(), json!([]));
}

#[test]
fn other_boards_other_goals_and_the_keyboard() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &[]);
    let studio = Studio::open(&served, "/");
    // By keys alone: to the drawing board, a cell, another beside it.
    studio.browser.script("document.querySelector('#drawing [tabindex=\"0\"]').focus()");
    let (enter, left) = ('\u{e007}', '\u{e012}');
    studio.browser.keys(&[enter, left, enter]);
    studio.until("game-title", "domino");
    studio.browser.click("#another");
    studio.fill("catalogue", "el");
    studio.until("game-title", "domino+el on 7x7 plain");
    studio.fill("goal", "hex");
    studio.fill("width", "4");
    studio.fill("height", "4");
    studio.until("game-title", "hex on 4x4 hexagonal, weak rule");
    studio.browser.click("#settle");
    studio.until("run", "Certificate accepted");
    studio.browser.click("#run-play-proof");
    assert_eq!(studio.play_out()["outcome"], "black");
    studio.browser.pictures("studio-hex");
    studio.fill("goal", "row");
    studio.fill("row", "4");
    studio.fill("depth", "4");
    studio.until("game-title", "row4 on 4x4x4 box, strong rule");
    studio.fill("goal", "shapes");
    studio.fill("depth", "1");
    studio.fill("family", "hexagonal");
    studio.browser.click("#clear");
    studio.fill("catalogue", "bee");
    studio.until("game-title", "bee on 4x4 hexagonal");
    studio.browser.click("#tab-position");
    studio.browser.pictures("studio-bee");
    studio.fill("width", "40");
    studio.until("trouble", "40");
    // Tabs are walked through with the arrows.
    studio.browser.script("document.getElementById('tab-position').focus()");
    studio.browser.keys(&['\u{e014}']);
    assert_eq!(studio.browser.script("return document.activeElement.id"), "tab-progress");
    let complaints = studio.browser.complaints();
    let unexpected: Vec<&Value> = complaints
        .as_array()
        .unwrap()
        .iter()
        .filter(|line| !line["message"].as_str().unwrap().contains("422"))
        .collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
}

#[test]
fn all_pages_can_be_read_in_every_look_and_printed() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &[]);
    let studio = Studio::open(&served, "/?target=skinny&board=7x7");
    studio.until("game-title", "skinny");
    let browser = &studio.browser;
    for (page, name, least) in [
        ("/?target=skinny&board=7x7", "studio", 30),
        ("/errata", "errata", 30),
        ("/open", "open", 30),
        ("/atlas", "atlas", 100),
    ] {
        browser.go(&format!("http://{}{page}", served.address));
        if name == "studio" {
            studio.until("game-title", "skinny");
        }
        for look in LOOKS {
            browser.look(look);
            browser.drawn();
            assert!(browser.readable() >= least, "{name}, {}", look.name);
        }
        browser.pictures(&format!("studio-page-{name}"));
    }
    // From the atlas a game is opened in the studio.
    browser.script("location.hash = '#skinny-7x7-plain-strong'");
    browser.click("article:target .play");
    assert_eq!(browser.script("return await studio.ready"), true);
    studio.until("game-title", "skinny (0,0 1,0 2,0 3,0) on 7x7 plain, strong rule");
    // On paper the form is left out and the board is there.
    browser.chromium("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    let shown = "const shown = (selector) => document.querySelector(selector).getClientRects().length > 0;
        return [shown('.setup'), shown('nav.house'), shown('#position')]";
    assert_eq!(browser.script(shown), json!([false, false, true]));
    assert_eq!(browser.complaints(), json!([]));
}
