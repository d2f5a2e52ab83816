//! Short vectors: the levels that a group reads, and the long vectors that fit given short ones.

use crate::cache::{Key, Op};
use crate::list::Few;
use crate::{Cx, Halt, Node, PatternId, Role, Store};

impl Store<'_> {
    /// The levels of `set` that `pattern` reads.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn project(&self, set: Node, pattern: PatternId) -> Result<Node, Halt> {
        self.run(|cx| cx.project(set, pattern))
    }

    /// The vectors of `set` whose levels that `pattern` reads are in `short`.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn matching(&self, set: Node, short: Node, pattern: PatternId) -> Result<Node, Halt> {
        self.run(|cx| cx.matching(set, short, pattern))
    }
}

impl Cx<'_> {
    /// `set` is not empty or the result is.
    pub(crate) fn project(self, set: Node, pattern: PatternId) -> Result<Node, Halt> {
        let level = self.store.patterns.get(pattern);
        if set.is_empty() {
            return Ok(set);
        }
        if level.is_idle {
            return Ok(Node::UNIT);
        }
        let key = Key::new(Op::Project, pattern.0, set, Node::EMPTY, Node::EMPTY);
        if let Some(done) = self.recall(&key) {
            return Ok(done);
        }
        self.tick()?;
        let mut items: Few<(u32, Node)> = self.store.siblings(set).collect();
        if level.role == Role::Skip {
            // Different values often lead to the same remainder.
            items.sort_unstable_by_key(|(_, down)| *down);
            items.dedup_by_key(|(_, down)| *down);
        }
        let rest = level.rest;
        self.deeper().each(&mut items, &|cx, item| {
            item.1 = cx.project(item.1, rest)?;
            Ok(())
        })?;
        let done = if level.role == Role::Skip {
            let sets: Few<Node> = items.iter().map(|(_, down)| *down).collect();
            self.union_all(&sets)?
        } else {
            self.list(&items, Node::EMPTY)?
        };
        Ok(self.remember(&key, done))
    }

    pub(crate) fn matching(self, set: Node, short: Node, pattern: PatternId) -> Result<Node, Halt> {
        let level = self.store.patterns.get(pattern);
        if set.is_empty() || short.is_empty() {
            return Ok(Node::EMPTY);
        }
        if level.is_idle {
            return Ok(set);
        }
        let key = Key::new(Op::Matching, pattern.0, set, short, Node::EMPTY);
        if let Some(done) = self.recall(&key) {
            return Ok(done);
        }
        self.tick()?;
        let mut items: Few<(u32, Node, Node)> = if level.role == Role::Skip {
            let items = self.store.siblings(set);
            items.map(|(value, down)| (value, down, short)).collect()
        } else {
            self.common(set, short)
        };
        let rest = level.rest;
        self.deeper().each(&mut items, &|cx, item| {
            item.1 = cx.matching(item.1, item.2, rest)?;
            Ok(())
        })?;
        let mut done = Node::EMPTY;
        for (value, down, _) in items.iter().rev() {
            done = self.node(*value, *down, done)?;
        }
        Ok(self.remember(&key, done))
    }

    /// The values that both lists have, with what is below in each.
    pub(crate) fn common(self, mut a: Node, mut b: Node) -> Few<(u32, Node, Node)> {
        let mut found = Few::new();
        while !a.is_leaf() && !b.is_leaf() {
            let ((va, da, ra), (vb, db, rb)) = (self.store.parts(a), self.store.parts(b));
            match va.cmp(&vb) {
                std::cmp::Ordering::Greater => a = ra,
                std::cmp::Ordering::Less => b = rb,
                std::cmp::Ordering::Equal => {
                    found.push((va, da, db));
                    (a, b) = (ra, rb);
                }
            }
        }
        found
    }

    /// What is below any value of the first level.
    pub(crate) fn downs(self, set: Node) -> Result<Node, Halt> {
        if self.store.right(set).is_empty() {
            return Ok(self.store.down(set));
        }
        let key = Key::new(Op::Downs, 0, set, Node::EMPTY, Node::EMPTY);
        if let Some(done) = self.recall(&key) {
            return Ok(done);
        }
        let mut sets: Few<Node> = self.store.siblings(set).map(|(_, down)| down).collect();
        sets.sort_unstable();
        sets.dedup();
        let done = self.union_all(&sets)?;
        Ok(self.remember(&key, done))
    }
}
