//! Terms of what edges do: acts, statements, messages and places.

use program::{Act, Edge, ExprId, Pattern, PlaceId, Root, Selector, StmtId, StmtKind, Value};

use super::{Tag, Term, Writer, atom, set, tagged, tuple};
use crate::kinds::{Tree, literal};
use crate::rows;

impl Writer<'_, '_> {
    pub(super) fn act(&mut self, edge: &Edge) -> Term {
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

    pub(super) fn patterns(&mut self, channel: ExprId, patterns: &[Pattern]) -> Vec<Term> {
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
    pub(super) fn body(&mut self, act: &Act) -> Vec<Term> {
        let Act::Do(body) = act else {
            return Vec::new();
        };
        let all = rows::assignments(self.program, *body, &|place| self.place_can_fault(place));
        let all = all.unwrap_or_default().into_iter();
        all.map(|(id, _)| self.statement(id)).collect()
    }

    pub(super) fn statement(&mut self, id: StmtId) -> Term {
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

    pub(super) fn place(&mut self, id: PlaceId) -> Term {
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
    pub(super) fn constant(&self, id: PlaceId) -> Option<Term> {
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
}
