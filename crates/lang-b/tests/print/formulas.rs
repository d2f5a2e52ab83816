//! Random formulas that respect the two sorts and nothing else: every kind of node below every other.

use base::{Id, Name, Random, Span};
use lang_math::{
    Args, Binder, Binding, ExprId, ExprKind, Exprs, Field, Notation, Op, Sort, TemplatePart,
};

/// Plain names, names that need backquotes, words that are reserved only before arguments.
const NAMES: &[&str] = &[
    "x",
    "yy",
    "S",
    "f",
    "left",
    "bin",
    "ref",
    "IF",
    "or",
    "two words",
    "_a",
    "Größe",
    "x₁",
    "a′",
    "λ",
    "ℕ",
    "1st",
    "tree",
    "INVARIANT",
];

const DOTTED: &[&str] = &["inst.x", "a.b.c", "a.or", "top.left"];

const STRINGS: &[&str] = &[
    "",
    "abc",
    "say \"x\"",
    "a\\b",
    "line\nline",
    "tab\t'",
    "${x}",
    "*/",
    "```",
];

const TEXTS: &[&str] = &[
    "plain",
    "a `b`",
    "\\${x}",
    "back\\slash",
    "cost $5",
    "{}",
    "line\nline",
];

const DESCRIPTIONS: &[&str] = &[
    "",
    "why",
    "several words, and more",
    "\"quoted\"",
    " blanks ",
    "star *",
];

const LABELS: &[&str] = &["inv1", "two words", "a-b", "§ 3"];

const BINDERS: &[Binder] = &[
    Binder::Comprehension,
    Binder::Image,
    Binder::Lambda,
    Binder::Sum,
    Binder::Product,
    Binder::Union,
    Binder::Inter,
];

/// The place of nodes that no text has.
pub(crate) fn nowhere() -> Span {
    Span::new(Id::new(0), 0, 0)
}

/// Makes formulas.
pub(crate) struct Formulas<'a> {
    pub(crate) random: &'a mut Random,
    pub(crate) exprs: &'a mut Exprs,
    /// Also what is printed with parentheses that are not strictly needed.
    pub(crate) all: bool,
    in_template: bool,
}

