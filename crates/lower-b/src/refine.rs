//! A refinement of classical B together with the machines that it refines.
//!
//! Book: [Abrial 1996], chapter 11. Rules: decision 0081. The state has the variables of all levels. In a step the operation
//! of the refinement happens first; then, level by level upwards, the refined operation happens beside it, in the state
//! before, and of its outcomes those count that give the same results and that the gluing invariant relates to what was
//! reached below ([`model::Simulation`]). Without any the step is none of the refined machine.
//! A variable that two levels declare is one variable. While the upper level makes its step a local stands for it, which
//! starts with the value before the step and must end with the value after it.
//! Invariant: what neither level writes is neither copied nor compared, so that a step depends on no more than it must.

mod copies;

use base::{Name, Span};
use lang_b::check::{DeclId, Machine};
use lang_b::syntax::{ClauseBody, SubstId};
use rustc_hash::FxHashSet;

use super::Lower;
use super::expr::Typed;
use super::instance::InstanceId;
use super::stmt::precondition;
use model::{Action, Conjunct, ExprId, Kind, LocalId, Obligation, Stmt, StmtId, VarId, Why};

/// A conjunct about two levels, with the variables that it mentions.
#[derive(Debug)]
pub(super) struct Glue {
    predicate: ExprId,
    variables: Vec<VarId>,
}

/// An operation at one level.
#[derive(Clone, Copy)]
struct Side<'w> {
    instance: InstanceId,
    operation: usize,
    machine: &'w Machine,
    /// What it does under its precondition.
    body: SubstId,
}

/// What the levels of a step have in common.
#[derive(Default)]
struct Step {
    /// Variables that some level has written so far.
    written: FxHashSet<VarId>,
    /// Whether everything counts as written.
    is_start: bool,
    /// Copies, and the variables whose values before the step they begin with.
    copies: Vec<(LocalId, VarId)>,
    /// Results of refined operations.
    scratch: Vec<LocalId>,
}

/// What a level does beside a step.
struct Beside {
    body: StmtId,
    conditions: Vec<(ExprId, Obligation)>,
    /// Where the refined operation stands.
    span: Span,
    /// What happens before it.
    begun: Option<StmtId>,
}

impl<'a> Lower<'a> {
    /// Files a conjunct of the invariant of a level: about the level alone, or about the one above too.
    pub(super) fn invariant(&mut self, level: usize, conjunct: Conjunct) {
        let mut variables = Vec::new();
        self.model.walk(conjunct.predicate, &mut |expr| {
            if let Kind::Var(var) = expr.kind {
                variables.push(var);
            }
        });
        if variables.iter().any(|var| self.is_above(*var, level)) {
            if self.glue.len() <= level {
                self.glue.resize_with(level + 1, Vec::new);
            }
            self.glue[level].push(Glue {
                predicate: conjunct.predicate,
                variables,
            });
        } else {
            self.model.invariants.push(conjunct);
        }
    }

    fn has_level(&self, level: usize, var: VarId) -> bool {
        let variables = self.level_variables.get(level);
        variables.is_some_and(|variables| variables.contains(&var))
    }

    /// Whether a variable belongs to a level above only.
    fn is_above(&self, var: VarId, level: usize) -> bool {
        let mut above = level + 1..self.level_variables.len();
        !self.has_level(level, var) && above.any(|above| self.has_level(above, var))
    }

    /// The variables that a level has and no level below it.
    pub(super) fn variables_of_level(&self, level: usize) -> Vec<VarId> {
        let all = self.model.variables.iter();
        all.filter(|(id, variable)| !variable.is_constant && self.has_level(level, *id))
            .filter(|(id, _)| !(0..level).any(|below| self.has_level(below, *id)))
            .map(|(id, _)| id)
            .collect()
    }

    /// The levels that run, the concrete one first.
    fn levels(&self, main: InstanceId) -> Vec<InstanceId> {
        match self.is_alone {
            true => vec![main],
            false => self.instances.chain(main),
        }
    }

