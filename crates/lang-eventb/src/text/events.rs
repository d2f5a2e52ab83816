//! Events of a machine as text: status, parameters, guards, witnesses and actions.

use base::Span;

use super::Reader;
use crate::math::parse;
use crate::syntax::{Action, Event, Status};

impl Reader<'_, '_> {
    fn status(&mut self) -> Option<Status> {
        let status = match self.keyword()? {
            "ordinary" => Status::Ordinary,
            "convergent" => Status::Convergent,
            "anticipated" => Status::Anticipated,
            _ => return None,
        };
        self.advance();
        Some(status)
    }

    pub(super) fn event(&mut self) -> Option<Event> {
        let at = self.at();
        let mut status = self.status().unwrap_or(Status::Ordinary);
        if self.keyword() == Some("event") {
            self.advance();
        }
        let name = self.name()?;
        let mut event = Event {
            name: name.name,
            span: name.span,
            whole: name.span,
            status,
            is_extended: false,
            refines: Vec::new(),
            parameters: Vec::new(),
            guards: Vec::new(),
            witnesses: Vec::new(),
            actions: Vec::new(),
        };
        self.clauses(&format!("event `{}`", name.name), |reader, clause| {
            match clause {
                "status" => status = reader.past().status().unwrap_or(status),
                "ordinary" | "convergent" | "anticipated" => {
                    status = reader.status().unwrap_or(status);
                }
                "refines" => event.refines.extend(reader.past().names()),
                "extends" => {
                    event.is_extended = true;
                    event.refines.extend(reader.past().names());
                }
                "any" => event.parameters.extend(reader.past().bindings()),
                "where" | "when" => event.guards.extend(reader.past().formulas(false)),
                "theorems" => event.guards.extend(reader.past().formulas(true)),
                "with" => event.witnesses.extend(reader.past().formulas(false)),
                "then" | "begin" => reader.past().actions(&mut event.actions),
                _ => return false,
            }
            true
        });
        event.status = status;
        event.whole = self.since(at);
        if event.is_initialisation() {
            let own = event.name;
            event.refines.retain(|refined| refined.name != own);
        }
        Some(event)
    }

    fn actions(&mut self, actions: &mut Vec<Action>) {
        loop {
            let Some((label, _)) = self.label() else {
                return;
            };
            let (start, end) = self.formula_text();
            let skip = self.text[start..end].trim();
            if matches!(skip, "skip" | "SKIP") {
                continue;
            }
            let mut at = start;
            while at < end {
                let place = self.place(at, end);
                let exprs = &mut self.project.exprs;
                let Some((targets, change, behind)) =
                    parse::assignment_before(place, exprs, self.diagnostics)
                else {
                    break;
                };
                actions.push(Action {
                    label,
                    span: Span::new(self.file, at as u32, behind as u32),
                    targets,
                    change,
                });
                at = behind;
            }
        }
    }
}
