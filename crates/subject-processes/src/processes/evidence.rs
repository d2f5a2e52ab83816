//! Certificates of processes.

use certify::{Accepted, Rejected};
use certify_programs::Label;
use certify_temporal::Graph;
use subject::evidence::{Certifying, Claimed, Course};
use subject::{Ground, QuestionId};

use super::Processes;
use super::ground::Compiled;
use super::questions::About;
use crate::evidence::{Checking, texts};

impl Processes {
    fn with<R>(&self, check: impl FnOnce(&Checking<'_>) -> R) -> R {
        let question = |id: QuestionId| match self.asked.get(id.index())?.about {
            About::Value(expr) => Some(Label::Value(expr)),
            About::Accepting | About::Progress => None,
        };
        check(&Checking {
            program: &self.program,
            labels: vec![Label::MayEnd(self.setting.processes.end_empty)],
            question: &question,
        })
    }
}

impl Certifying for Processes {
    fn permutes(&self) -> bool {
        false
    }

    fn classes(&self) -> Vec<Vec<u32>> {
        Vec::new()
    }

    fn components(&self, ground: &dyn Ground, state: &[u32]) -> Option<Vec<String>> {
        let compiled = ground.as_any().downcast_ref::<Compiled>()?;
        Some(texts(&compiled.system.decode(state)))
    }

    fn certify(
        &self,
        claimed: Claimed<'_>,
        _ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Accepted, Rejected> {
        self.with(|checking| checking.certify(claimed, &course.guided(&|| None)))
    }

    fn explore(
        &self,
        claimed: Claimed<'_>,
        _ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Graph, Rejected> {
        self.with(|checking| checking.explore(claimed, &course.guided(&|| None)))
    }
}
