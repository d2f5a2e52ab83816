//! Numbers the atoms of all formulas of a run and says what each of them asks.
//!
//! Invariant: the same text with the same values of quantified names is one atom, whatever formulas it stands in.
//! Invariant: an atom asks the compiled and the reference evaluator the same [`Question`]s, and they share nothing else.

use std::collections::HashMap;

use base::{Diagnostic, Diagnostics, Name, Span, near};
use lang_formula::{Argument, Atom as Written, Change, Pattern, Text, codes};
use lang_math::Op;
use model::{Expr, ExprId, Kind, Local, LocalId, Model, Ty, Value, VarId};
use model_compile::Question;
use smallvec::smallvec;

use super::host::{Bound, Host, Template, one};
use super::literal;

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
    Change(usize, usize),
    /// A predicate of the state after a step and of these variables before it.
    BeforeAfter(usize, Vec<VarId>),
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

/// Transitions of an action whose arguments satisfy questions.
#[derive(Clone, Debug)]
pub(super) struct Match {
    /// The action.
    pub(super) action: usize,
    /// Positions of parameters, with a predicate of each.
    pub(super) arguments: Vec<(usize, usize)>,
}

impl Atom {
    /// Whether it is about the step that leaves a state.
    pub(super) fn is_step(&self) -> bool {
        matches!(
            self.asks,
            Asks::Taken(_) | Asks::Change(..) | Asks::BeforeAfter(..)
        )
    }
}

/// All atoms of a run.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    /// The atoms, by number.
    pub(super) atoms: Vec<Atom>,
    /// What they ask of states.
    pub(super) questions: Vec<Question>,
    known: HashMap<String, u32>,
    templates: HashMap<(Span, String), Template>,
}

/// A quantified name with the value that it has at the moment.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    pub(super) bound: Bound,
    pub(super) value: Value,
}

