//! Names, types and constants: what every expression of a tree means.
//!
//! One module per concept: `types` (type expressions, which types fit), `expr`, `stmt`, `rules` (items in the order of the
//! text), `order` (loops over scalarsets that depend on their order), `report` (wording).
//! The answer is a set of side tables beside the tree, by the ids of its nodes.
//! Invariant: a mistake is reported once; what depends on it has the type [`Form::Unknown`], which fits everything.

mod expr;
mod operators;
mod order;
mod report;
mod rules;
mod stmt;
#[cfg(test)]
mod tests;
mod types;

use base::{Arena, Diagnostics, Id, Name, Span};
use rustc_hash::FxHashMap;

use crate::syntax::{ExprId, Tree};

/// Names a type of a [`Checked`] program.
pub type TypeId = Id<Type>;
/// Names a symbol of a [`Checked`] program.
pub type SymbolId = Id<Symbol>;

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// The name it was declared by, if any.
    pub name: Option<Name>,
    /// What it is.
    pub form: Form,
}

/// The forms of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A mistake stands there.
    Unknown,
    /// The result of arithmetic.
    Integer,
    /// True and false.
    Boolean,
    /// Integers from the first to the second.
    Range(i64, i64),
    /// An enumeration.
    Enum(Vec<Name>),
    /// So many interchangeable elements.
    Scalarset(u32),
    /// Enumerations and scalarsets together, flat and without repetition.
    Union(Vec<TypeId>),
    /// Index and element.
    Array(TypeId, TypeId),
    /// Fields in order.
    Record(Vec<(Name, TypeId)>),
    /// Capacity and element.
    Multiset(u32, TypeId),
    /// Names an element of such a multiset.
    Element(TypeId),
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// Its type; of a routine that of its result.
    pub ty: TypeId,
    /// What it is.
    pub kind: SymbolKind,
}

/// The kinds of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A constant: a number, 0 or 1, or the position of a member in its enumeration.
    Constant(i64),
    /// A type.
    Type,
    /// A variable of the state.
    Global,
    /// A local variable.
    Local,
    /// A parameter by value.
    Parameter,
    /// A `var` parameter.
    Reference,
    /// The variable of a loop, quantifier or ruleset.
    Bound,
    /// The element of a multiset that choose, multisetcount or multisetremovepred names.
    Element,
    /// Another name for a designator, or for the value of an expression.
    Alias(ExprId),
    /// A function or procedure, by its position in [`Checked::routines`].
    Routine(usize),
}

/// What is known of a function or procedure.
#[derive(Clone, Debug)]
pub struct RoutineInfo {
    /// Its name.
    pub name: Name,
    /// Its parameters, one by one.
    pub parameters: Vec<ParameterInfo>,
    /// The type of its result.
    pub result: Option<TypeId>,
    /// Whether it may write to variables of the state.
    pub writes_globals: bool,
    /// Whether it may write to its var parameters.
    pub writes_references: bool,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct ParameterInfo {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its type.
    pub ty: TypeId,
    /// Whether it is a var parameter.
    pub is_var: bool,
}

/// What the checker found out.
#[derive(Debug, Default)]
pub struct Checked {
    /// All types.
    pub types: Arena<Type>,
    /// All symbols.
    pub symbols: Arena<Symbol>,
    /// The type of each expression, by its id.
    pub expr_types: Vec<Option<TypeId>>,
    /// The value of each constant expression.
    pub constants: Vec<Option<i64>>,
    /// What each name and call refers to.
    pub uses: Vec<Option<SymbolId>>,
    /// What each type expression means.
    pub type_exprs: Vec<Option<TypeId>>,
    /// The symbol declared at a place.
    pub declared: FxHashMap<Span, SymbolId>,
    /// Functions and procedures in the order of the text.
    pub routines: Vec<RoutineInfo>,
    /// What is wrong.
    pub diagnostics: Diagnostics,
}

impl Checked {
    /// The type of an expression.
    ///
    /// # Panics
    /// When the expression was not checked: the tree is not the one that this answer is about.
    pub fn type_of(&self, expr: ExprId) -> TypeId {
        self.expr_types[expr.index()].expect("every expression of a checked tree has a type")
    }

    /// The form of the type of an expression.
    pub fn form_of(&self, expr: ExprId) -> &Form {
        &self.types[self.type_of(expr)].form
    }

    /// Whether an expression is a variable or a part of one.
    pub fn is_designator(&self, tree: &Tree, expr: ExprId) -> bool {
        self.root(tree, expr).is_some()
    }

