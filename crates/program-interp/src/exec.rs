//! What a statement does.

use base::Span;
use program::{Fault, Print, Reason, StmtId, StmtKind, Value};

use crate::run::{Bound, Run, Stop, fault};
use crate::sequences::Failure;
use crate::store::{least, simple, stored, undefined};

/// What a `return` gave.
#[derive(Clone, Debug)]
pub(crate) struct Returned {
    /// Undefined where nothing is returned.
    pub value: Value,
    pub span: Span,
}

impl Run<'_> {
    /// Runs a statement. `Some` when it returned, with what.
    pub fn exec(&mut self, id: StmtId) -> Result<Option<Returned>, Stop> {
        base::deep::recurse(|| self.exec_one(id))
    }

    fn exec_one(&mut self, id: StmtId) -> Result<Option<Returned>, Stop> {
        let program = self.program;
        let stmt = &program.stmts[id];
        match &stmt.kind {
            StmtKind::Block(body) => {
                for stmt in body {
                    if let Some(value) = self.exec(*stmt)? {
                        return Ok(Some(value));
                    }
                }
            }
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    if self.is_true(*condition)? {
                        return self.exec(*body);
                    }
                }
                return otherwise.map_or(Ok(None), |body| self.exec(body));
            }
            StmtKind::Switch {
                value,
                arms,
                otherwise,
            } => {
                let value = self.value(*value)?;
                for arm in arms {
                    for candidate in &arm.values {
                        if self.value(*candidate)? == value {
                            return self.exec(arm.body);
                        }
                    }
                }
                return otherwise.map_or(Ok(None), |body| self.exec(body));
            }
            StmtKind::For {
                local,
                domain,
                body,
            } => {
                for value in self.domain(*domain)? {
                    if let Some(returned) = self.with(*local, value, |run| run.exec(*body))? {
                        return Ok(Some(returned));
                    }
                }
            }
            StmtKind::While { condition, body } => {
                let mut rounds = 0;
                while self.is_true(*condition)? {
                    if rounds >= program.semantics.loop_limit {
                        return fault(Reason::EndlessLoop, stmt.span);
                    }
                    rounds += 1;
                    if let Some(value) = self.exec(*body)? {
                        return Ok(Some(value));
                    }
                }
            }
            StmtKind::Alias { local, place, body } => {
                let target = self.resolve(*place)?;
                let mark = self.mark();
                self.bind(*local, Bound::Place(target));
                let result = self.exec(*body);
                self.forget(mark);
                return result;
            }
            StmtKind::Return(value) => {
                let (value, span) = match value {
                    None => (Value::Undefined, stmt.span),
                    Some(value) => (self.value(*value)?, program.exprs[*value].span),
                };
                return Ok(Some(Returned { value, span }));
            }
            _ => self.simple_statement(id)?,
        }
        Ok(None)
    }

    /// Statements that always come to their end.
    fn simple_statement(&mut self, id: StmtId) -> Result<(), Stop> {
        let program = self.program;
        let stmt = &program.stmts[id];
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let target = self.resolve(*place)?;
                let span = program.exprs[*value].span;
                let value = self.value(*value)?;
                let stored = stored(program, program.places[*place].ty, value);
                or_fault(stored.and_then(|value| self.put(&target, value)), span)
            }
            StmtKind::Evaluate(expr) => self.value(*expr).map(drop),
            StmtKind::Call(function, arguments) => self.call(*function, arguments).map(drop),
            StmtKind::Assert { condition, text } => {
                if self.is_true(*condition)? {
                    return Ok(());
                }
                self.failed(Reason::Assertion(*text), stmt.span)
            }
            StmtKind::Error(message) => self.failed(Reason::Error(*message), stmt.span),
            StmtKind::Assume(condition) => {
                if self.is_true(*condition)? {
                    Ok(())
                } else {
                    Err(Stop::Discarded)
                }
            }
            StmtKind::Cover(condition, number) => {
                if self.is_true(*condition)? {
                    self.covered.push(*number);
                }
                Ok(())
            }
            StmtKind::Print(parts) => parts.iter().try_for_each(|part| self.print(*part)),
            StmtKind::Clear(place) | StmtKind::Undefine(place) => {
                let target = self.resolve(*place)?;
                let place = &program.places[*place];
                let value = match stmt.kind {
                    StmtKind::Clear(_) => least(program, place.ty),
                    _ => undefined(program, place.ty),
                };
                or_fault(self.put(&target, value), stmt.span)
            }
            StmtKind::SetPriority { pid, priority } => {
                let pid = self.int(*pid)?;
                let priority = self.priority(*priority)?;
                let process = usize::try_from(pid).ok();
                let process = process.and_then(|pid| self.state.processes.get_mut(pid));
                if let Some(process) = process
                    && program.semantics.has_priorities
                {
                    process.priority = priority;
                }
                Ok(())
            }
            _ => self.multiset(id),
        }
    }

    fn multiset(&mut self, id: StmtId) -> Result<(), Stop> {
        let program = self.program;
        let stmt = &program.stmts[id];
        match &stmt.kind {
            StmtKind::MultisetAdd { multiset, value } => {
                let target = self.resolve(*multiset)?;
                let span = program.exprs[*value].span;
                let value = self.value(*value)?;
                let program::Ty::Multiset { element, .. } =
                    program.types.get(program.places[*multiset].ty)
                else {
                    unreachable!("elements are added to multisets");
                };
                let value = or_fault(stored(program, *element, value), span)?;
                let Value::Bag(mut places) = self.at(&target) else {
                    unreachable!("a multiset is never undefined");
                };
                match places.iter_mut().find(|place| place.is_none()) {
                    Some(free) => *free = Some(value),
                    None => return fault(Reason::MultisetFull, stmt.span),
                }
                or_fault(self.put(&target, Value::Bag(places)), stmt.span)
            }
            StmtKind::MultisetRemove { multiset, element } => {
                let target = self.resolve(*multiset)?;
                let at = usize::try_from(self.int(*element)?).ok();
                let held = self.places_of(&target);
                let Some(at) = at.filter(|at| held.contains(at)) else {
                    return fault(Reason::NoElement, program.exprs[*element].span);
                };
                self.take_out(&target, &[at], stmt.span)
            }
            StmtKind::MultisetRemoveIf {
                local,
                multiset,
                condition,
            } => {
                let target = self.resolve(*multiset)?;
                let mut taken = Vec::new();
                for at in self.places_of(&target) {
                    if self.with(*local, at as i64, |run| run.is_true(*condition))? {
                        taken.push(at);
                    }
                }
                self.take_out(&target, &taken, stmt.span)
            }
            _ => unreachable!("all other statements were run before"),
        }
    }

    fn take_out(
        &mut self,
        multiset: &crate::places::Target,
        taken: &[usize],
        span: Span,
    ) -> Result<(), Stop> {
        let Value::Bag(mut places) = self.at(multiset) else {
            unreachable!("a multiset is never undefined");
        };
        for at in taken {
            places[*at] = None;
        }
        or_fault(self.put(multiset, Value::Bag(places)), span)
    }

    /// An assertion that does not hold ends the step or is kept, as the language says.
    fn failed(&mut self, reason: Reason, span: Span) -> Result<(), Stop> {
        if self.program.semantics.assertions_stop {
            return fault(reason, span);
        }
        self.failures.push(Failure {
            fault: Fault { reason, span },
            pid: self.me,
        });
        Ok(())
    }

    fn print(&mut self, part: Print) -> Result<(), Stop> {
        let text = match part {
            Print::Text(text) => text.to_string(),
            Print::Value(expr) => {
                let value = self.value(expr)?;
                self.shown(self.program.exprs[expr].ty, &value)
            }
            Print::Converted(how, expr) => {
                let value = self.int(expr)? as i32;
                match how {
                    'c' => char::from(value as u8).to_string(),
                    'x' => format!("{value:x}"),
                    'o' => format!("{value:o}"),
                    'u' => (value as u32).to_string(),
                    _ => value.to_string(),
                }
            }
            Print::Whole(place) => {
                let target = self.resolve(place)?;
                let value = self.at(&target);
                self.shown(self.program.places[place].ty, &value)
            }
        };
        self.printed.push_str(&text);
        Ok(())
    }

    fn shown(&self, ty: program::TyId, value: &Value) -> String {
        program::text::value(self.program, ty, value)
    }

    /// A simple value in a type, or a fault at a place.
    pub fn cut(&self, ty: program::TyId, value: i64, span: Span) -> Result<i64, Stop> {
        or_fault(simple(self.program, ty, value), span)
    }
}

pub(crate) fn or_fault<T>(result: Result<T, Reason>, span: Span) -> Result<T, Stop> {
    result.or_else(|reason| fault(reason, span))
}
