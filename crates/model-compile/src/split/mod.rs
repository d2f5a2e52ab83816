//! A model whose sets and functions lie in several slots: what depends on one element reads one slot.
//!
//! A set over a small type becomes one BOOL for each element; a relation becomes, for each left element, the set of
//! its images, which is exact whatever the relation is (no totality is assumed). With integers on the left, the
//! elements are those of the interval that the invariant names, and one more part holds every other pair. An action
//! whose parameters pick such parts becomes one action for each of their values.
//! Technique: a rewriting of the model, so that layout, code and dependencies follow as for any other model.
//! Invariant: states, transitions, verdicts are those of the model; [`Splitting::value`] puts values together again.
//! Invariant: parts are written with what the whole would have been; parts that keep their value are not written.

mod accesses;
mod build;
mod fold;
mod labels;
mod membership;
mod places;
mod rewrite;
mod statements;

pub(crate) use accesses::for_each_expr;

use model::{ExprId, Model, Value, VarId};

/// A model in parts.
pub struct Splitting {
    /// The model.
    pub model: Model,
    /// The predicate to look for, in the new model.
    pub goal: Option<ExprId>,
    /// The action that each action is an instance of.
    pub actions: Vec<usize>,
    /// The label that each label is a part of; both are numbered as `compile` numbers them.
    pub labels: Vec<usize>,
    /// For each variable of the old model.
    parts: Vec<Parts>,
}

/// Where a variable lies.
#[derive(Clone, Debug)]
enum Parts {
    /// In one variable.
    Whole(VarId),
    /// A set: for each element whether it is in.
    Bits(Pieces),
    /// A relation: for each left element its images.
    Points(Pieces),
}

/// The parts of a variable.
#[derive(Clone, Debug)]
struct Pieces {
    keys: Vec<Value>,
    variables: Vec<VarId>,
    /// What belongs to no key, where the keys are not all values of their type.
    rest: Option<VarId>,
}

/// How eagerly variables are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options<'a> {
    /// Every variable that can be, not only where most actions touch single elements.
    pub everything: bool,
    /// The values of all constants, when there is exactly one set-up: they show which elements are meant.
    pub constants: &'a [Option<Value>],
    /// Whether a nondeterministic choice at the start of an action makes instances too. Two instances may then
    /// have the same transition.
    pub lift_choices: bool,
}

/// Splits a model; `None` when there is nothing to gain.
pub fn split(model: &Model, goal: Option<ExprId>, options: &Options<'_>) -> Option<Splitting> {
    build::split(model, goal, options)
}

impl Splitting {
    /// The value of a variable of the old model, from the values of the new one.
    pub fn value(&self, variable: VarId, of: impl Fn(VarId) -> Option<Value>) -> Option<Value> {
        match &self.parts[variable.index()] {
            Parts::Whole(variable) => of(*variable),
            Parts::Bits(pieces) => {
                let mut elements = pieces.rest(&of)?;
                for (key, variable) in pieces.keys.iter().zip(&pieces.variables) {
                    if of(*variable)? == Value::Bool(true) {
                        elements.push(key.clone());
                    }
                }
                Some(Value::set(elements))
            }
            Parts::Points(pieces) => {
                let mut pairs = pieces.rest(&of)?;
                for (key, variable) in pieces.keys.iter().zip(&pieces.variables) {
                    let Value::Set(images) = of(*variable)? else {
                        return None;
                    };
                    let images = images.iter().cloned();
                    pairs.extend(images.map(|image| Value::pair(key.clone(), image)));
                }
                Some(Value::set(pairs))
            }
        }
    }

    /// The variable of the old model that a variable of the new one is a part of.
    pub fn variable(&self, part: VarId) -> VarId {
        let holds = |parts: &Parts| match parts {
            Parts::Whole(variable) => *variable == part,
            Parts::Bits(pieces) | Parts::Points(pieces) => {
                pieces.variables.contains(&part) || pieces.rest == Some(part)
            }
        };
        VarId::new(self.parts.iter().position(holds).unwrap_or(0))
    }

    /// How many variables were split.
    pub fn count(&self) -> usize {
        let is_split = |parts: &&Parts| !matches!(parts, Parts::Whole(_));
        self.parts.iter().filter(is_split).count()
    }
}

impl Pieces {
    fn rest(&self, of: &impl Fn(VarId) -> Option<Value>) -> Option<Vec<Value>> {
        match self.rest {
            None => Some(Vec::new()),
            Some(rest) => match of(rest)? {
                Value::Set(elements) => Some(elements.to_vec()),
                _ => None,
            },
        }
    }

    fn part(&self, key: &Value) -> Option<VarId> {
        let at = self.keys.iter().position(|known| known == key)?;
        Some(self.variables[at])
    }
}
