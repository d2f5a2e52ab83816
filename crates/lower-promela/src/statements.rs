//! What an edge does.

use base::{Name, Span};
use lang_promela::print;
use lang_promela::syntax::{ExprId, ExprKind, Initialiser, StmtId, StmtKind, Type, VarId};
use program::{
    Act, Binary, ChannelQuestion, Kind, Pattern, PlaceId, Print, Selector, Take, Ty, Unary,
};

use crate::Lowering;
use crate::flow::{Bound, ElementId, Flow, Kind as BodyKind, Node, Rotate};

impl Lowering<'_> {
    /// What the step of an element does and when it is possible.
    pub(crate) fn act(&mut self, flow: &Flow<'_>, id: ElementId) -> Act {
        let span = flow.elements[id].span;
        match flow.elements[id].node {
            Node::Statement(statement) if flow.kind == BodyKind::Observer => self.event(statement),
            Node::Statement(statement) => self.statement(statement),
            Node::Declared(var) => self.declared(var, span),
            Node::Set(variable, value) => {
                let value = self.expression(value);
                self.set(variable, value, span)
            }
            Node::SetNumber(variable, value) => {
                let value = self.number(i64::from(value), span);
                self.set(variable, value, span)
            }
            Node::Until(variable, bound, within) => {
                let bound = self.expression(bound);
                let operator = if within == Bound::Within {
                    Binary::AtMost
                } else {
                    Binary::Less
                };
                self.compare(operator, variable, bound, span)
            }
            Node::AtMost(variable, bound) => {
                let bound = self.number(i64::from(bound), span);
                self.compare(Binary::AtMost, variable, bound, span)
            }
            Node::Next(variable) => self.step_by(variable, Binary::Add, span),
            Node::Rotate(step, variable, channel, counter) => {
                let first = self.locals.len() - flow.counters.len();
                self.rotate(step, variable, channel, first + counter, span)
            }
            Node::Else => Act::Else,
            Node::Skip | Node::Goto(_) | Node::Dot | Node::Break => Act::Guard(self.truth(span)),
            Node::Stop => Act::End,
            Node::If
            | Node::Do
            | Node::Unless
            | Node::Atomic(_)
            | Node::DStep(_)
            | Node::Block(_) => {
                unreachable!("only single statements are steps")
            }
        }
    }

    fn statement(&mut self, id: StmtId) -> Act {
        let syntax = self.syntax;
        let span = syntax.stmts[id].span;
        let kind = match &syntax.stmts[id].kind {
            StmtKind::Expression(value) => return Act::Guard(self.expression(*value)),
            StmtKind::Send {
                channel,
                arguments,
                sorted,
            } => {
                let channel = self.expression(*channel);
                return Act::Send {
                    channel,
                    values: self.values(arguments),
                    is_sorted: *sorted,
                };
            }
            StmtKind::Receive {
                channel,
                arguments,
                random,
                keep,
            } => {
                let channel = self.expression(*channel);
                return Act::Receive {
                    channel,
                    patterns: self.patterns(arguments),
                    take: Take {
                        is_any: *random,
                        is_copy: *keep,
                    },
                };
            }
            StmtKind::Assign(target, value) => {
                let value = self.expression(*value);
                return self.set(*target, value, span);
            }
            StmtKind::Increment(target) => return self.step_by(*target, Binary::Add, span),
            StmtKind::Decrement(target) => return self.step_by(*target, Binary::Subtract, span),
            StmtKind::Assert(value) => {
                let text = Name::new(&print::expression(syntax, *value));
                program::StmtKind::Assert {
                    condition: self.expression(*value),
                    text: Some(text),
                }
            }
            StmtKind::Print { format, arguments } => {
                program::StmtKind::Print(self.printed(*format, arguments))
            }
            StmtKind::PrintMtype(value) => {
                program::StmtKind::Print(vec![Print::Value(self.expression(*value))])
            }
            StmtKind::SetPriority(process, priority) => program::StmtKind::SetPriority {
                pid: self.expression(*process),
                priority: self.expression(*priority),
            },
            _ => unreachable!("only basic statements are steps"),
        };
        Act::Do(self.out.stmt(kind, span))
    }

    /// `x = e`.
    fn set(&mut self, target: ExprId, value: program::ExprId, span: Span) -> Act {
        let kind = match self.target(target) {
            Some(place) => program::StmtKind::Assign(place, value),
            None if self.is_priority(target) => {
                let pid = self.out.types.intern(Ty::Pid);
                program::StmtKind::SetPriority {
                    pid: self.out.expr(Kind::SelfPid, pid, span),
                    priority: value,
                }
            }
            None => program::StmtKind::Evaluate(value),
        };
        Act::Do(self.out.stmt(kind, span))
    }

    fn is_priority(&self, target: ExprId) -> bool {
        use lang_promela::check::{Meaning, Predefined};
        self.facts.meanings.get(&target) == Some(&Meaning::Predefined(Predefined::Priority))
    }

    /// The place that is assigned to; `None` for predefined variables.
    fn target(&mut self, id: ExprId) -> Option<PlaceId> {
        let syntax = self.syntax;
        match (&syntax.exprs[id].kind, self.facts.meanings.get(&id)) {
            (ExprKind::Variable(parts), Some(lang_promela::check::Meaning::Variable(_))) => {
                Some(self.place(id, parts, syntax.exprs[id].span))
            }
            _ => None,
        }
    }

    fn step_by(&mut self, target: ExprId, operator: Binary, span: Span) -> Act {
        let now = self.expression(target);
        let one = self.number(1, span);
        let ty = self.number_type();
        let value = self.out.expr(Kind::Binary(operator, now, one), ty, span);
        self.set(target, value, span)
    }

    fn compare(
        &mut self,
        operator: Binary,
        variable: ExprId,
        bound: program::ExprId,
        span: Span,
    ) -> Act {
        let now = self.expression(variable);
        let ty = self.number_type();
        Act::Guard(self.out.expr(Kind::Binary(operator, now, bound), ty, span))
    }

    /// A declaration that is a step: of an array only the first element is set, a structure is left alone.
    fn declared(&mut self, var: VarId, span: Span) -> Act {
        let variable = &self.syntax.vars[var];
        if matches!(variable.ty, Type::Named(_)) {
            return Act::Do(self.out.stmt(program::StmtKind::Block(Vec::new()), span));
        }
        let value = match &variable.init {
            Some(Initialiser::Value(value)) => self.expression(*value),
            _ => self.number(0, span),
        };
        let ty = self.element_type(var);
        let path = match self.facts.sizes.contains_key(&var) {
            true => vec![Selector::Index(self.number(0, span))],
            false => Vec::new(),
        };
        let root = self.root(var);
        let place = self.out.place(root, path, ty, span);
        Act::Do(self.out.stmt(program::StmtKind::Assign(place, value), span))
    }

    /// Sets a variable to 0; of an array only the first element, as SPIN does.
    pub(crate) fn reset(&mut self, var: VarId, span: Span) -> program::StmtId {
        let value = self.number(0, span);
        let ty = self.element_type(var);
        let path = match self.facts.sizes.contains_key(&var) {
            true => vec![Selector::Index(self.number(0, span))],
            false => Vec::new(),
        };
        let root = self.root(var);
        let place = self.out.place(root, path, ty, span);
        self.out.stmt(program::StmtKind::Assign(place, value), span)
    }

    /// The steps of `for` over a channel: each message is taken out and put back behind the others.
    fn rotate(
        &mut self,
        step: Rotate,
        variable: ExprId,
        channel: ExprId,
        counter: usize,
        span: Span,
    ) -> Act {
        let id = base::Id::new(counter);
        let ty = self.locals[id].ty;
        let number = self.number_type();
        let place = self
            .out
            .place(program::Root::Process(id), Vec::new(), ty, span);
        let now = self.out.expr(Kind::Read(place), ty, span);
        let channel = self.expression(channel);
        let assign = |lowering: &mut Self, value| {
            Act::Do(
                lowering
                    .out
                    .stmt(program::StmtKind::Assign(place, value), span),
            )
        };
        match step {
            Rotate::Start => {
                let zero = self.number(0, span);
                assign(self, zero)
            }
            Rotate::Count => {
                let one = self.number(1, span);
                let value = self
                    .out
                    .expr(Kind::Binary(Binary::Add, now, one), number, span);
                assign(self, value)
            }
            Rotate::Test => {
                let length =
                    self.out
                        .expr(Kind::Ask(ChannelQuestion::Length, channel), number, span);
                Act::Guard(
                    self.out
                        .expr(Kind::Binary(Binary::Less, now, length), number, span),
                )
            }
            Rotate::Take => Act::Receive {
                channel,
                patterns: self.patterns(&[variable]),
                take: Take {
                    is_any: false,
                    is_copy: false,
                },
            },
            Rotate::Put => Act::Send {
                channel,
                values: self.values(&[variable]),
                is_sorted: false,
            },
        }
    }

    /// The parts of a printed text.
    fn printed(&mut self, format: Name, arguments: &[ExprId]) -> Vec<Print> {
        let text = format.as_str().trim_matches('"');
        let mut given = arguments.iter();
        let mut out = Vec::new();
        let mut plain = String::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('n') => plain.push('\n'),
                    Some('t') => plain.push('\t'),
                    Some(other) => plain.push(other),
                    None => {}
                },
                '%' => {
                    let conversion = chars.next().unwrap_or('%');
                    let Some(argument) = given.next().filter(|_| conversion != '%') else {
                        plain.push('%');
                        continue;
                    };
                    let value = self.expression(*argument);
                    out.push(Print::Text(Name::new(&std::mem::take(&mut plain))));
                    out.push(match conversion {
                        'e' => Print::Value(value),
                        'd' => Print::Converted('d', value),
                        other => Print::Converted(other, value),
                    });
                }
                other => plain.push(other),
            }
        }
        if !plain.is_empty() {
            out.push(Print::Text(Name::new(&plain)));
        }
        out
    }

    /// The text of a step, as paths show it.
    pub(crate) fn text_of(&self, flow: &Flow<'_>, id: ElementId) -> Name {
        let syntax = self.syntax;
        let shown = |id: ExprId| print::expression(syntax, id);
        let text = match flow.elements[id].node {
            Node::Statement(statement) => print::statement(syntax, statement),
            Node::Declared(var) => {
                let name = syntax.vars[var].name.name;
                match &syntax.vars[var].init {
                    Some(Initialiser::Value(value)) => format!("{name} = {}", shown(*value)),
                    _ => format!("{name} = 0"),
                }
            }
            Node::Set(variable, value) => format!("{} = {}", shown(variable), shown(value)),
            Node::SetNumber(variable, value) => format!("{} = {value}", shown(variable)),
            Node::Until(variable, bound, Bound::Within) => {
                format!("{} <= {}", shown(variable), shown(bound))
            }
            Node::Until(variable, bound, Bound::Below) => {
                format!("{} < {}", shown(variable), shown(bound))
            }
            Node::AtMost(variable, bound) => format!("{} <= {bound}", shown(variable)),
            Node::Next(variable) => format!("{}++", shown(variable)),
            Node::Rotate(step, variable, channel, _) => {
                let (variable, channel) = (shown(variable), shown(channel));
                match step {
                    Rotate::Start => "_counter = 0".to_owned(),
                    Rotate::Test => format!("_counter < len({channel})"),
                    Rotate::Take => format!("{channel}?{variable}"),
                    Rotate::Put => format!("{channel}!{variable}"),
                    Rotate::Count => "_counter++".to_owned(),
                }
            }
            Node::Else => "else".to_owned(),
            Node::Stop => "-end-".to_owned(),
            Node::Skip => "skip".to_owned(),
            Node::Goto(_) => "goto".to_owned(),
            _ => "skip".to_owned(),
        };
        Name::new(&text)
    }

    /// An act that is possible only where those before it are not; `before` says that one of them is.
    pub(crate) fn after_others(&mut self, act: &Act, before: Option<program::ExprId>) -> Act {
        let (Act::Guard(guard), Some(before)) = (act, before) else {
            return act.clone();
        };
        let span = self.out.exprs[*guard].span;
        let number = self.number_type();
        let none = self.out.expr(Kind::Unary(Unary::Not, before), number, span);
        Act::Guard(
            self.out
                .expr(Kind::Binary(Binary::And, none, *guard), number, span),
        )
    }

    /// Says that one of several acts is possible; `None` once one always is, or none can be asked.
    pub(crate) fn joined(
        &mut self,
        before: Option<program::ExprId>,
        act: &Act,
    ) -> Option<program::ExprId> {
        let number = self.number_type();
        let possible = match act {
            Act::Guard(guard) => *guard,
            Act::Receive {
                channel,
                patterns,
                take,
            } => {
                let patterns = patterns.iter().map(|pattern| match pattern {
                    Pattern::Store(_) => Pattern::Any,
                    other => *other,
                });
                let kind = Kind::Poll {
                    channel: *channel,
                    is_any: take.is_any,
                    patterns: patterns.collect(),
                };
                let span = self.out.exprs[*channel].span;
                self.out.expr(kind, number, span)
            }
            Act::Send { channel, .. } => {
                let span = self.out.exprs[*channel].span;
                self.out.expr(
                    Kind::Ask(ChannelQuestion::IsNotFull, *channel),
                    number,
                    span,
                )
            }
            _ => return None,
        };
        let span = self.out.exprs[possible].span;
        Some(match before {
            Some(before) => self
                .out
                .expr(Kind::Binary(Binary::Or, before, possible), number, span),
            None => possible,
        })
    }
}
