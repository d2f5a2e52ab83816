//! Loops through a node of the product that are accepted and fair, as short as they can be found.
//!
//! Technique: breadth-first search that visits nodes once for each set of conditions met so far finds a shortest loop.
//! With many conditions it is greedy instead: the nearest edge that meets another one, again and again, then home;
//! and then detours are cut out as long as the loop stays good.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::fairness::{Conditions, Need};
use super::product::{Cursor, Machine, Move, Node, Numbers};
use super::space::{Space, Trouble};

/// Nodes with the edges out of them.
pub(crate) type Trail = Vec<(Node, Move)>;

/// A node that a breadth-first search found: its predecessor in the list, and the edge from there.
pub(crate) type Found = (Node, usize, Option<Move>);

/// The search for short evidence may look at this many new states, or as many as are known if that is more: a user
/// waits for it.
const NEW_STATES: u64 = 20_000;
/// An exact search for a loop remembers at most so many sets of conditions, in bits.
const EXACT: usize = 10;
/// And so many nodes with such sets.
const MOST: usize = 2_000_000;

/// Where a search for evidence may go.
#[derive(Clone, Copy)]
pub(crate) enum Realm<'r> {
    /// Anywhere until so many states were expanded.
    Until(u64),
    /// Where the search has been.
    Visited(&'r Numbers),
    /// In a set of nodes.
    Part(&'r FxHashMap<Node, ()>),
}

impl Realm<'_> {
    /// Anywhere, as long as that does not take long.
    pub(crate) fn nearby(space: &Space<'_>) -> Realm<'static> {
        Realm::Until(space.expanded() + space.expanded().max(NEW_STATES))
    }

    /// Whether a node lies in it.
    pub(crate) fn has(&self, node: Node) -> bool {
        match self {
            Realm::Until(_) => true,
            Realm::Visited(numbers) => numbers.get(node) != 0,
            Realm::Part(part) => part.contains_key(&node),
        }
    }

    /// Makes the edges of a node known; whether that is allowed.
    pub(crate) fn expand(&self, space: &mut Space<'_>, node: Node) -> Result<bool, Trouble> {
        if let Realm::Until(most) = self
            && !space.is_expanded(node.0)
            && space.expanded() >= *most
        {
            return Ok(false);
        }
        space.expand(node.0)?;
        Ok(true)
    }
}

/// The way to a node that was found.
pub(crate) fn trail_to(order: &[Found], mut at: usize) -> Trail {
    let mut trail = Vec::new();
    while let (_, before, Some(step)) = order[at] {
        trail.push((order[before].0, step));
        at = before;
    }
    trail.reverse();
    trail
}

/// Loops in a part of the product.
pub(crate) struct Rounds<'r> {
    pub(crate) conditions: &'r Conditions<'r>,
    pub(crate) part: &'r FxHashMap<Node, ()>,
    nodes: &'r [Node],
    /// What every loop must pass, what it may come by, and what it must then pass too; a bit each.
    bits: Vec<Need>,
    always: usize,
    strong: usize,
}

