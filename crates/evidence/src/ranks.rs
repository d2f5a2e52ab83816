//! Finds why no fair path of a closed set violates a formula, and the states in which parts of a branching one are true.
//!
//! Technique: the product of the set with the checker's tableau is built, strongly connected components become parts
//! [Emerson, Lei 1987], each with a condition that nothing inside meets; components that only a strong constraint makes unfair are
//! decomposed again without what enables it. Conditions about names are as many as there are names, so that of a component only
//! the names that its first state enables are tried, or those that some state enables.

use std::collections::{HashMap, HashSet, VecDeque};

use certify_temporal::{
    Component, Condition, Conditions, Ctl, Cycles, Evidence, Formula, Graph, Logic, Step, Way,
};

/// The most pairs of states and states of the tableau.
const MOST_PAIRS: usize = 20_000_000;

/// What proves a formula; an error says why nothing does.
pub fn prove(graph: &Graph, formula: &Formula) -> Result<Evidence, String> {
    match &formula.logic {
        Logic::Branching(said) => {
            let mut ranks = Ranks {
                graph,
                formula,
                found: Vec::new(),
            };
            ranks.truth(said);
            Ok(Evidence::Branching(ranks.found))
        }
        Logic::Linear(..) => {
            let conditions = Conditions::all(graph, formula)?;
            let cycles = conditions.into_iter().map(|conditions| {
                let is_named = |condition: &Condition| {
                    matches!(condition, Condition::WeakName(_) | Condition::StrongName(_))
                };
                let named = conditions.list.iter().position(is_named);
                let unnamed = named.unwrap_or(conditions.list.len());
                if unnamed > 64 {
                    return Err("it has more than 64 conditions".to_owned());
                }
                let mut product = Product {
                    graph,
                    conditions,
                    unnamed,
                    states: HashMap::new(),
                    pairs: Vec::new(),
                    edges: Vec::new(),
                };
                product.explore()?;
                product.cycles()
            });
            Ok(Evidence::Linear(cycles.collect::<Result<_, _>>()?))
        }
    }
}

/// Evidence as it is written in a certificate.
pub fn text(evidence: &Evidence) -> String {
    serde_json::to_string(evidence).expect("evidence has only texts and numbers")
}

/// The pairs that can be met, with their steps and the conditions that these meet.
struct Product<'a> {
    graph: &'a Graph,
    conditions: Conditions<'a>,
    /// How many conditions are not about names.
    unnamed: usize,
    states: HashMap<Vec<u32>, u32>,
    pairs: Vec<(u32, u32)>,
    edges: Vec<Vec<Edge>>,
}

/// A step of the product.
#[derive(Clone, Copy)]
struct Edge {
    to: u32,
    /// The name of the step.
    name: u32,
    /// The conditions before those about names that it meets, as bits.
    met: u64,
}

