//! `animate`: scripts, random walks, and the prompt in a real terminal.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::support::Folder;

const TANK: &str = "\
MACHINE Tank
SETS PUMP
VARIABLES running, level
INVARIANT running <: PUMP & level : 0..4
INITIALISATION running := {} || level := 0
OPERATIONS
  start(p) = SELECT p : PUMP - running THEN running := running \\/ {p} END;
  fill = SELECT running /= {} THEN level := level + card(running) END
END
";

fn script(name: &str, text: &str) -> crate::support::Run {
    let folder = Folder::new(name);
    folder.file("Tank.mch", TANK);
    folder.run_on(&["animate", "Tank.mch", "--script", "-"], text)
}

#[test]
fn commands_answer_and_the_exit_code_tells_what_was_met() {
    let run = script(
        "animate-answers",
        "start(PUMP2)\nfill\neval level\nexpect level = 1\n",
    );
    assert_eq!(run.exit, 0, "{}", run.out);
    assert!(run.out.contains("> eval level\n1\n"), "{}", run.out);
    let run = script("animate-met", "find level > 4\n");
    assert_eq!(run.exit, 12, "{}", run.out);
    assert!(
        run.out.contains("! invariant is false: level : 0..4"),
        "{}",
        run.out
    );
}

#[test]
fn what_is_wrong_is_told_with_sequences_as_such_and_infinite_sets_are_not_guessed() {
    let folder = Folder::new("animate-sequences");
    folder.file(
        "Row.mch",
        "MACHINE Row VARIABLES s, f INVARIANT s : seq(0..9) & size(s) < 2 & f : INTEGER <-> INTEGER
         INITIALISATION s := [] || f := %u.(u : INTEGER | u+1)
         OPERATIONS add(x) = SELECT x : 0..1 & size(s) < 2 THEN s := s <- x END END",
    );
    let script = "add(1)\nadd(0)\nfind f(1) = 2\n";
    let run = folder.run_on(&["animate", "Row.mch", "--script", "-"], script);
    assert!(
        run.out.contains("because size(s) = 2, s = [1,0]"),
        "{}",
        run.out
    );
    assert!(run.out.contains("is not known"), "{}", run.out);
}

#[test]
fn an_event_that_is_not_known_to_happen_is_not_said_to_be_impossible() {
    let folder = Folder::new("animate-unknown");
    folder.file(
        "Far.mch",
        "MACHINE Far VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0 OPERATIONS\n\
         go = SELECT not(!y.(y : (%x.(x:NATURAL|x))~[NATURAL] => y = 0)) THEN v := 1 END END",
    );
    let run = folder.run_on(&["animate", "Far.mch", "--script", "-"], "why go\ngo\n");
    let told = "whether go can happen here is not known";
    assert_eq!(run.out.matches(told).count(), 2, "{}", run.out);
    assert!(!run.out.contains("cannot happen"), "{}", run.out);
}

#[test]
fn what_cannot_be_obeyed_fails_the_script_and_says_why() {
    for (line, answer) in [
        ("fill", "because running /= {} is false"),
        ("start(PUMP9)", "p = PUMP9: no value of PUMP"),
        ("start(q = PUMP1)", "start has no parameter q"),
        ("start", "start can happen in 2 ways: 1, 2"),
        ("strat(PUMP1)", "there is no event or command"),
        ("7", "there is no event 7; there are 1 to 2"),
        ("undo 5", "there is no such step"),
        ("expect level = 1", "not as expected: level = 1 is false"),
        ("find level = -1", "nearest states satisfies it"),
        ("eval level +", "expected"),
        ("load no.json", "there is no such file"),
        ("save no.txt", "the extension must be"),
    ] {
        let run = script("animate-wrong", &format!("{line}\n"));
        assert_eq!(run.exit, 1, "{line}: {}", run.out);
        assert!(run.out.contains(answer), "{line}: {}", run.out);
    }
}

#[test]
fn a_walk_is_repeated_by_its_seed_and_a_path_is_saved_and_loaded() {
    let folder = Folder::new("animate-walk");
    folder.file("Tank.mch", TANK);
    let walk = |seed: &str| {
        folder
            .run(&["animate", "Tank.mch", "--random", "3", "--seed", seed])
            .out
    };
    assert_eq!(walk("5"), walk("5"));
    assert!((0..10).any(|seed| walk(&seed.to_string())[7..] != walk("5")[7..]));
    for file in ["t.json", "t.itf.json", "t.prob2trace"] {
        let save = format!("start(PUMP1)\nfill\nsave {file}\n");
        let run = folder.run_on(&["animate", "Tank.mch", "--script", "-"], &save);
        assert_eq!(run.exit, 0, "{}", run.out);
        let load = format!(
            "load {file}\nexpect level = 1\nundo 3\nINITIALISATION\nappend {file}\nexpect level = 1\n"
        );
        let run = folder.run_on(&["animate", "Tank.mch", "--script", "-"], &load);
        assert_eq!(run.exit, 0, "{file}: {}", run.out);
        assert_eq!(folder.run(&["replay", "Tank.mch", file]).exit, 0, "{file}");
    }
}

/// A program in a pseudo-terminal.
struct Terminal {
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    /// Waits until the screen shows a text that was not shown before; the deadline only ends a test that hangs.
    fn wait(&mut self, text: &str) {
        let deadline = Instant::now() + Duration::from_secs(120);
        while !self.seen.contains(text) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.screen.recv_timeout(left) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("{text:?} does not appear in {:?}", self.seen)
                }
            }
        }
        let end = self.seen.find(text).unwrap_or_default() + text.len();
        self.seen = self.seen.split_off(end);
    }

    fn types(&mut self, line: &str) {
        write!(self.keyboard, "{line}\r").expect("the terminal takes keys");
    }
}

#[test]
fn the_prompt_works_in_a_terminal() {
    let folder = Folder::new("animate-terminal");
    folder.file("Tank.mch", TANK);
    let pty = nix::pty::openpty(None, None).expect("there are pseudo-terminals");
    let end = || Stdio::from(pty.slave.try_clone().expect("the terminal can be shared"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_burnside"))
        .args(["animate", "Tank.mch"])
        .current_dir(folder.path(""))
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .expect("the program starts");
    drop(pty.slave);
    let keyboard = File::from(pty.master.try_clone().expect("the terminal can be shared"));
    let mut output = File::from(pty.master);
    let (send, screen) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        // The end of the program is an error on this side.
        while let Ok(read @ 1..) = output.read(&mut buffer) {
            if send.send(buffer[..read].to_vec()).is_err() {
                return;
            }
        }
    });
    let mut terminal = Terminal {
        keyboard,
        screen,
        seen: String::new(),
    };
    terminal.wait("start(p = PUMP2)");
    terminal.wait("help shows the commands");
    terminal.wait("1> ");
    terminal.types("start(PUMP1)");
    terminal.wait("* running = {PUMP1}   was {}");
    terminal.wait("2> ");
    terminal.types("undo");
    terminal.wait("running = {}");
    terminal.wait("1> ");
    terminal.types("find level = 2");
    terminal.wait("* level   = 2   was ");
    terminal.wait("> ");
    terminal.types("quit");
    let status = child.wait().expect("the program ends");
    assert_eq!(status.code(), Some(0), "{}", terminal.seen);
    assert!(!terminal.seen.contains("\u{1b}[31"), "{}", terminal.seen);
}
