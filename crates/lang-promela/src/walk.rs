//! Walks over statements and expressions, without recursion.

use crate::syntax::{ExprId, ExprKind, Program, Range, StmtId, StmtKind};

/// The expressions of one statement, without those of statements inside it.
#[derive(Clone, Debug, Default)]
pub struct Used {
    /// References that are assigned, received into or counted with.
    pub targets: Vec<ExprId>,
    /// Expressions whose value is used.
    pub values: Vec<ExprId>,
}

impl Program {
    /// All statements of a body, each before what it contains.
    pub fn statements(&self, body: &[StmtId]) -> Vec<StmtId> {
        let mut all = Vec::new();
        let mut open: Vec<StmtId> = body.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            all.push(id);
            match &self.stmts[id].kind {
                StmtKind::Labelled(_, inner) => open.push(*inner),
                StmtKind::If(choices) | StmtKind::Do(choices) => {
                    let inside = choices
                        .iter()
                        .rev()
                        .flat_map(|choice| choice.body.iter().rev());
                    open.extend(inside);
                }
                StmtKind::For { body, .. }
                | StmtKind::Atomic(body)
                | StmtKind::DStep(body)
                | StmtKind::Block { body, .. } => open.extend(body.iter().rev()),
                StmtKind::Unless(main, escape) => open.extend([*escape, *main]),
                _ => {}
            }
        }
        all
    }

    /// What an expression consists of, one level down.
    pub fn operands(&self, id: ExprId) -> Vec<ExprId> {
        match &self.exprs[id].kind {
            ExprKind::Variable(parts) => parts.iter().filter_map(|part| part.index).collect(),
            ExprKind::Unary(_, a)
            | ExprKind::Eval(a)
            | ExprKind::Enabled(a)
            | ExprKind::PcValue(a)
            | ExprKind::GetPriority(a)
            | ExprKind::Channel(_, a) => vec![*a],
            ExprKind::Binary(_, a, b) => vec![*a, *b],
            ExprKind::Conditional(a, b, c) => vec![*a, *b, *c],
            ExprKind::Run { arguments, .. } => arguments.clone(),
            ExprKind::Poll {
                channel, arguments, ..
            } => std::iter::once(*channel)
                .chain(arguments.iter().copied())
                .collect(),
            ExprKind::RemoteLabel { pid, .. } => pid.iter().copied().collect(),
            ExprKind::RemoteVariable { pid, variable, .. } => {
                pid.iter().copied().chain(variable.index).collect()
            }
            ExprKind::Constant(..)
            | ExprKind::Mtype(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Error => Vec::new(),
        }
    }

    /// An expression and everything in it.
    pub fn within(&self, id: ExprId) -> Vec<ExprId> {
        let mut all = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            all.push(id);
            open.extend(self.operands(id));
        }
        all
    }

    /// The expressions of a statement itself.
    pub fn used(&self, id: StmtId) -> Used {
        let mut used = Used::default();
        match &self.stmts[id].kind {
            StmtKind::Expression(value) | StmtKind::Assert(value) | StmtKind::PrintMtype(value) => {
                used.values.push(*value);
            }
            StmtKind::Assign(target, value) => {
                used.targets.push(*target);
                used.values.push(*value);
            }
            StmtKind::Increment(target) | StmtKind::Decrement(target) => {
                used.targets.push(*target);
                used.values.push(*target);
            }
            StmtKind::Send {
                channel, arguments, ..
            } => {
                used.values.push(*channel);
                used.values.extend(arguments);
            }
            StmtKind::Receive {
                channel, arguments, ..
            } => {
                used.values.push(*channel);
                for argument in arguments {
                    match self.exprs[*argument].kind {
                        ExprKind::Variable(_) => used.targets.push(*argument),
                        _ => used.values.push(*argument),
                    }
                }
            }
            StmtKind::Print { arguments, .. } => used.values.extend(arguments),
            StmtKind::SetPriority(process, priority) => used.values.extend([*process, *priority]),
            StmtKind::For {
                variable, range, ..
            } => {
                used.targets.push(*variable);
                used.values.push(*variable);
                match range {
                    Range::Between(from, to) => used.values.extend([*from, *to]),
                    Range::In(over) => used.values.push(*over),
                }
            }
            StmtKind::Select {
                variable, from, to, ..
            } => {
                used.targets.push(*variable);
                used.values.extend([*variable, *from, *to]);
            }
            _ => {}
        }
        used
    }
}
