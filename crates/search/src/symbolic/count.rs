//! Counts transitions without looking at one: outcomes of short vectors times the states that match them.
//!
//! Invariant: the counts are those of explicit search: distinct (source, event, arguments, results, target). Steps
//! that differ in a slot which one of them leaves alone may be one step in some state; short vectors with such
//! steps are looked at together with the values of these slots.

use ldd::{Count, Node};
use rustc_hash::FxHashSet;

use super::groups::Step;
use super::run::{Run, Stopped};

/// Transitions of each group from all states.
pub(super) fn transitions(run: &mut Run<'_>) -> Result<Vec<Count>, Stopped> {
    let all = run.visited;
    let mut counts = Vec::new();
    for group in 0..run.learner.groups.len() {
        let (outcomes, coinciding) = {
            let learned = &run.learner.state().learned[group];
            (learned.outcomes.clone(), learned.coinciding.clone())
        };
        let pattern = run.learner.groups[group].reads_whole;
        let mut count = Count::default();
        for (steps, short) in outcomes {
            let states = run.attempt(&[], |run| run.store.matching(all, short, pattern))?;
            count += run.store.count(states) * steps;
        }
        for (short, steps) in coinciding {
            let states = run.attempt(&[], |run| {
                let short = run.store.single(&short)?;
                run.store.matching(all, short, pattern)
            })?;
            count -= coincidences(run, group, &steps, states)?;
        }
        counts.push(count);
    }
    Ok(counts)
}

/// How many steps too many were counted.
fn coincidences(
    run: &mut Run<'_>,
    group: usize,
    steps: &[Step],
    states: Node,
) -> Result<Count, Stopped> {
    let pattern = run.learner.groups[group].reads_and_options;
    let slots: Vec<usize> = {
        let group = &run.learner.groups[group];
        let options = group
            .touches
            .iter()
            .filter(|touch| !matches!(touch.own, ldd::Role::Write | ldd::Role::Skip));
        options.map(|touch| touch.slot).collect()
    };
    let cases = run.attempt(&[states], |run| run.store.project(states, pattern))?;
    let mut surplus = Count::default();
    for case in run.store.vectors(cases) {
        let touches = &run.learner.groups[group].touches;
        let old = |slot: usize| slots.iter().position(|s| *s == slot).map(|at| case[at]);
        let targets: FxHashSet<(&[u32], Vec<Option<u32>>)> = steps
            .iter()
            .map(|step| {
                let writes = touches.iter().zip(&step.writes);
                let target = writes.map(|(touch, write)| write.or_else(|| old(touch.slot)));
                (step.label.as_slice(), target.collect())
            })
            .collect();
        let twice = steps.len() - targets.len();
        if twice > 0 {
            let fitting = run.attempt(&[states, cases], |run| {
                let case = run.store.single(&case)?;
                run.store.matching(states, case, pattern)
            })?;
            surplus += run.store.count(fitting) * twice;
        }
    }
    Ok(surplus)
}
