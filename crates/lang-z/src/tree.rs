//! The tree of a specification: what was written, in one form for all notations.
//!
//! One tree serves predicates, expressions and schema expressions (decision 0001): which of them a conjunction is
//! depends on the place where it stands, and `sort.rs` and the checker say so.
//! Names are canonical (`lex::symbols`) and carry their strokes; operators are names with places: `_∪_`.

use base::{Arena, Id, Name, Span};
use num_bigint::BigInt;

/// Names a term.
pub type TermId = Id<Term>;

/// An expression, predicate or schema expression.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// A name and its place.
#[derive(Clone, Copy, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Its place.
    pub span: Span,
}

/// How an operator stands to its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fix {
    /// `a ∘ b`
    Infix,
    /// `∘ a`
    Prefix,
    /// `a ∘`
    Postfix,
}

/// A two-sided connective of predicates and schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connective {
    /// `∧`
    And,
    /// `∨`
    Or,
    /// `⇒`
    Implies,
    /// `⇔`
    Iff,
}

/// A quantifier of predicates and schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `∀`
    Forall,
    /// `∃`
    Exists,
    /// `∃₁`
    ExistsOne,
}

/// A two-sided operator of schemas alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SchemaOp {
    /// `S ⨡ T`
    Project,
    /// `S ⨟ T`
    Compose,
    /// `S ⨠ T`
    Pipe,
}

/// A declaration part with its predicate: `x : S; T | P`.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The declarations.
    pub decls: Vec<Decl>,
    /// The predicate; several lines are a conjunction.
    pub predicate: Option<TermId>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Decl {
    /// `x, y : S`
    Vars(Vec<Ident>, TermId),
    /// A schema whose components are declared.
    Include(TermId),
    /// `x == E` of the standard: `x` is `E`.
    Define(Ident, TermId),
}

/// What a term is.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// Stands where the text could not be read; a diagnostic says why.
    Error,
    /// A number.
    Number(BigInt),
    /// A name, with the sets that instantiate it: `f`, `S'`, `ΔS`, `f[X]`, `X ⇸ Y`.
    Ref(Name, Vec<TermId>),
    /// `(a, b, c)`
    Tuple(Vec<TermId>),
    /// `{a, b}`
    SetOf(Vec<TermId>),
    /// `⟨a, b⟩`
    Sequence(Vec<TermId>),
    /// `⟦a, b⟧`
    Bag(Vec<TermId>),
    /// `{D | P ⦁ E}`
    Comprehension(Text, Option<TermId>),
    /// `λ D | P ⦁ E`
    Lambda(Text, TermId),
    /// `μ D | P ⦁ E`
    Mu(Text, Option<TermId>),
    /// `let x == E ⦁ F`
    Let(Vec<(Ident, TermId)>, TermId),
    /// `if P then E else F`
    If(TermId, TermId, TermId),
    /// `ℙ E`
    Power(TermId),
    /// `E × F × G`
    Cross(Vec<TermId>),
    /// `f a`
    Apply(TermId, TermId),
    /// An operator applied to its operands; the name has places for them.
    Operator(Ident, Fix, Vec<TermId>),
    /// `R⦇S⦈`
    Image(TermId, TermId),
    /// `R↗n↖`
    Iterate(TermId, TermId),
    /// `⦉x == 1, y == 2⦊`
    Binding(Vec<(Ident, TermId)>),
    /// `b.x`
    Select(TermId, Ident),
    /// `t.1`
    Part(TermId, u32, Span),
    /// `θ S`, the strokes apart: `θ S'`.
    Theta(TermId, Name),
    /// `[D | P]`
    Schema(Text),
    /// `S'`, where the stroke does not hang on a name.
    Decorate(TermId, Name),
    /// `S[new/old]`, pairs of new and old.
    Rename(TermId, Vec<(Ident, Ident)>),
    /// `S ⧹ (x, y)`
    Hide(TermId, Vec<Ident>),
    /// `pre S`
    Pre(TermId),
    /// `S ⨟ T` and its kin.
    SchemaOp(SchemaOp, TermId, TermId),
    /// `¬ P`
    Not(TermId),
    /// `P ∧ Q` and its kin.
    Connect(Connective, TermId, TermId),
    /// `∀ D | P ⦁ Q` and its kin.
    Quantify(Quantifier, Text, TermId),
    /// `a = b`
    Equal(TermId, TermId),
    /// `a ∈ b`
    Member(TermId, TermId),
    /// A relation between its operands: a name with places, or any name between them (`inrel`).
    Relation(Ident, Fix, Vec<TermId>),
    /// `a ≤ b < c`: relations that share operands, left to right.
    Chain(Vec<TermId>),
    /// `true`
    True,
    /// `false`
    False,
}

