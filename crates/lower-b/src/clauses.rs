//! Lowers the clauses of all instances: properties, invariants, assertions, operations.

use base::Name;
use lang_b::check::{DeclKind, Machine};
use lang_b::expand::Definitions;
use lang_b::preferences::{self, Setting};
use lang_b::syntax::{ClauseBody, Value};
use lang_math::{ExprKind, Op};
use smallvec::smallvec;

use super::expr::Typed;
use super::instance::InstanceId;
use super::{Lower, Ref};
use model::{Assertion, Conjunct, ExprId, Kind, Model};

impl Lower<'_> {
    /// What the model asks for and `check` does not look at by itself.
    pub(super) fn not_checked(&mut self, definitions: &Definitions<'_>) {
        for definition in &definitions.own {
            match preferences::setting(definition.name.as_str()) {
                Some(Setting::Goal) => self.model.goal = Some(definition.name),
                Some(Setting::AssertLtl(_) | Setting::AssertCtl(_)) => {
                    self.model.not_checked.push(definition.name.to_string());
                }
                _ => {}
            }
        }
    }

    pub(super) fn strings(&mut self) {
        let mut strings: Vec<Name> = self
            .model
            .exprs
            .iter()
            .filter_map(|(_, expr)| match expr.kind {
                Kind::Str(text) => Some(text),
                _ => None,
            })
            .collect();
        strings.sort();
        strings.dedup();
        self.model.strings = strings;
    }

    pub(super) fn properties(&mut self) {
        let units: Vec<InstanceId> = self.instances.all().collect();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut has_properties = false;
        let main = self.instance;
        for id in units {
            let unit = self.instances.unit(id);
            // Properties belong to the machine, constraints to each of its instances: they are about its own parameters.
            let is_first = seen.insert(unit);
            self.instance = id;
            let machine = &self.world.machines[unit.index()];
            let view = Typed::of(machine);
            for clause in &machine.component.clauses {
                match &clause.body {
                    ClauseBody::Constraints(predicate) => {
                        let conjuncts = self.conjuncts(&view, *predicate, false);
                        self.model.properties.extend(conjuncts);
                    }
                    _ if !is_first => {}
                    ClauseBody::Properties(predicate) => {
                        has_properties = true;
                        let conjuncts = self.conjuncts(&view, *predicate, false);
                        self.model.properties.extend(conjuncts);
                    }
                    ClauseBody::Values(values) => {
                        for value in values {
                            self.value(&view, machine, value);
                        }
                    }
                    _ => {}
                }
            }
        }
        self.instance = main;
        let constants = self
            .model
            .variables
            .iter()
            .any(|(_, variable)| variable.is_constant);
        // A machine all of whose constants became names of elements has nothing to set up.
        let named = !self.constants.is_empty()
            && self
                .constants
                .values()
                .all(|found| matches!(found, Ref::Element(..)));
        // Actual parameters are values of constants.
        let world = self.world;
        let is_scalar = |decl| world.decls[decl].kind == DeclKind::Parameter;
        let given = self.instances.has_scalar_arguments(is_scalar);
        let properties = &self.model.properties;
        let says_something =
            |property: &Conjunct| truth_by_form(&self.model, property.predicate) != Some(true);
        let says = has_properties && properties.iter().any(says_something);
        self.model.has_setup = constants || given || (says && !named);
    }

    fn value(&mut self, view: &Typed<'_>, machine: &Machine, value: &Value) {
        let Some(decl) = machine.global(value.name.name) else {
            return;
        };
        let declared = &self.world.decls[decl];
        if !matches!(declared.kind, DeclKind::Constant(_)) {
            self.model.not_checked.push(format!(
                "VALUES of the set {}: it has its size from the scopes",
                value.name.name
            ));
            return;
        }
        let span = value.name.span;
        let Some(found) = self.reference(decl) else {
            return;
        };
        let Some(ty) = self.ty(declared.ty) else {
            return;
        };
        let left = self.referred(found, ty, span);
        let Some(right) = self.expr(view, value.value) else {
            return;
        };
        let predicate = self.push(Kind::Op(Op::Equal, smallvec![left, right]), None, span);
        self.model.properties.push(Conjunct {
            predicate,
            label: None,
            span,
        });
    }

    pub(super) fn invariants(&mut self) {
        let main = self.instance;
        for id in self.instances.all().collect::<Vec<_>>() {
            let level = self.instances.level(id);
            if self.instances.is_left(id) || self.instances.is_below(id) {
                continue;
            }
            self.instance = id;
            let unit = self.instances.unit(id);
            let machine = &self.world.machines[unit.index()];
            let view = Typed::of(machine);
            for clause in &machine.component.clauses {
                match &clause.body {
                    ClauseBody::Invariant(predicate) => {
                        for conjunct in self.conjuncts(&view, *predicate, true) {
                            self.invariant(level, conjunct);
                        }
                    }
                    ClauseBody::Assertions(list) => {
                        for predicate in list {
                            for conjunct in self.conjuncts(&view, *predicate, true) {
                                let is_static = !self.mentions_variable(conjunct.predicate);
                                self.model.assertions.push(Assertion {
                                    conjunct,
                                    is_static,
                                });
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        self.instance = main;
    }

    /// The conjuncts of a clause. With `gluing`, those that mention abstract variables are left out and
    /// reported as not checked.
    pub(super) fn conjuncts(
        &mut self,
        view: &Typed<'_>,
        predicate: lang_math::ExprId,
        gluing: bool,
    ) -> Vec<Conjunct> {
        let mut found = Vec::new();
        for mut conjunct in view.exprs.conjuncts(predicate) {
            let mut label = None;
            let span = view.exprs.span(conjunct);
            loop {
                match view.exprs.kind(conjunct) {
                    ExprKind::Labelled(name, inner) => {
                        label = label.or(Some(*name));
                        conjunct = *inner;
                    }
                    ExprKind::Described(inner, _) => conjunct = *inner,
                    _ => break,
                }
            }
            // A label or description may stand around several conjuncts.
            if let ExprKind::Op(Op::And, _) = view.exprs.kind(conjunct) {
                let inner = base::deep::recurse(|| self.conjuncts(view, conjunct, gluing));
                found.extend(inner.into_iter().map(|part| Conjunct {
                    label: part.label.or(label),
                    ..part
                }));
                continue;
            }
            if gluing && self.mentions_abstract(view, conjunct) {
                let text = lang_math::print::to_string(view.exprs, conjunct, &Default::default());
                self.model
                    .not_checked
                    .push(format!("gluing invariant over abstract variables: {text}"));
                continue;
            }
            if let Some(predicate) = self.expr(view, conjunct) {
                found.push(Conjunct {
                    predicate,
                    label,
                    span,
                });
            }
        }
        found
    }

    pub(super) fn mentions_abstract(&self, view: &Typed<'_>, id: lang_math::ExprId) -> bool {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if let ExprKind::Name(_) | ExprKind::Before(_) = view.exprs.kind(id)
                && let Some(decl) = view.meanings[id.index()]
                && matches!(self.world.decls[decl].kind, DeclKind::Variable(_))
                && self.reference(decl).is_none()
            {
                return true;
            }
            lang_math::expr::for_each_child(view.exprs.kind(id), |child| pending.push(child));
        }
        false
    }

    fn mentions_variable(&self, id: ExprId) -> bool {
        let mut found = false;
        self.model.walk(id, &mut |expr| {
            if let Kind::Var(var) = expr.kind {
                found |= !self.model.variables[var].is_constant;
            }
        });
        found
    }

    pub(super) fn actions(&mut self) {
        let main = self.instance;
        for (instance, operation, name) in self.instances.transitions(main, self.checked) {
            self.instance = instance;
            if let Some(action) = self.refining_action(main, instance, operation, name) {
                self.model.actions.push(action);
            }
        }
        self.instance = main;
    }
}

/// The truth of a predicate that is made of `TRUE`, `FALSE` and connectives; nothing for any other one.
fn truth_by_form(model: &Model, predicate: ExprId) -> Option<bool> {
    let Kind::Op(op, args) = &model.exprs[predicate].kind else {
        return None;
    };
    let truth = |i: usize| base::deep::recurse(|| truth_by_form(model, args[i]));
    let value = |i: usize| match &model.exprs[args[i]].kind {
        Kind::Op(Op::True, _) => Some(true),
        Kind::Op(Op::False, _) => Some(false),
        _ => None,
    };
    match op {
        Op::Truth => Some(true),
        Op::Falsity => Some(false),
        Op::Equal => Some(value(0)? == value(1)?),
        Op::NotEqual => Some(value(0)? != value(1)?),
        Op::Not => Some(!truth(0)?),
        Op::Implies => match truth(0)? {
            true => truth(1),
            false => Some(true),
        },
        Op::And | Op::Or => {
            let decisive = *op == Op::Or;
            for i in 0..args.len() {
                if truth(i)? == decisive {
                    return Some(decisive);
                }
            }
            Some(!decisive)
        }
        _ => None,
    }
}
