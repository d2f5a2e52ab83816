//! Types as text.

use std::fmt::Write as _;

use super::{Type, TypeId, Types, VarClass};

impl Types {
    /// The type in B notation; a long one is cut short.
    pub fn show(&self, id: TypeId) -> String {
        let mut out = String::new();
        self.write(id, false, 0, &mut out);
        out
    }

    pub(super) fn write(&self, id: TypeId, operand: bool, depth: usize, out: &mut String) {
        // A type longer or deeper than this tells nobody anything.
        const ENOUGH: usize = 400;
        const DEEP: usize = 40;
        let ty = self.get(id);
        let composed = matches!(ty, Type::Pow(_) | Type::Prod(..) | Type::Record(_));
        if out.len() > ENOUGH || (composed && depth > DEEP) {
            if !out.ends_with('…') {
                out.push('…');
            }
            return;
        }
        let depth = depth + 1;
        match ty {
            Type::Bool => out.push_str("BOOL"),
            Type::Int => out.push_str("INTEGER"),
            Type::Real => out.push_str("REAL"),
            Type::Str => out.push_str("STRING"),
            Type::Given(name) => out.push_str(name.as_str()),
            Type::Error => out.push('?'),
            Type::Var(var) => out.push_str(match var.class {
                VarClass::Any => "?",
                VarClass::Number => "a number",
                VarClass::NumberOrSet => "a number or a set",
                VarClass::SequenceOrString => "a sequence",
                VarClass::Set => "POW(?)",
            }),
            Type::Pow(inner) => {
                out.push_str("POW(");
                self.write(*inner, false, depth, out);
                out.push(')');
            }
            Type::Prod(left, right) => {
                if operand {
                    out.push('(');
                }
                self.write(*left, false, depth, out);
                out.push('*');
                self.write(*right, true, depth, out);
                if operand {
                    out.push(')');
                }
            }
            Type::Record(fields) => {
                out.push_str("struct(");
                for (i, (name, ty)) in fields.iter().enumerate() {
                    if out.len() > ENOUGH {
                        out.push('…');
                        break;
                    }
                    let comma = if i == 0 { "" } else { ", " };
                    let _ = write!(out, "{comma}{name}:");
                    self.write(*ty, false, depth, out);
                }
                out.push(')');
            }
        }
    }
}
