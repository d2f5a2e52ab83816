//! Which clauses a component may have, and which it must: rules of the grammar that no single clause shows.

use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::Parser;
use crate::codes::syntax as code;
use crate::syntax::{ClauseBody, Component, ComponentKind, Definition, Link, Visibility};

impl Parser<'_> {
    /// Checks the clauses that are there.
    pub(super) fn check_clauses(&mut self, component: &Component) {
        self.no_clause_twice(component);
        self.only_allowed_clauses(component);
        self.no_definition_twice(component);
    }

    fn no_clause_twice(&mut self, component: &Component) {
        let mut seen: FxHashMap<&'static str, Span> = FxHashMap::default();
        for clause in &component.clauses {
            let keyword = clause.body.keyword();
            match seen.get(keyword) {
                Some(first) => {
                    let diagnostic = Diagnostic::error(
                        &code::DUPLICATE_CLAUSE,
                        clause.keyword,
                        format!("a second {keyword} clause"),
                    )
                    .also(*first, "the first is here")
                    .help("join the two");
                    self.complain(diagnostic);
                }
                None => {
                    seen.insert(keyword, clause.keyword);
                }
            }
        }
    }

    fn only_allowed_clauses(&mut self, component: &Component) {
        for clause in &component.clauses {
            if !allowed(component.kind, &clause.body) {
                let keyword = clause.body.keyword();
                let kind = component.kind.keyword();
                let diagnostic = Diagnostic::error(
                    &code::FORBIDDEN_CLAUSE,
                    clause.keyword,
                    format!("{keyword} cannot stand in {kind}"),
                );
                self.complain(diagnostic);
            }
        }
    }

    /// Checks that no clause is missing that another one needs.
    pub(super) fn check_needed(&mut self, component: &Component, opening: Span) {
        let find = |test: fn(&ClauseBody) -> bool| {
            component
                .clauses
                .iter()
                .find(|clause| test(&clause.body))
                .map(|clause| clause.keyword)
        };
        let refines = find(|body| matches!(body, ClauseBody::Refines(_)));
        if !component.kind.is_abstract() {
            if refines.is_none() && component.kind != ComponentKind::DefinitionFile {
                let because = format!("{} needs", component.kind.keyword());
                self.missing("REFINES", opening, &because);
            }
            return;
        }
        let constants = find(|body| matches!(body, ClauseBody::Constants(..)));
        let properties = find(|body| matches!(body, ClauseBody::Properties(_)));
        if let (Some(at), None) = (constants, properties) {
            self.missing("PROPERTIES", at, "constants need");
        }
        let variables = find(|body| matches!(body, ClauseBody::Variables(..)));
        if let Some(at) = variables {
            if find(|body| matches!(body, ClauseBody::Invariant(_))).is_none() {
                self.missing("INVARIANT", at, "variables need");
            }
            if find(|body| matches!(body, ClauseBody::Initialisation(_))).is_none() {
                self.missing("INITIALISATION", at, "variables need");
            }
        }
        let scalar = component
            .parameters
            .iter()
            .find(|p| p.name.as_str().chars().any(char::is_lowercase));
        if let Some(scalar) = scalar
            && find(|body| matches!(body, ClauseBody::Constraints(_))).is_none()
        {
            self.missing(
                "CONSTRAINTS",
                scalar.span,
                "a parameter that is no set needs",
            );
        }
    }

    fn missing(&mut self, keyword: &str, at: Span, because: &str) {
        let diagnostic = Diagnostic::error(
            &code::MISSING_CLAUSE,
            at,
            format!("{because} the clause {keyword}"),
        )
        .help(format!("add {keyword}"));
        self.complain(diagnostic);
    }

    pub(super) fn no_definition_twice(&mut self, component: &Component) {
        let mut seen: FxHashMap<base::Name, Span> = FxHashMap::default();
        for clause in &component.clauses {
            let ClauseBody::Definitions(definitions) = &clause.body else {
                continue;
            };
            for definition in definitions {
                let Definition::Macro(definition) = definition else {
                    continue;
                };
                if let Some(first) = seen.insert(definition.name, definition.span) {
                    let diagnostic = Diagnostic::error(
                        &code::DUPLICATE_DEFINITION,
                        definition.span,
                        format!("\"{}\" is defined twice", definition.name),
                    )
                    .also(first, "the first definition");
                    self.complain(diagnostic);
                }
            }
        }
    }
}

/// Whether a component of this kind may have this clause.
fn allowed(kind: ComponentKind, body: &ClauseBody) -> bool {
    use ComponentKind::{Implementation, Refinement};
    match body {
        ClauseBody::Constraints(_) | ClauseBody::References(Link::Uses, _) => kind.is_abstract(),
        ClauseBody::References(Link::Includes, _)
        | ClauseBody::Constants(Visibility::Abstract, _)
        | ClauseBody::Variables(Visibility::Abstract, _) => kind != Implementation,
        ClauseBody::LocalOperations(_) => kind != Refinement,
        ClauseBody::References(Link::Imports, _) | ClauseBody::Values(_) => kind == Implementation,
        ClauseBody::Refines(_) => matches!(kind, Refinement | Implementation),
        _ => true,
    }
}
