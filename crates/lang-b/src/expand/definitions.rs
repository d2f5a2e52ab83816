//! The definitions that a component can use: its own and those of the files it draws in.
//!
//! Invariant: no definition in the table uses itself; those that do are reported and taken out.

use std::cell::RefCell;

use base::{Diagnostic, Diagnostics, Name};
use lang_math::expr::for_each_child;
use lang_math::{ExprKind, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ExternalKind;
use crate::codes::definitions as codes;
use crate::load::{Project, Unit};
use crate::syntax::{Component, Definition, Macro, MacroBody, SubstKind, Tree};

/// The definitions a component can use.
#[derive(Debug, Default)]
pub struct Definitions<'p> {
    pub(super) entries: FxHashMap<Name, Entry<'p>>,
    /// The component's own definitions, in the order of the text.
    pub own: Vec<&'p Macro>,
    /// Definitions that were reported and taken out.
    pub(super) refused: FxHashSet<Name>,
    pub(super) used: RefCell<FxHashSet<Name>>,
    /// The names that `EXTERNAL_FUNCTION_…` and the like declare.
    pub(super) externals: FxHashMap<Name, ExternalKind>,
}

/// A definition with the tree its body lives in.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'p> {
    /// The definition.
    pub definition: &'p Macro,
    /// Where its body lives.
    pub tree: &'p Tree,
    pub(super) built_in: bool,
}

impl<'p> Definitions<'p> {
    /// Collects what `unit` defines and draws in.
    pub fn collect(project: &'p Project, unit: &'p Unit, diagnostics: &mut Diagnostics) -> Self {
        let mut definitions = Definitions::default();
        for id in &unit.definition_files {
            let file = &project.definition_files[*id];
            definitions.add(&file.component, file.built_in, diagnostics);
        }
        definitions.add(&unit.component, false, diagnostics);
        definitions.own = macros(&unit.component).collect();
        definitions.refuse_recursion(diagnostics);
        definitions.externals = definitions.declared_externals();
        definitions
    }

