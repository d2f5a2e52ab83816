//! Places: resolved to a variable and a path of positions, then read or written.

use program::{ExprId, Place, PlaceId, ProctypeId, Reason, Root, Selector, Ty, TyId, Value};

use crate::run::{Bound, Run, Stop, fault};
use crate::store::{first, position};

/// A place with every index computed.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub base: Base,
    pub path: Vec<usize>,
}

/// The variable of a target.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    Global(usize),
    Process {
        pid: usize,
        variable: usize,
    },
    /// The name at a position of a frame.
    Local {
        frame: usize,
        at: usize,
    },
    /// A variable of a process that does not live: it is 0 everywhere.
    Nobody(Root),
}

impl Run<'_> {
    /// Fixes a place: its indices are computed and checked, from the outside in.
    pub fn resolve(&mut self, id: PlaceId) -> Result<Target, Stop> {
        let program = self.program;
        let place = &program.places[id];
        let mut target = self.root(place)?;
        let mut ty = self.root_ty(place);
        for selector in &place.path {
            let (at, part) = match (selector, program.types.get(ty)) {
                (Selector::Field(field), Ty::Record(record)) => {
                    let field = *field as usize;
                    (field, program.types.records[*record].fields[field].1)
                }
                (Selector::Index(index), Ty::Array { index: of, element }) => {
                    let value = self.int(*index)?;
                    match position(program, *of, value) {
                        Some(at) => (at, *element),
                        None => return fault(Reason::Index(value), program.exprs[*index].span),
                    }
                }
                (Selector::Element(index), Ty::Multiset { element, .. }) => {
                    let at = usize::try_from(self.int(*index)?).ok();
                    match at.filter(|at| self.places_of(&target).contains(at)) {
                        Some(at) => (at, *element),
                        None => return fault(Reason::NoElement, program.exprs[*index].span),
                    }
                }
                _ => unreachable!("a place fits the type of its variable"),
            };
            target.path.push(at);
            ty = part;
        }
        Ok(target)
    }

    /// The places of a multiset that hold an element.
    pub fn places_of(&self, multiset: &Target) -> Vec<usize> {
        let Value::Bag(places) = self.at(multiset) else {
            unreachable!("a multiset is never undefined");
        };
        let held = places
            .iter()
            .enumerate()
            .filter(|(_, place)| place.is_some());
        held.map(|(at, _)| at).collect()
    }

    fn root(&mut self, place: &Place) -> Result<Target, Stop> {
        let base = match place.root {
            Root::Global(variable) => Base::Global(variable.index()),
            Root::Process(variable) => Base::Process {
                pid: self.me.expect("a process variable belongs to who runs"),
                variable: variable.index(),
            },
            Root::Local(local) => {
                let frame = self.frames.len() - 1;
                let bound = &self.frames[frame].bound;
                let at = bound.iter().rposition(|(name, _)| *name == local);
                let at = at.expect("a local is bound where it is used");
                match &bound[at].1 {
                    Bound::Place(target) => return Ok(target.clone()),
                    Bound::Value(_) => Base::Local { frame, at },
                }
            }
            Root::Remote {
                proctype,
                pid,
                variable,
            } => match self.process_of(proctype, pid)? {
                Some(pid) => Base::Process {
                    pid,
                    variable: variable.index(),
                },
                None => Base::Nobody(place.root),
            },
        };
        Ok(Target {
            base,
            path: Vec::new(),
        })
    }

    /// The living process of a kind with a pid; without a pid the first of that kind.
    pub fn process_of(
        &mut self,
        proctype: ProctypeId,
        pid: Option<ExprId>,
    ) -> Result<Option<usize>, Stop> {
        let pid = match pid {
            Some(pid) => usize::try_from(self.int(pid)?).ok(),
            None => {
                let mut processes = self.state.processes.iter();
                processes.position(|process| process.proctype == proctype)
            }
        };
        let processes = &self.state.processes;
        Ok(pid.filter(|pid| {
            let process = processes.get(*pid);
            process.is_some_and(|process| process.proctype == proctype)
        }))
    }

    fn root_ty(&self, place: &Place) -> TyId {
        let program = self.program;
        match place.root {
            Root::Global(variable) => program.variables[variable].ty,
            Root::Process(variable) => {
                let me = self.me.expect("a process variable belongs to who runs");
                let proctype = self.state.processes[me].proctype;
                program.proctypes[proctype].graph.variables[variable].ty
            }
            Root::Local(local) => program.locals[local].ty,
            Root::Remote {
                proctype, variable, ..
            } => program.proctypes[proctype].graph.variables[variable].ty,
        }
    }

    /// The value at a target.
    pub fn at(&self, target: &Target) -> Value {
        let mut value = match target.base {
            Base::Global(variable) => &self.state.globals[variable],
            Base::Process { pid, variable } => &self.state.processes[pid].variables[variable],
            Base::Local { frame, at } => match &self.frames[frame].bound[at].1 {
                Bound::Value(value) => value,
                Bound::Place(target) => return self.at(target),
            },
            Base::Nobody(root) => {
                let Root::Remote {
                    proctype, variable, ..
                } = root
                else {
                    unreachable!("only processes may be absent");
                };
                let variable = &self.program.proctypes[proctype].graph.variables[variable];
                return part(&first(self.program, variable.ty), &target.path).clone();
            }
        };
        value = part(value, &target.path);
        value.clone()
    }

    /// Puts a value that fits at a target; an element that was taken out meanwhile is gone.
    pub fn put(&mut self, target: &Target, value: Value) -> Result<(), Reason> {
        let mut slot = match target.base {
            Base::Global(variable) => &mut self.state.globals[variable],
            Base::Process { pid, variable } => &mut self.state.processes[pid].variables[variable],
            Base::Local { frame, at } => match &mut self.frames[frame].bound[at].1 {
                Bound::Value(value) => value,
                Bound::Place(_) => unreachable!("a target is never a name for a place"),
            },
            Base::Nobody(_) => unreachable!("variables of other processes are only read"),
        };
        for at in &target.path {
            slot = match slot {
                Value::Parts(parts) => &mut parts[*at],
                Value::Bag(places) => places[*at].as_mut().ok_or(Reason::NoElement)?,
                Value::Undefined | Value::Int(_) => {
                    unreachable!("a place fits the type of its variable")
                }
            };
        }
        *slot = value;
        Ok(())
    }
}

/// A part of a value; nothing of an element that was taken out.
fn part<'v>(value: &'v Value, path: &[usize]) -> &'v Value {
    path.iter().fold(value, |value, at| match value {
        Value::Parts(parts) => &parts[*at],
        Value::Bag(places) => places[*at].as_ref().unwrap_or(&Value::Undefined),
        Value::Undefined => &Value::Undefined,
        Value::Int(_) => unreachable!("a place fits the type of its variable"),
    })
}
