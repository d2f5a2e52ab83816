//! Runs every model below `tests/` and compares with what its comments expect.
//!
//! A model without directives is a support file: some other file of its folder must refer to it. The text
//! that a user would see lies beside a model of B as `x.stderr`. With `BLESS=1` the snapshots and the `error:` and
//! `warning:` directives are rewritten; the exit code is never blessed. A model with a `check` directive is
//! also checked, in every way that must not change the answer (`models/checked.rs`).

#[path = "models/checked.rs"]
mod checked;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base::{Diagnostics, Sources, render};
use lang_b::check::{self, Checked};
use lang_b::{parse, print};
use lang_math::print::Style;
use libtest_mimic::{Arguments, Failed, Trial};
use xtask::expect::{self, Expected, Finding, Gives};
use xtask::places;

fn main() {
    let arguments = Arguments::from_args();
    // Paths in snapshots must not depend on where the repository lies.
    std::env::set_current_dir(places::root()).expect("the repository is there");
    let trial = |path: PathBuf, run: fn(&Path) -> Result<(), Failed>| {
        Trial::test(path.display().to_string(), move || run(&path))
    };
    let below = |extensions| places::files_below(Path::new("tests"), extensions).into_iter();
    let mut trials: Vec<Trial> = below(places::B_EXTENSIONS)
        .map(|path| trial(path, run))
        .collect();
    for extensions in [
        places::EVENT_B_EXTENSIONS,
        places::PROMELA_EXTENSIONS,
        places::MURPHI_EXTENSIONS,
    ] {
        trials.extend(below(extensions).map(|path| trial(path, run_other)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// A model of another language: what lint says, and what a check finds.
fn run_other(path: &Path) -> Result<(), Failed> {
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let expected = expect::read(&text)?.ok_or("this file has no directives")?;
    let lint = workbench::lint(&checked::bench(), path);
    let found = findings(&lint.diagnostics, &lint.sources, path);
    let is_refused = expected.exit >= 150 || expected.exit == 2;
    let lint_exit = if is_refused { expected.exit } else { 0 };
    if lint.diagnostics.exit() != lint_exit {
        let (exit, list) = (lint.diagnostics.exit(), lines(&found));
        return Err(format!("exit {exit}, expected {lint_exit}\n{list}").into());
    }
    match &expected.check {
        Some(check) => checked::agrees(path, expected.exit, check),
        None => same_findings(&expected, &found),
    }
}

fn run(path: &Path) -> Result<(), Failed> {
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let Some(expected) = expect::read(&text)? else {
        return is_referenced(path);
    };
    let mut sources = Sources::new();
    let mut checked = check::check_file(path, &mut sources);
    let found = findings(&checked.diagnostics, &sources, path);
    let exit = checked.diagnostics.exit();
    let lint_exit = match &expected.check {
        // What a check may say of a model that is in order.
        Some(_) if expected.exit < 150 && expected.exit != 2 => 0,
        _ => expected.exit,
    };
    if exit != lint_exit {
        let list = lines(&found);
        return Err(format!("exit {exit}, expected {lint_exit}\n{list}").into());
    }
    if let Some(check) = &expected.check {
        // Warnings about a model that is there to be checked need no list and no snapshot.
        return checked::agrees(path, expected.exit, check);
    }
    if blessing() {
        if bless_directives(path, &text, &found)? {
            // The lines have moved, and the snapshot shows line numbers.
            return run(path);
        }
    } else {
        same_findings(&expected, &found)?;
    }
    if expected.roundtrip {
        reads_back(&checked, &mut sources)?;
    }
    for formula in &expected.formulas {
        gives(&mut checked, &mut sources, formula)?;
    }
    same_snapshot(path, &checked, &sources)
}

fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// A support file that nobody needs is a test that was forgotten.
fn is_referenced(path: &Path) -> Result<(), Failed> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new("."));
    let others = places::files_below(folder, places::B_EXTENSIONS);
    let named = others
        .iter()
        .filter(|other| other.as_path() != path)
        .any(|other| fs::read_to_string(other).is_ok_and(|text| text.contains(&*stem)));
    if named {
        return Ok(());
    }
    Err("this file has no directives and no other file of its folder refers to it".into())
}

fn findings(diagnostics: &Diagnostics, sources: &Sources, path: &Path) -> Vec<Finding> {
    diagnostics
        .iter()
        .map(|diagnostic| {
            let primary = diagnostic.primary.as_ref().map(|label| label.span);
            let file = primary.map(|span| sources.path(span.file).to_owned());
            Finding {
                severity: diagnostic.severity,
                code: diagnostic.code.id.to_owned(),
                at: primary.map(|span| {
                    let position = sources.position(span.file, span.start);
                    (position.line, position.column)
                }),
                file: file.filter(|file| file != path).map(|file: PathBuf| {
                    let name = file.file_name().unwrap_or(file.as_os_str());
                    name.to_string_lossy().into_owned()
                }),
            }
        })
        .collect()
}

/// Every diagnostic is expected and every expectation is met; order does not matter.
fn same_findings(expected: &Expected, found: &[Finding]) -> Result<(), Failed> {
    let mut balance: BTreeMap<&Finding, i32> = BTreeMap::new();
    for finding in found {
        *balance.entry(finding).or_default() += 1;
    }
    for finding in &expected.findings {
        *balance.entry(finding).or_default() -= 1;
    }
    let list = |sign: i32| {
        let some = balance.iter().filter(|(_, count)| **count * sign > 0);
        lines(some.map(|(finding, _)| *finding))
    };
    let (unexpected, missing) = (list(1), list(-1));
    if unexpected.is_empty() && missing.is_empty() {
        return Ok(());
    }
    Err(format!("unexpected:\n{unexpected}missing:\n{missing}").into())
}

fn lines<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> String {
    findings
        .into_iter()
        .map(|finding| format!("{finding}\n"))
        .collect()
}

/// Replaces the directives about diagnostics by what was found, behind the line of the exit code; whether
/// that changed anything.
fn bless_directives(path: &Path, text: &str, found: &[Finding]) -> Result<bool, Failed> {
    let is_finding =
        |line: &str| line.starts_with("//@ error:") || line.starts_with("//@ warning:");
    let is_exit = |line: &str| line.starts_with("//@ exit:") || line.starts_with("//@ lint:");
    let old: Vec<usize> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| is_finding(line))
        .map(|(number, _)| number)
        .collect();
    let mut blessed = String::new();
    for line in text.split_inclusive('\n') {
        if !is_finding(line) {
            blessed.push_str(line);
        }
        if is_exit(line) {
            for finding in found {
                let mut moved = finding.clone();
                // The lines below move by as many directives as are added or removed.
                if let (Some((line, _)), None) = (&mut moved.at, &moved.file) {
                    let above = old
                        .iter()
                        .filter(|number| (**number as u32) < *line)
                        .count();
                    *line = (*line + found.len() as u32).saturating_sub(above as u32);
                }
                blessed.push_str(&format!("{moved}\n"));
            }
        }
    }
    let changed = blessed != text;
    if changed {
        fs::write(path, blessed)?;
    }
    Ok(changed)
}

/// The text a user sees is what it was when somebody last read it.
fn same_snapshot(path: &Path, checked: &Checked, sources: &Sources) -> Result<(), Failed> {
    let shown: String = checked
        .diagnostics
        .iter()
        .map(|diagnostic| render::text(diagnostic, sources, false) + "\n\n")
        .collect();
    let snapshot = path.with_extension("stderr");
    let old = fs::read_to_string(&snapshot).unwrap_or_default();
    if shown == old {
        return Ok(());
    }
    if !blessing() {
        return Err(format!("{} differs from:\n{shown}", snapshot.display()).into());
    }
    if shown.is_empty() {
        fs::remove_file(snapshot)?;
    } else {
        fs::write(snapshot, shown)?;
    }
    Ok(())
}

/// Printing and parsing again gives the same tree, in both notations.
fn reads_back(checked: &Checked, sources: &mut Sources) -> Result<(), Failed> {
    let Some(component) = checked.component() else {
        return Err("there is no tree to print".into());
    };
    for unicode in [false, true] {
        let text = print::component(component, &Style { unicode });
        let file = sources.add("printed", text.clone());
        let parsed = parse::component(file, &text);
        if parsed.diagnostics.has_errors() || !component.same(&parsed.component) {
            let messages: Vec<_> = parsed.diagnostics.iter().map(|d| &d.message).collect();
            return Err(format!("does not read back: {messages:?}\n{text}").into());
        }
    }
    Ok(())
}

fn gives(
    checked: &mut Checked,
    sources: &mut Sources,
    formula: &expect::Formula,
) -> Result<(), Failed> {
    let answer = checked.check_formula(&formula.text, sources);
    let exit = answer.diagnostics.exit();
    let gives = match (exit, answer.type_text) {
        (0, Some(text)) => Gives::Type(text),
        (0, None) => Gives::Predicate,
        (exit, _) => Gives::Exit(exit),
    };
    if gives == formula.gives {
        return Ok(());
    }
    let messages: Vec<_> = answer.diagnostics.iter().map(|d| &d.message).collect();
    Err(format!(
        "{} gives {gives:?}, expected {:?} {messages:?}",
        formula.text, formula.gives
    )
    .into())
}
