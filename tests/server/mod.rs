//! `harary serve` for tests: started on a free port, spoken to as a browser would, killed without a word.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A server under way. It is killed with the value.
pub struct Served {
    child: Child,
    /// Kept, so that what it prints last does not meet a closed pipe.
    _said: BufReader<ChildStdout>,
    /// As `127.0.0.1:40123`.
    pub address: String,
}

impl Served {
    /// On a free port.
    pub fn start(data: &Path, more: &[&str]) -> Served {
        Served::at("0", data, more)
    }

    pub fn at(port: &str, data: &Path, more: &[&str]) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_harary"))
            .args(["serve", "--port", port, "--data", data.to_str().unwrap()])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("The studio is at http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("it says {line:?}")).to_owned();
        Served { child, _said: said, address }
    }

    /// As `kill -9` does: it has no time for anything.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// As Ctrl-C does; whether it ended well.
    pub fn interrupt(mut self) -> bool {
        let id = nix::unistd::Pid::from_raw(self.child.id().try_into().unwrap());
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
        self.child.wait().unwrap().success()
    }

    /// The memory it has, in kibibytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").trim().parse().unwrap()
    }

    /// How many threads and open files it has.
    pub fn handles(&self) -> (usize, usize) {
        let count = |what: &str| std::fs::read_dir(format!("/proc/{}/{what}", self.child.id())).unwrap().count();
        (count("task"), count("fd"))
    }

    /// A connection of its own.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// Sends what it is told and returns the whole answer.
    pub fn raw(&self, request: &str) -> String {
        let mut stream = self.connect();
        let mut answer = Vec::new();
        // A server that has heard enough closes; what it said before counts.
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Somebody who opens the page.
    pub fn visitor(&self) -> Visitor<'_> {
        let page = self.raw(&format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", self.address));
        let cookie = page.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let mut visitor = Visitor { served: self, cookie, token: String::new() };
        visitor.token = visitor.get("/api/hello").json()["token"].as_str().unwrap().to_owned();
        visitor
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for something that comes, but for a hang.
pub fn patiently<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(900), "nothing happens");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Somebody with a cookie and a token.
pub struct Visitor<'a> {
    pub served: &'a Served,
    pub cookie: String,
    pub token: String,
}

/// What was answered.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text()))
    }
}

impl Visitor<'_> {
    /// The head of a request of this visitor's.
    pub fn head(&self, method: &str, path: &str) -> String {
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n", self.served.address, self.cookie)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", None)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &format!("x-harary-token: {}\r\n", self.token), Some(&body.to_string()))
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.ask("DELETE", path, &format!("x-harary-token: {}\r\n", self.token), None)
    }

    /// With these headers more.
    pub fn ask(&self, method: &str, path: &str, more: &str, body: Option<&str>) -> Answer {
        let length = body.map_or(String::new(), |body| format!("content-length: {}\r\n", body.len()));
        let request = format!("{}{more}{length}\r\n{}", self.head(method, path), body.unwrap_or_default());
        let mut stream = self.served.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end =
            answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or_else(|| panic!("no head: {answer:?}"));
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head, body: answer[end + 4..].to_vec() }
    }

    /// Asks for a game to be settled; the name of the run.
    pub fn settle(&self, asked: &Value, seconds: u64) -> String {
        let effort = serde_json::json!({ "cores": 1, "memory": 64, "seconds": seconds });
        let answer = self.post("/api/runs", &serde_json::json!({ "asked": asked, "effort": effort }));
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// A run as it is now.
    pub fn run(&self, id: &str) -> Value {
        self.get(&format!("/api/runs/{id}")).json()
    }

    /// Waits until something is true of a run.
    pub fn until(&self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        patiently(|| Some(self.run(id)).filter(&wanted))
    }
}
