//! Checks a model in every way that must not change the answer, and compares with its directives.
//!
//! Both evaluators and exact stores × orders × threads must agree on verdict, exit code and counts;
//! breadth-first also on the length of the path and the first finding. Lossy stores must find the same, or end
//! open. Symmetry reductions must find the same at the same depth, agree on the number of orbits, and the sizes of
//! the orbits must add up to the unreduced count. The symbolic engine must agree in every order, with variables
//! whole and in parts. Partial order reductions must end in the same way. Formulas of temporal logic, values and solutions
//! are asked one by one.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use base::Name;
use libtest_mimic::Failed;
use subject::Languages;
use subject_processes::{Murphi, Promela};
use subject_sets::{ClassicalB, EventB, Z};
use verdict::ShownStep;
use workbench::check::{Hooks, check};
use workbench::choice::{
    Dependence, Engine, Evaluator, Order, Por, Split, Store, SymbolicOrder, Symmetry,
};
use workbench::plan::Options;
use workbench::report::Report;
use workbench::{Halt, Session, Task, Workbench};
use xtask::expect::{Answer, Check};
use xtask::places;

/// The languages of the models.
const LANGUAGES: Languages = Languages {
    read: &[&ClassicalB, &EventB, &Z, &Promela, &Murphi],
    known: &[],
};

/// The languages as commands take them.
pub(crate) fn bench() -> Workbench {
    Workbench::new(LANGUAGES)
}

/// Runs the model and says where it differs from its directives.
pub(crate) fn agrees(path: &Path, exit: u8, expected: &Check) -> Result<(), Failed> {
    if !is_of_processes(path) {
        by_reference(path, exit, expected)?;
    }
    by_order(path, exit, expected)?;
    answers(path, expected)?;
    by_symmetry(path, exit, expected)?;
    by_diagrams(path, exit, expected)?;
    for store in Store::ALL {
        // States in files are explored level by level, and formulas are not checked on them.
        let fits = |order: &Order| *store != Store::Disk || (*order == Order::Bfs && exit != 13);
        for search in Order::ALL.iter().filter(|order| fits(order)) {
            // Orders and stores have little to do with each other where threads are concerned.
            let is_threaded = *store == Store::Tree || *search == Order::Bfs;
            for threads in [1, 2].into_iter().filter(|n| *n == 1 || is_threaded) {
                let how = format!("{} {} {threads}", store.word(), search.word());
                let options = Options {
                    store: *store,
                    search: *search,
                    threads,
                    ..options(expected)?
                };
                let report = run(path, &options);
                let is_exact = matches!(store, Store::Tree | Store::Plain | Store::Disk);
                let problem = judge(&report, exit, expected, is_exact, *search == Order::Bfs);
                if let Some(problem) = problem {
                    return Err(format!("{how}: {problem}\n{}", report.text(false)).into());
                }
                if is_exact && !expected.counts.is_empty() {
                    counts(&run(path, &without_checks(&options)), expected)
                        .map_err(|problem| format!("{how}, checks off: {problem}"))?;
                }
            }
        }
    }
    Ok(())
}

/// Whether the reference evaluator only judges paths: processes and rules are never explored by it.
fn is_of_processes(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let known = [places::PROMELA_EXTENSIONS, places::MURPHI_EXTENSIONS].concat();
    extension.is_some_and(|extension| known.contains(&extension))
}

/// Fewer interleavings, chosen in every way.
fn by_order(path: &Path, exit: u8, expected: &Check) -> Result<(), Failed> {
    for por in [Por::Ample, Por::Stubborn, Por::Deletion] {
        for search in [Order::Bfs, Order::Dfs] {
            let how = format!("--por {} --search {}", por.word(), search.word());
            let options = Options {
                por,
                search,
                dependence: Dependence::Syntactic,
                ..options(expected)?
            };
            let report = run(path, &options);
            if let Some(problem) = judge(&report, exit, expected, true, false) {
                return Err(format!("{how}: {problem}\n{}", report.text(false)).into());
            }
        }
    }
    Ok(())
}

