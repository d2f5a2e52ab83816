//! Promela as a subject: processes that run beside each other, with channels.
//!
//! `language` reads, `describe` says what a state and an event are, `ground` is the compiled system, `judge` the reference
//! evaluator, `symmetry` tells which processes are interchangeable, `questions` are expressions that a person typed, `forbidden`
//! claims and marks, `formulas` writes the formulas of a text in the notation of all languages, `value` is what a component
//! holds. `walk` takes paths apart, for `chart` and `listing`; `statements` counts what was executed, `automata` are drawn.
//! Differs from set theory: a state has as many processes as live, so one component tells them all; the state itself travels in
//! it from the ground to the judge.

mod automata;
mod chart;
mod describe;
mod editor;
mod evidence;
mod forbidden;
mod formulas;
mod ground;
mod judge;
mod language;
mod lines;
mod listing;
mod questions;
mod scalarsets;
mod statements;
mod symmetry;
mod value;
mod walk;

pub use symmetry::entries;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::{Diagnostics, Name, Sources};
use lang_promela::check::Checked;
use program::Program;
use program_compile::processes::Room;
use program_interp::Machine;
use rustc_hash::FxHashSet;
use subject::display::{Actor, Automaton, Chart, Listing, Part};
use subject::observe::Observer;
use subject::symmetry::{Partial, Symmetry};
use subject::{
    Asking, Description, Forbidden, Forbids, Form, FormulaKind, Ground, Holder, Judge, Knowledge,
    Question, QuestionId, Setting, Step, Subject, Text, Trace, Tree, Value, Wd, Words,
};

pub use language::Promela;

use ground::Compiled;
use judge::Referee;
use language::Loaded;
use lines::Lines;
use questions::Asked;

/// An opened program of Promela.
pub(crate) struct Processes {
    loaded: Loaded,
    setting: Setting,
    program: Arc<Program>,
    lines: Arc<Lines>,
    description: Description,
    asked: Vec<Asked>,
    /// What grounds have room for.
    room: Mutex<Arc<Room>>,
}

impl Processes {
    /// Lowers a checked text.
    pub(crate) fn open(loaded: Loaded, setting: &Setting) -> Processes {
        let program = lower(&loaded.checked, loaded.name, setting);
        let description = Description {
            merging: Some(match setting.processes.spin_counts {
                true => "spin",
                false => "off",
            }),
            ..describe::description(&program)
        };
        Processes {
            lines: loaded.lines.clone(),
            loaded,
            setting: setting.clone(),
            program: Arc::new(program),
            description,
            asked: Vec::new(),
            room: Mutex::default(),
        }
    }

    fn room(&self) -> MutexGuard<'_, Arc<Room>> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lowers the text again, after formulas were added to it: what was there keeps its numbers.
    pub(crate) fn refresh(&mut self) {
        self.program = Arc::new(lower(&self.loaded.checked, self.loaded.name, &self.setting));
    }
}

/// The program of a checked text. Without assertions, and in runs of temporal formulas, the conditions of those in processes are
/// computed and nothing more. A claim that asserts something says what must not happen.
fn lower(checked: &Checked, name: Name, setting: &Setting) -> Program {
    let options = lower_promela::Options {
        is_lossy: setting.processes.lossy,
        inner_escapes_first: setting.processes.inner_unless,
        spin_counts: setting.processes.spin_counts,
        tests_promises: setting.processes.promises,
    };
    let mut program = lower_promela::lower(checked, name, options);
    if !setting.obligations.assertions || setting.obligations.formulas {
        let claimed = claimed(&program);
        for id in (0..program.stmts.len()).map(program::StmtId::new) {
            let stmt = &mut program.stmts[id];
            if !claimed.contains(&id)
                && let program::StmtKind::Assert { condition, .. } = stmt.kind
            {
                stmt.kind = program::StmtKind::Evaluate(condition);
            }
        }
    }
    program
}

/// The statements of never claims.
fn claimed(program: &Program) -> FxHashSet<program::StmtId> {
    let graphs = program.claims.iter().filter_map(|claim| match &claim.body {
        program::ClaimBody::Never(graph) => Some(graph),
        program::ClaimBody::Formula(_) => None,
    });
    let edges = graphs.flat_map(|graph| graph.edges.iter());
    let done = |(_, edge): (_, &program::Edge)| match edge.act {
        program::Act::Do(stmt) => Some(stmt),
        _ => None,
    };
    edges.filter_map(done).collect()
}

