//! The soundness matrix: what cannot be combined, each with its reason.
//!
//! Invariant: what an engine or a reduction would not honour, or would answer wrongly, is refused or left out by name; nothing
//! is ignored.

use base::{Diagnostic, Diagnostics};

use super::{
    Chosen, Definitions, Options, Plan, asks_formulas, has_forbidden, has_formulas,
    is_about_formulas, lossy, sorts_columns,
};
use crate::choice::{
    Engine, Evaluator, Fair, Order, Por, Reorder, Split, Store, SymbolicOrder, Symmetry, Wd,
};
use crate::codes;

/// What bounded model checking does not do.
pub(super) fn bounded_misfits(options: &Options, refused: &mut Diagnostics) {
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
        (options.induction, "--induction"),
    ];
    for (_, what) in misfits.iter().filter(|(is_given, _)| *is_given) {
        let message = format!("--engine bmc: {what} has no meaning for constraints over paths");
        refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
    }
}

/// Refuses what partial order reduction cannot be combined with; `auto` is off there.
pub(super) fn por(options: &Options, plan: &mut Plan, refused: &mut Diagnostics) {
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
            options.store == Store::Disk,
            "whether a step leads to a new state is known when a level is complete",
        ),
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
pub(super) fn why_not_reduced(options: &Options, plan: &Plan) -> Option<&'static str> {
    let reasons = [
        (plan.is_symbolic(), "diagrams hold all states at once"),
        (
            options.symmetry == Symmetry::Adaptive,
            "steps of a state with a partition are those of its permutations",
        ),
        (
            options.symmetry == Symmetry::Counters,
            "any step may change any counter",
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
        (is_about_formulas(options), "formulas are about all steps"),
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

/// Refuses where conjuncts that are proved would be evaluated all the same.
pub(super) fn induction(options: &Options, plan: &Plan, refused: &mut Diagnostics) {
    for (is_given, why) in [
        (
            plan.is_symbolic(),
            "diagrams: they evaluate a conjunct once for each short vector",
        ),
        (
            options.symmetry == Symmetry::Adaptive,
            "--symmetry adaptive: a state stands for others that are not its permutations",
        ),
    ] {
        if options.induction && is_given {
            let message = format!("--induction cannot be combined with {why}");
            refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
        }
    }
}

/// Refuses what a certificate cannot be written for.
pub(super) fn certificate(options: &Options, plan: &Plan, refused: &mut Diagnostics) {
    if options.certificate.is_none() {
        return;
    }
    for (is_given, why) in [
        (
            plan.is_distributed(),
            "the distributed engine: its states are not written",
        ),
        (
            plan.is_symbolic() && (sorts_columns(options) || options.split == Some(Split::On)),
            "--symmetry or --split of diagrams: the levels of a diagram that is written are variables",
        ),
        (
            options.evaluator == Evaluator::Reference && plan.is_symbolic(),
            "--evaluator reference and diagrams: one checker is enough",
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
            lossy(options.store).is_some() || options.store == Store::Disk,
            "--store fingerprint, bitstate or disk: the states are not kept",
        ),
        (
            options.resume.is_some(),
            "--resume: states that were found before are not checked again",
        ),
        (
            plan.is_symbolic() && has_formulas(options),
            "temporal formulas and diagrams: what proves a formula is said of single states",
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

/// Refuses options that the engine does not have.
// Long: one line for each option.
pub(super) fn engine_misfits(options: &Options, plan: &Plan, refused: &mut Diagnostics) {
    let misfits: &[(bool, &str)] = match plan.is_symbolic() {
        true => &[
            (
                !matches!(options.symmetry, Symmetry::Auto | Symmetry::Off)
                    && !sorts_columns(options)
                    && options.symmetry != Symmetry::Counters,
                "--symmetry but dynamic, multiple and counters: diagrams hold all states at once, so there is nothing to reduce one by one",
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
    let counters = counters_misfits(options, plan);
    let disk = disk_misfits(options);
    let together = alone_only(options);
    let together: &[(bool, &str)] = match plan.is_distributed() {
        true => &together,
        false => &[],
    };
    let misfits = misfits
        .iter()
        .chain(&adaptive)
        .chain(&counters)
        .chain(&disk)
        .chain(together);
    for (_, why) in misfits.filter(|(given, _)| *given) {
        let message = format!("the {} engine has no {why}", plan.engine.choice.word());
        refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
    }
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

/// What counters are not explored with.
fn counters_misfits(options: &Options, plan: &Plan) -> [(bool, &'static str); 4] {
    let counts = options.symmetry == Symmetry::Counters;
    [
        (
            counts && !matches!(options.por, Por::Auto | Por::Off),
            "--por with --symmetry counters: any step may change any counter",
        ),
        (
            counts && plan.is_distributed(),
            "--symmetry counters in many processes: what one worker counts the others do not know",
        ),
        (
            counts && (options.checkpoint.is_some() || options.resume.is_some()),
            "--checkpoint with --symmetry counters: the numbers of local states are not saved",
        ),
        (
            counts && options.certificate.is_some(),
            "--certificate with --symmetry counters: its states are no states of the model",
        ),
    ]
}

/// What states in files are not explored with.
fn disk_misfits(options: &Options) -> [(bool, &'static str); 5] {
    let on_disk = options.store == Store::Disk;
    [
        (
            on_disk && options.search != Order::Bfs,
            "--store disk but breadth-first: what is new is known when a level is complete",
        ),
        (
            on_disk && !matches!(options.por, Por::Auto | Por::Off),
            "--por with --store disk: whether a chosen step leads to a new state is known too late",
        ),
        (
            on_disk && (options.checkpoint.is_some() || options.resume.is_some()),
            "--checkpoint with --store disk: its files go with the run",
        ),
        (
            on_disk
                && matches!(
                    options.symmetry,
                    Symmetry::Adaptive | Symmetry::Markers | Symmetry::Flood
                ),
            "--symmetry adaptive, markers or flood with --store disk: they ask which states are known",
        ),
        (
            !on_disk && options.disk.is_some(),
            "--disk without --store disk: no states lie in files",
        ),
    ]
}

/// What one process can do and many cannot.
fn alone_only(options: &Options) -> [(bool, &'static str); 4] {
    [
        (
            options.search != Order::Bfs,
            "--search dfs or mixed: it searches level by level",
        ),
        (
            !matches!(options.store, Store::Tree | Store::Plain),
            "--store fingerprint, bitstate or disk: its workers keep whole states in memory",
        ),
        (
            options.symmetry == Symmetry::Flood,
            "--symmetry flood: what one worker met first the others do not know",
        ),
        (
            options.evaluator == Evaluator::Reference,
            "--evaluator reference: its values are not sent to other processes",
        ),
    ]
}

/// Whether the search for temporal formulas would be refused, whatever they are.
pub(crate) fn refuses_formulas(options: &Options) -> bool {
    no_formulas(options).iter().any(|(is_given, _)| *is_given)
}

/// Whether formulas that are only tried are left out: another question was asked, or an engine that has no paths.
pub(crate) fn leaves_tried(options: &Options) -> bool {
    asks_formulas(options)
        || options.goal.is_some()
        || options.certificate.is_some()
        || options.engine == Engine::Bmc
        || super::engine(options).choice == Engine::Symbolic
}

/// What temporal formulas are not checked with.
fn no_formulas(options: &Options) -> [(bool, &'static str); 4] {
    [
        (
            options.evaluator == Evaluator::Reference,
            "--evaluator reference: it judges counterexamples that the compiled one found",
        ),
        (
            !matches!(options.store, Store::Tree | Store::Plain),
            "--store fingerprint, bitstate or disk: a loop needs exact states in memory",
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

/// Refuses what the search for temporal formulas cannot honour.
pub(super) fn temporal(options: &Options, plan: &Plan, refused: &mut Diagnostics) {
    if !has_formulas(options) {
        if options.fair != Fair::None {
            let why = "--fair: there is no temporal formula that it could be about";
            refused.push(Diagnostic::global(&codes::MISFIT_OPTION, why));
        }
        return;
    }
    let is_linear = !options.ltl.is_empty()
        || options.ltl_file.is_some()
        || options.definitions == Definitions::On
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
