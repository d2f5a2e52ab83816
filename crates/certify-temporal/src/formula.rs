//! Temporal formulas over numbered atoms, and what a certificate says of them.
//!
//! A path begins in an initial state and is infinite or ends where nothing is possible. `X` is false at the end of a path.
//! Few operators, so that the check of each is short: the others are made of these.

use serde::{Deserialize, Serialize};

/// What an atom asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// Whether a label holds in the state.
    Label(u32),
    /// Whether the step that leaves the state has a mark: what the evaluator tells of steps.
    Step(u32),
    /// Whether a step with the mark is possible.
    Enabled(u32),
    /// Whether nothing is possible.
    Deadlock,
    /// Whether every step leads back to the state.
    Sink,
}

/// A formula of linear time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ltl {
    /// Always true.
    True,
    /// An atom, by its number.
    Atom(u32),
    /// Negation.
    Not(Box<Ltl>),
    /// All of them.
    And(Vec<Ltl>),
    /// There is a next position, and it holds there.
    Next(Box<Ltl>),
    /// The second holds now or later, the first until then.
    Until(Box<Ltl>, Box<Ltl>),
    /// There is a position before, and it held there.
    Yesterday(Box<Ltl>),
    /// The second held now or before, the first ever since.
    Since(Box<Ltl>, Box<Ltl>),
}

/// A formula of branching time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ctl {
    /// Always true.
    True,
    /// An atom about states, by its number.
    Atom(u32),
    /// Negation.
    Not(Box<Ctl>),
    /// All of them.
    And(Vec<Ctl>),
    /// A step, one that satisfies the atom if there is one, leads to where it holds.
    Next(Option<u32>, Box<Ctl>),
    /// On some path the second holds now or later, the first until then.
    Until(Box<Ctl>, Box<Ctl>),
    /// On some path it holds everywhere.
    Globally(Box<Ctl>),
}

/// Which paths count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fairness {
    /// What is enabled for ever from some point on is taken again and again.
    pub weak: Vec<Constraint>,
    /// What is enabled again and again is taken again and again.
    pub strong: Vec<Constraint>,
    /// Weak fairness of everything that has a name.
    pub every_weak: bool,
    /// Strong fairness of everything that has a name.
    pub every_strong: bool,
}

/// Something that is enabled in states and taken by steps, both as atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The atom about states.
    pub enabled: u32,
    /// The atom about steps.
    pub taken: u32,
}

/// A formula with the meaning of its atoms.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The atoms.
    pub atoms: Vec<Atom>,
    /// What is said of them.
    pub logic: Logic,
}

/// What a formula says.
#[derive(Clone, Debug)]
pub enum Logic {
    /// Every path that one of the premises calls fair satisfies it; every path if there are none.
    Linear(Ltl, Vec<Fairness>),
    /// Every initial state satisfies it.
    Branching(Ctl),
}

/// What proves a formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// For each premise why no fair path violates the formula.
    Linear(Vec<Cycles>),
    /// For each `E U` and `E G` of the formula, outside first, a number for each state: 0 where the until is false or the
    /// globally true; otherwise one more than the number of steps after which that is settled, at most.
    Branching(Vec<Vec<u32>>),
}

/// Why no infinite path of a product is accepted and fair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cycles {
    /// States of the tableau.
    pub states: Vec<Vec<u32>>,
    /// Parts of the product.
    pub parts: Vec<Part>,
    /// For each state of the system the states of the tableau that it is met with, ascending, and the part of each pair.
    pub nodes: Vec<Vec<(u32, u32)>>,
}

/// A part of a product. Steps lead from parts to parts of smaller numbers, or stay and then do not meet a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The part that it is a part of.
    pub parent: Option<u32>,
    /// What no step inside meets, by its number.
    pub condition: u32,
}
