//! Set theory as a subject: classical B, Event-B and Z are languages whose models are evaluated, solved and judged here.
//!
//! A `Sets` is a checked text with the model that it was lowered to. Its grounds are the compiled evaluator
//! (`ground.rs`) or the reference one (`reference.rs`), its judge is the reference evaluator (`judge.rs`).
//! Invariant: a ground keeps the model that it was made from; questions asked later extend a copy of it.

mod alone;
mod constraints;
mod editor;
mod evidence;
mod free;
mod ground;
mod guards;
mod influence;
mod judge;
mod languages;
mod loaded;
mod questions;
mod reference;
mod solving;
mod statics;
mod symmetry;
mod tree;
mod value;
mod why;

use std::sync::Arc;

use base::{Diagnostics, Name, Sources};
use model::{ExprId, Model, Stmt, TyId, Tys, VarId, Why};
use pins::{Halt, LabelKind};
use subject::constraints::Constraining;
use subject::evidence::Certifying;
use subject::observe::Observer;
use subject::setting::Part;
use subject::symmetry::{Partial, Statics, Symmetry};
use subject::{
    Asking, Change, Component, ComponentId, Description, Evaluator, Event, EventId, Form,
    FormulaKind, Ground, Holder, Influence, Judge, Knowledge, Label, OwnFormulas, Parameter,
    Question, QuestionId, Setting, Subject, Text, Tree, TypeTree, Value, Wd, Words,
};

use crate::alone::Alone;
use crate::ground::Program;
use crate::judge::Referee;
use crate::loaded::Loaded;
use crate::questions::Asked;
use crate::reference::Reference;

pub use languages::{ClassicalB, EventB, Z};

/// How long a question to the reference evaluator may take when it explores: a few seconds.
const REFERENCE_BUDGET: u64 = 20_000_000;

/// A model of set theory.
pub(crate) struct Sets {
    loaded: Alone<Loaded>,
    part: Part,
    wd: Wd,
    model: Arc<Model>,
    tys: Arc<Tys>,
    description: Description,
    /// The predicates of the labels.
    labels: Vec<ExprId>,
    asked: Vec<Asked>,
    /// What is known of the constants, for each manner of definedness.
    setups: ground::Known,
}

impl Sets {
    /// Lowers a checked text.
    pub(crate) fn open(loaded: Loaded, setting: &Setting) -> Result<Sets, Diagnostics> {
        let model = loaded.lower(setting)?;
        let (mut description, labels) = describe(&model);
        loaded.paragraphs(setting, &mut description);
        if !loaded.temporal_definitions().is_empty() {
            description.own_formulas = OwnFormulas::Tried;
        }
        Ok(Sets {
            loaded: Alone::new(loaded),
            part: setting.part.clone(),
            wd: setting.wd,
            tys: Arc::new(model.tys.clone()),
            model: Arc::new(model),
            description,
            labels,
            asked: Vec::new(),
            setups: ground::Known::default(),
        })
    }

    /// The model, to add formulas to; grounds keep the one they were made from.
    pub(crate) fn model_mut(&mut self) -> &mut Model {
        Arc::make_mut(&mut self.model)
    }

    /// Makes types that formulas brought known to values.
    pub(crate) fn refresh(&mut self) {
        self.tys = Arc::new(self.model.tys.clone());
    }

    /// The type of what a holder holds.
    pub(crate) fn ty(&self, holder: Holder) -> TyId {
        let local = |event: EventId, results: bool, at: usize| {
            let action = &self.model.actions[event.index()];
            let locals = match results {
                true => &action.results,
                false => &action.parameters,
            };
            self.model.locals[locals[at]].ty
        };
        match holder {
            Holder::Component(id) => self.model.variables[VarId::new(id.index())].ty,
            Holder::Parameter(event, at) => local(event, false, at),
            Holder::Result(event, at) => local(event, true, at),
        }
    }

    fn asked(&self, question: QuestionId) -> &Asked {
        &self.asked[question.index()]
    }

    fn reference(&self, form: &Form<'_>) -> Reference {
        let options = model_interp::Options {
            wd: judge::definedness(form.wd),
            budget: REFERENCE_BUDGET,
        };
        let own = self.description.labels.iter().zip(&self.labels);
        let own = own.map(|(label, expr)| (label.kind, label.name(), *expr));
        let more = form.labels.iter().map(|id| (LabelKind::Assertion, *id));
        let goal = form.goal.iter().map(|id| (LabelKind::Goal, *id));
        let asked = more.chain(goal).map(|(kind, id)| {
            let expr = self.asked(id).expr;
            (kind, model::text::formula(&self.model, expr), expr)
        });
        let labels = own.chain(asked).map(|(kind, name, expr)| {
            let label = pins::Label {
                kind,
                name: Name::new(&name),
                reads: pins::SlotSet::new(),
                span: Some(self.model.exprs[expr].span),
            };
            (label, expr)
        });
        Reference::new(&self.model, &labels.collect::<Vec<_>>(), options)
    }
}

