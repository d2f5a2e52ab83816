//! A set of states as a diagram: how it is read, and the check that it is closed.
//!
//! Paper: list decision diagrams, [Blom, van de Pol 2008]; differs: nodes have their edges as a list, and nothing is united or
//! applied here. A step of an action is a pair of short vectors; `Relation` holds these pairs as a diagram, and
//! `Inclusion::within` walks set, relation and set at once, to see that whatever a step leads to is in the set.
//! Invariant: a node is one level above its children, values ascend, and every node leads to the end.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use certify::{Certificate, Levels, Rejected};

/// A node. Node 0 is the end, where no level is left.
pub(crate) type Node = u32;
/// The end.
const END: Node = 0;

/// A set of states.
#[derive(Clone)]
pub(crate) struct Diagram {
    /// The component of each level.
    pub(crate) order: Vec<usize>,
    /// The edges of each node, by the numbers of values.
    nodes: Vec<Vec<(u32, Node)>>,
    pub(crate) root: Node,
}

impl Diagram {
    /// Reads the diagram of a certificate, with a level for each component.
    pub(crate) fn read(certificate: &Certificate) -> Result<Diagram, Rejected> {
        let damaged = Rejected::Damaged;
        let misfit = Rejected::Misfit("its states are no diagram");
        let Levels {
            order,
            nodes: count,
        } = certificate.header.diagram.as_ref().ok_or(misfit)?;
        let (values, mut reader) = (&certificate.values, certificate.states());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..values.len()) {
            return Err(damaged("its levels are not the components"));
        }
        // A node takes three bytes at least, so that the file bounds how many there can be.
        if *count > reader.left() {
            return Err(damaged("it has fewer nodes than it says"));
        }
        let mut nodes: Vec<Vec<(u32, Node)>> = vec![Vec::new()];
        // How many levels are below a node.
        let mut below = vec![0usize];
        for _ in 0..*count {
            let mut edges: Vec<(u32, Node)> = Vec::new();
            for _ in 0..reader.number()? {
                let (value, child) = (reader.number()?, reader.number()?);
                let child = usize::try_from(child).ok().filter(|at| *at < nodes.len());
                let child = child.ok_or(damaged("an edge leads nowhere"))?;
                let level = order.len().checked_sub(below[child] + 1);
                let level = level.ok_or(damaged("it has too many levels"))?;
                let is_first = edges.is_empty();
                let is_even = is_first || below[edges[0].1 as usize] == below[child];
                let ascends = edges
                    .last()
                    .is_none_or(|(last, _)| u64::from(*last) < value);
                if !is_even || !ascends || value >= values[order[level]].len() as u64 {
                    return Err(damaged("a node has wrong edges"));
                }
                edges.push((value as u32, child as Node));
            }
            let (_, child) = edges.first().ok_or(damaged("a node has no edges"))?;
            below.push(below[*child as usize] + 1);
            nodes.push(edges);
        }
        if below.last() != Some(&order.len()) {
            return Err(damaged("it has too few levels"));
        }
        reader.end()?;
        let diagram = Diagram {
            order: order.clone(),
            root: nodes.len() as Node - 1,
            nodes,
        };
        match diagram.count() == certificate.header.states {
            true => Ok(diagram),
            false => Err(damaged("it has another number of states")),
        }
    }

    /// How many states there are; at most the largest number.
    fn count(&self) -> u64 {
        let mut counts = vec![1u64];
        for edges in &self.nodes[1..] {
            let below = edges.iter().map(|(_, child)| counts[*child as usize]);
            counts.push(below.fold(0, u64::saturating_add));
        }
        counts[self.root as usize]
    }

    fn child(&self, node: Node, value: u32) -> Option<Node> {
        let edges = &self.nodes[node as usize];
        let at = edges.binary_search_by_key(&value, |(known, _)| *known);
        at.ok().map(|at| edges[at].1)
    }

    /// Whether a state, by the components' numbers of values, is in the set.
    pub(crate) fn contains(&self, state: &[u32]) -> bool {
        let mut levels = self.order.iter();
        let end = levels.try_fold(self.root, |node, at| self.child(node, state[*at]));
        end.is_some()
    }

    /// The state that some choices lead to, each among as many as there are.
    pub(crate) fn member(&self, choose: &mut dyn FnMut(usize) -> usize) -> Vec<u32> {
        let mut state = vec![0; self.order.len()];
        let mut node = self.root;
        for at in &self.order {
            let edges = &self.nodes[node as usize];
            let (value, child) = edges[choose(edges.len())];
            (state[*at], node) = (value, child);
        }
        state
    }

    /// The levels of some components, ascending.
    pub(crate) fn levels(&self, components: &[usize]) -> Vec<usize> {
        let levels = 0..self.order.len();
        levels
            .filter(|level| components.contains(&self.order[*level]))
            .collect()
    }

    /// Every short vector that a state has on some levels: the nodes that are reached after each of its beginnings are kept
    /// as a set.
    pub(crate) fn short_vectors(
        &self,
        levels: &[usize],
        visit: &mut dyn FnMut(&[u32]) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        let mut projection = Projection {
            diagram: self,
            levels,
            known: HashMap::new(),
            nodes: vec![Vec::new()],
        };
        let top = projection.of(0, BTreeSet::from([self.root]));
        projection.visit(top, &mut Vec::new(), visit)
    }
}

