//! Formulas in negation normal form, each kept once, simplified as they are built.
//!
//! Negations stand at atoms only. Because words may end, next has a dual of its own: the *weak* next is true at the
//! last position; likewise the weak yesterday at the first one.
//! Simplifications: units, complements, absorption, idempotence of nested untils, distribution of `G` over `&` and
//! of `F` over `or`, and eventual and universal formulas [Etessami, Holzmann 2000], each valid on finite words too.
//! Invariant: equal nodes have equal references.
//! Invariant: [`Table::and`] never replaces an until by another one: the tableau recognises what it put off.

mod past;

use rustc_hash::FxHashMap;

use crate::Ltl;

/// Names a node.
pub type Ref = u32;

/// The node `true`.
pub const TRUE: Ref = 0;
/// The node `false`.
pub const FALSE: Ref = 1;

/// A formula whose parts are nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    True,
    False,
    /// The atom, or its negation when `false`.
    Literal(u32, bool),
    /// Sorted, no duplicates.
    And(Box<[Ref]>),
    /// Sorted, no duplicates.
    Or(Box<[Ref]>),
    Next(Ref),
    WeakNext(Ref),
    Until(Ref, Ref),
    Release(Ref, Ref),
    Yesterday(Ref),
    WeakYesterday(Ref),
    Since(Ref, Ref),
    Trigger(Ref, Ref),
}

impl Node {
    /// The parts of a conjunction, or of a disjunction.
    fn list(&self, of_and: bool) -> Option<&[Ref]> {
        match self {
            Node::And(list) if of_and => Some(list),
            Node::Or(list) if !of_and => Some(list),
            _ => None,
        }
    }

    /// The right side of what implies it now, or of what it implies now.
    fn at_the_end(&self, implied: bool) -> Option<Ref> {
        match self {
            Node::Release(_, b) | Node::Trigger(_, b) if implied => Some(*b),
            Node::Until(_, b) | Node::Since(_, b) if !implied => Some(*b),
            _ => None,
        }
    }
}

/// All nodes.
pub struct Table {
    nodes: Vec<Node>,
    refs: FxHashMap<Node, Ref>,
    negations: FxHashMap<Ref, Ref>,
    kinds: Vec<Kind>,
}

/// How truth at one position carries over to others.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// Where it holds, it held at every earlier position.
    is_eventual: bool,
    /// Where it holds, it holds at every later position.
    is_universal: bool,
}

impl Table {
    /// A table with the two constants.
    pub fn new() -> Table {
        let mut table = Table {
            nodes: Vec::new(),
            refs: FxHashMap::default(),
            negations: FxHashMap::default(),
            kinds: Vec::new(),
        };
        table.node(Node::True);
        table.node(Node::False);
        table
    }

    /// The node of this number.
    pub fn get(&self, at: Ref) -> &Node {
        &self.nodes[at as usize]
    }

    /// The parts of a node.
    pub fn parts(&self, at: Ref) -> Vec<Ref> {
        match self.get(at) {
            Node::True | Node::False | Node::Literal(..) => Vec::new(),
            Node::And(all) | Node::Or(all) => all.to_vec(),
            Node::Next(a) | Node::WeakNext(a) | Node::Yesterday(a) | Node::WeakYesterday(a) => {
                vec![*a]
            }
            Node::Until(a, b) | Node::Release(a, b) | Node::Since(a, b) | Node::Trigger(a, b) => {
                vec![*a, *b]
            }
        }
    }

    /// The node of a formula, or of its negation.
    pub fn import(&mut self, formula: &Ltl, is_positive: bool) -> Ref {
        let sign = is_positive;
        match formula {
            Ltl::True | Ltl::False => {
                if (*formula == Ltl::True) == sign {
                    TRUE
                } else {
                    FALSE
                }
            }
            Ltl::Atom(atom) => self.node(Node::Literal(*atom, sign)),
            Ltl::Not(a) => self.import(a, !sign),
            Ltl::And(all) | Ltl::Or(all) => {
                let parts = all.iter().map(|part| self.import(part, sign)).collect();
                if matches!(formula, Ltl::And(_)) == sign {
                    self.and(parts)
                } else {
                    self.or(parts)
                }
            }
            Ltl::Next(a) => {
                let a = self.import(a, sign);
                if sign {
                    self.next(a)
                } else {
                    self.weak_next(a)
                }
            }
            Ltl::Yesterday(a) => {
                let a = self.import(a, sign);
                if sign {
                    self.yesterday(a)
                } else {
                    self.weak_yesterday(a)
                }
            }
            Ltl::Until(a, b) | Ltl::Release(a, b) => {
                let (a, b) = (self.import(a, sign), self.import(b, sign));
                if matches!(formula, Ltl::Until(..)) == sign {
                    self.until(a, b)
                } else {
                    self.release(a, b)
                }
            }
            Ltl::Since(a, b) | Ltl::Trigger(a, b) => {
                let (a, b) = (self.import(a, sign), self.import(b, sign));
                if matches!(formula, Ltl::Since(..)) == sign {
                    self.since(a, b)
                } else {
                    self.trigger(a, b)
                }
            }
        }
    }

