//! Ctrl-C ends every command that takes long with what it has: never a verdict about what was not looked at.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::Folder;

/// One guard takes longer than anybody waits.
const SLOW: &str = "\
MACHINE Slow
VARIABLES x
INVARIANT x : 0..9
INITIALISATION x := 0
OPERATIONS
  quick = BEGIN x := (x + 1) mod 10 END;
  slow = PRE SIGMA(p, q, r).(p : 0..9999 & q : 0..9999 & r : 0..9999 & (p * q + r) mod 17 = x | 1) = 3 THEN x := 0 END
END
";

/// The exit code and the output of a command that is interrupted after a moment.
fn interrupted(folder: &Folder, args: &[&str]) -> (i32, String) {
    let mut command = folder.command(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(Stdio::null());
    let child = command.spawn().expect("the program runs");
    std::thread::sleep(Duration::from_millis(1500));
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().expect("it ended by itself"), text)
}

#[test]
fn what_was_found_is_told() {
    let folder = Folder::new("interrupt");
    folder.file("Slow.mch", SLOW);
    let (exit, text) = interrupted(&folder, &["check", "Slow.mch"]);
    assert_eq!(exit, 20, "{text}");
    assert!(text.contains("open (the run was interrupted)"), "{text}");
    let (exit, text) = interrupted(&folder, &["coverage", "Slow.mch"]);
    assert_eq!(exit, 20, "{text}");
    assert!(!text.contains("never true"), "{text}");
    let (exit, text) = interrupted(&folder, &["export", "Slow.mch", "--to", "dot"]);
    assert_eq!(exit, 20, "{text}");
    assert!(text.contains("not all states are shown"), "{text}");
    let (exit, text) = interrupted(&folder, &["tests", "Slow.mch"]);
    assert_eq!(exit, 20, "{text}");
}

#[test]
fn lines_after_the_one_under_way_are_not_answered() {
    let folder = Folder::new("interrupt-batch");
    let slow =
        "SIGMA(p, q, r).(p : 0..9999 & q : 0..9999 & r : 0..9999 & (p * q + r) mod 17 = 3 | 1)";
    folder.file("lines.txt", format!("1 + 1\n{slow}\n2 + 2\n"));
    let (exit, text) = interrupted(&folder, &["eval", "--batch", "lines.txt"]);
    assert_eq!(exit, 130, "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0] == "2" && lines[1].starts_with("!open"), "{text}");
}
