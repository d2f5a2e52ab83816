//! The tools as assistants see them: names, what they are for, and the schemas of their arguments.

use serde_json::{Value, json};

/// The names of the tools.
const NAMES: &[&str] = &[
    "lint", "check", "eval", "solve", "walk", "step", "explain", "coverage", "tests",
];

/// Whether there is a tool of this name.
pub(crate) fn is_one(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The tools.
// Long: one entry for each tool.
pub(crate) fn list() -> Vec<Value> {
    vec![
        tool(
            "lint",
            "What is wrong with a model: syntax, names, types, with positions and suggestions. Fast; do this after every edit.",
            json!({ "file": file(), "model": model() }),
            &["file"],
        ),
        tool(
            "check",
            "Explores the states of a model: invariant, deadlocks, assertions, definedness, a goal, temporal formulas. The answer is the \
             report and a short text with folded paths; explain shows more of a path. \"open\" means that not everything was looked at.",
            check(),
            &["file"],
        ),
        tool(
            "eval",
            "Evaluates formulas: by themselves, in the first state of a model (file), or where a walk is (walk).",
            json!({
                "formulas": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
                "file": file(),
                "walk": { "type": "integer", "description": "The number of a walk." },
                "model": model(),
            }),
            &["formulas"],
        ),
        tool(
            "solve",
            "Finds values of the free names of a predicate that satisfy it (B, Event-B, Z).",
            json!({
                "predicate": { "type": "string" },
                "file": file(),
                "most": { "type": "integer", "minimum": 1, "description": "The most solutions; 10 unless given." },
                "model": model(),
            }),
            &["predicate"],
        ),
        tool(
            "walk",
            "Begins to step through a model from its beginning. Shows the state and what can happen there; the answer has the number of the \
             walk, for step and eval.",
            json!({ "file": file(), "commands": commands(), "seed": { "type": "integer" }, "model": model() }),
            &["file"],
        ),
        tool(
            "step",
            "Goes on with a walk.",
            json!({ "walk": { "type": "integer" }, "commands": commands() }),
            &["walk", "commands"],
        ),
        tool(
            "explain",
            "Explains one of: a diagnostic code (code: \"B0401\"); a finding of a check (run, finding, and the steps from..to of its path with \
             whole states); why an event cannot happen where a walk is (walk, event).",
            json!({
                "code": { "type": "string" },
                "run": { "type": "integer", "description": "The number of a check." },
                "finding": { "type": "integer", "minimum": 1, "description": "The number of the finding; 1 unless given." },
                "from": { "type": "integer", "minimum": 1, "description": "The first step that is shown." },
                "to": { "type": "integer", "minimum": 1, "description": "The last step that is shown." },
                "walk": { "type": "integer" },
                "event": { "type": "string", "description": "An event, with arguments if wanted: start(PUMP1)." },
            }),
            &[],
        ),
        tool(
            "coverage",
            "What a model was never seen doing: events, conjuncts of guards, branches, values.",
            json!({
                "file": file(),
                "max_states": { "type": "integer", "minimum": 1, "description": "So many states are looked at; 10000 unless given." },
                "model": model(),
            }),
            &["file"],
        ),
        tool(
            "tests",
            "Test cases: short paths in which every event happens (cover: \"operations\"), or besides paths to where each conjunct of a guard \
             alone forbids its event (cover: \"guards\").",
            json!({
                "file": file(),
                "cover": { "type": "string", "enum": ["operations", "guards"] },
                "only": { "type": "array", "items": { "type": "string" }, "description": "Only these events." },
                "end": { "type": "string", "description": "A predicate: paths end where it holds." },
                "max_states": { "type": "integer", "minimum": 1, "description": "So many states are looked at; 10000 unless given." },
                "max_depth": { "type": "integer", "minimum": 1, "description": "The longest path to what is covered." },
                "model": model(),
            }),
            &["file"],
        ),
    ]
}

fn tool(name: &str, about: &str, properties: Value, required: &[&str]) -> Value {
    json!({
        "name": name,
        "description": about,
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
        // Nothing is written and no network is used; a walk is forgotten with the server.
        "annotations": { "readOnlyHint": true, "openWorldHint": false },
    })
}

fn file() -> Value {
    json!({ "type": "string", "description": "The model, relative to the folder that was opened." })
}

fn commands() -> Value {
    json!({
        "type": "array",
        "items": { "type": "string" },
        "description": "As burnside animate takes them: a NUMBER of what can happen, EVENT or EVENT(VALUES); undo, goto STEP, random N, find PREDICATE, \
                        why EVENT, invariant, path, watch FORMULA, expect PREDICATE. The first that fails ends them.",
    })
}

fn model() -> Value {
    json!({
        "type": "object",
        "description": "What is fixed about the model; each means the option of that name (burnside://options).",
        "properties": {
            "language": { "type": "string" },
            "card": { "type": "object", "additionalProperties": { "type": "integer", "minimum": 1 }, "description": "Sizes of sets: {\"PID\": 3}." },
            "pref": { "type": "object", "additionalProperties": { "type": "string" }, "description": "Preferences: {\"MAXINT\": \"7\"}." },
            "wd": { "type": "string", "enum": ["default", "strict", "lenient"] },
            "machine": { "type": "string" },
            "level": { "type": "integer", "minimum": 0 },
            "define": { "type": "array", "items": { "type": "string" }, "description": "Promela: NAME or NAME=VALUE." },
            "state": { "type": "string" },
            "init": { "type": "string" },
            "operations": { "type": "array", "items": { "type": "string" } },
        },
        "additionalProperties": false,
    })
}

fn check() -> Value {
    let text = json!({ "type": "string" });
    let yes = json!({ "type": "boolean" });
    let number = json!({ "type": "integer", "minimum": 1 });
    json!({
        "file": file(),
        "model": model(),
        "goal": { "type": "string", "description": "A predicate: how is such a state reached?" },
        "goal_is_error": yes,
        "ltl": { "type": "array", "items": text, "description": "G {x > 0} => F [start]: braces hold predicates, brackets events." },
        "ctl": { "type": "array", "items": text },
        "definitions": { "type": "boolean", "description": "Check the formulas that the model carries." },
        "only": { "type": "string", "description": "Only the conjunct or assertion with this label." },
        "no_invariant": yes,
        "no_deadlock": yes,
        "no_assertions": yes,
        "no_refinement": yes,
        "all_findings": { "type": "integer", "minimum": 1, "description": "Go on until so many findings." },
        "engine": { "type": "string", "enum": ["auto", "explicit", "symbolic"] },
        "search": { "type": "string", "enum": ["bfs", "dfs", "mixed"] },
        "store": text,
        "symmetry": text,
        "por": text,
        "threads": number,
        "max_states": number,
        "max_depth": number,
        "max_time": { "type": "number", "description": "Seconds; 60 unless given, bounded by the server." },
        "max_memory": { "type": "integer", "description": "Bytes for the states; bounded by the server." },
        "steps": { "type": "integer", "minimum": 2, "description": "So many steps of a path are told in the text; 12 unless given." },
        "full": { "type": "boolean", "description": "Whole paths in the report instead of folded ones." },
    })
}

#[cfg(test)]
mod tests {
    use super::{NAMES, list};

    #[test]
    fn every_tool_is_listed_once_with_a_schema() {
        let names: Vec<String> = list()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(names, NAMES);
        for tool in list() {
            assert_eq!(tool["inputSchema"]["type"], "object");
        }
    }
}
