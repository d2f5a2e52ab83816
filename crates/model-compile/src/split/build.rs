//! Chooses what to split and builds the model in parts.

use base::{Arena, Name};
use lang_math::Op;
use model::{
    Action, Assertion, Conjunct, ExprId, Kind, LocalId, Model, Stmt, Ty, Value, VarId, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::accesses::{self, Candidate};
use super::fold::Known;
use super::rewrite::Rewriter;
use super::{Options, Parts, Pieces, Splitting};
use crate::facts::Facts;

/// An action has at most so many instances, and a model so many actions.
const MOST_INSTANCES: (usize, usize) = (1024, 8192);

/// The parts of one conjunct of a guard, in all instances of an action.
const MOST_PARTS: usize = 2048;

pub(super) fn split(
    model: &Model,
    goal: Option<ExprId>,
    options: &Options<'_>,
) -> Option<Splitting> {
    let known = known(options);
    let mut candidates: Vec<Option<Candidate>> = (0..model.variables.len())
        .map(|at| accesses::candidate(model, &known, VarId::new(at)))
        .collect();
    if candidates.iter().all(Option::is_none) {
        return None;
    }
    // What is not split after all makes others worth less.
    let mut is_settled = options.everything;
    while !is_settled {
        let trial = build(model, goal, options, &candidates);
        is_settled = true;
        for (at, candidate) in candidates.iter_mut().enumerate() {
            if candidate.is_some() && !trial.pays(VarId::new(at)) {
                *candidate = None;
                is_settled = false;
            }
        }
    }
    if candidates.iter().all(Option::is_none) {
        return None;
    }
    Some(build(model, goal, options, &candidates).splitting)
}

fn known<'k>(options: &Options<'k>) -> Known<'k> {
    Known {
        constants: options.constants,
        locals: FxHashMap::default(),
    }
}

/// A model in parts, and what each instance of an action uses of it.
struct Built {
    splitting: Splitting,
    uses: Vec<Uses>,
}

/// What an instance of an action uses.
struct Uses {
    /// Variables of which some parts are enough.
    points: FxHashSet<VarId>,
    /// Variables that are needed as a whole.
    wholes: FxHashSet<VarId>,
    /// Parts and other variables of the new model.
    used: FxHashSet<VarId>,
}

/// An instance that touches more than one part in so many does not gain.
const FEW: usize = 4;

impl Built {
    /// Whether it is worth while to split a variable: no action needs it as a whole, each needs few parts, and
    /// nothing else that it touches is large.
    fn pays(&self, var: VarId) -> bool {
        let (Parts::Bits(pieces) | Parts::Points(pieces)) = &self.splitting.parts[var.index()]
        else {
            return false;
        };
        let few = |uses: &Uses| {
            let used = pieces
                .variables
                .iter()
                .filter(|part| uses.used.contains(part));
            used.count() <= (pieces.keys.len() / FEW).max(2)
        };
        let model = &self.splitting.model;
        let is_part = |var: VarId| {
            let parts = self.splitting.parts.iter();
            parts
                .filter(|parts| !matches!(parts, Parts::Whole(_)))
                .any(|parts| match parts {
                    Parts::Bits(pieces) | Parts::Points(pieces) => pieces.variables.contains(&var),
                    Parts::Whole(_) => false,
                })
        };
        let is_small = |var: &VarId| {
            let variable = &model.variables[*var];
            let is_single = !matches!(model.tys[variable.ty], Ty::Pow(_) | Ty::Record(_));
            variable.is_constant || is_single || is_part(*var)
        };
        let touches = |uses: &&Uses| uses.points.contains(&var) || uses.wholes.contains(&var);
        let mut touching = self.uses.iter().filter(touches).peekable();
        touching.peek().is_some()
            && touching.all(|uses| {
                !uses.wholes.contains(&var) && few(uses) && uses.used.iter().all(is_small)
            })
    }
}

fn build(
    old: &Model,
    goal: Option<ExprId>,
    options: &Options<'_>,
    candidates: &[Option<Candidate>],
) -> Built {
    let mut model = old.clone();
    let parts = lay_out(old, &mut model, candidates);
    let facts = Facts::new(old);
    let is_candidate: Vec<bool> = candidates.iter().map(Option::is_some).collect();
    let mut rewriter = Rewriter {
        model: &mut model,
        parts: &parts,
        facts: &facts,
        // The properties give the constants their values.
        known: Known::default(),
        wholes: FxHashSet::default(),
        points: FxHashSet::default(),
        used: FxHashSet::default(),
    };
    let conjunct = |rewriter: &mut Rewriter<'_>, old: &Conjunct| Conjunct {
        predicate: rewriter.expr(old.predicate),
        ..*old
    };
    let properties = old
        .properties
        .iter()
        .map(|old| conjunct(&mut rewriter, old))
        .collect();
    rewriter.known = known(options);
    let (mut invariants, mut labels) = (Vec::new(), Vec::new());
    for (at, conjunct) in old.invariants.iter().enumerate() {
        for predicate in rewriter.conjuncts(conjunct.predicate) {
            invariants.push(Conjunct {
                predicate,
                ..*conjunct
            });
            labels.push(at);
        }
    }
    let mut assertions = Vec::new();
    for (at, assertion) in old.assertions.iter().enumerate() {
        assertions.push(Assertion {
            conjunct: conjunct(&mut rewriter, &assertion.conjunct),
            ..*assertion
        });
        labels.push(old.invariants.len() + at);
    }
    let goal = goal.map(|goal| {
        labels.push(old.invariants.len() + old.assertions.len());
        rewriter.expr(goal)
    });
    let initialisation = rewriter.stmt(old.initialisation);
    let (mut actions, mut origins, mut uses) = (Vec::new(), Vec::new(), Vec::new());
    for (at, action) in old.actions.iter().enumerate() {
        let room = MOST_INSTANCES
            .1
            .saturating_sub(actions.len() + old.actions.len() - at);
        for action in instances(
            &mut rewriter,
            action,
            options,
            &is_candidate,
            room,
            &mut uses,
        ) {
            actions.push(action);
            origins.push(at);
        }
    }
    model.properties = properties;
    model.invariants = invariants;
    model.assertions = assertions;
    model.initialisation = initialisation;
    model.actions = actions;
    Built {
        splitting: Splitting {
            model,
            goal,
            actions: origins,
            labels,
            parts,
        },
        uses,
    }
}

