//! Which parts of formulas are worth remembering: dear ones that read little.
//!
//! Invariant: parts that differ in the names that are bound outside of them only have one table.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, StmtId, VarId};

use super::{MOST_NAMES, MOST_SLOTS};
use crate::code::Compiler;
use crate::facts::Fact;
use crate::rep::Rep;

impl Compiler<'_> {
    /// Counts the texts of a formula whose parts may be marked.
    pub(crate) fn recall_text(&self, root: ExprId) {
        self.count_texts(root);
    }

    /// The same for all formulas of a statement.
    pub(crate) fn recall_texts_in(&self, stmt: StmtId) {
        crate::split::for_each_expr(self.model, stmt, &mut |expr| {
            self.count_texts(expr);
        });
    }

    /// Marks a formula if it is worth remembering, or its parts that are.
    pub(crate) fn recall_whole(&self, root: ExprId) {
        self.recall_within(root, None);
    }

    /// The same for each conjunct of a formula.
    pub(crate) fn recall_parts(&self, root: ExprId) {
        for conjunct in self.chain(Op::And, root) {
            self.recall_within(conjunct, None);
        }
    }

    /// The same for all formulas of a statement.
    pub(crate) fn recall_in(&self, stmt: StmtId) {
        let mut formulas = Vec::new();
        crate::split::for_each_expr(self.model, stmt, &mut |expr| formulas.push(expr));
        for formula in formulas {
            self.recall_parts(formula);
        }
    }

    /// A part of a part that depends on the same is not worth a table of its own.
    fn recall_within(&self, expr: ExprId, above: Option<&Fact>) {
        let fact = self.facts.of(expr);
        let is_number = |name: &LocalId| {
            let rep = self.program.reps[self.model.locals[*name].ty].rep;
            matches!(rep, Rep::Word | Rep::Int)
        };
        let is_closed =
            fact.pure && fact.locals.len() <= MOST_NAMES && fact.locals.iter().all(is_number);
        let is_same =
            above.is_some_and(|above| above.vars == fact.vars && above.locals == fact.locals);
        if !self.looked_through.borrow_mut().insert(expr) {
            return;
        }
        let is_marked = is_closed
            && !is_same
            && !(fact.vars.is_empty() && fact.locals.is_empty())
            && self.is_dear(expr)
            && self
                .key_of(&fact.vars, self.texts.borrow().is_repeated(expr))
                .is_some();
        if is_marked {
            let table = self.table_of(expr, &fact);
            self.recalled.borrow_mut().insert(expr, table);
        }
        let kind = &self.model.exprs[expr].kind;
        let mut above = (is_marked || is_same).then(|| (*fact).clone());
        if let (Some(above), Kind::Bind { names, .. }) = (&mut above, kind) {
            // What depends on all names of a binder is asked once for each of their values.
            above.locals.extend(names);
            above.locals.sort_unstable();
        }
        base::deep::recurse(|| {
            kind.for_each_child(|child| self.recall_within(child, above.as_ref()));
        });
    }

    /// The table of a part: one for all parts that differ in the names that are bound outside of them only.
    fn table_of(&self, expr: ExprId, fact: &Fact) -> usize {
        let recalled = self.recalled.borrow();
        let ty_of = |name: &LocalId| self.model.locals[*name].ty;
        let types = |fact: &Fact| fact.locals.iter().map(ty_of).collect::<Vec<_>>();
        let same = recalled.iter().find(|(other, _)| {
            let theirs = self.facts.of(**other);
            self.ty(**other) == self.ty(expr)
                && theirs.vars == fact.vars
                && types(&theirs) == types(fact)
                && self.is_same_but(&fact.locals, &theirs.locals, expr, **other)
        });
        if let Some((_, table)) = same {
            return *table;
        }
        let table = self.tables.get();
        self.tables.set(table + 1);
        table
    }

    /// The variables that a part reads, as slots; `None` where there are too many, or so many that no two states have the
    /// same values, unless it is asked more than once in a state.
    pub(super) fn key_of(&self, vars: &[VarId], is_repeated: bool) -> Option<Vec<u32>> {
        let variables = &self.model.variables;
        let is_variable = |var: &&VarId| !variables[**var].is_constant;
        let key: Vec<u32> = vars
            .iter()
            .filter(is_variable)
            .map(|var| var.index() as u32)
            .collect();
        let all = variables.iter().filter(|(_, v)| !v.is_constant).count();
        let may_recur = key.is_empty() || key.len() < all || is_repeated;
        (key.len() <= MOST_SLOTS && may_recur).then_some(key)
    }

    /// Whether evaluating it takes longer than looking it up.
    pub(super) fn is_dear(&self, expr: ExprId) -> bool {
        let node = &self.model.exprs[expr];
        let is_tree =
            |arg: &ExprId| self.model.exprs[*arg].ty.is_some() && self.rep(*arg) == Rep::Tree;
        let own = match &node.kind {
            Kind::Bind {
                binder, symbolic, ..
            } => !symbolic && !matches!(binder, Binder::Lambda),
            Kind::Op(op, args) => {
                use Op::*;
                match op {
                    // One point of a function is changed sooner than looked up.
                    Overwrite if self.changes_points(args[1]) => false,
                    Closure | Closure1 | Iterate | GeneralUnion | GeneralIntersection
                    | Composition | Inverse | Range | Domain | DomainRestriction
                    | DomainSubtraction | RangeRestriction | RangeSubtraction | Union
                    | Intersection | SetMinus | Image | Overwrite | Subset | NotSubset
                    | StrictSubset | NotStrictSubset | DirectProduct | ParallelProduct | Concat
                    | Reverse | Flatten | TakeFirst | DropFirst | Max | Min => {
                        args.iter().any(is_tree)
                    }
                    Member | NotMember => is_tree(&args[0]),
                    _ => false,
                }
            }
            _ => false,
        };
        if own {
            return true;
        }
        let mut is_dear = false;
        node.kind.for_each_child(|child| {
            is_dear = is_dear || base::deep::recurse(|| self.is_dear(child));
        });
        is_dear
    }
}
