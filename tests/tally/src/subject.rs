//! An opened tally: what it consists of, its grounds, and questions about its states.

use std::sync::Arc;

use base::{Class, Code, Diagnostic, Diagnostics, Name, Sources, Span};
use pins::{LabelKind, SlotSet};
use subject::codes::NOT_EXECUTABLE;
use subject::symmetry::{Alike, Precision, Symmetry};
use subject::{
    Asking, Change, Component, ComponentId, Description, Evaluator, Form, FormulaKind, Ground,
    Holder, Judge, Knowledge, Label, Parameter, Parts, Question, QuestionId, Subject, Text, Tree,
    Value, Wanted, Wd,
};

use crate::Checked;
use crate::apart::{atoms, named};
use crate::judge::Referee;
use crate::model::{Atom, Comparison, Relation, Sum};
use crate::quick::{Quick, Ready, net};
use crate::read::{self, Formula, Place};
use crate::system::Net;
use crate::value::Amount;

/// A question is not one that the language can answer.
pub(crate) static QUESTION: Code = Code {
    id: "T0004",
    class: Class::Unsupported,
    title: "the language has no such question",
    explain: "A tally has no values before a step in predicates, and no sets of numbers.",
};

/// A question that was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// What it says.
    pub(crate) formula: Formula,
    /// The names that whoever asks gives numbers to.
    pub(crate) names: Vec<String>,
    /// The workers that it tells apart, counted from 0, and where; `None` for all of them.
    pub(crate) apart: Vec<Option<usize>>,
    pub(crate) span: Span,
}

/// An opened tally.
pub(crate) struct Tallies {
    pub(crate) checked: Checked,
    description: Description,
    pub(crate) asked: Vec<Asked>,
}

impl Tallies {
    pub(crate) fn new(checked: Checked) -> Tallies {
        let description = describe(&checked);
        Tallies {
            checked,
            description,
            asked: Vec::new(),
        }
    }

    pub(crate) fn asked(&self, question: QuestionId) -> &Asked {
        &self.asked[question.index()]
    }

    fn add(&mut self, asked: Asked) -> QuestionId {
        self.asked.push(asked);
        QuestionId::new(self.asked.len() - 1)
    }

    fn predicate(&self, question: QuestionId) -> &crate::model::Predicate {
        match &self.asked(question).formula {
            Formula::Predicate(predicate) => predicate,
            Formula::Expression(_) => unreachable!("labels and goals are asked as predicates"),
        }
    }
}

