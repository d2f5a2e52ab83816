//! What a model was never seen doing: events, conjuncts of guards, branches, values.
//!
//! Every state (as far as a limit allows) is looked at with the reference evaluator. A conjunct of a guard is seen
//! *true* when some arguments satisfy it and those before it, *false* when some satisfy those before it and not it,
//! and it *decides* when some satisfy all others and not it: with a state in which the event happens, that is what
//! MC/DC asks of a conjunction. Branches are conditions of IF, CASE and WHEN inside bodies, counted as they are
//! evaluated.
//! Invariant: "never" is said only of a model whose states were all looked at; else it is "not seen".

mod guards;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use verdict::Event;

use crate::Setting;
use crate::lint::Lint;
use crate::report::{counted, grouped};
use crate::runnable::{Place, Runnable};

/// So many values of a variable are listed.
const MAX_VALUES: usize = 12;
/// So many steps the reference evaluator may take for one question.
const BUDGET: u64 = 5_000_000;

/// What became of a request for coverage.
pub struct Covered {
    /// What is wrong with the model.
    pub lint: Lint,
    /// The coverage, when there is one.
    pub coverage: Option<Coverage>,
}

/// What a model was seen doing.
#[derive(Clone, Debug, Serialize)]
pub struct Coverage {
    /// The model.
    pub model: String,
    /// States that were looked at.
    pub states: usize,
    /// Whether these are all.
    pub complete: bool,
    /// The events.
    pub events: Vec<EventCoverage>,
    /// The conditions inside bodies.
    pub branches: Vec<BranchCoverage>,
    /// The variables.
    pub variables: Vec<ValueCoverage>,
}

/// An event.
#[derive(Clone, Debug, Serialize)]
pub struct EventCoverage {
    /// Its name.
    pub name: String,
    /// How often it happens.
    pub transitions: u64,
    /// The conjuncts of its guard.
    pub guard: Vec<ConjunctCoverage>,
}

/// A conjunct of a guard.
#[derive(Clone, Debug, Serialize)]
pub struct ConjunctCoverage {
    /// Its text.
    pub text: String,
    /// In how many states it is true for some arguments.
    #[serde(rename = "true")]
    pub seen_true: u64,
    /// In how many states it is false for some arguments.
    #[serde(rename = "false")]
    pub seen_false: u64,
    /// In how many states it alone is false for some arguments.
    pub decides: u64,
    /// Whether it only says which values a parameter may have.
    pub typing: bool,
}

/// A condition inside a body.
#[derive(Clone, Debug, Serialize)]
pub struct BranchCoverage {
    /// Where it stands.
    pub place: String,
    /// Its text.
    pub text: String,
    /// How often it was true.
    #[serde(rename = "true")]
    pub seen_true: u64,
    /// How often it was false.
    #[serde(rename = "false")]
    pub seen_false: u64,
}

/// The values of a variable.
#[derive(Clone, Debug, Serialize)]
pub struct ValueCoverage {
    /// The variable.
    pub name: String,
    /// How many there are.
    pub distinct: usize,
    /// The first of them.
    pub values: Vec<String>,
}

/// Looks at the states of the model in a file.
pub fn coverage(path: &Path, setting: &Setting, max_states: usize) -> Covered {
    match Runnable::open(path, setting) {
        Ok(mut runnable) => {
            let coverage = look(&mut runnable, max_states);
            Covered {
                lint: runnable.into_lint(),
                coverage: Some(coverage),
            }
        }
        Err(lint) => Covered {
            lint: *lint,
            coverage: None,
        },
    }
}

