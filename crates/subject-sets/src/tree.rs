//! Values and types as data that every language understands, and back: what files and pages are made of.
//!
//! Invariant: a tree says less than its type (a text may be a name, a list a sequence); the type decides.

use std::sync::Arc;

use model::{Int, Ty, TyId, Tys, Value};
use num_bigint::BigInt;
use subject::{Tree, TypeTree};

/// A value as data.
pub(crate) fn to_tree(tys: &Tys, value: &Value) -> Tree {
    match value {
        Value::Bool(truth) => Tree::Bool(*truth),
        Value::Int(number) => Tree::Int(number.to_big().to_string()),
        Value::Str(text) => Tree::Text(text.to_string()),
        Value::Element(..) => Tree::Name(value.show(tys)),
        Value::Real(_) => Tree::Written(value.show(tys)),
        Value::Pair(pair) => base::deep::recurse(|| {
            Tree::Pair(Box::new((to_tree(tys, &pair.0), to_tree(tys, &pair.1))))
        }),
        Value::Set(elements) => base::deep::recurse(|| {
            Tree::Set(
                elements
                    .iter()
                    .map(|element| to_tree(tys, element))
                    .collect(),
            )
        }),
        Value::Record(fields) => base::deep::recurse(|| {
            let fields = fields.iter();
            Tree::Record(
                fields
                    .map(|(name, value)| (name.to_string(), to_tree(tys, value)))
                    .collect(),
            )
        }),
        Value::Free(free, constructor, argument) => base::deep::recurse(|| {
            let (name, _) = tys.free[*free].constructors[*constructor as usize];
            let argument = argument.as_ref();
            let argument = argument.map(|argument| Box::new(to_tree(tys, argument)));
            Tree::Tagged(name.to_string(), argument)
        }),
    }
}

/// The value of a type that a tree stands for; `None` where it does not fit.
pub(crate) fn from_tree(tys: &Tys, ty: TyId, tree: &Tree) -> Option<Value> {
    base::deep::recurse(|| value_of(tys, ty, tree))
}

fn value_of(tys: &Tys, ty: TyId, tree: &Tree) -> Option<Value> {
    match (&tys[ty], tree) {
        (_, Tree::Written(text)) => Value::read(tys, ty, text),
        (Ty::Bool, Tree::Bool(truth)) => Some(Value::Bool(*truth)),
        (Ty::Int, Tree::Int(digits)) => {
            let number = digits.parse::<BigInt>().ok()?;
            Some(Value::Int(Int::new(number)))
        }
        (Ty::Str, Tree::Text(text)) => Some(Value::Str(text.as_str().into())),
        (Ty::Real | Ty::Sort(_), Tree::Text(text) | Tree::Name(text)) => Value::read(tys, ty, text),
        (Ty::Pow(element), Tree::Set(elements)) => {
            let elements = elements.iter().map(|e| from_tree(tys, *element, e));
            elements.collect::<Option<_>>().map(Value::set)
        }
        // A list is a sequence.
        (Ty::Pow(element), Tree::List(elements)) => {
            let Ty::Prod(index, element) = &tys[*element] else {
                return None;
            };
            let pairs = (1usize..).zip(elements).map(|(at, tree)| {
                let at = from_tree(tys, *index, &Tree::Int(at.to_string()))?;
                Some(Value::pair(at, from_tree(tys, *element, tree)?))
            });
            pairs.collect::<Option<_>>().map(Value::set)
        }
        (Ty::Prod(left, right), Tree::Pair(pair)) => Some(Value::pair(
            from_tree(tys, *left, &pair.0)?,
            from_tree(tys, *right, &pair.1)?,
        )),
        (Ty::Record(fields), Tree::Record(known)) => {
            let values = fields.iter().map(|(name, ty)| {
                let mut known = known.iter();
                let (_, tree) = known.find(|(known, _)| known == name.as_str())?;
                Some((*name, from_tree(tys, *ty, tree)?))
            });
            let values: Option<Vec<_>> = values.collect();
            values.map(|values| Value::Record(values.into()))
        }
        (Ty::Free(free), Tree::Tagged(tag, argument)) => {
            let constructors = &tys.free[*free].constructors;
            let mut names = constructors.iter();
            let at = names.position(|(name, _)| name.as_str() == tag)?;
            let argument = match constructors[at].1 {
                Some(ty) => Some(Arc::new(from_tree(tys, ty, argument.as_ref()?)?)),
                None => None,
            };
            Some(Value::Free(*free, u32::try_from(at).ok()?, argument))
        }
        // In a file, both have the same form.
        (Ty::Record(_), Tree::Tagged(tag, argument)) => {
            let mut fields = vec![("tag".to_owned(), Tree::Text(tag.clone()))];
            let argument = argument.as_ref();
            fields.extend(argument.map(|argument| ("value".to_owned(), (**argument).clone())));
            from_tree(tys, ty, &Tree::Record(fields))
        }
        _ => None,
    }
}

/// A type as data.
pub(crate) fn type_tree(tys: &Tys, ty: TyId) -> TypeTree {
    match &tys[ty] {
        Ty::Bool => TypeTree::Bool,
        Ty::Int => TypeTree::Int,
        Ty::Real => TypeTree::Real,
        Ty::Str => TypeTree::Text,
        Ty::Sort(sort) => TypeTree::Named(tys.sorts[*sort].name.to_string()),
        Ty::Free(free) => TypeTree::Free(tys.free[*free].name.to_string()),
        Ty::Pow(element) => TypeTree::Set(Box::new(type_tree(tys, *element))),
        Ty::Prod(left, right) => {
            TypeTree::Pair(Box::new((type_tree(tys, *left), type_tree(tys, *right))))
        }
        Ty::Record(fields) => TypeTree::Record(
            fields
                .iter()
                .map(|(name, ty)| (name.to_string(), type_tree(tys, *ty)))
                .collect(),
        ),
    }
}