/// What a model consists of, and the predicates of its labels.
fn describe(model: &Model) -> (Description, Vec<ExprId>) {
    let parameters = |locals: &[model::LocalId]| -> Vec<Parameter> {
        let names = locals.iter().map(|local| model.locals[*local].name);
        names.map(|name| Parameter { name }).collect()
    };
    let mut labels = Vec::new();
    let mut predicates = Vec::new();
    let mut add = |kind, conjunct: &model::Conjunct, is_static| {
        predicates.push(conjunct.predicate);
        labels.push(Label {
            kind,
            label: conjunct.label,
            text: model::text::formula(model, conjunct.predicate),
            span: Some(conjunct.span),
            is_static,
            reads: reads(model, conjunct.predicate),
        });
    };
    for conjunct in &model.invariants {
        add(LabelKind::Invariant, conjunct, false);
    }
    for assertion in &model.assertions {
        add(
            LabelKind::Assertion,
            &assertion.conjunct,
            assertion.is_static,
        );
    }
    let components = model.variables.iter().map(|(_, variable)| Component {
        name: variable.name,
        is_constant: variable.is_constant,
        span: Some(variable.span),
    });
    let events = model.actions.iter().map(|action| Event {
        name: action.name,
        parameters: parameters(&action.parameters),
        results: parameters(&action.results),
        span: Some(action.span),
    });
    let sets = model.tys.sorts.iter();
    let description = Description {
        name: model.name.to_string(),
        components: components.collect(),
        events: events.collect(),
        labels,
        has_setup: model.has_setup,
        scopes: model.scopes.clone(),
        warnings: model.warnings.clone(),
        not_checked: model.not_checked.clone(),
        goal: model.goal,
        sets: sets
            .map(|(_, sort)| (sort.name, sort.elements.clone()))
            .collect(),
        watched: refinement(model),
        ..Description::default()
    };
    (description, predicates)
}

/// What the steps of a refinement check: that those of the refined machine go with them.
fn refinement(model: &Model) -> Vec<&'static str> {
    let mut steps = model.stmts.iter();
    let is_refined = steps.any(|(_, step)| {
        matches!(
            step,
            Stmt::Simulate(_) | Stmt::Assert(_, Why::Refinement(_), _)
        )
    });
    is_refined.then_some("refinement").into_iter().collect()
}

/// The components that an expression reads, in their order.
pub(crate) fn reads(model: &Model, expr: ExprId) -> Vec<ComponentId> {
    let mut found = Vec::new();
    model.walk(expr, &mut |expr| {
        if let model::Kind::Var(id) = expr.kind {
            let id = ComponentId::new(id.index());
            if !found.contains(&id) {
                found.push(id);
            }
        }
    });
    found.sort();
    found
}

/// The compiled ground that somebody hands back.
fn program(ground: &dyn Ground) -> Option<&Program> {
    ground.as_any().downcast_ref()
}

impl Subject for Sets {
    fn description(&self) -> &Description {
        &self.description
    }

    fn words(&self) -> Words {
        Words {
            event: "operation",
            events: "operations",
            choice: "event",
            listed: "operations",
            sets: "carrier sets",
        }
    }

    fn ground(&self, form: &Form<'_>) -> Result<Option<Arc<dyn Ground>>, Diagnostics> {
        if form.evaluator == Evaluator::Reference {
            return Ok(Some(Arc::new(self.reference(form))));
        }
        let labels: Vec<ExprId> = form.labels.iter().map(|id| self.asked(*id).expr).collect();
        let goal = form.goal.map(|id| self.asked(id).expr);
        let program = ground::compile((&self.model, &self.setups), (&labels, goal), form)?;
        Ok(program.map(|program| Arc::new(program) as Arc<dyn Ground>))
    }

