//! Says of a model whose states are made to satisfy a predicate (`subject::constraints::Constraining::prunes`) which of its
//! events can never happen, and which happen less often than their own conditions say.
//!
//! Invariant: "never" is the solver's answer about all states within the sizes of sets; an example of the second kind was
//! walked through before it is shown.

use pins::Halt;
use serde::Serialize;
use subject::constraints::{Example, Finding, Inquiry};
use subject::{EventId, Form, Setting, Solver, Subject};

use crate::runnable::View;

/// What is known of an event.
#[derive(Clone, Debug, Serialize)]
pub struct EventReport {
    /// Its name.
    pub name: String,
    /// Whether some state enables it; `null` when that is not known.
    pub can_happen: Option<bool>,
    /// A state, with arguments, in which all its conditions on the state before hold and nothing after it fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smaller_in: Option<String>,
    /// Why something is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_because: Option<String>,
}

impl EventReport {
    /// What is worth a line: what is wrong, or not known.
    pub fn line(&self, event: &str) -> Option<String> {
        let name = &self.name;
        let smaller = self.smaller_in.as_ref();
        match (self.can_happen, smaller, &self.open_because) {
            (Some(false), None, _) => Some(format!(
                "{event} {name} can never happen: no state satisfies its conditions"
            )),
            (Some(false), Some(example), _) => Some(format!(
                "{event} {name} can never happen: its conditions hold {example}, but no values after it satisfy the rest"
            )),
            (_, Some(example), _) => Some(format!(
                "{event} {name} happens less often than its conditions say (pre {name} is smaller than written): {example} \
                 no values after it satisfy the rest"
            )),
            (_, None, Some(why)) => Some(format!(
                "{event} {name}: not known whether it happens wherever its conditions hold ({why})"
            )),
            (_, None, None) => None,
        }
    }
}

/// What is known of all events; nothing where states are not made to satisfy a predicate.
pub(super) fn events(subject: &dyn Subject, setting: &Setting, halt: &Halt) -> Vec<EventReport> {
    let Some(mut constraining) = subject.constraining(Solver::Auto, halt.clone()) else {
        return Vec::new();
    };
    if !constraining.prunes() {
        return Vec::new();
    }
    let form = Form {
        wd: setting.wd,
        ..Form::default()
    };
    let Ok(Some(ground)) = subject.ground(&form) else {
        return Vec::new();
    };
    let view = View::new(subject, &*ground, setting.wd);
    let mut reports = Vec::new();
    for event in subject.description().event_ids() {
        let mut report = EventReport {
            name: subject.description().event(event).name.to_string(),
            can_happen: None,
            smaller_in: None,
            open_because: None,
        };
        match constraining.ask(&Inquiry::Happens(event)) {
            Finding::No => report.can_happen = Some(false),
            Finding::Yes(_) => report.can_happen = Some(true),
            Finding::Open(why) => report.open_because = Some(why),
        }
        match constraining.ask(&Inquiry::Cut(event)) {
            Finding::No => {}
            Finding::Yes(example) => report.smaller_in = shown(view, event, &example),
            Finding::Open(why) => report.open_because = Some(why),
        }
        reports.push(report);
    }
    reports
}

/// An example in words, if the event indeed cannot happen there with these arguments.
fn shown(view: View<'_>, event: EventId, example: &Example) -> Option<String> {
    let vector = view.ground.state(&example.before)?;
    let arguments = &example.steps.first()?.1;
    let moves = view.moves_of(event, &vector);
    if moves
        .moves
        .iter()
        .any(|taken| taken.arguments == *arguments)
    {
        return None;
    }
    let description = view.description();
    let names = description.event(event).parameters.iter();
    let names = names.map(|parameter| parameter.name.to_string());
    let components = description.components.iter();
    let components = components.map(|component| component.name.to_string());
    let tell = |(name, value): (String, &Option<subject::Value>)| {
        format!("{name} = {}", view.subject.tell(value.as_ref()))
    };
    let state: Vec<String> = components.zip(&example.before).map(tell).collect();
    let inputs: Vec<String> = names.zip(arguments).map(tell).collect();
    let place = format!("where {}", state.join(", "));
    Some(match inputs.is_empty() {
        true => place,
        false => format!("{place}, for {},", inputs.join(", ")),
    })
}
