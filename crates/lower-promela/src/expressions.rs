//! Expressions and places.

use base::{Name, Span, deep};
use lang_promela::check::{Meaning, Predefined};
use lang_promela::syntax::{self, ExprId, ExprKind, Part, Type, Unit, VarId};
use program::{Binary, ChannelQuestion, Kind, PlaceId, Root, Selector, Ty, TyId, Unary};

use crate::{Home, Lowering};

impl Lowering<'_> {
    /// The type of results of arithmetic.
    pub(crate) fn number_type(&mut self) -> TyId {
        self.out.types.intern(Ty::Number)
    }

    pub(crate) fn number(&mut self, value: i64, span: Span) -> program::ExprId {
        let ty = self.number_type();
        self.out.expr(Kind::Constant(value), ty, span)
    }

    /// What is always true.
    pub(crate) fn truth(&mut self, span: Span) -> program::ExprId {
        self.number(1, span)
    }

    /// An expression that is computed.
    pub(crate) fn expression(&mut self, id: ExprId) -> program::ExprId {
        deep::recurse(|| self.expression_inside(id))
    }

    // Long: one arm for each kind of expression.
    fn expression_inside(&mut self, id: ExprId) -> program::ExprId {
        let syntax = self.syntax;
        let span = syntax.exprs[id].span;
        let number = self.number_type();
        let (kind, ty) = match &syntax.exprs[id].kind {
            ExprKind::Constant(value, _) => (Kind::Constant(i64::from(*value)), number),
            ExprKind::Mtype(name) => {
                let symbol = self.facts.symbols[&name.name];
                let ty = self.symbols.get(&symbol.subset).copied().unwrap_or(number);
                (Kind::Constant(i64::from(symbol.value)), ty)
            }
            ExprKind::Variable(parts) => return self.variable(id, parts, span),
            ExprKind::Unary(operator, a) => {
                let a = self.expression(*a);
                let operator = match operator {
                    syntax::Unary::Minus => Unary::Minus,
                    syntax::Unary::Complement => Unary::Complement,
                    _ => Unary::Not,
                };
                (Kind::Unary(operator, a), number)
            }
            ExprKind::Binary(operator, a, b) => {
                let a = self.expression(*a);
                let b = self.expression(*b);
                (Kind::Binary(binary(*operator), a, b), number)
            }
            ExprKind::Conditional(a, b, c) => {
                let (a, b, c) = (
                    self.expression(*a),
                    self.expression(*b),
                    self.expression(*c),
                );
                (Kind::Choice(a, b, c), number)
            }
            ExprKind::Run {
                name,
                arguments,
                priority,
            } => {
                let kind = self.run(name.name, arguments, *priority);
                (kind, self.out.types.intern(Ty::Pid))
            }
            ExprKind::Channel(question, channel) => {
                let channel = self.expression(*channel);
                (Kind::Ask(asked(*question), channel), number)
            }
            ExprKind::Poll {
                channel,
                arguments,
                random,
            } => {
                let channel = self.expression(*channel);
                let patterns = self.poll_patterns(arguments);
                let kind = Kind::Poll {
                    channel,
                    is_any: *random,
                    patterns,
                };
                (kind, number)
            }
            ExprKind::Eval(a) => return self.expression(*a),
            ExprKind::Enabled(a) => (Kind::Enabled(self.expression(*a)), number),
            ExprKind::PcValue(a) => (Kind::LocationOf(self.expression(*a)), number),
            ExprKind::GetPriority(a) => (Kind::PriorityOf(self.expression(*a)), number),
            ExprKind::Timeout => (Kind::Timeout, number),
            ExprKind::NonProgress => (Kind::NoProgress, number),
            ExprKind::RemoteLabel {
                process,
                pid,
                label,
            } => (self.at_label(process.name, *pid, label.name), number),
            ExprKind::RemoteVariable {
                process,
                pid,
                variable,
            } => {
                return self.remote_variable(id, process.name, *pid, variable, span);
            }
            ExprKind::Error => unreachable!("programs with errors are not lowered"),
        };
        self.out.expr(kind, ty, span)
    }

    fn variable(&mut self, id: ExprId, parts: &[Part], span: Span) -> program::ExprId {
        let number = self.number_type();
        if let Meaning::Predefined(predefined) = self.facts.meanings[&id] {
            let pid = self.out.types.intern(Ty::Pid);
            let (kind, ty) = match predefined {
                Predefined::Pid => (Kind::SelfPid, pid),
                Predefined::ProcessCount => (Kind::Processes, number),
                Predefined::Last => (Kind::Last, pid),
                Predefined::Priority => {
                    let me = self.out.expr(Kind::SelfPid, pid, span);
                    (Kind::PriorityOf(me), number)
                }
                Predefined::Anything => (Kind::Constant(0), number),
            };
            return self.out.expr(kind, ty, span);
        }
        let place = self.place(id, parts, span);
        let ty = self.out.places[place].ty;
        self.out.expr(Kind::Read(place), ty, span)
    }

    /// The place of a reference; the whole of an array is its first element, as in SPIN.
    pub(crate) fn place(&mut self, id: ExprId, parts: &[Part], span: Span) -> PlaceId {
        let Meaning::Variable(var) = self.facts.meanings[&id] else {
            unreachable!("predefined variables have no place");
        };
        let root = self.root(var);
        let (path, ty, _) = self.path(var, parts);
        self.out.place(root, path, ty, span)
    }

    /// The path of a reference from its variable, the type there, and the variable or field it ends at.
    pub(crate) fn path(&mut self, var: VarId, parts: &[Part]) -> (Vec<Selector>, TyId, VarId) {
        let mut path = Vec::new();
        let mut at = var;
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                let Type::Named(structure) = self.syntax.vars[at].ty else {
                    unreachable!("only structures have fields");
                };
                let fields = &self.facts.structures[&structure.name];
                let position = fields
                    .iter()
                    .position(|field| self.syntax.vars[*field].name.name == part.name.name);
                let position =
                    position.unwrap_or_else(|| unreachable!("the field was found by the check"));
                path.push(Selector::Field(position as u32));
                at = fields[position];
            }
            if self.facts.sizes.contains_key(&at) {
                let index = match part.index {
                    Some(index) => self.expression(index),
                    None => self.number(0, part.name.span),
                };
                path.push(Selector::Index(index));
            }
        }
        let ty = self.element_type(at);
        (path, ty, at)
    }

    fn run(&mut self, name: Name, arguments: &[ExprId], priority: Option<ExprId>) -> Kind {
        let unit = self.facts.processes[&name];
        let proctype = self.proctypes[&unit];
        let syntax = self.syntax;
        let Unit::Process(process) = &syntax.units[unit] else {
            unreachable!("only processes are run");
        };
        let parameters = process
            .parameters
            .iter()
            .flat_map(|declaration| &declaration.vars);
        let mut given = arguments.iter();
        let mut values = Vec::new();
        for parameter in parameters {
            let span = syntax.vars[*parameter].name.span;
            let value = match given.next() {
                Some(argument) => match (&syntax.exprs[*argument].kind, syntax.vars[*parameter].ty)
                {
                    (ExprKind::Variable(parts), Type::Named(_)) => {
                        let span = syntax.exprs[*argument].span;
                        let place = self.place(*argument, parts, span);
                        let ty = self.out.places[place].ty;
                        self.out.expr(Kind::Copy(place), ty, span)
                    }
                    _ => self.expression(*argument),
                },
                None => self.number(0, span),
            };
            values.push(value);
        }
        Kind::Run {
            proctype,
            arguments: values,
            priority: priority.map(|priority| {
                let span = syntax.exprs[priority].span;
                self.number(
                    i64::from(self.facts.constants[&priority].clamp(1, 255)),
                    span,
                )
            }),
        }
    }

    fn at_label(&mut self, process: Name, pid: Option<ExprId>, label: Name) -> Kind {
        let proctype = self.proctypes[&self.facts.processes[&process]];
        let pid = pid.map(|pid| self.expression(pid));
        self.remote_locations.push((proctype, label));
        Kind::At {
            proctype,
            pid,
            locations: vec![program::LocationId::new(self.remote_locations.len() - 1)],
        }
    }

    fn remote_variable(
        &mut self,
        id: ExprId,
        process: Name,
        pid: Option<ExprId>,
        part: &Part,
        span: Span,
    ) -> program::ExprId {
        let Meaning::Variable(var) = self.facts.meanings[&id] else {
            unreachable!("remote variables are declared");
        };
        let root = match self.homes[&var] {
            Home::Global(id) => Root::Global(id),
            Home::Local(variable) => Root::Remote {
                proctype: self.proctypes[&self.facts.processes[&process]],
                pid: pid.map(|pid| self.expression(pid)),
                variable,
            },
        };
        let (path, ty, _) = self.path(var, &[*part]);
        let place = self.out.place(root, path, ty, span);
        self.out.expr(Kind::Read(place), ty, span)
    }
}

