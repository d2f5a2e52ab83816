//! `burnside lint FILE…` and `burnside lint --expressions LINES FILE`

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use base::Severity;
use workbench::{Expressions, Lint, exit, lint, unreadable};

use crate::args::LintArgs;
use crate::console::Console;

/// Lints each file by itself.
pub(crate) fn files(args: &LintArgs, console: &mut Console) -> u8 {
    let (json, quiet, bench) = (args.json, args.quiet, args.reading.bench());
    let mut total = Total::default();
    let mut exits = Vec::new();
    for file in &args.files {
        let lint = lint(&bench, file);
        exits.push(lint.exit());
        if json {
            console.json(&lint.report());
        } else {
            show(&lint, quiet, console);
            if !quiet {
                contents(&lint, console);
            }
            total.add(&lint);
        }
    }
    if !json && !quiet {
        console.say(&total.summary());
    }
    exit(exits)
}

/// Answers each line of `lines` in the context of `file`.
pub(crate) fn expressions(lines: &Path, file: &Path, args: &LintArgs, console: &mut Console) -> u8 {
    let (json, bench) = (args.json, args.reading.bench());
    let mut expressions = match Expressions::open(&bench, file) {
        Ok(expressions) => expressions,
        Err(lint) => return refuse(&lint, json, console),
    };
    let answered = read(lines).and_then(|mut reader| {
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            if !console.is_open() || reader.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let formula = expressions.check(trim_line_break(&line));
            console.json(&expressions.answer(number, &formula));
        }
        Ok(())
    });
    match answered {
        Ok(()) => 0,
        Err(error) => refuse(&unreadable(&bench, lines, &error), json, console),
    }
}

/// Says why there is no answer, in the form that was asked for; gives the exit code.
pub(crate) fn refuse(lint: &Lint, json: bool, console: &mut Console) -> u8 {
    if json {
        console.json(&lint.report());
    } else {
        show(lint, false, console);
    }
    lint.exit()
}

/// Shows what is inside a project.
fn contents(lint: &Lint, console: &mut Console) {
    if lint.components.len() > 1 {
        console.say(&format!("{} holds", lint.file.display()));
        for component in &lint.components {
            console.say(&format!("  {component}"));
        }
    }
}

/// Shows what was found about a file.
pub(crate) fn show(lint: &Lint, quiet: bool, console: &mut Console) {
    for diagnostic in &lint.diagnostics {
        if diagnostic.severity == Severity::Error || !quiet {
            console.diagnostic(diagnostic, &lint.sources);
        }
    }
}

/// What was found in a whole run.
#[derive(Default)]
struct Total {
    files: usize,
    errors: usize,
    warnings: usize,
    dropped: usize,
}

impl Total {
    fn add(&mut self, lint: &Lint) {
        self.files += 1;
        self.errors += lint.diagnostics.errors();
        self.warnings += lint.warnings();
        self.dropped += lint.diagnostics.dropped();
    }

    /// One line for people.
    fn summary(&self) -> String {
        let files = count(self.files, "file");
        let found = match (self.errors, self.warnings) {
            (0, 0) => "no errors".to_owned(),
            (0, warnings) => format!("no errors, {}", count(warnings, "warning")),
            (errors, 0) => count(errors, "error"),
            (errors, warnings) => {
                format!("{}, {}", count(errors, "error"), count(warnings, "warning"))
            }
        };
        match self.dropped {
            0 => format!("{found} in {files}"),
            dropped => format!("{found} in {files} ({dropped} more not shown)"),
        }
    }
}

/// `1 file`, `2 files`.
fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// The lines of a file, or of standard input for `-`.
fn read(lines: &Path) -> io::Result<Box<dyn BufRead>> {
    if lines == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    Ok(Box::new(BufReader::new(File::open(lines)?)))
}

/// A line without the break that ends it.
fn trim_line_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::Total;

    #[test]
    fn the_summary_counts_in_words() {
        let summary = |files, errors, warnings, dropped| {
            Total {
                files,
                errors,
                warnings,
                dropped,
            }
            .summary()
        };
        assert_eq!(summary(1, 0, 0, 0), "no errors in 1 file");
        assert_eq!(summary(2, 0, 1, 0), "no errors, 1 warning in 2 files");
        assert_eq!(summary(2, 3, 1, 0), "3 errors, 1 warning in 2 files");
        assert_eq!(
            summary(1, 20, 0, 7),
            "20 errors in 1 file (7 more not shown)"
        );
    }
}
