//! The formulas of a run, in order: `--ltl`, `--ctl`, the file of `--ltl-file`, the definitions of the model.
//!
//! Invariant: a formula on the command line that cannot be read is an error of the run; one of a file or of the model is
//! an answer of its own, so that the others are still checked.

use base::{Diagnostic, Diagnostics, Sources};
use lang_formula::{Formula, Logic, Parsed, Place, ctl, ltl, sections};
use subject::{OwnFormulas, TemporalDefinition, Text};

use crate::check::Ended;
use crate::codes;
use crate::plan::{Definitions, Options};

/// A formula of the run.
pub(super) struct Given {
    /// Which logic.
    pub(super) logic: Logic,
    /// Its name in a file or in the model.
    pub(super) name: Option<String>,
    /// Its text.
    pub(super) text: String,
    /// What it means when it cannot be read or decided.
    pub(super) standing: Standing,
    /// The formula, or what is wrong with it.
    pub(super) formula: Result<Formula, Diagnostics>,
    /// What is strange about it.
    pub(super) warnings: Diagnostics,
}

/// What it means for a run when a formula cannot be read or decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Typed by the user: an error in it ends the run.
    Asked,
    /// One of a file or of the model: the run is open.
    Listed,
    /// One of the model that nobody asked for: it is told as not checked.
    Tried,
}

/// All formulas of a run.
pub(super) fn given(
    options: &Options,
    model: &mut dyn Text,
    sources: &mut Sources,
) -> Result<Vec<Given>, Ended> {
    let mut found = Vec::new();
    let asked = [(Logic::Ltl, &options.ltl), (Logic::Ctl, &options.ctl)];
    for (logic, texts) in asked {
        for text in texts {
            if let Some(named) = named(logic, text, model, sources) {
                found.push(named);
                continue;
            }
            found.push(written(logic, text, model, sources)?);
        }
    }
    if let Some(path) = &options.ltl_file {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let message = format!("cannot read \"{}\": {error}", path.display());
            Ended::from(Diagnostic::global(&codes::UNREADABLE, message))
        })?;
        let file = sources.add(path.clone(), text.clone());
        for section in sections(&text) {
            let place = section.place(file);
            let text = &section.text;
            found.push(read(
                Logic::Ltl,
                section.name,
                text,
                place,
                Standing::Listed,
            ));
        }
    }
    let standing = match options.own_formulas {
        OwnFormulas::Tried => Standing::Tried,
        OwnFormulas::Left | OwnFormulas::Claimed => Standing::Listed,
    };
    if options.definitions == Definitions::On || options.own_formulas != OwnFormulas::Left {
        let all = model.temporal_definitions().into_iter();
        found.extend(all.map(|known| definition(known, standing, sources)));
    }
    Ok(found)
}

/// The formula of the model that has this name.
fn named(logic: Logic, name: &str, model: &dyn Text, sources: &mut Sources) -> Option<Given> {
    let mut all = model.temporal_definitions().into_iter();
    let is_branching = logic == Logic::Ctl;
    let found = all.find(|definition| {
        definition.is_branching == is_branching && definition.name.as_str() == name.trim()
    })?;
    Some(definition(found, Standing::Asked, sources))
}

/// A formula on the command line. A language's own notation comes first; what stands in braces is in the shared one.
pub(super) fn written(
    logic: Logic,
    text: &str,
    model: &mut dyn Text,
    sources: &mut Sources,
) -> Result<Given, Ended> {
    let own = match logic {
        Logic::Ltl if !text.contains('{') => model.temporal_formula(text, sources),
        Logic::Ltl | Logic::Ctl => None,
    };
    let shared = match own {
        Some(own) => own?,
        None => text.to_owned(),
    };
    let file = sources.add(format!("<--{}>", logic.word()), shared.clone());
    let place = Place { file, start: 0 };
    let mut given = read(logic, None, &shared, place, Standing::Asked);
    given.text = one_line(text);
    Ok(given)
}

/// A formula that the model carries.
fn definition(definition: TemporalDefinition, standing: Standing, sources: &mut Sources) -> Given {
    let logic = match definition.is_branching {
        true => Logic::Ctl,
        false => Logic::Ltl,
    };
    let name = definition.name.to_string();
    let Some(text) = definition.text else {
        let message = format!("{name} is no string with a formula");
        let mut wrong = Diagnostics::new();
        wrong.push(Diagnostic::error(
            &lang_formula::codes::MISFIT,
            definition.span,
            message,
        ));
        return Given {
            logic,
            name: Some(name),
            text: String::new(),
            standing,
            formula: Err(wrong),
            warnings: Diagnostics::new(),
        };
    };
    // A string without escapes stands in the file as it is, so places point there.
    let text = text.as_str();
    let is_plain = sources.slice(definition.span).get(1..).is_some_and(|rest| {
        rest.strip_prefix(text)
            .is_some_and(|quote| quote.len() <= 3)
    });
    let place = match is_plain {
        true => Place {
            file: definition.span.file,
            start: definition.span.start + 1,
        },
        false => Place {
            file: sources.add(format!("<{name}>"), text.to_owned()),
            start: 0,
        },
    };
    read(logic, Some(name), text, place, standing)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn read(logic: Logic, name: Option<String>, text: &str, place: Place, standing: Standing) -> Given {
    let Parsed {
        formula,
        diagnostics,
    } = match logic {
        Logic::Ltl => ltl(text, place),
        Logic::Ctl => ctl(text, place),
    };
    let (formula, warnings) = match formula {
        Some(formula) => (Ok(formula), diagnostics),
        None => (Err(diagnostics), Diagnostics::new()),
    };
    Given {
        logic,
        name,
        text: one_line(text),
        standing,
        formula,
        warnings,
    }
}