/// The variables of the new model: constants where they were, parts of one variable side by side.
fn lay_out(old: &Model, model: &mut Model, candidates: &[Option<Candidate>]) -> Vec<Parts> {
    let mut variables: Arena<Variable> = Arena::new();
    let mut parts = Vec::new();
    for ((_, variable), candidate) in old.variables.iter().zip(candidates) {
        let Some(candidate) = candidate else {
            parts.push(Parts::Whole(variables.push(variable.clone())));
            continue;
        };
        let part_ty = match (&old.tys[variable.ty], candidate.is_set) {
            (Ty::Pow(element), false) => match &old.tys[*element] {
                Ty::Prod(_, image) => model.tys.intern(Ty::Pow(*image)),
                _ => *element,
            },
            _ => model.tys.intern(Ty::Bool),
        };
        let part = |key: &str, ty| Variable {
            name: Name::new(&format!("{}[{key}]", variable.name)),
            ty,
            ..variable.clone()
        };
        let keys = candidate.keys.iter();
        let list: Vec<VarId> = keys
            .map(|key| variables.push(part(&key.show(&old.tys), part_ty)))
            .collect();
        let rest = candidate
            .has_rest
            .then(|| variables.push(part("other", variable.ty)));
        let pieces = Pieces {
            keys: candidate.keys.clone(),
            variables: list,
            rest,
        };
        parts.push(match candidate.is_set {
            true => Parts::Bits(pieces),
            false => Parts::Points(pieces),
        });
    }
    model.variables = variables;
    parts
}

/// The instances of an action; the action itself where there is nothing to pick.
fn instances(
    rewriter: &mut Rewriter<'_>,
    action: &Action,
    options: &Options<'_>,
    is_candidate: &[bool],
    room: usize,
    uses: &mut Vec<Uses>,
) -> Vec<Action> {
    let keys = accesses::key_locals(rewriter.model, action, is_candidate);
    let mut guard = action.guard.clone();
    let mut body = action.body;
    let mut choosable = action.parameters.clone();
    let mut chosen_names: Vec<LocalId> = Vec::new();
    if options.lift_choices
        && let Stmt::Any {
            names,
            predicate,
            body: inner,
        } = rewriter.model.stmts[body].clone()
        && names.iter().any(|name| keys.contains(name))
    {
        let domains = names
            .iter()
            .map(|name| accesses::domain(rewriter.model, &rewriter.known, *name, &[predicate]));
        // The choice disappears only if all of it is made.
        if domains.into_iter().all(|domain| domain.is_some()) {
            choosable.extend(&names);
            chosen_names = names;
            guard.push(predicate);
            body = inner;
        }
    }
    let mut fixed: Vec<(LocalId, Vec<Value>)> = Vec::new();
    let mut count = 1usize;
    for local in choosable {
        let must = chosen_names.contains(&local);
        if !must && !keys.contains(&local) {
            continue;
        }
        let Some(domain) = accesses::domain(rewriter.model, &rewriter.known, local, &guard) else {
            continue;
        };
        let more = count.saturating_mul(domain.len());
        if more <= MOST_INSTANCES.0.min(room) {
            count = more;
            fixed.push((local, domain));
        } else if must {
            // Too many: as it was.
            let options = Options {
                lift_choices: false,
                ..*options
            };
            return instances(rewriter, action, &options, is_candidate, room, uses);
        }
    }
    let is_total = |conjunct: &ExprId| rewriter.facts.of(*conjunct).total;
    let mut is_apart: Vec<bool> = guard.iter().map(is_total).collect();
    let mut made = Vec::new();
    for number in 0..count {
        let mut left = number;
        let mut conditions = Vec::new();
        for (local, domain) in &fixed {
            let value = domain[left % domain.len()].clone();
            left /= domain.len();
            if action.parameters.contains(local) {
                // The parameter keeps its place in the transition's label.
                let ty = rewriter.model.locals[*local].ty;
                let name = rewriter.push(Kind::Local(*local), Some(ty), action.span);
                let literal = rewriter.literal(&value, ty, action.span);
                conditions.push(rewriter.op(Op::Equal, &[name, literal], None, action.span));
            }
            rewriter.known.locals.insert(*local, value);
        }
        rewriter.points.clear();
        rewriter.wholes.clear();
        rewriter.used.clear();
        for (conjunct, is_apart) in guard.iter().zip(&mut is_apart) {
            if *is_apart {
                let parts = rewriter.conjuncts(*conjunct);
                *is_apart = parts.len() * count <= MOST_PARTS;
                if *is_apart {
                    conditions.extend(parts);
                    continue;
                }
            }
            conditions.push(rewriter.expr(*conjunct));
        }
        let body = rewriter.stmt(body);
        uses.push(Uses {
            points: std::mem::take(&mut rewriter.points),
            wholes: std::mem::take(&mut rewriter.wholes),
            used: std::mem::take(&mut rewriter.used),
        });
        rewriter.known.locals.clear();
        made.push(Action {
            guard: conditions,
            body,
            ..action.clone()
        });
    }
    made
}
