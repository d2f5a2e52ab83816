//! Puts expressions in the place of variables and names, and gives bound names new identities.
//!
//! Invariant: a part in which nothing is replaced stays the same expression, so "is it changed" is a comparison.

use base::deep;
use model::{Expr, ExprId, Kind, LocalId, Model, VarId};
use rustc_hash::FxHashMap;

/// What is replaced.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map {
    /// Variables.
    pub(crate) vars: FxHashMap<VarId, ExprId>,
    /// Names that stand for a value.
    pub(crate) locals: FxHashMap<LocalId, ExprId>,
    /// Names that get another identity.
    pub(crate) names: FxHashMap<LocalId, LocalId>,
    /// Whether names that are bound inside get a new identity too.
    pub(crate) is_renaming: bool,
}

/// Replaces in expressions of a model, into which it puts the new ones.
pub(crate) struct Substitute<'m> {
    model: &'m mut Model,
    pub(crate) map: Map,
    known: FxHashMap<ExprId, ExprId>,
}

impl<'m> Substitute<'m> {
    pub(crate) fn new(model: &'m mut Model, map: Map) -> Substitute<'m> {
        Substitute {
            model,
            map,
            known: FxHashMap::default(),
        }
    }

    /// The expression with everything replaced.
    pub(crate) fn expr(&mut self, id: ExprId) -> ExprId {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let new = deep::recurse(|| self.replace(id));
        self.known.insert(id, new);
        new
    }

    /// A name with a new identity.
    pub(crate) fn rename(&mut self, local: LocalId) -> LocalId {
        if let Some(known) = self.map.names.get(&local) {
            return *known;
        }
        let copy = self.model.locals[local].clone();
        let new = self.model.locals.push(copy);
        self.map.names.insert(local, new);
        new
    }

    fn replace(&mut self, id: ExprId) -> ExprId {
        let Expr { kind, ty, span } = self.model.exprs[id].clone();
        let mut is_changed = false;
        let kind = match kind {
            Kind::Var(var) => match self.map.vars.get(&var) {
                Some(value) => return *value,
                None => return id,
            },
            Kind::Local(local) => match (self.map.locals.get(&local), self.map.names.get(&local)) {
                (Some(value), _) => return *value,
                (None, Some(name)) => {
                    is_changed = true;
                    Kind::Local(*name)
                }
                (None, None) => return id,
            },
            Kind::Bind {
                binder,
                names,
                predicate,
                value,
                symbolic,
            } if self.map.is_renaming => {
                is_changed = true;
                Kind::Bind {
                    binder,
                    names: names.into_iter().map(|name| self.rename(name)).collect(),
                    predicate: self.expr(predicate),
                    value: value.map(|value| self.expr(value)),
                    symbolic,
                }
            }
            Kind::Let(local, value, body) if self.map.is_renaming => {
                is_changed = true;
                Kind::Let(self.rename(local), self.expr(value), self.expr(body))
            }
            kind => kind.map_children(|child| {
                let new = self.expr(child);
                is_changed |= new != child;
                new
            }),
        };
        if !is_changed {
            return id;
        }
        self.model.exprs.push(Expr { kind, ty, span })
    }
}
