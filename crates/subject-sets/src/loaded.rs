//! A file that a front end has read and checked: what commands ask of it, whatever its language.
//!
//! Invariant: the only place that knows all front ends; commands see models and formulas.

use base::{Diagnostic, Diagnostics, Name, Sources};
use lang_eventb::check::Component;
use lang_math::{Place, Query, Sort};
use lang_z::print::{Set, boxes};
use lower_eventb::Levels;
use model::scope::Scopes;
use model::{Formula, Model, TyId};
use subject::codes::MISFIT_OPTION;
use subject::paragraph::{Paragraph, Shape};
use subject::setting::{Obligations, Part};
use subject::{
    CheckedFormula, Description, FormulaKind, Hierarchy, LinkKind, Setting, Style,
    TemporalDefinition,
};

/// A checked file.
#[derive(Debug)]
pub(crate) enum Loaded {
    /// Classical B.
    B(Box<lang_b::check::Checked>),
    /// Event-B.
    EventB(Box<lang_eventb::check::Checked>),
    /// Z, with the place of its text.
    Z(Box<lang_z::Checked>, base::FileId),
}

impl Loaded {
    /// The model to run.
    pub(crate) fn lower(&self, setting: &Setting) -> Result<Model, Diagnostics> {
        match self {
            Loaded::B(checked) => {
                if setting.part.level.is_some() {
                    let message = "--level: a refinement in classical B runs at its own level";
                    return Err(one(Diagnostic::global(&MISFIT_OPTION, message)));
                }
                let levels = match setting.obligations {
                    _ if setting.part.concrete_only => lower_b::Levels::Alone,
                    Obligations {
                        refinement: false, ..
                    } => lower_b::Levels::Alone,
                    Obligations { variants: true, .. } => lower_b::Levels::Strict,
                    Obligations { .. } => lower_b::Levels::Together,
                };
                lower_b::lower_at(checked, &scopes(setting), levels)
            }
            Loaded::EventB(checked) => {
                let levels = Levels {
                    component: component(checked, &setting.part)?,
                    concrete_only: setting.part.concrete_only,
                    findings: setting.obligations.refinement,
                    variants: setting.obligations.variants,
                    theorems: setting.obligations.assertions && setting.obligations.refinement,
                };
                let mut model = lower_eventb::lower(checked, levels, &scopes(setting))?;
                if setting.part.machine.is_none() {
                    model
                        .not_checked
                        .extend(other_machines(checked, levels.component));
                }
                Ok(model)
            }
            Loaded::Z(checked, _) => {
                lower_z::lower(checked, &schemas(&setting.part), &scopes(setting))
            }
        }
    }

    /// Adds the paragraphs of a specification to a description.
    pub(crate) fn paragraphs(&self, setting: &Setting, description: &mut Description) {
        let Loaded::Z(checked, _) = self else {
            return;
        };
        let paragraph = |set| {
            let (shape, title, declared, said) = match set {
                Set::Schema(title, declared, said) => (Shape::Schema, title, declared, said),
                Set::Axiom(title, declared, said) => (Shape::Axiom, title, declared, said),
                Set::Line(line) => (Shape::Line, String::new(), vec![line], Vec::new()),
            };
            Paragraph {
                title,
                shape,
                declared,
                said,
            }
        };
        let sets = boxes(checked).into_iter();
        description.paragraphs = sets.map(paragraph).collect();
        let machine = lower_z::machine(checked, &schemas(&setting.part)).ok();
        description.state = machine.map(|(machine, _)| checked.globals[machine.state].name);
    }

    /// A formula with names of its own, read where it stands and added to the model.
    pub(crate) fn question(
        &mut self,
        part: &Part,
        model: &mut Model,
        query: &Query<'_, TyId>,
    ) -> Result<Formula, Diagnostics> {
        match self {
            Loaded::B(checked) => lower_b::question(checked, model, query),
            Loaded::EventB(checked) => {
                let component = component(checked, part)?;
                lower_eventb::question(checked, component, model, query)
            }
            Loaded::Z(checked, _) => {
                let (machine, _) = lower_z::machine(checked, &schemas(part))?;
                lower_z::question(checked, &machine, model, query)
            }
        }
    }

