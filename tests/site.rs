//! `harary atlas export --html`: the atlas as a site, opened in a real browser.

mod browser;

use assert_cmd::Command;
use browser::{Browser, LOOKS};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const ESCAPE: char = '\u{e00c}';

fn harary(arguments: &[&str]) -> (i32, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

/// A place for a site that is empty at the start of a test.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("site").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Chips that are shown, by the games they lead to.
fn shown(browser: &Browser) -> Vec<String> {
    let chips =
        browser.script("return [...document.querySelectorAll('#grid .chip:not([hidden])')].map((chip) => chip.hash)");
    chips.as_array().unwrap().iter().map(|chip| chip.as_str().unwrap().to_owned()).collect()
}

/// Chooses in a filter as a visitor does: the page is told that something was put in.
fn choose(browser: &Browser, name: &str, value: &str) {
    browser.script(&format!(
        "const field = document.querySelector('#filters [name={name}]'); field.value = '{value}';
         field.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    ));
}

#[test]
fn verdicts_lead_to_pages_that_play_and_certificates_that_are_accepted() {
    let folder = folder("pages");
    let (run, site, kept) = (folder.join("run"), folder.join("site"), folder.join("kept"));
    let boards = ["--boards", "3x3,4x4", "--rule", "both", "--both"];
    let arguments = ["atlas", "run", "--shapes", "el,tippy,fatty", "--dir", text(&run), "--certificates", text(&kept)];
    let (code, output, errors) = harary(&[&arguments[..], &boards[..]].concat());
    assert_eq!(code, 0, "{output}{errors}");
    // Some certificates are at hand, the others are made again.
    for entry in fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path()) {
        if text(&entry).contains("tippy") {
            fs::remove_file(entry).unwrap();
        }
    }
    let export =
        ["atlas", "export", "--html", text(&site), "--dir", text(&run), "--pages", "--certificates", text(&kept)];
    let (code, output, errors) = harary(&export);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(output.ends_with(": 24 games, 24 strategy pages\n"), "{output}");
    let certificates: Vec<PathBuf> =
        fs::read_dir(site.join("certificates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let files: Vec<&str> = certificates.iter().map(|path| text(path)).collect();
    assert_eq!(files.len(), 24);
    assert_eq!(harary(&[&["check", "--quiet"], &files[..]].concat()), (0, String::new(), String::new()));

    let browser = Browser::start();
    browser.visit(&site.join("index.html"));
    // One that no source agrees on: tippy on 4x4.
    browser.click("#filters [name=differs]");
    assert_eq!(shown(&browser), ["#tippy-4x4-plain-strong"]);
    browser.click("a[href='#tippy-4x4-plain-strong']");
    let about = browser.script("return document.querySelector('article:target').innerText");
    let about = about.as_str().unwrap();
    for part in [
        "tippy on 4×4, strong rule",
        "Black wins by turn 9, and not earlier.",
        "≠ here win 9",
        "harary solve tippy 4x4 --threads 1",
    ] {
        assert!(about.contains(part), "{part}: {about}");
    }
    browser.keys(&[ESCAPE]);
    assert_eq!(browser.script("return document.querySelector('article:target')"), Value::Null);
    assert_eq!(browser.script("return document.activeElement.hash"), "#tippy-4x4-plain-strong");
    browser.click("a[href='#tippy-4x4-plain-strong']");
    browser.click("article:target .play");
    assert_eq!(browser.script("return await harary.ready"), true);
    assert_eq!(browser.script("return document.querySelector('h1').textContent"), "Tippy on 4×4");
    let wins = browser.script(
        "while (harary.report().choices.length > 0) harary.play(harary.report().choices[0]); return harary.report().outcome",
    );
    assert_eq!(wins, "black");
    browser.open(&site.join("games/fatty-4x4-torus-weak.html"));
    assert_eq!(browser.script("return document.querySelector('h1').textContent"), "Fatty on 4×4 torus");
    // A file that is not what its name says is no certificate of the game.
    let swapped = ["el-3x3-plain-strong.cert.zst", "fatty-3x3-plain-strong.cert.zst"].map(|name| kept.join(name));
    fs::copy(&swapped[0], &swapped[1]).unwrap();
    let (code, _, errors) = harary(&export);
    assert_eq!(code, 1);
    assert!(errors.contains("fatty 3x3 plain strong: ") && errors.contains("proves something else"), "{errors}");
}

#[test]
fn the_shipped_atlas_is_filtered_and_looks_well() {
    let site = folder("shipped");
    let (code, output, errors) = harary(&["atlas", "export", "--html", text(&site)]);
    assert_eq!((code, errors.as_str()), (0, ""), "{output}");
    let browser = Browser::start();
    browser.visit(&site.join("index.html"));
    let count = || browser.script("return document.getElementById('count').textContent").as_str().unwrap().to_owned();
    let all = browser.script("return document.querySelectorAll('#grid .chip').length").as_u64().unwrap();
    let strong = shown(&browser);
    assert!(strong.iter().all(|chip| chip.ends_with("-strong")), "the strong rule is shown first");
    assert_eq!(count(), format!("{} of {all} games", strong.len()));
    choose(&browser, "rule", "");
    assert_eq!(shown(&browser).len() as u64, all);
    choose(&browser, "topology", "torus");
    choose(&browser, "verdict", "win");
    choose(&browser, "size", "4");
    let filtered = shown(&browser);
    assert!(filtered.contains(&"#tippy-4x4-torus-strong".to_owned()), "{filtered:?}");
    assert!(filtered.iter().all(|chip| chip.contains("-torus-")), "{filtered:?}");
    let sizes = browser
        .script("return [...document.querySelectorAll('#grid tbody:not([hidden])')].map((body) => body.dataset.size)");
    assert_eq!(sizes, serde_json::json!(["4"]));
    choose(&browser, "verdict", "open");
    choose(&browser, "size", "1");
    assert_eq!(
        (shown(&browser).len(), browser.script("return document.getElementById('none').hidden")),
        (0, false.into())
    );
    // Every verdict has a name, and names what it is about.
    let nameless = "return [...document.querySelectorAll('#grid .chip')].filter((chip) => !/ on .* rule: /.test(chip.ariaLabel)).length";
    assert_eq!(browser.script(nameless), 0);
    browser.visit(&site.join("index.html"));
    for look in LOOKS {
        browser.look(look);
        browser.drawn();
        assert!(browser.readable() > 50, "{}", look.name);
    }
    browser.pictures("atlas");
    browser.script("location.hash = 'tippy-4x4-plain-strong'");
    browser.drawn();
    assert!(browser.readable() > 50);
    browser.pictures("atlas-game");
    assert_eq!(browser.complaints(), Value::Array(vec![]));
}
