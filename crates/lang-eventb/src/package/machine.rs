//! Machines of a package, with their events and actions.

use base::Name;

use super::term::Term;
use super::{Reader, Refused, Result, position};
use crate::print::{self, Style};
use crate::syntax::{Action, Change, Event, INITIALISATION, Labelled, Machine, Reference, Status};

impl Reader<'_> {
    pub(super) fn machine(&mut self, term: &Term) -> Result<Machine> {
        self.path.clear();
        let args = self.compound("event_b_model", term)?;
        let [_, name, clauses] = args else {
            return Err(self.misplaced("a machine with a name and clauses", term));
        };
        let name = self.atom("the name of a machine", name)?;
        self.path = name.to_string();
        let span = self.place("", name.as_str());
        let mut machine = Machine::new(name, span);
        for clause in self.list("clauses", clauses)? {
            let Term::Compound(functor, args) = clause else {
                return Err(self.misplaced("a clause", clause));
            };
            let Some(body) = args.get(1) else {
                return Err(self.misplaced("a clause with a body", clause));
            };
            match functor.as_str() {
                "sees" => machine.sees = self.references(body)?,
                "refines" => {
                    let name = self.atom("the name of a machine", body)?;
                    let span = self.place("", name.as_str());
                    machine.refines = Some(Reference { name, span });
                }
                "variables" => machine.variables = self.declared(body)?,
                "invariant" => machine.invariants.extend(self.all_labelled(body, false)?),
                "theorems" => machine.invariants.extend(self.all_labelled(body, true)?),
                "variant" => {
                    let mut variant = self.labelled(body, false)?;
                    variant.label = Name::new("variant");
                    machine.variants.push(variant);
                }
                "events" => {
                    for event in self.list("events", body)? {
                        self.path = name.to_string();
                        let event = self.event(event)?;
                        machine.events.push(event);
                    }
                    self.path = name.to_string();
                }
                other => return Err(Refused::Unknown(format!("clause {other}"))),
            }
        }
        machine
            .invariants
            .sort_by_key(|invariant| invariant.is_theorem);
        self.path.clear();
        Ok(machine)
    }

    pub(super) fn event(&mut self, term: &Term) -> Result<Event> {
        if let Term::Compound(functor, args) = term
            && functor.as_str() == "description_event"
            && let Some(event) = args.last()
        {
            return self.event(event);
        }
        let none = Term::List(Vec::new());
        let ordinary = Term::Atom(Name::new("ordinary"));
        let args = self.compound("event", term)?;
        // The first versions knew no status, later ones no theorems.
        let (name, status, refines, parameters, guards, theorems, actions, witnesses) = match args {
            [_, name, refines, parameters, guards, actions, witnesses] => (
                name, &ordinary, refines, parameters, guards, &none, actions, witnesses,
            ),
            [
                _,
                name,
                status,
                refines,
                parameters,
                guards,
                actions,
                witnesses,
            ] => (
                name, status, refines, parameters, guards, &none, actions, witnesses,
            ),
            [
                _,
                name,
                status,
                refines,
                parameters,
                guards,
                theorems,
                actions,
                witnesses,
            ] => (
                name, status, refines, parameters, guards, theorems, actions, witnesses,
            ),
            _ => return Err(self.misplaced("an event with 7 to 9 parts", term)),
        };
        let name = self.atom("the name of an event", name)?;
        let span = self.place(name.as_str(), name.as_str());
        self.path = format!("{}:{name}", self.path);
        let status = self.status(status)?;
        let mut event = Event {
            name,
            span,
            whole: span,
            status,
            is_extended: false,
            refines: self.references(refines)?,
            parameters: self.declared(parameters)?,
            guards: self.all_labelled(guards, false)?,
            witnesses: Vec::new(),
            actions: Vec::new(),
        };
        event.guards.extend(self.all_labelled(theorems, true)?);
        if event.is_initialisation() {
            // An initialisation always refines the one of the refined machine; some exporters do not say it.
            event
                .refines
                .retain(|refined| refined.name.as_str() != INITIALISATION);
        }
        for action in self.list("actions", actions)? {
            match self.action(action) {
                Ok(action) => event.actions.push(action),
                Err(refused) => {
                    let (label, _) = position(action);
                    let span = self.place(label.as_str(), "");
                    self.refuse(refused, span);
                }
            }
        }
        event.witnesses = self.witnesses(witnesses)?;
        Ok(event)
    }

    fn status(&self, status: &Term) -> Result<Status> {
        match status {
            Term::Compound(status, _) | Term::Atom(status) => Ok(match status.as_str() {
                "convergent" => Status::Convergent,
                "anticipated" => Status::Anticipated,
                _ => Status::Ordinary,
            }),
            other => Err(self.misplaced("the status of an event", other)),
        }
    }

    fn witnesses(&mut self, list: &Term) -> Result<Vec<Labelled>> {
        let mut found = Vec::new();
        for witness in self.list("witnesses", list)? {
            let parts = self.compound("witness", witness)?;
            let [_, name, predicate] = parts else {
                return Err(self.misplaced("a witness with a name and a predicate", witness));
            };
            let names = self.bindings(std::slice::from_ref(name))?;
            match self.labelled(predicate, false) {
                Ok(mut witness) => {
                    if let [binding] = names.as_slice() {
                        witness.label = binding.name;
                    }
                    found.push(witness);
                }
                Err(refused) => {
                    let span = self.place("", "");
                    self.refuse(refused, span);
                }
            }
        }
        Ok(found)
    }

    fn action(&mut self, term: &Term) -> Result<Action> {
        let from = self.exprs.len();
        let (label, _) = position(term);
        let Term::Compound(functor, args) = term else {
            return Err(self.misplaced("an action", term));
        };
        let [_, targets, right] = args.as_slice() else {
            return Err(self.misplaced("an action with targets and a right side", term));
        };
        let mut targets = self.bindings(self.list("targets", targets)?)?;
        let (symbol, formulas, change) = match (functor.as_str(), right) {
            ("assign", Term::List(values)) => {
                let mut formulas = Vec::new();
                for value in values {
                    formulas.push(self.formula(value)?);
                }
                if formulas.len() != targets.len() {
                    return Err(self.misplaced("as many values as targets", term));
                }
                ("≔", formulas.clone(), Change::Assign(formulas))
            }
            ("becomes_element_of", set) => {
                let set = self.formula(set)?;
                (":∈", vec![set], Change::Element(set))
            }
            ("becomes_such", predicate) => {
                let predicate = self.formula(predicate)?;
                (":∣", vec![predicate], Change::Such(predicate))
            }
            (other, _) => return Err(Refused::Unknown(format!("action {other}"))),
        };
        let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        let mut text = format!("{} {symbol} ", names.join(", "));
        let mut places = Vec::new();
        for (i, formula) in formulas.iter().enumerate() {
            if i > 0 {
                text.push_str(", ");
            }
            let printed = print::formula(&self.exprs, *formula, Style::default());
            let start = text.len() as u32;
            text.push_str(&printed.text);
            places.extend(
                printed
                    .places
                    .into_iter()
                    .map(|(id, from, to)| (id, from + start, to + start)),
            );
        }
        let span = self.placed(from, label, &text, &places);
        for target in &mut targets {
            target.span = span;
        }
        Ok(Action {
            label,
            span,
            targets,
            change,
        })
    }
}
