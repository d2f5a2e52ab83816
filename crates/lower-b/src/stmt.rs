//! Lowers substitutions: calls inlined, assignments to points and fields made assignments to variables.

use base::{Name, Span, deep};
use lang_b::check::{DeclId, Machine};
use lang_b::syntax::{SubstId, SubstKind};
use lang_math::{ExprKind, Op};
use smallvec::smallvec;

use super::expr::Typed;
use super::instance::InstanceId;
use super::{Lower, Ref};
use model::ty::Ty;
use model::{ExprId, Kind, LocalId, Stmt, StmtId, Target, Why};

/// The precondition around a substitution, and what it is around. A precondition inside a precondition must hold; it is
/// no guard.
pub(super) fn precondition(
    machine: &Machine,
    mut body: SubstId,
) -> (Option<lang_math::ExprId>, SubstId) {
    loop {
        match &machine.component.tree.substs[body].kind {
            SubstKind::Block(inner) => body = *inner,
            SubstKind::Pre(predicate, inner) => return (Some(*predicate), *inner),
            _ => return (None, body),
        }
    }
}

/// How many calls may be inlined: calls in calls can grow without bound.
const MAX_INLINED: usize = 20_000;

impl Lower<'_> {
    /// Runs all initialisations: included and seen machines first, then the machine itself.
    pub(super) fn initialisation(&mut self) {
        let main = self.instance;
        let mark = self.model.stmts.len();
        let mut done = Vec::new();
        let own = self.initialised(0, main, &mut done);
        let variables = self.variables_of_level(0);
        let own = self.complete(own, &variables);
        self.model.initialisation = self.refining_initialisation(main, own, mark, &mut done);
        self.instance = main;
    }

    /// The initialisations of the machines of one level, one after the other.
    pub(super) fn initialised(
        &mut self,
        level: usize,
        root: InstanceId,
        done: &mut Vec<InstanceId>,
    ) -> StmtId {
        let mut parts = Vec::new();
        if level == 0 {
            for seen in self.instances.seen_above(root) {
                self.initialise(level, seen, done, &mut parts);
            }
        }
        self.initialise(level, root, done, &mut parts);
        match parts.as_slice() {
            [one] => *one,
            _ => self.stmt(Stmt::Sequence(parts)),
        }
    }

    fn initialise(
        &mut self,
        level: usize,
        id: InstanceId,
        done: &mut Vec<InstanceId>,
        parts: &mut Vec<StmtId>,
    ) {
        if done.contains(&id) || self.instances.level(id) != level {
            return;
        }
        done.push(id);
        for (_, _, child) in self.instances.children(id).to_vec() {
            deep::recurse(|| self.initialise(level, child, done, parts));
        }
        self.instance = id;
        let machine = &self.world.machines[self.instances.unit(id).index()];
        for clause in &machine.component.clauses {
            if let lang_b::syntax::ClauseBody::Initialisation(body) = clause.body
                && let Some(stmt) = self.subst(machine, body)
            {
                parts.push(stmt);
            }
        }
    }

    /// The body of an operation without its precondition, with its outermost guards taken off into `guard`.
    pub(super) fn guarded_body(
        &mut self,
        machine: &Machine,
        body: SubstId,
        guard: &mut Vec<ExprId>,
    ) -> Option<StmtId> {
        let view = Typed::of(machine);
        let mut body = body;
        loop {
            match &machine.component.tree.substs[body].kind {
                SubstKind::Block(inner) => body = *inner,
                SubstKind::Select {
                    branches,
                    otherwise: None,
                } if branches.len() == 1 => {
                    let (predicate, inner) = branches[0];
                    for conjunct in self.conjuncts(&view, predicate, false) {
                        guard.push(conjunct.predicate);
                    }
                    body = inner;
                }
                _ => return self.subst(machine, body),
            }
        }
    }

    fn substs(&mut self, machine: &Machine, ids: &[SubstId]) -> Option<Vec<StmtId>> {
        ids.iter().map(|id| self.subst(machine, *id)).collect()
    }

    pub(super) fn subst(&mut self, machine: &Machine, id: SubstId) -> Option<StmtId> {
        deep::recurse(|| self.subst_here(machine, id))
    }

    // Long: one arm for each kind of substitution.
    fn subst_here(&mut self, machine: &Machine, id: SubstId) -> Option<StmtId> {
        let view = Typed::of(machine);
        let node = &machine.component.tree.substs[id];
        let span = node.span;
        let stmt = match &node.kind {
            SubstKind::Error => return None,
            SubstKind::Skip => Stmt::Skip,
            SubstKind::Assign { targets, values } => {
                let mut assigned = Vec::new();
                for (target, value) in targets.iter().zip(values) {
                    let value = self.expr(&view, *value)?;
                    assigned.push(self.update(&view, *target, value)?);
                }
                Stmt::Assign(assigned)
            }
            SubstKind::BecomesElement { targets, set } => {
                self.becomes_element(&view, targets, *set, span)?
            }
            SubstKind::BecomesSuch { targets, predicate } => {
                self.becomes_such(&view, targets, *predicate, span)?
            }
            SubstKind::Call {
                results,
                name,
                name_span,
                arguments,
            } => return self.call(machine, results, *name, *name_span, arguments),
            SubstKind::External(name, arguments) => {
                let arguments = arguments
                    .iter()
                    .map(|argument| self.expr(&view, *argument))
                    .collect::<Option<Vec<_>>>()?;
                Stmt::External(*name, arguments)
            }
            SubstKind::Block(body) => return self.subst(machine, *body),
            SubstKind::Pre(predicate, body) => {
                let predicate = self.expr(&view, *predicate)?;
                let name = self.current_operation();
                Stmt::Assert(
                    predicate,
                    Why::Precondition(name),
                    self.subst(machine, *body)?,
                )
            }
            SubstKind::Assert(predicate, body) | SubstKind::Witness(predicate, body) => {
                return self.assertion(machine, *predicate, *body);
            }
            SubstKind::Choice(parts) => Stmt::Choice(self.substs(machine, parts)?),
            SubstKind::Sequence(parts) => Stmt::Sequence(self.substs(machine, parts)?),
            SubstKind::Parallel(parts) => Stmt::Parallel(self.substs(machine, parts)?),
            SubstKind::If {
                branches,
                otherwise,
            } => {
                let branches = self.branches(machine, branches)?;
                let otherwise = match otherwise {
                    Some(body) => self.subst(machine, *body)?,
                    None => self.stmt(Stmt::Skip),
                };
                Stmt::If(branches, otherwise)
            }
            SubstKind::Select {
                branches,
                otherwise,
            } => {
                let branches = self.branches(machine, branches)?;
                let otherwise = match otherwise {
                    Some(body) => Some(self.subst(machine, *body)?),
                    None => None,
                };
                Stmt::Select(branches, otherwise)
            }
            SubstKind::Case {
                subject,
                branches,
                otherwise,
            } => self.case(machine, *subject, branches, *otherwise, span)?,
            SubstKind::Any {
                predicate, body, ..
            } => {
                let decls = machine.subst_binders.get(&id).cloned().unwrap_or_default();
                let names = self.fresh_locals(&decls)?;
                Stmt::Any {
                    names,
                    predicate: self.expr(&view, *predicate)?,
                    body: self.subst(machine, *body)?,
                }
            }
            SubstKind::Let {
                equations, body, ..
            } => {
                let decls = machine.subst_binders.get(&id).cloned().unwrap_or_default();
                let values = self.equations(&view, &decls, *equations)?;
                let mut result = self.subst(machine, *body)?;
                for (local, value) in values.into_iter().rev() {
                    result = self.stmt(Stmt::Let(local, value, result));
                }
                return Some(result);
            }
            SubstKind::Var { body, .. } => {
                let decls = machine.subst_binders.get(&id).cloned().unwrap_or_default();
                let names = self.fresh_locals(&decls)?;
                Stmt::Var(names, self.subst(machine, *body)?)
            }
            SubstKind::While {
                condition,
                body,
                invariant,
                variant,
            } => return self.while_loop(machine, span, [*condition, *invariant, *variant], *body),
        };
        Some(self.stmt(stmt))
    }

    fn case(
        &mut self,
        machine: &Machine,
        subject: lang_math::ExprId,
        branches: &[(Vec<lang_math::ExprId>, SubstId)],
        otherwise: Option<SubstId>,
        span: Span,
    ) -> Option<Stmt> {
        let view = Typed::of(machine);
        let value = self.expr(&view, subject)?;
        let ty = self.model.exprs[value].ty?;
        let local = self.local(Name::new("case"), ty, span);
        let mut lowered = Vec::new();
        for (labels, body) in branches {
            let labels = labels
                .iter()
                .map(|label| self.expr(&view, *label))
                .collect::<Option<Vec<_>>>()?;
            let set = self.model.tys.intern(Ty::Pow(ty));
            let labels = self.push(Kind::Op(Op::SetExtension, labels.into()), Some(set), span);
            let subject = self.push(Kind::Local(local), Some(ty), span);
            let condition = self.push(Kind::Op(Op::Member, smallvec![subject, labels]), None, span);
            lowered.push((condition, self.subst(machine, *body)?));
        }
        let otherwise = match otherwise {
            Some(body) => self.subst(machine, body)?,
            None => self.stmt(Stmt::Skip),
        };
        let body = self.stmt(Stmt::If(lowered, otherwise));
        Some(Stmt::Let(local, value, body))
    }

    fn assertion(
        &mut self,
        machine: &Machine,
        predicate: lang_math::ExprId,
        body: SubstId,
    ) -> Option<StmtId> {
        let view = Typed::of(machine);
        if self.mentions_abstract(&view, predicate) {
            let text = lang_math::print::to_string(view.exprs, predicate, &Default::default());
            self.model
                .not_checked
                .push(format!("ASSERT over abstract variables: {text}"));
            return self.subst(machine, body);
        }
        let predicate = self.expr(&view, predicate)?;
        let stmt = Stmt::Assert(predicate, Why::Assert, self.subst(machine, body)?);
        Some(self.stmt(stmt))
    }

    fn branches(
        &mut self,
        machine: &Machine,
        branches: &[(lang_math::ExprId, SubstId)],
    ) -> Option<Vec<(ExprId, StmtId)>> {
        let view = Typed::of(machine);
        branches
            .iter()
            .map(|(condition, body)| {
                Some((self.expr(&view, *condition)?, self.subst(machine, *body)?))
            })
            .collect()
    }

    /// A loop; `x$0` in its invariant is the value before the loop.
    fn while_loop(
        &mut self,
        machine: &Machine,
        span: Span,
        [condition, invariant, variant]: [lang_math::ExprId; 3],
        body: SubstId,
    ) -> Option<StmtId> {
        let view = Typed::of(machine);
        let condition = self.expr(&view, condition)?;
        let mut saved: Vec<(DeclId, LocalId, ExprId)> = Vec::new();
        let mut pending = vec![invariant];
        while let Some(id) = pending.pop() {
            if let ExprKind::Before(name) = view.exprs.kind(id)
                && let (Some(decl), Some(ty)) = (view.meanings[id.index()], view.types[id.index()])
                && !saved.iter().any(|(known, ..)| *known == decl)
                && let Some(kind) = self.current(decl)
            {
                let ty = self.ty(ty)?;
                let local = self.local(*name, ty, span);
                let value = self.push(kind, Some(ty), span);
                saved.push((decl, local, value));
            }
            lang_math::expr::for_each_child(view.exprs.kind(id), |child| pending.push(child));
        }
        let invariant = if self.mentions_abstract(&view, invariant) {
            let text = lang_math::print::to_string(view.exprs, invariant, &Default::default());
            self.model
                .not_checked
                .push(format!("loop invariant over abstract variables: {text}"));
            self.push(Kind::Op(Op::Truth, smallvec![]), None, span)
        } else {
            for (decl, local, _) in &saved {
                self.before.insert(*decl, Kind::Local(*local));
            }
            let invariant = self.expr(&view, invariant);
            for (decl, ..) in &saved {
                self.before.remove(decl);
            }
            invariant?
        };
        let variant = self.expr(&view, variant)?;
        let body = self.subst(machine, body)?;
        let mut result = self.stmt(Stmt::While {
            condition,
            body,
            invariant,
            variant,
            span,
        });
        for (_, local, value) in saved.into_iter().rev() {
            result = self.stmt(Stmt::Let(local, value, result));
        }
        Some(result)
    }

    fn current_operation(&self) -> Name {
        match self.inlining.last() {
            Some((instance, operation)) => {
                let machine = &self.world.machines[self.instances.unit(*instance).index()];
                self.world.signatures[machine.operations[*operation].signature].name
            }
            None => Name::new("the operation"),
        }
    }

    /// Inlines a call: parameters are LETs around the body, results are locals assigned by it.
    fn call(
        &mut self,
        machine: &Machine,
        results: &[lang_math::ExprId],
        name: Name,
        name_span: Span,
        arguments: &[lang_math::ExprId],
    ) -> Option<StmtId> {
        let view = Typed::of(machine);
        let caller = self.instance;
        let Some((callee, operation)) = self.instances.operation(caller, self.checked, name) else {
            self.unsupported(name_span, format!("the call of `{name}`"));
            return None;
        };
        self.inlined += 1;
        if self.inlining.contains(&(callee, operation)) || self.inlined > MAX_INLINED {
            self.unsupported(name_span, format!("the recursive call of `{name}`"));
            return None;
        }
        let arguments = arguments
            .iter()
            .map(|argument| self.expr(&view, *argument))
            .collect::<Option<Vec<_>>>()?;
        let called = &self.world.machines[self.instances.unit(callee).index()];
        let typed = &called.operations[operation];

        self.inlining.push((callee, operation));
        self.instance = callee;
        let inputs = self.fresh_locals(&typed.inputs)?;
        let outputs = self.fresh_locals(&typed.outputs)?;
        let first = self.model.exprs.len();
        let body = self.subst(called, typed.body);
        self.instance = caller;
        self.inlining.pop();

        let mut body = body?;
        for (local, value) in inputs.iter().zip(arguments).rev() {
            body = self.stmt(Stmt::Let(*local, value, body));
        }
        if outputs.is_empty() {
            return Some(body);
        }
        let mut parts = Vec::new();
        // A result that the operation reads starts as what it is assigned to, as in the substitution of
        // actual results for formal ones.
        let mut given = Vec::new();
        for (target, local) in results.iter().zip(&outputs) {
            // A local may have no value yet.
            let variable = matches!(
                view.meanings[target.index()].and_then(|decl| self.reference(decl)),
                Some(Ref::Var(_) | Ref::Copy(_))
            );
            if variable && self.reads_since(first, *local) {
                given.push((Target::Local(*local), self.expr(&view, *target)?));
            }
        }
        if !given.is_empty() {
            parts.push(self.stmt(Stmt::Assign(given)));
        }
        parts.push(body);
        let mut assigned = Vec::new();
        for (target, local) in results.iter().zip(&outputs) {
            let ty = self.model.locals[*local].ty;
            let value = self.push(Kind::Local(*local), Some(ty), name_span);
            assigned.push(self.update(&view, *target, value)?);
        }
        parts.push(self.stmt(Stmt::Assign(assigned)));
        let all = self.stmt(Stmt::Sequence(parts));
        Some(self.stmt(Stmt::Var(outputs, all)))
    }

    /// Whether an expression lowered since then reads a local.
    pub(super) fn reads_since(&self, first: usize, local: LocalId) -> bool {
        (first..self.model.exprs.len()).any(
            |i| matches!(self.model.exprs[ExprId::new(i)].kind, Kind::Local(read) if read == local),
        )
    }
}
