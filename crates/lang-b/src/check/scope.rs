//! What names mean, and where.
//!
//! Global names (of this component and of those it refers to) live in one table with the way they became
//! visible; names bound by quantifiers, substitutions and headers lie over them like a stack.

use base::{Id, Name, Span};
use lang_math::{Type, TypeId};
use rustc_hash::FxHashMap;

use super::World;
use crate::load::UnitId;
use crate::syntax::{Link, Visibility};

/// Names a declaration.
pub type DeclId = Id<Decl>;

/// Something that has a name and a type.
#[derive(Clone, Debug)]
pub struct Decl {
    /// The name as declared.
    pub name: Name,
    /// What it is.
    pub kind: DeclKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
    /// The component that declares it.
    pub unit: UnitId,
    /// The declaration this one is an instance of: a variable of a machine that was included with a prefix
    /// or with actual parameters.
    pub instance_of: Option<DeclId>,
}

/// What a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeclKind {
    /// A set given as a parameter of the machine.
    SetParameter,
    /// A value given as a parameter of the machine.
    Parameter,
    /// A set without given elements.
    DeferredSet,
    /// A set with given elements.
    EnumeratedSet,
    /// An element of an enumerated set.
    Element,
    /// A free type.
    FreeType,
    /// A constructor of a free type.
    Constructor,
    /// A constant.
    Constant(Visibility),
    /// A variable.
    Variable(Visibility),
    /// A parameter of an operation.
    Input,
    /// A result of an operation.
    Output,
    /// A variable of VAR.
    Local,
    /// A name bound by a quantifier, a comprehension, ANY or LET.
    Bound,
}

impl DeclKind {
    /// "a constant", "a variable", …
    pub fn with_article(self) -> &'static str {
        match self {
            DeclKind::SetParameter | DeclKind::Parameter => "a parameter of the machine",
            DeclKind::DeferredSet | DeclKind::EnumeratedSet => "a set",
            DeclKind::Element => "an element of an enumerated set",
            DeclKind::FreeType => "a free type",
            DeclKind::Constructor => "a constructor",
            DeclKind::Constant(_) => "a constant",
            DeclKind::Variable(_) => "a variable",
            DeclKind::Input => "a parameter",
            DeclKind::Output => "a result",
            DeclKind::Local => "a local variable",
            DeclKind::Bound => "a bound name",
        }
    }
}

/// How a global name became visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Via {
    /// It is declared here.
    Own,
    /// Through a reference.
    Link(Link),
    /// It belongs to a component that this one refines.
    Refined,
}

/// A global name.
#[derive(Clone, Copy, Debug)]
pub struct Global {
    /// What it means.
    pub decl: DeclId,
    /// How it became visible.
    pub via: Via,
}

/// The part of a component that is being checked: clauses see different names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// CONSTRAINTS
    Constraints,
    /// Actual parameters of referenced machines.
    Arguments,
    /// PROPERTIES
    Properties,
    /// VALUES
    Values,
    /// INVARIANT
    Invariant,
    /// ASSERTIONS, VARIANT
    Assertions,
    /// INITIALISATION
    Initialisation,
    /// OPERATIONS
    Operations,
    /// A loop invariant or ASSERT predicate: sees abstract variables as well.
    Annotation,
    /// A formula from outside: sees everything.
    Query,
}

impl Region {
    /// How the region is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            Region::Constraints => "CONSTRAINTS",
            Region::Arguments => "the actual parameters of a machine",
            Region::Properties => "PROPERTIES",
            Region::Values => "VALUES",
            Region::Invariant => "INVARIANT",
            Region::Assertions => "ASSERTIONS",
            Region::Initialisation => "INITIALISATION",
            Region::Operations | Region::Annotation => "OPERATIONS",
            Region::Query => "this formula",
        }
    }

    /// Whether a global of this kind, visible this way, may be used.
    pub fn sees(self, kind: DeclKind, via: Via) -> bool {
        let parameter = matches!(kind, DeclKind::SetParameter | DeclKind::Parameter);
        let variable = matches!(kind, DeclKind::Variable(_));
        match self {
            Region::Constraints => parameter,
            Region::Properties | Region::Values => !parameter && !variable,
            Region::Arguments => !variable,
            // Concrete variables live on in refinements, abstract ones do not.
            Region::Initialisation | Region::Operations => {
                via != Via::Refined || kind != DeclKind::Variable(Visibility::Abstract)
            }
            Region::Invariant | Region::Assertions | Region::Annotation | Region::Query => true,
        }
    }
}

/// The names of one component.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Global names.
    pub globals: FxHashMap<Name, Global>,
    locals: FxHashMap<Name, Vec<DeclId>>,
}

impl Scope {
    /// The innermost binding of a name.
    pub fn local(&self, name: Name) -> Option<DeclId> {
        self.locals
            .get(&name)
            .and_then(|stack| stack.last().copied())
    }

    /// The type of `T1`, `T2`, …, which name the elements of a deferred set T in formulas from outside.
    pub fn unnamed_element(&self, name: Name, world: &World) -> Option<TypeId> {
        let set = name.as_str().trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &name.as_str()[set.len()..];
        if number.is_empty() || number.starts_with('0') {
            return None;
        }
        let global = self.globals.get(&Name::new(set))?;
        let decl = &world.decls[global.decl];
        match (decl.kind, world.types.get(decl.ty)) {
            (DeclKind::DeferredSet | DeclKind::SetParameter, Type::Pow(element)) => Some(*element),
            _ => None,
        }
    }

    /// Binds a name over what it meant.
    pub fn bind(&mut self, name: Name, decl: DeclId) {
        self.locals.entry(name).or_default().push(decl);
    }

    /// Takes the innermost binding of a name away.
    pub fn unbind(&mut self, name: Name) {
        if let Some(stack) = self.locals.get_mut(&name) {
            stack.pop();
        }
    }

    /// The names bound at the moment.
    pub fn local_names(&self) -> impl Iterator<Item = Name> {
        self.locals
            .iter()
            .filter(|(_, stack)| !stack.is_empty())
            .map(|(name, _)| *name)
    }
}
