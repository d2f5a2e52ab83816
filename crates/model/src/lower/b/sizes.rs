//! Derives the sizes of deferred sets and the names of their elements from the properties.
//!
//! Patterns (`b-typing`, B2): `card(S) = n` and its inequalities, `S = {a,b,c}`, `partition(S,{a},{b})`,
//! constants of S known to be different. Constants become the names of the elements when the properties
//! say that S consists of them and that they are pairwise different (`contract`, Element names).

use base::Name;
use lang_b::check::{DeclId, DeclKind, Machine, World};
use lang_b::syntax::ClauseBody;
use lang_math::{ExprId, ExprKind, Exprs, Op, Type};
use num_traits::ToPrimitive as _;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the properties say about the deferred sets.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// `MININT` and `MAXINT`.
    limits: (i64, i64),
    /// Integer constants with a known value.
    integers: FxHashMap<DeclId, i64>,
    sets: FxHashMap<Name, SetFacts>,
    /// Pairs of constants known to be different.
    different: FxHashSet<(DeclId, DeclId)>,
}

#[derive(Debug, Default)]
struct SetFacts {
    exact: Option<i64>,
    at_least: i64,
    at_most: Option<i64>,
    /// `S = {a, b, c}`: the constants listed.
    listed: Option<Vec<DeclId>>,
    /// Constants that are elements.
    members: Vec<DeclId>,
}

/// The size of a deferred set, and the constants that name its elements if they name all of them.
#[derive(Debug)]
pub(super) struct Size {
    pub size: usize,
    pub names: Vec<DeclId>,
    /// Why, for the report.
    pub because: &'static str,
}

impl Facts {
    /// Collects facts from the properties and constraints of all components.
    pub fn collect(world: &World, limits: (i64, i64)) -> Facts {
        let mut facts = Facts {
            limits,
            ..Facts::default()
        };
        let predicates: Vec<(&Machine, ExprId)> = world
            .machines
            .iter()
            .flat_map(|machine| {
                machine
                    .component
                    .clauses
                    .iter()
                    .filter_map(move |clause| match clause.body {
                        ClauseBody::Properties(id) | ClauseBody::Constraints(id) => {
                            Some((machine, id))
                        }
                        _ => None,
                    })
            })
            .collect();
        // Twice: a size may be given by a constant whose value comes later.
        for _ in 0..2 {
            for (machine, predicate) in &predicates {
                let exprs = &machine.component.tree.exprs;
                for conjunct in exprs.conjuncts(*predicate) {
                    facts.conjunct(world, machine, strip(exprs, conjunct));
                }
            }
        }
        for decl in world.decls.iter().map(|(id, _)| id) {
            let declared = &world.decls[decl];
            if matches!(declared.kind, DeclKind::Constant(_))
                && declared.instance_of.is_none()
                && let Type::Given(set) = world.types.get(declared.ty)
            {
                facts.sets.entry(*set).or_default().members.push(decl);
            }
        }
        facts
    }

    fn conjunct(&mut self, world: &World, machine: &Machine, id: ExprId) {
        let exprs = &machine.component.tree.exprs;
        let ExprKind::Op(op, args) = exprs.kind(id) else {
            return;
        };
        match op {
            Op::Equal => {
                let (left, right) = (args[0], args[1]);
                for (a, b) in [(left, right), (right, left)] {
                    if let Some(constant) = constant(world, machine, a)
                        && let Some(value) = self.integer(machine, b)
                    {
                        self.integers.insert(constant, value);
                    }
                    if let ExprKind::Op(Op::Card, set) = exprs.kind(a)
                        && let Some(value) = self.integer(machine, b)
                    {
                        self.card(world, machine, set[0], value);
                    }
                    if let Some(set) = carrier(world, machine, a)
                        && let Some(listed) = constants_of_extension(world, machine, b)
                    {
                        self.sets.entry(set).or_default().listed = Some(listed);
                    }
                }
            }
            Op::NotEqual => {
                if let (Some(a), Some(b)) = (
                    constant(world, machine, args[0]),
                    constant(world, machine, args[1]),
                ) {
                    self.differ(a, b);
                }
                self.bound(world, machine, Op::NotEqual, args[0], args[1]);
            }
            Op::Partition => {
                let Some(set) = carrier(world, machine, args[0]) else {
                    return;
                };
                let mut listed = Vec::new();
                for part in &args[1..] {
                    match constants_of_extension(world, machine, *part).as_deref() {
                        Some([one]) => listed.push(*one),
                        _ => return,
                    }
                }
                self.all_differ(&listed);
                self.sets.entry(set).or_default().listed = Some(listed);
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                self.bound(world, machine, *op, args[0], args[1]);
            }
            _ => {}
        }
    }

    /// `card(E) = value`
    fn card(&mut self, world: &World, machine: &Machine, set: ExprId, value: i64) {
        if let Some(name) = carrier(world, machine, set) {
            self.sets.entry(name).or_default().exact = Some(value);
        } else if let Some(listed) = constants_of_extension(world, machine, set)
            && listed.len() as i64 == value
        {
            self.all_differ(&listed);
        }
    }

