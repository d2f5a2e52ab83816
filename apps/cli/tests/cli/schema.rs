//! Reports of real runs are valid by `docs/report.schema.json`.
//!
//! The validator knows the part of JSON Schema that the file uses, and refuses any other word.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

struct Schema(Value);

impl Schema {
    fn read() -> Schema {
        let text = std::fs::read_to_string(root().join("docs/report.schema.json"));
        let text = text.expect("there is a schema");
        Schema(serde_json::from_str(&text).expect("the schema is JSON"))
    }

    /// Why a value is not valid, with the way to it.
    fn wrong(&self, value: &Value, schema: &Value, way: &str) -> Option<String> {
        let words = schema.as_object().expect("a schema is an object");
        words.iter().find_map(|(word, rule)| match word.as_str() {
            "$schema" | "title" | "description" | "$defs" => None,
            "$ref" => {
                let pointer = rule.as_str().unwrap_or_default().trim_start_matches('#');
                let meant = self
                    .0
                    .pointer(pointer)
                    .expect("a reference leads somewhere");
                self.wrong(value, meant, way)
            }
            "type" => {
                let kinds: Vec<&str> = match rule {
                    Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
                    kind => kind.as_str().into_iter().collect(),
                };
                let fits = kinds.iter().any(|kind| is_a(value, kind));
                (!fits).then(|| format!("{way} is {value}, not {rule}"))
            }
            "enum" => {
                let known = rule.as_array().is_some_and(|known| known.contains(value));
                (!known).then(|| format!("{way} is {value}, none of {rule}"))
            }
            "minimum" => {
                let is_less = value
                    .as_i64()
                    .is_some_and(|number| Some(number) < rule.as_i64());
                is_less.then(|| format!("{way} is {value}"))
            }
            "required" => {
                let mut names = rule
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str);
                let lacks = names.find(|name| value.is_object() && value.get(name).is_none());
                lacks.map(|name| format!("{way} lacks {name}"))
            }
            "items" => value.as_array().and_then(|items| {
                let mut items = items.iter().enumerate();
                items.find_map(|(at, item)| self.wrong(item, rule, &format!("{way}/{at}")))
            }),
            "properties" => {
                let mut rules = rule.as_object().into_iter().flatten();
                rules.find_map(|(name, rule)| {
                    let part = value.get(name)?;
                    self.wrong(part, rule, &format!("{way}/{name}"))
                })
            }
            "additionalProperties" => {
                let mut parts = value.as_object().into_iter().flatten();
                let is_declared = |name: &str| schema["properties"].get(name).is_some();
                parts.find_map(|(name, part)| match rule {
                    _ if is_declared(name) => None,
                    Value::Bool(false) => Some(format!("{way}/{name} is not in the schema")),
                    rule => self.wrong(part, rule, &format!("{way}/{name}")),
                })
            }
            word => panic!("the validator does not know {word}"),
        })
    }
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => panic!("the validator does not know {kind}"),
    }
}

#[test]
fn reports_are_valid() {
    let schema = Schema::read();
    let folder = Folder::new("schema");
    folder.file(
        "broken.mch",
        "MACHINE broken VARIABLES x INVARIANT y = 1 END\n",
    );
    let broken = folder.path("broken.mch").display().to_string();
    let example = |name: &str| root().join("examples").join(name).display().to_string();
    let (lift, pumps) = (example("Lift.mch"), example("Pumps.mch"));
    let (loans, ferry) = (example("Loans.mch"), example("eventb/ferry.eventb"));
    let runs: [&[&str]; 12] = [
        &[&lift],
        &[&pumps],
        &[&pumps, "--search", "dfs"],
        &[&loans, "--symmetry", "exact"],
        &[&loans, "--symmetry", "markers", "--no-deadlock"],
        &[&lift, "--engine", "symbolic", "--count-transitions"],
        &[&lift, "--por", "stubborn"],
        &[&lift, "--goal", "at = 1"],
        &[&lift, "--ltl", "G F {at = 1}", "--ctl", "EF {at = 1}"],
        &[&lift, "--max-states", "20"],
        &[&ferry],
        &[&broken],
    ];
    for arguments in runs {
        let all = [&["check", "--json"], arguments].concat();
        let run = folder.run(&all);
        let report = &run.json()[0];
        assert_eq!(schema.wrong(report, &schema.0, ""), None, "{arguments:?}");
    }
}

#[test]
fn what_is_not_in_the_schema_is_seen() {
    let schema = Schema::read();
    let mut report = Folder::new("strange")
        .run(&["check", "--json", "none.mch"])
        .json()
        .remove(0);
    assert_eq!(schema.wrong(&report, &schema.0, ""), None);
    report["model"]["colour"] = "red".into();
    let wrong = schema.wrong(&report, &schema.0, "");
    assert_eq!(wrong.as_deref(), Some("/model/colour is not in the schema"));
}
