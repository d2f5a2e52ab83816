//! Prints a formula, and tells where each of its nodes stands in the text.
//!
//! Trees that were not written by hand (packages hold no text) get a text this way, so that a diagnostic can point
//! into it.
//! Invariant: what is printed is read back as the same tree by the parser.

use std::fmt::Write as _;

use base::deep;
use lang_math::{Binder, Binding, ExprId, ExprKind, Exprs, Op, Type, TypeId, Types};

use crate::math::symbols::{self, CONSTANTS, FUNCTIONS, Group};

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With the symbols of Rodin; else in ASCII.
    pub unicode: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { unicode: true }
    }
}

/// A formula as text.
#[derive(Debug, Default)]
pub struct Printed {
    /// The text.
    pub text: String,
    /// Where nodes stand in it, in bytes.
    pub places: Vec<(ExprId, u32, u32)>,
}

/// Prints a formula.
pub fn formula(exprs: &Exprs, id: ExprId, style: Style) -> Printed {
    let mut printer = Printer {
        exprs,
        style,
        out: Printed::default(),
    };
    printer.node(id);
    printer.out
}

/// A type in the notation of Event-B.
pub fn types(types: &Types, id: TypeId) -> String {
    let mut text = String::new();
    show_type(types, id, &mut text, false);
    text
}

/// Longer types are cut: shared parts make them exponential.
const MAX_TYPE: usize = 300;

fn show_type(types: &Types, id: TypeId, out: &mut String, inner: bool) {
    if out.len() > MAX_TYPE {
        if !out.ends_with('…') {
            out.push('…');
        }
        return;
    }
    match types.get(id) {
        Type::Bool => out.push_str("BOOL"),
        Type::Int => out.push('ℤ'),
        Type::Real => out.push_str("REAL"),
        Type::Str => out.push_str("STRING"),
        Type::Given(name) => out.push_str(name.as_str()),
        Type::Pow(element) => {
            out.push_str("ℙ(");
            deep::recurse(|| show_type(types, *element, out, false));
            out.push(')');
        }
        Type::Prod(left, right) => {
            if inner {
                out.push('(');
            }
            deep::recurse(|| show_type(types, *left, out, false));
            out.push('×');
            deep::recurse(|| show_type(types, *right, out, true));
            if inner {
                out.push(')');
            }
        }
        Type::Record(fields) => {
            let name = fields
                .first()
                .and_then(|(name, _)| name.as_str().split('/').next());
            out.push_str(name.unwrap_or("?"));
            for (i, (_, ty)) in fields.iter().enumerate() {
                out.push(if i == 0 { '(' } else { ',' });
                deep::recurse(|| show_type(types, *ty, out, false));
            }
            out.push(')');
        }
        Type::Var(_) | Type::Error => out.push('?'),
    }
}

struct Printer<'e> {
    exprs: &'e Exprs,
    style: Style,
    out: Printed,
}

