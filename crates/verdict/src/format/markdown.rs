//! A path as a page: a heading, the reason, a table of steps.

use std::fmt::Write as _;

use subject::Subject;

use super::Heading;
use crate::show::Shown;

/// The page.
pub(super) fn write(path: &Shown, subject: &dyn Subject, heading: &Heading<'_>) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "# {}: {}\n", subject.description().name, heading.kind);
    let _ = writeln!(text, "{}\n", heading.message);
    for line in heading.why {
        let _ = writeln!(text, "- {}", code(line));
    }
    if !heading.why.is_empty() {
        text.push('\n');
    }
    text.push_str("| step | event | changes |\n|---|---|---|\n");
    for (number, step) in path.steps.iter().enumerate() {
        let changes: Vec<String> = path
            .changes(number)
            .0
            .iter()
            .map(|(name, value)| code(&format!("{name} = {value}")))
            .collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            number + 1,
            code(&step.label()),
            changes.join("<br>")
        );
    }
    if let Some(start) = path.loop_start {
        let _ = writeln!(text, "\nThen from step {} again.", start + 1);
    }
    let _ = writeln!(text, "\nModel: {}", code(heading.file));
    text
}

/// Text as code; a bar would end the cell of a table.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'").replace('|', "\\|"))
}
