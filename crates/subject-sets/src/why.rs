//! Puts the reason of a false predicate, or of an action that cannot happen, into one line.

use model::{ExprId, Model, text};
use model_interp::{Explanation, Obstacle};

/// Longer values in reasons are cut.
const MAX_VALUE: usize = 200;

/// `because level <= capacity is false: level = 5, capacity = 4`; the predicate is left out when it is the
/// whole one that was asked about.
pub fn because(model: &Model, whole: Option<ExprId>, part: &Explanation) -> String {
    let mut line = "because".to_owned();
    if !part.bindings.is_empty() {
        let bindings: Vec<String> = part
            .bindings
            .iter()
            .map(|(name, value)| format!("{name} = {}", short(value)))
            .collect();
        line.push_str(&format!(" for {},", bindings.join(", ")));
    }
    let facts = facts(model, part);
    if Some(part.predicate) != whole || facts.is_empty() {
        let text = text::formula(model, part.predicate);
        let state = match &part.undefined {
            Some(stop) if stop.is_open() => format!("is not known: {}", stop.reason),
            Some(stop) => format!("is undefined: {}", stop.reason),
            None => "is false".to_owned(),
        };
        line.push_str(&format!(" {text} {state}"));
        if !facts.is_empty() {
            line.push(':');
        }
    } else if let Some(stop) = &part.undefined {
        line.push_str(&format!(" {}:", stop.reason));
    }
    if !facts.is_empty() {
        line.push_str(&format!(" {}", facts.join(", ")));
    }
    line
}

/// Why an action cannot happen, in one line.
pub fn obstacle(model: &Model, obstacle: &Obstacle) -> String {
    if obstacle.no_value_of.is_empty() {
        return because(model, None, &obstacle.part);
    }
    let names: Vec<&str> = obstacle
        .no_value_of
        .iter()
        .map(|name| name.as_str())
        .collect();
    let text = text::formula(model, obstacle.part.predicate);
    let mut line = format!("because no {} satisfies {text}", names.join(", "));
    let facts = facts(model, &obstacle.part);
    if !facts.is_empty() {
        line.push_str(&format!(": {}", facts.join(", ")));
    }
    line
}

fn facts(model: &Model, part: &Explanation) -> Vec<String> {
    let terms = part.terms.iter().map(|term| {
        let text = text::formula(model, term.expr);
        format!("{text} = {}", short(&term.value))
    });
    terms.chain(part.witness.clone()).collect()
}

/// A value that fits a line.
fn short(value: &str) -> String {
    match value.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
