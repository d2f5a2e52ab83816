//! Where statements may stand: the rules that SPIN's grammar does not say.

use base::Diagnostic;

use super::{Body, Checker, Meaning, Owner, Predefined};
use crate::codes::structure as code;
use crate::syntax::{Choice, Declaration, ExprId, ExprKind, Initialiser, StmtId, StmtKind};

impl Checker<'_> {
    /// What claims, traces and d_steps forbid.
    pub(super) fn allowed_here(&mut self, id: StmtId) {
        let statement = &self.program.stmts[id];
        let span = statement.span;
        let kind = &statement.kind;
        match self.context.body {
            Body::Claim if matches!(kind, StmtKind::Send { .. } | StmtKind::Receive { .. }) => {
                let message = "a never claim cannot send or receive";
                self.report(Diagnostic::error(&code::CLAIM, span, message));
            }
            Body::Trace => {
                let event = match kind {
                    StmtKind::Send { sorted, .. } => !sorted,
                    StmtKind::Receive { random, keep, .. } => !random && !keep,
                    StmtKind::If(_)
                    | StmtKind::Do(_)
                    | StmtKind::For { .. }
                    | StmtKind::Select { .. }
                    | StmtKind::Break
                    | StmtKind::Goto(_)
                    | StmtKind::Labelled(..)
                    | StmtKind::Declare(_)
                    | StmtKind::Error => true,
                    _ => false,
                };
                if !event {
                    let message = "a trace consists of events: c!… and c?…";
                    self.report(Diagnostic::error(&code::TRACE, span, message));
                }
            }
            _ => {}
        }
        if self.context.d_step.is_some() && matches!(kind, StmtKind::Unless(..)) {
            let message = "a d_step cannot contain unless";
            self.report(Diagnostic::error(&code::D_STEP, span, message));
        }
    }

    /// What a d_step forbids in expressions.
    pub(super) fn not_in_d_step(&mut self, id: ExprId, what: &str) {
        if self.context.d_step.is_some() {
            let message = format!("a d_step cannot contain {what}");
            let span = self.program.exprs[id].span;
            self.report(Diagnostic::error(&code::D_STEP, span, message));
        }
    }

    /// A block must not begin with a labelled statement. A loop is no problem: SPIN gives it a state of its own.
    pub(super) fn first_label(&mut self, body: &[StmtId]) {
        let first = body
            .iter()
            .find(|id| !matches!(self.program.stmts[**id].kind, StmtKind::Exclusive { .. }));
        if let Some(first) = first {
            self.misplaced_label(*first, "put the label before the brace");
        }
    }

    fn misplaced_label(&mut self, id: StmtId, help: &str) {
        let StmtKind::Labelled(label, _) = self.program.stmts[id].kind else {
            return;
        };
        if matches!(
            self.program.stmts[self.unlabelled(id)].kind,
            StmtKind::Do(_) | StmtKind::For { .. }
        ) {
            return;
        }
        let message = format!(
            "the label \"{}\" stands on the first statement of a block",
            label.name
        );
        let diagnostic = Diagnostic::error(&code::LABEL_PLACE, label.span, message);
        self.report(diagnostic.help(help));
    }

    /// Labels around unless: allowed before a block only.
    pub(super) fn unless_labels(&mut self, main: StmtId, escape: StmtId) {
        let below = &self.program.stmts[self.unlabelled(main)].kind;
        if !matches!(
            below,
            StmtKind::Block { .. } | StmtKind::Atomic(_) | StmtKind::DStep(_)
        ) {
            self.misplaced_label(main, "write L: { … unless … }");
        }
        self.misplaced_label(escape, "an escape cannot be jumped to");
    }

    /// SPIN reports a label on the first statement of an option and goes on.
    pub(super) fn label_in_option(&mut self, body: &[StmtId]) {
        let Some(first) = body.first() else {
            return;
        };
        if let StmtKind::Labelled(label, _) = self.program.stmts[*first].kind
            && !matches!(
                self.program.stmts[self.unlabelled(*first)].kind,
                StmtKind::Do(_) | StmtKind::For { .. }
            )
        {
            let message = format!(
                "the label \"{}\" stands on the first statement of an option",
                label.name
            );
            let diagnostic = Diagnostic::warning(&code::LABEL_IN_OPTION, label.span, message);
            self.report(diagnostic.help("put it before the if or do"));
        }
    }

    /// At most one else, and none beside channels that are used exclusively.
    pub(super) fn elses(&mut self, choices: &[Choice]) {
        let first = |choice: &Choice| choice.body.first().map(|id| self.unlabelled(*id));
        let firsts: Vec<StmtId> = choices.iter().filter_map(first).collect();
        let is_else = |id: &&StmtId| matches!(self.program.stmts[**id].kind, StmtKind::Else);
        let elses: Vec<StmtId> = firsts.iter().filter(is_else).copied().collect();
        if let [one, two, ..] = &elses[..] {
            let (one, two) = (self.program.stmts[*one].span, self.program.stmts[*two].span);
            let message = "a selection has at most one else";
            self.report(
                Diagnostic::error(&code::TWO_ELSE, two, message).also(one, "the first one"),
            );
        }
        let Some(otherwise) = elses.first() else {
            return;
        };
        if firsts.iter().any(|id| self.uses_channel(*id)) {
            let span = self.program.stmts[*otherwise].span;
            let diagnostic = if self.has_exclusive {
                let message = "else beside a send or receive, in a program with xr or xs";
                Diagnostic::error(&code::ELSE_WITH_EXCLUSIVE, span, message)
            } else {
                Diagnostic::warning(&code::NEAR_ELSE, span, "else beside a send or receive")
            };
            self.report(diagnostic);
        }
    }

    fn uses_channel(&self, id: StmtId) -> bool {
        match &self.program.stmts[id].kind {
            StmtKind::Send { .. } | StmtKind::Receive { .. } => true,
            StmtKind::Expression(value) => self.probes(*value),
            _ => false,
        }
    }

    /// Whether an expression asks if a channel is full or empty.
    fn probes(&self, id: ExprId) -> bool {
        base::deep::recurse(|| match &self.program.exprs[id].kind {
            ExprKind::Channel(question, _) => *question != crate::syntax::ChannelQuestion::Len,
            ExprKind::Binary(_, a, b) => self.probes(*a) || self.probes(*b),
            _ => false,
        })
    }

    /// A channel is created with its process: later declarations cannot make one.
    pub(super) fn late_channels(&mut self, declaration: &Declaration) {
        if self.context.at_start {
            return;
        }
        for id in &declaration.vars {
            let variable = &self.program.vars[*id];
            if matches!(variable.init, Some(Initialiser::Channel { .. })) {
                let message = format!(
                    "the channel \"{}\" is declared after a statement",
                    variable.name.name
                );
                let diagnostic =
                    Diagnostic::error(&code::LATE_CHANNEL, variable.name.span, message);
                self.report(diagnostic.help("declare it at the start of the proctype"));
            }
        }
    }

    /// What `provided` may speak of.
    pub(super) fn global_condition(&mut self, id: ExprId) {
        let mut wrong = None;
        self.each_expression(id, &mut |checker, id| {
            let fits = match &checker.program.exprs[id].kind {
                ExprKind::Variable(_) => match checker.facts.meanings.get(&id) {
                    Some(Meaning::Variable(var)) => {
                        checker.facts.owners[var.index()] == Owner::Global
                    }
                    Some(Meaning::Predefined(predefined)) => *predefined != Predefined::Priority,
                    None => true,
                },
                ExprKind::Run { .. } | ExprKind::Poll { .. } | ExprKind::Timeout => false,
                _ => true,
            };
            if !fits {
                wrong.get_or_insert(checker.program.exprs[id].span);
            }
        });
        if let Some(span) = wrong {
            let message = "a condition after provided is about global variables";
            self.report(Diagnostic::error(&code::PROVIDED, span, message));
        }
    }
}
