//! The ways to search a model, one after the other: a machine whose states are attempts.
//!
//! The first attempt is what the plan says. A search of states one by one pauses at milestones, and there it is decided
//! whether another way is better: diagrams (`trials.rs`), or leaving out steps (`por/auto.rs`). If one is, the search is
//! dropped as it stands and the next attempt begins; if none is, it goes on where it was.
//! Invariant: milestones are numbers of states, so what is attempted depends on counts and never on the clock.
//! Invariant: an attempt that is dropped leaves no trace but the time it took.

mod milestones;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use base::Diagnostic;
use pins::System;
use reduce::por::Reduction;
use reduce::symmetry::{Ends, Method, Quotient, Static};
use search::distributed::Part;
use search::explicit::{self, Advance, Config, Outcome, Search};
use subject::{Form, Ground};

use self::milestones::Milestones;
use super::facts::Facts;
use super::labels::{self, Asked};
use super::por::{self, Analysed, Decision};
use super::run::{Run, Watch, in_system, name_labels};
use super::sorting::Sorting;
use super::symmetry::{self, Action, Decided};
use super::together::Orbits;
use super::trials::{At, Better, Searching, Trials, Tried};
use super::{Ended, Hooks, counting};
use crate::choice::{Evaluator, Por, Store, Symmetry};
use crate::codes;
use crate::plan::Options;
use crate::report::grouped;

/// A way to search the model.
pub(super) enum Attempt {
    /// All states, one by one.
    All(Arc<dyn Ground>),
    /// One by one, leaving out steps; why, where nobody asked for it.
    Fewer(Box<Analysed>, Option<String>),
    /// Sets of states, which a trial found already.
    Sets(Box<Tried>),
    /// Sets of representatives.
    Columns(Box<Sorting>),
}

/// What an attempt came to.
enum Came {
    /// To its end.
    To(Box<Facts>),
    /// To a milestone from which another way is better.
    Better(Attempt),
}

/// How a search of states one by one ended.
enum Course {
    Over(Box<Outcome>, Vec<Part>),
    Better(Attempt),
}

/// What all attempts of a search have in common.
struct Scene<'a> {
    labels: &'a [Asked],
    /// What is done about symmetry.
    symmetry: &'a Decided,
    /// Whether a reduction of steps is thought of on the way.
    is_por_open: bool,
    begun: Instant,
    hooks: &'a Hooks<'a>,
}

/// What is explored how.
struct Exploring<'a> {
    /// What engines are told.
    config: &'a Config,
    /// What is done about symmetry.
    symmetry: &'a Decided,
    /// Which steps are left out.
    reduction: Option<&'a Reduction<'a>>,
    /// Who watches.
    watch: Watch<'a>,
    /// Where many processes tell each other how many states theirs stand for.
    orbits: Option<&'a Orbits<'a>>,
}

