//! Where a search one by one pauses, and whether another way is better there.

use super::*;

/// Where a search pauses, and what is thought of there.
pub(super) struct Milestones<'a> {
    run: &'a Run<'a>,
    scene: &'a Scene<'a>,
    /// Trials of diagrams.
    pub(super) sets: Option<Trials<'a>>,
    /// Leaving out steps.
    steps: Steps,
    /// Whether the search is on its way: what prepared it is out of memory.
    is_on_its_way: bool,
}

/// A search of so many states is on its way.
const FEW_STATES: u64 = 20_000;

/// What is known of leaving out steps.
pub(super) enum Steps {
    /// Nobody thinks of it.
    Settled,
    /// It is thought of after so many states.
    After(u64),
    /// It does not pay.
    DoesNotPay(Box<Decision>),
}

impl<'a> Milestones<'a> {
    pub(super) fn new(
        run: &'a Run<'a>,
        scene: &'a Scene<'a>,
        system: &dyn System,
        is_reduced: bool,
    ) -> Milestones<'a> {
        Milestones {
            run,
            scene,
            sets: match is_reduced {
                true => None,
                false => Trials::new(
                    run,
                    scene.labels,
                    Searching {
                        asked: system.asked() as u64,
                        slots: system.shape().slots.len() as u64,
                        has_all: scene.symmetry.permuted().is_none(),
                    },
                    scene.hooks,
                ),
            },
            steps: match scene.is_por_open && !is_reduced {
                true => Steps::After(por::FIRST_STATES),
                false => Steps::Settled,
            },
            is_on_its_way: false,
        }
    }

    /// So many states are the next one.
    pub(super) fn next(&self) -> u64 {
        let steps = match self.steps {
            Steps::After(states) => states,
            Steps::Settled | Steps::DoesNotPay(_) => u64::MAX,
        };
        let sets = self.sets.as_ref().map_or(u64::MAX, |trials| trials.due);
        let first = match self.is_on_its_way {
            true => u64::MAX,
            false => FEW_STATES,
        };
        steps.min(sets).min(first)
    }

    /// At a milestone: whether another way is better.
    pub(super) fn think(&mut self, found: &At) -> Result<Option<Attempt>, Ended> {
        let at = self.next();
        if let Some(trials) = self.sets.as_mut().filter(|trials| trials.due == at)
            && let Some(better) = trials.attempt(found)
        {
            return Ok(Some(match better {
                Better::Sets(tried) => Attempt::Sets(tried),
                Better::Columns(sorting) => Attempt::Columns(sorting),
            }));
        }
        if matches!(self.steps, Steps::After(states) if states == at) {
            let Scene {
                labels,
                symmetry,
                hooks,
                ..
            } = self.scene;
            let decision = self.run.decide_auto(labels, symmetry, hooks)?;
            if decision.pays {
                let because = Some(decision.because);
                return Ok(Some(Attempt::Fewer(Box::new(decision.analysed), because)));
            }
            self.steps = Steps::DoesNotPay(Box::new(decision));
        }
        // The search goes on: what came before it, and what was thought of, ran through most of the program.
        pages::hand_back();
        self.is_on_its_way = true;
        Ok(None)
    }

    /// Says why no steps were left out, where that was open.
    pub(super) fn tell(&self, facts: &mut Facts) {
        match &self.steps {
            Steps::Settled => {}
            Steps::After(states) => {
                let few = format!("no more than {} states", grouped(*states));
                facts.por.because = Some(few);
            }
            Steps::DoesNotPay(decision) => decision.tell(self.scene.labels, &mut facts.por),
        }
    }
}
