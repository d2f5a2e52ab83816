//! What a step reads and writes, and whether other processes can notice it.

use lang_promela::check::{Meaning, Owner, Predefined};
use lang_promela::syntax::{
    ExprId, ExprKind, Form, Initialiser, Part, StmtKind, VarId, Visibility,
};

use crate::Lowering;
use crate::flow::{ElementId, Flow, Node};

impl Lowering<'_> {
    /// The variables that a step reads and writes as a whole; arrays do not count, their indices do.
    pub(super) fn uses(&self, flow: &Flow<'_>, step: ElementId) -> (Vec<VarId>, Vec<VarId>) {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        match flow.elements[step].node {
            Node::Statement(id) => {
                let used = self.syntax.used(id);
                for target in used.targets {
                    self.writes(target, &mut reads, &mut writes);
                }
                for value in used.values {
                    self.reads(value, &mut reads);
                }
            }
            Node::Declared(var) => {
                writes.push(var);
                if let Some(Initialiser::Value(value)) = self.syntax.vars[var].init {
                    self.reads(value, &mut reads);
                }
            }
            Node::Set(variable, value) => {
                self.writes(variable, &mut reads, &mut writes);
                self.reads(value, &mut reads);
            }
            Node::SetNumber(variable, _) => self.writes(variable, &mut reads, &mut writes),
            Node::Until(variable, bound, _) => {
                self.reads(variable, &mut reads);
                self.reads(bound, &mut reads);
            }
            Node::AtMost(variable, _) => self.reads(variable, &mut reads),
            Node::Next(variable) => {
                self.writes(variable, &mut reads, &mut writes);
                self.reads(variable, &mut reads);
            }
            _ => {}
        }
        (reads, writes)
    }

    fn reads(&self, id: ExprId, into: &mut Vec<VarId>) {
        let mut open = vec![id];
        while let Some(part) = open.pop() {
            match &self.syntax.exprs[part].kind {
                // A question about a channel reads what it compares with, not where it would store.
                ExprKind::Poll {
                    channel, arguments, ..
                } => {
                    open.push(*channel);
                    let compared =
                        |id: &&ExprId| matches!(self.syntax.exprs[**id].kind, ExprKind::Eval(_));
                    open.extend(arguments.iter().filter(compared));
                }
                ExprKind::Variable(parts) if is_plain(parts) => {
                    if let Some(Meaning::Variable(var)) = self.facts.meanings.get(&part)
                        && !into.contains(var)
                    {
                        into.push(*var);
                    }
                }
                _ => open.extend(self.syntax.operands(part)),
            }
        }
    }

    fn writes(&self, target: ExprId, reads: &mut Vec<VarId>, writes: &mut Vec<VarId>) {
        for index in self.syntax.operands(target) {
            self.reads(index, reads);
        }
        if let ExprKind::Variable(parts) = &self.syntax.exprs[target].kind
            && let Some(Meaning::Variable(var)) = self.facts.meanings.get(&target)
            && is_plain(parts)
            && !writes.contains(var)
        {
            writes.push(*var);
        }
    }

    /// Whether a step assigns the constant 0, so that nothing needs to be reset.
    pub(super) fn sets_zero(&self, node: Node) -> bool {
        let zero = |id: ExprId| matches!(self.syntax.exprs[id].kind, ExprKind::Constant(0, _));
        match node {
            Node::Statement(id) => match self.syntax.stmts[id].kind {
                StmtKind::Assign(_, value) => zero(value),
                _ => false,
            },
            Node::Declared(var) => match self.syntax.vars[var].init {
                Some(Initialiser::Value(value)) => zero(value),
                _ => true,
            },
            Node::Set(_, value) => zero(value),
            Node::SetNumber(_, value) => value == 0,
            _ => false,
        }
    }

    /// Whether other processes can notice a step.
    pub(super) fn is_shared(&self, node: Node) -> bool {
        match node {
            Node::Statement(id) => match &self.syntax.stmts[id].kind {
                StmtKind::Send {
                    channel, arguments, ..
                } => {
                    !self.is_exclusive(*channel, false)
                        || arguments.iter().any(|value| self.is_shared_value(*value))
                }
                StmtKind::Receive {
                    channel, arguments, ..
                } => {
                    !self.is_exclusive(*channel, true)
                        || arguments.iter().any(|value| self.is_shared_value(*value))
                }
                StmtKind::SetPriority(..) => true,
                _ => {
                    let used = self.syntax.used(id);
                    let mut all = used.targets.iter().chain(&used.values);
                    all.any(|id| self.is_shared_value(*id))
                }
            },
            Node::Declared(var) => match self.syntax.vars[var].init {
                Some(Initialiser::Value(value)) => self.is_shared_value(value),
                _ => false,
            },
            Node::Set(variable, value) | Node::Until(variable, value, _) => {
                self.is_shared_value(variable) || self.is_shared_value(value)
            }
            Node::SetNumber(variable, _) | Node::AtMost(variable, _) | Node::Next(variable) => {
                self.is_shared_value(variable)
            }
            Node::Rotate(..) => false,
            _ => false,
        }
    }

    /// Whether a value depends on what other processes change. SPIN does not look at indices.
    fn is_shared_value(&self, id: ExprId) -> bool {
        base::deep::recurse(|| match &self.syntax.exprs[id].kind {
            ExprKind::Constant(..) | ExprKind::Mtype(_) => false,
            ExprKind::Variable(_) => match self.facts.meanings.get(&id) {
                Some(Meaning::Variable(var)) => {
                    self.facts.owners[var.index()] == Owner::Global
                        && self.syntax.vars[*var].visibility != Some(Visibility::Local)
                }
                Some(Meaning::Predefined(predefined)) => {
                    matches!(predefined, Predefined::ProcessCount | Predefined::Last)
                }
                None => true,
            },
            ExprKind::Run { name, .. } => self.starts_with_data(name.name),
            ExprKind::Channel(question, channel) => {
                use lang_promela::syntax::ChannelQuestion::*;
                match question {
                    NotEmpty | Full => !self.is_exclusive(*channel, true),
                    NotFull | Empty => !self.is_exclusive(*channel, false),
                    Len => {
                        !self.is_exclusive(*channel, true) || !self.is_exclusive(*channel, false)
                    }
                }
            }
            ExprKind::Poll {
                channel, arguments, ..
            } => {
                !self.is_exclusive(*channel, true)
                    || !self.is_exclusive(*channel, false)
                    || arguments.iter().any(|value| self.is_shared_value(*value))
            }
            ExprKind::Enabled(_)
            | ExprKind::PcValue(_)
            | ExprKind::GetPriority(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::RemoteLabel { .. }
            | ExprKind::RemoteVariable { .. } => true,
            _ => self
                .syntax
                .operands(id)
                .into_iter()
                .any(|part| self.is_shared_value(part)),
        })
    }

    /// Whether `xr` or `xs` says that only one process receives from or sends to a channel.
    fn is_exclusive(&self, channel: ExprId, receive: bool) -> bool {
        let Some(meaning) = self.facts.meanings.get(&channel) else {
            return false;
        };
        self.syntax
            .stmts
            .iter()
            .any(|(_, statement)| match &statement.kind {
                StmtKind::Exclusive {
                    receive: receives,
                    channels,
                } => {
                    *receives == receive
                        && channels
                            .iter()
                            .any(|id| self.facts.meanings.get(id) == Some(meaning))
                }
                _ => false,
            })
    }

    /// Whether a proctype declares variables with first values that may depend on others.
    fn starts_with_data(&self, name: base::Name) -> bool {
        let unit = self.facts.processes[&name];
        self.facts
            .locals
            .get(&unit)
            .into_iter()
            .flatten()
            .any(|var| match &self.syntax.vars[*var].init {
                None => false,
                Some(Initialiser::Value(value)) => match &self.syntax.exprs[*value].kind {
                    ExprKind::Constant(
                        _,
                        Form::Number | Form::Character | Form::True | Form::False | Form::Skip,
                    ) => false,
                    ExprKind::Mtype(_) => false,
                    ExprKind::Variable(_) => match self.facts.meanings.get(value) {
                        Some(Meaning::Variable(var)) => {
                            self.facts.owners[var.index()] == Owner::Global
                        }
                        _ => true,
                    },
                    _ => true,
                },
                Some(_) => true,
            })
    }

    /// Whether an expression creates a process.
    pub(super) fn has_run(&self, id: ExprId) -> bool {
        let within = self.syntax.within(id);
        within
            .iter()
            .any(|id| matches!(self.syntax.exprs[*id].kind, ExprKind::Run { .. }))
    }
}

/// Whether a reference is one variable without an index.
fn is_plain(parts: &[Part]) -> bool {
    parts.iter().all(|part| part.index.is_none())
}
