//! Decides how a model is checked: which options are honoured, what each `auto` means, and what the choices
//! do to the answer "nothing was found".
//!
//! Invariant: nothing is silently ignored. An option whose part does not exist yet is refused by name, unless its value
//! asks for nothing.
//! Invariant: an `auto` never causes a refusal, and the report says what it stands for.

use std::path::PathBuf;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics};

use search::distributed::Team;
use search::symbolic;
use subject::{Parts, Setting};

use crate::choice::{
    Dependence, Engine, Evaluator, Fair, Order, Por, Reorder, Solver, Split, Store, SymbolicOrder,
    Symmetry, Wd,
};
use crate::codes;

/// The options of `check`, as given.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the invariant is checked.
    pub invariant: bool,
    /// Whether deadlocks are findings.
    pub deadlock: bool,
    /// Whether a state all of whose steps lead back to it is a deadlock; as the language says, unless it is given.
    pub stuttering: Option<bool>,
    /// A predicate to look for.
    pub goal: Option<String>,
    /// Whether reaching the goal is a finding.
    pub goal_is_error: bool,
    /// Formulas of linear temporal logic.
    pub ltl: Vec<String>,
    /// Formulas of branching temporal logic.
    pub ctl: Vec<String>,
    /// A file of formulas.
    pub ltl_file: Option<PathBuf>,
    /// Whether the model's own temporal formulas are checked.
    pub definitions: bool,
    /// A claim of the model that is checked: the one of this name, or the only one.
    pub never: Option<Option<String>>,
    /// Whether cycles through accepting places are findings.
    pub acceptance: bool,
    /// Whether cycles without progress are findings.
    pub non_progress: bool,
    /// Which paths count for temporal formulas.
    pub fair: Fair,
    /// Whether assertions and deadlocks are asked for by name, where a run of temporal formulas would leave them out.
    pub besides: Besides,
    /// Whether the branching formulas that the model itself wants to be checked are.
    pub own_formulas: bool,
    /// Only the conjunct or assertion of this name is checked.
    pub only: Option<String>,
    /// So many findings end the run.
    pub all_findings: usize,
    /// What is fixed about the model.
    pub setting: Setting,
    /// The engine.
    pub engine: Engine,
    /// The order of exploration.
    pub search: Order,
    /// How states are stored.
    pub store: Store,
    /// The symmetry reduction.
    pub symmetry: Symmetry,
    /// Of states whose elements colours do not tell apart, `--symmetry sorted` compares so many permutations.
    pub permutations: u32,
    /// The partial order reduction.
    pub por: Por,
    /// How independence is decided.
    pub dependence: Dependence,
    /// How many threads explore.
    pub threads: usize,
    /// How predicates are solved.
    pub solver: Solver,
    /// How formulas are evaluated.
    pub evaluator: Evaluator,
    /// The order of the symbolic engine.
    pub order: Option<SymbolicOrder>,
    /// The variable order of the symbolic engine.
    pub reorder: Option<Reorder>,
    /// The slots of the symbolic engine.
    pub split: Option<Split>,
    /// Whether the symbolic engine counts transitions; others always do.
    pub count_transitions: bool,
    /// Where to save the run.
    pub checkpoint: Option<PathBuf>,
    /// How often, in seconds.
    pub every: f64,
    /// Where to go on from.
    pub resume: Option<PathBuf>,
    /// The run ends after so many states.
    pub max_states: Option<u64>,
    /// Only so many set-ups are explored.
    pub max_setups: Option<u64>,
    /// The run ends after so many seconds.
    pub max_time: Option<f64>,
    /// The run ends when it needs so many bytes.
    pub max_memory: Option<u64>,
    /// States deeper than this are not explored.
    pub max_depth: Option<u64>,
    /// Where to save the path of the first finding.
    pub trace_out: Option<PathBuf>,
    /// Where to write the set of states that shows that the model holds.
    pub certificate: Option<PathBuf>,
    /// Whether the path of a finding is also told as a chart of messages.
    pub chart: bool,
    /// Where to draw the state space.
    pub dot: Option<PathBuf>,
    /// Where to write a page about the run.
    pub report: Option<PathBuf>,
    /// The command that was given, for that page.
    pub command: Option<String>,
    /// The processes of a distributed run, this one among them.
    pub team: Option<Arc<Team>>,
    /// A folder where answers of the solver are kept between runs.
    pub cache: Option<PathBuf>,
}

