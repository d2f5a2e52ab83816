//! Finds definitions that nothing uses and settings that nobody knows.

use base::{Diagnostic, Name};
use lang_math::{ExprId, ExprKind};
use rustc_hash::FxHashSet;

use super::{Model, mention};
use crate::codes::hints as codes;
use crate::preferences::{self, Setting};
use crate::stdlib::Kind;
use crate::syntax::{ClauseBody, Component, SetKind, SubstKind};

impl Model<'_> {
    /// Warns of unused definitions and unknown settings.
    pub(super) fn definitions(&mut self) {
        let own: Vec<_> = self.own_definitions().collect();
        if own.is_empty() {
            return;
        }
        for definition in &own {
            if let Some(Setting::UnknownPreference(name)) =
                preferences::setting(definition.name.as_str())
            {
                let mut warning = Diagnostic::warning(
                    &codes::UNKNOWN_PREFERENCE,
                    definition.span,
                    format!("there is no preference `{name}`"),
                )
                .label("this setting has no effect");
                if let Some(near) = preferences::nearest_preference(name) {
                    warning = warning.help(format!("did you mean `SET_PREF_{near}`?"));
                }
                self.found.push(warning);
            }
        }
        let only_definitions = self
            .written()
            .clauses
            .iter()
            .all(|clause| matches!(clause.body, ClauseBody::Definitions(_)));
        // A machine that only defines is a library. A picture in a file of its own may use definitions.
        let seen_elsewhere = |name: Name| name.as_str() == "VISB_JSON_FILE";
        if only_definitions || own.iter().any(|definition| seen_elsewhere(definition.name)) {
            return;
        }
        let mut used = FxHashSet::default();
        mentions(self.written(), &mut used);
        for id in &self.unit.definition_files {
            mentions(&self.project.definition_files[*id].component, &mut used);
        }
        let externals: FxHashSet<&str> = own
            .iter()
            .filter_map(|definition| Kind::of_declaration(definition.name.as_str()))
            .map(|(_, name)| name)
            .collect();
        for definition in own {
            let name = definition.name;
            if used.contains(&name)
                || externals.contains(name.as_str())
                || preferences::setting(name.as_str()).is_some()
            {
                continue;
            }
            self.found.push(
                Diagnostic::warning(
                    &codes::UNUSED_DEFINITION,
                    definition.span,
                    format!("definition `{name}` is never used"),
                )
                .help("remove it, or use it"),
            );
        }
    }
}

/// Every name that occurs in a component outside declarations.
///
/// A definition that uses itself is an error, so a name in its own body does not disturb. Bound names
/// count as well: a definition may list the names of a binder.
fn mentions(component: &Component, used: &mut FxHashSet<Name>) {
    let tree = &component.tree;
    for index in 0..tree.exprs.len() {
        let id = ExprId::new(index);
        mention(tree, id, used);
        if let ExprKind::Bind { names, .. } | ExprKind::Let { names, .. } = tree.exprs.kind(id) {
            used.extend(names.iter().map(|name| name.name));
        }
    }
    for (_, subst) in tree.substs.iter() {
        match &subst.kind {
            SubstKind::Call { name, .. } => {
                used.insert(*name);
            }
            SubstKind::Any { names, .. }
            | SubstKind::Let { names, .. }
            | SubstKind::Var { names, .. } => used.extend(names.iter().map(|name| name.name)),
            _ => {}
        }
    }
    for clause in &component.clauses {
        if let ClauseBody::Sets(sets) = &clause.body {
            for set in sets {
                if let SetKind::FromDefinition(written) = &set.kind {
                    used.insert(written.name);
                }
            }
        }
    }
}
