//! A file that a front end has read and checked: what commands ask of it, whatever its language.
//!
//! Invariant: the only place that knows all front ends; commands see models and formulas.

use base::{Diagnostic, Diagnostics, Sources};
use lang_b::check::CheckedFormula;
use lang_eventb::check::Component;
use lang_math::Sort;
use lang_math::print::Style;
use lower_eventb::Levels;
use model::Formula;
use model::Model;
use model::scope::Scopes;

use crate::codes;

/// A checked file.
#[derive(Debug)]
pub(crate) enum Loaded {
    /// Classical B.
    B(Box<lang_b::check::Checked>),
    /// Event-B.
    EventB(Box<lang_eventb::check::Checked>),
}

/// Which part of a file is meant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// The component.
    pub(crate) machine: Option<&'a str>,
    /// The level of refinement, 0 for the most abstract machine.
    pub(crate) level: Option<u32>,
    /// Without the machines it refines.
    pub(crate) concrete_only: bool,
    /// Whether a step that is none of the refined machine is a finding.
    pub(crate) findings: bool,
    /// Whether events are compared with the variant.
    pub(crate) variants: bool,
    /// Whether theorems among the guards of events are checked.
    pub(crate) theorems: bool,
}

impl Default for Wanted<'_> {
    fn default() -> Self {
        Wanted {
            machine: None,
            level: None,
            concrete_only: false,
            findings: true,
            variants: false,
            theorems: false,
        }
    }
}

impl Loaded {
    /// The model to run.
    pub(crate) fn lower(&self, wanted: &Wanted<'_>, scopes: &Scopes) -> Result<Model, Diagnostics> {
        match self {
            Loaded::B(checked) => {
                if wanted.level.is_some() {
                    let message = "--level: a refinement in classical B runs at its own level";
                    return Err(one(Diagnostic::global(&codes::MISFIT_OPTION, message)));
                }
                lower_b::lower(checked, scopes)
            }
            Loaded::EventB(checked) => {
                let levels = Levels {
                    component: component(checked, wanted)?,
                    concrete_only: wanted.concrete_only,
                    findings: wanted.findings,
                    variants: wanted.variants,
                    theorems: wanted.theorems,
                };
                lower_eventb::lower(checked, levels, scopes)
            }
        }
    }

    /// A formula in the notation of the file, added to its model.
    pub(crate) fn formula(
        &mut self,
        wanted: &Wanted<'_>,
        model: &mut Model,
        text: &str,
        sources: &mut Sources,
    ) -> Result<Formula, Diagnostics> {
        match self {
            Loaded::B(checked) => lower_b::formula(checked, model, text, sources),
            Loaded::EventB(checked) => {
                let component = component(checked, wanted)?;
                lower_eventb::formula(checked, component, model, text, sources)
            }
        }
    }

    /// The temporal formulas that the file carries; only classical B has a place for them.
    pub(crate) fn temporal_definitions(&self) -> Vec<lang_b::temporal::TemporalDefinition> {
        match self {
            Loaded::B(checked) => checked.temporal_definitions(),
            Loaded::EventB(_) => Vec::new(),
        }
    }

    /// What is wrong with a formula in the notation of the file.
    pub(crate) fn check_formula(&mut self, text: &str, sources: &mut Sources) -> CheckedFormula {
        match self {
            Loaded::B(checked) => checked.check_formula(text, sources),
            Loaded::EventB(checked) => {
                let mut diagnostics = Diagnostics::new();
                let Some(component) = checked.main else {
                    return CheckedFormula {
                        diagnostics,
                        sort: None,
                        type_text: None,
                    };
                };
                let typed = checked.type_text(text, component, sources, &mut diagnostics);
                let sort = |is_predicate| match is_predicate {
                    true => Sort::Predicate,
                    false => Sort::Expression,
                };
                CheckedFormula {
                    diagnostics,
                    sort: typed.map(|typed| sort(typed.is_predicate)),
                    type_text: typed.and_then(|typed| checked.show_type(typed.root)),
                }
            }
        }
    }

