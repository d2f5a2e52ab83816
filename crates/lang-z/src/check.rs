//! Names and types of a specification.
//!
//! Types are those of the Z Reference Manual: given sets and free types, numbers, sets, tuples, bindings. Generic names
//! are instantiated by unification (`lang_math::Types`). Paragraphs may use what later ones declare: the type of a
//! global name is worked out when it is first needed.
//! Differs from fuzz: order does not matter, and a message names both types and their places.
//! Invariant: every term that was reached has a type or is a predicate; every name that was found has a [`Meaning`].

mod declare;
mod expr;
mod predicate;
pub mod schema;
mod text;
pub mod types;

use base::{Arena, Diagnostic, Diagnostics, Id, Name, Span};
use lang_math::{Type, TypeId, Types};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::lex::Dialect;
use crate::ops::Ops;
use crate::tree::{Ident, TermId, Tree};

pub use text::{Part, Scope};

/// Names a global.
pub type GlobalId = Id<Global>;

/// A name declared by a paragraph.
#[derive(Clone, Debug)]
pub struct Global {
    /// The name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// The paragraph that declares it.
    pub paragraph: usize,
    /// How.
    pub kind: GlobalKind,
    /// Its parameters, as the given sets that stand for them in its type.
    pub parameters: Vec<Name>,
    /// Its type, once it is known.
    pub ty: Option<TypeId>,
    /// Whether it belongs to the toolkit.
    pub toolkit: bool,
}

/// How a global is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalKind {
    /// The numbers.
    Numbers,
    /// A given set.
    Given,
    /// A free type: which of its paragraph.
    Free(usize),
    /// A branch of a free type: which type, which branch.
    Branch(usize, usize),
    /// `x == E`
    Abbreviation(TermId),
    /// A constant of an axiomatic or generic box.
    Constant,
    /// A schema.
    Schema(TermId),
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A variable of an enclosing scope, or a parameter.
    Local,
    /// A global, with the types of its parameters.
    Global(GlobalId, Vec<TypeId>),
    /// A global schema with strokes on its components.
    Decorated(GlobalId, Vec<TypeId>, Name),
    /// `ΔS`
    Delta(GlobalId, Vec<TypeId>),
    /// `ΞS`
    Xi(GlobalId, Vec<TypeId>),
}

/// A checked specification.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree; the paragraphs of the toolkit come first.
    pub tree: Tree,
    /// How many paragraphs belong to the toolkit.
    pub toolkit: usize,
    /// The notation.
    pub dialect: Dialect,
    /// The operators.
    pub ops: Ops,
    /// Types.
    pub types: Types,
    /// Globals, those of the toolkit first.
    pub globals: Arena<Global>,
    /// Globals by name.
    pub names: FxHashMap<Name, GlobalId>,
    /// The type of every term; `None` for predicates.
    pub type_of: Vec<Option<TypeId>>,
    /// What names in terms stand for.
    pub meanings: FxHashMap<TermId, Meaning>,
    /// What was found.
    pub diagnostics: Diagnostics,
    /// The section's name, or that of the file.
    pub name: Name,
}

impl Checked {
    pub(crate) fn empty(dialect: Dialect, name: Name) -> Checked {
        Checked {
            tree: Tree::default(),
            toolkit: 0,
            dialect,
            ops: Ops::default(),
            types: Types::new(),
            globals: Arena::new(),
            names: FxHashMap::default(),
            type_of: Vec::new(),
            meanings: FxHashMap::default(),
            diagnostics: Diagnostics::new(),
            name,
        }
    }

    /// Makes everything so far the toolkit.
    pub(crate) fn seal_toolkit(&mut self) {
        self.toolkit = self.tree.paragraphs.len();
        let ids: Vec<GlobalId> = self.globals.iter().map(|(id, _)| id).collect();
        for id in ids {
            self.globals[id].toolkit = true;
        }
    }

    /// The global with a name.
    pub fn global(&self, name: Name) -> Option<GlobalId> {
        self.names.get(&name).copied()
    }

