//! Explores a compiled specification in the simplest possible way: breadth first, one hash set.

use std::collections::VecDeque;

use model_compile::Compiled;
use pins::{Flow, System as _};
use rustc_hash::FxHashSet;

/// States, by their vectors.
pub type States = FxHashSet<Box<[u32]>>;

/// The states; and how many states, set-ups, transitions and initial states there are.
pub fn explore(system: &Compiled) -> Result<(States, [usize; 4]), String> {
    let mut worker = system.worker();
    let mut known = States::default();
    let mut queue: VecDeque<Box<[u32]>> = VecDeque::new();
    let mut setups: Vec<Vec<u32>> = Vec::new();
    worker
        .setups(&mut |setup| {
            setups.push(setup.to_vec());
            Flow::Continue
        })
        .map_err(|fault| fault.message)?;
    for setup in &setups {
        worker
            .initial(setup, &mut |state| {
                if known.insert(state.into()) {
                    queue.push_back(state.into());
                }
                Flow::Continue
            })
            .map_err(|fault| fault.message)?;
    }
    let initial = known.len();
    let mut transitions = 0;
    let mut faults = Vec::new();
    while let Some(state) = queue.pop_front() {
        worker.all_successors(
            &state,
            &mut |_, step| {
                transitions += 1;
                if !known.contains(step.target) {
                    known.insert(step.target.into());
                    queue.push_back(step.target.into());
                }
                Flow::Continue
            },
            &mut |_, fault| faults.push(fault.message),
        );
    }
    if let Some((_, cut)) = worker.take_notes().cuts.first() {
        return Err(cut.clone());
    }
    if let Some(fault) = faults.first() {
        return Err(fault.clone());
    }
    let setups = if system.shape().has_setup {
        setups.len()
    } else {
        0
    };
    let counts = [known.len(), setups, transitions, initial];
    Ok((known, counts))
}
