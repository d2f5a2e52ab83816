//! Looks further than one step: the nearest state that satisfies a predicate, and random walks.
//!
//! Technique: breadth-first from here; the predicate is asked of the judge, who needs no
//! compilation for a formula that was typed.

use std::collections::BTreeSet;

use subject::Predicate;

use super::{Animator, Reply, Tone};
use crate::report::counted;
use crate::runnable::{EXPLAIN_BUDGET, Move, Place};

/// So many states are looked at.
const MAX_STATES: usize = 100_000;

impl Animator {
    /// Goes to the nearest state that satisfies a predicate.
    pub(super) fn find(&mut self, text: &str) -> Reply {
        let formula = match self.runnable.formula(text) {
            Ok(formula) if formula.is_predicate => formula,
            Ok(_) => return self.fail(format!("{text} is an expression; a predicate is needed")),
            Err(message) => return self.fail(message),
        };
        match self.nearest(Predicate::Question(formula.id)) {
            Ok(Some(moves)) if moves.is_empty() => Reply::plain("it holds here"),
            Ok(Some(moves)) => {
                let mut reply = Reply::default();
                for taken in moves {
                    self.take(taken, &mut reply);
                }
                reply
            }
            Ok(None) => self.fail("no state that can be reached from here satisfies it"),
            Err(seen) => self.fail(format!(
                "none of the {} nearest states satisfies it",
                counted(seen as u64, "state").replace(" states", "")
            )),
        }
    }

    /// The moves to the nearest state; an error tells how many states were looked at in vain.
    fn nearest(&self, predicate: Predicate) -> Result<Option<Vec<Move>>, usize> {
        let view = self.scene();
        let mut judge = view.subject.judge(view.wd, EXPLAIN_BUDGET);
        let mut nodes: Vec<(Place, Option<(usize, Move)>)> = vec![(self.place().clone(), None)];
        let mut seen = BTreeSet::from([self.place().clone()]);
        let mut at = 0;
        while at < nodes.len() {
            let place = nodes[at].0.clone();
            if let Place::State(_) = place {
                let moment = view.moment(&mut *judge, &place);
                // An undefined predicate is not satisfied.
                if matches!(judge.truth(predicate, &moment), Ok(true)) {
                    return Ok(Some(path(&nodes, at)));
                }
            }
            if nodes.len() > MAX_STATES {
                return Err(at + 1);
            }
            for taken in view.moves(&place).moves {
                if seen.insert(taken.to.clone()) {
                    nodes.push((taken.to.clone(), Some((at, taken))));
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// Takes random steps; ends where something is wrong.
    pub fn walk(&mut self, steps: usize) -> Reply {
        let mut reply = Reply::default();
        let mut left = steps;
        while left > 0 {
            let moves = self.scene().moves(self.place()).moves;
            if moves.is_empty() {
                reply.line(Tone::Plain, "nothing can happen here");
                break;
            }
            let taken = moves[self.random.below(moves.len())].clone();
            // A walk begins in an initial state.
            left -= usize::from(!Animator::is_start(&taken));
            let before = reply.lines.len();
            self.take(taken, &mut reply);
            if reply.lines[before..]
                .iter()
                .any(|line| line.tone == Tone::Bad)
            {
                break;
            }
        }
        reply
    }
}

fn path(nodes: &[(Place, Option<(usize, Move)>)], to: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut at = to;
    while let Some((before, taken)) = &nodes[at].1 {
        moves.push(taken.clone());
        at = *before;
    }
    moves.reverse();
    moves
}