/// A paragraph.
#[derive(Clone, Debug)]
pub struct Paragraph {
    /// What it is.
    pub kind: ParagraphKind,
    /// Where it stands.
    pub span: Span,
}

/// A branch of a free type.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The constant or constructor.
    pub name: Ident,
    /// The set of its arguments.
    pub argument: Option<TermId>,
}

/// A free type.
#[derive(Clone, Debug)]
pub struct Free {
    /// Its name.
    pub name: Ident,
    /// Its branches.
    pub branches: Vec<Branch>,
}

/// What a paragraph is.
#[derive(Clone, Debug)]
pub enum ParagraphKind {
    /// `section s parents a, b`
    Section(Ident, Vec<Ident>),
    /// `[X, Y]`
    Given(Vec<Ident>),
    /// Free types that may use each other.
    Free(Vec<Free>),
    /// `x == E`, with parameters.
    Abbreviation(Ident, Vec<Ident>, TermId),
    /// An axiomatic or generic box.
    Axiom(Vec<Ident>, Text),
    /// A schema, by box or horizontally.
    Schema {
        /// Its name.
        name: Ident,
        /// Its parameters.
        parameters: Vec<Ident>,
        /// What it is; a box is a [`TermKind::Schema`].
        body: TermId,
        /// Whether it stands in a box.
        boxed: bool,
    },
    /// A predicate that holds, with parameters.
    Predicate(Vec<Ident>, TermId),
    /// A predicate that is claimed.
    Conjecture(Vec<Ident>, TermId),
    /// An operator template; `ops.rs` has it.
    Template(Template),
}

/// An operator template of the standard.
#[derive(Clone, Debug)]
pub struct Template {
    /// `function`, `relation` or `generic`.
    pub category: crate::lex::Key,
    /// The level of an infix function.
    pub level: Option<u16>,
    /// Whether it groups to the right.
    pub right: bool,
    /// The name with its places.
    pub name: Ident,
}

/// A specification as it was read.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// All terms.
    pub terms: Arena<Term>,
    /// The paragraphs, in order.
    pub paragraphs: Vec<Paragraph>,
}

impl TermKind {
    /// Calls `visit` for each direct child, left to right.
    pub fn for_each_child(&self, mut visit: impl FnMut(TermId)) {
        let text = |text: &Text, visit: &mut dyn FnMut(TermId)| {
            for decl in &text.decls {
                match decl {
                    Decl::Vars(_, set) | Decl::Include(set) | Decl::Define(_, set) => visit(*set),
                }
            }
            text.predicate.iter().copied().for_each(visit);
        };
        match self {
            TermKind::Error | TermKind::Number(_) | TermKind::True | TermKind::False => {}
            TermKind::Ref(_, many)
            | TermKind::Tuple(many)
            | TermKind::SetOf(many)
            | TermKind::Sequence(many)
            | TermKind::Bag(many)
            | TermKind::Cross(many)
            | TermKind::Operator(_, _, many)
            | TermKind::Relation(_, _, many)
            | TermKind::Chain(many) => many.iter().copied().for_each(visit),
            TermKind::Comprehension(t, value) | TermKind::Mu(t, value) => {
                text(t, &mut visit);
                value.iter().copied().for_each(visit);
            }
            TermKind::Lambda(t, value) | TermKind::Quantify(_, t, value) => {
                text(t, &mut visit);
                visit(*value);
            }
            TermKind::Schema(t) => text(t, &mut visit),
            TermKind::Let(pairs, body) => {
                pairs.iter().for_each(|(_, value)| visit(*value));
                visit(*body);
            }
            TermKind::Binding(pairs) => pairs.iter().for_each(|(_, value)| visit(*value)),
            TermKind::If(a, b, c) => [*a, *b, *c].into_iter().for_each(visit),
            TermKind::Power(a)
            | TermKind::Select(a, _)
            | TermKind::Part(a, _, _)
            | TermKind::Theta(a, _)
            | TermKind::Decorate(a, _)
            | TermKind::Rename(a, _)
            | TermKind::Hide(a, _)
            | TermKind::Pre(a)
            | TermKind::Not(a) => visit(*a),
            TermKind::Apply(a, b)
            | TermKind::Image(a, b)
            | TermKind::Iterate(a, b)
            | TermKind::SchemaOp(_, a, b)
            | TermKind::Connect(_, a, b)
            | TermKind::Equal(a, b)
            | TermKind::Member(a, b) => [*a, *b].into_iter().for_each(visit),
        }
    }
}
