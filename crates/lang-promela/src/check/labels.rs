//! Labels and the jumps to them.
//!
//! SPIN prefers a label of the same block, then one of an enclosing block, then any of the proctype. A goto makes its label known in its own
//! block, so a label in an inner block can belong to it.

use base::{Diagnostic, Span, near};
use rustc_hash::FxHashSet;

use super::scope::{Known, ScopeId};
use super::{Checker, Label};
use crate::codes::{names as code, structure};
use crate::syntax::{Binding, StmtId, StmtKind};

/// The labels and gotos of one body.
#[derive(Debug, Default)]
pub(super) struct Jumps {
    labels: Vec<(Label, ScopeId, Option<StmtId>)>,
    gotos: Vec<(StmtId, Binding, ScopeId, Option<StmtId>)>,
}

impl Checker<'_> {
    /// The scope in which a label is known, made known here if it is new.
    fn label_scope(&mut self, label: Binding) -> ScopeId {
        match self.scopes.find(label.name) {
            Some((Known::Label, _, scope)) => scope,
            Some((Known::Variable(_), first, scope)) => {
                let message = format!("\"{}\" is a variable and cannot be a label", label.name);
                let diagnostic = Diagnostic::error(&code::REDECLARED, label.span, message);
                self.report(diagnostic.also(first, "declared here"));
                scope
            }
            _ => self.scopes.add(label.name, Known::Label, label.span),
        }
    }

    pub(super) fn label(&mut self, label: Binding, statement: StmtId) {
        let scope = self.label_scope(label);
        let known = Label {
            name: label.name,
            statement,
            span: label.span,
        };
        let twice = self.jumps.labels.iter().find(|(other, other_scope, _)| {
            other.name == label.name && *other_scope == scope && other.span != label.span
        });
        if let Some((first, ..)) = twice {
            let first = first.span;
            let message = format!("the label \"{}\" stands twice", label.name);
            let diagnostic = Diagnostic::error(&code::DUPLICATE_LABEL, label.span, message);
            self.report(diagnostic.also(first, "first here"));
        }
        self.jumps.labels.push((known, scope, self.context.d_step));
        self.facts
            .labels
            .entry(self.context.unit)
            .or_default()
            .push(known);
    }

    pub(super) fn goto(&mut self, statement: StmtId, label: Binding) {
        let scope = self.label_scope(label);
        self.jumps
            .gotos
            .push((statement, label, scope, self.context.d_step));
    }

    /// Finds where the gotos of a body lead.
    pub(super) fn resolve_jumps(&mut self) {
        let jumps = std::mem::take(&mut self.jumps);
        for (statement, label, scope, d_step) in &jumps.gotos {
            let mut found = None;
            for candidate in jumps
                .labels
                .iter()
                .rev()
                .filter(|found| found.0.name == label.name)
            {
                if candidate.1 == *scope {
                    found = Some(candidate);
                    break;
                }
                if found.is_none() || self.scopes.is_within(*scope, candidate.1) {
                    found = Some(candidate);
                }
            }
            let Some((target, _, inside)) = found else {
                self.no_label(*label, &jumps);
                continue;
            };
            if inside != d_step {
                let message = "a jump into or out of a d_step";
                let diagnostic = Diagnostic::error(&structure::JUMP, label.span, message);
                self.report(diagnostic.also(target.span, "the label"));
            }
            self.facts.targets.insert(*statement, target.statement);
        }
    }

    fn no_label(&mut self, label: Binding, jumps: &Jumps) {
        let message = format!("there is no label \"{}\" in this proctype", label.name);
        let mut diagnostic = Diagnostic::error(&code::UNKNOWN_LABEL, label.span, message);
        let known = jumps.labels.iter().map(|(label, ..)| label.name.as_str());
        if let Some(meant) = near::nearest(label.name.as_str(), known) {
            diagnostic = diagnostic.help(format!("did you mean {meant}?")).fix(meant);
        }
        self.report(diagnostic);
    }

    /// Gotos that lead to nothing but gotos.
    pub(super) fn goto_cycles(&mut self, body: &[StmtId]) {
        let mut reported: FxHashSet<StmtId> = FxHashSet::default();
        for statement in body {
            let mut at = *statement;
            let mut seen = vec![];
            let mut place: Option<Span> = None;
            loop {
                at = self.unlabelled(at);
                if !matches!(self.program.stmts[at].kind, StmtKind::Goto(_)) {
                    break;
                }
                if seen.contains(&at) {
                    let place = place.unwrap_or(self.program.stmts[at].span);
                    if seen.iter().all(|step| reported.insert(*step)) {
                        let message =
                            "these gotos lead to each other, with nothing to do in between";
                        self.report(Diagnostic::error(&structure::GOTO_CYCLE, place, message));
                    }
                    break;
                }
                place.get_or_insert(self.program.stmts[at].span);
                seen.push(at);
                match self.facts.targets.get(&at) {
                    Some(target) => at = *target,
                    None => break,
                }
            }
        }
    }

    /// The statement below its labels.
    pub(super) fn unlabelled(&self, mut id: StmtId) -> StmtId {
        while let StmtKind::Labelled(_, inner) = self.program.stmts[id].kind {
            id = inner;
        }
        id
    }
}
