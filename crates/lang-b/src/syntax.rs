//! The syntax tree of a B component: what the parser builds, the printer prints and the checker reads.
//!
//! Invariant: a tree says what was written; nothing is expanded, resolved or typed here.

mod substitution;

use base::{Arena, Name, Span};
use lang_math::{Binding, ExprId, Exprs};

pub use substitution::{Subst, SubstId, SubstKind};

/// A file: one component with its formulas and substitutions.
#[derive(Clone, Debug)]
pub struct Component {
    /// What it is.
    pub kind: ComponentKind,
    /// Its name; empty for a definition file.
    pub name: Name,
    /// Where the name stands.
    pub name_span: Span,
    /// Formal parameters.
    pub parameters: Vec<Binding>,
    /// The clauses, in the order of the text.
    pub clauses: Vec<Clause>,
    /// Pragmas before the header.
    pub pragmas: Vec<FilePragma>,
    /// The formulas and substitutions of all clauses.
    pub tree: Tree,
    /// The whole text.
    pub span: Span,
}

impl Component {
    /// What its clauses define, in the order of the text.
    pub fn definitions(&self) -> impl Iterator<Item = &Definition> {
        let clauses = self.clauses.iter();
        clauses
            .filter_map(|clause| match &clause.body {
                ClauseBody::Definitions(definitions) => Some(definitions),
                _ => None,
            })
            .flatten()
    }
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentKind {
    /// `MACHINE`
    Machine,
    /// `MODEL`
    Model,
    /// `SYSTEM`
    System,
    /// `REFINEMENT`
    Refinement,
    /// `IMPLEMENTATION`
    Implementation,
    /// `DEFINITIONS …` by itself
    DefinitionFile,
}

impl ComponentKind {
    /// The keyword that opens it.
    pub fn keyword(self) -> &'static str {
        match self {
            ComponentKind::Machine => "MACHINE",
            ComponentKind::Model => "MODEL",
            ComponentKind::System => "SYSTEM",
            ComponentKind::Refinement => "REFINEMENT",
            ComponentKind::Implementation => "IMPLEMENTATION",
            ComponentKind::DefinitionFile => "DEFINITIONS",
        }
    }

    /// Whether it is an abstract machine of some spelling.
    pub fn is_abstract(self) -> bool {
        matches!(
            self,
            ComponentKind::Machine | ComponentKind::Model | ComponentKind::System
        )
    }
}

/// A pragma before the header.
#[derive(Clone, Debug)]
pub struct FilePragma {
    /// Which.
    pub kind: FilePragmaKind,
    /// Where.
    pub span: Span,
}

/// What a pragma before the header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePragmaKind {
    /// `/*@package a.b*/`: the folder this file lies in, below the root.
    Package(Name),
    /// `/*@import-package a.b*/`: a folder to search, below the root.
    ImportPackage(Name),
    /// `/*@generated*/`
    Generated,
}

/// A clause with the place of its keyword.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it holds.
    pub body: ClauseBody,
    /// Where its keyword stands.
    pub keyword: Span,
}

/// What a clause holds.
#[derive(Clone, Debug)]
pub enum ClauseBody {
    /// `REFINES M`
    Refines(MachineRef),
    /// `SEES`, `USES`, `INCLUDES`, `EXTENDS`, `IMPORTS`
    References(Link, Vec<MachineRef>),
    /// `PROMOTES op, …`
    Promotes(Vec<Binding>),
    /// `CONSTRAINTS P`
    Constraints(ExprId),
    /// `SETS`
    Sets(Vec<SetDecl>),
    /// `FREETYPES`
    FreeTypes(Vec<FreeType>),
    /// `CONSTANTS`, `CONCRETE_CONSTANTS` (concrete) or `ABSTRACT_CONSTANTS`
    Constants(Visibility, Vec<Declared>),
    /// `PROPERTIES P`
    Properties(ExprId),
    /// `VALUES`
    Values(Vec<Value>),
    /// `VARIABLES`, `ABSTRACT_VARIABLES` (abstract) or `CONCRETE_VARIABLES`
    Variables(Visibility, Vec<Declared>),
    /// `INVARIANT P`
    Invariant(ExprId),
    /// `ASSERTIONS P; …`
    Assertions(Vec<ExprId>),
    /// `INITIALISATION S`
    Initialisation(SubstId),
    /// `OPERATIONS`, `EVENTS`
    Operations(Vec<Operation>),
    /// `LOCAL_OPERATIONS`
    LocalOperations(Vec<Operation>),
    /// `DEFINITIONS`
    Definitions(Vec<Definition>),
    /// `VARIANT E` of an Atelier B system
    Variant(ExprId),
    /// `REFERENCES`, `EXPRESSIONS`, `PREDICATES`: recognised, kept by name only.
    Unsupported(Name),
}

