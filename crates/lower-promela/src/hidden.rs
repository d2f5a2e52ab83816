//! Which global variables are left out of states.
//!
//! In SPIN a hidden variable keeps its value along a path while states do not show it. Here it starts every step with its first
//! value, which is the same where it is used as a scratch pad: every process that reads it writes it too. A hidden variable
//! that some process only reads carries values from one process to another; it stays part of the state.
//! With SPIN's optimisations, scalars and arrays that nobody reads are left out as well.

use lang_promela::check::Meaning;
use lang_promela::syntax::{ExprId, StmtId, StmtKind, Type, Unit, VarId, Visibility};
use rustc_hash::FxHashSet;

use crate::Lowering;

/// Who reads and writes a variable.
#[derive(Default)]
struct Users {
    readers: FxHashSet<usize>,
    writers: FxHashSet<usize>,
}

impl Lowering<'_> {
    /// The variables that states do not show.
    pub(crate) fn left_out(&self) -> FxHashSet<VarId> {
        let mut out = FxHashSet::default();
        for unit in &self.syntax.units {
            let Unit::Variables(declaration) = unit else {
                continue;
            };
            for var in &declaration.vars {
                let hidden = declaration.visibility == Some(Visibility::Hidden) && {
                    let users = self.users(*var);
                    users.readers.is_subset(&users.writers)
                };
                if hidden || (self.options.spin_counts && self.is_unread(*var)) {
                    out.insert(*var);
                }
            }
        }
        out
    }

    fn users(&self, var: VarId) -> Users {
        let mut users = Users::default();
        for (index, unit) in self.syntax.units.iter().enumerate() {
            let body = match unit {
                Unit::Process(process) => &process.body,
                Unit::Never(claim) => &claim.body,
                _ => continue,
            };
            for id in self.syntax.statements(body) {
                let used = self.syntax.used(id);
                let names = |id: &ExprId| self.mentions_var(*id, var);
                let is_target =
                    |id: &ExprId| self.facts.meanings.get(id) == Some(&Meaning::Variable(var));
                if used.targets.iter().any(is_target) {
                    users.writers.insert(index);
                }
                let indices = used
                    .targets
                    .iter()
                    .flat_map(|target| self.syntax.operands(*target));
                if used
                    .values
                    .iter()
                    .copied()
                    .chain(indices)
                    .any(|id| names(&id))
                {
                    users.readers.insert(index);
                }
            }
        }
        users
    }

    fn mentions_var(&self, id: ExprId, var: VarId) -> bool {
        let within = self.syntax.within(id);
        within
            .iter()
            .any(|id| self.facts.meanings.get(id) == Some(&Meaning::Variable(var)))
    }

    /// Whether nobody reads a variable, as SPIN sees it: printing and counting up are no reading, receiving into it is.
    fn is_unread(&self, var: VarId) -> bool {
        if matches!(self.syntax.vars[var].ty, Type::Chan | Type::Named(_)) {
            return false;
        }
        let mut unread = true;
        for unit in &self.syntax.units {
            match unit {
                Unit::Process(process) => {
                    unread &= !process
                        .provided
                        .is_some_and(|condition| self.mentions_var(condition, var));
                    unread &= !self.is_read_in(&process.body, var);
                }
                Unit::Never(claim) => unread &= !self.is_read_in(&claim.body, var),
                Unit::Ltl(formula) => unread &= !self.mentions_var(formula.formula, var),
                Unit::Trace(trace) => unread &= !self.is_read_in(&trace.body, var),
                Unit::Variables(declaration) => {
                    unread &= !declaration
                        .vars
                        .iter()
                        .any(|other| self.is_read_by_declaration(*other, var));
                }
                Unit::Mtype(_) | Unit::Typedef(_) => {}
            }
        }
        unread
    }

    fn is_read_by_declaration(&self, declared: VarId, var: VarId) -> bool {
        let variable = &self.syntax.vars[declared];
        let value = match variable.init {
            Some(lang_promela::syntax::Initialiser::Value(value)) => Some(value),
            _ => None,
        };
        value.is_some_and(|id| self.mentions_var(id, var))
    }

    fn is_read_in(&self, body: &[StmtId], var: VarId) -> bool {
        self.syntax.statements(body).into_iter().any(|id| {
            let used = self.syntax.used(id);
            let indices = || {
                used.targets
                    .iter()
                    .flat_map(|target| self.syntax.operands(*target))
            };
            match &self.syntax.stmts[id].kind {
                StmtKind::Print { .. } => false,
                StmtKind::Increment(_) | StmtKind::Decrement(_) => {
                    indices().any(|id| self.mentions_var(id, var))
                }
                // A choice of assignments; with other bounds it counts, and reads what it counts with.
                StmtKind::Select { at_once: true, .. } => {
                    indices().any(|id| self.mentions_var(id, var))
                }
                StmtKind::Declare(declaration) => declaration
                    .vars
                    .iter()
                    .any(|other| self.is_read_by_declaration(*other, var)),
                StmtKind::Receive { arguments, .. } => {
                    let received = arguments.iter().any(|id| self.mentions_var(*id, var));
                    received || used.values.iter().any(|id| self.mentions_var(*id, var))
                }
                _ => used
                    .values
                    .iter()
                    .copied()
                    .chain(indices())
                    .any(|id| self.mentions_var(id, var)),
            }
        })
    }
}