/// Formulas, values and solutions.
fn answers(path: &Path, expected: &Check) -> Result<(), Failed> {
    for answer in &expected.answers {
        let mut options = without_checks(&options(expected)?);
        let formula = answer.formula.clone();
        let found = match answer.kind.as_str() {
            "ltl" | "ctl" => {
                match answer.kind.as_str() {
                    "ltl" => options.ltl = vec![formula],
                    _ => options.ctl = vec![formula],
                }
                run(path, &options).verdict.word().to_owned()
            }
            "eval" => {
                let evaluator = Evaluator::Reference;
                let halt = workbench::Halt::default();
                let session = Session::open(
                    &bench(),
                    Some(path),
                    &options.setting,
                    Some(evaluator),
                    &halt,
                );
                let mut session = session.map_err(|lint| format!("{:?}", lint.diagnostics))?;
                session.answer(&formula).to_string()
            }
            _ => solutions(path, &formula, &options)?,
        };
        if found != answer.gives {
            let Answer { kind, gives, .. } = answer;
            let formula = &answer.formula;
            return Err(format!("{kind} {formula} gives {found}, expected {gives}").into());
        }
    }
    Ok(())
}

/// All solutions of a predicate in the first state, sorted.
fn solutions(path: &Path, predicate: &str, options: &Options) -> Result<String, Failed> {
    let task = Task {
        predicate,
        solver: options.solver,
        most: u64::MAX,
        aim: None,
    };
    let mut found = Vec::new();
    let solved = workbench::solve(
        &bench(),
        (Some(path), &options.setting),
        &task,
        &Halt::default(),
        &mut |solution| {
            found.push(solution.text());
            true
        },
    );
    solved.map_err(|lint| format!("{:?}", lint.diagnostics))?;
    found.sort();
    Ok(found.join(", "))
}

/// The exit code of a run that leaves something open.
const OPEN: u8 = 20;

/// The whole state space by the evaluator that also replays paths.
fn by_reference(path: &Path, exit: u8, expected: &Check) -> Result<(), Failed> {
    let options = Options {
        evaluator: Evaluator::Reference,
        ..options(expected)?
    };
    let report = run(path, &options);
    if let Some(other) = expected.reference {
        let told = report.exit;
        return match told == other && (exit == OPEN || other == OPEN) {
            true => Ok(()),
            false => Err(format!("reference: exit {told}\n{}", report.text(false)).into()),
        };
    }
    if let Some(problem) = judge(&report, exit, expected, true, true) {
        return Err(format!("reference: {problem}\n{}", report.text(false)).into());
    }
    if !expected.counts.is_empty() {
        counts(&run(path, &without_checks(&options)), expected)
            .map_err(|problem| format!("reference, checks off: {problem}"))?;
    }
    Ok(())
}

/// Sets of states, in every order, with variables whole and in parts.
fn by_diagrams(path: &Path, exit: u8, expected: &Check) -> Result<(), Failed> {
    // A model without counts may have no end; breadth-first search still finds what is near.
    let is_counted = !expected.counts.is_empty();
    for order in SymbolicOrder::ALL {
        for split in [Split::Off, Split::Auto, Split::On] {
            let is_bfs = *order == SymbolicOrder::Bfs;
            if !is_bfs && !is_counted {
                continue;
            }
            let how = format!("--order {} --split {}", order.word(), split.word());
            let options = Options {
                engine: Engine::Symbolic,
                order: Some(*order),
                split: Some(split),
                count_transitions: is_counted,
                ..options(expected)?
            };
            let report = run(path, &options);
            if let Some(problem) = judge(&report, exit, expected, true, is_bfs) {
                return Err(format!("{how}: {problem}\n{}", report.text(false)).into());
            }
            if is_counted {
                counts(&run(path, &without_checks(&options)), expected)
                    .map_err(|problem| format!("{how}, checks off: {problem}"))?;
            }
        }
    }
    Ok(())
}

/// The exit code of options that do not fit.
const MISFIT: u8 = 2;

