//! Where events stand in their files, and which event a line belongs to.

use std::path::{Path, PathBuf};

use base::Span;
use subject::editor::DefinitionKind;
use workbench::Workbench;
use workbench::edit::Edited;

/// The place of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The event.
    pub(crate) event: String,
    /// Its file.
    pub(crate) file: PathBuf,
    /// The line and the column of its name, from 1.
    pub(crate) at: (u32, u32),
    /// Its first and its last line.
    pub(crate) lines: (u32, u32),
}

/// The events of a model, those of the files that it refers to too.
pub(crate) fn of(bench: &Workbench, file: &Path) -> Vec<Place> {
    let edited = Edited::read(bench, file);
    let sources = &edited.lint.sources;
    let line = |span: Span, offset| sources.position(span.file, offset).line;
    let events = edited.definitions().iter();
    let events = events.filter(|one| one.kind == DefinitionKind::Event);
    events
        .map(|one| {
            let at = sources.position(one.span.file, one.span.start);
            Place {
                event: one.name.to_string(),
                file: base::files::canonical(sources.path(one.span.file)),
                at: (at.line, at.column),
                lines: (
                    line(one.whole, one.whole.start),
                    line(one.whole, one.whole.end),
                ),
            }
        })
        .collect()
}

/// The event of a step: what stands before its arguments.
pub(crate) fn event_of(label: &str) -> &str {
    label.split('(').next().unwrap_or(label).trim()
}

/// The place of the event of a step.
pub(crate) fn of_step<'a>(places: &'a [Place], label: &str) -> Option<&'a Place> {
    let event = event_of(label);
    places.iter().find(|place| place.event == event)
}

/// The event that a line of a file belongs to, or the next one below it.
pub(crate) fn of_line<'a>(places: &'a [Place], file: &Path, line: u32) -> Option<&'a Place> {
    let here = || places.iter().filter(|place| place.file == file);
    let inside = here().filter(|place| (place.lines.0..=place.lines.1).contains(&line));
    let inside = inside.min_by_key(|place| place.lines.1 - place.lines.0);
    let below = || here().filter(|place| place.lines.0 > line);
    inside.or_else(|| below().min_by_key(|place| place.lines.0))
}
