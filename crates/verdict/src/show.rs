//! A path in the notation of the model: the same data for text, JSON and files.
//!
//! Invariant: every format is made from [`Shown`], so a path never differs between them.

use std::fmt::Write as _;

use serde::ser::{Serialize, SerializeMap, Serializer};
use subject::{Happening, Parameter, Step, Subject, Trace, Value};

use crate::people::for_people;

/// Stands for a result that the operation did not assign.
pub const UNASSIGNED: &str = "/* not assigned */";

/// Names with values, in the order of the model; an object in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub Vec<(String, String)>);

impl Pairs {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let pair = self.0.iter().find(|(known, _)| known == name);
        pair.map(|(_, value)| value.as_str())
    }

    /// Those that are not in others with the same value. Names mostly stand at the same place in both.
    fn but(&self, others: &Pairs) -> Pairs {
        let is_new = |(at, pair): &(usize, &(String, String))| {
            others.0.get(*at) != Some(*pair) && others.get(&pair.0) != Some(pair.1.as_str())
        };
        let new = self.0.iter().enumerate().filter(is_new);
        Pairs(new.map(|(_, pair)| pair.clone()).collect())
    }

    /// `a = 1, b = 2`
    pub fn list(&self) -> String {
        let pairs: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        pairs.join(", ")
    }
}

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Names with values, of which numbers are numbers in JSON, too.
struct Numbers<'p>(&'p Pairs);

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.0.len()))?;
        for (name, value) in &self.0.0 {
            match value.parse::<i64>() {
                Ok(number) => map.serialize_entry(name, &number)?,
                Err(_) => map.serialize_entry(name, value)?,
            }
        }
        map.end()
    }
}

/// A step in the notation of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownStep {
    /// The event.
    pub event: String,
    /// Its arguments.
    pub args: Pairs,
    /// Its results.
    pub results: Pairs,
    /// The constants after a set-up, all variables after any other step.
    pub state: Pairs,
    /// The same, taken apart as far as the language writes parts.
    pub parts: Pairs,
    /// Whether the variables got their first values.
    pub is_beginning: bool,
    /// Whether the constants got their values.
    pub is_setup: bool,
    /// Whether the next step belongs to the same indivisible one.
    pub atomic: bool,
    /// Whether arguments that are numbers are so in JSON: places in a text, not values of the model.
    pub has_numbers: bool,
}

impl Serialize for ShownStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("event", &self.event)?;
        match self.has_numbers {
            true => map.serialize_entry("args", &Numbers(&self.args))?,
            false => map.serialize_entry("args", &self.args)?,
        }
        map.serialize_entry("results", &self.results)?;
        map.serialize_entry("state", &self.state)?;
        if self.atomic {
            map.serialize_entry("atomic", &true)?;
        }
        map.end()
    }
}

/// A path in the notation of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Its steps.
    pub steps: Vec<ShownStep>,
    /// For an infinite path: the step that follows the last one.
    pub loop_start: Option<usize>,
}

impl Shown {
    /// Shows a path.
    pub fn new(trace: &Trace, subject: &dyn Subject) -> Shown {
        let mut steps = Vec::new();
        // For each step of the trace the first of its parts.
        let mut first = Vec::new();
        for (at, step) in trace.steps.iter().enumerate() {
            first.push(steps.len());
            let before = at.checked_sub(1).map(|before| &trace.steps[before].after);
            let parts = before.map(|before| subject.parts(before, step));
            match parts.filter(|parts| !parts.is_empty()) {
                None => steps.push(ShownStep::with_state(step, subject)),
                Some(parts) => {
                    let last = parts.len() - 1;
                    let parts = parts.into_iter().enumerate();
                    steps.extend(parts.map(|(at, part)| ShownStep {
                        event: part.event,
                        args: Pairs(part.arguments),
                        results: Pairs::default(),
                        parts: Pairs(part.state.clone()),
                        state: Pairs(part.state),
                        atomic: at < last,
                        is_beginning: false,
                        is_setup: false,
                        has_numbers: true,
                    }));
                }
            }
        }
        let loop_start = trace.loop_start;
        Shown {
            loop_start: loop_start.map(|start| first.get(start).copied().unwrap_or(start)),
            steps,
        }
    }

    /// The number of a step, from 1: parts of an indivisible step have the same.
    pub fn number(&self, step: usize) -> usize {
        let before = self.steps.iter().take(step);
        before.filter(|step| !step.atomic).count() + 1
    }

    /// The components that a step changed: everything for the first steps.
    pub fn changes(&self, step: usize) -> Pairs {
        let Some(current) = self.steps.get(step) else {
            return Pairs::default();
        };
        match self.before(step) {
            Some(before) => current.state.but(&before.state),
            None => current.state.clone(),
        }
    }

    /// The parts of components that a step changed: the components themselves for the first steps.
    pub fn changed_parts(&self, step: usize) -> Pairs {
        match (self.steps.get(step), self.before(step)) {
            (Some(current), Some(before)) if !current.is_beginning => {
                current.parts.but(&before.parts)
            }
            _ => self.changes(step),
        }
    }

    fn before(&self, step: usize) -> Option<&ShownStep> {
        let before = step.checked_sub(1);
        before.and_then(|before| self.steps.get(before))
    }

