//! Rodin files: the XML of sources (`.bum`, `.buc`), of checked components (`.bcm`, `.bcc`) and of theories (`.tuf`).
//!
//! Sources are what the user wrote: extended events are not flattened yet, formulas keep their layout. Checked
//! files are flattened, hold a copy of every context, and list the invariants of all levels; the handle in the
//! attribute `source` tells which are the machine's own.
//! A formula becomes a text of its own among the sources; its path is the file, the element and the label.
//! Invariant: what cannot be read is a diagnostic, and the rest of the file counts.

mod theory;
mod xml;

use base::{Diagnostic, Diagnostics, FileId, Name, Sources, Span};
use lang_math::Binding;
use roxmltree::{Document, Node, ParsingOptions};
use rustc_hash::FxHashMap;

use self::xml::*;
use crate::codes;
use crate::math::parse::{self, Place};
use crate::syntax::{
    Action, Context, Event, INITIALISATION, Labelled, Machine, Project, Reference, Status,
};

/// How many elements a file may have: far more than Rodin can show.
const MAX_NODES: u32 = 2_000_000;

/// Reads Rodin files into a project, one by one.
pub struct Reader<'a> {
    project: &'a mut Project,
    sources: &'a mut Sources,
    diagnostics: &'a mut Diagnostics,
    /// The names that checked files have for events, by machine.
    internal: FxHashMap<(Name, String), Name>,
    /// The file that is being read.
    path: String,
    file: Option<FileId>,
}

/// What a file refers to.
#[derive(Debug, Default)]
pub struct References {
    /// Contexts.
    pub contexts: Vec<Name>,
    /// Machines.
    pub machines: Vec<Name>,
}

