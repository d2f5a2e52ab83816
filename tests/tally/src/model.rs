//! A checked text: counters, events of interchangeable workers, claims; and how it is printed.
//!
//! Invariant: nothing nests (a predicate is "any of all of comparisons of sums"), so no pass recurses.

use std::fmt::Write as _;

use base::{Name, Span};

/// The largest value of a counter.
pub const LARGEST: i64 = 15;
/// The most workers there can be: their counters share a word.
pub const MOST_WORKERS: usize = 8;

/// A checked text.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// How many workers there are.
    pub workers: usize,
    /// The counters.
    pub counters: Vec<Counter>,
    /// The events.
    pub events: Vec<Event>,
    /// The claims: invariants, then assertions.
    pub claims: Vec<Claim>,
}

/// A counter, shared or one for each worker.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Its name.
    pub name: Name,
    /// Whether each worker has one.
    pub is_own: bool,
    /// What it starts with.
    pub start: i64,
    /// Where it is declared.
    pub span: Span,
}

/// Something that a worker does, or two workers do together.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: Name,
    /// What must hold.
    pub guard: Vec<Comparison>,
    /// What changes, all at once.
    pub updates: Vec<Update>,
    /// Where it is declared.
    pub span: Span,
}

/// A new value for a counter.
#[derive(Clone, Debug)]
pub struct Update {
    /// The counter.
    pub counter: usize,
    /// Whose it is.
    pub whose: Whose,
    /// The new value.
    pub value: Sum,
    /// Where it stands.
    pub span: Span,
}

/// What must hold in every state.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Whether it is an invariant; otherwise an assertion.
    pub is_invariant: bool,
    /// The predicate.
    pub predicate: Predicate,
    /// Where it stands.
    pub span: Span,
}

/// Any of these conjunctions.
pub type Predicate = Vec<Vec<Comparison>>;
/// Summands with their signs.
pub type Sum = Vec<(i64, Atom)>;

/// `left relation right`.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The left side.
    pub left: Sum,
    /// The relation.
    pub relation: Relation,
    /// The right side.
    pub right: Sum,
}

base::choices! {
    /// How two numbers compare.
    Relation {
        /// They are equal.
        Equal = "=",
        /// They are not.
        Unequal = "!=",
        /// The left one is smaller.
        Less = "<",
        /// It is not larger.
        AtMost = "<=",
        /// It is larger.
        Greater = ">",
        /// It is not smaller.
        AtLeast = ">=",
    } default Equal;
}

/// A summand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A number.
    Number(i64),
    /// A counter.
    Counter(usize, Whose),
    /// A name of the scope of a question.
    Name(usize),
}

/// Which of the counters of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The only one.
    Shared,
    /// That of the worker who acts.
    Mine,
    /// That of the worker whom it meets.
    Partners,
    /// That of a worker, counted from 0.
    Worker(usize),
    /// Those of all workers together.
    Everybodys,
}

impl Event {
    /// Everything in it, new values and the counters that get them too.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> {
        let guard = self
            .guard
            .iter()
            .flat_map(|one| one.left.iter().chain(&one.right));
        let values = self.updates.iter().flat_map(|update| &update.value);
        let targets = self
            .updates
            .iter()
            .map(|update| Atom::Counter(update.counter, update.whose));
        guard.chain(values).map(|(_, atom)| *atom).chain(targets)
    }

    /// How many workers take part.
    pub fn parameters(&self) -> usize {
        let needs = |atom| match atom {
            Atom::Counter(_, Whose::Mine) => 1,
            Atom::Counter(_, Whose::Partners) => 2,
            _ => 0,
        };
        self.atoms().map(needs).max().unwrap_or(0)
    }
}

impl Model {
    /// Who can take part in an event: each list has as many workers as the event has parameters.
    pub fn casts(&self, event: &Event) -> Vec<Vec<usize>> {
        let everybody = 0..self.workers;
        match event.parameters() {
            0 => vec![Vec::new()],
            1 => everybody.map(|one| vec![one]).collect(),
            _ => everybody
                .flat_map(|one| (0..self.workers).map(move |other| vec![one, other]))
                .filter(|pair| pair[0] != pair[1])
                .collect(),
        }
    }

    /// A sum as it is written; names of a scope are given.
    pub fn show_sum(&self, sum: &Sum, names: &[String]) -> String {
        let mut text = String::new();
        for (at, (sign, atom)) in sum.iter().enumerate() {
            let _ = match (at, sign) {
                (0, 1) => Ok(()),
                (0, _) => write!(text, "-"),
                (_, 1) => write!(text, " + "),
                _ => write!(text, " - "),
            };
            let _ = match atom {
                Atom::Number(number) => write!(text, "{number}"),
                Atom::Name(name) => write!(text, "{}", names[*name]),
                Atom::Counter(id, whose) => {
                    let name = self.counters[*id].name;
                    match whose {
                        Whose::Shared | Whose::Mine => write!(text, "{name}"),
                        Whose::Partners => write!(text, "{name}'"),
                        Whose::Worker(worker) => write!(text, "{name}.{}", worker + 1),
                        Whose::Everybodys => write!(text, "sum {name}"),
                    }
                }
            };
        }
        text
    }

    /// A comparison as it is written.
    pub fn show_comparison(&self, one: &Comparison, names: &[String]) -> String {
        let (left, right) = (
            self.show_sum(&one.left, names),
            self.show_sum(&one.right, names),
        );
        format!("{left} {} {right}", one.relation.word())
    }

    /// A predicate as it is written.
    pub fn show_predicate(&self, predicate: &Predicate, names: &[String]) -> String {
        let all = |all: &Vec<Comparison>| -> String {
            let all: Vec<String> = all
                .iter()
                .map(|one| self.show_comparison(one, names))
                .collect();
            all.join(" and ")
        };
        let any: Vec<String> = predicate.iter().map(all).collect();
        any.join(" or ")
    }

    /// The whole text in normalised notation.
    pub fn show(&self) -> String {
        let mut text = format!("tally {}\n", self.name);
        if self.workers > 0 {
            let _ = writeln!(text, "workers {}", self.workers);
        }
        for Counter {
            name,
            is_own,
            start,
            ..
        } in &self.counters
        {
            let word = if *is_own { "own" } else { "shared" };
            let _ = writeln!(text, "{word} {name} = {start}");
        }
        for event in &self.events {
            let guard: Vec<String> = event
                .guard
                .iter()
                .map(|one| self.show_comparison(one, &[]))
                .collect();
            let updates = event.updates.iter().map(|update| {
                let target = vec![(1, Atom::Counter(update.counter, update.whose))];
                let (target, value) = (
                    self.show_sum(&target, &[]),
                    self.show_sum(&update.value, &[]),
                );
                format!("{target} := {value}")
            });
            let updates: Vec<String> = updates.collect();
            let when = match guard.is_empty() {
                true => String::new(),
                false => format!(" when {}", guard.join(" and ")),
            };
            let _ = writeln!(text, "event {}{when} do {}", event.name, updates.join(", "));
        }
        for claim in &self.claims {
            let word = if claim.is_invariant {
                "invariant"
            } else {
                "assert"
            };
            let _ = writeln!(
                text,
                "{word} {}",
                self.show_predicate(&claim.predicate, &[])
            );
        }
        text
    }
}
