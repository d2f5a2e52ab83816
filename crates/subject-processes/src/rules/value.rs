//! What a component of a state, or an argument of a rule, holds.

use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;

use program::{Program, Ty, TyId, Value as Inner};
use subject::{Content, Tree, Value};

/// A value with its type.
#[derive(Debug)]
pub(crate) struct Held {
    program: Arc<Program>,
    ty: TyId,
    pub(crate) inner: Inner,
}

/// A value of a type.
pub(crate) fn of(program: &Arc<Program>, ty: TyId, inner: Inner) -> Value {
    Value::new(Held {
        program: program.clone(),
        ty,
        inner,
    })
}

/// What a value holds.
pub(crate) fn inner(value: &Value) -> Option<&Inner> {
    value.content::<Held>().map(|held| &held.inner)
}

/// A simple value from a file.
pub(crate) fn of_tree(program: &Arc<Program>, ty: TyId, tree: &Tree) -> Option<Value> {
    let text = match tree {
        Tree::Int(text) | Tree::Text(text) | Tree::Name(text) | Tree::Written(text) => text.clone(),
        Tree::Bool(truth) => truth.to_string(),
        _ => return None,
    };
    if text == "undefined" {
        return Some(of(program, ty, Inner::Undefined));
    }
    let ranges = program.types.ranges(ty)?;
    let mut values = ranges.into_iter().flat_map(|(low, high)| low..=high);
    if let Ty::Range { low, high } = program.types.get(ty) {
        let number = text
            .parse()
            .ok()
            .filter(|number| low <= number && number <= high)?;
        return Some(of(program, ty, Inner::Int(number)));
    }
    let found = values.find(|value| told(program, ty, &Inner::Int(*value)) == text)?;
    Some(of(program, ty, Inner::Int(found)))
}

/// A value in the notation of Murphi.
fn told(program: &Program, ty: TyId, inner: &Inner) -> String {
    base::deep::recurse(|| match (program.types.get(ty), inner) {
        (_, Inner::Undefined) => "undefined".to_owned(),
        (Ty::Bool, Inner::Int(number)) => (*number != 0).to_string(),
        (Ty::Sort(_) | Ty::Union(_), Inner::Int(code)) => program
            .types
            .element(*code)
            .map_or_else(|| code.to_string(), |name| name.to_string()),
        (_, Inner::Int(number)) => number.to_string(),
        (Ty::Array { index, element }, Inner::Parts(parts)) => {
            let codes = program.types.ranges(*index).unwrap_or_default();
            let codes = codes.into_iter().flat_map(|(low, high)| low..=high);
            let parts = codes.zip(parts).map(|(code, part)| {
                format!(
                    "{}: {}",
                    told(program, *index, &Inner::Int(code)),
                    told(program, *element, part)
                )
            });
            format!("[{}]", parts.collect::<Vec<_>>().join(", "))
        }
        (Ty::Record(record), Inner::Parts(parts)) => {
            let fields = program.types.records[*record].fields.iter().zip(parts);
            let fields =
                fields.map(|((name, ty), part)| format!("{name}: {}", told(program, *ty, part)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        (Ty::Multiset { element, .. }, Inner::Bag(places)) => {
            let places = places
                .iter()
                .flatten()
                .map(|part| told(program, *element, part));
            format!("{{|{}|}}", places.collect::<Vec<_>>().join(", "))
        }
        _ => "?".to_owned(),
    })
}

/// A value as data.
fn tree(program: &Program, ty: TyId, inner: &Inner) -> Tree {
    match (program.types.get(ty), inner) {
        (Ty::Bool, Inner::Int(number)) => Tree::Bool(*number != 0),
        (Ty::Sort(_) | Ty::Union(_), Inner::Int(_)) => Tree::Name(told(program, ty, inner)),
        (_, Inner::Int(number)) => Tree::Int(number.to_string()),
        (Ty::Record(record), Inner::Parts(parts)) => {
            let fields = program.types.records[*record].fields.iter().zip(parts);
            Tree::Record(
                fields
                    .map(|((name, ty), part)| (name.to_string(), tree(program, *ty, part)))
                    .collect(),
            )
        }
        (Ty::Array { element, .. }, Inner::Parts(parts)) => Tree::List(
            parts
                .iter()
                .map(|part| tree(program, *element, part))
                .collect(),
        ),
        _ => Tree::Written(told(program, ty, inner)),
    }
}

impl Content for Held {
    fn text(&self) -> String {
        told(&self.program, self.ty, &self.inner)
    }

    fn tree(&self) -> Tree {
        tree(&self.program, self.ty, &self.inner)
    }

    fn parts(&self) -> Vec<(String, Value)> {
        let part = |ty: TyId, inner: &Inner| of(&self.program, ty, inner.clone());
        match (self.program.types.get(self.ty), &self.inner) {
            (Ty::Array { index, element }, Inner::Parts(parts)) => {
                let codes = self.program.types.ranges(*index).unwrap_or_default();
                let codes = codes.into_iter().flat_map(|(low, high)| low..=high);
                let name = |code| told(&self.program, *index, &Inner::Int(code));
                codes
                    .zip(parts)
                    .map(|(code, inner)| (format!("[{}]", name(code)), part(*element, inner)))
                    .collect()
            }
            (Ty::Record(record), Inner::Parts(parts)) => {
                let fields = self.program.types.records[*record].fields.iter();
                fields
                    .zip(parts)
                    .map(|((name, ty), inner)| (format!(".{name}"), part(*ty, inner)))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn order(&self, other: &dyn Content) -> Ordering {
        match other.as_any().downcast_ref::<Held>() {
            Some(other) => self.inner.cmp(&other.inner),
            None => self.text().cmp(&other.text()),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
