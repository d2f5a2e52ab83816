//! Paths taken apart: what happens in each step, one thing after the other, by the reference evaluator.

use program::{Act, EdgeId, ProctypeId, Program, State};
use program_interp::{End, Machine, What};
use subject::{Happening, Step, Trace};

use super::value;

/// One thing that happens.
pub(crate) struct Happened {
    /// Who.
    pub(crate) pid: usize,
    /// Of which kind.
    pub(crate) proctype: ProctypeId,
    /// Which edge.
    pub(crate) edge: EdgeId,
    /// The state before it.
    pub(crate) before: State,
    /// The state after it.
    pub(crate) after: State,
    /// What it prints.
    pub(crate) printed: String,
    /// The message that it sends or receives.
    pub(crate) message: Option<Message>,
}

/// A message that is sent or received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// The number of the channel, from 0.
    pub(crate) channel: usize,
    /// Its fields.
    pub(crate) fields: Vec<i64>,
    /// Whether it is sent.
    pub(crate) is_sent: bool,
    /// Whether it is handed over without a buffer.
    pub(crate) is_handed: bool,
}

/// What happens in a step, when the reference evaluator knows it.
pub(crate) fn parts(machine: &Machine<'_>, before: &State, step: &Step) -> Vec<Happened> {
    let wanted = value::parts_of(&step.arguments);
    let Some(after) = value::state_of(&step.after) else {
        return Vec::new();
    };
    let found = machine.steps(before).into_iter().find(|taken| {
        let edges = taken.parts.iter().map(|part| match part.what {
            What::Edge {
                pid,
                proctype,
                edge,
            } => Some((pid, proctype, edge)),
            What::Rule { .. } => None,
        });
        matches!(&taken.end, End::State(end) if end == after)
            && edges.eq(wanted.iter().map(|part| Some(*part)))
    });
    let Some(found) = found else {
        return Vec::new();
    };
    let mut here = before.clone();
    let mut out: Vec<Happened> = Vec::new();
    for (part, (pid, proctype, edge)) in found.parts.into_iter().zip(wanted) {
        let next = part.after.unwrap_or_else(|| after.clone());
        let offered = out.last().and_then(|last| last.message.clone());
        let message = message(machine, (&here, &next), (*pid, *proctype, *edge), offered);
        out.push(Happened {
            pid: *pid,
            proctype: *proctype,
            edge: *edge,
            before: std::mem::replace(&mut here, next.clone()),
            after: next,
            printed: part.printed,
            message,
        });
    }
    // Hidden variables have their first value between steps.
    if let Some(last) = out.last_mut() {
        last.after = after.clone();
    }
    out
}

/// The message of a part, if it is about one.
fn message(
    machine: &Machine<'_>,
    (before, after): (&State, &State),
    (pid, proctype, edge): value::PartOf,
    offered: Option<Message>,
) -> Option<Message> {
    let program = machine.program();
    let number = |expr| match machine.value_for(before, pid, expr) {
        Ok(program::Value::Int(number)) => Some(number),
        _ => None,
    };
    let channel_of = |expr| usize::try_from(number(expr)? - 1).ok();
    let capacity = |channel: usize| {
        let queue = before.channels.get(channel)?;
        Some(program.channels[queue.kind].capacity)
    };
    match &program.proctypes[proctype].graph.edges[edge].act {
        Act::Send {
            channel, values, ..
        } => {
            let channel = channel_of(*channel)?;
            let fields: Option<Vec<i64>> = values.iter().map(|value| number(*value)).collect();
            Some(Message {
                channel,
                fields: fields?,
                is_sent: true,
                is_handed: capacity(channel)? == 0,
            })
        }
        Act::Receive { channel, .. } => {
            let channel = channel_of(*channel)?;
            let is_handed = capacity(channel)? == 0;
            let fields = match is_handed {
                true => offered.filter(|offered| offered.is_sent)?.fields,
                false => {
                    let (old, new) = (before.channels.get(channel)?, after.channels.get(channel));
                    let new = new.map_or(&[][..], |queue| &queue.messages[..]);
                    let pairs = old.messages.iter().zip(new.iter().map(Some).chain([None]));
                    // A message that stays was the first.
                    let taken = pairs.into_iter().find(|(old, new)| Some(*old) != *new);
                    taken.map_or_else(|| old.messages.first().cloned(), |(m, _)| Some(m.clone()))?
                }
            };
            Some(Message {
                channel,
                fields,
                is_sent: false,
                is_handed,
            })
        }
        _ => None,
    }
}

/// Everything that happens along a path; each step by itself.
pub(crate) fn along(machine: &Machine<'_>, trace: &Trace) -> Vec<Vec<Happened>> {
    let mut out = Vec::new();
    for (at, step) in trace.steps.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &trace.steps[at].after);
        let before = before.and_then(|values| value::state_of(values));
        out.push(match (step.happening, before) {
            (Happening::Event(_), Some(before)) => parts(machine, before, step),
            _ => Vec::new(),
        });
    }
    out
}

/// The fields of a message as people write them.
pub(crate) fn fields(program: &Program, state: &State, message: &Message) -> String {
    let kind = state.channels.get(message.channel).map(|queue| queue.kind);
    let types = kind.map_or(&[][..], |kind| &program.channels[kind].fields[..]);
    super::describe::fields(program, state, types, &message.fields)
}

/// The name of a channel.
pub(crate) fn channel_name(program: &Program, state: &State, channel: usize) -> String {
    let queue = state.channels.get(channel);
    queue.map_or_else(
        || format!("channel {}", channel + 1),
        |queue| program.channels[queue.kind].name.to_string(),
    )
}