/// What is asked for by name besides temporal formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Besides {
    /// Assertions.
    pub assertions: bool,
    /// Deadlocks.
    pub deadlock: bool,
}

/// As CMurphi's `-permlimit`, where nothing else is asked for.
pub const PERMUTATIONS: u32 = 10;

impl Default for Options {
    fn default() -> Options {
        Options {
            invariant: true,
            deadlock: true,
            stuttering: None,
            goal: None,
            goal_is_error: false,
            ltl: Vec::new(),
            ctl: Vec::new(),
            ltl_file: None,
            definitions: false,
            never: None,
            acceptance: false,
            non_progress: false,
            fair: Fair::default(),
            besides: Besides::default(),
            own_formulas: false,
            only: None,
            all_findings: 1,
            setting: Setting::default(),
            engine: Engine::default(),
            search: Order::default(),
            store: Store::default(),
            symmetry: Symmetry::default(),
            permutations: PERMUTATIONS,
            por: Por::default(),
            dependence: Dependence::default(),
            threads: 1,
            solver: Solver::default(),
            evaluator: Evaluator::default(),
            order: None,
            reorder: None,
            split: None,
            count_transitions: false,
            checkpoint: None,
            every: 60.0,
            resume: None,
            max_states: None,
            max_setups: None,
            max_time: None,
            max_memory: None,
            max_depth: None,
            trace_out: None,
            certificate: None,
            chart: false,
            dot: None,
            report: None,
            command: None,
            team: None,
            cache: None,
        }
    }
}

/// What was chosen, and why if the program chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen<T> {
    /// The choice.
    pub choice: T,
    /// Why, when the program chose.
    pub because: Option<&'static str>,
}

impl<T> Chosen<T> {
    /// A choice that was asked for.
    fn asked(choice: T) -> Chosen<T> {
        Chosen {
            choice,
            because: None,
        }
    }

    /// A choice of the program.
    fn ours(choice: T, because: &'static str) -> Chosen<T> {
        Chosen {
            choice,
            because: Some(because),
        }
    }
}

/// How a model will be checked: what is asked, what was decided and why, and what that does to the answer.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine.
    pub engine: Chosen<Engine>,
    /// The order of exploration.
    pub search: Order,
    /// How states are stored.
    pub store: Store,
    /// The symmetry reduction; `Auto` is decided by a trial.
    pub symmetry: Chosen<Symmetry>,
    /// The partial order reduction; `Auto` is decided by a trial.
    pub por: Chosen<Por>,
    /// How independence is decided.
    pub dependence: Dependence,
    /// How predicates are solved.
    pub solver: Chosen<Solver>,
    /// How formulas are evaluated.
    pub evaluator: Evaluator,
    /// The order of the symbolic engine; `None` inside is chosen on the way.
    pub order: Option<Chosen<Option<SymbolicOrder>>>,
    /// The variable order of the symbolic engine; `None` inside is the best of all.
    pub reorder: Option<Chosen<Option<Reorder>>>,
    /// The slots of the symbolic engine.
    pub split: Option<Chosen<Split>>,
    /// What an undefined expression means.
    pub wd: Wd,
    /// Why this run cannot end with `holds`, whatever it finds.
    pub open_because: Vec<&'static str>,
    /// The trial that chose the symbolic engine, if one did.
    pub(crate) trial: Option<Trial>,
}

/// A trial of the symbolic engine that came to an end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    /// It finds all states with this patience.
    pub(crate) patience: symbolic::Patience,
    /// How much of the model was in parts.
    pub(crate) parts: Parts,
}

