//! Expressions: constants are folded, comparisons of one word with a constant become one test.

use base::{Span, deep};
use program::{
    Argument, Binary, Domain, ExprId, FunctionId, Kind, LocalId, PlaceId, Quantifier, Selector, Ty,
    Unary,
};

use super::super::code::{
    Address, Argument as Passed, Block, BlockId, Call, Loop, Node, NodeId, Rounds, Scan, UNDEFINED,
};
use super::super::footprint::Region;
use super::super::layout::Bag;
use super::weight::UNROLLED;
use super::{Compiler, Known};

/// Longer chains of nodes are marked, so that running them takes new stack in time.
const DEEP: u32 = 100;

impl Compiler<'_> {
    /// An integer; undefined is a fault.
    pub(super) fn int(&mut self, id: ExprId) -> NodeId {
        let node = self.value(id);
        if self.may_be_undefined(node) {
            return self.node(Node::Defined(node), self.program.exprs[id].span);
        }
        node
    }

    /// A simple value, undefined or not.
    pub(super) fn value(&mut self, id: ExprId) -> NodeId {
        deep::recurse(|| self.value_inner(id, 0))
    }

    fn may_be_undefined(&self, node: NodeId) -> bool {
        match self.code.nodes[node as usize] {
            Node::Copy(..) | Node::CopyAt(..) | Node::Call(_) | Node::InBlock(..) => true,
            Node::Constant(value) => value == UNDEFINED,
            Node::Choice(_, yes, no) => self.may_be_undefined(yes) || self.may_be_undefined(no),
            _ => false,
        }
    }

    fn value_inner(&mut self, id: ExprId, depth: u32) -> NodeId {
        let program = self.program;
        let expr = &program.exprs[id];
        let span = expr.span;
        match &expr.kind {
            Kind::Constant(value) => self.node(Node::Constant(*value), span),
            Kind::Undefined => self.node(Node::Constant(UNDEFINED), span),
            Kind::Read(place) => self.load(*place, false, span),
            Kind::Copy(place) => self.load(*place, true, span),
            Kind::Unary(op, operand) => self.unary(*op, *operand, span),
            Kind::Binary(op, left, right) => self.binary(*op, (*left, *right), span, depth),
            Kind::Choice(condition, yes, no) => {
                let condition = self.int(*condition);
                match self.constant(condition) {
                    Some(0) => self.value(*no),
                    Some(_) => self.value(*yes),
                    None => {
                        let (yes, no) = (self.value(*yes), self.value(*no));
                        self.node(Node::Choice(condition, yes, no), span)
                    }
                }
            }
            Kind::Quantified {
                quantifier,
                local,
                domain,
                body,
            } => {
                let is_all = *quantifier == Quantifier::All;
                self.quantified(is_all, *local, domain, *body, span)
            }
            Kind::Count {
                local,
                multiset,
                body,
            } => {
                let scan = self.scan(*local, *multiset, *body);
                self.node(Node::Count(scan), span)
            }
            Kind::IsUndefined(place) => self.is_undefined(*place, span),
            Kind::IsMember(value, ty) => {
                let value = self.value(*value);
                let member = self.member(*ty);
                self.node(Node::IsMember(value, member), span)
            }
            Kind::Call(function, arguments) => {
                let call = self.call(*function, arguments);
                self.node(Node::Call(call), span)
            }
            Kind::Part(..) => {
                let bias = self.layout.ty(expr.ty).bias;
                let block = self.block_of(id);
                let start = self.address(Address::Fixed(0));
                self.node(Node::InBlock(block, start, bias), span)
            }
            _ => unreachable!("rules have no processes"),
        }
    }

    fn unary(&mut self, op: Unary, operand: ExprId, span: Span) -> NodeId {
        let inner = self.int(operand);
        let folded = self.constant(inner).and_then(|value| match op {
            Unary::Minus => value.checked_neg(),
            Unary::Not => Some(i64::from(value == 0)),
            Unary::Complement => Some(!value),
        });
        if let Some(value) = folded {
            return self.node(Node::Constant(value), span);
        }
        if op == Unary::Not {
            return self.not(inner, span);
        }
        self.node(Node::Unary(op, inner), span)
    }

    fn not(&mut self, inner: NodeId, span: Span) -> NodeId {
        let turned = match self.code.nodes[inner as usize] {
            Node::Is(at, word) => Node::IsNot(at, word),
            Node::IsNot(at, word) => Node::Is(at, word),
            Node::Word(at, word) => Node::NotWord(at, word),
            Node::NotWord(at, word) => Node::Word(at, word),
            Node::Constant(value) => Node::Constant(i64::from(value == 0)),
            Node::Unary(Unary::Not, operand) => return operand,
            _ => Node::Unary(Unary::Not, inner),
        };
        self.node(turned, span)
    }

    fn binary(
        &mut self,
        op: Binary,
        (left, right): (ExprId, ExprId),
        span: Span,
        depth: u32,
    ) -> NodeId {
        match op {
            Binary::And | Binary::Or => return self.chain(op, left, right, span),
            Binary::Implies => {
                let first = self.int(left);
                let first = self.not(first, span);
                if let Some(value) = self.constant(first)
                    && value != 0
                {
                    return first;
                }
                let second = self.int(right);
                return self.joined(Binary::Or, vec![first, second], span);
            }
            Binary::Equal | Binary::Unequal => {
                return self.equal(op == Binary::Equal, (left, right), span);
            }
            _ => {}
        }
        // A long chain leans to the left; only that side goes deep.
        let first = deep::recurse(|| self.value_inner(left, depth + 1));
        let mut first = if self.may_be_undefined(first) {
            self.node(Node::Defined(first), self.program.exprs[left].span)
        } else {
            first
        };
        if depth % DEEP == DEEP - 1 {
            first = self.node(Node::Deep(first), span);
        }
        let second = self.int(right);
        if let (Some(a), Some(b)) = (self.constant(first), self.constant(second))
            && let Some(value) = super::super::run::compute(op, a, b)
        {
            return self.node(Node::Constant(value), span);
        }
        self.node(Node::Binary(op, first, second), span)
    }

    /// `a & b & …` as one list.
    fn chain(&mut self, op: Binary, left: ExprId, right: ExprId, span: Span) -> NodeId {
        let mut operands = vec![right];
        let mut at = left;
        while let Kind::Binary(inner, first, second) = &self.program.exprs[at].kind {
            if *inner != op {
                break;
            }
            operands.push(*second);
            at = *first;
        }
        operands.push(at);
        let decided = i64::from(op == Binary::Or);
        let mut parts = Vec::new();
        for operand in operands.into_iter().rev() {
            let part = self.int(operand);
            let constant = self.constant(part).map(|value| i64::from(value != 0));
            parts.push(part);
            // What follows a constant that decides is never computed.
            if constant == Some(decided) {
                break;
            }
        }
        self.joined(op, parts, span)
    }

    /// A list of conditions as one node; constants that do not decide are left out.
    fn joined(&mut self, op: Binary, parts: Vec<NodeId>, span: Span) -> NodeId {
        let decided = i64::from(op == Binary::Or);
        let mut kept = Vec::new();
        for part in parts {
            match self.constant(part).map(|value| i64::from(value != 0)) {
                Some(value) if value != decided => {}
                Some(_) if kept.is_empty() => return self.node(Node::Constant(decided), span),
                _ => match self.code.nodes[part as usize] {
                    Node::All(start, count) if op == Binary::And => {
                        kept.extend_from_slice(
                            &self.code.lists[start as usize..(start + count) as usize],
                        );
                    }
                    Node::Any(start, count) if op == Binary::Or => {
                        kept.extend_from_slice(
                            &self.code.lists[start as usize..(start + count) as usize],
                        );
                    }
                    _ => kept.push(part),
                },
            }
        }
        match kept[..] {
            [] => self.node(Node::Constant(1 - decided), span),
            [single] => single,
            _ => {
                let (start, count) = self.list(&kept);
                let node = if op == Binary::And {
                    Node::All(start, count)
                } else {
                    Node::Any(start, count)
                };
                self.node(node, span)
            }
        }
    }

    fn equal(&mut self, is_equal: bool, (left, right): (ExprId, ExprId), span: Span) -> NodeId {
        let program = self.program;
        let ty = program.exprs[left].ty;
        if !program.types.is_simple(ty) {
            let (first, second) = (self.block_of(left), self.block_of(right));
            let words = self.layout.ty(ty).words;
            return self.node(Node::SameBlocks(is_equal, first, second, words), span);
        }
        let (first, second) = (self.value(left), self.value(right));
        let nodes = (
            self.code.nodes[first as usize],
            self.code.nodes[second as usize],
        );
        let word = |value: i64, bias: i64| match value {
            UNDEFINED => Some(0),
            value => value
                .checked_sub(bias)
                .and_then(|word| u32::try_from(word).ok())
                .filter(|word| *word > 0),
        };
        let made = match nodes {
            (Node::Constant(a), Node::Constant(b)) => {
                Some(Node::Constant(i64::from((a == b) == is_equal)))
            }
            (Node::Load(at, bias), Node::Constant(value))
            | (Node::Constant(value), Node::Load(at, bias)) => word(value, bias)
                .filter(|word| *word > 0)
                .map(|word| match is_equal {
                    true => Node::Is(at, word),
                    false => Node::IsNot(at, word),
                }),
            (Node::Copy(at, bias), Node::Constant(value))
            | (Node::Constant(value), Node::Copy(at, bias)) => {
                word(value, bias).map(|word| match is_equal {
                    true => Node::Word(at, word),
                    false => Node::NotWord(at, word),
                })
            }
            (Node::Copy(a, bias), Node::Copy(b, other)) if bias == other && is_equal => {
                Some(Node::SameWords(a, b))
            }
            _ => None,
        };
        let op = if is_equal {
            Binary::Equal
        } else {
            Binary::Unequal
        };
        let node = made.unwrap_or(Node::Binary(op, first, second));
        let id = self.node(node, span);
        // The fault of a read points at what is read.
        if let Node::Is(..) | Node::IsNot(..) = node {
            let read = if matches!(nodes.0, Node::Load(..)) {
                first
            } else {
                second
            };
            self.code.spans[id as usize] = self.code.spans[read as usize];
        }
        id
    }

    fn is_undefined(&mut self, place: PlaceId, span: Span) -> NodeId {
        if self.is_unaddressed(place) {
            return self.node(Node::Constant(0), span);
        }
        let (address, region) = self.place(place);
        self.context.footprint.read(region);
        let node = match self.fixed(address) {
            Some(at) => Node::Word(at, 0),
            None => Node::IsUndefined(address),
        };
        self.node(node, span)
    }

    fn quantified(
        &mut self,
        is_all: bool,
        local: LocalId,
        domain: &Domain,
        body: ExprId,
        span: Span,
    ) -> NodeId {
        let rounds = self.rounds(domain);
        if let (Some(rounds), Domain::Type(ty)) = (rounds, domain)
            && rounds.saturating_mul(self.weight(body)) <= UNROLLED
        {
            let values: Vec<i64> = self.layout.ty(*ty).values().collect();
            let mut parts = Vec::new();
            for value in values {
                self.context.locals.insert(local, Known::Value(value));
                parts.push(self.int(body));
            }
            self.context.locals.remove(&local);
            return self.joined(if is_all { Binary::And } else { Binary::Or }, parts, span);
        }
        let rounds = self.rounds_of(domain);
        let target = self.target(local);
        let body = self.int(body);
        self.code.loops.push(Loop {
            rounds,
            target,
            body,
        });
        self.node(
            Node::Quantified(is_all, self.code.loops.len() as u32 - 1),
            span,
        )
    }

    /// What a loop goes through.
    pub(super) fn rounds_of(&mut self, domain: &Domain) -> Rounds {
        match domain {
            Domain::Type(ty) => Rounds::Values(self.layout.ty(*ty).ranges.clone()),
            Domain::Count { from, to, by } => {
                let (from, to) = (self.int(*from), self.int(*to));
                Rounds::Count(from, to, by.map(|by| self.int(by)))
            }
            Domain::Elements(place) => {
                let (address, region) = self.place(*place);
                self.context.footprint.read(region);
                Rounds::Places(address, self.bag(*place))
            }
        }
    }

    /// The places of the multiset at a place.
    pub(super) fn bag(&self, place: PlaceId) -> Bag {
        match self.program.types.get(self.program.places[place].ty) {
            Ty::Multiset { capacity, element } => Bag {
                capacity: *capacity,
                stride: self.layout.ty(*element).words + 1,
            },
            _ => unreachable!("only multisets have places"),
        }
    }

    /// A scan through the elements of a multiset.
    pub(super) fn scan(&mut self, local: LocalId, multiset: PlaceId, condition: ExprId) -> u32 {
        let (address, region) = self.place(multiset);
        self.context.footprint.read(region);
        let bag = self.bag(multiset);
        let counter = self.target(local);
        let condition = self.int(condition);
        self.code.scans.push(Scan {
            counter,
            multiset: address,
            bag,
            condition,
        });
        self.code.scans.len() as u32 - 1
    }

    /// A value with parts.
    pub(super) fn block_of(&mut self, id: ExprId) -> BlockId {
        deep::recurse(|| self.block_of_inner(id))
    }

    fn block_of_inner(&mut self, id: ExprId) -> BlockId {
        let program = self.program;
        match &program.exprs[id].kind {
            Kind::Copy(place) | Kind::Read(place) => {
                let (address, region) = self.place(*place);
                self.context.footprint.read(region);
                self.block(Block::At(address))
            }
            Kind::Call(function, arguments) => {
                let call = self.call(*function, arguments);
                self.block(Block::Call(call))
            }
            Kind::Part(whole, selector) => {
                let ty = program.exprs[*whole].ty;
                let whole = self.block_of(*whole);
                let start = (Address::Fixed(0), Region::Frame, ty);
                let (address, _, _) =
                    self.select(start, std::slice::from_ref::<Selector>(selector));
                let address = self.address(address);
                self.block(Block::Part(whole, address))
            }
            Kind::Choice(condition, yes, no) => {
                let condition = self.int(*condition);
                match self.constant(condition) {
                    Some(0) => self.block_of(*no),
                    Some(_) => self.block_of(*yes),
                    None => {
                        let (yes, no) = (self.block_of(*yes), self.block_of(*no));
                        self.block(Block::Choice(condition, yes, no))
                    }
                }
            }
            _ => unreachable!("only places, calls, parts and choices have parts"),
        }
    }

    /// A call.
    pub(super) fn call(&mut self, function: FunctionId, arguments: &[Argument]) -> u32 {
        let program = self.program;
        let routine = self.routine(function);
        let parameters = &program.functions[function].parameters;
        let mut word = parameters.len() as u32;
        let mut passed = Vec::new();
        let mut regions = Vec::new();
        for (argument, parameter) in arguments.iter().zip(parameters) {
            let ty = program.locals[*parameter].ty;
            let words = self.layout.ty(ty).words;
            let (made, region) = match argument {
                Argument::Reference(place) if self.is_unaddressed(*place) => {
                    let span = program.places[*place].span;
                    let value = self.load(*place, true, span);
                    let store = self.store(ty);
                    (Passed::Value(value, word, store), None)
                }
                Argument::Reference(place) => {
                    let (address, region) = self.place(*place);
                    (Passed::Reference(address), Some(region))
                }
                Argument::Value(value) if program.types.is_simple(ty) => {
                    let value = self.value(*value);
                    let store = self.store(ty);
                    (Passed::Value(value, word, store), None)
                }
                Argument::Value(value) => (Passed::Block(self.block_of(*value), word, words), None),
            };
            passed.push(made);
            regions.push(region);
            word += words;
        }
        let callee = self.footprints[routine as usize].clone();
        self.context.footprint.call(&callee, &regions);
        // The words of this frame are known when all of it is compiled.
        self.code.calls.push(Call {
            routine,
            arguments: passed,
            frame: u32::MAX,
            counters: u32::MAX,
        });
        self.code.calls.len() as u32 - 1
    }
}
