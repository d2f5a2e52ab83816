//! The options of `check`.
//!
//! Invariant: every option of a check is read here; whether it can be honoured is the plan's to say.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use subject::setting::Obligations;
use subject::{OwnFormulas, Setting};
use workbench::choice::{
    Dependence, Engine, Evaluator, Fair, Order, Por, Reorder, Solver, Split, Store, SymbolicOrder,
    Symmetry,
};
use workbench::plan::{Besides, Definitions, Options, PERMUTATIONS};

use super::model::ModelArgs;

base::choices! {
    /// `--deadlock`
    DeadlockReading {
        /// A state whose steps all lead back to it.
        Stuttering = "stuttering",
        /// A state without steps.
        Stuck = "stuck",
        /// None.
        Off = "off",
    } default Stuck;
}

/// What `check --help` ends with.
pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside check lift.mch                    invariant, deadlock, assertions, definedness
  burnside check lift.mch --no-deadlock      a machine that may stop
  burnside check lift.mch --card PERSON=4 --pref MAXINT=10
  burnside check lift.mch --goal 'floor = 9' how is this state reached?
  burnside check lift.mch --threads 2 --max-time 60 --max-memory 2G
  burnside check lift.mch --checkpoint lift.save --every 60
  burnside check lift.mch --engine distributed --processes 4 --checkpoint lift.cuts
  burnside check lift.mch --json | jq .verdict

The last line says one of
  verdict: holds      everything asked was checked in every reachable state
  verdict: violated   with a path that was replayed step by step by a second evaluator
  verdict: open       nothing was found, and the line says what was not looked at
  verdict: error      the model could not be checked

Ctrl-C ends the run and shows what was found so far; a second one ends it at once.";

/// What the exit codes of `check` mean.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    holds (or the goal was reached)
  10   the constants have no values, or there is no initial state
  11   deadlock
  12   invariant, assertion or trace violated, or a goal with --goal-is-error
  13   temporal formula or claim violated, or a forbidden cycle
  20   open: nothing found, and not everything was looked at
  75   fault: something in the model has no value
  2    wrong usage, or a file that cannot be read or written
  150  syntax error
  151  type or scope error
  152  unsupported construct, language or option
  255  internal error: a bug in burnside
With several findings: the code of the first.";

/// The options of `check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// The model.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    what: What,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    pub(crate) many: Many,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Who takes part in a distributed run.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Many processes (--engine distributed)")]
pub(crate) struct Many {
    /// Start so many processes here.
    #[arg(long, value_name = "N", conflicts_with = "hosts", value_parser = at_least_one)]
    pub(crate) processes: Option<usize>,
    /// A file with the address of one process on each line; the first line is the process that reports.
    #[arg(long, value_name = "FILE", requires = "secret")]
    pub(crate) hosts: Option<PathBuf>,
    /// Which line of that file this process is, from 0.
    #[arg(long, value_name = "K", default_value_t = 0, requires = "hosts")]
    pub(crate) me: usize,
    /// A file whose text all processes know and nobody else.
    #[arg(long, value_name = "FILE")]
    pub(crate) secret: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What to check")]
struct What {
    /// Do not check the invariant.
    #[arg(long)]
    no_invariant: bool,
    /// Do not look for deadlocks.
    #[arg(long)]
    no_deadlock: bool,
    /// What is a deadlock: a state whose steps all lead back to it (Murphi's default), one without steps, or none.
    #[arg(long, value_name = "READING", value_parser = words::<DeadlockReading>(DeadlockReading::WORDS))]
    deadlock: Option<DeadlockReading>,
    /// Do not check the assertions.
    #[arg(long)]
    no_assertions: bool,
    /// Do not check refinement.
    #[arg(long)]
    no_refinement: bool,
    /// Check also that convergent events decrease the variant and anticipated ones do not increase it, and that
    /// preconditions of a refinement are implied by those it refines.
    #[arg(long, conflicts_with = "no_refinement")]
    refinement: bool,
    /// Look for a state that satisfies PRED; a definition of the model can be named.
    #[arg(long, value_name = "PRED")]
    goal: Option<String>,
    /// Reaching the goal is a finding (exit 12).
    #[arg(long, requires = "goal")]
    goal_is_error: bool,
    /// A formula of linear temporal logic, or the name of one that the model defines.
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
    /// A formula of branching temporal logic.
    #[arg(long, value_name = "FORMULA")]
    ctl: Vec<String>,
    /// A file with one formula of linear temporal logic per line.
    #[arg(long, value_name = "FILE")]
    ltl_file: Option<PathBuf>,
    /// Check the model's own formulas without bounds: ASSERT_LTL and ASSERT_CTL definitions, ltl blocks and never claims.
    #[arg(long)]
    definitions: bool,
    /// Leave the model's own formulas out.
    #[arg(long, conflicts_with = "definitions")]
    no_definitions: bool,
    /// Check the never claim; a name is needed when there are several.
    #[arg(long, value_name = "NAME", num_args = 0..=1)]
    never: Option<Option<String>>,
    /// Look for cycles through accept labels.
    #[arg(long)]
    acceptance: bool,
    /// Look for cycles that pass no progress label.
    #[arg(long)]
    non_progress: bool,
    /// Temporal formulas: only runs in which no process that can move for ever (strong: again and again) never does.
    #[arg(long, default_value = "none", value_parser = words::<Fair>(Fair::WORDS))]
    fair: Fair,
    /// Check assertions also in a run of temporal formulas of Promela.
    #[arg(long, conflicts_with = "no_assertions")]
    assertions: bool,
    /// Check only the conjunct or assertion with this label.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Go on until N findings.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    all_findings: usize,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How")]
struct How {
    /// The engine.
    #[arg(long, default_value = "auto", value_parser = words::<Engine>(Engine::WORDS))]
    engine: Engine,
    /// The order of exploration; breadth-first finds shortest paths.
    #[arg(long, default_value = "bfs", value_parser = words::<Order>(Order::WORDS))]
    search: Order,
    /// How states are stored; disk keeps them in sorted files, for more states than memory holds; fingerprint and bitstate save memory and never end with "holds".
    #[arg(long, default_value = "tree", value_parser = words::<Store>(Store::WORDS))]
    store: Store,
    /// Where the files of `--store disk` lie while it runs; the folder for temporary files otherwise.
    #[arg(long, value_name = "DIR")]
    disk: Option<PathBuf>,
    /// The symmetry reduction.
    #[arg(long, default_value = "auto", value_parser = words::<Symmetry>(Symmetry::WORDS))]
    symmetry: Symmetry,

