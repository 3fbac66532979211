//! A real browser for tests: Debian's headless Chromium, driven over the WebDriver protocol.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Without a sandbox, as root in containers has none, and without a word to the network.
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
];
const MISSING: &str = "these tests run in Chromium: apt-get install -y chromium chromium-driver (tests/all.sh does it)";

/// The contrast of every text with its ground, as the accessibility guidelines count it.
const CONTRASTS: &str = "
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => parts(colour).slice(0, 3)
        .map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (a, b) => {
        const [low, high] = [light(a), light(b)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const ground = (element) => {
        for (; element; element = element.parentElement) {
            const colour = getComputedStyle(element).backgroundColor;
            if ((parts(colour)[3] ?? 1) > 0) return colour;
        }
        return getComputedStyle(document.documentElement).backgroundColor;
    };
    const found = [];
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || !element.getClientRects().length || element.disabled) continue;
        const style = getComputedStyle(element);
        const letter = element.classList.contains('letter');
        const under = letter ? getComputedStyle(element.previousElementSibling).fill : ground(element);
        const colour = element instanceof SVGElement ? style.fill : style.color;
        found.push({ text: element.textContent, colour, under, contrast: contrast(colour, under) });
    }
    return found;";

/// How a page is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub name: &'static str,
    width: u32,
    height: u32,
    phone: bool,
    dark: bool,
}

pub const LOOKS: [Look; 4] = [
    Look { name: "light", width: 1120, height: 800, phone: false, dark: false },
    Look { name: "dark", width: 1120, height: 800, phone: false, dark: true },
    Look { name: "phone-light", width: 390, height: 844, phone: true, dark: false },
    Look { name: "phone-dark", width: 390, height: 844, phone: true, dark: true },
];

/// One Chromium with one tab. It ends with the value.
pub struct Browser {
    driver: Child,
    agent: ureq::Agent,
    session: String,
    _profile: TempDir,
}

impl Browser {
    pub fn start() -> Browser {
        let profile = tempfile::tempdir().unwrap();
        // Port 0: the driver takes a free one and says which.
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut driver = driver.unwrap_or_else(|error| panic!("chromedriver does not start ({error}); {MISSING}"));
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let Some(port) = port else {
            driver.kill().unwrap();
            panic!("chromedriver ended before it told its port; {MISSING}");
        };
        // What it prints later is read away, so that it never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let mut browser = Browser { driver, agent, session: format!("http://127.0.0.1:{port}"), _profile: profile };
        let mut flags: Vec<String> = FLAGS.iter().map(ToString::to_string).collect();
        flags.push(format!("--user-data-dir={}", browser._profile.path().display()));
        let options = json!({ "browserName": "chrome", "goog:chromeOptions": { "args": flags },
            "goog:loggingPrefs": { "browser": "ALL" } });
        let made = browser.post("/session", json!({ "capabilities": { "alwaysMatch": options } }));
        let id = made["sessionId"].as_str().unwrap_or_else(|| panic!("Chromium does not start: {made}; {MISSING}"));
        browser.session += &format!("/session/{id}");
        browser.look(LOOKS[0]);
        browser
    }

    fn post(&self, path: &str, body: Value) -> Value {
        let url = format!("{}{path}", self.session);
        let answer = self.agent.post(&url).header("content-type", "application/json").send(body.to_string());
        let text = answer.unwrap().body_mut().with_config().limit(1 << 28).read_to_string().unwrap();
        let mut answer: Value = serde_json::from_str(&text).unwrap();
        if let Some(error) = answer["value"]["error"].as_str() {
            panic!("{path}: {error}: {}", answer["value"]["message"]);
        }
        answer["value"].take()
    }

    /// Opens an address.
    pub fn go(&self, address: &str) {
        self.post("/url", json!({ "url": address }));
    }

    /// Opens a file as a visitor would, from disk.
    pub fn visit(&self, file: &Path) {
        self.go(&format!("file://{}", file.display()));
    }

    /// Opens a strategy page and waits until it is ready.
    pub fn open(&self, file: &Path) {
        self.visit(file);
        assert_eq!(self.script("return await harary.ready"), true);
    }

    /// Runs the body of an asynchronous function in the page.
    pub fn script(&self, body: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {body} }})().then(value => done([value]), error => done(String(error)))"
        );
        let mut result = self.post("/execute/async", json!({ "script": script, "args": [] }));
        match &result {
            Value::String(error) => panic!("the page's script: {error}"),
            _ => result[0].take(),
        }
    }

    fn element(&self, selector: &str) -> String {
        let found = self.post("/element", json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().unwrap().values().next().unwrap();
        id.as_str().unwrap().to_owned()
    }

    /// A real click, with everything that may lie above the element in the way.
    pub fn click(&self, selector: &str) {
        self.post(&format!("/element/{}/click", self.element(selector)), json!({}));
    }

    /// Keys, one after the other, to whatever has the focus.
    pub fn keys(&self, keys: &[char]) {
        let actions: Vec<Value> = (keys.iter())
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() })))
            .collect();
        self.post("/actions", json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }));
    }

    /// A command of Chromium's own protocol.
    pub fn chromium(&self, command: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", json!({ "cmd": command, "params": parameters }))
    }

    /// Changes the size of the window and the colours the visitor prefers.
    pub fn look(&self, look: Look) {
        self.chromium(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": look.phone }),
        );
        let scheme = if look.dark { "dark" } else { "light" };
        let still = json!({ "name": "prefers-reduced-motion", "value": "reduce" });
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }, still]);
        self.chromium("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Waits until what was played is drawn.
    pub fn drawn(&self) {
        self.script("await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame)");
    }

    /// Pictures of the page in all looks, kept with the other artefacts of the tests: the folder is returned.
    pub fn pictures(&self, name: &str) -> PathBuf {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        fs::create_dir_all(&folder).unwrap();
        for look in LOOKS {
            self.look(look);
            self.drawn();
            // Nothing sticks out at the side, on a phone least of all.
            let wide =
                self.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(wide, 0, "{name}, {}: wider than the window", look.name);
            let shot = self.chromium("Page.captureScreenshot", json!({ "captureBeyondViewport": look.phone }));
            let png = BASE64_STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
            assert!(png.starts_with(b"\x89PNG") && png.len() > 5_000, "{name}, {}: an empty picture", look.name);
            fs::write(folder.join(format!("{name}-{}.png", look.name)), png).unwrap();
        }
        self.look(LOOKS[0]);
        folder
    }

    /// Whether all text stands out from its ground; how many texts there are.
    pub fn readable(&self) -> usize {
        let texts = self.script(CONTRASTS);
        let texts = texts.as_array().unwrap();
        for text in texts {
            assert!(text["contrast"].as_f64().unwrap() >= 4.5, "{text}");
        }
        texts.len()
    }

    /// Errors and warnings of the page so far; a page has none.
    pub fn complaints(&self) -> Value {
        self.post("/se/log", json!({ "type": "browser" }))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Closing the session ends Chromium; the driver is ours to end. A failed test has more to say than these.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
