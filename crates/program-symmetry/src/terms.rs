//! The settled part of a program as one structure of terms over points: processes, channels, values of kinds, locations.
//!
//! A permutation of the points that changes no term maps steps to steps: an edge to an edge of the same proctype, a literal to
//! the literal of its image, arithmetic to itself (its table is a term as well). What may stand in any order is a set:
//! edges of a location, operands of commutative operations.
//! Invariant: operands that can fault keep their order, because the first fault ends an evaluation.
//! Invariant: edges that are tried in order (`d_step`, `D_proctype`) keep it.

use base::Span;
use canon::Node;
use program::{
    Act, Binary, Edge, ExprId, Graph, Kind as Expr, LocationId, Pattern, PlaceId, ProctypeId,
    Program, Root, Selector, StmtId, StmtKind, Then, Unary, Value,
};
use rustc_hash::FxHashMap;

use crate::kinds::{Function, KindId, Kinds, Tree, literal};
use crate::points::Points;
use crate::rows;
use crate::values::Values;

/// Writes terms.
pub struct Writer<'w, 'p> {
    pub program: &'p Program,
    pub kinds: &'w Kinds<'p>,
    pub values: &'w Values,
    pub points: &'w Points,
    /// For each global variable that never changes its value.
    pub constants: &'w [Option<Value>],
    /// The points of functions by what they compute: one may be mapped to another with a table that corresponds.
    functions: FxHashMap<(String, Vec<KindId>, KindId), u32>,
    /// What each function is from and to.
    pub signatures: Vec<String>,
    /// The terms, with where each stands.
    pub roots: Vec<(Vec<Node>, Option<Span>)>,
    graph: Option<ProctypeId>,
}

/// What a term begins with.
#[derive(Clone, Copy)]
enum Tag {
    Edge,
    Mark,
    Given,
    Row,
    Order,
    Question,
    Provided,
    Place,
    Operator,
    Function,
    Leaf,
    Statement,
    Send,
    Receive,
    Guard,
    Do,
    Else,
    End,
    Observe,
    Self_,
    Undefined,
    Channel,
}

fn atom(tag: Tag, number: usize) -> Node {
    Node::Atom((tag as u64 + 1) << 40 | number as u64)
}

type Term = Vec<Node>;

fn tuple(parts: impl IntoIterator<Item = Term>) -> Term {
    group(parts, Node::Tuple)
}

fn set(parts: impl IntoIterator<Item = Term>) -> Term {
    group(parts, Node::Set)
}

fn group(parts: impl IntoIterator<Item = Term>, node: fn(u32) -> Node) -> Term {
    let mut term = vec![node(0)];
    let mut count = 0;
    for part in parts {
        term.extend(part);
        count += 1;
    }
    term[0] = node(count);
    term
}

fn tagged(tag: Tag, number: usize, parts: impl IntoIterator<Item = Term>) -> Term {
    tuple(std::iter::once(vec![atom(tag, number)]).chain(parts))
}

impl<'w, 'p> Writer<'w, 'p> {
    pub fn new(
        program: &'p Program,
        kinds: &'w Kinds<'p>,
        values: &'w Values,
        points: &'w Points,
        constants: &'w [Option<Value>],
    ) -> Writer<'w, 'p> {
        Writer {
            program,
            kinds,
            values,
            points,
            constants,
            functions: FxHashMap::default(),
            signatures: Vec::new(),
            roots: Vec::new(),
            graph: None,
        }
    }

