//! Expressions, with as few parentheses as the priorities need.

use base::deep;

use super::Printer;
use crate::syntax::{ExprId, ExprKind, Form, Part, Unary};

impl Printer<'_> {
    /// Values separated by commas.
    pub(super) fn list(&mut self, values: &[ExprId]) {
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.expression(*value);
        }
    }

    pub(super) fn expression(&mut self, id: ExprId) {
        deep::recurse(|| self.at_level(id, 0));
    }

    /// Prints an operand of an operator that needs operands of at least this level.
    fn at_level(&mut self, id: ExprId, least: u8) {
        let program = self.program;
        match &program.exprs[id].kind {
            ExprKind::Binary(operator, a, b) => {
                let level = operator.level();
                if level < least {
                    self.text("(");
                }
                deep::recurse(|| self.at_level(*a, level));
                self.text(&format!(" {} ", operator.text()));
                deep::recurse(|| self.at_level(*b, level + 1));
                if level < least {
                    self.text(")");
                }
            }
            _ => self.operand(id),
        }
    }

    // Long: one arm for each kind of expression.
    fn operand(&mut self, id: ExprId) {
        let program = self.program;
        match &program.exprs[id].kind {
            ExprKind::Constant(value, form) => {
                let text = match form {
                    Form::Number => value.to_string(),
                    Form::Character => character(*value),
                    Form::True => "true".to_owned(),
                    Form::False => "false".to_owned(),
                    Form::Skip => "skip".to_owned(),
                };
                self.text(&text);
            }
            ExprKind::Mtype(name) => self.text(name.name.as_str()),
            ExprKind::Variable(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        self.text(".");
                    }
                    self.part(part);
                }
            }
            ExprKind::Unary(operator, a) => self.unary(*operator, *a),
            ExprKind::Conditional(a, b, c) => {
                self.text("(");
                self.expression(*a);
                self.text(" -> ");
                self.expression(*b);
                self.text(" : ");
                self.expression(*c);
                self.text(")");
            }
            ExprKind::Run {
                name,
                arguments,
                priority,
            } => {
                self.text(&format!("run {}(", name.name));
                self.list(arguments);
                self.text(")");
                if let Some(priority) = priority {
                    self.text(" priority ");
                    self.expression(*priority);
                }
            }
            ExprKind::Channel(question, channel) => self.call(question.text(), *channel),
            ExprKind::Poll {
                channel,
                arguments,
                random,
            } => {
                self.expression(*channel);
                self.text(if *random { "??[" } else { "?[" });
                self.list(arguments);
                self.text("]");
            }
            ExprKind::Eval(a) => self.call("eval", *a),
            ExprKind::Enabled(a) => self.call("enabled", *a),
            ExprKind::PcValue(a) => self.call("pc_value", *a),
            ExprKind::GetPriority(a) => self.call("get_priority", *a),
            ExprKind::Timeout => self.text("timeout"),
            ExprKind::NonProgress => self.text("np_"),
            ExprKind::RemoteLabel {
                process,
                pid,
                label,
            } => {
                self.remote(process.name.as_str(), *pid);
                self.text(&format!("@{}", label.name));
            }
            ExprKind::RemoteVariable {
                process,
                pid,
                variable,
            } => {
                self.remote(process.name.as_str(), *pid);
                self.text(":");
                self.part(variable);
            }
            ExprKind::Binary(..) => self.at_level(id, 0),
            ExprKind::Error => self.text("0"),
        }
    }

    fn part(&mut self, part: &Part) {
        self.text(part.name.name.as_str());
        if let Some(index) = part.index {
            self.text("[");
            self.expression(index);
            self.text("]");
        }
    }

    /// A prefix operator; its operand is put in parentheses unless it is plain.
    fn unary(&mut self, operator: Unary, a: ExprId) {
        self.text(operator.text());
        let plain = !matches!(
            self.program.exprs[a].kind,
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Run { .. }
        );
        if plain {
            return deep::recurse(|| self.operand(a));
        }
        self.text("(");
        self.expression(a);
        self.text(")");
    }

    fn call(&mut self, name: &str, argument: ExprId) {
        self.text(name);
        self.text("(");
        self.expression(argument);
        self.text(")");
    }

    fn remote(&mut self, process: &str, pid: Option<ExprId>) {
        self.text(process);
        if let Some(pid) = pid {
            self.text("[");
            self.expression(pid);
            self.text("]");
        }
    }
}

/// A character in quotes.
fn character(value: i32) -> String {
    match u8::try_from(value).map(char::from) {
        Ok('\n') => "'\\n'".to_owned(),
        Ok('\r') => "'\\r'".to_owned(),
        Ok('\t') => "'\\t'".to_owned(),
        Ok('\x0c') => "'\\f'".to_owned(),
        Ok(c @ ('\'' | '\\')) => format!("'\\{c}'"),
        Ok(c) if c.is_ascii_graphic() || c == ' ' => format!("'{c}'"),
        _ => value.to_string(),
    }
}
