//! Checks the formulas of a run one after the other on one graph, which is explored as far as they need it.
//!
//! Invariant: a formula that needs more than its share of the time has another turn after the others.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reduce::symmetry::Annotated;
use search::explicit::{Limits, Open, StoreKind};
use search::liveness::{self, Annotations, Config, Fairness, Method, Property, Space, Whole};
use subject::Ground;

use super::atoms::Atoms;
use super::conclude::{Judging, Told};
use super::followed::Followed;
use super::given::Standing;
use super::lower::Lowered;
use super::watch::{Seen, Watch, locked};
use super::{Formulas, Prepared, Searched, Smaller, fair, tried, vacuity};
use crate::check::facts::Facts;
use crate::check::run::{self, Run};
use crate::check::{Ended, Hooks};
use crate::choice::{Order, Por, Store};
use crate::plan::Options;
use crate::report::{Checked, FormulaReport, Verdict};

/// Said of a formula that holds although a step faulted where it was not yet decided.
const PAST_FAULTS: &str = "a step of the model has a fault: this is about the paths without it, and what follows it is not known";

/// What was watched while states were looked at.
struct Looked<'a> {
    premises: &'a [vacuity::Premise],
    seen: &'a Mutex<Seen>,
}

impl Formulas {
    /// Checks the formulas one after the other on one graph. `None` when a formula is false and its path has to be looked for in
    /// the unreduced model.
    pub(super) fn search(
        &self,
        run: &Run<'_>,
        (ground, fewer, states): Searched<'_>,
        start: Instant,
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Option<Facts>, Ended> {
        let system = fewer.unwrap_or(ground.system());
        let premises = vacuity::premises(&self.formulas);
        let watched: Vec<buchi::Ltl> = premises.iter().map(|p| p.formula.clone()).collect();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let asking = run.subject.asking(ground, &self.atoms.questions);
        let mut atoms = self.atoms.clone();
        let premise = fair::premise(
            run.options.fair,
            ground,
            &mut atoms,
            states.are_representatives(),
        )?;
        let watch = Watch::new(&atoms.atoms, (asking, ground), &watched, seen.clone());
        let mut config = self.config(run.options, start);
        let smaller = states.quotient();
        config.labels |= smaller.is_some() && self.follow_steps(run.options);
        self.tell_order(run.options, &mut facts);
        facts.checked.push(Checked::Formulas(self.formulas.len()));
        let monitor = run::Watch(hooks);
        let judging = Judging {
            run,
            atoms: &atoms,
            premise: premise.as_ref(),
            unreduced: self.unreduced(run, ground, states)?,
            unwinds: states.are_unwound(),
            smaller,
            evidence: run.evidence(ground, &[]),
        };
        let looked = Looked {
            premises: &premises,
            seen: &seen,
        };
        let work = |space: &mut Space<'_>| {
            let told = self.answers(space, (&judging, states), &looked, &mut facts)?;
            // What follows a fault may be known in some permutations of a state only.
            let is_blind = matches!(states, Smaller::Partitions) && space.passed_fault().is_some();
            if told == Told::Elsewhere || is_blind {
                return Ok(None);
            }
            judging.passed_fault(space, &mut facts)?;
            facts.warnings.extend(run.noticed(&space.notes()));
            if Formulas::are_alone(run.options) {
                tell_statistics(&space.statistics(), &mut facts);
                facts.vector_bytes = 4 * system.shape().slots.len() as u64;
            }
            Ok(Some(facts))
        };
        let whole = fewer.map(|_| ground.system());
        let whole = whole.filter(|_| self.atoms.need_all_steps(states.are_representatives()));
        let annotated = smaller.filter(|_| config.labels).and_then(Annotated::new);
        let followed = annotated.map(|annotated| Followed { annotated, ground });
        let whole = Whole {
            system: whole,
            annotated: followed.as_ref().map(|known| known as &dyn Annotations),
        };
        liveness::explore_part(system, whole, Box::new(watch), &config, &monitor, work)
            .map_err(|refused| run.refuse(&refused))?
    }

    /// Atoms and premise of the unreduced model, where cycles of it are made of representatives.
    fn unreduced(
        &self,
        run: &Run<'_>,
        ground: &dyn Ground,
        states: Smaller<'_>,
    ) -> Result<Option<(Atoms, Option<Fairness>)>, Ended> {
        if states.quotient().is_none() {
            return Ok(None);
        }
        let mut atoms = self.atoms.clone();
        let premise = fair::premise(run.options.fair, ground, &mut atoms, false)?;
        Ok(Some((atoms, premise)))
    }

