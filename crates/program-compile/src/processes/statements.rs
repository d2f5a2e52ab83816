//! Code for statements.

use program::{Print, Reason, StmtId, StmtKind};

use super::code::{Action, Code};
use super::expressions::Maker;
use super::layout::cut;
use super::places::Word;
use super::system::Unsupported;

impl Maker<'_> {
    /// Code for a statement.
    pub fn action(&mut self, id: StmtId) -> Result<Action, Unsupported> {
        base::deep::recurse(|| self.action_here(id))
    }

    // Long: one arm for each kind of statement.
    fn action_here(&mut self, id: StmtId) -> Result<Action, Unsupported> {
        let program = self.program;
        let stmt = &program.stmts[id];
        let span = stmt.span;
        Ok(match &stmt.kind {
            StmtKind::Block(body) => {
                let mut actions = Vec::new();
                for stmt in body {
                    actions.push(self.action(*stmt)?);
                }
                if actions.len() == 1 {
                    return Ok(actions.remove(0));
                }
                Box::new(move |engine| {
                    for action in &actions {
                        action(engine)?;
                    }
                    Ok(())
                })
            }
            StmtKind::Assign(place, value) if self.fixed_is_set && self.is_fixed(*place) => {
                // A channel is created all the same.
                self.int(*value)?;
                Box::new(|_| Ok(()))
            }
            StmtKind::Assign(place, value) => {
                let word = self.word(*place)?;
                let value = self.int(*value)?;
                self.writes(&word);
                store(word, cut(program, program.places[*place].ty).of(value))
            }
            StmtKind::Evaluate(value) => {
                let value = self.int(*value)?.into_int();
                Box::new(move |engine| value(engine).map(drop))
            }
            StmtKind::If { arms, otherwise } => {
                let mut code = Vec::new();
                for (condition, body) in arms {
                    code.push((self.int(*condition)?.into_int(), self.action(*body)?));
                }
                let otherwise = match otherwise {
                    Some(body) => Some(self.action(*body)?),
                    None => None,
                };
                Box::new(move |engine| {
                    for (condition, body) in &code {
                        if condition(engine)? != 0 {
                            return body(engine);
                        }
                    }
                    otherwise.as_ref().map_or(Ok(()), |body| body(engine))
                })
            }
            StmtKind::Assert { condition, text } => {
                let condition = self.int(*condition)?.into_int();
                self.access.may_fault = true;
                let reason = Reason::Assertion(*text);
                Box::new(move |engine| {
                    if condition(engine)? == 0 {
                        engine.failed(&reason, span)?;
                    }
                    Ok(())
                })
            }
            StmtKind::Error(message) => {
                self.access.may_fault = true;
                let reason = Reason::Error(*message);
                Box::new(move |engine| engine.failed(&reason, span))
            }
            StmtKind::Print(parts) => self.print(parts, span)?,
            StmtKind::SetPriority { pid, priority } => {
                let at = program.exprs[*priority].span;
                self.access.may_fault = true;
                for region in &self.layout.processes {
                    self.access.read(region.control, 1);
                    if let Some(slot) = region.priority {
                        self.access.write(slot, 1);
                    }
                }
                let (pid, priority) = (self.int(*pid)?.into_int(), self.int(*priority)?.into_int());
                Box::new(move |engine| {
                    let pid = pid(engine)?;
                    match priority(engine)? {
                        value @ 1..=255 => engine.set_priority(pid, value as u32),
                        value => engine.trap(Reason::OutOfRange(i64::from(value)), at)?,
                    }
                    Ok(())
                })
            }
            _ => return Err(Unsupported::new("a statement of rules", span)),
        })
    }

    fn is_fixed(&self, place: program::PlaceId) -> bool {
        match self.program.places[place].root {
            program::Root::Global(variable) => {
                matches!(self.layout.global(variable), super::layout::Home::Fixed(_))
            }
            _ => false,
        }
    }

    /// Text is for the reference evaluator; here its values only must have some.
    fn print(&mut self, parts: &[Print], span: base::Span) -> Result<Action, Unsupported> {
        let mut values = Vec::new();
        for part in parts {
            match part {
                Print::Text(_) => {}
                Print::Value(value) | Print::Converted(_, value) => {
                    match self.int(*value)? {
                        Code::Constant(_) | Code::Slot(_) => {}
                        value => values.push(value),
                    };
                }
                Print::Whole(_) => return Err(Unsupported::new("a whole variable", span)),
            }
        }
        Ok(Box::new(move |engine| {
            for value in &values {
                value.get(engine)?;
            }
            Ok(())
        }))
    }
}

/// Code that stores a value that fits.
pub(super) fn store(word: Word, value: Code) -> Action {
    match (word, value) {
        (Word::Known(slot), Code::Constant(value)) => Box::new(move |engine| {
            engine.words[slot] = value as u32;
            Ok(())
        }),
        (Word::Known(slot), value) => Box::new(move |engine| {
            engine.words[slot] = value.get(engine)? as u32;
            Ok(())
        }),
        (Word::Among { first, offset, .. }, value) => Box::new(move |engine| {
            let at = first + offset.get(engine)?;
            engine.words[at] = value.get(engine)? as u32;
            Ok(())
        }),
    }
}
