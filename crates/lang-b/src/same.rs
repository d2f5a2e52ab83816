//! Says whether two components are the same text up to layout: the equality in "reading what was printed".
//!
//! Places, parentheses and the order of the clauses are no part of it; the order inside a clause is.
//! Consistent with [`lang_math::Exprs::same`], which compares the formulas.

use base::{Name, deep};
use lang_math::{Binding, ExprId};

use crate::syntax::{
    Clause, ClauseBody, Component, Constructor, Declared, Definition, FreeType, MachineRef, Macro,
    MacroBody, Operation, SetDecl, SetKind, SubstId, SubstKind, Tree,
};

impl Component {
    /// Whether two components are the same, places and the order of their clauses apart.
    pub fn same(&self, other: &Component) -> bool {
        let pair = Pair {
            left: &self.tree,
            right: &other.tree,
        };
        let pragmas = |component: &Component| -> Vec<_> {
            component.pragmas.iter().map(|pragma| pragma.kind).collect()
        };
        self.kind == other.kind
            && self.name == other.name
            && names(&self.parameters, &other.parameters)
            && pragmas(self) == pragmas(other)
            && each(
                &self.clauses_in_order(),
                &other.clauses_in_order(),
                |a, b| pair.clause(&a.body, &b.body),
            )
    }

    /// The clauses in the order they are printed in.
    pub(crate) fn clauses_in_order(&self) -> Vec<&Clause> {
        let mut clauses: Vec<&Clause> = self.clauses.iter().collect();
        clauses.sort_by_key(|clause| rank(&clause.body));
        clauses
    }
}

impl Tree {
    /// Whether two substitutions are the same, places apart.
    pub fn same(&self, id: SubstId, other: &Tree, other_id: SubstId) -> bool {
        let pair = Pair {
            left: self,
            right: other,
        };
        pair.subst(id, other_id)
    }
}

/// The place of a clause in the normalised order: who it is about, what it declares, what it does.
fn rank(body: &ClauseBody) -> (u8, u8) {
    let rank = match body {
        ClauseBody::Refines(_) => 0,
        ClauseBody::References(..) => 1,
        ClauseBody::Promotes(_) => 2,
        ClauseBody::Constraints(_) => 3,
        ClauseBody::Sets(_) => 4,
        ClauseBody::FreeTypes(_) => 5,
        ClauseBody::Constants(..) => 6,
        ClauseBody::Properties(_) => 7,
        ClauseBody::Values(_) => 8,
        ClauseBody::Variables(..) => 9,
        ClauseBody::Invariant(_) => 10,
        ClauseBody::Variant(_) => 11,
        ClauseBody::Assertions(_) => 12,
        ClauseBody::Definitions(_) => 13,
        ClauseBody::Initialisation(_) => 14,
        ClauseBody::LocalOperations(_) => 15,
        ClauseBody::Operations(_) => 16,
        ClauseBody::Unsupported(_) => 17,
    };
    let within = match body {
        ClauseBody::References(link, _) => *link as u8,
        ClauseBody::Constants(visibility, _) | ClauseBody::Variables(visibility, _) => {
            *visibility as u8
        }
        _ => 0,
    };
    (rank, within)
}

/// Two trees under comparison.
struct Pair<'a> {
    left: &'a Tree,
    right: &'a Tree,
}

