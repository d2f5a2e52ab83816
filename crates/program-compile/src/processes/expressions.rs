//! Code for expressions.

use program::{ExprId, Kind, Pattern, ProctypeId, Program, Reason};

use super::access::Access;
use super::code::{self, Code, Int, computed};
use super::layout::Layout;
use super::system::Unsupported;

/// Makes code for one process number and kind, or for nobody.
pub(super) struct Maker<'c> {
    pub program: &'c Program,
    pub layout: &'c Layout,
    /// Who runs.
    pub me: Option<(usize, ProctypeId)>,
    /// What the code made so far looks at and changes.
    pub access: Access,
    /// While the first assignments are made: how many channels they created.
    pub created: Option<usize>,
    /// Whether stores to variables that never change are left out: their values are known.
    pub fixed_is_set: bool,
}

impl<'c> Maker<'c> {
    /// A maker for who runs.
    pub fn new(
        program: &'c Program,
        layout: &'c Layout,
        me: Option<(usize, ProctypeId)>,
    ) -> Maker<'c> {
        Maker {
            program,
            layout,
            me,
            access: Access::default(),
            created: None,
            fixed_is_set: false,
        }
    }

    /// What was looked at and changed since the last call.
    pub fn take_access(&mut self) -> Access {
        std::mem::take(&mut self.access)
    }

    /// Code for the value of an expression.
    pub fn int(&mut self, id: ExprId) -> Result<Code, Unsupported> {
        base::deep::recurse(|| self.int_here(id))
    }

    fn int_here(&mut self, id: ExprId) -> Result<Code, Unsupported> {
        let program = self.program;
        let expr = &program.exprs[id];
        Ok(match &expr.kind {
            Kind::Constant(value) => Code::Constant(*value as i32),
            Kind::Read(place) | Kind::Copy(place) => self.read(*place)?,
            Kind::Unary(op, operand) => code::unary(*op, self.int(*operand)?),
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.int(*a)?, self.int(*b)?);
                let divides = matches!(op, program::Binary::Divide | program::Binary::Remainder);
                self.access.may_fault |= divides && b.constant().is_none_or(|b| b == 0);
                code::binary(*op, a, b, expr.span)
            }
            Kind::Choice(condition, yes, no) => {
                let condition = self.int(*condition)?;
                match condition.constant() {
                    Some(0) => self.int(*no)?,
                    Some(_) => self.int(*yes)?,
                    None => {
                        let condition = condition.into_int();
                        let (yes, no) = (self.int(*yes)?.into_int(), self.int(*no)?.into_int());
                        computed(move |engine| match condition(engine)? {
                            0 => no(engine),
                            _ => yes(engine),
                        })
                    }
                }
            }
            _ => self.of_process(id)?,
        })
    }

    /// Expressions about processes and channels.
    fn of_process(&mut self, id: ExprId) -> Result<Code, Unsupported> {
        let program = self.program;
        let expr = &program.exprs[id];
        let span = expr.span;
        Ok(match &expr.kind {
            Kind::SelfPid => {
                let (pid, _) = self.me.ok_or(Unsupported::new("_pid of nobody", span))?;
                Code::Constant(pid as i32)
            }
            Kind::Processes => {
                self.ask_living();
                computed(|engine| Ok(engine.alive() as i32))
            }
            Kind::Last => match self.layout.last {
                Some(slot) => {
                    self.reads(slot, 1);
                    Code::Slot(slot)
                }
                None => return Err(Unsupported::new("_last", span)),
            },
            Kind::Run {
                proctype,
                arguments,
                priority,
            } => self.run(id, *proctype, arguments, *priority)?,
            Kind::NewChannel(kind) => self.new_channel(*kind, span),
            Kind::Ask(question, channel) => self.ask(*question, *channel)?,
            Kind::Poll {
                channel,
                is_any,
                patterns,
            } => self.poll(*channel, *is_any, patterns, span)?,
            Kind::Enabled(pid) => {
                self.access.asks_all = true;
                self.access.may_fault = true;
                let pid = self.int(*pid)?.into_int();
                computed(move |engine| {
                    let pid = pid(engine)?;
                    Ok(i32::from(engine.is_enabled_number(pid)?))
                })
            }
            Kind::LocationOf(pid) => {
                self.read_controls();
                let pid = self.int(*pid)?.into_int();
                computed(move |engine| {
                    let pid = pid(engine)?;
                    Ok(engine.location_number(pid))
                })
            }
            Kind::PriorityOf(pid) => {
                for region in &self.layout.processes {
                    self.access.read(region.control, 1);
                    if let Some(slot) = region.priority {
                        self.access.read(slot, 1);
                    }
                }
                let pid = self.int(*pid)?.into_int();
                computed(move |engine| {
                    let pid = pid(engine)?;
                    Ok(engine.priority_of(pid))
                })
            }
            Kind::At {
                proctype,
                pid,
                locations,
            } => self.at(*proctype, *pid, locations)?,
            Kind::Timeout => {
                self.access.asks_timeout = true;
                computed(|engine| Ok(i32::from(engine.is_timeout())))
            }
            Kind::NoProgress => {
                self.read_controls();
                computed(|engine| Ok(i32::from(!engine.has_progress())))
            }
            _ => return Err(Unsupported::new("an expression of rules", span)),
        })
    }

    /// Adds all control slots to what is read.
    pub fn read_controls(&mut self) {
        for region in &self.layout.processes {
            self.access.read(region.control, 1);
        }
    }

    /// Adds that it matters who lives.
    pub fn ask_living(&mut self) {
        for region in &self.layout.processes {
            self.access.living.insert(region.control);
        }
    }

    fn run(
        &mut self,
        id: ExprId,
        proctype: ProctypeId,
        arguments: &[ExprId],
        priority: Option<ExprId>,
    ) -> Result<Code, Unsupported> {
        let program = self.program;
        let span = program.exprs[id].span;
        let mut values: Vec<Int> = Vec::new();
        for argument in arguments {
            values.push(self.int(*argument)?.into_int());
        }
        let priority = match priority {
            Some(priority) => {
                let at = program.exprs[priority].span;
                let value = self.int(priority)?.into_int();
                Some((value, at))
            }
            None => None,
        };
        self.creation(proctype);
        Ok(computed(move |engine| {
            let mut given = Vec::with_capacity(values.len());
            for value in &values {
                let value = value(engine)?;
                given.push(value);
            }
            let priority = match &priority {
                None => 1,
                Some((value, at)) => match value(engine)? {
                    value @ 1..=255 => value,
                    value => return engine.trap(Reason::OutOfRange(i64::from(value)), *at),
                },
            };
            engine.create(proctype, &given, priority as u32, span)
        }))
    }

    /// What creating a process looks at and changes: who lives, and any free place for it with its channels.
    fn creation(&mut self, proctype: ProctypeId) {
        self.access.has_effect = true;
        self.access.may_fault = true;
        self.ask_living();
        let prologue = self.program.proctypes[proctype].prologue;
        for (pid, region) in self.layout.processes.iter().enumerate() {
            if !region.kinds.contains(&proctype) {
                continue;
            }
            // First values may be computed from others of the same process, which are as new as it is.
            let own = region.slots();
            self.access.filled.union_with(&own);
            let Some(prologue) = prologue else {
                continue;
            };
            let mut maker = Maker::new(self.program, self.layout, Some((pid, proctype)));
            // A prologue that cannot be made is reported where its body is made.
            if maker.action(prologue).is_ok() {
                self.access.add(&maker.take_access().without(&own));
            }
        }
    }

    /// Conditions on the fields of a message: what is equal to what.
    pub fn conditions(&mut self, patterns: &[Pattern]) -> Result<Vec<(usize, Code)>, Unsupported> {
        let mut conditions = Vec::new();
        for (field, pattern) in patterns.iter().enumerate() {
            if let Pattern::Equal(value) = pattern {
                conditions.push((field, self.int(*value)?));
            }
        }
        Ok(conditions)
    }
}
