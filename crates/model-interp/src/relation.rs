//! Operators on listed sets and relations, each as its definition reads.
//!
//! Invariant: arguments and results are sorted without duplicates; a set of pairs is sorted by its left parts,
//! so the images of a point are neighbours.

use model::Value;

pub(crate) fn contains(set: &[Value], element: &Value) -> bool {
    set.binary_search(element).is_ok()
}

pub(crate) fn is_subset(a: &[Value], b: &[Value]) -> bool {
    a.len() <= b.len() && a.iter().all(|element| contains(b, element))
}

pub(crate) fn union(a: &[Value], b: &[Value]) -> Value {
    Value::set(a.iter().chain(b).cloned().collect())
}

pub(crate) fn intersection(a: &[Value], b: &[Value]) -> Value {
    keep(a, |element| contains(b, element))
}

pub(crate) fn difference(a: &[Value], b: &[Value]) -> Value {
    keep(a, |element| !contains(b, element))
}

/// The elements that pass.
pub(crate) fn keep(a: &[Value], mut pass: impl FnMut(&Value) -> bool) -> Value {
    Value::Set(a.iter().filter(|element| pass(element)).cloned().collect())
}

/// The parts of a pair; anything else has no place in a relation.
pub(crate) fn parts(value: &Value) -> Option<(&Value, &Value)> {
    match value {
        Value::Pair(pair) => Some((&pair.0, &pair.1)),
        _ => None,
    }
}

/// The pairs of a relation.
pub(crate) fn pairs(r: &[Value]) -> impl Iterator<Item = (&Value, &Value)> {
    r.iter().filter_map(parts)
}

pub(crate) fn domain(r: &[Value]) -> Value {
    Value::set(pairs(r).map(|(left, _)| left.clone()).collect())
}

pub(crate) fn range(r: &[Value]) -> Value {
    Value::set(pairs(r).map(|(_, right)| right.clone()).collect())
}

pub(crate) fn inverse(r: &[Value]) -> Value {
    Value::set(
        pairs(r)
            .map(|(left, right)| Value::pair(right.clone(), left.clone()))
            .collect(),
    )
}

/// The pairs with this left part.
pub(crate) fn row<'a>(r: &'a [Value], left: &Value) -> &'a [Value] {
    let before = |value: &Value| parts(value).is_some_and(|(l, _)| l < left);
    let upto = |value: &Value| parts(value).is_some_and(|(l, _)| l <= left);
    &r[r.partition_point(before)..r.partition_point(upto)]
}

/// What a point is related to.
pub(crate) fn image_of_point(r: &[Value], left: &Value) -> Value {
    range(row(r, left))
}

pub(crate) fn image(r: &[Value], set: &[Value]) -> Value {
    Value::set(
        pairs(r)
            .filter(|(left, _)| contains(set, left))
            .map(|(_, right)| right.clone())
            .collect(),
    )
}

pub(crate) fn composition(r: &[Value], s: &[Value]) -> Value {
    let mut found = Vec::new();
    for (left, middle) in pairs(r) {
        for (_, right) in pairs(row(s, middle)) {
            found.push(Value::pair(left.clone(), right.clone()));
        }
    }
    Value::set(found)
}

/// `{x|->(y|->z) | x|->y:r & x|->z:s}`
pub(crate) fn direct_product(r: &[Value], s: &[Value]) -> Value {
    let mut found = Vec::new();
    for (left, right) in pairs(r) {
        for (_, other) in pairs(row(s, left)) {
            let both = Value::pair(right.clone(), other.clone());
            found.push(Value::pair(left.clone(), both));
        }
    }
    Value::set(found)
}

/// `{(x|->v)|->(y|->w) | x|->y:r & v|->w:s}`
pub(crate) fn parallel_product(r: &[Value], s: &[Value]) -> Value {
    let mut found = Vec::new();
    for (x, y) in pairs(r) {
        for (v, w) in pairs(s) {
            found.push(Value::pair(
                Value::pair(x.clone(), v.clone()),
                Value::pair(y.clone(), w.clone()),
            ));
        }
    }
    Value::set(found)
}

pub(crate) fn overwrite(r: &[Value], s: &[Value]) -> Value {
    let kept = r
        .iter()
        .filter(|pair| parts(pair).is_some_and(|(left, _)| row(s, left).is_empty()));
    Value::set(kept.chain(s).cloned().collect())
}

/// The least transitive relation that contains `r`.
pub(crate) fn closure1(r: &[Value]) -> Value {
    let mut found = Vec::new();
    let starts = domain(r);
    if let Value::Set(starts) = &starts {
        for start in starts.iter() {
            let mut reached: Vec<&Value> = Vec::new();
            let mut pending = vec![start];
            while let Some(point) = pending.pop() {
                for (_, next) in pairs(row(r, point)) {
                    if let Err(place) = reached.binary_search(&next) {
                        reached.insert(place, next);
                        pending.push(next);
                    }
                }
            }
            found.extend(
                reached
                    .into_iter()
                    .map(|end| Value::pair(start.clone(), end.clone())),
            );
        }
    }
    Value::set(found)
}

