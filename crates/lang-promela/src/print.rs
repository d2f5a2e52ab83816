//! Writes a program as normalised text: macros replaced, inlines put in, one statement a line.
//!
//! Invariant: the text parses back to the same tree, calls of inlines having become plain blocks.

mod expression;
mod statement;

use crate::syntax::{
    Declaration, Initialiser, Process, ProcessKind, Program, Type, Unit, VarId, Visibility,
};

/// The text of a program.
pub fn program(program: &Program) -> String {
    let mut printer = Printer {
        program,
        out: String::new(),
        indent: 0,
    };
    for (i, unit) in program.units.iter().enumerate() {
        let spacious = |unit: &Unit| !matches!(unit, Unit::Variables(_) | Unit::Mtype(_));
        if i > 0 && (spacious(unit) || spacious(&program.units[i - 1])) {
            printer.out.push('\n');
        }
        printer.unit(unit);
    }
    printer.out
}

/// One expression.
pub fn expression(program: &Program, id: crate::syntax::ExprId) -> String {
    let mut printer = Printer {
        program,
        out: String::new(),
        indent: 0,
    };
    printer.expression(id);
    printer.out
}

/// One statement on one line, as paths show it: what it contains is left out.
pub fn statement(program: &Program, id: crate::syntax::StmtId) -> String {
    let mut printer = Printer {
        program,
        out: String::new(),
        indent: 0,
    };
    printer.basic(id);
    printer.out
}

struct Printer<'p> {
    program: &'p Program,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Mtype(list) => {
                let names: Vec<_> = list.names.iter().map(|name| name.name.as_str()).collect();
                let subset = list
                    .subset
                    .map(|name| format!(":{}", name.name))
                    .unwrap_or_default();
                self.text(&format!("mtype{subset} = {{ {} }}", names.join(", ")));
            }
            Unit::Typedef(typedef) => {
                self.text(&format!("typedef {} {{", typedef.name.name));
                self.indent += 1;
                for (i, field) in typedef.fields.iter().enumerate() {
                    if i > 0 {
                        self.text(";");
                    }
                    self.line();
                    self.declaration(field);
                }
                self.indent -= 1;
                self.line();
                self.text("}");
            }
            Unit::Variables(declaration) => {
                self.declaration(declaration);
                self.text(";");
            }
            Unit::Process(process) => self.process(process),
            Unit::Never(claim) => {
                self.text("never ");
                if let Some(name) = claim.name {
                    self.text(&format!("{} ", name.name));
                }
                self.block(&claim.body);
            }
            Unit::Ltl(formula) => {
                self.text("ltl ");
                if let Some(name) = formula.name {
                    self.text(&format!("{} ", name.name));
                }
                self.text("{ ");
                self.expression(formula.formula);
                self.text(" }");
            }
            Unit::Trace(trace) => {
                self.text(if trace.negated { "notrace " } else { "trace " });
                self.block(&trace.body);
            }
        }
        self.line();
    }

    fn process(&mut self, process: &Process) {
        if let Some(active) = process.active {
            self.text("active ");
            if let Some(count) = active.count {
                self.text("[");
                self.expression(count);
                self.text("] ");
            }
        }
        match process.kind {
            ProcessKind::Init => self.text("init"),
            ProcessKind::Proctype => self.text("proctype "),
            ProcessKind::Deterministic => self.text("D_proctype "),
        }
        if process.kind != ProcessKind::Init {
            self.text(process.name.name.as_str());
            self.text("(");
            for (i, parameter) in process.parameters.iter().enumerate() {
                if i > 0 {
                    self.text("; ");
                }
                self.declaration(parameter);
            }
            self.text(")");
        }
        if let Some(priority) = process.priority {
            self.text(" priority ");
            self.expression(priority);
        }
        if let Some(condition) = process.provided {
            self.text(" provided (");
            self.expression(condition);
            self.text(")");
        }
        self.text(" ");
        self.block(&process.body);
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.text(match declaration.visibility {
            Some(Visibility::Hidden) => "hidden ",
            Some(Visibility::Show) => "show ",
            Some(Visibility::Local) => "local ",
            None => "",
        });
        self.ty(declaration.ty);
        for (i, var) in declaration.vars.iter().enumerate() {
            self.text(if i > 0 { ", " } else { " " });
            self.variable(*var);
        }
    }

    fn ty(&mut self, ty: Type) {
        let text = match ty {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Pid => "pid",
            Type::Short => "short",
            Type::Int => "int",
            Type::Unsigned => "unsigned",
            Type::Chan => "chan",
            Type::Named(name) => name.name.as_str(),
            Type::Mtype(None) => "mtype",
            Type::Mtype(Some(subset)) => return self.text(&format!("mtype:{}", subset.name)),
        };
        self.text(text);
    }

    fn variable(&mut self, id: VarId) {
        let variable = &self.program.vars[id];
        self.text(variable.name.name.as_str());
        if let Some(width) = variable.width {
            self.text(" : ");
            self.expression(width);
        }
        if let Some(size) = variable.size {
            self.text("[");
            self.expression(size);
            self.text("]");
        }
        match &variable.init {
            None => {}
            Some(Initialiser::Value(value)) => {
                self.text(" = ");
                self.expression(*value);
            }
            Some(Initialiser::List(values)) => {
                self.text(" = { ");
                self.list(values);
                self.text(" }");
            }
            Some(Initialiser::Channel {
                capacity, fields, ..
            }) => {
                self.text(" = [");
                self.expression(*capacity);
                self.text("] of { ");
                for (i, field) in fields.iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.ty(*field);
                }
                self.text(" }");
            }
        }
    }
}