    /// How many permutations `--symmetry sorted` compares where elements look alike.
    #[arg(long, value_name = "N", default_value_t = PERMUTATIONS,
          value_parser = clap::value_parser!(u32).range(1..))]
    permutations: u32,
    /// The partial order reduction.
    #[arg(long, default_value = "auto", value_parser = words::<Por>(Por::WORDS))]
    por: Por,
    /// Prove conjuncts by induction first: those need not be evaluated, and where all are proved and no deadlock is looked for,
    /// initial states are enough.
    #[arg(long)]
    induction: bool,
    /// With --induction: write the questions as clauses into this folder, each with a proof in the format DRAT; certify checks them.
    #[arg(long, value_name = "FOLDER", requires = "induction")]
    proofs: Option<PathBuf>,
    /// How independence of events is decided.
    #[arg(long, default_value = "solver", value_parser = words::<Dependence>(Dependence::WORDS))]
    dependence: Dependence,
    /// How many threads explore.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    threads: usize,
    /// How predicates are solved.
    #[arg(long, default_value = "auto", value_parser = words::<Solver>(Solver::WORDS))]
    solver: Solver,
    /// How formulas are evaluated; the reference evaluator is slow and obvious.
    #[arg(long, default_value = "compiled", value_parser = words::<Evaluator>(Evaluator::WORDS))]
    evaluator: Evaluator,
    /// Symbolic engine: the order of fixed points.
    #[arg(long, value_parser = words::<SymbolicOrder>(SymbolicOrder::WORDS))]
    order: Option<SymbolicOrder>,
    /// Symbolic engine: the order of variables.
    #[arg(long, value_parser = words::<Reorder>(Reorder::WORDS))]
    reorder: Option<Reorder>,
    /// Symbolic engine: one slot for each argument of a function.
    #[arg(long, value_parser = words::<Split>(Split::WORDS))]
    split: Option<Split>,
    /// Symbolic engine: count transitions too.
    #[arg(long)]
    count_transitions: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits and durability")]
struct Limits {
    /// End after N states.
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Explore only the first N set-ups.
    #[arg(long, value_name = "N")]
    max_setups: Option<u64>,
    /// End after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<f64>,
    /// End when the states need so much memory: 500M, 2G.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<u64>,
    /// Do not explore beyond N steps.
    #[arg(long, value_name = "N")]
    max_depth: Option<u64>,
    /// Save the run to FILE from time to time.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// How often the run is saved.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds, requires = "checkpoint")]
    every: f64,
    /// Go on from a run that was saved.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Write one JSON object to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show only findings and the verdict; changes nothing with --json.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Save the path of the first finding, or to the goal: .json .itf.json .prob2trace .md, of processes also .trail.txt
    /// (lines of SPIN), .svg and .chart.txt (messages).
    #[arg(long, value_name = "FILE")]
    pub(crate) trace_out: Option<PathBuf>,
    /// Write the set of states that shows that the model holds; `certify` checks it.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Show who sends what to whom along the path of a finding.
    #[arg(long)]
    chart: bool,
    /// Draw the state space.
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write a page about the run.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Print the lines that ProB prints.
    #[arg(long, value_parser = ["prob"], conflicts_with_all = ["json", "quiet"])]
    pub(crate) style: Option<String>,
    /// A progress line on standard error; auto: only on a terminal.
    #[arg(long, default_value = "auto", value_enum)]
    pub(crate) progress: Progress,
}

/// When a progress line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Progress {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl CheckArgs {
    /// Whether several processes explore.
    pub(crate) fn is_distributed(&self) -> bool {
        self.how.engine == Engine::Distributed
    }

