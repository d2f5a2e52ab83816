//! ProB packages: one Prolog fact that holds a machine with all its abstractions, its contexts and theories.
//!
//! Every version that exporters wrote is read: events with and without status and theorems, conjunctions as
//! lists or in binary form, positions with and without the file. Clauses may come in any order.
//! A package holds no text, so every formula is printed, and diagnostics point into that text; its path is the
//! component, the element and the label.

mod formula;
mod term;
mod theory;

use base::{Diagnostic, Diagnostics, FileId, Name, Sources, Span};
use lang_math::{Binding, ExprId, Exprs};

use crate::codes;
use crate::print::{self, Style};
use crate::syntax::{
    Action, Change, Context, Event, INITIALISATION, Labelled, Machine, Project, Reference, Status,
};
use term::Term;

/// What a package starts with.
pub const BEGINNING: &str = "package(";

/// The versions that exporters wrote so far; the first ones wrote none.
const KNOWN_VERSIONS: &[&str] = &["1", "2", "3"];

/// Why a part of a package cannot be read.
enum Refused {
    /// It is not what stands there in a package.
    Broken(String),
    /// A construct that is not known.
    Unknown(String),
}

type Result<T> = std::result::Result<T, Refused>;

/// Reads the package in a file that is among the sources already.
pub fn read(file: FileId, sources: &mut Sources, diagnostics: &mut Diagnostics) -> Project {
    let text = sources.text(file).to_owned();
    let mut project = Project::default();
    let Some(start) = beginning(&text) else {
        let span = Span::new(file, 0, 0);
        let message = "there is no `package(load_event_b_project(…)).` in this file";
        diagnostics.push(Diagnostic::error(&codes::PACKAGE, span, message));
        return project;
    };
    let term = match term::read(&text, start) {
        Ok((term, _)) => term,
        Err(broken) => {
            let at = broken.at as u32;
            let error = Diagnostic::error(&codes::PACKAGE, Span::new(file, at, at), broken.message);
            diagnostics.push(error);
            return project;
        }
    };
    let mut reader = Reader {
        file,
        exprs: Exprs::new(),
        sources,
        diagnostics,
        path: String::new(),
    };
    if let Err(refused) = reader.package(&term, &mut project) {
        reader.refuse(refused, Span::new(file, start as u32, start as u32));
    }
    project.exprs = reader.exprs;
    project
}

/// Where the fact starts: at the beginning of a line.
fn beginning(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find(BEGINNING) {
        let at = from + at;
        if at == 0 || text[..at].ends_with(['\n', '\r', '\u{feff}', ' ', '\t']) {
            return Some(at);
        }
        from = at + BEGINNING.len();
    }
    None
}

struct Reader<'a> {
    file: FileId,
    exprs: Exprs,
    sources: &'a mut Sources,
    diagnostics: &'a mut Diagnostics,
    /// The component, and the event, that is being read.
    path: String,
}

