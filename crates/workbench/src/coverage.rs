//! What a model was never seen doing: events, conjuncts of guards, branches, values.
//!
//! Every state (as far as a limit allows) is looked at with the reference evaluator. A conjunct of a guard is seen
//! *true* when some arguments satisfy it and those before it, *false* when some satisfy those before it and not it,
//! and it *decides* when some satisfy all others and not it: with a state in which the event happens, that is what
//! MC/DC asks of a conjunction. Branches are conditions of IF, CASE and WHEN inside bodies, counted as they are
//! evaluated.
//! Invariant: "never" is said only of a model whose states were all looked at; else it is "not seen".

mod words;

use std::collections::BTreeSet;
use std::path::Path;

use rustc_hash::FxHashSet;
use serde::Serialize;
use subject::observe::{Seen, SeenConjunct};
use subject::{Happening, Setting, Value};

use crate::lint::Lint;
use crate::open::Workbench;
use crate::report::{counted, grouped};
use crate::runnable::{Place, Runnable, View};

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
    /// Whether these are all, and all that they do is known.
    pub complete: bool,
    /// What is not known, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// The events.
    pub events: Vec<EventCoverage>,
    /// The conditions inside bodies.
    pub branches: Vec<BranchCoverage>,
    /// The statements, where they are steps of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<StatementCoverage>,
    /// The variables.
    pub variables: Vec<ValueCoverage>,
}

/// A statement.
#[derive(Clone, Debug, Serialize)]
pub struct StatementCoverage {
    /// What it belongs to.
    pub owner: String,
    /// Where it stands: `file:line`.
    pub place: String,
    /// The number of its place.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// How often it was executed.
    pub executed: u64,
    /// Whether somebody came to its place.
    #[serde(skip)]
    pub is_reached: bool,
}

