//! `harary serve` over HTTP: what it answers, what it refuses, what it keeps, and what a hostile client cannot do.

mod server;

use assert_cmd::Command;
use serde_json::{Value, json};
use server::{Served, Visitor};
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn el() -> Value {
    json!({ "target": "el", "board": "3x3" })
}

/// A game that takes longer than any test.
fn snaky() -> Value {
    json!({ "target": "snaky", "board": "9x9" })
}

fn is_over(run: &Value) -> bool {
    !matches!(run["state"].as_str(), Some("queued" | "running"))
}

fn has_refuted(run: &Value) -> bool {
    !run["seen"]["refuted"].as_array().unwrap().is_empty()
}

#[test]
fn pages_are_there_and_may_do_nothing_but_ask_here() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &[]);
    let me = served.visitor();
    for page in [
        "/",
        "/studio.js",
        "/studio.css",
        "/atlas",
        "/atlas.js",
        "/atlas.css",
        "/errata",
        "/open",
        "/list.css",
        "/icon.svg",
    ] {
        let answer = me.get(page);
        assert_eq!(answer.status, 200, "{page}");
        for header in
            ["default-src 'none'; script-src 'self'", "x-content-type-options: nosniff", "x-frame-options: DENY"]
        {
            assert!(answer.head.contains(header), "{page}: {}", answer.head);
        }
        assert!(!answer.head.contains("access-control-allow"), "{page}: {}", answer.head);
    }
    assert!(
        served
            .raw(&format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", served.address))
            .contains("HttpOnly; SameSite=Strict")
    );
    for nowhere in
        ["/nothing", "/../Cargo.toml", "/%2e%2e/%2e%2e/etc/passwd", "/api", "/api/runs/..%2f..%2fetc%2fpasswd"]
    {
        assert_eq!(me.get(nowhere).status, 404, "{nowhere}");
    }
    assert_eq!(me.ask("PUT", "/", &format!("x-harary-token: {}\r\n", me.token), None).status, 405);
    assert!(served.interrupt(), "Ctrl-C ends it well");
}

#[test]
fn a_run_is_watched_settled_and_taken_home() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &["--cores", "1", "--memory", "64MiB"]);
    let me = served.visitor();
    let about = me.post("/api/game", &el()).json();
    assert_eq!((&about["atlas"]["by"], &about["command"]), (&json!(5), &json!("harary solve el 3x3")));
    let id = me.settle(&el(), 600);
    // The stream tells what the run is and ends with it.
    let mut stream = served.connect();
    write!(stream, "{}\r\n", me.head("GET", &format!("/api/runs/{id}/events"))).unwrap();
    let events: Vec<Value> = BufReader::new(stream)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
        .collect();
    let last = events.last().unwrap();
    assert_eq!(
        (&last["state"], &last["verdict"]["by"], &last["verdict"]["word"]),
        (&json!("settled"), &json!(5), &json!("win"))
    );
    assert!(last.get("owner").is_none());
    let certificate = me.get(&format!("/api/runs/{id}/certificate"));
    assert!(
        certificate.head.contains("filename=\"el-0-0-0-1-1-0-on-3x3-plain-strong.cert.zst\""),
        "{}",
        certificate.head
    );
    let file = data.path().join("taken.cert.zst");
    std::fs::write(&file, &certificate.body).unwrap();
    let check = Command::new(env!("CARGO_BIN_EXE_harary")).arg("check").arg(&file).output().unwrap();
    assert!(check.status.success(), "{check:?}");
    let files = [
        ("tree.svg", "<svg"),
        ("tree.tex", "tikzpicture"),
        ("line.svg", "<svg"),
        ("line.tex", "tikzpicture"),
        ("tree.json", "\"command\":\"strategy\""),
        ("page.html", "<!doctype html>"),
    ];
    for (name, inside) in files {
        let answer = me.get(&format!("/api/runs/{id}/files/{name}"));
        assert!(answer.status == 200 && answer.text().contains(inside), "{name}: {}", answer.status);
        assert!(answer.head.contains("content-disposition: attachment"), "{name}");
    }
    assert_eq!(me.get(&format!("/api/runs/{id}/files/passwd")).status, 400);
    let play = me.get(&format!("/api/runs/{id}/play")).json();
    assert_eq!((&play["facts"]["claim"], &play["facts"]["last"]), (&json!("win"), &json!(5)));
    let walk = me.get(&format!("/api/runs/{id}/walk?after=b2")).json();
    assert!(!walk["groups"].as_array().unwrap().is_empty(), "{walk}");
    assert_eq!(me.get(&format!("/api/runs/{id}/walk?after=a1")).status, 422, "the strategy plays b2");
    assert_eq!(me.delete(&format!("/api/runs/{id}")).status, 204);
    assert_eq!(me.get("/api/runs").json(), json!([]));
}

