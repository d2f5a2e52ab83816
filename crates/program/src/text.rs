//! The program as text, so that people can see what a check really runs on and tests can say what lowering did.
//!
//! Invariant: every part of a [`crate::Program`] is shown; equal texts mean equal programs up to places.

mod expressions;
mod graphs;
mod statements;
mod values;

pub use expressions::{expression, place};
pub use values::{ty, value};

use std::fmt::Write;

use crate::{Binder, ClaimBody, Program, PropertyKind, Rule, SortKind, Variable};
use expressions::{domain, formula};
use statements::statement;

/// The whole program.
pub fn program(program: &Program) -> String {
    let mut out = format!("program {}\n", program.name);
    let _ = writeln!(out, "semantics {:?}", program.semantics);
    types(program, &mut out);
    for (id, declared) in program.variables.iter() {
        variable(program, "var", id.index(), declared, &mut out);
    }
    for (id, channel) in program.channels.iter() {
        let fields: Vec<String> = channel.fields.iter().map(|f| ty(program, *f)).collect();
        let (name, capacity) = (channel.name, channel.capacity);
        let fields = fields.join(", ");
        let _ = writeln!(
            out,
            "channel #{} {name} = [{capacity}] of {{{fields}}}",
            id.index()
        );
    }
    if let Some(prologue) = program.prologue {
        out.push_str("prologue\n");
        statement(program, prologue, 1, &mut out);
    }
    functions(program, &mut out);
    for (_, proctype) in program.proctypes.iter() {
        graphs::proctype(program, proctype, &mut out);
    }
    for active in &program.active {
        let name = program.proctypes[active.proctype].name;
        let _ = writeln!(out, "active {name} priority {}", active.priority);
    }
    if let Some(observer) = &program.observer {
        graphs::observer(program, observer, &mut out);
    }
    for start in &program.starts {
        rule(program, "start", start, &mut out);
    }
    for (_, each) in program.rules.iter() {
        rule(program, "rule", each, &mut out);
    }
    properties(program, &mut out);
    for line in &program.not_checked {
        let _ = writeln!(out, "not checked: {line}");
    }
    out
}

fn types(program: &Program, out: &mut String) {
    for (id, sort) in program.types.sorts.iter() {
        let kind = match sort.kind {
            SortKind::Enumeration => "enum",
            SortKind::Scalarset => "scalarset",
        };
        let name = sort
            .name
            .map_or_else(String::new, |name| format!(" {name}"));
        let elements: Vec<&str> = sort.elements.iter().map(|name| name.as_str()).collect();
        let _ = writeln!(
            out,
            "{kind} #{}{name} {{{}}}",
            id.index(),
            elements.join(", ")
        );
    }
    for (id, record) in program.types.records.iter() {
        let name = record
            .name
            .map_or_else(String::new, |name| format!(" {name}"));
        let fields = record.fields.iter();
        let fields: Vec<String> = fields
            .map(|(name, field)| format!("{name}: {}", ty(program, *field)))
            .collect();
        let _ = writeln!(
            out,
            "record #{}{name} {{{}}}",
            id.index(),
            fields.join("; ")
        );
    }
    for (id, symbols) in program.types.symbols.iter() {
        let name = symbols
            .name
            .map_or_else(String::new, |name| format!(" {name}"));
        let names = symbols.names.iter();
        let names: Vec<String> = names
            .map(|(value, name)| format!("{name} = {value}"))
            .collect();
        let _ = writeln!(
            out,
            "symbols #{}{name} {{{}}}",
            id.index(),
            names.join(", ")
        );
    }
}

fn variable(program: &Program, word: &str, id: usize, variable: &Variable, out: &mut String) {
    let hidden = if variable.is_hidden { "hidden " } else { "" };
    let of = ty(program, variable.ty);
    let _ = writeln!(out, "{hidden}{word} #{id} {}: {of}", variable.name);
}

fn functions(program: &Program, out: &mut String) {
    for (_, function) in program.functions.iter() {
        let local = |id: &crate::LocalId| {
            let local = &program.locals[*id];
            let mode = match local.mode {
                crate::Mode::Value => "",
                crate::Mode::Reference => "var ",
            };
            format!("{mode}{}: {}", local.name, ty(program, local.ty))
        };
        let parameters: Vec<String> = function.parameters.iter().map(local).collect();
        let result = function
            .result
            .map_or_else(String::new, |id| format!(": {}", ty(program, id)));
        let _ = writeln!(
            out,
            "function {}({}){result}",
            function.name,
            parameters.join("; ")
        );
        for name in &function.locals {
            let _ = writeln!(out, "  local {}", local(name));
        }
        statement(program, function.body, 1, out);
    }
}

fn rule(program: &Program, word: &str, rule: &Rule, out: &mut String) {
    let _ = writeln!(out, "{word} \"{}\" {}", rule.name, rule.priority);
    binders(program, &rule.binders, out);
    for local in &rule.locals {
        let local = &program.locals[*local];
        let _ = writeln!(out, "  local {}: {}", local.name, ty(program, local.ty));
    }
    if let Some(guard) = rule.guard {
        let _ = writeln!(out, "  when {}", expression(program, guard));
    }
    statement(program, rule.body, 1, out);
}

fn binders(program: &Program, binders: &[Binder], out: &mut String) {
    for binder in binders {
        let line = match binder {
            Binder::Parameter {
                local,
                domain: over,
            } => {
                let name = program.locals[*local].name;
                format!("for {name} in {}", domain(program, *over))
            }
            Binder::Alias { local, place: of } => {
                let name = program.locals[*local].name;
                format!("alias {name} = {}", place(program, *of))
            }
            Binder::Value { local, value } => {
                let name = program.locals[*local].name;
                format!("let {name} = {}", expression(program, *value))
            }
        };
        let _ = writeln!(out, "  {line}");
    }
}

fn properties(program: &Program, out: &mut String) {
    for property in &program.properties {
        let kind = match property.kind {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Assumption => "assume",
            PropertyKind::Cover => "cover",
            PropertyKind::Liveness => "liveness",
        };
        let _ = writeln!(out, "{kind} \"{}\"", property.name);
        binders(program, &property.binders, out);
        if let Some(condition) = property.condition {
            let _ = writeln!(out, "  {}", expression(program, condition));
        }
    }
    for claim in &program.claims {
        match &claim.body {
            ClaimBody::Formula(id) => {
                let _ = writeln!(out, "ltl {}: {}", claim.name, formula(program, *id));
            }
            ClaimBody::Never(graph) => {
                let _ = writeln!(out, "never {}", claim.name);
                graphs::graph(program, graph, out);
            }
        }
    }
}
