//! Random expressions, patterns and places.

use super::*;

impl Generator {
    pub(super) fn values(&mut self) -> Vec<ExprId> {
        (0..1 + self.random.below(2))
            .map(|_| self.expression(2))
            .collect()
    }

    pub(super) fn patterns(&mut self) -> Vec<Pattern> {
        let count = 1 + self.random.below(2);
        (0..count)
            .map(|_| match self.random.below(4) {
                0 => Pattern::Equal(self.expression(1)),
                1 => Pattern::Any,
                _ => Pattern::Store(self.place()),
            })
            .collect()
    }

    pub(super) fn channel(&mut self) -> ExprId {
        let (root, path) = match self.random.below(6) {
            0 => (Root::Global(self.dynamic), Vec::new()),
            1 if !self.is_claimed => (Root::Process(Id::new(2)), Vec::new()),
            2 => {
                let index = self.expression(1);
                (Root::Global(self.queues), vec![Selector::Index(index)])
            }
            3 => {
                let index = self.constant(1);
                (Root::Global(self.queues), vec![Selector::Index(index)])
            }
            _ => (Root::Global(self.fixed), Vec::new()),
        };
        let place = self.program.place(root, path, self.chan, self.span);
        self.program.expr(Kind::Read(place), self.chan, self.span)
    }

    /// A place with a simple value that is no channel.
    pub(super) fn place(&mut self) -> PlaceId {
        match self.random.below(6) {
            0..3 => {
                let (variable, ty) = self.globals[self.random.below(self.globals.len())];
                self.program
                    .place(Root::Global(variable), Vec::new(), ty, self.span)
            }
            3 => {
                let index = self.expression(1);
                let path = vec![Selector::Index(index)];
                self.program
                    .place(Root::Global(self.array), path, self.simple[0], self.span)
            }
            _ if self.is_claimed => {
                let (variable, ty) = self.globals[0];
                self.program
                    .place(Root::Global(variable), Vec::new(), ty, self.span)
            }
            _ => {
                let at = self.random.below(2);
                let root = Root::Process(Id::new(at));
                self.program
                    .place(root, Vec::new(), self.locals[at], self.span)
            }
        }
    }

    pub(super) fn expression(&mut self, depth: usize) -> ExprId {
        let kind = match self.random.below(if depth == 0 { 4 } else { 14 }) {
            0 | 1 => Kind::Constant(self.random.below(4) as i64 - 1),
            2 | 3 => Kind::Read(match depth {
                0 => {
                    let (variable, ty) = self.globals[self.random.below(2)];
                    self.program
                        .place(Root::Global(variable), Vec::new(), ty, self.span)
                }
                _ => self.place(),
            }),
            4 => {
                let op = [Unary::Minus, Unary::Not, Unary::Complement][self.random.below(3)];
                Kind::Unary(op, self.expression(depth - 1))
            }
            5 => {
                let condition = self.expression(depth - 1);
                Kind::Choice(
                    condition,
                    self.expression(depth - 1),
                    self.expression(depth - 1),
                )
            }
            6 => self.about_processes(depth),
            7 => self.about_channels(depth),
            _ => {
                let op = [
                    Binary::Add,
                    Binary::Subtract,
                    Binary::Multiply,
                    Binary::Divide,
                    Binary::Remainder,
                    Binary::BitAnd,
                    Binary::BitOr,
                    Binary::BitXor,
                    Binary::ShiftLeft,
                    Binary::ShiftRight,
                    Binary::Equal,
                    Binary::Unequal,
                    Binary::Less,
                    Binary::AtMost,
                    Binary::Greater,
                    Binary::AtLeast,
                    Binary::And,
                    Binary::Or,
                    Binary::Implies,
                ][self.random.below(19)];
                Kind::Binary(op, self.expression(depth - 1), self.expression(depth - 1))
            }
        };
        self.program.expr(kind, self.number, self.span)
    }

    pub(super) fn about_processes(&mut self, depth: usize) -> Kind {
        let proctype = ProctypeId::new(0);
        match self.random.below(9) {
            0 => Kind::Processes,
            1 if self.program.has_last => Kind::Last,
            2 => Kind::Timeout,
            3 => Kind::NoProgress,
            4 => Kind::LocationOf(self.expression(depth - 1)),
            5 => Kind::PriorityOf(self.expression(depth - 1)),
            6 if !self.program.proctypes.is_empty() => Kind::At {
                proctype,
                pid: self.random.chance(70).then(|| self.expression(depth - 1)),
                locations: vec![LocationId::new(self.random.below(2))],
            },
            7 if !self.program.proctypes.is_empty() => {
                let root = Root::Remote {
                    proctype,
                    pid: self.random.chance(70).then(|| self.expression(depth - 1)),
                    variable: Id::new(1),
                };
                Kind::Read(
                    self.program
                        .place(root, Vec::new(), self.simple[0], self.span),
                )
            }
            _ if self.is_claimed => Kind::Processes,
            _ => Kind::SelfPid,
        }
    }

    pub(super) fn about_channels(&mut self, depth: usize) -> Kind {
        let channel = self.channel();
        if self.random.chance(20) {
            let patterns = [Pattern::Equal(self.expression(depth - 1)), Pattern::Any];
            return Kind::Poll {
                channel,
                is_any: self.random.chance(50),
                patterns: patterns[..1 + self.random.below(2)].to_vec(),
            };
        }
        let question = [
            ChannelQuestion::Length,
            ChannelQuestion::IsEmpty,
            ChannelQuestion::IsFull,
            ChannelQuestion::IsNotEmpty,
            ChannelQuestion::IsNotFull,
        ][self.random.below(5)];
        Kind::Ask(question, channel)
    }
}
