//! Finds out whether diagrams of sorted columns would be done sooner, where `--symmetry auto` leaves the choice: a trial beside those that
//! are made anyway.
//!
//! Technique: sorted diagrams are given a small part of the work that was done without them, in counted steps. Where they come to an end,
//! or have found states that stand for more than all that was found otherwise, they do the run.
//! Invariant: how long a trial takes depends on counts only, not on the clock.
//! Invariant: what was asked for and does not go with sorted columns (transitions, an order, formulas) keeps them from being tried.

use std::time::Instant;

use num_bigint::BigUint;
use reduce::symmetry::{Neighbours, Pairs};
use search::symbolic::{self, Patience, Representatives};

use super::facts::Facts;
use super::labels::Asked;
use super::run::Run;
use super::sets::Way;
use super::symmetry;
use super::{Ended, Hooks};
use crate::choice::{Engine, Symmetry};
use crate::plan::{self, Chosen, Options, Plan};

/// A trial beside plain diagrams takes one of so many parts of the work that was done before it.
pub(super) const PART: u64 = 20;
/// What the diagrams of a trial may take.
const MOST_BYTES: u64 = 1 << 30;

/// How columns are sorted where nobody asked for it.
pub(super) struct Sorting {
    options: Options,
    plan: Plan,
}

/// How a trial went.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    /// Whether all representatives were found.
    pub(super) is_done: bool,
    /// What those that were found stand for, as far as that is known.
    pub(super) states: BigUint,
}

impl Sorting {
    /// Sorted columns in the place of what was planned; `None` where the options leave no choice, or nothing is interchangeable.
    pub(super) fn of(run: &Run<'_>, because: &'static str) -> Option<Sorting> {
        if run.options.symmetry != Symmetry::Auto {
            return None;
        }
        let options = Options {
            engine: Engine::Symbolic,
            symmetry: Symmetry::Dynamic,
            ..run.options.clone()
        };
        // What is refused when it is asked for is not chosen.
        let mut plan = plan::plan(&options).ok()?;
        plan.engine = match run.options.engine {
            Engine::Symbolic => plan.engine,
            _ => Chosen::ours(Engine::Symbolic, because),
        };
        plan.symmetry = Chosen::ours(Symmetry::Dynamic, because);
        let goal: Vec<_> = run.goal.into_iter().collect();
        let is_useful = run.subject.symmetry(&goal).is_useful();
        is_useful.then_some(Sorting { options, plan })
    }

    /// The run with columns sorted.
    pub(super) fn run<'a>(&'a self, run: &Run<'a>) -> Run<'a> {
        Run {
            options: &self.options,
            plan: &self.plan,
            ..*run
        }
    }
}

impl Run<'_> {
    /// Sorts columns for so many looks; `None` where there is nothing to sort.
    pub(super) fn try_columns(
        &self,
        labels: &[Asked],
        looks: u64,
        started: Instant,
        hooks: &Hooks<'_>,
    ) -> Result<Option<Tried>, Ended> {
        let mut facts = Facts::planned(self.plan, self.options);
        let decided = symmetry::decide(self, &mut facts)?;
        if decided.permuted().is_none() || looks == 0 {
            return Ok(None);
        }
        let Way { ground, .. } = self.columns(&decided)?;
        let has_columns = Neighbours::new(ground.system(), Pairs::Neighbours).is_some_and(|all| {
            let exchanges = all.families().iter().flatten();
            exchanges
                .flat_map(|exchange| &exchange.blocks)
                .any(|block| block.is_of_columns())
        });
        if !has_columns {
            return Ok(None);
        }
        let mut config = symbolic::Config {
            symmetry: Some(Representatives::Dynamic),
            finds_all: true,
            ..self.symbolic_config(labels)
        };
        let most = config.limits.max_memory.unwrap_or(MOST_BYTES);
        config.limits.max_memory = Some(most.min(MOST_BYTES));
        let patience = Patience {
            saturation: looks,
            rest: Some(looks),
        };
        let outcome = self.explore_sets(&*ground, config, Some(patience), started, hooks)?;
        let counted = outcome.statistics;
        let Some(found) = counted.symmetry.filter(|found| found.hidden.is_none()) else {
            return Ok(None);
        };
        Ok(Some(Tried {
            is_done: counted.is_exhausted && outcome.common.open.is_empty(),
            states: found.states.unwrap_or(counted.states),
        }))
    }
}
