//! How long an editor waits: for what is wrong after a change, for a hover, for a step of the animator.
//!
//! Wall-clock times as the client sees them, protocol included; the server itself waits 15 ms for further typing before it tells what
//! is wrong. The large machine is generated; the animator steps through CAN_BUS of the shared corpus, as far as that is there.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use base::Random;
use serde_json::json;

use crate::client::{Editor, Pages};
use crate::places;

/// The folder of CAN_BUS below the shared material.
const CAN_BUS: &str = "corpus/sets/hhu-stups+specifications/prob-examples/B/Benchmarks";
/// So many variables and operations make 2,000 lines.
const PARTS: usize = 250;

/// What was measured.
pub struct Waited {
    what: &'static str,
    most: Duration,
    times: Vec<Duration>,
}

impl Waited {
    fn new(what: &'static str, milliseconds: u64, mut times: Vec<Duration>) -> Waited {
        times.sort_unstable();
        Waited {
            what,
            most: Duration::from_millis(milliseconds),
            times,
        }
    }

    fn share(&self, percent: usize) -> Duration {
        let at = (self.times.len() * percent / 100).min(self.times.len().saturating_sub(1));
        self.times.get(at).copied().unwrap_or_default()
    }

    /// Whether 95 % lie within what is promised.
    pub fn is_good(&self) -> bool {
        !self.times.is_empty() && self.share(95) <= self.most
    }
}

/// A machine of more than 2,000 lines.
pub fn large_machine() -> String {
    let list = |separator: &str, part: &dyn Fn(usize) -> String| {
        let parts: Vec<String> = (0..PARTS).map(part).collect();
        parts.join(separator)
    };
    let variables = list(",\n  ", &|at| format!("v{at}"));
    let invariant = list(" &\n  ", &|at| format!("v{at} : 0..limit"));
    let first = list(" ||\n  ", &|at| format!("v{at} := 0"));
    let operations = list(";\n", &|at| {
        let next = (at + 1) % PARTS;
        format!(
            "  op{at}(step) =\n    PRE step : 1..3 & v{at} + step <= limit &\n      #other.(other : 0..step & other = v{next} mod 4)\n    THEN\n      v{at} := v{at} + step\n    END"
        )
    });
    format!(
        "MACHINE Large\nCONSTANTS limit\nPROPERTIES limit = 9\nVARIABLES\n  {variables}\nINVARIANT\n  {invariant}\nINITIALISATION\n  {first}\nOPERATIONS\n{operations}\nEND\n"
    )
}

/// Measures with so many changes, hovers and steps.
pub fn run(binary: &Path, count: usize) -> io::Result<Vec<Waited>> {
    let folder = std::env::temp_dir().join(format!("burnside-editor-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let measured = typed(binary, &folder, count);
    let _ = fs::remove_dir_all(&folder);
    let mut rows = measured?;
    if let Some(shared) = places::shared() {
        rows.push(stepped(binary, &shared.join(CAN_BUS), count)?);
    }
    Ok(rows)
}

/// Types into the large machine and hovers over it.
fn typed(binary: &Path, folder: &Path, count: usize) -> io::Result<Vec<Waited>> {
    let text = large_machine();
    let lines: Vec<&str> = text.lines().collect();
    let uri = format!("file://{}/Large.mch", folder.display());
    let mut editor = Editor::start(binary, folder)?;
    editor.open(&uri, "b", &text)?;
    editor.wrong()?;
    let mut random = Random::new(1);
    let (mut told, mut hovered, mut at_once) = (Vec::new(), Vec::new(), Vec::new());
    let hover = |editor: &mut Editor, line: usize, character: usize| {
        let position = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": uri }, "position": position });
        let begun = Instant::now();
        editor.ask("textDocument/hover", params)?;
        io::Result::Ok(begun.elapsed())
    };
    for round in 0..count {
        let line = 4 + random.below(lines.len() - 6);
        let column = random.below(lines[line].len() + 1);
        // A character more, and the same character less.
        for (columns, piece) in [((column, column), "x"), ((column, column + 1), "")] {
            let begun = Instant::now();
            editor.change(&uri, line, columns, piece)?;
            if round % 10 == 9 && piece.is_empty() {
                // A hover before anything is known of the new text.
                at_once.push(hover(&mut editor, line, column)?);
            }
            editor.wrong()?;
            if round % 10 != 9 || !piece.is_empty() {
                told.push(begun.elapsed());
            }
        }
        let line = 4 + random.below(lines.len() - 6);
        let start = lines[line].find('v').unwrap_or(0);
        hovered.push(hover(&mut editor, line, start)?);
    }
    Ok(vec![
        Waited::new("what is wrong, after a change", 100, told),
        Waited::new("hover", 20, hovered),
        Waited::new("hover right after a change", 100, at_once),
    ])
}

/// Steps through CAN_BUS as a page does.
fn stepped(binary: &Path, folder: &Path, count: usize) -> io::Result<Waited> {
    let pages = Pages::start(binary, folder)?;
    let open = json!({ "request": { "do": "open", "file": "CAN_BUS.mch" } });
    let (status, begun) = pages.ask("POST", "walks", &open)?;
    if status != 200 || begun["walk"].is_null() {
        return Err(io::Error::other(format!("no walk: {status} {begun}")));
    }
    let path = format!("walks/{}", begun["walk"]);
    let mut random = Random::new(1);
    let mut moves = begun["scene"]["moves"].as_array().map_or(0, Vec::len);
    let mut times = Vec::new();
    for _ in 0..count {
        let command = match moves {
            0 => "undo 3".to_owned(),
            moves => (1 + random.below(moves)).to_string(),
        };
        let step = json!({ "request": { "do": "obey", "commands": [command] } });
        let begun = Instant::now();
        let (_, scene) = pages.ask("POST", &path, &step)?;
        times.push(begun.elapsed());
        moves = scene["scene"]["moves"].as_array().map_or(0, Vec::len);
    }
    Ok(Waited::new("a step of CAN_BUS in the animator", 50, times))
}

/// The table.
pub fn text(rows: &[Waited]) -> String {
    let mut text = String::from(
        "| what | measured | median | 95 % | largest | wanted for 95 % |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let shown = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.what,
            row.times.len(),
            shown(row.share(50)),
            shown(row.share(95)),
            shown(row.share(100)),
            shown(row.most),
        );
    }
    text
}
