//! Translates formulas to automata, state by state.
//!
//! Technique: a state is what remains to be satisfied (one node in normal form). Its parts are unfolded to sums of
//! terms: literals now, obligations for the next position, and the untils that were put off. Every until has one
//! accepting set: the edges that do not put it off [Couvreur 1999].
//! The past is remembered: for each `Y φ` whether φ held at the position before, for each `φ S ψ` whether it held
//! there itself. An edge that remembers *yes* also promises the formula now, one that remembers *no* its negation;
//! so the formula may speak of the future.
//! Words may end: an obligation for a next position forbids that, unless it is weak.
//! Invariant: a memory that no remaining obligation mentions is forgotten, so that states are few.

use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::Ltl;
use crate::automaton::{Automaton, Cube, Edge, State};
use crate::normal::{FALSE, Node, Ref, TRUE, Table};
use crate::reduce::reduce;

/// How large an automaton may become on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// States, before they are reduced.
    pub states: usize,
    /// Edges, before they are reduced.
    pub edges: usize,
    /// Terms that one state is unfolded to.
    pub terms: usize,
}

impl Default for Bounds {
    /// Far more than formulas in the field need, built in a moment.
    fn default() -> Bounds {
        Bounds {
            states: 1 << 14,
            edges: 1 << 18,
            terms: 1 << 11,
        }
    }
}

/// The automaton would be larger than allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge(pub String);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TooLarge {}

/// The most untils, and the most memories: sets of them are machine words.
const MOST: usize = 64;

/// An automaton that accepts exactly the words on which the formula holds.
///
/// # Errors
/// When it would be larger than the bounds allow.
pub fn translate(formula: &Ltl, bounds: Bounds) -> Result<Automaton, TooLarge> {
    let built = translate_while(formula, bounds, &|| true)?;
    Ok(built.expect("nobody said that it should stop"))
}

/// The same, as long as `go_on` says so; `None` when it does not.
///
/// # Errors
/// When it would be larger than the bounds allow.
pub fn translate_while(
    formula: &Ltl,
    bounds: Bounds,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Automaton>, TooLarge> {
    let mut table = Table::new();
    let root = table.import(formula, true);
    // Each alternative has its own untils: an expanded quantifier has many.
    let alternatives = match table.get(root) {
        Node::Or(all) => all.to_vec(),
        _ => vec![root],
    };
    let mut whole = Automaton {
        states: Vec::new(),
        initial: Vec::new(),
        sets: 0,
        atoms: formula.atoms(),
    };
    let mut parts = Vec::new();
    let mut left = bounds;
    for root in alternatives {
        let mut tableau = Tableau {
            table,
            bounds: left,
            untils: Vec::new(),
            memories: Vec::new(),
            mentioned: FxHashMap::default(),
            unfolded: FxHashMap::default(),
        };
        let Some((states, sets)) = tableau.build(root, go_on)? else {
            return Ok(None);
        };
        table = tableau.table;
        left.states = left.states.saturating_sub(states.len());
        left.edges = left
            .edges
            .saturating_sub(states.iter().map(|state| state.edges.len()).sum());
        whole.sets = whole.sets.max(sets);
        parts.push((states, sets));
    }
    let all = whole.all_sets();
    for (states, sets) in parts {
        let from = whole.states.len() as u32;
        // Sets that this alternative does not need hold all of its edges.
        let more = all & !(u64::MAX.checked_shl(sets).map_or(u64::MAX, |high| !high));
        whole.initial.push(from);
        whole.states.extend(states.into_iter().map(|mut state| {
            for edge in &mut state.edges {
                edge.target += from;
                edge.accepting |= more;
            }
            state
        }));
    }
    Ok(Some(reduce(whole, go_on)))
}

/// The construction for one formula.
struct Tableau {
    table: Table,
    bounds: Bounds,
    /// Untils that are put off somewhere; the position is the accepting set.
    untils: Vec<Ref>,
    /// Formulas whose truth at the position before is remembered.
    memories: Vec<Ref>,
    /// For each node the memories it mentions.
    mentioned: FxHashMap<Ref, u64>,
    unfolded: FxHashMap<(Ref, u64), Rc<[Term]>>,
}

/// One way to satisfy something now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Term {
    cube: Cube,
    /// Obligations for the next position, sorted.
    next: Vec<Ref>,
    /// Whether there must be a next position.
    goes_on: bool,
    /// Untils that are put off.
    put_off: u64,
    /// What will be remembered.
    memory: u64,
}

