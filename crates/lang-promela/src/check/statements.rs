//! Statements inside of processes, claims and traces.

use base::{Diagnostic, Span, deep};

use super::{Body, Checker, Context, Owner};
use crate::codes::{names as code, structure};
use crate::syntax::{Choice, ExprId, ExprKind, Range, Stmt, StmtId, StmtKind, Type, Unary};

impl Checker<'_> {
    /// Statements between two braces or in an option.
    pub(super) fn sequence(&mut self, body: &[StmtId]) {
        for statement in body {
            deep::recurse(|| self.statement(*statement));
        }
    }

    /// Statements with a scope of their own.
    fn block(&mut self, body: &[StmtId]) {
        let at_start = std::mem::replace(&mut self.context.at_start, false);
        self.scopes.enter();
        self.first_label(body);
        self.sequence(body);
        self.scopes.leave();
        self.context.at_start = at_start;
    }

    // Long: one arm for each kind of statement.
    fn statement(&mut self, id: StmtId) {
        let program = self.program;
        let Stmt { kind, span } = &program.stmts[id];
        self.allowed_here(id);
        match kind {
            StmtKind::Declare(declaration) => {
                let owner = Owner::Unit(self.context.unit);
                self.declare(declaration, owner);
                self.late_channels(declaration);
                return;
            }
            StmtKind::Exclusive { channels, receive } => {
                self.has_exclusive = true;
                for channel in channels {
                    self.channel(*channel);
                    self.promised(*channel, *receive);
                }
                return;
            }
            StmtKind::Labelled(label, inner) => {
                self.label(*label, id);
                deep::recurse(|| self.statement(*inner));
            }
            StmtKind::Expression(value) => {
                self.expression(*value);
                self.lone_run(*value);
            }
            StmtKind::Assert(value) | StmtKind::PrintMtype(value) => self.expression(*value),
            StmtKind::Assign(target, value) => {
                self.target(*target);
                self.expression(*value);
                if let Some(ty) = self.type_of(*target) {
                    self.symbol_fits(ty, *value);
                    self.channel_value(ty, *value);
                }
            }
            StmtKind::Increment(target) | StmtKind::Decrement(target) => {
                self.target(*target);
                if self.type_of(*target) == Some(Type::Chan) {
                    let message = "a channel is no number";
                    self.report(Diagnostic::error(
                        &code::ARITHMETIC_ON_CHANNEL,
                        *span,
                        message,
                    ));
                }
            }
            StmtKind::Send {
                channel, arguments, ..
            } => self.send(*channel, arguments, id),
            StmtKind::Receive {
                channel, arguments, ..
            } => {
                self.channel(*channel);
                self.used(*channel, true);
                self.patterns(arguments);
                self.field_count(*channel, arguments, id);
                self.received_twice(arguments);
            }
            StmtKind::Print { arguments, .. } => {
                arguments.iter().for_each(|value| self.expression(*value))
            }
            StmtKind::SetPriority(process, priority) => {
                self.facts.mentions.priority = true;
                self.expression(*process);
                self.expression(*priority);
            }
            StmtKind::If(choices) => self.choices(choices),
            StmtKind::Do(choices) => {
                self.context.loops += 1;
                self.choices(choices);
                self.context.loops -= 1;
            }
            StmtKind::For {
                variable,
                range,
                body,
            } => self.for_loop(*variable, range, body),
            StmtKind::Select {
                variable, from, to, ..
            } => self.counted(*variable, *from, *to),
            StmtKind::Atomic(body) | StmtKind::Block { body, .. } => self.block(body),
            StmtKind::DStep(body) => self.d_step(id, body),
            StmtKind::Unless(main, escape) => self.unless(*main, *escape),
            StmtKind::Goto(label) => self.goto(id, *label),
            StmtKind::Break => self.break_here(*span),
            StmtKind::Else | StmtKind::Error => {}
        }
        self.context.at_start = false;
    }

    fn break_here(&mut self, span: Span) {
        if self.context.loops == 0 {
            let (code, message) = match self.context.d_step {
                Some(_) => (&structure::JUMP, "break stands in no loop of this d_step"),
                None => (&structure::BREAK, "break stands in no loop"),
            };
            self.report(Diagnostic::error(code, span, message));
        }
    }

    fn d_step(&mut self, id: StmtId, body: &[StmtId]) {
        let Context { d_step, loops, .. } = self.context;
        if d_step.is_none() {
            self.context.d_step = Some(id);
            self.context.loops = 0;
        }
        self.block(body);
        self.context.d_step = d_step;
        self.context.loops = loops;
    }

    fn for_loop(&mut self, variable: ExprId, range: &Range, body: &[StmtId]) {
        self.for_range(variable, range);
        self.context.loops += 1;
        self.context.at_start = false;
        self.scopes.enter();
        self.sequence(body);
        self.scopes.leave();
        self.context.loops -= 1;
    }

    fn choices(&mut self, choices: &[Choice]) {
        self.context.at_start = false;
        for choice in choices {
            self.label_in_option(&choice.body);
            self.sequence(&choice.body);
        }
        self.elses(choices);
    }

    fn unless(&mut self, main: StmtId, escape: StmtId) {
        self.context.at_start = false;
        self.unless_labels(main, escape);
        deep::recurse(|| self.statement(main));
        deep::recurse(|| self.statement(escape));
    }

    fn send(&mut self, channel: ExprId, arguments: &[ExprId], id: StmtId) {
        self.channel(channel);
        self.used(channel, false);
        if self.context.body == Body::Trace {
            return self.patterns(arguments);
        }
        let mut fields = 0;
        for argument in arguments {
            self.message_value(*argument);
            self.no_run(*argument);
            fields += self.type_of(*argument).map_or(1, |ty| self.width(ty));
        }
        self.field_count(channel, arguments, id);
        self.sends.push((self.program.stmts[id].span, fields));
    }

    /// No message may have more fields than the widest channel, wherever that is declared.
    pub(super) fn widest_sends(&mut self) {
        for (span, fields) in std::mem::take(&mut self.sends) {
            if fields <= self.most_fields {
                continue;
            }
            let message = match self.most_fields {
                0 => "no channel of the program takes messages".to_owned(),
                most => format!("{fields} fields are sent, and no channel takes more than {most}"),
            };
            self.report(Diagnostic::error(&code::TOO_MANY_FIELDS, span, message));
        }
    }

    fn for_range(&mut self, variable: ExprId, range: &Range) {
        match range {
            Range::Between(from, to) => self.counted(variable, *from, *to),
            Range::In(over) => self.for_in(variable, *over),
        }
    }

    /// `x : a .. b`.
    fn counted(&mut self, variable: ExprId, from: ExprId, to: ExprId) {
        self.target(variable);
        self.expression(from);
        self.expression(to);
        self.plain_variable(variable);
        if let (ExprKind::Constant(a, _), ExprKind::Constant(b, _)) =
            (&self.program.exprs[from].kind, &self.program.exprs[to].kind)
            && a > b
        {
            let message = format!("{a} .. {b} has no element");
            let span = self.program.exprs[from]
                .span
                .to(self.program.exprs[to].span);
            self.report(Diagnostic::error(&code::FOR_VARIABLE, span, message));
        }
    }

    fn plain_variable(&mut self, variable: ExprId) {
        let fits = match &self.program.exprs[variable].kind {
            ExprKind::Variable(parts) => {
                parts.len() == 1
                    && parts[0].index.is_none()
                    && !matches!(self.type_of(variable), Some(Type::Chan | Type::Named(_)))
            }
            _ => true,
        };
        if !fits {
            let message = "for and select count with a plain variable";
            let span = self.program.exprs[variable].span;
            self.report(Diagnostic::error(&code::FOR_VARIABLE, span, message));
        }
    }

    fn for_in(&mut self, variable: ExprId, over: ExprId) {
        self.whole(variable);
        self.whole(over);
        let span = self.program.exprs[over].span;
        let (Some(variable_type), Some(_)) = (self.type_of(variable), self.type_of(over)) else {
            return;
        };
        if let Type::Named(structure) = variable_type {
            let fields = self.channel_fields(over);
            if !matches!(fields, Some([Type::Named(field)]) if field.name == structure.name) {
                let message = format!(
                    "\"in\" needs a channel of the structure \"{}\"",
                    structure.name
                );
                self.report(Diagnostic::error(&code::FOR_VARIABLE, span, message));
            }
            return;
        }
        self.plain_variable(variable);
        if !self.is_whole_array(over) {
            let message = "\"in\" needs an array";
            self.report(Diagnostic::error(&code::FOR_VARIABLE, span, message));
        }
    }

    /// A formula: temporal operators outside, expressions inside.
    pub(super) fn temporal(&mut self, id: ExprId) {
        let program = self.program;
        deep::recurse(|| match &program.exprs[id].kind {
            ExprKind::Unary(Unary::Always | Unary::Eventually | Unary::Next | Unary::Not, a) => {
                self.temporal(*a)
            }
            ExprKind::Binary(operator, a, b)
                if operator.is_temporal() || {
                    use crate::syntax::Binary::*;
                    matches!(operator, And | Or | Implies | Equivalent)
                } =>
            {
                self.temporal(*a);
                self.temporal(*b);
            }
            _ => {
                self.context.body = Body::Claim;
                self.expression(id);
            }
        });
    }
}
