//! What a model was never seen doing: events, conjuncts of guards, branches, values.
//!
//! Every state (as far as a limit allows) is looked at with the reference evaluator. A conjunct of a guard is seen
//! *true* when some arguments satisfy it and those before it, *false* when some satisfy those before it and not it,
//! and it *decides* when some satisfy all others and not it: with a state in which the event happens, that is what
//! MC/DC asks of a conjunction. Branches are conditions of IF, CASE and WHEN inside bodies, counted as they are
//! evaluated.
//! Invariant: "never" is said only of a model whose states were all looked at; else it is "not seen".

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

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
    let mut known = BTreeSet::from([Place::Root]);
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

impl Coverage {
    /// The exit code: 20 when not every state was looked at.
    pub fn exit(&self) -> u8 {
        if self.complete { 0 } else { 20 }
    }

    /// The coverage for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let all = match (self.complete, self.unknown.is_empty()) {
            (true, _) => "all there are",
            (false, true) => "not all there are",
            (false, false) => "there may be more",
        };
        let states = counted(self.states as u64, "state");
        let _ = writeln!(text, "{}: {states} looked at, {all}", self.model);
        for unknown in &self.unknown {
            let _ = writeln!(text, "not known: {unknown}");
        }
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
        let unreached = self.unreached();
        if !unreached.is_empty() {
            let _ = write!(text, "\n{unreached}");
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

    /// The places that nobody came to with their statements, in the lines that users of SPIN know. A place counts once, whatever
    /// can be done there; the last one is the end of a process, whose number is the greatest.
    pub fn unreached(&self) -> String {
        let mut text = String::new();
        let mut owners: Vec<&str> = Vec::new();
        for statement in &self.statements {
            if !owners.contains(&statement.owner.as_str()) {
                owners.push(&statement.owner);
            }
        }
        for owner in owners {
            let own = || self.statements.iter().filter(|known| known.owner == owner);
            let unreached: Vec<&StatementCoverage> =
                own().filter(|known| !known.is_reached).collect();
            let _ = writeln!(text, "unreached in {owner}");
            for known in &unreached {
                let StatementCoverage {
                    place,
                    number,
                    text: statement,
                    ..
                } = known;
                let _ = writeln!(text, "\t{place}, state {number}, \"{statement}\"");
            }
            let numbers = unreached.iter().map(|known| known.number);
            let places = numbers.collect::<BTreeSet<u32>>().len();
            let all = own().map(|known| known.number).max().unwrap_or(0);
            let _ = writeln!(text, "\t({places} of {all} states)");
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
            if event.faults > 0 {
                let states = counted(event.faults, "state");
                gaps.push(format!(
                    "{name} goes wrong in {states}: nothing follows there"
                ));
            } else if event.transitions == 0 {
                let happens = if self.complete {
                    "never happens"
                } else {
                    "was not seen to happen"
                };
                gaps.push(format!("{name} {happens}"));
            }
            if event.cut > 0 {
                let states = counted(event.cut, "state");
                gaps.push(format!(
                    "{name}: in {states} its guard holds for arguments that nothing after it fits: \
                     it can happen less often than it says"
                ));
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
        for statement in self.statements.iter().filter(|known| known.executed == 0) {
            let executed = if self.complete {
                "is never executed"
            } else {
                "was not seen to be executed"
            };
            gaps.push(format!(
                "{}: {} {executed}",
                statement.place, statement.text
            ));
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
