//! Claims about the printed form of single trees; the law for all trees is tested with the parser of B.

use base::{Id, Span};

use super::*;
use crate::expr::Binder;

struct Forge {
    exprs: Exprs,
}

impl Forge {
    fn new() -> Forge {
        Forge {
            exprs: Exprs::new(),
        }
    }

    fn add(&mut self, kind: ExprKind) -> ExprId {
        self.exprs.push(kind, Span::new(Id::new(0), 0, 0))
    }

    fn name(&mut self, text: &str) -> ExprId {
        self.add(ExprKind::Name(text.into()))
    }

    fn int(&mut self, value: i32) -> ExprId {
        self.add(ExprKind::Int(value.into()))
    }

    fn op(&mut self, op: Op, args: &[ExprId]) -> ExprId {
        self.add(ExprKind::Op(op, args.iter().copied().collect()))
    }

    fn apply(&mut self, function: ExprId, args: &[ExprId]) -> ExprId {
        self.add(ExprKind::Apply(function, args.iter().copied().collect()))
    }

    fn ascii(&self, id: ExprId) -> String {
        to_string(&self.exprs, id, &Style::default())
    }

    fn unicode(&self, id: ExprId) -> String {
        to_string(&self.exprs, id, &Style { unicode: true })
    }
}

fn binding(name: &str) -> Binding {
    Binding {
        name: name.into(),
        span: Span::new(Id::new(0), 0, 0),
    }
}

#[test]
fn conjunction_and_disjunction_share_a_level_that_groups_to_the_left() {
    let mut f = Forge::new();
    let (p, q, r) = (f.name("p"), f.name("q"), f.name("r"));
    let or = f.op(Op::Or, &[p, q]);
    let left = f.op(Op::And, &[or, r]);
    assert_eq!(f.ascii(left), "p or q & r");
    let right = f.op(Op::And, &[r, or]);
    assert_eq!(f.ascii(right), "r & (p or q)");
    let equivalent = f.op(Op::Equivalent, &[p, or]);
    assert_eq!(f.unicode(equivalent), "p ⇔ (p ∨ q)");
}

#[test]
fn a_minus_never_runs_into_its_neighbour() {
    let mut f = Forge::new();
    let (x, one, two) = (f.name("x"), f.int(1), f.int(2));
    let minus_one = f.op(Op::Negate, &[one]);
    let less = f.op(Op::Less, &[x, minus_one]);
    assert_eq!(f.ascii(less), "x < -1");
    let twice = f.op(Op::Negate, &[minus_one]);
    assert_eq!(f.ascii(twice), "-(-1)");
    let power = f.op(Op::Power, &[minus_one, two]);
    assert_eq!(f.ascii(power), "-1 ** 2");
    let negated = f.op(Op::Negate, &[power]);
    assert_eq!(f.ascii(negated), "-(-1 ** 2)");
    let call = f.apply(x, &[one]);
    let negated_call = f.op(Op::Negate, &[call]);
    assert_eq!(f.ascii(negated_call), "-x(1)");
    let difference = f.op(Op::Minus, &[x, minus_one]);
    assert_eq!(f.ascii(difference), "x - -1");
    let range = f.op(Op::Interval, &[minus_one, minus_one]);
    assert_eq!(f.ascii(range), "-1..-1");
}

#[test]
fn powers_group_to_the_right() {
    let mut f = Forge::new();
    let x = f.name("x");
    let inner = f.op(Op::Power, &[x, x]);
    let right = f.op(Op::Power, &[x, inner]);
    let left = f.op(Op::Power, &[inner, x]);
    assert_eq!(f.ascii(right), "x ** x ** x");
    assert_eq!(f.ascii(left), "(x ** x) ** x");
}

#[test]
fn composition_is_bare_only_between_brackets() {
    let mut f = Forge::new();
    let (r, s) = (f.name("r"), f.name("s"));
    let composed = f.op(Op::Composition, &[r, s]);
    assert_eq!(f.ascii(composed), "(r ; s)");
    let domain = f.op(Op::Domain, &[composed]);
    assert_eq!(f.ascii(domain), "dom(r ; s)");
    let call = f.apply(r, &[composed]);
    assert_eq!(f.ascii(call), "r((r ; s))");
    let image = f.op(Op::Image, &[composed, composed]);
    assert_eq!(f.ascii(image), "(r ; s)[r ; s]");
    let sequence = f.op(Op::SequenceExtension, &[composed]);
    assert_eq!(f.ascii(sequence), "[(r ; s)]");
    let set = f.op(Op::SetExtension, &[composed]);
    assert_eq!(f.ascii(set), "{r ; s}");
    let parallel = f.op(Op::ParallelProduct, &[composed, composed]);
    let inverse = f.op(Op::Inverse, &[parallel]);
    assert_eq!(f.ascii(inverse), "(r ; s || (r ; s))~");
}

