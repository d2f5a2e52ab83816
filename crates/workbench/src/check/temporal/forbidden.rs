//! Claims and marks of a model: automata that say what no path may do.

use base::{Diagnostic, FileId, Sources, Span};
use buchi::{Automaton, Cube};
use subject::{Forbidden, Forbids, Subject};

use super::atoms::Atoms;
use super::given::Standing;
use super::{Prepared, first_message};
use crate::check::Ended;
use crate::codes;
use crate::plan::{Definitions, Options};
use crate::report::FindingKind;

/// What no path may do.
#[derive(Debug)]
pub(super) struct Barred {
    /// What forbids it.
    pub(super) forbids: Forbids,
    /// What a path that does it is told as.
    pub(super) kind: FindingKind,
    /// Accepts it; its atoms are those of the run.
    pub(super) automaton: Automaton,
}

/// What the options ask for.
pub(super) fn prepare(
    options: &Options,
    subject: &mut dyn Subject,
    sources: &Sources,
    atoms: &mut Atoms,
) -> Result<Vec<Prepared>, Ended> {
    let mut asked: Vec<Forbids> = Vec::new();
    let names = subject.claims();
    match &options.never {
        Some(name) => asked.push(Forbids::Claim(claim(name.as_deref(), &names)?)),
        None if options.definitions == Definitions::On => {
            asked.extend((0..names.len()).map(Forbids::Claim))
        }
        None => {}
    }
    if options.acceptance {
        asked.push(Forbids::Acceptance);
    }
    if options.non_progress {
        asked.push(Forbids::NonProgress);
    }
    let mut prepared = Vec::new();
    for forbids in asked {
        let kind = match forbids {
            Forbids::Claim(_) => FindingKind::Never,
            Forbids::Acceptance => FindingKind::Acceptance,
            Forbids::NonProgress => FindingKind::NonProgress,
        };
        let Some(found) = subject.forbidden(forbids) else {
            let why = format!("--{}: the language has no such notion", kind.word());
            return Err(Diagnostic::global(&codes::MISFIT_OPTION, why).into());
        };
        let is_asked = options.never.is_some() || !matches!(forbids, Forbids::Claim(_));
        prepared.push(match found {
            Ok(found) => {
                let automaton = numbered(&found, &*subject, atoms);
                Prepared {
                    logic: kind,
                    name: found.name,
                    text: found.text,
                    standing: Standing::Asked,
                    lowered: Ok(super::Lowered::Automaton(Barred {
                        forbids,
                        kind,
                        automaton,
                    })),
                }
            }
            Err(wrong) if is_asked => return Err(wrong.into()),
            Err(wrong) => {
                let name = match forbids {
                    Forbids::Claim(number) => names.get(number).cloned(),
                    Forbids::Acceptance | Forbids::NonProgress => None,
                };
                Prepared {
                    logic: kind,
                    name,
                    text: String::new(),
                    standing: Standing::Listed,
                    lowered: Err(first_message(&wrong, sources)),
                }
            }
        });
    }
    Ok(prepared)
}

/// The claim that is meant.
fn claim(name: Option<&str>, names: &[String]) -> Result<usize, Ended> {
    let refused = |why: String| -> Result<usize, Ended> {
        Err(Diagnostic::global(&codes::MISFIT_OPTION, why).into())
    };
    let known = || names.join(", ");
    match (name, names) {
        (_, []) => refused("--never: the model has no claim".to_owned()),
        (None, [_]) => Ok(0),
        (None, _) => refused(format!(
            "--never: the model has several claims: {}",
            known()
        )),
        (Some(name), _) => match names.iter().position(|claim| claim == name) {
            Some(found) => Ok(found),
            None => refused(format!("--never {name}: the claims are {}", known())),
        },
    }
}

/// The automaton with the numbers that its atoms have in the run.
fn numbered(found: &Forbidden, subject: &dyn Subject, atoms: &mut Atoms) -> Automaton {
    let span = found.span.unwrap_or(Span::new(FileId::new(0), 0, 0));
    let questions = found.questions.iter();
    let numbers: Vec<u32> = questions
        .map(|question| atoms.of_question(*question, subject.wording(*question), span))
        .collect();
    let renumber = |cube: &mut Cube| {
        let mut renumbered = Cube::default();
        for (atom, number) in numbers.iter().enumerate() {
            let has = |bits: &[u64]| {
                bits.get(atom / 64)
                    .is_some_and(|b| b >> (atom % 64) & 1 == 1)
            };
            for (is_there, sign) in [(has(&cube.with), true), (has(&cube.without), false)] {
                if is_there {
                    renumbered.add(*number, sign);
                }
            }
        }
        *cube = renumbered;
    };
    let mut automaton = found.automaton.clone();
    for state in &mut automaton.states {
        state.ends.iter_mut().for_each(renumber);
        state
            .edges
            .iter_mut()
            .for_each(|edge| renumber(&mut edge.guard));
    }
    automaton.atoms = atoms.atoms.len() as u32;
    automaton
}
