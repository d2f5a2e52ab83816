//! The server of the workbench: what it answers to those with the token, and what it refuses to everybody else.

mod refused;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{ENDLESS, Folder, LIFT};

/// A server and its token.
struct Server {
    process: Child,
    port: u16,
    token: String,
}

/// An answer.
struct Answered {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answered {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl Server {
    fn new(folder: &Folder) -> Server {
        let mut command = folder.command(&["serve", "models/Lift.mch"]);
        let mut process = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("a pipe");
        BufReader::new(output)
            .read_line(&mut line)
            .expect("an address");
        let rest = line
            .trim()
            .strip_prefix("http://127.0.0.1:")
            .expect("a loopback address");
        let (port, rest) = rest.split_once("/#token=").expect("a token");
        let (token, file) = rest.split_once("&file=").expect("a file");
        assert_eq!((token.len(), file), (32, "Lift.mch"));
        Server {
            process,
            port: port.parse().expect("a port"),
            token: token.to_owned(),
        }
    }

    /// Sends a request with these headers besides the host.
    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answered {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let host = match headers.contains("Host:") {
            true => String::new(),
            false => format!("Host: 127.0.0.1:{}\r\n", self.port),
        };
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let split = answer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap_or(answer.len());
        let head = String::from_utf8_lossy(&answer[..split]).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        Answered {
            status: status.unwrap_or(0),
            body: answer.get(split + 4..).unwrap_or_default().to_vec(),
            head,
        }
    }

    /// Sends a request with the token.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Answered {
        let headers = format!(
            "Authorization: Bearer {}\r\nContent-Type: application/json\r\n",
            self.token
        );
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        self.send(method, &format!("/api/{path}"), &headers, &body)
    }