    /// Writes the settled edges of a graph, with the marks of its locations.
    pub fn graph(&mut self, number: usize, proctype: Option<ProctypeId>, graph: &Graph) {
        self.graph = proctype;
        let is_deterministic =
            proctype.is_some_and(|id| self.program.proctypes[id].is_deterministic);
        let mut ordered = vec![is_deterministic; graph.locations.len()];
        for (_, edge) in graph.edges.iter() {
            if edge.then == Then::First {
                ordered[edge.to.index()] = true;
            }
        }
        let rows = rows::rows(self.program, graph, &|place| self.place_can_fault(place));
        for (id, location) in graph.locations.iter() {
            let Some(point) = self.points.location(number, id.index()) else {
                continue;
            };
            let marks = location.marks;
            let bits = [marks.is_end, marks.is_accepting, marks.is_progress];
            let bits = bits
                .iter()
                .fold(0, |bits, bit| bits << 1 | usize::from(*bit));
            let mark = tagged(Tag::Mark, bits, [vec![Node::Point(point)]]);
            self.roots.push((mark, Some(location.span)));
            for (level, edges) in location.levels.iter().enumerate() {
                for (position, edge) in edges.iter().enumerate() {
                    let place = match ordered[id.index()] {
                        true => position + 1,
                        false => 0,
                    };
                    let row = rows.iter().find(|row| row.contains(edge));
                    let first = &graph.edges[*edge];
                    let (act, edge) = match row {
                        // No state is within a row: its locations stay where they are.
                        Some(row) if row[0] != *edge => {
                            let inside =
                                vec![vec![Node::Point(point)], vec![atom(Tag::Leaf, id.index())]];
                            let term = tagged(Tag::Row, 1, inside);
                            self.roots.push((term, None));
                            continue;
                        }
                        Some(row) => {
                            let bodies = row.iter().map(|id| self.body(&graph.edges[*id].act));
                            let bodies = bodies.collect::<Vec<_>>().concat();
                            (
                                tagged(Tag::Do, 1, [set(bodies)]),
                                &graph.edges[row[row.len() - 1]],
                            )
                        }
                        None => (self.act(first), first),
                    };
                    let to = match edge.act {
                        Act::End => vec![atom(Tag::End, 0)],
                        _ => self.location(number, edge.to),
                    };
                    let term = tagged(
                        Tag::Edge,
                        level * 4 + edge.then as usize,
                        [
                            vec![Node::Point(point)],
                            vec![atom(Tag::Leaf, place)],
                            act,
                            to,
                        ],
                    );
                    self.roots.push((term, Some(first.span)));
                }
            }
        }
        if let Some(provided) = proctype.and_then(|id| self.program.proctypes[id].provided) {
            let term = self.truth(provided);
            let span = self.program.exprs[provided].span;
            let term = tagged(Tag::Provided, number, [term]);
            self.roots.push((term, Some(span)));
        }
    }

    fn location(&self, graph: usize, id: LocationId) -> Term {
        match self.points.location(graph, id.index()) {
            Some(point) => vec![Node::Point(point)],
            None => vec![atom(Tag::Leaf, id.index())],
        }
    }

    /// Writes what an observer sees.
    pub fn scope(&mut self, scope: &[(program::Direction, ExprId)]) {
        self.graph = None;
        for (direction, channel) in scope {
            let channel = self.expr(*channel);
            let term = tagged(Tag::Observe, 2 + *direction as usize, [channel]);
            self.roots.push((term, None));
        }
    }

    /// Writes a question that must have the same answer in all states of an orbit.
    pub fn question(&mut self, number: usize, question: ExprId) {
        self.graph = None;
        let term = self.truth(question);
        let span = self.program.exprs[question].span;
        let term = tagged(Tag::Question, number, [term]);
        self.roots.push((term, Some(span)));
    }

    /// Writes that a variable of the program or of a process has these values for good.
    pub fn given(&mut self, number: usize, owner: Option<u32>, tree: &Tree, value: &Value) {
        let mut path = vec![vec![atom(Tag::Given, number)]];
        path.extend(owner.map(|point| vec![Node::Point(point)]));
        self.given_part(&mut path, tree, value);
    }

