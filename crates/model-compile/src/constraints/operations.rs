//! Whether an action can happen at all, and whether it happens wherever what it says of the state before holds.
//!
//! An action of a specification is a predicate. What it says of the state before is read off its conditions: in
//! conjunctions and disjunctions, everything that speaks of chosen values is taken as true. Where that holds for some
//! arguments and no chosen values fit, the precondition is smaller than it is written.

use lang_math::Op;
use model::{ExprId, Kind, LocalId};

use super::{Answer, Constraints, Course, Solved, Unknowns};

impl Constraints {
    /// Whether a state enables an action.
    pub(super) fn happens(&mut self, action: usize) -> Answer {
        let Some(ways) = self.actions[action].clone() else {
            return Answer::Open(self.not_understood(action));
        };
        let mut open = None;
        for way in ways {
            let mut conjuncts = self.supposed.clone();
            conjuncts.extend(&way.conditions);
            let solved = self.solve(&way.names, &conjuncts, Unknowns::State);
            match self.answered(solved, action) {
                Answer::No => {}
                Answer::Open(why) => _ = open.get_or_insert(why),
                found @ Answer::Yes(_) => return found,
            }
        }
        open.map_or(Answer::No, Answer::Open)
    }

    /// Whether an action cannot happen although all that it says of the state before holds.
    pub(super) fn cut(&mut self, action: usize) -> Answer {
        let Some(ways) = self.actions[action].clone() else {
            return Answer::Open(self.not_understood(action));
        };
        let parameters = self.model.actions[action].parameters.clone();
        let chosen = |names: &[LocalId]| -> Vec<LocalId> {
            let names = names.iter().copied();
            names.filter(|name| !parameters.contains(name)).collect()
        };
        let mut fails = Vec::new();
        for way in &ways {
            fails.push(self.never(chosen(&way.names), &way.conditions));
        }
        let mut open = None;
        for way in &ways {
            let free = chosen(&way.names);
            let mut conjuncts = self.supposed.clone();
            for condition in &way.conditions {
                conjuncts.extend(self.before(*condition, &free));
            }
            conjuncts.extend(&fails);
            let solved = self.solve(&parameters, &conjuncts, Unknowns::State);
            match self.answered(solved, action) {
                Answer::No => {}
                Answer::Open(why) => _ = open.get_or_insert(why),
                found @ Answer::Yes(_) => return found,
            }
        }
        open.map_or(Answer::No, Answer::Open)
    }

    fn answered(&self, solved: Solved, action: usize) -> Answer {
        let course = Course {
            steps: vec![(action, 0)],
            ..Course::default()
        };
        self.answer(solved, &course, None)
    }

    /// What a condition says without some names; `None` where that is nothing.
    fn before(&mut self, condition: ExprId, names: &[LocalId]) -> Option<ExprId> {
        base::deep::recurse(|| self.before_inner(condition, names))
    }

    fn before_inner(&mut self, condition: ExprId, names: &[LocalId]) -> Option<ExprId> {
        let mut speaks_of_them = false;
        self.model.walk(condition, &mut |expr| {
            speaks_of_them |= matches!(expr.kind, Kind::Local(local) if names.contains(&local));
        });
        if !speaks_of_them {
            return Some(condition);
        }
        match self.model.exprs[condition].kind.clone() {
            Kind::Op(Op::And, parts) => {
                let parts: Vec<ExprId> = parts
                    .iter()
                    .filter_map(|part| self.before(*part, names))
                    .collect();
                (!parts.is_empty()).then(|| self.all_of(&parts))
            }
            Kind::Op(Op::Or, parts) => {
                let parts: Option<Vec<ExprId>> =
                    parts.iter().map(|part| self.before(*part, names)).collect();
                let mut parts = parts?.into_iter();
                let first = parts.next()?;
                Some(parts.fold(first, |left, right| {
                    self.push(Kind::Op(Op::Or, [left, right].into_iter().collect()))
                }))
            }
            _ => None,
        }
    }
}
