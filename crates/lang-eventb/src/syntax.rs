//! Contexts, machines and events as they are written, whatever file they came from.
//!
//! All formulas of a project stand in one forest. A formula has a text of its own among the sources, with the
//! file, the element and the label as its path (`M1.bum:step/grd2`), so that every span leads to a place that a
//! user of Rodin can find.

use base::{Name, Span};
use lang_math::{Binding, ExprId, Exprs};
use rustc_hash::FxHashMap;

/// A predicate or expression with its label.
#[derive(Clone, Copy, Debug)]
pub struct Labelled {
    /// Its label; empty when it has none.
    pub label: Name,
    /// Where the label stands; the whole element where that cannot be told.
    pub label_span: Span,
    /// The formula.
    pub formula: ExprId,
    /// Whether it follows from what stands before it.
    pub is_theorem: bool,
    /// Where the whole element stands.
    pub span: Span,
}

/// A reference to a component or an event.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// What it names.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// A context.
#[derive(Clone, Debug)]
pub struct Context {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// All of its text, as far as it is one.
    pub whole: Span,
    /// The contexts it extends.
    pub extends: Vec<Reference>,
    /// Carrier sets.
    pub sets: Vec<Binding>,
    /// Constants.
    pub constants: Vec<Binding>,
    /// Axioms and theorems, in order.
    pub axioms: Vec<Labelled>,
}

impl Context {
    /// One in which nothing is declared yet.
    pub fn new(name: Name, span: Span) -> Context {
        Context {
            name,
            span,
            whole: span,
            extends: Vec::new(),
            sets: Vec::new(),
            constants: Vec::new(),
            axioms: Vec::new(),
        }
    }
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// All of its text, as far as it is one.
    pub whole: Span,
    /// The machine it refines.
    pub refines: Option<Reference>,
    /// The contexts it sees.
    pub sees: Vec<Reference>,
    /// Its variables, kept ones included.
    pub variables: Vec<Binding>,
    /// Invariants and theorems, in order.
    pub invariants: Vec<Labelled>,
    /// What convergent events make smaller.
    pub variants: Vec<Labelled>,
    /// Events, the initialisation among them.
    pub events: Vec<Event>,
}

impl Machine {
    /// One in which nothing is declared yet.
    pub fn new(name: Name, span: Span) -> Machine {
        Machine {
            name,
            span,
            whole: span,
            refines: None,
            sees: Vec::new(),
            variables: Vec::new(),
            invariants: Vec::new(),
            variants: Vec::new(),
            events: Vec::new(),
        }
    }
}

/// What an event owes to the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing.
    Ordinary,
    /// It makes the variant smaller.
    Convergent,
    /// It does not make the variant larger.
    Anticipated,
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// All of its text, as far as it is one.
    pub whole: Span,
    /// What it owes to the variant.
    pub status: Status,
    /// Whether parameters, guards and actions of the refined event are part of it although not written here.
    pub is_extended: bool,
    /// The events it refines; none: it refines doing nothing.
    pub refines: Vec<Reference>,
    /// Parameters.
    pub parameters: Vec<Binding>,
    /// Guards and theorems, in order.
    pub guards: Vec<Labelled>,
    /// Values of what disappears: the label is a parameter, or a variable with a prime.
    pub witnesses: Vec<Labelled>,
    /// What changes, all at once.
    pub actions: Vec<Action>,
}

/// The name of the event that gives variables their first values.
pub const INITIALISATION: &str = "INITIALISATION";

impl Event {
    /// Whether it gives variables their first values.
    pub fn is_initialisation(&self) -> bool {
        self.name.as_str() == INITIALISATION
    }
}

/// One action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its label; empty when it has none.
    pub label: Name,
    /// Where it stands.
    pub span: Span,
    /// The variables that change.
    pub targets: Vec<Binding>,
    /// How.
    pub change: Change,
}

/// How variables change.
#[derive(Clone, Debug)]
pub enum Change {
    /// `x, y ≔ E, F`: one value for each target. `f(a) ≔ E` has become `f ≔ f  {a ↦ E}`.
    Assign(Vec<ExprId>),
    /// `x :∈ S`
    Element(ExprId),
    /// `x, y :∣ P`, with primes for the new values.
    Such(ExprId),
}

/// All components that were read together.
#[derive(Debug, Default)]
pub struct Project {
    /// All formulas.
    pub exprs: Exprs,
    /// Contexts.
    pub contexts: Vec<Context>,
    /// Machines.
    pub machines: Vec<Machine>,
    /// Theories whose definitions are known.
    pub theories: Vec<Theory>,
    /// What was written where definitions of theories were put in the place of operators.
    pub written: FxHashMap<ExprId, ExprId>,
    /// Names that stand for the type parameter of one use of a definition.
    pub type_names: Vec<Name>,
}

/// A theory: types and operators beyond the mathematical language.
#[derive(Clone, Debug)]
pub struct Theory {
    /// Its name.
    pub name: Name,
    /// Its type parameters.
    pub parameters: Vec<Name>,
    /// Inductive types.
    pub datatypes: Vec<Datatype>,
    /// Operators.
    pub operators: Vec<Operator>,
}

/// An inductive type.
#[derive(Clone, Debug)]
pub struct Datatype {
    /// Its name.
    pub name: Name,
    /// The type parameters it depends on.
    pub parameters: Vec<Name>,
    /// Its constructors, each with the names of its destructors and their types, as set expressions.
    pub constructors: Vec<(Name, Vec<(Name, ExprId)>)>,
}

/// An operator of a theory.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Its name.
    pub name: Name,
    /// Its arguments with their types, as set expressions.
    pub arguments: Vec<(Name, ExprId)>,
    /// What it means.
    pub definition: Definition,
}

/// What an operator of a theory means.
#[derive(Clone, Debug)]
pub enum Definition {
    /// This formula over its arguments.
    Direct(ExprId),
    /// A case for each constructor of one argument.
    Cases(Vec<Case>),
    /// An operator that is built in under this tag.
    BuiltIn(Name),
    /// Only axioms say what it means.
    Axiomatic,
    /// Its definition could not be read.
    Unreadable,
}

/// One case of an operator that is defined by induction.
#[derive(Clone, Debug)]
pub struct Case {
    /// The argument that is looked at.
    pub argument: Name,
    /// The names that the pattern binds.
    pub names: Vec<Name>,
    /// The pattern: a constructor over names.
    pub pattern: ExprId,
    /// The value.
    pub value: ExprId,
}

impl Project {
    /// The context of this name.
    pub fn context(&self, name: Name) -> Option<usize> {
        self.contexts
            .iter()
            .position(|context| context.name == name)
    }

    /// The machine of this name.
    pub fn machine(&self, name: Name) -> Option<usize> {
        self.machines
            .iter()
            .position(|machine| machine.name == name)
    }
}
