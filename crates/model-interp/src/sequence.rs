//! Sequences and trees as the functions they are.
//!
//! A sequence is a function on `1..n`; a tree is a function from branches (sequences of positions, the root is
//! the empty one) to labels. What is not of that form has no first element, no size, no top: undefined.

use model::{Int, Value};

use crate::relation::pairs;
use crate::stop::{Run, Stop};

/// The members of a sequence in order; undefined when the value is no sequence.
pub(crate) fn members(value: &Value) -> Run<Vec<Value>> {
    members_of(value).ok_or_else(|| Stop::undefined("the operand is not a sequence"))
}

/// The members of a sequence in order.
pub(crate) fn members_of(value: &Value) -> Option<Vec<Value>> {
    let Value::Set(elements) = value else {
        return None;
    };
    let mut found = Vec::with_capacity(elements.len());
    for (i, (position, member)) in pairs(elements).enumerate() {
        if *position != Value::int(i64::try_from(i).ok()? + 1) {
            return None;
        }
        found.push(member.clone());
    }
    (found.len() == elements.len()).then_some(found)
}

/// The sequence with these members.
pub(crate) fn from_members(members: impl IntoIterator<Item = Value>) -> Value {
    let numbered = (1..)
        .zip(members)
        .map(|(position, member)| Value::pair(Value::int(position), member));
    Value::Set(numbered.collect())
}

/// A member at one end.
pub(crate) fn end(value: &Value, of: &str, last: bool) -> Run<Value> {
    let members = members(value)?;
    let member = if last {
        members.last()
    } else {
        members.first()
    };
    member
        .cloned()
        .ok_or_else(|| Stop::undefined(format!("{of} of the empty sequence")))
}

/// The sequence without a member at one end.
pub(crate) fn without_end(value: &Value, of: &str, last: bool) -> Run<Value> {
    let mut members = members(value)?;
    if members.is_empty() {
        return Err(Stop::undefined(format!("{of} of the empty sequence")));
    }
    members.remove(if last { members.len() - 1 } else { 0 });
    Ok(from_members(members))
}

/// The first `n` members, or the others.
pub(crate) fn split(value: &Value, n: &Int, first: bool) -> Run<Value> {
    let members = members(value)?;
    match crate::number::index(n) {
        Some(n) if n <= members.len() => {
            let (taken, left) = members.split_at(n);
            let part = if first { taken } else { left };
            Ok(from_members(part.iter().cloned()))
        }
        _ => Err(Stop::undefined(format!(
            "{} is not in 0..{}, the size of the sequence",
            crate::number::text(n),
            members.len()
        ))),
    }
}

/// A branch of a tree.
type Branch = Vec<i64>;

/// A tree: its branches with their labels, fathers before sons, brothers in order.
pub(crate) fn tree(value: &Value) -> Run<Vec<(Branch, Value)>> {
    tree_of(value).ok_or_else(|| Stop::undefined("the operand is not a tree"))
}

/// A tree, if the value is one.
pub(crate) fn tree_of(value: &Value) -> Option<Vec<(Branch, Value)>> {
    let Value::Set(elements) = value else {
        return None;
    };
    let mut nodes: Vec<(Branch, Value)> = Vec::new();
    for (path, label) in pairs(elements) {
        nodes.push((branch(path)?, label.clone()));
    }
    nodes.sort();
    let distinct = nodes.windows(2).all(|two| two[0].0 != two[1].0);
    let closed = nodes.iter().all(|(path, _)| match path.split_last() {
        None => true,
        Some((last, father)) => {
            let brother = [father, &[last - 1]].concat();
            has(&nodes, father) && *last >= 1 && (*last == 1 || has(&nodes, &brother))
        }
    });
    (distinct && closed && has(&nodes, &[])).then_some(nodes)
}

fn has(nodes: &[(Branch, Value)], path: &[i64]) -> bool {
    nodes
        .binary_search_by(|(known, _)| known.as_slice().cmp(path))
        .is_ok()
}

