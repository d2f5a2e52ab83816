//! The compiled system and what its numbers mean.

use std::any::Any;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Name};
use pins::{GroupId, LabelId, LabelKind};
use program::Program;
use program_compile::processes::{Asking, Options, Packing, Question, System};
use subject::codes::NOT_EXECUTABLE;
use subject::{ComponentId, EventId, Form, Ground, QuestionId, Value};

use subject::symmetry::Symmetry;

use super::lines::Lines;
use super::symmetry::Symmetric;
use super::{Processes, describe};

/// A compiled program.
pub(crate) struct Compiled {
    pub(crate) system: System,
    program: Arc<Program>,
    lines: Arc<Lines>,
    components: usize,
    /// For each question its label.
    labels: Vec<LabelId>,
}

impl Compiled {
    /// The label that a question has become.
    pub(crate) fn label_of(&self, question: QuestionId) -> Option<LabelId> {
        self.labels.get(question.index()).copied()
    }

    /// Compiles a program; predicates that are asked for become labels.
    pub(crate) fn new(processes: &Processes, form: &Form<'_>) -> Result<Compiled, Diagnostics> {
        let asking = |id: &QuestionId, kind| {
            let asked = &processes.asked[id.index()];
            Asking {
                name: Name::new(&asked.text),
                kind,
                question: asked.about.compiled(),
                span: None,
            }
        };
        let more = form
            .labels
            .iter()
            .map(|id| asking(id, LabelKind::Assertion));
        let goal = form.goal.iter().map(|id| asking(id, LabelKind::Goal));
        let end = Asking {
            name: Name::new("end states"),
            kind: LabelKind::End,
            question: Question::MayEnd {
                empty_channels: processes.setting.processes.end_empty,
            },
            span: None,
        };
        // Behind them every question once more, so that conditions are asked of compiled code.
        let all = (0..processes.asked.len()).map(QuestionId::new);
        let all = all.map(|id| asking(&id, LabelKind::Assertion));
        let mut labels: Vec<Asking> = std::iter::once(end).chain(more).chain(goal).collect();
        let first = labels.len();
        labels.extend(all);
        let own = (first..labels.len()).map(LabelId::new).collect();
        let options = Options {
            labels,
            keeps_arguments: form.symmetry.is_none(),
        };
        let packing = match form.packed {
            true => Packing::Tight,
            false => Packing::Separate,
        };
        let (program, room) = (processes.program.clone(), processes.room().clone());
        let system = System::in_room(program, options, packing, room);
        let mut system = system.map_err(|unsupported| {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(Diagnostic::error(
                &NOT_EXECUTABLE,
                unsupported.span,
                unsupported.what,
            ));
            diagnostics
        })?;
        if let Some(symmetric) = form.symmetry.and_then(Symmetry::found::<Symmetric>) {
            match &symmetric.told {
                Some(told) => system.permute_in_part(&symmetric.found, told, &symmetric.first),
                None => system.permute_by(&symmetric.found, &symmetric.first),
            };
            if let Some(contradicted) = symmetric.contradicted(&processes.program, &system) {
                let mut diagnostics = Diagnostics::new();
                diagnostics.push(contradicted);
                return Err(diagnostics);
            }
        }
        Ok(Compiled {
            system,
            program: processes.program.clone(),
            lines: processes.lines.clone(),
            components: processes.description.components.len(),
            labels: own,
        })
    }
}

impl Ground for Compiled {
    fn system(&self) -> &dyn pins::System {
        &self.system
    }

    fn values(&self, state: &[u32]) -> Vec<Option<Value>> {
        describe::values(&self.program, &self.system.decode(state))
    }

    fn constants(&self, _setup: &[u32]) -> Vec<Option<Value>> {
        vec![None; self.components]
    }

    fn event(&self, group: GroupId) -> EventId {
        let (_, proctype, _) = self.system.part(group.index() as u32);
        EventId::new(proctype.index())
    }

    fn words(&self, group: GroupId, words: &[u32]) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
        let first = group.index() as u32;
        let parts: Vec<_> = std::iter::once(first)
            .chain(words.iter().copied())
            .map(|word| self.system.part(word))
            .collect();
        (
            describe::arguments(&self.program, &self.lines, &parts),
            Vec::new(),
        )
    }

    fn actors(&self) -> usize {
        self.system.processes()
    }

    fn each_actor(&self, group: GroupId, words: &[u32], each: &mut dyn FnMut(usize)) {
        each(self.system.part(group.index() as u32).0);
        for word in words {
            each(self.system.part(*word).0);
        }
    }

    fn component(&self, slot: usize) -> ComponentId {
        let variable = self.system.variable_at(slot);
        let component = variable.and_then(|id| describe::component_of(&self.program, id));
        // All others belong to the component that tells about processes.
        component.unwrap_or(ComponentId::new(self.components - 1))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
