//! Where an animation is, as data: what pages and programs show of it.
//!
//! Invariant: it says the same as the lines of [`super::view`]; what was left out is counted.

use pins::{LabelKind, Truth};
use serde::Serialize;
use subject::{Happening, Holder, Predicate};
use verdict::Pairs;

use super::Animator;
use crate::replay::at_end;
use crate::runnable::{Moves, Place};

/// So many moves are listed.
const MAX_MOVES: usize = 500;

/// Where an animation is.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    /// The model.
    pub model: String,
    /// How many steps led here.
    pub step: usize,
    /// `root`, `setup` or `state`.
    pub place: &'static str,
    /// The components that have a value here, constants first.
    pub values: Vec<SceneValue>,
    /// What can happen.
    pub moves: Vec<SceneMove>,
    /// How many moves are not listed.
    pub more_moves: usize,
    /// The events that cannot happen.
    pub disabled: Vec<String>,
    /// What has no value here.
    pub faults: Vec<String>,
    /// Of what is not known whether it can happen.
    pub unknown: Vec<String>,
    /// The invariant and the assertions.
    pub predicates: Vec<ScenePredicate>,
    /// What is wrong here, line by line.
    pub wrong: Vec<String>,
    /// All steps of the path; those after `step` were undone.
    pub path: Vec<String>,
    /// Other ways that were gone, in the order of their numbers.
    pub branches: Vec<SceneBranch>,
    /// The formulas that are watched.
    pub watched: Vec<Watched>,
}

/// A component.
#[derive(Clone, Debug, Serialize)]
pub struct SceneValue {
    /// Its name.
    pub name: String,
    /// Whether it never changes.
    pub constant: bool,
    /// Its type.
    #[serde(rename = "type")]
    pub type_text: String,
    /// Its value.
    pub value: String,
    /// Its value before the last step, if that changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

/// Something that can happen.
#[derive(Clone, Debug, Serialize)]
pub struct SceneMove {
    /// The number by which it is chosen.
    pub number: usize,
    /// The event.
    pub event: String,
    /// Its parameters.
    pub arguments: Pairs,
    /// All of it in one line.
    pub label: String,
    /// Whether the invariant does not hold after it.
    pub breaks: bool,
}

/// A conjunct of the invariant or an assertion.
#[derive(Clone, Debug, Serialize)]
pub struct ScenePredicate {
    /// `invariant` or `assertion`.
    pub kind: &'static str,
    /// Its label and text.
    pub text: String,
    /// Its truth; `null` when it has none.
    pub truth: Option<bool>,
    /// Why it is not true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// A way that was left for another one.
#[derive(Clone, Debug, Serialize)]
pub struct SceneBranch {
    /// The step of the path after which it leaves it.
    pub after: usize,
    /// Its steps from there.
    pub steps: Vec<String>,
}

/// A formula that is watched.
#[derive(Clone, Debug, Serialize)]
pub struct Watched {
    /// The formula.
    pub formula: String,
    /// Its value here, or why it has none.
    pub value: String,
}

impl Animator {
    /// Where the animation is.
    pub fn look(&self) -> Scene {
        let description = self.runnable.description();
        let found = self.scene().moves(self.place());
        let taken = self.history.iter().filter_map(|one| one.taken.as_ref());
        let path = taken.map(|taken| self.scene().show(taken).label());
        let is_state = matches!(self.place(), Place::State(_));
        let disabled = description.event_ids();
        let disabled = disabled.filter(|event| found.is_disabled(*event));
        let disabled = disabled.map(|event| description.event(event).name.to_string());
        let fault = |(happening, fault): &(Happening, pins::Fault)| {
            format!("{}: {}", happening.name(description), fault.message)
        };
        Scene {
            model: description.name.clone(),
            step: self.at,
            place: match self.place() {
                Place::Root => "root",
                Place::Setup(_) => "setup",
                Place::State(_) => "state",
            },
            values: self.scene_values(),
            more_moves: found.moves.len().saturating_sub(MAX_MOVES),
            disabled: disabled.filter(|_| is_state).collect(),
            faults: found.faults.iter().map(fault).collect(),
            unknown: found.unknown.iter().map(fault).collect(),
            moves: self.scene_moves(&found),
            predicates: self.scene_predicates(),
            wrong: at_end(self.scene(), self.place()),
            path: path.collect(),
            branches: self.scene_branches(),
            watched: self.watched(),
        }
    }

    fn scene_values(&self) -> Vec<SceneValue> {
        let view = self.scene();
        let values = view.values(self.place());
        let before = self.at.checked_sub(1).map(|at| &self.history[at].place);
        let before = match before {
            Some(place @ Place::State(_)) => Some(view.values(place)),
            _ => None,
        };
        let known = |is_constant: bool| match self.place() {
            Place::Root => false,
            Place::Setup(_) => is_constant,
            Place::State(_) => true,
        };
        let components = view.description().component_ids();
        let components = components.filter(|(_, component)| known(component.is_constant));
        components
            .map(|(id, component)| {
                let value = view.subject.tell(values[id.index()].as_ref());
                let was = before.as_ref();
                let was = was.map(|was| view.subject.tell(was[id.index()].as_ref()));
                SceneValue {
                    name: component.name.to_string(),
                    constant: component.is_constant,
                    type_text: view.subject.type_text(Holder::Component(id)),
                    was: was.filter(|was| *was != value),
                    value,
                }
            })
            .collect()
    }

    fn scene_moves(&self, found: &Moves) -> Vec<SceneMove> {
        let view = self.scene();
        let listed = &found.moves[..found.moves.len().min(MAX_MOVES)];
        let moves = (1..).zip(listed);
        moves
            .map(|(number, taken)| {
                let step = view.show(taken);
                SceneMove {
                    number,
                    label: super::view::label(taken, &step),
                    event: step.event,
                    arguments: step.args,
                    breaks: match &taken.to {
                        Place::State(vector) => view.breaks_invariant(vector),
                        _ => false,
                    },
                }
            })
            .collect()
    }

    fn scene_predicates(&self) -> Vec<ScenePredicate> {
        let Place::State(vector) = self.place() else {
            return Vec::new();
        };
        let judged = self.scene().judge(vector).into_iter();
        judged
            .map(|judged| ScenePredicate {
                kind: match judged.kind {
                    LabelKind::Assertion => "assertion",
                    _ => "invariant",
                },
                text: match &judged.label {
                    Some(label) => format!("{label}: {}", judged.text),
                    None => judged.text.clone(),
                },
                truth: match judged.truth {
                    Truth::True => Some(true),
                    Truth::False => Some(false),
                    Truth::Undefined(_) | Truth::Unknown(_) => None,
                },
                why: match &judged.truth {
                    Truth::True => Vec::new(),
                    Truth::Unknown(why) => vec![format!("not known: {}", why.message)],
                    _ => self.reasons(Predicate::Label(judged.id)),
                },
            })
            .collect()
    }

    fn scene_branches(&self) -> Vec<SceneBranch> {
        let branches = self.branch_steps().into_iter();
        branches
            .map(|(after, steps)| SceneBranch { after, steps })
            .collect()
    }

    fn watched(&self) -> Vec<Watched> {
        let watched = self.watches.iter();
        watched
            .map(|(text, formula)| Watched {
                formula: text.clone(),
                value: match self.scene().eval(*formula, self.place()) {
                    Ok(answer) => answer.text(),
                    Err(reason) => format!("no value: {reason}"),
                },
            })
            .collect()
    }
}
