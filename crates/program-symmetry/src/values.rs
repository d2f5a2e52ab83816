//! Which values of each kind can occur, and what arithmetic does to them.
//!
//! Technique: a least fixed point. A kind holds its literals, what the variables of the first settled states hold, and the
//! results of its functions. Where that does not stay small the kind is plain: its values are numbers that nothing exchanges.
//! Invariant: every value that a variable of a kind can hold in a settled state is in its set, so that a permutation that
//! agrees with a function on these sets agrees with the program.

use std::collections::BTreeSet;

use base::Span;
use program::{Binary, Kind as Expr, Program, State, Ty, Unary, Value};
use rustc_hash::FxHashMap;

use crate::kinds::{Function, KindId, Kinds, Tree};

/// Values of a kind beyond which it is plain.
const MOST: usize = 96;

/// Rows of the table of a function beyond which its kinds are plain.
const MOST_ROWS: usize = 20_000;

/// The values of kinds that can be exchanged.
#[derive(Debug, Default)]
pub struct Values {
    /// By the number that stands for a kind.
    pub sets: FxHashMap<KindId, BTreeSet<i64>>,
    /// Why process numbers cannot be exchanged at all.
    pub pinned: Vec<(Option<Span>, &'static str)>,
}

/// One row of a table: operands, and the result unless it has none.
pub type Row = (Vec<i64>, Option<i64>);

impl Values {
    /// Finds the values of all kinds; kinds that have too many become plain.
    pub fn find(program: &Program, kinds: &mut Kinds<'_>, states: &[State]) -> Values {
        let mut pinned = Vec::new();
        loop {
            let mut values = Values::seeded(program, kinds, states);
            let overflown = values.close(program, kinds);
            values.pinned = pinned;
            if !values.give_up(program, kinds, &overflown) {
                return values;
            }
            pinned = values.pinned;
        }
    }

    /// Whether values of a kind can be exchanged.
    pub fn is_moving(&self, kinds: &Kinds<'_>, kind: KindId) -> bool {
        let kind = kinds.find(kind);
        kind != kinds.find(kinds.number)
            && (kinds.is_channel(kind) || self.sets.contains_key(&kind))
    }

    fn seeded(program: &Program, kinds: &Kinds<'_>, states: &[State]) -> Values {
        let mut values = Values::default();
        let plain = kinds.find(kinds.number);
        for kind in kinds.all().filter(|kind| *kind != plain) {
            if kinds.is_pid(kind) || kinds.is_name(kind) {
                let literals = kinds.literals(kind).iter().copied();
                values.sets.insert(kind, literals.collect());
            }
        }
        for state in states {
            for (tree, value) in kinds.globals.iter().zip(&state.globals) {
                values.seed(kinds, tree, value);
            }
            for process in &state.processes {
                let trees = &kinds.locals[process.proctype.index()];
                for (tree, value) in trees.iter().zip(&process.variables) {
                    values.seed(kinds, tree, value);
                }
            }
            for queue in &state.channels {
                let fields = &kinds.fields[queue.kind.index()];
                for message in &queue.messages {
                    for (field, value) in fields.iter().zip(message) {
                        values.add(kinds, *field, *value);
                    }
                }
            }
            for pid in 0..state.processes.len() as i64 {
                values.add(kinds, kinds.pid, pid);
            }
        }
        let all: Vec<KindId> = values.sets.keys().copied().collect();
        for kind in all {
            let known: Vec<i64> = values.sets[&kind].iter().copied().collect();
            known
                .into_iter()
                .for_each(|value| values.add_cut(program, kinds, kind, value));
        }
        values
    }

    fn seed(&mut self, kinds: &Kinds<'_>, tree: &Tree, value: &Value) {
        match (tree, value) {
            (Tree::Simple(kind, _), Value::Int(value)) => self.add(kinds, *kind, *value),
            (Tree::Array(index, length, element), Value::Parts(parts)) => {
                (0..*length as i64).for_each(|at| self.add(kinds, *index, at));
                parts
                    .iter()
                    .for_each(|part| self.seed(kinds, element, part));
            }
            (Tree::Record(fields), Value::Parts(parts)) => {
                let fields = fields.iter().zip(parts);
                fields.for_each(|(field, part)| self.seed(kinds, field, part));
            }
            _ => {}
        }
    }

    fn add(&mut self, kinds: &Kinds<'_>, kind: KindId, value: i64) {
        if let Some(set) = self.sets.get_mut(&kinds.find(kind)) {
            set.insert(value);
        }
    }

    /// Adds a value with what is left of it in narrow variables.
    fn add_cut(&mut self, program: &Program, kinds: &Kinds<'_>, kind: KindId, value: i64) {
        self.add(kinds, kind, value);
        for ty in kinds.types(kind) {
            let cut = match program.types.get(*ty) {
                Ty::Bool => value & 1,
                Ty::Int(width) if width.is_signed && width.bits < 32 => {
                    let shift = 64 - u32::from(width.bits);
                    value << shift >> shift
                }
                Ty::Int(width) if !width.is_signed => value & ((1 << width.bits) - 1),
                Ty::Pid | Ty::Channel | Ty::Symbol(_) => value & 255,
                _ => value,
            };
            self.add(kinds, kind, cut);
        }
    }

    /// Adds the results of functions until nothing new comes; the kinds that become too large.
    fn close(&mut self, program: &Program, kinds: &Kinds<'_>) -> Vec<KindId> {
        loop {
            let before: usize = self.sets.values().map(BTreeSet::len).sum();
            let large = self.sets.iter().filter(|(_, set)| set.len() > MOST);
            let large: Vec<KindId> = large.map(|(kind, _)| *kind).collect();
            if !large.is_empty() {
                return large;
            }
            for function in &kinds.functions {
                let Some(result) = function.result else {
                    continue;
                };
                if !self.is_moving(kinds, result) {
                    continue;
                }
                let rows = self.rows(program, kinds, function).unwrap_or_default();
                for value in rows.into_iter().filter_map(|(_, value)| value) {
                    self.add_cut(program, kinds, result, value);
                }
            }
            if self.sets.values().map(BTreeSet::len).sum::<usize>() == before {
                return Vec::new();
            }
        }
    }