fn look(runnable: &mut Runnable, max_states: usize) -> Coverage {
    let questions = guards::questions(runnable);
    let runnable: &Runnable = runnable;
    let model = runnable.model();
    let mut interp = runnable.interp(BUDGET);
    interp.observe();
    let mut guards: Vec<Vec<guards::Seen>> = questions
        .iter()
        .map(|guard| vec![guards::Seen::default(); guard.len()])
        .collect();
    let mut transitions = vec![0; model.actions.len()];
    let mut values: BTreeMap<usize, BTreeSet<model::Value>> = BTreeMap::new();
    let mut places = vec![Place::Root];
    let mut known = BTreeSet::from([Place::Root]);
    let (mut states, mut at, mut complete) = (0, 0, true);
    while at < places.len() {
        let place = places[at].clone();
        for taken in runnable.moves(&place).moves {
            if let Event::Action(action) = taken.event {
                transitions[action] += 1;
            }
            if known.contains(&taken.to) {
                continue;
            }
            let is_state = matches!(taken.to, Place::State(_));
            if is_state && states >= max_states {
                complete = false;
                continue;
            }
            states += usize::from(is_state);
            known.insert(taken.to.clone());
            places.push(taken.to);
        }
        let is_start = match place {
            Place::Root => !model.has_setup,
            Place::Setup(_) => true,
            Place::State(_) => false,
        };
        if is_start {
            let _ = interp.initial(&runnable.state(&place), usize::MAX);
        }
        if let Place::State(_) = place {
            for (id, value) in runnable.values(&place).into_iter().enumerate() {
                values.entry(id).or_default().extend(value);
            }
            let state = runnable.state(&place);
            for (action, guard) in questions.iter().enumerate() {
                // Runs the body of the action, so that its conditions are seen.
                let _ = interp.transitions(action, &state);
                for (question, seen) in guard.iter().zip(&mut guards[action]) {
                    seen.look(question, &mut interp, &state);
                }
            }
        }
        at += 1;
    }
    let observed = interp.observed();
    let mut branches: Vec<BranchCoverage> = observed
        .into_iter()
        .map(|(condition, (seen_true, seen_false))| BranchCoverage {
            place: crate::check::place_text(model.exprs[condition].span, runnable.sources()),
            text: model::text::formula(model, condition),
            seen_true,
            seen_false,
        })
        .collect();
    branches.sort_by(|a, b| (&a.place, &a.text).cmp(&(&b.place, &b.text)));
    let events = model
        .actions
        .iter()
        .zip(transitions)
        .zip(questions.iter().zip(guards));
    Coverage {
        model: model.name.to_string(),
        states,
        complete,
        events: events
            .map(|((action, transitions), (questions, seen))| EventCoverage {
                name: action.name.to_string(),
                transitions,
                guard: questions
                    .iter()
                    .zip(seen)
                    .map(|(question, seen)| seen.conjunct(question, model))
                    .collect(),
            })
            .collect(),
        branches,
        variables: model
            .variables
            .iter()
            .filter(|(_, variable)| !variable.is_constant)
            .map(|(id, variable)| {
                let all = values.remove(&id.index()).unwrap_or_default();
                let first = all.iter().take(MAX_VALUES);
                ValueCoverage {
                    name: variable.name.to_string(),
                    distinct: all.len(),
                    values: first.map(|value| value.show(&model.tys)).collect(),
                }
            })
            .collect(),
    }
}

impl Coverage {
    /// The exit code: 20 when not every state was looked at.
    pub fn exit(&self) -> u8 {
        if self.complete { 0 } else { 20 }
    }

    /// The coverage for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let all = if self.complete { "all" } else { "not all" };
        let states = counted(self.states as u64, "state");
        let _ = writeln!(text, "{}: {states} looked at, {all} there are", self.model);
        let _ = writeln!(
            text,
            "\nevents and guards            transitions  true  false  decides"
        );
        for event in &self.events {
            let count = grouped(event.transitions);
            let _ = writeln!(text, "  {:<28}{count:>10}", event.name);
            for conjunct in &event.guard {
                let sign = |seen: u64| if seen > 0 { "yes" } else { "-" };
                let _ = writeln!(
                    text,
                    "    {:<36} {:>5}  {:>5}  {:>7}",
                    short(&conjunct.text, 36),
                    sign(conjunct.seen_true),
                    sign(conjunct.seen_false),
                    sign(conjunct.decides)
                );
            }
        }
        if !self.branches.is_empty() {
            let _ = writeln!(
                text,
                "\nconditions in bodies                     true     false"
            );
            for branch in &self.branches {
                let _ = writeln!(
                    text,
                    "  {:<34} {:>9} {:>9}  {}",
                    short(&branch.text, 34),
                    grouped(branch.seen_true),
                    grouped(branch.seen_false),
                    branch.place
                );
            }
        }
        let _ = writeln!(text, "\nvalues");
        for variable in &self.variables {
            let more = if variable.distinct > variable.values.len() {
                ", …"
            } else {
                ""
            };
            let values = short(&variable.values.join(", "), 90);
            let _ = writeln!(
                text,
                "  {} {}: {values}{more}",
                variable.name,
                grouped(variable.distinct as u64)
            );
        }
        let gaps = self.gaps();
        let _ = writeln!(text, "\n{}", counted(gaps.len() as u64, "gap"));
        for gap in gaps {
            let _ = writeln!(text, "  {gap}");
        }
        text
    }

    /// What was never seen, line by line.
    pub fn gaps(&self) -> Vec<String> {
        let never = if self.complete {
            "never"
        } else {
            "not seen to be"
        };
        let mut gaps = Vec::new();
        for event in &self.events {
            let name = &event.name;
            if event.transitions == 0 {
                let happens = if self.complete {
                    "never happens"
                } else {
                    "was not seen to happen"
                };
                gaps.push(format!("{name} {happens}"));
            }
            for conjunct in &event.guard {
                let text = &conjunct.text;
                if conjunct.seen_true == 0 {
                    gaps.push(format!("{name}: {text} is {never} true"));
                } else if conjunct.seen_false == 0 && !conjunct.typing {
                    gaps.push(format!("{name}: {text} is {never} false"));
                } else if conjunct.decides == 0 && !conjunct.typing {
                    gaps.push(format!("{name}: {text} is {never} the only false conjunct"));
                }
            }
        }
        for branch in &self.branches {
            let (place, text) = (&branch.place, &branch.text);
            for (seen, word) in [(branch.seen_true, "true"), (branch.seen_false, "false")] {
                if seen == 0 {
                    gaps.push(format!("{place}: {text} is {never} {word}"));
                }
            }
        }
        for variable in &self.variables {
            if variable.distinct == 1 && self.states > 1 {
                gaps.push(format!("{} has one value only", variable.name));
            }
        }
        gaps
    }
}

fn short(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some(_) => text.chars().take(width - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}
