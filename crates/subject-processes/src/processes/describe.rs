//! What a program consists of for people: global variables, the processes that live, and one event for each proctype.

use std::fmt::Write as _;

use base::Name;
use pins::LabelKind;
use program::{Program, State, Ty, TyId, Value as Inner};
use subject::{Component, Description, Event, Holder, Label, Parameter, Step, Value};

use super::lines::Lines;
use super::value::{self, PartOf};

/// The parameters of an event.
const PARAMETERS: [&str; 3] = ["pid", "line", "statement"];

/// The description of a program.
pub(crate) fn description(program: &Program) -> Description {
    let globals = program
        .variables
        .iter()
        .filter(|(_, variable)| !variable.is_hidden);
    let mut components: Vec<Component> = globals
        .map(|(_, variable)| Component {
            name: variable.name,
            is_constant: false,
            span: Some(variable.span),
        })
        .collect();
    components.push(Component {
        name: Name::new("processes"),
        is_constant: false,
        span: None,
    });
    let events = program.proctypes.iter().map(|(_, proctype)| Event {
        name: proctype.name,
        parameters: PARAMETERS
            .map(|name| Parameter {
                name: Name::new(name),
            })
            .to_vec(),
        results: Vec::new(),
        span: Some(proctype.span),
    });
    Description {
        name: program.name.to_string(),
        components,
        events: events.collect(),
        labels: vec![Label {
            kind: LabelKind::End,
            label: Some(Name::new("end states")),
            text: "every process is at its end or at an end label".to_owned(),
            span: None,
            is_static: false,
            reads: Vec::new(),
        }],
        not_checked: program.not_checked.clone(),
        formulas_alone: true,
        ..Description::default()
    }
}

/// The components of a state.
pub(crate) fn values(program: &Program, state: &State) -> Vec<Option<Value>> {
    let globals = program
        .variables
        .iter()
        .filter(|(_, variable)| !variable.is_hidden);
    let mut out: Vec<Option<Value>> = globals
        .map(|(id, variable)| {
            Some(shown(
                program,
                state,
                variable.ty,
                &state.globals[id.index()],
            ))
        })
        .collect();
    out.push(Some(value::whole(processes(program, state), state.clone())));
    out
}

/// The values of a step: who, where, what.
pub(crate) fn arguments(program: &Program, lines: &Lines, parts: &[PartOf]) -> Vec<Option<Value>> {
    let Some((pid, proctype, edge)) = parts.first() else {
        return Vec::new();
    };
    let edge = &program.proctypes[*proctype].graph.edges[*edge];
    let mut statement = edge.text.to_string();
    for (other, proctype, edge) in &parts[1..] {
        let edge = &program.proctypes[*proctype].graph.edges[*edge];
        match other == pid {
            true => write!(statement, "; {}", edge.text),
            false => write!(statement, "; {other}: {}", edge.text),
        }
        .unwrap_or_default();
    }
    vec![
        Some(value::number(*pid as i64)),
        Some(value::number(i64::from(lines.line(edge.span)))),
        Some(value::statement(statement, parts)),
    ]
}

/// The processes that take part in a step.
pub(crate) fn actors(step: &Step) -> Vec<usize> {
    let mut pids: Vec<usize> = Vec::new();
    for (pid, ..) in value::parts_of(&step.arguments) {
        if !pids.contains(pid) {
            pids.push(*pid);
        }
    }
    pids
}

/// How the type of what a holder holds is written.
pub(crate) fn type_text(program: &Program, holder: Holder) -> String {
    let ty = match holder {
        Holder::Component(id) => {
            let mut globals = program
                .variables
                .iter()
                .filter(|(_, variable)| !variable.is_hidden);
            globals.nth(id.index()).map(|(_, variable)| variable.ty)
        }
        Holder::Parameter(_, 2) => return "text".to_owned(),
        _ => return "int".to_owned(),
    };
    ty.map_or_else(|| "processes".to_owned(), |ty| type_name(program, ty))
}

fn type_name(program: &Program, ty: TyId) -> String {
    match program.types.get(ty) {
        Ty::Int(width) => match (width.bits, width.is_signed) {
            (1, _) => "bit".to_owned(),
            (8, false) => "byte".to_owned(),
            (16, true) => "short".to_owned(),
            (32, true) => "int".to_owned(),
            (bits, _) => format!("unsigned:{bits}"),
        },
        Ty::Pid => "pid".to_owned(),
        Ty::Channel => "chan".to_owned(),
        Ty::Symbol(_) => "mtype".to_owned(),
        Ty::Array { element, .. } => format!("array of {}", type_name(program, *element)),
        Ty::Record(record) => {
            let name = program.types.records[*record].name;
            name.map_or_else(|| "structure".to_owned(), |name| name.to_string())
        }
        _ => "int".to_owned(),
    }
}

fn shown(program: &Program, state: &State, ty: TyId, inner: &Inner) -> Value {
    match (program.types.get(ty), inner) {
        (Ty::Channel | Ty::Symbol(_), _) => value::text(told(program, state, ty, inner)),
        (_, Inner::Int(number)) => value::number(*number),
        _ => value::text(told(program, state, ty, inner)),
    }
}

/// A value as text: symbols by name, channels by their messages.
fn told(program: &Program, state: &State, ty: TyId, inner: &Inner) -> String {
    base::deep::recurse(|| match (program.types.get(ty), inner) {
        (Ty::Symbol(symbols), Inner::Int(number)) => {
            let names = &program.types.symbols[*symbols].names;
            let known = names.iter().find(|(value, _)| value == number);
            known.map_or_else(|| number.to_string(), |(_, name)| name.to_string())
        }
        (Ty::Channel, Inner::Int(reference)) => channel(state, *reference),
        (_, Inner::Int(number)) => number.to_string(),
        (Ty::Array { element, .. }, Inner::Parts(parts)) => {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| told(program, state, *element, part))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
        (Ty::Record(record), Inner::Parts(parts)) => {
            let fields = program.types.records[*record].fields.iter().zip(parts);
            let fields: Vec<String> = fields
                .map(|((name, ty), part)| format!("{name}={}", told(program, state, *ty, part)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        _ => "?".to_owned(),
    })
}

/// The messages of a channel: `[1,2;3,4]`.
fn channel(state: &State, reference: i64) -> String {
    let queue = usize::try_from(reference - 1)
        .ok()
        .and_then(|at| state.channels.get(at));
    let Some(queue) = queue else {
        return "none".to_owned();
    };
    let messages: Vec<String> = queue
        .messages
        .iter()
        .map(|message| {
            message
                .iter()
                .map(i64::to_string)
                .collect::<Vec<_>>()
                .join(",")
        })
        .collect();
    format!("[{}]", messages.join(";"))
}

/// All living processes: where they are and what they hold.
fn processes(program: &Program, state: &State) -> String {
    let mut out = Vec::new();
    for (pid, process) in state.processes.iter().enumerate() {
        let proctype = &program.proctypes[process.proctype];
        let location = &proctype.graph.locations[process.location];
        let mut text = format!("{}[{pid}]@{}", proctype.name, location.number);
        for label in &location.labels {
            write!(text, ":{label}").unwrap_or_default();
        }
        for ((_, variable), value) in proctype.graph.variables.iter().zip(&process.variables) {
            write!(
                text,
                " {}={}",
                variable.name,
                told(program, state, variable.ty, value)
            )
            .unwrap_or_default();
        }
        out.push(text);
    }
    if let Some(at) = state.observer {
        out.push(format!("trace@{}", at.index()));
    }
    out.join(", ")
}
