//! Statements: stores of known words to known addresses, loops unrolled where they stay small.

use base::{Span, deep};
use program::{Domain, ExprId, Kind, LocalId, PlaceId, Root, StmtId, StmtKind, TyId};

use super::super::code::{Added, Addition, Loop, Node, NodeId, Op, OpId, Switch, UNDEFINED};
use super::weight::UNROLLED;
use super::{Compiler, Known};

impl Compiler<'_> {
    /// A statement of a rule (`result` is `None`) or function.
    pub(super) fn statement_of(&mut self, id: StmtId, result: Option<TyId>) -> OpId {
        let start = self.code.calls.len();
        let op = self.statement(id, result);
        self.close_calls(start);
        op
    }

    /// Tells the calls made since `start` how large the frame of their caller is.
    pub(super) fn close_calls(&mut self, start: usize) {
        let (frame, counters) = (self.context.frame, self.context.counters);
        for call in &mut self.code.calls[start..] {
            if call.frame == u32::MAX {
                call.frame = frame;
                call.counters = counters;
            }
        }
    }

    fn statement(&mut self, id: StmtId, result: Option<TyId>) -> OpId {
        deep::recurse(|| self.statement_inner(id, result))
    }

    // Long: one arm for each kind of statement.
    fn statement_inner(&mut self, id: StmtId, result: Option<TyId>) -> OpId {
        let program = self.program;
        let stmt = &program.stmts[id];
        let span = stmt.span;
        let op = match &stmt.kind {
            StmtKind::Block(body) => {
                let ops: Vec<OpId> = body
                    .iter()
                    .map(|stmt| self.statement(*stmt, result))
                    .collect();
                return self.sequence(ops, span);
            }
            StmtKind::Assign(place, value) => return self.assign(*place, *value, span),
            StmtKind::Evaluate(value) => Op::Evaluate(self.value(*value)),
            StmtKind::If { arms, otherwise } => return self.if_op(arms, *otherwise, result, span),
            StmtKind::Switch {
                value,
                arms,
                otherwise,
            } => {
                let value = self.value(*value);
                let mut made = Vec::new();
                for arm in arms {
                    let values = arm.values.iter().map(|value| self.value(*value)).collect();
                    made.push((values, self.statement(arm.body, result)));
                }
                let otherwise = otherwise.map_or(self.nothing, |body| self.statement(body, result));
                self.code.switches.push(Switch {
                    value,
                    arms: made,
                    otherwise,
                });
                Op::Switch(self.code.switches.len() as u32 - 1)
            }
            StmtKind::For {
                local,
                domain,
                body,
            } => return self.for_op(*local, domain, (*body, result), span),
            StmtKind::While { condition, body } => {
                let condition = self.int(*condition);
                Op::While(condition, self.statement(*body, result))
            }
            StmtKind::Alias { local, place, body } => {
                let bind = self.alias(*local, *place, span);
                let body = self.statement(*body, result);
                return match bind {
                    Some(bind) => self.sequence(vec![bind, body], span),
                    None => body,
                };
            }
            StmtKind::Call(function, arguments) => Op::Call(self.call(*function, arguments)),
            StmtKind::Return(None) => Op::Return,
            StmtKind::Return(Some(value)) => self.return_op(*value, result),
            StmtKind::Assert { condition, text } => {
                let condition = self.int(*condition);
                self.code.messages.push(*text);
                Op::Assert(condition, self.code.messages.len() as u32 - 1)
            }
            StmtKind::Error(text) => {
                self.code.messages.push(Some(*text));
                Op::Fail(self.code.messages.len() as u32 - 1)
            }
            StmtKind::Assume(condition) => Op::Assume(self.int(*condition)),
            StmtKind::Cover(condition, number) => Op::Cover(self.int(*condition), *number),
            StmtKind::Print(parts) => return self.print(parts, span),
            StmtKind::Clear(place) => return self.fill(*place, true, span),
            StmtKind::Undefine(place) => return self.fill(*place, false, span),
            StmtKind::MultisetAdd { multiset, value } => self.add(*multiset, *value),
            StmtKind::MultisetRemove { multiset, element } => {
                let (address, region) = self.place(*multiset);
                self.touch(region);
                let element = self.int(*element);
                self.code.bags.push(self.bag(*multiset));
                Op::Remove(address, element, self.code.bags.len() as u32 - 1)
            }
            StmtKind::MultisetRemoveIf {
                local,
                multiset,
                condition,
            } => {
                let scan = self.scan(*local, *multiset, *condition);
                let (_, region) = self.place(*multiset);
                self.touch(region);
                Op::RemoveIf(scan)
            }
            StmtKind::SetPriority { .. } => unreachable!("rules have no processes"),
        };
        self.op(op, span)
    }

    /// What is printed is not seen by engines, but its values are computed.
    fn print(&mut self, parts: &[program::Print], span: Span) -> OpId {
        let mut ops = Vec::new();
        for part in parts {
            if let program::Print::Value(value) | program::Print::Converted(_, value) = part {
                let node = self.value(*value);
                ops.push(self.op(Op::Evaluate(node), span));
            }
        }
        self.sequence(ops, span)
    }

    /// A multiset is read and written.
    fn touch(&mut self, region: super::Region) {
        self.context.footprint.read(region);
        self.context.footprint.write(region);
    }

    fn sequence(&mut self, ops: Vec<OpId>, span: Span) -> OpId {
        let ops: Vec<OpId> = ops.into_iter().filter(|op| *op != self.nothing).collect();
        match ops[..] {
            [] => self.nothing,
            [single] => single,
            _ => {
                let (start, count) = self.list(&ops);
                self.op(Op::Block(start, count), span)
            }
        }
    }

    fn assign(&mut self, place: PlaceId, value: ExprId, span: Span) -> OpId {
        let program = self.program;
        let found = &program.places[place];
        let ty = found.ty;
        if let (Root::Local(local), true) = (found.root, found.path.is_empty())
            && let Known::Counter(counter) = self.known(local)
        {
            let node = self.value(value);
            return self.op(Op::StoreCounter(counter, node), span);
        }
        let (address, region) = self.place(place);
        self.context.footprint.write(region);
        if !program.types.is_simple(ty) {
            let words = self.layout.ty(ty).words;
            let block = self.block_of(value);
            return self.op(Op::StoreBlock(address, block, words), span);
        }
        let node = self.value(value);
        self.store_op(address, node, ty, value, span)
    }

    fn store_op(
        &mut self,
        address: u32,
        node: NodeId,
        ty: TyId,
        value: ExprId,
        span: Span,
    ) -> OpId {
        let layout = self.layout.ty(ty);
        let fixed = self.fixed(address);
        let op = match (fixed, self.code.nodes[node as usize]) {
            (Some(at), Node::Constant(UNDEFINED)) => Op::Set(at, 0),
            (Some(at), Node::Constant(value)) if layout.encode(value).is_some() => {
                Op::Set(at, layout.encode(value).unwrap_or(0))
            }
            // A copy between words of one type needs no look at the value.
            (Some(at), Node::Copy(from, _)) if self.source_ty(value) == Some(ty) => {
                Op::Move(at, from)
            }
            (Some(at), _) => Op::StoreFixed(at, node, self.store(ty)),
            (None, _) => Op::Store(address, node, self.store(ty)),
        };
        self.op(op, span)
    }

    /// The type of the place that an expression copies.
    fn source_ty(&self, value: ExprId) -> Option<TyId> {
        match &self.program.exprs[value].kind {
            Kind::Copy(place) => Some(self.program.places[*place].ty),
            _ => None,
        }
    }

    fn if_op(
        &mut self,
        arms: &[(ExprId, StmtId)],
        otherwise: Option<StmtId>,
        result: Option<TyId>,
        span: Span,
    ) -> OpId {
        let mut made: Vec<u32> = Vec::new();
        let mut last = None;
        for (condition, body) in arms {
            let condition = self.int(*condition);
            match self.constant(condition) {
                Some(0) => continue,
                Some(_) => {
                    last = Some(self.statement(*body, result));
                    break;
                }
                None => made.extend([condition, self.statement(*body, result)]),
            }
        }
        let last = match (last, otherwise) {
            (Some(last), _) => last,
            (None, Some(body)) => self.statement(body, result),
            (None, None) => self.nothing,
        };
        if made.is_empty() {
            return last;
        }
        let (start, count) = self.list(&made);
        self.op(Op::If(start, count, last), span)
    }

    fn for_op(
        &mut self,
        local: LocalId,
        domain: &Domain,
        (body, result): (StmtId, Option<TyId>),
        span: Span,
    ) -> OpId {
        if let (Some(rounds), Domain::Type(ty)) = (self.rounds(domain), domain)
            && rounds.saturating_mul(self.weight_of_stmt(body)) <= UNROLLED
        {
            let values: Vec<i64> = self.layout.ty(*ty).values().collect();
            let mut ops = Vec::new();
            for value in values {
                self.context.locals.insert(local, Known::Value(value));
                ops.push(self.statement(body, result));
            }
            self.context.locals.remove(&local);
            return self.sequence(ops, span);
        }
        let rounds = self.rounds_of(domain);
        let target = self.target(local);
        let body = self.statement(body, result);
        self.code.loops.push(Loop {
            rounds,
            target,
            body,
        });
        self.op(Op::For(self.code.loops.len() as u32 - 1), span)
    }

    /// A name for a place; an operation that fixes it, unless the place is fixed already.
    pub(super) fn alias(&mut self, local: LocalId, place: PlaceId, span: Span) -> Option<OpId> {
        let found = &self.program.places[place];
        if let Root::Local(inner) = found.root
            && let known @ (Known::Value(_) | Known::Counter(_)) = self.known(inner)
        {
            self.context.locals.insert(local, known);
            return None;
        }
        let (address, region) = self.place(place);
        if self.fixed(address).is_some() {
            self.context
                .locals
                .insert(local, Known::Place(address, region));
            return None;
        }
        let slot = self.words(1);
        self.context
            .locals
            .insert(local, Known::Reference(slot, region));
        Some(self.op(Op::Bind(slot, address), span))
    }

    fn return_op(&mut self, value: ExprId, result: Option<TyId>) -> Op {
        let ty = result.unwrap_or(self.program.exprs[value].ty);
        if self.program.types.is_simple(ty) {
            let node = self.value(value);
            return Op::ReturnValue(node, self.store(ty));
        }
        let words = self.layout.ty(ty).words;
        let at = self
            .context
            .result
            .expect("a function with such a result has room for it");
        Op::ReturnBlock(self.block_of(value), words, at)
    }

    fn fill(&mut self, place: PlaceId, is_least: bool, span: Span) -> OpId {
        let found = &self.program.places[place];
        if let Root::Local(local) = found.root
            && let Known::Counter(counter) = self.known(local)
        {
            let node = self.node(Node::Constant(if is_least { 0 } else { UNDEFINED }), span);
            return self.op(Op::StoreCounter(counter, node), span);
        }
        let layout = self.layout.ty(found.ty);
        let words = if is_least {
            layout.least.clone()
        } else {
            vec![0; layout.words as usize]
        };
        let (address, region) = self.place(place);
        self.context.footprint.write(region);
        if let (Some(at), [word]) = (self.fixed(address), &words[..]) {
            return self.op(Op::Set(at, *word), span);
        }
        let start = self.code.words.len() as u32;
        self.code.words.extend_from_slice(&words);
        self.op(Op::Fill(address, start, words.len() as u32), span)
    }

    fn add(&mut self, multiset: PlaceId, value: ExprId) -> Op {
        let (address, region) = self.place(multiset);
        self.touch(region);
        let program::Ty::Multiset { element, .. } =
            *self.program.types.get(self.program.places[multiset].ty)
        else {
            unreachable!("only multisets take elements")
        };
        let bag = self.bag(multiset);
        let value = if self.program.types.is_simple(element) {
            let node = self.value(value);
            Added::Value(node, self.store(element))
        } else {
            Added::Block(self.block_of(value))
        };
        self.code.additions.push(Addition {
            multiset: address,
            bag,
            value,
        });
        Op::Add(self.code.additions.len() as u32 - 1)
    }
}
