//! Small random programs of processes with everything the intermediate model has.

mod expressions;

use base::{FileId, Id, Name, Span};
use program::{
    Act, Active, Binary, Channel, ChannelId, ChannelQuestion, Direction, Edge, Event, ExprId,
    Graph, Kind, Location, LocationId, Marks, Observer, Pattern, PlaceId, Proctype, ProctypeId,
    Program, Promise, Root, Selector, Semantics, StmtKind, Take, Then, Ty, TyId, Unary, VarId,
    Variable, Width,
};

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn chance(&mut self, in_a_hundred: usize) -> bool {
        self.below(100) < in_a_hundred
    }
}

struct Generator {
    random: Random,
    program: Program,
    span: Span,
    number: TyId,
    simple: Vec<TyId>,
    chan: TyId,
    globals: Vec<(VarId, TyId)>,
    array: VarId,
    queues: VarId,
    dynamic: VarId,
    fixed: VarId,
    kinds: Vec<ChannelId>,
    proctypes: usize,
    /// Variables of the process that is made: simple ones, then its channel.
    locals: Vec<TyId>,
    is_claimed: bool,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let span = Span::new(FileId::new(0), 0, 0);
    let mut semantics = Semantics::wrapping();
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..8 {
        random.below(2);
    }
    semantics.loop_limit = 20;
    semantics.has_priorities = random.chance(8);
    semantics.is_lossy = random.chance(10);
    semantics.tests_promises = seed.is_multiple_of(2);
    let mut program = Program::new(Name::new(&format!("random{seed}")), semantics);
    let widths = [Width::BYTE, Width::BIT, Width::SHORT, Width::unsigned(3)];
    let simple: Vec<TyId> = widths
        .into_iter()
        .map(|width| program.types.intern(Ty::Int(width)))
        .collect();
    let (number, chan) = (
        program.types.intern(Ty::Number),
        program.types.intern(Ty::Channel),
    );
    let three = program.types.intern(Ty::Range { low: 0, high: 2 });
    let pair = program.types.intern(Ty::Range { low: 0, high: 1 });
    let array = program.types.intern(Ty::Array {
        index: three,
        element: simple[0],
    });
    let queues = program.types.intern(Ty::Array {
        index: pair,
        element: chan,
    });
    let declare = |program: &mut Program, name: &str, ty: TyId, is_hidden: bool| {
        program.variables.push(Variable {
            name: Name::new(name),
            ty,
            is_hidden,
            span,
        })
    };
    let globals = simple
        .iter()
        .enumerate()
        .map(|(at, ty)| (declare(&mut program, &format!("g{at}"), *ty, at == 3), *ty))
        .collect();
    let (array, queues) = (
        declare(&mut program, "a", array, false),
        declare(&mut program, "q", queues, false),
    );
    let (dynamic, fixed) = (
        declare(&mut program, "d", chan, false),
        declare(&mut program, "f", chan, false),
    );
    program.has_last = random.chance(15);
    let mut generator = Generator {
        proctypes: 1 + random.below(3),
        random,
        program,
        span,
        number,
        simple,
        chan,
        globals,
        array,
        queues,
        dynamic,
        fixed,
        kinds: Vec::new(),
        locals: Vec::new(),
        is_claimed: false,
    };
    generator.whole();
    generator.program
}

impl Generator {
    fn whole(&mut self) {
        for _ in 0..3 {
            let capacity = [0, 1, 2][self.random.below(3)];
            let fields = (0..1 + self.random.below(2))
                .map(|_| self.simple[self.random.below(3)])
                .collect();
            let kind = self.program.channels.push(Channel {
                name: Name::new("c"),
                capacity,
                fields,
                span: self.span,
            });
            self.kinds.push(kind);
        }
        self.prologue();
        for at in 0..self.proctypes {
            self.proctype(at);
        }
        for _ in 0..1 + self.random.below(2) {
            let proctype = Id::new(self.random.below(self.proctypes));
            let priority = 1 + self.random.below(2) as u8;
            self.program.active.push(Active { proctype, priority });
        }
        if self.random.chance(15) {
            self.observer();
        }
    }

