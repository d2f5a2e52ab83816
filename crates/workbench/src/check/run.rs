//! A model and what to do with it: its forms, and what engines are told.

use std::sync::Arc;
use std::time::Duration;

use base::{Diagnostic, Sources};
use pins::{FaultKind, LabelId, LabelKind};
use search::explicit::{self, Checkpoint, Checks, Config, Limits, Monitor, Outcome, StoreKind};
use subject::{Form, Ground, OwnFormulas, Parts, QuestionId, Subject};

use super::evidence::Evidence;
use super::labels::Asked;
use super::symmetry::Decided;
use super::{Ended, Hooks, Progress};
use crate::choice::{Order, Store};
use crate::codes;
use crate::plan::{Options, Plan};

/// So many findings that differ in their states only are told: each has a path that is made and judged.
const ALIKE: usize = 100;

/// A model and what to do with it.
pub(super) struct Run<'a> {
    /// The model, the goal included.
    pub(super) subject: &'a dyn Subject,
    /// Its normal form, before anything was asked of it; empty where neither a certificate nor proofs are written.
    pub(super) text: &'a str,
    /// The texts that spans point into.
    pub(super) sources: &'a Sources,
    /// What the user wants.
    pub(super) options: &'a Options,
    /// A predicate to look for.
    pub(super) goal: Option<QuestionId>,
    /// What was decided.
    pub(super) plan: &'a Plan,
}

impl Run<'_> {
    /// The form of the model as a whole.
    pub(super) fn form(&self) -> Form<'_> {
        Form {
            evaluator: self.options.evaluator,
            wd: self.options.setting.wd,
            solver: self.options.solver,
            goal: self.goal,
            ..Form::default()
        }
    }

    /// The model as a whole in a form.
    ///
    /// # Panics
    /// If a subject has no form of its model as a whole, which is a bug.
    pub(super) fn ground(&self, form: &Form<'_>) -> Result<Arc<dyn Ground>, Ended> {
        debug_assert_eq!(form.parts, Parts::Whole);
        let ground = self.subject.ground(form)?;
        Ok(ground.expect("every subject has a form of its model as a whole"))
    }

    pub(super) fn config(&self, labels: &[Asked], decided: &Decided) -> Config {
        let options = self.options;
        let order = match options.search {
            _ if decided.is_ordered() => explicit::Order::Bfs,
            Order::Bfs => explicit::Order::Bfs,
            Order::Dfs => explicit::Order::Dfs,
            Order::Mixed => explicit::Order::Mixed,
        };
        let threads = match order {
            explicit::Order::Bfs if !decided.is_ordered() => options.threads,
            _ => 1,
        };
        Config {
            order,
            store: match options.store {
                // Of a search on disk the store holds initial states only.
                Store::Tree | Store::Disk => StoreKind::Tree,
                Store::Plain => StoreKind::Plain,
                Store::Fingerprint => StoreKind::Fingerprint,
                Store::Bitstate => StoreKind::Bitstate,
            },
            threads,
            checks: self.checks(labels),
            limits: Limits {
                max_states: options.max_states,
                max_setups: options.max_setups,
                max_time: self.own_time(),
                max_memory: options.max_memory,
                max_depth: options
                    .max_depth
                    .map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            },
            keep_paths: true,
            keep_states: options.certificate.is_some(),
            alike: ALIKE,
            checkpoint: options.checkpoint.as_ref().map(|path| Checkpoint {
                path: path.clone(),
                every: Duration::from_secs_f64(options.every),
            }),
            resume: options.resume.clone(),
            fingerprint: self.fingerprint(),
        }
    }

    /// How long the ordinary checks may take: formulas explore the same states again, so that half is theirs, and a
    /// quarter where they are only tried.
    fn own_time(&self) -> Option<Duration> {
        let all = self.options.max_time.map(Duration::from_secs_f64);
        if crate::plan::is_about_formulas(self.options) {
            return all.map(|all| all / 2);
        }
        match self.options.own_formulas {
            OwnFormulas::Tried => all.map(|all| all * 3 / 4),
            OwnFormulas::Left | OwnFormulas::Claimed => all,
        }
    }

    /// Whether a state all of whose steps lead back to it is a deadlock.
    pub(super) fn stuttering(&self) -> bool {
        let usual = self.subject.description().stutters;
        self.options.stuttering.unwrap_or(usual)
    }

    /// What is needed to show what was found on a ground.
    pub(super) fn evidence<'a>(
        &'a self,
        ground: &'a dyn Ground,
        labels: &'a [Asked],
    ) -> Evidence<'a> {
        Evidence {
            subject: self.subject,
            sources: self.sources,
            labels,
            ground,
            wd: self.options.setting.wd,
            stuttering: self.stuttering(),
        }
    }

    /// Which labels are asked where.
    pub(super) fn checks(&self, labels: &[Asked]) -> Checks {
        let options = self.options;
        let mut checks = Checks {
            deadlock: options.deadlock
                && options.only.is_none()
                && !self.subject.description().events.is_empty(),
            stuttering: self.stuttering(),
            stop_after: options.all_findings,
            ..Checks::default()
        };
        for (index, asked) in labels.iter().enumerate() {
            let label = LabelId::new(index);
            let only = options.only.as_ref();
            let is_meant = only.is_none_or(|only| asked.is_named(only));
            match asked.kind {
                LabelKind::Invariant if options.invariant && is_meant => {
                    checks.invariants.push(label);
                }
                LabelKind::Assertion if options.setting.obligations.assertions && is_meant => {
                    match asked.is_static && self.subject.description().has_setup {
                        true => checks.setup_labels.push(label),
                        false => checks.assertions.push(label),
                    }
                }
                LabelKind::Goal => checks.goal = Some(label),
                LabelKind::End => checks.ends.push(label),
                LabelKind::Cover if options.setting.obligations.assertions && is_meant => {
                    checks.covers.push(label);
                }
                _ => {}
            }
        }
        checks
    }

    /// What a checkpoint must agree on: the model with its scopes, what an undefined expression means, and which
    /// states stand for others.
    pub(super) fn fingerprint(&self) -> Vec<u8> {
        let model = self.subject.model_text();
        let (wd, symmetry) = (self.options.setting.wd.word(), self.options.symmetry.word());
        let (por, dependence) = (self.options.por.word(), self.options.dependence.word());
        let version = env!("CARGO_PKG_VERSION");
        format!("burnside {version} {wd} {symmetry} {por} {dependence}\n{model}").into_bytes()
    }

    pub(super) fn refuse(&self, refused: &explicit::Refused) -> Diagnostic {
        let path = self.options.resume.as_ref();
        let message = match path {
            Some(path) => format!("cannot resume from \"{}\": {refused}", path.display()),
            None => refused.to_string(),
        };
        Diagnostic::global(&codes::CHECKPOINT, message)
    }

    /// A construct that cannot be evaluated at all ends the check.
    pub(super) fn unsupported(&self, outcome: &Outcome) -> Result<(), Ended> {
        let mut faults = outcome.findings.iter().filter_map(|f| f.fault.as_ref());
        let code = &codes::NOT_EXECUTABLE;
        match faults.find(|fault| fault.kind == FaultKind::Unsupported) {
            None => Ok(()),
            Some(fault) => Err(match fault.span {
                Some(span) => Diagnostic::error(code, span, &fault.message).into(),
                None => Diagnostic::global(code, &fault.message).into(),
            }),
        }
    }
}