impl Pair<'_> {
    fn clause(&self, a: &ClauseBody, b: &ClauseBody) -> bool {
        match (a, b) {
            (ClauseBody::Refines(a), ClauseBody::Refines(b)) => self.reference(a, b),
            (ClauseBody::References(link, xs), ClauseBody::References(other, ys)) => {
                link == other && each(xs, ys, |x, y| self.reference(x, y))
            }
            (ClauseBody::Promotes(xs), ClauseBody::Promotes(ys)) => names(xs, ys),
            (ClauseBody::Constraints(x), ClauseBody::Constraints(y))
            | (ClauseBody::Properties(x), ClauseBody::Properties(y))
            | (ClauseBody::Invariant(x), ClauseBody::Invariant(y))
            | (ClauseBody::Variant(x), ClauseBody::Variant(y)) => self.formula(*x, *y),
            (ClauseBody::Sets(xs), ClauseBody::Sets(ys)) => each(xs, ys, set),
            (ClauseBody::FreeTypes(xs), ClauseBody::FreeTypes(ys)) => {
                each(xs, ys, |x, y| self.free_type(x, y))
            }
            (ClauseBody::Constants(v, xs), ClauseBody::Constants(w, ys))
            | (ClauseBody::Variables(v, xs), ClauseBody::Variables(w, ys)) => {
                v == w && each(xs, ys, declared)
            }
            (ClauseBody::Values(xs), ClauseBody::Values(ys)) => each(xs, ys, |x, y| {
                x.name.name == y.name.name && self.formula(x.value, y.value)
            }),
            (ClauseBody::Assertions(xs), ClauseBody::Assertions(ys)) => self.formulas(xs, ys),
            (ClauseBody::Initialisation(x), ClauseBody::Initialisation(y)) => self.subst(*x, *y),
            (ClauseBody::Operations(xs), ClauseBody::Operations(ys))
            | (ClauseBody::LocalOperations(xs), ClauseBody::LocalOperations(ys)) => {
                each(xs, ys, |x, y| self.operation(x, y))
            }
            (ClauseBody::Definitions(xs), ClauseBody::Definitions(ys)) => {
                each(xs, ys, |x, y| self.definition(x, y))
            }
            (ClauseBody::Unsupported(x), ClauseBody::Unsupported(y)) => x == y,
            _ => false,
        }
    }

    fn reference(&self, a: &MachineRef, b: &MachineRef) -> bool {
        a.instance == b.instance
            && a.machine == b.machine
            && a.file == b.file
            && self.formulas(&a.arguments, &b.arguments)
    }

    fn free_type(&self, a: &FreeType, b: &FreeType) -> bool {
        let constructor = |x: &Constructor, y: &Constructor| {
            x.name == y.name
                && match (x.argument, y.argument) {
                    (Some(x), Some(y)) => self.formula(x, y),
                    (None, None) => true,
                    _ => false,
                }
        };
        a.name == b.name
            && names(&a.parameters, &b.parameters)
            && each(&a.constructors, &b.constructors, constructor)
    }

    fn operation(&self, a: &Operation, b: &Operation) -> bool {
        let refined = |operation: &Operation| operation.refines.map(|abstraction| abstraction.name);
        a.name == b.name
            && names(&a.results, &b.results)
            && names(&a.parameters, &b.parameters)
            && refined(a) == refined(b)
            && a.description == b.description
            && self.subst(a.body, b.body)
    }

    fn definition(&self, a: &Definition, b: &Definition) -> bool {
        match (a, b) {
            (Definition::Macro(a), Definition::Macro(b)) => self.macro_(a, b),
            (Definition::File(a), Definition::File(b)) => {
                a.path == b.path && a.library == b.library
            }
            _ => false,
        }
    }

    fn macro_(&self, a: &Macro, b: &Macro) -> bool {
        a.name == b.name
            && names(&a.parameters, &b.parameters)
            && match (&a.body, &b.body) {
                (MacroBody::Formula(x), MacroBody::Formula(y)) => self.formula(*x, *y),
                (MacroBody::Names(xs), MacroBody::Names(ys)) => names(xs, ys),
                (MacroBody::Substitution(x), MacroBody::Substitution(y)) => self.subst(*x, *y),
                _ => false,
            }
    }

    fn formula(&self, a: ExprId, b: ExprId) -> bool {
        self.left.exprs.same(a, &self.right.exprs, b)
    }

    fn formulas(&self, xs: &[ExprId], ys: &[ExprId]) -> bool {
        each(xs, ys, |x, y| self.formula(*x, *y))
    }

    fn substs(&self, xs: &[SubstId], ys: &[SubstId]) -> bool {
        each(xs, ys, |x, y| self.subst(*x, *y))
    }

    fn optional(&self, a: Option<SubstId>, b: Option<SubstId>) -> bool {
        match (a, b) {
            (Some(x), Some(y)) => self.subst(x, y),
            (None, None) => true,
            _ => false,
        }
    }

    fn subst(&self, a: SubstId, b: SubstId) -> bool {
        deep::recurse(|| self.kind(&self.left.substs[a].kind, &self.right.substs[b].kind))
    }

    // Long: one arm for each kind of substitution.
    fn kind(&self, a: &SubstKind, b: &SubstKind) -> bool {
        use SubstKind as S;
        match (a, b) {
            (S::Error, S::Error) | (S::Skip, S::Skip) => true,
            (
                S::Assign { targets, values },
                S::Assign {
                    targets: other_targets,
                    values: other_values,
                },
            ) => self.formulas(targets, other_targets) && self.formulas(values, other_values),
            (
                S::BecomesElement { targets, set: last },
                S::BecomesElement {
                    targets: other_targets,
                    set: other_last,
                },
            )
            | (
                S::BecomesSuch {
                    targets,
                    predicate: last,
                },
                S::BecomesSuch {
                    targets: other_targets,
                    predicate: other_last,
                },
            ) => self.formulas(targets, other_targets) && self.formula(*last, *other_last),
            (
                S::Call {
                    results,
                    name,
                    arguments,
                    ..
                },
                S::Call {
                    results: other_results,
                    name: other_name,
                    arguments: other_arguments,
                    ..
                },
            ) => {
                name == other_name
                    && self.formulas(results, other_results)
                    && self.formulas(arguments, other_arguments)
            }
            (S::External(name, arguments), S::External(other_name, other_arguments)) => {
                name == other_name && self.formulas(arguments, other_arguments)
            }
            (S::Block(x), S::Block(y)) => self.subst(*x, *y),
            (S::Pre(p, x), S::Pre(q, y))
            | (S::Assert(p, x), S::Assert(q, y))
            | (S::Witness(p, x), S::Witness(q, y)) => self.formula(*p, *q) && self.subst(*x, *y),
            (S::Choice(xs), S::Choice(ys))
            | (S::Sequence(xs), S::Sequence(ys))
            | (S::Parallel(xs), S::Parallel(ys)) => self.substs(xs, ys),
            (
                S::If {
                    branches: xs,
                    otherwise: x,
                },
                S::If {
                    branches: ys,
                    otherwise: y,
                },
            )
            | (
                S::Select {
                    branches: xs,
                    otherwise: x,
                },
                S::Select {
                    branches: ys,
                    otherwise: y,
                },
            ) => {
                each(xs, ys, |x, y| {
                    self.formula(x.0, y.0) && self.subst(x.1, y.1)
                }) && self.optional(*x, *y)
            }
            (
                S::Case {
                    subject: e,
                    branches: xs,
                    otherwise: x,
                },
                S::Case {
                    subject: f,
                    branches: ys,
                    otherwise: y,
                },
            ) => {
                self.formula(*e, *f)
                    && each(xs, ys, |x, y| {
                        self.formulas(&x.0, &y.0) && self.subst(x.1, y.1)
                    })
                    && self.optional(*x, *y)
            }
            (
                S::Any {
                    names: xs,
                    predicate: p,
                    body: x,
                },
                S::Any {
                    names: ys,
                    predicate: q,
                    body: y,
                },
            )
            | (
                S::Let {
                    names: xs,
                    equations: p,
                    body: x,
                },
                S::Let {
                    names: ys,
                    equations: q,
                    body: y,
                },
            ) => names(xs, ys) && self.formula(*p, *q) && self.subst(*x, *y),
            (S::Var { names: xs, body: x }, S::Var { names: ys, body: y }) => {
                names(xs, ys) && self.subst(*x, *y)
            }
            (
                S::While {
                    condition,
                    body,
                    invariant,
                    variant,
                },
                S::While {
                    condition: other_condition,
                    body: other_body,
                    invariant: other_invariant,
                    variant: other_variant,
                },
            ) => {
                self.formula(*condition, *other_condition)
                    && self.subst(*body, *other_body)
                    && self.formula(*invariant, *other_invariant)
                    && self.formula(*variant, *other_variant)
            }
            _ => false,
        }
    }
}

fn set(a: &SetDecl, b: &SetDecl) -> bool {
    a.name == b.name
        && a.description == b.description
        && match (&a.kind, &b.kind) {
            (SetKind::Deferred, SetKind::Deferred) => true,
            (SetKind::Enumerated(xs), SetKind::Enumerated(ys)) => names(xs, ys),
            (SetKind::FromDefinition(x), SetKind::FromDefinition(y)) => x.name == y.name,
            _ => false,
        }
}

fn declared(a: &Declared, b: &Declared) -> bool {
    let key =
        |declared: &Declared| -> (Name, Option<Name>) { (declared.name, declared.description) };
    key(a) == key(b)
}

fn names(xs: &[Binding], ys: &[Binding]) -> bool {
    each(xs, ys, |x, y| x.name == y.name)
}

fn each<T>(xs: &[T], ys: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same(x, y))
}
