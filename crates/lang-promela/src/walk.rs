//! Walks over statements in the order of the text, without recursion.

use crate::syntax::{Program, StmtId, StmtKind};

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
}
