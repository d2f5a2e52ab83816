//! Where the parts of a value lie: types as blocks of words.
//!
//! A simple part is one word: 0 is undefined, v − least + 1 is the value v. A multiset is one block for each place: a word
//! that is 1 when the place is taken, then the element; between steps taken places come first, ascending.

use program::{Program, RecordId, Ty, TyId};

/// What is known of the words of every type.
#[derive(Debug)]
pub(crate) struct Layout {
    types: Vec<TypeLayout>,
    /// The first word of each variable.
    pub variables: Vec<u32>,
    /// The words of a state.
    pub words: u32,
}

/// The words of a type.
#[derive(Clone, Debug)]
pub(crate) struct TypeLayout {
    /// How many words a value has.
    pub words: u32,
    /// The least value of a simple type less 1: value = word + bias.
    pub bias: i64,
    /// The values of a simple type as ranges; empty for numbers, which have no word.
    pub ranges: Vec<(i64, i64)>,
    /// The words of the least value.
    pub least: Vec<u32>,
    /// Whether it holds multisets.
    pub has_multisets: bool,
}

impl TypeLayout {
    /// The word of a value; `None` when the type does not hold it.
    #[inline]
    pub fn encode(&self, value: i64) -> Option<u32> {
        let holds = self
            .ranges
            .iter()
            .any(|(low, high)| *low <= value && value <= *high);
        holds.then(|| (value - self.bias) as u32)
    }

    /// The position of a value among those of the type.
    #[inline]
    pub fn position(&self, value: i64) -> Option<u32> {
        position(value, &self.ranges)
    }

    /// All values in order.
    pub fn values(&self) -> impl Iterator<Item = i64> + '_ {
        self.ranges.iter().flat_map(|(low, high)| *low..=*high)
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.ranges
            .iter()
            .map(|(low, high)| (high - low + 1) as u64)
            .sum()
    }
}

impl Layout {
    /// The layout of all types and variables of a program.
    pub fn new(program: &Program) -> Layout {
        let mut layout = Layout {
            types: Vec::new(),
            variables: Vec::new(),
            words: 0,
        };
        // A type is interned after its parts, so their layout is known.
        for index in 0..program.types.count() {
            let made = layout.of(program, TyId::new(index));
            layout.types.push(made);
        }
        for (_, variable) in program.variables.iter() {
            layout.variables.push(layout.words);
            layout.words += layout.ty(variable.ty).words;
        }
        layout
    }

    /// The layout of a type.
    pub fn ty(&self, ty: TyId) -> &TypeLayout {
        &self.types[ty.index()]
    }

    /// The first word of a field within its record.
    pub fn field(&self, program: &Program, record: RecordId, field: u32) -> u32 {
        let fields = &program.types.records[record].fields;
        fields[..field as usize]
            .iter()
            .map(|(_, ty)| self.ty(*ty).words)
            .sum()
    }

    fn of(&self, program: &Program, ty: TyId) -> TypeLayout {
        let repeated = |least: &[u32], times: usize| {
            let mut all = Vec::with_capacity(least.len() * times);
            (0..times).for_each(|_| all.extend_from_slice(least));
            all
        };
        match program.types.get(ty) {
            Ty::Array { index, element } => {
                let inner = self.ty(*element);
                let least = repeated(&inner.least, self.ty(*index).count() as usize);
                block(least, inner.has_multisets)
            }
            Ty::Record(record) => {
                let fields = program.types.records[*record].fields.iter();
                let parts: Vec<&TypeLayout> = fields.map(|(_, ty)| self.ty(*ty)).collect();
                let least = parts
                    .iter()
                    .flat_map(|part| part.least.iter().copied())
                    .collect();
                block(least, parts.iter().any(|part| part.has_multisets))
            }
            Ty::Multiset { capacity, element } => {
                let words = (self.ty(*element).words + 1) as usize * *capacity as usize;
                block(vec![0; words], true)
            }
            Ty::Number => TypeLayout {
                words: 1,
                bias: 0,
                ranges: Vec::new(),
                least: vec![0],
                has_multisets: false,
            },
            _ => {
                let ranges = program.types.ranges(ty).unwrap_or_default();
                let bias = ranges.first().map_or(0, |(low, _)| low - 1);
                TypeLayout {
                    words: 1,
                    bias,
                    ranges,
                    least: vec![1],
                    has_multisets: false,
                }
            }
        }
    }
}

/// The layout of a type with parts.
fn block(least: Vec<u32>, has_multisets: bool) -> TypeLayout {
    TypeLayout {
        words: least.len() as u32,
        bias: 0,
        ranges: Vec::new(),
        least,
        has_multisets,
    }
}

/// A multiset in memory: where its places are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bag {
    /// How many places it has.
    pub capacity: u32,
    /// The words of a place: the mark and the element.
    pub stride: u32,
}

/// Calls `each` for every multiset inside a value at `start`, inner ones first.
pub(crate) fn bags(
    program: &Program,
    layout: &Layout,
    ty: TyId,
    start: u32,
    each: &mut dyn FnMut(u32, Bag),
) {
    if !layout.ty(ty).has_multisets {
        return;
    }
    match program.types.get(ty) {
        Ty::Array { element, .. } => {
            let words = layout.ty(*element).words;
            for at in (0..layout.ty(ty).words).step_by(words.max(1) as usize) {
                bags(program, layout, *element, start + at, each);
            }
        }
        Ty::Record(record) => {
            let mut at = start;
            for (_, field) in &program.types.records[*record].fields {
                bags(program, layout, *field, at, each);
                at += layout.ty(*field).words;
            }
        }
        Ty::Multiset { capacity, element } => {
            let bag = Bag {
                capacity: *capacity,
                stride: layout.ty(*element).words + 1,
            };
            for place in 0..bag.capacity {
                bags(
                    program,
                    layout,
                    *element,
                    start + place * bag.stride + 1,
                    each,
                );
            }
            each(start, bag);
        }
        _ => {}
    }
}

/// How many values of these ranges come before one; `None` when it is in none of them.
#[inline]
pub(super) fn position(value: i64, ranges: &[(i64, i64)]) -> Option<u32> {
    let mut before = 0;
    for (low, high) in ranges {
        if *low <= value && value <= *high {
            return Some((before + value - low) as u32);
        }
        before += high - low + 1;
    }
    None
}
