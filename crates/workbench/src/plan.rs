//! Decides how a model is checked: which options are honoured, what each `auto` means, and what the choices
//! do to the answer "nothing was found".
//!
//! Invariant: nothing is silently ignored. Every word of every option is a row of `MATRIX`; an option whose
//! part does not exist yet is refused by name, unless its value asks for nothing.
//! Invariant: an `auto` never causes a refusal, and the report says what it stands for.

use std::path::PathBuf;

use base::{Diagnostic, Diagnostics};

use search::symbolic;

use crate::choice::{
    Dependence, Engine, Evaluator, Order, Por, Reorder, Solver, Split, Store, SymbolicOrder,
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
    /// Whether assertions are checked.
    pub assertions: bool,
    /// Whether refinement is checked.
    pub refinement: bool,
    /// Whether convergent and anticipated events are compared with the variant.
    pub variants: bool,
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
    /// Only the conjunct or assertion of this name is checked.
    pub only: Option<String>,
    /// So many findings end the run.
    pub all_findings: usize,
    /// `--card SET=N`
    pub cards: Vec<(String, usize)>,
    /// `--pref NAME=VALUE`
    pub preferences: Vec<(String, String)>,
    /// The component to check.
    pub machine: Option<String>,
    /// The level to check.
    pub level: Option<u32>,
    /// Without the abstract levels.
    pub concrete_only: bool,
    /// The engine.
    pub engine: Engine,
    /// The order of exploration.
    pub search: Order,
    /// How states are stored.
    pub store: Store,
    /// The symmetry reduction.
    pub symmetry: Symmetry,
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
    /// What an undefined expression means.
    pub wd: Wd,
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
    /// Where to draw the state space.
    pub dot: Option<PathBuf>,
    /// Where to write a page about the run.
    pub report: Option<PathBuf>,
    /// The command that was given, for that page.
    pub command: Option<String>,
    /// A folder where answers of the solver are kept between runs.
    pub cache: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            invariant: true,
            deadlock: true,
            assertions: true,
            refinement: true,
            variants: false,
            goal: None,
            goal_is_error: false,
            ltl: Vec::new(),
            ctl: Vec::new(),
            ltl_file: None,
            definitions: false,
            only: None,
            all_findings: 1,
            cards: Vec::new(),
            preferences: Vec::new(),
            machine: None,
            level: None,
            concrete_only: false,
            engine: Engine::default(),
            search: Order::default(),
            store: Store::default(),
            symmetry: Symmetry::default(),
            por: Por::default(),
            dependence: Dependence::default(),
            threads: 1,
            solver: Solver::default(),
            evaluator: Evaluator::default(),
            order: None,
            reorder: None,
            split: None,
            count_transitions: false,
            wd: Wd::default(),
            checkpoint: None,
            every: 60.0,
            resume: None,
            max_states: None,
            max_setups: None,
            max_time: None,
            max_memory: None,
            max_depth: None,
            trace_out: None,
            dot: None,
            report: None,
            command: None,
            cache: None,
        }
    }
}

/// How a model will be checked.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What was chosen for each option that had a choice.
    pub decisions: Vec<Decision>,
    /// Why this run cannot end with `holds`, whatever it finds.
    pub open_because: Vec<String>,
    /// The trial that chose the symbolic engine, if one did.
    pub(crate) trial: Option<Trial>,
}

/// How much of a model is taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What the text says is worth it.
    Worth,
    /// Whatever can be.
    Everything,
}

/// A trial of the symbolic engine that came to an end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    /// It finds all states with this patience.
    pub(crate) patience: symbolic::Patience,
    /// How much of the model was in parts.
    pub(crate) extent: Extent,
}

/// What an option stands for in this run.
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
    /// What was decided about an option.
    pub fn decision(&self, option: &str) -> Option<&Decision> {
        self.decisions.iter().find(|d| d.option == option)
    }
}

