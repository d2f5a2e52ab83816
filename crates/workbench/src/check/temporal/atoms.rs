//! Numbers the atoms of all formulas of a run and says what each of them asks.
//!
//! What stands in an atom belongs to the language of the model: the subject gives it a meaning.
//! Invariant: the same text with the same values of quantified names is one atom, whatever formulas it stands in.
//! Invariant: an atom asks the fast evaluator and the judge the same questions, and they share nothing else.

use std::collections::HashMap;

use base::{Diagnostic, Diagnostics, Span, near};
use lang_formula::{Argument, Atom as Written, Change, Pattern, Text, codes};
use subject::{
    ComponentId, EventId, Holder, Question, QuestionId, ScopeName, Subject, Typing, Value, Wanted,
};

use super::host::{Host, one};

/// An atom.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    /// How it is written, with the values of quantified names.
    pub(super) text: String,
    /// Where it stood first.
    pub(super) span: Span,
    /// What it asks.
    pub(super) asks: Asks,
}

/// What an atom asks; numbers are those of [`Atoms::questions`].
#[derive(Clone, Debug)]
pub(super) enum Asks {
    /// A predicate of the state.
    Holds(usize),
    /// Whether a transition is possible.
    Enabled(Match),
    /// Whether it is taken.
    Taken(Match),
    /// Whether nothing is possible.
    Deadlock,
    /// Whether nothing leads to another state.
    Sink,
    /// How many of these operations are possible.
    Count(Vec<Match>, Few),
    /// Compares the value of the first question before a step with the value after it, by the second one.
    Change(usize, usize, subject::Change),
    /// A predicate of the state after a step and of these components before it.
    BeforeAfter(usize, Vec<ComponentId>),
    /// Whether an actor can take part in a step.
    CanMove(usize),
    /// Whether an actor takes part in the step.
    Moves(usize),
}

/// How many operations may be enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Few {
    /// None.
    None,
    /// Exactly one.
    One,
    /// At most one.
    AtMostOne,
}

impl Few {
    /// Whether a number between these two is few enough; `None` when that depends on the number.
    pub(super) fn admits(self, least: usize, most: usize) -> Option<bool> {
        let admits = |count: usize| match self {
            Few::None => count == 0,
            Few::One => count == 1,
            Few::AtMostOne => count <= 1,
        };
        let first = admits(least);
        (least..=most)
            .all(|count| admits(count) == first)
            .then_some(first)
    }
}

/// Steps of an event whose arguments satisfy questions.
#[derive(Clone, Debug)]
pub(super) struct Match {
    /// The event.
    pub(super) event: EventId,
    /// Positions of parameters, with a predicate of each.
    pub(super) arguments: Vec<(usize, usize)>,
}

impl Atom {
    /// Whether it is about the step that leaves a state.
    pub(super) fn is_step(&self) -> bool {
        matches!(
            self.asks,
            Asks::Taken(_) | Asks::Change(..) | Asks::BeforeAfter(..) | Asks::Moves(_)
        )
    }
}

/// All atoms of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Atoms {
    /// The atoms, by number.
    pub(super) atoms: Vec<Atom>,
    /// What they ask of states.
    pub(super) questions: Vec<QuestionId>,
    known: HashMap<String, u32>,
    /// Everything that was asked, quantified names being free.
    pub(super) asked: Vec<QuestionId>,
    /// What texts ask, for all values of quantified names.
    templates: HashMap<(Span, String), QuestionId>,
}

/// A quantified name with the value that it has at the moment.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    pub(super) name: ScopeName,
    pub(super) value: Value,
}

impl Fixed {
    /// The range of the name.
    fn range(&self) -> &str {
        match &self.name.typing {
            Typing::By(range, _) => range,
            Typing::Like(_) | Typing::Inferred => "",
        }
    }
}

impl Atoms {
    /// Whether some atom must hear of the steps of the whole model: with representatives steps lead to other states, with
    /// fewer interleavings some are left out.
    pub(super) fn need_all_steps(&self, has_representatives: bool) -> bool {
        self.atoms.iter().any(|atom| match atom.asks {
            Asks::Sink => true,
            Asks::Enabled(_) | Asks::Count(..) | Asks::CanMove(_) => !has_representatives,
            _ => false,
        })
    }