fn branch(path: &Value) -> Option<Branch> {
    members_of(path)?
        .into_iter()
        .map(|member| match member {
            Value::Int(Int::Small(position)) => Some(position),
            _ => None,
        })
        .collect()
}

/// The value of a tree.
pub(crate) fn from_tree(nodes: impl IntoIterator<Item = (Branch, Value)>) -> Value {
    Value::set(
        nodes
            .into_iter()
            .map(|(path, label)| Value::pair(from_branch(&path), label))
            .collect(),
    )
}

fn from_branch(path: &[i64]) -> Value {
    from_members(path.iter().copied().map(Value::int))
}

/// A node over trees.
pub(crate) fn node(label: &Value, sons: &[Value]) -> Run<Value> {
    let mut nodes = vec![(Vec::new(), label.clone())];
    for (position, son) in (1..).zip(sons) {
        for (path, label) in tree(son)? {
            nodes.push(([&[position], path.as_slice()].concat(), label));
        }
    }
    Ok(from_tree(nodes))
}

/// The tree below a branch.
pub(crate) fn subtree(nodes: &[(Branch, Value)], path: &[i64]) -> Value {
    from_tree(nodes.iter().filter_map(|(known, label)| {
        let rest = known.strip_prefix(path)?;
        Some((rest.to_vec(), label.clone()))
    }))
}

/// The sons of the root.
pub(crate) fn sons(nodes: &[(Branch, Value)]) -> Vec<Value> {
    (1..=arity(nodes, &[]))
        .map(|position| subtree(nodes, &[position]))
        .collect()
}

/// The number of sons of a node.
pub(crate) fn arity(nodes: &[(Branch, Value)], path: &[i64]) -> i64 {
    let sons = nodes
        .iter()
        .filter(|(known, _)| known.len() == path.len() + 1 && known.starts_with(path));
    i64::try_from(sons.count()).unwrap_or(i64::MAX)
}

/// Labels with each node before its sons.
pub(crate) fn prefix(nodes: &[(Branch, Value)]) -> Vec<Value> {
    nodes.iter().map(|(_, label)| label.clone()).collect()
}

/// Labels with each node after its sons.
pub(crate) fn postfix(nodes: &[(Branch, Value)]) -> Vec<Value> {
    fn visit(nodes: &[(Branch, Value)], path: &[i64], found: &mut Vec<Value>) {
        for position in 1..=arity(nodes, path) {
            base::deep::recurse(|| visit(nodes, &[path, &[position]].concat(), found));
        }
        if let Some((_, label)) = nodes.iter().find(|(known, _)| known == path) {
            found.push(label.clone());
        }
    }
    let mut found = Vec::new();
    visit(nodes, &[], &mut found);
    found
}

/// Labels with each node between its left and its right son; undefined when the tree is not binary.
pub(crate) fn infix(nodes: &[(Branch, Value)]) -> Run<Vec<Value>> {
    fn visit(nodes: &[(Branch, Value)], path: &[i64], found: &mut Vec<Value>) -> Run<()> {
        let arity = arity(nodes, path);
        if arity != 0 && arity != 2 {
            return Err(Stop::undefined("the tree is not binary"));
        }
        if arity == 2 {
            base::deep::recurse(|| visit(nodes, &[path, &[1]].concat(), found))?;
        }
        if let Some((_, label)) = nodes.iter().find(|(known, _)| known == path) {
            found.push(label.clone());
        }
        if arity == 2 {
            base::deep::recurse(|| visit(nodes, &[path, &[2]].concat(), found))?;
        }
        Ok(())
    }
    let mut found = Vec::new();
    visit(nodes, &[], &mut found)?;
    Ok(found)
}

/// The tree with the order of all sons reversed.
pub(crate) fn mirror(nodes: &[(Branch, Value)]) -> Value {
    from_tree(nodes.iter().map(|(path, label)| {
        let mirrored = (0..path.len())
            .map(|i| arity(nodes, &path[..i]) + 1 - path[i])
            .collect();
        (mirrored, label.clone())
    }))
}

/// Whether every node has no sons or two.
pub(crate) fn is_binary(nodes: &[(Branch, Value)]) -> bool {
    nodes
        .iter()
        .all(|(path, _)| matches!(arity(nodes, path), 0 | 2))
}