    /// The components of a schema type, sorted by name.
    pub fn components(&self, set: TypeId) -> Option<Vec<(Name, TypeId)>> {
        match self.types.get(set) {
            Type::Pow(element) => match self.types.get(*element) {
                Type::Record(fields) if !types::is_tuple(fields) => Some(fields.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The strokes with which a schema is included: its binding has labels without them.
    pub fn strokes_of(&self, schema: TermId) -> Name {
        schema::strokes_of(self, schema)
    }

    /// The type of a term.
    pub fn ty(&self, term: TermId) -> Option<TypeId> {
        self.type_of.get(term.index()).copied().flatten()
    }
}

/// How far the type of a global is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Unseen,
    Active,
    Done,
}

pub(crate) struct Checker {
    out: Checked,
    stages: Vec<Stage>,
    scopes: Vec<FxHashMap<Name, TypeId>>,
    /// Generic instantiations whose types must be known in the end, with what to say.
    pending: Vec<(TypeId, Span, Name)>,
    /// Names that are declared nowhere, where they are looked for and not reported.
    free: Option<Vec<Ident>>,
}

/// Checks what comes after the toolkit, which was checked before.
pub(crate) fn check(checked: Checked) -> Checked {
    let globals = checked.globals.len();
    let mut checker = Checker {
        out: checked,
        stages: vec![Stage::Done; globals],
        scopes: Vec::new(),
        pending: Vec::new(),
        free: None,
    };
    checker.run();
    checker.out
}

/// Checks a formula in the scope of some variables; what was found.
pub(crate) fn check_formula(
    checked: &mut Checked,
    term: TermId,
    is_expression: bool,
    scope: &[(Name, TypeId)],
) -> Diagnostics {
    outside(checked, scope, |checker| {
        match is_expression {
            true => {
                checker.expr(term);
            }
            false => checker.predicate(term),
        }
        checker.settle();
        std::mem::take(&mut checker.out.diagnostics)
    })
}

/// The names of a formula that are declared nowhere, each with its first place.
pub(crate) fn undeclared_names(
    checked: &mut Checked,
    term: TermId,
    is_expression: bool,
    scope: &[(Name, TypeId)],
) -> Vec<Ident> {
    outside(checked, scope, |checker| {
        checker.free = Some(Vec::new());
        match is_expression {
            true => {
                checker.expr(term);
            }
            false => checker.predicate(term),
        }
        checker.free.take().unwrap_or_default()
    })
}

/// Runs a check of something outside the specification, whose own diagnostics stay.
fn outside<T>(
    checked: &mut Checked,
    scope: &[(Name, TypeId)],
    check: impl FnOnce(&mut Checker) -> T,
) -> T {
    let empty = Checked::empty(checked.dialect, checked.name);
    let mut out = std::mem::replace(checked, empty);
    let kept = std::mem::take(&mut out.diagnostics);
    let globals = out.globals.len();
    let mut checker = Checker {
        out,
        stages: vec![Stage::Done; globals],
        scopes: vec![scope.iter().copied().collect()],
        pending: Vec::new(),
        free: None,
    };
    checker.grow();
    let result = check(&mut checker);
    *checked = checker.out;
    checked.diagnostics = kept;
    result
}

impl Checker {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.out.diagnostics.push(diagnostic);
    }

    fn span(&self, term: TermId) -> Span {
        self.out.tree.terms[term].span
    }

    fn grow(&mut self) {
        let terms = self.out.tree.terms.len();
        self.out.type_of.resize(terms, None);
    }

    fn set_type(&mut self, term: TermId, ty: TypeId) -> TypeId {
        self.out.type_of[term.index()] = Some(ty);
        ty
    }

    /// Says which types differ.
    fn mismatch(
        &mut self,
        span: Span,
        message: String,
        left: (&str, TypeId),
        right: (&str, TypeId),
    ) {
        let types = &self.out.types;
        let is_error = |ty: TypeId| matches!(types.get(ty), Type::Error);
        if is_error(left.1) || is_error(right.1) {
            return;
        }
        let note = |(what, ty): (&str, TypeId)| format!("{what}: {}", types::show(types, ty));
        let (first, second) = (note(left), note(right));
        let problem = Diagnostic::error(&codes::TYPE, span, message)
            .note(first)
            .note(second);
        self.report(problem);
    }

    /// Reports what no type was found for, at the end of a paragraph.
    fn settle(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if self.out.diagnostics.has_errors() {
            return;
        }
        for (ty, span, name) in pending {
            if self.out.types.is_ground(ty) {
                continue;
            }
            self.out.types.close(ty);
            let message = format!("nothing tells the parameters of `{name}`");
            let problem = Diagnostic::error(&codes::AMBIGUOUS, span, message)
                .help("give them in brackets after the name");
            self.report(problem);
        }
    }
}
