//! References: what their first name means, their indices and fields, and whether they are values, targets or channels.

use base::{Diagnostic, Name, Span, near};

use super::scope::Known;
use super::{Checker, Meaning, Owner, Predefined};
use crate::codes::names as code;
use crate::syntax::{Binding, ExprId, ExprKind, Initialiser, Part, Type, VarId};

impl Checker<'_> {
    /// Finds what a reference means, with its indices and fields.
    pub(super) fn reference(&mut self, id: ExprId, parts: &[Part]) {
        for part in parts {
            if let Some(index) = part.index {
                self.expression(index);
            }
        }
        let first = parts[0].name;
        if let Some(predefined) = Predefined::of(first.name.as_str()) {
            self.facts.mentions.last |= predefined == Predefined::Last;
            self.facts.mentions.priority |= predefined == Predefined::Priority;
            self.facts
                .meanings
                .insert(id, Meaning::Predefined(predefined));
            return;
        }
        let Some((Known::Variable(var), ..)) = self.scopes.find(first.name) else {
            return self.undeclared(first);
        };
        self.facts.meanings.insert(id, Meaning::Variable(var));
        let mut at = var;
        for (i, part) in parts.iter().enumerate() {
            self.indexed(at, part);
            let Some(next) = parts.get(i + 1) else {
                break;
            };
            match self.field(at, next.name) {
                Some(field) => at = field,
                None => {
                    self.facts.meanings.remove(&id);
                    return;
                }
            }
        }
    }

    fn indexed(&mut self, var: VarId, part: &Part) {
        let array = self.program.vars[var].size.is_some();
        if part.index.is_some() && !array {
            let message = format!("\"{}\" is no array and has no index", part.name.name);
            let diagnostic = Diagnostic::error(&code::NO_ARRAY, part.name.span, message);
            let declared = self.program.vars[var].name.span;
            self.report(diagnostic.also(declared, "declared here"));
        }
    }

    fn field(&mut self, of: VarId, name: Binding) -> Option<VarId> {
        let variable = &self.program.vars[of];
        let Type::Named(structure) = variable.ty else {
            let message = format!(
                "\"{}\" is no structure and has no field",
                variable.name.name
            );
            self.report(Diagnostic::error(&code::NO_STRUCTURE, name.span, message));
            return None;
        };
        let fields = self.facts.structures.get(&structure.name)?;
        let found = fields
            .iter()
            .copied()
            .find(|field| self.program.vars[*field].name.name == name.name);
        if found.is_none() {
            let message = format!(
                "the structure \"{}\" has no field \"{}\"",
                structure.name, name.name
            );
            let mut diagnostic = Diagnostic::error(&code::UNKNOWN_FIELD, name.span, message);
            let known = fields
                .iter()
                .map(|field| self.program.vars[*field].name.name.as_str());
            if let Some(meant) = near::nearest(name.name.as_str(), known) {
                diagnostic = diagnostic.help(format!("did you mean {meant}?")).fix(meant);
            }
            self.report(diagnostic);
        }
        found
    }

    fn undeclared(&mut self, name: Binding) {
        if self.names_lost || !self.unknown.insert(name.name) {
            return;
        }
        let message = format!("\"{}\" is not declared here", name.name);
        let mut diagnostic = Diagnostic::error(&code::UNDECLARED, name.span, message);
        if let Some((known, span, _)) = self.scopes.find(name.name) {
            let what = match known {
                Known::Process => "a proctype, not a variable",
                Known::Label => "a label, not a variable",
                _ => "a claim, not a variable",
            };
            diagnostic = diagnostic.also(span, what);
        } else if let Some(elsewhere) = self.declared_elsewhere(name.name) {
            diagnostic = diagnostic.also(elsewhere, "a variable of this name is known only there");
        } else if let Some(meant) = near::nearest(name.name.as_str(), self.scopes.variables()) {
            diagnostic = diagnostic.help(format!("did you mean {meant}?")).fix(meant);
        }
        self.report(diagnostic);
    }

    fn declared_elsewhere(&self, name: Name) -> Option<Span> {
        let fits = |owner: &Owner| matches!(owner, Owner::Unit(_));
        let mut vars = self.program.vars.iter();
        vars.find(|(id, variable)| {
            variable.name.name == name && fits(&self.facts.owners[id.index()])
        })
        .map(|(_, variable)| variable.name.span)
    }

    /// The variable at the end of a reference.
    pub(super) fn last_variable(&self, id: ExprId) -> Option<VarId> {
        let ExprKind::Variable(parts) = &self.program.exprs[id].kind else {
            return None;
        };
        let Some(Meaning::Variable(mut at)) = self.facts.meanings.get(&id).copied() else {
            return None;
        };
        for part in &parts[1..] {
            let Type::Named(structure) = self.program.vars[at].ty else {
                return None;
            };
            let fields = self.facts.structures.get(&structure.name)?;
            at = *fields
                .iter()
                .find(|field| self.program.vars[**field].name.name == part.name.name)?;
        }
        Some(at)
    }

    /// The type of a reference.
    pub(super) fn type_of(&self, id: ExprId) -> Option<Type> {
        self.last_variable(id).map(|var| self.program.vars[var].ty)
    }

    /// Whether a reference is an array without an index.
    pub(super) fn is_whole_array(&self, id: ExprId) -> bool {
        let ExprKind::Variable(parts) = &self.program.exprs[id].kind else {
            return false;
        };
        let array = self
            .last_variable(id)
            .is_some_and(|var| self.program.vars[var].size.is_some());
        array && parts.last().is_some_and(|part| part.index.is_none())
    }

    /// A reference of which every part is allowed.
    pub(super) fn whole(&mut self, id: ExprId) {
        if let ExprKind::Variable(parts) = &self.program.exprs[id].kind {
            self.reference(id, parts);
        }
    }

    /// A value that may be a structure: a field of a message, a parameter.
    pub(super) fn message_value(&mut self, id: ExprId) {
        match self.type_of_new(id) {
            Some(Type::Named(_)) => self.no_missing_index(id),
            _ => self.expression(id),
        }
    }

    /// The type of a reference that is looked at for the first time.
    fn type_of_new(&mut self, id: ExprId) -> Option<Type> {
        let ExprKind::Variable(parts) = &self.program.exprs[id].kind else {
            return None;
        };
        self.reference(id, parts);
        self.type_of(id)
    }

    pub(super) fn no_missing_index(&mut self, id: ExprId) {
        let ExprKind::Variable(parts) = &self.program.exprs[id].kind else {
            return;
        };
        let Some(Meaning::Variable(mut at)) = self.facts.meanings.get(&id).copied() else {
            return;
        };
        for (i, part) in parts.iter().enumerate() {
            if self.program.vars[at].size.is_some() && part.index.is_none() {
                let message = format!("the array \"{}\" needs an index", part.name.name);
                return self.report(Diagnostic::error(
                    &code::MISSING_INDEX,
                    part.name.span,
                    message,
                ));
            }
            if let Some(next) = parts.get(i + 1)
                && let Some(field) = self.field(at, next.name)
            {
                at = field;
            }
        }
    }

    /// Reports arrays without an index and whole structures.
    pub(super) fn is_value(&mut self, id: ExprId) {
        let span = self.program.exprs[id].span;
        if self.facts.meanings.get(&id) == Some(&Meaning::Predefined(Predefined::Anything)) {
            let message = "\"_\" takes values and has none";
            return self.report(Diagnostic::error(&code::PREDEFINED, span, message));
        }
        self.no_missing_index(id);
        if let Some(Type::Named(structure)) = self.type_of(id)
            && !self.is_whole_array(id)
        {
            let message = format!(
                "this is a whole structure \"{}\", and a value is needed",
                structure.name
            );
            self.report(Diagnostic::error(&code::WHOLE_STRUCTURE, span, message));
        }
    }

    /// A reference that is assigned to.
    pub(super) fn target(&mut self, id: ExprId) {
        self.whole(id);
        if let Some(Meaning::Predefined(predefined)) = self.facts.meanings.get(&id) {
            if !matches!(predefined, Predefined::Anything | Predefined::Priority) {
                let message = "a predefined variable cannot be assigned to";
                let span = self.program.exprs[id].span;
                self.report(Diagnostic::error(&code::PREDEFINED, span, message));
            }
            return;
        }
        self.is_value(id);
    }

    /// A reference that must be a channel.
    pub(super) fn channel(&mut self, id: ExprId) {
        self.whole(id);
        self.no_missing_index(id);
        match self.type_of(id) {
            Some(Type::Chan) | None => {}
            Some(_) => {
                let span = self.program.exprs[id].span;
                let message = "this is no channel";
                self.report(Diagnostic::error(&code::NO_CHANNEL, span, message));
            }
        }
        if let Some(Meaning::Predefined(_)) = self.facts.meanings.get(&id) {
            let span = self.program.exprs[id].span;
            self.report(Diagnostic::error(
                &code::NO_CHANNEL,
                span,
                "this is no channel",
            ));
        }
    }

    /// The fields of the messages of a channel that is declared with them.
    pub(super) fn channel_fields(&self, id: ExprId) -> Option<&[Type]> {
        let var = self.last_variable(id)?;
        match &self.program.vars[var].init {
            Some(Initialiser::Channel { fields, .. }) => Some(fields),
            _ => None,
        }
    }
}
