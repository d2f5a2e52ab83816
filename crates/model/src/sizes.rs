//! Derives the sizes of deferred sets and the names of their elements from the properties.
//!
//! Patterns: `card(S) = n` and its inequalities, `S = {a,b,c}`, `partition(S,{a},{b})`, also of
//! parts that are partitioned themselves, constants of S known to be different, and functions between sets
//! (`mappings.rs`), disjoint parts (`disjoint.rs`). Constants become the names of the elements when the properties say that S consists of them
//! and that they are pairwise different (`docs/meaning.md`, Scopes).
//!
//! The languages share the rules; what a name in a property means is theirs to say ([`Names`]).

mod disjoint;
mod mappings;
mod parts;

use std::hash::Hash;

use base::Name;
use lang_math::{ExprId, ExprKind, Exprs, Op};
use num_traits::ToPrimitive as _;
use rustc_hash::{FxHashMap, FxHashSet};

/// What names in properties mean.
pub trait Names<C> {
    /// The formulas.
    fn exprs(&self) -> &Exprs;
    /// The constant that an expression names.
    fn constant(&self, id: ExprId) -> Option<C>;
    /// The deferred set that an expression names.
    fn carrier(&self, id: ExprId) -> Option<Name>;
    /// The number of elements of the enumerated set that an expression names.
    fn enumerated(&self, id: ExprId) -> Option<i64>;

    /// The constants of `{a, b, c}`.
    fn constants_of_extension(&self, id: ExprId) -> Option<Vec<C>> {
        match self.exprs().kind(id) {
            ExprKind::Op(Op::SetExtension, args) => {
                args.iter().map(|arg| self.constant(*arg)).collect()
            }
            _ => None,
        }
    }
}

/// What the properties say about the deferred sets; `C` is a constant.
#[derive(Debug)]
pub struct Facts<C> {
    /// `MININT` and `MAXINT`.
    limits: (i64, i64),
    /// Integer constants with a known value.
    integers: FxHashMap<C, i64>,
    sets: FxHashMap<Name, SetFacts<C>>,
    /// Pairs of constants known to be different.
    different: FxHashSet<(C, C)>,
    /// What functions say about the sizes of sets.
    mappings: Vec<mappings::Mapping>,
    /// Partitions of sets.
    parts: parts::Parts<C>,
    /// Sets that hold others which have nothing in common.
    disjoint: disjoint::Disjoint<C>,
}

#[derive(Debug)]
struct SetFacts<C> {
    exact: Option<i64>,
    at_least: i64,
    at_most: Option<i64>,
    /// `S = {a, b, c}`: the constants listed.
    listed: Option<Vec<C>>,
    /// Constants that are elements.
    members: Vec<C>,
}

impl<C> Default for SetFacts<C> {
    fn default() -> SetFacts<C> {
        SetFacts {
            exact: None,
            at_least: 0,
            at_most: None,
            listed: None,
            members: Vec::new(),
        }
    }
}

/// The size of a deferred set, and the constants that name its elements if they name all of them.
#[derive(Debug)]
pub struct Size<C> {
    /// How many elements it has.
    pub size: usize,
    /// The constants that name them.
    pub names: Vec<C>,
    /// Why, for the report.
    pub because: &'static str,
}

impl<C: Copy + Eq + Hash + Ord> Facts<C> {
    /// Collects facts from properties; `members` are the constants that are elements of deferred sets.
    pub fn collect(
        properties: &[(&dyn Names<C>, ExprId)],
        members: impl IntoIterator<Item = (Name, C)>,
        limits: (i64, i64),
    ) -> Facts<C> {
        let mut facts = Facts {
            limits,
            integers: FxHashMap::default(),
            sets: FxHashMap::default(),
            different: FxHashSet::default(),
            mappings: Vec::new(),
            parts: parts::Parts::default(),
            disjoint: disjoint::Disjoint::default(),
        };
        // Twice: a size may be given by a constant whose value comes later.
        for _ in 0..2 {
            facts.mappings.clear();
            facts.parts = parts::Parts::default();
            facts.disjoint = disjoint::Disjoint::default();
            for (names, predicate) in properties {
                let exprs = names.exprs();
                for conjunct in exprs.conjuncts(*predicate) {
                    facts.conjunct(*names, strip(exprs, conjunct));
                }
            }
        }
        for (set, constant) in members {
            facts.sets.entry(set).or_default().members.push(constant);
        }
        facts.add_up_parts();
        facts.add_up_disjoint();
        facts
    }

