//! Recognises formulas whose every violation is seen after finitely many steps.

use rustc_hash::FxHashSet;

use crate::Ltl;
use crate::normal::{Node, Ref, Table};

/// Whether a formula is a safety formula by its syntax: in negation normal form it has no until, and the past is
/// about the past only. A word that does not satisfy it has a prefix that no continuation repairs, or ends too early.
pub fn is_safety(formula: &Ltl) -> bool {
    let mut table = Table::new();
    let root = table.import(formula, true);
    let mut seen = FxHashSet::default();
    let mut todo: Vec<(Ref, bool)> = vec![(root, false)];
    while let Some((at, is_past)) = todo.pop() {
        if !seen.insert((at, is_past)) {
            continue;
        }
        let is_past = match table.get(at) {
            Node::Until(..) => return false,
            Node::Release(..) | Node::Next(_) | Node::WeakNext(_) if is_past => return false,
            Node::Yesterday(_) | Node::WeakYesterday(_) | Node::Since(..) | Node::Trigger(..) => {
                true
            }
            _ => is_past,
        };
        todo.extend(table.parts(at).into_iter().map(|part| (part, is_past)));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safety_is_recognised_in_negation_normal_form() {
        let (p, q) = (|| Ltl::Atom(0), || Ltl::Atom(1));
        assert!(is_safety(&Ltl::globally(Ltl::implies(p(), Ltl::next(q())))));
        assert!(is_safety(&Ltl::not(Ltl::finally(p()))));
        assert!(is_safety(&Ltl::weak_until(p(), q())));
        assert!(is_safety(&Ltl::globally(Ltl::implies(p(), Ltl::once(q())))));
        assert!(!is_safety(&Ltl::until(p(), q())));
        assert!(!is_safety(&Ltl::not(Ltl::globally(p()))));
        assert!(!is_safety(&Ltl::once(Ltl::globally(p()))));
    }
}