fn asked(question: syntax::ChannelQuestion) -> ChannelQuestion {
    match question {
        syntax::ChannelQuestion::Len => ChannelQuestion::Length,
        syntax::ChannelQuestion::Empty => ChannelQuestion::IsEmpty,
        syntax::ChannelQuestion::NotEmpty => ChannelQuestion::IsNotEmpty,
        syntax::ChannelQuestion::Full => ChannelQuestion::IsFull,
        syntax::ChannelQuestion::NotFull => ChannelQuestion::IsNotFull,
    }
}

fn binary(operator: syntax::Binary) -> Binary {
    use syntax::Binary as Written;
    match operator {
        Written::Add => Binary::Add,
        Written::Subtract => Binary::Subtract,
        Written::Multiply => Binary::Multiply,
        Written::Divide => Binary::Divide,
        Written::Remainder => Binary::Remainder,
        Written::BitAnd => Binary::BitAnd,
        Written::BitXor => Binary::BitXor,
        Written::BitOr => Binary::BitOr,
        Written::ShiftLeft => Binary::ShiftLeft,
        Written::ShiftRight => Binary::ShiftRight,
        Written::Less => Binary::Less,
        Written::LessEqual => Binary::AtMost,
        Written::Greater => Binary::Greater,
        Written::GreaterEqual => Binary::AtLeast,
        Written::Equal => Binary::Equal,
        Written::NotEqual => Binary::Unequal,
        Written::And => Binary::And,
        Written::Or => Binary::Or,
        Written::Implies => Binary::Implies,
        Written::Equivalent => Binary::Equal,
        Written::Until | Written::WeakUntil | Written::Release => {
            unreachable!("temporal operators stand outside of expressions")
        }
    }
}