    fn job(&self, number: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let job = self
                .ask("GET", &format!("jobs/{number}"), &Value::Null)
                .json();
            if wanted(&job) {
                return job;
            }
            assert!(begun.elapsed() < Duration::from_secs(100), "{job}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    std::fs::create_dir_all(folder.path("models")).expect("a folder");
    folder
        .file("models/Lift.mch", LIFT)
        .file("models/Endless.mch", ENDLESS)
        .file("models/notes.txt", "not a model")
        .file("Outside.mch", "MACHINE Outside END");
    folder
}

#[test]
// Long: one session, page by page.
fn pages_edit_walk_and_check() {
    let folder = folder("web-works");
    let server = Server::new(&folder);
    let page = server.send("GET", "/", "", "");
    assert_eq!(page.status, 200);
    assert!(String::from_utf8_lossy(&page.body).contains("<title>Burnside</title>"));
    assert!(
        page.head.contains("Content-Security-Policy"),
        "{}",
        page.head
    );
    let files = server.ask("GET", "files", &Value::Null).json();
    assert_eq!(
        files,
        json!({ "files": ["Endless.mch", "Lift.mch"], "pictures": [], "cut": false, "first": "Lift.mch" })
    );
    assert_eq!(
        server.ask("GET", "file?path=Lift.mch", &Value::Null).body,
        LIFT.as_bytes()
    );

    // A text that was not saved counts.
    let texts = json!({ "Lift.mch": LIFT.replace("at + 1", "att + 1") });
    let asked = json!({ "request": { "do": "lint", "file": "Lift.mch" }, "texts": texts });
    let answer = server.ask("POST", "ask", &asked).json();
    let found = &answer["lint"]["diagnostics"][0];
    assert_eq!(
        (&found["line"], &found["fix"]),
        (&json!(6), &json!("at")),
        "{answer}"
    );

    let job = server
        .ask(
            "POST",
            "jobs",
            &json!({ "title": "Lift.mch", "request": { "do": "check", "file": "Lift.mch" } }),
        )
        .json();
    let job = server.job(&job["job"], |job| job["state"] == "done");
    let finding = &job["answer"]["report"]["findings"][0];
    assert_eq!(finding["kind"], "invariant", "{job}");
    let begun = server
        .ask(
            "POST",
            "walks",
            &json!({ "request": { "do": "open", "file": "Lift.mch" } }),
        )
        .json();
    let walk = format!("walks/{}", begun["walk"]);
    let asked = json!({ "request": { "do": "follow", "path": finding["path"] } });
    let scene = server.ask("POST", &walk, &asked).json();
    assert_eq!(scene["scene"]["values"][0]["value"], "5", "{scene}");
    assert_eq!(scene["scene"]["values"][0]["was"], "4");
    assert_eq!(scene["scene"]["predicates"][0]["truth"], false);
    let asked = json!({ "request": { "do": "evaluate", "formulas": ["at * 2", "no such thing"] } });
    assert_eq!(
        server.ask("POST", &walk, &asked).json()["values"],
        json!(["10", null])
    );
    let asked = json!({ "request": { "do": "trace", "name": "path.json" } });
    assert!(
        server
            .ask("POST", &walk, &asked)
            .json()
            .as_str()
            .is_some_and(|text| text.contains("\"path\""))
    );
    // From a node of the state space a path leads there.
    let asked = json!({ "request": { "do": "explore", "file": "Lift.mch" } });
    let explored = server.ask("POST", "walks", &asked).json();
    let space = format!("walks/{}", explored["walk"]);
    let asked = json!({ "request": { "do": "grow", "milliseconds": 2000 } });
    let grown = server.ask("POST", &space, &asked).json();
    let nodes = grown["nodes"].as_array().into_iter().flatten();
    let node = nodes.clone().position(|node| node["text"] == "at = 3");
    let asked = json!({ "request": { "do": "way", "node": node } });
    let way = server.ask("POST", &space, &asked).json();
    let asked = json!({ "request": { "do": "follow", "path": way["path"] } });
    let scene = server.ask("POST", &walk, &asked).json();
    assert_eq!(
        (
            &scene["scene"]["step"],
            &scene["scene"]["values"][0]["value"]
        ),
        (&json!(4), &json!("3")),
        "{scene}"
    );
    for (what, to) in [
        ("states", "json"),
        ("matrix", "svg"),
        ("enabling", "svg"),
        ("hierarchy", "svg"),
    ] {
        let asked =
            json!({ "request": { "do": "graph", "file": "Lift.mch", "what": what, "to": to } });
        let answer = server.ask("POST", "ask", &asked).json();
        assert!(
            answer["text"].as_str().is_some_and(|text| text.len() > 50),
            "{what}: {answer}"
        );
    }
    let headers = format!(
        "Authorization: Bearer {}\r\nContent-Type: text/plain\r\n",
        server.token
    );
    let saved = server.send(
        "PUT",
        "/api/file?path=Lift.mch",
        &headers,
        "MACHINE Lift END",
    );
    assert_eq!(saved.status, 200);
    let text = std::fs::read_to_string(folder.path("models/Lift.mch")).expect("the model");
    assert_eq!(text, "MACHINE Lift END");
}

#[test]
fn a_long_job_tells_its_progress_and_can_be_stopped() {
    let folder = folder("web-jobs");
    let server = Server::new(&folder);
    let asked = json!({ "title": "Endless.mch", "request": { "do": "check", "file": "Endless.mch", "check": { "max_time": 100 } } });
    let job = server.ask("POST", "jobs", &asked).json()["job"].clone();
    let told = server.job(&job, |job| {
        job["progress"]["states"]
            .as_u64()
            .is_some_and(|states| states > 0)
    });
    assert_eq!(told["state"], "running");
    assert_eq!(
        server.ask("GET", "jobs", &Value::Null).json()[0]["job"],
        job
    );
    assert_eq!(
        server
            .ask("DELETE", &format!("jobs/{job}"), &Value::Null)
            .status,
        200
    );
    let told = server.job(&job, |job| job["state"] != "running");
    // What is known so far is an answer, or the session had to be ended.
    let is_answer = told["answer"]["report"]["verdict"] == "open";
    assert!(is_answer || told["state"] == "failed", "{told}");
}

/// Sessions of a server that was killed went on with requests that do not look whether they are halted.
#[test]
fn sessions_end_with_whoever_asked() {
    let folder = folder("web-orphans");
    let mut session = folder
        .command(&["session", "models"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a session starts");
    let mut input = session.stdin.take().expect("a pipe");
    let open = json!({ "ask": [1, { "do": "open", "file": "Endless.mch" }] });
    let find = json!({ "ask": [2, { "do": "obey", "commands": ["random 3", "find 1 = 2"] }] });
    input
        .write_all(format!("{open}\n{find}\n").as_bytes())
        .expect("it reads");
    let mut line = String::new();
    let output = session.stdout.take().expect("a pipe");
    BufReader::new(output)
        .read_line(&mut line)
        .expect("it answers");
    assert!(line.contains("scene"), "{line}");
    drop(input);
    let begun = Instant::now();
    while session.try_wait().expect("it can be asked").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What the editor of the pages asks besides what is wrong.
#[test]
fn the_editor_is_told_of_words_names_and_what_can_be_written() {
    let folder = folder("web-words");
    let server = Server::new(&folder);
    // A character of two units stands before everything else.
    let text = format!("/*\u{1d539}*/ {LIFT}");
    let ask = |request: Value| {
        let asked = json!({ "request": request, "texts": { "Lift.mch": text } });
        server.ask("POST", "ask", &asked).json()
    };
    let told = ask(json!({ "do": "words", "file": "Lift.mch" }));
    assert_eq!(told["lint"]["diagnostics"], json!([]), "{told}");
    let kind = |at: usize| {
        told["kinds"][told["words"][3 * at + 2].as_u64().unwrap_or(99) as usize].clone()
    };
    assert_eq!(
        (kind(0), kind(1), kind(2)),
        (json!("comment"), json!("keyword"), json!("component"))
    );
    let units: Vec<u16> = text.encode_utf16().collect();
    let slice = |at: usize| {
        let end = |part: usize| told["words"][3 * at + part].as_u64().unwrap_or(0) as usize;
        String::from_utf16_lossy(&units[end(0)..end(1)])
    };
    assert_eq!(
        (slice(1), slice(2)),
        ("MACHINE".to_owned(), "Lift".to_owned())
    );
    let at = String::from_utf16_lossy(&units)
        .find("at :")
        .map(|byte| byte - 2);
    let about = ask(json!({ "do": "about", "file": "Lift.mch", "at": at }));
    assert!(
        about["about"]
            .as_str()
            .is_some_and(|about| about.starts_with("at : INTEGER")),
        "{about}"
    );
    let proposals = ask(json!({ "do": "complete", "file": "Lift.mch", "at": at }));
    let texts: Vec<&str> = proposals
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["text"].as_str())
        .collect();
    for wanted in ["at", "SELECT", "\\/", "∪"] {
        assert!(texts.contains(&wanted), "{wanted}");
    }
}

/// How many clients there are; `BURNSIDE_CLIENTS` asks for more.
fn clients() -> usize {
    let asked = std::env::var("BURNSIDE_CLIENTS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(6)
}

#[test]
fn many_clients_doing_random_things_leave_the_server_well() {
    let folder = folder("web-many");
    let server = Server::new(&folder);
    let memory = || {
        let status = std::fs::read_to_string(format!("/proc/{}/statm", server.process.id()));
        let pages = status.unwrap_or_default();
        pages
            .split_whitespace()
            .nth(1)
            .and_then(|pages| pages.parse::<u64>().ok())
            .unwrap_or(0)
    };
    std::thread::scope(|scope| {
        for client in 0..clients() {
            let server = &server;
            scope.spawn(move || {
                let mut random = base::Random::new(client as u64 + 1);
                for _ in 0..4 {
                    let asked = match random.below(6) {
                        0 => ("POST", "ask", json!({ "request": { "do": "lint", "file": "Lift.mch" } })),
                        1 => ("POST", "walks", json!({ "request": { "do": "open", "file": "Lift.mch" } })),
                        2 => ("POST", "walks/3", json!({ "request": { "do": "obey", "commands": ["random 3"] } })),
                        3 => ("POST", "ask", json!({ "request": { "do": "nonsense" } })),
                        4 => ("GET", "files", Value::Null),
                        _ => ("POST", "ask", json!({ "request": { "do": "eval", "formulas": ["1/0", "{x|x:1..9}"] } })),
                    };
                    let answer = server.ask(asked.0, asked.1, &asked.2);
                    assert!(answer.status < 500 && answer.status > 0, "{} {}", answer.status, asked.2);
                }
            });
        }
    });
    let after = memory();
    assert_eq!(server.ask("GET", "files", &Value::Null).status, 200);
    assert!(
        after < 60_000,
        "the server itself stays small: {after} pages"
    );
}