impl Product<'_> {
    fn explore(&mut self) -> Result<(), String> {
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        let mut texts: Vec<Vec<u32>> = Vec::new();
        let graph = self.graph;
        let start = self.conditions.tableau.start();
        for state in &graph.starts {
            self.pair((*state, &start), &mut known, &mut texts);
        }
        let mut at = 0;
        while at < self.pairs.len() {
            let (state, number) = self.pairs[at];
            let from = texts[number as usize].clone();
            let mut edges = Vec::new();
            if graph.steps[state as usize].is_empty() {
                let ways = self.conditions.ways(&from, state as usize, None)?;
                if ways.iter().any(|way| !way.owes) {
                    return Err("a path that ends violates it".to_owned());
                }
            }
            for step in &graph.steps[state as usize] {
                let ways = self.conditions.ways(&from, state as usize, Some(step))?;
                for way in ways.iter() {
                    let to = self.pair((step.target, &way.next), &mut known, &mut texts);
                    edges.push(Edge {
                        to,
                        name: step.name,
                        met: self.met(state as usize, step, way),
                    });
                }
            }
            self.edges.push(edges);
            if self.pairs.len() > MOST_PAIRS {
                return Err("its product has too many states".to_owned());
            }
            at += 1;
        }
        Ok(())
    }

    /// The conditions that a step meets, but for those about names.
    fn met(&self, state: usize, step: &Step, way: &Way) -> u64 {
        let conditions = &self.conditions;
        let known = conditions.list.iter().take(self.unnamed).enumerate();
        known.fold(0, |met, (at, condition)| {
            met | u64::from(conditions.meets(*condition, state, step, way)) << at
        })
    }

    fn pair(
        &mut self,
        (state, text): (u32, &[u32]),
        known: &mut HashMap<(u32, u32), u32>,
        texts: &mut Vec<Vec<u32>>,
    ) -> u32 {
        let number = match self.states.get(text) {
            Some(number) => *number,
            None => {
                texts.push(text.to_vec());
                self.states.insert(text.to_vec(), texts.len() as u32 - 1);
                texts.len() as u32 - 1
            }
        };
        let next = self.pairs.len() as u32;
        let at = *known.entry((state, number)).or_insert(next);
        if at == next {
            self.pairs.push((state, number));
        }
        at
    }

    fn cycles(&self) -> Result<Cycles, String> {
        let mut states = vec![Vec::new(); self.states.len()];
        for (text, number) in &self.states {
            states[*number as usize] = text.clone();
        }
        let mut cycles = Cycles {
            states,
            parts: Vec::new(),
            nodes: vec![Vec::new(); self.graph.steps.len()],
        };
        let mut part_of = vec![0; self.pairs.len()];
        let all: Vec<u32> = (0..self.pairs.len() as u32).collect();
        self.divide(all, None, &mut cycles, &mut part_of)?;
        for ((state, number), part) in self.pairs.iter().zip(part_of) {
            cycles.nodes[*state as usize].push((*number, part));
        }
        cycles
            .nodes
            .iter_mut()
            .for_each(|pairs| pairs.sort_unstable());
        Ok(cycles)
    }

    /// Divides pairs into parts; edges lead to parts with smaller numbers.
    fn divide(
        &self,
        pairs: Vec<u32>,
        parent: Option<u32>,
        cycles: &mut Cycles,
        part_of: &mut [u32],
    ) -> Result<(), String> {
        let index: HashMap<u32, u32> = pairs.iter().copied().zip(0..).collect();
        let inside = |at: usize| {
            let edges = self.edges[pairs[at] as usize].iter();
            edges.filter_map(|edge| Some((*index.get(&edge.to)?, edge)))
        };
        let (component, count) =
            buchi::components(pairs.len(), |at| inside(at).map(|(to, _)| to).collect());
        let mut parts = vec![Connected::default(); count];
        for (at, own) in component.iter().enumerate() {
            let part = &mut parts[*own as usize];
            part.members.push(pairs[at]);
            for (_, edge) in inside(at).filter(|(to, _)| component[*to as usize] == *own) {
                part.met |= edge.met;
                if self.unnamed < self.conditions.list.len() {
                    part.names.insert(edge.name);
                }
            }
        }
        // The last part, if a component may join it.
        let mut last: Option<u32> = None;
        for found in parts {
            let joined = last.filter(|part| self.joins(&found, *part, cycles, part_of));
            if let Some(part) = joined {
                let members = found.members.iter();
                members.for_each(|pair| part_of[*pair as usize] = part);
                continue;
            }
            let part = cycles.parts.len() as u32;
            let (condition, is_strong) = self.unmet(&found).ok_or("a fair path violates it")?;
            cycles.parts.push(Component {
                parent,
                condition: condition as u32,
            });
            let condition = self.conditions.list[condition];
            let allows = |pair: &u32| {
                let (state, _) = self.pairs[*pair as usize];
                self.conditions.allows(condition, state as usize)
            };
            let members = found.members.into_iter();
            let (here, rest): (Vec<u32>, Vec<u32>) = members.partition(allows);
            here.iter().for_each(|pair| part_of[*pair as usize] = part);
            last = (!is_strong).then_some(part);
            if is_strong {
                self.divide(rest, Some(part), cycles, part_of)?;
            }
        }
        Ok(())
    }

    /// A condition that no step inside meets, and whether only some of the states enable what it is about.
    fn unmet(&self, found: &Connected) -> Option<(usize, bool)> {
        let (graph, list) = (self.graph, &self.conditions.list);
        let states = || {
            found
                .members
                .iter()
                .map(|pair| self.pairs[*pair as usize].0 as usize)
        };
        let free = || (0..self.unnamed).filter(|at| found.met >> at & 1 == 0);
        let is_strong = |at: &usize| matches!(list[*at], Condition::Strong(_));
        let names = |state: usize| {
            let names = graph.steps[state].iter().map(|step| step.name);
            names.filter(|name| !found.names.contains(name))
        };
        let of = |first: Condition, name: u32| {
            let first = list.iter().position(|condition| *condition == first);
            first.map(|first| first + name as usize)
        };
        let weak = || {
            let mut first = states().take(1).flat_map(names);
            let name = first.find(|name| states().all(|state| graph.enables(state, *name)))?;
            of(Condition::WeakName(0), name)
        };
        let is_enabled =
            |at: &usize| states().any(|state| self.conditions.allows(list[*at], state));
        let plain = free().find(|at| !is_strong(at)).or_else(weak);
        let strong = || free().filter(is_strong).find(is_enabled);
        let named = || of(Condition::StrongName(0), states().flat_map(names).next()?);
        match plain {
            Some(at) => Some((at, false)),
            None => strong().or_else(named).map(|at| (at, true)),
        }
    }

    /// Whether a component may lie in a part: nothing inside, and no step into it, meets the condition.
    fn joins(&self, found: &Connected, part: u32, cycles: &Cycles, part_of: &[u32]) -> bool {
        let condition = cycles.parts[part as usize].condition as usize;
        let misses = |met: u64| met >> condition & 1 == 0;
        let members = &found.members;
        let stays = |edge: &Edge| {
            members.contains(&edge.to) || part_of[edge.to as usize] != part || misses(edge.met)
        };
        condition < self.unnamed
            && members.len() < 64
            && misses(found.met)
            && members
                .iter()
                .all(|pair| self.edges[*pair as usize].iter().all(stays))
    }
}