impl<'a> Formulas<'a> {
    pub(crate) fn new(random: &'a mut Random, exprs: &'a mut Exprs) -> Formulas<'a> {
        Formulas {
            random,
            exprs,
            all: true,
            in_template: false,
        }
    }

    fn add(&mut self, kind: ExprKind) -> ExprId {
        self.exprs.push(kind, nowhere())
    }

    /// A formula of this sort of at most this height.
    pub(crate) fn formula(&mut self, sort: Sort, height: usize) -> ExprId {
        match sort {
            Sort::Expression => self.expression(height),
            Sort::Predicate => self.predicate(height),
        }
    }

    pub(crate) fn name(&mut self) -> Name {
        Name::new(self.random.pick(NAMES))
    }

    pub(crate) fn reference(&mut self) -> Name {
        if self.random.below(6) == 0 {
            Name::new(self.random.pick(DOTTED))
        } else {
            self.name()
        }
    }

    pub(crate) fn description(&mut self) -> Name {
        Name::new(self.random.pick(DESCRIPTIONS))
    }

    pub(crate) fn names(&mut self) -> Vec<Binding> {
        let count = 1 + self.random.below(3);
        (0..count)
            .map(|_| Binding {
                name: self.name(),
                span: nowhere(),
            })
            .collect()
    }

    pub(crate) fn expressions(&mut self, height: usize) -> Vec<ExprId> {
        let count = 1 + self.random.below(3);
        (0..count).map(|_| self.expression(height)).collect()
    }

    /// What may stand to the left of `:=`.
    pub(crate) fn targets(&mut self) -> Vec<ExprId> {
        let count = 1 + self.random.below(2);
        (0..count)
            .map(|_| {
                let name = self.reference();
                let mut target = self.add(ExprKind::Name(name));
                for _ in 0..self.random.below(3) {
                    target = if self.random.flip() {
                        let args = self.expressions(1);
                        self.add(ExprKind::Apply(target, Args::from_vec(args)))
                    } else {
                        let field = self.name();
                        self.add(ExprKind::Field(target, field))
                    };
                }
                target
            })
            .collect()
    }

    /// An application of this operator.
    pub(crate) fn operation(&mut self, op: Op, height: usize) -> ExprId {
        let count = op.arity().unwrap_or_else(|| 1 + self.random.below(3));
        let args = (0..count)
            .map(|_| self.formula(op.operand_sort(), height))
            .collect();
        self.add(ExprKind::Op(op, args))
    }

    pub(crate) fn expression(&mut self, height: usize) -> ExprId {
        if height == 0 {
            return self.leaf();
        }
        let below = height - 1;
        match self.random.below(24) {
            0 | 1 => {
                let function = self.expression(below);
                let args = self.expressions(below);
                self.add(ExprKind::Apply(function, Args::from_vec(args)))
            }
            2 => {
                let name = self.reference();
                let function = self.add(ExprKind::Name(name));
                let args = self.expressions(below);
                self.add(ExprKind::Apply(function, Args::from_vec(args)))
            }
            3 | 4 => {
                let binder = self.random.pick(BINDERS);
                self.bind(binder, below)
            }
            5 => {
                let fields = self.fields(below);
                self.add(ExprKind::Record(fields))
            }
            6 => {
                let fields = self.fields(below);
                self.add(ExprKind::Struct(fields))
            }
            7 => {
                let record = self.expression(below);
                let field = self.name();
                self.add(ExprKind::Field(record, field))
            }
            8 => self.conditional(Sort::Expression, below),
            9 => self.local(Sort::Expression, below),
            10 if !self.in_template => self.template(below),
            11 if self.all => {
                let inner = self.expression(below);
                let text = self.description();
                self.add(ExprKind::Described(inner, text))
            }
            12 => self.leaf(),
            _ => {
                let op = self.operator(Sort::Expression);
                self.operation(op, below)
            }
        }
    }

    pub(crate) fn predicate(&mut self, height: usize) -> ExprId {
        if height == 0 {
            let op = self
                .random
                .pick(&[Op::Equal, Op::Member, Op::Less, Op::Subset]);
            return self.operation(op, 0);
        }
        let below = height - 1;
        match self.random.below(16) {
            0 => self.bind(Binder::Forall, below),
            1 => self.bind(Binder::Exists, below),
            2 => self.conditional(Sort::Predicate, below),
            3 => self.local(Sort::Predicate, below),
            4 => {
                let targets = self.targets();
                let values = self.expressions(below);
                let predicate = self.predicate(below);
                self.add(ExprKind::After {
                    targets,
                    values,
                    predicate,
                })
            }
            5 => {
                let label = Name::new(self.random.pick(LABELS));
                let inner = self.predicate(below);
                self.add(ExprKind::Labelled(label, inner))
            }
            6 if self.all => {
                let inner = self.predicate(below);
                let text = self.description();
                self.add(ExprKind::Described(inner, text))
            }
            7 => {
                let name = self.reference();
                self.add(ExprKind::Name(name))
            }
            8 => {
                let name = self.reference();
                let function = self.add(ExprKind::Name(name));
                let args = self.expressions(below);
                self.add(ExprKind::Apply(function, Args::from_vec(args)))
            }
            _ => {
                let op = self.operator(Sort::Predicate);
                self.operation(op, below)
            }
        }
    }

    fn operator(&mut self, sort: Sort) -> Op {
        loop {
            let op = self.random.pick(Op::ALL);
            if op.sort() == sort && (self.all || op != Op::OfType) {
                return op;
            }
        }
    }

    fn leaf(&mut self) -> ExprId {
        let kind = match self.random.below(8) {
            0 => ExprKind::Before(self.reference()),
            1 => ExprKind::Int(self.random.below(200).into()),
            2 => ExprKind::Real(Name::new(self.random.pick(&["1.5", "0.25e-3", "12.0E7"]))),
            3 => {
                let text = if self.in_template {
                    "plain"
                } else {
                    self.random.pick(STRINGS)
                };
                ExprKind::Str(Name::new(text))
            }
            4 => {
                let constants: Vec<Op> = Op::ALL
                    .iter()
                    .copied()
                    .filter(|op| {
                        op.notation() == Notation::Constant && op.sort() == Sort::Expression
                    })
                    .collect();
                ExprKind::Op(self.random.pick(&constants), Args::new())
            }
            _ => ExprKind::Name(self.reference()),
        };
        self.add(kind)
    }

    /// A construct that introduces names.
    pub(crate) fn bind(&mut self, binder: Binder, height: usize) -> ExprId {
        let names = self.names();
        let predicate = self.predicate(height);
        let value = binder.has_value().then(|| self.expression(height));
        let quantifier = matches!(binder, Binder::Forall | Binder::Exists);
        let symbolic = !quantifier && self.random.below(4) == 0;
        self.add(ExprKind::Bind {
            binder,
            names,
            predicate,
            value,
            symbolic,
        })
    }

    fn fields(&mut self, height: usize) -> Vec<Field> {
        let count = 1 + self.random.below(2);
        (0..count)
            .map(|_| Field {
                name: self.name(),
                span: nowhere(),
                value: self.expression(height),
            })
            .collect()
    }

    fn conditional(&mut self, sort: Sort, height: usize) -> ExprId {
        let count = 1 + self.random.below(2);
        let branches = (0..count)
            .map(|_| (self.predicate(height), self.formula(sort, height)))
            .collect();
        let otherwise = self.formula(sort, height);
        self.add(ExprKind::If {
            branches,
            otherwise,
        })
    }

    fn local(&mut self, sort: Sort, height: usize) -> ExprId {
        let names = self.names();
        let equations = self.predicate(height);
        let body = self.formula(sort, height);
        self.add(ExprKind::Let {
            names,
            equations,
            body,
        })
    }

    fn template(&mut self, height: usize) -> ExprId {
        self.in_template = true;
        let mut parts = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            if self.random.flip() {
                parts.push(TemplatePart::Text(Name::new(self.random.pick(TEXTS))));
            }
            let options = self.random.flip().then(|| Name::new("2f"));
            parts.push(TemplatePart::Value(self.expression(height), options));
        }
        if self.random.flip() {
            parts.push(TemplatePart::Text(Name::new(self.random.pick(TEXTS))));
        }
        self.in_template = false;
        self.add(ExprKind::Template(parts))
    }
}