    fn constant(&mut self, value: i64) -> ExprId {
        self.program
            .expr(Kind::Constant(value), self.number, self.span)
    }

    fn prologue(&mut self) {
        let mut body = Vec::new();
        let targets: Vec<(Root, Option<i64>)> = vec![
            (Root::Global(self.queues), Some(0)),
            (Root::Global(self.queues), Some(1)),
            (Root::Global(self.dynamic), None),
            (Root::Global(self.fixed), None),
        ];
        for (root, index) in targets {
            if self.random.chance(5) {
                continue;
            }
            let kind = self.kinds[self.random.below(3)];
            let value = self
                .program
                .expr(Kind::NewChannel(kind), self.chan, self.span);
            let path = match index {
                Some(index) => vec![Selector::Index(self.constant(index))],
                None => Vec::new(),
            };
            let place = self.program.place(root, path, self.chan, self.span);
            body.push(self.program.stmt(StmtKind::Assign(place, value), self.span));
        }
        let block = self.program.stmt(StmtKind::Block(body), self.span);
        self.program.prologue = Some(block);
    }

    fn proctype(&mut self, at: usize) {
        let mut graph = Graph::default();
        let mut declare = |name: &str, ty: TyId, span: Span| {
            graph.variables.push(Variable {
                name: Name::new(name),
                ty,
                is_hidden: false,
                span,
            });
        };
        self.locals = vec![self.simple[self.random.below(4)], self.simple[0]];
        declare("k", self.locals[0], self.span);
        declare("m", self.locals[1], self.span);
        declare("p", self.chan, self.span);
        let mut prologue = Vec::new();
        if self.random.chance(30) {
            let kind = self.kinds[self.random.below(3)];
            let value = self
                .program
                .expr(Kind::NewChannel(kind), self.chan, self.span);
            let root = Root::Process(Id::new(2));
            let place = self.program.place(root, Vec::new(), self.chan, self.span);
            prologue.push(self.program.stmt(StmtKind::Assign(place, value), self.span));
        }
        let prologue = self.program.stmt(StmtKind::Block(prologue), self.span);
        self.graph(&mut graph);
        let provided = self.random.chance(10).then(|| self.expression(2));
        // Nothing is drawn, so that programs are those of earlier seeds.
        let promises = match self.program.exprs.len() % 4 {
            0 => vec![self.promise()],
            _ => Vec::new(),
        };
        self.program.proctypes.push(Proctype {
            name: Name::new(["P", "Q", "R"][at]),
            parameters: 3,
            prologue: Some(prologue),
            graph,
            provided,
            is_deterministic: self.random.chance(5),
            promises,
            span: self.span,
        });
    }

    /// That a process alone uses an end of the channel in its third variable.
    fn promise(&mut self) -> Promise {
        let root = Root::Process(Id::new(2));
        let place = self.program.place(root, Vec::new(), self.chan, self.span);
        let direction = match self.program.exprs.len() % 8 {
            0 => Direction::Send,
            _ => Direction::Receive,
        };
        Promise {
            direction,
            channel: self.program.expr(Kind::Read(place), self.chan, self.span),
        }
    }