/// What an option stands for in this run, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The option, without dashes.
    pub option: &'static str,
    /// What was chosen.
    pub chosen: &'static str,
    /// Why, when the program chose.
    pub because: Option<&'static str>,
}

impl Plan {
    /// Whether sets of states are explored.
    pub fn is_symbolic(&self) -> bool {
        self.engine.choice == Engine::Symbolic
    }

    /// Whether several processes explore.
    pub fn is_distributed(&self) -> bool {
        self.engine.choice == Engine::Distributed
    }

    /// Every decision but those about reductions, in words for the report.
    pub fn decisions(&self) -> Vec<Decision> {
        let said = |option, chosen, because| Decision {
            option,
            chosen,
            because,
        };
        let solver = match self.solver.choice {
            Solver::Auto => "by size",
            solver => solver.word(),
        };
        let mut all = vec![
            said("engine", self.engine.choice.word(), self.engine.because),
            said("search", self.search.word(), None),
            said("store", self.store.word(), None),
            said("dependence", self.dependence.word(), None),
            said("solver", solver, self.solver.because),
            said("evaluator", self.evaluator.word(), None),
        ];
        let wd = said("wd", self.wd.word(), None);
        let order = self.order.map(|order| {
            let word = order.choice.map_or("auto", SymbolicOrder::word);
            said("order", word, order.because)
        });
        let reorder = self.reorder.map(|reorder| {
            let word = reorder.choice.map_or("best", Reorder::word);
            said("reorder", word, reorder.because)
        });
        let split = self
            .split
            .map(|split| said("split", split.choice.word(), split.because));
        // What was asked for stands before what the engine chose for itself.
        let sets = [order, reorder, split];
        let asked = sets.iter().flatten().filter(|d| d.because.is_none());
        all.extend(asked.cloned());
        all.push(wd);
        let [order, reorder, split] = sets;
        let ours = [order, split, reorder];
        all.extend(ours.into_iter().flatten().filter(|d| d.because.is_some()));
        all
    }
}

/// What a store does to the answer "nothing was found".
fn lossy(store: Store) -> Option<&'static str> {
    match store {
        Store::Tree | Store::Plain => None,
        Store::Fingerprint => Some("the fingerprint store may take two states for one"),
        Store::Bitstate => Some("the bitstate store may take a new state for a known one"),
    }
}

/// What bounded model checking does not do.
fn bounded_misfits(options: &Options, refused: &mut Diagnostics) {
    let misfits = [
        (options.goal.is_some(), "--goal"),
        (has_formulas(options), "temporal formulas"),
        (
            options.checkpoint.is_some() || options.resume.is_some(),
            "a checkpoint",
        ),
        (
            options.evaluator == Evaluator::Reference,
            "--evaluator reference",
        ),
        (
            !matches!(options.symmetry, Symmetry::Auto | Symmetry::Off),
            "--symmetry",
        ),
        (!matches!(options.por, Por::Auto | Por::Off), "--por"),
        (options.only.is_some(), "--only"),
    ];
    for (_, what) in misfits.iter().filter(|(is_given, _)| *is_given) {
        let message = format!("--engine bmc: {what} has no meaning for constraints over paths");
        refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
    }
}