    /// The negation of a node.
    pub fn negate(&mut self, at: Ref) -> Ref {
        if let Some(known) = self.negations.get(&at) {
            return *known;
        }
        let negation = match self.get(at).clone() {
            Node::True => FALSE,
            Node::False => TRUE,
            Node::Literal(atom, sign) => self.node(Node::Literal(atom, !sign)),
            Node::And(all) => {
                let all = all.iter().map(|part| self.negate(*part)).collect();
                self.or(all)
            }
            Node::Or(all) => {
                let all = all.iter().map(|part| self.negate(*part)).collect();
                self.and(all)
            }
            Node::Next(a) => {
                let a = self.negate(a);
                self.weak_next(a)
            }
            Node::WeakNext(a) => {
                let a = self.negate(a);
                self.next(a)
            }
            Node::Yesterday(a) => {
                let a = self.negate(a);
                self.weak_yesterday(a)
            }
            Node::WeakYesterday(a) => {
                let a = self.negate(a);
                self.yesterday(a)
            }
            Node::Until(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.release(a, b)
            }
            Node::Release(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.until(a, b)
            }
            Node::Since(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.trigger(a, b)
            }
            Node::Trigger(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.since(a, b)
            }
        };
        self.negations.insert(at, negation);
        self.negations.entry(negation).or_insert(at);
        negation
    }

    /// All of them.
    pub fn and(&mut self, parts: Vec<Ref>) -> Ref {
        self.connect(parts, true)
    }

    /// One of them.
    pub fn or(&mut self, parts: Vec<Ref>) -> Ref {
        self.connect(parts, false)
    }

