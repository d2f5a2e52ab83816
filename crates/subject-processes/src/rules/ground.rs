//! The compiled system and what its numbers mean.

use std::any::Any;
use std::sync::Arc;

use base::Name;
use pins::{GroupId, LabelKind};
use program::Program;
use program_compile::rules::{self, Asked, Grouping, Rules};
use subject::{ComponentId, EventId, Form, Ground, Parts, QuestionId, Value};

use super::{RuleSet, describe, value};

/// A compiled program.
pub(crate) struct Compiled {
    pub(crate) rules: Rules,
    program: Arc<Program>,
}

impl Compiled {
    /// Compiles a program; predicates that are asked for become labels.
    pub(crate) fn new(subject: &RuleSet, form: &Form<'_>) -> Compiled {
        let asking = |id: &QuestionId, kind| {
            let asked = &subject.asked[id.index()];
            Asked {
                kind,
                name: Name::new(&asked.text),
                condition: asked.expr,
            }
        };
        let more = form
            .labels
            .iter()
            .map(|id| asking(id, LabelKind::Assertion));
        let goal = form.goal.iter().map(|id| asking(id, LabelKind::Goal));
        let options = rules::Options {
            grouping: match form.parts {
                Parts::Whole if !form.guards || form.symmetry.is_some() => Grouping::Rules,
                _ => Grouping::Instances,
            },
            form: match (form.symmetry, form.parts) {
                (Some(_), _) => rules::Form::Families,
                (None, Parts::Whole) if !form.guards => rules::Form::Packed,
                _ => rules::Form::Words,
            },
            making: rules::Making::Hot,
            labels: more.chain(goal).collect(),
        };
        Compiled {
            rules: Rules::new(subject.program.clone(), options),
            program: subject.program.clone(),
        }
    }
}

impl Ground for Compiled {
    fn system(&self) -> &dyn pins::System {
        &self.rules
    }

    fn values(&self, state: &[u32]) -> Vec<Option<Value>> {
        describe::values(&self.program, &self.rules.decode(state))
    }

    fn constants(&self, _setup: &[u32]) -> Vec<Option<Value>> {
        vec![None; self.program.variables.len()]
    }

    fn event(&self, group: GroupId) -> EventId {
        EventId::new(self.rules.rule_of(group).index())
    }

    fn words(&self, group: GroupId, words: &[u32]) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
        let rule = &self.program.rules[self.rules.rule_of(group)];
        let arguments = self
            .rules
            .arguments(group, words)
            .into_iter()
            .zip(describe::parameters(rule));
        let arguments = arguments.map(|(inner, (local, domain))| {
            let ty = describe::parameter_type(&self.program, local, domain);
            Some(value::of(&self.program, ty, inner))
        });
        (arguments.collect(), Vec::new())
    }

    fn component(&self, slot: usize) -> ComponentId {
        ComponentId::new(self.rules.variable_of(slot).index())
    }

    fn keeps_components_apart(&self) -> bool {
        self.rules.keeps_variables_apart()
    }

    fn split(&self) -> usize {
        0
    }

    fn covers(&self) -> Vec<(u32, String)> {
        let covers = self.rules.covers().into_iter();
        covers
            .map(|at| (at as u32, self.program.properties[at].name.to_string()))
            .collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