impl ClauseBody {
    /// The keyword as it is printed.
    pub fn keyword(&self) -> &'static str {
        match self {
            ClauseBody::Refines(_) => "REFINES",
            ClauseBody::References(link, _) => link.keyword(),
            ClauseBody::Promotes(_) => "PROMOTES",
            ClauseBody::Constraints(_) => "CONSTRAINTS",
            ClauseBody::Sets(_) => "SETS",
            ClauseBody::FreeTypes(_) => "FREETYPES",
            ClauseBody::Constants(Visibility::Concrete, _) => "CONSTANTS",
            ClauseBody::Constants(Visibility::Abstract, _) => "ABSTRACT_CONSTANTS",
            ClauseBody::Properties(_) => "PROPERTIES",
            ClauseBody::Values(_) => "VALUES",
            ClauseBody::Variables(Visibility::Concrete, _) => "CONCRETE_VARIABLES",
            ClauseBody::Variables(Visibility::Abstract, _) => "VARIABLES",
            ClauseBody::Invariant(_) => "INVARIANT",
            ClauseBody::Assertions(_) => "ASSERTIONS",
            ClauseBody::Initialisation(_) => "INITIALISATION",
            ClauseBody::Operations(_) => "OPERATIONS",
            ClauseBody::LocalOperations(_) => "LOCAL_OPERATIONS",
            ClauseBody::Definitions(_) => "DEFINITIONS",
            ClauseBody::Variant(_) => "VARIANT",
            ClauseBody::Unsupported(name) => name.as_str(),
        }
    }
}

/// How a component refers to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Link {
    /// `SEES`
    Sees,
    /// `USES`
    Uses,
    /// `INCLUDES`
    Includes,
    /// `EXTENDS`
    Extends,
    /// `IMPORTS`
    Imports,
}

impl Link {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Link::Sees => "SEES",
            Link::Uses => "USES",
            Link::Includes => "INCLUDES",
            Link::Extends => "EXTENDS",
            Link::Imports => "IMPORTS",
        }
    }
}

/// Whether a constant or variable must be implementable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// It may be replaced in a refinement.
    Abstract,
    /// It is kept down to the implementation.
    Concrete,
}

/// `inst.M(args)` with an optional `/*@file "path"*/`.
#[derive(Clone, Debug)]
pub struct MachineRef {
    /// The renaming prefix, without the dot.
    pub instance: Option<Name>,
    /// The machine.
    pub machine: Name,
    /// Actual parameters.
    pub arguments: Vec<ExprId>,
    /// The path given by a pragma.
    pub file: Option<Name>,
    /// Where the reference stands.
    pub span: Span,
}

/// A declared constant or variable.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The name.
    pub name: Name,
    /// Where.
    pub span: Span,
    /// The text of a `/*@desc*/` pragma.
    pub description: Option<Name>,
}

/// A set of the `SETS` clause.
#[derive(Clone, Debug)]
pub struct SetDecl {
    /// The name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// What it holds.
    pub kind: SetKind,
    /// The text of a `/*@desc*/` pragma.
    pub description: Option<Name>,
}

/// What a declared set holds.
#[derive(Clone, Debug)]
pub enum SetKind {
    /// `S`
    Deferred,
    /// `S = {a, b}`
    Enumerated(Vec<Binding>),
    /// `S = DEF`, where a definition lists the elements.
    FromDefinition(Binding),
}

/// `T = c0, c1(ARG), …`
#[derive(Clone, Debug)]
pub struct FreeType {
    /// The name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Type parameters.
    pub parameters: Vec<Binding>,
    /// The constructors.
    pub constructors: Vec<Constructor>,
}

/// A constructor of a free type.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// The name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// The set of its arguments.
    pub argument: Option<ExprId>,
}

/// `c = E` of the `VALUES` clause.
#[derive(Clone, Debug)]
pub struct Value {
    /// The constant or set.
    pub name: Binding,
    /// Its value.
    pub value: ExprId,
}

/// An operation or event.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The name, possibly dotted.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Results.
    pub results: Vec<Binding>,
    /// Parameters.
    pub parameters: Vec<Binding>,
    /// The abstract operation it refines under another name (`ref`).
    pub refines: Option<Binding>,
    /// What it does.
    pub body: SubstId,
    /// The text of a `/*@desc*/` pragma.
    pub description: Option<Name>,
}

/// An entry of a `DEFINITIONS` clause.
#[derive(Clone, Debug)]
pub enum Definition {
    /// `name(p, q) == body`
    Macro(Macro),
    /// `"file.def"` or `<file.def>`
    File(DefinitionFileRef),
}

/// A file of definitions to merge in.
#[derive(Clone, Copy, Debug)]
pub struct DefinitionFileRef {
    /// The path as written.
    pub path: Name,
    /// Whether it was written `<…>`: only the library is searched.
    pub library: bool,
    /// Where.
    pub span: Span,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Macro {
    /// The name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Its parameters.
    pub parameters: Vec<Binding>,
    /// What it stands for.
    pub body: MacroBody,
    /// From its name to the end of what it stands for, brackets included.
    pub whole: Span,
}

/// What a definition stands for.
#[derive(Clone, Debug)]
pub enum MacroBody {
    /// An expression or a predicate.
    Formula(ExprId),
    /// A list of names `x, y`, for use in binders.
    Names(Vec<Binding>),
    /// A substitution.
    Substitution(SubstId),
}

/// Formulas and substitutions.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Expressions and predicates.
    pub exprs: Exprs,
    /// Substitutions.
    pub substs: Arena<Subst>,
}
