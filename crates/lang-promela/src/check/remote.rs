//! Other processes: `run`, and references to their labels and variables.

use base::{Diagnostic, Name, near};

use super::scope::Known;
use super::{Body, Checker, Meaning};
use crate::codes::{names as code, structure};
use crate::syntax::{Binding, ExprId, ExprKind, Part, StmtId, StmtKind, Type, Unit, VarId};
use base::counted;

impl Checker<'_> {
    pub(super) fn run_of(
        &mut self,
        id: ExprId,
        name: Binding,
        arguments: &[ExprId],
        priority: Option<ExprId>,
    ) {
        self.not_in_d_step(id, "run");
        if self.context.body == Body::Claim {
            let message = "a claim starts no process";
            self.report(Diagnostic::error(&structure::CLAIM, name.span, message));
        }
        for argument in arguments {
            self.message_value(*argument);
        }
        if let Some(priority) = priority {
            self.facts.mentions.priority = true;
            self.constant(priority, "a priority");
        }
        match self.scopes.find(name.name) {
            Some((Known::Process, ..)) if name.name.as_str() != "init" => {}
            Some((Known::Claim, span, _)) => {
                let message = format!("\"{}\" is a claim and cannot be run", name.name);
                let diagnostic = Diagnostic::error(&code::NOT_RUNNABLE, name.span, message);
                return self.report(diagnostic.also(span, "the claim"));
            }
            _ if self.is_formula(name.name) => {
                let message = format!("\"{}\" is a formula and cannot be run", name.name);
                return self.report(Diagnostic::error(&code::NOT_RUNNABLE, name.span, message));
            }
            _ => return self.unknown_proctype(name),
        }
        let unit = self.facts.processes[&name.name];
        let Unit::Process(process) = &self.program.units[unit] else {
            return;
        };
        let parameters: Vec<VarId> = process
            .parameters
            .iter()
            .flat_map(|declaration| &declaration.vars)
            .copied()
            .collect();
        let wanted: usize = parameters
            .iter()
            .map(|var| self.width(self.program.vars[*var].ty))
            .sum();
        let given: usize = arguments
            .iter()
            .map(|id| self.type_of(*id).map_or(1, |ty| self.width(ty)))
            .sum();
        let message = format!(
            "\"{}\" has {} and is given {given}",
            name.name,
            counted(wanted, "parameter")
        );
        if given > wanted {
            let diagnostic = Diagnostic::error(&code::ARGUMENTS, name.span, message);
            self.report(diagnostic.also(process.name.span, "declared here"));
        } else if given < wanted {
            let diagnostic = Diagnostic::warning(&code::FEW_ARGUMENTS, name.span, message);
            self.report(diagnostic.also(process.name.span, "declared here"));
        }
        for (parameter, argument) in parameters.iter().zip(arguments) {
            self.argument_fits(self.program.vars[*parameter].ty, *argument);
        }
    }

    /// A symbolic name given to a parameter must belong to its list.
    fn argument_fits(&mut self, ty: Type, value: ExprId) {
        let (Type::Mtype(subset), ExprKind::Mtype(name)) = (ty, &self.program.exprs[value].kind)
        else {
            return;
        };
        let subset = subset.map(|subset| subset.name);
        if self
            .facts
            .symbols
            .get(&name.name)
            .is_some_and(|symbol| symbol.subset != subset)
        {
            let message = format!(
                "\"{}\" belongs to another list than the parameter",
                name.name
            );
            self.report(Diagnostic::error(&code::MTYPE, name.span, message));
        }
    }

    fn is_formula(&self, name: Name) -> bool {
        self.program.units.iter().any(|unit| match unit {
            Unit::Ltl(formula) => formula.name.is_some_and(|known| known.name == name),
            _ => false,
        })
    }

    fn unknown_proctype(&mut self, name: Binding) {
        if self.names_lost {
            return;
        }
        let message = format!("there is no proctype \"{}\"", name.name);
        let mut diagnostic = Diagnostic::error(&code::UNKNOWN_PROCTYPE, name.span, message);
        let known = self.facts.processes.keys().map(|known| known.as_str());
        if let Some(meant) = near::nearest(name.name.as_str(), known) {
            diagnostic = diagnostic.help(format!("did you mean {meant}?")).fix(meant);
        }
        self.report(diagnostic);
    }

    pub(super) fn remote_label(&mut self, process: Binding, label: Binding) {
        let Some(unit) = self.facts.processes.get(&process.name) else {
            return self.unknown_proctype(process);
        };
        let Unit::Process(declared) = &self.program.units[*unit] else {
            return;
        };
        if !self.has_label(&declared.body, label.name) {
            let message = format!(
                "the proctype \"{}\" has no label \"{}\"",
                process.name, label.name
            );
            self.report(Diagnostic::error(&code::UNKNOWN_LABEL, label.span, message));
        }
    }

    pub(super) fn remote_variable(&mut self, id: ExprId, process: Binding, variable: &Part) {
        if let Some(index) = variable.index {
            self.expression(index);
        }
        let Some(unit) = self.facts.processes.get(&process.name).copied() else {
            return self.unknown_proctype(process);
        };
        let locals = self.all_locals(unit);
        let found = locals
            .iter()
            .find(|var| self.program.vars[**var].name.name == variable.name.name);
        let global = || match self.scopes.find(variable.name.name) {
            Some((Known::Variable(var), ..)) => Some(var),
            _ => None,
        };
        match found.copied().or_else(global) {
            Some(var) => {
                self.facts.meanings.insert(id, Meaning::Variable(var));
            }
            None => {
                let message = format!(
                    "the proctype \"{}\" has no variable \"{}\"",
                    process.name, variable.name.name
                );
                self.report(Diagnostic::error(
                    &code::REMOTE_VARIABLE,
                    variable.name.span,
                    message,
                ));
            }
        }
    }

    /// Whether a body has a label.
    fn has_label(&self, body: &[StmtId], name: Name) -> bool {
        self.program
            .statements(body)
            .into_iter()
            .any(|id| match self.program.stmts[id].kind {
                StmtKind::Labelled(label, _) => label.name == name,
                _ => false,
            })
    }

    /// The variables of a process, whether its text has been read already or not.
    fn all_locals(&self, unit: usize) -> Vec<VarId> {
        let Unit::Process(process) = &self.program.units[unit] else {
            return Vec::new();
        };
        let parameters = process
            .parameters
            .iter()
            .flat_map(|declaration| declaration.vars.clone());
        let inside = self
            .program
            .statements(&process.body)
            .into_iter()
            .flat_map(|id| match &self.program.stmts[id].kind {
                StmtKind::Declare(declaration) => declaration.vars.clone(),
                _ => Vec::new(),
            });
        parameters.chain(inside).collect()
    }
}