#[test]
fn postfix_operators_chain() {
    let mut f = Forge::new();
    let (g, x) = (f.name("g"), f.name("x"));
    let inverse = f.op(Op::Inverse, &[g]);
    let call = f.apply(inverse, &[x]);
    assert_eq!(f.ascii(call), "g~(x)");
    let twice = f.op(Op::Inverse, &[inverse]);
    assert_eq!(f.ascii(twice), "(g~)~");
    let field = f.add(ExprKind::Field(call, "a".into()));
    assert_eq!(f.ascii(field), "g~(x)'a");
    let sum = f.op(Op::Add, &[x, x]);
    let odd = f.apply(sum, &[x, x]);
    assert_eq!(f.ascii(odd), "(x + x)(x, x)");
}

#[test]
fn a_context_word_is_quoted_only_where_it_is_applied() {
    let mut f = Forge::new();
    let (left, x) = (f.name("left"), f.name("x"));
    let applied = f.apply(left, &[x]);
    let tree_function = f.op(Op::BinaryLeft, &[left]);
    assert_eq!(f.ascii(applied), "`left`(x)");
    assert_eq!(f.ascii(tree_function), "left(left)");
}

#[test]
fn binders_enclose_their_bodies() {
    let mut f = Forge::new();
    let (x, set) = (f.name("x"), f.name("S"));
    let member = f.op(Op::Member, &[x, set]);
    let mut bind = |binder: Binder, names: &[&str], symbolic: bool| {
        let id = f.add(ExprKind::Bind {
            binder,
            names: names.iter().map(|name| binding(name)).collect(),
            predicate: member,
            value: binder.has_value().then_some(x),
            symbolic,
        });
        (f.ascii(id), f.unicode(id))
    };
    let pair = |ascii: &str, unicode: &str| (ascii.to_owned(), unicode.to_owned());
    assert_eq!(
        bind(Binder::Forall, &["x"], false),
        pair("!x.(x : S)", "∀x·(x ∈ S)")
    );
    assert_eq!(
        bind(Binder::Exists, &["x", "y"], false),
        pair("#(x, y).(x : S)", "∃(x, y)·(x ∈ S)")
    );
    assert_eq!(
        bind(Binder::Comprehension, &["x", "y"], true),
        pair(
            "/*@symbolic*/ {x, y | x : S}",
            "/*@symbolic*/ {x, y | x ∈ S}"
        )
    );
    assert_eq!(
        bind(Binder::Image, &["x", "y"], false),
        pair("{(x, y).x : S | x}", "{x, y·x ∈ S | x}")
    );
    assert_eq!(
        bind(Binder::Lambda, &["x"], false),
        pair("%x.(x : S | x)", "λx·(x ∈ S | x)")
    );
    assert_eq!(
        bind(Binder::Sum, &["x"], false),
        pair("SIGMA(x).(x : S | x)", "∑(x)·(x ∈ S | x)")
    );
}

#[test]
fn long_conjunctions_take_a_line_for_each_conjunct() {
    let mut f = Forge::new();
    let set = f.name("a_set_with_a_long_name");
    let mut all = None;
    for i in 0..5 {
        let x = f.name(&format!("variable_{i}"));
        let member = f.op(Op::Member, &[x, set]);
        all = Some(match all {
            None => member,
            Some(before) => f.op(Op::And, &[before, member]),
        });
    }
    let text = f.ascii(all.unwrap_or(set));
    assert_eq!(text.lines().count(), 5);
    assert!(
        text.lines()
            .take(4)
            .all(|line| line.ends_with("a_set_with_a_long_name &"))
    );
}

#[test]
fn a_chain_of_fifty_thousand_prints() {
    let mut f = Forge::new();
    let x = f.name("x");
    let (mut left, mut right) = (x, x);
    for _ in 0..50_000 {
        left = f.op(Op::And, &[left, x]);
        right = f.op(Op::Power, &[x, right]);
    }
    assert_eq!(f.ascii(left).lines().count(), 50_001);
    assert_eq!(f.ascii(right).matches("**").count(), 50_000);
}