impl<'r> Rounds<'r> {
    pub(crate) fn new(
        space: &Space<'_>,
        conditions: &'r Conditions<'r>,
        nodes: &'r [Node],
        part: &'r FxHashMap<Node, ()>,
    ) -> Rounds<'r> {
        let fairness = conditions.fairness;
        let mut bits = conditions.needs(space, nodes);
        bits.retain(|need| !matches!(need, Need::Taken(_)));
        let always = bits.len();
        bits.extend(fairness.strong.iter().map(|c| Need::Enabled(c.enabled)));
        bits.extend(fairness.strong.iter().map(|c| Need::Taken(c.taken)));
        Rounds {
            conditions,
            part,
            nodes,
            bits,
            always,
            strong: fairness.strong.len(),
        }
    }

    /// Whether shortest loops can be found.
    pub(crate) fn is_exact(&self) -> bool {
        let fairness = self.conditions.fairness;
        self.bits.len() <= EXACT && !fairness.follows_items()
    }

    /// A good loop through a node of the part.
    pub(crate) fn through(&self, space: &mut Space<'_>, entry: Node) -> Option<Trail> {
        let realms = [Realm::nearby(space), Realm::Part(self.part)];
        let shortest = realms.into_iter().filter(|_| self.is_exact());
        let mut shortest = shortest.filter_map(|realm| {
            let found = self.shortest(space, entry, realm, usize::MAX, &mut 0);
            found.ok().flatten()
        });
        let found = shortest.next();
        drop(shortest);
        found.or_else(|| self.greedy(space, entry))
    }

    fn is_good(&self, met: u64) -> bool {
        let all = (1 << self.always) - 1;
        let (enabled, taken) = (met >> self.always, met >> (self.always + self.strong));
        met & all == all && enabled & !taken & ((1 << self.strong) - 1) == 0
    }

    /// A shortest good loop through a node with at most so many steps; the edges that were followed are counted.
    pub(crate) fn shortest(
        &self,
        space: &mut Space<'_>,
        entry: Node,
        realm: Realm<'_>,
        most: usize,
        effort: &mut usize,
    ) -> Result<Option<Trail>, Trouble> {
        let mut seen: FxHashMap<(Node, u64), ()> = FxHashMap::default();
        let mut order: Vec<Found> = vec![(entry, 0, None)];
        // For each of them the conditions met, and the number of steps.
        let mut met: Vec<(u64, usize)> = vec![(0, 0)];
        let mut at = 0;
        while at < order.len() && order.len() < MOST && met[at].1 < most {
            let node = order[at].0;
            if !realm.expand(space, node)? {
                return Ok(None);
            }
            let mut cursor = Cursor::default();
            while let Some(step) = self.conditions.machine.next(space, node, &mut cursor)? {
                *effort += 1;
                if !realm.has(step.target) {
                    continue;
                }
                let (mut now, steps) = met[at];
                for (bit, need) in self.bits.iter().enumerate() {
                    now |= u64::from(need.is_met(space, node, &step)) << bit;
                }
                if step.target == entry && self.is_good(now) {
                    order.push((step.target, at, Some(step)));
                    return Ok(Some(trail_to(&order, order.len() - 1)));
                }
                if seen.insert((step.target, now), ()).is_none() {
                    order.push((step.target, at, Some(step)));
                    met.push((now, steps + 1));
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// A good loop within the part, shortened as far as cutting out detours does it.
    fn greedy(&self, space: &mut Space<'_>, entry: Node) -> Option<Trail> {
        let (machine, part) = (self.conditions.machine, self.part);
        let mut left = self.conditions.needs(space, self.nodes);
        let mut trail: Trail = Vec::new();
        let mut at = entry;
        while !left.is_empty() {
            let found = search_edges(space, machine, at, part, &|space, node, step| {
                left.iter().any(|need| need.is_met(space, node, step))
            })?;
            at = found.last()?.1.target;
            for (node, step) in &found {
                left.retain(|need| !need.is_met(space, *node, step));
            }
            trail.extend(found);
        }
        if at != entry || trail.is_empty() {
            let home = |_: &Space<'_>, _: Node, step: &Move| step.target == entry;
            trail.extend(search_edges(space, machine, at, part, &home)?);
        }
        cut_detours(space, self.conditions, &mut trail);
        Some(trail)
    }
}

/// The way to the nearest edge that is wanted, that edge included.
fn search_edges(
    space: &mut Space<'_>,
    machine: &Machine,
    from: Node,
    set: &FxHashMap<Node, ()>,
    wanted: &dyn Fn(&Space<'_>, Node, &Move) -> bool,
) -> Option<Trail> {
    let mut before: FxHashMap<Node, Option<(Node, Move)>> = FxHashMap::default();
    before.insert(from, None);
    let mut todo = VecDeque::from([from]);
    while let Some(node) = todo.pop_front() {
        let mut cursor = Cursor::default();
        while let Ok(Some(step)) = machine.next(space, node, &mut cursor) {
            if !set.contains_key(&step.target) {
                continue;
            }
            if wanted(space, node, &step) {
                let mut trail = vec![(node, step)];
                let mut at = node;
                while let Some(Some((previous, step))) = before.get(&at) {
                    trail.push((*previous, *step));
                    at = *previous;
                }
                trail.reverse();
                return Some(trail);
            }
            before.entry(step.target).or_insert_with(|| {
                todo.push_back(step.target);
                Some((node, step))
            });
        }
    }
    None
}

/// Leaves out rounds inside the loop as long as it stays good, longest first.
fn cut_detours(space: &Space<'_>, conditions: &Conditions<'_>, trail: &mut Trail) {
    let mut from = 0;
    while from < trail.len() {
        let same = (from + 1..trail.len())
            .rev()
            .filter(|to| trail[*to].0 == trail[from].0);
        let shorter = same.map(|to| [&trail[..from], &trail[to..]].concat());
        let good = shorter
            .into_iter()
            .find(|shorter| conditions.is_good(space, shorter));
        match good {
            Some(shorter) => *trail = shorter,
            None => from += 1,
        }
    }
}
