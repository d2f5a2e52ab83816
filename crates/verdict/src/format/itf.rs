//! A path in the informal trace format of Apalache and Quint (ADR 015): states, and little about events.
//!
//! A set is `#set`, a pair `#tup`, an integer `#bigint`, an element of a carrier set its name; a relation is a
//! set of pairs here too, so that a variable has one form in all states. Constants are `params`, and have their
//! value in every state. What happened is in the `#meta` of each state, which readers may skip.
//! Differs: a path that ends before the first state has no states.

use serde_json::{Map, Value as Json, json};
use subject::{Happening, Holder, Subject, Tree, Value};

use super::read::{Recorded, RecordedStep, Wanted};
use super::{Heading, pretty};
use crate::show::{Shown, ShownStep};

/// The file.
pub(super) fn write(path: &Shown, subject: &dyn Subject, heading: &Heading<'_>) -> String {
    let description = subject.description();
    let names =
        |is_constant: bool| -> Vec<&str> { description.component_names(is_constant).collect() };
    let constants = path.steps.first().filter(|step| step.is_setup);
    let states = path.steps.iter().filter(|step| !step.is_setup);
    let states: Vec<Json> = states
        .enumerate()
        .map(|(index, step)| state(index, step, constants, subject))
        .collect();
    let mut file = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": heading.file,
            "description": heading.message,
            "kind": heading.kind,
            "name": heading.name,
        },
        "params": names(true),
        "vars": names(false),
        "states": states,
    });
    let before = path.steps.len() - states.len();
    if let Some(start) = path.loop_start {
        file["loop"] = json!(start.saturating_sub(before));
    }
    pretty(&file)
}

fn state(
    index: usize,
    step: &ShownStep,
    constants: Option<&ShownStep>,
    subject: &dyn Subject,
) -> Json {
    let mut object = Map::new();
    let meta =
        json!({"index": index, "event": step.event, "args": step.args, "results": step.results});
    object.insert("#meta".to_owned(), meta);
    let constants = constants.map_or(&[][..], |step| &step.state.0);
    for (name, text) in constants.iter().chain(&step.state.0) {
        let value = match value(subject, name, &Tree::Written(text.clone())) {
            Some(value) => to_json(&value.tree()),
            None => json!({"#unserializable": text}),
        };
        object.insert(name.clone(), value);
    }
    Json::Object(object)
}

/// The value of a constant or variable.
fn value(subject: &dyn Subject, name: &str, tree: &Tree) -> Option<Value> {
    let component = subject.description().component_named(name)?;
    subject.read_value(Holder::Component(component), tree)
}

fn to_json(tree: &Tree) -> Json {
    base::deep::recurse(|| json_of(tree))
}

fn json_of(tree: &Tree) -> Json {
    let list = |trees: &[Tree]| -> Vec<Json> { trees.iter().map(to_json).collect() };
    match tree {
        Tree::Bool(truth) => json!(truth),
        Tree::Int(digits) => json!({"#bigint": digits}),
        Tree::Text(text) | Tree::Name(text) => json!(text),
        Tree::Pair(pair) => json!({"#tup": [to_json(&pair.0), to_json(&pair.1)]}),
        Tree::Set(elements) => json!({"#set": list(elements)}),
        Tree::List(elements) => json!(list(elements)),
        Tree::Record(fields) => {
            let fields = fields.iter();
            Json::Object(
                fields
                    .map(|(name, tree)| (name.clone(), to_json(tree)))
                    .collect(),
            )
        }
        Tree::Tagged(tag, argument) => {
            let argument = argument.as_ref().map(|argument| to_json(argument));
            json!({"tag": tag, "value": argument.unwrap_or_else(|| json!({"#tup": []}))})
        }
        Tree::Written(text) => json!({"#unserializable": text}),
    }
}

