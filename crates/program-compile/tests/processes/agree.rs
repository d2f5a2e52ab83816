//! Compares the compiled evaluator with the reference evaluator, state by state.

use std::collections::{BTreeMap, HashSet, VecDeque};

use pins::{Flow, System as _};
use program::{EdgeId, Program, State};
use program_compile::processes::System;
use program_interp::{End, Machine, What};

/// Who takes which edge.
type Parts = Vec<(usize, EdgeId)>;

/// Compares the answers in up to `most` reachable states.
pub fn check(program: &Program, system: &System, most: usize) -> Result<(), String> {
    let machine = Machine::new(program);
    let mut worker = system.worker();
    let mut open: VecDeque<Vec<u32>> = VecDeque::new();
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let started = worker.initial(&[], &mut |state| {
        open.push_back(state.to_vec());
        Flow::Continue
    });
    let expected = machine.initial().remove(0).state;
    match (&started, &expected) {
        (Ok(()), Ok(Some(state))) if system.decode(&open[0]) == *state => {}
        (Err(_), Err(_)) => return Ok(()),
        _ => return Err(format!("starts: {started:?}, but {expected:?}")),
    }
    seen.extend(open.iter().cloned());
    while let Some(vector) = open.pop_front() {
        let state = system.decode(&vector);
        let (mut steps, mut faults) = (Vec::new(), BTreeMap::new());
        worker.all_successors(
            &vector,
            &mut |group, step| {
                let groups =
                    std::iter::once(group.index() as u32).chain(step.label.iter().copied());
                let parts: Parts = groups
                    .map(|group| {
                        let (pid, _, edge) = system.part(group);
                        (pid, edge)
                    })
                    .collect();
                steps.push((parts, system.decode(step.target)));
                if seen.len() < most && seen.insert(step.target.to_vec()) {
                    open.push_back(step.target.to_vec());
                }
                Flow::Continue
            },
            &mut |group, fault| {
                let (pid, _, edge) = system.part(group.index() as u32);
                faults.insert((pid, edge), fault);
            },
        );
        compare(&machine, &state, steps, faults).map_err(|how| format!("in {state:?}: {how}"))?;
    }
    Ok(())
}

fn compare(
    machine: &Machine<'_>,
    state: &State,
    mut steps: Vec<(Parts, State)>,
    faults: BTreeMap<(usize, EdgeId), pins::Fault>,
) -> Result<(), String> {
    let (mut expected, mut wrong) = (Vec::new(), BTreeMap::new());
    for step in machine.steps(state) {
        let parts: Parts = step
            .parts
            .iter()
            .map(|part| match &part.what {
                What::Edge { pid, edge, .. } => (*pid, *edge),
                What::Rule { .. } => unreachable!("there are no rules"),
            })
            .collect();
        let first = parts.first().copied();
        for failure in &step.failures {
            wrong
                .entry(first)
                .or_insert_with(Vec::new)
                .push(failure.fault.clone());
        }
        match step.end {
            End::State(state) => expected.push((parts, state)),
            End::Fault(fault) => wrong.entry(first).or_insert_with(Vec::new).push(fault),
            End::Discarded => unreachable!("there are no assumptions"),
        }
    }
    let text = |steps: &[(Parts, State)]| {
        let mut lines: Vec<String> = steps.iter().map(|step| format!("{step:?}")).collect();
        lines.sort();
        lines
    };
    steps.sort_by_key(|step| step.0.clone());
    let (given, wanted) = (text(&steps), text(&expected));
    if given != wanted {
        return Err(format!("steps {given:#?}\nexpected {wanted:#?}"));
    }
    let given: Vec<_> = faults.keys().map(|first| Some(*first)).collect();
    let wanted: Vec<_> = wrong.keys().copied().collect();
    // A process that cannot say whether it may run has no edge to blame in the reference evaluator.
    if given != wanted && !wrong.contains_key(&None) {
        return Err(format!("faults {faults:#?}\nexpected {wrong:#?}"));
    }
    for (first, fault) in &faults {
        let reasons = wrong.get(&Some(*first)).into_iter().flatten();
        let mut sentences = reasons.map(|fault| fault.reason.sentence());
        if !wrong.contains_key(&None) && !sentences.any(|sentence| sentence == fault.message) {
            return Err(format!("fault {fault:?} at {first:?}, expected {wrong:?}"));
        }
    }
    Ok(())
}
