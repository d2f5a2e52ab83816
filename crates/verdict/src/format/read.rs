//! Reads the files that keep a path, ours and those of other tools, into one form that can be followed.
//!
//! Invariant: reading never decides whether a path fits; what is in the file is kept as it is said there.

use serde_json::Value as Json;
use subject::{Happening, Subject, Value};

use super::{Format, itf};

/// A path as a file says it.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The model it was made for, if the file says so.
    pub model: Option<String>,
    /// Its steps.
    pub steps: Vec<RecordedStep>,
    /// For an infinite path: the step that follows the last one.
    pub loop_start: Option<usize>,
    /// Whether a set-up is a step of its own.
    pub counts_set_up: bool,
}

/// A step as a file says it: whatever is not said may be anything.
#[derive(Clone, Debug, Default)]
pub struct RecordedStep {
    /// The event.
    pub event: Option<String>,
    /// Values of parameters.
    pub args: Vec<(String, Wanted)>,
    /// Values of results.
    pub results: Vec<(String, Wanted)>,
    /// Values of constants and variables after it.
    pub state: Vec<(String, Wanted)>,
    /// Predicates that must hold after it.
    pub holds: Vec<String>,
    /// Events that must be possible after it, or must not.
    pub enabled: Vec<(String, bool)>,
    /// What the file asks for and nobody looks at.
    pub ignored: Vec<String>,
}

/// A value in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// In the notation of the model.
    Text(String),
    /// Read already.
    Value(Value),
}

impl Wanted {
    /// The value for people.
    pub fn show(&self) -> String {
        match self {
            Wanted::Text(text) => text.clone(),
            Wanted::Value(value) => value.told(),
        }
    }
}

impl Format {
    /// Reads a file of this format; an error says what is wrong with it.
    pub fn read(self, text: &str, subject: &dyn Subject) -> Result<Recorded, String> {
        let is_for_people = matches!(
            self,
            Format::Markdown | Format::Lines | Format::Chart | Format::ChartText
        );
        if is_for_people {
            return Err("such a file is for reading only; save the path as .json too".to_owned());
        }
        let file: Json =
            serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
        match self {
            Format::Json => json(&file),
            Format::Prob2Trace => prob2trace(&file),
            Format::Itf => itf::read(&file, subject),
            Format::Markdown | Format::Lines | Format::Chart | Format::ChartText => {
                Ok(Recorded::default())
            }
        }
    }
}

/// A trace of ours, or a whole report: then the path of its first finding or to its goal.
fn json(file: &Json) -> Result<Recorded, String> {
    let from = match (
        &file["path"],
        &file["findings"][0]["path"],
        &file["goal"]["path"],
    ) {
        (Json::Array(_), _, _) => file,
        (_, Json::Array(_), _) => &file["findings"][0],
        (_, _, Json::Array(_)) => &file["goal"],
        _ => return Err("there is no \"path\"".to_owned()),
    };
    let mut steps: Vec<RecordedStep> = Vec::new();
    let mut loop_start = from["loop_start"].as_u64().map(|step| step as usize);
    let mut is_part = false;
    for (at, step) in from["path"].as_array().into_iter().flatten().enumerate() {
        let event = step["event"].as_str().ok_or("a step has no \"event\"")?;
        if loop_start == Some(at) {
            loop_start = Some(steps.len());
        }
        let state = pairs(&step["state"]);
        // Parts of one step: it is known by its first part and the state after its last.
        match steps.last_mut().filter(|_| is_part) {
            Some(whole) => {
                whole.args.retain(|(name, _)| name != "statement");
                whole.state = state;
            }
            None => steps.push(RecordedStep {
                event: Some(event.to_owned()),
                args: pairs(&step["args"]),
                results: pairs(&step["results"]),
                state,
                ..RecordedStep::default()
            }),
        }
        is_part = step["atomic"].as_bool() == Some(true);
    }
    Ok(Recorded {
        model: file["model"]["name"].as_str().map(str::to_owned),
        steps,
        loop_start,
        counts_set_up: true,
    })
}

/// A trace of ProB2-UI, any version: what a version does not have yet is missing.
fn prob2trace(file: &Json) -> Result<Recorded, String> {
    const NEWEST: u64 = 6;
    let metadata = &file["metadata"];
    if let Some(version) = metadata["formatVersion"].as_u64()
        && version > NEWEST
    {
        return Err(format!(
            "its format version is {version}; versions up to {NEWEST} are known"
        ));
    }
    let steps = match &file["transitionList"] {
        Json::Array(steps) => steps.as_slice(),
        Json::Null => &[],
        _ => return Err("\"transitionList\" is not a list".to_owned()),
    };
    let steps = steps.iter().map(|step| {
        let name = step["name"]
            .as_str()
            .ok_or("a transition has no \"name\"")?;
        let mut read = RecordedStep {
            event: Some(
                match name {
                    "$setup_constants" => Happening::SETUP,
                    "$initialise_machine" => Happening::INITIALISATION,
                    name => name,
                }
                .to_owned(),
            ),
            args: pairs(&step["params"]),
            results: pairs(&step["results"]),
            state: pairs(&step["destState"]),
            ..RecordedStep::default()
        };
        let predicates = step["preds"].as_array().into_iter().flatten();
        let predicates = predicates.filter_map(Json::as_str);
        read.ignored
            .extend(predicates.map(|predicate| format!("the predicate {predicate}")));
        for condition in step["postconditions"].as_array().into_iter().flatten() {
            postcondition(condition, &mut read);
        }
        Ok(read)
    });
    Ok(Recorded {
        model: metadata["modelName"].as_str().map(str::to_owned),
        steps: steps.collect::<Result<_, String>>()?,
        loop_start: None,
        counts_set_up: true,
    })
}

fn postcondition(condition: &Json, step: &mut RecordedStep) {
    // Up to version 4 both were called "value".
    let text = |key: &str| condition[key].as_str().or(condition["value"].as_str());
    let is_plain = condition["predicate"]
        .as_str()
        .unwrap_or_default()
        .is_empty();
    match (
        condition["kind"].as_str(),
        text("predicate"),
        text("operation"),
    ) {
        (Some("PREDICATE"), Some(predicate), _) => step.holds.push(predicate.to_owned()),
        (Some("ENABLEDNESS"), _, Some(operation)) if is_plain => {
            step.enabled.push((operation.to_owned(), true));
        }
        (Some("DISABLEDNESS"), _, Some(operation)) if is_plain => {
            step.enabled.push((operation.to_owned(), false));
        }
        _ => step.ignored.push(format!("the postcondition {condition}")),
    }
}

fn pairs(object: &Json) -> Vec<(String, Wanted)> {
    let object = object.as_object().into_iter().flatten();
    object
        .map(|(name, value)| {
            let text = match value.as_str() {
                Some(text) => text.to_owned(),
                None => value.to_string(),
            };
            (name.clone(), Wanted::Text(text))
        })
        .collect()
}