    /// The path for people: each step with its arguments, and below it only what it changed.
    pub fn text(&self, indent: &str) -> String {
        let mut text = String::new();
        let width = self.steps.len().to_string().len();
        let mut number = 1;
        for (at, step) in self.steps.iter().enumerate() {
            let is_part = at > 0 && self.steps[at - 1].atomic;
            let shown = match is_part {
                true => String::new(),
                false => number.to_string(),
            };
            number += usize::from(!step.atomic);
            let label = step.label();
            let _ = writeln!(text, "{indent}{shown:>width$}  {}", for_people(&label));
            let blank = " ".repeat(width + 4);
            for (name, value) in self.changed_parts(at).0 {
                let value = for_people(&value);
                let _ = writeln!(text, "{indent}{blank}{name} = {value}");
            }
        }
        if let Some(start) = self.loop_start {
            let start = self.number(start);
            let _ = writeln!(text, "{indent}then from step {start} again");
        }
        text
    }
}

impl ShownStep {
    /// `new(pp = PID1) --> rr = 2`
    pub fn label(&self) -> String {
        let mut label = self.event.clone();
        if !self.args.0.is_empty() {
            let _ = write!(label, "({})", self.args.list());
        }
        if !self.results.0.is_empty() {
            let _ = write!(label, " --> {}", self.results.list());
        }
        label
    }
}

/// A result for people.
pub fn tell_result(value: Option<&Value>) -> String {
    value.map_or_else(|| UNASSIGNED.to_owned(), Value::told)
}

impl ShownStep {
    /// A step by itself, without the state after it: what an edge of a graph says. Of the state after it only a beginning needs to be known.
    pub fn without_state(step: &Step, subject: &dyn Subject) -> ShownStep {
        let description = subject.description();
        let pairs = |names: &[Parameter], values: &[Option<Value>]| {
            let pairs = names.iter().zip(values);
            let pairs =
                pairs.map(|(known, value)| (known.name.to_string(), tell_result(value.as_ref())));
            Pairs(pairs.collect())
        };
        let beginning = match step.happening {
            Happening::Initialisation => subject.beginning(&step.after),
            _ => None,
        };
        let (args, results) = match step.happening {
            Happening::Event(event) => {
                let event = description.event(event);
                (
                    pairs(&event.parameters, &step.arguments),
                    pairs(&event.results, &step.results),
                )
            }
            Happening::Setup | Happening::Initialisation => {
                let given = beginning.iter().flat_map(|(_, parameters)| parameters);
                let given = given.map(|(name, value)| (name.to_string(), value.told()));
                (Pairs(given.collect()), Pairs::default())
            }
        };
        ShownStep {
            event: match beginning {
                Some((name, _)) => name.to_string(),
                None => step.happening.name(description).to_owned(),
            },
            args,
            results,
            state: Pairs::default(),
            parts: Pairs::default(),
            atomic: false,
            is_beginning: step.happening == Happening::Initialisation,
            is_setup: step.happening == Happening::Setup,
            has_numbers: false,
        }
    }

    /// A step by itself, with the state after it.
    pub fn with_state(step: &Step, subject: &dyn Subject) -> ShownStep {
        let mut shown = ShownStep::without_state(step, subject);
        if let Some(told) = subject.tell_state(&step.after) {
            shown.state = Pairs(told);
            shown.parts = shown.state.clone();
            return shown;
        }
        let components = subject.description().components.iter().zip(&step.after);
        for (known, value) in components.filter(|(known, _)| known.is_constant == shown.is_setup) {
            let told = subject.tell(value.as_ref());
            match value.as_ref().filter(|value| !value.parts().is_empty()) {
                Some(value) => take_apart(known.name.to_string(), value, &mut shown.parts),
                None => shown.parts.0.push((known.name.to_string(), told.clone())),
            }
            shown.state.0.push((known.name.to_string(), told));
        }
        shown
    }
}

/// The smallest parts of a value, by the names that the language gives them.
fn take_apart(name: String, value: &Value, parts: &mut Pairs) {
    let inner = value.parts();
    if inner.is_empty() {
        parts.0.push((name, value.told()));
        return;
    }
    for (suffix, part) in inner {
        base::deep::recurse(|| take_apart(format!("{name}{suffix}"), &part, parts));
    }
}

#[cfg(test)]
mod tests {
    use super::{Happening, Pairs, Shown, ShownStep};

    fn pairs(list: &[(&str, &str)]) -> Pairs {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Pairs(list.iter().map(own).collect())
    }

    fn step(event: &str, args: &[(&str, &str)], state: &[(&str, &str)]) -> ShownStep {
        ShownStep {
            event: event.to_owned(),
            args: pairs(args),
            results: Pairs::default(),
            state: pairs(state),
            parts: pairs(state),
            is_beginning: event == Happening::INITIALISATION,
            is_setup: event == Happening::SETUP,
            atomic: false,
            has_numbers: false,
        }
    }

    fn path() -> Shown {
        Shown {
            steps: vec![
                step("SETUP_CONSTANTS", &[], &[("limit", "3")]),
                step("INITIALISATION", &[], &[("active", "{}"), ("n", "0")]),
                step(
                    "new",
                    &[("pp", "PID1")],
                    &[("active", "{PID1}"), ("n", "0")],
                ),
            ],
            loop_start: None,
        }
    }

    #[test]
    fn the_text_shows_arguments_and_only_what_changed() {
        assert_eq!(
            path().text("  "),
            "  1  SETUP_CONSTANTS\n       limit = 3\n  2  INITIALISATION\n       active = {}\n       n = 0\n  \
             3  new(pp = PID1)\n       active = {PID1}\n"
        );
    }

    #[test]
    fn json_shows_every_variable_in_the_order_of_the_model() {
        let json = serde_json::to_string(&path().steps[2]).unwrap_or_default();
        assert_eq!(
            json,
            r#"{"event":"new","args":{"pp":"PID1"},"results":{},"state":{"active":"{PID1}","n":"0"}}"#
        );
    }
}
