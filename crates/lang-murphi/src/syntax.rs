//! The tree of a program: what was written, with places; names are not resolved and types not inferred here.
//!
//! Expressions and types live in arenas, so that long chains are dropped without recursion and later stages keep
//! side tables by id. Statements nest as the text does, within the parser's limit.

use base::{Arena, Id, Name, Span};

/// Names an expression of a [`Tree`].
pub type ExprId = Id<Expr>;
/// Names a type expression of a [`Tree`].
pub type TypeExprId = Id<TypeExpr>;

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// All expressions.
    pub exprs: Arena<Expr>,
    /// All type expressions.
    pub types: Arena<TypeExpr>,
    /// Declarations, routines and rules in the order of the text.
    pub items: Vec<Item>,
}

/// A name that is introduced or used, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The text.
    pub name: Name,
    /// The place.
    pub span: Span,
}

/// A string with its place; escapes are kept as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text between the quotation marks.
    pub text: Name,
    /// The place.
    pub span: Span,
}

/// What stands at the outermost level.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A constant, type or variable.
    Decl(Decl),
    /// A function or procedure.
    Routine(Routine),
    /// A rule, a start state, a property or a block of them.
    Rule(Rule),
}

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Decl {
    /// `const a, b: e`.
    Const(Vec<Ident>, ExprId),
    /// `type a, b: T`.
    Type(Vec<Ident>, TypeExprId),
    /// `var a, b: T`.
    Var(Vec<Ident>, TypeExprId),
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// Which.
    pub kind: TypeKind,
    /// The place.
    pub span: Span,
}

/// The forms of types.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// Could not be read; reported.
    Error,
    /// A name, `boolean` included.
    Name(Name),
    /// `a..b`.
    Range(ExprId, ExprId),
    /// `enum {A, B}`.
    Enum(Vec<Ident>),
    /// `scalarset(n)`.
    Scalarset(ExprId),
    /// `union {A, B}`.
    Union(Vec<TypeExprId>),
    /// `record a, b: T; … end`.
    Record(Vec<(Vec<Ident>, TypeExprId)>),
    /// `array [I] of T`.
    Array(TypeExprId, TypeExprId),
    /// `multiset [n] of T`.
    Multiset(ExprId, TypeExprId),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// The place.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Could not be read; reported.
    Error,
    /// A number.
    Number(i64),
    /// `undefined`.
    Undefined,
    /// A name: constant, variable, member of an enumeration, `true`, ….
    Name(Name),
    /// `e.f`.
    Field(ExprId, Ident),
    /// `e[i]`.
    Index(ExprId, ExprId),
    /// `f(a, b)`.
    Call(Ident, Vec<ExprId>),
    /// An operator before its operand.
    Unary(Unary, ExprId),
    /// An operator between two operands.
    Binary(Binary, ExprId, ExprId),
    /// `c ? a : b`.
    Conditional(ExprId, ExprId, ExprId),
    /// `forall x: T do e end`.
    Quantified(Quantifier, Box<Binder>, ExprId),
    /// `isundefined(d)`.
    IsUndefined(ExprId),
    /// `ismember(e, T)`.
    IsMember(ExprId, TypeExprId),
    /// `multisetcount(i: m, e)`.
    MultisetCount(Ident, ExprId, ExprId),
}

/// Operators before their operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `~`
    BitNot,
}

/// Operators between two operands. `&` and `|` are logical or bitwise, by the types of their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Implies,
    Or,
    OrOr,
    BitXor,
    And,
    AndAnd,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// Which quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
}

/// A variable that goes through values: of a loop, a quantifier or a ruleset.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// The variable.
    pub ident: Ident,
    /// Its values.
    pub over: Over,
}

/// What a [`Binder`] goes through.
#[derive(Clone, Debug, PartialEq)]
pub enum Over {
    /// All values of a type.
    Type(TypeExprId),
    /// `a to b by s`.
    Range(ExprId, ExprId, Option<ExprId>),
}

