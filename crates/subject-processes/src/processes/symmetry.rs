//! Which processes are interchangeable, for reports and for the compiled system.
//!
//! The reference evaluator creates the processes: from the initial state on until nothing more is created. What is found from
//! there (`program-symmetry`) is told by proctype, with what tells each process that stays alone apart.

use std::collections::{HashSet, VecDeque};

use base::{Diagnostic, Span};
use program::{ExprId, Program, State};
use program_compile::processes::System;
use program_interp::{End, Machine};
use program_symmetry::{Entries, Nothing, Symmetry as Found, settled_locations};
use reduce::symmetry::Telling;
use subject::QuestionId;
use subject::symmetry::{Alike, Apart, Breaks, Partial, Permutations, Precision, Symmetry};

use super::Processes;
use super::describe;
use super::questions::About;
use super::scalarsets::Claims;

/// What the compiled system needs.
pub(crate) struct Symmetric {
    pub(crate) found: Found,
    pub(crate) first: State,
    /// For each proctype and edge what it tells apart, where edges break it.
    pub(crate) told: Option<Vec<Vec<Vec<u32>>>>,
    claims: Claims,
}

impl Symmetric {
    /// What contradicts the user in the first states of a system.
    pub(crate) fn contradicted(&self, program: &Program, system: &System) -> Option<Diagnostic> {
        self.claims.contradicted(program, system)
    }
}

/// States that are looked at before all processes are there.
const MOST_STATES: usize = 2_000;

/// What is known of interchangeable processes; the answers to `questions` do not tell them apart.
pub(crate) fn symmetry(processes: &Processes, questions: &[QuestionId]) -> Symmetry {
    known(processes, questions, &|program, entries, asked, claims| {
        let found = program_symmetry::find(program, entries, asked, &claims.scanning)?;
        Ok((found, None))
    })
}

/// The same where single edges are left out of account, with what they tell apart.
pub(crate) fn partial(processes: &Processes, questions: &[QuestionId]) -> Partial {
    let known = known(processes, questions, &|program, entries, asked, claims| {
        let found = program_symmetry::find_partial(program, entries, asked, &claims.scanning)?;
        Ok((found.symmetry, Some(found.told)))
    });
    let own = known.found::<Symmetric>();
    let breaks = own.and_then(|own| breaks(&processes.program, own));
    Partial {
        breaks: breaks.unwrap_or(Breaks::Nothing),
        known,
    }
}

/// What edges tell apart, if any does.
fn breaks(program: &Program, own: &Symmetric) -> Option<Breaks> {
    let told = own.told.as_ref()?;
    let mut classes = vec![u32::MAX; own.found.points.count];
    for (class, orbit) in own.found.group.orbits().iter().enumerate() {
        let points = orbit.iter();
        points.for_each(|point| classes[*point as usize] = class as u32);
    }
    // For each kind of processes the colours of those that can be exchanged with others.
    let telling = |colours: &[u32]| -> Telling {
        let kinds = program.proctypes.iter().filter_map(|(id, kind)| {
            let processes = own.first.processes.iter().enumerate();
            let alike = processes
                .filter(|(pid, process)| process.proctype == id && classes[*pid] != u32::MAX);
            let colours: Vec<u32> = alike.map(|(pid, _)| colours[pid]).collect();
            (!colours.is_empty()).then_some((kind.name, colours))
        });
        kinds.collect()
    };
    let mut edges: Vec<(Span, Telling)> = Vec::new();
    for ((_, kind), told) in program.proctypes.iter().zip(told) {
        let named = kind.graph.edges.iter().zip(told);
        for ((_, edge), colours) in named.filter(|(_, colours)| !colours.is_empty()) {
            let own = (edge.span, telling(colours));
            if !edges.contains(&own) {
                edges.push(own);
            }
        }
    }
    (!edges.is_empty()).then(|| Breaks::Steps {
        base: telling(&classes),
        edges,
    })
}

/// A symmetry, and for each proctype and edge what it tells apart.
type Told = (Found, Option<Vec<Vec<Vec<u32>>>>);

/// Finds a symmetry of a program from its first settled states on.
type Find = dyn Fn(&Program, &Entries, &[ExprId], &Claims) -> Result<Told, Nothing>;

fn known(processes: &Processes, questions: &[QuestionId], find: &Find) -> Symmetry {
    let program = &processes.program;
    let asked = questions
        .iter()
        .map(|question| match processes.asked[question.index()].about {
            About::Value(expr) => Some(expr),
            // Marks of places are not part of what is found to be alike.
            About::Accepting | About::Progress => None,
        });
    let exprs: Option<Vec<ExprId>> = asked.collect();
    let (Some(exprs), Some(entries)) = (exprs, entries(program)) else {
        return Symmetry::none();
    };
    let components = components(processes);
    let claims = Claims::new(program, &processes.setting.scalarsets);
    match find(program, &entries, &exprs, &claims) {
        Ok((found, told)) => {
            let first = entries.states[0].clone();
            let mut known = Symmetry::none();
            known.refuted = claims.refuted(program, &first, &found);
            known.sets = sets(program, &first, &found);
            known.components = components;
            known.group = Some(permutations(program, &first, &found));
            known.with(Symmetric {
                found,
                first,
                told,
                claims,
            })
        }
        Err(nothing) => {
            let mut known = Symmetry::none();
            known.sets = all_alone(program, &entries.states[0], &nothing);
            known.refuted = claims.unknown;
            known.components = components;
            known
        }
    }
}