impl Subject for Processes {
    fn description(&self) -> &Description {
        &self.description
    }

    fn ground(&self, form: &Form<'_>) -> Result<Option<Arc<dyn Ground>>, Diagnostics> {
        if form.parts != subject::Parts::Whole {
            return Ok(None);
        }
        Ok(Some(Arc::new(Compiled::new(self, form)?)))
    }

    fn make_room(&self) -> bool {
        let mut room = self.room();
        let grown = room.grown();
        let is_outgrown = grown.is_some();
        if let Some(grown) = grown {
            *room = Arc::new(grown);
        }
        is_outgrown
    }

    fn lacks(&self) -> Vec<u8> {
        self.room().wanted_bytes()
    }

    fn also_lacks(&self, lacks: &[u8]) -> Result<(), String> {
        self.room().want(&self.program, lacks)
    }

    fn judge(&self, _wd: Wd, _budget: u64) -> Box<dyn Judge + '_> {
        Box::new(Referee::new(self))
    }

    fn words(&self) -> Words {
        Words {
            event: "statement",
            events: "statements",
            choice: "statement",
            listed: "proctypes",
            sets: "interchangeable processes",
        }
    }

    fn read_value(&self, _holder: Holder, tree: &Tree) -> Option<Value> {
        value::of_tree(tree)
    }

    fn type_text(&self, holder: Holder) -> String {
        describe::type_text(&self.program, holder)
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
        let state = compiled.system.decode(state);
        let machine = Machine::new(&self.program);
        let asked = &self.asked[question.index()];
        match asked.about.judged(&machine, &state) {
            Ok(number) => match asked.kind {
                FormulaKind::Predicate => Knowledge::Truth(number != 0),
                FormulaKind::Expression => Knowledge::Value(value::number(number)),
            },
            Err(fault) => Knowledge::Undefined(fault),
        }
    }

    fn asking<'a>(
        &'a self,
        ground: &'a dyn Ground,
        questions: &[QuestionId],
    ) -> Box<dyn Asking + 'a> {
        Box::new(questions::Asker::new(self, ground, questions))
    }

    fn symmetry(&self, questions: &[QuestionId]) -> Symmetry {
        symmetry::symmetry(self, questions)
    }

    fn partial_symmetry(&self, questions: &[QuestionId]) -> Option<Partial> {
        Some(symmetry::partial(self, questions))
    }

    fn claims(&self) -> Vec<String> {
        let claims = forbidden::claims(&self.program);
        claims.map(|claim| claim.name.to_string()).collect()
    }

    fn forbidden(&mut self, forbids: Forbids) -> Option<Result<Forbidden, Diagnostics>> {
        Some(forbidden::forbidden(self, forbids))
    }

    fn actors(&self, step: &Step) -> Vec<usize> {
        describe::actors(step)
    }

    fn tell_state(&self, values: &[Option<Value>]) -> Option<Vec<(String, String)>> {
        let state = value::state_of(values)?;
        Some(describe::names_and_values(
            &self.program,
            &self.lines,
            state,
        ))
    }

    fn parts(&self, before: &[Option<Value>], step: &Step) -> Vec<Part> {
        let Some(before) = value::state_of(before) else {
            return Vec::new();
        };
        let machine = Machine::new(&self.program);
        let parts = walk::parts(&machine, before, step).into_iter();
        let parts = parts.map(|part| describe::part(&self.program, &self.lines, &part));
        parts.collect()
    }

    fn actors_at(&self, values: &[Option<Value>]) -> Vec<Actor> {
        let state = value::state_of(values);
        state.map_or_else(Vec::new, |state| {
            describe::actors_at(&self.program, &self.lines, state)
        })
    }

    fn chart(&self, trace: &Trace) -> Option<Chart> {
        Some(chart::chart(&self.program, trace))
    }

    fn listing(&self, trace: &Trace, wanted: Listing) -> Option<String> {
        let lines = listing::listing(&self.program, &self.lines, trace, wanted);
        Some(lines)
    }

    fn automata(&self) -> Vec<Automaton> {
        automata::automata(&self.program)
    }

    fn observer(&mut self, _wd: Wd, _budget: u64) -> Option<Box<dyn Observer + '_>> {
        Some(Box::new(statements::Statements::new(&self.program)))
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