pub(crate) fn product(a: &[Value], b: &[Value]) -> Value {
    let mut found = Vec::new();
    for left in a {
        for right in b {
            found.push(Value::pair(left.clone(), right.clone()));
        }
    }
    Value::Set(found.into())
}

/// `{x |-> r[{x}] | x : dom(r)}`
pub(crate) fn to_function(r: &[Value]) -> Value {
    let mut found = Vec::new();
    if let Value::Set(lefts) = domain(r) {
        for left in lefts.iter() {
            found.push(Value::pair(left.clone(), image_of_point(r, left)));
        }
    }
    Value::set(found)
}

/// `{x|->y | y : f(x)}`
pub(crate) fn to_relation(f: &[Value]) -> Value {
    let mut found = Vec::new();
    for (left, set) in pairs(f) {
        if let Value::Set(set) = set {
            found.extend(
                set.iter()
                    .map(|right| Value::pair(left.clone(), right.clone())),
            );
        }
    }
    Value::set(found)
}

/// Whether no point has two images.
pub(crate) fn is_functional(r: &[Value]) -> bool {
    r.windows(2)
        .all(|two| match (parts(&two[0]), parts(&two[1])) {
            (Some((a, _)), Some((b, _))) => a != b,
            _ => true,
        })
}

/// The strongly connected components with a cycle.
pub(crate) fn components(r: &[Value]) -> Value {
    let reach = closure1(r);
    let Value::Set(reach) = &reach else {
        return Value::set(Vec::new());
    };
    let mut found = Vec::new();
    for (start, end) in pairs(reach) {
        if start == end {
            let members = pairs(row(reach, start))
                .map(|(_, other)| other)
                .filter(|other| contains(reach, &Value::pair((*other).clone(), start.clone())))
                .cloned()
                .collect();
            found.push(Value::set(members));
        }
    }
    Value::set(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(value: Value) -> Vec<Value> {
        match value {
            Value::Set(elements) => elements.to_vec(),
            other => vec![other],
        }
    }

    /// All relations over {1,2,3}: 512 of them.
    fn relations() -> Vec<Vec<Value>> {
        let points: Vec<Value> = (1..=3).map(Value::int).collect();
        let all = elements(product(&points, &points));
        (0..1u32 << all.len())
            .map(|mask| {
                (0..all.len())
                    .filter(|i| mask >> i & 1 == 1)
                    .map(|i| all[i].clone())
                    .collect()
            })
            .collect()
    }

    #[test]
    fn the_domain_of_the_inverse_is_the_range() {
        for r in relations() {
            assert_eq!(domain(&elements(inverse(&r))), range(&r));
            assert_eq!(elements(inverse(&elements(inverse(&r)))), r);
        }
    }

    #[test]
    fn the_image_is_the_range_of_the_restriction() {
        let set = [Value::int(1), Value::int(3)];
        for r in relations() {
            let restricted = keep(&r, |pair| {
                parts(pair).is_some_and(|(left, _)| contains(&set, left))
            });
            assert_eq!(image(&r, &set), range(&elements(restricted)));
        }
    }

    #[test]
    fn closure1_is_the_least_transitive_relation_around() {
        let all = relations();
        let transitive: Vec<&Vec<Value>> = all
            .iter()
            .filter(|r| is_subset(&elements(composition(r, r)), r))
            .collect();
        for r in &all {
            let mut least: Option<Vec<Value>> = None;
            for t in transitive.iter().filter(|t| is_subset(r, t)) {
                least = Some(match least {
                    None => t.to_vec(),
                    Some(least) => elements(intersection(&least, t)),
                });
            }
            assert_eq!(Some(elements(closure1(r))), least);
        }
    }

    #[test]
    fn composition_is_associative_and_inverts() {
        let all: Vec<_> = relations().into_iter().step_by(37).collect();
        for r in &all {
            for s in &all {
                let rs = elements(composition(r, s));
                let inverted = composition(&elements(inverse(s)), &elements(inverse(r)));
                assert_eq!(inverse(&rs), inverted);
                for t in &all {
                    let st = elements(composition(s, t));
                    assert_eq!(composition(&rs, t), composition(r, &st));
                }
            }
        }
    }

    #[test]
    fn overwriting_keeps_what_the_right_side_does_not_touch() {
        let all: Vec<_> = relations().into_iter().step_by(11).collect();
        for r in &all {
            for s in &all {
                let untouched = keep(r, |pair| {
                    parts(pair).is_some_and(|(left, _)| !contains(&elements(domain(s)), left))
                });
                assert_eq!(overwrite(r, s), union(&elements(untouched), s));
            }
        }
    }

    #[test]
    fn fnc_and_rel_are_inverse() {
        for r in relations() {
            let f = elements(to_function(&r));
            assert!(is_functional(&f));
            assert_eq!(elements(to_relation(&f)), r);
        }
    }

    #[test]
    fn components_are_the_classes_of_mutual_reach() {
        for r in relations() {
            let reach = elements(closure1(&r));
            for component in elements(components(&r)) {
                for a in elements(component.clone()) {
                    for b in elements(component.clone()) {
                        assert!(contains(&reach, &Value::pair(a.clone(), b)));
                    }
                }
            }
        }
    }
}
