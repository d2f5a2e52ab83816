//! What one search tells, as a value: a search that is given up for a better one leaves nothing behind in the report.
//!
//! Invariant: a finding is among the facts only after it was replayed on the reference evaluator.

use std::sync::Arc;

use base::Span;
use pins::{FaultKind, Notes};
use search::distributed::Part;
use search::explicit::{self, FindingKind as Kind, Open, Outcome};
use search::symbolic;
use subject::Ground;

use super::evidence::Evidence;
use super::labels::Asked;
use super::run::Run;
use super::symmetry::Decided;
use super::{Ended, counting, hints};
use crate::choice::{Fair, Order, Por, Symmetry, Topic};
use crate::plan::{Options, Plan};
use crate::report::{
    Checked, Choice, Finding, FindingKind, FormulaReport, Goal, Induction, OperationCount,
    PorReduction, Report, Statistics, SymmetryReduction, VariableCount, counted,
};

/// The part of the report that one search decides.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// What was found.
    pub(super) findings: Vec<Finding>,
    /// What became of the goal.
    pub(super) goal: Option<Goal>,
    /// What became of each temporal formula.
    pub(super) formulas: Vec<FormulaReport>,
    /// Why nothing found does not mean that nothing is there, besides what the plan says.
    pub(super) open_because: Vec<String>,
    /// What was checked besides what the model and the options say.
    pub(super) checked: Vec<Checked>,
    /// What was not looked at.
    pub(super) not_checked: Vec<String>,
    /// What a reader should know.
    pub(super) warnings: Vec<String>,
    /// What was done about interchangeable elements.
    pub(super) symmetry: SymmetryReduction,
    /// What was done about the order of independent steps.
    pub(super) por: PorReduction,
    /// Which conjuncts are proved by induction.
    pub(super) induction: Option<Induction>,
    /// What was chosen for every other option.
    pub(super) choices: Vec<Choice>,
    /// How much there was.
    pub(super) statistics: Statistics,
    /// How often each operation happened.
    pub(super) operations: Vec<OperationCount>,
    /// Operations that never happened.
    pub(super) uncovered: Vec<String>,
    /// How many values each variable took.
    pub(super) variables: Vec<VariableCount>,
    /// The certificate that is to be written once everything else held.
    pub(super) proof: Option<Arc<[u8]>>,
    /// Beyond which bounds it claims nothing.
    pub(super) bounds: Vec<String>,
    /// The certificate that was written.
    pub(super) certificate: Option<String>,
    /// The formulas that it proves.
    pub(super) certified: Vec<String>,
    /// What each worker of a distributed run did.
    pub(super) workers: Vec<Part>,
    /// The bytes of a state before it is stored.
    pub(super) vector_bytes: u64,
    /// What to look at.
    pub(super) hints: Vec<String>,
}

impl Facts {
    /// Whether something is open but for what a certificate claims nothing of.
    pub(super) fn is_open(&self) -> bool {
        let mut open = self.open_because.iter();
        open.any(|why| !self.bounds.contains(why))
    }

    /// What is known before a search: what was decided.
    pub(super) fn planned(plan: &Plan, options: &Options) -> Facts {
        let choice = |option, chosen: String, because| Choice {
            option,
            chosen,
            because,
        };
        let mut choices = Vec::new();
        for decision in plan.decisions() {
            let chosen = decision.chosen.to_owned();
            choices.push(choice(decision.option, chosen, decision.because));
        }
        choices.push(choice(Topic::Threads, options.threads.to_string(), None));
        if options.fair != Fair::None {
            choices.push(choice(Topic::Fair, options.fair.word().to_owned(), None));
        }
        Facts {
            findings: Vec::new(),
            goal: options.goal.as_ref().map(|predicate| Goal {
                predicate: predicate.clone(),
                reached: None,
                path: Vec::new(),
            }),
            formulas: Vec::new(),
            open_because: Vec::new(),
            checked: Vec::new(),
            not_checked: Vec::new(),
            warnings: Vec::new(),
            symmetry: SymmetryReduction {
                method: match plan.symmetry.choice {
                    // A trial decides.
                    Symmetry::Auto => Symmetry::Off,
                    method => method,
                },
                because: plan.symmetry.because.map(str::to_owned),
                ..SymmetryReduction::default()
            },
            por: PorReduction {
                method: match plan.por.choice {
                    Por::Auto => Por::Off,
                    method => method,
                },
                because: plan.por.because.map(str::to_owned),
                ..PorReduction::default()
            },
            induction: None,
            choices,
            statistics: Statistics::default(),
            operations: Vec::new(),
            uncovered: Vec::new(),
            variables: Vec::new(),
            proof: None,
            bounds: Vec::new(),
            certificate: None,
            certified: Vec::new(),
            workers: Vec::new(),
            vector_bytes: 0,
            hints: Vec::new(),
        }
    }
}