/// The projection of a diagram to some levels.
struct Projection<'a> {
    diagram: &'a Diagram,
    levels: &'a [usize],
    known: HashMap<(usize, BTreeSet<Node>), Node>,
    nodes: Vec<Vec<(u32, Node)>>,
}

impl Projection<'_> {
    /// The projection of the union of some nodes of a level.
    fn of(&mut self, level: usize, from: BTreeSet<Node>) -> Node {
        if self.levels.last().is_none_or(|last| level > *last) {
            return END;
        }
        let key = (level, from);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let diagram = self.diagram;
        let edges = key.1.iter().flat_map(|node| &diagram.nodes[*node as usize]);
        let node = match self.levels.contains(&level) {
            false => {
                let children = edges.map(|(_, child)| *child).collect();
                self.of(level + 1, children)
            }
            true => {
                let mut by_value: BTreeMap<u32, BTreeSet<Node>> = BTreeMap::new();
                for (value, child) in edges {
                    by_value.entry(*value).or_default().insert(*child);
                }
                let edges = by_value.into_iter();
                let edges = edges.map(|(value, to)| (value, self.of(level + 1, to)));
                let edges = edges.collect();
                self.nodes.push(edges);
                self.nodes.len() as Node - 1
            }
        };
        self.known.insert(key, node);
        node
    }

    fn visit(
        &self,
        node: Node,
        short: &mut Vec<u32>,
        visit: &mut dyn FnMut(&[u32]) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        if node == END {
            return visit(short);
        }
        for (value, child) in &self.nodes[node as usize] {
            short.push(*value);
            self.visit(*child, short, visit)?;
            short.pop();
        }
        Ok(())
    }
}

/// The edges of a node of a relation: what is read and written.
type Pairs = Vec<((u32, u32), Node)>;

/// Pairs of short vectors as a diagram, or short vectors, each with itself.
pub(crate) struct Relation {
    levels: Vec<usize>,
    nodes: Vec<Pairs>,
    root: Option<Node>,
}

impl Relation {
    /// The relation of some pairs over some levels.
    pub(crate) fn new(levels: Vec<usize>, mut rows: Vec<Vec<(u32, u32)>>) -> Relation {
        rows.sort_unstable();
        rows.dedup();
        let mut relation = Relation {
            levels,
            nodes: vec![Vec::new()],
            root: None,
        };
        if !rows.is_empty() {
            let root = relation.of(&rows, 0, &mut HashMap::new());
            relation.root = Some(root);
        }
        relation
    }

    fn of(
        &mut self,
        rows: &[Vec<(u32, u32)>],
        depth: usize,
        known: &mut HashMap<Pairs, Node>,
    ) -> Node {
        if depth == self.levels.len() {
            return END;
        }
        let mut edges = Vec::new();
        for rows in rows.chunk_by(|a, b| a[depth] == b[depth]) {
            edges.push((rows[0][depth], self.of(rows, depth + 1, known)));
        }
        if let Some(node) = known.get(&edges) {
            return *node;
        }
        let node = self.nodes.len() as Node;
        self.nodes.push(edges.clone());
        known.insert(edges, node);
        node
    }

    /// The edges of a node that read a value, where the level is one of the relation; `None` elsewhere.
    fn from(&self, node: Node, level: usize, value: u32) -> Option<&[((u32, u32), Node)]> {
        if node == END || !self.levels.contains(&level) {
            return None;
        }
        let edges = &self.nodes[node as usize];
        let from = edges.partition_point(|((read, _), _)| *read < value);
        let to = edges.partition_point(|((read, _), _)| *read <= value);
        Some(&edges[from..to])
    }
}

