//! What a program consists of for people: global variables, the processes that live, and one event for each proctype.

use std::fmt::Write as _;

use base::Name;
use pins::LabelKind;
use program::{Program, State, Ty, TyId, Value as Inner};
use subject::display::{Actor, Part};
use subject::{Component, ComponentId, Description, Event, Holder, Label, Parameter, Step, Value};

use super::lines::Lines;
use super::value::{self, PartOf};
use super::walk::Happened;

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
        told_apart: vec![ComponentId::new(components.len() - 1)],
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
        watched: watched(program),
        not_checked: program.not_checked.clone(),
        formulas_alone: true,
        ..Description::default()
    }
}

/// What steps check themselves.
fn watched(program: &Program) -> Vec<&'static str> {
    let mut stmts = program.stmts.iter();
    let has_assertions =
        stmts.any(|(_, stmt)| matches!(stmt.kind, program::StmtKind::Assert { .. }));
    let assertions = has_assertions.then_some("assertions");
    let trace = program.observer.as_ref().map(|_| "trace");
    assertions.into_iter().chain(trace).collect()
}

/// The component of a global variable, unless it is hidden.
pub(crate) fn component_of(program: &Program, variable: program::VarId) -> Option<ComponentId> {
    let globals = program.variables.iter();
    let mut shown = globals.filter(|(_, variable)| !variable.is_hidden);
    shown
        .position(|(id, _)| id == variable)
        .map(ComponentId::new)
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

/// A part of a step for people.
pub(crate) fn part(program: &Program, lines: &Lines, part: &Happened) -> Part {
    let only = [(part.pid, part.proctype, part.edge)];
    let values = arguments(program, lines, &only);
    let told = values.iter().flatten().map(Value::told);
    let names = PARAMETERS.map(str::to_owned).into_iter();
    Part {
        event: program.proctypes[part.proctype].name.to_string(),
        arguments: names.zip(told).collect(),
        state: names_and_values(program, lines, &part.after),
    }
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
pub(crate) fn told(program: &Program, state: &State, ty: TyId, inner: &Inner) -> String {
    base::deep::recurse(|| match (program.types.get(ty), inner) {
        (Ty::Symbol(symbols), Inner::Int(number)) => {
            let names = &program.types.symbols[*symbols].names;
            let known = names.iter().find(|(value, _)| value == number);
            known.map_or_else(|| number.to_string(), |(_, name)| name.to_string())
        }
        (Ty::Channel, Inner::Int(reference)) => channel(program, state, *reference),
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

/// The messages of a channel: `[req,2;ack,4]`.
fn channel(program: &Program, state: &State, reference: i64) -> String {
    let queue = usize::try_from(reference - 1)
        .ok()
        .and_then(|at| state.channels.get(at));
    let Some(queue) = queue else {
        return "none".to_owned();
    };
    let types = &program.channels[queue.kind].fields;
    let messages = queue.messages.iter();
    let messages: Vec<String> = messages
        .map(|message| fields(program, state, types, message))
        .collect();
    format!("[{}]", messages.join(";"))
}

/// The fields of a message as people write them; channels by their numbers.
pub(crate) fn fields(program: &Program, state: &State, types: &[TyId], message: &[i64]) -> String {
    let texts = message.iter().enumerate().map(|(at, field)| {
        let is_plain = |ty: &&TyId| !matches!(program.types.get(**ty), Ty::Channel);
        types.get(at).filter(is_plain).map_or_else(
            || field.to_string(),
            |ty| told(program, state, *ty, &Inner::Int(*field)),
        )
    });
    texts.collect::<Vec<String>>().join(",")
}

/// The names of the variables of a kind of process; those that stand in several blocks are numbered.
pub(crate) fn variable_names(proctype: &program::Proctype) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (_, variable) in proctype.graph.variables.iter() {
        let name = variable.name.as_str();
        let mut unique = name.to_owned();
        let mut number = 1;
        while names.contains(&unique) {
            number += 1;
            unique = format!("{name}#{number}");
        }
        names.push(unique);
    }
    names
}

/// What a process holds: `k` and its value.
pub(crate) fn locals(program: &Program, state: &State, pid: usize) -> Vec<(String, String)> {
    let process = &state.processes[pid];
    let proctype = &program.proctypes[process.proctype];
    let variables = proctype.graph.variables.iter().zip(&process.variables);
    let values = variables.map(|((_, variable), value)| told(program, state, variable.ty, value));
    variable_names(proctype).into_iter().zip(values).collect()
}

/// Global variables with their values.
pub(crate) fn globals(program: &Program, state: &State) -> Vec<(String, String)> {
    let globals = program
        .variables
        .iter()
        .filter(|(_, variable)| !variable.is_hidden);
    globals
        .map(|(id, variable)| {
            let value = &state.globals[id.index()];
            let told = told(program, state, variable.ty, value);
            (variable.name.to_string(), told)
        })
        .collect()
}

/// A state for people: global variables, where each process is, what it holds.
pub(crate) fn names_and_values(
    program: &Program,
    lines: &Lines,
    state: &State,
) -> Vec<(String, String)> {
    let mut out = globals(program, state);
    for (pid, process) in state.processes.iter().enumerate() {
        let proctype = &program.proctypes[process.proctype];
        let name = format!("{}[{pid}]", proctype.name);
        let location = &proctype.graph.locations[process.location];
        out.push((name.clone(), format!("line {}", lines.line(location.span))));
        let locals = locals(program, state, pid).into_iter();
        out.extend(locals.map(|(local, value)| (format!("{name}:{local}"), value)));
    }
    if let Some(at) = state.observer {
        out.push(("trace".to_owned(), at.index().to_string()));
    }
    out
}

/// The processes of a state, each with the statements that stand where it is.
pub(crate) fn actors_at(program: &Program, lines: &Lines, state: &State) -> Vec<Actor> {
    let living = state.processes.iter().enumerate();
    living
        .map(|(pid, process)| {
            let proctype = &program.proctypes[process.proctype];
            let graph = &proctype.graph;
            let edges = graph.locations[process.location].levels.iter().flatten();
            let at = edges.map(|id| {
                let edge = &graph.edges[*id];
                format!("{} {}", lines.line(edge.span), edge.text)
            });
            Actor {
                name: format!("{}[{pid}]", proctype.name),
                at: at.collect(),
                values: locals(program, state, pid),
            }
        })
        .collect()
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
