//! How operations influence each other, asked of the solver.

use model_compile::influence::{self, WORK};
use pins::{Flow, System as _};
use subject::{Influence, InfluenceQuestion, Kept, Refutation, Wd};

use crate::ground::Program;

/// More set-ups than this need not be known.
const ENOUGH_SETUPS: usize = 9;

/// Answers about one compiled model.
pub(crate) struct Solver<'s> {
    program: &'s Program,
    influence: influence::Influence<'s>,
    wd: Wd,
    work: u64,
}

impl<'s> Solver<'s> {
    pub(crate) fn new(program: &'s Program, wd: Wd) -> Solver<'s> {
        let mut setups = Vec::new();
        // A fault among the set-ups is told by the search.
        let _ = program.system.worker().setups(&mut |setup| {
            setups.push(setup.to_vec());
            match setups.len() < ENOUGH_SETUPS {
                true => Flow::Continue,
                false => Flow::Stop,
            }
        });
        let model = program.compiled_model();
        Solver {
            program,
            influence: influence::Influence::new(model, &program.system, &setups),
            wd,
            work: WORK,
        }
    }
}

impl Influence for Solver<'_> {
    fn may(&mut self, questions: &[InfluenceQuestion]) -> Vec<bool> {
        self.influence.may(questions)
    }

    fn first_to_break(
        &mut self,
        supposed: &[usize],
        rows: &[(usize, Vec<usize>)],
    ) -> Vec<Option<usize>> {
        self.influence.suppose(supposed);
        self.influence.first_to_break(rows)
    }

    fn prove(&mut self) {
        self.influence.proves = true;
    }

    fn kept(&self) -> Vec<Kept> {
        let kept = self.influence.kept.iter().map(|kept| Kept {
            label: kept.label,
            group: kept.action,
            questions: kept
                .refuted
                .iter()
                .map(|refuted| refuted.as_ref().map(texts))
                .collect(),
        });
        kept.collect()
    }

    fn may_fault(&self, group: usize) -> bool {
        self.influence.may_fault(group)
    }

    fn asked(&self) -> (u64, u64) {
        (self.influence.asked, self.influence.unanswered)
    }

    fn hurry(&mut self, part: u64) {
        self.work = WORK / part.max(1);
        self.influence.allow(self.work);
    }

    fn key(&self) -> String {
        let model = self.program.compiled_model();
        format!(
            "{} {} {}..{}\n{}",
            self.work,
            self.wd.word(),
            model.min_int,
            model.max_int,
            model::text::model(model)
        )
    }
}

/// Clauses and their proof in the formats of SAT solvers.
fn texts(refuted: &influence::Refutation) -> Refutation {
    let lines = |clauses: &[Vec<i32>]| {
        let mut text = String::new();
        for clause in clauses {
            for literal in clause {
                text.push_str(&literal.to_string());
                text.push(' ');
            }
            text.push_str("0\n");
        }
        text
    };
    let variables = refuted.clauses.iter().flatten();
    let most = variables.map(|literal| literal.unsigned_abs()).max();
    let count = refuted.clauses.len();
    Refutation {
        clauses: format!(
            "p cnf {} {count}\n{}",
            most.unwrap_or(0),
            lines(&refuted.clauses)
        ),
        proof: lines(&refuted.steps),
    }
}
