//! Explores compiled machines in the simplest possible way: breadth first, one hash set.

use std::collections::VecDeque;
use std::path::Path;

use base::Sources;
use model::Model;
use model_compile::{Compiled, Options, compile};
use pins::{Fault, Flow, LabelId, LabelKind, Notes, System, Truth};
use rustc_hash::FxHashSet;

/// What an exploration found; counts as in `docs/meaning.md`.
#[derive(Debug, Default, PartialEq)]
pub struct Explored {
    /// See `docs/meaning.md`.
    pub setups: usize,
    /// See `docs/meaning.md`.
    pub states: usize,
    /// See `docs/meaning.md`.
    pub nodes: usize,
    /// See `docs/meaning.md`.
    pub edges: usize,
    /// See `docs/meaning.md`.
    pub deadlocked: usize,
    /// See `docs/meaning.md`.
    pub violated: usize,
    /// Truths that are unknown.
    pub unknown: usize,
    /// See `docs/meaning.md`.
    pub faults: Vec<Fault>,
    /// See `docs/meaning.md`.
    pub notes: Notes,
}

/// A number that the environment may set.
pub fn number(name: &str, otherwise: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Loads and lowers a B file.
pub fn load(path: &Path) -> Result<Model, String> {
    let mut sources = Sources::new();
    let checked = lang_b::check::check_file(path, &mut sources);
    lower(&checked)
}

/// Loads and lowers a B text.
pub fn load_text(text: &str) -> Result<Model, String> {
    let mut sources = Sources::new();
    let checked = lang_b::check::check_text(Path::new("test.mch"), text.to_owned(), &mut sources);
    lower(&checked)
}

fn lower(checked: &lang_b::check::Checked) -> Result<Model, String> {
    if let Some(error) = checked
        .diagnostics
        .iter()
        .find(|d| d.severity == base::Severity::Error)
    {
        return Err(error.message.clone());
    }
    lower_b::lower(checked, &Default::default()).map_err(|diagnostics| {
        diagnostics
            .iter()
            .map(|d| d.message.clone())
            .collect::<Vec<_>>()
            .join("; ")
    })
}

/// Loads, lowers and compiles a B text.
pub fn compiled(text: &str) -> (Model, Compiled) {
    let model = load_text(text).expect("the text is a machine");
    let compiled = compile(&model, &Options::default()).expect("the machine compiles");
    (model, compiled)
}

/// Explores all states, up to a limit.
pub fn explore(system: &dyn System, limit: usize) -> Explored {
    let mut worker = system.worker();
    let mut found = Explored::default();
    let mut known: FxHashSet<Box<[u32]>> = FxHashSet::default();
    let mut queue: VecDeque<Box<[u32]>> = VecDeque::new();
    let mut setups: Vec<Vec<u32>> = Vec::new();
    let answer = worker.setups(&mut |setup| {
        setups.push(setup.to_vec());
        Flow::Continue
    });
    let faults = |answer: Result<(), Fault>| answer.err().filter(|fault| !fault.kind.leaves_open());
    found.faults.extend(faults(answer));
    if system.shape().has_setup {
        found.setups = setups.len();
        found.edges += setups.len();
    }
    for setup in &setups {
        let result = worker.initial(setup, &mut |state| {
            found.edges += 1;
            if known.insert(state.into()) {
                queue.push_back(state.into());
            }
            Flow::Continue
        });
        found.faults.extend(faults(result));
    }
    let labels: Vec<LabelId> = system
        .shape()
        .labels
        .iter()
        .enumerate()
        .filter(|(_, label)| label.kind == LabelKind::Invariant)
        .map(|(i, _)| LabelId::new(i))
        .collect();
    while let Some(state) = queue.pop_front() {
        if known.len() > limit {
            break;
        }
        for label in &labels {
            match worker.label(&state, *label) {
                Truth::True => {}
                Truth::False => {
                    found.violated += 1;
                    break;
                }
                Truth::Undefined(fault) => {
                    found.faults.push(fault);
                    break;
                }
                Truth::Unknown(_) => found.unknown += 1,
            }
        }
        let before = found.edges;
        let (mut edges, mut is_incomplete) = (0, false);
        let faults = &mut found.faults;
        worker.all_successors(
            &state,
            &mut |_, step| {
                edges += 1;
                if !known.contains(step.target) {
                    known.insert(step.target.into());
                    queue.push_back(step.target.into());
                }
                Flow::Continue
            },
            &mut |_, fault| {
                if fault.kind.leaves_open() {
                    is_incomplete = true;
                } else if faults.len() < 10 {
                    faults.push(fault);
                }
            },
        );
        found.edges += edges;
        if found.edges == before && !is_incomplete {
            found.deadlocked += 1;
        }
    }
    found.states = known.len();
    found.nodes = known.len() + found.setups + 1;
    found.notes = worker.take_notes();
    found
}
