//! A path as a trace of ProB2-UI, format version 6, which `probcli -trace_replay json` reads too.
//!
//! Differs from what ProB writes: empty fields are left out throughout (as the format allows), and which
//! variables an operation reads is not told.

use std::collections::BTreeMap;

use serde::Serialize;
use subject::{ComponentId, EventId, Holder, Parameter, Subject, TypeTree};

use super::{Heading, pretty};
use crate::show::{Pairs, Shown};

/// The file.
pub(super) fn write(path: &Shown, subject: &dyn Subject, heading: &Heading<'_>) -> String {
    let description = subject.description();
    let names = |is_constant: bool| description.component_names(is_constant).collect();
    let steps = path.steps.iter().enumerate().map(|(number, step)| {
        let changed = path.changes(number);
        let unchanged = step.state.0.iter().map(|(name, _)| name.as_str());
        let unchanged = unchanged.filter(|name| changed.get(name).is_none());
        Transition {
            name: match (step.is_setup, step.is_beginning) {
                (true, _) => "$setup_constants",
                (_, true) => "$initialise_machine",
                _ => &step.event,
            },
            params: &step.args,
            results: &step.results,
            unchanged: unchanged.collect(),
            state: changed.clone(),
        }
    });
    let file = File {
        description: heading.message,
        steps: steps.collect(),
        variables: names(false),
        constants: names(true),
        sets: description
            .sets
            .iter()
            .map(|(name, _)| name.as_str())
            .collect(),
        operations: operations(subject),
        types: description
            .components
            .iter()
            .enumerate()
            .map(|(at, known)| {
                let holder = Holder::Component(ComponentId::new(at));
                (known.name.as_str(), term(&subject.type_tree(holder)))
            })
            .collect(),
        metadata: Metadata {
            file_type: "Trace",
            version: 6,
            saved_at: date(heading.saved_at),
            creator: "burnside",
            model: &description.name,
        },
    };
    pretty(&file)
}

#[derive(Serialize)]
struct File<'a> {
    description: &'a str,
    #[serde(rename = "transitionList")]
    steps: Vec<Transition<'a>>,
    #[serde(rename = "variableNames")]
    variables: Vec<&'a str>,
    #[serde(rename = "constantNames")]
    constants: Vec<&'a str>,
    #[serde(rename = "setNames")]
    sets: Vec<&'a str>,
    #[serde(rename = "machineOperationInfos")]
    operations: BTreeMap<&'a str, Operation<'a>>,
    #[serde(rename = "globalIdentifierTypes")]
    types: BTreeMap<&'a str, String>,
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
struct Transition<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    params: &'a Pairs,
    #[serde(skip_serializing_if = "is_empty")]
    results: &'a Pairs,
    #[serde(rename = "destState", skip_serializing_if = "is_empty_pairs")]
    state: Pairs,
    #[serde(rename = "destStateNotChanged", skip_serializing_if = "Vec::is_empty")]
    unchanged: Vec<&'a str>,
}

#[derive(Serialize)]
struct Operation<'a> {
    #[serde(rename = "operationName")]
    name: &'a str,
    #[serde(rename = "parameterNames")]
    parameters: Vec<&'a str>,
    #[serde(rename = "outputParameterNames")]
    results: Vec<&'a str>,
    #[serde(rename = "topLevel")]
    top: bool,
    r#type: &'static str,
    #[serde(rename = "typeMap")]
    types: BTreeMap<&'a str, String>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    #[serde(rename = "fileType")]
    file_type: &'static str,
    #[serde(rename = "formatVersion")]
    version: u32,
    #[serde(rename = "savedAt")]
    saved_at: String,
    creator: &'static str,
    #[serde(rename = "modelName")]
    model: &'a str,
}

fn is_empty(pairs: &&Pairs) -> bool {
    pairs.0.is_empty()
}

fn is_empty_pairs(pairs: &Pairs) -> bool {
    pairs.0.is_empty()
}

fn operations(subject: &dyn Subject) -> BTreeMap<&str, Operation<'_>> {
    let description = subject.description();
    let operation = |id: EventId| {
        let event = description.event(id);
        let names = |list: &'_ [Parameter]| list.iter().map(|known| known.name.as_str()).collect();
        let typed = |list: &[Parameter], holder: &dyn Fn(usize) -> Holder| {
            let typed = list.iter().enumerate();
            let typed = typed.map(|(at, known)| {
                let ty = term(&subject.type_tree(holder(at)));
                (known.name.as_str(), ty)
            });
            typed.collect::<Vec<_>>()
        };
        let mut types = typed(&event.parameters, &|at| Holder::Parameter(id, at));
        types.extend(typed(&event.results, &|at| Holder::Result(id, at)));
        Operation {
            name: event.name.as_str(),
            parameters: names(&event.parameters),
            results: names(&event.results),
            top: true,
            r#type: "CLASSICAL_B",
            types: types.into_iter().collect(),
        }
    };
    let events = description.event_ids();
    events
        .map(|id| (description.event(id).name.as_str(), operation(id)))
        .collect()
}

/// A type as the Prolog term that ProB writes.
fn term(ty: &TypeTree) -> String {
    match ty {
        TypeTree::Bool => "boolean".to_owned(),
        TypeTree::Int => "integer".to_owned(),
        TypeTree::Real => "real".to_owned(),
        TypeTree::Text => "string".to_owned(),
        TypeTree::Named(name) => format!("global({})", quoted(name)),
        TypeTree::Free(name) => format!("freetype({})", quoted(name)),
        TypeTree::Set(element) => format!("set({})", term(element)),
        TypeTree::List(element) => format!("seq({})", term(element)),
        TypeTree::Pair(pair) => format!("couple({},{})", term(&pair.0), term(&pair.1)),
        TypeTree::Record(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, ty)| format!("field({},{})", quoted(name), term(ty)))
                .collect();
            format!("record([{}])", fields.join(","))
        }
        TypeTree::Written(text) => quoted(text),
    }
}

/// A Prolog atom.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Seconds since 1970 as `2020-10-02T07:43:20Z`. Days to dates: Hinnant, "chrono-compatible low-level date
/// algorithms", `civil_from_days`.
fn date(seconds: u64) -> String {
    let (days, second) = ((seconds / 86_400) as i64, seconds % 86_400);
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_601_624_600), "2020-10-02T07:43:20Z");
    }
}
