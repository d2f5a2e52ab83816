//! Turns diagnostics into text for people and JSON for programs.
//!
//! Invariant: both accept every diagnostic: spans that are empty, at the end of the file, past it, or inside
//! a character are moved to the nearest place that exists.
//! Invariant: the work is bounded by the lines shown, not by the size of the file (see `excerpt.rs`).

mod excerpt;

use annotate_snippets::{
    AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str as visible,
};
use serde::Serialize;

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Sources, Span};
use excerpt::{Excerpt, Mark};

/// The diagnostic as annotated source, without a final line break; `color` adds terminal colours.
///
/// Every place is shown, each file under its own path; help and notes follow.
pub fn text(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let excerpts = Excerpt::gather(marks(diagnostic, sources), sources);
    let snippets = excerpts.iter().map(|excerpt| {
        let annotations = excerpt.marks.iter().map(|mark| {
            let kind = match mark.primary {
                true => AnnotationKind::Primary,
                false => AnnotationKind::Context,
            };
            let label = Some(visible(mark.text)).filter(|text| !text.is_empty());
            kind.span(excerpt.range(mark.span)).label(label)
        });
        let context = excerpt.context.clone();
        Snippet::source(excerpt.text.as_str())
            .line_start(excerpt.first_line as usize)
            .path(excerpt.path.as_str())
            .annotations(annotations)
            .annotations(context.map(|range| AnnotationKind::Visible.span(range)))
    });
    let help = diagnostic
        .help
        .iter()
        .map(|help| Level::HELP.message(visible(help)));
    let notes = diagnostic
        .notes
        .iter()
        .map(|note| Level::NOTE.message(visible(note)));
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.id);
    let group = Group::with_title(title)
        .elements(snippets)
        .elements(help)
        .elements(notes);
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let rendered = renderer.render(&[group]);
    excerpts.iter().fold(rendered, |rendered, excerpt| {
        match excerpt.heading(sources) {
            // The renderer knows only the part of the line that it was given.
            Some((shown, meant)) => rendered.replacen(&shown, &meant, 1),
            None => rendered,
        }
    })
}

/// The diagnostic in the form of the JSON report.
pub fn json<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Entry<'a> {
    let place = diagnostic
        .primary
        .as_ref()
        .map(|label| Place::of(label.span, sources));
    Entry {
        code: diagnostic.code.id,
        severity: diagnostic.severity.word(),
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
        file: place.as_ref().map(|place| place.file.clone()),
        line: place.as_ref().map(|place| place.line),
        column: place.as_ref().map(|place| place.column),
        end_line: place.as_ref().map(|place| place.end_line),
        end_column: place.as_ref().map(|place| place.end_column),
        notes: &diagnostic.notes,
        related: diagnostic
            .secondary
            .iter()
            .map(|label| Related {
                place: Place::of(label.span, sources),
                message: &label.text,
            })
            .collect(),
    }
}

/// A diagnostic as programs read it. Lines and columns count from 1, columns in characters; the end is the
/// position after the last character. A diagnostic without a place has `null` there.
#[derive(Debug, Serialize)]
pub struct Entry<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    notes: &'a [String],
    related: Vec<Related<'a>>,
}

/// Another place that explains a diagnostic.
#[derive(Debug, Serialize)]
struct Related<'a> {
    #[serde(flatten)]
    place: Place,
    message: &'a str,
}

/// A span as file, lines and columns.
#[derive(Debug, Serialize)]
struct Place {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

impl Place {
    fn of(span: Span, sources: &Sources) -> Place {
        let span = excerpt::existing(span, sources);
        let start = sources.position(span.file, span.start);
        let end = sources.position(span.file, span.end);
        Place {
            file: sources.path(span.file).display().to_string(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

/// The places of a diagnostic, the primary one first.
fn marks<'a>(diagnostic: &'a Diagnostic, sources: &Sources) -> Vec<Mark<'a>> {
    let primary = diagnostic.primary.iter().map(|label| (label, true));
    let secondary = diagnostic.secondary.iter().map(|label| (label, false));
    primary
        .chain(secondary)
        .map(|(label, primary)| Mark::new(label.span, primary, &label.text, sources))
        .collect()
}

#[cfg(test)]
mod tests;
