//! Gives variables that the initialisation leaves open any value of their type, as ProB does.
//!
//! B asks for an initialisation of every variable; models in the field forget some.
//! Invariant: after the initialisation every variable has a value, whatever branches were taken.

use lang_math::Op;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::Lower;
use model::{Kind, Stmt, StmtId, Target, VarId};

impl Lower<'_> {
    /// An initialisation after which each of these variables has a value.
    pub(super) fn complete(&mut self, initialisation: StmtId, variables: &[VarId]) -> StmtId {
        let assigned = self.always_assigned(initialisation);
        let mut parts = Vec::new();
        for variable in variables.iter().copied() {
            if assigned.contains(&variable) {
                continue;
            }
            let declared = self.model.variables[variable].clone();
            self.model.warnings.push(format!(
                "the initialisation does not assign {}: it starts with any value of its type",
                declared.name
            ));
            let local = self.local(declared.name, declared.ty, declared.span);
            let value = self.push(Kind::Local(local), Some(declared.ty), declared.span);
            let predicate = self.push(Kind::Op(Op::Truth, SmallVec::new()), None, declared.span);
            let body = self.stmt(Stmt::Assign(vec![(Target::Var(variable), value)]));
            parts.push(self.stmt(Stmt::Any {
                names: vec![local],
                predicate,
                body,
            }));
        }
        if parts.is_empty() {
            return initialisation;
        }
        parts.push(initialisation);
        self.stmt(Stmt::Sequence(parts))
    }

    /// The variables that every outcome of a statement assigns.
    fn always_assigned(&self, stmt: StmtId) -> FxHashSet<VarId> {
        let in_all = |branches: &mut dyn Iterator<Item = StmtId>| {
            let mut common: Option<FxHashSet<VarId>> = None;
            for branch in branches {
                let found = self.always_assigned(branch);
                match &mut common {
                    None => common = Some(found),
                    Some(common) => common.retain(|variable| found.contains(variable)),
                }
            }
            common.unwrap_or_default()
        };
        base::deep::recurse(|| match &self.model.stmts[stmt] {
            Stmt::Skip | Stmt::While { .. } | Stmt::External(..) => FxHashSet::default(),
            Stmt::Assign(pairs) => pairs
                .iter()
                .filter_map(|(target, _)| match target {
                    Target::Var(variable) => Some(*variable),
                    Target::Local(_) => None,
                })
                .collect(),
            Stmt::Any { body, .. }
            | Stmt::Let(_, _, body)
            | Stmt::Var(_, body)
            | Stmt::Assert(_, _, body) => self.always_assigned(*body),
            Stmt::Select(branches, otherwise) => {
                in_all(&mut branches.iter().map(|(_, body)| *body).chain(*otherwise))
            }
            Stmt::If(branches, otherwise) => {
                in_all(&mut branches.iter().map(|(_, body)| *body).chain([*otherwise]))
            }
            Stmt::Choice(parts) => in_all(&mut parts.iter().copied()),
            Stmt::Simulate(step) => [step.body, step.then]
                .into_iter()
                .flat_map(|part| self.always_assigned(part))
                .collect(),
            Stmt::Sequence(parts) | Stmt::Parallel(parts) => parts
                .iter()
                .flat_map(|part| self.always_assigned(*part))
                .collect(),
        })
    }
}
