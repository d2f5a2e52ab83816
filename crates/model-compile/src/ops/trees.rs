//! Trees: finite functions from branches (sequences of positive numbers, the root is `[]`) to labels.

use std::collections::BTreeMap;

use lang_math::Op;
use model::TyId;

use super::OpTy;
use crate::cx::{Cx, R};
use crate::symbolic::{SymKind, sym};
use crate::trap::{Cause, Trap};
use crate::value::V;

/// A tree, unfolded.
#[derive(Clone)]
struct Node {
    label: V,
    sons: Vec<Node>,
}

fn not_tree() -> Trap {
    Cause::NotTree.trap()
}

impl Cx<'_> {
    pub(super) fn tree_op(&mut self, op: Op, ty: &OpTy, args: &[V]) -> R<V> {
        use Op::*;
        match op {
            Trees | BinaryTrees => {
                return Ok(sym(
                    ty.result,
                    SymKind::Trees {
                        binary: op == BinaryTrees,
                        of: args[0].clone(),
                    },
                ));
            }
            TreeNode => {
                let (_, tree) = self.reps().sides(ty.args[1]);
                let mut sons = Vec::new();
                for son in self.items(ty.args[1], &args[1])? {
                    sons.push(self.unfold(tree, &son)?);
                }
                let node = Node {
                    label: args[0].clone(),
                    sons,
                };
                return self.fold(ty.result, &node);
            }
            BinaryLeaf => {
                let node = Node {
                    label: args[0].clone(),
                    sons: Vec::new(),
                };
                return self.fold(ty.result, &node);
            }
            BinaryNode => {
                let sons = vec![
                    self.unfold(ty.args[0], &args[0])?,
                    self.unfold(ty.args[2], &args[2])?,
                ];
                let node = Node {
                    label: args[1].clone(),
                    sons,
                };
                return self.fold(ty.result, &node);
            }
            _ => {}
        }
        let tree = self.unfold(ty.args[0], &args[0])?;
        match op {
            TreeTop => Ok(tree.label),
            TreeSons => {
                let (_, inner) = self.reps().sides(ty.result);
                let mut sons = Vec::new();
                for son in &tree.sons {
                    sons.push(self.fold(inner, son)?);
                }
                Ok(self.sequence(ty.result, sons))
            }
            TreePrefix | TreePostfix | TreeInfix => {
                let mut labels = Vec::new();
                tree.walk(op, &mut labels)?;
                Ok(self.sequence(ty.result, labels))
            }
            TreeSize => Ok(V::Int(tree.size())),
            TreeMirror => {
                let mirrored = tree.mirror();
                self.fold(ty.result, &mirrored)
            }
            BinaryLeft | BinaryRight => {
                let [left, right] = tree.sons.as_slice() else {
                    return Err(not_tree());
                };
                let son = if op == BinaryLeft { left } else { right };
                self.fold(ty.result, son)
            }
            TreeRank => {
                let branch = self.branch(ty.args[1], &args[1])?;
                tree.at(&branch)?;
                branch.last().map(|i| V::Int(*i)).ok_or_else(not_tree)
            }
            TreeFather => {
                let branch = self.branch(ty.args[1], &args[1])?;
                tree.at(&branch)?;
                let (_, father) = branch.split_last().ok_or_else(not_tree)?;
                Ok(self.sequence(ty.result, father.iter().map(|i| V::Int(*i)).collect()))
            }
            TreeSon => {
                let mut branch = self.branch(ty.args[1], &args[1])?;
                branch.push(args[2].small().ok_or_else(not_tree)?);
                tree.at(&branch)?;
                Ok(self.sequence(ty.result, branch.into_iter().map(V::Int).collect()))
            }
            Subtree => {
                let branch = self.branch(ty.args[1], &args[1])?;
                let subtree = tree.at(&branch)?.clone();
                self.fold(ty.result, &subtree)
            }
            TreeArity => {
                let branch = self.branch(ty.args[1], &args[1])?;
                Ok(V::Int(tree.at(&branch)?.sons.len() as i64))
            }
            _ => Err(Cause::External.trap()),
        }
    }

    /// Whether a value is a tree with labels from `of`.
    pub(crate) fn in_trees(&mut self, ty: TyId, value: &V, of: &V, binary: bool) -> R<bool> {
        let tree = match self.unfold(ty, value) {
            Ok(tree) => tree,
            Err(trap) if trap.is_undefined() => return Ok(false),
            Err(trap) => return Err(trap),
        };
        self.labels_in(&tree, of, binary)
    }

    fn labels_in(&mut self, tree: &Node, of: &V, binary: bool) -> R<bool> {
        if !self.member(&tree.label, of)? || binary && !matches!(tree.sons.len(), 0 | 2) {
            return Ok(false);
        }
        for son in &tree.sons {
            if !self.labels_in(son, of, binary)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn branch(&mut self, ty: TyId, value: &V) -> R<Vec<i64>> {
        self.items(ty, value)?
            .iter()
            .map(|i| i.small().ok_or_else(not_tree))
            .collect()
    }

    fn unfold(&mut self, ty: TyId, value: &V) -> R<Node> {
        let reps = self.reps();
        let pair = reps.element(ty);
        let (branch_ty, _) = reps.parts(pair);
        let mut labels = BTreeMap::new();
        for element in self.elements(value)?.iter() {
            let (branch, label) = reps.split(pair, element);
            let branch = self.branch(branch_ty, &branch)?;
            if labels.insert(branch, label).is_some() {
                return Err(not_tree());
            }
        }
        let size = labels.len() as i64;
        let tree = grow(&mut Vec::new(), &labels).ok_or_else(not_tree)?;
        if tree.size() == size {
            Ok(tree)
        } else {
            Err(not_tree())
        }
    }

    fn fold(&mut self, ty: TyId, tree: &Node) -> R<V> {
        let reps = self.reps();
        let pair = reps.element(ty);
        let (branch_ty, _) = reps.parts(pair);
        let mut pairs = Vec::new();
        self.collect_labels(tree, &mut Vec::new(), &mut |cx, branch, label| {
            let branch = cx.sequence(branch_ty, branch.iter().map(|i| V::Int(*i)).collect());
            pairs.push(reps.join(pair, branch, label.clone()));
        });
        Ok(reps.set(ty, pairs))
    }

    fn collect_labels(
        &mut self,
        tree: &Node,
        branch: &mut Vec<i64>,
        found: &mut dyn FnMut(&mut Cx<'_>, &[i64], &V),
    ) {
        found(self, branch, &tree.label);
        for (i, son) in tree.sons.iter().enumerate() {
            branch.push(i as i64 + 1);
            self.collect_labels(son, branch, found);
            branch.pop();
        }
    }
}

fn grow(branch: &mut Vec<i64>, labels: &BTreeMap<Vec<i64>, V>) -> Option<Node> {
    let label = labels.get(branch)?.clone();
    let mut sons = Vec::new();
    loop {
        branch.push(sons.len() as i64 + 1);
        let son = grow(branch, labels);
        branch.pop();
        match son {
            Some(son) => sons.push(son),
            None => return Some(Node { label, sons }),
        }
    }
}

impl Node {
    fn size(&self) -> i64 {
        1 + self.sons.iter().map(Node::size).sum::<i64>()
    }

    fn at(&self, branch: &[i64]) -> R<&Node> {
        let mut node = self;
        for i in branch {
            node = usize::try_from(*i)
                .ok()
                .and_then(|i| i.checked_sub(1))
                .and_then(|i| node.sons.get(i))
                .ok_or_else(not_tree)?;
        }
        Ok(node)
    }

    fn mirror(&self) -> Node {
        Node {
            label: self.label.clone(),
            sons: self.sons.iter().rev().map(Node::mirror).collect(),
        }
    }

    fn walk(&self, op: Op, labels: &mut Vec<V>) -> R<()> {
        match op {
            Op::TreePrefix => labels.push(self.label.clone()),
            Op::TreeInfix if !matches!(self.sons.len(), 0 | 2) => return Err(not_tree()),
            _ => {}
        }
        for (i, son) in self.sons.iter().enumerate() {
            if op == Op::TreeInfix && i == 1 {
                labels.push(self.label.clone());
            }
            son.walk(op, labels)?;
        }
        match op {
            Op::TreePostfix => labels.push(self.label.clone()),
            Op::TreeInfix if self.sons.is_empty() => labels.push(self.label.clone()),
            _ => {}
        }
        Ok(())
    }
}