#[test]
fn positions_texts_and_mistakes() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &[]);
    let me = served.visitor();
    let tic = json!({ "target": "tic", "board": "3x3" });
    let told = me.post("/api/position", &json!({ "asked": tic, "moves": "b2 a1", "seconds": 1 })).json();
    assert_eq!((told["moves"].as_array().unwrap().len(), &told["exact"]), (7, &json!(true)));
    let hint = me.post("/api/hint", &json!({ "asked": tic, "moves": "b2 a1 a2", "seconds": 1 })).json();
    assert_eq!(hint["moves"][0]["cell"], "c2");
    let fatty = json!({ "target": "fatty", "board": "4x4" });
    let paved = me.post("/api/paving", &json!({ "asked": fatty, "seconds": 20 })).json();
    assert_eq!((&paved["paved"], &paved["proved"]), (&json!(true), &json!(true)));
    let text = me.post("/api/text", &json!({ "asked": tic, "moves": "b2 a1" })).json()["text"].clone();
    assert_eq!(me.post("/api/read", &json!({ "text": text })).json()["moves"], "b2 a1");
    for (path, body, status) in [
        ("/api/game", json!({ "target": "skiny", "board": "7x7" }), 422),
        ("/api/game", json!({ "target": "@/etc/passwd", "board": "7x7" }), 422),
        ("/api/game", json!({ "target": "el", "board": "7x7", "file": "/etc/passwd" }), 400),
        ("/api/position", json!({ "asked": tic, "moves": "z9" }), 422),
        ("/api/read", json!({ "text": "nothing" }), 422),
        ("/api/runs", json!({ "asked": tic }), 400),
    ] {
        let answer = me.post(path, &body);
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.text());
        assert!(answer.json()["error"].as_str().is_some_and(|words| !words.is_empty()));
    }
}

