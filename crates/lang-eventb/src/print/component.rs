//! Prints contexts and machines in the layout of Rodin's pretty printer.

use std::fmt::Write as _;

use base::{FileId, Span};
use lang_math::{Binding, ExprId};

use super::formula::{Style, formula};
use crate::syntax::{Change, Context, Event, Labelled, Machine, Project, Reference, Status};
use crate::theory::FUNCTIONS;

/// All components of a project, contexts first.
pub fn project(project: &Project, style: Style) -> String {
    components(project, |_| true, style)
}

/// The components of one file, contexts first.
pub fn file(project: &Project, file: FileId, style: Style) -> String {
    components(project, |span| span.file == file, style)
}

fn components(project: &Project, is_wanted: impl Fn(Span) -> bool, style: Style) -> String {
    let mut out = Printer {
        project,
        style,
        text: String::new(),
    };
    let written = project.contexts.iter();
    let written = written.filter(|context| context.name.as_str() != FUNCTIONS);
    for context in written.filter(|context| is_wanted(context.span)) {
        out.context(context);
    }
    let machines = project.machines.iter();
    for machine in machines.filter(|machine| is_wanted(machine.span)) {
        out.machine(machine);
    }
    out.text
}

struct Printer<'e> {
    project: &'e Project,
    style: Style,
    text: String,
}

impl Printer<'_> {
    /// A formula as it was written.
    fn formula(&self, id: ExprId) -> String {
        let id = self.project.written.get(&id).copied().unwrap_or(id);
        formula(&self.project.exprs, id, self.style).text
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(indent));
    }

    fn start(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    fn references(&mut self, keyword: &str, indent: usize, references: &[Reference]) {
        if !references.is_empty() {
            let written = references.iter().map(|reference| reference.name.as_str());
            let names: Vec<&str> = written.filter(|name| *name != FUNCTIONS).collect();
            if names.is_empty() {
                return;
            }
            self.line(indent, &format!("{keyword} {}", names.join(" ")));
        }
    }

    fn names(&mut self, keyword: &str, indent: usize, names: &[Binding]) {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(|binding| binding.name.as_str()).collect();
            self.line(indent, keyword);
            self.line(indent + 1, &names.join(" "));
        }
    }

    fn labelled(&mut self, keyword: &str, indent: usize, list: &[Labelled]) {
        if list.is_empty() {
            return;
        }
        self.line(indent, keyword);
        for labelled in list {
            let text = self.formula(labelled.formula);
            let theorem = if labelled.is_theorem { "theorem " } else { "" };
            self.line(indent + 1, &format!("{theorem}@{} {text}", labelled.label));
        }
    }

    fn context(&mut self, context: &Context) {
        self.start();
        self.line(0, &format!("CONTEXT {}", context.name));
        self.references("EXTENDS", 0, &context.extends);
        self.names("SETS", 0, &context.sets);
        self.names("CONSTANTS", 0, &context.constants);
        self.labelled("AXIOMS", 0, &context.axioms);
        self.line(0, "END");
    }

    fn machine(&mut self, machine: &Machine) {
        self.start();
        self.line(0, &format!("MACHINE {}", machine.name));
        if let Some(refines) = &machine.refines {
            self.references("REFINES", 0, std::slice::from_ref(refines));
        }
        self.references("SEES", 0, &machine.sees);
        self.names("VARIABLES", 0, &machine.variables);
        self.labelled("INVARIANTS", 0, &machine.invariants);
        self.labelled("VARIANT", 0, &machine.variants);
        self.line(0, "EVENTS");
        for event in &machine.events {
            self.event(event);
        }
        self.line(0, "END");
    }

    fn event(&mut self, event: &Event) {
        let status = match event.status {
            Status::Ordinary => "",
            Status::Convergent => "convergent ",
            Status::Anticipated => "anticipated ",
        };
        self.line(1, &format!("{status}event {}", event.name));
        self.references("refines", 1, &event.refines);
        self.names("any", 1, &event.parameters);
        self.labelled("where", 1, &event.guards);
        self.labelled("with", 1, &event.witnesses);
        if !event.actions.is_empty() {
            self.line(1, "then");
        }
        for action in &event.actions {
            let names: Vec<&str> = action.targets.iter().map(|t| t.name.as_str()).collect();
            let unicode = self.style.unicode;
            let (symbol, formulas) = match &action.change {
                Change::Assign(values) => (if unicode { "≔" } else { ":=" }, values.clone()),
                Change::Element(set) => (if unicode { ":∈" } else { "::" }, vec![*set]),
                Change::Such(predicate) => (if unicode { ":∣" } else { ":|" }, vec![*predicate]),
            };
            let values: Vec<String> = formulas.iter().map(|value| self.formula(*value)).collect();
            let text = format!("{} {symbol} {}", names.join(", "), values.join(", "));
            self.line(2, &format!("@{} {text}", action.label));
        }
        self.line(1, "end");
    }
}
