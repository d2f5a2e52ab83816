//! The compiled evaluator as a system whose numbers can be read back.

use base::{Diagnostic, Diagnostics};
use model::{ExprId, Model, Value};
use pins::{GroupId, System};

use super::decode::Decode;
use crate::choice::Wd;
use crate::plan::missing;

pub(super) struct Compiled;

pub(super) fn compile(_model: &Model, _goal: Option<ExprId>, _wd: Wd) -> Result<Compiled, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let diagnostic: Diagnostic = missing("--evaluator compiled", "it");
    diagnostics.push(diagnostic);
    Err(diagnostics)
}

impl Compiled {
    pub(super) fn system(&self) -> &dyn System {
        unreachable!("nothing is compiled")
    }
}

impl Decode for Compiled {
    fn values(&self, _vector: &[u32]) -> Vec<Option<Value>> {
        Vec::new()
    }
    fn action(&self, group: GroupId) -> usize {
        group.index()
    }
    fn words(&self, _group: GroupId, _words: &[u32]) -> (Vec<Value>, Vec<Value>) {
        Default::default()
    }
    fn variable(&self, slot: usize) -> usize {
        slot
    }
}
