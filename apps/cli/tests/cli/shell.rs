//! `completions` and `man`: every command is in them; every command's help has examples.

use crate::support::Folder;

const COMMANDS: &[&str] = &[
    "analyse",
    "animate",
    "check",
    "completions",
    "coverage",
    "eval",
    "export",
    "lint",
    "man",
    "print",
    "probcli",
    "replay",
];

#[test]
fn shells_and_manuals_know_every_command() {
    let folder = Folder::new("shell");
    for args in [
        &["completions", "bash"][..],
        &["completions", "zsh"],
        &["completions", "fish"],
        &["man"],
    ] {
        let run = folder.run(args);
        assert_eq!(run.exit, 0, "{args:?}: {}", run.err);
        for command in COMMANDS {
            assert!(
                run.out.contains(command),
                "{args:?} does not know {command}"
            );
        }
    }
    assert_eq!(folder.run(&["completions", "tcl"]).exit, 2);
}

#[test]
fn every_command_has_help_with_examples() {
    let folder = Folder::new("help");
    for command in COMMANDS {
        let run = folder.run(&[command, "--help"]);
        assert_eq!(run.exit, 0, "{command}: {}", run.err);
        assert!(
            run.out.contains(&format!("burnside {command}")),
            "{command}: {}",
            run.out
        );
        assert!(run.out.contains("Examples:"), "{command}: {}", run.out);
    }
}
