//! Certificates of programs: the check is that of `crates/certify-programs`, the compiled evaluator only guides it.

use certify::{Accepted, Manner, Rejected};
use certify_programs::{Label, Programs, StepAtom, Words};
use certify_temporal::Graph;
use program::Program;
use subject::QuestionId;
use subject::evidence::{self, Claimed, StepQuestion, Temporal};

/// The components of a state as texts.
pub(crate) fn texts(state: &program::State) -> Vec<String> {
    let components = certify_programs::components(state).into_iter();
    let text = |words: Words| {
        let words: Vec<String> = words.iter().map(i64::to_string).collect();
        words.join(" ")
    };
    components.map(text).collect()
}

/// What is checked: the program, its labels and what questions ask.
pub(crate) struct Checking<'p> {
    pub(crate) program: &'p Program,
    pub(crate) labels: Vec<Label>,
    pub(crate) question: &'p dyn Fn(QuestionId) -> Option<Label>,
}

impl Checking<'_> {
    fn programs(&self, claimed: Claimed<'_>) -> Result<Programs<'_>, Rejected> {
        let Temporal { states, steps, .. } = claimed.temporal;
        let step = |question: &StepQuestion| match question {
            StepQuestion::Taken(event, arguments) if arguments.is_empty() => {
                Some(StepAtom::Of(event.index()))
            }
            StepQuestion::Moves(pid) => Some(StepAtom::Moves(*pid)),
            _ => None,
        };
        let states: Option<Vec<Label>> = states.iter().map(|id| (self.question)(*id)).collect();
        let steps: Option<Vec<StepAtom>> = steps.iter().map(step).collect();
        let unknown = Rejected::Misfit("a formula asks what certificates of programs do not know");
        let (Some(states), Some(steps), false) = (states, steps, claimed.temporal.names()) else {
            return Err(unknown);
        };
        Ok(Programs {
            program: self.program,
            components: claimed.certificate.header.components,
            labels: self.labels.clone(),
            states,
            steps,
        })
    }

    pub(crate) fn certify(
        &self,
        claimed: Claimed<'_>,
        manner: &Manner<'_, Words>,
    ) -> Result<Accepted, Rejected> {
        evidence::certify(&self.programs(claimed)?, claimed, manner)
    }

    pub(crate) fn explore(
        &self,
        claimed: Claimed<'_>,
        manner: &Manner<'_, Words>,
    ) -> Result<Graph, Rejected> {
        evidence::explore(&self.programs(claimed)?, claimed, manner)
    }
}
