//! Rewrites statements: an assignment to a variable writes the parts that may change.

use base::{Name, Span};
use lang_math::Op;
use model::{ExprId, Kind, Local, Stmt, StmtId, Target, Value, VarId};

use super::rewrite::Rewriter;
use super::{Parts, Pieces};

/// The new value of some parts.
type Changes = Vec<(Value, ExprId)>;

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
                for (key, value) in changes {
                    if let Some(part) = pieces.part(&key) {
                        self.used.insert(part);
                        written.push((Target::Var(part), value));
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
        lets.into_iter()
            .rev()
            .fold(Stmt::Assign(written), |body, (local, value)| {
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

    /// `s \/ {k, …}`, `s - {k, …}`: which bits change.
    fn changed_bits(&mut self, var: VarId, pieces: &Pieces, value: ExprId) -> Option<Changes> {
        let span = self.model.exprs[value].span;
        match self.model.exprs[value].kind.clone() {
            Kind::Var(same) if same == var => Some(Vec::new()),
            Kind::Op(op @ (Op::Union | Op::SetMinus), args) => {
                let (base, more) = match op {
                    Op::Union if self.is_built_on(var, args[1]) => (args[1], args[0]),
                    _ => (args[0], args[1]),
                };
                let mut changes = self.changed_bits(var, pieces, base)?;
                let Value::Set(keys) = self.known.value(self.model, more)? else {
                    return None;
                };
                for key in keys.iter() {
                    pieces.part(key)?;
                    let bit = self.truth(op == Op::Union, span);
                    set(&mut changes, key, bit);
                }
                Some(changes)
            }
            _ => None,
        }
    }

    /// `f <+ {k |-> e, …}`, `f \/ {…}`, `f - {…}`, `{k, …} <<| f`: which images change.
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
                    set(&mut changes, &key, value);
                }
                Some(changes)
            }
            Op::DomainSubtraction => {
                let mut changes = self.changed_points(var, pieces, args[1])?;
                let Value::Set(keys) = self.known.value(self.model, args[0])? else {
                    return None;
                };
                for key in keys.iter() {
                    let part_ty = self.model.variables[pieces.part(key)?].ty;
                    let none = self.op(Op::EmptySet, &[], Some(part_ty), span);
                    set(&mut changes, key, none);
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
        match changes.iter().find(|(known, _)| known == key) {
            Some((_, value)) => Some(*value),
            None => {
                let part = pieces.part(key)?;
                Some(self.var(part, span))
            }
        }
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

fn set(changes: &mut Changes, key: &Value, value: ExprId) {
    changes.retain(|(known, _)| known != key);
    changes.push((key.clone(), value));
}