/// Decides how a model is checked; what cannot be honoured is refused.
pub fn plan(options: &Options) -> Result<Plan, Diagnostics> {
    let mut refused = Diagnostics::new();
    if options.engine == Engine::Bmc {
        bounded_misfits(options, &mut refused);
        if refused.has_errors() {
            return Err(refused);
        }
    }
    let mut plan = Plan {
        engine: engine(options),
        search: options.search,
        store: options.store,
        symmetry: match options.symmetry {
            Symmetry::Auto => Chosen::ours(
                Symmetry::Auto,
                "states of this engine or evaluator are not permuted",
            ),
            symmetry => Chosen::asked(symmetry),
        },
        por: Chosen::asked(options.por),
        dependence: options.dependence,
        solver: match options.solver {
            Solver::Auto => Chosen::ours(
                Solver::Auto,
                "few candidates are enumerated, many are solved by propagation, and by SAT after too many \
                 dead ends",
            ),
            solver => Chosen::asked(solver),
        },
        evaluator: options.evaluator,
        order: options.order.map(|order| Chosen::asked(Some(order))),
        reorder: options.reorder.map(|reorder| Chosen::asked(Some(reorder))),
        split: options.split.map(Chosen::asked),
        wd: options.setting.wd,
        open_because: lossy(options.store).into_iter().collect(),
        trial: None,
    };
    engine_misfits(options, &plan, &mut refused);
    if plan.is_symbolic() {
        plan.tell_sets(options);
    }
    temporal(options, &plan, &mut refused);
    if options.evaluator == Evaluator::Reference
        && !matches!(options.symmetry, Symmetry::Auto | Symmetry::Off)
    {
        refused.push(missing(
            "--evaluator reference",
            "symmetry reduction for the reference evaluator",
        ));
    }
    por(options, &mut plan, &mut refused);
    certificate(options, &plan, &mut refused);
    let saves = options.checkpoint.is_some() || options.resume.is_some();
    if saves && options.evaluator == Evaluator::Reference {
        refused.push(missing(
            "--evaluator reference",
            "checkpoints of the reference evaluator",
        ));
    }
    if refused.has_errors() {
        return Err(refused);
    }
    Ok(plan)
}

/// Refuses what partial order reduction cannot be combined with; `auto` is off there.
fn por(options: &Options, plan: &mut Plan, refused: &mut Diagnostics) {
    match options.por {
        Por::Off => return,
        Por::Auto => {
            if let Some(because) = why_not_reduced(options, plan) {
                plan.por = Chosen::ours(Por::Off, because);
            }
            return;
        }
        Por::Ample | Por::Stubborn | Por::Deletion => {}
    }
    let word = options.por.word();
    for (given, why) in [
        (
            options.evaluator == Evaluator::Reference,
            "the reference evaluator does not tell what an event reads and writes",
        ),
        (
            options.search != Order::Bfs && options.threads > 1,
            "only breadth-first search keeps the proviso with several threads; give --threads 1 or --search bfs",
        ),
    ] {
        if given {
            let message = format!("--por {word}: {why}");
            refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
        }
    }
}

/// Why `--por auto` is not even tried: a reduction is not possible, or would change what was asked for.
fn why_not_reduced(options: &Options, plan: &Plan) -> Option<&'static str> {
    let reasons = [
        (plan.is_symbolic(), "diagrams hold all states at once"),
        (
            options.symmetry == Symmetry::Adaptive,
            "steps of a state with a partition are those of its permutations",
        ),
        (
            plan.is_distributed(),
            "many processes cannot try it out; give --por stubborn or ample",
        ),
        (
            options.evaluator == Evaluator::Reference,
            "the reference evaluator does not tell what an event reads and writes",
        ),
        (
            options.search != Order::Bfs && options.threads > 1,
            "only breadth-first search keeps the proviso with several threads",
        ),
        (has_formulas(options), "formulas are about all steps"),
        (
            options.certificate.is_some(),
            "a certificate is about all steps",
        ),
        (options.all_findings > 1, "a reduced run has fewer findings"),
        (
            options.max_depth.is_some(),
            "states of a reduced run have other depths",
        ),
        (
            options.setting.wd == Wd::Lenient,
            "a reduced run has fewer dropped faults",
        ),
        (
            options.checkpoint.is_some() || options.resume.is_some(),
            "a search that is saved goes on as it began",
        ),
    ];
    let mut reasons = reasons.into_iter();
    reasons.find_map(|(is_given, why)| is_given.then_some(why))
}