    /// Whether a name means something in formulas.
    pub(crate) fn is_known(&self, part: &Part, name: Name) -> bool {
        match self {
            Loaded::B(checked) => checked.is_known(name),
            Loaded::EventB(checked) => {
                component(checked, part).is_ok_and(|component| checked.is_known(name, component))
            }
            Loaded::Z(checked, _) => {
                let machine = lower_z::machine(checked, &schemas(part));
                let is_variable =
                    machine.is_ok_and(|(machine, _)| machine.variables.contains(&name));
                is_variable || checked.global(name).is_some()
            }
        }
    }

    /// The temporal formulas that the file carries; only classical B has a place for them.
    pub(crate) fn temporal_definitions(&self) -> Vec<TemporalDefinition> {
        match self {
            Loaded::B(checked) => {
                let all = checked.temporal_definitions().into_iter();
                all.map(|definition| TemporalDefinition {
                    name: definition.name,
                    is_branching: definition.is_branching,
                    text: definition.text.map(|text| text.to_string()),
                    span: definition.span,
                })
                .collect()
            }
            Loaded::EventB(_) | Loaded::Z(..) => Vec::new(),
        }
    }

    /// What is wrong with a formula in the notation of the file.
    pub(crate) fn check_formula(&mut self, text: &str, sources: &mut Sources) -> CheckedFormula {
        let kind = |is_predicate| match is_predicate {
            true => FormulaKind::Predicate,
            false => FormulaKind::Expression,
        };
        match self {
            Loaded::B(checked) => {
                let found = checked.check_formula(text, sources);
                CheckedFormula {
                    diagnostics: found.diagnostics,
                    kind: found.sort.map(|sort| kind(sort == Sort::Predicate)),
                    type_text: found.type_text,
                }
            }
            Loaded::EventB(checked) => {
                let mut diagnostics = Diagnostics::new();
                let Some(component) = checked.main else {
                    return CheckedFormula {
                        diagnostics,
                        kind: None,
                        type_text: None,
                    };
                };
                let typed = checked.type_text(text, component, sources, &mut diagnostics);
                CheckedFormula {
                    diagnostics,
                    kind: typed.as_ref().map(|typed| kind(typed.is_predicate)),
                    type_text: typed.and_then(|typed| checked.show_type(typed.root)),
                }
            }
            Loaded::Z(checked, _) => {
                let file = sources.add("<expression>", text.to_owned());
                let mut diagnostics = Diagnostics::new();
                let machine = lower_z::machine(checked, &lower_z::Options::default());
                let scope = machine.map_or(Vec::new(), |(machine, _)| machine.scope(checked));
                let query = Query::plain(Place::whole(file, text));
                let typed = lang_z::type_query(checked, &query, &scope, &mut diagnostics);
                let ty = typed.as_ref().and_then(|typed| checked.ty(typed.root));
                let show = |ty| lang_z::check::types::show(&checked.types, ty);
                CheckedFormula {
                    diagnostics,
                    kind: typed.map(|typed| kind(typed.is_predicate)),
                    type_text: ty.map(show),
                }
            }
        }
    }

    /// One file in normalised notation, its parts in their order.
    pub(crate) fn print_in_place(&self, file: base::FileId, style: Style) -> Option<String> {
        match self {
            Loaded::B(checked) => {
                let style = lang_math::print::Style {
                    unicode: style.unicode,
                };
                let component = checked.component()?;
                Some(lang_b::print::in_place(component, &style))
            }
            Loaded::EventB(checked) => {
                let style = lang_eventb::print::Style {
                    unicode: style.unicode,
                };
                let project = &checked.project;
                Some(lang_eventb::print::file(project, file, style))
            }
            Loaded::Z(..) => self.print(style),
        }
    }

