//! Rewrites statements: an assignment to a variable writes the parts that may change.

use base::{Name, Span};
use lang_math::Op;
use model::{ExprId, Kind, Local, Simulation, Stmt, StmtId, Target, Ty, Value, VarId};

use super::membership::Truth;
use super::rewrite::Rewriter;
use super::{Parts, Pieces};

/// What becomes of a part.
#[derive(Clone, Debug)]
struct Change {
    key: Value,
    /// Where this does not hold, the part stays as it is.
    when: Option<ExprId>,
    value: ExprId,
}

/// What becomes of some parts; the others stay as they are.
type Changes = Vec<Change>;

impl Rewriter<'_> {
    /// A statement of the old model in the new one.
    pub(super) fn stmt(&mut self, id: StmtId) -> StmtId {
        let stmt = base::deep::recurse(|| self.rewrite_stmt(id));
        self.model.stmts.push(stmt)
    }

    fn rewrite_stmt(&mut self, id: StmtId) -> Stmt {
        match self.model.stmts[id].clone() {
            Stmt::Skip => Stmt::Skip,
            Stmt::Assign(pairs) => self.assign(pairs),
            Stmt::Any {
                names,
                predicate,
                body,
            } => Stmt::Any {
                names,
                predicate: self.expr(predicate),
                body: self.stmt(body),
            },
            Stmt::Let(local, value, body) => Stmt::Let(local, self.expr(value), self.stmt(body)),
            Stmt::Var(locals, body) => Stmt::Var(locals, self.stmt(body)),
            Stmt::Select(branches, otherwise) => {
                let branches = self.branches(branches);
                Stmt::Select(branches, otherwise.map(|body| self.stmt(body)))
            }
            Stmt::If(branches, otherwise) => {
                let branches = self.branches(branches);
                Stmt::If(branches, self.stmt(otherwise))
            }
            Stmt::Choice(parts) => Stmt::Choice(self.stmts(parts)),
            Stmt::Sequence(parts) => Stmt::Sequence(self.stmts(parts)),
            Stmt::Parallel(parts) => Stmt::Parallel(self.stmts(parts)),
            Stmt::Assert(condition, why, body) => {
                Stmt::Assert(self.expr(condition), why, self.stmt(body))
            }
            Stmt::Simulate(step) => Stmt::Simulate(Simulation {
                body: self.stmt(step.body),
                conditions: step
                    .conditions
                    .iter()
                    .map(|(part, owed)| (self.expr(*part), *owed))
                    .collect(),
                place: self.expr(step.place),
                then: self.stmt(step.then),
            }),
            Stmt::While {
                condition,
                body,
                invariant,
                variant,
                span,
            } => Stmt::While {
                condition: self.expr(condition),
                body: self.stmt(body),
                invariant: self.expr(invariant),
                variant: self.expr(variant),
                span,
            },
            Stmt::External(name, args) => {
                Stmt::External(name, args.into_iter().map(|arg| self.expr(arg)).collect())
            }
        }
    }

    fn branches(&mut self, branches: Vec<(ExprId, StmtId)>) -> Vec<(ExprId, StmtId)> {
        let branches = branches.into_iter();
        branches
            .map(|(guard, body)| (self.expr(guard), self.stmt(body)))
            .collect()
    }

    fn stmts(&mut self, parts: Vec<StmtId>) -> Vec<StmtId> {
        parts.into_iter().map(|part| self.stmt(part)).collect()
    }

    fn assign(&mut self, pairs: Vec<(Target, ExprId)>) -> Stmt {
        let mut written = Vec::new();
        let mut conditional = Vec::new();
        let mut lets = Vec::new();
        for (target, value) in pairs {
            let span = self.model.exprs[value].span;
            let Target::Var(var) = target else {
                written.push((target, self.expr(value)));
                continue;
            };
            let (pieces, is_bits) = match self.parts[var.index()].clone() {
                Parts::Whole(new) => {
                    self.used.insert(new);
                    written.push((Target::Var(new), self.expr(value)));
                    continue;
                }
                Parts::Bits(pieces) => (pieces, true),
                Parts::Points(pieces) => (pieces, false),
            };
            let changes = match is_bits {
                true => self.changed_bits(var, &pieces, value),
                false => self.changed_points(var, &pieces, value),
            };
            if let Some(changes) = changes {
                self.points.insert(var);
                for change in changes {
                    if let Some(part) = pieces.part(&change.key) {
                        self.used.insert(part);
                        let written_part = (Target::Var(part), change.value);
                        match change.when {
                            None => written.push(written_part),
                            Some(when) => conditional.push((when, written_part)),
                        }
                    }
                }
                continue;
            }
            self.wholes.insert(var);
            let whole = self.expr(value);
            let ty = self.old_ty(var);
            let local = self.model.locals.push(Local {
                name: Name::new("whole"),
                ty,
                span,
            });
            lets.push((local, whole));
            let local = self.push(Kind::Local(local), Some(ty), span);
            self.write_all(var, &pieces, is_bits, local, span, &mut written);
        }
        let mut body = Stmt::Assign(written);
        if !conditional.is_empty() {
            let mut parts = vec![self.model.stmts.push(body)];
            let skip = self.model.stmts.push(Stmt::Skip);
            for (when, written_part) in conditional {
                let then = self.model.stmts.push(Stmt::Assign(vec![written_part]));
                let choice = Stmt::If(vec![(when, then)], skip);
                parts.push(self.model.stmts.push(choice));
            }
            body = Stmt::Parallel(parts);
        }
        lets.into_iter().rev().fold(body, |body, (local, value)| {
            let body = self.model.stmts.push(body);
            Stmt::Let(local, value, body)
        })
    }

    /// Every part gets its share of a whole value.
    fn write_all(
        &mut self,
        var: VarId,
        pieces: &Pieces,
        is_bits: bool,
        whole: ExprId,
        span: Span,
        written: &mut Vec<(Target, ExprId)>,
    ) {
        let (ty, key_ty) = (self.old_ty(var), self.key_ty(var));
        for (key, part) in pieces.keys.iter().zip(&pieces.variables) {
            let part_ty = self.model.variables[*part].ty;
            let key = self.literal(key, key_ty, span);
            let value = if is_bits {
                let is_in = self.op(Op::Member, &[key, whole], None, span);
                self.op(Op::ToBool, &[is_in], Some(part_ty), span)
            } else {
                let single = self.singleton(key, key_ty, span);
                self.op(Op::Image, &[whole, single], Some(part_ty), span)
            };
            written.push((Target::Var(*part), value));
        }
        if let Some(rest) = pieces.rest {
            let keys: Vec<ExprId> = pieces
                .keys
                .iter()
                .map(|key| self.literal(key, key_ty, span))
                .collect();
            let keys_ty = self.model.tys.intern(model::Ty::Pow(key_ty));
            let keys = self.op(Op::SetExtension, &keys, Some(keys_ty), span);
            let value = match is_bits {
                true => self.op(Op::SetMinus, &[whole, keys], Some(ty), span),
                false => self.op(Op::DomainSubtraction, &[keys, whole], Some(ty), span),
            };
            written.push((Target::Var(rest), value));
        }
    }

    /// `s \/ t`, `s - t`: which bits change; anything else that can be told element by element: all of them.
    fn changed_bits(&mut self, var: VarId, pieces: &Pieces, value: ExprId) -> Option<Changes> {
        let span = self.model.exprs[value].span;
        match self.model.exprs[value].kind.clone() {
            Kind::Var(same) if same == var => Some(Vec::new()),
            Kind::Op(op @ (Op::Union | Op::SetMinus), args) if self.is_built_on(var, value) => {
                let (base, more) = match op {
                    Op::Union if self.is_built_on(var, args[1]) => (args[1], args[0]),
                    _ => (args[0], args[1]),
                };
                let whens = self.which(pieces, var, more)?;
                let mut changes = self.changed_bits(var, pieces, base)?;
                for (key, when) in whens {
                    let bit = self.truth(op == Op::Union, span);
                    self.change(
                        &mut changes,
                        Change {
                            key,
                            when,
                            value: bit,
                        },
                    );
                }
                Some(changes)
            }
            _ => {
                let (ty, elements) = self.elements(&[value])?;
                if pieces.rest.is_some() {
                    return None;
                }
                let bool_ty = self.model.tys.intern(Ty::Bool);
                let mut changes = Vec::new();
                for key in elements {
                    let is_in = self.is_in(&key, ty, value);
                    let is_in = self.predicate(is_in, span);
                    let value = self.op(Op::ToBool, &[is_in], Some(bool_ty), span);
                    changes.push(Change {
                        key,
                        when: None,
                        value,
                    });
                }
                Some(changes)
            }
        }
    }

    /// The keys of a variable that are in a set, and when they are.
    fn which(
        &mut self,
        pieces: &Pieces,
        var: VarId,
        set: ExprId,
    ) -> Option<Vec<(Value, Option<ExprId>)>> {
        if let Some(Value::Set(keys)) = self.known.value(self.model, set) {
            let has_part = |key: &Value| pieces.part(key).is_some();
            let keys = keys.iter().cloned().map(|key| (key, None));
            let keys: Vec<_> = keys.collect();
            return keys.iter().all(|(key, _)| has_part(key)).then_some(keys);
        }
        if pieces.rest.is_some() || !self.is_told_of(set) {
            return None;
        }
        let ty = self.key_ty(var);
        let mut whens = Vec::new();
        for key in &pieces.keys {
            match self.is_in(key, ty, set) {
                Truth::Known(false) => {}
                Truth::Known(true) => whens.push((key.clone(), None)),
                Truth::When(predicate) => whens.push((key.clone(), Some(predicate))),
            }
        }
        Some(whens)
    }

    /// Adds a change to those before it.
    fn change(&mut self, changes: &mut Changes, mut change: Change) {
        let before = changes.iter().position(|before| before.key == change.key);
        let before = before.map(|at| changes.remove(at));
        if let (Some(before), Some(when)) = (before, change.when) {
            let span = self.model.exprs[change.value].span;
            let ty = self.model.exprs[change.value].ty;
            let either = Kind::If(when, change.value, before.value);
            change.value = self.push(either, ty, span);
            change.when = before
                .when
                .map(|first| self.op(Op::Or, &[first, when], None, span));
        }
        changes.push(change);
    }

    /// `f <+ {k |-> e, …}`, `f \/ {…}`, `f - {…}`, `s <<| f`: which images change.
    fn changed_points(&mut self, var: VarId, pieces: &Pieces, value: ExprId) -> Option<Changes> {
        let span = self.model.exprs[value].span;
        let Kind::Op(op, args) = self.model.exprs[value].kind.clone() else {
            return match &self.model.exprs[value].kind {
                Kind::Var(same) if *same == var => Some(Vec::new()),
                _ => None,
            };
        };
        match op {
            Op::Overwrite | Op::Union | Op::SetMinus => {
                let mut changes = self.changed_points(var, pieces, args[0])?;
                let pairs = self.pairs(pieces, args[1])?;
                for (key, images) in pairs {
                    let part_ty = self.model.variables[pieces.part(&key)?].ty;
                    let images: Vec<ExprId> = images.iter().map(|e| self.expr(*e)).collect();
                    let images = self.op(Op::SetExtension, &images, Some(part_ty), span);
                    let value = if op == Op::Overwrite {
                        images
                    } else {
                        let old = self.current(&changes, pieces, &key, span)?;
                        self.op(op, &[old, images], Some(part_ty), span)
                    };
                    let when = None;
                    self.change(&mut changes, Change { key, when, value });
                }
                Some(changes)
            }
            Op::DomainSubtraction => {
                let whens = self.which(pieces, var, args[0])?;
                let mut changes = self.changed_points(var, pieces, args[1])?;
                for (key, when) in whens {
                    let part_ty = self.model.variables[pieces.part(&key)?].ty;
                    let value = self.op(Op::EmptySet, &[], Some(part_ty), span);
                    self.change(&mut changes, Change { key, when, value });
                }
                Some(changes)
            }
            _ => None,
        }
    }

    /// `{k |-> e, …}` with known keys: the images of each key.
    fn pairs(&mut self, pieces: &Pieces, set: ExprId) -> Option<Vec<(Value, Vec<ExprId>)>> {
        let Kind::Op(Op::SetExtension, elements) = self.model.exprs[set].kind.clone() else {
            return None;
        };
        let mut pairs: Vec<(Value, Vec<ExprId>)> = Vec::new();
        for element in elements {
            let Kind::Op(Op::Maplet, pair) = self.model.exprs[element].kind.clone() else {
                return None;
            };
            let key = self.known.value(self.model, pair[0])?;
            pieces.part(&key)?;
            match pairs.iter_mut().find(|(known, _)| *known == key) {
                Some((_, images)) => images.push(pair[1]),
                None => pairs.push((key, vec![pair[1]])),
            }
        }
        Some(pairs)
    }

    /// What a part holds after earlier changes.
    fn current(
        &mut self,
        changes: &Changes,
        pieces: &Pieces,
        key: &Value,
        span: Span,
    ) -> Option<ExprId> {
        let part = pieces.part(key)?;
        let change = changes.iter().find(|change| change.key == *key);
        Some(match change.map(|change| (change.when, change.value)) {
            None => self.var(part, span),
            Some((None, value)) => value,
            Some((Some(when), value)) => {
                let (ty, old) = (self.model.variables[part].ty, self.var(part, span));
                self.push(Kind::If(when, value, old), Some(ty), span)
            }
        })
    }

    fn is_built_on(&self, var: VarId, id: ExprId) -> bool {
        match &self.model.exprs[id].kind {
            Kind::Var(same) => *same == var,
            Kind::Op(Op::Union, args) => args.iter().any(|arg| self.is_built_on(var, *arg)),
            Kind::Op(Op::SetMinus, args) => self.is_built_on(var, args[0]),
            _ => false,
        }
    }
}
