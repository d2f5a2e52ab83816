//! `burnside analyse FILE`

use serde::Serialize;
use workbench::choice::RelationsFormat;
use workbench::{
    Analysis, Lint, Profile, RelationsReport, RelationsWanted, analyse, matrices, profile,
    relations,
};

use crate::args::analyse::AnalyseArgs;
use crate::console::Console;
use crate::lint;
use crate::patience::Patience;

/// So many seconds are spent on questions about operations.
const SECONDS: f64 = 10.0;

/// Shows the analysis of a file, or its errors.
pub(crate) fn run(args: &AnalyseArgs, console: &mut Console) -> u8 {
    if args.matrix {
        return matrix(args, console);
    }
    if args.relations {
        return event_relations(args, console);
    }
    if args.plan {
        return plan(args, console);
    }
    let halt = Patience::new(Some(SECONDS)).begin();
    let analysed = analyse(
        &args.model.bench(),
        &args.file,
        &args.model.setting(),
        &halt,
    );
    let found = analysed.analysis.as_ref();
    tell((found, &analysed.lint), args.json, Analysis::text, console)
}

/// Shows what was found, or what is wrong with the file.
fn tell<T: Serialize>(
    (found, lint): (Option<&T>, &Lint),
    json: bool,
    text: impl FnOnce(&T) -> String,
    console: &mut Console,
) -> u8 {
    match (found, json) {
        (Some(found), true) => console.json(found),
        (None, true) => console.json(&lint.report()),
        (found, false) => {
            lint::show(lint, true, console);
            if let Some(found) = found {
                console.answer(text(found).trim_end());
            }
        }
    }
    lint.exit()
}

/// Shows how events are found, and what that costs.
fn plan(args: &AnalyseArgs, console: &mut Console) -> u8 {
    let bench = Patience::on(args.model.bench());
    let found = profile(&bench, &args.file, &args.model.setting(), args.max_states);
    let told = (found.profile.as_ref(), &found.lint);
    tell(told, args.json, Profile::text, console)
}

/// Shows who reads and writes what.
fn matrix(args: &AnalyseArgs, console: &mut Console) -> u8 {
    let found = matrices(
        &args.model.bench(),
        &args.file,
        &args.model.setting(),
        args.reorder,
        args.split,
    );
    match (&found.matrices, args.json) {
        (Some(matrices), true) => console.json(matrices),
        (None, true) => console.json(&found.lint.report()),
        (matrices, false) => {
            lint::show(&found.lint, true, console);
            for matrix in matrices.iter().flatten() {
                console.answer(matrix.text().trim_end());
            }
        }
    }
    if let Some([_, matrix]) = &found.matrices {
        let svg = args
            .svg
            .as_ref()
            .map(|path| (path, matrix.svg().into_bytes()));
        let png = args.png.as_ref().map(|path| (path, matrix.png()));
        for (path, bytes) in svg.into_iter().chain(png) {
            if let Err(error) = std::fs::write(path, bytes) {
                console.say(&format!("cannot write \"{}\": {error}", path.display()));
                return 2;
            }
        }
    }
    found.lint.exit()
}

/// Shows how events influence each other.
fn event_relations(args: &AnalyseArgs, console: &mut Console) -> u8 {
    let cache = crate::cache::folder();
    let wanted = RelationsWanted {
        dependence: args.dependence,
        instances: args.instances,
        cache: cache.as_deref(),
    };
    let found = relations(
        &args.model.bench(),
        &args.file,
        &args.model.setting(),
        wanted,
    );
    let format = match args.json {
        true => RelationsFormat::Json,
        false => args.to.unwrap_or_default(),
    };
    let text = |relations: &RelationsReport| match format {
        RelationsFormat::Csv => relations.csv(),
        RelationsFormat::Dot => relations.dot(),
        RelationsFormat::Text | RelationsFormat::Json => relations.text(),
    };
    let told = (found.relations.as_ref(), &found.lint);
    tell(told, format == RelationsFormat::Json, text, console)
}
