//! One path that shows why a branching formula holds or fails in a state, as far as one path can.
//!
//! What says "some path" is shown by that path, and what denies "every path" too; a conjunction that fails by the
//! part that fails. What says "every path", or denies "some path", is not shown by any single one.

use super::formula::Ctl;
use crate::liveness::{End, Mark};

/// States with known truth of the parts of a formula: an explicit graph, or sets in diagrams.
pub(crate) trait Ground {
    /// A state.
    type State: Clone;
    /// A step, with its target.
    type Step: Clone;

    /// Whether a part is known to hold, or not to hold, in a state.
    fn is_known(&self, part: usize, state: &Self::State, holds: bool) -> bool;

    /// A step to a state where a part holds; the atom must hold of the step.
    fn step_to(
        &mut self,
        from: &Self::State,
        by: Option<u32>,
        part: usize,
    ) -> Option<(Self::Step, Self::State)>;

    /// A shortest way, possibly without a step, from a state where the until `part` holds to one where `goal` does.
    fn way_to(&mut self, from: &Self::State, part: usize, goal: usize) -> Way<Self>;

    /// A way from a state on which `part` holds for ever, or until a deadlock.
    fn way_for_ever(&mut self, from: &Self::State, part: usize) -> Ever<Self>;
}

/// Steps, each with the state it leaves, and the state after the last one.
pub(crate) type Way<G> = (
    Vec<(<G as Ground>::State, <G as Ground>::Step)>,
    <G as Ground>::State,
);

/// A way that does not end, or ends in a deadlock.
pub(crate) struct Ever<G: Ground + ?Sized> {
    /// Up to the loop, or to the deadlock.
    pub(crate) before: Vec<(G::State, G::Step)>,
    /// The loop; empty for a deadlock.
    pub(crate) round: Vec<(G::State, G::Step)>,
}

/// A path with the parts of the formula that it shows.
pub(crate) struct Why<S, T> {
    pub(crate) first: S,
    pub(crate) walk: Vec<(S, T)>,
    /// Where a loop begins, or the end by deadlock.
    end: Option<(usize, End)>,
    pub(crate) closing: Option<(S, T)>,
    /// Position, part, whether it holds, whether the path shows it.
    marks: Vec<(usize, usize, bool, bool)>,
}

impl<S: Clone, T: Clone> Why<S, T> {
    /// Why a formula holds, or fails, in a state.
    pub(crate) fn new<G>(ground: &mut G, formula: &Ctl, state: S, holds: bool) -> Why<S, T>
    where
        G: Ground<State = S, Step = T>,
    {
        let mut why = Why {
            first: state.clone(),
            walk: Vec::new(),
            end: None,
            closing: None,
            marks: Vec::new(),
        };
        why.show(ground, formula, 0, state, holds);
        why
    }

    /// Whether it is more than the state itself.
    pub(crate) fn is_telling(&self) -> bool {
        !self.walk.is_empty() || self.closing.is_some()
    }

    /// How the path ends and what it shows, where its first state is reached by the step numbered `before`.
    pub(crate) fn account(&self, before: usize) -> (End, Vec<Mark>) {
        let mark = |(at, part, holds, is_explained): &(usize, usize, bool, bool)| Mark {
            step: before + at,
            part: *part,
            holds: *holds,
            is_explained: *is_explained,
        };
        let end = match self.end {
            Some((at, End::Lasso { .. })) => End::Lasso { start: before + at },
            Some((_, end)) => end,
            None => End::BadPrefix,
        };
        (end, self.marks.iter().map(mark).collect())
    }

    fn show<G>(&mut self, ground: &mut G, formula: &Ctl, at: usize, state: S, holds: bool)
    where
        G: Ground<State = S, Step = T>,
    {
        let parts = formula.numbered_parts(at);
        let is_shown = match (formula, holds) {
            (Ctl::ExistsNext(..) | Ctl::ExistsUntil(..) | Ctl::ExistsGlobally(_), false) => false,
            (Ctl::And(_), true) | (Ctl::Or(_), false) => {
                parts.iter().filter(|(_, part)| is_temporal(part)).count() <= 1
            }
            _ => true,
        };
        self.marks.push((self.walk.len(), at, holds, is_shown));
        if !is_shown {
            return;
        }
        match formula {
            Ctl::True | Ctl::False | Ctl::Atom(_) => {}
            Ctl::Not(a) => self.show(ground, a, at + 1, state, !holds),
            Ctl::And(_) | Ctl::Or(_) => {
                let decides = matches!(formula, Ctl::Or(_)) == holds;
                let mut parts = parts.into_iter();
                let next = match decides {
                    // One part is enough; one that is about this state alone is shown best.
                    true => {
                        let known =
                            |(number, _): &(usize, &Ctl)| ground.is_known(*number, &state, holds);
                        let mut known: Vec<(usize, &Ctl)> = parts.filter(known).collect();
                        known.sort_by_key(|(_, part)| is_temporal(part));
                        known.into_iter().next()
                    }
                    false => parts.find(|(_, part)| is_temporal(part)),
                };
                if let Some((number, part)) = next {
                    self.show(ground, part, number, state, holds);
                }
            }
            Ctl::ExistsNext(by, a) => {
                if let Some((step, target)) = ground.step_to(&state, *by, at + 1) {
                    self.walk.push((state, step));
                    self.show(ground, a, at + 1, target, true);
                }
            }
            Ctl::ExistsUntil(..) => {
                let (goal, b) = parts[1];
                let (way, last) = ground.way_to(&state, at, goal);
                self.walk.extend(way);
                self.show(ground, b, goal, last, true);
            }
            Ctl::ExistsGlobally(_) => {
                let Ever { before, mut round } = ground.way_for_ever(&state, at);
                self.walk.extend(before);
                let start = self.walk.len();
                self.closing = round.pop();
                self.end = Some(match self.closing {
                    Some(_) => (start, End::Lasso { start }),
                    None => (start, End::Deadlock),
                });
                self.walk.extend(round);
            }
        }
    }
}

/// Whether a formula is about more than one state.
fn is_temporal(formula: &Ctl) -> bool {
    let own = matches!(
        formula,
        Ctl::ExistsNext(..) | Ctl::ExistsUntil(..) | Ctl::ExistsGlobally(_)
    );
    own || formula.parts().into_iter().any(is_temporal)
}