/// What choosing a word does to the run.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// It is honoured and every answer stays exact.
    Exact,
    /// It is honoured; nothing found is `open`, for this reason.
    Lossy(&'static str),
    /// The program chooses this word, for this reason.
    Chooses(&'static str, &'static str),
    /// The part does not exist in this version.
    Missing(&'static str),
}

use Effect::{Chooses, Exact, Lossy, Missing};

/// Every word of every option with its effect: the soundness matrix, as far as its parts exist.
static MATRIX: &[(&str, &[(&str, Effect)])] = &[
    (
        "engine",
        &[
            ("auto", Exact),
            ("explicit", Exact),
            ("symbolic", Exact),
            ("distributed", Missing("the distributed engine")),
            ("bmc", Missing("bounded model checking")),
        ],
    ),
    (
        "search",
        &[("bfs", Exact), ("dfs", Exact), ("mixed", Exact)],
    ),
    (
        "store",
        &[
            ("tree", Exact),
            ("plain", Exact),
            (
                "fingerprint",
                Lossy("the fingerprint store may take two states for one"),
            ),
            (
                "bitstate",
                Lossy("the bitstate store may take a new state for a known one"),
            ),
        ],
    ),
    (
        "symmetry",
        &[
            (
                "auto",
                Chooses("off", "states of this engine or evaluator are not permuted"),
            ),
            ("off", Exact),
            ("flood", Exact),
            // Whether they are precise depends on the types of the model: `check/symmetry.rs` says.
            ("markers", Exact),
            ("canonical", Exact),
            ("exact", Exact),
            ("static", Exact),
        ],
    ),
    (
        "por",
        &[
            ("auto", Exact),
            ("off", Exact),
            ("ample", Exact),
            ("stubborn", Exact),
            ("deletion", Exact),
        ],
    ),
    ("dependence", &[("solver", Exact), ("syntactic", Exact)]),
    (
        "solver",
        &[
            (
                "auto",
                Chooses(
                    "by size",
                    "few candidates are enumerated, many are solved by propagation, and by SAT after too many \
                     dead ends",
                ),
            ),
            ("propagate", Exact),
            ("sat", Exact),
        ],
    ),
    ("evaluator", &[("compiled", Exact), ("reference", Exact)]),
    (
        "order",
        &[("bfs", Exact), ("chaining", Exact), ("saturation", Exact)],
    ),
    (
        "reorder",
        &[
            ("none", Exact),
            ("sloan", Exact),
            ("cuthill-mckee", Exact),
            ("force", Exact),
            ("anneal", Exact),
        ],
    ),
    ("split", &[("auto", Exact), ("on", Exact), ("off", Exact)]),
    (
        "wd",
        &[("default", Exact), ("strict", Exact), ("lenient", Exact)],
    ),
];

/// Plans a run, or says which options cannot be honoured.
pub fn plan(options: &Options) -> Result<Plan, Diagnostics> {
    let mut plan = Plan::default();
    let mut refused = Diagnostics::new();
    let words = [
        ("engine", Some(options.engine.word())),
        ("search", Some(options.search.word())),
        ("store", Some(options.store.word())),
        ("symmetry", Some(options.symmetry.word())),
        ("por", Some(options.por.word())),
        ("dependence", Some(options.dependence.word())),
        ("solver", Some(options.solver.word())),
        ("evaluator", Some(options.evaluator.word())),
        ("order", options.order.map(SymbolicOrder::word)),
        ("reorder", options.reorder.map(Reorder::word)),
        ("split", options.split.map(Split::word)),
        ("wd", Some(options.wd.word())),
    ];
    for (option, word) in words {
        let Some(word) = word else { continue };
        let (chosen, because) = match effect(option, word) {
            Exact => (word, None),
            Lossy(why) => {
                plan.open_because.push(why.to_owned());
                (word, None)
            }
            Chooses(chosen, because) => (chosen, Some(because)),
            Missing(part) => {
                refused.push(missing(&format!("--{option} {word}"), part));
                continue;
            }
        };
        plan.decisions.push(Decision {
            option,
            chosen,
            because,
        });
    }
    engine(options, &mut plan, &mut refused);
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
            let why = why_not_reduced(options, plan);
            let decision = plan.decisions.iter_mut().find(|d| d.option == "por");
            if let (Some(because), Some(decision)) = (why, decision) {
                (decision.chosen, decision.because) = ("off", Some(because));
            }
            return;
        }
        Por::Ample | Por::Stubborn | Por::Deletion => {}
    }
    let word = options.por.word();
    for (given, why) in [
        (
            options.evaluator == Evaluator::Reference,
            "the reference evaluator does not tell what an operation reads and writes",
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
    let is_symbolic = plan
        .decision("engine")
        .is_some_and(|engine| engine.chosen == "symbolic");
    let reasons = [
        (is_symbolic, "diagrams hold all states at once"),
        (
            options.evaluator == Evaluator::Reference,
            "the reference evaluator does not tell what an operation reads and writes",
        ),
        (
            options.search != Order::Bfs && options.threads > 1,
            "only breadth-first search keeps the proviso with several threads",
        ),
        (has_formulas(options), "formulas are about all steps"),
        (options.all_findings > 1, "a reduced run has fewer findings"),
        (
            options.max_depth.is_some(),
            "states of a reduced run have other depths",
        ),
        (
            options.wd == Wd::Lenient,
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

/// Chooses the engine, and refuses options that it does not have.
fn engine(options: &Options, plan: &mut Plan, refused: &mut Diagnostics) {
    let asks_symbolic =
        options.order.is_some() || options.reorder.is_some() || options.split.is_some();
    let (chosen, because) = match (options.engine, asks_symbolic) {
        (Engine::Auto, true) => ("symbolic", Some("an option that only it has was given")),
        (Engine::Auto, false) => ("explicit", Some("it suits most models of moderate size")),
        (engine, _) => (engine.word(), None),
    };
    if let Some(decision) = plan.decisions.iter_mut().find(|d| d.option == "engine") {
        (decision.chosen, decision.because) = (chosen, because);
    }
    let misfits: &[(bool, &str)] = match chosen {
        "symbolic" => &[
            (
                options.symmetry != Symmetry::Auto && options.symmetry != Symmetry::Off,
                "--symmetry: diagrams hold all states at once, so there is nothing to reduce one by one",
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
        _ => &[
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
    for (_, why) in misfits.iter().filter(|(given, _)| *given) {
        let message = match chosen {
            "symbolic" => format!("the symbolic engine has no {why}"),
            _ => format!("the {chosen} engine has no {why}"),
        };
        refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
    }
    if chosen == "symbolic" {
        plan.tell_sets(options);
    }
}

impl Plan {
    /// The same plan with the symbolic engine, which a trial of so much patience chose.
    pub(crate) fn on_sets(&self, options: &Options, trial: Trial) -> Plan {
        let mut plan = self.clone();
        plan.trial = Some(trial);
        if let Some(decision) = plan.decisions.iter_mut().find(|d| d.option == "engine") {
            decision.chosen = "symbolic";
            decision.because =
                Some("in a trial it came to an end, and states one by one had not yet");
        }
        if let Some(why) = why_not_reduced(options, &plan)
            && let Some(decision) = plan.decisions.iter_mut().find(|d| d.option == "por")
        {
            (decision.chosen, decision.because) = ("off", Some(why));
        }
        plan.tell_sets(options);
        plan
    }

    /// What the symbolic engine chooses for itself.
    fn tell_sets(&mut self, options: &Options) {
        self.tell_order(options);
        if options.split.is_none() {
            self.decisions.push(Decision {
                option: "split",
                chosen: "auto",
                because: Some("where operations touch single elements"),
            });
        }
        if options.reorder.is_none() {
            self.decisions.push(Decision {
                option: "reorder",
                chosen: "best",
                because: Some("the order of least weighted event span"),
            });
        }
    }

    fn tell_order(&mut self, options: &Options) {
        if options.order.is_some() {
            return;
        }
        let (chosen, because) = match options.max_depth {
            Some(_) => ("bfs", "only it knows depths"),
            None => (
                "auto",
                "saturation needs the fewest nodes; chaining goes on where it takes long",
            ),
        };
        self.decisions.push(Decision {
            option: "order",
            chosen,
            because: Some(because),
        });
    }
}

/// Whether there are temporal formulas to check.
pub(crate) fn has_formulas(options: &Options) -> bool {
    !options.ltl.is_empty()
        || !options.ctl.is_empty()
        || options.ltl_file.is_some()
        || options.definitions
}

/// Refuses what the search for temporal formulas cannot honour.
fn temporal(options: &Options, plan: &Plan, refused: &mut Diagnostics) {
    if !has_formulas(options) {
        return;
    }
    let is_linear = !options.ltl.is_empty() || options.ltl_file.is_some() || options.definitions;
    let is_symbolic = plan
        .decision("engine")
        .is_some_and(|decision| decision.chosen == "symbolic");
    for (is_given, why) in [
        (
            is_symbolic && is_linear,
            "the symbolic engine: only branching formulas (--ctl) are checked on sets of states",
        ),
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
    ] {
        if is_given {
            let message = format!("temporal formulas are not checked with {why}");
            refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
        }
    }
}

fn effect(option: &str, word: &str) -> Effect {
    MATRIX
        .iter()
        .find(|(known, _)| *known == option)
        .and_then(|(_, rows)| rows.iter().find(|(known, _)| *known == word))
        .map_or(Missing("this choice"), |(_, effect)| *effect)
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
    fn every_word_of_every_option_is_one_row() {
        let options: &[(&str, &[&str])] = &[
            ("engine", Engine::WORDS),
            ("search", Order::WORDS),
            ("store", Store::WORDS),
            ("symmetry", Symmetry::WORDS),
            ("por", Por::WORDS),
            ("dependence", Dependence::WORDS),
            ("solver", Solver::WORDS),
            ("evaluator", Evaluator::WORDS),
            ("order", SymbolicOrder::WORDS),
            ("reorder", Reorder::WORDS),
            ("split", Split::WORDS),
            ("wd", Wd::WORDS),
        ];
        let table: Vec<(&str, Vec<&str>)> = MATRIX
            .iter()
            .map(|(option, rows)| (*option, rows.iter().map(|(word, _)| *word).collect()))
            .collect();
        let expected: Vec<(&str, Vec<&str>)> = options
            .iter()
            .map(|(option, words)| (*option, words.to_vec()))
            .collect();
        assert_eq!(table, expected);
    }

    #[test]
    fn the_defaults_are_honoured_and_explained() {
        let plan = plan(&Options::default()).expect("defaults are accepted");
        assert!(plan.open_because.is_empty());
        let symmetry = plan.decision("symmetry").expect("symmetry is decided");
        assert_eq!(symmetry.chosen, "off");
        assert!(symmetry.because.is_some());
        assert_eq!(plan.decision("store").map(|d| d.chosen), Some("tree"));
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
    fn what_does_not_exist_is_refused_by_name() {
        let options = Options {
            engine: Engine::Bmc,
            ..Options::default()
        };
        let refused = plan(&options).expect_err("it does not exist");
        let messages: Vec<&str> = refused.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(
            messages,
            ["--engine bmc: this version does not have bounded model checking"]
        );
        assert_eq!(refused.exit(), 152);
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
