//! Union, intersection and difference: one merge of two sorted lists of siblings.

use crate::cache::{Key, Op};
use crate::list::Few;
use crate::{Cx, Halt, Node, Store};

impl Store<'_> {
    /// Vectors in one or both.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn union(&self, a: Node, b: Node) -> Result<Node, Halt> {
        self.run(|cx| cx.union(a, b))
    }

    /// Vectors in both.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn intersect(&self, a: Node, b: Node) -> Result<Node, Halt> {
        self.run(|cx| cx.merge(Op::Intersect, a, b))
    }

    /// Vectors of `a` that are not in `b`.
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn minus(&self, a: Node, b: Node) -> Result<Node, Halt> {
        self.run(|cx| cx.minus(a, b))
    }
}

/// What stands at one value of the merged list.
struct Item {
    key: Key,
    value: u32,
    a: Node,
    b: Node,
    down: Node,
}

impl Cx<'_> {
    #[inline]
    pub(crate) fn union(self, a: Node, b: Node) -> Result<Node, Halt> {
        self.merge(Op::Union, a, b)
    }

    #[inline]
    pub(crate) fn minus(self, a: Node, b: Node) -> Result<Node, Halt> {
        self.merge(Op::Minus, a, b)
    }

    pub(crate) fn merge(self, op: Op, a: Node, b: Node) -> Result<Node, Halt> {
        if let Some(done) = trivial(op, a, b) {
            return Ok(done);
        }
        let store = self.store;
        let (mut a, mut b) = (a, b);
        let mut items: Few<Item> = Few::new();
        let mut tail = loop {
            if let Some(done) = trivial(op, a, b) {
                break done;
            }
            let (first, second) = match op {
                Op::Minus => (a, b),
                _ => (a.min(b), a.max(b)),
            };
            let key = Key::new(op, 0, first, second, Node::EMPTY);
            if let Some(done) = self.recall(&key) {
                break done;
            }
            self.tick()?;
            let ((va, da, ra), (vb, db, rb)) = (store.parts(a), store.parts(b));
            let (value, left, right) = match va.cmp(&vb) {
                std::cmp::Ordering::Greater => {
                    a = ra;
                    (va, da, Node::EMPTY)
                }
                std::cmp::Ordering::Less => {
                    b = rb;
                    (vb, Node::EMPTY, db)
                }
                std::cmp::Ordering::Equal => {
                    (a, b) = (ra, rb);
                    (va, da, db)
                }
            };
            items.push(Item {
                key,
                value,
                a: left,
                b: right,
                down: Node::EMPTY,
            });
        };
        let deeper = self.deeper();
        deeper.each(&mut items, &|cx, item: &mut Item| {
            item.down = cx.merge(op, item.a, item.b)?;
            Ok(())
        })?;
        for item in items.iter().rev() {
            tail = self.node(item.value, item.down, tail)?;
            self.remember(&item.key, tail);
        }
        Ok(tail)
    }
}

#[inline]
fn trivial(op: Op, a: Node, b: Node) -> Option<Node> {
    match op {
        Op::Union if a == b || b.is_empty() => Some(a),
        Op::Union if a.is_empty() => Some(b),
        Op::Intersect if a == b => Some(a),
        Op::Intersect if a.is_empty() || b.is_empty() => Some(Node::EMPTY),
        Op::Minus if a == b || a.is_empty() => Some(Node::EMPTY),
        Op::Minus if b.is_empty() => Some(a),
        _ => None,
    }
}
