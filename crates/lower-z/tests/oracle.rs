//! Values and state spaces against independent tools, when they are at hand: both evaluators, all dialects.

mod support;

use std::path::{Path, PathBuf};

use base::{Class, Diagnostics, Name, Sources};
use lang_math::{Place, Query};
use lower_z::Machine;
use model::Model;
use model::scope::Scopes;
use model_compile::{Compiled, Options, compile};
use model_interp::{Interp, State, StopKind};
use pins::{FaultKind, Flow, System as _};

use support::explore;

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/z");
    if !path.is_dir() {
        println!("skipped: there is no folder ../shared");
        return None;
    }
    Some(path)
}

fn load(
    path: &Path,
    scopes: &Scopes,
) -> Result<(Model, Machine, lang_z::Checked, Sources), Diagnostics> {
    let mut sources = Sources::new();
    let checked = lang_z::check_file(path, &mut sources);
    if checked.diagnostics.has_errors() {
        return Err(checked.diagnostics);
    }
    let options = lower_z::Options::default();
    let model = lower_z::lower(&checked, &options, scopes)?;
    let (machine, _) = lower_z::machine(&checked, &options)?;
    Ok((model, machine, checked, sources))
}

#[test]
fn specifications_have_the_known_state_spaces() {
    let Some(shared) = shared() else { return };
    let mut wrong = Vec::new();
    for (table, folder) in [("specs.csv", "specs"), ("iso.csv", "iso")] {
        let table = std::fs::read_to_string(shared.join(table)).expect("a table");
        let mut lines = table.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let column = |name: &str| header.iter().position(|cell| *cell == name);
        let numbers =
            ["states", "setups", "transitions"].map(|name| column(name).expect("a column"));
        let (file, cards) = (
            column("file").expect("files"),
            column("cards").expect("sizes"),
        );
        for line in lines {
            let row: Vec<&str> = line.split(',').collect();
            let mut scopes = Scopes::default();
            for card in row[cards].split(';').filter(|card| !card.is_empty()) {
                let (name, size) = card.split_once('=').expect("NAME=SIZE");
                scopes
                    .cards
                    .insert(Name::new(name), size.parse().expect("a size"));
            }
            let path = shared.join(folder).join(row[file]);
            let found = match load(&path, &scopes) {
                Ok((model, ..)) => {
                    let system = compile(&model, &Options::default()).expect("compiles");
                    explore(&system).map(|(_, counts)| counts)
                }
                Err(problems) => Err(format!("{problems:?}")),
            };
            let wanted = numbers.map(|at| row[at].parse::<usize>().expect("a number"));
            if found.as_ref().map(|found| found[..3] == wanted) != Ok(true) {
                wrong.push(format!("{}: {found:?}, known are {wanted:?}", row[file]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ: {wrong:#?}", wrong.len());
}

#[test]
fn formulas_have_the_known_values() {
    let Some(shared) = shared() else { return };
    let mut wrong = Vec::new();
    for (table, context) in [
        ("expressions.tsv", "context.tex"),
        ("expressions_iso.tsv", "context.zed8"),
    ] {
        let (mut model, machine, mut checked, mut sources) =
            load(&shared.join(context), &Scopes::default())
                .expect("the context is a specification");
        let compiled = compile(&model, &Options::default()).expect("compiles");
        let state = first(&compiled);
        let values = model
            .variables
            .iter()
            .map(|(id, _)| compiled.value(&state, id));
        let plain = State::new(values.collect());
        let table = std::fs::read_to_string(shared.join(table)).expect("a table");
        for line in table.lines().skip(1) {
            let mut cells = line.split('\t');
            let (_, kind, text) = (
                cells.next(),
                cells.next().unwrap_or(""),
                cells.next().unwrap_or(""),
            );
            let wanted = match kind {
                "undefined" => "!undefined",
                "type_error" => "!type",
                "syntax_error" => "!syntax",
                _ => cells.next().unwrap_or(""),
            };
            let formula = {
                let file = sources.add("formula", text.to_owned());
                let query = Query::plain(Place::whole(file, text));
                lower_z::question(&mut checked, &machine, &mut model, &query)
            };
            let answers = match formula {
                Err(problems) => {
                    let class = problems.iter().next().map(|d| d.code.class);
                    let answer = match class {
                        Some(Class::Syntax) => "!syntax",
                        Some(Class::Type) => "!type",
                        _ => "!unsupported",
                    };
                    [answer.to_owned(), answer.to_owned()]
                }
                Ok(formula) => {
                    let fast = match compiled.eval(&model, formula.expr, &state) {
                        (_, notes) if !notes.cuts.is_empty() => "!open".to_owned(),
                        (Ok(value), _) => value.show(&model.tys),
                        (Err(fault), _) if fault.kind == FaultKind::Undefined => {
                            "!undefined".to_owned()
                        }
                        (Err(fault), _) => fault.message,
                    };
                    let mut interp = Interp::new(&model, model_interp::Options::default());
                    let slow = match interp.eval(formula.expr, &plain) {
                        Ok(value) => value.show(&model.tys),
                        Err(stop) if stop.kind == StopKind::Undefined => "!undefined".to_owned(),
                        Err(stop) => stop.reason,
                    };
                    [fast, slow]
                }
            };
            if answers.iter().any(|answer| answer != wanted) {
                wrong.push(format!("{text}: {answers:?}, known is {wanted}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ: {wrong:#?}", wrong.len());
}

/// The first initial state.
fn first(system: &Compiled) -> Vec<u32> {
    let mut worker = system.worker();
    let mut setup = Vec::new();
    let found = worker.setups(&mut |found| {
        setup = found.to_vec();
        Flow::Stop
    });
    found.expect("a set-up");
    let mut state = Vec::new();
    let found = worker.initial(&setup, &mut |found| {
        state = found.to_vec();
        Flow::Stop
    });
    found.expect("an initial state");
    state
}