    /// The number of an atom.
    pub(super) fn number(
        &mut self,
        written: &Written,
        text: &str,
        span: Span,
        fixed: &[Fixed],
        host: &mut Host<'_>,
    ) -> Result<u32, Diagnostics> {
        let used: Vec<&Fixed> = fixed
            .iter()
            .filter(|fixed| mentions(text, &fixed.name.name))
            .collect();
        let mut text = text.to_owned();
        if !used.is_empty() {
            let values: Vec<String> = used
                .iter()
                .map(|f| format!("{} = {}", f.name.name, f.value.told()))
                .collect();
            text = format!("{text} for {}", values.join(", "));
        }
        // A name that hides another one makes the same text mean something else.
        let ranges: Vec<&str> = fixed.iter().map(Fixed::range).collect();
        let key = match used.is_empty() {
            true => text.clone(),
            false => format!("{text}\n{}", ranges.join("\n")),
        };
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let asks = self.asks(written, span, fixed, host)?;
        let number = self.atoms.len() as u32;
        self.atoms.push(Atom { text, span, asks });
        self.known.insert(key, number);
        Ok(number)
    }

    /// The number of an atom that asks this question of states.
    pub(super) fn of_question(&mut self, question: QuestionId, text: String, span: Span) -> u32 {
        let asks = Asks::Holds(self.question(question));
        self.add(Atom { text, span, asks })
    }

    /// The number of a new atom.
    pub(super) fn add(&mut self, atom: Atom) -> u32 {
        self.atoms.push(atom);
        self.atoms.len() as u32 - 1
    }

    /// The numbers of `e(Op)` and `[Op]`, for fairness.
    pub(super) fn pair(
        &mut self,
        pattern: &Pattern,
        host: &mut Host<'_>,
    ) -> Result<(u32, u32), Diagnostics> {
        let shown = shown(pattern);
        let span = pattern.name.span;
        let enabled = Written::Enabled(pattern.clone());
        let enabled = self.number(&enabled, &format!("e({shown})"), span, &[], host)?;
        let taken = Written::Taken(pattern.clone());
        let taken = self.number(&taken, &format!("[{shown}]"), span, &[], host)?;
        Ok((enabled, taken))
    }

    fn asks(
        &mut self,
        written: &Written,
        span: Span,
        fixed: &[Fixed],
        host: &mut Host<'_>,
    ) -> Result<Asks, Diagnostics> {
        let mut all = |patterns: &[Pattern], few: Few, host: &mut Host<'_>| {
            let found: Result<Vec<Match>, Diagnostics> = patterns
                .iter()
                .map(|pattern| self.matching(pattern, fixed, host))
                .collect();
            found.map(|found| Asks::Count(found, few))
        };
        Ok(match written {
            Written::Predicate(text) => {
                let template = self.template(text, fixed, Wanted::Predicate, host)?;
                let question = instance(template, 0, fixed, text.span, host)?;
                Asks::Holds(self.question(question))
            }
            Written::Goal => {
                let goal = host.goal(span)?;
                self.asked.push(goal);
                Asks::Holds(self.question(goal))
            }
            // Availability is a notion of CSP; here an operation is available where it is enabled.
            Written::Enabled(pattern) | Written::Available(pattern) => {
                Asks::Enabled(self.matching(pattern, fixed, host)?)
            }
            Written::Taken(pattern) => Asks::Taken(self.matching(pattern, fixed, host)?),
            Written::Deadlock => Asks::Deadlock,
            Written::Sink => Asks::Sink,
            Written::DeadlockOf(patterns) => all(patterns, Few::None, host)?,
            Written::Controller(patterns) => all(patterns, Few::One, host)?,
            Written::Deterministic(patterns) => all(patterns, Few::AtMostOne, host)?,
            Written::Change(change, text) => self.change(*change, text, fixed, host)?,
            Written::BeforeAfter(text) => self.before_after(text, fixed, host)?,
            Written::DetOutput => {
                return Err(unsupported(
                    span,
                    "`det_output` has two contradicting descriptions, so it is not supported",
                ));
            }
            Written::Error => {
                return Err(unsupported(
                    span,
                    "`error` has no meaning here: a fault in the model ends the check and is reported by itself",
                ));
            }
            Written::Current => {
                return Err(unsupported(
                    span,
                    "`current` has no meaning here: there is no animator with a current state",
                ));
            }
        })
    }

    fn question(&mut self, question: QuestionId) -> usize {
        self.questions.push(question);
        self.questions.len() - 1
    }

    /// A text, asked once for all values of quantified names.
    fn template(
        &mut self,
        text: &Text,
        fixed: &[Fixed],
        wanted: Wanted,
        host: &mut Host<'_>,
    ) -> Result<QuestionId, Diagnostics> {
        let names: Vec<&str> = fixed.iter().map(|fixed| fixed.name.name.as_str()).collect();
        let key = (text.span, names.join(","));
        if let Some(known) = self.templates.get(&key) {
            return Ok(*known);
        }
        let template = self.ask(text, fixed, wanted, host)?;
        self.templates.insert(key, template);
        Ok(template)
    }

    fn matching(
        &mut self,
        pattern: &Pattern,
        fixed: &[Fixed],
        host: &mut Host<'_>,
    ) -> Result<Match, Diagnostics> {
        let event = event(pattern, host.subject)?;
        let parameters = host.subject.description().event(event).parameters.len();
        if pattern.arguments.len() > parameters {
            let name = &pattern.name.text;
            let message = format!(
                "`{name}` has {}, and {} are given",
                crate::report::counted(parameters as u64, "parameter"),
                pattern.arguments.len()
            );
            return Err(misfit(pattern.name.span, message));
        }
        let mut arguments = Vec::new();
        for (position, argument) in pattern.arguments.iter().enumerate() {
            let Argument::Is(text) = argument else {
                continue;
            };
            let wanted = Wanted::Equal(Holder::Parameter(event, position));
            let template = self.ask(text, fixed, wanted, host)?;
            let question = instance(template, 1, fixed, text.span, host)?;
            arguments.push((position, self.question(question)));
        }
        Ok(Match { event, arguments })
    }

    fn change(
        &mut self,
        change: Change,
        text: &Text,
        fixed: &[Fixed],
        host: &mut Host<'_>,
    ) -> Result<Asks, Diagnostics> {
        let template = self.template(text, fixed, Wanted::Expression, host)?;
        let value = instance(template, 0, fixed, text.span, host)?;
        let how = match change {
            Change::Unchanged => subject::Change::Unchanged,
            Change::Changed => subject::Change::Changed,
            Change::Increasing => subject::Change::Increasing,
            Change::Decreasing => subject::Change::Decreasing,
        };
        let compare = host.subject.change(value, how);
        let compare =
            compare.map_err(|lacks| misfit(text.span, format!("`{}` {lacks}", change.word())))?;
        let value = self.question(value);
        Ok(Asks::Change(value, self.question(compare), how))
    }

    fn before_after(
        &mut self,
        text: &Text,
        fixed: &[Fixed],
        host: &mut Host<'_>,
    ) -> Result<Asks, Diagnostics> {
        let template = self.ask(text, fixed, Wanted::BeforeAfter, host)?;
        let before = host.subject.before(template);
        let question = instance(template, before.len(), fixed, text.span, host)?;
        Ok(Asks::BeforeAfter(self.question(question), before))
    }

    /// Asks a text in which quantified names are free.
    fn ask(
        &mut self,
        text: &Text,
        fixed: &[Fixed],
        wanted: Wanted,
        host: &mut Host<'_>,
    ) -> Result<QuestionId, Diagnostics> {
        let scope: Vec<ScopeName> = fixed.iter().map(|fixed| fixed.name.clone()).collect();
        let question = Question {
            text: &text.text,
            span: Some(text.span),
            wanted,
            scope: &scope,
        };
        let asked = host.subject.ask(&question, host.sources)?;
        self.asked.push(asked);
        Ok(asked)
    }
}