fn components(processes: &Processes) -> Vec<(String, Precision)> {
    let ids = processes.description.component_ids();
    ids.map(|(id, _)| {
        let ty = describe::type_text(&processes.program, subject::Holder::Component(id));
        (ty, Precision::Plain)
    })
    .collect()
}

/// The first states from which on nothing is created; none where the start faults or there is no such state.
pub fn entries(program: &Program) -> Option<Entries> {
    let settled: Vec<Vec<bool>> = program
        .proctypes
        .iter()
        .map(|(_, kind)| settled_locations(program, &kind.graph))
        .collect();
    let is_settled = |state: &State| {
        let mut all = state.processes.iter();
        all.all(|process| settled[process.proctype.index()][process.location.index()])
    };
    let machine = Machine::new(program);
    let first = machine.initial().pop()?.state.ok()??;
    let mut seen = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    let mut states = Vec::new();
    while let Some(state) = queue.pop_front() {
        if is_settled(&state) {
            states.push(state);
            continue;
        }
        if seen.len() > MOST_STATES {
            break;
        }
        for step in machine.steps(&state) {
            if let End::State(next) = step.end
                && seen.insert(next.clone())
            {
                queue.push_back(next);
            }
        }
    }
    // As many processes as there ever are: a state where one has died already is no beginning.
    let most = states.iter().map(|state| state.processes.len()).max()?;
    let is_complete = queue.is_empty() && states.iter().all(|s| s.processes.len() == most);
    states.retain(|state| state.processes.len() == most);
    Some(Entries {
        states,
        is_complete,
    })
}

fn name(program: &Program, first: &State, pid: usize) -> String {
    let kind = &program.proctypes[first.processes[pid].proctype];
    format!("{}[{pid}]", kind.name)
}

/// For each proctype with several processes which of them are interchangeable.
fn sets(program: &Program, first: &State, found: &Found) -> Vec<Alike> {
    let orbits = found.group.orbits();
    let kinds = program.proctypes.iter().filter_map(|(id, kind)| {
        let own: Vec<usize> = (0..first.processes.len())
            .filter(|pid| first.processes[*pid].proctype == id)
            .collect();
        let classes = orbits.iter().map(|orbit| {
            let own = orbit
                .iter()
                .filter(|point| own.contains(&(**point as usize)));
            own.map(|point| name(program, first, *point as usize))
                .collect::<Vec<_>>()
        });
        let classes: Vec<Vec<String>> = classes.filter(|class| !class.is_empty()).collect();
        let alone = found.alone.iter().filter(|alone| own.contains(&alone.pid));
        (own.len() > 1).then(|| Alike {
            name: kind.name.to_string(),
            size: own.len(),
            interchangeable: classes.iter().map(Vec::len).sum(),
            classes,
            because: alone
                .map(|alone| Apart {
                    elements: vec![name(program, first, alone.pid)],
                    what: alone.what.to_owned(),
                    span: alone.span.unwrap_or(kind.span),
                })
                .collect(),
        })
    });
    kinds.collect()
}

/// No process is interchangeable, for one reason.
fn all_alone(program: &Program, first: &State, nothing: &Nothing) -> Vec<Alike> {
    let kinds = program.proctypes.iter().filter_map(|(id, kind)| {
        let size = first.processes.iter().filter(|p| p.proctype == id).count();
        (size > 1).then(|| Alike {
            name: kind.name.to_string(),
            size,
            interchangeable: 0,
            classes: Vec::new(),
            because: vec![Apart {
                elements: Vec::new(),
                what: nothing.what.to_owned(),
                span: nothing.span.unwrap_or(kind.span),
            }],
        })
    });
    kinds.collect()
}

/// The group for people: its order, and what its generators do to processes and channels.
fn permutations(program: &Program, first: &State, found: &Found) -> Permutations {
    let point = |at: u32| -> Option<String> {
        let at = at as usize;
        if at < found.points.processes {
            return Some(name(program, first, at));
        }
        let queue = first.channels.get(at - found.points.processes)?;
        let declared = &program.channels[queue.kind].name;
        Some(format!("{declared}#{}", at - found.points.processes + 1))
    };
    let orbits = found.group.orbits().into_iter();
    let orbits = orbits.filter_map(|orbit| orbit.into_iter().map(point).collect());
    let generators = found.group.generators().iter();
    let generators = generators.map(|images| {
        let mut seen = vec![false; images.len()];
        let mut text = String::new();
        for start in 0..images.len() as u32 {
            let mut cycle = Vec::new();
            let mut at = start;
            while !std::mem::replace(&mut seen[at as usize], true) {
                cycle.extend(point(at));
                at = images[at as usize];
            }
            if cycle.len() > 1 {
                text.push_str(&format!("({})", cycle.join(" ")));
            }
        }
        text
    });
    Permutations {
        order: found.group.order(),
        orbits: orbits.collect(),
        generators: generators.filter(|text| !text.is_empty()).collect(),
    }
}
