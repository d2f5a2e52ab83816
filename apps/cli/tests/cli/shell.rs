//! `completions`, `man` and the reference of options: every command is in them; every command's help has examples.

use std::path::Path;

use crate::support::Folder;

/// The commands, from the names of their manual pages.
fn commands(folder: &Folder) -> Vec<String> {
    assert!(std::fs::create_dir_all(folder.path("man")).is_ok());
    let run = folder.run(&["man", "--to", "man"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    let pages = run.out.lines().map(|page| {
        let text = std::fs::read_to_string(folder.path(page)).unwrap_or_default();
        assert!(text.contains(".TH"), "{page} is no manual page");
        let name = Path::new(page).file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    });
    let pages: Vec<String> = pages.collect();
    assert_eq!(pages.first().map(String::as_str), Some("burnside"));
    let commands = pages
        .iter()
        .filter_map(|page| page.strip_prefix("burnside-"));
    let commands: Vec<String> = commands.map(str::to_owned).collect();
    for known in ["check", "lint", "animate", "replay", "man"] {
        assert!(
            commands.iter().any(|command| command == known),
            "{commands:?}"
        );
    }
    commands
}

#[test]
fn shells_and_manuals_know_every_command() {
    let folder = Folder::new("shell");
    let commands = commands(&folder);
    for args in [
        &["completions", "bash"][..],
        &["completions", "zsh"],
        &["completions", "fish"],
        &["man"],
        &["options"],
    ] {
        let run = folder.run(args);
        assert_eq!(run.exit, 0, "{args:?}: {}", run.err);
        for command in &commands {
            assert!(
                run.out.contains(command) || command == "help",
                "{args:?} does not know {command}"
            );
        }
    }
    assert_eq!(folder.run(&["completions", "tcl"]).exit, 2);
    assert_eq!(folder.run(&["man", "chekc"]).exit, 2);
    let page = folder.run(&["man", "check"]).out;
    assert!(page.contains("burnside\\-check"), "{page}");
}

#[test]
fn every_command_has_help_with_examples() {
    let folder = Folder::new("help");
    for command in commands(&folder)
        .iter()
        .filter(|command| *command != "help")
    {
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

#[test]
fn the_reference_of_options_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let written = std::fs::read_to_string(root.join("docs/options.md")).unwrap_or_default();
    let actual = Folder::new("options").run(&["options"]).out;
    assert_eq!(written, actual, "run cargo xtask options");
}