/// An event.
#[derive(Clone, Debug, Serialize)]
pub struct EventCoverage {
    /// Its name.
    pub name: String,
    /// How often it happens.
    pub transitions: u64,
    /// In how many states it goes wrong.
    pub faults: u64,
    /// In how many states its guard holds for arguments that nothing after it fits.
    pub cut: u64,
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
pub fn coverage(bench: &Workbench, path: &Path, setting: &Setting, max_states: usize) -> Covered {
    match Runnable::open(bench, path, setting) {
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

/// The places of a model and what was seen on the way.
struct Explored {
    places: Vec<Place>,
    states: usize,
    complete: bool,
    /// What is not known: an event, and why.
    unknown: BTreeSet<String>,
    /// For each event how often it happens.
    transitions: Vec<u64>,
    /// For each event in how many states it goes wrong.
    faults: Vec<u64>,
    /// For each component its values.
    values: Vec<BTreeSet<Value>>,
}

fn explore(view: View<'_>, max_states: usize) -> Explored {
    let description = view.description();
    let mut explored = Explored {
        places: vec![Place::Root],
        states: 0,
        complete: true,
        unknown: BTreeSet::new(),
        transitions: vec![0; description.events.len()],
        faults: vec![0; description.events.len()],
        values: vec![BTreeSet::new(); description.components.len()],
    };
    let mut known: FxHashSet<Place> = [Place::Root].into_iter().collect();
    let mut at = 0;
    while at < explored.places.len() {
        let place = explored.places[at].clone();
        let found = view.moves(&place);
        if view.is_halted() {
            explored.complete = false;
            break;
        }
        let faulty = found.faults.iter().map(|(happening, _)| *happening);
        for happening in faulty.collect::<BTreeSet<Happening>>() {
            if let Happening::Event(event) = happening {
                explored.faults[event.index()] += 1;
            }
        }
        for (happening, why) in &found.unknown {
            let name = happening.name(description);
            explored.unknown.insert(format!("{name}: {}", why.message));
        }
        for taken in found.moves {
            if let Happening::Event(event) = taken.happening {
                explored.transitions[event.index()] += 1;
            }
            if known.contains(&taken.to) {
                continue;
            }
            let is_state = matches!(taken.to, Place::State(_));
            if is_state && explored.states >= max_states {
                explored.complete = false;
                continue;
            }
            explored.states += usize::from(is_state);
            known.insert(taken.to.clone());
            explored.places.push(taken.to);
        }
        if let Place::State(_) = place {
            for (seen, value) in explored.values.iter_mut().zip(view.values(&place)) {
                seen.extend(value);
            }
        }
        at += 1;
    }
    explored
}

/// What the judge sees of guards and branches at these places; nothing in a language without them.
fn observe(runnable: &mut Runnable, places: &[Place]) -> Seen {
    let has_setup = runnable.description().has_setup;
    let (ground, wd) = (runnable.ground(), runnable.wd());
    let halt = runnable.halt();
    let Some(mut observer) = runnable.subject_mut().observer(wd, BUDGET) else {
        return Seen::default();
    };
    for place in places {
        if halt.is_set() {
            break;
        }
        match place {
            Place::Root if has_setup => {}
            Place::Root => observer.look_at_start(None),
            Place::Setup(vector) => observer.look_at_start(Some(&ground.constants(vector))),
            Place::State(vector) => observer.look_at(&ground.values(vector)),
        }
    }
    observer.seen()
}

fn look(runnable: &mut Runnable, max_states: usize) -> Coverage {
    let mut explored = explore(runnable.view(), max_states);
    while !runnable.view().is_halted() && runnable.make_room() {
        explored = explore(runnable.view(), max_states);
    }
    let mut seen = observe(runnable, &explored.places);
    let description = runnable.description();
    seen.guards.resize(description.events.len(), Vec::new());
    seen.cut.resize(description.events.len(), 0);
    let branches = seen.branches.into_iter().map(|branch| BranchCoverage {
        place: runnable.sources().place(branch.span),
        text: branch.text,
        seen_true: branch.seen_true,
        seen_false: branch.seen_false,
    });
    let statements = seen.statements.into_iter().map(|statement| {
        let place = runnable.sources().place(statement.span);
        StatementCoverage {
            owner: statement.owner,
            place: place
                .rsplit_once(':')
                .map_or("", |(line, _)| line)
                .to_owned(),
            number: statement.number,
            text: statement.text,
            executed: statement.count,
            is_reached: statement.is_reached,
        }
    });
    let statements: Vec<StatementCoverage> = statements.collect();
    let mut branches: Vec<BranchCoverage> = branches.collect();
    branches.sort_by(|a, b| (&a.place, &a.text).cmp(&(&b.place, &b.text)));
    let events = description.events.iter();
    let events = events
        .zip(explored.transitions)
        .zip(explored.faults)
        .zip(seen.guards)
        .zip(seen.cut);
    let variables = description.component_ids();
    let variables = variables.filter(|(_, known)| !known.is_constant);
    Coverage {
        model: description.name.clone(),
        states: explored.states,
        complete: explored.complete && explored.unknown.is_empty() && seen.unknown.is_empty(),
        unknown: explored.unknown.into_iter().chain(seen.unknown).collect(),
        events: events
            .map(
                |((((event, transitions), faults), guard), cut)| EventCoverage {
                    name: event.name.to_string(),
                    transitions,
                    faults,
                    cut,
                    guard: guard.into_iter().map(ConjunctCoverage::new).collect(),
                },
            )
            .collect(),
        branches,
        statements,
        variables: variables
            .map(|(id, known)| {
                let all = std::mem::take(&mut explored.values[id.index()]);
                let first = all.iter().take(MAX_VALUES);
                ValueCoverage {
                    name: known.name.to_string(),
                    distinct: all.len(),
                    values: first.map(Value::text).collect(),
                }
            })
            .collect(),
    }
}

impl ConjunctCoverage {
    fn new(seen: SeenConjunct) -> ConjunctCoverage {
        ConjunctCoverage {
            text: seen.text,
            seen_true: seen.seen_true,
            seen_false: seen.seen_false,
            decides: seen.decides,
            typing: seen.is_typing,
        }
    }
}