impl Tableau {
    fn build(
        &mut self,
        root: Ref,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<(Vec<State>, u32)>, TooLarge> {
        let mut states: Vec<State> = Vec::new();
        let mut names: FxHashMap<(Ref, u64), u32> = FxHashMap::default();
        let mut keys = vec![(root, 0)];
        names.insert((root, 0), 0);
        let mut edges = 0;
        while let Some((node, memory)) = keys.get(states.len()).copied() {
            if !go_on() {
                return Ok(None);
            }
            let mut state = State::default();
            for term in self.terms(node, memory)? {
                if !term.goes_on {
                    insert_cube(&mut state.ends, term.cube.clone());
                }
                let next = self.table.and(term.next);
                if next == FALSE {
                    continue;
                }
                let key = (next, term.memory & self.mentioned(next)?);
                let name = *names.entry(key).or_insert_with(|| {
                    keys.push(key);
                    keys.len() as u32 - 1
                });
                insert_edge(
                    &mut state.edges,
                    Edge {
                        guard: term.cube,
                        target: name,
                        accepting: !term.put_off,
                    },
                );
            }
            edges += state.edges.len();
            states.push(state);
            if keys.len() > self.bounds.states || edges > self.bounds.edges {
                let (states, edges) = (self.bounds.states, self.bounds.edges);
                return Err(TooLarge(format!(
                    "the automaton of the formula has more than {states} states or {edges} edges"
                )));
            }
        }
        Ok(Some((states, self.untils.len() as u32)))
    }

    /// The ways to satisfy a node now, and to remember what it needs.
    fn terms(&mut self, node: Ref, memory: u64) -> Result<Vec<Term>, TooLarge> {
        let mut terms = self.unfold(node, memory)?.to_vec();
        let needed = self.mentioned(node)?;
        for at in (0..self.memories.len()).filter(|at| needed >> at & 1 == 1) {
            let formula = self.memories[at];
            let mut yes = self.unfold(formula, memory)?.to_vec();
            for term in &mut yes {
                term.memory |= 1 << at;
            }
            let negation = self.table.negate(formula);
            let no = self.unfold(negation, memory)?;
            yes.extend_from_slice(&no);
            terms = self.product(&terms, &yes)?;
        }
        Ok(terms)
    }

    /// The ways to satisfy a node now.
    fn unfold(&mut self, node: Ref, memory: u64) -> Result<Rc<[Term]>, TooLarge> {
        let key = (node, memory & self.mentioned(node)?);
        if let Some(known) = self.unfolded.get(&key) {
            return Ok(known.clone());
        }
        let terms = self.unfold_new(node, memory)?;
        let terms: Rc<[Term]> = terms.into();
        self.unfolded.insert(key, terms.clone());
        Ok(terms)
    }

    fn unfold_new(&mut self, node: Ref, memory: u64) -> Result<Vec<Term>, TooLarge> {
        let later = |next: Ref, goes_on: bool, put_off: u64| Term {
            next: if next == TRUE { Vec::new() } else { vec![next] },
            goes_on,
            put_off,
            ..Term::default()
        };
        match self.table.get(node).clone() {
            Node::True => Ok(vec![Term::default()]),
            Node::False => Ok(Vec::new()),
            Node::Literal(atom, sign) => {
                let mut term = Term::default();
                term.cube.add(atom, sign);
                Ok(vec![term])
            }
            Node::And(all) => {
                let all = all.iter().map(|part| self.unfold(*part, memory));
                let mut all = all.collect::<Result<Vec<_>, _>>()?;
                all.sort_by_key(|terms| terms.len());
                let mut product = vec![Term::default()];
                for terms in all {
                    product = self.product(&product, &terms)?;
                }
                Ok(product)
            }
            Node::Or(all) => {
                let mut sum = Vec::new();
                for part in all {
                    let terms = self.unfold(part, memory)?;
                    self.add_all(&mut sum, terms.iter().cloned())?;
                }
                Ok(sum)
            }
            Node::Next(a) => Ok(vec![later(a, true, 0)]),
            Node::WeakNext(a) => Ok(vec![later(a, false, 0)]),
            Node::Until(a, b) => {
                let set = self.until(node)?;
                let mut sum = self.unfold(b, memory)?.to_vec();
                let wait = self.unfold(a, memory)?;
                let wait = self.product(&wait, &[later(node, true, 1 << set)])?;
                self.add_all(&mut sum, wait.into_iter())?;
                Ok(sum)
            }
            Node::Release(a, b) => {
                let mut freed = self.unfold(a, memory)?.to_vec();
                self.add_all(&mut freed, std::iter::once(later(node, false, 0)))?;
                let b = self.unfold(b, memory)?;
                self.product(&b, &freed)
            }
            Node::Yesterday(a) => Ok(self.constant(self.remembers(a, memory)?)),
            Node::WeakYesterday(a) => {
                let negation = self.table.negate(a);
                Ok(self.constant(!self.remembers(negation, memory)?))
            }
            Node::Since(a, b) => {
                let mut sum = self.unfold(b, memory)?.to_vec();
                if self.remembers(node, memory)? {
                    let a = self.unfold(a, memory)?;
                    self.add_all(&mut sum, a.iter().cloned())?;
                }
                Ok(sum)
            }
            Node::Trigger(a, b) => {
                let negation = self.table.negate(node);
                let b = self.unfold(b, memory)?;
                if !self.remembers(negation, memory)? {
                    return Ok(b.to_vec());
                }
                let a = self.unfold(a, memory)?;
                self.product(&b, &a)
            }
        }
    }

    fn constant(&self, value: bool) -> Vec<Term> {
        if value {
            vec![Term::default()]
        } else {
            Vec::new()
        }
    }

    /// The accepting set of an until.
    fn until(&mut self, node: Ref) -> Result<usize, TooLarge> {
        number(&mut self.untils, node, "untils")
    }

    /// Whether a formula held at the position before, as far as the memory says.
    fn remembers(&self, formula: Ref, memory: u64) -> Result<bool, TooLarge> {
        let at = self.memories.iter().position(|known| *known == formula);
        Ok(at.is_some_and(|at| memory >> at & 1 == 1))
    }

    /// The memories that a node mentions, those of what is remembered included.
    fn mentioned(&mut self, node: Ref) -> Result<u64, TooLarge> {
        if let Some(known) = self.mentioned.get(&node) {
            return Ok(*known);
        }
        let mut mentioned = 0;
        for part in self.table.parts(node) {
            mentioned |= self.mentioned(part)?;
        }
        let formula = match *self.table.get(node) {
            Node::Yesterday(a) => Some(a),
            Node::WeakYesterday(a) => Some(self.table.negate(a)),
            Node::Since(..) => Some(node),
            Node::Trigger(..) => Some(self.table.negate(node)),
            _ => None,
        };
        if let Some(formula) = formula {
            mentioned |= 1 << number(&mut self.memories, formula, "past operators")?;
        }
        self.mentioned.insert(node, mentioned);
        Ok(mentioned)
    }

    fn product(&self, left: &[Term], right: &[Term]) -> Result<Vec<Term>, TooLarge> {
        let mut product = Vec::new();
        for a in left {
            let both = right.iter().filter_map(|b| a.and(b));
            self.add_all(&mut product, both)?;
        }
        Ok(product)
    }

    /// Adds terms that say something new.
    fn add_all(
        &self,
        terms: &mut Vec<Term>,
        more: impl Iterator<Item = Term>,
    ) -> Result<(), TooLarge> {
        for term in more {
            if terms.iter().any(|known| known.covers(&term)) {
                continue;
            }
            terms.retain(|known| !term.covers(known));
            terms.push(term);
            if terms.len() > self.bounds.terms {
                return Err(TooLarge(format!(
                    "a part of the formula has more than {} alternatives",
                    self.bounds.terms
                )));
            }
        }
        Ok(())
    }
}

impl Term {
    fn and(&self, other: &Term) -> Option<Term> {
        let cube = self.cube.meet(&other.cube)?;
        let mut next = [self.next.as_slice(), &other.next].concat();
        next.sort_unstable();
        next.dedup();
        Some(Term {
            cube,
            next,
            goes_on: self.goes_on || other.goes_on,
            put_off: self.put_off | other.put_off,
            memory: self.memory | other.memory,
        })
    }