#[test]
fn foreign_hosts_origins_and_requests_without_a_token_are_refused() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &[]);
    let (me, you) = (served.visitor(), served.visitor());
    for host in ["evil.example", "localhost.evil.example:80", "192.168.0.1"] {
        assert!(served.raw(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")).starts_with("HTTP/1.1 403"), "{host}");
    }
    assert!(served.raw("GET / HTTP/1.0\r\n\r\n").contains(" 403 "), "no host at all");
    let run = json!({ "asked": el(), "effort": { "cores": 1, "memory": 1, "seconds": 1 } }).to_string();
    let own = format!("x-harary-token: {}\r\n", me.token);
    let with = |headers: &str| me.ask("POST", "/api/runs", headers, Some(&run)).status;
    assert_eq!(with(&format!("{own}Origin: http://evil.example\r\n")), 403);
    assert_eq!(with(&format!("{own}Origin: null\r\n")), 403);
    assert_eq!(with(&format!("{own}Sec-Fetch-Site: cross-site\r\n")), 403);
    assert_eq!(with(""), 403, "no token");
    assert_eq!(with(&format!("x-harary-token: {}\r\n", you.token)), 403, "another's token");
    assert_eq!(with(&format!("x-harary-token: {}\r\n", "0".repeat(64))), 403);
    let image = me.ask("GET", "/api/runs", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n", None);
    assert_eq!(image.status, 403);
    assert_eq!(me.get("/api/runs").json(), json!([]), "nothing was begun");
    assert_eq!(with(&format!("{own}Origin: http://{}\r\n", served.address)), 201);
}

#[test]
fn nobody_sees_or_stops_the_run_of_another() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &["--cores", "1"]);
    let (me, you) = (served.visitor(), served.visitor());
    let (long, done) = (me.settle(&snaky(), 3600), you.settle(&el(), 600));
    me.until(&long, |run| run["state"] == "running");
    for path in ["", "/events", "/play", "/walk", "/certificate", "/files/tree.svg"] {
        assert_eq!(you.get(&format!("/api/runs/{long}{path}")).status, 404, "{path}");
    }
    assert_eq!(you.post(&format!("/api/runs/{long}/stop"), &json!(null)).status, 404);
    assert_eq!(you.delete(&format!("/api/runs/{long}")).status, 404);
    assert_eq!(you.get("/api/runs").json().as_array().unwrap().len(), 1);
    // With the cookie of the other and without his token nothing can be stopped either.
    let thief = Visitor { served: &served, cookie: me.cookie.clone(), token: you.token.clone() };
    assert_eq!(thief.post(&format!("/api/runs/{long}/stop"), &json!(null)).status, 403);
    assert_eq!(me.run(&long)["state"], "running");
    assert_eq!(you.run(&done)["ahead"], 0, "it waits for the other");
    assert_eq!(me.delete(&format!("/api/runs/{long}")).status, 409);
    me.post(&format!("/api/runs/{long}/stop"), &json!(null));
    assert_eq!(me.until(&long, is_over)["state"], "stopped");
    assert_eq!(you.until(&done, is_over)["state"], "settled");
}

#[test]
fn a_killed_server_has_kept_what_was_proved() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &["--cores", "1"]);
    let me = served.visitor();
    let (done, long, waiting) = (me.settle(&el(), 600), me.settle(&snaky(), 3600), me.settle(&el(), 600));
    me.until(&done, is_over);
    let before = me.until(&long, has_refuted);
    let twin = Command::new(env!("CARGO_BIN_EXE_harary"))
        .args(["serve", "--port", "0", "--data"])
        .arg(data.path())
        .output()
        .unwrap();
    assert_eq!(twin.status.code(), Some(2), "one server a folder: {twin:?}");
    let cookie = me.cookie.clone();
    served.kill();
    let served = Served::start(data.path(), &["--cores", "1"]);
    let me = Visitor { cookie, token: served.visitor().token, served: &served };
    let runs = me.get("/api/runs").json();
    assert_eq!(runs.as_array().unwrap().len(), 3);
    let after = me.run(&long);
    assert_eq!(after["state"], "interrupted");
    assert_eq!(after["seen"]["refuted"][0], before["seen"]["refuted"][0]);
    assert_eq!(me.run(&done)["verdict"]["by"], 5);
    assert_eq!(me.get(&format!("/api/runs/{done}/certificate")).status, 200);
    assert_eq!(me.until(&waiting, is_over)["state"], "settled", "what waited is settled now");
    // The token was of the old server; the page asks for a new one.
    assert_eq!(me.post(&format!("/api/runs/{long}/stop"), &json!(null)).status, 403);
    // A certificate that was tampered with is none.
    let cookie = me.cookie.clone();
    served.kill();
    let path = data.path().join(format!("{done}.cert.zst"));
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let served = Served::start(data.path(), &[]);
    let me = Visitor { cookie, token: String::new(), served: &served };
    assert_eq!((&me.run(&done)["state"], &me.run(&done)["verdict"]), (&json!("failed"), &Value::Null));
}