/// What is known while a relation is looked at.
pub(crate) struct Inclusion<'a> {
    set: &'a Diagram,
    relation: &'a Relation,
    within: HashSet<(Node, Node, Node)>,
    meets: HashMap<(Node, Node), bool>,
}

impl<'a> Inclusion<'a> {
    pub(crate) fn new(set: &'a Diagram, relation: &'a Relation) -> Inclusion<'a> {
        Inclusion {
            set,
            relation,
            within: HashSet::new(),
            meets: HashMap::new(),
        }
    }

    /// Whether the set is closed under the relation.
    pub(crate) fn holds(&mut self) -> bool {
        let root = self.set.root;
        self.relation
            .root
            .is_none_or(|relation| self.within(0, (root, relation, root)))
    }

    /// Whether whatever the relation makes of states below `from` is below `to`.
    fn within(&mut self, level: usize, (from, by, to): (Node, Node, Node)) -> bool {
        if from == END || by == END && from == to || self.within.contains(&(from, by, to)) {
            return true;
        }
        let (set, relation) = (self.set, self.relation);
        for (value, child) in &set.nodes[from as usize] {
            let same = [((*value, *value), by)];
            let steps = relation.from(by, level, *value).unwrap_or(&same);
            for ((_, written), by) in steps {
                let is_within = match set.child(to, *written) {
                    Some(to) => self.within(level + 1, (*child, *by, to)),
                    // No state may be affected.
                    None => !self.meets(level + 1, *child, *by),
                };
                if !is_within {
                    return false;
                }
            }
        }
        self.within.insert((from, by, to));
        true
    }

    /// Whether the relation makes something of a state below a node.
    fn meets(&mut self, level: usize, from: Node, by: Node) -> bool {
        if from == END || by == END {
            return true;
        }
        if let Some(known) = self.meets.get(&(from, by)) {
            return *known;
        }
        let (set, relation) = (self.set, self.relation);
        let edges = &set.nodes[from as usize];
        let meets = edges.iter().any(|(value, child)| {
            let same = [((*value, *value), by)];
            let steps = relation.from(by, level, *value).unwrap_or(&same);
            steps
                .iter()
                .any(|(_, by)| self.meets(level + 1, *child, *by))
        });
        self.meets.insert((from, by), meets);
        meets
    }
}

impl Diagram {
    /// The states that have none of the short vectors of a relation (each paired with itself); `None` when there are none.
    pub(crate) fn without(self, relation: &Relation) -> Option<Diagram> {
        let Some(by) = relation.root else {
            return Some(self);
        };
        let mut rest = Rest {
            from: &self,
            relation,
            known: HashMap::new(),
            unique: HashMap::new(),
            nodes: vec![Vec::new()],
        };
        let root = rest.of(0, self.root, Some(by))?;
        let nodes = rest.nodes;
        Some(Diagram {
            order: self.order,
            nodes,
            root,
        })
    }
}

/// What is left of a diagram.
struct Rest<'a> {
    from: &'a Diagram,
    relation: &'a Relation,
    known: HashMap<(Node, Option<Node>), Option<Node>>,
    unique: HashMap<Vec<(u32, Node)>, Node>,
    nodes: Vec<Vec<(u32, Node)>>,
}

impl Rest<'_> {
    /// What is left below a node; everything where no short vector fits any more.
    fn of(&mut self, level: usize, node: Node, by: Option<Node>) -> Option<Node> {
        match (node, by) {
            (_, Some(END)) => return None,
            (END, _) => return Some(END),
            _ => {}
        }
        if let Some(known) = self.known.get(&(node, by)) {
            return *known;
        }
        let (from, relation) = (self.from, self.relation);
        let mut edges = Vec::new();
        for (value, child) in &from.nodes[node as usize] {
            let next = by.and_then(|by| match relation.from(by, level, *value) {
                Some(steps) => steps.first().map(|(_, by)| *by),
                None => Some(by),
            });
            edges.extend(
                self.of(level + 1, *child, next)
                    .map(|child| (*value, child)),
            );
        }
        let left = (!edges.is_empty()).then(|| {
            *self.unique.entry(edges).or_insert_with_key(|edges| {
                self.nodes.push(edges.clone());
                self.nodes.len() as Node - 1
            })
        });
        self.known.insert((node, by), left);
        left
    }
}