    fn graph(&mut self, graph: &mut Graph) {
        let count = 2 + self.random.below(5);
        for number in 0..count {
            graph.locations.push(Location {
                levels: Vec::new(),
                labels: Vec::new(),
                marks: Marks {
                    is_end: number + 1 == count || self.random.chance(10),
                    is_accepting: false,
                    is_progress: self.random.chance(10),
                },
                number: number as u32 + 1,
                span: self.span,
            });
        }
        for from in 0..count {
            let last = from + 1 == count;
            let levels = if !last && self.random.chance(10) {
                2
            } else {
                1
            };
            for _ in 0..levels {
                let mut level = Vec::new();
                let edges = if last { 1 } else { 1 + self.random.below(3) };
                for at in 0..edges {
                    // Mostly forward, so that programs end.
                    let to = if self.random.chance(75) {
                        (from + 1).min(count - 1)
                    } else {
                        self.random.below(count)
                    };
                    let act = match last {
                        true => Act::End,
                        false => self.act(at > 0 && at + 1 == edges),
                    };
                    let then = match self.random.below(10) {
                        _ if last || to + 1 == count => Then::Anybody,
                        0 | 1 => Then::Same,
                        2 => Then::First,
                        _ => Then::Anybody,
                    };
                    level.push(graph.edges.push(Edge {
                        from: LocationId::new(from),
                        to: LocationId::new(to),
                        act,
                        then,
                        text: Name::new(&format!("e{from}_{at}")),
                        span: self.span,
                    }));
                }
                graph.locations[LocationId::new(from)].levels.push(level);
            }
        }
        graph.start = Some(LocationId::new(0));
        graph.end = Some(LocationId::new(count - 1));
    }

    fn act(&mut self, may_be_else: bool) -> Act {
        match self.random.below(12) {
            0..2 if may_be_else => Act::Else,
            0..3 => Act::Guard(self.expression(3)),
            3 if self.random.chance(50) => Act::Guard(self.run()),
            4..6 => Act::Send {
                channel: self.channel(),
                values: self.values(),
                is_sorted: self.random.chance(20),
            },
            6..8 => Act::Receive {
                channel: self.channel(),
                patterns: self.patterns(),
                take: Take {
                    is_any: self.random.chance(20),
                    is_copy: self.random.chance(15),
                },
            },
            8 if self.random.chance(50) => {
                let condition = self.expression(2);
                let text = Some(Name::new("claimed"));
                let assert = StmtKind::Assert { condition, text };
                Act::Do(self.program.stmt(assert, self.span))
            }
            9 if self.program.semantics.has_priorities => {
                let (pid, priority) = (self.expression(1), self.expression(2));
                let set = StmtKind::SetPriority { pid, priority };
                Act::Do(self.program.stmt(set, self.span))
            }
            10 if self.random.chance(20) => {
                // A channel variable that changes.
                let root = Root::Global(self.dynamic);
                let place = self.program.place(root, Vec::new(), self.chan, self.span);
                let value = self.channel();
                Act::Do(self.program.stmt(StmtKind::Assign(place, value), self.span))
            }
            _ => {
                let (place, value) = (self.place(), self.expression(3));
                Act::Do(self.program.stmt(StmtKind::Assign(place, value), self.span))
            }
        }
    }

    fn run(&mut self) -> ExprId {
        let arguments = vec![self.expression(1), self.expression(1), self.channel()];
        let proctype = ProctypeId::new(self.random.below(self.proctypes));
        let priority = self.random.chance(20).then(|| self.constant(2));
        let run = Kind::Run {
            proctype,
            arguments,
            priority,
        };
        self.program.expr(run, self.number, self.span)
    }

    fn observer(&mut self) {
        self.is_claimed = true;
        let mut graph = Graph::default();
        self.graph(&mut graph);
        let edges: Vec<_> = graph.edges.iter().map(|(id, _)| id).collect();
        let mut scope = Vec::new();
        for id in edges {
            if !matches!(graph.edges[id].act, Act::End) {
                let direction = [Direction::Send, Direction::Receive][self.random.below(2)];
                let place =
                    self.program
                        .place(Root::Global(self.fixed), Vec::new(), self.chan, self.span);
                let channel = self.program.expr(Kind::Read(place), self.chan, self.span);
                scope.push((direction, channel));
                let expected = self.constant(1);
                let patterns = match self.random.chance(30) {
                    true => vec![Pattern::Equal(expected)],
                    false => vec![Pattern::Any],
                };
                graph.edges[id].act = Act::Observe(Event {
                    direction,
                    channel,
                    patterns,
                });
            }
        }
        self.program.observer = Some(Observer {
            name: Name::new("trace"),
            is_forbidden: self.random.chance(40),
            graph,
            scope,
            span: self.span,
        });
    }
}
