//! Values and conditions. Undefined is a number of its own, as for the machine; a condition is a jump where it can be.

use base::deep;
use native::{Checked, Label, Order, Place, Plain, Value};
use program::{Binary, Unary};

use super::super::code::{Address, AddressId, Node, NodeId, UNDEFINED};
use super::super::run::compute;
use super::Generator;

/// Numbers below this can be added without a look at 64 bits.
const SMALL: i64 = 1 << 40;

impl Generator<'_, '_, '_> {
    /// Goes to one of two labels.
    pub(super) fn condition(&mut self, id: NodeId, yes: Label, no: Label) {
        deep::recurse(|| self.condition_inner(id, yes, no));
    }

    fn condition_inner(&mut self, id: NodeId, yes: Label, no: Label) {
        if self.is_lost() {
            self.writer.jump(no);
            return;
        }
        let code = self.setting.code;
        match code.nodes[id as usize] {
            Node::Is(at, wanted) => self.compare_word(at, wanted, yes, no),
            Node::IsNot(at, wanted) => self.compare_word(at, wanted, no, yes),
            Node::All(start, count) => {
                for part in &code.lists[start as usize..(start + count) as usize] {
                    let next = self.writer.label();
                    self.condition(*part, next, no);
                    self.writer.place(next);
                }
                self.writer.jump(yes);
            }
            Node::Any(start, count) => {
                for part in &code.lists[start as usize..(start + count) as usize] {
                    let next = self.writer.label();
                    self.condition(*part, yes, next);
                    self.writer.place(next);
                }
                self.writer.jump(no);
            }
            Node::Unary(Unary::Not, inner) => self.condition(inner, no, yes),
            Node::Deep(inner) => self.condition(inner, yes, no),
            Node::Choice(condition, first, second) => {
                let (one, other) = (self.writer.label(), self.writer.label());
                self.condition(condition, one, other);
                self.writer.place(one);
                self.condition(first, yes, no);
                self.writer.place(other);
                self.condition(second, yes, no);
            }
            Node::Binary(op, left, right) if order(op).is_some() => {
                if let Some(holds) = self.decided(id) {
                    return self.writer.jump(if holds { yes } else { no });
                }
                let order = order(op).unwrap_or(Order::Equal);
                let left = self.value(left);
                let right = self.value(right);
                let holds = self.writer.compare(order, left, right);
                self.writer.branch(holds, yes, no);
            }
            Node::Quantified(is_all, at) => {
                let found = &code.loops[at as usize];
                let body = found.body;
                let (ends, otherwise) = if is_all { (no, yes) } else { (yes, no) };
                self.each(&found.rounds, found.target, &mut |generator, next| {
                    match is_all {
                        true => generator.condition(body, next, ends),
                        false => generator.condition(body, ends, next),
                    };
                });
                self.writer.jump(otherwise);
            }
            _ => {
                let value = self.value(id);
                let none = self.writer.number(0);
                let holds = self.writer.compare(Order::Unequal, value, none);
                self.writer.branch(holds, yes, no);
            }
        }
    }

    /// Whether a fixed word is this one; asks where it is undefined.
    fn compare_word(&mut self, at: u32, wanted: u32, yes: Label, no: Label) {
        let word = self.writer.word(Place::fixed(at));
        let number = self.writer.number(i64::from(wanted));
        let other = self.writer.label();
        let is_it = self.writer.compare(Order::Equal, word, number);
        self.writer.branch(is_it, yes, other);
        self.writer.place(other);
        self.must_not_be(word, 0);
        self.writer.jump(no);
    }

    /// The value of a node.
    pub(super) fn value(&mut self, id: NodeId) -> Value {
        deep::recurse(|| self.value_inner(id))
    }

    // Long: one arm for each kind of node.
    fn value_inner(&mut self, id: NodeId) -> Value {
        if self.is_lost() {
            return self.leave();
        }
        if let Some(value) = self.constant(id) {
            return self.writer.number(value);
        }
        let code = self.setting.code;
        match code.nodes[id as usize] {
            Node::Constant(value) => self.writer.number(value),
            Node::Load(at, bias) => self.defined_word(Place::fixed(at), bias),
            Node::LoadAt(address, bias) => {
                let place = self.at(address);
                self.defined_word(place, bias)
            }
            Node::Copy(at, bias) => self.any_word(Place::fixed(at), bias),
            Node::CopyAt(address, bias) => {
                let place = self.at(address);
                self.any_word(place, bias)
            }
            Node::InBlock(block, distance, bias) => {
                let start = self.block(block);
                let distance = self.at(distance);
                let place = self.writer.add_places(start, distance);
                self.any_word(place, bias)
            }
            Node::Counter(counter) => {
                let counter = self.counter(counter);
                self.writer.get(counter)
            }
            Node::Word(at, wanted) | Node::NotWord(at, wanted) => {
                let word = self.writer.word(Place::fixed(at));
                let wanted = self.writer.number(i64::from(wanted));
                let order = match code.nodes[id as usize] {
                    Node::Word(..) => Order::Equal,
                    _ => Order::Unequal,
                };
                let holds = self.writer.compare(order, word, wanted);
                self.writer.truth(holds)
            }
            Node::SameWords(a, b) => {
                let a = self.writer.word(Place::fixed(a));
                let b = self.writer.word(Place::fixed(b));
                let same = self.writer.compare(Order::Equal, a, b);
                self.writer.truth(same)
            }
            Node::Defined(inner) => {
                let value = self.value(inner);
                if !self.is_defined(inner) {
                    self.must_not_be(value, UNDEFINED);
                }
                value
            }
            Node::Unary(op, operand) if !matches!(op, Unary::Not) => {
                let value = self.value(operand);
                match op {
                    Unary::Minus => {
                        let none = self.writer.number(0);
                        self.writer.plain(Plain::Subtract, none, value)
                    }
                    _ => {
                        let ones = self.writer.number(-1);
                        self.writer.plain(Plain::Xor, ones, value)
                    }
                }
            }
            Node::Binary(op, left, right) if order(op).is_none() => self.binary(op, left, right),
            Node::Choice(condition, first, second) => {
                let none = self.writer.number(0);
                let chosen = self.writer.variable(none);
                let (one, other, end) = self.three_labels();
                self.condition(condition, one, other);
                for (label, node) in [(one, first), (other, second)] {
                    self.writer.place(label);
                    let value = self.value(node);
                    self.writer.set(chosen, value);
                    self.writer.jump(end);
                }
                self.writer.place(end);
                self.writer.get(chosen)
            }
            Node::Count(at) => self.count(at),
            Node::IsUndefined(address) => {
                let place = self.at(address);
                let word = self.writer.word(place);
                let none = self.writer.number(0);
                let is_none = self.writer.compare(Order::Equal, word, none);
                self.writer.truth(is_none)
            }
            Node::IsMember(value, member) => {
                let value = self.value(value);
                self.is_in(value, &code.members[member as usize])
            }
            Node::Call(call) => {
                self.call(call);
                let latest = self.latest;
                self.writer.get(latest)
            }
            Node::SameBlocks(is_equal, left, right, words) => {
                let calls = self.calls;
                let left = self.block(left);
                let right = self.block(right);
                if self.calls != calls {
                    // The second call may have written over what the first one left.
                    return self.give_up();
                }
                let same = self.writer.same(left, right, words);
                let same = self.writer.truth(same);
                let wanted = self.writer.number(i64::from(!is_equal));
                self.writer.plain(Plain::Xor, same, wanted)
            }
            Node::Deep(inner) => self.value(inner),
            // Conditions.
            _ => self.truth(id),
        }
    }

    /// The value of a node, where it is known: arguments mostly are what a rule was made for.
    pub(super) fn constant(&self, id: NodeId) -> Option<i64> {
        let code = self.setting.code;
        match code.nodes[id as usize] {
            Node::Constant(value) => (value != UNDEFINED).then_some(value),
            Node::Defined(inner) => self.constant(inner),
            Node::LoadAt(address, bias) | Node::CopyAt(address, bias) => {
                Some(i64::from(self.known_word(address)?) + bias)
            }
            _ => None,
        }
    }

    /// What is at an address, where that is known; never undefined.
    fn known_word(&self, address: AddressId) -> Option<u32> {
        let Address::Reference(slot, distance) = self.setting.code.addresses[address as usize]
        else {
            return None;
        };
        let place = self.bound.get(&(self.frame + slot))?.behind(distance);
        self.known.get(&place.as_fixed()?).copied()
    }

    /// Whether a condition holds, where that is known.
    pub(super) fn decided(&self, id: NodeId) -> Option<bool> {
        match self.setting.code.nodes[id as usize] {
            Node::Binary(op, left, right) if order(op).is_some() => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                Some(compute(op, left, right) == Some(1))
            }
            Node::IsUndefined(address) => self.known_word(address).map(|_| false),
            _ => None,
        }
    }

    /// A condition as a number.
    fn truth(&mut self, id: NodeId) -> Value {
        let none = self.writer.number(0);
        let truth = self.writer.variable(none);
        let (yes, no, end) = self.three_labels();
        self.condition(id, yes, no);
        for (label, number) in [(yes, 1), (no, 0)] {
            self.writer.place(label);
            let number = self.writer.number(number);
            self.writer.set(truth, number);
            self.writer.jump(end);
        }
        self.writer.place(end);
        self.writer.get(truth)
    }

    fn three_labels(&mut self) -> (Label, Label, Label) {
        let writer = &mut self.writer;
        (writer.label(), writer.label(), writer.label())
    }

    fn defined_word(&mut self, place: Place, bias: i64) -> Value {
        let word = self.writer.word(place);
        self.must_not_be(word, 0);
        let bias = self.writer.number(bias);
        self.writer.plain(Plain::Add, word, bias)
    }

    fn any_word(&mut self, place: Place, bias: i64) -> Value {
        let word = self.writer.word(place);
        let (none, bias) = (self.writer.number(0), self.writer.number(bias));
        let value = self.writer.plain(Plain::Add, word, bias);
        let undefined = self.writer.number(UNDEFINED);
        let is_none = self.writer.compare(Order::Equal, word, none);
        self.writer.choose(is_none, undefined, value)
    }

    fn binary(&mut self, op: Binary, left: NodeId, right: NodeId) -> Value {
        let is_small = self.is_small(left) && self.is_small(right);
        let (first, second) = (self.value(left), self.value(right));
        let checked = match op {
            Binary::Add if is_small => return self.writer.plain(Plain::Add, first, second),
            Binary::Subtract if is_small => {
                return self.writer.plain(Plain::Subtract, first, second);
            }
            Binary::Add => Checked::Add,
            Binary::Subtract => Checked::Subtract,
            Binary::Multiply => Checked::Multiply,
            Binary::Divide => Checked::Divide,
            Binary::Remainder => Checked::Remainder,
            Binary::And | Binary::Or | Binary::Implies => return self.logic(op, first, second),
            _ => {
                let value = self.bits(op, first, second);
                self.must_not_be(value, UNDEFINED);
                return value;
            }
        };
        let value = self.writer.checked(checked, first, second);
        self.must_not_be(value, UNDEFINED);
        value
    }

    /// Operations on truth values of which both are computed.
    fn logic(&mut self, op: Binary, first: Value, second: Value) -> Value {
        let none = self.writer.number(0);
        let wanted = match op {
            Binary::Implies => Order::Equal,
            _ => Order::Unequal,
        };
        let first = self.writer.compare(wanted, first, none);
        let second = self.writer.compare(Order::Unequal, second, none);
        let (first, second) = (self.writer.truth(first), self.writer.truth(second));
        let plain = match op {
            Binary::And => Plain::And,
            _ => Plain::Or,
        };
        self.writer.plain(plain, first, second)
    }

    /// Operations on bits. By 64 and more nothing but the sign is left.
    fn bits(&mut self, op: Binary, first: Value, second: Value) -> Value {
        let shift = match op {
            Binary::BitAnd => return self.writer.plain(Plain::And, first, second),
            Binary::BitOr => return self.writer.plain(Plain::Or, first, second),
            Binary::BitXor => return self.writer.plain(Plain::Xor, first, second),
            Binary::ShiftLeft => Plain::ShiftLeft,
            _ => Plain::ShiftRight,
        };
        let (least, most) = (self.writer.number(0), self.writer.number(64));
        let above = self.writer.compare(Order::AtLeast, second, least);
        self.writer.ask_unless(above);
        let below = self.writer.compare(Order::Less, second, most);
        self.writer.ask_unless(below);
        self.writer.plain(shift, first, second)
    }

    /// Whether a node never is undefined.
    pub(super) fn is_defined(&self, id: NodeId) -> bool {
        match self.setting.code.nodes[id as usize] {
            Node::Constant(value) => value != UNDEFINED,
            Node::Copy(..)
            | Node::CopyAt(..)
            | Node::InBlock(..)
            | Node::Counter(_)
            | Node::Call(_)
            | Node::Choice(..)
            | Node::Deep(_) => false,
            _ => true,
        }
    }

    /// Whether a node is far from 64 bits.
    fn is_small(&self, id: NodeId) -> bool {
        match self.setting.code.nodes[id as usize] {
            Node::Constant(value) => value.saturating_abs() < SMALL,
            Node::Load(_, bias) | Node::LoadAt(_, bias) => bias.saturating_abs() < SMALL,
            _ => false,
        }
    }
}

fn order(op: Binary) -> Option<Order> {
    Some(match op {
        Binary::Equal => Order::Equal,
        Binary::Unequal => Order::Unequal,
        Binary::Less => Order::Less,
        Binary::AtMost => Order::AtMost,
        Binary::Greater => Order::Greater,
        Binary::AtLeast => Order::AtLeast,
        _ => return None,
    })
}
