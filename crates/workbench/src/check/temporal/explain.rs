//! Says why a path refutes a formula: which parts hold where, and which of them decide.
//!
//! Technique: the parts have a truth value at every position of the path (`judge.rs`); from the formula at the first
//! position the explanation follows the part that decides, one line for each step of time it goes.

use std::collections::{HashMap, HashSet};

use lang_formula::{Binary, Formula, NodeId, NodeKind, Unary};

use super::judge::Judged;
use super::lower::Linear;
use crate::report::Along;

/// More lines help nobody.
const MOST_LINES: usize = 8;
/// Parts that are shown along the path.
const MOST_PARTS: usize = 16;
/// Longer parts are cut in sentences.
const MAX_TEXT: usize = 100;

/// Why a path refutes a formula, and what holds along it.
pub(super) struct Explained {
    /// Line by line.
    pub(super) why: Vec<String>,
    /// Atoms and temporal parts with the steps behind which they hold.
    pub(super) along: Vec<Along>,
}

/// Explains. `first` is the index of the step that leads to the first position.
pub(super) fn explain(linear: &Linear, judged: &Judged, first: usize) -> Explained {
    let formula = &linear.written;
    let mut values = HashMap::new();
    for (id, part) in &linear.parts {
        values.insert(*id, judged.values(part));
    }
    let mut explainer = Explainer {
        formula,
        spoken_for: &linear.spoken_for,
        judged,
        values,
        first,
        lines: Vec::new(),
    };
    explainer.because(formula.root, 0, false);
    let along = explainer.along();
    Explained {
        why: explainer.lines,
        along,
    }
}

struct Explainer<'a> {
    formula: &'a Formula,
    /// Parts of which it is known where they are false, and not where they are true.
    spoken_for: &'a HashSet<NodeId>,
    judged: &'a Judged,
    values: HashMap<NodeId, Vec<Option<bool>>>,
    first: usize,
    lines: Vec<String>,
}