    /// The file in normalised notation.
    pub(crate) fn print(&self, style: &Style) -> Option<String> {
        match self {
            Loaded::B(checked) => checked
                .component()
                .map(|component| lang_b::print::component(component, style)),
            // Event-B is written with its symbols.
            Loaded::EventB(checked) => Some(lang_eventb::print::project(
                &checked.project,
                lang_eventb::print::Style::default(),
            )),
        }
    }

    /// The components and how they refer to each other, the main one first.
    pub(crate) fn hierarchy(&self) -> (Vec<String>, Vec<(usize, usize, String)>) {
        let mut graph = Hierarchy::default();
        match self {
            Loaded::B(checked) => {
                let units = &checked.project.units;
                let name = |id: lang_b::load::UnitId| units[id].component.name.to_string();
                if let Some(main) = checked.project.main {
                    graph.node(&name(main));
                }
                for (id, unit) in units.iter() {
                    let from = graph.node(&name(id));
                    if let Some(refined) = unit.refines {
                        graph.link(from, &name(refined), "REFINES");
                    }
                    for reference in &unit.references {
                        graph.link(from, &name(reference.unit), reference.link.keyword());
                    }
                }
            }
            Loaded::EventB(checked) => {
                for machine in &checked.project.machines {
                    let from = graph.node(machine.name.as_str());
                    if let Some(refined) = &machine.refines {
                        graph.link(from, refined.name.as_str(), "REFINES");
                    }
                    for seen in &machine.sees {
                        graph.link(from, seen.name.as_str(), "SEES");
                    }
                }
                for context in &checked.project.contexts {
                    let from = graph.node(context.name.as_str());
                    for extended in &context.extends {
                        graph.link(from, extended.name.as_str(), "EXTENDS");
                    }
                }
            }
        }
        (graph.names, graph.links)
    }

    /// The main file, when there is one.
    pub(crate) fn file(&self) -> Option<base::FileId> {
        match self {
            Loaded::B(checked) => checked.file(),
            Loaded::EventB(_) => None,
        }
    }
}

/// Names and links between them.
#[derive(Default)]
struct Hierarchy {
    names: Vec<String>,
    links: Vec<(usize, usize, String)>,
}

impl Hierarchy {
    fn node(&mut self, name: &str) -> usize {
        match self.names.iter().position(|known| known == name) {
            Some(at) => at,
            None => {
                self.names.push(name.to_owned());
                self.names.len() - 1
            }
        }
    }

    fn link(&mut self, from: usize, to: &str, link: &str) {
        let to = self.node(to);
        let link = (from, to, link.to_owned());
        if !self.links.contains(&link) {
            self.links.push(link);
        }
    }
}

fn one(diagnostic: Diagnostic) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(diagnostic);
    diagnostics
}

/// The component that is meant: by name, else the main one; of its chain, the wanted level.
fn component(
    checked: &lang_eventb::check::Checked,
    wanted: &Wanted<'_>,
) -> Result<Component, Diagnostics> {
    let misfit = |message: String| Err(one(Diagnostic::global(&codes::MISFIT_OPTION, message)));
    let chosen = match wanted.machine {
        Some(name) => match checked.component(name) {
            Some(component) => component,
            None => {
                let machines = checked.project.machines.iter().map(|machine| machine.name);
                let contexts = checked.project.contexts.iter().map(|context| context.name);
                let known: Vec<String> = machines
                    .chain(contexts)
                    .map(|name| name.to_string())
                    .collect();
                let message = format!(
                    "--machine {name}: there is no such component; there are {}",
                    known.join(", ")
                );
                return misfit(message);
            }
        },
        None => match checked.main {
            Some(main) => main,
            None => return misfit("there is no machine and no context".to_owned()),
        },
    };
    let Some(level) = wanted.level else {
        return Ok(chosen);
    };
    let Component::Machine(machine) = chosen else {
        return misfit("--level: a context has no levels".to_owned());
    };
    let chain = checked.chain(machine);
    match chain.iter().rev().nth(level as usize) {
        Some(machine) => Ok(Component::Machine(*machine)),
        None => misfit(format!(
            "--level {level}: the levels are 0 (the most abstract machine) to {}",
            chain.len() - 1
        )),
    }
}