impl<'a> Reader<'a> {
    /// A reader that adds to a project.
    pub fn new(
        project: &'a mut Project,
        sources: &'a mut Sources,
        diagnostics: &'a mut Diagnostics,
    ) -> Reader<'a> {
        Reader {
            project,
            sources,
            diagnostics,
            internal: FxHashMap::default(),
            path: String::new(),
            file: None,
        }
    }

    /// Reads the component `name` from the text of a file.
    pub fn read(&mut self, path: &str, name: &str, text: String) -> References {
        self.path = path.to_owned();
        let file = self.sources.add(path, text.clone());
        self.file = Some(file);
        let mut references = References::default();
        let options = ParsingOptions {
            nodes_limit: MAX_NODES,
            ..ParsingOptions::default()
        };
        let document = match Document::parse_with_options(&text, options) {
            Ok(document) => document,
            Err(error) => {
                let at = offset(&text, error.pos());
                let message = format!("this is no XML: {error}");
                self.report(Diagnostic::error(
                    &codes::XML,
                    Span::new(file, at, at),
                    message,
                ));
                return references;
            }
        };
        let root = document.root_element();
        let name = Name::new(name);
        match element(root) {
            "contextFile" | "scContextFile" => {
                self.accurate(root);
                self.internal_contexts(root);
                let context = self.context(root, name);
                references
                    .contexts
                    .extend(context.extends.iter().map(|reference| reference.name));
                self.add_context(context);
            }
            "machineFile" | "scMachineFile" => {
                self.accurate(root);
                self.internal_contexts(root);
                let machine = self.machine(root, name);
                references
                    .contexts
                    .extend(machine.sees.iter().map(|reference| reference.name));
                references
                    .machines
                    .extend(machine.refines.iter().map(|reference| reference.name));
                self.project.machines.push(machine);
            }
            "theoryRoot" => {
                let theory = self.theory(root, name);
                self.project.theories.push(theory);
            }
            other => {
                let message = format!("`{other}` is neither a context nor a machine");
                let span = self.place(root);
                self.report(Diagnostic::error(&codes::XML, span, message));
            }
        }
        references
    }

    /// Gives the events of checked files the labels that they refer to.
    pub fn finish(self) {
        let internal = self.internal;
        for machine in &mut self.project.machines {
            let Some(refined) = machine.refines.map(|refined| refined.name) else {
                continue;
            };
            for event in &mut machine.events {
                for reference in &mut event.refines {
                    let key = (refined, reference.name.to_string());
                    if let Some(label) = internal.get(&key) {
                        reference.name = *label;
                    }
                }
            }
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn accurate(&mut self, root: Node<'_, '_>) {
        if attribute(root, "accurate") == Some("false") {
            let span = self.place(root);
            let message = "Rodin found errors in this component: parts of it are missing here";
            self.report(Diagnostic::warning(&codes::INACCURATE, span, message));
        }
    }

    /// The place of an element in the file.
    fn place(&self, node: Node<'_, '_>) -> Span {
        let range = node.range();
        let file = self.file.unwrap_or(FileId::new(0));
        Span::new(file, range.start as u32, range.start as u32)
    }

    /// Registers the text of a formula or name.
    fn text(&mut self, element: &str, text: &str) -> FileId {
        let path = match element {
            "" => self.path.clone(),
            element => format!("{}:{element}", self.path),
        };
        self.sources.add(path, text.to_owned())
    }

    /// An attribute that must be there.
    fn required<'n>(&mut self, node: Node<'n, '_>, name: &str) -> Option<&'n str> {
        let found = attribute(node, name);
        if found.is_none() {
            let span = self.place(node);
            let message = format!("element `{}` has no `{name}`", element(node));
            self.report(Diagnostic::error(&codes::XML, span, message));
        }
        found
    }

    fn binding(&mut self, node: Node<'_, '_>, around: &str) -> Option<Binding> {
        // In checked files the name of the element is the identifier.
        let name = match attribute(node, "identifier") {
            Some(name) => name,
            None => node.attribute("name").filter(|_| is_checked(node))?,
        };
        let name = name.trim();
        let file = self.text(around, name);
        Some(Binding {
            name: Name::new(name),
            span: Span::new(file, 0, name.len() as u32),
        })
    }

    /// The component that an element refers to.
    fn reference(&mut self, node: Node<'_, '_>, around: &str) -> Option<Reference> {
        let name = match attribute(node, "target") {
            Some(name) => name.trim().to_owned(),
            None => handle_name(attribute(node, "scTarget")?),
        };
        let file = self.text(around, &name);
        Some(Reference {
            name: Name::new(&name),
            span: Span::new(file, 0, name.len() as u32),
        })
    }

    fn labelled(
        &mut self,
        node: Node<'_, '_>,
        around: &str,
        kind: &str,
        is_theorem: bool,
    ) -> Option<Labelled> {
        let label = attribute(node, "label").unwrap_or("").trim();
        let text = self.required(node, kind)?.to_owned();
        let element = match (around, label) {
            ("", label) => label.to_owned(),
            (around, "") => around.to_owned(),
            (around, label) => format!("{around}/{label}"),
        };
        let file = self.text(&element, &text);
        let place = Place::whole(file, &text);
        let formula = parse::formula(place, &mut self.project.exprs, self.diagnostics);
        let span = Span::new(file, 0, text.len() as u32);
        Some(Labelled {
            label: Name::new(label),
            label_span: span,
            formula,
            is_theorem: is_theorem || attribute(node, "theorem") == Some("true"),
            span,
        })
    }

    fn internal_contexts(&mut self, root: Node<'_, '_>) {
        for node in children(root).filter(|node| element(*node) == "scInternalContext") {
            if let Some(name) = node.attribute("name") {
                let context = self.context(node, Name::new(name));
                self.add_context(context);
            }
        }
    }

    fn add_context(&mut self, context: Context) {
        // Checked files hold copies of contexts.
        if self.project.context(context.name).is_none() {
            self.project.contexts.push(context);
        }
    }

    fn context(&mut self, root: Node<'_, '_>, name: Name) -> Context {
        let file = self.text("", name.as_str());
        let span = Span::new(file, 0, name.as_str().len() as u32);
        let mut context = Context::new(name, span);
        for node in children(root) {
            match element(node) {
                "extendsContext" | "scExtendsContext" => {
                    context.extends.extend(self.reference(node, ""));
                }
                "carrierSet" | "scCarrierSet" => context.sets.extend(self.binding(node, "")),
                "constant" | "scConstant" => context.constants.extend(self.binding(node, "")),
                "axiom" | "scAxiom" => {
                    let axiom = self.labelled(node, "", "predicate", false);
                    context.axioms.extend(axiom);
                }
                "theorem" | "scTheorem" => {
                    let theorem = self.labelled(node, "", "predicate", true);
                    context.axioms.extend(theorem);
                }
                _ => {}
            }
        }
        context
    }

    fn machine(&mut self, root: Node<'_, '_>, name: Name) -> Machine {
        let file = self.text("", name.as_str());
        let span = Span::new(file, 0, name.as_str().len() as u32);
        let mut machine = Machine::new(name, span);
        for node in children(root) {
            match element(node) {
                "refinesMachine" | "scRefinesMachine" => machine.refines = self.reference(node, ""),
                "seesContext" | "scSeesContext" => machine.sees.extend(self.reference(node, "")),
                "variable" => machine.variables.extend(self.binding(node, "")),
                "scVariable" if attribute(node, "concrete") == Some("true") => {
                    machine.variables.extend(self.binding(node, ""));
                }
                "invariant" => {
                    let invariant = self.labelled(node, "", "predicate", false);
                    machine.invariants.extend(invariant);
                }
                "theorem" => {
                    let theorem = self.labelled(node, "", "predicate", true);
                    machine.invariants.extend(theorem);
                }
                "scInvariant" | "scTheorem" if is_own(node, name) => {
                    let is_theorem = element(node) == "scTheorem";
                    let invariant = self.labelled(node, "", "predicate", is_theorem);
                    machine.invariants.extend(invariant);
                }
                "variant" | "scVariant" => {
                    let variant = self.labelled(node, "variant", "expression", false);
                    machine.variants.extend(variant);
                }
                "event" | "scEvent" => {
                    let event = self.event(node, name);
                    machine.events.extend(event);
                }
                _ => {}
            }
        }
        machine
    }

    fn event(&mut self, root: Node<'_, '_>, machine: Name) -> Option<Event> {
        let label = self.required(root, "label")?.trim().to_owned();
        let name = Name::new(&label);
        if let Some(internal) = root.attribute("name").filter(|_| is_checked(root)) {
            self.internal.insert((machine, internal.to_owned()), name);
        }
        let file = self.text(&label, &label);
        let is_extended = !is_checked(root)
            && (attribute(root, "extended") == Some("true")
                || attribute(root, "inherited") == Some("true"));
        let span = Span::new(file, 0, label.len() as u32);
        let mut event = Event {
            name,
            span,
            whole: span,
            status: match attribute(root, "convergence") {
                Some("1") => Status::Convergent,
                Some("2") => Status::Anticipated,
                _ => Status::Ordinary,
            },
            is_extended,
            refines: Vec::new(),
            parameters: Vec::new(),
            guards: Vec::new(),
            witnesses: Vec::new(),
            actions: Vec::new(),
        };
        for node in children(root) {
            match element(node) {
                "refinesEvent" | "scRefinesEvent" => {
                    event.refines.extend(self.reference(node, &label));
                }
                "parameter" | "scParameter" | "variable" => {
                    event.parameters.extend(self.binding(node, &label));
                }
                "guard" | "scGuard" => {
                    let guard = self.labelled(node, &label, "predicate", false);
                    event.guards.extend(guard);
                }
                "theorem" | "scTheorem" => {
                    let guard = self.labelled(node, &label, "predicate", true);
                    event.guards.extend(guard);
                }
                "witness" | "scWitness" => {
                    let witness = self.labelled(node, &label, "predicate", false);
                    event.witnesses.extend(witness);
                }
                "action" | "scAction" => event.actions.extend(self.action(node, &label)),
                _ => {}
            }
        }
        if event.is_initialisation() {
            event
                .refines
                .retain(|refined| refined.name.as_str() != INITIALISATION);
        } else if attribute(root, "inherited") == Some("true") && event.refines.is_empty() {
            // An inherited event of an old database refines the event of its own name.
            let span = event.span;
            event.refines.push(Reference { name, span });
        }
        Some(event)
    }

    fn action(&mut self, node: Node<'_, '_>, around: &str) -> Option<Action> {
        let label = attribute(node, "label").unwrap_or("").trim();
        let text = self.required(node, "assignment")?.to_owned();
        let file = self.text(&format!("{around}/{label}"), &text);
        let place = Place::whole(file, &text);
        let exprs = &mut self.project.exprs;
        let (targets, change) = parse::assignment(place, exprs, self.diagnostics)?;
        Some(Action {
            label: Name::new(label),
            span: Span::new(file, 0, text.len() as u32),
            targets,
            change,
        })
    }
}
