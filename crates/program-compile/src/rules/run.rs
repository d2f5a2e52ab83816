//! The machine that runs code: values and addresses. Loops are in `rounds`, calls in `calls`, statements in `exec`.

use base::{Span, deep};
use pins::Halt;
use program::{Binary, Reason, Unary};

use super::code::{
    Address, AddressId, Block, BlockId, Code, Node, NodeId, Rounds, Run, Stop, UNDEFINED,
};

/// Runs code over a memory of its own.
pub(crate) struct Machine<'c> {
    pub code: &'c Code,
    /// The state, then frames.
    pub memory: Vec<u32>,
    /// Counters of frames.
    pub counters: Vec<i64>,
    /// Where the present frame begins.
    pub frame: usize,
    /// Where its counters begin.
    pub counter: usize,
    /// Calls that are open.
    pub depth: usize,
    /// Rounds of loops in this step.
    pub rounds: u64,
    pub loop_limit: u64,
    /// Whether failed assertions end a step.
    pub assertions: bool,
    pub halt: Option<Halt>,
    /// Covers that were met.
    pub covered: Vec<u32>,
    /// The simple value that a function returned.
    pub returned: i64,
}

/// The value of an operation on two defined values; `None` when it has none.
pub(crate) fn compute(op: Binary, left: i64, right: i64) -> Option<i64> {
    let distance = u32::try_from(right).ok().filter(|distance| *distance < 64);
    let value = match op {
        Binary::Add => left.checked_add(right)?,
        Binary::Subtract => left.checked_sub(right)?,
        Binary::Multiply => left.checked_mul(right)?,
        Binary::Divide => left.checked_div(right)?,
        Binary::Remainder => left.checked_rem(right)?,
        Binary::BitAnd => left & right,
        Binary::BitOr => left | right,
        Binary::BitXor => left ^ right,
        Binary::ShiftLeft => distance.map_or(0, |distance| left << distance),
        Binary::ShiftRight => {
            distance.map_or(if left < 0 { -1 } else { 0 }, |distance| left >> distance)
        }
        Binary::Equal => i64::from(left == right),
        Binary::Unequal => i64::from(left != right),
        Binary::Less => i64::from(left < right),
        Binary::AtMost => i64::from(left <= right),
        Binary::Greater => i64::from(left > right),
        Binary::AtLeast => i64::from(left >= right),
        Binary::And => i64::from(left != 0 && right != 0),
        Binary::Or => i64::from(left != 0 || right != 0),
        Binary::Implies => i64::from(left == 0 || right != 0),
    };
    (value != UNDEFINED).then_some(value)
}

