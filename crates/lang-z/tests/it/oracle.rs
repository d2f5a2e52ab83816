//! The reader against the answers of independent tools, when they are at hand.

use std::path::{Path, PathBuf};

use base::{Severity, Sources};
use lang_z::Checked;
use lang_z::print::{Markup, same, specification};

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/z");
    if !path.is_dir() {
        println!("skipped: there is no folder ../shared");
        return None;
    }
    Some(path)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn first_error(checked: &Checked, sources: &Sources) -> Option<(u8, u32)> {
    let error = checked
        .diagnostics
        .iter()
        .find(|d| d.severity == Severity::Error)?;
    let label = error.primary.as_ref()?;
    let position = sources.position(label.span.file, label.span.start);
    Some((error.code.class.exit(), position.line))
}

#[test]
fn refused_texts_are_refused_at_their_line() {
    let Some(shared) = shared() else { return };
    let table = std::fs::read_to_string(shared.join("bad.csv")).expect("a table");
    let (mut kinds, mut lines, mut total) = (0, 0, 0);
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let mut sources = Sources::new();
        let path = shared.join("bad").join(cells[1]);
        let checked = lang_z::check_file(&path, &mut sources);
        let wanted = if cells[2] == "syntax" { 150 } else { 151 };
        let range = cells[3].parse().unwrap_or(0)..=cells[4].parse().unwrap_or(0);
        total += 1;
        if let Some((exit, line)) = first_error(&checked, &sources) {
            kinds += usize::from(exit == wanted);
            lines += usize::from(range.contains(&line));
        }
    }
    assert!(
        kinds * 100 >= total * 98,
        "{kinds} of {total} are of the right kind"
    );
    assert!(
        lines * 100 >= total * 96,
        "{lines} of {total} are at the right line"
    );
}

#[test]
fn what_is_printed_reads_back_to_the_same_specification() {
    let Some(shared) = shared() else { return };
    let mut wrong = Vec::new();
    for folder in ["specs", "iso"] {
        for path in files(&shared.join(folder)) {
            let mut sources = Sources::new();
            let checked = lang_z::check_file(&path, &mut sources);
            for markup in [Markup::Latex, Markup::Unicode] {
                let text = specification(&checked, markup);
                let file = sources.add(path.clone(), text.clone());
                let again = lang_z::check_text(file, &mut sources);
                if again.diagnostics.has_errors() || !same(&checked, &again) {
                    let first = again.diagnostics.iter().next().map(|d| d.message.clone());
                    wrong.push(format!("{} {markup:?}: {first:?}\n{text}", path.display()));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ, the first: {}",
        wrong.len(),
        wrong[0]
    );
}
