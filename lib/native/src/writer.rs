//! Writes one function: values, accesses within bounds, labels and jumps.

mod blocks;
mod operators;

use std::sync::atomic::{AtomicU64, Ordering};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FuncInstBuilder, FunctionBuilder};

use crate::ASK;
use crate::unit::{NUMBER, Needs};
pub use operators::{Checked, Order, Plain};

/// A number that was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value(ir::Value);

/// A condition that was computed.
#[derive(Clone, Copy, Debug)]
pub struct Condition(ir::Value);

/// A place in the code to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(ir::Block);

/// A number that changes.
#[derive(Clone, Copy, Debug)]
pub struct Variable(cranelift_frontend::Variable);

/// A place among the words: a fixed distance from the first, and one that is computed.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    fixed: u32,
    /// What is computed, and what it is at most, if that is known.
    moving: Option<(Value, Option<Bound>)>,
}

/// What a computed distance is at most.
#[derive(Clone, Copy, Debug)]
struct Bound {
    most: u32,
    /// The function in which it is so: numbers of another one mean nothing here.
    writer: u64,
}

impl Bound {
    fn and(self, other: Bound) -> Option<Bound> {
        let most = self.most.checked_add(other.most)?;
        (self.writer == other.writer).then_some(Bound { most, ..self })
    }
}

impl Place {
    /// A fixed place.
    pub fn fixed(at: u32) -> Place {
        Place {
            fixed: at,
            moving: None,
        }
    }

    /// Where a number says; nothing is known about it.
    pub fn anywhere(at: Value) -> Place {
        Place {
            fixed: 0,
            moving: Some((at, None)),
        }
    }

    /// So many words behind.
    pub fn behind(self, words: u32) -> Place {
        Place {
            fixed: self
                .fixed
                .checked_add(words)
                .expect("places are numbered with 32 bits"),
            ..self
        }
    }

    /// The fixed place, if it is one.
    pub fn as_fixed(self) -> Option<u32> {
        self.moving.is_none().then_some(self.fixed)
    }
}

/// So many words are copied or compared without a loop.
const UNROLLED: u32 = 16;

/// How many functions were begun.
static WRITERS: AtomicU64 = AtomicU64::new(0);

/// Writes a function.
pub struct Writer<'w> {
    builder: FunctionBuilder<'w>,
    /// Tells functions apart.
    number: u64,
    needs: Needs,
    words: ir::Value,
    count: ir::Value,
    numbers: ir::Value,
    ask: ir::Block,
    /// How many operations were written.
    size: usize,
    /// Whether the code here cannot be reached: the last thing was a jump.
    is_over: bool,
}