    /// Whether it asks for no more than `other`.
    fn covers(&self, other: &Term) -> bool {
        self.memory == other.memory
            && self.goes_on <= other.goes_on
            && self.put_off & !other.put_off == 0
            && self.cube.contains(&other.cube)
            && self
                .next
                .iter()
                .all(|next| other.next.binary_search(next).is_ok())
    }
}

/// The position of a node in a list that it is added to.
fn number(list: &mut Vec<Ref>, node: Ref, what: &str) -> Result<usize, TooLarge> {
    if let Some(at) = list.iter().position(|known| *known == node) {
        return Ok(at);
    }
    if list.len() == MOST {
        return Err(TooLarge(format!("the formula has more than {MOST} {what}")));
    }
    list.push(node);
    Ok(list.len() - 1)
}

/// Adds a cube to a sum, joining cubes that differ in one sign.
fn insert_cube(cubes: &mut Vec<Cube>, cube: Cube) {
    if cubes.iter().any(|known| known.contains(&cube)) {
        return;
    }
    let joined = cubes.iter().find_map(|known| known.opposite(&cube));
    match joined {
        Some(joined) => insert_cube(cubes, joined),
        None => {
            cubes.retain(|known| !cube.contains(known));
            cubes.push(cube);
        }
    }
}

/// Adds an edge, joining edges that differ in one sign of their guards.
fn insert_edge(edges: &mut Vec<Edge>, edge: Edge) {
    let is_same = |known: &Edge| known.target == edge.target && known.accepting == edge.accepting;
    let covers = |known: &Edge, edge: &Edge| {
        known.target == edge.target
            && edge.accepting & !known.accepting == 0
            && known.guard.contains(&edge.guard)
    };
    if edges.iter().any(|known| covers(known, &edge)) {
        return;
    }
    let joined = edges.iter().filter(|known| is_same(known));
    let joined = joined
        .filter_map(|known| known.guard.opposite(&edge.guard))
        .next();
    match joined {
        Some(guard) => insert_edge(edges, Edge { guard, ..edge }),
        None => {
            edges.retain(|known| !covers(&edge, known));
            edges.push(edge);
        }
    }
}