/// One state for each orbit, chosen in every way.
fn by_symmetry(path: &Path, exit: u8, expected: &Check) -> Result<(), Failed> {
    // A model without counts may have no end.
    let is_counted = !expected.counts.is_empty();
    let plain = match is_counted {
        true => Some(run(path, &without_checks(&options(expected)?))),
        false => None,
    };
    let (mut orbits, mut partitions) = (None, None);
    for symmetry in Symmetry::ALL {
        for threads in [1, 2] {
            let how = format!("--symmetry {} --threads {threads}", symmetry.word());
            let options = Options {
                symmetry: *symmetry,
                threads,
                ..options(expected)?
            };
            let report = run(path, &options);
            // What is about processes is refused for elements of sets, and the other way round.
            if report.exit == MISFIT && exit != MISFIT {
                continue;
            }
            let reduction = &report.reductions.symmetry;
            let may_merge = matches!(
                symmetry,
                Symmetry::Markers | Symmetry::Flattened | Symmetry::ApproxMarkers
            );
            let is_sound = !may_merge || reduction.precise == Some(true);
            let is_partial = matches!(
                symmetry,
                Symmetry::Sorted
                    | Symmetry::Segmented
                    | Symmetry::PcSorted
                    | Symmetry::PcSegmented
                    | Symmetry::Local
                    | Symmetry::ExactMarkers
                    | Symmetry::Multiple
            ) || matches!(symmetry, Symmetry::Dynamic | Symmetry::Counters)
                && reduction.precise == Some(false);
            let is_adaptive = *symmetry == Symmetry::Adaptive;
            let is_exact = is_sound && !is_partial && !is_adaptive;
            if let Some(problem) = judge(&report, exit, expected, is_sound, is_sound) {
                return Err(format!("{how}: {problem}\n{}", report.text(false)).into());
            }
            let Some(plain) = &plain else { continue };
            let report = run(path, &without_checks(&options));
            let (states, reduction) = (
                report.statistics.states.saturating(),
                &report.reductions.symmetry,
            );
            let all = u128::from(plain.statistics.states.saturating());
            if is_exact && reduction.states.is_some_and(|sum| sum != all) {
                let sum = reduction.states;
                return Err(format!("{how}: orbits of {sum:?} states, not of {all}").into());
            }
            let is_quotient =
                !matches!(symmetry, Symmetry::Auto | Symmetry::Off | Symmetry::Static);
            if is_adaptive {
                partitions = Some(states);
            }
            if is_quotient && is_exact {
                let known = *orbits.get_or_insert(states);
                if known != states {
                    return Err(format!("{how}: {states} orbits, not {known}").into());
                }
            } else if is_partial {
                let is_between = orbits.is_none_or(|orbits| orbits <= states);
                if !is_between || u128::from(states) > all {
                    let bounds = format!("{orbits:?} orbits and {all} states");
                    return Err(format!("{how}: {states} states, not between {bounds}").into());
                }
            } else if is_quotient && orbits.is_some_and(|orbits| states > orbits) {
                return Err(format!("{how}: {states} states, more than {orbits:?} orbits").into());
            }
        }
    }
    figures_are(expected, [("orbits", orbits), ("partitions", partitions)])
}

/// What reductions found is what the directives say.
fn figures_are(expected: &Check, found: [(&str, Option<u64>); 2]) -> Result<(), Failed> {
    for (what, found) in found {
        let mut wanted = expected.counts.iter();
        let wanted = wanted
            .find(|(name, _)| name == what)
            .map(|(_, count)| *count);
        if wanted.is_some() && found != wanted {
            return Err(format!("{found:?} {what}, expected {wanted:?}").into());
        }
    }
    Ok(())
}

fn run(path: &Path, options: &Options) -> Report {
    let hooks = Hooks {
        stop: &AtomicBool::new(false),
        progress: &|_| {},
    };
    check(&bench(), path, options, &hooks).report
}

