//! Finds why no fair path of a closed set violates a formula, and the states in which parts of a branching one are true.
//!
//! Technique: the product of the set with the checker's tableau is built, strongly connected components become parts
//! [Emerson, Lei 1987], each with a condition that nothing inside meets; components that only a strong constraint makes unfair are
//! decomposed again without what enables it.

use std::collections::{HashMap, VecDeque};

use certify::{Component, Conditions, Ctl, Cycles, Evidence, Formula, Graph, Logic};

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
                let mut product = Product {
                    graph,
                    conditions,
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

/// The pairs that can be met, with their steps and the conditions that these meet.
struct Product<'a> {
    graph: &'a Graph,
    conditions: Conditions<'a>,
    states: HashMap<Vec<u32>, u32>,
    pairs: Vec<(u32, u32)>,
    edges: Vec<Vec<(u32, u64)>>,
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
                    let met = self.conditions.met(state as usize, step, way);
                    let to = self.pair((step.target, &way.next), &mut known, &mut texts);
                    edges.push((to, met));
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
            edges.filter_map(|(to, met)| Some((*index.get(to)?, *met)))
        };
        let (component, count) =
            buchi::components(pairs.len(), |at| inside(at).map(|(to, _)| to).collect());
        let mut members = vec![Vec::new(); count];
        let mut met = vec![0u64; count];
        for (at, own) in component.iter().enumerate() {
            members[*own as usize].push(pairs[at]);
            for (_, edge) in inside(at).filter(|(to, _)| component[*to as usize] == *own) {
                met[*own as usize] |= edge;
            }
        }
        // The last part, if a component may join it.
        let mut last: Option<u32> = None;
        for (members, met) in members.into_iter().zip(met) {
            if let Some(part) =
                last.filter(|part| self.joins(&members, met, *part, cycles, part_of))
            {
                members
                    .iter()
                    .for_each(|pair| part_of[*pair as usize] = part);
                continue;
            }
            let always = self.conditions.always();
            let part = cycles.parts.len() as u32;
            let free = (0..=always).find(|condition| met >> condition & 1 == 0);
            if let Some(condition) = free {
                cycles.parts.push(Component { parent, condition });
                members
                    .iter()
                    .for_each(|pair| part_of[*pair as usize] = part);
                last = Some(part);
                continue;
            }
            let enables = |pair: &u32, strong: u32| {
                let (state, _) = self.pairs[*pair as usize];
                self.conditions.enables(state as usize, strong)
            };
            let mut strong = 0..self.conditions.strong();
            let unfair = strong.find(|strong| {
                met >> (always + 1 + strong) & 1 == 0
                    && members.iter().any(|pair| enables(pair, *strong))
            });
            let strong = unfair.ok_or("a fair path violates it")?;
            let condition = always + 1 + strong;
            cycles.parts.push(Component { parent, condition });
            let (here, rest) = members.into_iter().partition(|pair| enables(pair, strong));
            let here: Vec<u32> = here;
            here.iter().for_each(|pair| part_of[*pair as usize] = part);
            self.divide(rest, Some(part), cycles, part_of)?;
            last = None;
        }
        Ok(())
    }

    /// Whether a component may lie in a part: nothing inside, and no step into it, meets the condition.
    fn joins(
        &self,
        members: &[u32],
        met: u64,
        part: u32,
        cycles: &Cycles,
        part_of: &[u32],
    ) -> bool {
        let condition = cycles.parts[part as usize].condition;
        let stays = |(to, met): &(u32, u64)| {
            members.contains(to) || part_of[*to as usize] != part || met >> condition & 1 == 0
        };
        members.len() < 64
            && met >> condition & 1 == 0
            && members
                .iter()
                .all(|pair| self.edges[*pair as usize].iter().all(stays))
    }
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
                let leads = |(state, step): (usize, &certify::Step)| {
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
