//! ProB packages: one Prolog fact that holds a machine with all its abstractions, its contexts and theories.
//!
//! Every version that exporters wrote is read: events with and without status and theorems, conjunctions as
//! lists or in binary form, positions with and without the file. Clauses may come in any order.
//! A package holds no text, so every formula is printed, and diagnostics point into that text; its path is the
//! component, the element and the label.

mod formula;
mod machine;
mod term;
mod theory;

use base::{Diagnostic, Diagnostics, FileId, Name, Sources, Span};
use lang_math::{Binding, ExprId, Exprs};

use crate::codes;
use crate::print::{self, Style};
use crate::syntax::{Context, Labelled, Project, Reference};
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
            label_span: span,
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
        let span = self.place("", name.as_str());
        let mut context = Context::new(name, span);
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
