//! Expressions as the word that a slot of the state holds: what is assigned goes into the successor without becoming a value on
//! the way where its type is coded, an integer, or a function in place.
//!
//! Invariant: the word is that of [`crate::cx::store`] for the value of the general code, and the fault is that of the general code.

use lang_math::Op;
use model::{ExprId, Kind, Stmt, StmtId, Target};
use smallvec::SmallVec;

use super::rows::MOST_PAIRS;
use super::{Compiler, f};
use crate::cx::{Cx, F, shorten};
use crate::rep::Rep;
use crate::trap::Trap;
use crate::value::{Held, V, is_row, slot_with, slot_with_field};

impl Compiler<'_> {
    /// The assignments of a statement that does nothing else, each as a slot and its word.
    pub(crate) fn slot_assignments(&self, stmt: StmtId) -> Option<Vec<(usize, F<u32>)>> {
        let mut pairs = Vec::new();
        self.collect_assignments(stmt, &mut pairs)?;
        let code = |(slot, value): (usize, ExprId)| (slot, self.slot_word(value));
        Some(pairs.into_iter().map(code).collect())
    }

    fn collect_assignments(&self, stmt: StmtId, pairs: &mut Vec<(usize, ExprId)>) -> Option<()> {
        match &self.model.stmts[stmt] {
            Stmt::Skip => Some(()),
            Stmt::Assign(assigned) => {
                for (target, value) in assigned {
                    let Target::Var(var) = target else {
                        return None;
                    };
                    pairs.push((var.index(), *value));
                }
                Some(())
            }
            Stmt::Parallel(parts) => parts
                .iter()
                .try_for_each(|part| self.collect_assignments(*part, pairs)),
            _ => None,
        }
    }

    /// The code of an expression as a slot.
    fn slot_word(&self, expr: ExprId) -> F<u32> {
        let ty = self.ty(expr);
        match self.rep(expr) {
            Rep::Word if self.program.reps[ty].is_direct() => {
                let code = self.word(expr);
                f(move |cx| Ok(code(cx)? as u32))
            }
            Rep::Int => {
                let code = self.int(expr);
                f(move |cx| {
                    let value = match (code.fast)(cx) {
                        Ok(value) => V::Int(value),
                        Err(Trap::Overflow) => (code.slow)(cx)?,
                        Err(trap) => return Err(trap),
                    };
                    match value {
                        V::Int(small) if let Some(word) = shorten(small) => Ok(word),
                        value => Ok(cx.store(ty, value)),
                    }
                })
            }
            _ => {
                let code = self.value(expr);
                let general = f(move |cx| {
                    let value = code(cx)?;
                    let value = cx.canonical(value)?;
                    Ok(cx.store(ty, value))
                });
                if let Some(in_place) = self.overwritten_slot(expr) {
                    return either(in_place, general);
                }
                match self.updated_record_slot(expr) {
                    Some(in_place) => either(in_place, general),
                    None => general,
                }
            }
        }
    }

    /// `f <+ {x |-> y, …}` of a variable that is a function, as a slot; `None` for any other expression. The code gives `None` where
    /// the general code has to be asked.
    fn overwritten_slot(
        &self,
        expr: ExprId,
    ) -> Option<impl Fn(&mut Cx<'_>) -> Option<u32> + Send + Sync + use<>> {
        let Kind::Op(Op::Overwrite, sides) = &self.model.exprs[expr].kind else {
            return None;
        };
        let (Kind::Var(var), Kind::Op(Op::SetExtension, pairs)) = (
            &self.model.exprs[sides[0]].kind,
            &self.model.exprs[sides[1]].kind,
        ) else {
            return None;
        };
        let Some(Held::Function(_)) = self.held(expr) else {
            return None;
        };
        let pairs = self
            .number_pairs(pairs)
            .filter(|pairs| pairs.len() <= MOST_PAIRS)?;
        let slot = var.index();
        Some(move |cx: &mut Cx<'_>| {
            let mut word = cx.state[slot];
            if !is_row(word) {
                return None;
            }
            let mut lefts: SmallVec<[i64; MOST_PAIRS]> = SmallVec::new();
            for (left, right) in &pairs {
                let (left, right) = (left(cx).ok()?, right(cx).ok()?);
                if lefts.contains(&left) {
                    return None;
                }
                lefts.push(left);
                word = slot_with(word, left, right)?;
            }
            Some(word)
        })
    }

    /// A record whose fields are those of a variable but for some, as a slot; `None` for any other expression. The code gives
    /// `None` where the general code has to be asked.
    fn updated_record_slot(
        &self,
        expr: ExprId,
    ) -> Option<impl Fn(&mut Cx<'_>) -> Option<u32> + Send + Sync + use<>> {
        let (Kind::Record(fields), Some(Held::Record)) =
            (&self.model.exprs[expr].kind, self.held(expr))
        else {
            return None;
        };
        let kept = |(name, part): &(base::Name, ExprId)| match &self.model.exprs[*part].kind {
            Kind::Field(record, field) if field == name && self.ty(*record) == self.ty(expr) => {
                match &self.model.exprs[*record].kind {
                    Kind::Var(var) => Some(var.index()),
                    _ => None,
                }
            }
            _ => None,
        };
        let slot = fields.iter().find_map(kept)?;
        let changed = fields.iter().enumerate();
        let changed = changed.filter(|(_, field)| kept(field) != Some(slot));
        let changed = changed.map(|(at, (_, part))| Some((at, self.number(*part)?)));
        let changed: Vec<(usize, F<i64>)> = changed.collect::<Option<_>>()?;
        Some(move |cx: &mut Cx<'_>| {
            let mut word = cx.state[slot];
            if !is_row(word) {
                return None;
            }
            for (at, number) in &changed {
                word = slot_with_field(word, *at, number(cx).ok()?)?;
            }
            Some(word)
        })
    }
}

/// The word that is found in place, or that of the general code.
fn either(
    in_place: impl Fn(&mut Cx<'_>) -> Option<u32> + Send + Sync + 'static,
    general: F<u32>,
) -> F<u32> {
    f(move |cx| match in_place(cx) {
        Some(word) => Ok(word),
        None => general(cx),
    })
}
