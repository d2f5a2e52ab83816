//! The state, how it begins, and what operations do.
//!
//! An operation is a predicate over values before and after, inputs and outputs. What speaks of neither after-values nor
//! outputs is its guard; the rest is a choice of them. A variable that the predicate says stays the same is not written
//! at all, so that reductions see who touches what.

mod always;

use base::{Name, Span};
use lang_math::Op;
use lang_z::GlobalId;
use model::{Action, Conjunct, ExprId, Kind, LocalId, Stmt, Target, VarId, Variable};
use rustc_hash::FxHashSet;

use super::entailed::Grounds;
use super::machine::{Machine, Operation};
use super::redundant::Known;
use super::{Env, Lower};

/// The names of an operation while it is lowered.
struct Names {
    env: Env,
    parameters: Vec<LocalId>,
    /// After-values with their variables.
    after: Vec<(VarId, ExprId)>,
    outputs: Vec<(Name, ExprId)>,
    /// Everything that is chosen.
    chosen: Vec<LocalId>,
}

/// How the state is made: its values, and what is said of them.
pub(super) struct Made {
    state: Env,
    conjuncts: Vec<ExprId>,
}

/// An operation as conjuncts.
struct Lowered {
    name: Name,
    span: Span,
    names: Names,
    conjuncts: Vec<ExprId>,
}

