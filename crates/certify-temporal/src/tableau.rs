//! A tableau for the paths that violate a formula: a state is a set of obligations, parts of the formula that must be true
//! or false from here on.
//!
//! Paper: [Gerth, Peled, Vardi, Wolper 1995], with letters known; differs: branches are told apart by the truth of a part, and
//! words may end. The truth of a past operator, or of what was yesterday, is one bit that is guessed and owed at every position.
//! Invariant: a word that violates the formula has a run that always takes the branch that is true of the word. It puts off no
//! until for ever, as the until is true there, and where the word ends it owes nothing. So a system none of whose paths has
//! such a run satisfies the formula; nothing else is needed of the tableau.

use std::collections::{BTreeSet, HashMap};

use crate::formula::Ltl;

/// The most parts of a formula.
const MOST_PARTS: usize = 500;
/// The most branches of a state.
const MOST_WAYS: usize = 4_096;

/// A part of a formula, by the numbers of its own parts.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Op {
    True,
    Atom(u32),
    Not(usize),
    And(Vec<usize>),
    Next(usize),
    Until(usize, usize),
    Yesterday(usize),
    Since(usize, usize),
}

/// A tableau.
pub struct Tableau {
    parts: Vec<Op>,
    root: usize,
    /// The untils.
    pub(crate) untils: Vec<usize>,
}

/// A branch of a state under a letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// The state after it.
    pub next: Vec<u32>,
    /// Whether there has to be a next position.
    pub owes: bool,
    /// The untils that are put off, as bits.
    pub(crate) put_off: u64,
}

/// A branch under way.
#[derive(Clone, Default)]
struct Branch {
    todo: Vec<(usize, bool)>,
    done: BTreeSet<(usize, bool)>,
    next: BTreeSet<u32>,
    owes: bool,
    put_off: u64,
}

impl Tableau {
    /// The tableau of a formula; an error says what it cannot do.
    pub fn new(formula: &Ltl) -> Result<Tableau, String> {
        let mut tableau = Tableau {
            parts: Vec::new(),
            root: 0,
            untils: Vec::new(),
        };
        tableau.root = tableau.add(formula, &mut HashMap::new())?;
        let is_past = |op: &&Op| matches!(op, Op::Yesterday(_) | Op::Since(..));
        let past = tableau.parts.iter().filter(is_past).count();
        match tableau.untils.len() > 32 || past > 10 {
            true => Err("it has more than 32 untils or 10 operators of the past".to_owned()),
            false => Ok(tableau),
        }
    }

    fn add(&mut self, formula: &Ltl, known: &mut HashMap<Op, usize>) -> Result<usize, String> {
        let op = match formula {
            Ltl::True => Op::True,
            Ltl::Atom(atom) => Op::Atom(*atom),
            Ltl::Not(a) => Op::Not(self.add(a, known)?),
            Ltl::And(all) => {
                let all = all.iter().map(|part| self.add(part, known));
                Op::And(all.collect::<Result<_, _>>()?)
            }
            Ltl::Next(a) => Op::Next(self.add(a, known)?),
            Ltl::Until(a, b) => Op::Until(self.add(a, known)?, self.add(b, known)?),
            Ltl::Yesterday(a) => Op::Yesterday(self.add(a, known)?),
            Ltl::Since(a, b) => Op::Since(self.add(a, known)?, self.add(b, known)?),
        };
        if let Some(at) = known.get(&op) {
            return Ok(*at);
        }
        let at = self.parts.len();
        if at == MOST_PARTS {
            return Err(format!("it has more than {MOST_PARTS} parts"));
        }
        if matches!(op, Op::Until(..)) {
            self.untils.push(at);
        }
        known.insert(op.clone(), at);
        self.parts.push(op);
        Ok(at)
    }

    /// An obligation as a number.
    fn code(part: usize, truth: bool) -> u32 {
        (2 * part + usize::from(truth)) as u32
    }

