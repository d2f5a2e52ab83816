//! The settled part of a program as one structure of terms over points: processes, channels, values of kinds, locations.
//!
//! A permutation of the points that changes no term maps steps to steps: an edge to an edge of the same proctype, a literal to
//! the literal of its image, arithmetic to itself (its table is a term as well). What may stand in any order is a set:
//! edges of a location, operands of commutative operations.
//! Invariant: operands that can fault keep their order, because the first fault ends an evaluation.
//! Invariant: edges that are tried in order (`d_step`, `D_proctype`) keep it.

mod arithmetic;
mod steps;

use base::Span;
use canon::Node;
use program::{
    Act, Binary, ExprId, Graph, Kind as Expr, LocationId, ProctypeId, Program, Then, Unary, Value,
};
use rustc_hash::FxHashMap;

use crate::edges::Written;
use crate::kinds::{KindId, Kinds, Tree, literal};
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
    /// For each function the terms of its table.
    pub(crate) tables: Vec<Vec<usize>>,
    /// The terms, with where each stands.
    pub roots: Vec<(Vec<Node>, Option<Span>)>,
    /// The edges of proctypes with their terms.
    pub(crate) edges: Vec<Written>,
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
            tables: Vec::new(),
            roots: Vec::new(),
            edges: Vec::new(),
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
                    let whole = row.map_or_else(|| vec![*edge], Vec::clone);
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
                    self.edges.extend(proctype.map(|proctype| Written {
                        proctype,
                        edges: whole,
                        root: self.roots.len(),
                    }));
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
}