#[test]
fn bodies_heads_and_queues_have_their_bounds() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &["--cores", "1"]);
    let me = served.visitor();
    let token = format!("x-harary-token: {}\r\n", me.token);
    let long = format!("{}{token}content-length: 70000\r\n\r\n{}", me.head("POST", "/api/game"), " ".repeat(70_000));
    assert!(served.raw(&long).starts_with("HTTP/1.1 413"), "a body of 70 kB");
    let huge = format!("{}X: {}\r\n\r\n", me.head("GET", "/"), "x".repeat(1 << 20));
    assert!(!served.raw(&huge).starts_with("HTTP/1.1 200"), "a head of a megabyte");
    let slow = format!("{}{token}content-length: 10\r\n\r\n{{", me.head("POST", "/api/game"));
    assert!(served.raw(&slow).starts_with("HTTP/1.1 408"), "a body that does not come");
    assert!(!served.raw("GET / HTTP/1.1\r\nHost: ").contains(" 200 "), "a head that does not come");
    let ask = || {
        me.post("/api/runs", &json!({ "asked": snaky(), "effort": { "cores": 1, "memory": 8, "seconds": 3600 } }))
            .status
    };
    // One is under way, eight wait.
    let first = me.settle(&snaky(), 3600);
    me.until(&first, |run| run["state"] == "running");
    let statuses: Vec<u16> = (0..9).map(|_| ask()).collect();
    assert_eq!(statuses, [201, 201, 201, 201, 201, 201, 201, 201, 429]);
    let you = served.visitor();
    assert!(
        you.post("/api/runs", &json!({ "asked": el(), "effort": { "cores": 1, "memory": 8, "seconds": 9 } })).status
            == 201
    );
    let streams: Vec<_> = (0..9)
        .map(|_| {
            let id = me.get("/api/runs").json()[0]["id"].as_str().unwrap().to_owned();
            let mut stream = served.connect();
            write!(stream, "{}\r\n", me.head("GET", &format!("/api/runs/{id}/events"))).unwrap();
            let mut line = String::new();
            BufReader::new(stream.try_clone().unwrap()).read_line(&mut line).unwrap();
            (line, stream)
        })
        .collect();
    let open = streams.iter().filter(|(line, _)| line.contains("200")).count();
    assert_eq!(open, 8, "eight streams a visitor");
}

// ------------------------------------------------------------------------------------------------------ hostile clients

/// What a normal visitor met while others did their worst.
struct Siege {
    /// How long each of his requests took, sorted.
    waits: Vec<Duration>,
    /// The most memory the server had, in kibibytes, and before.
    most: u64,
    before: u64,
    /// Requests of the others.
    attacks: usize,
    /// The most threads and open files.
    handles: (usize, usize),
}

/// So many clients, each with one bad habit, for so long.
fn siege(served: &Served, clients: usize, time: Duration) -> Siege {
    let (me, them) = (served.visitor(), served.visitor());
    let stream = format!("/api/runs/{}/events", them.settle(&el(), 600));
    for page in ["/", "/atlas", "/errata", "/open", "/studio.js"] {
        me.get(page);
    }
    let (over, attacks) = (AtomicBool::new(false), AtomicUsize::new(0));
    let before = served.memory();
    let mut seen = Siege { waits: Vec::new(), most: before, before, attacks: 0, handles: (0, 0) };
    std::thread::scope(|scope| {
        for habit in 0..clients {
            let (over, attacks, them, stream) = (&over, &attacks, &them, &stream);
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    attack(them, stream, habit, over);
                    attacks.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(10));
                }
            });
        }
        let started = Instant::now();
        while started.elapsed() < time {
            let requests: [&dyn Fn() -> server::Answer; 3] =
                [&|| me.get("/"), &|| me.get("/api/runs"), &|| me.post("/api/game", &el())];
            for request in requests {
                let began = Instant::now();
                let answer = request();
                seen.waits.push(began.elapsed());
                assert_eq!(answer.status, 200, "{}", answer.text());
            }
            seen.most = seen.most.max(served.memory());
            let (threads, files) = served.handles();
            seen.handles = (seen.handles.0.max(threads), seen.handles.1.max(files));
            std::thread::sleep(Duration::from_millis(20));
        }
        over.store(true, Ordering::Relaxed);
    });
    seen.waits.sort();
    seen.attacks = attacks.into_inner();
    seen
}