    /// All of them, or one of them: each is the dual of the other.
    fn connect(&mut self, parts: Vec<Ref>, is_and: bool) -> Ref {
        let (neutral, decides) = if is_and { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut all = self.flat(parts, is_and);
        self.join(&mut all, is_and);
        all.retain(|part| *part != neutral);
        if all.contains(&decides) {
            return decides;
        }
        let present = all.clone();
        let is_there = |part: &Ref| present.binary_search(part).is_ok();
        // Literals are enough to find most contradictions, and need no new nodes.
        for part in &present {
            if let Node::Literal(atom, sign) = *self.get(*part)
                && let Some(other) = self.refs.get(&Node::Literal(atom, !sign))
                && is_there(other)
            {
                return decides;
            }
        }
        // In a conjunction, what another part implies now adds nothing; in a disjunction, what implies another part.
        all.retain(|part| {
            let node = self.get(*part);
            let inner = node
                .list(!is_and)
                .is_some_and(|list| list.iter().any(is_there));
            let later = node.at_the_end(!is_and).is_some_and(|b| is_there(&b));
            let is_this = |other: &Ref| self.get(*other).at_the_end(is_and) == Some(*part);
            !inner && !later && !present.iter().any(is_this)
        });
        match all.as_slice() {
            [] => neutral,
            [one] => *one,
            _ if is_and => self.node(Node::And(all.into())),
            _ => self.node(Node::Or(all.into())),
        }
    }

    /// Splices nested lists and sorts.
    fn flat(&self, parts: Vec<Ref>, is_and: bool) -> Vec<Ref> {
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            match self.get(part).list(is_and) {
                Some(parts) => all.extend_from_slice(parts),
                None => all.push(part),
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Joins what distributes: next over everything, `G` over `&`, `F` and `G F` over `or`.
    fn join(&mut self, all: &mut Vec<Ref>, is_and: bool) {
        type Shape = fn(&Table, &Node) -> Option<Ref>;
        type Rebuild = fn(&mut Table, Ref) -> Ref;
        let next: Shape = |_, node| match node {
            Node::Next(a) => Some(*a),
            _ => None,
        };
        let weak_next: Shape = |_, node| match node {
            Node::WeakNext(a) => Some(*a),
            _ => None,
        };
        let globally: Shape = |_, node| match node {
            Node::Release(FALSE, a) => Some(*a),
            _ => None,
        };
        let finally: Shape = |_, node| match node {
            Node::Until(TRUE, a) => Some(*a),
            _ => None,
        };
        let recurrently: Shape = |table, node| match node {
            Node::Release(FALSE, a) => match table.get(*a) {
                Node::Until(TRUE, a) => Some(*a),
                _ => None,
            },
            _ => None,
        };
        let shapes: &[(Shape, Rebuild)] = if is_and {
            &[
                (next, Table::next),
                (weak_next, Table::weak_next),
                (globally, |table, a| table.release(FALSE, a)),
            ]
        } else {
            &[
                (next, Table::next),
                (weak_next, Table::weak_next),
                (finally, |table, a| table.until(TRUE, a)),
                (recurrently, |table, a| {
                    let a = table.until(TRUE, a);
                    table.release(FALSE, a)
                }),
            ]
        };
        for (shape, rebuild) in shapes {
            let inside = |part: &Ref| shape(self, self.get(*part));
            let parts: Vec<Ref> = all.iter().filter_map(inside).collect();
            if parts.len() < 2 {
                continue;
            }
            let rest = all.iter().copied().filter(|part| inside(part).is_none());
            let mut rest: Vec<Ref> = rest.collect();
            let joined = match is_and {
                true => self.and(parts),
                false => self.or(parts),
            };
            rest.push(rebuild(self, joined));
            // The rebuilt node may be a list of its own, or a constant.
            *all = self.flat(rest, is_and);
        }
    }

    /// There is a next position, and it holds there.
    pub fn next(&mut self, a: Ref) -> Ref {
        match a {
            FALSE => FALSE,
            _ => self.node(Node::Next(a)),
        }
    }

    /// It holds at the next position, if there is one.
    pub fn weak_next(&mut self, a: Ref) -> Ref {
        match a {
            TRUE => TRUE,
            _ => self.node(Node::WeakNext(a)),
        }
    }

    /// Until.
    pub fn until(&mut self, a: Ref, b: Ref) -> Ref {
        if a == FALSE || b == TRUE || b == FALSE || a == b || self.kind(b).is_eventual {
            return b;
        }
        match self.get(b).clone() {
            Node::Until(c, _) if c == a => return b,
            Node::Until(_, d) if a == TRUE => return self.until(TRUE, d),
            Node::And(all) => {
                let (fixed, rest) = self.suspendable(&all);
                if !fixed.is_empty() {
                    let rest = self.and(rest);
                    let rest = self.until(a, rest);
                    return self.and([fixed, vec![rest]].concat());
                }
            }
            _ => {}
        }
        match self.get(a) {
            Node::Until(_, d) if *d == b => a,
            _ => self.node(Node::Until(a, b)),
        }
    }

    /// Release.
    pub fn release(&mut self, a: Ref, b: Ref) -> Ref {
        if a == TRUE || b == TRUE || b == FALSE || a == b || self.kind(b).is_universal {
            return b;
        }
        match self.get(b).clone() {
            Node::Release(c, _) if c == a => return b,
            Node::Release(_, d) if a == FALSE => return self.release(FALSE, d),
            Node::Or(all) => {
                let (fixed, rest) = self.suspendable(&all);
                if !fixed.is_empty() {
                    let rest = self.or(rest);
                    let rest = self.release(a, rest);
                    return self.or([fixed, vec![rest]].concat());
                }
            }
            _ => {}
        }
        match self.get(a) {
            Node::Release(_, d) if *d == b => a,
            _ => self.node(Node::Release(a, b)),
        }
    }

    /// Those that hold everywhere or nowhere, and the others.
    fn suspendable(&self, all: &[Ref]) -> (Vec<Ref>, Vec<Ref>) {
        let is_fixed = |part: &Ref| {
            let kind = self.kind(*part);
            kind.is_eventual && kind.is_universal
        };
        all.iter().partition(|part| is_fixed(part))
    }

    fn kind(&self, at: Ref) -> Kind {
        self.kinds[at as usize]
    }

    fn node(&mut self, node: Node) -> Ref {
        if let Some(known) = self.refs.get(&node) {
            return *known;
        }
        let kind = self.kind_of(&node);
        let at = self.nodes.len() as Ref;
        self.nodes.push(node.clone());
        self.kinds.push(kind);
        self.refs.insert(node, at);
        at
    }

    fn kind_of(&self, node: &Node) -> Kind {
        let all = |parts: &[Ref]| {
            let kinds = parts.iter().map(|part| self.kind(*part));
            kinds.fold(
                Kind {
                    is_eventual: true,
                    is_universal: true,
                },
                |all, kind| Kind {
                    is_eventual: all.is_eventual && kind.is_eventual,
                    is_universal: all.is_universal && kind.is_universal,
                },
            )
        };
        match node {
            Node::True | Node::False => all(&[]),
            Node::And(parts) | Node::Or(parts) => all(parts),
            Node::Until(a, b) => Kind {
                is_eventual: *a == TRUE || self.kind(*b).is_eventual,
                is_universal: self.kind(*b).is_universal,
            },
            Node::Release(a, b) => Kind {
                is_eventual: self.kind(*b).is_eventual,
                is_universal: *a == FALSE || self.kind(*b).is_universal,
            },
            // What happened once has happened for ever after.
            Node::Since(TRUE, _) => Kind {
                is_eventual: false,
                is_universal: true,
            },
            Node::Trigger(FALSE, _) => Kind {
                is_eventual: true,
                is_universal: false,
            },
            _ => Kind::default(),
        }
    }
}
