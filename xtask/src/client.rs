//! Scripted clients of the servers: an editor over standard streams, a page over loopback.
//!
//! Both speak as much of their protocols as measuring needs; the tests of the program speak all of it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

/// How long a page waits for an answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor that speaks to a language server.
pub struct Editor {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
    version: u64,
}

impl Editor {
    /// Starts the server for a folder.
    pub fn start(binary: &Path, folder: &Path) -> io::Result<Editor> {
        let mut process = Command::new(binary)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let lost = || io::Error::other("a server without standard streams");
        let input = process.stdin.take().ok_or_else(lost)?;
        let output = process.stdout.take().ok_or_else(lost)?;
        let mut editor = Editor {
            process,
            input,
            output: BufReader::new(output),
            asked: 0,
            version: 1,
        };
        let root = format!("file://{}", folder.display());
        editor.ask("initialize", json!({ "rootUri": root, "capabilities": {} }))?;
        editor.tell("initialized", json!({}))?;
        Ok(editor)
    }

    /// Tells the server something.
    pub fn tell(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Asks, and waits for the answer.
    pub fn ask(&mut self, method: &str, params: Value) -> io::Result<Value> {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        self.wait(|message| message["id"] == id)
    }

    /// Opens a text.
    pub fn open(&mut self, uri: &str, language: &str, text: &str) -> io::Result<()> {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }))
    }

    /// Replaces characters of a line.
    pub fn change(
        &mut self,
        uri: &str,
        line: usize,
        columns: (usize, usize),
        text: &str,
    ) -> io::Result<()> {
        self.version += 1;
        let place = |character: usize| json!({ "line": line, "character": character });
        let range = json!({ "start": place(columns.0), "end": place(columns.1) });
        self.tell(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri, "version": self.version },
                "contentChanges": [{ "range": range, "text": text }],
            }),
        )
    }

    /// Waits until the server tells what is wrong.
    pub fn wrong(&mut self) -> io::Result<Value> {
        self.wait(|message| message["method"] == "textDocument/publishDiagnostics")
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.input.flush()
    }

    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> io::Result<Value> {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                if self.output.read_line(&mut line)? == 0 {
                    return Err(io::Error::other("the server ended"));
                }
                match line.trim().split_once(": ") {
                    Some(("Content-Length", number)) => length = number.parse().unwrap_or(0),
                    Some(_) => {}
                    None => break,
                }
            }
            let mut bytes = vec![0; length];
            self.output.read_exact(&mut bytes)?;
            let message: Value = serde_json::from_slice(&bytes)?;
            if wanted(&message) {
                return Ok(message);
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A server of pages.
pub struct Pages {
    process: Child,
    port: u16,
    token: String,
    /// Reads what it says on standard error.
    said: Option<JoinHandle<String>>,
}

impl Pages {
    /// Starts the server for a folder.
    pub fn start(binary: &Path, folder: &Path) -> io::Result<Pages> {
        let mut process = Command::new(binary)
            .arg("serve")
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let error = process.stderr.take();
        let said = std::thread::spawn(move || {
            let mut text = String::new();
            let read = error.map(|mut error| error.read_to_string(&mut text));
            match read {
                Some(Err(error)) => error.to_string(),
                _ => text,
            }
        });
        let mut address = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut address)?;
        }
        let parts = address.trim().strip_prefix("http://127.0.0.1:");
        let parts = parts.and_then(|rest| rest.split_once("/#token="));
        let known = parts.and_then(|(port, token)| Some((port.parse().ok()?, token.to_owned())));
        let Some((port, token)) = known else {
            let _ = process.kill();
            return Err(io::Error::other(format!(
                "no address of a server: {address}"
            )));
        };
        Ok(Pages {
            process,
            port,
            token,
            said: Some(said),
        })
    }

    /// Ends the server; what it said on standard error.
    pub fn end(mut self) -> String {
        // It may have ended by itself.
        let _ = self.process.kill();
        let said = self.said.take().map(JoinHandle::join);
        said.and_then(Result::ok).unwrap_or_default()
    }

    /// The id of the process.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Whether the server still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    /// Asks with the token: the status and the answer.
    pub fn ask(&self, method: &str, path: &str, body: &Value) -> io::Result<(u16, Value)> {
        self.ask_as(&self.token, method, path, body)
    }

    /// Asks with another token.
    pub fn ask_as(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: &Value,
    ) -> io::Result<(u16, Value)> {
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "{method} /api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let split = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let split = split.ok_or_else(|| io::Error::other("no answer"))?;
        let head = String::from_utf8_lossy(&answer[..split]).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let body = serde_json::from_slice(&answer[split + 4..]).unwrap_or_default();
        Ok((status.unwrap_or(0), body))
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