impl Explainer<'_> {
    fn value(&self, id: NodeId, position: usize) -> Option<bool> {
        self.values
            .get(&id)
            .and_then(|values| values.get(position))
            .copied()
            .flatten()
    }

    /// `step 3`, as paths are numbered.
    fn step(&self, position: usize) -> String {
        format!("step {}", self.first + position + 1)
    }

    fn text(&self, id: NodeId) -> String {
        let text = self.formula.part(id);
        match text.char_indices().nth(MAX_TEXT) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    fn say(&mut self, line: String) -> bool {
        if self.lines.len() >= MOST_LINES {
            return false;
        }
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
        true
    }

    /// The positions from one on, each once: along the path, then round the loop.
    fn from(&self, position: usize) -> Vec<usize> {
        let end = self.judged.letters.len();
        let again = match self.judged.loop_start {
            Some(start) if start < position => start..position,
            _ => 0..0,
        };
        (position..end).chain(again).collect()
    }

    fn find(&self, id: NodeId, from: usize, truth: bool) -> Option<usize> {
        let mut positions = self.from(from).into_iter();
        positions.find(|position| self.value(id, *position) == Some(truth))
    }

    fn because(&mut self, id: NodeId, position: usize, truth: bool) {
        if self.lines.len() < MOST_LINES {
            base::deep::recurse(|| self.because_here(id, position, truth));
        }
    }

    fn plain(&mut self, id: NodeId, position: usize, truth: bool) {
        if truth && self.spoken_for.contains(&id) {
            return;
        }
        let word = if truth { "true" } else { "false" };
        let line = format!("{} is {word} after {}", self.text(id), self.step(position));
        self.say(line);
    }

    fn because_here(&mut self, id: NodeId, position: usize, truth: bool) {
        let formula = self.formula;
        match formula.kind(id) {
            NodeKind::Unary(operator, operand) => {
                self.unary(id, *operator, *operand, position, truth)
            }
            NodeKind::Binary(operator, left, right) => {
                self.binary(id, *operator, (*left, *right), position, truth);
            }
            _ => self.plain(id, position, truth),
        }
    }

    fn unary(
        &mut self,
        id: NodeId,
        operator: Unary,
        operand: NodeId,
        position: usize,
        truth: bool,
    ) {
        match (operator, truth) {
            (Unary::Not, _) => self.because(operand, position, !truth),
            (Unary::Globally, false) | (Unary::Finally, true) => {
                match self.find(operand, position, truth) {
                    Some(there) if there == position => self.because(operand, there, truth),
                    Some(there) => {
                        let line = format!(
                            "{} is {truth} after {} because {} is {truth} after {}",
                            self.text(id),
                            self.step(position),
                            self.text(operand),
                            self.step(there)
                        );
                        if self.say(line) && !self.is_leaf(operand) {
                            self.because(operand, there, truth);
                        }
                    }
                    None => self.plain(id, position, truth),
                }
            }
            (Unary::Finally, false) | (Unary::Globally, true) => {
                let way = match (self.judged.loop_start, truth) {
                    (Some(_), false) => {
                        "is true nowhere on the rest of the path, which goes round its loop for ever"
                    }
                    (None, false) => "does not come true before the path ends",
                    (_, true) => "stays true",
                };
                let line = format!(
                    "{} is {truth} after {}: {} {way}",
                    self.text(id),
                    self.step(position),
                    self.text(operand)
                );
                self.say(line);
            }
            (Unary::Next, _) => {
                let next = match position + 1 < self.judged.letters.len() {
                    true => Some(position + 1),
                    false => self.judged.loop_start,
                };
                match next {
                    Some(next) => self.because(operand, next, truth),
                    None => {
                        let why = match self.judged.may_go_on() {
                            true => "whatever follows",
                            false => "the path ends there",
                        };
                        let line = format!(
                            "{} is {truth} after {}: {why}",
                            self.text(id),
                            self.step(position)
                        );
                        self.say(line);
                    }
                }
            }
            _ => self.plain(id, position, truth),
        }
    }

    fn binary(
        &mut self,
        id: NodeId,
        operator: Binary,
        (left, right): (NodeId, NodeId),
        position: usize,
        truth: bool,
    ) {
        match (operator, truth) {
            (Binary::And, false) | (Binary::Or, true) => {
                let decides = match self.value(left, position) == Some(truth) {
                    true => left,
                    false => right,
                };
                self.because(decides, position, truth);
            }
            (Binary::And, true) | (Binary::Or, false) => {
                self.because(left, position, truth);
                self.because(right, position, truth);
            }
            (Binary::Implies, false) => {
                self.because(left, position, true);
                self.because(right, position, false);
            }
            (Binary::Implies, true) => match self.value(left, position) == Some(false) {
                true => self.because(left, position, false),
                false => self.because(right, position, true),
            },
            (Binary::Until | Binary::WeakUntil, false) => {
                // The left side fails before the right one holds, or the right one never does.
                match self.find(left, position, false) {
                    Some(there) => {
                        let line = format!(
                            "{} is false after {}: {} is false after {}, and {} was not true before",
                            self.text(id),
                            self.step(position),
                            self.text(left),
                            self.step(there),
                            self.text(right)
                        );
                        self.say(line);
                    }
                    None => {
                        let line = format!(
                            "{} is false after {}: {} never comes true",
                            self.text(id),
                            self.step(position),
                            self.text(right)
                        );
                        self.say(line);
                    }
                }
            }
            (Binary::Release, false) => {
                if let Some(there) = self.find(right, position, false) {
                    let line = format!(
                        "{} is false after {}: {} is false after {}, and {} was not true before",
                        self.text(id),
                        self.step(position),
                        self.text(right),
                        self.step(there),
                        self.text(left)
                    );
                    self.say(line);
                } else {
                    self.plain(id, position, truth);
                }
            }
            _ => self.plain(id, position, truth),
        }
    }

    fn is_leaf(&self, id: NodeId) -> bool {
        !matches!(
            self.formula.kind(id),
            NodeKind::Unary(..) | NodeKind::Binary(..)
        )
    }

    /// Atoms and temporal parts, in the order of the text, with the steps behind which they hold.
    fn along(&self) -> Vec<Along> {
        let mut ids: Vec<NodeId> = self.values.keys().copied().collect();
        ids.sort();
        let mut shown: Vec<Along> = Vec::new();
        for id in ids {
            let is_shown = match self.formula.kind(id) {
                NodeKind::Atom(_) | NodeKind::Quantified { .. } => true,
                NodeKind::Unary(operator, _) => *operator != Unary::Not,
                NodeKind::Binary(operator, ..) => operator.level() == 4,
                _ => false,
            };
            let part = self.text(id);
            let is_known = !self.spoken_for.contains(&id);
            if !is_shown || !is_known || shown.iter().any(|along| along.part == part) {
                continue;
            }
            let values = &self.values[&id];
            let holds = values.iter().enumerate();
            shown.push(Along {
                part,
                holds_after: holds
                    .filter(|(_, truth)| **truth == Some(true))
                    .map(|(position, _)| self.first + position)
                    .collect(),
            });
        }
        shown.truncate(MOST_PARTS);
        shown
    }
}
