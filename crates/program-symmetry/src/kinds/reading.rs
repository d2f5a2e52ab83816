//! Reads a program for its kinds: what edges, statements and expressions put beside each other is of one kind.

use base::Span;
use program::{
    Act, Binary, ChannelId, Edge, ExprId, Kind as Expr, Pattern, PlaceId, ProctypeId, Root,
    Selector, StmtId, StmtKind, Unary,
};

use super::{Function, KindId, Kinds, Tree, is_arithmetic, literal};

impl Kinds<'_> {
    /// Looks at an edge of a proctype.
    pub fn edge(&mut self, proctype: Option<ProctypeId>, edge: &Edge) {
        self.graph = proctype;
        match &edge.act {
            Act::Guard(condition) => self.truth(*condition),
            Act::Do(body) => self.statement(*body),
            Act::Send {
                channel,
                values,
                is_sorted,
            } => {
                let kind = self.expr(*channel);
                let fields = self.channel(kind, values.len());
                for (value, field) in values.iter().zip(&fields) {
                    let value = self.expr(*value);
                    self.join(value, *field);
                    if *is_sorted {
                        self.ordered.push((*field, edge.span));
                    }
                }
            }
            Act::Receive {
                channel, patterns, ..
            } => self.patterns(*channel, patterns),
            Act::Observe(event) => self.patterns(event.channel, &event.patterns),
            Act::Else | Act::End => {}
        }
    }

    /// Looks at what a graph says beside its edges.
    pub fn condition(&mut self, proctype: Option<ProctypeId>, condition: ExprId) {
        self.graph = proctype;
        self.truth(condition);
    }

    /// Looks at the first assignments of the program or of a proctype.
    pub fn prologue(&mut self, proctype: Option<ProctypeId>, body: StmtId) {
        self.graph = proctype;
        self.statement(body);
    }

    pub(super) fn patterns(&mut self, channel: ExprId, patterns: &[Pattern]) {
        let kind = self.expr(channel);
        let fields = self.channel(kind, patterns.len());
        for (pattern, field) in patterns.iter().zip(fields) {
            match pattern {
                Pattern::Equal(value) => {
                    let value = self.expr(*value);
                    self.join(value, field);
                }
                Pattern::Store(place) => {
                    let place = self.place(*place);
                    self.join(place, field);
                }
                Pattern::Any => {}
            }
        }
    }

    pub(super) fn statement(&mut self, id: StmtId) {
        let stmt = &self.program.stmts[id];
        match &stmt.kind {
            StmtKind::Block(body) => body.iter().for_each(|id| self.statement(*id)),
            StmtKind::Assign(place, value) => {
                let place = self.place(*place);
                let value = self.expr(*value);
                self.join(place, value);
            }
            StmtKind::Evaluate(value) => {
                self.expr(*value);
            }
            StmtKind::Assert { condition, .. } | StmtKind::Assume(condition) => {
                self.truth(*condition);
            }
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.truth(*condition);
                    self.statement(*body);
                }
                otherwise.iter().for_each(|body| self.statement(*body));
            }
            StmtKind::Print(parts) => {
                for part in parts {
                    match part {
                        program::Print::Value(value) | program::Print::Converted(_, value) => {
                            self.expr(*value);
                        }
                        program::Print::Text(_) => {}
                        program::Print::Whole(place) => {
                            self.place(*place);
                        }
                    }
                }
            }
            StmtKind::SetPriority { pid, priority } => {
                let pid = self.expr(*pid);
                self.join(pid, self.pid);
                self.plain(*priority);
            }
            _ => self.unknown = Some((stmt.span, "a statement that has no place in processes")),
        }
    }

    /// The kind of the simple part at a place.
    pub fn place(&mut self, id: PlaceId) -> KindId {
        let place = &self.program.places[id];
        let tree = match place.root {
            Root::Global(variable) => self.globals[variable.index()].clone(),
            Root::Process(variable) => match self.graph {
                Some(graph) => self.locals[graph.index()][variable.index()].clone(),
                None => return self.no_place(place.span),
            },
            Root::Remote {
                proctype,
                pid,
                variable,
            } => {
                if let Some(pid) = pid {
                    let pid = self.expr(pid);
                    self.join(pid, self.pid);
                }
                self.locals[proctype.index()][variable.index()].clone()
            }
            Root::Local(_) => return self.no_place(place.span),
        };
        let mut tree = &tree;
        for selector in &place.path {
            tree = match (tree, selector) {
                (Tree::Array(index, _, element), Selector::Index(at)) => {
                    let at = self.expr(*at);
                    self.join(at, *index);
                    element
                }
                (Tree::Record(fields), Selector::Field(at)) => &fields[*at as usize],
                _ => return self.no_place(place.span),
            };
        }
        match tree {
            Tree::Simple(kind, _) => *kind,
            _ => self.no_place(place.span),
        }
    }

    pub(super) fn no_place(&mut self, span: Span) -> KindId {
        self.unknown = Some((span, "a place with parts"));
        self.fresh()
    }

    /// An expression whose truth counts.
    pub(super) fn truth(&mut self, id: ExprId) {
        let kind = self.expr(id);
        let is_plain = [self.number, self.scanning].map(|plain| self.find(plain));
        if !is_plain.contains(&self.find(kind)) && !self.is_function(id) {
            self.functions.push(Function {
                expr: id,
                leaves: vec![(id, kind)],
                result: None,
                is_truth: true,
                span: self.program.exprs[id].span,
            });
        }
    }

    pub(super) fn is_function(&self, id: ExprId) -> bool {
        self.functions.iter().any(|f| f.expr == id && f.is_truth)
    }

    /// A number and nothing else.
    pub(super) fn plain(&mut self, id: ExprId) {
        let kind = self.expr(id);
        self.join(kind, self.number);
    }

    /// The kind of an expression.
    pub fn expr(&mut self, id: ExprId) -> KindId {
        if let Some(known) = self.exprs.get(&id) {
            return *known;
        }
        let kind = base::deep::recurse(|| self.expr_anew(id));
        self.exprs.insert(id, kind);
        kind
    }

    pub(super) fn expr_anew(&mut self, id: ExprId) -> KindId {
        let expr = &self.program.exprs[id];
        if let Some(value) = literal(self.program, id) {
            let kind = self.fresh();
            self.info[kind.0 as usize].literals.push(value);
            return kind;
        }
        match &expr.kind {
            Expr::Read(place) => self.place(*place),
            Expr::SelfPid | Expr::Last => self.pid,
            Expr::Unary(Unary::Not, a) => {
                self.truth(*a);
                self.number
            }
            Expr::Binary(Binary::And | Binary::Or | Binary::Implies, a, b) => {
                self.truth(*a);
                self.truth(*b);
                self.number
            }
            Expr::Binary(Binary::Equal | Binary::Unequal, a, b) => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                self.join(a, b);
                self.number
            }
            Expr::Unary(..) | Expr::Binary(..) => self.function(id),
            Expr::Choice(condition, a, b) => {
                self.truth(*condition);
                let (a, b) = (self.expr(*a), self.expr(*b));
                self.join(a, b);
                a
            }
            Expr::Run {
                proctype,
                arguments,
                priority,
            } => {
                priority.iter().for_each(|priority| self.plain(*priority));
                for (at, argument) in arguments.iter().enumerate() {
                    let argument = self.expr(*argument);
                    if let Some(Tree::Simple(kind, _)) = self.locals[proctype.index()].get(at) {
                        self.join(argument, *kind);
                    }
                }
                self.pid
            }
            Expr::NewChannel(declared) => self.new_channel(*declared),
            Expr::Ask(_, channel) => {
                let kind = self.expr(*channel);
                self.channel(kind, 0);
                self.number
            }
            Expr::Poll {
                channel, patterns, ..
            } => {
                self.patterns(*channel, patterns);
                self.number
            }
            Expr::Enabled(pid) | Expr::PriorityOf(pid) | Expr::LocationOf(pid) => {
                self.sees_locations |= matches!(expr.kind, Expr::LocationOf(_));
                let pid = self.expr(*pid);
                self.join(pid, self.pid);
                self.number
            }
            Expr::At { pid, .. } => {
                if let Some(pid) = pid {
                    let pid = self.expr(*pid);
                    self.join(pid, self.pid);
                }
                self.number
            }
            Expr::Processes | Expr::Timeout | Expr::NoProgress => self.number,
            _ => {
                self.unknown = Some((expr.span, "an expression that has no place in processes"));
                self.number
            }
        }
    }

    pub(super) fn new_channel(&mut self, declared: ChannelId) -> KindId {
        let kind = self.fresh();
        self.info[kind.0 as usize].channel = Some(self.fields[declared.index()].clone());
        kind
    }

    /// Arithmetic and orders: the whole tree of operations is one function of what stands below it.
    pub(super) fn function(&mut self, id: ExprId) -> KindId {
        let mut leaves = Vec::new();
        self.leaves(id, &mut leaves);
        let is_order = matches!(
            self.program.exprs[id].kind,
            Expr::Binary(
                Binary::Less | Binary::AtMost | Binary::Greater | Binary::AtLeast,
                ..
            )
        );
        let scans = leaves.iter().any(|(_, kind)| *kind == self.scanning);
        let result = match is_order {
            true => self.number,
            false if scans => self.scanning,
            false => self.fresh(),
        };
        if scans {
            return result;
        }
        self.functions.push(Function {
            expr: id,
            leaves,
            result: (!is_order).then_some(result),
            is_truth: false,
            span: self.program.exprs[id].span,
        });
        result
    }

    pub(super) fn leaves(&mut self, id: ExprId, out: &mut Vec<(ExprId, KindId)>) {
        let program = self.program;
        match &program.exprs[id].kind {
            Expr::Constant(_) => {}
            Expr::Unary(Unary::Minus | Unary::Complement, a) => self.leaves(*a, out),
            Expr::Binary(operator, a, b) if is_arithmetic(*operator) => {
                base::deep::recurse(|| {
                    self.leaves(*a, out);
                    self.leaves(*b, out);
                });
            }
            _ => out.push((id, self.expr(id))),
        }
    }
}
