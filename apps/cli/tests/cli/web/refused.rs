//! What the server of the workbench refuses, and to whom.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::{Server, folder};

#[test]
fn whoever_is_not_ours_is_refused() {
    let folder = folder("web-refused");
    let server = Server::new(&folder);
    let token = format!("Authorization: Bearer {}\r\n", server.token);
    for (headers, status) in [
        (String::new(), 401),
        (
            "Authorization: Bearer 0123456789abcdef0123456789abcdef\r\n".to_owned(),
            401,
        ),
        (format!("{token}Origin: http://evil.example\r\n"), 403),
        (format!("{token}Origin: null\r\n"), 403),
        (
            format!("{token}Host: evil.example:{}\r\n", server.port),
            403,
        ),
    ] {
        for path in ["files", "file?path=Lift.mch", "jobs", "jobs/1"] {
            let answer = server.send("GET", &format!("/api/{path}"), &headers, "");
            assert_eq!(answer.status, status, "{path} {headers}");
            assert!(
                !String::from_utf8_lossy(&answer.body).contains("MACHINE"),
                "{path}"
            );
        }
    }
    assert_eq!(
        server
            .send("GET", "/", "Origin: http://evil.example\r\n", "")
            .status,
        403
    );
    for path in [
        "../Outside.mch",
        "/etc/hostname",
        "models/../../Outside.mch",
        "%2e%2e/Outside.mch",
        "%2e%2e%2fOutside.mch",
        "%252e%252e/Outside.mch",
        "Lift.mch%00.png",
        "./../Outside.mch",
        "//etc/hostname",
        "notes.txt",
        "",
    ] {
        let answer = server.ask("GET", &format!("file?path={path}"), &Value::Null);
        assert!(
            [403, 404].contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        let headers = format!("{token}Content-Type: text/plain\r\n");
        let saved = server.send("PUT", &format!("/api/file?path={path}"), &headers, "x");
        assert!(
            [403, 404].contains(&saved.status),
            "{path}: {}",
            saved.status
        );
    }
    // A link out of the folder, also one to a file that saving would make.
    for (link, target) in [("a.mch", "Outside.mch"), ("b.mch", "Made.mch")] {
        let at = folder.path(&format!("models/{link}"));
        std::os::unix::fs::symlink(folder.path(target), at).expect("a link");
        let read = server.ask("GET", &format!("file?path={link}"), &Value::Null);
        let saved = server.send("PUT", &format!("/api/file?path={link}"), &token, "x");
        assert_eq!((read.status, saved.status), (403, 403), "{link}");
    }
    assert!(!folder.path("Made.mch").exists());
    let asked = json!({ "request": { "do": "lint", "file": "../Outside.mch" } });
    let answer = server.ask("POST", "ask", &asked);
    assert_eq!(answer.status, 422, "{}", answer.json());
    assert!(!folder.path("x").exists());
    assert_eq!(
        std::fs::read_to_string(folder.path("Outside.mch")).expect("it is there"),
        "MACHINE Outside END"
    );
}

#[test]
fn what_no_page_of_ours_sends_is_refused() {
    let folder = folder("web-foreign");
    let server = Server::new(&folder);
    let token = format!("Authorization: Bearer {}\r\n", server.token);
    // Upgrades, streams of events and questions of other origins before a request have no token.
    let foreign = "Origin: http://evil.example\r\n";
    for (method, path, headers, status) in [
        (
            "GET",
            "/api/jobs",
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
            401,
        ),
        ("GET", "/api/jobs/1", "Accept: text/event-stream\r\n", 401),
        ("GET", "/api/files?token=0", "", 401),
        ("OPTIONS", "/api/ask", foreign, 403),
        ("OPTIONS", "/api/ask", "", 401),
    ] {
        let answer = server.send(method, path, headers, "");
        assert_eq!(answer.status, status, "{method} {path} {headers}");
        let head = answer.head.to_ascii_lowercase();
        assert!(!head.contains("access-control"), "{head}");
    }
    // Names that were made to resolve to this machine.
    for host in [
        "evil.example",
        "localhost",
        "127.0.0.1",
        "localhost.evil.example",
        "[::1]",
        "0.0.0.0",
    ] {
        let headers = format!("{token}Host: {host}\r\n");
        assert_eq!(
            server.send("GET", "/api/files", &headers, "").status,
            403,
            "{host}"
        );
        assert_eq!(
            server
                .send("GET", "/", &format!("Host: {host}\r\n"), "")
                .status,
            403,
            "{host}"
        );
    }
    // What a form of another page can send is no JSON by its own word.
    let asked = json!({ "request": { "do": "lint", "file": "Lift.mch" } }).to_string();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
    ] {
        let headers = match kind {
            "" => token.clone(),
            kind => format!("{token}Content-Type: {kind}\r\n"),
        };
        assert_eq!(
            server.send("POST", "/api/ask", &headers, &asked).status,
            415,
            "{kind}"
        );
    }
    let headers = format!("{token}Content-Type: application/json; charset=utf-8\r\n");
    assert_eq!(
        server.send("POST", "/api/ask", &headers, &asked).status,
        200
    );
    for method in ["DELETE", "PATCH", "HEAD", "TRACE"] {
        assert_eq!(
            server.send(method, "/api/files", &token, "").status,
            405,
            "{method}"
        );
    }
}

#[test]
fn bodies_that_are_too_large_are_refused_before_they_are_read() {
    let folder = folder("web-large");
    let server = Server::new(&folder);
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
    let head = format!(
        "PUT /api/file?path=Lift.mch HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nContent-Length: 99999999\r\n\r\n",
        server.port, server.token
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    // A client that says nothing, or never ends, keeps no other from being served.
    let mut idle: Vec<TcpStream> = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
        stream
            .write_all(b"GET / HTTP/1.1\r\nX: ")
            .expect("it reads");
        idle.push(stream);
    }
    assert_eq!(server.send("GET", "/", "", "").status, 200);
    drop(idle);
}
