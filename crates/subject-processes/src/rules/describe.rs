//! What a program consists of for people: its variables, its rules with their parameters, its invariants.

use std::sync::Arc;

use pins::LabelKind;
use program::{Binder, Domain, Program, PropertyKind, Rule, RuleId, State, Ty, TyId, VarId};
use subject::{
    Component, ComponentId, Description, Event, Holder, Label, OwnFormulas, Parameter, Value,
};

use super::value;

/// The description of a program whose labels are these properties.
pub(crate) fn description(program: &Program, labels: &[usize]) -> Description {
    let components = program.variables.iter().map(|(_, variable)| Component {
        name: variable.name,
        is_constant: false,
        span: Some(variable.span),
    });
    let components: Vec<Component> = components.collect();
    let all: Vec<ComponentId> = (0..components.len()).map(ComponentId::new).collect();
    let events = program.rules.iter().map(|(_, rule)| Event {
        name: rule.name,
        parameters: parameters(rule)
            .map(|(local, _)| Parameter {
                name: program.locals[local].name,
            })
            .collect(),
        results: Vec::new(),
        span: Some(rule.span),
    });
    let labels = labels.iter().map(|number| {
        let property = &program.properties[*number];
        Label {
            kind: match property.kind {
                PropertyKind::Cover => LabelKind::Cover,
                _ => LabelKind::Invariant,
            },
            label: Some(property.name),
            text: property.name.to_string(),
            span: Some(property.span),
            is_static: false,
            reads: all.clone(),
        }
    });
    let mut properties = program.properties.iter();
    Description {
        name: program.name.to_string(),
        events: events.collect(),
        labels: labels.collect(),
        components,
        not_checked: program.not_checked.clone(),
        stutters: true,
        beginnings: program.starts.iter().map(|start| start.name).collect(),
        own_formulas: match properties.any(|property| property.kind == PropertyKind::Liveness) {
            true => OwnFormulas::Claimed,
            false => OwnFormulas::Left,
        },
        ..Description::default()
    }
}

/// The parameters of a rule, with what they range over.
pub(crate) fn parameters(rule: &Rule) -> impl Iterator<Item = (program::LocalId, Domain)> + '_ {
    rule.binders.iter().filter_map(|binder| match binder {
        Binder::Parameter { local, domain } => Some((*local, *domain)),
        _ => None,
    })
}

/// The type of what a parameter holds: of a chosen element that of the element.
pub(crate) fn parameter_type(program: &Program, local: program::LocalId, domain: Domain) -> TyId {
    match domain {
        Domain::Elements(place) => match program.types.get(program.places[place].ty) {
            Ty::Multiset { element, .. } => *element,
            _ => program.locals[local].ty,
        },
        _ => program.locals[local].ty,
    }
}

/// The components of a state.
pub(crate) fn values(program: &Arc<Program>, state: &State) -> Vec<Option<Value>> {
    let variables = program.variables.iter().zip(&state.globals);
    variables
        .map(|((_, variable), inner)| Some(value::of(program, variable.ty, inner.clone())))
        .collect()
}

/// The type of what a holder holds.
pub(crate) fn type_of(program: &Program, holder: Holder) -> Option<TyId> {
    match holder {
        Holder::Component(id) if id.index() < program.variables.len() => {
            Some(program.variables[VarId::new(id.index())].ty)
        }
        Holder::Parameter(event, position) if event.index() < program.rules.len() => {
            let rule = &program.rules[RuleId::new(event.index())];
            let (local, domain) = parameters(rule).nth(position)?;
            Some(parameter_type(program, local, domain))
        }
        _ => None,
    }
}

/// How a type is written.
pub(crate) fn type_text(program: &Program, ty: TyId) -> String {
    let named = |sort: &program::SortId| {
        let sort = &program.types.sorts[*sort];
        sort.name
            .map_or_else(|| "enumeration".to_owned(), |name| name.to_string())
    };
    match program.types.get(ty) {
        Ty::Bool => "boolean".to_owned(),
        Ty::Range { low, high } => format!("{low}..{high}"),
        Ty::Sort(sort) => named(sort),
        Ty::Union(sorts) => format!(
            "union {{{}}}",
            sorts.iter().map(named).collect::<Vec<_>>().join(", ")
        ),
        Ty::Array { index, element } => {
            format!(
                "array [{}] of {}",
                type_text(program, *index),
                type_text(program, *element)
            )
        }
        Ty::Record(record) => {
            let name = program.types.records[*record].name;
            name.map_or_else(|| "record".to_owned(), |name| name.to_string())
        }
        Ty::Multiset { capacity, element } => {
            format!("multiset [{capacity}] of {}", type_text(program, *element))
        }
        _ => "integer".to_owned(),
    }
}
