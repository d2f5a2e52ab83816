//! Checks why every fair path of a closed set satisfies a formula.
//!
//! The certificate lists the pairs of states and states of the tableau that can be met, and puts each into a part. It is
//! checked that the list holds the first pairs and whatever follows, that nothing is accepted where a path ends, and that along every
//! step parts stay or their numbers fall. So an infinite path ends up in one part, whose condition no step inside meets: an until
//! that is put off for ever, or a premise that is not kept. For strong fairness the condition is that something is taken: then
//! the pairs that do not enable it are divided into parts again, and the path ends up in one of these, or is not fair.
//! Fairness of everything that has a name (`WEF`, `SEF`) is a weak or strong constraint for each name of a step.
//! Paper: [Emerson, Lei 1987] for what makes a component bad; here only the result is looked at.

use std::collections::HashMap;
use std::rc::Rc;

use crate::formula::{Atom, Constraint, Cycles, Fairness, Formula, Logic};
use crate::graph::{Graph, Step};
use crate::tableau::{Tableau, Way};

/// What an accepted and fair path meets again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// An until is not put off, by its number.
    Until(u32),
    /// Something rests or is taken.
    Weak(Constraint),
    /// What every step meets.
    Always,
    /// Something is taken; only of states that enable it.
    Strong(Constraint),
    /// A step with a name is not possible or taken.
    WeakName(u32),
    /// A step with a name is taken; only of states where it is possible.
    StrongName(u32),
}

/// The conditions of a formula under one of its premises.
pub struct Conditions<'a> {
    graph: &'a Graph,
    atoms: &'a [Atom],
    /// Their list; parts name them by their numbers in it.
    pub list: Vec<Condition>,
    /// What follows the obligations of a state.
    pub tableau: Tableau,
    known: HashMap<(Vec<u32>, u64), Rc<[Way]>>,
}

