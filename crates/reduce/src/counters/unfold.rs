//! Turns a path of counters into a path of the system: a state that counters stand for, and from it steps that are counted alike.
//!
//! Invariant: every step of the result is a step of the system. By symmetry each state with the counters of a path's state has a
//! step to one with the counters of the next.

use pins::{Event, Flow, GroupId, Path, PathStep, Worker};

use super::Counters;
use super::counting::Counting;

impl Counters<'_> {
    /// The path of the system that a path of counters stands for; `None` when there is none, which is a bug.
    pub fn unfold(&self, path: &[PathStep]) -> Option<Path> {
        let mut counting = self.counting();
        let mut worker = self.system.worker();
        // The path may lead past a fault; that its steps exist is all that counts here.
        worker.go_past_faults();
        let mut real: Path = Vec::with_capacity(path.len());
        for passage in path {
            let step = match passage.event {
                Event::Setup => PathStep {
                    event: Event::Setup,
                    words: Vec::new(),
                    state: counting.setup_of(&passage.state),
                },
                Event::Initialisation => {
                    let setup = match real.last() {
                        Some(setup) => setup.state.clone(),
                        None => first_setup(&mut *worker)?,
                    };
                    let state = initial(&mut *worker, &mut counting, &setup, &passage.state)?;
                    PathStep {
                        event: Event::Initialisation,
                        words: Vec::new(),
                        state,
                    }
                }
                Event::Group(group) => {
                    let from = &real.last()?.state;
                    self.step(&mut *worker, &mut counting, from, (group, &passage.state))?
                }
            };
            real.push(step);
        }
        Some(real)
    }

    /// A step to a state with these counters, of the same event if there is one.
    fn step(
        &self,
        worker: &mut dyn Worker,
        counting: &mut Counting<'_>,
        from: &[u32],
        (group, wanted): (GroupId, &[u32]),
    ) -> Option<PathStep> {
        let groups = &self.system.shape().groups;
        let mut all = Vec::new();
        worker.all_successors(
            from,
            &mut |group, step| {
                all.push((group, step.label.to_vec(), step.target.to_vec()));
                Flow::Continue
            },
            // A fault beside the step does not matter here.
            &mut |_, _| {},
        );
        let name = groups[group.index()].name;
        let mut found = None;
        for (own, words, state) in all {
            // What there is no room for is no state of the path.
            if !matches!(counting.count(&state), Ok(counters) if counters == wanted) {
                continue;
            }
            let is_same = groups[own.index()].name == name;
            if is_same || found.is_none() {
                found = Some(PathStep {
                    event: Event::Group(own),
                    words,
                    state,
                });
            }
            if is_same {
                break;
            }
        }
        found
    }
}

/// The only set-up of a system without a set-up step.
fn first_setup(worker: &mut dyn Worker) -> Option<Vec<u32>> {
    let mut first = None;
    // A fault after it does not matter here.
    let _ = worker.setups(&mut |setup| {
        first = Some(setup.to_vec());
        Flow::Stop
    });
    first
}

/// An initial state with these counters.
fn initial(
    worker: &mut dyn Worker,
    counting: &mut Counting<'_>,
    setup: &[u32],
    wanted: &[u32],
) -> Option<Vec<u32>> {
    let mut found = None;
    let _ = worker.initial(setup, &mut |state| match counting.count(state) {
        Ok(counters) if counters == wanted => {
            found = Some(state.to_vec());
            Flow::Stop
        }
        _ => Flow::Continue,
    });
    found
}
