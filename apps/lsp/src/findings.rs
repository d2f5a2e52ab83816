//! What a check found, as an editor shows it: at the place of what is violated, with the path attached, each step at the event that it takes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::{Id, Span};
use serde_json::{Value, json};
use subject::editor::DefinitionKind;
use workbench::edit::Edited;

use crate::answers::location;
use crate::folder::uri_of;
use crate::lines::units;

/// So many steps of a path are attached.
pub(crate) const MAX_STEPS: usize = 50;

/// Where in the texts of a model a finding can point.
pub(crate) struct Anchors {
    /// The texts that were read together, and whether it is the one that is checked.
    texts: Vec<(PathBuf, String, bool)>,
    /// The folder that a report names files in.
    folder: PathBuf,
    /// The name of the model: where a finding without a place stands.
    name: Value,
    /// The names of events.
    events: BTreeMap<String, Value>,
}

impl Anchors {
    /// The anchors of a text and of those that it refers to.
    pub(crate) fn of(edited: &Edited, path: &Path, folder: &Path) -> Anchors {
        let sources = &edited.lint.sources;
        let texts = (0..sources.count()).map(Id::new).map(|file| {
            let (path, text) = (sources.path(file), sources.text(file));
            (path.to_owned(), text.to_owned(), Some(file) == edited.file)
        });
        let place = |span: Span| location(span, sources);
        let own = |span: Span| Some(span.file) == edited.file;
        let defined = || edited.definitions().iter();
        let mut components = defined().filter(|one| own(one.span));
        let name = components.find(|one| one.kind == DefinitionKind::Component);
        let top = json!({
            "uri": uri_of(path),
            "range": range((0, 0), (0, units(line_of(edited.text(), 0)) as usize)),
        });
        // An event that a text refines or repeats is the one of the text that is checked.
        let events = defined().filter(|one| one.kind == DefinitionKind::Event);
        let (near, far): (Vec<_>, Vec<_>) = events.partition(|one| own(one.span));
        let events = far.into_iter().chain(near);
        let events = events.filter_map(|one| Some((one.name.to_string(), place(one.span)?)));
        Anchors {
            texts: texts.collect(),
            folder: folder.to_owned(),
            name: name.and_then(|one| place(one.span)).unwrap_or(top),
            events: events.collect(),
        }
    }

    /// The place that a report writes as `file:line:column`, to the end of its line, and whether it is in the text that was checked.
    /// Columns are in characters there.
    fn place(&self, written: &str) -> Option<(Value, bool)> {
        let mut parts = written.rsplitn(3, ':');
        let mut number = || parts.next()?.parse::<usize>().ok()?.checked_sub(1);
        let (column, line) = (number()?, number()?);
        let file = base::files::canonical(&self.folder.join(parts.next()?));
        let mut texts = self.texts.iter();
        let is_there = |path: &Path| base::files::canonical(path) == file;
        let (path, text, is_own) = texts.find(|(path, ..)| is_there(path))?;
        let text = line_of(text, line);
        let before: String = text.chars().take(column).collect();
        let places = (units(&before) as usize, units(text) as usize);
        let range = range((line, places.0), (line, places.1.max(places.0 + 1)));
        Some((json!({ "uri": uri_of(path), "range": range }), *is_own))
    }
}

/// A line of a text without what ends it.
fn line_of(text: &str, line: usize) -> &str {
    text.lines().nth(line).unwrap_or_default().trim_end()
}

fn range(start: (usize, usize), end: (usize, usize)) -> Value {
    let place = |(line, character): (usize, usize)| json!({ "line": line, "character": character });
    json!({ "start": place(start), "end": place(end) })
}

/// What a check found, at the places of what is violated, with the path attached.
pub(crate) fn findings(anchors: &Anchors, report: &Value) -> Vec<Value> {
    let found = report["findings"].as_array().into_iter().flatten();
    found
        .map(|finding| {
            let text = |name: &str| finding[name].as_str().unwrap_or_default();
            let place = anchors.place(text("place"));
            let (here, elsewhere) = match &place {
                Some((place, true)) => (place, None),
                // What is violated stands in a text that this one refers to.
                Some((place, false)) => (&anchors.name, Some(place)),
                None => (&anchors.name, None),
            };
            let why = finding["why"].as_array().into_iter().flatten();
            let why = why
                .filter_map(Value::as_str)
                .map(|line| format!("\n{line}"));
            let elsewhere =
                elsewhere.map(|place| json!({ "location": place, "message": "what is violated" }));
            let path = finding["path"].as_array().into_iter().flatten();
            let mut last = &Value::Null;
            let steps = (1..).zip(path).take(MAX_STEPS).map(|(number, step)| {
                let before = std::mem::replace(&mut last, &step["state"]);
                let event = step["event"].as_str().unwrap_or_default();
                let place = anchors.events.get(event).unwrap_or(&anchors.name);
                let message = format!("{number}. {}", told(step, before));
                json!({ "location": place, "message": message })
            });
            json!({
                "range": here["range"],
                "severity": 1,
                "code": finding["kind"],
                "source": "burnside check",
                "message": format!("{}{}", text("message"), why.collect::<String>()),
                "relatedInformation": elsewhere.into_iter().chain(steps).collect::<Vec<_>>(),
            })
        })
        .collect()
}

/// A step with its arguments and what it changed.
fn told(step: &Value, before: &Value) -> String {
    let written = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let pairs = |object: &Value, old: &Value| {
        let fields = object.as_object().into_iter().flatten();
        let fields = fields.filter(|(name, value)| old.get(name.as_str()) != Some(value));
        let fields = fields.map(|(name, value)| format!("{name} = {}", written(value)));
        fields.collect::<Vec<_>>().join(", ")
    };
    let event = step["event"].as_str().unwrap_or_default();
    let arguments = pairs(&step["args"], &Value::Null);
    let changed = pairs(&step["state"], before);
    let label = match arguments.is_empty() {
        true => event.to_owned(),
        false => format!("{event}({arguments})"),
    };
    match changed.is_empty() {
        true => label,
        false => format!("{label}  {changed}"),
    }
}
