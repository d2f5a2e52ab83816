//! Processes, claims and observers: one edge a line.

use std::fmt::Write;

use crate::{Act, Direction, Edge, Event, Graph, Observer, Proctype, Program, Then};

use super::expressions::{expression, patterns};
use super::statements::statement;
use super::variable;

/// A kind of process.
pub(super) fn proctype(program: &Program, proctype: &Proctype, out: &mut String) {
    let word = if proctype.is_deterministic {
        "deterministic proctype"
    } else {
        "proctype"
    };
    let _ = writeln!(
        out,
        "{word} {} ({} parameters)",
        proctype.name, proctype.parameters
    );
    if let Some(condition) = proctype.provided {
        let _ = writeln!(out, "  provided {}", expression(program, condition));
    }
    for promise in &proctype.promises {
        let channel = expression(program, promise.channel);
        let _ = writeln!(out, "  alone {channel}{}", sign(promise.direction));
    }
    if let Some(prologue) = proctype.prologue {
        out.push_str("  prologue\n");
        statement(program, prologue, 2, out);
    }
    graph(program, &proctype.graph, out);
}

/// The observer of channel events.
pub(super) fn observer(program: &Program, observer: &Observer, out: &mut String) {
    let word = if observer.is_forbidden {
        "notrace"
    } else {
        "trace"
    };
    let _ = writeln!(out, "{word} {}", observer.name);
    for (direction, channel) in &observer.scope {
        let _ = writeln!(
            out,
            "  sees {}{}",
            expression(program, *channel),
            sign(*direction)
        );
    }
    graph(program, &observer.graph, out);
}

/// Locations and edges.
pub(super) fn graph(program: &Program, graph: &Graph, out: &mut String) {
    for (id, declared) in graph.variables.iter() {
        out.push_str("  ");
        variable(program, "var", id.index(), declared, out);
    }
    for (id, location) in graph.locations.iter() {
        let mut words = Vec::new();
        for (is_so, word) in [
            (graph.start == Some(id), "start"),
            (graph.end == Some(id), "last"),
            (location.marks.is_end, "end"),
            (location.marks.is_accepting, "accept"),
            (location.marks.is_progress, "progress"),
        ] {
            if is_so {
                words.push(word.to_string());
            }
        }
        words.extend(location.labels.iter().map(|label| format!("{label}:")));
        let words = words.join(" ");
        let _ = writeln!(out, "  at {} ({}) {words}", id.index(), location.number);
        for (level, edges) in location.levels.iter().enumerate() {
            let escape = if level + 1 < location.levels.len() {
                "unless "
            } else {
                ""
            };
            for id in edges {
                let edge = &graph.edges[*id];
                let _ = writeln!(
                    out,
                    "    {escape}{}",
                    self::edge(program, edge, out_of(edge))
                );
                if let Act::Do(stmt) = edge.act {
                    statement(program, stmt, 4, out);
                }
            }
        }
    }
}

fn out_of(edge: &Edge) -> &'static str {
    match edge.then {
        Then::Anybody => "->",
        Then::Same => "=>",
        Then::First => ">>",
    }
}

fn edge(program: &Program, edge: &Edge, arrow: &str) -> String {
    let show = |id| expression(program, id);
    let act = match &edge.act {
        Act::Guard(condition) => format!("when {}", show(*condition)),
        Act::Do(_) => "do".to_string(),
        Act::Send {
            channel,
            values,
            is_sorted,
        } => {
            let values: Vec<String> = values.iter().map(|id| show(*id)).collect();
            let word = if *is_sorted { "!!" } else { "!" };
            format!("{}{word}{}", show(*channel), values.join(", "))
        }
        Act::Receive {
            channel,
            patterns: fields,
            take,
        } => {
            let word = if take.is_any { "??" } else { "?" };
            let fields = patterns(program, fields);
            let fields = if take.is_copy {
                format!("<{fields}>")
            } else {
                fields
            };
            format!("{}{word}{fields}", show(*channel))
        }
        Act::Else => "else".to_string(),
        Act::End => "end".to_string(),
        Act::Observe(Event {
            direction,
            channel,
            patterns: fields,
        }) => {
            let (channel, sign) = (show(*channel), sign(*direction));
            format!("sees {channel}{sign}{}", patterns(program, fields))
        }
    };
    format!("{act} {arrow} {} [{}]", edge.to.index(), edge.text)
}

fn sign(direction: Direction) -> &'static str {
    match direction {
        Direction::Send => "!",
        Direction::Receive => "?",
    }
}