    /// The symbol at the root of a designator, aliases resolved; `None` for values and constants.
    pub fn root(&self, tree: &Tree, expr: ExprId) -> Option<SymbolId> {
        use crate::syntax::ExprKind;
        let mut at = expr;
        loop {
            match &tree.exprs[at].kind {
                ExprKind::Field(inner, _) | ExprKind::Index(inner, _) => at = *inner,
                ExprKind::Name(_) => {
                    let symbol = self.uses[at.index()]?;
                    match self.symbols[symbol].kind {
                        SymbolKind::Alias(value) => at = value,
                        SymbolKind::Global
                        | SymbolKind::Local
                        | SymbolKind::Parameter
                        | SymbolKind::Reference
                        | SymbolKind::Bound => return Some(symbol),
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }
}

/// Checks a program that was read without errors. `text` is its text, for messages.
pub fn program(text: &str, tree: &Tree) -> Checked {
    let mut checker = Checker::new(text, tree);
    checker.items();
    checker.finish()
}

/// Checks an expression that was read into `tree` after the program: what a person asks about a state.
/// The names of the outermost level are known. The tables of `checked` grow by what was read.
pub fn expression(
    text: &str,
    tree: &Tree,
    checked: Checked,
    expr: ExprId,
) -> (Checked, Diagnostics) {
    let mut checker = Checker::new(text, tree);
    let known = std::mem::take(&mut checker.out);
    checker.out = checked;
    let before = std::mem::take(&mut checker.out.diagnostics);
    checker.out.expr_types.resize(known.expr_types.len(), None);
    checker.out.constants.resize(known.constants.len(), None);
    checker.out.uses.resize(known.uses.len(), None);
    checker.out.type_exprs.resize(known.type_exprs.len(), None);
    checker.outermost_names();
    checker.pure = Some("a question");
    checker.infer(expr);
    let mut out = checker.finish();
    let found = std::mem::replace(&mut out.diagnostics, before);
    (out, found)
}

/// What surrounds a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// A rule or start state.
    Rule,
    /// A routine, by its position.
    Routine(usize),
}

struct Checker<'t> {
    text: &'t str,
    tree: &'t Tree,
    out: Checked,
    scopes: Vec<FxHashMap<Name, SymbolId>>,
    within: Within,
    /// What must not change the state, while such an expression is checked.
    pure: Option<&'static str>,
    unknown: TypeId,
    integer: TypeId,
    boolean: TypeId,
    /// Simple values in a state so far.
    cells: u64,
    /// Rule instances around the present place.
    instances: u64,
}

impl<'t> Checker<'t> {
    fn new(text: &'t str, tree: &'t Tree) -> Checker<'t> {
        let mut out = Checked {
            expr_types: vec![None; tree.exprs.len()],
            constants: vec![None; tree.exprs.len()],
            uses: vec![None; tree.exprs.len()],
            type_exprs: vec![None; tree.types.len()],
            ..Checked::default()
        };
        let mut simple = |form| out.types.push(Type { name: None, form });
        let (unknown, integer, boolean) = (
            simple(Form::Unknown),
            simple(Form::Integer),
            simple(Form::Boolean),
        );
        Checker {
            text,
            tree,
            out,
            scopes: vec![FxHashMap::default()],
            within: Within::Rule,
            pure: None,
            unknown,
            integer,
            boolean,
            cells: 0,
            instances: 1,
        }
    }

    fn finish(mut self) -> Checked {
        self.out.diagnostics.sort();
        self.out
    }

    fn form(&self, ty: TypeId) -> &Form {
        &self.out.types[ty].form
    }

    /// Names declared at the outermost level, again: for an expression that is read later.
    fn outermost_names(&mut self) {
        use crate::syntax::{Decl, Item, TypeKind};
        let mut spans: Vec<Span> = Vec::new();
        for item in &self.tree.items {
            match item {
                Item::Decl(
                    Decl::Const(idents, _) | Decl::Type(idents, _) | Decl::Var(idents, _),
                ) => {
                    spans.extend(idents.iter().map(|ident| ident.span));
                }
                Item::Routine(routine) => spans.push(routine.ident.span),
                Item::Rule(_) => {}
            }
        }
        for (_, ty) in self.tree.types.iter() {
            if let TypeKind::Enum(members) = &ty.kind {
                spans.extend(members.iter().map(|member| member.span));
            }
        }
        for span in spans {
            if let Some(symbol) = self.out.declared.get(&span) {
                let name = self.out.symbols[*symbol].name;
                self.scopes[0].insert(name, *symbol);
            }
        }
    }
}
