//! Checks the temporal formulas that models of the shared corpus define, and says which have no verdict and why.
//!
//! Every model that mentions `ASSERT_LTL` or `ASSERT_CTL`, and every model in a folder named `LTL`, is checked with
//! `--definitions`. A formula has a verdict when it holds or is violated.
//! Invariant: what is not read (a model with errors, a formula about what the model does not have) is listed and counted
//! apart, with our first diagnostic.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::places;
use crate::sweep::Over;

/// What became of formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// They hold or are violated.
    pub decided: usize,
    /// They are open, or end in a fault that they depend on.
    pub open: usize,
    /// They cannot be read.
    pub wrong: usize,
    /// Models with formulas, all of which are decided or cannot be read.
    pub models_decided: usize,
    /// Models with formulas that are open.
    pub models_open: usize,
    /// Models that have errors of their own.
    pub models_wrong: usize,
    /// Models without formulas.
    pub models_without: usize,
}

impl Tally {
    /// The part of the formulas that can be read which has a verdict, in percent.
    pub fn percent(&self) -> f64 {
        let all = self.decided + self.open;
        100.0 * self.decided as f64 / all.max(1) as f64
    }
}

/// Checks model by model and prints a line for each formula: model, name, verdict, reason.
///
/// `more` are further options of the product.
pub fn run(over: &Over, more: &[String]) -> Tally {
    let sets = over.shared.join("corpus/sets");
    let mut files = models(&sets);
    let path = |file: &Path| {
        let below = file.strip_prefix(&sets).unwrap_or(file);
        below.display().to_string()
    };
    files.retain(|file| over.is_meant(&path(file)));
    let mut options = vec!["--definitions"];
    options.extend(more.iter().map(String::as_str));
    let ask = |_, file: &PathBuf| over.check(over.seconds, file, &options);
    let mut tally = Tally::default();
    over.each(&files, ask, |file, report| {
        let path = path(file);
        let rows = report.as_ref().map_or_else(Vec::new, rows);
        count(report.as_ref(), &rows, &mut tally);
        if rows.is_empty() {
            let why = report.as_ref().map_or_else(String::new, reason);
            println!("{path}\t-\t-\t{}", without_place(&why));
        }
        for row in rows {
            let why = without_place(&row.why);
            println!("{path}\t{}\t{}\t{why}", row.name, row.verdict);
        }
    });
    tally
}

/// A formula with what became of it.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: String,
    verdict: String,
    why: String,
    is_read: bool,
}

/// The models that have formulas, or stand among such models.
fn models(sets: &Path) -> Vec<PathBuf> {
    let extensions = [places::B_EXTENSIONS, places::EVENT_B_EXTENSIONS].concat();
    let mut files = places::files_below(sets, &extensions);
    files.retain(|file| {
        let is_definition = file.extension().is_some_and(|ending| ending == "def");
        let stands_among = file.components().any(|part| part.as_os_str() == "LTL");
        let mentions = || {
            std::fs::read(file).is_ok_and(|bytes| {
                let text = String::from_utf8_lossy(&bytes);
                text.contains("ASSERT_LTL") || text.contains("ASSERT_CTL")
            })
        };
        !is_definition && (stands_among || mentions())
    });
    files
}

fn rows(report: &Value) -> Vec<Row> {
    let formulas = report["formulas"].as_array();
    let text = |formula: &Value, key: &str| formula[key].as_str().unwrap_or_default().to_owned();
    let open = report["open_because"].as_array();
    let row = |formula: &Value| {
        let name = text(formula, "name");
        let unread = format!("{} {name} cannot be checked", text(formula, "logic"));
        let mut open = open.into_iter().flatten().filter_map(Value::as_str);
        Row {
            verdict: text(formula, "verdict"),
            why: text(formula, "because"),
            is_read: !open.any(|why| why.starts_with(&unread)),
            name,
        }
    };
    formulas.into_iter().flatten().map(row).collect()
}

/// Why there are no rows.
fn reason(report: &Value) -> String {
    let first = |key: &str| report[key].as_array().and_then(|all| all.first());
    let diagnostic = first("diagnostics").and_then(|first| first["message"].as_str());
    let open = first("open_because").and_then(Value::as_str);
    let why = diagnostic.or(open).unwrap_or("no formulas");
    why.to_owned()
}

fn count(report: Option<&Value>, rows: &[Row], tally: &mut Tally) {
    let is_decided = |row: &&Row| matches!(row.verdict.as_str(), "holds" | "violated");
    let read = rows.iter().filter(|row| row.is_read).count();
    let decided = rows.iter().filter(is_decided).count();
    tally.decided += decided;
    tally.open += read - decided;
    tally.wrong += rows.len() - read;
    let verdict = report.map_or("error", |r| r["verdict"].as_str().unwrap_or("error"));
    match (rows.len(), verdict) {
        (0, "error") => tally.models_wrong += 1,
        (0, "open") => tally.models_open += 1,
        (0, _) => tally.models_without += 1,
        _ if read > decided => tally.models_open += 1,
        _ => tally.models_decided += 1,
    }
}

/// A reason without the file that it points into.
fn without_place(why: &str) -> String {
    let file = why.split_once(':').map_or("", |(file, _)| file);
    let folder = file.rfind('/').map_or(0, |at| at + 1);
    why[folder..].replace(['\t', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_that_cannot_be_read_are_counted_apart() {
        let report = serde_json::json!({
            "verdict": "violated",
            "open_because": ["ltl ASSERT_LTL2 cannot be checked: /a/b.mch:1:2: the model has no operation `p`"],
            "formulas": [
                {"logic": "ltl", "name": "ASSERT_LTL1", "verdict": "holds"},
                {"logic": "ltl", "name": "ASSERT_LTL2", "verdict": "error",
                 "because": "/a/b.mch:1:2: the model has no operation `p`"},
                {"logic": "ctl", "name": "ASSERT_CTL", "verdict": "error", "because": "division by zero"}]});
        let rows = rows(&report);
        let mut tally = Tally::default();
        count(Some(&report), &rows, &mut tally);
        assert_eq!((tally.decided, tally.open, tally.wrong), (1, 1, 1));
        assert_eq!((tally.models_open, tally.models_decided), (1, 0));
        assert_eq!(
            without_place(&rows[1].why),
            "b.mch:1:2: the model has no operation `p`"
        );
    }
}