    /// The definition of a name.
    pub fn get(&self, name: Name) -> Option<Entry<'p>> {
        self.entries.get(&name).copied()
    }

    /// Whether there is a definition of this name, be it one that was refused.
    pub fn knows(&self, name: Name) -> bool {
        self.entries.contains_key(&name) || self.refused.contains(&name)
    }

    /// All defined names.
    pub fn names(&self) -> impl Iterator<Item = Name> {
        self.entries.keys().copied()
    }

    /// Whether an expansion used the definition.
    pub fn is_used(&self, name: Name) -> bool {
        self.used.borrow().contains(&name)
    }

    /// The value of a preference set by `SET_PREF_X == TRUE` and the like.
    pub fn preference(&self, name: &str) -> Option<bool> {
        let entry = self.get(Name::new(&format!("SET_PREF_{name}")))?;
        let MacroBody::Formula(body) = entry.definition.body else {
            return None;
        };
        match entry.tree.exprs.kind(body) {
            ExprKind::Op(Op::True, _) => Some(true),
            ExprKind::Op(Op::False, _) => Some(false),
            ExprKind::Str(text) => match text.as_str() {
                "TRUE" | "true" => Some(true),
                "FALSE" | "false" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn add(
        &mut self,
        component: &'p Component,
        built_in: bool,
        diagnostics: &mut Diagnostics,
    ) {
        for definition in macros(component) {
            let entry = Entry {
                definition,
                tree: &component.tree,
                built_in,
            };
            match self.entries.get(&definition.name) {
                // The parser reports two definitions in one file.
                Some(old) if old.definition.span.file == definition.span.file => {}
                // A model may replace what the library offers.
                Some(old) if old.built_in => {
                    self.entries.insert(definition.name, entry);
                }
                Some(old) => diagnostics.push(
                    Diagnostic::error(
                        &codes::DUPLICATE,
                        definition.span,
                        format!("definition `{}` is given twice", definition.name),
                    )
                    .also(old.definition.span, "the first one is here"),
                ),
                None => {
                    self.entries.insert(definition.name, entry);
                }
            }
        }
    }

    pub(super) fn declared_externals(&self) -> FxHashMap<Name, ExternalKind> {
        let prefixes = [
            // A name that is declared twice is what comes last.
            ("EXTERNAL_SUBSTITUTION_", ExternalKind::Substitution),
            ("EXTERNAL_PREDICATE_", ExternalKind::Predicate),
            ("EXTERNAL_FUNCTION_", ExternalKind::Function),
        ];
        let mut found = FxHashMap::default();
        for (prefix, kind) in prefixes {
            for name in self.entries.keys() {
                if let Some(declared) = name.as_str().strip_prefix(prefix) {
                    found.insert(Name::new(declared), kind);
                }
            }
        }
        found
    }

    /// Reports definitions that use themselves and takes them out.
    pub(super) fn refuse_recursion(&mut self, diagnostics: &mut Diagnostics) {
        let mut names: Vec<Name> = self.entries.keys().copied().collect();
        names.sort();
        let mut done: FxHashSet<Name> = FxHashSet::default();
        let mut recursive = Vec::new();
        for root in names {
            // Depth first, with the names still to visit at each level.
            let mut path: Vec<(Name, Vec<Name>)> = Vec::new();
            if done.insert(root) {
                path.push((root, self.uses(root)));
            }
            while let Some((_, pending)) = path.last_mut() {
                let Some(next) = pending.pop() else {
                    path.pop();
                    continue;
                };
                if let Some(start) = path.iter().position(|(open, _)| *open == next) {
                    let mut round: Vec<&str> = path[start..]
                        .iter()
                        .map(|(open, _)| open.as_str())
                        .collect();
                    round.push(next.as_str());
                    recursive.push((next, round.join(" -> ")));
                } else if done.insert(next) {
                    path.push((next, self.uses(next)));
                }
            }
        }
        for (name, round) in recursive {
            if let Some(entry) = self.entries.remove(&name) {
                self.refused.insert(name);
                diagnostics.push(
                    Diagnostic::error(
                        &codes::RECURSIVE,
                        entry.definition.span,
                        format!("definition `{name}` uses itself: {round}"),
                    )
                    .help("use a constant with a recursive equation instead"),
                );
            }
        }
    }

    /// The definitions that a body uses.
    pub(super) fn uses(&self, name: Name) -> Vec<Name> {
        let Some(entry) = self.get(name) else {
            return Vec::new();
        };
        let tree = entry.tree;
        let own: FxHashSet<Name> = entry
            .definition
            .parameters
            .iter()
            .map(|parameter| parameter.name)
            .collect();
        let mut found = FxHashSet::default();
        let mut note = |used: Name| {
            if !own.contains(&used) && self.entries.contains_key(&used) {
                found.insert(used);
            }
        };
        let mut formulas = Vec::new();
        let mut substs = Vec::new();
        match &entry.definition.body {
            MacroBody::Formula(body) => formulas.push(*body),
            MacroBody::Names(names) => names.iter().for_each(|binding| note(binding.name)),
            MacroBody::Substitution(body) => substs.push(*body),
        }
        while let Some(id) = substs.pop() {
            if let SubstKind::Call { name, .. } = tree.substs[id].kind {
                note(name);
            }
            tree.for_each_below(
                id,
                |formula| formulas.push(formula),
                |below| substs.push(below),
            );
        }
        while let Some(id) = formulas.pop() {
            match tree.exprs.kind(id) {
                ExprKind::Name(name) => note(*name),
                kind => for_each_child(kind, |child| formulas.push(child)),
            }
        }
        let mut found: Vec<Name> = found.into_iter().collect();
        found.sort();
        found
    }
}

/// The definitions written in a component.
pub(crate) fn macros(component: &Component) -> impl Iterator<Item = &Macro> {
    component
        .definitions()
        .filter_map(|definition| match definition {
            Definition::Macro(definition) => Some(definition),
            Definition::File(_) => None,
        })
}