    /// Makes kinds plain that are too large or mixed with plain numbers; whether there was one.
    fn give_up(&mut self, program: &Program, kinds: &mut Kinds<'_>, large: &[KindId]) -> bool {
        let mut has_changed = false;
        let pid = kinds.find(kinds.pid);
        let functions = kinds.functions.clone();
        for kind in large {
            if *kind == pid {
                let culprit = functions
                    .iter()
                    .find(|f| f.result.is_some_and(|result| kinds.is_pid(result)));
                self.pinned
                    .push((culprit.map(|f| f.span), "process numbers are computed"));
            }
            kinds.make_plain(*kind);
            has_changed = true;
        }
        for function in functions {
            let moves = |kind: KindId| self.is_moving(kinds, kind);
            let leaves = function.leaves.iter().map(|(_, kind)| *kind);
            let moving = leaves.clone().filter(|kind| moves(*kind)).count();
            let result_moves = function.result.is_some_and(moves);
            let is_fine = match moving {
                0 => !result_moves,
                _ if moving < function.leaves.len() => false,
                _ => self.rows(program, kinds, &function).is_some(),
            };
            if is_fine {
                continue;
            }
            let touched: Vec<KindId> = leaves
                .chain(function.result)
                .filter(|k| moves(*k))
                .collect();
            for kind in touched {
                if kinds.is_pid(kind) {
                    let what = match function.result {
                        None => "a process number is compared by order with a plain number",
                        Some(_) => "process numbers and plain numbers are mixed in arithmetic",
                    };
                    self.pinned.push((Some(function.span), what));
                }
                kinds.make_plain(kind);
                has_changed = true;
            }
        }
        has_changed
    }

    /// The table of a function whose operands all move; `None` when it is too large.
    pub fn rows(
        &self,
        program: &Program,
        kinds: &Kinds<'_>,
        function: &Function,
    ) -> Option<Vec<Row>> {
        let own: Vec<bool> = function
            .leaves
            .iter()
            .map(|(leaf, _)| matches!(program.exprs[*leaf].kind, Expr::SelfPid))
            .collect();
        // The process itself is one operand, however often it is named.
        let mut columns: Vec<Vec<i64>> = Vec::new();
        let mut column_of = Vec::new();
        let mut self_column = None;
        for ((_, kind), is_self) in function.leaves.iter().zip(&own) {
            if let (true, Some(column)) = (*is_self, self_column) {
                column_of.push(column);
                continue;
            }
            let set = self.sets.get(&kinds.find(*kind))?;
            column_of.push(columns.len());
            if *is_self {
                self_column = Some(columns.len());
            }
            columns.push(set.iter().copied().collect());
        }
        let size = columns.iter().try_fold(1usize, |size, column| {
            size.checked_mul(column.len())
                .filter(|size| *size <= MOST_ROWS)
        })?;
        let mut rows = Vec::with_capacity(size);
        for number in 0..size {
            let mut rest = number;
            let chosen: Vec<i64> = columns
                .iter()
                .map(|column| {
                    let value = column[rest % column.len()];
                    rest /= column.len();
                    value
                })
                .collect();
            let operands: Vec<i64> = column_of.iter().map(|column| chosen[*column]).collect();
            let result = match function.is_truth {
                true => Some(i64::from(operands[0] != 0)),
                false => {
                    let mut operands = operands.iter().copied();
                    compute(program, function.expr, &mut |_| operands.next()).map(i64::from)
                }
            };
            rows.push((operands, result));
        }
        Some(rows)
    }
}

/// The value of arithmetic for operands in the order of its leaves; none where it is a fault.
pub fn compute(
    program: &Program,
    id: program::ExprId,
    operands: &mut dyn FnMut(program::ExprId) -> Option<i64>,
) -> Option<i32> {
    match &program.exprs[id].kind {
        Expr::Constant(value) => Some(*value as i32),
        Expr::Unary(operator @ (Unary::Minus | Unary::Complement), a) => {
            let a = compute(program, *a, operands)?;
            Some(match operator {
                Unary::Minus => a.wrapping_neg(),
                _ => !a,
            })
        }
        Expr::Binary(operator, a, b) if crate::kinds::is_arithmetic(*operator) => {
            let a = compute(program, *a, operands);
            let b = compute(program, *b, operands);
            let (a, b) = (a?, b?);
            Some(match operator {
                Binary::Add => a.wrapping_add(b),
                Binary::Subtract => a.wrapping_sub(b),
                Binary::Multiply => a.wrapping_mul(b),
                Binary::Divide => a.checked_div(b)?,
                Binary::Remainder => a.checked_rem(b)?,
                Binary::BitAnd => a & b,
                Binary::BitOr => a | b,
                Binary::BitXor => a ^ b,
                Binary::ShiftLeft => a.wrapping_shl(b as u32),
                Binary::ShiftRight => a.wrapping_shr(b as u32),
                Binary::Less => i32::from(a < b),
                Binary::AtMost => i32::from(a <= b),
                Binary::Greater => i32::from(a > b),
                Binary::AtLeast => i32::from(a >= b),
                Binary::Equal | Binary::Unequal | Binary::And | Binary::Or | Binary::Implies => {
                    return None;
                }
            })
        }
        _ => operands(id).map(|value| value as i32),
    }
}