impl<'a> Conditions<'a> {
    /// The conditions of a formula under each of its premises.
    pub fn all(graph: &'a Graph, formula: &'a Formula) -> Result<Vec<Conditions<'a>>, String> {
        let Logic::Linear(said, premises) = &formula.logic else {
            return Err("it is no formula of linear time".to_owned());
        };
        if formula.atoms.len() > 64 {
            return Err("it has more than 64 atoms".to_owned());
        }
        let none = [Fairness::default()];
        let premises = if premises.is_empty() {
            &none
        } else {
            &premises[..]
        };
        let of = |fairness: &Fairness| {
            let tableau = Tableau::new(said)?;
            Ok(Conditions {
                graph,
                atoms: &formula.atoms,
                list: list(&tableau, fairness, graph.names.len() as u32),
                tableau,
                known: HashMap::new(),
            })
        };
        premises.iter().map(of).collect()
    }

    /// Whether an atom holds.
    fn holds(&self, atom: u32, state: usize, step: Option<&Step>) -> bool {
        self.graph.holds(self.atoms[atom as usize], state, step)
    }

    /// Whether a part with a condition may hold a state.
    pub fn allows(&self, condition: Condition, state: usize) -> bool {
        match condition {
            Condition::Strong(constraint) => self.holds(constraint.enabled, state, None),
            Condition::StrongName(name) => self.graph.enables(state, name),
            _ => true,
        }
    }

    /// Whether a step meets a condition.
    pub fn meets(&self, condition: Condition, state: usize, step: &Step, way: &Way) -> bool {
        let taken = |constraint: Constraint| self.holds(constraint.taken, state, Some(step));
        match condition {
            Condition::Until(at) => way.put_off >> at & 1 == 0,
            Condition::Weak(one) => !self.holds(one.enabled, state, Some(step)) || taken(one),
            Condition::Always => true,
            Condition::Strong(one) => taken(one),
            Condition::WeakName(name) => step.name == name || !self.graph.enables(state, name),
            Condition::StrongName(name) => step.name == name,
        }
    }

    /// The branches of a state of the tableau under what is true of a state and a step.
    pub fn ways(
        &mut self,
        at: &[u32],
        state: usize,
        step: Option<&Step>,
    ) -> Result<Rc<[Way]>, String> {
        let atoms = 0..self.atoms.len() as u32;
        let letter = atoms
            .filter(|atom| self.holds(*atom, state, step))
            .fold(0, |letter, atom| letter | 1 << atom);
        let key = (at.to_vec(), letter);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let ways: Rc<[Way]> = self.tableau.ways(at, letter)?.into();
        self.known.insert(key, ways.clone());
        Ok(ways)
    }

    /// Checks why no path is accepted and fair.
    pub(crate) fn check(&mut self, cycles: &Cycles) -> Result<(), String> {
        let chains = self.chains(cycles)?;
        let numbers: HashMap<&[u32], u32> = (0..)
            .zip(&cycles.states)
            .map(|(at, state)| (&state[..], at))
            .collect();
        let part_of = |state: usize, next: &[u32]| {
            let pairs = &cycles.nodes[state];
            let number = numbers.get(next);
            let found =
                number.and_then(|number| pairs.binary_search_by_key(number, |pair| pair.0).ok());
            let found = found.ok_or_else(|| format!("a pair of state {state} is missing"))?;
            Ok::<u32, String>(pairs[found].1)
        };
        let graph = self.graph;
        for start in &graph.starts {
            part_of(*start as usize, &self.tableau.start())?;
        }
        for (state, pairs) in cycles.nodes.iter().enumerate() {
            for (at, part) in pairs {
                let at = &cycles.states[*at as usize];
                let condition = self.list[cycles.parts[*part as usize].condition as usize];
                if !self.allows(condition, state) {
                    return Err(format!("state {state} enables nothing that its part wants"));
                }
                if graph.steps[state].is_empty() {
                    let ways = self.ways(at, state, None)?;
                    if ways.iter().any(|way| !way.owes) {
                        return Err(format!("a path that violates it may end in state {state}"));
                    }
                }
                for step in &graph.steps[state] {
                    for way in self.ways(at, state, Some(step))?.iter() {
                        let next = part_of(step.target as usize, &way.next)?;
                        let meets = |part: u32| {
                            let condition = cycles.parts[part as usize].condition;
                            self.meets(self.list[condition as usize], state, step, way)
                        };
                        let (from, to) = (&chains[*part as usize], &chains[next as usize]);
                        if !falls(from, to, meets) {
                            return Err(format!("a step of state {state} stays or rises"));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// For each part the parts that it lies in, the largest first, itself last; the form of the certificate is looked at.
    fn chains(&self, cycles: &Cycles) -> Result<Vec<Vec<u32>>, String> {
        let mut chains: Vec<Vec<u32>> = Vec::new();
        for (at, part) in (0..).zip(&cycles.parts) {
            let mut chain = match part.parent.map(|parent| chains.get(parent as usize)) {
                None => Vec::new(),
                Some(Some(chain)) => chain.clone(),
                Some(None) => return Err("a part lies in no other".to_owned()),
            };
            chain.push(at);
            // As many nested parts as strong constraints are enough.
            if chain.len() > self.list.len() || part.condition as usize >= self.list.len() {
                return Err("a part has no condition".to_owned());
            }
            chains.push(chain);
        }
        let is_good = |pairs: &Vec<(u32, u32)>| {
            let ascends = pairs.windows(2).all(|pair| pair[0].0 < pair[1].0);
            let mut known = pairs.iter();
            ascends
                && known.all(|(state, part)| {
                    (*state as usize) < cycles.states.len() && (*part as usize) < chains.len()
                })
        };
        match cycles.nodes.len() == self.graph.steps.len() && cycles.nodes.iter().all(is_good) {
            true => Ok(chains),
            false => Err("its pairs are not those of the states".to_owned()),
        }
    }
}

/// The conditions under a premise, where so many steps have names.
fn list(tableau: &Tableau, fairness: &Fairness, names: u32) -> Vec<Condition> {
    let untils = 0..tableau.untils.len() as u32;
    let mut list: Vec<Condition> = untils.map(Condition::Until).collect();
    list.extend(fairness.weak.iter().copied().map(Condition::Weak));
    list.push(Condition::Always);
    list.extend(fairness.strong.iter().copied().map(Condition::Strong));
    if fairness.every_weak {
        list.extend((0..names).map(Condition::WeakName));
    }
    if fairness.every_strong {
        list.extend((0..names).map(Condition::StrongName));
    }
    list
}

/// Whether a step leads to a smaller part, or stays inside parts whose conditions it does not meet.
fn falls(from: &[u32], to: &[u32], meets: impl Fn(u32) -> bool) -> bool {
    for (from, to) in from.iter().zip(to) {
        if from != to {
            return to < from;
        }
        if meets(*from) {
            return false;
        }
    }
    true
}
