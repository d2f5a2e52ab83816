//! Prints expression trees in B notation with the fewest parentheses.
//!
//! Law: reading what was printed gives the same tree ([`Exprs::same`]), for every tree that a reader of B
//! can build. Trees beyond that (`Error` nodes, a negative literal) print as readable text.
//! A parent says by a priority what it takes without parentheses; [`crate::op`] has the numbers. Operators
//! stand between blanks except `..`, so no two tokens ever run together (`x < -1`, `a / (* …`).
//! Invariant: printing takes time linear in the tree and follows any depth.

mod binders;
pub mod layout;
pub mod spelling;

use base::{Name, deep};

use crate::expr::{Binding, ExprId, ExprKind, Exprs, Field, Sort, TemplatePart};
use crate::op::{Assoc, Notation, Op};
use layout::Layout;

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Mathematical symbols instead of their ASCII spellings.
    pub unicode: bool,
}

/// Where a formula stands, as far as that decides about parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Alone between parentheses: anything goes.
    Enclosed,
    /// An expression between brackets or commas that takes `;` and `||`.
    Item,
    /// By itself in a clause or between keywords: no bare `;` or `||`.
    Formula,
    /// Where an expression stands without brackets, after `:=` for example.
    Expression,
    /// To the left of `:=`, `::` and `<--`.
    Target,
}

impl Place {
    /// The least priority that needs no parentheses.
    fn least(self) -> u16 {
        match self {
            Place::Enclosed => 0,
            Place::Item => ITEM,
            Place::Formula => 22,
            Place::Expression => EXPRESSION,
            Place::Target => CHAIN,
        }
    }
}

/// A formula as text.
pub fn to_string(exprs: &Exprs, id: ExprId, style: &Style) -> String {
    let mut out = Layout::new();
    write(exprs, id, Place::Formula, style, &mut out);
    out.finish()
}

/// Adds a formula to a text.
pub fn write(exprs: &Exprs, id: ExprId, place: Place, style: &Style, out: &mut Layout) {
    Printer {
        exprs,
        style: *style,
        out,
        one_line: false,
    }
    .formula(id, place.least());
}

/// A description as a pragma.
pub fn description(text: Name) -> String {
    format!("/*@desc {}*/", spelling::description(text.as_str()))
}

/// `;` and `||` need no parentheses, a description does.
const ITEM: u16 = 20;
/// Labels and descriptions of predicates: just tighter than `&`.
const LABEL: u16 = 41;
/// Looser than every expression, tighter than every predicate and than `;`.
const EXPRESSION: u16 = 115;
/// Comparisons: the weakest predicates that are atoms.
const COMPARISON: u16 = 70;
/// The postfix `~`, which calls and images may follow.
const INVERSE: u16 = 230;
/// Calls, images, fields.
const CHAIN: u16 = 231;
/// Brackets of its own, or a single word.
const ATOM: u16 = 300;

struct Printer<'a> {
    exprs: &'a Exprs,
    style: Style,
    out: &'a mut Layout,
    /// Inside a template string, where a line end would be part of the text.
    one_line: bool,
}