impl Atoms {
    /// Whether some atom must hear of the steps of the whole model: with representatives steps lead to other states, with
    /// fewer interleavings some are left out.
    pub(super) fn need_all_steps(&self, has_representatives: bool) -> bool {
        self.atoms.iter().any(|atom| match atom.asks {
            Asks::Sink => true,
            Asks::Enabled(_) | Asks::Count(..) => !has_representatives,
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
            .filter(|fixed| mentions(text, &fixed.bound.name))
            .collect();
        let mut text = text.to_owned();
        if !used.is_empty() {
            let values: Vec<String> = used
                .iter()
                .map(|f| format!("{} = {}", f.bound.name, f.value.told(&host.model.tys)))
                .collect();
            text = format!("{text} for {}", values.join(", "));
        }
        // A name that hides another one makes the same text mean something else.
        let typings: Vec<&str> = fixed.iter().map(|f| f.bound.typing.as_str()).collect();
        let key = match used.is_empty() {
            true => text.clone(),
            false => format!("{text}\n{}", typings.join("\n")),
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
                let template = self.template(text, fixed, host, |h, t, b| h.predicate(t, b))?;
                let expr = instance(&template, fixed, text.span, host)?;
                Asks::Holds(self.question(expr, Vec::new()))
            }
            Written::Goal => {
                let text = Text {
                    text: "GOAL".to_owned(),
                    span,
                };
                let template = host.predicate(&text, &[])?;
                Asks::Holds(self.question(template.expr, Vec::new()))
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

    fn question(&mut self, expr: ExprId, names: Vec<LocalId>) -> usize {
        self.questions.push(Question { expr, names });
        self.questions.len() - 1
    }

    /// A text, lowered once for all values of quantified names.
    fn template(
        &mut self,
        text: &Text,
        fixed: &[Fixed],
        host: &mut Host<'_>,
        lower: impl FnOnce(&mut Host<'_>, &Text, &[Bound]) -> Result<Template, Diagnostics>,
    ) -> Result<Template, Diagnostics> {
        let bound: Vec<Bound> = fixed.iter().map(|fixed| fixed.bound.clone()).collect();
        let names: Vec<&str> = bound.iter().map(|bound| bound.name.as_str()).collect();
        let key = (text.span, names.join(","));
        if let Some(known) = self.templates.get(&key) {
            return Ok(known.clone());
        }
        let template = lower(host, text, &bound)?;
        self.templates.insert(key, template.clone());
        Ok(template)
    }

    fn matching(
        &mut self,
        pattern: &Pattern,
        fixed: &[Fixed],
        host: &mut Host<'_>,
    ) -> Result<Match, Diagnostics> {
        let action = action(pattern, host.model)?;
        let parameters = host.model.actions[action].parameters.clone();
        if pattern.arguments.len() > parameters.len() {
            let name = &pattern.name.text;
            let message = format!(
                "`{name}` has {}, and {} are given",
                crate::report::counted(parameters.len() as u64, "parameter"),
                pattern.arguments.len()
            );
            return Err(misfit(pattern.name.span, message));
        }
        let mut arguments = Vec::new();
        for (position, argument) in pattern.arguments.iter().enumerate() {
            let Argument::Is(text) = argument else {
                continue;
            };
            let ty = host.model.locals[parameters[position]].ty;
            let name = host.fresh("argument", &[&text.text]);
            let typing = host.typing(&name, ty);
            let mut bound = vec![Bound { name, typing }];
            bound.extend(fixed.iter().map(|fixed| fixed.bound.clone()));
            let mut template = host.equation(text, &bound)?;
            let argument = template.names.remove(0);
            let expr = instance(&template, fixed, text.span, host)?;
            arguments.push((position, self.question(expr, vec![argument])));
        }
        Ok(Match { action, arguments })
    }

    fn change(
        &mut self,
        change: Change,
        text: &Text,
        fixed: &[Fixed],
        host: &mut Host<'_>,
    ) -> Result<Asks, Diagnostics> {
        let template = self.template(text, fixed, host, |h, t, b| h.expression(t, b))?;
        let value = instance(&template, fixed, text.span, host)?;
        let model = &mut *host.model;
        let ty = model.exprs[value].ty;
        let Some(ty) = ty else {
            return Err(misfit(text.span, "an expression is needed here".to_owned()));
        };
        let is_number = matches!(model.tys[ty], Ty::Int | Ty::Real);
        if matches!(change, Change::Increasing | Change::Decreasing) && !is_number {
            let message = format!("`{}` needs a number", change.word());
            return Err(misfit(text.span, message));
        }
        let op = match change {
            Change::Unchanged => Op::Equal,
            Change::Changed => Op::NotEqual,
            Change::Increasing => Op::Less,
            Change::Decreasing => Op::Greater,
        };
        let span = text.span;
        let before = model.locals.push(Local {
            name: Name::new("before"),
            ty,
            span,
        });
        let left = model.exprs.push(Expr {
            kind: Kind::Local(before),
            ty: Some(ty),
            span,
        });
        let compare = model.exprs.push(Expr {
            kind: Kind::Op(op, smallvec![left, value]),
            ty: None,
            span,
        });
        let value = self.question(value, Vec::new());
        Ok(Asks::Change(value, self.question(compare, vec![before])))
    }

    fn before_after(
        &mut self,
        text: &Text,
        fixed: &[Fixed],
        host: &mut Host<'_>,
    ) -> Result<Asks, Diagnostics> {
        let (renamed, names) = without_marks(text, host)?;
        let mut bound = Vec::new();
        for (variable, name) in &names {
            let typing = host.typing(name, host.model.variables[*variable].ty);
            let name = name.clone();
            bound.push(Bound { name, typing });
        }
        bound.extend(fixed.iter().map(|fixed| fixed.bound.clone()));
        let mut template = host.predicate(&renamed, &bound)?;
        let before: Vec<LocalId> = template
            .names
            .drain(..names.len().min(template.names.len()))
            .collect();
        let expr = instance(&template, fixed, text.span, host)?;
        let question = self.question(expr, before);
        let variables = names.into_iter().map(|(variable, _)| variable).collect();
        Ok(Asks::BeforeAfter(question, variables))
    }
}

/// A text whose `x$0` became names of their own, of the same length so that places stay.
fn without_marks(
    text: &Text,
    host: &Host<'_>,
) -> Result<(Text, Vec<(VarId, String)>), Diagnostics> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut renamed = text.clone();
    let mut found: Vec<(VarId, String)> = Vec::new();
    while let Some(at) = renamed.text.find("$0") {
        let stem = renamed.text[..at].trim_end_matches(is_name).len();
        let name = renamed.text[stem..at].to_owned();
        let known = Name::new(&name);
        let mut variables = host.model.variables.iter();
        let Some((variable, _)) = variables.find(|(_, v)| v.name == known) else {
            let start = text.span.start + stem as u32;
            let span = Span::new(text.span.file, start, start + name.len() as u32 + 2);
            return Err(misfit(
                span,
                format!("`{name}` is no variable of the model"),
            ));
        };
        let before = match found.iter().find(|(known, _)| *known == variable) {
            Some((_, before)) => before.clone(),
            None => {
                let digits = (0..100).map(|n| format!("{name}{}", two_letters(n)));
                let mut free = digits.filter(|before| {
                    let before = Name::new(before);
                    !renamed.text.contains(before.as_str())
                        && !host.model.variables.iter().any(|(_, v)| v.name == before)
                });
                let before = free.next().unwrap_or_else(|| format!("{name}_0"));
                found.push((variable, before.clone()));
                before
            }
        };
        renamed.text.replace_range(stem..at + 2, &before);
    }
    Ok((renamed, found))
}

/// `_0`, `_1`, …
fn two_letters(number: u32) -> String {
    match number {
        0..=9 => format!("_{number}"),
        _ => format!("{number}"),
    }
}

/// A template with the values that quantified names have at the moment.
pub(super) fn instance(
    template: &Template,
    fixed: &[Fixed],
    span: Span,
    host: &mut Host<'_>,
) -> Result<ExprId, Diagnostics> {
    let mut expr = template.expr;
    for (name, fixed) in template.names.iter().zip(fixed) {
        expr = literal::bind(host.model, *name, &fixed.value, expr).ok_or_else(|| {
            let name = &fixed.bound.name;
            let message = format!("`{name}` ranges over values that cannot be written");
            unsupported(span, &message)
        })?;
    }
    Ok(expr)
}

/// The action that a pattern names.
fn action(pattern: &Pattern, model: &Model) -> Result<usize, Diagnostics> {
    let name = pattern.name.text.as_str();
    let mut actions = model.actions.iter();
    if let Some(action) = actions.position(|action| action.name.as_str() == name) {
        return Ok(action);
    }
    let message = format!("the model has no operation `{name}`");
    let error = Diagnostic::error(&codes::MISFIT, pattern.name.span, message);
    let names = model.actions.iter().map(|action| action.name.as_str());
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
