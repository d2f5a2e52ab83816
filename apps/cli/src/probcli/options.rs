//! Reads the options of ProB's command line: each is honoured, or has no effect and a note says why, or is refused.

use std::path::PathBuf;

use base::{Name, near};
use workbench::choice::{Engine, Order, Por, Symmetry};
use workbench::plan::{Definitions, Options};

use super::{Table, Wanted, constraints};
use crate::foreign::{self, Read};

/// The names of tables.
const TABLES: &[(&str, Table)] = &[
    ("quick_operation_coverage", Table::Operations),
    ("variable_coverage", Table::Variables),
];

/// Options that change nothing here, with the reason.
const WITHOUT_EFFECT: &[(&str, usize, &str)] = &[
    ("memory", 0, "memory is in the report of check"),
    ("statistics", 0, "statistics are in the report of check"),
    ("silent", 0, "nothing but answers is printed"),
    ("v", 0, "there are no verbose messages"),
    ("verbose", 0, "there are no verbose messages"),
    ("nogoal", 0, "a GOAL is only looked for with -goal"),
    (
        "noltl",
        0,
        "temporal formulas are only checked when asked for",
    ),
    ("pref_group", 2, "there are no groups of preferences"),
    ("nocolor", 0, "there are no colours"),
];

/// Preferences that change nothing here, with the reason.
const IDLE_PREFERENCES: &[(&str, &str)] = &[
    ("COMPRESSION", "states are always compressed"),
    ("OPERATION_REUSE", "every answer is computed anew"),
    ("CLPFD", "there is another solver"),
    ("SMT", "there is another solver"),
    ("CHR", "there is another solver"),
    ("KODKOD", "there is another solver"),
    ("MEMO", "there is another evaluator"),
    (
        "TRY_FIND_ABORT",
        "undefined expressions are always reported",
    ),
    ("RANDOMISE_ENUMERATION_ORDER", "the order changes no answer"),
];

/// Preferences that cut ProB's work; a limit here is asked for by a limit.
const CUTS: &[&str] = &["MAX_OPERATIONS", "MAX_INITIALISATIONS", "TIME_OUT"];

/// Known options that need a part which does not exist.
const MISSING: &[&str] = &[
    "cbc_refinement",
    "refchk",
    "cspref",
    "l",
    "ss",
    "rc",
    "test_description",
];

/// Reads the options; an error is a message and an exit code.
// Long: one arm for each option.
pub(super) fn read(arguments: &[String]) -> Read<Wanted> {
    let mut wanted = Wanted {
        // As ProB, unless a preference says otherwise: counts that scripts compare are those of all states.
        options: Options {
            engine: Engine::Explicit,
            symmetry: Symmetry::Off,
            por: Por::Off,
            ..Options::default()
        },
        ..Wanted::default()
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let Some(option) = argument.strip_prefix('-') else {
            foreign::take_file(&mut wanted.file, argument)?;
            continue;
        };
        // ProB takes --model-check for -model_check.
        let option = option.strip_prefix('-').unwrap_or(option).replace('-', "_");
        let mut value = || {
            rest.next()
                .cloned()
                .ok_or_else(|| (format!("-{option} needs a value"), 2))
        };
        let options = &mut wanted.options;
        match option.as_str() {
            "model_check" => wanted.check = true,
            "mc" => {
                options.max_states = Some(number(&option, &value()?)?);
                wanted.check = true;
            }
            "nodead" => options.deadlock = false,
            "noinv" => options.invariant = false,
            "noass" => options.setting.obligations.assertions = false,
            "bf" | "breadth" => options.search = Order::Bfs,
            "df" | "depth" => options.search = Order::Dfs,
            "mc_mode" => {
                let mode = value()?;
                options.search = match mode.as_str() {
                    "bf" => Order::Bfs,
                    "df" => Order::Dfs,
                    "mixed" => Order::Mixed,
                    _ => return Err((format!("-mc_mode {mode} is not supported"), 152)),
                };
            }
            "card" => {
                let set = value()?;
                let size = number(&option, &value()?)? as usize;
                options.setting.scopes.cards.push((Name::new(&set), size));
            }
            "p" | "pref" => {
                let name = value()?;
                preference(&name, &value()?, &mut wanted)?;
            }
            "goal" => options.goal = Some(value()?),
            "strict" => wanted.strict = true,
            "eval" => wanted.evals.push(value()?),
            "animate" => wanted.animate = Some(number(&option, &value()?)? as usize),
            "spdot" => wanted.dot = Some(PathBuf::from(value()?)),
            "dot" => {
                let picture = value()?;
                if picture != "state_space" {
                    return Err((
                        format!("-dot {picture} is not supported; -dot state_space FILE is"),
                        152,
                    ));
                }
                wanted.dot = Some(PathBuf::from(value()?));
            }
            "csv" => {
                let name = value()?;
                let Some((_, table)) = TABLES.iter().find(|(known, _)| *known == name) else {
                    let known: Vec<&str> = TABLES.iter().map(|(known, _)| *known).collect();
                    let message = format!("-csv {name} is not supported; {} are", known.join(", "));
                    return Err((message, 152));
                };
                wanted.tables.push((*table, PathBuf::from(value()?)));
            }
            "init" => wanted.init = true,
            "c" | "coverage" => wanted.coverage = true,
            "ltlformula" => options.ltl.push(value()?),
            "ctlformula" => options.ctl.push(value()?),
            "ltlassertions" => options.definitions = Definitions::On,
            "ltlfile" => options.ltl_file = Some(PathBuf::from(value()?)),
            "trace_replay" => {
                let kind = value()?;
                if kind != "json" {
                    return Err((format!("-trace_replay {kind} is not supported"), 152));
                }
                wanted.traces.push(PathBuf::from(value()?));
            }
            "global_time_out" | "mc_timeout" | "timeout" => {
                options.max_time = Some(number(&option, &value()?)? as f64 / 1000.0);
            }
            other => match constraints::option(other, &mut value)? {
                Some(constraints::Chosen::Ask(asked)) => wanted.asked.push(asked),
                Some(constraints::Chosen::Suite(suite, out)) => wanted.suites.push((suite, out)),
                Some(constraints::Chosen::Cover(name)) => wanted.covered.push(name),
                Some(constraints::Chosen::Bounded(depth)) => {
                    options.engine = Engine::Bmc;
                    options.max_depth = Some(depth);
                    wanted.check = true;
                }
                None => other_option(other, &mut value, &mut wanted.notes)?,
            },
        }
    }
    conclude(&mut wanted);
    Ok(wanted)
}

