//! Files that keep a path: the extension chooses the format, for writing and for reading.

mod itf;
mod markdown;
mod prob2trace;
mod read;

use std::path::Path;

use serde::Serialize;
use subject::display::Listing;
use subject::{Subject, Trace};

pub use read::{Recorded, RecordedStep, Wanted};

use crate::chart;
use crate::show::{Shown, ShownStep};

/// What a file says beside the path.
#[derive(Clone, Debug)]
pub struct Heading<'a> {
    /// The file of the model.
    pub file: &'a str,
    /// What the path shows: `invariant`, `deadlock`, …
    pub kind: &'a str,
    /// The name of what is violated.
    pub name: Option<&'a str>,
    /// One sentence.
    pub message: &'a str,
    /// Why, line by line.
    pub why: &'a [String],
    /// Seconds since 1970, for formats that say when they were written.
    pub saved_at: u64,
}

/// The formats of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The `path` of the JSON report with its model and its reason.
    Json,
    /// A page for people.
    Markdown,
    /// A trace of ProB, version 6.
    Prob2Trace,
    /// The informal trace format of Apalache and Quint.
    Itf,
    /// The lines that users of the language know.
    Lines,
    /// A chart of messages, as a drawing.
    Chart,
    /// The same, as text.
    ChartText,
}

/// Why a file name stands for no format.
pub const UNKNOWN: &str =
    "the extension must be .json, .itf.json, .md, .prob2trace, .trail.txt, .chart.txt or .svg";

impl Format {
    /// The format that a file name stands for.
    pub fn of(path: &Path) -> Result<Format, &'static str> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_ascii_lowercase();
        if name.ends_with(".itf.json") {
            return Ok(Format::Itf);
        }
        if name.ends_with(".trail.txt") {
            return Ok(Format::Lines);
        }
        if name.ends_with(".chart.txt") {
            return Ok(Format::ChartText);
        }
        match Path::new(&name).extension().and_then(|e| e.to_str()) {
            Some("json") => Ok(Format::Json),
            Some("md") => Ok(Format::Markdown),
            Some("prob2trace") => Ok(Format::Prob2Trace),
            Some("svg") => Ok(Format::Chart),
            _ => Err(UNKNOWN),
        }
    }

    /// The text of the file; an error says why there is none.
    pub fn write(
        self,
        (path, trace): (&Shown, Option<&Trace>),
        subject: &dyn Subject,
        heading: &Heading<'_>,
    ) -> Result<String, &'static str> {
        let chart = || {
            let chart = trace.and_then(|trace| subject.chart(trace));
            chart.ok_or("there are no messages to be drawn")
        };
        Ok(match self {
            Format::Json => json(path, subject, heading),
            Format::Markdown => markdown::write(path, subject, heading),
            Format::Prob2Trace => prob2trace::write(path, subject, heading),
            Format::Itf => itf::write(path, subject, heading),
            Format::Lines => {
                let wanted = Listing {
                    statements: true,
                    ..Listing::default()
                };
                let lines = trace.and_then(|trace| subject.listing(trace, wanted));
                lines.ok_or("the language has no such lines")?
            }
            Format::Chart => chart::svg(&chart()?),
            Format::ChartText => chart::text(&chart()?),
        })
    }
}

#[derive(Serialize)]
struct Json<'a> {
    tool: &'static str,
    schema: u32,
    model: JsonModel<'a>,
    kind: &'a str,
    name: Option<&'a str>,
    message: &'a str,
    why: &'a [String],
    path: &'a [ShownStep],
    loop_start: Option<usize>,
}

#[derive(Serialize)]
struct JsonModel<'a> {
    file: &'a str,
    name: &'a str,
}

fn json(path: &Shown, subject: &dyn Subject, heading: &Heading<'_>) -> String {
    let json = Json {
        tool: "burnside",
        schema: 1,
        model: JsonModel {
            file: heading.file,
            name: &subject.description().name,
        },
        kind: heading.kind,
        name: heading.name,
        message: heading.message,
        why: heading.why,
        path: &path.steps,
        loop_start: path.loop_start,
    };
    pretty(&json)
}

/// JSON for people to read too.
fn pretty(value: &impl Serialize) -> String {
    // Maps with text keys and no floats: there is nothing that JSON cannot hold.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::Format;
    use std::path::Path;

    #[test]
    fn the_extension_decides_and_unknown_ones_are_refused() {
        assert_eq!(Format::of(Path::new("a/b.json")), Ok(Format::Json));
        assert_eq!(Format::of(Path::new("b.MD")), Ok(Format::Markdown));
        assert_eq!(
            Format::of(Path::new("b.prob2trace")),
            Ok(Format::Prob2Trace)
        );
        assert_eq!(Format::of(Path::new("b.itf.json")), Ok(Format::Itf));
        assert_eq!(Format::of(Path::new("b.trail.txt")), Ok(Format::Lines));
        assert_eq!(Format::of(Path::new("b.svg")), Ok(Format::Chart));
        assert!(Format::of(Path::new("json")).is_err());
    }
}
