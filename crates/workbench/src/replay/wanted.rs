//! What a file says about a step, compared with what the model does.

use std::collections::BTreeMap;

use model::{ExprId, LocalId, TyId, Value};
use verdict::format::{Recorded, RecordedStep, Wanted};

use super::Walk;
use crate::runnable::{Place, Runnable, show, show_result};

/// Reads the values of a path once: in the canonical notation, or as formulas of the model. Warnings tell what
/// the file asks for and nobody looks at.
pub(super) fn resolve(
    runnable: &mut Runnable,
    recorded: &Recorded,
) -> (Recorded, BTreeMap<String, ExprId>, Vec<String>) {
    let mut recorded = recorded.clone();
    let mut conditions = BTreeMap::new();
    let mut warnings = Vec::new();
    for (number, step) in (1..).zip(&mut recorded.steps) {
        for what in &step.ignored {
            warnings.push(format!("step {number}: {what} is not looked at"));
        }
        for text in &step.holds {
            if let Ok(formula) = runnable.formula(text)
                && formula.is_predicate
            {
                conditions.insert(text.clone(), formula.expr);
            }
        }
        let action = step.event.as_deref().and_then(|name| runnable.action(name));
        let local = |runnable: &Runnable, locals: &[LocalId], name: &str| -> Option<TyId> {
            let model = runnable.model();
            let mut locals = locals.iter();
            let found = locals.find(|local| model.locals[**local].name.as_str() == name)?;
            Some(model.locals[*found].ty)
        };
        if let Some(action) = action {
            let action = runnable.model().actions[action].clone();
            for (name, wanted) in &mut step.args {
                let ty = local(runnable, &action.parameters, name);
                value(runnable, ty, wanted);
            }
            for (name, wanted) in &mut step.results {
                let ty = local(runnable, &action.results, name);
                value(runnable, ty, wanted);
            }
        }
        for (name, wanted) in &mut step.state {
            let variables = &runnable.model().variables;
            let found = variables
                .iter()
                .find(|(_, known)| known.name.as_str() == name);
            let ty = found.map(|(_, variable)| variable.ty);
            value(runnable, ty, wanted);
        }
    }
    (recorded, conditions, warnings)
}

fn value(runnable: &mut Runnable, ty: Option<TyId>, wanted: &mut Wanted) {
    let (Some(ty), Wanted::Text(text)) = (ty, &*wanted) else {
        return;
    };
    if let Some(value) = Value::read(&runnable.model().tys, ty, text) {
        *wanted = Wanted::Value(value);
    } else if let Ok(formula) = runnable.formula(text)
        && let Ok(value) = runnable.eval(formula.expr, &Place::Root)
    {
        *wanted = Wanted::Value(value);
    }
}

/// Whether a value is the one that is meant.
pub(super) fn agrees(runnable: &Runnable, wanted: &Wanted, actual: Option<&Value>) -> bool {
    match (wanted, actual) {
        (Wanted::Value(wanted), Some(actual)) => wanted == actual,
        (Wanted::Value(_), None) => false,
        (Wanted::Text(text), actual) => {
            let model = runnable.model();
            *text == show(model, actual) || *text == show_result(model, actual)
        }
    }
}

/// Where a place is not what a step says: `level = 2, not 3`.
pub(super) fn differences(runnable: &Runnable, step: &RecordedStep, place: &Place) -> Vec<String> {
    let model = runnable.model();
    let mut values = None;
    let mut found = Vec::new();
    for (name, wanted) in &step.state {
        let mut variables = model.variables.iter();
        let Some((id, _)) = variables.find(|(_, known)| known.name.as_str() == name) else {
            found.push(format!("the model has no constant or variable {name}"));
            continue;
        };
        let values = values.get_or_insert_with(|| runnable.values(place));
        let actual = values[id.index()].as_ref();
        if !agrees(runnable, wanted, actual) {
            let wanted = wanted.show(model);
            found.push(format!("{name} = {}, not {wanted}", show(model, actual)));
        }
    }
    found
}

impl Walk<'_> {
    /// What a step wants to be so after it and is not.
    pub(super) fn broken_conditions(&self, step: &RecordedStep, place: &Place) -> Vec<String> {
        let mut found = Vec::new();
        let Place::State(vector) = place else {
            return found;
        };
        for (name, is_enabled) in &step.enabled {
            let action = self.runnable.action(name);
            let moves = action.map(|action| self.runnable.moves_of(action, vector).moves);
            if moves.is_some_and(|moves| !moves.is_empty()) != *is_enabled {
                let can = if *is_enabled { "cannot" } else { "can" };
                found.push(format!("{name} {can} happen"));
            }
        }
        for text in &step.holds {
            let truth = self.conditions.get(text);
            let truth = truth.map(|condition| self.runnable.eval(*condition, place));
            match truth {
                Some(Ok(Value::Bool(true))) => {}
                Some(Ok(_)) => found.push(format!("{text} is false")),
                Some(Err(reason)) => found.push(format!("{text} has no truth value: {reason}")),
                None => found.push(format!("{text} is no predicate of the model")),
            }
        }
        found
    }
}