/// `alias a: e`.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// The new name.
    pub ident: Ident,
    /// What it stands for.
    pub value: ExprId,
}

/// A function (with a result) or procedure (without).
#[derive(Clone, Debug, PartialEq)]
pub struct Routine {
    /// Its name.
    pub ident: Ident,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The type of the result.
    pub result: Option<TypeExprId>,
    /// Local declarations.
    pub decls: Vec<Decl>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// From the keyword to the closing one.
    pub span: Span,
}

/// Parameters that share a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Whether they are `var` parameters.
    pub is_var: bool,
    /// Their names.
    pub idents: Vec<Ident>,
    /// Their type.
    pub ty: TypeExprId,
}

/// What stands among the rules.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// A rule.
    Simple(SimpleRule),
    /// A start state.
    Start(StartState),
    /// A property.
    Property(Property),
    /// `ruleset … do … end`.
    Ruleset(Vec<Binder>, Vec<Rule>),
    /// `alias … do … end`.
    Alias(Vec<Alias>, Vec<Rule>),
    /// `choose i: m do … end`.
    Choose(Ident, ExprId, Vec<Rule>),
}

/// `rule 10 "name" guard ==> decls begin stmts end`.
#[derive(Clone, Debug, PartialEq)]
pub struct SimpleRule {
    /// Its name.
    pub name: Option<Text>,
    /// Its number: of the enabled rules those with the least one fire.
    pub priority: Option<i64>,
    /// Its guard; true when absent.
    pub guard: Option<ExprId>,
    /// Local declarations.
    pub decls: Vec<Decl>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// The keyword and the name.
    pub span: Span,
}

/// `startstate "name" decls begin stmts end`.
#[derive(Clone, Debug, PartialEq)]
pub struct StartState {
    /// Its name.
    pub name: Option<Text>,
    /// Local declarations.
    pub decls: Vec<Decl>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// The keyword and the name.
    pub span: Span,
}

/// What a property asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Holds in every state; `assert` at the outermost level is the same.
    Invariant,
    /// States in which it is false do not count.
    Assume,
    /// Holds in some state.
    Cover,
    /// From every state a state is reachable in which it holds.
    Liveness,
}

/// `invariant "name" e`.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// What it asks for.
    pub kind: PropertyKind,
    /// Its name.
    pub name: Option<Text>,
    /// Its expression.
    pub expr: ExprId,
    /// The whole.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// The place.
    pub span: Span,
}

/// The forms of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// Could not be read; reported.
    Error,
    /// `d := e`.
    Assign(ExprId, ExprId),
    /// `if … elsif … else … end`.
    If(Vec<(ExprId, Vec<Stmt>)>, Vec<Stmt>),
    /// `switch e case a, b: … else … end`.
    Switch(ExprId, Vec<(Vec<ExprId>, Vec<Stmt>)>, Vec<Stmt>),
    /// `for x: T do … end`.
    For(Box<Binder>, Vec<Stmt>),
    /// `while e do … end`.
    While(ExprId, Vec<Stmt>),
    /// `alias … do … end`.
    Alias(Vec<Alias>, Vec<Stmt>),
    /// `return e`.
    Return(Option<ExprId>),
    /// `assert e "text"`.
    Assert(ExprId, Option<Text>),
    /// `assume e`.
    Assume(ExprId, Option<Text>),
    /// `cover e`.
    Cover(ExprId, Option<Text>),
    /// `error "text"`.
    Fail(Text),
    /// `put "text"`.
    PutText(Text),
    /// `put e`.
    Put(ExprId),
    /// `clear d`.
    Clear(ExprId),
    /// `undefine d`.
    Undefine(ExprId),
    /// `p(a, b)`.
    Call(ExprId),
    /// `multisetadd(e, m)`.
    MultisetAdd(ExprId, ExprId),
    /// `multisetremove(i, m)`.
    MultisetRemove(ExprId, ExprId),
    /// `multisetremovepred(i: m, e)`.
    MultisetRemovePred(Ident, ExprId, ExprId),
}