    /// The answer of every formula.
    fn answers(
        &self,
        space: &mut Space<'_>,
        (judging, states): (&Judging<'_>, Smaller<'_>),
        looked: &Looked<'_>,
        facts: &mut Facts,
    ) -> Result<Told, Ended> {
        let mut turns: VecDeque<(usize, bool)> = (0..self.formulas.len())
            .map(|index| (index, false))
            .collect();
        let mut answers: Vec<Option<FormulaReport>> = vec![None; self.formulas.len()];
        while let Some((index, is_again)) = turns.pop_front() {
            let prepared = &self.formulas[index];
            let mut told = prepared.told();
            let lowered = match &prepared.lowered {
                Ok(lowered) => lowered,
                Err(why) => {
                    prepared.unread(why, &mut told, facts);
                    answers[index] = Some(told);
                    continue;
                }
            };
            space.expect(turns.len() + 1);
            let outcome = check(space, lowered, judging.premise);
            if !is_again && !turns.is_empty() && is_out_of_time(&outcome.verdict) {
                turns.push_back((index, true));
                continue;
            }
            let effort = outcome.effort;
            told.safety = effort.is_safety;
            if effort.automaton_states > 0 {
                told.automaton_states = Some(effort.automaton_states);
                told.product_states = Some(effort.product_states);
            }
            let undecided = (prepared.standing == Standing::Tried)
                .then(|| tried::undecided(&outcome.verdict, judging.run.options));
            if let Some(why) = undecided.flatten() {
                tried::leave(why, &mut told, facts);
                answers[index] = Some(told);
                continue;
            }
            let holds = matches!(outcome.verdict, liveness::Verdict::Holds(_));
            if matches!(states, Smaller::Partitions) && !holds {
                return Ok(Told::Elsewhere);
            }
            let answer = (outcome.verdict, &space.notes());
            if judging.conclude(lowered, answer, &mut told, facts)? == Told::Elsewhere {
                return Ok(Told::Elsewhere);
            }
            if told.verdict == Verdict::Holds {
                if effort.faults > 0 {
                    told.warnings.push(PAST_FAULTS.to_owned());
                }
                self.reserve((index, lowered), space, judging, looked, &mut told);
            }
            answers[index] = Some(told);
        }
        facts.formulas.extend(answers.into_iter().flatten());
        Ok(Told::Here)
    }

    /// Says of a formula that holds where it may hold for a reason that nobody meant.
    fn reserve(
        &self,
        (index, lowered): (usize, &Lowered),
        space: &mut Space<'_>,
        judging: &Judging<'_>,
        looked: &Looked<'_>,
        told: &mut FormulaReport,
    ) {
        // What was never seen proves something only when everything was.
        let counted = space.statistics();
        let is_whole = counted.expanded == counted.states
            && matches!(judging.run.options.por, Por::Auto | Por::Off);
        if !is_whole {
            return;
        }
        let seen = locked(looked.seen).clone();
        let never = vacuity::never_true(index, looked.premises, &seen);
        told.warnings.extend(never);
        for doubtful in vacuity::doubtful(lowered, &self.atoms, &seen) {
            // A premise that is never true was told already.
            let mut known = told.warnings.iter();
            if known.any(|known| known.contains(&doubtful.atom)) {
                continue;
            }
            let outcome = check(space, &doubtful.changed, judging.premise);
            if let liveness::Verdict::Holds(_) = outcome.verdict {
                told.warnings.push(doubtful.warning);
            }
        }
    }

    /// Says which options are not about the search for formulas.
    fn tell_order(&self, options: &Options, facts: &mut Facts) {
        let is_ordered = options.search == Order::Mixed;
        if options.threads > 1 || is_ordered {
            facts.warnings.push(
                "temporal formulas are checked with one thread, in an order of their own"
                    .to_owned(),
            );
        }
    }

    pub(super) fn config(&self, options: &Options, start: Instant) -> Config {
        let left = options
            .max_time
            .map(|seconds| Duration::from_secs_f64(seconds).saturating_sub(start.elapsed()));
        Config {
            limits: Limits {
                max_states: options.max_states,
                max_setups: options.max_setups,
                max_time: left,
                max_memory: options.max_memory,
                max_depth: None,
            },
            store: match options.store {
                Store::Plain => StoreKind::Plain,
                _ => StoreKind::Tree,
            },
            labels: self.formulas.iter().any(Prepared::needs_labels),
            method: match options.search {
                Order::Dfs => Method::Nested,
                Order::Bfs | Order::Mixed => Method::Components,
            },
        }
    }
}

fn is_out_of_time(verdict: &liveness::Verdict) -> bool {
    matches!(verdict, liveness::Verdict::Open(why) if why.contains(&Open::MaxTime))
}

fn check(
    space: &mut Space<'_>,
    lowered: &Lowered,
    premise: Option<&Fairness>,
) -> liveness::Outcome {
    match lowered {
        Lowered::Ltl(linear) => space.check(&Property {
            formula: &linear.formula,
            fairness: &fair::with(premise, &linear.fairness),
        }),
        Lowered::Ctl(branching) => space.check_branching(branching),
        Lowered::Automaton(barred) => space.check_automaton(&liveness::Forbidden {
            automaton: &barred.automaton,
            fairness: &fair::with(premise, &[]),
        }),
    }
}

/// Tells what the search explored.
fn tell_statistics(counted: &liveness::Statistics, facts: &mut Facts) {
    let statistics = &mut facts.statistics;
    statistics.states = counted.states.into();
    statistics.setups = counted.setups;
    statistics.nodes = (counted.states + counted.setups + 1).into();
    statistics.transitions = Some(counted.transitions.into());
    statistics.store_bytes = counted.bytes;
}