/// A branch that leads to a node of the tree.
pub(crate) fn branch_in(nodes: &[(Branch, Value)], path: &Value) -> Run<Branch> {
    branch(path)
        .filter(|path| has(nodes, path))
        .ok_or_else(|| Stop::undefined("the branch does not lead to a node of the tree"))
}

/// The branch without its last step, and that step.
pub(crate) fn father(path: &[i64]) -> Run<(Value, i64)> {
    match path.split_last() {
        Some((last, father)) => Ok((from_branch(father), *last)),
        None => Err(Stop::undefined("the root has no father")),
    }
}

/// The branch to a son.
pub(crate) fn son(nodes: &[(Branch, Value)], path: &[i64], position: &Int) -> Run<Value> {
    match position {
        Int::Small(position) if (1..=arity(nodes, path)).contains(position) => {
            Ok(from_branch(&[path, &[*position]].concat()))
        }
        _ => Err(Stop::undefined(format!(
            "the node has no son number {}",
            crate::number::text(position)
        ))),
    }
}

/// Whether the members of a sequence are distinct.
pub(crate) fn is_injective(members: &[Value]) -> bool {
    let mut sorted = members.to_vec();
    sorted.sort();
    sorted.windows(2).all(|two| two[0] != two[1])
}

/// The function on integers with its arguments renumbered from 1.
pub(crate) fn squash(value: &Value) -> Run<Value> {
    let Value::Set(elements) = value else {
        return Err(Stop::undefined("the operand is not a function"));
    };
    if !crate::relation::is_functional(elements) {
        return Err(Stop::undefined("the operand is not a function"));
    }
    Ok(from_members(
        pairs(elements).map(|(_, right)| right.clone()),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::domain;

    /// The definition that [`members_of`] checks by counting.
    fn has_segment_as_domain(value: &Value) -> bool {
        let Value::Set(elements) = value else {
            return false;
        };
        let segment = Value::set((1..=elements.len() as i64).map(Value::int).collect());
        domain(elements) == segment
    }

    #[test]
    fn a_set_of_pairs_is_a_sequence_iff_its_domain_is_a_segment() {
        let points: Vec<Value> = (0..=2).map(Value::int).collect();
        let labels: Vec<Value> = (7..=8).map(Value::int).collect();
        let Value::Set(all) = crate::relation::product(&points, &labels) else {
            return;
        };
        for mask in 0..1u32 << all.len() {
            let chosen = (0..all.len()).filter(|i| mask >> i & 1 == 1);
            let value = Value::set(chosen.map(|i| all[i].clone()).collect());
            assert_eq!(members_of(&value).is_some(), has_segment_as_domain(&value));
        }
    }

    #[test]
    fn a_tree_is_its_top_over_its_sons() {
        let leaf = |n| node(&Value::int(n), &[]).unwrap_or(Value::int(0));
        let inner = node(&Value::int(2), &[leaf(3), leaf(4)]).unwrap_or(Value::int(0));
        let whole = node(&Value::int(1), &[inner.clone(), leaf(5)]).unwrap_or(Value::int(0));
        let nodes = tree(&whole).unwrap_or_default();
        assert_eq!(sons(&nodes), vec![inner, leaf(5)]);
        let numbers = |values: Vec<Value>| format!("{values:?}").replace("Int(Small", "");
        assert_eq!(numbers(prefix(&nodes)), "[(1)), (2)), (3)), (4)), (5))]");
        assert_eq!(numbers(postfix(&nodes)), "[(3)), (4)), (2)), (5)), (1))]");
        assert_eq!(
            numbers(infix(&nodes).unwrap_or_default()),
            "[(3)), (2)), (4)), (1)), (5))]"
        );
        let mirrored = tree(&mirror(&nodes)).unwrap_or_default();
        assert_eq!(numbers(prefix(&mirrored)), "[(1)), (5)), (2)), (4)), (3))]");
        assert_eq!(mirror(&mirrored), whole);
        assert!(is_binary(&nodes));
    }
}