/// Refuses what a certificate cannot be written for.
fn certificate(options: &Options, plan: &Plan, refused: &mut Diagnostics) {
    if options.certificate.is_none() {
        return;
    }
    for (is_given, why) in [
        (
            plan.is_symbolic() || plan.is_distributed(),
            "another engine than the explicit one: its states are not written",
        ),
        (
            !matches!(options.por, Por::Auto | Por::Off),
            "--por: a set with steps left out is not closed",
        ),
        (
            options.symmetry == Symmetry::Static,
            "--symmetry static: set-ups that were left out are not in the set",
        ),
        (
            lossy(options.store).is_some(),
            "--store fingerprint or bitstate: the states are not kept",
        ),
        (
            options.resume.is_some(),
            "--resume: states that were found before are not checked again",
        ),
        (
            has_formulas(options),
            "temporal formulas: a set of states says nothing about paths",
        ),
        (options.goal.is_some(), "--goal: it is about one state"),
        (
            options.setting.wd == Wd::Lenient,
            "--wd lenient: what has no value gives no step",
        ),
    ] {
        if is_given {
            let message = format!("--certificate cannot be combined with {why}");
            refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
        }
    }
}

/// Chooses the engine.
fn engine(options: &Options) -> Chosen<Engine> {
    let asks_symbolic = options.order.is_some()
        || options.reorder.is_some()
        || options.split.is_some()
        || sorts_columns(options);
    match (options.engine, asks_symbolic) {
        (Engine::Auto, true) => {
            Chosen::ours(Engine::Symbolic, "an option that only it has was given")
        }
        (Engine::Auto, false) => {
            Chosen::ours(Engine::Explicit, "it suits most models of moderate size")
        }
        (engine, _) => Chosen::asked(engine),
    }
}

/// Refuses options that the engine does not have.
fn engine_misfits(options: &Options, plan: &Plan, refused: &mut Diagnostics) {
    let misfits: &[(bool, &str)] = match plan.is_symbolic() {
        true => &[
            (
                !matches!(options.symmetry, Symmetry::Auto | Symmetry::Off)
                    && !sorts_columns(options),
                "--symmetry but dynamic and multiple: diagrams hold all states at once, so there is nothing to reduce one by one",
            ),
            (
                sorts_columns(options) && options.order == Some(SymbolicOrder::Saturation),
                "--order saturation under symmetry: a local fixed point sees a part of each column",
            ),
            (
                sorts_columns(options) && options.count_transitions,
                "--count-transitions under symmetry: representatives share their steps",
            ),
            (
                options.por != Por::Auto && options.por != Por::Off,
                "--por: diagrams hold all states at once, so no step can be left out for some of them",
            ),
            (
                options.search != Order::Bfs,
                "--search: it orders single states; --order orders fixed points",
            ),
            (
                options.split == Some(Split::On) && options.evaluator == Evaluator::Reference,
                "--split on for the reference evaluator: it has one slot for a variable",
            ),
            (
                options.store != Store::Tree,
                "--store: states are kept in diagrams",
            ),
            (
                options.checkpoint.is_some(),
                "--checkpoint: diagrams are not saved",
            ),
            (options.resume.is_some(), "--resume: diagrams are not saved"),
            (
                options.max_depth.is_some()
                    && !matches!(options.order, None | Some(SymbolicOrder::Bfs)),
                "--max-depth: only --order bfs knows depths",
            ),
        ],
        false => &[
            (
                sorts_columns(options),
                "--symmetry dynamic or multiple: they belong to the symbolic engine",
            ),
            (
                options.order.is_some(),
                "--order: it belongs to the symbolic engine",
            ),
            (
                !matches!(options.reorder, None | Some(Reorder::None)),
                "--reorder: it belongs to the symbolic engine",
            ),
            (
                options.split == Some(Split::On),
                "--split: it belongs to the symbolic engine",
            ),
        ],
    };
    let adaptive = adaptive_misfits(options, plan);
    let together = alone_only(options);
    let together: &[(bool, &str)] = match plan.is_distributed() {
        true => &together,
        false => &[],
    };
    let misfits = misfits.iter().chain(&adaptive).chain(together);
    for (_, why) in misfits.filter(|(given, _)| *given) {
        let message = format!("the {} engine has no {why}", plan.engine.choice.word());
        refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
    }
}

