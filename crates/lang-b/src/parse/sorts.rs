//! Predicates and expressions are different sorts of the grammar: where one stands for the other is a
//! syntax error, reported at the formula and not at the next token.
//!
//! Names and applications have no sort here: they may be definitions, and the checker decides.

use base::{Diagnostic, Name, Span};
use lang_math::{ExprId, ExprKind, Op, Sort};
use rustc_hash::FxHashSet;

use super::Parser;
use crate::codes::syntax as code;
use crate::syntax::{ClauseBody, Component, Definition};

impl Parser<'_> {
    pub(super) fn need_expression(&mut self, id: ExprId) {
        self.need(id, Sort::Expression, None);
    }

    pub(super) fn need_predicate(&mut self, id: ExprId) {
        self.need(id, Sort::Predicate, None);
    }

    /// Checks an operand of the operator at `at`.
    pub(super) fn need_operand(&mut self, op: Op, at: Span, id: ExprId) {
        self.need(id, op.operand_sort(), Some(at));
    }

    /// Checks an element of `{…}`.
    pub(super) fn need_item(&mut self, id: ExprId) {
        if self.tree.exprs.sort(id) == Some(Sort::Predicate)
            && matches!(self.tree.exprs.kind(id), ExprKind::Op(Op::Member, args)
                if matches!(self.tree.exprs.kind(args[0]), ExprKind::Name(_)))
        {
            let diagnostic = self
                .wrong_sort(id, Sort::Expression)
                .help("a set comprehension names its variables first: {x | x : S}");
            return self.complain(diagnostic);
        }
        self.need_expression(id);
    }

    /// Checks that the results of a conditional are of one sort.
    pub(super) fn need_same_sort(&mut self, results: impl Iterator<Item = ExprId> + Clone) {
        let first = results.clone().find_map(|id| self.tree.exprs.sort(id));
        if let Some(sort) = first {
            for id in results {
                self.need(id, sort, None);
            }
        }
    }

    fn need(&mut self, id: ExprId, needed: Sort, operator: Option<Span>) {
        match self.tree.exprs.sort(id) {
            Some(sort) if sort != needed => {}
            None if needed == Sort::Predicate => return self.presumed.push(id),
            _ => return,
        }
        let mut diagnostic = self.wrong_sort(id, needed);
        if let Some(at) = operator {
            diagnostic = diagnostic.also(at, format!("this needs {}", needed.with_article()));
        }
        let help = match (needed, self.tree.exprs.kind(id)) {
            (Sort::Predicate, ExprKind::Op(Op::True, _)) => {
                Some("TRUE is a value; the predicate that always holds is btrue, or 1=1")
            }
            (Sort::Predicate, ExprKind::Op(Op::False, _)) => {
                Some("FALSE is a value; the predicate that never holds is bfalse, or 1=2")
            }
            (Sort::Expression, ExprKind::Op(Op::Truth, _)) => Some("the value is TRUE"),
            (Sort::Expression, ExprKind::Op(Op::Falsity, _)) => Some("the value is FALSE"),
            (Sort::Expression, _) if operator.is_some_and(|at| self.is_parallel(at)) => {
                Some("a disjunction is written \"or\"; \"||\" joins substitutions or relations")
            }
            (Sort::Expression, _) => Some("bool(P) is the value of a predicate"),
            (Sort::Predicate, ExprKind::Op(Op::ToBool, _)) => Some("write bool(P) = TRUE, or P"),
            _ => None,
        };
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.complain(diagnostic);
    }

    fn is_parallel(&self, at: Span) -> bool {
        matches!(&self.text[at.start as usize..at.end as usize], "||" | "∥")
    }

    /// Checks that the names that stand for predicates are definitions, where all of these are known: in
    /// a component that takes none from other files.
    pub(super) fn check_presumed(&mut self, component: &Component) {
        let mut defined: FxHashSet<Name> = FxHashSet::default();
        for clause in &component.clauses {
            if let ClauseBody::Definitions(definitions) = &clause.body {
                for definition in definitions {
                    match definition {
                        Definition::Macro(definition) => defined.insert(definition.name),
                        Definition::File(_) => return,
                    };
                }
            }
        }
        for id in std::mem::take(&mut self.presumed) {
            let exprs = &self.tree.exprs;
            let name = match exprs.kind(id) {
                ExprKind::Name(name) => *name,
                ExprKind::Apply(function, _) => match exprs.kind(*function) {
                    ExprKind::Name(name) => *name,
                    _ => continue,
                },
                _ => continue,
            };
            if defined.contains(&name) {
                continue;
            }
            let diagnostic = Diagnostic::error(
                &code::WRONG_SORT,
                exprs.span(id),
                format!("expected a predicate, but \"{name}\" is none"),
            )
            .help(match name.as_str() {
                "true" | "True" => "the predicate that always holds is btrue, or 1=1".to_string(),
                "false" | "False" => "the predicate that never holds is bfalse, or 1=2".to_string(),
                name => {
                    format!("compare it, as in {name} = TRUE, or define \"{name}\" in DEFINITIONS")
                }
            });
            self.complain(diagnostic);
        }
    }

    fn wrong_sort(&self, id: ExprId, needed: Sort) -> Diagnostic {
        let found = match needed {
            Sort::Expression => Sort::Predicate,
            Sort::Predicate => Sort::Expression,
        };
        let message = format!(
            "expected {}, found {}",
            needed.with_article(),
            found.with_article()
        );
        Diagnostic::error(&code::WRONG_SORT, self.tree.exprs.span(id), message)
    }
}
