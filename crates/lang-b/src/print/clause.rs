//! Clauses: the keyword on a line, the contents indented below.

use lang_math::print::{Place, description, spelling};
use lang_math::{Binding, ExprId};

use super::Printer;
use crate::syntax::{
    ClauseBody, Constructor, Declared, Definition, FreeType, MachineRef, Macro, MacroBody,
    Operation, SetDecl, SetKind,
};

impl Printer<'_> {
    pub(super) fn clause(&mut self, clause: &ClauseBody) {
        self.text(clause.keyword());
        match clause {
            ClauseBody::Refines(reference) => {
                self.text(" ");
                self.reference(reference);
            }
            ClauseBody::References(_, references) => {
                self.body(|printer| printer.list(references, Self::reference));
            }
            ClauseBody::Promotes(names) => self.body(|printer| printer.names(names)),
            ClauseBody::Constraints(formula)
            | ClauseBody::Properties(formula)
            | ClauseBody::Invariant(formula) => {
                self.body(|printer| printer.formula(*formula, Place::Formula));
            }
            ClauseBody::Variant(formula) => {
                self.body(|printer| printer.formula(*formula, Place::Item));
            }
            ClauseBody::Sets(sets) => self.entries(sets, Self::set),
            ClauseBody::FreeTypes(types) => self.entries(types, Self::free_type),
            ClauseBody::Constants(_, declared) | ClauseBody::Variables(_, declared) => {
                self.body(|printer| printer.list(declared, Self::declared));
            }
            ClauseBody::Values(values) => self.entries(values, |printer, value| {
                printer.text(&spelling::name(value.name.name.as_str()));
                printer.text(" = ");
                printer.formula(value.value, Place::Formula);
            }),
            ClauseBody::Assertions(assertions) => {
                self.entries(assertions, |printer, assertion: &ExprId| {
                    printer.formula(*assertion, Place::Formula);
                });
            }
            ClauseBody::Initialisation(subst) => self.body(|printer| printer.subst(*subst)),
            ClauseBody::Operations(operations) | ClauseBody::LocalOperations(operations) => {
                self.operations(operations);
            }
            ClauseBody::Definitions(definitions) => self.entries(definitions, Self::definition),
            ClauseBody::Unsupported(_) => {}
        }
        self.out.line();
    }

    /// Entries with `;` between them, each on a line.
    fn entries<T>(&mut self, entries: &[T], mut print: impl FnMut(&mut Self, &T)) {
        self.out.indent();
        for (i, entry) in entries.iter().enumerate() {
            if i > 0 {
                self.text(";");
            }
            self.out.line();
            print(self, entry);
        }
        self.out.dedent();
    }

    fn reference(&mut self, reference: &MachineRef) {
        if let Some(instance) = reference.instance {
            self.text(&spelling::name(instance.as_str()));
            self.text(".");
        }
        self.text(&spelling::name(reference.machine.as_str()));
        self.arguments(&reference.arguments);
        if let Some(file) = reference.file {
            self.text(&format!(" /*@file {}*/", spelling::path(file.as_str())));
        }
    }

    fn declared(&mut self, declared: &Declared) {
        self.text(&spelling::name(declared.name.as_str()));
        self.described(declared.description);
    }

    fn described(&mut self, text: Option<base::Name>) {
        if let Some(text) = text {
            self.text(" ");
            self.text(&description(text));
        }
    }

    fn set(&mut self, set: &SetDecl) {
        self.text(&spelling::name(set.name.as_str()));
        match &set.kind {
            SetKind::Deferred => {}
            SetKind::Enumerated(elements) => {
                self.text(" = {");
                self.out.indent();
                self.names(elements);
                self.out.dedent();
                self.text("}");
            }
            SetKind::FromDefinition(definition) => {
                self.text(" = ");
                self.text(&spelling::name(definition.name.as_str()));
            }
        }
        self.described(set.description);
    }

    fn free_type(&mut self, free_type: &FreeType) {
        self.text(&spelling::name(free_type.name.as_str()));
        self.parameters(&free_type.parameters);
        self.text(" = ");
        self.out.indent();
        self.list(
            &free_type.constructors,
            |printer, constructor: &Constructor| match constructor.argument {
                None => printer.text(&spelling::name(constructor.name.as_str())),
                Some(argument) => {
                    printer.text(&spelling::name(constructor.name.as_str()));
                    printer.text("(");
                    printer.formula(argument, Place::Item);
                    printer.text(")");
                }
            },
        );
        self.out.dedent();
    }

    fn operations(&mut self, operations: &[Operation]) {
        self.out.indent();
        for (i, operation) in operations.iter().enumerate() {
            if i > 0 {
                self.text(";");
                self.out.line();
            }
            self.out.line();
            self.operation(operation);
        }
        self.out.dedent();
    }

    fn operation(&mut self, operation: &Operation) {
        if !operation.results.is_empty() {
            self.names(&operation.results);
            self.symbol(" <-- ", " ← ");
        }
        self.text(&spelling::operation_name(operation.name.as_str()));
        self.parameters(&operation.parameters);
        if let Some(Binding { name, .. }) = operation.refines {
            self.text(" ref ");
            self.text(&spelling::name(name.as_str()));
        }
        self.text(" =");
        self.body(|printer| printer.closed_subst(operation.body));
        self.described(operation.description);
    }

    fn definition(&mut self, definition: &Definition) {
        match definition {
            Definition::File(file) if file.library => {
                self.text(&format!("<{}>", file.path));
            }
            Definition::File(file) => self.text(&spelling::string(file.path.as_str())),
            Definition::Macro(definition) => self.macro_(definition),
        }
    }

    fn macro_(&mut self, definition: &Macro) {
        self.text(&spelling::name(definition.name.as_str()));
        self.parameters(&definition.parameters);
        self.out.open();
        self.symbol(" ==", " ≜");
        self.out.indent();
        self.out.soft();
        match &definition.body {
            MacroBody::Formula(formula) => self.formula(*formula, Place::Formula),
            MacroBody::Names(names) => self.names(names),
            MacroBody::Substitution(subst) => self.closed_subst(*subst),
        }
        self.out.dedent();
        self.out.close();
    }
}
