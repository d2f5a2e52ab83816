//! Murphi as a subject: rules that fire over bounded data.
//!
//! `language` reads, `describe` says what a state and an event are, `ground` is the compiled system, `judge` the reference
//! evaluator, `questions` are expressions that a person typed, `value` is what a component holds.

mod describe;
mod editor;
mod evidence;
mod ground;
mod judge;
mod language;
mod questions;
mod value;

use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Name, Sources};
use lower_murphi::Reading;
use program::{Program, PropertyKind};
use program_compile::rules::Rules;
use subject::codes::NOT_EXECUTABLE;
use subject::symmetry::{Alike, Breaks, Partial, Precision, Symmetry};
use subject::{
    Asking, Description, Evaluator, Form, FormulaKind, Ground, Holder, Judge, Knowledge, Question,
    QuestionId, Setting, Subject, Text, Tree, Value, Wd, Words,
};

pub use language::Murphi;

use ground::Compiled;
use judge::Referee;
use language::Loaded;
use questions::Asked;

/// An opened program of Murphi.
pub(crate) struct RuleSet {
    loaded: Loaded,
    options: lower_murphi::Options,
    program: Arc<Program>,
    description: Description,
    /// The property of each label.
    labels: Vec<usize>,
    asked: Vec<Asked>,
}

impl RuleSet {
    /// Lowers a checked text.
    pub(crate) fn open(loaded: Loaded, setting: &Setting) -> RuleSet {
        let limit = setting
            .scopes
            .preferences
            .iter()
            .find(|(name, _)| name.as_str() == "LOOP");
        let options = lower_murphi::Options {
            reading: match setting.wd {
                Wd::Strict => Reading::Strict,
                Wd::Default | Wd::Lenient => Reading::Copying,
            },
            loop_limit: limit
                .and_then(|(_, text)| text.parse().ok())
                .unwrap_or(program::LOOP_LIMIT),
            assertions: setting.obligations.assertions,
        };
        let (program, _) =
            lower_murphi::lower_with(loaded.name, &loaded.tree, &loaded.checked, options, &[]);
        let labels = labels(&program);
        let mut description = describe::description(&program, &labels);
        let formulas = loaded.temporal_definitions().into_iter();
        description
            .not_checked
            .extend(formulas.map(|formula| formula.name.to_string()));
        RuleSet {
            loaded,
            options,
            program: Arc::new(program),
            description,
            labels,
            asked: Vec::new(),
        }
    }

    /// Lowers the text again, after questions were added to it: what was there keeps its numbers.
    fn refresh(&mut self) {
        let Loaded {
            name,
            tree,
            checked,
            ..
        } = &self.loaded;
        let asked: Vec<_> = self.asked.iter().map(|asked| asked.read).collect();
        let (program, exprs) = lower_murphi::lower_with(*name, tree, checked, self.options, &asked);
        for (asked, expr) in self.asked.iter_mut().zip(exprs) {
            asked.expr = expr;
        }
        self.program = Arc::new(program);
    }
}

/// The properties that are labels: invariants, then covers of states, in the order of the text.
fn labels(program: &Program) -> Vec<usize> {
    let of = |kind: PropertyKind| {
        let properties = program.properties.iter().enumerate();
        properties
            .filter(move |(_, property)| property.kind == kind && property.condition.is_some())
            .map(|(at, _)| at)
    };
    of(PropertyKind::Invariant)
        .chain(of(PropertyKind::Cover))
        .collect()
}

impl Subject for RuleSet {
    fn description(&self) -> &Description {
        &self.description
    }

    fn ground(&self, form: &Form<'_>) -> Result<Option<Arc<dyn Ground>>, Diagnostics> {
        if form.evaluator == Evaluator::Reference {
            let message = "--evaluator reference: it judges paths of rules and explores none";
            let mut refused = Diagnostics::new();
            refused.push(Diagnostic::global(&NOT_EXECUTABLE, message));
            return Err(refused);
        }
        Ok(Some(Arc::new(Compiled::new(self, form))))
    }

