//! Checks why every fair path of a closed set satisfies a formula.
//!
//! The certificate lists the pairs of states and states of the tableau that can be met, and puts each into a part. It is
//! checked that the list holds the first pairs and whatever follows, that nothing is accepted where a path ends, and that along every
//! step parts stay or their numbers fall. So an infinite path ends up in one part, whose condition no step inside meets: an until
//! that is put off for ever, or a premise that is not kept. For strong fairness the condition is that something is taken: then
//! the pairs that do not enable it are divided into parts again, and the path ends up in one of these, or is not fair.
//! Paper: [Emerson, Lei 1987] for what makes a component bad; here only the result is looked at.

use std::collections::HashMap;
use std::rc::Rc;

use crate::formula::{Atom, Cycles, Fairness, Formula, Logic};
use crate::graph::{Graph, Step};
use crate::tableau::{Tableau, Way};

/// What an accepted and fair path meets again and again: every until is not put off, every weak constraint rests or is taken, one
/// that every step meets, and for strong constraints that they are taken.
pub struct Conditions<'a> {
    graph: &'a Graph,
    atoms: &'a [Atom],
    fairness: &'a Fairness,
    /// What follows the obligations of a state.
    pub tableau: Tableau,
    known: HashMap<(Vec<u32>, u64), Rc<[Way]>>,
}

impl<'a> Conditions<'a> {
    /// The conditions of a formula under each of its premises.
    pub fn all(graph: &'a Graph, formula: &'a Formula) -> Result<Vec<Conditions<'a>>, String> {
        const NONE: &[Fairness] = &[Fairness {
            weak: Vec::new(),
            strong: Vec::new(),
        }];
        let Logic::Linear(said, premises) = &formula.logic else {
            return Err("it is no formula of linear time".to_owned());
        };
        if formula.atoms.len() > 64 {
            return Err("it has more than 64 atoms".to_owned());
        }
        let premises = if premises.is_empty() { NONE } else { premises };
        let of = |fairness: &'a Fairness| {
            let conditions = Conditions {
                graph,
                atoms: &formula.atoms,
                fairness,
                tableau: Tableau::new(said)?,
                known: HashMap::new(),
            };
            match conditions.always() + fairness.strong.len() as u32 >= 64 {
                true => Err("it has too many conditions".to_owned()),
                false => Ok(conditions),
            }
        };
        premises.iter().map(of).collect()
    }

    /// The number of the condition that every step meets; those of strong constraints follow.
    pub fn always(&self) -> u32 {
        (self.tableau.untils.len() + self.fairness.weak.len()) as u32
    }

    /// The number of strong constraints.
    pub fn strong(&self) -> u32 {
        self.fairness.strong.len() as u32
    }

    /// Whether an atom holds.
    fn holds(&self, atom: u32, state: usize, step: Option<&Step>) -> bool {
        self.graph.holds(self.atoms[atom as usize], state, step)
    }

    /// Whether a state enables a strong constraint.
    pub fn enables(&self, state: usize, strong: u32) -> bool {
        let constraint = self.fairness.strong[strong as usize];
        self.holds(constraint.enabled, state, None)
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

    /// The conditions that a step meets, as bits.
    pub fn met(&self, state: usize, step: &Step, way: &Way) -> u64 {
        let untils = self.tableau.untils.len();
        let mut met = !way.put_off & ((1 << untils) - 1);
        let taken = |atom: u32| self.holds(atom, state, Some(step));
        for (at, weak) in self.fairness.weak.iter().enumerate() {
            let rests = !self.holds(weak.enabled, state, Some(step)) || taken(weak.taken);
            met |= u64::from(rests) << (untils + at);
        }
        met |= 1 << self.always();
        for (at, strong) in self.fairness.strong.iter().enumerate() {
            met |= u64::from(taken(strong.taken)) << (self.always() as usize + 1 + at);
        }
        met
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
                let strong = cycles.parts[*part as usize]
                    .condition
                    .checked_sub(self.always() + 1);
                if strong.is_some_and(|strong| !self.enables(state, strong)) {
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
                        let met = self.met(state, step, way);
                        let (from, to) = (&chains[*part as usize], &chains[next as usize]);
                        if !falls(from, to, met, cycles) {
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
            let is_deep = chain.len() as u32 > self.strong() + 1;
            if is_deep || part.condition > self.always() + self.strong() {
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

/// Whether a step leads to a smaller part, or stays inside parts whose conditions it does not meet.
fn falls(from: &[u32], to: &[u32], met: u64, cycles: &Cycles) -> bool {
    for (from, to) in from.iter().zip(to) {
        if from != to {
            return to < from;
        }
        if met >> cycles.parts[*from as usize].condition & 1 == 1 {
            return false;
        }
    }
    true
}
