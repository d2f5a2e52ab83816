//! What a check is asked to do, as given.

use std::path::PathBuf;
use std::sync::Arc;

use search::distributed::Team;
use subject::{OwnFormulas, Setting};

use crate::choice::{
    Dependence, Engine, Evaluator, Fair, Order, Por, Reorder, Solver, Split, Store, SymbolicOrder,
    Symmetry,
};

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
    pub definitions: Definitions,
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
    /// What becomes of the model's own temporal formulas where nobody asked for them.
    pub own_formulas: OwnFormulas,
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
    /// Where the files of `--store disk` lie; the system's folder for temporary files otherwise.
    pub disk: Option<PathBuf>,
    /// The symmetry reduction.
    pub symmetry: Symmetry,
    /// Of states whose elements colours do not tell apart, `--symmetry sorted` compares so many permutations.
    pub permutations: u32,
    /// The partial order reduction.
    pub por: Por,
    /// Whether conjuncts are proved by induction before the search, and instead of it where that is enough.
    pub induction: bool,
    /// Where proofs of that are written.
    pub proofs: Option<PathBuf>,
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
    /// Whether nothing is said where there is no path to save.
    pub trace_if_any: bool,
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
    /// What the states may need in this process, of what all processes need together.
    pub memory_each: Option<u64>,
    /// The processes of a distributed run, this one among them.
    pub team: Option<Arc<Team>>,
    /// A folder where answers of the solver are kept between runs.
    pub cache: Option<PathBuf>,
}

/// Whether the temporal formulas that a model carries are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Definitions {
    /// As its language has it.
    #[default]
    Auto,
    /// All of them, without bounds.
    On,
    /// None.
    Off,
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
            definitions: Definitions::default(),
            never: None,
            acceptance: false,
            non_progress: false,
            fair: Fair::default(),
            besides: Besides::default(),
            own_formulas: OwnFormulas::Left,
            only: None,
            all_findings: 1,
            setting: Setting::default(),
            engine: Engine::default(),
            search: Order::default(),
            store: Store::default(),
            disk: None,
            symmetry: Symmetry::default(),
            permutations: PERMUTATIONS,
            por: Por::default(),
            induction: false,
            proofs: None,
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
            trace_if_any: false,
            certificate: None,
            chart: false,
            dot: None,
            report: None,
            command: None,
            memory_each: None,
            team: None,
            cache: None,
        }
    }
}
