//! Terms of arithmetic: operations as they are written, functions as tables of their values, and which of them can fault.

use canon::Node;
use program::{Binary, ExprId, Kind as Expr, PlaceId, Root, Selector, Unary};

use super::{Tag, Term, Writer, atom, set, tagged, tuple};
use crate::kinds::{Function, KindId, Tree, literal};

impl Writer<'_, '_> {
    pub(super) fn flatten(&self, operator: Binary, id: ExprId, out: &mut Vec<ExprId>) {
        match self.program.exprs[id].kind {
            Expr::Binary(own, a, b) if own == operator && literal(self.program, id).is_none() => {
                base::deep::recurse(|| {
                    self.flatten(operator, a, out);
                    self.flatten(operator, b, out);
                });
            }
            _ => out.push(id),
        }
    }

    /// Arithmetic: a function with a table where its operands move, else an operation on numbers.
    pub(super) fn arithmetic(&mut self, id: ExprId) -> Term {
        let mut functions = self.kinds.functions.iter();
        let function = functions.find(|f| f.expr == id && !f.is_truth);
        if let Some(function) = function
            && function
                .leaves
                .iter()
                .any(|(_, kind)| self.values.is_moving(self.kinds, *kind))
        {
            let function = function.clone();
            let leaves = function.leaves.iter();
            let operands: Vec<Term> = leaves.map(|(leaf, _)| self.expr(*leaf)).collect();
            return self.function(&function, operands);
        }
        match self.program.exprs[id].kind {
            Expr::Unary(operator, a) => {
                let operand = self.operand(a);
                tagged(Tag::Operator, 64 + operator as usize, [operand])
            }
            Expr::Binary(operator, a, b) => {
                let is_free = matches!(
                    operator,
                    Binary::Add
                        | Binary::Multiply
                        | Binary::BitAnd
                        | Binary::BitOr
                        | Binary::BitXor
                );
                let mut operands = Vec::new();
                match is_free {
                    true => self.flatten(operator, id, &mut operands),
                    false => operands.extend([a, b]),
                }
                let can_fault = operands.iter().filter(|id| self.can_fault(**id)).count() > 1;
                let terms: Vec<Term> = operands.iter().map(|id| self.operand(*id)).collect();
                let all = match is_free && !can_fault {
                    true => set(terms),
                    false => tuple(terms),
                };
                tagged(Tag::Operator, 70 + operator as usize, [all])
            }
            _ => self.expr(id),
        }
    }

    /// A part of arithmetic on plain numbers.
    pub(super) fn operand(&mut self, id: ExprId) -> Term {
        base::deep::recurse(|| match self.program.exprs[id].kind {
            _ if literal(self.program, id).is_some() => {
                let value = literal(self.program, id).unwrap_or(0);
                vec![Node::Atom(value as u64)]
            }
            Expr::Unary(Unary::Minus | Unary::Complement, _) => self.arithmetic(id),
            Expr::Binary(operator, ..) if crate::kinds::is_arithmetic(operator) => {
                self.arithmetic(id)
            }
            _ => self.expr(id),
        })
    }

    /// A function applied to operands; its table is written once.
    pub(super) fn function(&mut self, function: &Function, operands: Vec<Term>) -> Term {
        let find = |kind: KindId| self.kinds.find(kind);
        let mut text = String::new();
        self.text(function.expr, &mut text, function.is_truth);
        let leaves = function.leaves.iter();
        let result = function.result.map_or(self.kinds.number, find);
        let own: Vec<bool> = leaves
            .clone()
            .map(|(leaf, _)| matches!(self.program.exprs[*leaf].kind, Expr::SelfPid))
            .collect();
        for is_self in own {
            text.push(if is_self { 's' } else { 'v' });
        }
        let kinds: Vec<KindId> = leaves.map(|(_, kind)| find(*kind)).collect();
        let signature = format!("{kinds:?} {result:?} {}", function.is_truth);
        let key = (text, kinds, result);
        let point = match self.functions.get(&key) {
            Some(point) => *point,
            None => {
                let point = (self.points.count + self.signatures.len()) as u32;
                self.functions.insert(key, point);
                self.signatures.push(signature);
                let first = self.roots.len();
                self.table(function, point);
                self.tables.push((first..self.roots.len()).collect());
                point
            }
        };
        let operands = std::iter::once(vec![Node::Point(point)]).chain(operands);
        tagged(Tag::Function, 0, operands)
    }