    /// What is remembered of a part, as a number.
    fn memory(&self, part: usize) -> u32 {
        (2 * self.parts.len() + part) as u32
    }

    /// The state that begins: the formula is false.
    pub fn start(&self) -> Vec<u32> {
        vec![Tableau::code(self.root, false)]
    }

    /// The branches of a state whose letter has these atoms.
    pub fn ways(&self, state: &[u32], letter: u64) -> Result<Vec<Way>, String> {
        let end = 2 * self.parts.len() as u32;
        let owed = state.iter().filter(|code| **code < end);
        let first = Branch {
            todo: owed
                .map(|code| (*code as usize / 2, code % 2 == 1))
                .collect(),
            ..Branch::default()
        };
        let (mut open, mut ways) = (vec![first], Vec::new());
        // What is remembered is told apart by its truth.
        for (part, op) in self.parts.iter().enumerate() {
            let remembered = match op {
                Op::Yesterday(a) => *a,
                Op::Since(..) => part,
                _ => continue,
            };
            let mut others = open.clone();
            for branch in &mut open {
                branch.todo.push((remembered, false));
            }
            for branch in &mut others {
                branch.todo.push((remembered, true));
                branch.next.insert(self.memory(part));
            }
            open.extend(others);
        }
        while let Some(branch) = open.pop() {
            if ways.len() + open.len() > MOST_WAYS {
                return Err(format!("it has more than {MOST_WAYS} branches"));
            }
            let way = self.follow(branch, &mut open, state, letter);
            ways.extend(way.filter(|way| !ways.contains(way)));
        }
        Ok(ways)
    }

    /// Takes a branch up to its end, or to where it divides.
    fn follow(
        &self,
        mut branch: Branch,
        open: &mut Vec<Branch>,
        state: &[u32],
        letter: u64,
    ) -> Option<Way> {
        while let Some((part, truth)) = branch.todo.pop() {
            if branch.done.contains(&(part, !truth)) {
                return None;
            }
            if !branch.done.insert((part, truth)) {
                continue;
            }
            match &self.parts[part] {
                Op::Not(a) => branch.todo.push((*a, !truth)),
                Op::And(all) if truth => branch.todo.extend(all.iter().map(|part| (*part, true))),
                Op::And(all) => {
                    for part in all {
                        let mut other = branch.clone();
                        other.todo.push((*part, false));
                        open.push(other);
                    }
                    return None;
                }
                Op::Next(a) => {
                    branch.next.insert(Tableau::code(*a, truth));
                    branch.owes |= truth;
                }
                Op::Until(a, b) => {
                    // Now, or the first and then again; false: not now, and not the first or then again false.
                    let mut other = branch.clone();
                    match truth {
                        true => {
                            other.todo.push((*b, true));
                            let at = self.untils.iter().position(|until| *until == part);
                            branch.put_off |= 1 << at.unwrap_or_default();
                            branch.owes = true;
                        }
                        false => other.todo.extend([(*b, false), (*a, false)]),
                    }
                    branch.todo.extend([(*b, false), (*a, true)]);
                    branch.next.insert(Tableau::code(part, truth));
                    open.push(other);
                }
                Op::Since(a, b) => {
                    let before = state.contains(&self.memory(part));
                    if truth {
                        let mut other = branch.clone();
                        other.todo.push((*b, true));
                        open.push(other);
                    }
                    branch.todo.push((*b, false));
                    match before {
                        true => branch.todo.push((*a, truth)),
                        false if truth => return None,
                        false => {}
                    }
                }
                Op::Yesterday(_) if state.contains(&self.memory(part)) == truth => {}
                Op::Atom(atom) if (letter >> atom & 1 == 1) == truth => {}
                Op::True if truth => {}
                Op::Yesterday(_) | Op::Atom(_) | Op::True => return None,
            }
        }
        Some(Way {
            next: branch.next.into_iter().collect(),
            owes: branch.owes,
            put_off: branch.put_off,
        })
    }
}
