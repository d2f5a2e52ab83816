//! Why a process cannot be exchanged with others of its kind: what tells it apart, and where.

use base::Span;
use canon::Node;
use permgroup::Group;
use program::{Program, State};

use crate::ends;
use crate::kinds::Kinds;
use crate::values::Values;

/// A process that stays where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alone {
    /// Its number.
    pub pid: usize,
    /// What tells it apart, in a few words.
    pub what: &'static str,
    /// Where.
    pub span: Option<Span>,
}

/// Processes that must stay where they are, whatever the text says.
pub(crate) fn pins(
    program: &Program,
    first: &State,
    settled: &[Vec<bool>],
    kinds: &Kinds<'_>,
    values: &Values,
) -> Vec<Option<Alone>> {
    let count = first.processes.len();
    let mortal = ends::mortal(program, first, settled);
    let seen = ends::seen(program, first, &mortal);
    let is_number = kinds.find(kinds.pid) == kinds.find(kinds.number);
    let pins = (0..count).map(|pid| {
        if is_number {
            let (span, what) = values
                .pinned
                .first()
                .copied()
                .unwrap_or((None, "process numbers are used as plain numbers"));
            return Some(Alone { pid, what, span });
        }
        let (span, what) = seen.filter(|_| mortal.contains(&pid))?;
        let own = program.proctypes[first.processes[pid].proctype].span;
        Some(Alone {
            pid,
            what,
            span: span.or(Some(own)),
        })
    });
    pins.collect()
}

/// The processes that the group does not move although others of their kind exist.
pub(crate) fn alone(
    program: &Program,
    first: &State,
    group: &Group,
    pins: &[Option<Alone>],
    roots: &[(Vec<Node>, Option<Span>)],
) -> Vec<Alone> {
    let orbits = group.orbits();
    let kinds = |pid: usize| first.processes[pid].proctype;
    let mut found = Vec::new();
    for (pid, pin) in pins.iter().enumerate().take(first.processes.len()) {
        let is_moved = orbits.iter().any(|orbit| orbit.contains(&(pid as u32)));
        let others = (0..first.processes.len()).filter(|other| kinds(*other) == kinds(pid));
        if is_moved || others.count() < 2 {
            continue;
        }
        if let Some(pin) = pin {
            found.push(pin.clone());
            continue;
        }
        let names = |(term, span): &&(Vec<Node>, Option<Span>)| {
            span.is_some() && term.contains(&Node::Point(pid as u32))
        };
        let given = |(term, span): &&(Vec<Node>, Option<Span>)| {
            span.is_none() && term.contains(&Node::Point(pid as u32))
        };
        found.push(match roots.iter().find(names) {
            Some((_, span)) => Alone {
                pid,
                what: "told apart by its number",
                span: *span,
            },
            None => Alone {
                pid,
                what: match roots.iter().any(|root| given(&root)) {
                    true => "told apart by what it is given at its start",
                    false => "told apart by its surroundings",
                },
                span: Some(program.proctypes[kinds(pid)].span),
            },
        });
    }
    found
}
