//! Statements of the model as text: the keywords of B, one line for each branch.

use base::deep;

use super::Text;
use crate::stmt::{Stmt, StmtId, Target, Why};
use crate::{ExprId, LocalId};

impl Text<'_> {
    /// A statement.
    pub(super) fn statement(&mut self, id: StmtId) {
        deep::recurse(|| self.bare(id));
    }

    fn bare(&mut self, id: StmtId) {
        let model = self.model;
        match &model.stmts[id] {
            Stmt::Skip => self.out.text("skip"),
            Stmt::Assign(pairs) => {
                for (i, (target, value)) in pairs.iter().enumerate() {
                    if i > 0 {
                        self.out.text(" ||");
                        self.out.line();
                    }
                    self.target(*target);
                    self.out.text(" := ");
                    self.formula(*value);
                }
            }
            Stmt::Any {
                names,
                predicate,
                body,
            } => self.any(names, *predicate, *body),
            Stmt::Let(local, value, body) => self.let_local(*local, *value, *body),
            Stmt::Var(locals, body) => self.var(locals, *body),
            Stmt::Select(branches, otherwise) => {
                self.branches("SELECT ", "WHEN ", branches);
                if let Some(otherwise) = otherwise {
                    self.block("ELSE", *otherwise);
                    self.out.line();
                }
                self.out.text("END");
            }
            Stmt::If(branches, otherwise) => {
                self.branches("IF ", "ELSIF ", branches);
                self.block("ELSE", *otherwise);
                self.end();
            }
            Stmt::Choice(branches) => self.list("CHOICE", "OR", branches),
            Stmt::Sequence(parts) => self.list("SEQUENCE", ";", parts),
            Stmt::Parallel(parts) => self.list("PARALLEL", "||", parts),
            Stmt::Assert(condition, why, body) => {
                let keyword = match why {
                    Why::Precondition(operation) => format!("ASSERT /* PRE of {operation} */ "),
                    Why::Assert => "ASSERT ".to_owned(),
                    Why::Refinement(owed) => format!("ASSERT /* refinement: {owed:?} */ "),
                };
                self.keyword_formula(&keyword, *condition);
                self.out.line();
                self.block("THEN", *body);
                self.end();
            }
            Stmt::Simulate(step) => {
                self.block("SIMULATE", step.body);
                for (condition, _) in &step.conditions {
                    self.out.line();
                    self.keyword_formula("WITH ", *condition);
                }
                self.out.line();
                self.block("THEN", step.then);
                self.end();
            }
            Stmt::While {
                condition,
                body,
                invariant,
                variant,
                ..
            } => self.while_loop([*condition, *invariant, *variant], *body),
            Stmt::External(name, arguments) => {
                self.out.text(&format!("{name}("));
                for (i, argument) in arguments.iter().enumerate() {
                    if i > 0 {
                        self.out.text(", ");
                    }
                    self.formula(*argument);
                }
                self.out.text(")");
            }
        }
    }

    fn while_loop(&mut self, [condition, invariant, variant]: [ExprId; 3], body: StmtId) {
        self.keyword_formula("WHILE ", condition);
        self.out.line();
        self.block("DO", body);
        self.out.line();
        self.keyword_formula("INVARIANT ", invariant);
        self.out.line();
        self.keyword_formula("VARIANT ", variant);
        self.end();
    }

    fn let_local(&mut self, local: LocalId, value: ExprId, body: StmtId) {
        // The value is written before the name is visible: it cannot mean it.
        let mut equation = lang_math::print::layout::Layout::new();
        std::mem::swap(&mut self.out, &mut equation);
        self.formula(value);
        std::mem::swap(&mut self.out, &mut equation);
        self.names.enter(&[local]);
        let typed = self.typed(&[local]);
        self.out
            .text(&format!("LET {typed} = {}", equation.finish()));
        self.out.line();
        self.block("IN", body);
        self.end();
        self.names.leave(1);
    }

    fn any(&mut self, names: &[LocalId], predicate: ExprId, body: StmtId) {
        self.names.enter(names);
        let typed = self.typed(names);
        self.out.text(&format!("ANY {typed}"));
        self.out.line();
        self.keyword_formula("WHERE ", predicate);
        self.out.line();
        self.block("THEN", body);
        self.end();
        self.names.leave(names.len());
    }

    fn var(&mut self, locals: &[LocalId], body: StmtId) {
        self.names.enter(locals);
        let typed = self.typed(locals);
        self.out.text(&format!("VAR {typed}"));
        self.out.line();
        self.block("IN", body);
        self.end();
        self.names.leave(locals.len());
    }

    fn target(&mut self, target: Target) {
        let name = match target {
            Target::Var(variable) => self.model.variables[variable].name,
            Target::Local(local) => self.names.local(local),
        };
        self.out.text(name.as_str());
    }

    fn keyword_formula(&mut self, keyword: &str, formula: ExprId) {
        self.out.text(keyword);
        self.formula(formula);
    }

    /// A keyword, and a statement indented below it.
    fn block(&mut self, keyword: &str, body: StmtId) {
        self.out.text(keyword);
        self.out.indent();
        self.out.line();
        self.statement(body);
        self.out.dedent();
    }

    fn branches(&mut self, first: &str, next: &str, branches: &[(ExprId, StmtId)]) {
        for (i, (condition, body)) in branches.iter().enumerate() {
            self.keyword_formula(if i == 0 { first } else { next }, *condition);
            self.out.line();
            self.block("THEN", *body);
            self.out.line();
        }
    }

    fn list(&mut self, first: &str, next: &str, parts: &[StmtId]) {
        for (i, part) in parts.iter().enumerate() {
            self.block(if i == 0 { first } else { next }, *part);
            self.out.line();
        }
        self.out.text("END");
    }

    fn end(&mut self) {
        self.out.line();
        self.out.text("END");
    }
}
