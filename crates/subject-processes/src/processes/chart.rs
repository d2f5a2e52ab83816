//! Message sequence charts: who sends what to whom along a path.
//!
//! A message is followed from the send to the receive that takes it: the oldest with the same fields in that channel.

use program::Program;
use program_interp::Machine;
use subject::Trace;
use subject::display::{Chart, ChartRow};

use super::walk::{self, Message};

/// The chart of a path.
pub(crate) fn chart(program: &Program, trace: &Trace) -> Chart {
    let machine = Machine::new(program);
    let mut chart = Chart::default();
    // Messages under way, with the row where they were sent.
    let mut under_way: Vec<(Message, usize)> = Vec::new();
    for happened in walk::along(&machine, trace).into_iter().flatten() {
        let name = program.proctypes[happened.proctype].name;
        let name = format!("{name}[{}]", happened.pid);
        let column = match chart.columns.iter().position(|known| *known == name) {
            Some(column) => column,
            None => {
                chart.columns.push(name);
                chart.columns.len() - 1
            }
        };
        let edge = &program.proctypes[happened.proctype].graph.edges[happened.edge];
        let row = chart.rows.len();
        let Some(message) = happened.message else {
            chart.rows.push(ChartRow {
                column,
                text: edge.text.to_string(),
                from: None,
            });
            continue;
        };
        let channel = walk::channel_name(program, &happened.before, message.channel);
        let fields = walk::fields(program, &happened.before, &message);
        let sign = if message.is_sent { '!' } else { '?' };
        let sent = match message.is_sent {
            true => {
                under_way.push((message, row));
                None
            }
            false => {
                let same = |(sent, _): &(Message, usize)| {
                    sent.channel == message.channel && sent.fields == message.fields
                };
                let found = under_way.iter().position(same);
                found.map(|at| under_way.remove(at).1)
            }
        };
        chart.rows.push(ChartRow {
            column,
            text: format!("{channel}{sign}{fields}"),
            from: sent,
        });
    }
    chart
}