    fn conjunct(&mut self, names: &dyn Names<C>, id: ExprId) {
        let exprs = names.exprs();
        let ExprKind::Op(op, args) = exprs.kind(id) else {
            return;
        };
        match op {
            Op::Equal => {
                let (left, right) = (args[0], args[1]);
                self.same_sets(names, left, right);
                for (a, b) in [(left, right), (right, left)] {
                    if let Some(constant) = names.constant(a)
                        && let Some(value) = self.integer(names, b)
                    {
                        self.integers.insert(constant, value);
                    }
                    if let ExprKind::Op(Op::Card, set) = exprs.kind(a)
                        && let Some(value) = self.integer(names, b)
                    {
                        self.card(names, set[0], value);
                    } else if let ExprKind::Op(Op::Card, set) = exprs.kind(a)
                        && let ExprKind::Op(Op::Card, other) = exprs.kind(b)
                    {
                        self.as_many(names, set[0], other[0]);
                    }
                    if let Some(set) = names.carrier(a)
                        && let Some(listed) = names.constants_of_extension(b)
                    {
                        self.sets.entry(set).or_default().listed = Some(listed);
                    }
                }
            }
            Op::NotEqual => {
                if let (Some(a), Some(b)) = (names.constant(args[0]), names.constant(args[1])) {
                    self.differ(a, b);
                }
                self.bound(names, Op::NotEqual, args[0], args[1]);
                self.not_empty(names, args[0], args[1]);
            }
            Op::Member => {
                self.mapping(names, args[1]);
                if let ExprKind::Op(Op::PowerSet | Op::PowerSet1, whole) = exprs.kind(args[1]) {
                    self.holds(names, args[0], whole[0]);
                }
            }
            Op::Subset | Op::StrictSubset => self.holds(names, args[0], args[1]),
            Op::Not => {
                if let ExprKind::Op(Op::Equal, sides) = exprs.kind(args[0])
                    && let (Some(a), Some(b)) = (names.constant(sides[0]), names.constant(sides[1]))
                {
                    self.differ(a, b);
                }
            }
            Op::Partition => self.partition(names, args[0], &args[1..]),
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                self.bound(names, *op, args[0], args[1]);
            }
            _ => {}
        }
    }

    /// `card(E) = value`
    fn card(&mut self, names: &dyn Names<C>, set: ExprId, value: i64) {
        if let Some(name) = names.carrier(set) {
            self.sets.entry(name).or_default().exact = Some(value);
        } else if let Some(constant) = names.constant(set) {
            self.parts.sizes.insert(constant, value);
        } else if let Some(listed) = names.constants_of_extension(set)
            && listed.len() as i64 == value
        {
            self.all_differ(&listed);
        }
    }

    fn bound(&mut self, names: &dyn Names<C>, op: Op, left: ExprId, right: ExprId) {
        let exprs = names.exprs();
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
            let (Some(name), Some(value)) = (names.carrier(set[0]), self.integer(names, b)) else {
                self.compare_sizes(names, op, set[0], b);
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

    fn differ(&mut self, a: C, b: C) {
        self.different.insert((a.min(b), a.max(b)));
    }

    fn all_differ(&mut self, constants: &[C]) {
        for (i, a) in constants.iter().enumerate() {
            for b in &constants[i + 1..] {
                self.differ(*a, *b);
            }
        }
    }

    fn are_different(&self, a: C, b: C) -> bool {
        self.different.contains(&(a.min(b), a.max(b)))
    }

    /// The value of a constant integer expression.
    fn integer(&self, names: &dyn Names<C>, id: ExprId) -> Option<i64> {
        let exprs = names.exprs();
        match exprs.kind(id) {
            ExprKind::Int(value) => value.to_i64(),
            ExprKind::Op(Op::MinInt, _) => Some(self.limits.0),
            ExprKind::Op(Op::MaxInt, _) => Some(self.limits.1),
            ExprKind::Name(_) => {
                let constant = names.constant(id)?;
                self.integers.get(&constant).copied()
            }
            ExprKind::Op(Op::Card, args) => {
                let facts = self.sets.get(&names.carrier(args[0])?)?;
                facts.exact
            }
            ExprKind::Op(op, args) => {
                let mut values = args.iter().map(|arg| self.integer(names, *arg));
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
    pub fn size(&self, set: Name, fixed: Option<usize>, default: usize) -> Size<C> {
        let nothing = SetFacts::default();
        let facts = self.sets.get(&set).unwrap_or(&nothing);
        // The largest set of constants that are known to be pairwise different, greedily.
        let mut distinct: Vec<C> = Vec::new();
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
                let unique: FxHashSet<C> = listed.iter().copied().collect();
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
