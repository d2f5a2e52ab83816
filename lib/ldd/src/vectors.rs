//! Between diagrams and plain vectors: building, asking, listing.

use crate::{Cx, Halt, Node, Store};

impl Store<'_> {
    /// The set with one vector.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn single(&self, vector: &[u32]) -> Result<Node, Halt> {
        self.run(|cx| {
            vector
                .iter()
                .rev()
                .try_fold(Node::UNIT, |down, value| cx.node(*value, down, Node::EMPTY))
        })
    }

    /// The set of these vectors, in any order, repeated or not. They may differ in length as far as no one is
    /// the beginning of another.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn from_vectors<V: AsRef<[u32]> + Ord + Sync>(
        &self,
        vectors: &mut [V],
    ) -> Result<Node, Halt> {
        vectors.sort_unstable_by(|a, b| b.cmp(a));
        let vectors = &*vectors;
        self.run(|cx| cx.build(vectors, 0))
    }

    /// Every vector of the one-level set `first`, followed by every vector of `rest`.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn prefix(&self, first: Node, rest: Node) -> Result<Node, Halt> {
        let values: Vec<(u32, Node)> = self.siblings(first).map(|(v, _)| (v, rest)).collect();
        self.run(|cx| cx.list(&values, Node::EMPTY))
    }

    /// Whether the vector is in the set.
    pub fn contains(&self, set: Node, vector: &[u32]) -> bool {
        let mut at = set;
        for value in vector {
            loop {
                if at.is_leaf() {
                    return false;
                }
                let (here, down, right) = self.parts(at);
                match here.cmp(value) {
                    std::cmp::Ordering::Greater => at = right,
                    std::cmp::Ordering::Equal => {
                        at = down;
                        break;
                    }
                    std::cmp::Ordering::Less => return false,
                }
            }
        }
        at == Node::UNIT
    }

    /// Calls `visit` with every vector in descending order, until it says `false`; whether it never did.
    pub fn for_each(&self, set: Node, visit: &mut dyn FnMut(&[u32]) -> bool) -> bool {
        self.walk(set, &mut Vec::new(), visit)
    }

    /// The greatest vector.
    pub fn first(&self, set: Node) -> Option<Vec<u32>> {
        let mut found = None;
        self.for_each(set, &mut |vector| {
            found = Some(vector.to_vec());
            false
        });
        found
    }

    /// All vectors.
    pub fn vectors(&self, set: Node) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        self.for_each(set, &mut |vector| {
            all.push(vector.to_vec());
            true
        });
        all
    }

    /// The distinct values that each level takes, at most `most` of each, and whether those are all.
    pub fn level_values(&self, set: Node, most: usize) -> Vec<(Vec<u32>, bool)> {
        let mut levels = Vec::new();
        let mut layer = vec![set];
        while layer.iter().any(|node| !node.is_leaf()) {
            let mut values = rustc_hash::FxHashSet::default();
            let mut below = rustc_hash::FxHashSet::default();
            for list in &layer {
                for (value, down) in self.siblings(*list) {
                    if values.len() < most {
                        values.insert(value);
                    }
                    below.insert(down);
                }
            }
            let mut values: Vec<u32> = values.into_iter().collect();
            values.sort_unstable();
            let is_all = values.len() < most;
            levels.push((values, is_all));
            layer = below.into_iter().collect();
        }
        levels
    }

    /// The nodes of a set whose vectors have one length: for each the values, ascending, each with the number of a node
    /// before it, counted from 1; 0 is the end of a vector. The last node is the set itself; there is none of the empty set.
    pub fn lists(&self, set: Node) -> Vec<Vec<(u32, u32)>> {
        let (mut lists, mut known) = (Vec::new(), rustc_hash::FxHashMap::default());
        if !set.is_empty() {
            self.list_below(set, &mut lists, &mut known);
        }
        lists
    }

    fn list_below(
        &self,
        list: Node,
        lists: &mut Vec<Vec<(u32, u32)>>,
        known: &mut rustc_hash::FxHashMap<Node, u32>,
    ) -> u32 {
        if list == Node::UNIT {
            return 0;
        }
        if let Some(number) = known.get(&list) {
            return *number;
        }
        let siblings = self.siblings(list);
        let mut edges: Vec<(u32, u32)> = siblings
            .map(|(value, down)| (value, self.list_below(down, lists, known)))
            .collect();
        edges.sort_unstable();
        lists.push(edges);
        let number = lists.len() as u32;
        known.insert(list, number);
        number
    }

    fn walk(
        &self,
        set: Node,
        prefix: &mut Vec<u32>,
        visit: &mut dyn FnMut(&[u32]) -> bool,
    ) -> bool {
        if set == Node::UNIT {
            return visit(prefix);
        }
        for (value, down) in self.siblings(set) {
            prefix.push(value);
            let goes_on = self.walk(down, prefix, visit);
            prefix.pop();
            if !goes_on {
                return false;
            }
        }
        true
    }
}

impl Cx<'_> {
    /// Vectors in descending order that agree before position `at`.
    pub(crate) fn build<V: AsRef<[u32]>>(self, vectors: &[V], at: usize) -> Result<Node, Halt> {
        let Some(first) = vectors.first() else {
            return Ok(Node::EMPTY);
        };
        if first.as_ref().len() == at {
            return Ok(Node::UNIT);
        }
        let mut done = Node::EMPTY;
        let mut end = vectors.len();
        while end > 0 {
            let value = vectors[end - 1].as_ref()[at];
            let start = vectors[..end].partition_point(|vector| vector.as_ref()[at] > value);
            let down = self.build(&vectors[start..end], at + 1)?;
            done = self.node(value, down, done)?;
            end = start;
        }
        Ok(done)
    }
}
