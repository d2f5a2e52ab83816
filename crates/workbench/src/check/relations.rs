//! The relations between the events of a compiled model, at the precision that was asked for.
//!
//! What reads and writes leave open is asked of the solver, pair by pair: first which events happen together, then the
//! rest about pairs that are not excluded by that.
//! Invariant: questions are counted, so the relations do not depend on the speed of the machine.

mod cache;

use std::collections::BTreeSet;
use std::path::Path;

use pins::{LabelId, LabelKind, Shape};
use reduce::por::{Relations, Visibility};
use subject::{Ground, Influence, InfluenceQuestion as Question, Subject};

use crate::choice::Dependence;
use cache::Place;

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

/// How relations are found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner<'a> {
    /// The precision.
    pub(crate) dependence: Dependence,
    /// The predicate that is looked for, when there is one.
    pub(crate) goal: Option<&'a str>,
    /// Where answers are kept between runs.
    pub(crate) cache: Option<&'a Path>,
    /// How much is asked.
    pub(crate) effort: Effort,
}

/// How much work questions may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As much as any model gets: a reduction was asked for.
    #[default]
    Full,
    /// Less: nobody asked, and nothing may come of it.
    Little,
}

impl Effort {
    /// The part of the usual work: one in so many.
    fn part(self) -> u64 {
        match self {
            Effort::Full => 1,
            Effort::Little => 8,
        }
    }
}

/// What the solver said.
#[derive(Clone, Debug)]
struct Answers {
    relations: Relations,
    /// Label and group, where the group may mend the label.
    mends: BTreeSet<(usize, usize)>,
    /// Label and group, where the group may break the label.
    breaks: BTreeSet<(usize, usize)>,
    asked: u64,
    unanswered: u64,
}

/// Answers to fewer questions are found as soon as they are read.
const WORTH_KEEPING: u64 = 64;

/// The relations between the events of a model, and what these labels can see.
pub(crate) fn relate(
    subject: &dyn Subject,
    ground: &dyn Ground,
    labels: &[LabelId],
    manner: Manner<'_>,
) -> Related {
    let shape = ground.system().shape();
    let influence = match manner.dependence {
        Dependence::Syntactic => None,
        Dependence::Solver => subject.influence(ground),
    };
    let Some(mut influence) = influence else {
        return Related {
            relations: Relations::syntactic(shape),
            visibility: Visibility::new(shape, labels),
            asked: 0,
            unanswered: 0,
        };
    };
    influence.hurry(manner.effort.part());
    let place = manner.cache.map(|folder| {
        let numbers: Vec<usize> = labels.iter().map(|label| label.index()).collect();
        let version = env!("CARGO_PKG_VERSION");
        let (goal, key) = (manner.goal, influence.key());
        let key = format!("burnside {version} {numbers:?} {goal:?} {key}");
        Place::new(folder, &key)
    });
    let (groups, guards) = (shape.groups.len(), shape.guards.len());
    let known = place.as_ref().and_then(|place| place.read(groups, guards));
    let answers = known.unwrap_or_else(|| {
        let answers = ask(&mut *influence, shape, labels);
        if let Some(place) = place.as_ref().filter(|_| answers.asked >= WORTH_KEEPING) {
            place.write(groups, &answers);
        }
        answers
    });
    let has = |set: &BTreeSet<(usize, usize)>, label: LabelId, group: usize| {
        !shape.groups[group].is_pure || set.contains(&(label.index(), group))
    };
    Related {
        visibility: Visibility::with(
            shape,
            labels,
            &mut |label, group| has(&answers.mends, label, group),
            &mut |label, group| has(&answers.breaks, label, group),
        ),
        relations: answers.relations,
        asked: answers.asked,
        unanswered: answers.unanswered,
    }
}

fn ask(influence: &mut (dyn Influence + '_), shape: &Shape, labels: &[LabelId]) -> Answers {
    let mut solving = Solving {
        influence,
        relations: Relations::syntactic(shape),
    };
    solving.together(shape);
    solving.pairs(shape);
    let (mends, breaks) = solving.labels(shape, labels);
    let (asked, unanswered) = solving.influence.asked();
    Answers {
        relations: solving.relations,
        mends,
        breaks,
        asked,
        unanswered,
    }
}

struct Solving<'a, 's> {
    influence: &'a mut (dyn Influence + 's),
    relations: Relations,
}

