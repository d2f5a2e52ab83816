//! The text form of small models built by hand.

use base::{Arena, Name, Sources, Span};
use lang_math::{Binder, Op};
use smallvec::SmallVec;

use crate::expr::{Expr, Kind, Local, Variable};
use crate::{Action, Conjunct, ExprId, Model, Stmt, Target, Ty, Tys};

fn span() -> Span {
    let mut sources = Sources::new();
    Span::new(sources.add("m.mch", String::new()), 0, 0)
}

/// A counter with one operation that has a parameter of the same name as the variable.
fn counter() -> Model {
    let span = span();
    let mut tys = Tys::default();
    let int = tys.intern(Ty::Int);
    let mut variables = Arena::new();
    let n = variables.push(Variable {
        name: Name::new("n"),
        ty: int,
        is_constant: false,
        span,
    });
    let mut locals = Arena::new();
    let local = |name: &str, locals: &mut Arena<Local>| {
        locals.push(Local {
            name: Name::new(name),
            ty: int,
            span,
        })
    };
    let parameter = local("n", &mut locals);
    let bound = local("i", &mut locals);
    let mut exprs = Arena::new();
    let mut push = |kind: Kind, ty| exprs.push(Expr { kind, ty, span });
    let op = |op: Op, args: &[ExprId]| Kind::Op(op, SmallVec::from_slice(args));
    let zero = push(Kind::Int(0.into()), Some(int));
    let var = push(Kind::Var(n), Some(int));
    let invariant = push(op(Op::GreaterEqual, &[var, zero]), None);
    let par = push(Kind::Local(parameter), Some(int));
    let guard = push(op(Op::Greater, &[par, var]), None);
    let i = push(Kind::Local(bound), Some(int));
    let small = push(op(Op::Less, &[i, par]), None);
    let exists = push(
        Kind::Bind {
            binder: Binder::Exists,
            names: vec![bound],
            predicate: small,
            value: None,
            symbolic: false,
        },
        None,
    );
    let mut stmts = Arena::new();
    let initialisation = stmts.push(Stmt::Assign(vec![(Target::Var(n), zero)]));
    let set = stmts.push(Stmt::Assign(vec![(Target::Var(n), par)]));
    let skip = stmts.push(Stmt::Skip);
    let body = stmts.push(Stmt::If(vec![(exists, set)], skip));
    Model {
        name: Name::new("Counter"),
        tys,
        variables,
        locals,
        exprs,
        stmts,
        properties: Vec::new(),
        has_setup: false,
        assumed: Vec::new(),
        invariants: vec![Conjunct {
            predicate: invariant,
            label: Some(Name::new("inv1")),
            span,
        }],
        assertions: Vec::new(),
        initialisation,
        actions: vec![Action {
            name: Name::new("set"),
            parameters: vec![parameter],
            results: Vec::new(),
            guard: vec![guard],
            body,
            span,
        }],
        min_int: -1,
        max_int: 3,
        strings: Vec::new(),
        not_checked: Vec::new(),
        goal: None,
        scopes: vec!["MAXINT = 3".to_owned()],
        warnings: Vec::new(),
    }
}

#[test]
fn every_part_is_shown_and_names_never_clash() {
    let text = super::model(&counter());
    assert_eq!(
        text,
        "\
MODEL Counter
SCOPES
  MAXINT = 3
VARIABLES
  n : INTEGER
INVARIANT
  [inv1] n >= 0
INITIALISATION
  n := 0
ACTIONS
  set(n_2 : INTEGER)
    WHEN
      n_2 > n
    THEN
      IF #i.(i < n_2)
      THEN
        n := n_2
      ELSE
        skip
      END
END
"
    );
}

#[test]
fn a_formula_alone_is_one_line() {
    let model = counter();
    assert_eq!(
        super::formula(&model, model.invariants[0].predicate),
        "n >= 0"
    );
}
