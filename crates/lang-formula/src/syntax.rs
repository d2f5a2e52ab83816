//! The tree of a temporal formula: one for both logics.
//!
//! Invariant: children are made before their parents, so an id is larger than the ids below it.
//! Invariant: a tree says what was written; derived operators are not replaced here.

use base::{Arena, FileId, Id, Span};

/// Names a node of a [`Formula`].
pub type NodeId = Id<Node>;

/// Which logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// Linear time.
    Ltl,
    /// Branching time.
    Ctl,
}

impl Logic {
    /// The word in reports and options.
    pub fn word(self) -> &'static str {
        match self {
            Logic::Ltl => "ltl",
            Logic::Ctl => "ctl",
        }
    }
}

/// Where the text of a formula stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The byte of the file where the text begins.
    pub start: u32,
}

/// A formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Which logic.
    pub logic: Logic,
    /// All nodes.
    pub nodes: Arena<Node>,
    /// The assumption about paths: [`NodeKind::Fair`] leaves below `&` and `or`.
    pub fairness: Option<NodeId>,
    /// The formula itself.
    pub root: NodeId,
}

/// A part of a formula.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// `true` or `false`.
    Constant(bool),
    /// A statement about a state or a transition.
    Atom(Atom),
    /// An operator with one operand.
    Unary(Unary, NodeId),
    /// An operator with two operands.
    Binary(Binary, NodeId, NodeId),
    /// `#x.({P} & f)`, `!x.({P} => f)`
    Quantified {
        /// Which.
        quantifier: Quantifier,
        /// The name.
        name: Text,
        /// Its range.
        range: Text,
        /// The formula over it.
        body: NodeId,
    },
    /// `EX f`, `AG f`, … of CTL.
    Branching(Path, Unary, NodeId),
    /// `EX [Op] f`
    ExistsStep(Pattern, NodeId),
    /// `E f U g`
    ExistsUntil(NodeId, NodeId),
    /// An assumption of fairness.
    Fair(Fairness),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `not`
    Not,
    /// `G`
    Globally,
    /// `F`
    Finally,
    /// `X`
    Next,
    /// `H`
    Historically,
    /// `O`
    Once,
    /// `Y`
    Yesterday,
}

impl Unary {
    /// The short spelling.
    pub fn word(self) -> &'static str {
        match self {
            Unary::Not => "not",
            Unary::Globally => "G",
            Unary::Finally => "F",
            Unary::Next => "X",
            Unary::Historically => "H",
            Unary::Once => "O",
            Unary::Yesterday => "Y",
        }
    }
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `<=>`
    Iff,
    /// `=>`
    Implies,
    /// `&`
    And,
    /// `or`
    Or,
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `R`
    Release,
    /// `S`
    Since,
    /// `T`
    Trigger,
}

impl Binary {
    /// The short spelling.
    pub fn word(self) -> &'static str {
        match self {
            Binary::Iff => "<=>",
            Binary::Implies => "=>",
            Binary::And => "&",
            Binary::Or => "or",
            Binary::Until => "U",
            Binary::WeakUntil => "W",
            Binary::Release => "R",
            Binary::Since => "S",
            Binary::Trigger => "T",
        }
    }

    /// How tightly it binds, weakest first.
    pub fn level(self) -> u8 {
        match self {
            Binary::Iff => 1,
            Binary::Implies => 2,
            Binary::And | Binary::Or => 3,
            _ => 4,
        }
    }
}

/// Over which paths of CTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// `E`
    Some,
    /// `A`
    All,
}

/// A quantifier over values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `#`
    Exists,
    /// `!`
    Forall,
}

/// A text of the model's language.
#[derive(Clone, Debug)]
pub struct Text {
    /// What is written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// Two texts are the same when the same is written; places do not count.
impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.text.trim() == other.text.trim()
    }
}