    fn bound(&mut self, world: &World, machine: &Machine, op: Op, left: ExprId, right: ExprId) {
        let exprs = &machine.component.tree.exprs;
        let flipped = match op {
            Op::Less => Op::Greater,
            Op::LessEqual => Op::GreaterEqual,
            Op::Greater => Op::Less,
            Op::GreaterEqual => Op::LessEqual,
            other => other,
        };
        for (op, a, b) in [(op, left, right), (flipped, right, left)] {
            let ExprKind::Op(Op::Card, set) = exprs.kind(a) else {
                continue;
            };
            let (Some(name), Some(value)) =
                (carrier(world, machine, set[0]), self.integer(machine, b))
            else {
                continue;
            };
            let facts = self.sets.entry(name).or_default();
            let at_most = |known: Option<i64>, bound: i64| {
                Some(known.map_or(bound, |known| known.min(bound)))
            };
            match op {
                Op::Greater => facts.at_least = facts.at_least.max(value.saturating_add(1)),
                Op::GreaterEqual => facts.at_least = facts.at_least.max(value),
                Op::Less => facts.at_most = at_most(facts.at_most, value.saturating_sub(1)),
                Op::LessEqual => facts.at_most = at_most(facts.at_most, value),
                // A set is never empty, so this excludes the smallest size.
                Op::NotEqual if value == 1 => facts.at_least = facts.at_least.max(2),
                _ => {}
            }
        }
    }

    fn differ(&mut self, a: DeclId, b: DeclId) {
        self.different.insert((a.min(b), a.max(b)));
    }

    fn all_differ(&mut self, constants: &[DeclId]) {
        for (i, a) in constants.iter().enumerate() {
            for b in &constants[i + 1..] {
                self.differ(*a, *b);
            }
        }
    }

    fn are_different(&self, a: DeclId, b: DeclId) -> bool {
        self.different.contains(&(a.min(b), a.max(b)))
    }

    /// The value of a constant integer expression.
    fn integer(&self, machine: &Machine, id: ExprId) -> Option<i64> {
        let exprs = &machine.component.tree.exprs;
        match exprs.kind(id) {
            ExprKind::Int(value) => value.to_i64(),
            ExprKind::Op(Op::MinInt, _) => Some(self.limits.0),
            ExprKind::Op(Op::MaxInt, _) => Some(self.limits.1),
            ExprKind::Name(_) => {
                let decl = machine.meanings[id.index()]?;
                self.integers.get(&decl).copied()
            }
            ExprKind::Op(op, args) => {
                let mut values = args.iter().map(|arg| self.integer(machine, *arg));
                let first = values.next()??;
                match (op, values.next()) {
                    (Op::Negate, None) => first.checked_neg(),
                    (Op::Add, Some(second)) => first.checked_add(second?),
                    (Op::Minus, Some(second)) => first.checked_sub(second?),
                    (Op::Times, Some(second)) => first.checked_mul(second?),
                    (Op::Divide, Some(second)) => first.checked_div(second?),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The size of a deferred set when nobody else fixed it, and the names of its elements.
    pub fn size(&self, set: Name, fixed: Option<usize>, default: usize) -> Size {
        let nothing = SetFacts::default();
        let facts = self.sets.get(&set).unwrap_or(&nothing);
        // The largest set of constants that are known to be pairwise different, greedily.
        let mut distinct: Vec<DeclId> = Vec::new();
        let candidates = facts.listed.as_deref().unwrap_or(&facts.members);
        for candidate in candidates {
            if !distinct.contains(candidate)
                && distinct
                    .iter()
                    .all(|known| self.are_different(*known, *candidate))
            {
                distinct.push(*candidate);
            }
        }
        let at_least = facts.at_least.max(distinct.len() as i64).max(1);
        let at_most = match (&facts.listed, facts.at_most) {
            (Some(listed), bound) => {
                let bound = bound.unwrap_or(i64::MAX);
                Some(bound.min(listed.len() as i64))
            }
            (None, bound) => bound,
        };
        let (size, because) = match (fixed, facts.exact) {
            (Some(fixed), _) => (fixed, "given"),
            (None, Some(exact)) => (usize::try_from(exact).unwrap_or(0), "from PROPERTIES"),
            (None, None) => {
                let wanted = at_most.map_or(default as i64, |bound| bound.min(default as i64));
                let derived = at_least.max(wanted);
                let because = if derived == default as i64 {
                    "default"
                } else {
                    "from PROPERTIES"
                };
                (usize::try_from(derived).unwrap_or(default), because)
            }
        };
        // `S = {a,b,c}` with card(S) = 3 makes a, b and c different.
        let names = match &facts.listed {
            Some(listed) if listed.len() == size => {
                let unique: FxHashSet<DeclId> = listed.iter().copied().collect();
                let known = facts.exact == Some(size as i64) || distinct.len() == size;
                if unique.len() == size && known {
                    listed.clone()
                } else {
                    Vec::new()
                }
            }
            _ => Vec::new(),
        };
        Size {
            size,
            names,
            because,
        }
    }
}

fn strip(exprs: &Exprs, mut id: ExprId) -> ExprId {
    while let ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) = exprs.kind(id) {
        id = *inner;
    }
    id
}

/// The constant that an expression names.
fn constant(world: &World, machine: &Machine, id: ExprId) -> Option<DeclId> {
    let decl = machine.meanings[id.index()]?;
    let root = super::root(world, decl);
    matches!(world.decls[root].kind, DeclKind::Constant(_)).then_some(root)
}

/// The deferred set that an expression names.
fn carrier(world: &World, machine: &Machine, id: ExprId) -> Option<Name> {
    let decl = machine.meanings[id.index()]?;
    let decl = &world.decls[decl];
    matches!(decl.kind, DeclKind::DeferredSet | DeclKind::SetParameter).then_some(decl.name)
}

/// The constants of `{a, b, c}`.
fn constants_of_extension(world: &World, machine: &Machine, id: ExprId) -> Option<Vec<DeclId>> {
    match machine.component.tree.exprs.kind(id) {
        ExprKind::Op(Op::SetExtension, args) => args
            .iter()
            .map(|arg| constant(world, machine, *arg))
            .collect(),
        _ => None,
    }
}