impl Machine<'_> {
    #[cold]
    pub fn fault<T>(&self, reason: Reason, span: Span) -> Run<T> {
        Err(Box::new(Stop::Fault(reason, span)))
    }

    #[cold]
    fn undefined<T>(&self, node: NodeId) -> Run<T> {
        self.fault(Reason::Undefined, self.code.spans[node as usize])
    }

    /// A condition. Most compare one word, which is not worth a call.
    #[inline]
    pub fn is_true(&mut self, node: NodeId) -> Run<bool> {
        match self.code.nodes[node as usize] {
            Node::Is(at, wanted) if self.memory[at as usize] != 0 => {
                Ok(self.memory[at as usize] == wanted)
            }
            Node::IsNot(at, wanted) if self.memory[at as usize] != 0 => {
                Ok(self.memory[at as usize] != wanted)
            }
            Node::Word(at, wanted) => Ok(self.memory[at as usize] == wanted),
            Node::NotWord(at, wanted) => Ok(self.memory[at as usize] != wanted),
            _ => Ok(self.eval(node)? != 0),
        }
    }

    /// The value of a node.
    pub fn eval(&mut self, id: NodeId) -> Run<i64> {
        let code = self.code;
        match code.nodes[id as usize] {
            Node::Constant(value) => Ok(value),
            Node::Load(at, bias) => match self.memory[at as usize] {
                0 => self.undefined(id),
                word => Ok(i64::from(word) + bias),
            },
            Node::Is(at, wanted) => match self.memory[at as usize] {
                0 => self.undefined(id),
                word => Ok(i64::from(word == wanted)),
            },
            Node::IsNot(at, wanted) => match self.memory[at as usize] {
                0 => self.undefined(id),
                word => Ok(i64::from(word != wanted)),
            },
            Node::Word(at, wanted) => Ok(i64::from(self.memory[at as usize] == wanted)),
            Node::NotWord(at, wanted) => Ok(i64::from(self.memory[at as usize] != wanted)),
            Node::SameWords(a, b) => Ok(i64::from(
                self.memory[a as usize] == self.memory[b as usize],
            )),
            Node::All(start, count) => {
                for part in &code.lists[start as usize..(start + count) as usize] {
                    if !self.is_true(*part)? {
                        return Ok(0);
                    }
                }
                Ok(1)
            }
            Node::Any(start, count) => {
                for part in &code.lists[start as usize..(start + count) as usize] {
                    if self.is_true(*part)? {
                        return Ok(1);
                    }
                }
                Ok(0)
            }
            Node::Copy(at, bias) => Ok(value_of(self.memory[at as usize], bias)),
            Node::LoadAt(address, bias) => {
                let at = self.at(address)?;
                match self.memory[at as usize] {
                    0 => self.undefined(id),
                    word => Ok(i64::from(word) + bias),
                }
            }
            Node::CopyAt(address, bias) => {
                let at = self.at(address)?;
                Ok(value_of(self.memory[at as usize], bias))
            }
            Node::Counter(counter) => Ok(self.counters[self.counter + counter as usize]),
            Node::Defined(inner) => match self.eval(inner)? {
                UNDEFINED => self.undefined(id),
                value => Ok(value),
            },
            Node::Unary(op, operand) => {
                let value = self.eval(operand)?;
                match op {
                    Unary::Not => Ok(i64::from(value == 0)),
                    Unary::Complement => Ok(!value),
                    // The least number of 64 bits stands for undefined, so this never overflows.
                    Unary::Minus => Ok(-value),
                }
            }
            Node::Binary(op, left, right) => self.binary(op, (left, right), id),
            Node::Choice(condition, yes, no) => {
                let chosen = if self.is_true(condition)? { yes } else { no };
                self.eval(chosen)
            }
            _ => self.eval_rare(id),
        }
    }

    fn binary(&mut self, op: Binary, (left, right): (NodeId, NodeId), id: NodeId) -> Run<i64> {
        let first = self.eval(left)?;
        let second = self.eval(right)?;
        match op {
            Binary::Equal => return Ok(i64::from(first == second)),
            Binary::Unequal => return Ok(i64::from(first != second)),
            _ => {}
        }
        match compute(op, first, second) {
            Some(value) => Ok(value),
            None => {
                let span = self.code.spans[id as usize];
                let by_zero = second == 0 && matches!(op, Binary::Divide | Binary::Remainder);
                self.fault(
                    if by_zero {
                        Reason::DivisionByZero
                    } else {
                        Reason::Overflow
                    },
                    span,
                )
            }
        }
    }

    /// Nodes that are not met in every guard.
    fn eval_rare(&mut self, id: NodeId) -> Run<i64> {
        let code = self.code;
        match code.nodes[id as usize] {
            Node::Quantified(is_all, at) => {
                let found = &code.loops[at as usize];
                let body = found.body;
                let mut answer = is_all;
                self.each(
                    &found.rounds,
                    found.target,
                    code.spans[id as usize],
                    &mut |machine| {
                        let holds = machine.is_true(body)?;
                        if holds != is_all {
                            answer = holds;
                        }
                        Ok(holds == is_all)
                    },
                )?;
                Ok(i64::from(answer))
            }
            Node::Count(at) => {
                let scan = code.scans[at as usize];
                let rounds = Rounds::Places(scan.multiset, scan.bag);
                let mut count = 0;
                self.each(
                    &rounds,
                    scan.counter,
                    code.spans[id as usize],
                    &mut |machine| {
                        count += i64::from(machine.is_true(scan.condition)?);
                        Ok(true)
                    },
                )?;
                Ok(count)
            }
            Node::IsUndefined(address) => {
                let at = self.at(address)?;
                Ok(i64::from(self.memory[at as usize] == 0))
            }
            Node::IsMember(value, member) => {
                let value = self.eval(value)?;
                let ranges = &code.members[member as usize];
                Ok(i64::from(
                    ranges
                        .iter()
                        .any(|(low, high)| *low <= value && value <= *high),
                ))
            }
            Node::Call(call) => {
                self.call(call)?;
                Ok(self.returned)
            }
            Node::SameBlocks(is_equal, left, right, words) => {
                let first = self.block(left)? as usize;
                let kept = self.memory[first..first + words as usize].to_vec();
                let second = self.block(right)? as usize;
                let same = self.memory[second..second + words as usize] == kept[..];
                Ok(i64::from(same == is_equal))
            }
            Node::InBlock(block, distance, bias) => {
                let start = self.block(block)?;
                let distance = self.at(distance)?;
                Ok(value_of(self.memory[(start + distance) as usize], bias))
            }
            Node::Deep(inner) => deep::recurse(|| self.eval(inner)),
            _ => unreachable!("the other nodes are evaluated before"),
        }
    }

    /// Where an address leads.
    pub fn at(&mut self, id: AddressId) -> Run<u32> {
        let code = self.code;
        match code.addresses[id as usize] {
            Address::Fixed(at) => Ok(at),
            Address::Frame(at) => Ok(self.frame as u32 + at),
            Address::Reference(slot, distance) => {
                Ok(self.memory[self.frame + slot as usize] + distance)
            }
            Address::Offset(base, distance) => Ok(self.at(base)? + distance),
            Address::Index(base, index, shape) => {
                let base = self.at(base)?;
                let value = self.eval(index)?;
                let shape = &code.indices[shape as usize];
                match shape.position(value) {
                    Some(position) => Ok(base + position * shape.stride),
                    None => self.fault(Reason::Index(value), code.spans[index as usize]),
                }
            }
            Address::Element(base, place, bag) => {
                let base = self.at(base)?;
                let place = self.eval(place)?;
                let bag = code.bags[bag as usize];
                let at = base + place as u32 * bag.stride;
                if place < 0 || place >= i64::from(bag.capacity) || self.memory[at as usize] == 0 {
                    return self.fault(Reason::NoElement, self.span_of(id));
                }
                Ok(at + 1)
            }
        }
    }

    /// The place in the text of the element that an address selects.
    fn span_of(&self, address: AddressId) -> Span {
        match self.code.addresses[address as usize] {
            Address::Index(_, node, _) | Address::Element(_, node, _) => {
                self.code.spans[node as usize]
            }
            Address::Offset(base, _) => self.span_of(base),
            _ => self.code.spans[0],
        }
    }

    /// Where the words of a value with parts are.
    pub fn block(&mut self, id: BlockId) -> Run<u32> {
        match self.code.blocks[id as usize] {
            Block::At(address) => self.at(address),
            Block::Call(call) => self.call(call),
            Block::Part(whole, part) => {
                let start = self.block(whole)?;
                Ok(start + self.at(part)?)
            }
            Block::Choice(condition, yes, no) => {
                let chosen = if self.is_true(condition)? { yes } else { no };
                self.block(chosen)
            }
        }
    }

    /// The word of a value in a type.
    pub fn encode(&self, value: i64, store: u32, node: NodeId) -> Run<u32> {
        if value == UNDEFINED {
            return Ok(0);
        }
        match self.code.word(value, store) {
            Some(word) => Ok(word),
            None => self.fault(Reason::OutOfRange(value), self.code.spans[node as usize]),
        }
    }
}

#[inline]
fn value_of(word: u32, bias: i64) -> i64 {
    if word == 0 {
        UNDEFINED
    } else {
        i64::from(word) + bias
    }
}
