//! What the user and the model wish for, held against each other before anything runs.
//!
//! Invariant: an option that names a part of the model names one it has; a file that is to be written has a folder.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Sources};
use subject::{FormulaKind, OwnFormulas, Question, QuestionId, Subject, Wanted};
use verdict::format::Format;

use super::{Ended, labels};
use crate::choice::{Engine, Por};
use crate::codes;
use crate::plan::{Definitions, Options, asks_formulas, leaves_tried, refuses_formulas};

/// The options, with what the language asks for where the user did not.
pub(super) fn as_the_language_asks(
    options: &Options,
    description: &subject::Description,
) -> Options {
    let is_asked = options.setting.obligations.assertions && options.only.is_none();
    // Formulas of the text are left out, and told as not checked, where a wanted engine or reduction does not keep them.
    let keeps_all_steps = matches!(options.por, Por::Auto | Por::Off);
    let is_kept = !refuses_formulas(options) && (keeps_all_steps || !asks_formulas(options));
    let mut own_formulas = description.own_formulas;
    if own_formulas == OwnFormulas::Claimed && options.engine == Engine::Distributed {
        // The first process looks at them alone, which may have room for fewer states than all have.
        own_formulas = OwnFormulas::Tried;
    }
    let mut own = Options {
        own_formulas: match own_formulas {
            _ if !is_asked || !is_kept || options.definitions != Definitions::Auto => {
                OwnFormulas::Left
            }
            OwnFormulas::Tried if leaves_tried(options) => OwnFormulas::Left,
            own => own,
        },
        // Rules that lead back hardly ever leave out anything, and trials cost.
        por: match options.por {
            Por::Auto if description.stutters => Por::Off,
            por => por,
        },
        ..options.clone()
    };
    if asks_formulas(options) && description.formulas_alone {
        own.invariant = false;
        own.deadlock &= options.besides.deadlock;
        own.setting.obligations.assertions &= options.besides.assertions;
    }
    own
}

/// The format of a trace file that can be written.
pub(super) fn trace_format(path: &Path) -> Result<Format, Ended> {
    let format = Format::of(path)
        .map_err(|why| Diagnostic::global(&codes::MISFIT_OPTION, format!("--trace-out: {why}")))?;
    writable(path)?;
    Ok(format)
}

/// A file to be written has a folder.
pub(super) fn writable(path: &Path) -> Result<(), Ended> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Diagnostic::global(
            &codes::UNWRITABLE,
            format!(
                "cannot write \"{}\": there is no such folder",
                path.display()
            ),
        )
        .into());
    }
    Ok(())
}

/// Options that name parts of the model name parts it has.
pub(super) fn fits(options: &Options, subject: &dyn Subject) -> Result<(), Diagnostics> {
    let description = subject.description();
    let mut misfits = Diagnostics::new();
    let mut misfit = |message: String| {
        misfits.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
    };
    for (name, _) in &options.setting.scopes.cards {
        if !description.sets.iter().any(|(set, _)| set == name) {
            misfit(format!("--card {name}: the model has no set of this name"));
        }
    }
    if let Some(machine) = &options.setting.part.machine
        && *machine != description.name
    {
        misfit(format!(
            "--machine {machine}: the file holds {}",
            description.name
        ));
    }
    let labels = labels::all(subject, None);
    if let Some(only) = &options.only
        && !labels.iter().any(|label| label.is_named(only))
    {
        let known: Vec<String> = labels
            .iter()
            .filter_map(|asked| asked.label.clone())
            .collect();
        let known = match known.is_empty() {
            true => "the model has no labels".to_owned(),
            false => format!("there are {}", known.join(", ")),
        };
        misfit(format!(
            "--only {only}: no conjunct or assertion has this label; {known}"
        ));
    }
    if misfits.has_errors() {
        Err(misfits)
    } else {
        Ok(())
    }
}

/// The goal, as a question.
pub(super) fn goal(
    options: &Options,
    subject: &mut dyn Subject,
    sources: &mut Sources,
) -> Result<Option<QuestionId>, Ended> {
    let Some(text) = &options.goal else {
        return Ok(None);
    };
    let file = sources.add("<--goal>", text.clone());
    let span = base::Span::new(file, 0, text.len() as u32);
    let question = Question {
        text,
        span: Some(span),
        wanted: Wanted::Formula,
        scope: &[],
    };
    let question = subject.ask(&question, sources)?;
    if subject.kind(question) == FormulaKind::Expression {
        let message = "the goal is an expression; a predicate is needed";
        return Err(Diagnostic::error(&codes::GOAL_NOT_PREDICATE, span, message).into());
    }
    Ok(Some(question))
}
