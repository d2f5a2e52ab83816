//! Files that keep a path: the extension chooses the format, for writing and for reading.

mod itf;
mod markdown;
mod prob2trace;
mod read;

use std::path::Path;

use serde::Serialize;
use subject::Subject;

pub use read::{Recorded, RecordedStep, Wanted};

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
}

/// Why a file name stands for no format.
pub const UNKNOWN: &str = "the extension must be .json, .itf.json, .md or .prob2trace";

impl Format {
    /// The format that a file name stands for.
    pub fn of(path: &Path) -> Result<Format, &'static str> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_ascii_lowercase();
        if name.ends_with(".itf.json") {
            return Ok(Format::Itf);
        }
        match Path::new(&name).extension().and_then(|e| e.to_str()) {
            Some("json") => Ok(Format::Json),
            Some("md") => Ok(Format::Markdown),
            Some("prob2trace") => Ok(Format::Prob2Trace),
            _ => Err(UNKNOWN),
        }
    }

    /// The text of the file.
    pub fn write(self, path: &Shown, subject: &dyn Subject, heading: &Heading<'_>) -> String {
        match self {
            Format::Json => json(path, subject, heading),
            Format::Markdown => markdown::write(path, subject, heading),
            Format::Prob2Trace => prob2trace::write(path, subject, heading),
            Format::Itf => itf::write(path, subject, heading),
        }
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
        assert!(Format::of(Path::new("json")).is_err());
    }
}