    fn constraining(
        &self,
        solver: subject::Solver,
        halt: pins::Halt,
    ) -> Option<Box<dyn Constraining + '_>> {
        Some(Box::new(constraints::Solver::new(
            (&self.model, self.tys.clone()),
            solver,
            halt,
        )))
    }

    fn judge(&self, wd: Wd, budget: u64) -> Box<dyn Judge + '_> {
        let model = (&*self.model, self.tys.clone());
        let (labels, asked) = (&self.labels, &self.asked);
        Box::new(Referee::new(model, labels, asked, wd, budget))
    }

    fn absent(&self) -> &'static str {
        "/* infinite set */"
    }

    fn read_value(&self, holder: Holder, tree: &Tree) -> Option<Value> {
        let value = tree::from_tree(&self.tys, self.ty(holder), tree)?;
        Some(value::wrap(&self.tys, value))
    }

    fn type_text(&self, holder: Holder) -> String {
        self.tys.show(self.ty(holder))
    }

    fn type_tree(&self, holder: Holder) -> TypeTree {
        tree::type_tree(&self.tys, self.ty(holder))
    }

    fn ask(
        &mut self,
        question: &Question<'_>,
        sources: &mut Sources,
    ) -> Result<QuestionId, Diagnostics> {
        questions::ask(self, question, sources)
    }

    fn wording(&self, question: QuestionId) -> String {
        model::text::formula(&self.model, self.asked(question).expr)
    }

    fn is_rule(&self, question: QuestionId) -> bool {
        questions::is_rule(&self.model, self.asked(question).expr)
    }

    fn kind(&self, question: QuestionId) -> FormulaKind {
        questions::kind(self, question)
    }

    fn change(&mut self, expression: QuestionId, change: Change) -> Result<QuestionId, String> {
        questions::change(self, expression, change)
    }

    fn before(&self, question: QuestionId) -> Vec<ComponentId> {
        let before = self.asked(question).before.iter();
        before.map(|id| ComponentId::new(id.index())).collect()
    }

    fn bind(&mut self, question: QuestionId, from: usize, values: &[Value]) -> Option<QuestionId> {
        questions::bind(self, question, from, values)
    }

    fn range(&mut self, predicate: QuestionId) -> Result<Vec<Value>, String> {
        questions::range(self, predicate)
    }

    fn reads(&self, question: QuestionId) -> Vec<ComponentId> {
        reads(&self.model, self.asked(question).expr)
    }

    fn value_at(
        &self,
        question: QuestionId,
        ground: &dyn Ground,
        state: &[u32],
        halt: &Halt,
    ) -> Knowledge {
        let expr = self.asked(question).expr;
        let Some(program) = program(ground) else {
            let mut judge = self.judge(self.wd, REFERENCE_BUDGET);
            judge.heed(halt);
            let moment = judge.at(&ground.values(state));
            return match judge.value(question, &moment) {
                Ok(value) => knowledge(value),
                Err(fault) if fault.kind.leaves_open() => Knowledge::Unknown(fault.message),
                Err(fault) => Knowledge::Undefined(fault),
            };
        };
        let answer = program.system.eval_until(&self.model, expr, state, halt);
        match answer.0 {
            Ok(model::Value::Bool(truth)) if self.model.exprs[expr].ty.is_none() => {
                Knowledge::Truth(truth)
            }
            Ok(value) => Knowledge::Value(value::wrap(&self.tys, value)),
            Err(fault) if fault.kind.leaves_open() => Knowledge::Unknown(fault.message),
            Err(fault) => Knowledge::Undefined(fault),
        }
    }

    fn asking<'a>(
        &'a self,
        ground: &'a dyn Ground,
        questions: &[QuestionId],
    ) -> Box<dyn Asking + 'a> {
        questions::asking(self, ground, questions)
    }

    fn symmetry(&self, questions: &[QuestionId]) -> Symmetry {
        let asked: Vec<&Asked> = questions.iter().map(|id| self.asked(*id)).collect();
        symmetry::symmetry(&self.model, &asked)
    }

    fn partial_symmetry(&self, questions: &[QuestionId]) -> Option<Partial> {
        let asked: Vec<&Asked> = questions.iter().map(|id| self.asked(*id)).collect();
        Some(symmetry::partial(&self.model, &asked))
    }

    fn influence<'a>(&'a self, ground: &'a dyn Ground) -> Option<Box<dyn Influence + 'a>> {
        let program = program(ground)?;
        Some(Box::new(influence::Solver::new(program, self.wd)))
    }

    fn statics(&self, symmetry: &Symmetry) -> Option<Statics> {
        let sorts = symmetry.found::<Vec<model::sorts::SortSymmetry>>()?;
        Some(statics::rules(&self.model, sorts))
    }

    fn solving(&mut self) -> Option<&mut dyn subject::solving::Solving> {
        Some(self)
    }

    fn observer(&mut self, wd: Wd, budget: u64) -> Option<Box<dyn Observer + '_>> {
        Some(guards::observer(self, wd, budget))
    }

    fn source(&mut self) -> &mut dyn Text {
        self.loaded.get()
    }

    fn contradiction(&self, ground: &dyn Ground, sources: &Sources) -> Option<Vec<String>> {
        let program = program(ground)?;
        let conflict = program.system.conflict(program.compiled_model())?;
        let mut lines = vec![
            match (conflict.conjuncts.len(), conflict.is_minimal) {
                (1, _) => "this property is false whatever the constants are:",
                (_, true) => "these properties contradict each other, and no fewer do:",
                (_, false) => "these properties contradict each other:",
            }
            .to_owned(),
        ];
        for conjunct in conflict.conjuncts {
            let place = sources.place(self.model.exprs[conjunct].span);
            let text = model::text::formula(&self.model, conjunct);
            lines.push(format!("{place}: {text}"));
        }
        Some(lines)
    }

    fn certifying(&self) -> Option<&dyn Certifying> {
        Some(self)
    }

    fn model_text(&self) -> String {
        model::text::model(&self.model)
    }
}

/// What is known of a formula that has a value.
fn knowledge(value: Value) -> Knowledge {
    match value::unwrap(&value) {
        model::Value::Bool(truth) => Knowledge::Truth(truth),
        _ => Knowledge::Value(value),
    }
}
