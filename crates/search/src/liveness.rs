//! Checks temporal formulas: paths of a system against automata, fairness included.
//!
//! [`explore`] opens a [`Space`], the graph of the system on demand; every formula that is checked in it uses what
//! the ones before found. A linear formula is negated and translated ([`buchi`]); the product with the graph is
//! searched depth-first for an accepted cycle or deadlock (`emptiness.rs`), or breadth-first for a bad prefix when the
//! formula is a safety formula (`bad_prefix.rs`); or, with less memory, by nested search (`nested.rs`). Branching formulas are in [`crate::branching`].
//! A path is a sequence of states reached from an initial state, infinite or ending in a deadlock; root and set-ups
//! are no positions of it.
//! A step that faults is none, and what follows it is not known: the other paths are checked, and whoever asks is told of the
//! fault ([`Space::passed_fault`]). A state in which only faults are possible is no deadlock.
//! Invariant: a limit, an interrupt or a cut enumeration ends a check open, never with `holds`.
//! Invariant: one thread, the same input: the same verdict and the same evidence.

mod atoms;
mod bad_prefix;
mod emptiness;
mod fairness;
mod lasso;
mod nearby;
mod nested;
mod outcome;
pub(crate) mod paths;
mod product;
mod rounds;
mod safety;
pub(crate) mod space;
pub(crate) mod stepper;
mod threads;
mod unwound;
pub(crate) mod watch;

use buchi::{Automaton, Bounds, Ltl};
use pins::System;
use treetable::{Kind, Store, Terms};

use crate::explicit::{Limits, Monitor, Open, Refused};

pub use atoms::{Atoms, Letter, Successor, Successors};
pub use fairness::{Constraint, Fairness};
pub use outcome::{Effort, End, Evidence, Mark, Outcome, Unwound, Verdict};
pub use safety::{Answering, Safety};
pub use space::{Space, Statistics};
pub use threads::Annotations;

use emptiness::Hit;
use fairness::Conditions;
use product::Machine;
use space::Trouble;
use stepper::Stepper;
use watch::Watch;

/// What all checks of a run are told.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Where they end early. A limit on depth is refused: a path that is cut is no path.
    pub limits: Limits,
    /// What is kept of a state; lossy kinds are refused.
    pub store: Kind,
    /// Whether some premise is about every label (`WEF`, `SEF`): letters then know labels.
    pub labels: bool,
    /// How accepted cycles are looked for.
    pub method: Method,
}

/// How accepted cycles are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Strongly connected components of the product; the graph is kept. Everything, with short evidence.
    #[default]
    Components,
    /// Nested depth-first search; only states are kept. Strong fairness is refused, and so is fairness of labels.
    Nested,
}

/// A formula with its premise.
#[derive(Clone, Copy, Debug)]
pub struct Property<'p> {
    /// What every path must satisfy.
    pub formula: &'p Ltl,
    /// Which paths count: those that one of these calls fair. Every path when there are none.
    pub fairness: &'p [Fairness],
}

/// What no path may do, as an automaton, with a premise.
#[derive(Clone, Copy, Debug)]
pub struct Forbidden<'p> {
    /// Accepts what must not happen.
    pub automaton: &'p Automaton,
    /// Which paths count: those that one of these calls fair. Every path when there are none.
    pub fairness: &'p [Fairness],
}

/// Without a limit the store may take all the address space there is.
const NO_LIMIT: usize = usize::MAX / 16;

const NO_MEMORY: &str = "there is no memory for the store";

fn new_store(config: &Config, slots: usize) -> Option<Store> {
    let limits = &config.limits;
    let terms = Terms {
        budget: limits.max_memory.map_or(NO_LIMIT, |bytes| bytes as usize),
        most: limits.max_states.map_or(usize::MAX, |most| most as usize),
        threads: 1,
    };
    Store::new(config.store, slots, terms)
}

/// Opens the graph of a system and works in it.
///
/// # Errors
/// When the configuration asks for what temporal checks cannot do, or there is no memory for even an empty store.
pub fn explore<R>(
    system: &dyn System,
    atoms: Box<dyn Atoms + '_>,
    config: &Config,
    monitor: &dyn Monitor,
    work: impl FnOnce(&mut Space<'_>) -> R,
) -> Result<R, Refused> {
    explore_part(system, Whole::default(), atoms, config, monitor, work)
}

/// What is known of the system that a smaller one stands for.
#[derive(Clone, Copy, Default)]
pub struct Whole<'w> {
    /// Atoms about states hear of its steps.
    pub system: Option<&'w dyn System>,
    /// The smaller one is its quotient; these are the permutations of steps, for fairness of labels.
    pub annotated: Option<&'w dyn Annotations>,
}