impl<'w> Writer<'w> {
    pub(crate) fn new(mut builder: FunctionBuilder<'w>, needs: Needs) -> Writer<'w> {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let parameters = builder.block_params(entry);
        let (words, count, numbers) = (parameters[0], parameters[1], parameters[2]);
        let ask = builder.create_block();
        builder.set_cold_block(ask);
        Writer {
            builder,
            number: WRITERS.fetch_add(1, Ordering::Relaxed),
            needs,
            words,
            count,
            numbers,
            ask,
            size: 0,
            is_over: false,
        }
    }

    pub(crate) fn end(mut self, config: TargetFrontendConfig) {
        if !self.is_over {
            self.ask();
        }
        self.builder.switch_to_block(self.ask);
        self.is_over = false;
        let answer = self.ins().iconst(NUMBER, ASK);
        self.ins().return_(&[answer]);
        self.builder.seal_all_blocks();
        self.builder.finalize(config);
    }

    /// How many operations were written so far.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether nothing leads here.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// A number that is known.
    pub fn number(&mut self, number: i64) -> Value {
        Value(self.ins().iconst(NUMBER, number))
    }

    /// The word at a place.
    pub fn word(&mut self, place: Place) -> Value {
        let (base, offset) = self.address(place, 1);
        let ins = self.ins();
        Value(ins.uload32(MemFlagsData::trusted(), base, offset))
    }

    /// Writes the last 32 bits of a number to a place.
    pub fn set_word(&mut self, place: Place, value: Value) {
        let (base, offset) = self.address(place, 1);
        let ins = self.ins();
        ins.istore32(MemFlagsData::trusted(), value.0, base, offset);
    }

    /// The number of a place as a value.
    pub fn locate(&mut self, place: Place) -> Value {
        match place.moving {
            None => self.number(i64::from(place.fixed)),
            Some((value, _)) => Value(self.ins().iadd_imm_s(value.0, i64::from(place.fixed))),
        }
    }

    /// The place of an element: so many words for each below it. Asks unless `0 <= position < count`.
    pub fn element(&mut self, base: Place, position: Value, count: u32, stride: u32) -> Place {
        let below = self.ins().iconst(NUMBER, i64::from(count));
        let fits = self.ins().icmp(IntCC::UnsignedLessThan, position.0, below);
        self.ask_unless(Condition(fits));
        // A value of its own even for one word: the verifier sees that whoever uses it comes after the comparison.
        let stride_value = self.ins().iconst(NUMBER, i64::from(stride));
        let scaled = self.ins().imul(position.0, stride_value);
        self.size += 2;
        let most = count.saturating_sub(1).checked_mul(stride);
        let most = most.map(|most| Bound {
            most,
            writer: self.number,
        });
        let moving = match base.moving {
            None => (Value(scaled), most),
            Some((before, bound)) => {
                let sum = self.ins().iadd(before.0, scaled);
                let both = bound.zip(most).and_then(|(a, b)| a.and(b));
                (Value(sum), both)
            }
        };
        Place {
            fixed: base.fixed,
            moving: Some(moving),
        }
    }

    /// A place behind another one, as far as a third is from the first word.
    pub fn add_places(&mut self, first: Place, second: Place) -> Place {
        let moving = match (first.moving, second.moving) {
            (moving, None) | (None, moving) => moving,
            (Some((a, most)), Some((b, more))) => {
                let sum = self.ins().iadd(a.0, b.0);
                let both = most.zip(more).and_then(|(a, b)| a.and(b));
                Some((Value(sum), both))
            }
        };
        Place {
            fixed: first.fixed.saturating_add(second.fixed),
            moving,
        }
    }

    /// A number of the second slice.
    pub fn named(&mut self, at: u32) -> Value {
        let offset = self.named_offset(at);
        let numbers = self.numbers;
        let ins = self.ins();
        Value(ins.load(NUMBER, MemFlagsData::trusted(), numbers, offset))
    }

    /// Writes a number of the second slice.
    pub fn set_named(&mut self, at: u32, value: Value) {
        let offset = self.named_offset(at);
        let numbers = self.numbers;
        let ins = self.ins();
        ins.store(MemFlagsData::trusted(), value.0, numbers, offset);
    }

    /// The value of an operation.
    pub fn plain(&mut self, op: Plain, left: Value, right: Value) -> Value {
        self.size += 1;
        let ins = self.ins();
        Value(match op {
            Plain::Add => ins.iadd(left.0, right.0),
            Plain::Subtract => ins.isub(left.0, right.0),
            Plain::Multiply => ins.imul(left.0, right.0),
            Plain::And => ins.band(left.0, right.0),
            Plain::Or => ins.bor(left.0, right.0),
            Plain::Xor => ins.bxor(left.0, right.0),
            Plain::ShiftLeft => ins.ishl(left.0, right.0),
            Plain::ShiftRight => ins.sshr(left.0, right.0),
        })
    }

    /// The value of an operation; asks where it has none.
    pub fn checked(&mut self, op: Checked, left: Value, right: Value) -> Value {
        self.size += 2;
        let ins = self.ins();
        let (value, overflows) = match op {
            Checked::Add => ins.sadd_overflow(left.0, right.0),
            Checked::Subtract => ins.ssub_overflow(left.0, right.0),
            Checked::Multiply => ins.smul_overflow(left.0, right.0),
            Checked::Divide | Checked::Remainder => {
                // Divisors 0 and −1 are those that a processor may stop at: modulo 2^64 they are followed by 0 and 1.
                let next = self.ins().iadd_imm_s(right.0, 1);
                let fits = self.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, next, 1);
                self.ask_unless(Condition(fits));
                let ins = self.ins();
                return Value(match op {
                    Checked::Divide => ins.sdiv(left.0, right.0),
                    _ => ins.srem(left.0, right.0),
                });
            }
        };
        self.ask_if(Condition(overflows));
        Value(value)
    }

    /// Compares two numbers.
    pub fn compare(&mut self, order: Order, left: Value, right: Value) -> Condition {
        self.size += 1;
        let code = match order {
            Order::Equal => IntCC::Equal,
            Order::Unequal => IntCC::NotEqual,
            Order::Less => IntCC::SignedLessThan,
            Order::AtMost => IntCC::SignedLessThanOrEqual,
            Order::Greater => IntCC::SignedGreaterThan,
            Order::AtLeast => IntCC::SignedGreaterThanOrEqual,
        };
        Condition(self.ins().icmp(code, left.0, right.0))
    }

    /// Whether a number lies between two others, with them.
    pub fn is_within(&mut self, value: Value, low: i64, high: i64) -> Condition {
        if high < low {
            return Condition(self.ins().iconst(ir::types::I8, 0));
        }
        self.size += 2;
        // Modulo 2^64 what is below the least is far above the greatest.
        let least = self.number(low);
        let distance = self.ins().isub(value.0, least.0);
        let span = self.number(high.wrapping_sub(low));
        let code = IntCC::UnsignedLessThanOrEqual;
        Condition(self.ins().icmp(code, distance, span.0))
    }

