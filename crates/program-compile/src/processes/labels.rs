//! Questions about states as labels.

use base::{Name, Span};
use pins::{Label, LabelKind, SlotSet, Truth};
use program::{ExprId, Program};

use super::code::Code;
use super::engine::{Engine, Trap};
use super::expressions::Maker;
use super::layout::{Layout, at};
use super::system::Unsupported;

/// A question about states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether an expression is not 0.
    Expression(ExprId),
    /// Whether the program may end here: every process is at its end or at a location marked so, and so is the observer.
    MayEnd {
        /// Whether all channels must be empty, instead of the observer being at an end.
        empty_channels: bool,
    },
    /// Whether some process is at a location marked as accepting.
    Accepting,
    /// Whether some process is at a location marked as progress.
    Progress,
}

/// A question as code.
pub(super) enum Asked {
    Code(Code),
    MayEnd { empty_channels: bool },
    Accepting,
    Progress,
}

/// What the marks of locations say, by kind of process and location.
pub(super) struct Marks {
    pub is_end: Vec<Vec<bool>>,
    pub is_accepting: Vec<Vec<bool>>,
}

impl Marks {
    /// The marks of a program.
    pub fn new(program: &Program) -> Marks {
        let of = |mark: fn(&program::Marks) -> bool| {
            let kinds = program.proctypes.iter();
            let of_kind = |kind: &program::Proctype| {
                let locations = kind.graph.locations.iter();
                locations
                    .map(|(_, l)| mark(&l.marks))
                    .collect::<Vec<bool>>()
            };
            kinds.map(|(_, kind)| of_kind(kind)).collect()
        };
        Marks {
            is_end: of(|marks| marks.is_end),
            is_accepting: of(|marks| marks.is_accepting),
        }
    }
}

/// A question as code, and as a label.
pub(super) fn label(
    program: &Program,
    layout: &Layout,
    question: Question,
    (name, kind, span): (Name, LabelKind, Option<Span>),
) -> Result<(Asked, Label), Unsupported> {
    let mut maker = Maker::new(program, layout, None);
    let asked = match question {
        Question::Expression(expr) => Asked::Code(maker.int(expr)?),
        Question::MayEnd { empty_channels } => {
            maker.read_controls();
            if empty_channels {
                for slot in layout.channels.iter().filter_map(|channel| channel.length) {
                    maker.access.read(slot, 1);
                }
            } else if let Some(slot) = layout.observer {
                maker.access.read(slot, 1);
            }
            Asked::MayEnd { empty_channels }
        }
        Question::Accepting => {
            maker.read_controls();
            Asked::Accepting
        }
        Question::Progress => {
            maker.read_controls();
            Asked::Progress
        }
    };
    let mut access = maker.take_access().whole();
    if access.asks_all || access.asks_timeout {
        access.read(0, layout.slots);
    }
    let reads: SlotSet = access.reads;
    let label = Label {
        kind,
        name,
        reads,
        span,
    };
    Ok((asked, label))
}

impl Engine<'_> {
    /// The truth of a question in the state that is loaded.
    pub(super) fn answer(&mut self, asked: &Asked, marks: &Marks) -> Truth {
        let is_so = match asked {
            Asked::Code(code) => {
                self.timeout = None;
                match code.get(self) {
                    Ok(value) => value != 0,
                    Err(Trap) => {
                        let fault = self.pins_fault();
                        let fault = fault.expect("code that ended has a fault");
                        return Truth::Undefined(fault);
                    }
                }
            }
            Asked::MayEnd { empty_channels } => self.may_end(&marks.is_end, *empty_channels),
            Asked::Accepting => self.is_marked(&marks.is_accepting),
            Asked::Progress => self.has_progress(),
        };
        if is_so { Truth::True } else { Truth::False }
    }

    fn is_marked(&self, marks: &[Vec<bool>]) -> bool {
        let processes = &self.tables.layout.processes;
        let mut living = processes.iter().map(|region| self.words[region.control]);
        living.any(|control| control != 0 && has_mark(marks, control))
    }

    fn may_end(&self, marks: &[Vec<bool>], empty_channels: bool) -> bool {
        let layout = &self.tables.layout;
        if self.alive() == 0 {
            return true;
        }
        let mut living = layout
            .processes
            .iter()
            .map(|region| self.words[region.control]);
        if !living.all(|control| control == 0 || has_mark(marks, control)) {
            return false;
        }
        if empty_channels {
            let mut lengths = layout.channels.iter().filter_map(|channel| channel.length);
            return lengths.all(|slot| self.words[slot] == 0);
        }
        match (&self.tables.observer, layout.observer) {
            (Some(observer), Some(slot)) => {
                observer.is_end.get(self.words[slot] as usize) == Some(&true)
            }
            _ => true,
        }
    }
}

fn has_mark(marks: &[Vec<bool>], control: u32) -> bool {
    let (kind, location) = at(control);
    let marks = marks.get(kind);
    marks.and_then(|marks| marks.get(location)) == Some(&true)
}