impl Solving<'_, '_> {
    /// Pairs that depend on each other but never happen together do not.
    fn together(&mut self, shape: &Shape) {
        let pairs: Vec<(usize, usize)> = self.pure_pairs(shape, |relations, a, b| {
            a < b && relations.together.has(a, b) && relations.dependent.has(a, b)
        });
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(a, b)| Question::Together(*a, *b))
            .collect();
        for ((a, b), may) in pairs.into_iter().zip(self.influence.may(&questions)) {
            if !may {
                for (one, other) in [(a, b), (b, a)] {
                    self.relations.together.set(one, other, false);
                    self.relations.dependent.set(one, other, false);
                    self.relations.can_disable.set(one, other, false);
                }
            }
        }
    }

    fn pairs(&mut self, shape: &Shape) {
        let pairs = self.pure_pairs(shape, |relations, a, b| {
            a < b && relations.dependent.has(a, b)
        });
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(a, b)| Question::Disturb(*a, *b))
            .collect();
        for ((a, b), may) in pairs.into_iter().zip(self.influence.may(&questions)) {
            if !may {
                self.relations.dependent.set(a, b, false);
                self.relations.dependent.set(b, a, false);
            }
        }
        let pairs = self.pure_pairs(shape, |relations, a, b| {
            a != b && relations.can_enable.has(a, b)
        });
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(a, b)| Question::Enable(*a, *b))
            .collect();
        for ((a, b), may) in pairs.into_iter().zip(self.influence.may(&questions)) {
            self.relations.can_enable.set(a, b, may);
        }
        let pairs = self.pure_pairs(shape, |relations, a, b| {
            a != b && relations.can_disable.has(a, b)
        });
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(a, b)| Question::Disable(*a, *b))
            .collect();
        for ((a, b), may) in pairs.into_iter().zip(self.influence.may(&questions)) {
            self.relations.can_disable.set(a, b, may);
        }
        let groups = &shape.groups;
        let mut pairs = Vec::new();
        for (guard, enablers) in self.relations.guard_enablers.iter().enumerate() {
            let pure = enablers.iter().filter(|group| groups[*group].is_pure);
            pairs.extend(pure.map(|group| (guard, group)));
        }
        let questions: Vec<Question> = pairs
            .iter()
            .map(|(guard, group)| Question::Guard(*guard, *group))
            .collect();
        for ((guard, group), may) in pairs.into_iter().zip(self.influence.may(&questions)) {
            if !may {
                self.relations.guard_enablers[guard].remove(group);
            }
        }
    }

    fn pure_pairs(
        &self,
        shape: &Shape,
        is_wanted: impl Fn(&Relations, usize, usize) -> bool,
    ) -> Vec<(usize, usize)> {
        let groups = &shape.groups;
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

    /// Which group may mend and which may break which label.
    #[allow(clippy::type_complexity)]
    fn labels(
        &mut self,
        shape: &Shape,
        labels: &[LabelId],
    ) -> (BTreeSet<(usize, usize)>, BTreeSet<(usize, usize)>) {
        let mut pairs = Vec::new();
        for label in labels
            .iter()
            .filter(|label| !shape.always_true.contains(label))
        {
            let reads = &shape.labels[label.index()].reads;
            for (at, group) in shape.groups.iter().enumerate() {
                if group.is_pure && group.may_write.intersects(reads) {
                    pairs.push((label.index(), at));
                }
            }
        }
        let question = |(label, group): &(usize, usize)| {
            [
                Question::LabelTrue(*label, *group),
                Question::LabelFalse(*label, *group),
            ]
        };
        let questions: Vec<Question> = pairs.iter().flat_map(question).collect();
        let answers = self.influence.may(&questions);
        let (mut mends, mut breaks) = (BTreeSet::new(), BTreeSet::new());
        for (pair, answer) in pairs.into_iter().zip(answers.chunks(2)) {
            // An invariant is a finding where it is false, a goal where it is true.
            let kind = shape.labels[pair.0].kind;
            let is_goal = matches!(kind, LabelKind::Goal | LabelKind::Cover);
            let [mends_it, breaks_it] = match (answer, is_goal) {
                ([on, off], false) => [*on, *off],
                ([on, off], true) => [*off, *on],
                _ => [true, true],
            };
            if mends_it {
                mends.insert(pair);
            }
            if breaks_it {
                breaks.insert(pair);
            }
        }
        (mends, breaks)
    }
}
