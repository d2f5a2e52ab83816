//! Brings a checked Murphi program to the one intermediate program.
//!
//! Rulesets, aliases and choose around a rule become its binders; functions, statements and expressions map one to one;
//! types that are equal by structure become one type. Where CMurphi and Rumur differ about undefined values, the
//! [`Reading`] decides which reads are faults.
//! Needs: a tree that was read and checked without errors.
//! Invariant: scalarsets stay recognisable: each is a sort of its own, and nothing else touches its codes.

mod expressions;
mod places;
mod rules;
mod statements;
mod types;

use base::{Name, Span};
use lang_murphi::check::{Checked, SymbolId, TypeId};
use lang_murphi::syntax::Tree;
use program::{
    Function, FunctionId, Local, LocalId, Mode, Program, RecordId, Semantics, StmtKind, TyId, VarId,
};
use rustc_hash::FxHashMap;

/// What reading an undefined value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reading {
    /// As in CMurphi: assignments copy it, and for scalarsets and unions it is one more value.
    #[default]
    Copying,
    /// As in Rumur: reading it is a fault.
    Strict,
}

/// How a program is lowered.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What reading an undefined value means.
    pub reading: Reading,
    /// Iterations of one while before it is a fault.
    pub loop_limit: u64,
    /// Whether a failed assertion ends the step; otherwise it is passed over.
    pub assertions: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            reading: Reading::Copying,
            loop_limit: program::LOOP_LIMIT,
            assertions: true,
        }
    }
}

/// The program of a tree.
pub fn lower(name: Name, tree: &Tree, checked: &Checked, options: Options) -> Program {
    lower_with(name, tree, checked, options, &[]).0
}

/// The program of a tree, and further expressions over its variables, which come last: what is there without them has the
/// same numbers.
pub fn lower_with(
    name: Name,
    tree: &Tree,
    checked: &Checked,
    options: Options,
    more: &[lang_murphi::syntax::ExprId],
) -> (Program, Vec<program::ExprId>) {
    let semantics = Semantics {
        loop_limit: options.loop_limit,
        assertions_stop: options.assertions,
        ..Semantics::checked()
    };
    let program = Program::new(name, semantics);
    let mut lowering = Lowering {
        tree,
        checked,
        options,
        program,
        types: FxHashMap::default(),
        records: FxHashMap::default(),
        variables: FxHashMap::default(),
        locals: FxHashMap::default(),
        functions: Vec::new(),
        frame: Vec::new(),
        binders: Vec::new(),
    };
    lowering.items();
    let exprs = more.iter().map(|expr| lowering.expr(*expr)).collect();
    (lowering.program, exprs)
}

struct Lowering<'t> {
    tree: &'t Tree,
    checked: &'t Checked,
    options: Options,
    program: Program,
    types: FxHashMap<TypeId, TyId>,
    /// Records by their fields: equal structure is one type.
    records: FxHashMap<Vec<(Name, TyId)>, RecordId>,
    variables: FxHashMap<SymbolId, VarId>,
    locals: FxHashMap<SymbolId, LocalId>,
    /// By the position of the routine in [`Checked::routines`].
    functions: Vec<FunctionId>,
    /// Names bound so far in the rule or function at hand, but for parameters and binders.
    frame: Vec<LocalId>,
    /// What stands around the rule at hand.
    binders: Vec<program::Binder>,
}

impl Lowering<'_> {
    /// The symbol declared at a place.
    fn symbol(&self, span: Span) -> SymbolId {
        *self
            .checked
            .declared
            .get(&span)
            .expect("a checked tree has a symbol for every declared name")
    }

    /// A new local for the symbol declared at a place.
    fn local(&mut self, span: Span, mode: Mode) -> LocalId {
        let symbol = self.symbol(span);
        let found = &self.checked.symbols[symbol];
        let (name, ty) = (found.name, self.ty(found.ty));
        let local = self.program.locals.push(Local {
            name,
            ty,
            mode,
            span,
        });
        self.locals.insert(symbol, local);
        local
    }

    /// A new local of the frame at hand.
    fn frame_local(&mut self, span: Span, mode: Mode) -> LocalId {
        let local = self.local(span, mode);
        self.frame.push(local);
        local
    }

    /// A function that does nothing yet.
    fn empty_function(&mut self, name: Name, span: Span) -> FunctionId {
        let body = self.program.stmt(StmtKind::Block(Vec::new()), span);
        let id = self.program.functions.push(Function {
            name,
            parameters: Vec::new(),
            locals: Vec::new(),
            result: None,
            body,
            span,
        });
        self.functions.push(id);
        id
    }
}