impl Run<'_> {
    /// Searches the model.
    pub(super) fn explore(&self, hooks: &Hooks<'_>) -> Result<Facts, Ended> {
        let labels = labels::all(self.subject, self.goal);
        let mut facts = Facts::planned(self.plan, self.options);
        let is_reference = self.options.evaluator == Evaluator::Reference;
        if self.options.symmetry == Symmetry::Counters {
            return self.search_counters(&labels, hooks, facts);
        }
        if self.plan.is_symbolic() && !is_reference {
            return self.search_sets(&labels, hooks, facts);
        }
        if is_reference {
            let ground = self.ground(&self.form())?;
            if self.plan.is_symbolic() {
                let outcome = self.explore_sets(
                    &*ground,
                    self.symbolic_config(&labels),
                    None,
                    Instant::now(),
                    hooks,
                )?;
                return self.conclude_sets(&outcome, (&*ground, &labels), facts);
            }
            return self.search_plain(ground, &labels, hooks, &facts);
        }
        if self.options.symmetry == Symmetry::Adaptive
            && let Some(found) = self.search_adaptive(&labels, hooks, facts.clone())?
        {
            return Ok(found);
        }
        let mut symmetry = symmetry::decide(self, &mut facts)?;
        let por = por::decide(self.options);
        let form = Form {
            guards: por.is_some(),
            packed: por.is_none() && symmetry.may_pack(),
            symmetry: symmetry.permuted(),
            statics: symmetry.statics(),
            ..self.form()
        };
        let ground = self.ground(&form)?;
        symmetry::confirm(&mut symmetry, ground.system(), &mut facts);
        let is_por_open = self.plan.por.choice == Por::Auto && !symmetry.is_ordered();
        if self.plan.por.choice == Por::Auto && !is_por_open {
            let why = "imprecise markers visit states in an order of their own";
            facts.por.because = Some(why.to_owned());
        }
        if matches!(symmetry.action, Action::Trial) {
            symmetry.action = self.try_symmetry(&*ground, &labels, &symmetry, hooks, &mut facts);
        }
        let scene = Scene {
            labels: &labels,
            symmetry: &symmetry,
            is_por_open,
            begun: Instant::now(),
            hooks,
        };
        let first = match por {
            Some(por) => {
                let analysed = self.analyse(ground, &labels, &symmetry, por, hooks)?;
                Attempt::Fewer(Box::new(analysed), None)
            }
            None => Attempt::All(ground),
        };
        self.attempt_all(&scene, first, &facts)
    }

    /// All states one by one, without any reduction.
    pub(super) fn search_plain(
        &self,
        ground: Arc<dyn Ground>,
        labels: &[Asked],
        hooks: &Hooks<'_>,
        facts: &Facts,
    ) -> Result<Facts, Ended> {
        let scene = Scene {
            labels,
            symmetry: &Decided::off(),
            is_por_open: false,
            begun: Instant::now(),
            hooks,
        };
        self.attempt_all(&scene, Attempt::All(ground), facts)
    }

    /// One attempt after the other until one comes to its end; `facts` is what is known before.
    fn attempt_all(
        &self,
        scene: &Scene<'_>,
        first: Attempt,
        facts: &Facts,
    ) -> Result<Facts, Ended> {
        let mut attempt = first;
        loop {
            match self.attempt(scene, attempt, facts.clone())? {
                Came::To(facts) => return Ok(*facts),
                Came::Better(next) => attempt = next,
            }
        }
    }

    fn attempt(
        &self,
        scene: &Scene<'_>,
        attempt: Attempt,
        mut facts: Facts,
    ) -> Result<Came, Ended> {
        match attempt {
            Attempt::All(ground) => self.one_by_one(scene, &*ground, None, facts),
            Attempt::Fewer(analysed, None) => {
                self.one_by_one(scene, &*analysed.ground, Some(&analysed.prepared), facts)
            }
            Attempt::Fewer(analysed, Some(because)) => {
                facts.por.method = Por::Stubborn;
                facts.por.because = Some(because);
                let options = self.options_after(scene.begun);
                let rest = Run {
                    options: &options,
                    ..*self
                };
                rest.one_by_one(scene, &*analysed.ground, Some(&analysed.prepared), facts)
            }
            Attempt::Columns(sorting) => {
                let facts = self.sorted(scene, &sorting)?;
                Ok(Came::To(Box::new(facts)))
            }
            Attempt::Sets(tried) => {
                let options = Options {
                    count_transitions: true,
                    ..self.options_after(scene.begun)
                };
                let Tried {
                    trial,
                    ground,
                    outcome,
                } = *tried;
                let plan = self.plan.on_sets(&options, trial);
                let rest = Run {
                    options: &options,
                    plan: &plan,
                    ..*self
                };
                let mut facts = Facts::planned(&plan, &options);
                rest.tell_parts(trial.parts, ground.split(), &mut facts.choices);
                let facts = rest.conclude_sets(&outcome, (&*ground, scene.labels), facts)?;
                Ok(Came::To(Box::new(facts)))
            }
        }
    }

    /// Explores sets of representatives, which were found to come to an end.
    fn sorted(&self, scene: &Scene<'_>, sorting: &Sorting) -> Result<Facts, Ended> {
        let sorted = sorting.run(self);
        let facts = Facts::planned(sorted.plan, sorted.options);
        sorted.search_columns(scene.labels, scene.begun, scene.hooks, facts)
    }

    /// The options, with what is left of the time.
    fn options_after(&self, begun: Instant) -> Options {
        let spent = begun.elapsed().as_secs_f64();
        Options {
            max_time: self.options.max_time.map(|most| (most - spent).max(0.1)),
            ..self.options.clone()
        }
    }

    /// What is done with interchangeable elements, by a trial; many processes cannot try it out.
    fn try_symmetry(
        &self,
        ground: &dyn Ground,
        labels: &[Asked],
        symmetry: &Decided,
        hooks: &Hooks<'_>,
        facts: &mut Facts,
    ) -> Action {
        let told = &mut facts.symmetry;
        let pays = match self.plan.is_distributed() {
            true => {
                told.method = Symmetry::Exact;
                true
            }
            false => {
                let config = self.config(labels, symmetry);
                symmetry::trial(ground.system(), &config, &Watch(hooks), told)
            }
        };
        match pays {
            true => Action::Quotient(Method::Exact),
            false => Action::Off,
        }
    }

    /// Explores states one by one, of each all steps or those that a reduction chooses.
    fn one_by_one(
        &self,
        scene: &Scene<'_>,
        ground: &dyn Ground,
        por: Option<&por::Prepared>,
        mut facts: Facts,
    ) -> Result<Came, Ended> {
        let (labels, symmetry) = (scene.labels, scene.symmetry);
        let mut config = self.config(labels, symmetry);
        config.checks = in_system(&config.checks, ground);
        let shape = ground.system().shape();
        let reduction = por.map(|por| por.reduction(shape));
        let induced = self.induce((ground, labels), &mut config, &mut facts)?;
        let exploring = Exploring {
            config: &config,
            symmetry,
            reduction: reduction.as_ref(),
            watch: Watch(scene.hooks),
            orbits: None,
        };
        let mut milestones = Milestones::new(self, scene, ground.system(), por.is_some());
        let course = self.reduced(ground.system(), &exploring, &mut milestones, &mut facts)?;
        let (mut outcome, workers) = match course {
            Course::Over(outcome, workers) => (outcome, workers),
            Course::Better(attempt) => return Ok(Came::Better(attempt)),
        };
        facts.statistics = counting::statistics(&outcome);
        facts.vector_bytes = 4 * shape.slots.len() as u64;
        facts.workers = workers;
        if let (Some(por), Some(reduction)) = (por, &reduction) {
            por.tell((ground, labels), reduction, &outcome, &mut facts.por);
        }
        milestones.tell(&mut facts);
        name_labels(ground, &mut outcome);
        if let Some(induced) = &induced {
            induced.complete(&mut outcome);
        }
        self.conclude(&outcome, None, (ground, labels, symmetry), &mut facts)?;
        if let Some(induced) = induced {
            induced.tell(&mut facts);
        }
        self.certify(&outcome, (ground, &self.checks(labels)), &mut facts);
        Ok(Came::To(Box::new(facts)))
    }

    /// Explores the system, or the smaller one that stands for it.
    fn reduced(
        &self,
        system: &dyn System,
        exploring: &Exploring<'_>,
        milestones: &mut Milestones<'_>,
        facts: &mut Facts,
    ) -> Result<Course, Ended> {
        if self.plan.is_distributed() && exploring.symmetry.is_ordered() {
            let why = "the distributed engine has no imprecise symmetry markers: they need an order of visits";
            return Err(Diagnostic::global(&codes::MISFIT_OPTION, why).into());
        }
        match &exploring.symmetry.action {
            // Columns are sorted in diagrams, and counters have a search of their own.
            Action::Off | Action::Trial | Action::Columns(_) | Action::Counters => {
                self.drive(system, exploring, milestones)
            }
            Action::Static(statics) => {
                milestones.sets = None;
                let mut course = match Static::new(system, &statics.rules) {
                    Some(fewer) => self.drive(&fewer, exploring, milestones)?,
                    None => self.drive(system, exploring, milestones)?,
                };
                if let Course::Over(outcome, _) = &mut course
                    && statics.has_no_setup
                    && outcome.statistics.setups == 1
                {
                    outcome.statistics.setups = 0;
                    outcome.statistics.start_edges -= 1;
                }
                Ok(course)
            }
            Action::Quotient(method) => {
                // What is left out of a state's steps is found by following them.
                let ends = match exploring.reduction {
                    Some(_) => Ends::Held,
                    None => Ends::Shared,
                };
                let Some(quotient) = Quotient::with_ends(system, method.clone(), ends) else {
                    if ends == Ends::Held {
                        facts.symmetry.held();
                    }
                    return self.drive(system, exploring, milestones);
                };
                if self.plan.symmetry.choice != Symmetry::Auto {
                    // It was asked for, and diagrams do without.
                    milestones.sets = None;
                }
                let here = || quotient.measure().states;
                let orbits = Orbits {
                    here: &here,
                    everywhere: Cell::new(None),
                };
                let exploring = &Exploring {
                    orbits: Some(&orbits),
                    ..*exploring
                };
                let mut course = self.drive(&quotient, exploring, milestones)?;
                if let Course::Over(outcome, _) = &mut course {
                    symmetry::unfold_paths(&quotient, outcome).map_err(Ended::Bug)?;
                    let mut measure = quotient.measure();
                    if self.plan.is_distributed() {
                        // Its own states are those of this process, and of a run that was resumed some are not known.
                        let is_whole = self.options.resume.is_none();
                        measure.states = orbits.everywhere.get().filter(|_| is_whole);
                        measure.setups = measure.setups.filter(|_| is_whole);
                    }
                    facts.symmetry.measured(&measure, outcome);
                    facts.warnings.extend(symmetry::opaque(&measure));
                }
                Ok(course)
            }
        }
    }

    /// Carries a search on from milestone to milestone.
    fn drive(
        &self,
        system: &dyn System,
        exploring: &Exploring<'_>,
        milestones: &mut Milestones<'_>,
    ) -> Result<Course, Ended> {
        let course = match self.plan.is_distributed() {
            true => {
                let (outcome, shares) = self.explore_together(
                    system,
                    exploring.config,
                    exploring.reduction,
                    &exploring.watch,
                    exploring.orbits,
                )?;
                Course::Over(Box::new(outcome), shares)
            }
            false if self.options.store == Store::Disk => {
                let folder = self.options.disk.clone();
                let folder = folder.unwrap_or_else(std::env::temp_dir);
                let (config, watch) = (exploring.config, &exploring.watch);
                let outcome = explicit::explore_on_disk(system, config, &folder, watch)
                    .map_err(|refused| self.refuse(&refused))?;
                Course::Over(Box::new(outcome), Vec::new())
            }
            false => {
                let (config, watch) = (exploring.config, &exploring.watch);
                let drive = |mut search: Search<'_>| loop {
                    let advance = search.advance(milestones.next());
                    match advance.map_err(|refused| self.refuse(&refused))? {
                        Advance::Over => {
                            return Ok(Course::Over(Box::new(search.finish()), Vec::new()));
                        }
                        Advance::Paused => {
                            let at = At {
                                standing: search.standing(),
                                stands_for: exploring.orbits.and_then(|orbits| (orbits.here)()),
                            };
                            if let Some(better) = milestones.think(&at)? {
                                return Ok::<_, Ended>(Course::Better(better));
                            }
                        }
                    }
                };
                explicit::search(system, config, exploring.reduction, watch, drive)
                    .map_err(|refused| self.refuse(&refused))??
            }
        };
        if let Course::Over(outcome, _) = &course {
            self.unsupported(outcome)?;
        }
        Ok(course)
    }
}
