//! How much there was: the counts of an engine in the words of the report.

use pins::{Event, GroupId};
use search::explicit::Outcome;
use search::symbolic;
use subject::Ground;

use super::run::Run;
use crate::report::{Count, OperationCount, Statistics, Symbolic, VariableCount};

/// The counts that every engine has.
pub(super) fn statistics(outcome: &Outcome) -> Statistics {
    let counted = &outcome.statistics;
    Statistics {
        states: counted.states.into(),
        setups: counted.setups,
        nodes: counted.nodes().into(),
        transitions: Some(counted.transitions.into()),
        edges: Some(counted.edges().into()),
        next_state_calls: counted.next_state_calls,
        label_calls: counted.label_calls,
        depth: u64::from(counted.depth),
        store_bytes: counted.store_bytes,
        disk_bytes: (counted.disk_bytes > 0).then_some(counted.disk_bytes),
        undefined_guards: outcome.notes.undefined_guards,
        dropped_faults: outcome.notes.dropped_faults,
        ..Statistics::default()
    }
}

/// How often each operation happened.
pub(super) fn operations(
    run: &Run<'_>,
    outcome: &Outcome,
    ground: &dyn Ground,
) -> Vec<OperationCount> {
    let counted = &outcome.statistics;
    let events = &run.subject.description().events;
    let mut transitions = vec![0; events.len()];
    for (group, count) in counted.group_transitions.iter().enumerate() {
        transitions[ground.event(GroupId::new(group)).index()] += count;
    }
    let mut blocked = vec![0; events.len()];
    for (group, count) in ground.blocked().into_iter().enumerate() {
        blocked[ground.event(GroupId::new(group)).index()] += count;
    }
    let mut goes_wrong = vec![false; events.len()];
    for found in outcome.findings.iter().filter(|one| one.fault.is_some()) {
        if let Some(Event::Group(group)) = found.event {
            goes_wrong[ground.event(group).index()] = true;
        }
    }
    let counts = transitions.into_iter().zip(blocked).zip(goes_wrong);
    let counted = events.iter().zip(counts);
    let counted = counted.map(
        |(event, ((transitions, blocked), goes_wrong))| OperationCount {
            name: event.name.to_string(),
            transitions: Some(transitions.into()),
            happens: transitions > 0,
            place: event.span.map(|span| run.sources.place(span)),
            blocked,
            goes_wrong,
        },
    );
    counted.collect()
}

/// The operations that never happened.
pub(super) fn never(operations: &[OperationCount]) -> Vec<String> {
    let never = operations.iter().filter(|operation| !operation.happens);
    never.map(|operation| operation.name.clone()).collect()
}

/// What only the symbolic engine counts, or counts exactly.
pub(super) fn on_sets(
    counted: &symbolic::Statistics,
    outcome: &Outcome,
    statistics: &mut Statistics,
) {
    let common = &outcome.statistics;
    let states = Count::from(counted.states.clone());
    statistics.nodes = states.clone() + common.setups + 1;
    statistics.states = states;
    let transitions = counted.transitions.clone().map(Count::from);
    let edges = transitions.clone();
    statistics.edges = edges.map(|count| count + common.start_edges);
    statistics.transitions = transitions;
    let (lookups, hits) = counted.cache;
    statistics.symbolic = Some(Symbolic {
        ldd_nodes: counted.ldd_nodes,
        peak_ldd_nodes: counted.peak_ldd_nodes,
        peak_ldd_bytes: counted.peak_ldd_bytes,
        collections: counted.collections,
        levels: counted.levels,
        cache_hit_rate: hits as f64 / lookups.max(1) as f64,
    });
}

/// How often each operation happened, as the symbolic engine counts.
pub(super) fn operations_on_sets(
    counted: &symbolic::Statistics,
    ground: &dyn Ground,
    operations: &mut [OperationCount],
) {
    for operation in operations.iter_mut() {
        operation.transitions = None;
        operation.happens = false;
    }
    for (group, is_enabled) in counted.is_enabled.iter().enumerate() {
        let event = ground.event(GroupId::new(group));
        let operation = &mut operations[event.index()];
        operation.happens |= is_enabled;
        if let Some(counts) = &counted.group_transitions {
            let more = Count::from(counts[group].clone());
            let sum = operation.transitions.take().unwrap_or_default();
            operation.transitions = Some(sum + more);
        }
    }
}

/// Distinct values per variable; of one in several slots at least as many as its slot with the most.
pub(super) fn variables(
    run: &Run<'_>,
    outcome: &Outcome,
    ground: &dyn Ground,
) -> Vec<VariableCount> {
    // A slot with parts of several variables tells nothing of one.
    if ground.system().shape().is_packed || !ground.keeps_components_apart() {
        return Vec::new();
    }
    let components = &run.subject.description().components;
    let mut values = vec![(0, 0, false); components.len()];
    for (slot, distinct) in outcome.statistics.slot_values.iter().enumerate() {
        let (slots, most, at_least) = &mut values[ground.component(slot).index()];
        *slots += 1;
        *most = u64::from(distinct.count).max(*most);
        *at_least |= distinct.is_at_least;
    }
    let components = components.iter().zip(values);
    components
        .filter(|(component, _)| !component.is_constant)
        .map(|(component, (slots, values, at_least))| VariableCount {
            name: component.name.to_string(),
            // What has no slot never changes.
            values: if slots == 0 { 1 } else { values },
            at_least: at_least || slots > 1 && values > 1,
        })
        .collect()
}
