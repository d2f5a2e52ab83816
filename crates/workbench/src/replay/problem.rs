//! Why a step of a saved path does not fit.

use base::near;
use subject::{EventId, Happening, Value};
use verdict::format::Wanted;
use verdict::tell_result;

use super::walk::Walk;
use super::{Problem, Said, What, position, wanted};
use crate::runnable::{Move, Place};

/// So many differences are told.
const MAX_TOLD: usize = 5;

impl Walk<'_> {
    /// Why the step at `at` fits none of the places that agree with the path so far.
    pub(super) fn problem(&self, at: usize, step: &Said) -> Problem {
        let mut why = self.why(step);
        why.truncate(MAX_TOLD);
        Problem {
            step: at + 1,
            event: self.label(step),
            why,
        }
    }

    /// `start(p = PUMP1)` as the file says it.
    fn label(&self, step: &Said) -> String {
        let event = match &step.what {
            What::Anything => "some event",
            What::Known(happening) => happening.name(self.view.description()),
            What::Unknown(name) => name,
        };
        let list: Vec<String> = step
            .args
            .iter()
            .map(|(name, wanted)| format!("{name} = {}", wanted.show()))
            .collect();
        match list.is_empty() {
            true => event.to_owned(),
            false => format!("{event}({})", list.join(", ")),
        }
    }

    fn why(&self, step: &Said) -> Vec<String> {
        let description = self.view.description();
        let place = self.frontier.first().map(|node| &self.nodes[*node].place);
        let place = place.unwrap_or(&Place::Root);
        let moves = match self.frontier.first() {
            Some(from) => self.moves(*from, step).moves,
            None => Vec::new(),
        };
        match (&step.what, place) {
            (What::Unknown(name), _) => {
                let known = description.events.iter().map(|event| event.name.as_str());
                let near = near::nearest(name, known).map(|near| format!("; there is {near}"));
                let near = near.unwrap_or_default();
                let word = self.view.subject.words().event;
                vec![format!("because the model has no {word} {name}{near}")]
            }
            (What::Known(Happening::Setup), Place::Root) if !description.has_setup => {
                vec!["because the model has no constants".to_owned()]
            }
            (
                What::Known(first @ (Happening::Setup | Happening::Initialisation)),
                Place::State(_),
            ) => {
                vec![format!("because {} comes first", first.name(description))]
            }
            (What::Known(Happening::Event(_)), Place::Root | Place::Setup(_)) => {
                vec!["because the model is not initialised yet".to_owned()]
            }
            (What::Known(Happening::Event(event)), Place::State(_)) => {
                self.why_not_event(*event, step, place, &moves)
            }
            (What::Known(_) | What::Anything, _) => self.other_outcome(step, &moves),
        }
    }

    fn why_not_event(
        &self,
        id: EventId,
        step: &Said,
        place: &Place,
        moves: &[Move],
    ) -> Vec<String> {
        let event = self.view.description().event(id);
        let mut args = step.args.iter();
        if let Some((unknown, _)) = args.find(|(arg, _)| position(&event.parameters, arg).is_none())
        {
            return vec![format!("because {} has no parameter {unknown}", event.name)];
        }
        let like: Vec<Move> = moves
            .iter()
            .filter(|taken| self.fits(step, taken, false))
            .cloned()
            .collect();
        if !like.is_empty() {
            return self.other_outcome(step, &like);
        }
        let mut arguments: Vec<Option<Value>> = vec![None; event.parameters.len()];
        for (arg, wanted) in &step.args {
            let at = position(&event.parameters, arg);
            match (at, wanted) {
                (Some(at), Wanted::Value(value)) => arguments[at] = Some(value.clone()),
                (_, Wanted::Text(text)) => {
                    return vec![format!("because {arg} = {text} is no value of the model")];
                }
                (None, _) => {}
            }
        }
        self.view.why_not(id, &arguments, place)
    }

    /// The event can happen, and leads elsewhere.
    fn other_outcome(&self, step: &Said, moves: &[Move]) -> Vec<String> {
        let told = moves.iter().map(|taken| {
            let mut lines = wanted::differences(self.view, step, &taken.to);
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

    fn results(&self, step: &Said, taken: &Move) -> Vec<(String, String)> {
        let Happening::Event(event) = taken.happening else {
            return Vec::new();
        };
        let event = self.view.description().event(event);
        let mut found = Vec::new();
        for (known, actual) in event.results.iter().zip(&taken.results) {
            let name = known.name.as_str();
            let wanted = step.results.iter().find(|(wanted, _)| wanted == name);
            if let Some((_, wanted)) = wanted
                && !wanted::agrees(self.view, wanted, actual.as_ref())
            {
                let actual = tell_result(actual.as_ref());
                found.push((format!("{name} = {} is wanted", wanted.show()), actual));
            }
        }
        found
    }
}
