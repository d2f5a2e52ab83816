//! Z to the set-theory model: schemas become predicates over their components, operations become actions that choose.
//!
//! A schema is never a value of its own while it is lowered: it is a function from expressions for its components to
//! conjuncts (`schema.rs`). So inclusion, decoration, renaming, hiding and composition are choices of those expressions.
//! Bindings are records, tuples are nested to the left, given sets are carrier sets, free types of constants are
//! enumerated sets. Generic definitions are put in the place of their uses (`definitions.rs`); operators of the toolkit
//! that the model has too become operators (`toolkit.rs`).
//! Decision 0070 says why operations are choices and not assignments.

mod apart;
mod behaviour;
mod completed;
mod constants;
mod definitions;
mod entailed;
mod expr;
mod globals;
mod machine;
mod predicate;
pub mod proz;
mod question;
mod redundant;
mod schema;
mod text;
mod toolkit;
mod types;

use base::{Diagnostic, Diagnostics, Name, Span};
use lang_z::{Checked, GlobalId, codes};
use model::scope::Scopes;
use model::{Expr, ExprId, FreeId, Kind, Local, LocalId, Model, SortId, Stmt, StmtId, TyId, VarId};
use rustc_hash::FxHashMap;

pub use machine::{Machine, Operation, find as machine};
pub use question::{question, scope};

/// What the user says about the machine that a specification describes.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `--state NAME`
    pub state: Option<Name>,
    /// `--init NAME`
    pub init: Option<Name>,
    /// `--operation NAME`: these and no others.
    pub operations: Vec<Name>,
}

/// A free type with constructors that have arguments.
#[derive(Clone, Debug)]
struct Free {
    id: FreeId,
    /// The paragraph and the position in it.
    place: (usize, usize),
    /// Whether a constructor takes less than a whole type.
    restricted: bool,
    /// Whether it is defined by itself.
    recursive: bool,
}

/// What names stand for, innermost last.
type Env = FxHashMap<Name, ExprId>;

struct Lower<'a> {
    checked: &'a Checked,
    model: Model,
    diagnostics: Diagnostics,
    sorts: FxHashMap<Name, SortId>,
    frees: FxHashMap<Name, Free>,
    constants: FxHashMap<GlobalId, VarId>,
    /// Variables of a scope, innermost last.
    scopes: Vec<Env>,
    /// The types that stand for parameters at the moment.
    parameters: FxHashMap<Name, TyId>,
    /// Closed definitions that were lowered before.
    known: FxHashMap<(GlobalId, Vec<TyId>), ExprId>,
    /// Locals of existential quantifiers at the top of an operation, where its own locals can stand for them.
    hoisted: Option<Vec<LocalId>>,
    /// Values that are in a set by the way they are described, with the texts of the sets.
    members: FxHashMap<ExprId, Vec<String>>,
    /// For variables that every state declares as functions, the texts of the sets of their values.
    ranges: FxHashMap<VarId, String>,
    /// How many definitions are being put in their places.
    depth: u32,
}

/// How deeply definitions may use each other.
const MAX_DEFINITIONS: u32 = 500;

/// Lowers a checked specification: the machine that it describes.
pub fn lower(checked: &Checked, options: &Options, scopes: &Scopes) -> Result<Model, Diagnostics> {
    let mut lower = Lower::new(checked);
    let (machine, warnings) = machine::find(checked, options)?;
    lower.model.warnings.extend(warnings);
    lower.preferences(scopes);
    lower.sets(scopes);
    lower.constants();
    lower.state(&machine);
    let init = lower.initialisation(&machine);
    lower.operations(&machine, init);
    lower.invariant(&machine);
    lower.assumed(&machine);
    lower.not_checked();
    if lower.diagnostics.has_errors() {
        Err(lower.diagnostics)
    } else {
        Ok(lower.model)
    }
}

impl<'a> Lower<'a> {
    fn new(checked: &'a Checked) -> Lower<'a> {
        Lower {
            checked,
            model: Model::empty(checked.name, model::Tys::default()),
            diagnostics: Diagnostics::new(),
            sorts: FxHashMap::default(),
            frees: FxHashMap::default(),
            constants: FxHashMap::default(),
            scopes: Vec::new(),
            parameters: FxHashMap::default(),
            known: FxHashMap::default(),
            hoisted: None,
            members: FxHashMap::default(),
            ranges: FxHashMap::default(),
            depth: 0,
        }
    }

    fn unsupported(&mut self, span: Span, what: impl std::fmt::Display) {
        let message = format!("{what} cannot be run");
        self.diagnostics
            .push(Diagnostic::error(&codes::UNSUPPORTED, span, message));
    }

    fn push(&mut self, kind: Kind, ty: Option<TyId>, span: Span) -> ExprId {
        self.model.exprs.push(Expr { kind, ty, span })
    }

    fn stmt(&mut self, stmt: Stmt) -> StmtId {
        self.model.stmts.push(stmt)
    }

    fn local(&mut self, name: Name, ty: TyId, span: Span) -> LocalId {
        self.model.locals.push(Local { name, ty, span })
    }

    /// The expression that is a local.
    fn local_expr(&mut self, local: LocalId) -> ExprId {
        let Local { ty, span, .. } = self.model.locals[local];
        self.push(Kind::Local(local), Some(ty), span)
    }

    fn ty_of(&self, expr: ExprId) -> Option<TyId> {
        self.model.exprs[expr].ty
    }

    /// What a name stands for in the scopes around.
    fn find(&self, name: Name) -> Option<ExprId> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.get(&name).copied())
    }
}
