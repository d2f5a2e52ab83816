//! Paths in the lines that `spin -t -p` prints, so that the two can be compared by eye.
//!
//! Differs: SPIN numbers a handshake as two steps and so do we; its numbers of states are those of locations here. Statements
//! are printed as in the text, without SPIN's additional parentheses.

use std::fmt::Write as _;

use program::{Program, State};
use program_interp::Machine;
use subject::Trace;
use subject::display::Listing;

use super::lines::Lines;
use super::walk::{self, Happened};
use super::{describe, value};

/// The lines of a path.
pub(crate) fn listing(program: &Program, lines: &Lines, trace: &Trace, wanted: Listing) -> String {
    let machine = Machine::new(program);
    let mut out = Writer {
        program,
        lines,
        wanted,
        text: String::new(),
        steps: 0,
    };
    for (at, step) in walk::along(&machine, trace).into_iter().enumerate() {
        if trace.loop_start == Some(at) {
            out.line(format_args!("  <<<<<START OF CYCLE>>>>>"));
        }
        for happened in step {
            out.step(&happened);
        }
    }
    let last = trace.steps.last();
    if let Some(state) = last.and_then(|step| value::state_of(&step.after)) {
        out.end(state);
    }
    out.text
}

struct Writer<'a> {
    program: &'a Program,
    lines: &'a Lines,
    wanted: Listing,
    text: String,
    steps: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{text}");
    }

    fn step(&mut self, happened: &Happened) {
        self.steps += 1;
        let steps = self.steps;
        let Happened { pid, .. } = *happened;
        let proctype = &self.program.proctypes[happened.proctype];
        let edge = &proctype.graph.edges[happened.edge];
        let priority = happened.before.processes[pid].priority;
        let place = self.lines.place(edge.span);
        let who = format!(
            "{steps:3}:\tproc {pid:2} ({}:{priority}) {place}",
            proctype.name
        );
        for printed in happened.printed.lines() {
            let indent = " ".repeat(6 + 4 * pid);
            self.line(format_args!("{indent}{printed}"));
        }
        if let Some(message) = &happened.message {
            let fields = walk::fields(self.program, &happened.before, message);
            let name = walk::channel_name(self.program, &happened.before, message.channel);
            let number = message.channel + 1;
            let (word, arrow) = match (message.is_sent, message.is_handed) {
                (true, false) => ("Send", "->"),
                (true, true) => ("Sent", "->"),
                (false, _) => ("Recv", "<-"),
            };
            if message.is_sent && self.wanted.sends || !message.is_sent && self.wanted.receives {
                self.line(format_args!(
                    "{who} {word} {fields}\t{arrow} queue {number} ({name})"
                ));
            }
        }
        if self.wanted.statements {
            let number = proctype.graph.locations[edge.from].number;
            self.line(format_args!("{who} (state {number})\t[{}]", edge.text));
        }
        if self.wanted.globals {
            let old = describe::globals(self.program, &happened.before);
            for (name, value) in describe::globals(self.program, &happened.after) {
                if !old.contains(&(name.clone(), value.clone())) {
                    self.line(format_args!("\t\t{name} = {value}"));
                }
            }
        }
        if self.wanted.locals && happened.after.processes.len() > pid {
            let old = describe::locals(self.program, &happened.before, pid);
            for (name, value) in describe::locals(self.program, &happened.after, pid) {
                if !old.contains(&(name.clone(), value.clone())) {
                    self.line(format_args!(
                        "\t\t{}({pid}):{name} = {value}",
                        proctype.name
                    ));
                }
            }
        }
    }

    fn end(&mut self, state: &State) {
        let steps = self.steps;
        self.line(format_args!("spin: trail ends after {steps} steps"));
        self.line(format_args!("#processes: {}", state.processes.len()));
        for (name, value) in describe::globals(self.program, state) {
            self.line(format_args!("\t\t{name} = {value}"));
        }
        for (pid, process) in state.processes.iter().enumerate().rev() {
            let proctype = &self.program.proctypes[process.proctype];
            let location = &proctype.graph.locations[process.location];
            let end = match location.marks.is_end {
                true => " <valid end state>",
                false => "",
            };
            let (name, priority) = (proctype.name, process.priority);
            let (place, number) = (self.lines.place(location.span), location.number);
            self.line(format_args!(
                "{steps:3}:\tproc {pid:2} ({name}:{priority}) {place} (state {number}){end}"
            ));
            if self.wanted.locals {
                for (local, value) in describe::locals(self.program, state, pid) {
                    self.line(format_args!("\t\t{name}({pid}):{local} = {value}"));
                }
            }
        }
        let count = state.processes.len();
        self.line(format_args!("{count} processes are left"));
    }
}