/// Like [`explore`], with what is known of the whole system that a smaller one stands for.
///
/// # Errors
/// As [`explore`].
pub fn explore_part<R>(
    system: &dyn System,
    whole: Whole<'_>,
    atoms: Box<dyn Atoms + '_>,
    config: &Config,
    monitor: &dyn Monitor,
    work: impl FnOnce(&mut Space<'_>) -> R,
) -> Result<R, Refused> {
    if !config.store.is_exact() {
        let why = "temporal formulas need a store that keeps states exactly";
        return Err(Refused(why.to_string()));
    }
    if config.limits.max_depth.is_some() {
        let why = "temporal formulas are about whole paths: a limit on depth cannot be honoured";
        return Err(Refused(why.to_string()));
    }
    let limits = &config.limits;
    let store = new_store(config, system.shape().slots.len());
    let store = store.ok_or_else(|| Refused(NO_MEMORY.to_string()))?;
    let watch = Watch::new(limits, monitor);
    let stepper = Stepper::new(system, whole.system, atoms, config.labels, &watch);
    let mut space = Space::new(system, stepper, &store, &watch, config);
    space.annotated = whole.annotated;
    Ok(watch.beside(|| work(&mut space)))
}

impl Space<'_> {
    /// Checks a linear formula.
    pub fn check(&mut self, property: &Property<'_>) -> Outcome {
        let mut effort = Effort::default();
        let verdict = self.decide(property, &mut effort).unwrap_or_else(|end| end);
        self.busy_bytes = 0;
        Outcome { verdict, effort }
    }

    /// Checks that no path is accepted by an automaton.
    pub fn check_automaton(&mut self, forbidden: &Forbidden<'_>) -> Outcome {
        let mut effort = Effort::default();
        let decided = self.start().and_then(|()| {
            let machine = self.machine(forbidden.automaton, &mut effort);
            // Where nothing that follows matters, the shortest way there says all.
            if machine.is_universal.contains(&true) {
                let found = bad_prefix::search(self, &machine, &mut effort);
                let found = found.map_err(|trouble| self.explain(trouble))?;
                if found.is_some() {
                    return Ok(self.conclude(found));
                }
            }
            self.under(&machine, forbidden.fairness, &mut effort)
        });
        self.busy_bytes = 0;
        Outcome {
            verdict: decided.unwrap_or_else(|end| end),
            effort,
        }
    }

    fn machine(&self, automaton: &Automaton, effort: &mut Effort) -> Machine {
        effort.automaton_states = automaton.states.len() as u64;
        effort.accepting_sets = u64::from(automaton.sets);
        Machine::new(automaton, self.stepper.state_letters.words())
    }

    fn decide(&mut self, property: &Property<'_>, effort: &mut Effort) -> Result<Verdict, Verdict> {
        self.start()?;
        let negation = Ltl::not(property.formula.clone());
        let go_on = || self.watch.go_on().is_ok();
        let automaton = buchi::translate_while(&negation, Bounds::default(), &go_on);
        let automaton = automaton.map_err(|large| Verdict::TooLarge(large.to_string()))?;
        let Some(automaton) = automaton else {
            return Err(Verdict::Open(self.stopped()));
        };
        effort.is_safety = buchi::is_safety(property.formula);
        let machine = self.machine(&automaton, effort);
        if effort.is_safety {
            let found = bad_prefix::search(self, &machine, effort);
            let found = found.map_err(|trouble| self.explain(trouble))?;
            return Ok(self.conclude(found));
        }
        self.under(&machine, property.fairness, effort)
    }

    /// Looks for a path that the automaton accepts, under one premise after the other.
    fn under(
        &mut self,
        machine: &Machine,
        fairness: &[Fairness],
        effort: &mut Effort,
    ) -> Result<Verdict, Verdict> {
        let everything = [Fairness::default()];
        let premises = match fairness {
            [] => &everything,
            premises => premises,
        };
        for fairness in premises {
            let conditions = Conditions { machine, fairness };
            let found = match self.config.method {
                Method::Components => self.search(&conditions, effort)?,
                Method::Nested => self.search_nested(&conditions, effort)?,
            };
            if found.is_some() {
                return Ok(self.conclude(found));
            }
        }
        Ok(self.conclude(None))
    }

    fn search(
        &mut self,
        conditions: &Conditions<'_>,
        effort: &mut Effort,
    ) -> Result<Option<Evidence>, Verdict> {
        let searched = emptiness::search(self, conditions, effort);
        let searched = searched.map_err(|trouble| self.explain(trouble))?;
        let visited = &searched.visited;
        if let Some(Hit::Somewhere(part)) = &searched.hit {
            let found = unwound::unwound(self, conditions, visited, part);
            return Err(Verdict::Somewhere(found.map(Box::new)));
        }
        Ok(searched.hit.map(|hit| {
            let evidence = match hit {
                Hit::Deadlock => lasso::into_deadlock(self, conditions.machine, visited),
                Hit::Somewhere(_) => None,
                Hit::Cycle(part) => nearby::part(self, conditions)
                    .and_then(|near| lasso::round(self, conditions, visited, &near))
                    .or_else(|| lasso::round(self, conditions, visited, &part)),
            };
            evidence.expect("what the search found can be found again")
        }))
    }

    fn search_nested(
        &mut self,
        conditions: &Conditions<'_>,
        effort: &mut Effort,
    ) -> Result<Option<Evidence>, Verdict> {
        let (machine, fairness) = (conditions.machine, conditions.fairness);
        if !fairness.is_light(machine.all.count_ones()) {
            let why =
                "nested depth-first search cannot decide strong fairness or fairness of labels";
            return Err(Verdict::Refused(why.to_string()));
        }
        // The state of the automaton is one more slot.
        let store = new_store(self.config, self.stepper.slots() + 1);
        let store = store.ok_or_else(|| Verdict::Open(vec![Open::MaxMemory]))?;
        nested::search(self, machine, fairness, &store, effort)
    }

    /// The verdict of a search that went to its end.
    pub(crate) fn conclude(&mut self, found: Option<Evidence>) -> Verdict {
        if let Some(evidence) = found {
            return Verdict::Violated(evidence);
        }
        let open = self.reasons();
        match open.is_empty() {
            true => Verdict::Holds(None),
            false => Verdict::Open(open),
        }
    }

    /// The verdict of a search that did not.
    pub(crate) fn explain(&mut self, trouble: Trouble) -> Verdict {
        match trouble {
            Trouble::Stopped => Verdict::Open(self.stopped()),
            Trouble::Event(state) => self.event_fault(state),
            Trouble::Atom(state, edge, atom) => self.atom_fault(state, edge, atom),
        }
    }
}
