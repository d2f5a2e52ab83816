//! Checks a model in every way that must not change the answer, and compares with its directives.
//!
//! Both evaluators and exact stores × orders × threads must agree on verdict, exit code and counts;
//! breadth-first also on the length of the path and the first finding. Lossy stores must find the same, or end
//! open. Symmetry reductions must find the same at the same depth, agree on the number of orbits, and the sizes of
//! the orbits must add up to the unreduced count. The symbolic engine must agree in every order, with variables
//! whole and in parts.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use base::Name;
use libtest_mimic::Failed;
use subject::Languages;
use subject_sets::{ClassicalB, EventB, Z};
use workbench::Workbench;
use workbench::check::{Hooks, check};
use workbench::choice::{Engine, Evaluator, Order, Split, Store, SymbolicOrder, Symmetry};
use workbench::plan::Options;
use workbench::report::Report;
use xtask::expect::Check;

/// The languages of the models.
const LANGUAGES: Languages = Languages {
    read: &[&ClassicalB, &EventB, &Z],
    known: &[],
};

/// Runs the model and says where it differs from its directives.
pub(crate) fn agrees(path: &Path, exit: u8, expected: &Check) -> Result<(), Failed> {
    by_reference(path, exit, expected)?;
    by_symmetry(path, exit, expected)?;
    by_diagrams(path, exit, expected)?;
    for store in Store::ALL {
        for search in Order::ALL {
            for threads in [1, 2] {
                let how = format!("{} {} {threads}", store.word(), search.word());
                let options = Options {
                    store: *store,
                    search: *search,
                    threads,
                    ..options(expected)?
                };
                let report = run(path, &options);
                let is_exact = matches!(store, Store::Tree | Store::Plain);
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

/// The whole state space by the evaluator that also replays paths.
fn by_reference(path: &Path, exit: u8, expected: &Check) -> Result<(), Failed> {
    let options = Options {
        evaluator: Evaluator::Reference,
        ..options(expected)?
    };
    let report = run(path, &options);
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

/// One state for each orbit, chosen in every way.
fn by_symmetry(path: &Path, exit: u8, expected: &Check) -> Result<(), Failed> {
    // A model without counts may have no end.
    let is_counted = !expected.counts.is_empty();
    let plain = match is_counted {
        true => Some(run(path, &without_checks(&options(expected)?))),
        false => None,
    };
    let mut orbits = None;
    for symmetry in Symmetry::ALL {
        for threads in [1, 2] {
            let how = format!("--symmetry {} --threads {threads}", symmetry.word());
            let options = Options {
                symmetry: *symmetry,
                threads,
                ..options(expected)?
            };
            let report = run(path, &options);
            let reduction = &report.reductions.symmetry;
            let is_sound = *symmetry != Symmetry::Markers || reduction.precise == Some(true);
            let is_exact = is_sound && *symmetry != Symmetry::Sorted;
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
            if is_quotient && is_exact {
                let known = *orbits.get_or_insert(states);
                if known != states {
                    return Err(format!("{how}: {states} orbits, not {known}").into());
                }
            } else if *symmetry == Symmetry::Sorted {
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
    let wanted = expected.counts.iter().find(|(name, _)| name == "orbits");
    match wanted {
        Some((_, wanted)) if orbits != Some(*wanted) => {
            Err(format!("{orbits:?} orbits, expected {wanted}").into())
        }
        _ => Ok(()),
    }
}

fn run(path: &Path, options: &Options) -> Report {
    let hooks = Hooks {
        stop: &AtomicBool::new(false),
        progress: &|_| {},
    };
    check(&Workbench::new(LANGUAGES), path, options, &hooks).report
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
        let is_operation = |event: &str| !["SETUP_CONSTANTS", "INITIALISATION"].contains(&event);
        path.iter().filter(|step| is_operation(&step.event)).count()
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
            "orbits" => continue,
            _ => report.statistics.setups,
        };
        if actual != *number {
            return Err(format!("{actual} {name}, expected {number}"));
        }
    }
    Ok(())
}