/// Whether symmetric states are represented by some of them in diagrams.
pub(crate) fn sorts_columns(options: &Options) -> bool {
    matches!(options.symmetry, Symmetry::Dynamic | Symmetry::Multiple)
}

/// What states with partitions of the elements are not explored with.
fn adaptive_misfits(options: &Options, plan: &Plan) -> [(bool, &'static str); 4] {
    let is_adaptive = options.symmetry == Symmetry::Adaptive && !plan.is_symbolic();
    [
        (
            is_adaptive && !matches!(options.por, Por::Auto | Por::Off),
            "--por with --symmetry adaptive: steps of a state are those of its permutations",
        ),
        (
            is_adaptive && (options.search != Order::Bfs || plan.is_distributed()),
            "--symmetry adaptive but breadth-first in one process: what is left out depends on what came before",
        ),
        (
            is_adaptive && (options.checkpoint.is_some() || options.resume.is_some()),
            "--checkpoint with --symmetry adaptive: what is left out is not saved",
        ),
        (
            is_adaptive && options.certificate.is_some(),
            "--certificate with --symmetry adaptive: its states stand for others in more than one way",
        ),
    ]
}

/// What one process can do and many cannot.
fn alone_only(options: &Options) -> [(bool, &'static str); 5] {
    [
        (
            options.search != Order::Bfs,
            "--search dfs or mixed: it searches level by level",
        ),
        (
            matches!(options.store, Store::Fingerprint | Store::Bitstate),
            "--store fingerprint or bitstate: its workers keep whole states",
        ),
        (
            options.symmetry == Symmetry::Flood,
            "--symmetry flood: what one worker met first the others do not know",
        ),
        (
            options.evaluator == Evaluator::Reference,
            "--evaluator reference: its values are not sent to other processes",
        ),
        (
            has_formulas(options),
            "temporal formulas: they are checked by one process",
        ),
    ]
}

/// Whether the search for temporal formulas would be refused, whatever they are.
pub(crate) fn refuses_formulas(options: &Options) -> bool {
    no_formulas(options).iter().any(|(is_given, _)| *is_given)
        || options.engine == Engine::Distributed
}

/// What temporal formulas are not checked with.
fn no_formulas(options: &Options) -> [(bool, &'static str); 4] {
    [
        (
            options.evaluator == Evaluator::Reference,
            "--evaluator reference: it judges counterexamples that the compiled one found",
        ),
        (
            matches!(options.store, Store::Fingerprint | Store::Bitstate),
            "--store fingerprint or bitstate: a loop needs exact states",
        ),
        (
            options.checkpoint.is_some() || options.resume.is_some(),
            "--checkpoint and --resume: their search is not saved",
        ),
        (
            options.max_depth.is_some(),
            "--max-depth: a path without end has no depth",
        ),
    ]
}

impl Plan {
    /// The same plan with the symbolic engine, which a trial of so much patience chose.
    pub(crate) fn on_sets(&self, options: &Options, trial: Trial) -> Plan {
        let mut plan = self.clone();
        plan.trial = Some(trial);
        plan.engine = Chosen::ours(
            Engine::Symbolic,
            "in a trial it came to an end, and states one by one had not yet",
        );
        if let Some(why) = why_not_reduced(options, &plan) {
            plan.por = Chosen::ours(Por::Off, why);
        }
        plan.tell_sets(options);
        plan
    }

    /// What the symbolic engine chooses for itself.
    fn tell_sets(&mut self, options: &Options) {
        if options.order.is_none() {
            self.order = Some(match options.max_depth {
                Some(_) => Chosen::ours(Some(SymbolicOrder::Bfs), "only it knows depths"),
                None if sorts_columns(options) => Chosen::ours(
                    Some(SymbolicOrder::Bfs),
                    "columns are sorted after each level",
                ),
                None => Chosen::ours(
                    None,
                    "saturation needs the fewest nodes; chaining goes on where it takes long",
                ),
            });
        }
        if options.split.is_none() {
            let because = "where events touch single elements";
            self.split = Some(Chosen::ours(Split::Auto, because));
        }
        if options.reorder.is_none() {
            let because = "the order of least weighted event span";
            self.reorder = Some(Chosen::ours(None, because));
        }
    }
}

/// Whether there are temporal formulas to check.
pub(crate) fn has_formulas(options: &Options) -> bool {
    asks_formulas(options) || options.own_formulas
}

/// Whether somebody asked for temporal formulas.
pub(crate) fn asks_formulas(options: &Options) -> bool {
    !options.ltl.is_empty()
        || !options.ctl.is_empty()
        || options.ltl_file.is_some()
        || options.definitions
        || has_forbidden(options)
}

/// Whether claims or marks of the model are checked.
pub(crate) fn has_forbidden(options: &Options) -> bool {
    options.never.is_some() || options.acceptance || options.non_progress
}

/// Refuses what the search for temporal formulas cannot honour.
fn temporal(options: &Options, plan: &Plan, refused: &mut Diagnostics) {
    if !has_formulas(options) {
        if options.fair != Fair::None {
            let why = "--fair: there is no temporal formula that it could be about";
            refused.push(Diagnostic::global(&codes::MISFIT_OPTION, why));
        }
        return;
    }
    let is_linear = !options.ltl.is_empty()
        || options.ltl_file.is_some()
        || options.definitions
        || has_forbidden(options);
    let on_sets = (
        plan.is_symbolic() && (is_linear || options.fair != Fair::None),
        "the symbolic engine: only branching formulas (--ctl) are checked on sets of states",
    );
    let sorted = (
        sorts_columns(options),
        "--symmetry dynamic or multiple: branching formulas need steps between representatives",
    );
    for (is_given, why) in [on_sets, sorted].into_iter().chain(no_formulas(options)) {
        if is_given {
            let message = format!("temporal formulas are not checked with {why}");
            refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
        }
    }
}

/// Says that an option needs a part that does not exist.
pub(crate) fn missing(option: &str, part: &str) -> Diagnostic {
    Diagnostic::global(
        &codes::MISSING_PART,
        format!("{option}: this version does not have {part}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_honoured_and_explained() {
        let plan = plan(&Options::default()).expect("defaults are accepted");
        assert!(plan.open_because.is_empty());
        assert_eq!(plan.symmetry.choice, Symmetry::Auto);
        assert!(plan.symmetry.because.is_some());
        assert_eq!(plan.store, Store::Tree);
    }

    #[test]
    fn a_lossy_store_never_holds() {
        for store in [Store::Fingerprint, Store::Bitstate] {
            let options = Options {
                store,
                ..Options::default()
            };
            let plan = plan(&options).expect("the store exists");
            assert_eq!(plan.open_because.len(), 1);
        }
    }

    #[test]
    fn bounded_model_checking_says_what_it_does_not_do() {
        let options = Options {
            engine: Engine::Bmc,
            goal: Some("n = 1".to_owned()),
            ..Options::default()
        };
        let refused = plan(&options).expect_err("a goal is another question");
        let messages: Vec<&str> = refused.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(
            messages,
            ["--engine bmc: --goal has no meaning for constraints over paths"]
        );
        assert_eq!(refused.exit(), 2);
    }

    #[test]
    fn formulas_are_refused_where_they_cannot_be_checked() {
        for options in [
            Options {
                store: Store::Bitstate,
                ..Options::default()
            },
            Options {
                max_depth: Some(3),
                ..Options::default()
            },
            Options {
                engine: Engine::Symbolic,
                ..Options::default()
            },
        ] {
            assert!(plan(&options).is_ok());
            let options = Options {
                ltl: vec!["G {x>0}".to_owned()],
                ..options
            };
            let refused = plan(&options).expect_err("it cannot be honoured");
            assert_eq!(refused.exit(), 2);
        }
    }
}
