//! Answers in few words: texts that are cut and folded, and say so.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// Longer texts are cut: the reader has little room.
const MAX_TEXT: usize = 8_000;
/// So many steps of a path are in a report, unless all are wanted.
pub(crate) const MAX_STEPS: usize = 12;
/// So many moves are told.
const MAX_MOVES: usize = 30;

/// The text of an answer.
pub(crate) fn told(answer: &Value) -> String {
    answer["text"].as_str().unwrap_or_default().to_owned()
}

/// `a = 1, b = 2`
pub(crate) fn pairs(object: &Value) -> String {
    let fields = object.as_object().into_iter().flatten();
    // Numbers are written as numbers in some reports.
    let written = |value: &Value| {
        let text = value.as_str().map(str::to_owned);
        text.unwrap_or_else(|| value.to_string())
    };
    let fields = fields.map(|(name, value)| format!("{name} = {}", written(value)));
    fields.collect::<Vec<_>>().join(", ")
}

/// A report whose paths are folded; how many steps there are is said.
pub(crate) fn folded(mut report: Value) -> Value {
    let fold = |holder: &mut Value| {
        let Some(path) = holder["path"].as_array_mut() else {
            return;
        };
        let count = path.len();
        if count <= MAX_STEPS {
            return;
        }
        let (head, tail) = (MAX_STEPS / 3, MAX_STEPS - MAX_STEPS / 3);
        path.drain(head..count - tail);
        holder["steps"] = json!(count);
        holder["folded"] = json!({ "after": head, "steps": count - MAX_STEPS });
    };
    if let Some(findings) = report["findings"].as_array_mut() {
        findings.iter_mut().for_each(fold);
    }
    if report["goal"].is_object() {
        fold(&mut report["goal"]);
    }
    report
}

/// Where a walk is, in few words.
pub(crate) fn scene(walk: u64, answer: Value) -> (String, Value) {
    let mut text = format!("walk {walk}\n");
    for reply in answer["replies"].as_array().into_iter().flatten() {
        let (command, told) = (reply["command"].as_str(), reply["text"].as_str());
        if let Some(command) = command.filter(|command| !command.is_empty()) {
            let _ = writeln!(text, "> {command}");
        }
        let _ = writeln!(text, "{}", told.unwrap_or_default());
    }
    let scene = &answer["scene"];
    let _ = writeln!(text, "state:");
    for value in scene["values"].as_array().into_iter().flatten() {
        let text_of = |field: &str| value[field].as_str().unwrap_or_default();
        let _ = writeln!(text, "  {} = {}", text_of("name"), text_of("value"));
    }
    let moves = scene["moves"].as_array().cloned().unwrap_or_default();
    let _ = writeln!(text, "possible:");
    for one in moves.iter().take(MAX_MOVES) {
        let mark = if one["breaks"] == true {
            "  (breaks the invariant)"
        } else {
            ""
        };
        let label = one["label"].as_str().unwrap_or_default();
        let _ = writeln!(text, "  {}  {label}{mark}", one["number"]);
    }
    let hidden = moves.len().saturating_sub(MAX_MOVES) as u64;
    let hidden = hidden + scene["more_moves"].as_u64().unwrap_or(0);
    if hidden > 0 {
        let _ = writeln!(text, "  … {hidden} more");
    }
    let disabled = scene["disabled"].as_array().into_iter().flatten();
    let disabled: Vec<&str> = disabled.filter_map(Value::as_str).collect();
    if !disabled.is_empty() {
        let _ = writeln!(text, "not possible: {}", disabled.join(", "));
    }
    for line in scene["unknown"].as_array().into_iter().flatten() {
        let _ = writeln!(text, "not known: {}", line.as_str().unwrap_or_default());
    }
    for line in scene["wrong"].as_array().into_iter().flatten() {
        let _ = writeln!(text, "! {}", line.as_str().unwrap_or_default());
    }
    let mut data = scene.clone();
    data["walk"] = json!(walk);
    (text, data)
}

/// A text that is cut where the room ends, and says so.
pub(crate) fn short(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_TEXT) {
        // The last lines hold the verdict.
        let tail: Vec<&str> = text.lines().rev().take(3).collect();
        let tail: Vec<&str> = tail.into_iter().rev().collect();
        let tail = tail.join("\n");
        text.truncate(end);
        let _ = write!(text, "\n… cut here; the data has all …\n{tail}");
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::pairs;

    #[test]
    fn arguments_are_told_whatever_they_are() {
        let step = json!({ "pid": 1, "statement": "x++" });
        assert_eq!(pairs(&step), "pid = 1, statement = x++");
    }
}
