//! Places as words of the state.

use base::Span;
use program::{Place, PlaceId, ProctypeId, Reason, Root, Selector, Ty};

use super::code::{Code, computed};
use super::engine::{Engine, Trap};
use super::expressions::Maker;
use super::layout::{Home, cells, length};
use super::system::Unsupported;

/// Where a simple place stands.
pub(super) enum Word {
    /// Always this word.
    Known(usize),
    /// One of `count` words from `first` on.
    Among {
        first: usize,
        count: usize,
        offset: Way,
    },
}

/// The way from a variable to a part of it.
pub(super) struct Way {
    /// Cells before it that are known.
    known: usize,
    /// Indices that are computed.
    turns: Vec<Turn>,
}

/// A computed index on the way.
struct Turn {
    index: Code,
    /// The least index and how many there are.
    low: i32,
    length: i32,
    /// Cells of an element.
    stride: usize,
    span: Span,
}

impl Maker<'_> {
    /// The word of a place that can be written.
    pub fn word(&mut self, id: PlaceId) -> Result<Word, Unsupported> {
        let program = self.program;
        self.word_of(&program.places[id], self.me)
    }

    /// The word of a place whose process variables are those of `whose`; indices are computed for who runs.
    pub fn word_of(
        &mut self,
        place: &Place,
        whose: Option<(usize, ProctypeId)>,
    ) -> Result<Word, Unsupported> {
        let (first, ty) = match place.root {
            Root::Global(variable) => match self.layout.global(variable) {
                Home::Words(first) => (*first, self.program.variables[variable].ty),
                Home::Fixed(_) => unreachable!("a variable that is written is not fixed"),
            },
            Root::Process(variable) => {
                let (pid, proctype) = whose.expect("a process variable belongs to who runs");
                let variables = &self.program.proctypes[proctype].graph.variables;
                let before = variables.iter().take(variable.index());
                let before: usize = before.map(|(_, v)| cells(self.program, v.ty)).sum();
                let first = self.layout.processes[pid].variables + before;
                (first, variables[variable].ty)
            }
            Root::Local(_) => return Err(Unsupported::new("a bound name", place.span)),
            Root::Remote { .. } => {
                return Err(Unsupported::new("a write to a process", place.span));
            }
        };
        let count = cells(self.program, ty);
        let way = self.way(&place.path, ty, place.span)?;
        Ok(match way.whole() {
            Ok(known) => Word::Known(first + known),
            Err(offset) => Word::Among {
                first,
                count,
                offset,
            },
        })
    }

    /// The value of a place.
    pub fn read(&mut self, id: PlaceId) -> Result<Code, Unsupported> {
        let program = self.program;
        let place = &program.places[id];
        if let Root::Remote { .. } = place.root {
            return self.read_remote(id);
        }
        if let Root::Global(variable) = place.root
            && let Home::Fixed(values) = self.layout.global(variable)
        {
            let values = values.clone();
            let ty = self.program.variables[variable].ty;
            let way = self.way(&place.path, ty, place.span)?;
            return Ok(match way.whole() {
                Ok(known) => Code::Constant(values[known]),
                Err(offset) => computed(move |engine| Ok(values[offset.get(engine)?])),
            });
        }
        if let (Root::Process(variable), Some((pid, kind))) = (place.root, self.me)
            && place.path.is_empty()
            && let Some(value) = self.layout.processes[pid].known(kind, variable.index())
        {
            return Ok(Code::Constant(value));
        }
        Ok(match self.word(id)? {
            Word::Known(slot) => {
                self.reads(slot, 1);
                Code::Slot(slot)
            }
            Word::Among {
                first,
                count,
                offset,
            } => {
                self.reads(first, count);
                computed(move |engine| {
                    let at = first + offset.get(engine)?;
                    Ok(engine.words[at] as i32)
                })
            }
        })
    }

    /// Adds words that are read; hidden variables are no slots.
    pub fn reads(&mut self, first: usize, count: usize) {
        if first < self.layout.slots {
            self.access.read(first, count);
        }
    }

    /// Adds the words that a store may change.
    pub fn writes(&mut self, word: &Word) {
        let (first, count) = match word {
            Word::Known(slot) => (*slot, 1),
            Word::Among { first, count, .. } => (*first, *count),
        };
        if first < self.layout.slots {
            self.access.write(first, count);
        }
    }

    /// The parts that selectors lead to.
    fn way(
        &mut self,
        path: &[Selector],
        mut ty: program::TyId,
        span: Span,
    ) -> Result<Way, Unsupported> {
        let program = self.program;
        let mut way = Way {
            known: 0,
            turns: Vec::new(),
        };
        for selector in path {
            match (selector, program.types.get(ty)) {
                (Selector::Field(field), Ty::Record(record)) => {
                    let fields = &program.types.records[*record].fields;
                    let before = fields[..*field as usize].iter();
                    way.known += before.map(|(_, ty)| cells(program, *ty)).sum::<usize>();
                    ty = fields[*field as usize].1;
                }
                (Selector::Index(index), Ty::Array { index: of, element }) => {
                    let (low, stride) = (
                        program.types.ranges(*of).and_then(|r| r.first().copied()),
                        cells(program, *element),
                    );
                    let low = low.map_or(0, |range| range.0) as i32;
                    let length = length(program, *of) as i32;
                    let at = program.exprs[*index].span;
                    let index = self.int(*index)?;
                    match index.constant().map(|value| value.wrapping_sub(low)) {
                        Some(value) if (0..length).contains(&value) => {
                            way.known += value as usize * stride;
                        }
                        _ => {
                            self.access.may_fault = true;
                            way.turns.push(Turn {
                                index,
                                low,
                                length,
                                stride,
                                span: at,
                            });
                        }
                    }
                    ty = *element;
                }
                _ => return Err(Unsupported::new("a part of this type", span)),
            }
        }
        Ok(way)
    }
}

impl Turn {
    /// The cells before the element.
    #[inline]
    fn get(&self, engine: &mut Engine<'_>) -> Result<usize, Trap> {
        let value = self.index.get(engine)?;
        let offset = value.wrapping_sub(self.low);
        if (0..self.length).contains(&offset) {
            Ok(offset as usize * self.stride)
        } else {
            engine.trap(Reason::Index(i64::from(value)), self.span)
        }
    }
}

impl Way {
    /// The cells before the part now.
    #[inline]
    pub fn get(&self, engine: &mut Engine<'_>) -> Result<usize, Trap> {
        let mut cells = self.known;
        for turn in &self.turns {
            cells += turn.get(engine)?;
        }
        Ok(cells)
    }

    /// The cells before the part, if they are known.
    fn whole(self) -> Result<usize, Way> {
        match self.turns.is_empty() {
            true => Ok(self.known),
            false => Err(self),
        }
    }
}
