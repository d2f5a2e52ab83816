//! Why a step of a saved path does not fit.

use base::near;
use model::Value;
use verdict::format::{RecordedStep, Wanted};

use super::{Problem, Walk, wanted};
use crate::runnable::{Move, Place};

/// So many differences are told.
const MAX_TOLD: usize = 5;

impl Walk<'_> {
    /// Why the step at `at` fits none of the places that agree with the path so far.
    pub(super) fn problem(&self, at: usize, step: &RecordedStep) -> Problem {
        let mut why = self.why(step);
        why.truncate(MAX_TOLD);
        Problem {
            step: at + 1,
            event: self.label(step),
            why,
        }
    }

    /// `start(p = PUMP1)` as the file says it.
    fn label(&self, step: &RecordedStep) -> String {
        let model = self.runnable.model();
        let event = step.event.as_deref().unwrap_or("some event");
        let list: Vec<String> = step
            .args
            .iter()
            .map(|(name, wanted)| format!("{name} = {}", wanted.show(model)))
            .collect();
        match list.is_empty() {
            true => event.to_owned(),
            false => format!("{event}({})", list.join(", ")),
        }
    }

    fn why(&self, step: &RecordedStep) -> Vec<String> {
        let runnable = self.runnable;
        let model = runnable.model();
        let place = self.frontier.first().map(|node| &self.nodes[*node].place);
        let place = place.unwrap_or(&Place::Root);
        let special = ["SETUP_CONSTANTS", "INITIALISATION"];
        let name = step.event.as_deref();
        let unknown =
            name.filter(|name| !special.contains(name) && runnable.action(name).is_none());
        if let Some(name) = unknown {
            let known = model.actions.iter().map(|action| action.name.as_str());
            let near = near::nearest(name, known).map(|near| format!("; there is {near}"));
            let near = near.unwrap_or_default();
            return vec![format!("because the model has no operation {name}{near}")];
        }
        let moves = match self.frontier.first() {
            Some(from) => self.moves(*from, step),
            None => Vec::new(),
        };
        match (name, place) {
            (Some("SETUP_CONSTANTS"), Place::Root) if !model.has_setup => {
                vec!["because the model has no constants".to_owned()]
            }
            (Some(name @ ("SETUP_CONSTANTS" | "INITIALISATION")), Place::State(_)) => {
                vec![format!("because {name} comes first")]
            }
            (Some(_), Place::Root | Place::Setup(_))
                if name != Some("SETUP_CONSTANTS") && name != Some("INITIALISATION") =>
            {
                vec!["because the model is not initialised yet".to_owned()]
            }
            (Some(name), Place::State(_)) => self.why_not_action(name, step, place, &moves),
            _ => self.other_outcome(step, &moves),
        }
    }

    fn why_not_action(
        &self,
        name: &str,
        step: &RecordedStep,
        place: &Place,
        moves: &[Move],
    ) -> Vec<String> {
        let model = self.runnable.model();
        let Some(action) = self.runnable.action(name) else {
            return Vec::new();
        };
        let parameters = &model.actions[action].parameters;
        let names = || {
            parameters
                .iter()
                .map(|local| model.locals[*local].name.as_str())
        };
        if let Some((unknown, _)) = step.args.iter().find(|(arg, _)| !names().any(|n| n == arg)) {
            return vec![format!("because {name} has no parameter {unknown}")];
        }
        let like: Vec<Move> = moves
            .iter()
            .filter(|taken| self.fits(step, taken, false))
            .cloned()
            .collect();
        if !like.is_empty() {
            return self.other_outcome(step, &like);
        }
        let mut arguments: Vec<Option<Value>> = vec![None; parameters.len()];
        for (arg, wanted) in &step.args {
            let at = names().position(|name| name == arg);
            match (at, wanted) {
                (Some(at), Wanted::Value(value)) => arguments[at] = Some(value.clone()),
                (_, Wanted::Text(text)) => {
                    return vec![format!("because {arg} = {text} is no value of the model")];
                }
                (None, _) => {}
            }
        }
        self.runnable.why_not(action, &arguments, place)
    }

    /// The event can happen, and leads elsewhere.
    fn other_outcome(&self, step: &RecordedStep, moves: &[Move]) -> Vec<String> {
        let told = moves.iter().map(|taken| {
            let mut lines = wanted::differences(self.runnable, step, &taken.to);
            lines.extend(self.broken_conditions(step, &taken.to));
            for (wanted, actual) in self.results(step, taken) {
                lines.push(format!("{wanted} but gives {actual}"));
            }
            lines
        });
        let least = told.min_by_key(Vec::len).unwrap_or_default();
        if moves.is_empty() {
            return vec!["because nothing leads there".to_owned()];
        }
        let lines = least.into_iter();
        lines
            .map(|line| format!("because after it {line}"))
            .collect()
    }

    fn results(&self, step: &RecordedStep, taken: &Move) -> Vec<(String, String)> {
        let model = self.runnable.model();
        let verdict::Event::Action(action) = taken.event else {
            return Vec::new();
        };
        let results = model.actions[action].results.iter().zip(&taken.results);
        let mut found = Vec::new();
        for (local, actual) in results {
            let name = model.locals[*local].name.as_str();
            let wanted = step.results.iter().find(|(wanted, _)| wanted == name);
            if let Some((_, wanted)) = wanted
                && !wanted::agrees(self.runnable, wanted, actual.as_ref())
            {
                let actual = crate::runnable::show_result(model, actual.as_ref());
                found.push((format!("{name} = {} is wanted", wanted.show(model)), actual));
            }
        }
        found
    }
}
