//! A path in the informal trace format of Apalache and Quint (ADR 015): states, and little about events.
//!
//! A set is `#set`, a pair `#tup`, an integer `#bigint`, an element of a carrier set its name; a relation is a
//! set of pairs here too, so that a variable has one form in all states. Constants are `params`, and have their
//! value in every state. What happened is in the `#meta` of each state, which readers may skip.
//! Differs: a path that ends before the first state has no states.

use std::sync::Arc;

use model::{Int, Model, Ty, TyId, Tys, Value};
use num_bigint::BigInt;
use serde_json::{Map, Value as Json, json};

use super::read::{Recorded, RecordedStep, Wanted};
use super::{Heading, pretty};
use crate::show::{Shown, ShownStep};

/// The file.
pub(super) fn write(path: &Shown, model: &Model, heading: &Heading<'_>) -> String {
    let names = |is_constant: bool| -> Vec<&str> {
        let variables = model.variables.iter();
        variables
            .filter(|(_, variable)| variable.is_constant == is_constant)
            .map(|(_, variable)| variable.name.as_str())
            .collect()
    };
    let constants = path.steps.first().filter(|step| step.is_setup());
    let states = path.steps.iter().filter(|step| !step.is_setup());
    let states: Vec<Json> = states
        .enumerate()
        .map(|(index, step)| state(index, step, constants, model))
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

fn state(index: usize, step: &ShownStep, constants: Option<&ShownStep>, model: &Model) -> Json {
    let mut object = Map::new();
    let meta =
        json!({"index": index, "event": step.event, "args": step.args, "results": step.results});
    object.insert("#meta".to_owned(), meta);
    let constants = constants.map_or(&[][..], |step| &step.state.0);
    for (name, text) in constants.iter().chain(&step.state.0) {
        let ty = super::read::type_of(model, name);
        let value = ty.and_then(|ty| Value::read(&model.tys, ty, text));
        let value = match value {
            Some(value) => to_json(&value, &model.tys),
            None => json!({"#unserializable": text}),
        };
        object.insert(name.clone(), value);
    }
    Json::Object(object)
}

fn to_json(value: &Value, tys: &Tys) -> Json {
    match value {
        Value::Bool(truth) => json!(truth),
        Value::Int(number) => json!({"#bigint": number.to_big().to_string()}),
        Value::Str(text) => json!(text.as_ref()),
        Value::Element(..) => json!(value.show(tys)),
        Value::Pair(pair) => {
            base::deep::recurse(|| json!({"#tup": [to_json(&pair.0, tys), to_json(&pair.1, tys)]}))
        }
        Value::Set(elements) => {
            let elements: Vec<Json> =
                base::deep::recurse(|| elements.iter().map(|e| to_json(e, tys)).collect());
            json!({"#set": elements})
        }
        Value::Record(fields) => base::deep::recurse(|| {
            let fields = fields.iter();
            Json::Object(
                fields
                    .map(|(name, value)| (name.to_string(), to_json(value, tys)))
                    .collect(),
            )
        }),
        Value::Free(free, constructor, argument) => base::deep::recurse(|| {
            let (name, _) = tys.free[*free].constructors[*constructor as usize];
            let argument = argument.as_ref().map(|argument| to_json(argument, tys));
            json!({"tag": name.as_str(), "value": argument.unwrap_or_else(|| json!({"#tup": []}))})
        }),
        Value::Real(_) => json!({"#unserializable": value.show(tys)}),
    }
}

/// Reads a file; values that the types of the model do not fit are kept as texts that fit nothing.
pub(super) fn read(file: &Json, model: &Model) -> Result<Recorded, String> {
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
                0 => Some("INITIALISATION".to_owned()),
                _ => event.map(str::to_owned),
            },
            args: pairs("args"),
            results: pairs("results"),
            state: values
                .map(|(name, value)| {
                    let ty = super::read::type_of(model, name);
                    let read = ty.and_then(|ty| from_json(&model.tys, ty, value));
                    let wanted = match (read, value["#unserializable"].as_str()) {
                        (Some(value), _) => Wanted::Value(value),
                        (None, Some(text)) => Wanted::Text(text.to_owned()),
                        (None, None) => Wanted::Text(value.to_string()),
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

fn from_json(tys: &Tys, ty: TyId, json: &Json) -> Option<Value> {
    base::deep::recurse(|| value_of(tys, ty, json))
}

fn value_of(tys: &Tys, ty: TyId, json: &Json) -> Option<Value> {
    match &tys[ty] {
        Ty::Bool => json.as_bool().map(Value::Bool),
        Ty::Int => match json["#bigint"].as_str() {
            Some(digits) => digits
                .parse::<BigInt>()
                .ok()
                .map(|n| Value::Int(Int::new(n))),
            None => json.as_i64().map(Value::int),
        },
        Ty::Str => json.as_str().map(|text| Value::Str(text.into())),
        Ty::Real | Ty::Sort(_) => Value::read(tys, ty, json.as_str()?),
        Ty::Pow(element) => {
            let tuple = |pair: &Json| json!({"#tup": pair});
            let elements: Option<Vec<Value>> = if let Some(elements) = json["#set"].as_array() {
                elements
                    .iter()
                    .map(|e| from_json(tys, *element, e))
                    .collect()
            } else if let Some(pairs) = json["#map"].as_array() {
                pairs
                    .iter()
                    .map(|pair| from_json(tys, *element, &tuple(pair)))
                    .collect()
            } else {
                // A list is a sequence.
                let list = json.as_array()?.iter().enumerate();
                list.map(|(i, e)| from_json(tys, *element, &tuple(&json!([i + 1, e]))))
                    .collect()
            };
            elements.map(Value::set)
        }
        Ty::Prod(left, right) => {
            let parts = json["#tup"].as_array()?;
            // Tuples of more parts are nested to the left.
            match parts.as_slice() {
                [first, second] => Some(Value::pair(
                    from_json(tys, *left, first)?,
                    from_json(tys, *right, second)?,
                )),
                [init @ .., last] if init.len() > 1 => Some(Value::pair(
                    from_json(tys, *left, &json!({"#tup": init}))?,
                    from_json(tys, *right, last)?,
                )),
                _ => None,
            }
        }
        Ty::Record(fields) => {
            let object = json.as_object()?;
            let values: Option<Vec<_>> = fields
                .iter()
                .map(|(name, ty)| Some((*name, from_json(tys, *ty, object.get(name.as_str())?)?)))
                .collect();
            values.map(|values| Value::Record(values.into()))
        }
        Ty::Free(free) => {
            let tag = json["tag"].as_str()?;
            let constructors = &tys.free[*free].constructors;
            let at = constructors
                .iter()
                .position(|(name, _)| name.as_str() == tag)?;
            let argument = match constructors[at].1 {
                Some(ty) => Some(Arc::new(from_json(tys, ty, &json["value"])?)),
                None => None,
            };
            Some(Value::Free(*free, u32::try_from(at).ok()?, argument))
        }
    }
}
