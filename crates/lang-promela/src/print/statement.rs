//! Statements, one a line.

use base::deep;

use super::Printer;
use crate::syntax::{Choice, ExprKind, Form, Range, StmtId, StmtKind};

impl Printer<'_> {
    /// Statements in braces.
    pub(super) fn block(&mut self, body: &[StmtId]) {
        self.text("{");
        self.indent += 1;
        self.line();
        self.sequence(body);
        self.indent -= 1;
        self.line();
        self.text("}");
    }

    fn sequence(&mut self, body: &[StmtId]) {
        for (i, statement) in body.iter().enumerate() {
            if i > 0 {
                self.text(";");
                self.line();
            }
            deep::recurse(|| self.statement(*statement));
        }
    }

    fn statement(&mut self, id: StmtId) {
        let program = self.program;
        match &program.stmts[id].kind {
            StmtKind::Labelled(label, inner) => {
                self.text(&format!("{}: ", label.name));
                deep::recurse(|| self.statement(*inner));
            }
            StmtKind::If(choices) => self.choices("if", "fi", choices),
            StmtKind::Do(choices) => self.choices("do", "od", choices),
            StmtKind::For { body, .. } => {
                self.basic(id);
                self.text(" ");
                self.block(body);
            }
            StmtKind::Atomic(body) => {
                self.text("atomic ");
                self.block(body);
            }
            StmtKind::DStep(body) => {
                self.text("d_step ");
                self.block(body);
            }
            StmtKind::Block { body, .. } => self.block(body),
            StmtKind::Unless(main, escape) => {
                deep::recurse(|| self.statement(*main));
                self.text(" unless ");
                deep::recurse(|| self.statement(*escape));
            }
            _ => self.basic(id),
        }
    }

    fn choices(&mut self, open: &str, close: &str, choices: &[Choice]) {
        self.text(open);
        for choice in choices {
            self.line();
            self.text(":: ");
            self.indent += 1;
            let (first, rest) = match &choice.body[..] {
                [first, rest @ ..] => (first, rest),
                [] => continue,
            };
            deep::recurse(|| self.statement(*first));
            if !rest.is_empty() {
                let guard = matches!(
                    self.program.stmts[*first].kind,
                    StmtKind::Expression(_) | StmtKind::Else
                );
                self.text(if guard { " ->" } else { ";" });
                self.line();
                self.sequence(rest);
            }
            self.indent -= 1;
        }
        self.line();
        self.text(close);
    }

    /// A statement without what it contains.
    // Long: one arm for each kind of statement.
    pub(super) fn basic(&mut self, id: StmtId) {
        let program = self.program;
        match &program.stmts[id].kind {
            StmtKind::Declare(declaration) => self.declaration(declaration),
            StmtKind::Exclusive { receive, channels } => {
                self.text(if *receive { "xr " } else { "xs " });
                self.list(channels);
            }
            StmtKind::Expression(value) => self.expression(*value),
            StmtKind::Assign(target, value) => {
                self.expression(*target);
                self.text(" = ");
                self.expression(*value);
            }
            StmtKind::Increment(target) => {
                self.expression(*target);
                self.text("++");
            }
            StmtKind::Decrement(target) => {
                self.expression(*target);
                self.text("--");
            }
            StmtKind::Send {
                channel,
                arguments,
                sorted,
            } => {
                self.expression(*channel);
                self.text(if *sorted { "!!" } else { "!" });
                self.list(arguments);
            }
            StmtKind::Receive {
                channel,
                arguments,
                random,
                keep,
            } => {
                self.expression(*channel);
                self.text(if *random { "??" } else { "?" });
                self.text(if *keep { "<" } else { "" });
                self.list(arguments);
                self.text(if *keep { ">" } else { "" });
            }
            StmtKind::Assert(value) => {
                self.text("assert(");
                self.expression(*value);
                self.text(")");
            }
            StmtKind::Print { format, arguments } => {
                self.text(&format!("printf({format}"));
                for argument in arguments {
                    self.text(", ");
                    self.expression(*argument);
                }
                self.text(")");
            }
            StmtKind::PrintMtype(value) => {
                self.text("printm(");
                self.expression(*value);
                self.text(")");
            }
            StmtKind::SetPriority(process, priority) => {
                self.text("set_priority(");
                self.list(&[*process, *priority]);
                self.text(")");
            }
            StmtKind::For {
                variable, range, ..
            } => self.range("for", *variable, range),
            StmtKind::Select {
                variable,
                from,
                to,
                at_once,
            } => self.select(*variable, *from, *to, *at_once),
            StmtKind::Else => self.text("else"),
            StmtKind::Break => self.text("break"),
            StmtKind::Goto(label) => self.text(&format!("goto {}", label.name)),
            StmtKind::Labelled(_, inner) => self.basic(*inner),
            StmtKind::If(_) => self.text("if"),
            StmtKind::Do(_) => self.text("do"),
            StmtKind::Atomic(_) => self.text("atomic"),
            StmtKind::DStep(_) => self.text("d_step"),
            StmtKind::Block { .. } => self.text("{ }"),
            StmtKind::Unless(main, _) => self.basic(*main),
            StmtKind::Error => self.text("skip"),
        }
    }

    fn range(&mut self, word: &str, variable: crate::syntax::ExprId, range: &Range) {
        self.text(&format!("{word} ("));
        self.expression(variable);
        match range {
            Range::Between(from, to) => {
                self.text(" : ");
                self.expression(*from);
                self.text(" .. ");
                self.expression(*to);
            }
            Range::In(over) => {
                self.text(" in ");
                self.expression(*over);
            }
        }
        self.text(")");
    }

    /// A `select` that counts up is kept from being one choice by parentheses.
    fn select(
        &mut self,
        variable: crate::syntax::ExprId,
        from: crate::syntax::ExprId,
        to: crate::syntax::ExprId,
        at_once: bool,
    ) {
        let digits = matches!(
            self.program.exprs[from].kind,
            ExprKind::Constant(_, Form::Number)
        );
        if at_once || !digits {
            return self.range("select", variable, &Range::Between(from, to));
        }
        self.text("select (");
        self.expression(variable);
        self.text(" : (");
        self.expression(from);
        self.text(") .. ");
        self.expression(to);
        self.text(")");
    }
}
