//! A `d_step` is entered from the statement before it only: which jumps and breaks would come to rest on one.
//!
//! Control passes over the ends of choices and blocks, and over gotos, on its way from a jump; it stops at every other statement, and for a
//! jump of an atomic sequence also where that sequence is left. Reference: SPIN 6.5.2, flow.c (`huntele`, `cross_dsteps`).

use base::{Diagnostic, deep};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Checker;
use crate::codes::structure;
use crate::syntax::{StmtId, StmtKind};

/// What follows the statements of a body.
#[derive(Debug, Default)]
struct Order {
    /// The statement that control comes to behind another one.
    next: FxHashMap<StmtId, StmtId>,
    /// The loop that a break leaves.
    left: FxHashMap<StmtId, StmtId>,
    /// Statements inside an atomic sequence, all but the last one of it.
    atomic: FxHashSet<StmtId>,
    /// Gotos and breaks outside d_steps, those of `for` and `select` included.
    jumps: Vec<StmtId>,
}

/// Where a sequence stands.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    /// What follows it.
    next: Option<StmtId>,
    /// The innermost loop.
    inside: Option<StmtId>,
    is_atomic: bool,
}

impl Checker<'_> {
    /// Reports jumps and breaks of a body that lead to a d_step.
    pub(super) fn jumps_to_d_steps(&mut self, body: &[StmtId]) {
        let mut order = Order::default();
        self.order(body, Around::default(), &mut order);
        for jump in std::mem::take(&mut order.jumps) {
            let Some(d_step) = self.comes_to_d_step(jump, &order) else {
                continue;
            };
            let (from, to) = (
                self.program.stmts[jump].span,
                self.program.stmts[d_step].span,
            );
            let message = "a jump to a d_step";
            let diagnostic = Diagnostic::error(&structure::JUMP, from, message);
            self.report(
                diagnostic
                    .also(to, "the d_step")
                    .help("put skip before the d_step"),
            );
        }
    }

    /// The d_step that control comes to by a jump.
    fn comes_to_d_step(&self, jump: StmtId, order: &Order) -> Option<StmtId> {
        let is_atomic = order.atomic.contains(&jump);
        let mut at = jump;
        // Gotos that lead to each other are reported elsewhere.
        for _ in 0..=order.jumps.len().max(order.left.len() + order.next.len()) {
            let to = match self.program.stmts[at].kind {
                StmtKind::Goto(_) => self.facts.targets.get(&at),
                StmtKind::Break => order.left.get(&at).and_then(|left| order.next.get(left)),
                // The break that ends counting.
                StmtKind::For { .. } | StmtKind::Select { .. } if at == jump => order.next.get(&at),
                StmtKind::DStep(_) => return Some(at),
                _ => None,
            };
            at = self.unlabelled(*to?);
            if is_atomic && !order.atomic.contains(&at) {
                return None;
            }
        }
        None
    }

    /// Notes what follows each statement of a sequence.
    fn order(&self, body: &[StmtId], around: Around, order: &mut Order) {
        let body: Vec<StmtId> = body.iter().map(|id| self.unlabelled(*id)).collect();
        for (at, id) in body.iter().enumerate() {
            let next = body.get(at + 1).copied().or(around.next);
            order.next.extend(next.map(|next| (*id, next)));
            if around.is_atomic {
                order.atomic.insert(*id);
            }
            let here = Around { next, ..around };
            deep::recurse(|| self.order_within(*id, here, order));
        }
    }

    fn order_within(&self, id: StmtId, here: Around, order: &mut Order) {
        match &self.program.stmts[id].kind {
            StmtKind::If(choices) => {
                for choice in choices {
                    self.order(&choice.body, here, order);
                }
            }
            StmtKind::Do(choices) => {
                let inside = Around {
                    next: Some(id),
                    inside: Some(id),
                    ..here
                };
                for choice in choices {
                    self.order(&choice.body, inside, order);
                }
            }
            StmtKind::For { body, .. } => {
                let inside = Around {
                    next: Some(id),
                    inside: Some(id),
                    ..here
                };
                self.order(body, inside, order);
                order.jumps.push(id);
            }
            StmtKind::Select { at_once: false, .. } => order.jumps.push(id),
            StmtKind::Block { body, .. } => self.order(body, here, order),
            StmtKind::Atomic(body) => {
                self.order(
                    body,
                    Around {
                        is_atomic: true,
                        ..here
                    },
                    order,
                );
                if !here.is_atomic {
                    self.end_atomic(body, order);
                }
            }
            StmtKind::Unless(main, escape) => {
                self.order(&[*main], here, order);
                self.order(&[*escape], here, order);
            }
            StmtKind::Goto(_) => order.jumps.push(id),
            StmtKind::Break => {
                order.left.extend(here.inside.map(|left| (id, left)));
                order.jumps.push(id);
            }
            _ => {}
        }
    }

    /// Control leaves an atomic sequence with its last statement.
    fn end_atomic(&self, body: &[StmtId], order: &mut Order) {
        let mut body = body;
        while let Some(last) = body.last() {
            let last = self.unlabelled(*last);
            order.atomic.remove(&last);
            body = match &self.program.stmts[last].kind {
                StmtKind::Atomic(inside) | StmtKind::Block { body: inside, .. } => inside,
                StmtKind::Unless(main, _) => std::slice::from_ref(main),
                _ => break,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    /// The statements that lead to a d_step, as they are written.
    fn refused(body: &str) -> Vec<String> {
        let text = format!("byte x; active proctype P() {{ {body} }}");
        let checked = crate::check::run(crate::parse::tests::read(&text));
        let wrong = checked.diagnostics.iter();
        let jumps = wrong.filter(|found| found.code.id == "P0404");
        let places = jumps
            .filter_map(|found| found.primary.as_ref())
            .map(|label| label.span);
        places
            .map(|span| text[span.start as usize..span.end as usize].to_owned())
            .collect()
    }

    #[test]
    fn a_d_step_is_no_target() {
        for (body, wrong) in [
            (
                "do :: x > 0 -> break od; d_step { x++; x++ }",
                vec!["break"],
            ),
            (
                "{ do :: x > 0 -> x++; break od }; d_step { x++ }",
                vec!["break"],
            ),
            (
                "if :: x > 0 -> do :: break od :: x < 0 fi; d_step { x++ }",
                vec!["break"],
            ),
            ("L: d_step { x++ }; goto L", vec!["goto L"]),
            (
                "goto L; x++; L: do :: break od; L2: M: d_step { x++ }",
                vec!["break"],
            ),
            (
                "atomic { do :: break od; d_step { x++ }; x-- }",
                vec!["break"],
            ),
            (
                "{ x++; do :: break od } unless { x > 3 }; d_step { x++ }",
                vec!["break"],
            ),
        ] {
            assert_eq!(refused(body), wrong, "{body}");
        }
        for body in [
            "do :: x > 0 -> break od; skip; d_step { x++ }",
            "do :: x > 0 -> break od; { d_step { x++ } }",
            "do :: x > 0 -> break od; if :: d_step { x++ } fi",
            "if :: x > 0 :: else fi; d_step { x++ }",
            "do :: d_step { x++; x++ }; break od",
            "do :: do :: break od; :: d_step { x++ } od",
            "d_step { do :: break od }; d_step { x++ }",
            // Control stays where an atomic sequence is left.
            "atomic { do :: break od; d_step { x++ } }",
            "atomic { do :: break od }; d_step { x++ }",
            "goto L; x++; L: atomic { d_step { x++ } }",
        ] {
            assert!(refused(body).is_empty(), "{body}");
        }
    }
}