/// The counters that a formula reads.
fn counters(formula: &Formula) -> Vec<ComponentId> {
    let atoms: Vec<Atom> = match formula {
        Formula::Predicate(predicate) => predicate.iter().flatten().flat_map(atoms).collect(),
        Formula::Expression(sum) => sum.iter().map(|(_, atom)| *atom).collect(),
    };
    let mut found: Vec<ComponentId> = atoms
        .into_iter()
        .filter_map(|atom| match atom {
            Atom::Counter(id, _) => Some(ComponentId::new(id)),
            _ => None,
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

fn describe(checked: &Checked) -> Description {
    let model = &checked.model;
    let components = model.counters.iter().map(|counter| Component {
        name: counter.name,
        is_constant: false,
        span: Some(counter.span),
    });
    let events = model.events.iter().map(|event| subject::Event {
        name: event.name,
        parameters: ["worker", "partner"][..event.parameters()]
            .iter()
            .map(|name| Parameter {
                name: Name::new(name),
            })
            .collect(),
        results: Vec::new(),
        span: Some(event.span),
    });
    let labels = model.claims.iter().map(|claim| Label {
        kind: match claim.is_invariant {
            true => LabelKind::Invariant,
            false => LabelKind::Assertion,
        },
        label: None,
        text: model.show_predicate(&claim.predicate, &[]),
        span: Some(claim.span),
        is_static: false,
        reads: counters(&Formula::Predicate(claim.predicate.clone())),
    });
    Description {
        name: model.name.clone(),
        components: components.collect(),
        events: events.collect(),
        labels: labels.collect(),
        ..Description::default()
    }
}

fn refused(code: &'static Code, span: Span, message: &str) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(Diagnostic::error(code, span, message));
    diagnostics
}

impl Subject for Tallies {
    fn description(&self) -> &Description {
        &self.description
    }

    fn ground(&self, form: &Form<'_>) -> Result<Option<Arc<dyn Ground>>, Diagnostics> {
        let model = &self.checked.model;
        if form.evaluator == Evaluator::Reference {
            let message = "the reference evaluator of Tally judges, and does not search";
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(Diagnostic::global(&NOT_EXECUTABLE, message));
            return Err(diagnostics);
        }
        let in_parts = form.parts != Parts::Whole;
        if in_parts && !model.counters.iter().any(|counter| counter.is_own) {
            return Ok(None);
        }
        let label = |kind, name: &str, span| pins::Label {
            kind,
            name: Name::new(name),
            reads: SlotSet::new(),
            span,
        };
        let own = self.description.labels.iter().zip(&model.claims);
        let own = own.map(|(told, one)| (label(told.kind, &told.text, told.span), &one.predicate));
        let more = form.labels.iter().map(|id| (LabelKind::Assertion, *id));
        let more = more.chain(form.goal.map(|id| (LabelKind::Goal, id)));
        let more = more.map(|(kind, id)| {
            (
                label(kind, &self.wording(id), Some(self.asked(id).span)),
                self.predicate(id),
            )
        });
        let mut net = Net::new(model, own.chain(more).collect(), in_parts);
        if let Some(classes) = form.symmetry.and_then(|known| known.found::<Vec<u32>>())
            && !in_parts
        {
            net = net.permuted(classes);
        }
        Ok(Some(Arc::new(net)))
    }

    fn judge(&self, _wd: Wd, _budget: u64) -> Box<dyn Judge + '_> {
        Box::new(Referee {
            model: &self.checked.model,
            asked: &self.asked,
        })
    }

    fn read_value(&self, holder: Holder, tree: &Tree) -> Option<Value> {
        let amount = Amount::read(tree)?;
        let model = &self.checked.model;
        let fits = match (holder, &amount) {
            (Holder::Component(id), Amount::Each(all)) => {
                model.counters[id.index()].is_own && all.len() == model.workers
            }
            (Holder::Component(id), Amount::Number(_)) => !model.counters[id.index()].is_own,
            (_, Amount::Number(_)) => true,
            (_, Amount::Each(_)) => false,
        };
        fits.then(|| Value::new(amount))
    }

    fn type_text(&self, holder: Holder) -> String {
        match holder {
            Holder::Component(id) if self.checked.model.counters[id.index()].is_own => "each",
            Holder::Component(_) => "number",
            Holder::Parameter(..) | Holder::Result(..) => "worker",
        }
        .to_owned()
    }

    fn ask(
        &mut self,
        question: &Question<'_>,
        sources: &mut Sources,
    ) -> Result<QuestionId, Diagnostics> {
        let span = question
            .span
            .filter(|span| sources.slice(*span) == question.text);
        let span = span.unwrap_or_else(|| {
            let file = sources.add("<expression>", question.text.to_owned());
            Span::new(file, 0, question.text.len() as u32)
        });
        let mut names: Vec<String> = question
            .scope
            .iter()
            .map(|name| name.name.clone())
            .collect();
        let place = Place {
            file: span.file,
            text: question.text,
            start: span.start as usize,
        };
        let model = &self.checked.model;
        let mut formula = read::formula(&place, model, &names)?;
        let mut apart: Vec<Option<usize>> = match &formula {
            Formula::Predicate(any) => any
                .iter()
                .flatten()
                .flat_map(atoms)
                .filter_map(named)
                .map(Some)
                .collect(),
            Formula::Expression(sum) => sum
                .iter()
                .filter_map(|(_, atom)| named(*atom))
                .map(Some)
                .collect(),
        };
        match (question.wanted, &mut formula) {
            (Wanted::Predicate, Formula::Expression(_)) => {
                return Err(refused(&read::MISFIT, span, "a predicate is needed here"));
            }
            (Wanted::Expression | Wanted::Equal(_), Formula::Predicate(_)) => {
                return Err(refused(&read::MISFIT, span, "an expression is needed here"));
            }
            (Wanted::BeforeAfter, _) => {
                return Err(refused(
                    &QUESTION,
                    span,
                    "values before a step are not known here",
                ));
            }
            (Wanted::Equal(Holder::Component(id)), _) if model.counters[id.index()].is_own => {
                return Err(refused(
                    &QUESTION,
                    span,
                    "a number is compared with one for each worker",
                ));
            }
            (Wanted::Equal(holder), Formula::Expression(sum)) => {
                if matches!(holder, Holder::Parameter(..)) {
                    // A worker is named by its number.
                    apart.push(match &sum[..] {
                        [(1, Atom::Number(worker @ 1..))] => Some(*worker as usize - 1),
                        _ => None,
                    });
                }
                shift_names(sum);
                names.insert(0, "argument".to_owned());
                formula = compared(Relation::Equal, sum.clone());
            }
            _ => {}
        }
        Ok(self.add(Asked {
            formula,
            names,
            apart,
            span,
        }))
    }

    fn wording(&self, question: QuestionId) -> String {
        let asked = self.asked(question);
        match &asked.formula {
            Formula::Predicate(any) => self.checked.model.show_predicate(any, &asked.names),
            Formula::Expression(sum) => self.checked.model.show_sum(sum, &asked.names),
        }
    }

    fn kind(&self, question: QuestionId) -> FormulaKind {
        match self.asked(question).formula {
            Formula::Predicate(_) => FormulaKind::Predicate,
            Formula::Expression(_) => FormulaKind::Expression,
        }
    }

    fn change(&mut self, expression: QuestionId, change: Change) -> Result<QuestionId, String> {
        let mut asked = self.asked(expression).clone();
        let Formula::Expression(sum) = &mut asked.formula else {
            return Err("needs an expression".to_owned());
        };
        shift_names(sum);
        let relation = match change {
            Change::Unchanged => Relation::Equal,
            Change::Changed => Relation::Unequal,
            Change::Increasing => Relation::Less,
            Change::Decreasing => Relation::Greater,
        };
        asked.formula = compared(relation, sum.clone());
        asked.names.insert(0, "before".to_owned());
        Ok(self.add(asked))
    }

    fn before(&self, _question: QuestionId) -> Vec<ComponentId> {
        Vec::new()
    }

    fn bind(&mut self, question: QuestionId, from: usize, values: &[Value]) -> Option<QuestionId> {
        let mut asked = self.asked(question).clone();
        let numbers: Vec<i64> = values
            .iter()
            .map(|value| Amount::of(value).numbers()[0])
            .collect();
        let bind = |atom: &mut Atom| match *atom {
            Atom::Name(at) if at >= from + numbers.len() => *atom = Atom::Name(at - numbers.len()),
            Atom::Name(at) if at >= from => *atom = Atom::Number(numbers[at - from]),
            _ => {}
        };
        match &mut asked.formula {
            Formula::Expression(sum) => sum.iter_mut().for_each(|(_, atom)| bind(atom)),
            Formula::Predicate(any) => any.iter_mut().flatten().for_each(|one| {
                one.left
                    .iter_mut()
                    .chain(&mut one.right)
                    .for_each(|(_, atom)| bind(atom));
            }),
        }
        asked.names.drain(from..from + numbers.len());
        Some(self.add(asked))
    }

    fn range(&mut self, _predicate: QuestionId) -> Result<Vec<Value>, String> {
        Err("Tally has no sets to choose from".to_owned())
    }

    fn reads(&self, question: QuestionId) -> Vec<ComponentId> {
        counters(&self.asked(question).formula)
    }

    fn value_at(
        &self,
        question: QuestionId,
        ground: &dyn Ground,
        state: &[u32],
        _halt: &pins::Halt,
    ) -> Knowledge {
        match &self.asked(question).formula {
            Formula::Predicate(any) => Knowledge::Truth(net(ground).compile(any).holds(state, &[])),
            Formula::Expression(sum) => {
                let number = net(ground).compile_sum(sum).value(state, &[]);
                Knowledge::Value(Value::new(Amount::Number(number)))
            }
        }
    }

    fn asking<'a>(
        &'a self,
        ground: &'a dyn Ground,
        questions: &[QuestionId],
    ) -> Box<dyn Asking + 'a> {
        let compile = |id: &QuestionId| match &self.asked(*id).formula {
            Formula::Predicate(any) => Ready::Predicate(net(ground).compile(any)),
            Formula::Expression(sum) => Ready::Expression(net(ground).compile_sum(sum)),
        };
        Box::new(Quick {
            questions: questions.iter().map(compile).collect(),
            state: Vec::new(),
        })
    }

    fn symmetry(&self, questions: &[QuestionId]) -> Symmetry {
        let model = &self.checked.model;
        if model.workers == 0 {
            return Symmetry::none();
        }
        let (classes, because) = self.classes(questions);
        let alike = classes.iter().filter(|class| **class == 0).count();
        let name = |worker: usize| (worker + 1).to_string();
        let mut members = vec![Vec::new()];
        for (worker, class) in classes.iter().enumerate() {
            match class {
                0 => members[0].push(name(worker)),
                _ => members.push(vec![name(worker)]),
            }
        }
        members.retain(|class| !class.is_empty());
        let mut known = Symmetry::none();
        known.sets.push(Alike {
            name: "workers".to_owned(),
            size: model.workers,
            interchangeable: if alike > 1 { alike } else { 0 },
            classes: members,
            because,
        });
        let own = model
            .counters
            .iter()
            .filter(|counter| counter.is_own)
            .count();
        for (slot, counter) in model.counters.iter().enumerate() {
            let precision = match (counter.is_own, own) {
                (false, _) => Precision::Plain,
                (true, 1) => Precision::Precise,
                (true, _) => Precision::Imprecise("several counters of one worker"),
            };
            if matches!(precision, Precision::Imprecise(_)) {
                known.imprecise.push(slot);
            }
            known.components.push((
                self.type_text(Holder::Component(ComponentId::new(slot))),
                precision,
            ));
        }
        known.with(classes)
    }

    fn source(&mut self) -> &mut dyn Text {
        &mut self.checked
    }

    fn model_text(&self) -> String {
        self.checked.model.show()
    }
}

/// The first name is a new one.
fn shift_names(sum: &mut Sum) {
    for (_, atom) in sum {
        if let Atom::Name(at) = atom {
            *at += 1;
        }
    }
}

/// The first name, compared with a sum.
fn compared(relation: Relation, right: Sum) -> Formula {
    let left = vec![(1, Atom::Name(0))];
    Formula::Predicate(vec![vec![Comparison {
        left,
        relation,
        right,
    }]])
}