/// Transitions of an operation: `Op`, `Op(1,_,x+1)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// The operation.
    pub name: Text,
    /// What its arguments are; one that is left out at the end may be anything.
    pub arguments: Vec<Argument>,
}

/// An argument of a [`Pattern`].
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// `_`
    Any,
    /// An expression, evaluated before the transition.
    Is(Text),
}

/// How an expression changes in a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It does not.
    Unchanged,
    /// It does.
    Changed,
    /// It is larger after than before.
    Increasing,
    /// It is smaller after than before.
    Decreasing,
}

impl Change {
    /// The word in formulas.
    pub fn word(self) -> &'static str {
        match self {
            Change::Unchanged => "unchanged",
            Change::Changed => "changed",
            Change::Increasing => "increasing",
            Change::Decreasing => "decreasing",
        }
    }
}

/// A statement about a state or about the transition that leaves it.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom {
    /// `{P}`
    Predicate(Text),
    /// `e(Op)`
    Enabled(Pattern),
    /// `Av(Op)`
    Available(Pattern),
    /// `[Op]`
    Taken(Pattern),
    /// `deadlock`
    Deadlock,
    /// `deadlock(Op,…)`: none of them is enabled.
    DeadlockOf(Vec<Pattern>),
    /// `controller(Op,…)`: exactly one is.
    Controller(Vec<Pattern>),
    /// `deterministic(Op,…)`: at most one is.
    Deterministic(Vec<Pattern>),
    /// `sink`: no transition leads to another state.
    Sink,
    /// `goal`
    Goal,
    /// `det_output`
    DetOutput,
    /// `error`
    Error,
    /// `current`
    Current,
    /// `changed({E})` and its like.
    Change(Change, Text),
    /// `before_after({P})`
    BeforeAfter(Text),
}

/// An assumption about paths.
#[derive(Clone, Debug, PartialEq)]
pub enum Fairness {
    /// `WF(Op)`
    Weak(Pattern),
    /// `SF(Op)`
    Strong(Pattern),
    /// `WEF`
    EveryWeak,
    /// `SEF`
    EveryStrong,
}

impl Formula {
    /// What a node is.
    pub fn kind(&self, id: NodeId) -> &NodeKind {
        &self.nodes[id].kind
    }

    /// Where a node stands.
    pub fn span(&self, id: NodeId) -> Span {
        self.nodes[id].span
    }

    /// Whether two formulas say the same, whatever their places.
    pub fn same(&self, other: &Formula) -> bool {
        let fair = match (self.fairness, other.fairness) {
            (None, None) => true,
            (Some(a), Some(b)) => self.same_node(a, other, b),
            _ => false,
        };
        self.logic == other.logic && fair && self.same_node(self.root, other, other.root)
    }

    fn same_node(&self, a: NodeId, other: &Formula, b: NodeId) -> bool {
        let below = |a: &NodeId, b: &NodeId| base::deep::recurse(|| self.same_node(*a, other, *b));
        match (self.kind(a), other.kind(b)) {
            (NodeKind::Unary(f, x), NodeKind::Unary(g, y)) => f == g && below(x, y),
            (NodeKind::Binary(f, x, v), NodeKind::Binary(g, y, w)) => {
                f == g && below(x, y) && below(v, w)
            }
            (
                NodeKind::Quantified {
                    quantifier: f,
                    name: n,
                    range: r,
                    body: x,
                },
                NodeKind::Quantified {
                    quantifier: g,
                    name: m,
                    range: s,
                    body: y,
                },
            ) => f == g && n == m && r == s && below(x, y),
            (NodeKind::Branching(p, f, x), NodeKind::Branching(q, g, y)) => {
                p == q && f == g && below(x, y)
            }
            (NodeKind::ExistsStep(p, x), NodeKind::ExistsStep(q, y)) => p == q && below(x, y),
            (NodeKind::ExistsUntil(x, v), NodeKind::ExistsUntil(y, w)) => {
                below(x, y) && below(v, w)
            }
            (x, y) => x == y,
        }
    }
}