/// The checks of the model as labels of a system that may have several for one.
pub(super) fn in_system(checks: &Checks, ground: &dyn Ground) -> Checks {
    let of = |wanted: &[LabelId]| -> Vec<LabelId> {
        let all = (0..ground.system().shape().labels.len()).map(LabelId::new);
        all.filter(|label| wanted.contains(&ground.label(*label)))
            .collect()
    };
    Checks {
        invariants: of(&checks.invariants),
        assertions: of(&checks.assertions),
        kept: of(&checks.kept),
        setup_labels: of(&checks.setup_labels),
        goal: of(checks.goal.as_slice()).first().copied(),
        covers: of(&checks.covers),
        ends: of(&checks.ends),
        ..checks.clone()
    }
}

/// Gives the labels of findings the numbers that they have in the subject.
pub(super) fn name_labels(ground: &dyn Ground, outcome: &mut Outcome) {
    for found in &mut outcome.findings {
        found.label = found.label.map(|label| ground.label(label));
    }
}

/// Passes on what the search tells.
#[derive(Clone, Copy)]
pub(super) struct Watch<'a>(pub(super) &'a Hooks<'a>);

impl Monitor for Watch<'_> {
    fn progress(&self, progress: &explicit::Progress) {
        (self.0.progress)(&Progress {
            states: progress.states,
            transitions: progress.transitions,
            queue: progress.frontier,
            depth: u64::from(progress.depth),
            memory_bytes: progress.bytes,
            elapsed: progress.elapsed,
        });
    }

    fn should_stop(&self) -> bool {
        self.0.stop.load(std::sync::atomic::Ordering::Relaxed)
    }
}