    /// The file in normalised notation.
    pub(crate) fn print(&self, style: Style) -> Option<String> {
        match self {
            Loaded::B(checked) => checked.component().map(|component| {
                lang_b::print::component(
                    component,
                    &lang_math::print::Style {
                        unicode: style.unicode,
                    },
                )
            }),
            // Event-B is written with its symbols.
            Loaded::EventB(checked) => Some(lang_eventb::print::project(
                &checked.project,
                lang_eventb::print::Style::default(),
            )),
            Loaded::Z(checked, _) => {
                let markup = match style.unicode {
                    true => lang_z::print::Markup::Unicode,
                    false => lang_z::print::Markup::Latex,
                };
                Some(lang_z::print::specification(checked, markup))
            }
        }
    }

    /// The components and how they refer to each other, the main one first.
    pub(crate) fn hierarchy(&self) -> Hierarchy {
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
                        graph.link(from, &name(refined), LinkKind::Refines);
                    }
                    for reference in &unit.references {
                        graph.link(
                            from,
                            &name(reference.unit),
                            LinkKind::Uses(reference.link.keyword()),
                        );
                    }
                }
            }
            Loaded::EventB(checked) => {
                for machine in &checked.project.machines {
                    let from = graph.node(machine.name.as_str());
                    if let Some(refined) = &machine.refines {
                        graph.link(from, refined.name.as_str(), LinkKind::Refines);
                    }
                    for seen in &machine.sees {
                        graph.link(from, seen.name.as_str(), LinkKind::Uses("SEES"));
                    }
                }
                for context in &checked.project.contexts {
                    let from = graph.node(context.name.as_str());
                    for extended in &context.extends {
                        graph.link(from, extended.name.as_str(), LinkKind::Uses("EXTENDS"));
                    }
                }
            }
            Loaded::Z(checked, _) => {
                graph.node(checked.name.as_str());
            }
        }
        graph
    }

    /// The main file, when there is one.
    pub(crate) fn file(&self) -> Option<base::FileId> {
        match self {
            Loaded::B(checked) => checked.file(),
            Loaded::EventB(_) => None,
            Loaded::Z(_, file) => Some(*file),
        }
    }
}

/// The schemas that the command line names.
pub(crate) fn schemas(part: &Part) -> lower_z::Options {
    let name = |text: &String| Name::new(text);
    lower_z::Options {
        state: part.state.as_ref().map(name),
        init: part.init.as_ref().map(name),
        operations: part.operations.iter().map(name).collect(),
    }
}

/// Sizes and preferences as lowering takes them.
fn scopes(setting: &Setting) -> Scopes {
    Scopes {
        cards: setting.scopes.cards.iter().copied().collect(),
        preferences: setting.scopes.preferences.iter().cloned().collect(),
    }
}

fn one(diagnostic: Diagnostic) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(diagnostic);
    diagnostics
}

/// The machines of a project that do not take part when nobody named the one to check.
fn other_machines(checked: &lang_eventb::check::Checked, component: Component) -> Vec<String> {
    let Component::Machine(main) = component else {
        return Vec::new();
    };
    let part = checked.chain(main);
    let machines = checked.project.machines.iter().enumerate();
    let others = machines.filter(|(index, _)| !part.contains(index));
    others
        .map(|(_, machine)| format!("machine {0} (use --machine {0})", machine.name))
        .collect()
}

/// The component that is meant: by name, else the main one; of its chain, the wanted level.
fn component(checked: &lang_eventb::check::Checked, part: &Part) -> Result<Component, Diagnostics> {
    let misfit = |message: String| Err(one(Diagnostic::global(&MISFIT_OPTION, message)));
    let chosen = match part.machine.as_deref() {
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
    let Some(level) = part.level else {
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