/// Reads a file; values that the types of the model do not fit are kept as texts that fit nothing.
pub(super) fn read(file: &Json, subject: &dyn Subject) -> Result<Recorded, String> {
    let states = file["states"].as_array().ok_or("there are no \"states\"")?;
    let mut steps = Vec::new();
    for (index, state) in states.iter().enumerate() {
        let state = state
            .as_object()
            .ok_or_else(|| format!("state {index} is not an object"))?;
        let meta = state.get("#meta");
        let pairs = |key: &str| -> Vec<(String, Wanted)> {
            let pairs = meta.and_then(|meta| meta[key].as_object());
            let pairs = pairs.into_iter().flatten();
            pairs
                .filter_map(|(name, value)| {
                    Some((name.clone(), Wanted::Text(value.as_str()?.to_owned())))
                })
                .collect()
        };
        let values = state
            .iter()
            .filter(|(name, _)| !name.starts_with(['#']) && !name.contains("::"));
        let event = meta.and_then(|meta| meta["event"].as_str());
        let taken = state.get("mbt::actionTaken").and_then(Json::as_str);
        let event = event.or(taken.filter(|taken| *taken != "init"));
        steps.push(RecordedStep {
            event: match index {
                0 => Some(Happening::INITIALISATION.to_owned()),
                _ => event.map(str::to_owned),
            },
            args: pairs("args"),
            results: pairs("results"),
            state: values
                .map(|(name, said)| {
                    let read = from_json(said).and_then(|tree| value(subject, name, &tree));
                    let wanted = match (read, said["#unserializable"].as_str()) {
                        (_, Some(text)) => Wanted::Text(text.to_owned()),
                        (Some(value), None) => Wanted::Value(value),
                        (None, None) => Wanted::Text(said.to_string()),
                    };
                    (name.clone(), wanted)
                })
                .collect(),
            ..RecordedStep::default()
        });
    }
    Ok(Recorded {
        model: None,
        loop_start: file["loop"].as_u64().map(|state| state as usize),
        steps,
        counts_set_up: false,
    })
}

fn from_json(json: &Json) -> Option<Tree> {
    base::deep::recurse(|| tree_of(json))
}

fn tree_of(json: &Json) -> Option<Tree> {
    let list = |list: &[Json]| -> Option<Vec<Tree>> { list.iter().map(from_json).collect() };
    Some(match json {
        Json::Null => return None,
        Json::Bool(truth) => Tree::Bool(*truth),
        Json::Number(number) => Tree::Int(number.as_i64()?.to_string()),
        Json::String(text) => Tree::Text(text.clone()),
        Json::Array(elements) => Tree::List(list(elements)?),
        Json::Object(fields) => {
            if let Some(digits) = json["#bigint"].as_str() {
                Tree::Int(digits.to_owned())
            } else if let Some(elements) = json["#set"].as_array() {
                Tree::Set(list(elements)?)
            } else if let Some(pairs) = json["#map"].as_array() {
                let pairs = pairs
                    .iter()
                    .map(|pair| Some(tuple(list(pair.as_array()?)?)));
                Tree::Set(pairs.collect::<Option<_>>()?)
            } else if let Some(parts) = json["#tup"].as_array() {
                tuple(list(parts)?)
            } else if let (2, Some(tag), Some(value)) =
                (fields.len(), json["tag"].as_str(), fields.get("value"))
            {
                Tree::Tagged(tag.to_owned(), from_json(value).map(Box::new))
            } else {
                let fields = fields.iter();
                let fields = fields.map(|(name, value)| Some((name.clone(), from_json(value)?)));
                Tree::Record(fields.collect::<Option<_>>()?)
            }
        }
    })
}

/// Tuples of more than two parts are nested to the left; a shorter one is a list.
fn tuple(parts: Vec<Tree>) -> Tree {
    if parts.len() < 2 {
        return Tree::List(parts);
    }
    let mut parts = parts.into_iter();
    let first = parts.next();
    let nested =
        first.map(|first| parts.fold(first, |left, right| Tree::Pair(Box::new((left, right)))));
    nested.unwrap_or_else(|| Tree::List(Vec::new()))
}