/// A question with the values that quantified names, which are its names from this position on, have at the moment.
pub(super) fn instance(
    template: QuestionId,
    from: usize,
    fixed: &[Fixed],
    span: Span,
    host: &mut Host<'_>,
) -> Result<QuestionId, Diagnostics> {
    let mut question = template;
    for fixed in fixed {
        let value = std::slice::from_ref(&fixed.value);
        question = host.subject.bind(question, from, value).ok_or_else(|| {
            let name = &fixed.name.name;
            let message = format!("`{name}` ranges over values that cannot be written");
            unsupported(span, &message)
        })?;
    }
    Ok(question)
}

/// The event that a pattern names.
fn event(pattern: &Pattern, subject: &dyn Subject) -> Result<EventId, Diagnostics> {
    let description = subject.description();
    let name = pattern.name.text.as_str();
    if let Some(event) = description.event_named(name) {
        return Ok(event);
    }
    let message = format!("the model has no {} `{name}`", subject.words().event);
    let error = Diagnostic::error(&codes::MISFIT, pattern.name.span, message);
    let names = description.events.iter().map(|event| event.name.as_str());
    Err(one(match near::nearest(name, names) {
        Some(known) => error.help(format!("did you mean `{known}`?")),
        None => error,
    }))
}

/// `Op(1,_)`
fn shown(pattern: &Pattern) -> String {
    if pattern.arguments.is_empty() {
        return pattern.name.text.clone();
    }
    let arguments: Vec<&str> = pattern
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::Any => "_",
            Argument::Is(text) => text.text.trim(),
        })
        .collect();
    format!("{}({})", pattern.name.text, arguments.join(","))
}

/// Whether a text uses a name.
fn mentions(text: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_name) && !after.is_some_and(is_name)
    })
}

fn misfit(span: Span, message: String) -> Diagnostics {
    one(Diagnostic::error(&codes::MISFIT, span, message))
}

pub(super) fn unsupported(span: Span, message: &str) -> Diagnostics {
    one(Diagnostic::error(&codes::UNSUPPORTED, span, message))
}
