//! Where the parts of variables stand when elements are exchanged: the part of a key moves to the part of the permuted key.

use model::{SortId, Value};
use pins::symmetry::Place;
use rustc_hash::FxHashMap;

use super::{Parts, Pieces, Splitting};

/// The point of an element that can be exchanged.
type PointOf<'a> = &'a dyn Fn(SortId, u32) -> Option<u32>;

/// What parts have in common that permutations map to each other: the variable and the key without its points.
type Frame = (usize, Option<String>);

impl Splitting {
    /// The place of every variable of the new model; `None` when some key holds points in a set, which has no order.
    pub fn places(&self, point: PointOf<'_>) -> Option<Vec<Place>> {
        // What belongs to nothing is a family of its own, behind all others.
        let alone = |at: usize| Place {
            family: usize::MAX - at,
            index: Vec::new(),
        };
        let mut places: Vec<Place> = (0..self.model.variables.len()).map(alone).collect();
        let mut families: FxHashMap<Frame, usize> = FxHashMap::default();
        let mut family = |frame: Frame| {
            let next = families.len();
            *families.entry(frame).or_insert(next)
        };
        for (at, parts) in self.parts.iter().enumerate() {
            match parts {
                Parts::Whole(variable) => places[variable.index()].family = family((at, None)),
                Parts::Bits(pieces) | Parts::Points(pieces) => {
                    let Pieces {
                        keys,
                        variables,
                        rest,
                    } = pieces;
                    for (key, variable) in keys.iter().zip(variables) {
                        let (mut frame, mut index) = (String::new(), Vec::new());
                        if !take_apart(key, point, &mut frame, &mut index) {
                            return None;
                        }
                        places[variable.index()] = Place {
                            family: family((at, Some(frame))),
                            index,
                        };
                    }
                    if let Some(rest) = rest {
                        places[rest.index()].family = family((at, None));
                    }
                }
            }
        }
        Some(places)
    }
}

/// Lists the points of a key from left to right and writes down the rest; `false` when they stand in a set.
fn take_apart(key: &Value, point: PointOf<'_>, frame: &mut String, index: &mut Vec<u32>) -> bool {
    match key {
        Value::Element(sort, element) => match point(*sort, *element) {
            Some(point) => {
                frame.push_str("·;");
                index.push(point);
            }
            None => frame.push_str(&format!("{key:?};")),
        },
        Value::Pair(pair) => {
            return take_apart(&pair.0, point, frame, index)
                && take_apart(&pair.1, point, frame, index);
        }
        _ => {
            frame.push_str(&format!("{key:?};"));
            return !holds(key, point);
        }
    }
    true
}

/// Whether a value holds points.
fn holds(value: &Value, point: PointOf<'_>) -> bool {
    match value {
        Value::Element(sort, element) => point(*sort, *element).is_some(),
        Value::Pair(pair) => holds(&pair.0, point) || holds(&pair.1, point),
        Value::Set(elements) => elements.iter().any(|element| holds(element, point)),
        Value::Record(fields) => fields.iter().any(|(_, field)| holds(field, point)),
        Value::Free(_, _, argument) => argument.as_ref().is_some_and(|a| holds(a, point)),
        Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Str(_) => false,
    }
}