    /// An operation as an action, with what it owes to the machines above.
    pub(super) fn refining_action(
        &mut self,
        main: InstanceId,
        instance: InstanceId,
        operation: usize,
        name: Name,
    ) -> Option<Action> {
        let own = self.side(instance, operation);
        let typed = &own.machine.operations[operation];
        let span = self.world.signatures[typed.signature].span;
        let parameters = self.fresh_locals(&typed.inputs)?;
        let results = self.fresh_locals(&typed.outputs)?;
        let levels = self.levels(main);
        let above = self.sides(&levels, name, span)?;

        let mut guard = Vec::new();
        let mut owed = Vec::new();
        let mut stated: Vec<(&Machine, lang_math::ExprId)> = Vec::new();
        let sides = above.iter().rev().flatten().chain([&own]);
        for (i, side) in sides.enumerate() {
            self.bind(side, &parameters);
            let typed = &side.machine.operations[side.operation];
            let (Some(predicate), _) = precondition(side.machine, typed.body) else {
                continue;
            };
            let view = Typed::of(side.machine);
            for conjunct in view.exprs.conjuncts(predicate) {
                // What a level above says in the same words holds already.
                let is_known = stated.iter().any(|(machine, known)| {
                    let exprs = &machine.component.tree.exprs;
                    view.exprs.same(conjunct, exprs, *known)
                });
                if is_known || self.is_about_results(&view, conjunct, &typed.outputs) {
                    continue;
                }
                stated.push((side.machine, conjunct));
                if i > 0 && !self.is_strict {
                    self.not_implied(name, &view, conjunct);
                }
                for conjunct in self.conjuncts(&view, conjunct, false) {
                    match i > 0 && self.is_strict {
                        false => guard.push(conjunct.predicate),
                        true => owed.push(conjunct.predicate),
                    }
                }
            }
        }

        let mark = self.model.stmts.len();
        self.bind(&own, &parameters);
        let body = match owed.is_empty() {
            true => self.guarded_body(own.machine, own.body, &mut guard)?,
            false => self.subst(own.machine, own.body)?,
        };
        let mut step = Step::default();
        step.written.extend(self.written_since(mark));
        let beside = self.operations_beside(&levels, &above, &parameters, &results, &mut step)?;
        let mut body = self.with_copies(body, beside, step);
        for condition in owed.into_iter().rev() {
            let why = Why::Refinement(Obligation::Precondition);
            body = self.stmt(Stmt::Assert(condition, why, body));
        }
        Some(Action {
            name,
            parameters,
            results,
            guard,
            body,
            span,
        })
    }

    /// Says that a precondition guards although nobody looks whether the refined machine implies it.
    fn not_implied(&mut self, name: Name, view: &Typed<'_>, conjunct: lang_math::ExprId) {
        let text = lang_math::print::to_string(view.exprs, conjunct, &Default::default());
        self.model.not_checked.push(format!(
            "precondition of {name}, which the refined one must imply (use --refinement): {text}"
        ));
    }

    /// Whether a conjunct of a precondition says something about a result: there is no value yet that it could be about.
    fn is_about_results(
        &mut self,
        view: &Typed<'_>,
        conjunct: lang_math::ExprId,
        outputs: &[DeclId],
    ) -> bool {
        let mut pending = vec![conjunct];
        while let Some(id) = pending.pop() {
            if let Some(decl) = view.meanings[id.index()]
                && outputs.contains(&decl)
            {
                let text = lang_math::print::to_string(view.exprs, conjunct, &Default::default());
                let warning = format!("a precondition is no place for results: {text} is left out");
                if !self.model.warnings.contains(&warning) {
                    self.model.warnings.push(warning);
                }
                return true;
            }
            lang_math::expr::for_each_child(view.exprs.kind(id), |child| pending.push(child));
        }
        false
    }

