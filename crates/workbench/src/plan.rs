//! Decides how a model is checked: which options are honoured, what each `auto` means, and what the choices
//! do to the answer "nothing was found".
//!
//! Invariant: nothing is silently ignored. An option whose part does not exist yet is refused by name, unless its value
//! asks for nothing.
//! Invariant: an `auto` never causes a refusal, and the report says what it stands for.

mod misfits;
mod options;

pub(crate) use misfits::{leaves_tried, refuses_formulas};
pub use options::{Besides, Definitions, Options, PERMUTATIONS};

use base::{Diagnostic, Diagnostics};

use search::symbolic;
use subject::{OwnFormulas, Parts};

use crate::choice::{
    Dependence, Engine, Evaluator, Order, Por, Reorder, Solver, Split, Store, SymbolicOrder,
    Symmetry, Topic, Wd,
};
use crate::codes;

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
    pub(crate) fn ours(choice: T, because: &'static str) -> Chosen<T> {
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
    /// What it is about.
    pub option: Topic,
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
            said(
                Topic::Engine,
                self.engine.choice.word(),
                self.engine.because,
            ),
            said(Topic::Search, self.search.word(), None),
            said(Topic::Store, self.store.word(), None),
            said(Topic::Dependence, self.dependence.word(), None),
            said(Topic::Solver, solver, self.solver.because),
            said(Topic::Evaluator, self.evaluator.word(), None),
        ];
        let wd = said(Topic::Wd, self.wd.word(), None);
        let order = self.order.map(|order| {
            let word = order.choice.map_or("auto", SymbolicOrder::word);
            said(Topic::Order, word, order.because)
        });
        let reorder = self.reorder.map(|reorder| {
            let word = reorder.choice.map_or("best", Reorder::word);
            said(Topic::Reorder, word, reorder.because)
        });
        let split = self
            .split
            .map(|split| said(Topic::Split, split.choice.word(), split.because));
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
        Store::Tree | Store::Plain | Store::Disk => None,
        Store::Fingerprint => Some("the fingerprint store may take two states for one"),
        Store::Bitstate => Some("the bitstate store may take a new state for a known one"),
    }
}

/// Decides how a model is checked; what cannot be honoured is refused.
pub fn plan(options: &Options) -> Result<Plan, Diagnostics> {
    let mut refused = Diagnostics::new();
    if options.engine == Engine::Bmc {
        misfits::bounded_misfits(options, &mut refused);
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
    misfits::engine_misfits(options, &plan, &mut refused);
    if plan.is_symbolic() {
        plan.tell_sets(options);
    }
    misfits::temporal(options, &plan, &mut refused);
    if options.evaluator == Evaluator::Reference
        && !matches!(options.symmetry, Symmetry::Auto | Symmetry::Off)
    {
        refused.push(missing(
            "--evaluator reference",
            "symmetry reduction for the reference evaluator",
        ));
    }
    misfits::por(options, &mut plan, &mut refused);
    misfits::certificate(options, &plan, &mut refused);
    misfits::induction(options, &plan, &mut refused);
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

impl Plan {
    /// The same plan with the symbolic engine, which a trial of so much patience chose.
    pub(crate) fn on_sets(&self, options: &Options, trial: Trial) -> Plan {
        let mut plan = self.clone();
        plan.trial = Some(trial);
        plan.engine = Chosen::ours(
            Engine::Symbolic,
            "in a trial it came to an end, and states one by one had not yet",
        );
        if let Some(why) = misfits::why_not_reduced(options, &plan) {
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
                    Some(SymbolicOrder::Chaining),
                    "columns are sorted after each step, and it takes the fewest steps",
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
            let because = match sorts_columns(options) {
                true => "columns lie side by side as they are sorted",
                false => "the order of least weighted event span",
            };
            self.reorder = Some(Chosen::ours(None, because));
        }
    }
}

/// Whether symmetric states are represented by some of them in diagrams.
pub(crate) fn sorts_columns(options: &Options) -> bool {
    matches!(options.symmetry, Symmetry::Dynamic | Symmetry::Multiple)
}

/// Whether there are temporal formulas to check.
pub(crate) fn has_formulas(options: &Options) -> bool {
    asks_formulas(options) || options.own_formulas != OwnFormulas::Left
}

/// Whether the verdict depends on temporal formulas: a run that must decide them leaves out nothing that they are about.
pub(crate) fn is_about_formulas(options: &Options) -> bool {
    asks_formulas(options) || options.own_formulas == OwnFormulas::Claimed
}

/// Whether somebody asked for temporal formulas.
pub(crate) fn asks_formulas(options: &Options) -> bool {
    !options.ltl.is_empty()
        || !options.ctl.is_empty()
        || options.ltl_file.is_some()
        || options.definitions == Definitions::On
        || has_forbidden(options)
}

/// Whether claims or marks of the model are checked.
pub(crate) fn has_forbidden(options: &Options) -> bool {
    options.never.is_some() || options.acceptance || options.non_progress
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