fn options(expected: &Check) -> Result<Options, String> {
    let is_checked = |what: &str| expected.what.iter().any(|known| known == what);
    let mut options = Options {
        invariant: is_checked("invariant"),
        deadlock: is_checked("deadlock"),
        goal_is_error: expected.goal_is_error,
        symmetry: Symmetry::Off,
        ..Options::default()
    };
    options.setting.obligations.assertions = is_checked("assertions");
    for (option, value) in &expected.options {
        let pair = || {
            let (name, value) = value.split_once('=').ok_or("a pair is NAME=VALUE")?;
            Ok::<_, String>((name.trim().to_owned(), value.trim().to_owned()))
        };
        match option.as_str() {
            "card" => {
                let (name, size) = pair()?;
                let size = size.parse().map_err(|_| "a size is a number")?;
                let card = (Name::new(&name), size);
                options.setting.scopes.cards.push(card);
            }
            "pref" => {
                let (name, value) = pair()?;
                let preference = (Name::new(&name), value);
                options.setting.scopes.preferences.push(preference);
            }
            "wd" => options.setting.wd = value.parse()?,
            "goal" => options.goal = Some(value.clone()),
            "deadlock" => options.stuttering = Some(value == "stuttering"),
            other => return Err(format!("no option {other}")),
        }
    }
    Ok(options)
}

fn without_checks(options: &Options) -> Options {
    let mut options = Options {
        invariant: false,
        deadlock: false,
        goal: None,
        goal_is_error: false,
        ..options.clone()
    };
    options.setting.obligations.assertions = false;
    options
}

/// What differs, if anything does.
fn judge(
    report: &Report,
    exit: u8,
    expected: &Check,
    is_exact: bool,
    is_bfs: bool,
) -> Option<String> {
    let lossy_open = !is_exact && report.exit == 20;
    if report.exit != exit && !lossy_open {
        return Some(format!("exit {}, expected {exit}", report.exit));
    }
    if lossy_open {
        return None;
    }
    if let Some(verdict) = &expected.verdict
        && report.verdict.word() != verdict
    {
        return Some(format!("{}, expected {verdict}", report.verdict.word()));
    }
    if let Some(undefined) = expected.undefined
        && (report.statistics.undefined_guards > 0) != undefined
    {
        return Some(format!(
            "{} undefined guards",
            report.statistics.undefined_guards
        ));
    }
    if let Some(reached) = expected.reached {
        let answer = report.goal.as_ref().and_then(|goal| goal.reached);
        if answer != Some(reached) {
            return Some(format!("goal reached: {answer:?}"));
        }
    }
    let found = report.findings.first();
    if let Some((kind, name)) = &expected.finding {
        // In another order another finding of the same exit code may come first.
        let same_kind = found.is_some_and(|found| found.kind.word() == kind);
        let same_name =
            name.is_none() || found.and_then(|found| found.name.as_ref()) == name.as_ref();
        if (is_bfs && !(same_kind && same_name)) || found.is_none() {
            return Some(format!(
                "first finding {:?}, expected {kind} {name:?}",
                found.map(|found| (found.kind.word(), &found.name))
            ));
        }
    } else if let Some(found) = found {
        return Some(format!("unexpected finding: {}", found.message));
    }
    let path = found
        .map(|found| &found.path)
        .or(report.goal.as_ref().map(|goal| &goal.path));
    let steps = path.map_or(0, |path| {
        let is_start = |step: &&ShownStep| step.is_setup || step.is_beginning;
        path.iter().filter(|step| !is_start(step)).count()
    });
    match expected.steps {
        Some(expected) if is_bfs && steps != expected => {
            Some(format!("{steps} steps, expected {expected}"))
        }
        _ => None,
    }
}

fn counts(report: &Report, expected: &Check) -> Result<(), String> {
    for (name, number) in &expected.counts {
        let actual = match name.as_str() {
            "states" => report.statistics.states.saturating(),
            "transitions" => match &report.statistics.transitions {
                Some(count) => count.saturating(),
                None => continue,
            },
            "orbits" | "partitions" => continue,
            _ => report.statistics.setups,
        };
        if actual != *number {
            return Err(format!("{actual} {name}, expected {number}"));
        }
    }
    Ok(())
}
