//! Processes that end: a group for each number of them that has ended, and the ends that a representative stands for.
//!
//! Where the youngest process ends first, a state and a permuted one have different ends: the process that waits for its end in
//! one is not the youngest in the other. So the representative of an orbit is given the ends of all its states:
//! for each process that waits and can be the youngest, the state is permuted so that it is, and its end from there is a
//! step of the representative. After an end states are permuted by what holds the ended process.
//! Preserves: representatives are those of all reachable states, one for each orbit (decision 0111). What looks at sequences of
//! steps takes [`Ends::Held`] instead: processes that may end stay where they are.
//! Invariant: the end of a process is seen by nothing else (law 4 of [`pins::Action`]).

use permgroup::Group;
use pins::Action;

use super::Acting;

/// What becomes of processes that may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// They are permuted like others.
    Shared,
    /// They stay where they are: nothing but permuting is done to steps.
    Held,
}

/// Is told the acting group, the permutation and the permuted state.
type EndVisitor<'v, 'a> = dyn FnMut(&Acting<'a>, &[u32], &[u32]) + 'v;

/// An action with its groups.
pub(in crate::symmetry) struct Stages<'a> {
    action: &'a Action,
    /// By how many processes have ended; none where nothing can be permuted any more.
    stages: Vec<Option<Stage<'a>>>,
}

struct Stage<'a> {
    acting: Acting<'a>,
    /// For processes that can be the youngest the position among the lives, and a permutation that makes it so.
    to_youngest: Vec<(usize, Vec<u32>)>,
}

impl<'a> Stages<'a> {
    /// Makes an action ready; `None` when it permutes nothing.
    pub(in crate::symmetry) fn new(action: &'a Action, ends: Ends) -> Option<Stages<'a>> {
        let ending = &action.lives[..action.ends];
        let points: Vec<u32> = ending.iter().map(|life| life.point).collect();
        if ends == Ends::Held {
            let acting = Acting::holding_ends(action)?;
            let to_youngest = Vec::new();
            let stages = vec![Some(Stage {
                acting,
                to_youngest,
            })];
            return Some(Stages { action, stages });
        }
        let mut stages = vec![Some(Stage::new(action, &points, 0)?)];
        stages.extend((1..=points.len()).map(|ended| Stage::new(action, &points, ended)));
        while stages.last().is_some_and(Option::is_none) {
            stages.pop();
        }
        Some(Stages { action, stages })
    }

    /// What permutes states where nothing has ended.
    pub(in crate::symmetry) fn whole(&self) -> &Acting<'a> {
        let first = self.stages[0].as_ref();
        &first.expect("an action permutes something").acting
    }

    /// What permutes states, by how many processes have ended.
    pub(in crate::symmetry) fn all(&self) -> impl Iterator<Item = Option<&Acting<'a>>> {
        let stages = self.stages.iter();
        stages.map(|stage| stage.as_ref().map(|stage| &stage.acting))
    }

    /// How many processes have ended, where a state can be permuted.
    #[inline]
    pub(in crate::symmetry) fn stage(&self, vector: &[u32]) -> Option<usize> {
        match self.stages.len() {
            1 => self.action.applies(vector).then_some(0),
            _ => self.action.stage(vector),
        }
    }

    /// Whether some process may end.
    #[inline]
    pub(in crate::symmetry) fn has_ends(&self) -> bool {
        self.stages
            .iter()
            .flatten()
            .any(|s| !s.to_youngest.is_empty())
    }

    /// Gives the states of an orbit from which another process ends than from this one, with the permutation that leads
    /// there.
    pub(in crate::symmetry) fn each_end(&self, vector: &[u32], visit: &mut EndVisitor<'_, 'a>) {
        let stage = self.stage(vector).and_then(|at| self.stages.get(at));
        let Some(Some(stage)) = stage else {
            return;
        };
        let mut permuted = Vec::new();
        for (life, images) in &stage.to_youngest {
            if self.action.lives[*life].is_over(vector) {
                stage.acting.apply(images, vector, &mut permuted);
                visit(&stage.acting, images, &permuted);
            }
        }
    }

    /// Whether a step is the end of a process.
    pub(in crate::symmetry) fn is_end(&self, from: &[u32], to: &[u32]) -> bool {
        self.action.is_end(from, to)
    }

    /// Takes every process that waits for its end for one that has ended.
    pub(in crate::symmetry) fn forget_over(&self, vector: &mut [u32]) {
        for life in self.action.lives.iter() {
            if life.is_over(vector) {
                life.fields.iter().for_each(|field| field.put(vector, 0));
            }
        }
    }
}

impl<'a> Stage<'a> {
    fn new(action: &'a Action, ending: &[u32], ended: usize) -> Option<Stage<'a>> {
        let acting = Acting::new(action, &ending[..ended], ended)?;
        let number = |point: u32| acting.names.iter().position(|own| *own == point);
        let youngest = ending.get(ended).and_then(|point| number(*point));
        let mut to_youngest = Vec::new();
        if let Some(youngest) = youngest {
            let youngest = youngest as u32;
            let generators = acting.group.generators().to_vec();
            let chain = Group::with_base(acting.points(), generators, &[youngest]);
            for (at, life) in action.lives.iter().enumerate() {
                let Some(own) = number(life.point).filter(|own| *own as u32 != youngest) else {
                    continue;
                };
                if let Some(images) = chain.levels()[0].from(own as u32) {
                    to_youngest.push((at, images.to_vec()));
                }
            }
        }
        Some(Stage {
            acting,
            to_youngest,
        })
    }
}