/// What follows from the options together.
fn conclude(wanted: &mut Wanted) {
    if !wanted.cuts.is_empty() {
        let names = wanted.cuts.join(", ");
        wanted.notes.push(format!(
            "{names}: no limit here, everything is computed; -mc N and -global_time_out MS are limits"
        ));
    }
    // With -strict a goal that is found counts as an error there; here the exit code says so.
    wanted.options.goal_is_error = wanted.strict && wanted.options.goal.is_some();
    let has_formulas = !wanted.options.ltl.is_empty()
        || !wanted.options.ctl.is_empty()
        || wanted.options.definitions == Definitions::On
        || wanted.options.ltl_file.is_some();
    if wanted.options.definitions != Definitions::On {
        // ProB checks the formulas of definitions only with -ltlassertions.
        wanted.options.definitions = Definitions::Off;
    }
    if has_formulas && !wanted.check {
        // ProB checks nothing but the formulas then.
        wanted.options.invariant = false;
        wanted.options.deadlock = false;
        wanted.options.setting.obligations.assertions = false;
        wanted.check = true;
    }
}

/// An option that has no effect, or is refused.
fn other_option(
    option: &str,
    value: &mut dyn FnMut() -> Result<String, (String, u8)>,
    notes: &mut Vec<String>,
) -> Read<()> {
    if let Some((_, values, why)) = WITHOUT_EFFECT.iter().find(|(known, _, _)| *known == option) {
        for _ in 0..*values {
            value()?;
        }
        notes.push(format!("-{option} has no effect: {why}"));
        return Ok(());
    }
    if MISSING.contains(&option) || option.starts_with("cbc_") {
        return Err((format!("-{option}: this version does not have it"), 152));
    }
    let known = [
        "model_check",
        "nodead",
        "noinv",
        "noass",
        "animate",
        "coverage",
        "strict",
    ];
    let near = near::nearest(option, known).map(|near| format!("; did you mean -{near}?"));
    let near = near.unwrap_or_default();
    Err((
        format!("-{option} is not an option of probcli that is known here{near}"),
        2,
    ))
}

fn preference(name: &str, value: &str, wanted: &mut Wanted) -> Read<()> {
    let options = &mut wanted.options;
    let refused = || Err((format!("-p {name} {value} is not supported"), 152));
    match name.to_ascii_uppercase().as_str() {
        "MAXINT" | "MININT" | "DEFAULT_SETSIZE" => {
            let pair = (Name::new(&name.to_ascii_uppercase()), value.to_owned());
            options.setting.scopes.preferences.push(pair);
        }
        "SYMMETRY_MODE" => {
            options.symmetry = match value {
                "off" => Symmetry::Off,
                "flood" => Symmetry::Flood,
                "nauty" => Symmetry::Canonical,
                "hash" => Symmetry::Markers,
                _ => return refused(),
            };
        }
        "POR" => {
            options.por = match value {
                "off" => Por::Off,
                "ample_sets" | "ample_sets2" => Por::Ample,
                _ => return refused(),
            };
        }
        upper if CUTS.contains(&upper) => wanted.cuts.push(format!("-p {name}")),
        upper => match IDLE_PREFERENCES.iter().find(|(known, _)| *known == upper) {
            Some((_, why)) => wanted.notes.push(format!("-p {name} has no effect: {why}")),
            None => return refused(),
        },
    }
    Ok(())
}

pub(super) fn number(option: &str, text: &str) -> Result<u64, (String, u8)> {
    text.parse()
        .map_err(|_| (format!("-{option} needs a number, not \"{text}\""), 2))
}