/// One connection of a hostile client. Nothing that fails is a mistake here.
fn attack(me: &Visitor, events: &str, habit: usize, over: &AtomicBool) {
    let Ok(mut stream) = std::net::TcpStream::connect(&me.served.address) else { return };
    let _ = stream.set_read_timeout(Some(Duration::from_millis(500)));
    let _ = stream.set_write_timeout(Some(Duration::from_millis(500)));
    let token = format!("x-harary-token: {}\r\n", me.token);
    let mut rest = Vec::new();
    match habit % 8 {
        // A head, byte by byte.
        0 => {
            for byte in format!("{}X-Slow: {}", me.head("GET", "/"), "x".repeat(200)).bytes() {
                if over.load(Ordering::Relaxed) || stream.write_all(&[byte]).is_err() {
                    return;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        // A body that is promised, with the right token.
        1 => {
            let _ = write!(stream, "{}{token}content-length: 60000\r\n\r\n", me.head("POST", "/api/game"));
            for _ in 0..100 {
                if over.load(Ordering::Relaxed) || stream.write_all(b" ").is_err() {
                    return;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        // A body of many megabytes.
        2 => {
            let _ = write!(stream, "{}{token}content-length: 100000000\r\n\r\n", me.head("POST", "/api/game"));
            let piece = vec![b' '; 1 << 16];
            while !over.load(Ordering::Relaxed) && stream.write_all(&piece).is_ok() {}
        }
        // Another site.
        3 => {
            let _ = write!(stream, "{}{token}Origin: http://evil.example\r\n\r\n", me.head("POST", "/api/runs"));
            let _ = stream.read_to_end(&mut rest);
        }
        // Another host, and no protocol at all.
        4 => {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n\x00\xff\xfe");
            let _ = stream.read_to_end(&mut rest);
        }
        // A large page that nobody reads.
        5 => {
            let _ = write!(stream, "{}\r\n", me.head("GET", "/atlas"));
            for _ in 0..20 {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        // A stream of events that breaks off.
        6 => {
            let _ = write!(stream, "{}\r\n", me.head("GET", events));
            let _ = stream.read(&mut [0; 10]);
        }
        // A connection that says nothing.
        _ => {
            let _ = stream.read_to_end(&mut rest);
        }
    }
}

/// Memory that 256 connections with all they may hold, and the pages, stay far below.
const MOST_GROWTH: u64 = 128 << 10;

#[test]
fn hostile_clients_cost_bounded_memory_and_a_visitor_is_served() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &[]);
    let siege = siege(&served, 200, Duration::from_secs(4));
    assert!(
        siege.attacks >= 200 && siege.waits.len() >= 3,
        "{} attacks, {} requests",
        siege.attacks,
        siege.waits.len()
    );
    assert!(siege.most - siege.before < MOST_GROWTH, "from {} to {} KiB", siege.before, siege.most);
    assert!(siege.handles.0 < 64 && siege.handles.1 < 512, "threads and files: {:?}", siege.handles);
}

/// The figures of docs/studio.md: `cargo test --release --test serve -- --ignored --nocapture`.
#[test]
#[ignore = "takes a minute, and its times are of a quiet machine"]
fn a_minute_of_two_hundred_hostile_clients() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &[]);
    let siege = siege(&served, 200, Duration::from_secs(60));
    let at = |share: usize| siege.waits[(siege.waits.len() - 1) * share / 1000];
    println!("{} attacks; {} requests of a normal visitor:", siege.attacks, siege.waits.len());
    println!("median {:.1?}, 99 of 100 {:.1?}, worst {:.1?}", at(500), at(990), at(1000));
    println!("memory {} KiB before, at most {}; threads, files {:?}", siege.before, siege.most, siege.handles);
    assert!(siege.most - siege.before < MOST_GROWTH);
}
