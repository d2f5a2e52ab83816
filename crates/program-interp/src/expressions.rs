//! The value of an expression.

use program::{
    Argument, Binary, ChannelQuestion, ExprId, FunctionId, Kind, LocalId, Mode, ProctypeId,
    Quantifier, Reason, Selector, Ty, Value,
};

use crate::exec::or_fault;
use crate::operators;
use crate::run::{Bound, Frame, Run, Stop, fault};
use crate::store::{first, holds, position, stored, undefined};
use program::Process;

impl Run<'_> {
    /// The simple value of an expression; undefined is a fault.
    pub fn int(&mut self, id: ExprId) -> Result<i64, Stop> {
        match self.value(id)? {
            Value::Int(value) => Ok(value),
            _ => fault(Reason::Undefined, self.program.exprs[id].span),
        }
    }

    /// Whether an expression is not 0.
    pub fn is_true(&mut self, id: ExprId) -> Result<bool, Stop> {
        Ok(self.int(id)? != 0)
    }

    /// The value of an expression, undefined or not.
    pub fn value(&mut self, id: ExprId) -> Result<Value, Stop> {
        base::deep::recurse(|| self.value_of(id))
    }

    fn value_of(&mut self, id: ExprId) -> Result<Value, Stop> {
        let program = self.program;
        let expr = &program.exprs[id];
        let truth = |value: bool| Ok(Value::Int(i64::from(value)));
        match &expr.kind {
            Kind::Constant(value) => Ok(Value::Int(*value)),
            Kind::Undefined => Ok(Value::Undefined),
            Kind::Read(place) => {
                let target = self.resolve(*place)?;
                match self.at(&target) {
                    Value::Undefined => fault(Reason::Undefined, program.places[*place].span),
                    value => Ok(value),
                }
            }
            Kind::Copy(place) => {
                let target = self.resolve(*place)?;
                Ok(self.at(&target))
            }
            Kind::Unary(op, operand) => {
                let value = self.int(*operand)?;
                self.fit(
                    id,
                    operators::unary(program.semantics.arithmetic, *op, value),
                )
            }
            Kind::Binary(op, left, right) => self.binary(id, *op, *left, *right),
            Kind::Choice(condition, yes, no) => {
                let chosen = if self.is_true(*condition)? { yes } else { no };
                self.value(*chosen)
            }
            Kind::Quantified {
                quantifier,
                local,
                domain,
                body,
            } => {
                let decides = *quantifier == Quantifier::Some;
                for value in self.domain(*domain)? {
                    if self.with(*local, value, |run| run.is_true(*body))? == decides {
                        return truth(decides);
                    }
                }
                truth(!decides)
            }
            Kind::Count {
                local,
                multiset,
                body,
            } => {
                let target = self.resolve(*multiset)?;
                let mut count = 0;
                for place in self.places_of(&target) {
                    if self.with(*local, place as i64, |run| run.is_true(*body))? {
                        count += 1;
                    }
                }
                Ok(Value::Int(count))
            }
            Kind::IsUndefined(place) => {
                let target = self.resolve(*place)?;
                truth(self.at(&target) == Value::Undefined)
            }
            Kind::IsMember(operand, ty) => match self.value(*operand)? {
                Value::Int(value) => truth(holds(program, *ty, value)),
                _ => truth(false),
            },
            Kind::Call(function, arguments) => self.call(*function, arguments),
            Kind::Part(whole, selector) => self.part(*whole, *selector),
            _ => self.of_process(id),
        }
    }

    /// Expressions about processes and channels.
    fn of_process(&mut self, id: ExprId) -> Result<Value, Stop> {
        let program = self.program;
        let expr = &program.exprs[id];
        let value = match &expr.kind {
            Kind::SelfPid => self.me.expect("only a process asks for its pid") as i64,
            Kind::Processes => self.state.processes.len() as i64,
            Kind::Last => self.state.last,
            Kind::Run {
                proctype,
                arguments,
                priority,
            } => self.create(id, *proctype, arguments, *priority)?,
            Kind::NewChannel(kind) => self.new_channel(*kind, expr.span)?,
            Kind::Ask(question, channel) => {
                let at = self.used(*channel, question.ends())?;
                let channel = &self.state.channels[at];
                let (length, capacity) = (
                    channel.messages.len() as i64,
                    i64::from(program.channels[channel.kind].capacity),
                );
                // A channel without buffer is empty and takes a message whenever somebody is there.
                let is_full = length == capacity && capacity > 0;
                match question {
                    ChannelQuestion::Length => length,
                    ChannelQuestion::IsEmpty => i64::from(length == 0),
                    ChannelQuestion::IsNotEmpty => i64::from(length > 0),
                    ChannelQuestion::IsFull => i64::from(is_full),
                    ChannelQuestion::IsNotFull => i64::from(!is_full),
                }
            }
            Kind::Poll {
                channel,
                is_any,
                patterns,
            } => i64::from(self.poll(id, *channel, *is_any, patterns)?),
            Kind::Enabled(pid) => match usize::try_from(self.int(*pid)?) {
                Ok(pid) if pid < self.state.processes.len() => i64::from(self.is_enabled(pid)?),
                _ => 0,
            },
            Kind::LocationOf(pid) => self.about(*pid, |run, process| {
                let graph = &run.program.proctypes[process.proctype].graph;
                i64::from(graph.locations[process.location].number)
            })?,
            Kind::PriorityOf(pid) => self.about(*pid, |_, process| i64::from(process.priority))?,
            Kind::At {
                proctype,
                pid,
                locations,
            } => {
                let pid = self.process_of(*proctype, *pid)?;
                let location = pid.map(|pid| self.state.processes[pid].location);
                i64::from(location.is_some_and(|location| locations.contains(&location)))
            }
            Kind::Timeout => match self.timeout {
                Some(timeout) => i64::from(timeout),
                None => i64::from(!self.can_anybody()?),
            },
            Kind::NoProgress => {
                let mut processes = self.state.processes.iter();
                i64::from(!processes.any(|process| {
                    let graph = &program.proctypes[process.proctype].graph;
                    graph.locations[process.location].marks.is_progress
                }))
            }
            _ => unreachable!("expressions without processes were computed before"),
        };
        Ok(Value::Int(value))
    }

    /// A number about a process, 0 if it does not live.
    fn about(
        &mut self,
        pid: ExprId,
        ask: impl FnOnce(&Self, &Process) -> i64,
    ) -> Result<i64, Stop> {
        let pid = usize::try_from(self.int(pid)?).ok();
        let process = pid.and_then(|pid| self.state.processes.get(pid));
        Ok(process.map_or(0, |process| ask(self, process)))
    }

    fn binary(&mut self, id: ExprId, op: Binary, a: ExprId, b: ExprId) -> Result<Value, Stop> {
        let truth = |value: bool| Ok(Value::Int(i64::from(value)));
        match op {
            Binary::And => return truth(self.is_true(a)? && self.is_true(b)?),
            Binary::Or => return truth(self.is_true(a)? || self.is_true(b)?),
            Binary::Implies => return truth(!self.is_true(a)? || self.is_true(b)?),
            Binary::Equal | Binary::Unequal => {
                let (mut a, mut b) = (self.value(a)?, self.value(b)?);
                // The order of a multiset does not count.
                crate::store::settle(&mut a);
                crate::store::settle(&mut b);
                return truth((a == b) == (op == Binary::Equal));
            }
            _ => {}
        }
        let (a, b) = (self.int(a)?, self.int(b)?);
        self.fit(
            id,
            operators::binary(self.program.semantics.arithmetic, op, a, b),
        )
    }

    fn fit(&self, id: ExprId, value: Result<i64, Reason>) -> Result<Value, Stop> {
        match value {
            Ok(value) => Ok(Value::Int(value)),
            Err(reason) => fault(reason, self.program.exprs[id].span),
        }
    }

    /// Computes something while a name has a value.
    pub fn with<T>(
        &mut self,
        local: LocalId,
        value: i64,
        compute: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let mark = self.mark();
        self.bind(local, Bound::Value(Value::Int(value)));
        let result = compute(self);
        self.forget(mark);
        result
    }

    /// A part of a value.
    fn part(&mut self, whole: ExprId, selector: Selector) -> Result<Value, Stop> {
        let program = self.program;
        let value = self.value(whole)?;
        let at = match (selector, program.types.get(program.exprs[whole].ty)) {
            (Selector::Field(field), _) => field as usize,
            (Selector::Index(index), Ty::Array { index: of, .. }) => {
                let found = self.int(index)?;
                match position(program, *of, found) {
                    Some(at) => at,
                    None => return fault(Reason::Index(found), program.exprs[index].span),
                }
            }
            _ => unreachable!("only records and arrays are taken apart"),
        };
        match value {
            Value::Parts(mut parts) => Ok(parts.swap_remove(at)),
            _ => unreachable!("a value with parts was computed"),
        }
    }

    /// Calls a function or procedure; a procedure has the value undefined.
    pub fn call(&mut self, id: FunctionId, arguments: &[Argument]) -> Result<Value, Stop> {
        let program = self.program;
        let function = &program.functions[id];
        if self.frames.len() > program::CALL_LIMIT {
            return fault(Reason::EndlessRecursion, function.span);
        }
        let mut frame = Frame::default();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let bound = match argument {
                Argument::Value(value) => {
                    let ty = program.locals[*parameter].ty;
                    let span = program.exprs[*value].span;
                    let value = self.value(*value)?;
                    match stored(program, ty, value) {
                        Ok(value) => Bound::Value(value),
                        Err(reason) => return fault(reason, span),
                    }
                }
                Argument::Reference(place) => Bound::Place(self.resolve(*place)?),
            };
            frame.bound.push((*parameter, bound));
        }
        self.frames.push(frame);
        self.declare(&function.locals);
        let returned = self.exec(function.body);
        self.frames.pop();
        match (function.result, returned?) {
            (None, _) => Ok(Value::Undefined),
            (Some(ty), Some(returned)) => {
                or_fault(stored(program, ty, returned.value), returned.span)
            }
            (Some(_), None) => fault(Reason::NoResult, function.span),
        }
    }

    /// Names of mode value exist from the start of their body, undefined.
    pub fn declare(&mut self, locals: &[LocalId]) {
        for local in locals {
            let declared = &self.program.locals[*local];
            if declared.mode == Mode::Value {
                let value = undefined(self.program, declared.ty);
                self.bind(*local, Bound::Value(value));
            }
        }
    }

    /// Creates a process.
    fn create(
        &mut self,
        id: ExprId,
        proctype: ProctypeId,
        arguments: &[ExprId],
        priority: Option<ExprId>,
    ) -> Result<i64, Stop> {
        let span = self.program.exprs[id].span;
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.int(*argument)?);
        }
        let priority = match priority {
            Some(priority) => self.priority(priority)?,
            None => 1,
        };
        self.create_with(proctype, &values, priority, span)
    }

    /// A priority, which is 1 to 255.
    pub fn priority(&mut self, id: ExprId) -> Result<u8, Stop> {
        let value = self.int(id)?;
        match u8::try_from(value) {
            Ok(priority) if priority > 0 => Ok(priority),
            _ => fault(Reason::OutOfRange(value), self.program.exprs[id].span),
        }
    }

    /// Creates a process with given arguments; its pid.
    pub fn create_with(
        &mut self,
        proctype: ProctypeId,
        arguments: &[i64],
        priority: u8,
        span: base::Span,
    ) -> Result<i64, Stop> {
        let program = self.program;
        let pid = self.state.processes.len();
        if pid >= program::MOST_PROCESSES {
            return fault(Reason::TooManyProcesses, span);
        }
        let declared = &program.proctypes[proctype];
        let variables = &declared.graph.variables;
        let mut values: Vec<Value> = variables
            .iter()
            .map(|(_, v)| first(program, v.ty))
            .collect();
        for ((value, (_, variable)), argument) in
            values.iter_mut().zip(variables.iter()).zip(arguments)
        {
            match stored(program, variable.ty, Value::Int(*argument)) {
                Ok(stored) => *value = stored,
                Err(reason) => return fault(reason, span),
            }
        }
        self.state.processes.push(Process {
            proctype,
            location: declared.graph.start.expect("a proctype starts somewhere"),
            variables: values,
            priority: match program.semantics.has_priorities {
                true => priority,
                false => 1,
            },
        });
        if let Some(prologue) = declared.prologue {
            let me = self.me.replace(pid);
            let result = self.exec(prologue);
            self.me = me;
            result?;
        }
        Ok(pid as i64)
    }
}
