//! The relations between the events of a compiled model, at the precision that was asked for.
//!
//! What reads and writes leave open is asked of the solver, pair by pair: first which events happen together, then the
//! rest about pairs that are not excluded by that.
//! Invariant: questions are counted, so the relations do not depend on the speed of the machine.

use model::Model;
use model_compile::Compiled;
use model_compile::influence::{Influence, Question};
use pins::{Flow, LabelId, LabelKind, System};
use reduce::por::{Relations, Visibility};

use crate::choice::Dependence;

/// Relations, and what they took.
#[derive(Clone, Debug)]
pub(crate) struct Related {
    /// The relations.
    pub(crate) relations: Relations,
    /// Who can change the labels.
    pub(crate) visibility: Visibility,
    /// Questions that the solver was asked.
    pub(crate) asked: u64,
    /// Of these, how many it did not answer.
    pub(crate) unanswered: u64,
}

/// More set-ups than this need not be known.
const ENOUGH_SETUPS: usize = 9;

/// The relations between the events of a model, and what these labels can see.
pub(crate) fn relate(
    model: &Model,
    system: &Compiled,
    labels: &[LabelId],
    dependence: Dependence,
) -> Related {
    let shape = system.shape();
    let relations = Relations::syntactic(shape);
    if dependence == Dependence::Syntactic {
        return Related {
            relations,
            visibility: Visibility::new(shape, labels),
            asked: 0,
            unanswered: 0,
        };
    }
    let mut setups = Vec::new();
    // A fault among the set-ups is told by the search.
    let _ = system.worker().setups(&mut |setup| {
        setups.push(setup.to_vec());
        match setups.len() < ENOUGH_SETUPS {
            true => Flow::Continue,
            false => Flow::Stop,
        }
    });
    let mut solving = Solving {
        influence: Influence::new(model, system, &setups),
        relations,
    };
    solving.together(system);
    solving.pairs(system);
    let visibility = solving.visibility(system, labels);
    Related {
        relations: solving.relations,
        visibility,
        asked: solving.influence.asked,
        unanswered: solving.influence.unanswered,
    }
}

struct Solving<'s> {
    influence: Influence<'s>,
    relations: Relations,
}

impl Solving<'_> {
    fn may(&mut self, questions: &[Question]) -> Vec<bool> {
        self.influence.may(questions)
    }

    /// Pairs that depend on each other but never happen together do not.
    fn together(&mut self, system: &Compiled) {
        let pairs: Vec<(usize, usize)> = self.pure_pairs(system, |relations, a, b| {
            a < b && relations.together.has(a, b) && relations.dependent.has(a, b)
        });
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(a, b)| Question::Together(*a, *b))
            .collect();
        for ((a, b), may) in pairs.into_iter().zip(self.may(&questions)) {
            if !may {
                for (one, other) in [(a, b), (b, a)] {
                    self.relations.together.set(one, other, false);
                    self.relations.dependent.set(one, other, false);
                    self.relations.can_disable.set(one, other, false);
                }
            }
        }
    }

    fn pairs(&mut self, system: &Compiled) {
        let pairs = self.pure_pairs(system, |relations, a, b| {
            a < b && relations.dependent.has(a, b)
        });
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(a, b)| Question::Disturb(*a, *b))
            .collect();
        for ((a, b), may) in pairs.into_iter().zip(self.may(&questions)) {
            if !may {
                self.relations.dependent.set(a, b, false);
                self.relations.dependent.set(b, a, false);
            }
        }
        let pairs = self.pure_pairs(system, |relations, a, b| {
            a != b && relations.can_enable.has(a, b)
        });
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(a, b)| Question::Enable(*a, *b))
            .collect();
        for ((a, b), may) in pairs.into_iter().zip(self.may(&questions)) {
            self.relations.can_enable.set(a, b, may);
        }
        let pairs = self.pure_pairs(system, |relations, a, b| {
            a != b && relations.can_disable.has(a, b)
        });
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(a, b)| Question::Disable(*a, *b))
            .collect();
        for ((a, b), may) in pairs.into_iter().zip(self.may(&questions)) {
            self.relations.can_disable.set(a, b, may);
        }
        let groups = &system.shape().groups;
        let mut pairs = Vec::new();
        for (guard, enablers) in self.relations.guard_enablers.iter().enumerate() {
            let pure = enablers.iter().filter(|group| groups[*group].is_pure);
            pairs.extend(pure.map(|group| (guard, group)));
        }
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(guard, group)| Question::Guard(*guard, *group))
            .collect();
        for ((guard, group), may) in pairs.into_iter().zip(self.may(&questions)) {
            if !may {
                self.relations.guard_enablers[guard].remove(group);
            }
        }
    }

    fn pure_pairs(
        &self,
        system: &Compiled,
        is_wanted: impl Fn(&Relations, usize, usize) -> bool,
    ) -> Vec<(usize, usize)> {
        let groups = &system.shape().groups;
        let mut pairs = Vec::new();
        for a in 0..groups.len() {
            for b in 0..groups.len() {
                if groups[a].is_pure && groups[b].is_pure && is_wanted(&self.relations, a, b) {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    fn visibility(&mut self, system: &Compiled, labels: &[LabelId]) -> Visibility {
        let shape = system.shape();
        let mut pairs = Vec::new();
        for label in labels
            .iter()
            .filter(|label| !shape.always_true.contains(label))
        {
            let reads = &shape.labels[label.index()].reads;
            for (at, group) in shape.groups.iter().enumerate() {
                if group.is_pure && group.may_write.intersects(reads) {
                    pairs.push((*label, at));
                }
            }
        }
        let question = |(label, group): &(LabelId, usize)| {
            let (label, group) = (label.index(), *group);
            [
                Question::LabelTrue(label, group),
                Question::LabelFalse(label, group),
            ]
        };
        let questions: Vec<Question> = pairs.iter().flat_map(question).collect();
        let answers = self.may(&questions);
        let answer = |label: LabelId, group: usize, becomes: bool| {
            let at = pairs.iter().position(|pair| *pair == (label, group));
            at.is_none_or(|at| answers[2 * at + usize::from(!becomes)])
        };
        // An invariant is a finding where it is false, a goal where it is true.
        let is_goal = |label: LabelId| shape.labels[label.index()].kind == LabelKind::Goal;
        Visibility::with(
            shape,
            labels,
            &mut |label, group| answer(label, group, !is_goal(label)),
            &mut |label, group| answer(label, group, is_goal(label)),
        )
    }
}
