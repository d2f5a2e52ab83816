//! Applies a transition relation to a whole set, forwards and backwards.
//!
//! Paper: [Meijer et al. 2014], read, write and copy levels. A relation has levels only for what its pattern
//! touches: one for `Read` and `Write`, two for `ReadWrite`, one or two for `MayWrite` (see [`Role`]).

use crate::cache::{Key, Op};
use crate::list::Few;
use crate::{Cx, Halt, Node, PatternId, Role, Store};

impl Store<'_> {
    /// The vectors that `relation` leads to from `set`.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn forward(&self, set: Node, relation: Node, pattern: PatternId) -> Result<Node, Halt> {
        self.run(|cx| cx.forward(set, relation, pattern))
    }

    /// The vectors of `within` from which `relation` leads into `set`.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn backward(
        &self,
        set: Node,
        relation: Node,
        pattern: PatternId,
        within: Node,
    ) -> Result<Node, Halt> {
        self.run(|cx| cx.backward(set, relation, pattern, within))
    }
}

/// A written value with what is below it in the set and in the relation.
pub(crate) type Written = (u32, Node, Node);

impl Cx<'_> {
    fn forward(self, set: Node, relation: Node, pattern: PatternId) -> Result<Node, Halt> {
        let level = self.store.patterns.get(pattern);
        if set.is_empty() || relation.is_empty() {
            return Ok(Node::EMPTY);
        }
        if level.is_idle {
            return Ok(set);
        }
        let key = Key::new(Op::Forward, pattern.0, set, relation, Node::EMPTY);
        if let Some(done) = self.recall(&key) {
            return Ok(done);
        }
        self.tick()?;
        let rest = level.rest;
        let done = self.step(level.role, set, relation, &|cx, set, relation| {
            cx.forward(set, relation, rest)
        })?;
        Ok(self.remember(&key, done))
    }

    /// One level of a relation; `below` continues.
    pub(crate) fn step(
        self,
        role: Role,
        set: Node,
        relation: Node,
        below: &(impl Fn(Self, Node, Node) -> Result<Node, Halt> + Sync),
    ) -> Result<Node, Halt> {
        let store = self.store;
        match role {
            Role::Skip => {
                let items = store.siblings(set);
                self.write(items.map(|(v, down)| (v, down, relation)).collect(), below)
            }
            Role::Read => self.write(self.common(set, relation), below),
            Role::Write => {
                let downs = self.downs(set)?;
                let items = store.siblings(relation);
                self.write(items.map(|(v, down)| (v, downs, down)).collect(), below)
            }
            Role::ReadWrite => {
                let mut pieces: Few<Written> = Few::new();
                for (_, down, writes) in self.common(set, relation) {
                    pieces.extend(store.siblings(writes).map(|(v, rest)| (v, down, rest)));
                }
                self.write(pieces, below)
            }
            Role::MayWrite => {
                let mut done = Node::EMPTY;
                for (is_written, relation) in store.siblings(relation) {
                    let role = if is_written == 0 {
                        Role::Skip
                    } else {
                        Role::Write
                    };
                    let part = self.step(role, set, relation, below)?;
                    done = self.union(done, part)?;
                }
                Ok(done)
            }
        }
    }

    /// The list with these values and what `below` makes of each; equal values are united.
    fn write(
        self,
        mut items: Few<Written>,
        below: &(impl Fn(Self, Node, Node) -> Result<Node, Halt> + Sync),
    ) -> Result<Node, Halt> {
        self.deeper().each(&mut items, &|cx, item| {
            item.1 = below(cx, item.1, item.2)?;
            Ok(())
        })?;
        if !items.is_sorted_by(|a, b| a.0 >= b.0) {
            items.sort_by_key(|item| std::cmp::Reverse(item.0));
        }
        let mut done = Node::EMPTY;
        let mut end = items.len();
        while end > 0 {
            let value = items[end - 1].0;
            let start = items[..end].partition_point(|item| item.0 > value);
            let mut downs: Few<Node> = items[start..end].iter().map(|item| item.1).collect();
            downs.sort_unstable();
            downs.dedup();
            let down = self.union_all(&downs)?;
            done = self.node(value, down, done)?;
            end = start;
        }
        Ok(done)
    }

    fn backward(
        self,
        set: Node,
        relation: Node,
        pattern: PatternId,
        within: Node,
    ) -> Result<Node, Halt> {
        if set.is_empty() || relation.is_empty() || within.is_empty() {
            return Ok(Node::EMPTY);
        }
        let level = self.store.patterns.get(pattern);
        if level.is_idle {
            return self.merge(Op::Intersect, set, within);
        }
        let key = Key::new(Op::Backward, pattern.0, set, relation, within);
        if let Some(done) = self.recall(&key) {
            return Ok(done);
        }
        self.tick()?;
        let done = self.step_back(level.role, set, relation, level.rest, within)?;
        Ok(self.remember(&key, done))
    }

    fn step_back(
        self,
        role: Role,
        set: Node,
        relation: Node,
        rest: PatternId,
        within: Node,
    ) -> Result<Node, Halt> {
        let store = self.store;
        let mut items: Few<(u32, Node)> = Few::new();
        match role {
            Role::Skip => {
                for (value, set, within) in self.common(set, within) {
                    items.push((value, self.backward(set, relation, rest, within)?));
                }
            }
            Role::Read => {
                let read = self.common(relation, within);
                let mut read = read.into_iter().peekable();
                for (value, set) in store.siblings(set) {
                    while read.next_if(|item| item.0 > value).is_some() {}
                    if let Some((_, relation, within)) = read.next_if(|item| item.0 == value) {
                        items.push((value, self.backward(set, relation, rest, within)?));
                    }
                }
            }
            Role::Write => {
                let written = self.common(set, relation);
                for (value, within) in store.siblings(within) {
                    let mut down = Node::EMPTY;
                    for (_, set, relation) in &written {
                        let part = self.backward(*set, *relation, rest, within)?;
                        down = self.union(down, part)?;
                    }
                    items.push((value, down));
                }
            }
            Role::ReadWrite => {
                for (value, writes, within) in self.common(relation, within) {
                    let mut down = Node::EMPTY;
                    for (_, set, relation) in self.common(set, writes) {
                        let part = self.backward(set, relation, rest, within)?;
                        down = self.union(down, part)?;
                    }
                    items.push((value, down));
                }
            }
            Role::MayWrite => {
                let mut done = Node::EMPTY;
                for (is_written, relation) in store.siblings(relation) {
                    let role = if is_written == 0 {
                        Role::Skip
                    } else {
                        Role::Write
                    };
                    let part = self.step_back(role, set, relation, rest, within)?;
                    done = self.union(done, part)?;
                }
                return Ok(done);
            }
        }
        self.list(&items, Node::EMPTY)
    }
}