/// A strongly connected component.
#[derive(Clone, Default)]
struct Connected {
    members: Vec<u32>,
    /// The conditions before those about names that steps inside meet.
    met: u64,
    /// The names of steps inside.
    names: HashSet<u32>,
}

/// Finds the states in which parts of a branching formula are true.
struct Ranks<'a> {
    graph: &'a Graph,
    formula: &'a Formula,
    found: Vec<Vec<u32>>,
}

impl Ranks<'_> {
    fn truth(&mut self, formula: &Ctl) -> Vec<bool> {
        let graph = self.graph;
        let atom = |atom: u32| self.formula.atoms[atom as usize];
        let states = 0..graph.steps.len();
        match formula {
            Ctl::True => vec![true; states.len()],
            Ctl::Atom(number) => {
                let atom = atom(*number);
                states.map(|state| graph.holds(atom, state, None)).collect()
            }
            Ctl::Not(a) => self.truth(a).into_iter().map(|truth| !truth).collect(),
            Ctl::And(all) => {
                let parts: Vec<Vec<bool>> = all.iter().map(|part| self.truth(part)).collect();
                states
                    .map(|state| parts.iter().all(|part| part[state]))
                    .collect()
            }
            Ctl::Next(by, a) => {
                let by = by.map(atom);
                let a = self.truth(a);
                let steps = |state: usize| graph.steps[state].iter().map(move |step| (state, step));
                let leads = |(state, step): (usize, &Step)| {
                    a[step.target as usize]
                        && by.is_none_or(|by| graph.holds(by, state, Some(step)))
                };
                states.map(|state| steps(state).any(leads)).collect()
            }
            Ctl::Until(a, b) => {
                let own = self.found.len();
                self.found.push(Vec::new());
                let (a, b) = (self.truth(a), self.truth(b));
                // Every source joins when its first target does.
                self.found[own] = self.backwards(&b, |source, _| a[source]);
                self.found[own].iter().map(|rank| *rank > 0).collect()
            }
            Ctl::Globally(a) => {
                let own = self.found.len();
                self.found.push(Vec::new());
                let ends: Vec<bool> = self.truth(a).into_iter().map(|truth| !truth).collect();
                // A source joins when its last target does.
                let mut left: Vec<usize> = graph.steps.iter().map(Vec::len).collect();
                self.found[own] = self.backwards(&ends, |source, count| {
                    left[source] -= count;
                    left[source] == 0
                });
                self.found[own].iter().map(|rank| *rank == 0).collect()
            }
        }
    }

    /// Numbers of steps to the given states, and one more; a source is asked whether it joins for each target that did, with the
    /// number of steps there.
    fn backwards(&self, first: &[bool], mut joins: impl FnMut(usize, usize) -> bool) -> Vec<u32> {
        let steps = &self.graph.steps;
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); steps.len()];
        for (source, steps) in steps.iter().enumerate() {
            for step in steps {
                sources[step.target as usize].push(source as u32);
            }
        }
        let mut ranks = vec![0; steps.len()];
        let mut queue: VecDeque<usize> = (0..steps.len()).filter(|state| first[*state]).collect();
        queue.iter().for_each(|state| ranks[*state] = 1);
        while let Some(state) = queue.pop_front() {
            for same in sources[state].chunk_by(|a, b| a == b) {
                let source = same[0] as usize;
                if ranks[source] == 0 && joins(source, same.len()) {
                    ranks[source] = ranks[state] + 1;
                    queue.push_back(source);
                }
            }
        }
        ranks
    }
}