    fn given_part(&mut self, path: &mut Vec<Term>, tree: &Tree, value: &Value) {
        match (tree, value) {
            (Tree::Simple(kind, _), Value::Int(value)) => {
                let value = self.value(*kind, *value);
                let term = tuple(path.iter().cloned().chain([value]));
                self.roots.push((term, None));
            }
            (Tree::Array(index, _, element), Value::Parts(parts)) => {
                for (at, part) in parts.iter().enumerate() {
                    path.push(self.value(*index, at as i64));
                    self.given_part(path, element, part);
                    path.pop();
                }
            }
            (Tree::Record(fields), Value::Parts(parts)) => {
                for (at, (field, part)) in fields.iter().zip(parts).enumerate() {
                    path.push(vec![atom(Tag::Leaf, at)]);
                    self.given_part(path, field, part);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    /// Writes that the order of a kind's values is seen.
    pub fn ordered(&mut self, kind: KindId, span: Span) {
        let Some(set) = self.values.sets.get(&self.kinds.find(kind)) else {
            return;
        };
        let values: Vec<i64> = set.iter().copied().collect();
        for pair in values.windows(2) {
            let pair = pair.iter().map(|value| self.value(kind, *value));
            let term = tagged(Tag::Order, self.kinds.find(kind).0 as usize, pair);
            self.roots.push((term, Some(span)));
        }
    }

    /// A value of a kind.
    fn value(&self, kind: KindId, value: i64) -> Term {
        match self.points.value(self.kinds, kind, value) {
            Some(point) => vec![Node::Point(point)],
            None => vec![Node::Atom(value as u64)],
        }
    }

    fn act(&mut self, edge: &Edge) -> Term {
        match &edge.act {
            Act::Guard(condition) => tagged(Tag::Guard, 0, [self.truth(*condition)]),
            Act::Do(body) => tagged(Tag::Do, 0, [self.statement(*body)]),
            Act::Send {
                channel,
                values,
                is_sorted,
            } => {
                let channel = self.expr(*channel);
                let values: Vec<Term> = values.iter().map(|value| self.expr(*value)).collect();
                let parts = std::iter::once(channel).chain(values);
                tagged(Tag::Send, usize::from(*is_sorted), parts)
            }
            Act::Receive {
                channel,
                patterns,
                take,
            } => {
                let how = usize::from(take.is_any) * 2 + usize::from(take.is_copy);
                let parts = self.patterns(*channel, patterns);
                tagged(Tag::Receive, how, parts)
            }
            Act::Observe(event) => {
                let parts = self.patterns(event.channel, &event.patterns);
                tagged(Tag::Observe, event.direction as usize, parts)
            }
            Act::Else => vec![atom(Tag::Else, 0)],
            Act::End => vec![atom(Tag::End, 0)],
        }
    }

    fn patterns(&mut self, channel: ExprId, patterns: &[Pattern]) -> Vec<Term> {
        let mut parts = vec![self.expr(channel)];
        for pattern in patterns {
            parts.push(match pattern {
                Pattern::Equal(value) => tagged(Tag::Leaf, 0, [self.expr(*value)]),
                Pattern::Store(place) => tagged(Tag::Leaf, 1, [self.place(*place)]),
                Pattern::Any => vec![atom(Tag::Leaf, 2)],
            });
        }
        parts
    }

    /// The assignments of an edge of a row.
    fn body(&mut self, act: &Act) -> Vec<Term> {
        let Act::Do(body) = act else {
            return Vec::new();
        };
        let all = rows::assignments(self.program, *body, &|place| self.place_can_fault(place));
        let all = all.unwrap_or_default().into_iter();
        all.map(|(id, _)| self.statement(id)).collect()
    }

    fn statement(&mut self, id: StmtId) -> Term {
        let number = |position: usize| position;
        match &self.program.stmts[id].kind {
            StmtKind::Block(body) => {
                let row = rows::assignments(self.program, id, &|place| self.place_can_fault(place));
                let is_free = row.is_some_and(|row| rows::are_different(&row));
                let parts: Vec<Term> = body.iter().map(|id| self.statement(*id)).collect();
                match is_free {
                    true => tagged(Tag::Statement, number(0), [set(parts)]),
                    false => tagged(Tag::Statement, number(0), parts),
                }
            }
            StmtKind::Assign(place, value) => {
                let parts = [self.place(*place), self.expr(*value)];
                tagged(Tag::Statement, number(1), parts)
            }
            StmtKind::Evaluate(value) => tagged(Tag::Statement, number(2), [self.expr(*value)]),
            StmtKind::Assert { condition, .. } => {
                tagged(Tag::Statement, number(3), [self.truth(*condition)])
            }
            StmtKind::Assume(condition) => {
                tagged(Tag::Statement, number(4), [self.truth(*condition)])
            }
            StmtKind::If { arms, otherwise } => {
                let mut parts = Vec::new();
                for (condition, body) in arms {
                    parts.push(self.truth(*condition));
                    parts.push(self.statement(*body));
                }
                let otherwise = otherwise.map(|body| self.statement(body));
                parts.push(otherwise.unwrap_or_else(|| vec![atom(Tag::Else, 0)]));
                tagged(Tag::Statement, number(5), parts)
            }
            StmtKind::Print(prints) => {
                // What is printed is not part of a state; that it can be computed is.
                let mut parts = Vec::new();
                for print in prints {
                    if let program::Print::Value(value) | program::Print::Converted(_, value) =
                        print
                    {
                        parts.push(self.expr(*value));
                    }
                }
                tagged(Tag::Statement, number(6), parts)
            }
            StmtKind::SetPriority { pid, priority } => {
                let parts = [self.expr(*pid), self.expr(*priority)];
                tagged(Tag::Statement, number(7), parts)
            }
            _ => vec![atom(Tag::Undefined, 0)],
        }
    }

    fn place(&mut self, id: PlaceId) -> Term {
        let place = &self.program.places[id];
        let mut parts = Vec::new();
        let (root, tree) = match place.root {
            Root::Global(variable) => (
                atom(Tag::Place, variable.index()),
                self.kinds.globals[variable.index()].clone(),
            ),
            Root::Process(variable) => {
                let graph = self.graph.map_or(0, |graph| graph.index());
                let number = (graph + 1) << 16 | variable.index();
                let tree = self.kinds.locals[graph][variable.index()].clone();
                (atom(Tag::Place, number), tree)
            }
            Root::Remote {
                proctype,
                pid,
                variable,
            } => {
                parts.push(match pid {
                    Some(pid) => self.expr(pid),
                    None => vec![atom(Tag::Self_, 1)],
                });
                let number = 1 << 39 | (proctype.index() + 1) << 16 | variable.index();
                let tree = self.kinds.locals[proctype.index()][variable.index()].clone();
                (atom(Tag::Place, number), tree)
            }
            Root::Local(_) => return vec![atom(Tag::Undefined, 1)],
        };
        let mut tree = &tree;
        for selector in &place.path {
            match (selector, tree) {
                (Selector::Field(at), Tree::Record(fields)) => {
                    parts.push(vec![atom(Tag::Leaf, *at as usize)]);
                    tree = &fields[*at as usize];
                }
                (Selector::Index(at), Tree::Array(_, _, element)) => {
                    parts.push(self.expr(*at));
                    tree = element;
                }
                _ => return vec![atom(Tag::Undefined, 2)],
            }
        }
        if let (Root::Global(variable), Some(value)) = (place.root, self.constant(id))
            && self.constants[variable.index()].is_some()
        {
            return value;
        }
        tuple(std::iter::once(vec![root]).chain(parts))
    }

    /// The value at a place that never changes and is not chosen by the state.
    fn constant(&self, id: PlaceId) -> Option<Term> {
        let place = &self.program.places[id];
        let Root::Global(variable) = place.root else {
            return None;
        };
        let mut value = self.constants[variable.index()].as_ref()?;
        let mut tree = &self.kinds.globals[variable.index()];
        for selector in &place.path {
            let at = match selector {
                Selector::Field(at) => *at as usize,
                Selector::Index(at) => usize::try_from(literal(self.program, *at)?).ok()?,
                Selector::Element(_) => return None,
            };
            let Value::Parts(parts) = value else {
                return None;
            };
            value = parts.get(at)?;
            tree = match tree {
                Tree::Array(_, _, element) => element,
                Tree::Record(fields) => fields.get(at)?,
                Tree::Simple(..) => return None,
            };
        }
        match (tree, value) {
            (Tree::Simple(kind, _), Value::Int(value)) => {
                let term = self.value(*kind, *value);
                Some(tagged(
                    Tag::Channel,
                    usize::from(self.kinds.is_channel(*kind)),
                    [term],
                ))
            }
            _ => None,
        }
    }

    /// An expression whose truth counts.
    fn truth(&mut self, id: ExprId) -> Term {
        let function = self.kinds.functions.iter();
        let function = function.clone().find(|f| f.expr == id && f.is_truth);
        match function {
            Some(function) if self.values.is_moving(self.kinds, function.leaves[0].1) => {
                let function = function.clone();
                let operand = self.expr(id);
                self.function(&function, vec![operand])
            }
            _ => self.expr(id),
        }
    }

    fn expr(&mut self, id: ExprId) -> Term {
        base::deep::recurse(|| self.expr_within(id))
    }

    fn expr_within(&mut self, id: ExprId) -> Term {
        if let Some(value) = literal(self.program, id) {
            let kind = self.kinds.exprs.get(&id).copied();
            return self.value(kind.unwrap_or(self.kinds.number), value);
        }
        let expr = &self.program.exprs[id];
        let operator = |number: usize, parts: Vec<Term>| tagged(Tag::Operator, number, parts);
        match &expr.kind {
            Expr::Read(place) => self.place(*place),
            Expr::SelfPid => vec![atom(Tag::Self_, 0)],
            Expr::Last => vec![atom(Tag::Self_, 2)],
            Expr::Processes => vec![atom(Tag::Self_, 3)],
            Expr::Timeout => vec![atom(Tag::Self_, 4)],
            Expr::NoProgress => vec![atom(Tag::Self_, 5)],
            Expr::Unary(Unary::Not, a) => operator(0, vec![self.truth(*a)]),
            Expr::Binary(Binary::Equal | Binary::Unequal, a, b) => {
                let is_equal = matches!(expr.kind, Expr::Binary(Binary::Equal, ..));
                let both = [self.expr(*a), self.expr(*b)];
                let both = match self.can_fault(*a) && self.can_fault(*b) {
                    true => tuple(both),
                    false => set(both),
                };
                operator(1 + usize::from(is_equal), vec![both])
            }
            Expr::Binary(kind @ (Binary::And | Binary::Or), ..) => {
                let mut operands = Vec::new();
                self.flatten(*kind, id, &mut operands);
                let can_fault = operands.iter().any(|id| self.can_fault(*id));
                let terms: Vec<Term> = operands.iter().map(|id| self.truth(*id)).collect();
                let all = match can_fault {
                    true => tuple(terms),
                    false => set(terms),
                };
                operator(3 + usize::from(*kind == Binary::And), vec![all])
            }
            Expr::Binary(Binary::Implies, a, b) => {
                let both = vec![self.truth(*a), self.truth(*b)];
                operator(5, both)
            }
            Expr::Unary(..) | Expr::Binary(..) => self.arithmetic(id),
            Expr::Choice(c, a, b) => {
                let parts = vec![self.truth(*c), self.expr(*a), self.expr(*b)];
                operator(6, parts)
            }
            Expr::Ask(question, channel) => {
                let channel = self.expr(*channel);
                operator(8 + *question as usize, vec![channel])
            }
            Expr::Poll {
                channel,
                is_any,
                patterns,
            } => {
                let parts = self.patterns(*channel, patterns);
                operator(16 + usize::from(*is_any), parts)
            }
            Expr::Enabled(pid) => operator(18, vec![self.expr(*pid)]),
            Expr::LocationOf(pid) => operator(19, vec![self.expr(*pid)]),
            Expr::PriorityOf(pid) => operator(20, vec![self.expr(*pid)]),
            Expr::At {
                proctype,
                pid,
                locations,
            } => {
                let pid = match pid {
                    Some(pid) => self.expr(*pid),
                    None => vec![atom(Tag::Self_, 1)],
                };
                let graph = proctype.index();
                let places = locations.iter().map(|id| self.location(graph, *id));
                let places = set(places);
                operator(21, vec![vec![atom(Tag::Leaf, graph)], pid, places])
            }
            _ => vec![atom(Tag::Undefined, 3)],
        }
    }

    fn flatten(&self, operator: Binary, id: ExprId, out: &mut Vec<ExprId>) {
        match self.program.exprs[id].kind {
            Expr::Binary(own, a, b) if own == operator && literal(self.program, id).is_none() => {
                base::deep::recurse(|| {
                    self.flatten(operator, a, out);
                    self.flatten(operator, b, out);
                });
            }
            _ => out.push(id),
        }
    }

    /// Arithmetic: a function with a table where its operands move, else an operation on numbers.
    fn arithmetic(&mut self, id: ExprId) -> Term {
        let mut functions = self.kinds.functions.iter();
        let function = functions.find(|f| f.expr == id && !f.is_truth);
        if let Some(function) = function
            && function
                .leaves
                .iter()
                .any(|(_, kind)| self.values.is_moving(self.kinds, *kind))
        {
            let function = function.clone();
            let leaves = function.leaves.iter();
            let operands: Vec<Term> = leaves.map(|(leaf, _)| self.expr(*leaf)).collect();
            return self.function(&function, operands);
        }
        match self.program.exprs[id].kind {
            Expr::Unary(operator, a) => {
                let operand = self.operand(a);
                tagged(Tag::Operator, 64 + operator as usize, [operand])
            }
            Expr::Binary(operator, a, b) => {
                let is_free = matches!(
                    operator,
                    Binary::Add
                        | Binary::Multiply
                        | Binary::BitAnd
                        | Binary::BitOr
                        | Binary::BitXor
                );
                let mut operands = Vec::new();
                match is_free {
                    true => self.flatten(operator, id, &mut operands),
                    false => operands.extend([a, b]),
                }
                let can_fault = operands.iter().filter(|id| self.can_fault(**id)).count() > 1;
                let terms: Vec<Term> = operands.iter().map(|id| self.operand(*id)).collect();
                let all = match is_free && !can_fault {
                    true => set(terms),
                    false => tuple(terms),
                };
                tagged(Tag::Operator, 70 + operator as usize, [all])
            }
            _ => self.expr(id),
        }
    }

    /// A part of arithmetic on plain numbers.
    fn operand(&mut self, id: ExprId) -> Term {
        base::deep::recurse(|| match self.program.exprs[id].kind {
            _ if literal(self.program, id).is_some() => {
                let value = literal(self.program, id).unwrap_or(0);
                vec![Node::Atom(value as u64)]
            }
            Expr::Unary(Unary::Minus | Unary::Complement, _) => self.arithmetic(id),
            Expr::Binary(operator, ..) if crate::kinds::is_arithmetic(operator) => {
                self.arithmetic(id)
            }
            _ => self.expr(id),
        })
    }

    /// A function applied to operands; its table is written once.
    fn function(&mut self, function: &Function, operands: Vec<Term>) -> Term {
        let find = |kind: KindId| self.kinds.find(kind);
        let mut text = String::new();
        self.text(function.expr, &mut text, function.is_truth);
        let leaves = function.leaves.iter();
        let result = function.result.map_or(self.kinds.number, find);
        let own: Vec<bool> = leaves
            .clone()
            .map(|(leaf, _)| matches!(self.program.exprs[*leaf].kind, Expr::SelfPid))
            .collect();
        for is_self in own {
            text.push(if is_self { 's' } else { 'v' });
        }
        let kinds: Vec<KindId> = leaves.map(|(_, kind)| find(*kind)).collect();
        let signature = format!("{kinds:?} {result:?} {}", function.is_truth);
        let key = (text, kinds, result);
        let point = match self.functions.get(&key) {
            Some(point) => *point,
            None => {
                let point = (self.points.count + self.signatures.len()) as u32;
                self.functions.insert(key, point);
                self.signatures.push(signature);
                self.table(function, point);
                point
            }
        };
        let operands = std::iter::once(vec![Node::Point(point)]).chain(operands);
        tagged(Tag::Function, 0, operands)
    }

    fn table(&mut self, function: &Function, point: u32) {
        let rows = self.values.rows(self.program, self.kinds, function);
        for (operands, result) in rows.unwrap_or_default() {
            let leaves = function.leaves.iter();
            let operands = leaves
                .zip(&operands)
                .map(|((_, kind), value)| self.value(*kind, *value));
            let mut parts: Vec<Term> = vec![vec![Node::Point(point)]];
            parts.extend(operands);
            parts.push(match (result, function.result) {
                (None, _) => vec![atom(Tag::Undefined, 4)],
                (Some(value), None) => vec![Node::Atom(value as u64)],
                (Some(value), Some(kind)) => self.value(kind, value),
            });
            let term = tagged(Tag::Row, 0, parts);
            self.roots.push((term, Some(function.span)));
        }
    }

    /// The operations of a function as text, its operands left out.
    fn text(&self, id: ExprId, out: &mut String, is_truth: bool) {
        if is_truth {
            out.push('?');
            return;
        }
        match &self.program.exprs[id].kind {
            Expr::Constant(value) => out.push_str(&format!("{value} ")),
            Expr::Unary(operator @ (Unary::Minus | Unary::Complement), a) => {
                out.push_str(&format!("{operator:?}("));
                self.text(*a, out, false);
                out.push(')');
            }
            Expr::Binary(operator, a, b) if crate::kinds::is_arithmetic(*operator) => {
                out.push_str(&format!("{operator:?}("));
                self.text(*a, out, false);
                out.push(',');
                self.text(*b, out, false);
                out.push(')');
            }
            _ => out.push('_'),
        }
    }

    /// Whether computing an expression may be a fault.
    fn can_fault(&self, id: ExprId) -> bool {
        base::deep::recurse(|| match &self.program.exprs[id].kind {
            Expr::Constant(_)
            | Expr::SelfPid
            | Expr::Last
            | Expr::Processes
            | Expr::Timeout
            | Expr::NoProgress => false,
            Expr::Read(place) => self.place_can_fault(*place),
            Expr::Unary(_, a) => self.can_fault(*a),
            Expr::Binary(Binary::Divide | Binary::Remainder, a, b) => {
                self.can_fault(*a) || literal(self.program, *b).is_none_or(|value| value == 0)
            }
            Expr::Binary(_, a, b) => self.can_fault(*a) || self.can_fault(*b),
            Expr::Choice(c, a, b) => [c, a, b].into_iter().any(|id| self.can_fault(*id)),
            Expr::Ask(_, channel) => match self.program.exprs[*channel].kind {
                Expr::Read(place) => self.constant(place).is_none(),
                _ => true,
            },
            _ => true,
        })
    }

    fn place_can_fault(&self, id: PlaceId) -> bool {
        let place = &self.program.places[id];
        let tree = match place.root {
            Root::Global(variable) => &self.kinds.globals[variable.index()],
            Root::Process(variable) => {
                let graph = self.graph.map_or(0, |graph| graph.index());
                &self.kinds.locals[graph][variable.index()]
            }
            _ => return true,
        };
        let mut tree = tree;
        for selector in &place.path {
            match (selector, tree) {
                (Selector::Field(at), Tree::Record(fields)) => tree = &fields[*at as usize],
                (Selector::Index(at), Tree::Array(_, length, element)) => {
                    let most = match self.program.exprs[*at].kind {
                        Expr::SelfPid => Some(self.points.processes as i64 - 1),
                        _ => literal(self.program, *at).filter(|value| *value >= 0),
                    };
                    if most.is_none_or(|most| most >= *length as i64) {
                        return true;
                    }
                    tree = element;
                }
                _ => return true,
            }
        }
        false
    }
}