impl Reader<'_> {
    fn refuse(&mut self, refused: Refused, span: Span) {
        let error = match refused {
            Refused::Broken(message) => Diagnostic::error(&codes::PACKAGE, span, message),
            Refused::Unknown(what) => Diagnostic::error(
                &codes::UNKNOWN_TERM,
                span,
                match self.path.as_str() {
                    "" => format!("`{what}` is not known"),
                    path => format!("{path}: `{what}` is not known"),
                },
            ),
        };
        self.diagnostics.push(error);
    }

    fn misplaced(&self, wanted: &str, found: &Term) -> Refused {
        let found = match found {
            Term::Atom(name) => format!("`{name}`"),
            Term::Number(digits) => format!("`{digits}`"),
            Term::Compound(functor, args) => format!("`{functor}/{}`", args.len()),
            Term::List(_) => "a list".to_owned(),
            Term::Variable => "a variable".to_owned(),
        };
        let place = if self.path.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.path)
        };
        Refused::Broken(format!("{place}{wanted} is needed, not {found}"))
    }

    fn package(&mut self, term: &Term, project: &mut Project) -> Result<()> {
        let Term::Compound(_, args) = term else {
            return Err(self.misplaced("a package", term));
        };
        let Some(Term::Compound(load, parts)) = args.first() else {
            return Err(self.misplaced("`load_event_b_project(…)`", term));
        };
        if load.as_str() != "load_event_b_project" {
            return Err(self.misplaced("`load_event_b_project(…)`", &args[0]));
        }
        let [machines, contexts, infos @ ..] = parts.as_slice() else {
            return Err(self.misplaced("machines and contexts", &args[0]));
        };
        for info in infos {
            if let Term::List(infos) = info {
                for info in infos {
                    self.version(info)?;
                    if let Some(theory) = self.theory(info)? {
                        project.theories.push(theory);
                    }
                }
            }
        }
        for context in self.list("contexts", contexts)? {
            let context = self.context(context)?;
            // Exporters write a context once for each way that leads to it.
            if project.context(context.name).is_none() {
                project.contexts.push(context);
            }
        }
        for machine in self.list("machines", machines)? {
            let machine = self.machine(machine)?;
            project.machines.push(machine);
        }
        Ok(())
    }

    /// Refuses what a later exporter wrote.
    fn version(&self, info: &Term) -> Result<()> {
        match info {
            Term::Compound(functor, args) if functor.as_str() == "exporter_version" => {
                match args.as_slice() {
                    [Term::Number(version)] if KNOWN_VERSIONS.contains(&version.as_str()) => Ok(()),
                    [Term::Number(version)] => {
                        Err(Refused::Unknown(format!("exporter_version({version})")))
                    }
                    _ => Err(self.misplaced("a version", info)),
                }
            }
            _ => Ok(()),
        }
    }

    fn list<'t>(&self, wanted: &str, term: &'t Term) -> Result<&'t [Term]> {
        match term {
            Term::List(terms) => Ok(terms),
            other => Err(self.misplaced(&format!("a list of {wanted}"), other)),
        }
    }

    fn atom(&self, wanted: &str, term: &Term) -> Result<Name> {
        match term {
            Term::Atom(name) => Ok(*name),
            other => Err(self.misplaced(wanted, other)),
        }
    }

    /// A compound of this name.
    fn compound<'t>(&self, functor: &str, term: &'t Term) -> Result<&'t [Term]> {
        match term {
            Term::Compound(name, args) if name.as_str() == functor => Ok(args),
            other => Err(self.misplaced(&format!("`{functor}(…)`"), other)),
        }
    }

    /// Registers a text for what stands at a place of the model, and gives the whole of it.
    fn place(&mut self, label: &str, text: &str) -> Span {
        let path = match label {
            "" => self.path.clone(),
            label => format!("{}/{label}", self.path),
        };
        let file = self.sources.add(path, text.to_owned());
        Span::new(file, 0, text.len() as u32)
    }

    /// Prints the formulas that were read since `from` and lets their spans point into that text.
    fn placed(
        &mut self,
        from: usize,
        label: Name,
        text: &str,
        places: &[(ExprId, u32, u32)],
    ) -> Span {
        let whole = self.place(label.as_str(), text);
        for index in from..self.exprs.len() {
            self.exprs.set_span(ExprId::new(index), whole);
        }
        for (id, start, end) in places {
            self.exprs
                .set_span(*id, Span::new(whole.file, *start, *end));
        }
        whole
    }

    fn labelled(&mut self, term: &Term, is_theorem: bool) -> Result<Labelled> {
        let from = self.exprs.len();
        let (label, _) = position(term);
        let formula = self.formula(term)?;
        let printed = print::formula(&self.exprs, formula, Style::default());
        let span = self.placed(from, label, &printed.text, &printed.places);
        Ok(Labelled {
            label,
            formula,
            is_theorem,
            span,
        })
    }

    /// Formulas of a clause; what cannot be read is reported and left out.
    fn all_labelled(&mut self, list: &Term, is_theorem: bool) -> Result<Vec<Labelled>> {
        let mut found = Vec::new();
        for term in self.list("formulas", list)? {
            match self.labelled(term, is_theorem) {
                Ok(labelled) => found.push(labelled),
                Err(refused) => {
                    let (label, _) = position(term);
                    let span = self.place(label.as_str(), "");
                    self.refuse(refused, span);
                }
            }
        }
        Ok(found)
    }

    fn bindings(&mut self, terms: &[Term]) -> Result<Vec<Binding>> {
        let span = Span::new(self.file, 0, 0);
        let mut found = Vec::new();
        for term in terms {
            let args = self.compound("identifier", term)?;
            let name = self.atom("a name", args.get(1).unwrap_or(term))?;
            found.push(Binding { name, span });
        }
        Ok(found)
    }

    /// Names that are declared: each gets a text of its own.
    fn declared(&mut self, list: &Term) -> Result<Vec<Binding>> {
        let mut found = Vec::new();
        for term in self.list("names", list)? {
            let name = match term {
                Term::Compound(functor, args)
                    if matches!(functor.as_str(), "identifier" | "deferred_set") =>
                {
                    self.atom("a name", args.get(1).unwrap_or(term))?
                }
                other => return Err(self.misplaced("a name", other)),
            };
            let span = self.place("", name.as_str());
            found.push(Binding { name, span });
        }
        Ok(found)
    }

    fn references(&mut self, list: &Term) -> Result<Vec<Reference>> {
        let mut found = Vec::new();
        // The first exporters wrote an empty atom for an empty list.
        if matches!(list, Term::Atom(name) if name.as_str().is_empty()) {
            return Ok(found);
        }
        for term in self.list("names", list)? {
            let name = self.atom("a name", term)?;
            let span = self.place("", name.as_str());
            found.push(Reference { name, span });
        }
        Ok(found)
    }

    fn context(&mut self, term: &Term) -> Result<Context> {
        self.path.clear();
        let args = self.compound("event_b_context", term)?;
        let [_, name, clauses] = args else {
            return Err(self.misplaced("a context with a name and clauses", term));
        };
        let name = self.atom("the name of a context", name)?;
        self.path = name.to_string();
        let mut context = Context {
            name,
            span: self.place("", name.as_str()),
            extends: Vec::new(),
            sets: Vec::new(),
            constants: Vec::new(),
            axioms: Vec::new(),
        };
        for clause in self.list("clauses", clauses)? {
            let Term::Compound(functor, args) = clause else {
                return Err(self.misplaced("a clause", clause));
            };
            let Some(list) = args.get(1) else {
                return Err(self.misplaced("a clause with a list", clause));
            };
            match functor.as_str() {
                "extends" => context.extends = self.references(list)?,
                "sets" => context.sets.extend(self.declared(list)?),
                "constants" | "abstract_constants" => {
                    context.constants.extend(self.declared(list)?);
                }
                "axioms" => context.axioms.extend(self.all_labelled(list, false)?),
                "theorems" => context.axioms.extend(self.all_labelled(list, true)?),
                other => return Err(Refused::Unknown(format!("clause {other}"))),
            }
        }
        // Whatever the order of the clauses, theorems follow from axioms.
        context.axioms.sort_by_key(|axiom| axiom.is_theorem);
        self.path.clear();
        Ok(context)
    }

    fn machine(&mut self, term: &Term) -> Result<Machine> {
        self.path.clear();
        let args = self.compound("event_b_model", term)?;
        let [_, name, clauses] = args else {
            return Err(self.misplaced("a machine with a name and clauses", term));
        };
        let name = self.atom("the name of a machine", name)?;
        self.path = name.to_string();
        let mut machine = Machine {
            name,
            span: self.place("", name.as_str()),
            refines: None,
            sees: Vec::new(),
            variables: Vec::new(),
            invariants: Vec::new(),
            variants: Vec::new(),
            events: Vec::new(),
        };
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

    fn event(&mut self, term: &Term) -> Result<Event> {
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
        let status = match status {
            Term::Compound(status, _) | Term::Atom(status) => match status.as_str() {
                "convergent" => Status::Convergent,
                "anticipated" => Status::Anticipated,
                _ => Status::Ordinary,
            },
            other => return Err(self.misplaced("the status of an event", other)),
        };
        let mut event = Event {
            name,
            span,
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
        for witness in self.list("witnesses", witnesses)? {
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
                    event.witnesses.push(witness);
                }
                Err(refused) => {
                    let span = self.place("", "");
                    self.refuse(refused, span);
                }
            }
        }
        Ok(event)
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

/// The label and the file in the position of a term: `rodinpos(File, Label, Id)` or `rodinpos(Label, Id)`.
fn position(term: &Term) -> (Name, Option<Name>) {
    let nothing = Name::new("");
    let Term::Compound(_, args) = term else {
        return (nothing, None);
    };
    let Some(Term::Compound(functor, parts)) = args.first() else {
        return (nothing, None);
    };
    if functor.as_str() != "rodinpos" {
        return (nothing, None);
    }
    let atom = |term: &Term| match term {
        Term::Atom(name) => Some(*name),
        _ => None,
    };
    match parts.as_slice() {
        [file, label, _] => (atom(label).unwrap_or(nothing), atom(file)),
        [label, ..] => (atom(label).unwrap_or(nothing), None),
        [] => (nothing, None),
    }
}