impl Printer<'_> {
    /// A formula, in parentheses if it binds looser than `least`.
    fn formula(&mut self, id: ExprId, least: u16) {
        deep::recurse(|| {
            let described = matches!(self.exprs.kind(id), ExprKind::Described(..));
            if self.priority(id) < least || (described && least == ITEM) {
                self.bracketed("(", ")", |printer| printer.bare(id));
            } else {
                self.bare(id);
            }
        });
    }

    fn priority(&self, id: ExprId) -> u16 {
        match self.exprs.kind(id) {
            ExprKind::Op(Op::Image, _)
            | ExprKind::Apply(..)
            | ExprKind::External(..)
            | ExprKind::Field(..) => CHAIN,
            ExprKind::Op(op, args) => match (op.notation(), args.len()) {
                (Notation::Infix(priority, _), 2)
                | (Notation::Prefix(priority) | Notation::Postfix(priority), 1) => priority,
                _ => ATOM,
            },
            ExprKind::Labelled(..) | ExprKind::Described(..) => LABEL,
            ExprKind::Int(value) if value.sign() == num_bigint::Sign::Minus => 210,
            _ => ATOM,
        }
    }

    // Long: one arm for each kind of formula.
    fn bare(&mut self, id: ExprId) {
        let exprs = self.exprs;
        match exprs.kind(id) {
            ExprKind::Error => self.text("?"),
            ExprKind::Name(name) => self.name(*name),
            ExprKind::Before(name) => {
                self.name(*name);
                self.text("$0");
            }
            ExprKind::Int(value) => self.text(&value.to_string()),
            ExprKind::Real(text) => self.text(text.as_str()),
            ExprKind::Str(text) if self.one_line => {
                self.text(&spelling::string_in_template(text.as_str()));
            }
            ExprKind::Str(text) => self.text(&spelling::string(text.as_str())),
            ExprKind::Template(parts) => self.template(parts),
            ExprKind::Op(op, args) => self.operator(id, *op, args),
            ExprKind::Apply(function, args) => {
                match exprs.kind(*function) {
                    ExprKind::Name(name) => self.text(&spelling::applied_name(name.as_str())),
                    _ => self.formula(*function, INVERSE),
                }
                self.list("(", args, EXPRESSION, ")");
            }
            ExprKind::External(name, args) => {
                self.name(*name);
                self.list("(", args, EXPRESSION, ")");
            }
            ExprKind::Bind {
                binder,
                names,
                predicate,
                value,
                symbolic,
            } => {
                if *symbolic {
                    self.text("/*@symbolic*/ ");
                }
                self.bind(*binder, names, *predicate, *value);
            }
            ExprKind::Record(fields) => self.fields("rec(", fields),
            ExprKind::Struct(fields) => self.fields("struct(", fields),
            ExprKind::Field(record, name) => {
                self.formula(*record, INVERSE);
                self.text("'");
                self.name(*name);
            }
            ExprKind::If {
                branches,
                otherwise,
            } => self.conditional(branches, *otherwise),
            ExprKind::Let {
                names,
                equations,
                body,
            } => {
                self.out.open();
                self.text("LET ");
                self.names(names);
                self.part(" BE", *equations);
                self.soft();
                self.part("IN", *body);
                self.soft();
                self.text("END");
                self.out.close();
            }
            ExprKind::After {
                targets,
                values,
                predicate,
            } => {
                self.bracketed("[", "]", |printer| {
                    printer.items(targets, CHAIN);
                    printer.text(if printer.style.unicode { " ≔" } else { " :=" });
                    printer.fill();
                    printer.items(values, EXPRESSION);
                });
                self.text(" ");
                self.formula(*predicate, COMPARISON);
            }
            ExprKind::Labelled(label, predicate) => {
                self.text("/*@label ");
                self.text(&spelling::label(label.as_str()));
                self.text("*/ ");
                let labelled = matches!(exprs.kind(*predicate), ExprKind::Labelled(..));
                self.formula(*predicate, if labelled { LABEL } else { LABEL + 1 });
            }
            ExprKind::Described(inner, text) => {
                self.formula(*inner, LABEL);
                self.text(" ");
                self.text(&description(*text));
            }
        }
    }

    fn operator(&mut self, id: ExprId, op: Op, args: &[ExprId]) {
        match (op, op.notation(), args) {
            (Op::Image, _, [relation, set]) => {
                self.formula(*relation, INVERSE);
                self.list("[", &[*set], ITEM, "]");
            }
            (Op::SetExtension, ..) => self.list("{", args, ITEM, "}"),
            (Op::SequenceExtension, ..) => self.list("[", args, EXPRESSION, "]"),
            (_, Notation::Infix(priority, Assoc::Left), [_, _]) => self.chain(id, priority),
            (_, Notation::Infix(priority, assoc), [left, right]) => {
                self.out.open();
                self.formula(*left, Self::left_least(op, priority));
                self.out.indent();
                self.infix(op);
                let right_least = priority + u16::from(assoc == Assoc::None);
                self.formula(*right, right_least);
                self.out.dedent();
                self.out.close();
            }
            (_, Notation::Prefix(_), [operand]) => {
                self.text(self.spell(op));
                self.formula(*operand, INVERSE);
            }
            (_, Notation::Postfix(_), [operand]) => {
                self.formula(*operand, CHAIN);
                self.text(self.spell(op));
            }
            (_, Notation::Constant, []) => self.text(self.spell(op)),
            _ => {
                let least = match op.operand_sort() {
                    Sort::Predicate => 0,
                    // These are read as applications of names, and take what those take.
                    Sort::Expression if spelling::is_tree_function(op.ascii()) => EXPRESSION,
                    Sort::Expression => ITEM,
                };
                self.text(self.spell(op));
                self.list("(", args, least, ")");
            }
        }
    }

    /// What the left side of an operator that does not group to the left takes without parentheses.
    fn left_least(op: Op, priority: u16) -> u16 {
        if op == Op::OfType {
            CHAIN
        } else {
            priority + 1
        }
    }

    /// `a ∘ b ∘ c` of one priority, grouping to the left: one group, however long.
    fn chain(&mut self, id: ExprId, priority: u16) {
        let mut links = Vec::new();
        let mut first = id;
        while let ExprKind::Op(op, args) = self.exprs.kind(first)
            && let (Notation::Infix(same, Assoc::Left), [left, right]) = (op.notation(), &args[..])
            && same == priority
        {
            links.push((*op, *right));
            first = *left;
        }
        let is_predicate = priority < 70 && priority != ITEM;
        // The operands of `;` are no items themselves: a description there needs parentheses.
        let (first_least, least) = if priority == ITEM {
            (EXPRESSION, EXPRESSION)
        } else {
            (priority, priority + 1)
        };
        self.out.open();
        self.formula(first, first_least);
        if !is_predicate {
            self.out.indent();
        }
        for (op, right) in links.into_iter().rev() {
            self.infix(op);
            self.formula(right, least);
        }
        if !is_predicate {
            self.out.dedent();
        }
        self.out.close();
    }

    /// An operator between its operands: conjuncts go to lines of their own, other operands fill lines.
    fn infix(&mut self, op: Op) {
        let spelled = self.spell(op);
        if op == Op::Interval {
            self.text(spelled);
            return;
        }
        self.text(" ");
        self.text(spelled);
        match op.operand_sort() {
            Sort::Predicate => self.soft(),
            Sort::Expression => self.fill(),
        }
    }

    fn conditional(&mut self, branches: &[(ExprId, ExprId)], otherwise: ExprId) {
        self.out.open();
        for (i, (condition, result)) in branches.iter().enumerate() {
            if i > 0 {
                self.soft();
            }
            self.text(if i == 0 { "IF " } else { "ELSIF " });
            self.formula(*condition, Place::Formula.least());
            self.part(" THEN", *result);
        }
        self.soft();
        self.part("ELSE", otherwise);
        self.soft();
        self.text("END");
        self.out.close();
    }

    /// A keyword with the formula after it, indented if it takes a line of its own.
    fn part(&mut self, keyword: &str, formula: ExprId) {
        self.text(keyword);
        self.out.indent();
        self.soft();
        self.formula(formula, Place::Formula.least());
        self.out.dedent();
    }

    fn fields(&mut self, open: &str, fields: &[Field]) {
        self.bracketed(open, ")", |printer| {
            for (i, field) in fields.iter().enumerate() {
                if i > 0 {
                    printer.text(",");
                    printer.fill();
                }
                printer.name(field.name);
                printer.text(": ");
                printer.formula(field.value, ITEM);
            }
        });
    }

    fn list(&mut self, open: &str, formulas: &[ExprId], least: u16, close: &str) {
        self.bracketed(open, close, |printer| printer.items(formulas, least));
    }

    /// `a, b, c`, filling lines.
    fn items(&mut self, formulas: &[ExprId], least: u16) {
        for (i, formula) in formulas.iter().enumerate() {
            if i > 0 {
                self.text(",");
                self.fill();
            }
            self.formula(*formula, least);
        }
    }

    fn bracketed(&mut self, open: &str, close: &str, body: impl FnOnce(&mut Self)) {
        self.out.open();
        self.text(open);
        self.out.indent();
        self.cut();
        body(self);
        self.out.dedent();
        self.cut();
        self.text(close);
        self.out.close();
    }

    fn template(&mut self, parts: &[TemplatePart]) {
        let around = std::mem::replace(&mut self.one_line, true);
        self.text("```");
        for part in parts {
            match part {
                TemplatePart::Text(text) => self.text(&spelling::template_text(text.as_str())),
                TemplatePart::Value(value, options) => {
                    self.text("$");
                    if let Some(options) = options {
                        self.text(options.as_str());
                    }
                    self.text("{");
                    self.formula(*value, ITEM);
                    self.text("}");
                }
            }
        }
        self.text("```");
        self.one_line = around;
    }

    fn names(&mut self, names: &[Binding]) {
        for (i, binding) in names.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.name(binding.name);
        }
    }

    fn name(&mut self, name: Name) {
        self.text(&spelling::name(name.as_str()));
    }

    fn spell(&self, op: Op) -> &'static str {
        if self.style.unicode {
            op.unicode()
        } else {
            op.ascii()
        }
    }

    fn text(&mut self, text: &str) {
        self.out.text(text);
    }

    fn soft(&mut self) {
        if self.one_line {
            self.out.text(" ");
        } else {
            self.out.soft();
        }
    }

    fn cut(&mut self) {
        if !self.one_line {
            self.out.cut();
        }
    }

    fn fill(&mut self) {
        if self.one_line {
            self.out.text(" ");
        } else {
            self.out.fill();
        }
    }
}

#[cfg(test)]
mod tests;
