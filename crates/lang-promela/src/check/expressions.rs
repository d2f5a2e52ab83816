//! References and expressions.

use base::{Diagnostic, deep};
use rustc_hash::FxHashSet;

use super::{Body, Checker, Meaning, Predefined};
use crate::codes::{names as code, structure};
use crate::syntax::{Binary, ExprId, ExprKind, StmtId, Type, Unary};
use base::counted;

impl Checker<'_> {
    /// An expression whose value is used.
    pub(super) fn expression(&mut self, id: ExprId) {
        deep::recurse(|| self.expression_inside(id));
    }

    fn expression_inside(&mut self, id: ExprId) {
        let program = self.program;
        match &program.exprs[id].kind {
            ExprKind::Variable(parts) => {
                self.reference(id, parts);
                self.is_value(id);
            }
            ExprKind::Unary(operator, a) => {
                if matches!(operator, Unary::Always | Unary::Eventually | Unary::Next) {
                    self.temporal_operand(id);
                }
                self.expression(*a);
            }
            ExprKind::Binary(operator, a, b) => {
                if operator.is_temporal()
                    || matches!(operator, Binary::Implies | Binary::Equivalent)
                {
                    self.temporal_operand(id);
                }
                self.expression(*a);
                self.expression(*b);
            }
            ExprKind::Conditional(a, b, c) => {
                [a, b, c].into_iter().for_each(|id| self.expression(*id))
            }
            ExprKind::Run {
                name,
                arguments,
                priority,
            } => self.run_of(id, *name, arguments, *priority),
            ExprKind::Channel(_, channel) => self.channel(*channel),
            ExprKind::Poll {
                channel, arguments, ..
            } => {
                self.channel(*channel);
                self.patterns(arguments);
            }
            ExprKind::Eval(a) | ExprKind::Enabled(a) | ExprKind::PcValue(a) => self.expression(*a),
            ExprKind::GetPriority(a) => {
                self.facts.mentions.priority = true;
                self.expression(*a);
            }
            ExprKind::NonProgress => {
                if self.context.body != Body::Claim {
                    let message = "np_ can only stand in a never claim or a formula";
                    let span = program.exprs[id].span;
                    self.report(Diagnostic::error(&structure::NON_PROGRESS, span, message));
                }
            }
            ExprKind::RemoteLabel {
                process,
                pid,
                label,
            } => {
                self.not_in_d_step(id, "a remote reference");
                if let Some(pid) = pid {
                    self.expression(*pid);
                }
                self.remote_label(*process, *label);
            }
            ExprKind::RemoteVariable {
                process,
                pid,
                variable,
            } => {
                self.not_in_d_step(id, "a remote reference");
                if let Some(pid) = pid {
                    self.expression(*pid);
                }
                self.remote_variable(id, *process, variable);
            }
            ExprKind::Mtype(_) | ExprKind::Constant(..) | ExprKind::Timeout | ExprKind::Error => {}
        }
    }

    fn temporal_operand(&mut self, id: ExprId) {
        let message = "a temporal operator stands inside arithmetic or a comparison";
        let span = self.program.exprs[id].span;
        let diagnostic = Diagnostic::error(&structure::TEMPORAL_OPERAND, span, message);
        self.report(diagnostic.help("put the comparison in parentheses: [] (x == 1)"));
    }

    /// Warns of messages whose number of fields the channel does not have.
    pub(super) fn field_count(&mut self, channel: ExprId, arguments: &[ExprId], id: StmtId) {
        let Some(fields) = self.channel_fields(channel) else {
            return;
        };
        let wanted: usize = fields.iter().map(|field| self.width(*field)).sum();
        let given: usize = arguments
            .iter()
            .map(|id| self.type_of(*id).map_or(1, |ty| self.width(ty)))
            .sum();
        if wanted != given {
            let message = format!(
                "the channel has {}, the message {given}",
                counted(wanted, "field")
            );
            let span = self.program.stmts[id].span;
            self.report(Diagnostic::warning(&code::FIELD_COUNT, span, message));
        }
    }

    /// What is received.
    pub(super) fn patterns(&mut self, arguments: &[ExprId]) {
        for argument in arguments {
            match &self.program.exprs[*argument].kind {
                ExprKind::Variable(_) => {
                    self.whole(*argument);
                    self.no_missing_index(*argument);
                    if let Some(Meaning::Predefined(predefined)) = self.facts.meanings.get(argument)
                        && *predefined != Predefined::Anything
                    {
                        let span = self.program.exprs[*argument].span;
                        let message = "what is received into a predefined variable is thrown away";
                        let diagnostic = Diagnostic::warning(&code::PREDEFINED, span, message);
                        self.report(diagnostic.help("use eval(_pid) to wait for this value"));
                    }
                }
                _ => self.expression(*argument),
            }
        }
    }

    pub(super) fn received_twice(&mut self, arguments: &[ExprId]) {
        let mut seen = FxHashSet::default();
        for argument in arguments {
            let ExprKind::Variable(parts) = &self.program.exprs[*argument].kind else {
                continue;
            };
            if let [part] = &parts[..]
                && part.index.is_none()
                && let Some(Meaning::Variable(var)) = self.facts.meanings.get(argument)
                && !seen.insert(*var)
            {
                let message = format!("\"{}\" takes two fields of one message", part.name.name);
                self.report(Diagnostic::error(
                    &code::TWICE_RECEIVED,
                    part.name.span,
                    message,
                ));
            }
        }
    }

    /// A symbolic name must belong to the list of the variable, if that has a name.
    pub(super) fn symbol_fits(&mut self, ty: Type, value: ExprId) {
        let (Type::Mtype(Some(subset)), ExprKind::Mtype(name)) =
            (ty, &self.program.exprs[value].kind)
        else {
            return;
        };
        let symbol = self.facts.symbols.get(&name.name);
        if symbol.is_some_and(|symbol| symbol.subset != Some(subset.name)) {
            let message = format!("\"{}\" is no name of mtype:{}", name.name, subset.name);
            self.report(Diagnostic::error(&code::MTYPE, name.span, message));
        }
    }

    /// A channel is assigned a channel or a constant.
    pub(super) fn channel_value(&mut self, ty: Type, value: ExprId) {
        let arithmetic = matches!(
            self.program.exprs[value].kind,
            ExprKind::Unary(..) | ExprKind::Binary(..)
        );
        if ty == Type::Chan && arithmetic {
            let message = "a channel is assigned another channel, not a computed number";
            let span = self.program.exprs[value].span;
            self.report(Diagnostic::error(
                &code::ARITHMETIC_ON_CHANNEL,
                span,
                message,
            ));
        }
    }

    /// Runs stand alone on the right side of an assignment or as a statement.
    pub(super) fn lone_run(&mut self, id: ExprId) {
        if !matches!(self.program.exprs[id].kind, ExprKind::Run { .. }) {
            self.no_run(id);
        }
    }

    /// Reports a run anywhere in an expression.
    pub(super) fn no_run(&mut self, id: ExprId) {
        let mut found = None;
        self.each_expression(id, &mut |checker, id| {
            if matches!(checker.program.exprs[id].kind, ExprKind::Run { .. }) {
                found.get_or_insert(checker.program.exprs[id].span);
            }
        });
        if let Some(span) = found {
            let message = "run cannot be part of a larger expression";
            self.report(Diagnostic::error(&code::RUN_IN_EXPRESSION, span, message));
        }
    }

    /// Calls `visit` for an expression and everything in it.
    pub(super) fn each_expression(&mut self, id: ExprId, visit: &mut dyn FnMut(&mut Self, ExprId)) {
        for part in self.program.within(id) {
            visit(self, part);
        }
    }
}