impl Lower<'_> {
    fn variable(&self, name: Name) -> Option<VarId> {
        let mut all = self.model.variables.iter();
        let found = all.find(|(_, variable)| !variable.is_constant && variable.name == name);
        found.map(|(id, _)| id)
    }

    fn schema_components(&self, id: GlobalId) -> Vec<(Name, lang_math::TypeId)> {
        let ty = self.checked.globals[id].ty;
        ty.and_then(|ty| self.checked.components(ty))
            .unwrap_or_default()
    }

    /// Declares the variables.
    pub(super) fn state(&mut self, machine: &Machine) {
        let components = self.schema_components(machine.state);
        let span = self.checked.globals[machine.state].span;
        for name in &machine.variables {
            let Some((_, ty)) = components.iter().find(|(known, _)| known == name) else {
                continue;
            };
            let Some(ty) = self.ty(*ty) else {
                self.unsupported(span, format!("the type of `{name}`"));
                continue;
            };
            self.model.variables.push(Variable {
                name: *name,
                ty,
                is_constant: false,
                span,
            });
        }
    }

    fn var_expr(&mut self, var: VarId, span: Span) -> ExprId {
        let ty = self.model.variables[var].ty;
        self.push(Kind::Var(var), Some(ty), span)
    }

    /// The conjuncts of a global schema; existential quantifiers at its top become locals.
    fn schema_conjuncts(&mut self, id: GlobalId, env: &Env) -> Option<(Vec<ExprId>, Vec<LocalId>)> {
        let body = self.schema_body(id)?;
        let mut conjuncts = Vec::new();
        self.hoisted = Some(Vec::new());
        self.scopes.clear();
        let result = self.holds(body, env, &mut conjuncts);
        let hoisted = self.hoisted.take().unwrap_or_default();
        result?;
        Some((conjuncts, hoisted))
    }

    /// How the variables begin.
    pub(super) fn initialisation(&mut self, machine: &Machine) -> Option<Made> {
        let span = self.checked.globals[machine.init].span;
        let mut env = Env::default();
        let mut names = Vec::new();
        let mut targets = Vec::new();
        let prime = if machine.primed { "'" } else { "" };
        for (name, ty) in self.schema_components(machine.init) {
            let Some(ty) = self.ty(ty) else { continue };
            let value = self.unknown(name, ty, span, &mut names);
            env.insert(name, value);
            let base = name.as_str().strip_suffix(prime).map(Name::new);
            if let Some(var) = base.and_then(|base| self.variable(base)) {
                targets.push((Target::Var(var), value));
            }
        }
        let missing = self.model.variables.iter().find(|(id, variable)| {
            !variable.is_constant
                && !targets
                    .iter()
                    .any(|(target, _)| *target == Target::Var(*id))
        });
        if let Some((_, variable)) = missing {
            let name = variable.name;
            self.unsupported(
                span,
                format!("an initialisation without a value of `{name}`"),
            );
            return None;
        }
        let (conjuncts, hoisted) = self.schema_conjuncts(machine.init, &env)?;
        names.extend(hoisted);
        let mut made = Made {
            state: Env::default(),
            conjuncts: conjuncts.clone(),
        };
        for (target, value) in &targets {
            if let Target::Var(var) = target {
                made.state.insert(self.model.variables[*var].name, *value);
            }
        }
        let predicate = self.choice(conjuncts, &names, span);
        let body = self.stmt(Stmt::Assign(targets));
        self.model.initialisation = self.stmt(Stmt::Any {
            names,
            predicate,
            body,
        });
        Some(made)
    }

    /// What can happen.
    pub(super) fn operations(&mut self, machine: &Machine, init: Option<Made>) {
        let mut lowered = Vec::new();
        for operation in &machine.operations {
            lowered.extend(self.lowered(operation));
        }
        for operation in &lowered {
            self.frame(machine, operation);
        }
        let always = self.always(machine, init, &lowered).unwrap_or_default();
        for operation in lowered {
            let action = self.action(operation, &always);
            self.model.actions.push(action);
        }
    }

    fn lowered(&mut self, operation: &Operation) -> Option<Lowered> {
        let span = self.checked.globals[operation.schema].span;
        // Which variables stay is known after lowering once; the second time they have no after-value.
        let names = self.operation_names(operation, None, span)?;
        let (conjuncts, _) = self.schema_conjuncts(operation.schema, &names.env)?;
        let kept = self.kept(&conjuncts, &names);
        let mut names = self.operation_names(operation, Some(&kept), span)?;
        let (conjuncts, hoisted) = self.schema_conjuncts(operation.schema, &names.env)?;
        names.chosen.extend(hoisted);
        Some(Lowered {
            name: operation.name,
            span,
            names,
            conjuncts,
        })
    }

    fn state_variables(&self) -> Vec<(VarId, Name, Span)> {
        let all = self
            .model
            .variables
            .iter()
            .filter(|(_, variable)| !variable.is_constant);
        all.map(|(id, variable)| (id, variable.name, variable.span))
            .collect()
    }

    fn action(&mut self, operation: Lowered, always: &Known) -> Action {
        let Lowered {
            name,
            span,
            names,
            conjuncts,
        } = operation;
        let chosen = names.chosen;
        let mut said = Known::default();
        let (mut guard, mut rest) = (Vec::new(), Vec::new());
        for conjunct in conjuncts {
            let is_new = said.add(&self.model, conjunct);
            if !is_new || self.is_trivial(conjunct) || always.has(&self.model, conjunct) {
                continue;
            }
            match self.mentions(conjunct, &chosen) {
                true => rest.push(conjunct),
                false => guard.push(conjunct),
            }
        }
        // What speaks of chosen values may be left out itself, so it is no reason to leave out something else.
        let asked = Known::of(&self.model, &guard);
        let grounds = Grounds {
            always,
            said: &asked,
        };
        let others = rest.clone();
        rest.retain(|conjunct| !self.is_entailed(*conjunct, &others, &grounds));
        let mut targets = Vec::new();
        for (var, value) in names.after {
            targets.push((Target::Var(var), value));
        }
        let mut results = Vec::new();
        for (output, value) in names.outputs {
            let Some(ty) = self.ty_of(value) else {
                continue;
            };
            let result = self.local(output, ty, span);
            targets.push((Target::Local(result), value));
            results.push(result);
        }
        let body = match targets.is_empty() {
            true => self.stmt(Stmt::Skip),
            false => self.stmt(Stmt::Assign(targets)),
        };
        let body = match chosen.is_empty() && rest.is_empty() {
            true => body,
            false => {
                let predicate = self.choice(rest, &chosen, span);
                self.stmt(Stmt::Any {
                    names: chosen,
                    predicate,
                    body,
                })
            }
        };
        Action {
            name,
            parameters: names.parameters,
            results,
            guard,
            body,
            span,
        }
    }

    /// The names of an operation; without knowing which variables stay, bindings are kept whole.
    fn operation_names(
        &mut self,
        operation: &Operation,
        kept: Option<&FxHashSet<VarId>>,
        span: Span,
    ) -> Option<Names> {
        let mut names = Names {
            env: Env::default(),
            parameters: Vec::new(),
            after: Vec::new(),
            outputs: Vec::new(),
            chosen: Vec::new(),
        };
        let components = self.schema_components(operation.schema);
        for name in operation.inputs.iter().chain(&operation.outputs) {
            let (_, ty) = components.iter().find(|(known, _)| known == name)?;
            let ty = self.ty(*ty)?;
            let value = match operation.inputs.contains(name) {
                true => self.whole(*name, ty, span, &mut names.parameters),
                false => {
                    let value = self.unknown(*name, ty, span, &mut names.chosen);
                    names.outputs.push((*name, value));
                    value
                }
            };
            names.env.insert(*name, value);
        }
        for (name, ty) in components {
            if names.env.contains_key(&name) {
                continue;
            }
            if let Some(var) = self.variable(name) {
                let value = self.var_expr(var, span);
                names.env.insert(name, value);
                continue;
            }
            let base = name.as_str().strip_suffix('\'').map(Name::new);
            let after = base.and_then(|base| self.variable(base));
            if let Some(var) = after.filter(|var| kept.is_some_and(|kept| kept.contains(var))) {
                let value = self.var_expr(var, span);
                names.env.insert(name, value);
                continue;
            }
            let ty = self.ty(ty)?;
            let value = match kept {
                Some(_) => self.unknown(name, ty, span, &mut names.chosen),
                None => self.whole(name, ty, span, &mut names.chosen),
            };
            names.env.insert(name, value);
            if let Some(var) = after {
                names.after.push((var, value));
            }
        }
        Some(names)
    }

    /// The predicate of a choice.
    fn choice(&mut self, conjuncts: Vec<ExprId>, chosen: &[LocalId], span: Span) -> ExprId {
        let conjuncts = self.together(conjuncts, chosen);
        let conjuncts = self.completed(conjuncts, chosen);
        let conjuncts = self.equations_first(conjuncts, chosen);
        self.all(conjuncts, span)
    }

    /// Puts the sets of chosen names behind the equations that give them their values: a set protects no equation, and
    /// it should be asked about one value instead of being searched.
    fn equations_first(&self, conjuncts: Vec<ExprId>, chosen: &[LocalId]) -> Vec<ExprId> {
        let local = |expr: ExprId| match self.model.exprs[expr].kind {
            Kind::Local(local) if chosen.contains(&local) => Some(local),
            _ => None,
        };
        let mut given = FxHashSet::default();
        for conjunct in &conjuncts {
            if let Kind::Op(Op::Equal, args) = &self.model.exprs[*conjunct].kind {
                for (name, value) in [(args[0], args[1]), (args[1], args[0])] {
                    if let Some(name) = local(name)
                        && !self.mentions(value, &[name])
                    {
                        given.insert(name);
                    }
                }
            }
        }
        let (sets, mut first): (Vec<ExprId>, Vec<ExprId>) =
            conjuncts.into_iter().partition(|conjunct| {
                matches!(&self.model.exprs[*conjunct].kind, Kind::Op(Op::Member, args)
                    if local(args[0]).is_some_and(|name| given.contains(&name)))
            });
        first.extend(sets);
        first
    }

    /// The variables that a conjunct says stay as they are.
    fn kept(&self, conjuncts: &[ExprId], names: &Names) -> FxHashSet<VarId> {
        let mut kept = FxHashSet::default();
        for conjunct in conjuncts {
            let Kind::Op(Op::Equal, args) = &self.model.exprs[*conjunct].kind else {
                continue;
            };
            for (after, before) in [(args[0], args[1]), (args[1], args[0])] {
                let Kind::Var(var) = self.model.exprs[before].kind else {
                    continue;
                };
                let Kind::Local(local) = self.model.exprs[after].kind else {
                    continue;
                };
                let is_after = |value: ExprId| matches!(self.model.exprs[value].kind, Kind::Local(known) if known == local);
                if names
                    .after
                    .iter()
                    .any(|(known, value)| *known == var && is_after(*value))
                {
                    kept.insert(var);
                }
            }
        }
        kept
    }

    /// Whether a conjunct says that a variable is itself.
    fn is_trivial(&self, conjunct: ExprId) -> bool {
        let Kind::Op(Op::Equal, args) = &self.model.exprs[conjunct].kind else {
            return false;
        };
        matches!(
            (&self.model.exprs[args[0]].kind, &self.model.exprs[args[1]].kind),
            (Kind::Var(a), Kind::Var(b)) if a == b
        )
    }

    /// What every state must satisfy.
    pub(super) fn invariant(&mut self, machine: &Machine) {
        let Some(schema) = machine.invariant else {
            return;
        };
        self.model.invariants = self.conditions(schema, "`Invariant`");
    }

    /// What every state satisfies by the way it is made.
    pub(super) fn assumed(&mut self, machine: &Machine) {
        self.model.assumed = self.conditions(machine.state, "the state");
    }

    /// The conjuncts of a schema over state variables.
    fn conditions(&mut self, schema: GlobalId, what: &str) -> Vec<Conjunct> {
        let span = self.checked.globals[schema].span;
        let mut env = Env::default();
        for (name, _) in self.schema_components(schema) {
            let Some(var) = self.variable(name) else {
                self.unsupported(span, format!("{what} over `{name}`, which is no variable,"));
                return Vec::new();
            };
            let value = self.var_expr(var, span);
            env.insert(name, value);
        }
        let Some(body) = self.schema_body(schema) else {
            return Vec::new();
        };
        let mut conjuncts = Vec::new();
        self.scopes.clear();
        if self.holds(body, &env, &mut conjuncts).is_none() {
            return Vec::new();
        }
        let conjunct = |predicate: ExprId| Conjunct {
            predicate,
            label: None,
            span: self.model.exprs[predicate].span,
        };
        conjuncts.into_iter().map(conjunct).collect()
    }
}