/// Where an operand stands.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        self.out.text.push_str(text);
    }

    fn pick(&mut self, unicode: &'static str, ascii: &'static str) {
        let text = if self.style.unicode { unicode } else { ascii };
        self.text(text);
    }

    fn node(&mut self, id: ExprId) {
        let start = self.out.text.len() as u32;
        deep::recurse(|| self.node_here(id));
        let end = self.out.text.len() as u32;
        self.out.places.push((id, start, end));
    }

    fn node_here(&mut self, id: ExprId) {
        match self.exprs.kind(id) {
            ExprKind::Name(name) | ExprKind::Before(name) => self.text(name.as_str()),
            ExprKind::Int(value) => {
                let text = value.to_string();
                match text.strip_prefix('-') {
                    Some(digits) => {
                        self.pick("−", "-");
                        self.text(digits);
                    }
                    None => self.text(&text),
                }
            }
            ExprKind::Op(op, args) => self.operator(*op, args),
            ExprKind::Apply(function, args) => {
                self.operand(*function, self.is_postfix_operand(*function));
                self.list("(", args, ")");
            }
            ExprKind::External(name, args) => {
                self.text(name.as_str());
                if !args.is_empty() {
                    self.list("(", args, ")");
                }
            }
            ExprKind::Bind {
                binder,
                names,
                predicate,
                value,
                ..
            } => self.bind(*binder, names, *predicate, *value),
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => self.node(*inner),
            // Only definitions of theories have cases.
            ExprKind::If {
                branches,
                otherwise,
            } => {
                self.text("COND(");
                for (condition, result) in branches {
                    self.node(*condition);
                    self.text(", ");
                    self.node(*result);
                    self.text(", ");
                }
                self.node(*otherwise);
                self.text(")");
            }
            // Event-B has no others.
            other => {
                let _ = write!(self.out.text, "{other:?}");
            }
        }
    }

    fn operator(&mut self, op: Op, args: &[ExprId]) {
        if let Some(infix) = symbols::infix(op)
            && let [left, right] = args
        {
            self.operand(*left, self.fits(infix.group, op, *left, Side::Left));
            let tight = matches!(op, Op::Interval);
            if !tight {
                self.text(" ");
            }
            self.pick(infix.unicode, infix.ascii);
            if !tight {
                self.text(" ");
            }
            self.operand(*right, self.fits(infix.group, op, *right, Side::Right));
            return;
        }
        if let Some((_, unicode, ascii)) = FUNCTIONS.iter().find(|entry| entry.0 == op) {
            self.pick(unicode, ascii);
            self.list("(", args, ")");
            return;
        }
        if args.is_empty()
            && let Some((_, unicode, ascii)) = CONSTANTS.iter().find(|entry| entry.0 == op)
        {
            self.pick(unicode, ascii);
            return;
        }
        match (op, args) {
            (Op::Not, [operand]) => {
                self.pick("¬", "not ");
                self.operand(*operand, self.is_atomic_predicate(*operand));
            }
            (Op::Negate, [operand]) => {
                self.pick("−", "-");
                let fits = self.fits(Group::Arithmetic, Op::Negate, *operand, Side::Right)
                    && !matches!(self.exprs.kind(*operand), ExprKind::Int(_));
                self.operand(*operand, fits);
            }
            (Op::Inverse, [operand]) => {
                self.operand(*operand, self.is_postfix_operand(*operand));
                self.pick("∼", "~");
            }
            (Op::Image, [relation, set]) => {
                self.operand(*relation, self.is_postfix_operand(*relation));
                self.list("[", &[*set], "]");
            }
            (Op::SetExtension, elements) => self.list("{", elements, "}"),
            (Op::ToBool, [predicate]) => {
                self.text("bool");
                self.list("(", &[*predicate], ")");
            }
            (Op::Identity, [set]) => {
                self.text("id");
                self.list("(", &[*set], ")");
            }
            (op, args) => {
                self.text(op.unicode());
                self.list("(", args, ")");
            }
        }
    }

    fn list(&mut self, open: &str, items: &[ExprId], close: &str) {
        self.text(open);
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.node(*item);
        }
        self.text(close);
    }

    /// An operand, in parentheses unless it `fits` as it is.
    fn operand(&mut self, id: ExprId, fits: bool) {
        if fits {
            self.node(id);
        } else {
            self.text("(");
            self.node(id);
            self.text(")");
        }
    }

    /// Whether a node may stand beside an operator without parentheses.
    fn fits(&self, group: Group, op: Op, id: ExprId, side: Side) -> bool {
        let inner = match self.exprs.kind(id) {
            ExprKind::Op(inner, args) if args.len() == 2 || *inner == Op::Negate => *inner,
            ExprKind::Op(Op::Not, _) => return group <= Group::Junction,
            ExprKind::Bind { binder, .. } => return is_bracketed(*binder),
            ExprKind::Int(value) => {
                return value.sign() != num_bigint::Sign::Minus || group < Group::Arithmetic;
            }
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => {
                return self.fits(group, op, *inner, side);
            }
            _ => return true,
        };
        let inner_group = match symbols::infix(inner) {
            Some(infix) => infix.group,
            None if inner == Op::Negate => Group::Arithmetic,
            // Images have brackets of their own.
            None => return true,
        };
        if inner_group != group {
            return inner_group > group;
        }
        if group == Group::Arithmetic {
            let (outer, inner_strength) = (symbols::strength(op), symbols::strength(inner));
            if outer != inner_strength {
                return inner_strength > outer;
            }
        }
        matches!(side, Side::Left) && symbols::combines(inner, op)
    }

    /// Whether `~`, `(…)` and `[…]` may follow a node without parentheses.
    fn is_postfix_operand(&self, id: ExprId) -> bool {
        match self.exprs.kind(id) {
            ExprKind::Op(op, args) => {
                symbols::infix(*op).is_none() && *op != Op::Negate || args.is_empty()
            }
            ExprKind::Bind { binder, .. } => is_bracketed(*binder),
            ExprKind::Int(value) => value.sign() != num_bigint::Sign::Minus,
            _ => true,
        }
    }

    fn is_atomic_predicate(&self, id: ExprId) -> bool {
        match self.exprs.kind(id) {
            ExprKind::Op(Op::Finite | Op::Partition | Op::Truth | Op::Falsity | Op::Not, _)
            | ExprKind::External(..) => true,
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => {
                self.is_atomic_predicate(*inner)
            }
            _ => false,
        }
    }

    fn names(&mut self, names: &[Binding]) {
        let texts: Vec<&str> = names.iter().map(|binding| binding.name.as_str()).collect();
        self.text(&texts.join(","));
    }

    fn bind(
        &mut self,
        binder: Binder,
        names: &[Binding],
        predicate: ExprId,
        value: Option<ExprId>,
    ) {
        match binder {
            Binder::Comprehension => {
                self.text("{");
                // `{x ∣ P}` is short for one name; several would form a pair.
                if let [one] = names {
                    self.text(one.name.as_str());
                } else {
                    self.names(names);
                    self.pick("·", ".");
                    self.node(predicate);
                    self.pick(" ∣ ", " | ");
                    self.pattern(names);
                    self.text("}");
                    return;
                }
                self.pick(" ∣ ", " | ");
                self.node(predicate);
                self.text("}");
                return;
            }
            Binder::Image => {
                self.text("{");
                self.names(names);
                self.pick("·", ".");
                self.node(predicate);
                self.pick(" ∣ ", " | ");
                if let Some(value) = value {
                    self.node(value);
                }
                self.text("}");
                return;
            }
            Binder::Lambda => {
                self.pick("λ", "%");
                self.pattern(names);
            }
            Binder::Forall => {
                self.pick("∀", "!");
                self.names(names);
            }
            Binder::Exists => {
                self.pick("∃", "#");
                self.names(names);
            }
            Binder::Union => {
                self.pick("⋃", "UNION ");
                self.names(names);
            }
            Binder::Inter => {
                self.pick("⋂", "INTER ");
                self.names(names);
            }
            Binder::Sum | Binder::Product => self.names(names),
        }
        self.pick("·", ".");
        self.node(predicate);
        if let Some(value) = value {
            self.pick(" ∣ ", " | ");
            self.node(value);
        }
    }

    /// `a ↦ b ↦ c`
    fn pattern(&mut self, names: &[Binding]) {
        for (i, binding) in names.iter().enumerate() {
            if i > 0 {
                self.pick(" ↦ ", " |-> ");
            }
            self.text(binding.name.as_str());
        }
    }
}

/// Whether a binder has brackets of its own.
fn is_bracketed(binder: Binder) -> bool {
    matches!(binder, Binder::Comprehension | Binder::Image)
}
