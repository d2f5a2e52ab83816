//! Processes that may end: the youngest ends first, and whether anybody can tell.
//!
//! A process at the end of its text waits until all younger ones have ended. In a permuted state others wait, so the steps by
//! which processes end are not permuted with the state. Where nothing in the program sees whether a process has ended or
//! is about to, that does not matter: the states before and after an end have the same other steps, and every process that
//! waits in one state of an orbit ends from another one (decision 0111).
//! Invariant: what is not known to be blind to the end of processes counts as seeing it.

use base::Span;
use program::{Act, Graph, Kind, Program, Root, State, Then};

use crate::settle::may_end;

/// The processes that may end, in the order in which they do: from the youngest on, up to one that lives for ever.
pub(crate) fn mortal(program: &Program, first: &State, settled: &[Vec<bool>]) -> Vec<usize> {
    let youngest = (0..first.processes.len()).rev();
    let mortal = youngest.take_while(|pid| comes_to_end(program, first, settled, *pid));
    mortal.collect()
}

/// The processes that may come to the end of their texts and then wait for a younger one that lives for ever.
pub(crate) fn outlived(program: &Program, first: &State, settled: &[Vec<bool>]) -> Vec<usize> {
    let rest = first.processes.len() - mortal(program, first, settled).len();
    let waiting = (0..rest).filter(|pid| comes_to_end(program, first, settled, *pid));
    waiting.collect()
}

fn comes_to_end(program: &Program, first: &State, settled: &[Vec<bool>], pid: usize) -> bool {
    let kind = first.processes[pid].proctype;
    may_end(&program.proctypes[kind].graph, &settled[kind.index()])
}

/// What sees whether one of some processes has ended or is about to.
pub(crate) fn seen(
    program: &Program,
    first: &State,
    mortal: &[usize],
) -> Option<(Option<Span>, &'static str)> {
    let mut queues = first.channels.iter();
    if let Some(queue) = queues.find(|queue| mortal.iter().any(|pid| queue.above == pid + 1)) {
        let span = program.channels[queue.kind].span;
        return Some((Some(span), "may end, and channels end with it"));
    }
    if program.semantics.has_priorities {
        return Some((None, "may end, which changes whose priority is the highest"));
    }
    if program.has_last {
        return Some((None, "may end, which _last tells"));
    }
    let exprs = program.exprs.iter().find_map(|(_, expr)| {
        let what = match expr.kind {
            Kind::Processes => "may end, the youngest first, and _nr_pr is read",
            Kind::Timeout => "may end, the youngest first, and timeout waits for that",
            Kind::Enabled(_) | Kind::PriorityOf(_) => {
                "may end, the youngest first, and it is asked what a process can do"
            }
            Kind::LocationOf(_) | Kind::At { .. } | Kind::NoProgress => {
                "may end, the youngest first, and it is asked where a process is"
            }
            _ => return None,
        };
        Some((Some(expr.span), what))
    });
    let places = || {
        let mut places = program.places.iter();
        let remote = places.find(|(_, place)| matches!(place.root, Root::Remote { .. }));
        let what = "may end, the youngest first, and its variables are read by others";
        remote.map(|(_, place)| (Some(place.span), what))
    };
    let joined = || {
        let kinds = program.proctypes.iter();
        let mut joined = kinds.filter_map(|(_, kind)| ends_within_a_step(&kind.graph));
        let what = "may end in the step before its end, if it is the youngest process";
        joined.next().map(|span| (Some(span), what))
    };
    exprs.or_else(places).or_else(joined)
}

/// An edge that goes on to the end of its process without a state in between.
fn ends_within_a_step(graph: &Graph) -> Option<Span> {
    let is_last = |location: usize| {
        let mut edges = graph.edges.iter();
        edges.any(|(_, edge)| matches!(edge.act, Act::End) && edge.from.index() == location)
    };
    let mut edges = graph.edges.iter();
    let found = edges.find(|(_, edge)| {
        !matches!(edge.act, Act::End) && edge.then != Then::Anybody && is_last(edge.to.index())
    });
    found.map(|(_, edge)| edge.span)
}