impl Report {
    /// Takes over what a search tells.
    pub(super) fn take(&mut self, facts: Facts) {
        self.findings.extend(facts.findings);
        self.goal = facts.goal;
        self.formulas.extend(facts.formulas);
        self.open_because.extend(facts.open_because);
        self.checked.extend(facts.checked);
        self.not_checked.extend(facts.not_checked);
        self.warnings.extend(facts.warnings);
        self.reductions.symmetry = facts.symmetry;
        self.reductions.por = facts.por;
        self.reductions.induction = facts.induction;
        self.choices = facts.choices;
        self.statistics = facts.statistics;
        self.operations = facts.operations;
        self.uncovered = facts.uncovered;
        self.variables = facts.variables;
        self.certificate = facts.certificate;
        self.certified = facts.certified;
        self.workers = facts.workers;
        self.vector_bytes = facts.vector_bytes;
        self.hints = facts.hints;
    }
}

impl Run<'_> {
    /// Adds what a search found; the counts of the search itself are known.
    pub(super) fn conclude(
        &self,
        outcome: &Outcome,
        symbolic: Option<&symbolic::Statistics>,
        (ground, labels, decided): (&dyn Ground, &[Asked], &Decided),
        facts: &mut Facts,
    ) -> Result<(), Ended> {
        facts.operations = counting::operations(self, outcome, ground);
        // An operation that was always left out may happen all the same.
        if facts.por.method == Por::Off {
            facts.uncovered = counting::never(&facts.operations);
        }
        facts.variables = counting::variables(self, outcome, ground);
        if let Some(counted) = symbolic {
            counting::on_sets(counted, outcome, &mut facts.statistics);
            counting::operations_on_sets(counted, ground, &mut facts.operations);
            facts.uncovered = counting::never(&facts.operations);
        }
        self.reserve(outcome, facts);
        let uncovered = self.unmet(outcome, ground, facts);
        facts.findings.extend(uncovered);
        let layers = ground.solvers();
        let mut choices = facts.choices.iter_mut();
        if let Some(choice) = choices.find(|choice| choice.option == Topic::Solver)
            && !layers.is_empty()
        {
            choice.chosen = layers.join(", ");
        }
        if decided.is_ordered() && (self.options.threads > 1 || self.options.search != Order::Bfs) {
            facts.warnings.push(
                "imprecise symmetry markers are explored breadth-first with one thread".to_owned(),
            );
        }
        let evidence = self.evidence(ground, labels);
        self.findings(outcome, &evidence, facts)?;
        // What goes wrong happens, but leads to no state; only the first of such findings are kept.
        let goes_wrong = outcome.findings.iter().any(|one| one.fault.is_some());
        facts.hints = hints::hints(
            (
                facts.statistics.states.saturating(),
                self.subject.words().event,
            ),
            &facts.operations,
            &facts.variables,
            outcome.is_complete && !goes_wrong,
        );
        Ok(())
    }

    /// Conditions that were to be met and, in a complete search, were not.
    fn unmet(&self, outcome: &Outcome, ground: &dyn Ground, facts: &Facts) -> Vec<Finding> {
        let is_certain = self.plan.open_because.is_empty() && facts.open_because.is_empty();
        let is_told = is_certain && outcome.findings.is_empty();
        if !self.options.setting.obligations.assertions || !outcome.is_complete || !is_told {
            return Vec::new();
        }
        let covers = ground.covers().into_iter();
        let is_meant = |name: &str| self.options.only.as_ref().is_none_or(|only| only == name);
        covers
            .filter(|(number, name)| is_meant(name) && !outcome.notes.covered.contains(number))
            .map(|(_, name)| {
                let message = format!("cover \"{name}\" is met in no state");
                Finding::without_path(FindingKind::Cover, name, message)
            })
            .collect()
    }

    /// What a reader must know to read the verdict.
    fn reserve(&self, outcome: &Outcome, facts: &mut Facts) {
        facts.warnings.extend(outcome.warnings.iter().cloned());
        if self.options.threads > 1 && self.options.search != Order::Bfs {
            let search = self.options.search.word();
            facts
                .warnings
                .push(format!("--search {search} explores with one thread"));
        }
        facts.warnings.extend(self.noticed(&outcome.notes));
        for open in &outcome.open {
            match open {
                // Told by the plan, with the reason.
                Open::LossyStore => {}
                Open::Cut => {
                    let cuts = outcome.notes.cuts.iter();
                    facts.open_because.extend(cuts.map(|cut| self.cut(cut)));
                }
                open => facts.open_because.push(self.reason(open, &outcome.notes)),
            }
        }
        if !outcome.is_complete && outcome.findings.is_empty() && facts.open_because.is_empty() {
            facts
                .open_because
                .push("not every state was explored".to_owned());
        }
    }

    /// What was noticed on the way, as warnings.
    pub(super) fn noticed(&self, notes: &Notes) -> Vec<String> {
        let mut warnings = Vec::new();
        let at = |span: Option<Span>| {
            let place = span.map(|span| self.sources.place(span));
            place.map(|place| format!("{place}: ")).unwrap_or_default()
        };
        if let Some(first) = &notes.first_undefined {
            warnings.push(format!(
                "{}{} (counted as false; {} in all)",
                at(first.span),
                first.message,
                counted(notes.undefined_guards, "undefined guard")
            ));
        }
        if let Some(first) = &notes.first_dropped {
            warnings.push(format!(
                "{}{} (no transition; {} in all)",
                at(first.span),
                first.message,
                counted(notes.dropped_faults, "fault")
            ));
        }
        for (span, text) in &notes.cuts {
            warnings.push(format!("{}{text}", at(*span)));
        }
        if let Some(unsolved) = &notes.unsolved {
            for span in &unsolved.left {
                let place = self.sources.place(*span);
                warnings.push(format!(
                    "{place}: no values were found for this conjunct in time"
                ));
            }
            if let Some(best) = crate::solve::best(unsolved) {
                warnings.push(best);
            }
        }
        warnings
    }

    /// What was cut, and where.
    pub(super) fn cut(&self, (span, text): &(Option<Span>, String)) -> String {
        let place = span.map(|span| format!(" at {}", self.sources.place(span)));
        format!("{text}{}", place.unwrap_or_default())
    }

    pub(super) fn reason(&self, open: &Open, notes: &Notes) -> String {
        match open {
            Open::MaxStates => "the limit on states was reached".to_owned(),
            Open::MaxSetups => "the limit on set-ups was reached".to_owned(),
            Open::MaxTime => "the limit on time was reached".to_owned(),
            Open::MaxMemory => "the limit on memory was reached".to_owned(),
            Open::MaxDepth => "the limit on depth was reached".to_owned(),
            Open::Interrupted => "the run was interrupted".to_owned(),
            Open::LossyStore => "the store may take two states for one".to_owned(),
            Open::Cut => "an enumeration was cut".to_owned(),
            Open::Lost(why) => why.clone(),
            Open::Disk(why) => format!("states could not be kept on disk: {why}"),
            Open::Dropped => format!(
                "{} gave no transition (--wd lenient)",
                counted(notes.dropped_faults, "undefined branch")
            ),
            Open::Budget(count, fault) => {
                let place = fault.span.map(|span| self.sources.place(span));
                let place = place.map(|place| format!(" at {place}"));
                if fault.kind == FaultKind::Cut {
                    let place = place.unwrap_or_default();
                    return format!("the formula is unknown: {}{place}", fault.message);
                }
                format!(
                    "{} could not be evaluated: {}{}",
                    counted(*count, "formula"),
                    fault.message,
                    place.unwrap_or_default()
                )
            }
        }
    }

    /// Replays what was found and puts it into the facts.
    fn findings(
        &self,
        outcome: &Outcome,
        evidence: &Evidence<'_>,
        facts: &mut Facts,
    ) -> Result<(), Ended> {
        let is_error = self.options.goal_is_error;
        let is_in_parts = evidence.ground.split() > 0;
        for found in &outcome.findings {
            if is_hidden(found, &outcome.findings) {
                continue;
            }
            let shown = match evidence.finding(found) {
                // A part of a conjunct is false where another part has no value: neither has the conjunct.
                Err(_) if is_in_parts && found.label.is_some() => {
                    let undefined = explicit::Finding {
                        kind: Kind::Fault,
                        ..found.clone()
                    };
                    evidence.finding(&undefined).map_err(Ended::Bug)?
                }
                // A step that was looked for may lie behind a cut.
                Err(_) if found.kind == Kind::Deadlock && !outcome.notes.cuts.is_empty() => {
                    continue;
                }
                shown => shown.map_err(Ended::Bug)?,
            };
            if let Some(doubt) = shown.doubt {
                facts.warnings.push(format!(
                    "the reference evaluator did not confirm this finding: {doubt}"
                ));
            }
            if found.kind == Kind::Goal && !is_error {
                if let Some(goal) = &mut facts.goal
                    && goal.reached != Some(true)
                {
                    goal.reached = Some(true);
                    goal.path = shown.finding.path;
                }
            } else {
                facts.findings.push(shown.finding);
            }
        }
        if let Some(goal) = &mut facts.goal {
            let found = outcome.findings.iter().any(|f| f.kind == Kind::Goal);
            if found {
                goal.reached = Some(true);
            } else if outcome.is_complete {
                goal.reached = Some(false);
            }
            if found && !is_error && !outcome.is_complete {
                facts
                    .not_checked
                    .push("states that were not explored because the goal was reached".to_owned());
            }
        }
        Ok(())
    }
}

/// Whether a finding says less than another one about the same state: the invariant is false before a later
/// conjunct is undefined, and then that conjunct is not looked at.
fn is_hidden(found: &explicit::Finding, all: &[explicit::Finding]) -> bool {
    found.kind == Kind::Fault
        && found.label.is_some()
        && all.iter().any(|other| {
            other.state == found.state
                && other.path.len() == found.path.len()
                && matches!(other.kind, Kind::Invariant | Kind::Assertion)
                && other.label < found.label
        })
}
