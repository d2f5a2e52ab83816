//! Runs the program on files of a test.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A lift that goes too high.
pub(crate) const LIFT: &str = "\
MACHINE Lift
VARIABLES at
INVARIANT at : 0..4
INITIALISATION at := 0
OPERATIONS
  up = PRE at < 9 THEN at := at + 1 END;
  down = SELECT at > 0 THEN at := at - 1 END
END
";

/// Very many states, slowly.
pub(crate) const ENDLESS: &str = "\
MACHINE Endless
VARIABLES a, b, c
INVARIANT a : INTEGER & b : INTEGER & c : INTEGER
INITIALISATION a := 0 || b := 0 || c := 0
OPERATIONS
  aa = BEGIN a := a + 1 END;
  bb = BEGIN b := b + 1 END;
  cc = BEGIN c := c + 1 END
END
";

/// A fresh folder that the program is run in.
pub(crate) struct Folder(PathBuf);

/// What a run gave.
pub(crate) struct Run {
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) time: Duration,
}

impl Folder {
    /// A folder for the test of this name.
    pub(crate) fn new(test: &str) -> Folder {
        // Tests run at once, and some have the same folder in mind.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{test}-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    /// Adds a file, and the folder that it lies in.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Folder {
        let path = self.path(name);
        let folder = path.parent().expect("files lie in folders");
        fs::create_dir_all(folder).expect("a temporary folder");
        fs::write(path, content).expect("a temporary file");
        self
    }

    /// The path of a file.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The program, to be run here.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
        command
            .args(args)
            .current_dir(&self.0)
            .env_remove("NO_COLOR");
        command
    }

    /// Runs the program.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        let start = Instant::now();
        let output = self.command(args).stdin(Stdio::null()).output();
        Run::new(output.expect("the program runs"), start.elapsed())
    }

    /// Runs the program on this standard input.
    pub(crate) fn run_on(&self, args: &[&str], input: &str) -> Run {
        let start = Instant::now();
        self.file("standard-input", input);
        let input = fs::File::open(self.path("standard-input")).expect("the input just written");
        let output = self.command(args).stdin(input).output();
        Run::new(output.expect("the program runs"), start.elapsed())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Run {
    fn new(output: Output, time: Duration) -> Run {
        Run {
            exit: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            time,
        }
    }

    /// The JSON objects on standard output, one per line.
    pub(crate) fn json(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("a JSON object per line");
        self.out.lines().map(parse).collect()
    }

    /// Whether this is a single error in one line, without a bug report.
    pub(crate) fn is_one_error(&self) -> bool {
        let errors = self.err.lines().filter(|line| line.starts_with("error"));
        errors.count() == 1 && !self.err.contains("bug in burnside")
    }
}

/// Where one message of a server ends and the next begins.
#[derive(Clone, Copy)]
pub(crate) enum Framing {
    /// Each has its length before it.
    Lengths,
    /// Each is a line.
    Lines,
}

/// A server that a test talks with.
pub(crate) struct Server {
    process: Child,
    /// What it reads.
    pub(crate) input: ChildStdin,
    /// What it sent.
    pub(crate) messages: Receiver<Value>,
    framing: Framing,
}

impl Server {
    /// Starts a command of the program that is a server.
    pub(crate) fn start(folder: &Folder, args: &[&str], framing: Framing) -> Server {
        let mut command = folder.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the server starts");
        let input = process.stdin.take().expect("a pipe");
        let output = process.stdout.take().expect("a pipe");
        let (send, messages) = mpsc::channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = framing.read(&mut output) {
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        Server {
            process,
            input,
            messages,
            framing,
        }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let sent = match self.framing {
            Framing::Lengths => {
                write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())
            }
            Framing::Lines => writeln!(self.input, "{text}"),
        };
        sent.expect("it reads");
        self.input.flush().expect("it reads");
    }

    pub(crate) fn wait_for(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.messages.recv_timeout(Duration::from_secs(100));
            let message = message.expect("the server answers");
            if wanted(&message) {
                return message;
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Framing {
    fn read(self, from: &mut impl BufRead) -> Option<Value> {
        match self {
            Framing::Lengths => read(from),
            Framing::Lines => {
                let mut line = String::new();
                if from.read_line(&mut line).ok()? == 0 {
                    return None;
                }
                Some(serde_json::from_str(&line).expect("a line is one message"))
            }
        }
    }
}

/// Reads a message: a head with its length, an empty line, JSON.
fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