    /// The file of formulas.
    pub(crate) fn formulas(&self) -> Option<&PathBuf> {
        self.what.ltl_file.as_ref()
    }

    /// The same for a process that only helps: other files, and nothing is shown or written.
    pub(crate) fn for_helper(mut self, file: PathBuf, formulas: Option<PathBuf>) -> CheckArgs {
        self.file = file;
        self.what.ltl_file = formulas;
        self.output = Output {
            json: false,
            quiet: true,
            trace_out: None,
            certificate: None,
            chart: false,
            dot: None,
            report: None,
            style: None,
            progress: Progress::Never,
        };
        self
    }

    /// What the workbench needs to know.
    // Long: one line for each option.
    pub(crate) fn options(&self) -> Options {
        let CheckArgs {
            what,
            model,
            how,
            limits,
            output,
            ..
        } = self;
        Options {
            invariant: !what.no_invariant,
            deadlock: !what.no_deadlock && what.deadlock != Some(DeadlockReading::Off),
            stuttering: what.deadlock.map(|one| one == DeadlockReading::Stuttering),
            goal: what.goal.clone(),
            goal_is_error: what.goal_is_error,
            ltl: what.ltl.clone(),
            ctl: what.ctl.clone(),
            ltl_file: what.ltl_file.clone(),
            definitions: match (what.definitions, what.no_definitions) {
                (true, _) => Definitions::On,
                (false, true) => Definitions::Off,
                (false, false) => Definitions::Auto,
            },
            never: what.never.clone(),
            acceptance: what.acceptance,
            non_progress: what.non_progress,
            fair: what.fair,
            besides: Besides {
                assertions: what.assertions,
                deadlock: matches!(
                    what.deadlock,
                    Some(DeadlockReading::Stuck | DeadlockReading::Stuttering)
                ),
            },
            // The language decides.
            own_formulas: OwnFormulas::Left,
            only: what.only.clone(),
            all_findings: what.all_findings,
            setting: Setting {
                obligations: Obligations {
                    refinement: !what.no_refinement,
                    variants: what.refinement,
                    assertions: !what.no_assertions,
                    ..Obligations::default()
                },
                ..model.setting()
            },
            engine: how.engine,
            search: how.search,
            store: how.store,
            disk: how.disk.clone(),
            symmetry: how.symmetry,
            permutations: how.permutations,
            por: how.por,
            induction: how.induction,
            proofs: how.proofs.clone(),
            dependence: how.dependence,
            threads: how.threads,
            solver: how.solver,
            evaluator: how.evaluator,
            order: how.order,
            reorder: how.reorder,
            split: how.split,
            count_transitions: how.count_transitions,
            checkpoint: limits.checkpoint.clone(),
            every: limits.every,
            resume: limits.resume.clone(),
            max_states: limits.max_states,
            max_setups: limits.max_setups,
            max_time: limits.max_time,
            max_memory: limits.max_memory,
            max_depth: limits.max_depth,
            trace_out: output.trace_out.clone(),
            trace_if_any: false,
            certificate: output.certificate.clone(),
            chart: output.chart,
            dot: output.dot.clone(),
            report: output.report.clone(),
            command: Some(super::command_line()),
            memory_each: None,
            team: None,
            cache: crate::cache::folder(),
        }
    }
}

/// Reads one of a list of words.
pub(crate) fn words<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = String> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| word.parse::<T>())
}

pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("it must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("it is not a number".to_owned()),
    }
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..1e12).contains(&seconds) => Ok(seconds),
        _ => Err("it is not a number of seconds".to_owned()),
    }
}

/// `500000000`, `500M`, `2GB`, `1GiB`; M is 10^6 and MiB is 2^20.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    const UNITS: &[(&str, u64)] = &[
        ("", 1),
        ("K", 1_000),
        ("M", 1_000_000),
        ("G", 1_000_000_000),
        ("T", 1_000_000_000_000),
        ("KI", 1 << 10),
        ("MI", 1 << 20),
        ("GI", 1 << 30),
        ("TI", 1 << 40),
    ];
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.to_ascii_uppercase();
    let unit = unit.strip_suffix('B').unwrap_or(&unit);
    let number: Option<f64> = number.parse().ok();
    let factor = UNITS.iter().find(|(name, _)| *name == unit);
    match (number, factor) {
        (Some(number), Some((_, factor))) => Ok((number * *factor as f64) as u64),
        _ => Err("it is not a size such as 500M or 2G".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("1024"), Ok(1024));
        assert_eq!(size("500M"), Ok(500_000_000));
        assert_eq!(size("1.5g"), Ok(1_500_000_000));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert!(size("much").is_err());
        assert!(size("1Q").is_err());
    }
}