    /// 1 where a condition holds, else 0.
    pub fn truth(&mut self, condition: Condition) -> Value {
        Value(self.ins().uextend(NUMBER, condition.0))
    }

    /// One of two numbers.
    pub fn choose(&mut self, condition: Condition, yes: Value, no: Value) -> Value {
        self.size += 1;
        Value(self.ins().select(condition.0, yes.0, no.0))
    }

    /// A new variable with a value.
    pub fn variable(&mut self, value: Value) -> Variable {
        let variable = self.builder.declare_var(NUMBER);
        self.builder.def_var(variable, value.0);
        Variable(variable)
    }

    /// The value of a variable.
    pub fn get(&mut self, variable: Variable) -> Value {
        Value(self.builder.use_var(variable.0))
    }

    /// Gives a variable another value.
    pub fn set(&mut self, variable: Variable, value: Value) {
        self.builder.def_var(variable.0, value.0);
    }

    /// A label that has no place yet.
    pub fn label(&mut self) -> Label {
        Label(self.builder.create_block())
    }

    /// The code that follows is where a label leads.
    pub fn place(&mut self, label: Label) {
        if !self.is_over {
            self.ins().jump(label.0, &[]);
        }
        self.is_over = false;
        self.builder.switch_to_block(label.0);
    }

    /// Goes to a label.
    pub fn jump(&mut self, label: Label) {
        self.reach();
        self.ins().jump(label.0, &[]);
        self.is_over = true;
    }

    /// Goes to one of two labels.
    pub fn branch(&mut self, condition: Condition, yes: Label, no: Label) {
        self.reach();
        self.size += 1;
        self.ins().brif(condition.0, yes.0, &[], no.0, &[]);
        self.is_over = true;
    }

    /// Ends the function with an answer.
    pub fn answer(&mut self, answer: Value) {
        self.reach();
        self.ins().return_(&[answer.0]);
        self.is_over = true;
    }

    /// Ends the function: somebody else must say.
    pub fn ask(&mut self) {
        self.jump(Label(self.ask));
    }

    /// Asks where a condition holds.
    pub fn ask_if(&mut self, condition: Condition) {
        let next = self.label();
        self.branch(condition, Label(self.ask), next);
        self.place(next);
    }

    /// Asks where a condition does not hold.
    pub fn ask_unless(&mut self, condition: Condition) {
        let next = self.label();
        self.branch(condition, next, Label(self.ask));
        self.place(next);
    }

    /// Takes the next operation.
    fn ins(&mut self) -> FuncInstBuilder<'_, 'w> {
        self.reach();
        self.builder.ins()
    }

    /// Code that nothing leads to is put into a part of its own, so that a function stays well formed.
    fn reach(&mut self) {
        if self.is_over {
            let lost = self.builder.create_block();
            self.builder.switch_to_block(lost);
            self.is_over = false;
        }
    }

    /// Where some words begin: an address and a distance in bytes. Asks unless all of them are there.
    fn address(&mut self, place: Place, words: u32) -> (ir::Value, i32) {
        self.reach();
        self.size += 1;
        let end = u64::from(place.fixed) + u64::from(words);
        assert!(end < 1 << 28, "places are near the first word");
        let offset = 4 * place.fixed as i32;
        let (first, count) = (self.words, self.count);
        let Some((moving, most)) = place.moving else {
            assert!(
                end <= u64::from(self.needs.words),
                "a fixed place is one of the words that a function needs"
            );
            return (first, offset);
        };
        let is_within = most.is_some_and(|bound| {
            let last = end + u64::from(bound.most);
            bound.writer == self.number && last <= u64::from(self.needs.words)
        });
        if !is_within {
            // First the computed part alone: the sum could leave 64 bits otherwise.
            let near = self.ins().icmp(IntCC::UnsignedLessThan, moving.0, count);
            self.ask_unless(Condition(near));
            let last = self.ins().iadd_imm_s(moving.0, end as i64);
            let fits = self.ins().icmp(IntCC::UnsignedLessThanOrEqual, last, count);
            self.ask_unless(Condition(fits));
            self.size += 2;
        }
        let bytes = self.ins().ishl_imm_u(moving.0, 2);
        (self.ins().iadd(first, bytes), offset)
    }

    fn named_offset(&mut self, at: u32) -> i32 {
        self.reach();
        self.size += 1;
        assert!(
            at < self.needs.numbers && at < 1 << 27,
            "a number is one of those that a function needs"
        );
        8 * at as i32
    }
}
