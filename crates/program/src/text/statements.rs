//! Statements, one a line.

use std::fmt::Write;

use crate::{Print, Program, StmtId, StmtKind};

use super::expressions::{call, domain, expression, place};

/// A statement with everything below it.
pub(super) fn statement(program: &Program, id: StmtId, depth: usize, out: &mut String) {
    base::deep::recurse(|| statement_here(program, id, depth, out));
}

fn statement_here(program: &Program, id: StmtId, depth: usize, out: &mut String) {
    let inner = |id: StmtId, out: &mut String| statement(program, id, depth + 1, out);
    let mut line = |text: String| {
        let _ = writeln!(out, "{:1$}{text}", "", depth * 2);
    };
    let show = |id| expression(program, id);
    match &program.stmts[id].kind {
        StmtKind::Block(body) => {
            for stmt in body {
                statement(program, *stmt, depth, out);
            }
        }
        StmtKind::If { arms, otherwise } => {
            for (at, (condition, body)) in arms.iter().enumerate() {
                let word = if at == 0 { "if" } else { "elsif" };
                let _ = writeln!(out, "{:2$}{word} {}", "", show(*condition), depth * 2);
                inner(*body, out);
            }
            if let Some(body) = otherwise {
                let _ = writeln!(out, "{:1$}else", "", depth * 2);
                inner(*body, out);
            }
        }
        StmtKind::Switch {
            value,
            arms,
            otherwise,
        } => {
            line(format!("switch {}", show(*value)));
            for arm in arms {
                let values: Vec<String> = arm.values.iter().map(|id| show(*id)).collect();
                let _ = writeln!(out, "{:2$}case {}", "", values.join(", "), depth * 2);
                inner(arm.body, out);
            }
            if let Some(body) = otherwise {
                let _ = writeln!(out, "{:1$}else", "", depth * 2);
                inner(*body, out);
            }
        }
        StmtKind::For {
            local,
            domain: over,
            body,
        } => {
            let name = program.locals[*local].name;
            line(format!("for {name} in {}", domain(program, *over)));
            inner(*body, out);
        }
        StmtKind::While { condition, body } => {
            line(format!("while {}", show(*condition)));
            inner(*body, out);
        }
        StmtKind::Alias {
            local,
            place: of,
            body,
        } => {
            let name = program.locals[*local].name;
            line(format!("alias {name} = {}", place(program, *of)));
            inner(*body, out);
        }
        _ => line(simple(program, id)),
    }
}

/// A statement without statements below it, in one line.
fn simple(program: &Program, id: StmtId) -> String {
    let show = |id: &crate::ExprId| expression(program, *id);
    let put = |id: &crate::PlaceId| place(program, *id);
    match &program.stmts[id].kind {
        StmtKind::Assign(target, value) => format!("{} := {}", put(target), show(value)),
        StmtKind::Evaluate(value) => format!("evaluate {}", show(value)),
        StmtKind::Call(function, arguments) => {
            call(program, program.functions[*function].name, arguments)
        }
        StmtKind::Return(None) => "return".to_string(),
        StmtKind::Return(Some(value)) => format!("return {}", show(value)),
        StmtKind::Assert { condition, text } => {
            let text = text.map_or_else(String::new, |text| format!(" \"{text}\""));
            format!("assert {}{text}", show(condition))
        }
        StmtKind::Error(message) => format!("error \"{message}\""),
        StmtKind::Assume(condition) => format!("assume {}", show(condition)),
        StmtKind::Cover(condition, number) => format!("cover {number} {}", show(condition)),
        StmtKind::Print(parts) => {
            let parts = parts.iter().map(|part| match part {
                Print::Text(text) => format!("{:?}", text.as_str()),
                Print::Value(value) => show(value),
                Print::Converted(how, value) => format!("%{how} {}", show(value)),
                Print::Whole(whole) => put(whole),
            });
            format!("print {}", parts.collect::<Vec<_>>().join(", "))
        }
        StmtKind::Clear(target) => format!("clear {}", put(target)),
        StmtKind::Undefine(target) => format!("undefine {}", put(target)),
        StmtKind::MultisetAdd { multiset, value } => {
            format!("add {} to {}", show(value), put(multiset))
        }
        StmtKind::MultisetRemove { multiset, element } => {
            format!("remove {} from {}", show(element), put(multiset))
        }
        StmtKind::MultisetRemoveIf {
            local,
            multiset,
            condition,
        } => {
            let name = program.locals[*local].name;
            format!(
                "remove {name} from {} if {}",
                put(multiset),
                show(condition)
            )
        }
        StmtKind::SetPriority { pid, priority } => {
            format!("set_priority({}, {})", show(pid), show(priority))
        }
        _ => unreachable!("statements with others below them were shown before"),
    }
}