    fn side(&self, instance: InstanceId, operation: usize) -> Side<'a> {
        let world = self.world;
        let machine = &world.machines[self.instances.unit(instance).index()];
        let (_, body) = precondition(machine, machine.operations[operation].body);
        Side {
            instance,
            operation,
            machine,
            body,
        }
    }

    /// The operations that an operation refines, level by level; `None` where a level has none.
    fn sides(
        &mut self,
        levels: &[InstanceId],
        name: Name,
        span: Span,
    ) -> Option<Vec<Option<Side<'a>>>> {
        let mut name = name;
        let mut found: Vec<Option<Side<'a>>> = Vec::new();
        for pair in levels.windows(2) {
            name = self.refined_name(pair[0], name);
            let offered = &self.world.machines[self.instances.unit(pair[1]).index()];
            let is_offered = offered.operations_offered.iter().any(|(n, _)| *n == name);
            let side = match is_offered {
                true => self.instances.operation(pair[1], self.checked, name),
                false => None,
            };
            found.push(side.map(|(instance, operation)| self.side(instance, operation)));
        }
        let first = found
            .iter()
            .position(Option::is_none)
            .unwrap_or(found.len());
        if found[first..].iter().any(Option::is_some) {
            let unit = self.instances.unit(levels[first + 1]);
            let missing = self.checked.project.units[unit].component.name;
            let what = format!("`{name}`, which {missing} does not refine, with its abstraction");
            self.unsupported(span, what);
            return None;
        }
        Some(found)
    }

    /// The name of the operation that an operation of a machine refines.
    fn refined_name(&self, id: InstanceId, name: Name) -> Name {
        let machine = &self.world.machines[self.instances.unit(id).index()];
        let clauses = machine.component.clauses.iter();
        let lists = clauses.filter_map(|clause| match &clause.body {
            ClauseBody::Operations(list) => Some(list),
            _ => None,
        });
        let mut operations = lists.flatten();
        let own = operations.find(|operation| operation.name == name);
        own.and_then(|operation| operation.refines.as_ref())
            .map_or(name, |refined| refined.name)
    }

    /// Lets the parameters of an operation be those of the action.
    fn bind(&mut self, side: &Side<'_>, parameters: &[LocalId]) {
        self.instance = side.instance;
        let typed = &side.machine.operations[side.operation];
        for (decl, local) in typed.inputs.iter().zip(parameters) {
            self.locals.insert(*decl, *local);
        }
    }

    /// What the levels above do beside a step; nothing when they have nothing to do with it.
    fn operations_beside(
        &mut self,
        levels: &[InstanceId],
        above: &[Option<Side<'_>>],
        parameters: &[LocalId],
        results: &[LocalId],
        step: &mut Step,
    ) -> Option<Option<StmtId>> {
        let mut results = results.to_vec();
        let mut simulations = Vec::new();
        for (i, side) in above.iter().enumerate() {
            let level = i + 1;
            let (mark, first) = (self.model.stmts.len(), self.model.exprs.len());
            let mut conditions = Vec::new();
            self.enter_level(level);
            let body = match side {
                Some(side) => {
                    self.bind(side, parameters);
                    let outputs = &side.machine.operations[side.operation].outputs;
                    let given = self.fresh_locals(outputs)?;
                    for (below, here) in results.iter().zip(&given) {
                        let span = self.model.locals[*below].span;
                        let equal = self.equal(Kind::Local(*here), Kind::Local(*below), span)?;
                        conditions.push((equal, Obligation::Result));
                    }
                    self.tell_apart(&given, levels[level]);
                    step.scratch.extend(&given);
                    results = given;
                    self.subst(side.machine, side.body)
                }
                None => Some(self.stmt(Stmt::Skip)),
            };
            let known = step.copies.len();
            self.leave_level(level, (mark, first), step, &mut conditions)?;
            let copies = step.copies[known..].iter().map(|(copy, _)| *copy);
            self.tell_apart(&copies.collect::<Vec<LocalId>>(), levels[level]);
            let span = match side {
                Some(side) => {
                    let typed = &side.machine.operations[side.operation];
                    self.world.signatures[typed.signature].span
                }
                None => self.span_of(levels[level]),
            };
            simulations.push(Beside {
                body: body?,
                conditions,
                span,
                begun: None,
            });
        }
        Some(self.nested(simulations))
    }

    /// The initialisation with those of the levels above beside it.
    pub(super) fn refining_initialisation(
        &mut self,
        main: InstanceId,
        own: StmtId,
        mark: usize,
        done: &mut Vec<InstanceId>,
    ) -> StmtId {
        let levels = self.levels(main);
        let mut step = Step {
            is_start: true,
            ..Step::default()
        };
        step.written.extend(self.written_since(mark));
        let mut simulations = Vec::new();
        for (level, root) in levels.iter().enumerate().skip(1) {
            let (mark, first) = (self.model.stmts.len(), self.model.exprs.len());
            let mut conditions = Vec::new();
            let known = step.copies.len();
            self.enter_level(level);
            let body = self.initialised(level, *root, done);
            let variables = self.variables_of_level(level);
            let body = self.complete(body, &variables);
            if self
                .leave_level(level, (mark, first), &mut step, &mut conditions)
                .is_none()
            {
                return own;
            }
            let copies = step.copies[known..].iter().map(|(copy, _)| *copy);
            self.tell_apart(&copies.collect::<Vec<LocalId>>(), *root);
            // There is nothing before the start; what this level leaves open is as it is below.
            let begun = self.begin_copies(&step.copies[known..]);
            simulations.push(Beside {
                body,
                conditions,
                span: self.span_of(*root),
                begun,
            });
        }
        let beside = self.nested(simulations);
        self.with_copies(own, beside, step)
    }

    /// Names what a machine has beside the refinement's own of the same name after the machine, for those who read findings.
    fn tell_apart(&mut self, locals: &[LocalId], id: InstanceId) {
        let machine = self.checked.project.units[self.instances.unit(id)]
            .component
            .name;
        for local in locals {
            let name = self.model.locals[*local].name;
            self.model.locals[*local].name = Name::new(&format!("{name} of {machine}"));
        }
    }

    /// Where a machine is named in its text.
    fn span_of(&self, id: InstanceId) -> Span {
        let unit = self.instances.unit(id);
        self.checked.project.units[unit].component.name_span
    }
}