    pub(super) fn table(&mut self, function: &Function, point: u32) {
        let rows = self.values.rows(self.program, self.kinds, function);
        for (operands, result) in rows.unwrap_or_default() {
            let leaves = function.leaves.iter();
            let operands = leaves
                .zip(&operands)
                .map(|((_, kind), value)| self.value(*kind, *value));
            let mut parts: Vec<Term> = vec![vec![Node::Point(point)]];
            parts.extend(operands);
            parts.push(match (result, function.result) {
                (None, _) => vec![atom(Tag::Undefined, 4)],
                (Some(value), None) => vec![Node::Atom(value as u64)],
                (Some(value), Some(kind)) => self.value(kind, value),
            });
            let term = tagged(Tag::Row, 0, parts);
            self.roots.push((term, Some(function.span)));
        }
    }

    /// The operations of a function as text, its operands left out.
    pub(super) fn text(&self, id: ExprId, out: &mut String, is_truth: bool) {
        if is_truth {
            out.push('?');
            return;
        }
        match &self.program.exprs[id].kind {
            Expr::Constant(value) => out.push_str(&format!("{value} ")),
            Expr::Unary(operator @ (Unary::Minus | Unary::Complement), a) => {
                out.push_str(&format!("{operator:?}("));
                self.text(*a, out, false);
                out.push(')');
            }
            Expr::Binary(operator, a, b) if crate::kinds::is_arithmetic(*operator) => {
                out.push_str(&format!("{operator:?}("));
                self.text(*a, out, false);
                out.push(',');
                self.text(*b, out, false);
                out.push(')');
            }
            _ => out.push('_'),
        }
    }

    /// Whether computing an expression may be a fault.
    pub(super) fn can_fault(&self, id: ExprId) -> bool {
        base::deep::recurse(|| match &self.program.exprs[id].kind {
            Expr::Constant(_)
            | Expr::SelfPid
            | Expr::Last
            | Expr::Processes
            | Expr::Timeout
            | Expr::NoProgress => false,
            Expr::Read(place) => self.place_can_fault(*place),
            Expr::Unary(_, a) => self.can_fault(*a),
            Expr::Binary(Binary::Divide | Binary::Remainder, a, b) => {
                self.can_fault(*a) || literal(self.program, *b).is_none_or(|value| value == 0)
            }
            Expr::Binary(_, a, b) => self.can_fault(*a) || self.can_fault(*b),
            Expr::Choice(c, a, b) => [c, a, b].into_iter().any(|id| self.can_fault(*id)),
            Expr::Ask(_, channel) => match self.program.exprs[*channel].kind {
                Expr::Read(place) => self.constant(place).is_none(),
                _ => true,
            },
            _ => true,
        })
    }

    pub(super) fn place_can_fault(&self, id: PlaceId) -> bool {
        let place = &self.program.places[id];
        let tree = match place.root {
            Root::Global(variable) => &self.kinds.globals[variable.index()],
            Root::Process(variable) => {
                let graph = self.graph.map_or(0, |graph| graph.index());
                &self.kinds.locals[graph][variable.index()]
            }
            _ => return true,
        };
        let mut tree = tree;
        for selector in &place.path {
            match (selector, tree) {
                (Selector::Field(at), Tree::Record(fields)) => tree = &fields[*at as usize],
                (Selector::Index(at), Tree::Array(_, length, element)) => {
                    let most = match self.program.exprs[*at].kind {
                        Expr::SelfPid => Some(self.points.processes as i64 - 1),
                        _ => literal(self.program, *at).filter(|value| *value >= 0),
                    };
                    if most.is_none_or(|most| most >= *length as i64) {
                        return true;
                    }
                    tree = element;
                }
                _ => return true,
            }
        }
        false
    }
}