    fn judge(&self, _wd: Wd, _budget: u64) -> Box<dyn Judge + '_> {
        Box::new(Referee::new(self))
    }

    fn beginning(&self, after: &[Option<Value>]) -> Option<(Name, Vec<(Name, Value)>)> {
        Referee::new(self).beginning_of(after)
    }

    fn words(&self) -> Words {
        Words {
            event: "rule",
            events: "rules",
            choice: "rule",
            listed: "rules",
            sets: "scalarsets",
        }
    }

    fn read_value(&self, holder: Holder, tree: &Tree) -> Option<Value> {
        value::of_tree(
            &self.program,
            describe::type_of(&self.program, holder)?,
            tree,
        )
    }

    fn type_text(&self, holder: Holder) -> String {
        describe::type_of(&self.program, holder).map_or_else(
            || "value".to_owned(),
            |ty| describe::type_text(&self.program, ty),
        )
    }

    fn ask(
        &mut self,
        question: &Question<'_>,
        sources: &mut Sources,
    ) -> Result<QuestionId, Diagnostics> {
        questions::ask(self, question, sources)
    }

    fn wording(&self, question: QuestionId) -> String {
        self.asked[question.index()].text.clone()
    }

    fn kind(&self, question: QuestionId) -> FormulaKind {
        self.asked[question.index()].kind
    }

    fn value_at(
        &self,
        question: QuestionId,
        ground: &dyn Ground,
        state: &[u32],
        _halt: &pins::Halt,
    ) -> Knowledge {
        let Some(compiled) = ground.as_any().downcast_ref::<Compiled>() else {
            return Knowledge::Unknown("the state belongs to another system".to_owned());
        };
        let state = compiled.rules.decode(state);
        let machine = program_interp::Machine::new(&self.program);
        let asked = &self.asked[question.index()];
        match machine.value(&state, asked.expr) {
            Ok(program::Value::Int(number)) if asked.kind == FormulaKind::Predicate => {
                Knowledge::Truth(number != 0)
            }
            Ok(found) => {
                let ty = self.program.exprs[asked.expr].ty;
                Knowledge::Value(value::of(&self.program, ty, found))
            }
            Err(fault) => Knowledge::Undefined(crate::judging::fault(&fault)),
        }
    }

    fn asking<'a>(
        &'a self,
        ground: &'a dyn Ground,
        questions: &[QuestionId],
    ) -> Box<dyn Asking + 'a> {
        Box::new(questions::Asker::new(self, ground, questions))
    }

    fn symmetry(&self, _questions: &[QuestionId]) -> Symmetry {
        let form = program_compile::rules::Form::Families;
        let rules = Rules::new(
            self.program.clone(),
            program_compile::rules::Options {
                form,
                ..Default::default()
            },
        );
        let sorts = rules.sorts();
        let sets = sorts.iter().map(|sort| {
            let elements: Vec<String> = sort.elements.iter().map(|name| name.to_string()).collect();
            let movable = if elements.len() > 1 {
                elements.len()
            } else {
                0
            };
            Alike {
                name: sort.name.map_or_else(String::new, |name| name.to_string()),
                size: elements.len(),
                interchangeable: movable,
                classes: vec![elements],
                because: Vec::new(),
            }
        });
        let precision = rules.precision();
        let components = self.program.variables.iter().map(|(id, variable)| {
            let words = describe::type_text(&self.program, variable.ty);
            let precision = match precision[id.index()] {
                None => Precision::Plain,
                Some(true) => Precision::Precise,
                Some(false) => {
                    Precision::Imprecise("it relates interchangeable elements with each other")
                }
            };
            (words, precision)
        });
        let mut symmetry = Symmetry::none();
        symmetry.sets = sets.collect();
        symmetry.components = components.collect();
        symmetry.imprecise = rules.imprecise_slots();
        symmetry
    }

    fn partial_symmetry(&self, questions: &[QuestionId]) -> Option<Partial> {
        // Types say what is interchangeable, and no rule can name an element of a scalarset.
        Some(Partial {
            known: self.symmetry(questions),
            breaks: Breaks::Nothing,
        })
    }

    fn certifying(&self) -> Option<&dyn subject::evidence::Certifying> {
        Some(self)
    }

    fn source(&mut self) -> &mut dyn Text {
        &mut self.loaded
    }

    fn model_text(&self) -> String {
        program::text::program(&self.program)
    }
}
