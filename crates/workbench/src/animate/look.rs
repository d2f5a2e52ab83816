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

/// Why no state was found.
enum Unfound {
    /// None can be reached.
    Nowhere,
    /// There may be one: a predicate or what can happen is not known.
    Unknown(String),
    /// So many states were looked at, and there are more.
    Further(usize),
}

impl Animator {
    /// Goes to the nearest state that satisfies a predicate.
    pub(super) fn find(&mut self, text: &str) -> Reply {
        let formula = match self.runnable.formula(text) {
            Ok(formula) if formula.is_predicate => formula,
            Ok(_) => return self.fail(format!("{text} is an expression; a predicate is needed")),
            Err(message) => return self.fail(message),
        };
        match self.nearest(Predicate::Question(formula.id)) {
            Ok(moves) if moves.is_empty() => Reply::plain("it holds here"),
            Ok(moves) => {
                let mut reply = Reply::default();
                for taken in moves {
                    self.take(taken, &mut reply);
                }
                reply
            }
            Err(Unfound::Nowhere) => {
                self.fail("no state that can be reached from here satisfies it")
            }
            Err(Unfound::Unknown(why)) => self.fail(format!(
                "no state was found that satisfies it; that there is none is not known: {why}"
            )),
            Err(Unfound::Further(seen)) => self.fail(format!(
                "none of the {} nearest states satisfies it",
                counted(seen as u64, "state").replace(" states", "")
            )),
        }
    }

    /// The moves to the nearest state.
    fn nearest(&self, predicate: Predicate) -> Result<Vec<Move>, Unfound> {
        let view = self.scene();
        let mut judge = view.subject.judge(view.wd, EXPLAIN_BUDGET);
        let mut nodes: Vec<(Place, Option<(usize, Move)>)> = vec![(self.place().clone(), None)];
        let mut seen = BTreeSet::from([self.place().clone()]);
        let mut unknown: Option<String> = None;
        let mut at = 0;
        while at < nodes.len() {
            let place = nodes[at].0.clone();
            if let Place::State(_) = place {
                let moment = view.moment(&mut *judge, &place);
                match judge.truth(predicate, &moment) {
                    Ok(true) => return Ok(path(&nodes, at)),
                    Err(fault) if fault.kind.leaves_open() => {
                        unknown.get_or_insert(fault.message);
                    }
                    // An undefined predicate is not satisfied.
                    Ok(false) | Err(_) => {}
                }
            }
            if nodes.len() > MAX_STATES {
                return Err(Unfound::Further(at + 1));
            }
            let found = view.moves(&place);
            if let (None, Some((_, why))) = (&unknown, found.unknown.first()) {
                unknown = Some(why.message.clone());
            }
            for taken in found.moves {
                if seen.insert(taken.to.clone()) {
                    nodes.push((taken.to.clone(), Some((at, taken))));
                }
            }
            at += 1;
        }
        Err(unknown.map_or(Unfound::Nowhere, Unfound::Unknown))
    }

    /// Takes random steps; ends where something is wrong.
    pub fn walk(&mut self, steps: usize) -> Reply {
        let mut reply = Reply::default();
        let mut left = steps;
        while left > 0 {
            let found = self.scene().moves(self.place());
            let moves = &found.moves;
            if moves.is_empty() {
                let line = match found.unknown.first() {
                    Some((_, why)) => format!("what can happen here is not known: {}", why.message),
                    None => "nothing can happen here".to_owned(),
                };
                reply.line(Tone::Plain, line);
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
