//! Walks along a path that may say little about its steps: all places that agree with it so far, with how they were reached.
//!
//! Invariant: a place is dropped only when it disagrees with what was said, or is counted as cut.

use std::collections::BTreeSet;

use subject::{Happening, Parameter, Value};
use verdict::format::Recorded;

use super::wanted::{self, Named, Said, What, position};
use super::{Problem, Rest};
use crate::runnable::{Move, Moves, Place, View};

/// So many states that agree with a path are kept at once.
pub(super) const MAX_KEPT: usize = 10_000;

/// A place that agrees with the path so far.
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) parent: Option<usize>,
    pub(super) taken: Option<Move>,
}

/// Walks along a path.
pub(super) struct Walk<'a> {
    pub(super) view: View<'a>,
    pub(super) nodes: Vec<Node>,
    pub(super) frontier: Vec<usize>,
    /// Whether places that agree were left out.
    pub(super) cut: bool,
    /// Why not all that can happen was looked at.
    pub(super) unlisted: Option<String>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(view: View<'a>, start: Place) -> Walk<'a> {
        Walk {
            view,
            nodes: vec![Node {
                place: start,
                parent: None,
                taken: None,
            }],
            frontier: vec![0],
            cut: false,
            unlisted: None,
        }
    }

    /// Goes one step; false, and nothing changes, when no place agrees with it.
    pub(super) fn advance(&mut self, step: &Said, strict: bool) -> bool {
        let is_setup = step.what == What::Known(Happening::Setup);
        if is_setup && !self.view.description().has_setup && step.state.is_empty() {
            return true;
        }
        let before = self.frontier.clone();
        if !is_setup {
            self.set_up();
        }
        let mut next = Vec::new();
        let mut seen = BTreeSet::new();
        for from in self.frontier.clone() {
            let found = self.moves(from, step);
            if let Some((_, why)) = found.unknown.into_iter().next() {
                self.unlisted.get_or_insert(why.message);
            }
            for taken in found.moves {
                if self.fits(step, &taken, strict) && seen.insert(taken.to.clone()) {
                    if next.len() >= MAX_KEPT {
                        self.cut = true;
                        break;
                    }
                    next.push((from, taken));
                }
            }
        }
        if next.is_empty() {
            self.frontier = before;
            return false;
        }
        self.frontier = next
            .into_iter()
            .map(|(from, taken)| self.node(from, taken))
            .collect();
        true
    }

    /// A path that does not mention the set-up goes through any of them.
    pub(super) fn set_up(&mut self) {
        let is_root = |node: &usize| self.nodes[*node].place == Place::Root;
        if !self.view.description().has_setup || !self.frontier.iter().all(is_root) {
            return;
        }
        let root = self.frontier[0];
        let mut setups = self.view.moves(&Place::Root).moves;
        self.cut |= setups.len() > MAX_KEPT;
        setups.truncate(MAX_KEPT);
        self.frontier = setups
            .into_iter()
            .map(|taken| self.node(root, taken))
            .collect();
    }

    pub(super) fn node(&mut self, from: usize, taken: Move) -> usize {
        self.nodes.push(Node {
            place: taken.to.clone(),
            parent: Some(from),
            taken: Some(taken),
        });
        self.nodes.len() - 1
    }

    /// The moves that the event of a step allows.
    pub(super) fn moves(&self, from: usize, step: &Said) -> Moves {
        let place = &self.nodes[from].place;
        if *place == Place::Root
            && let Some(given) = self.given_setup(step)
        {
            return Moves {
                moves: given,
                ..Moves::default()
            };
        }
        match (&step.what, place) {
            (What::Anything, _) => self.view.moves(place),
            (What::Known(Happening::Event(event)), Place::State(vector)) => {
                self.view.moves_of(*event, vector)
            }
            (What::Known(happening), Place::Root | Place::Setup(_)) => {
                let mut found = self.view.moves(place);
                found.moves.retain(|taken| taken.happening == *happening);
                found
            }
            (What::Known(_) | What::Unknown(_), _) => Moves::default(),
        }
    }

    /// Whether a move is the one that a step means; `strict` looks at the state after it too.
    pub(super) fn fits(&self, step: &Said, taken: &Move, strict: bool) -> bool {
        let agree = |wanted: &[Named], known: &[Parameter], values: &[Option<Value>]| {
            wanted.iter().all(|(name, wanted)| {
                let at = position(known, name);
                at.is_some_and(|at| wanted::agrees(self.view, wanted, values[at].as_ref()))
            })
        };
        if let Happening::Event(event) = taken.happening {
            let event = self.view.description().event(event);
            if !agree(&step.args, &event.parameters, &taken.arguments) {
                return false;
            }
            if strict && !agree(&step.results, &event.results, &taken.results) {
                return false;
            }
        }
        !strict
            || wanted::differences(self.view, step, &taken.to).is_empty()
                && self.broken_conditions(step, &taken.to).is_empty()
    }

    /// The moves to a node.
    pub(super) fn chain(&self, node: Option<usize>) -> Vec<Move> {
        let mut chain = Vec::new();
        let mut at = node;
        while let Some(node) = at {
            chain.extend(self.nodes[node].taken.clone());
            at = self.nodes[node].parent;
        }
        chain.reverse();
        chain
    }

    /// Keeps the ends that close the loop of an infinite path.
    pub(super) fn close(&mut self, recorded: &Recorded) -> Option<Problem> {
        let start = recorded.loop_start?;
        let implicit = !recorded.counts_set_up && self.view.description().has_setup;
        let start = start + usize::from(implicit);
        let closes = |walk: &Walk<'_>, node: usize| {
            let chain = walk.chain(Some(node));
            let before = start.checked_sub(1).and_then(|before| chain.get(before));
            before.map(|taken| &taken.to) == Some(&walk.nodes[node].place)
        };
        let closing: Vec<usize> = self
            .frontier
            .iter()
            .copied()
            .filter(|node| closes(self, *node))
            .collect();
        if closing.is_empty() {
            return Some(Problem {
                step: recorded.steps.len(),
                event: format!("then from step {} again", start + 1),
                why: vec!["because the last state is not the one before that step".to_owned()],
            });
        }
        self.frontier = closing;
        None
    }

    /// Tries what follows the step at `at`, which does not fit.
    pub(super) fn rest(&mut self, steps: &[Said], at: usize) -> Rest {
        let happened = self.advance(&steps[at], false);
        let mut rest = Rest {
            happened,
            steps: 0,
            until: None,
        };
        for (number, step) in steps.iter().enumerate().skip(at + 1) {
            if !self.advance(step, true) && !self.advance(step, false) {
                rest.until = Some(self.problem(number, step));
                break;
            }
            rest.steps += 1;
        }
        rest
    }
}
