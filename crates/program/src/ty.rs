//! Types of bounded data, nominal where the language is, shared where only the structure counts.
//!
//! A simple value of any type is one integer: truth 0 or 1, numbers themselves, elements of enumerations and scalarsets
//! by a code that is unique in the program ([`Sort::first`]), so that a union holds its members' codes unchanged.
//! Invariant: equal structural types have equal ids.

use base::{Arena, Id, Name};
use rustc_hash::FxHashMap;

/// Names a type.
pub type TyId = Id<Ty>;
/// Names an enumeration or scalarset.
pub type SortId = Id<Sort>;
/// Names a record type.
pub type RecordId = Id<RecordTy>;
/// Names a list of symbols.
pub type SymbolsId = Id<Symbols>;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// 0 or 1.
    Bool,
    /// An integer that a store cuts to its width.
    Int(Width),
    /// A subrange: a store outside it is a fault.
    Range {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
    /// The result of arithmetic, of 32 or 64 bits as the language says; no variable has this type.
    Number,
    /// The number of a process, one byte.
    Pid,
    /// A reference to a channel: 0 is none, others count from 1 in the order of creation.
    Channel,
    /// A byte whose values have names (`mtype`).
    Symbol(SymbolsId),
    /// The elements of an enumeration or scalarset.
    Sort(SortId),
    /// The elements of several sorts, ascending by code.
    Union(Vec<SortId>),
    /// One element for each value of a simple index type.
    Array {
        /// A simple type with finitely many values.
        index: TyId,
        /// What it holds.
        element: TyId,
    },
    /// Named parts.
    Record(RecordId),
    /// Up to `capacity` elements whose order does not count.
    Multiset {
        /// The most elements.
        capacity: u32,
        /// What they are.
        element: TyId,
    },
}

/// Bits of an integer and whether the highest is a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Width {
    /// 1 to 32.
    pub bits: u8,
    /// Two's complement, or from 0.
    pub is_signed: bool,
}

impl Width {
    /// `bit` and `bool` of Promela.
    pub const BIT: Width = Width::unsigned(1);
    /// `byte`.
    pub const BYTE: Width = Width::unsigned(8);
    /// `short`.
    pub const SHORT: Width = Width {
        bits: 16,
        is_signed: true,
    };
    /// `int`.
    pub const INT: Width = Width {
        bits: 32,
        is_signed: true,
    };

    /// `unsigned x : bits`.
    pub const fn unsigned(bits: u8) -> Width {
        Width {
            bits,
            is_signed: false,
        }
    }
}

/// An enumeration or scalarset.
#[derive(Clone, Debug)]
pub struct Sort {
    /// Its name; an enumeration written in place may have none.
    pub name: Option<Name>,
    /// Which of the two.
    pub kind: SortKind,
    /// The code of its first element; the others follow.
    pub first: i64,
    /// Its elements: names of an enumeration, `Name_1` … of a scalarset.
    pub elements: Vec<Name>,
}

/// What is known of the elements of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortKind {
    /// Each has its own meaning.
    Enumeration,
    /// They are interchangeable; nothing but equality, indexing and iteration touches them.
    Scalarset,
}

/// A record type.
#[derive(Clone, Debug)]
pub struct RecordTy {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Names and types of its fields.
    pub fields: Vec<(Name, TyId)>,
}

/// Names for the values of a byte.
#[derive(Clone, Debug)]
pub struct Symbols {
    /// The name of the list, if it has one (`mtype:name`).
    pub name: Option<Name>,
    /// Value and name, in the order of the text.
    pub names: Vec<(i64, Name)>,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    list: Arena<Ty>,
    known: FxHashMap<Ty, TyId>,
    /// Enumerations and scalarsets.
    pub sorts: Arena<Sort>,
    /// Records.
    pub records: Arena<RecordTy>,
    /// Lists of symbols.
    pub symbols: Arena<Symbols>,
    codes: i64,
}

impl Default for Types {
    fn default() -> Self {
        Types::new()
    }
}

impl Types {
    /// No types.
    pub fn new() -> Types {
        Types {
            list: Arena::new(),
            known: FxHashMap::default(),
            sorts: Arena::new(),
            records: Arena::new(),
            symbols: Arena::new(),
            codes: 1,
        }
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Ty) -> TyId {
        if let Some(id) = self.known.get(&ty) {
            return *id;
        }
        let id = self.list.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    /// A new enumeration or scalarset; its elements get the next codes.
    pub fn sort(&mut self, name: Option<Name>, kind: SortKind, elements: Vec<Name>) -> SortId {
        let first = self.codes;
        self.codes += elements.len() as i64;
        self.sorts.push(Sort {
            name,
            kind,
            first,
            elements,
        })
    }

    /// A type by its id.
    pub fn get(&self, id: TyId) -> &Ty {
        &self.list[id]
    }

    /// How many types there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Whether its values are single integers.
    pub fn is_simple(&self, id: TyId) -> bool {
        !matches!(
            self.get(id),
            Ty::Array { .. } | Ty::Record(_) | Ty::Multiset { .. }
        )
    }

    /// The values of a simple type as ranges of codes, first to last inclusive, ascending; `None` for [`Ty::Number`].
    pub fn ranges(&self, id: TyId) -> Option<Vec<(i64, i64)>> {
        let of_sort = |sort: &SortId| {
            let sort = &self.sorts[*sort];
            (sort.first, sort.first + sort.elements.len() as i64 - 1)
        };
        Some(match self.get(id) {
            Ty::Bool => vec![(0, 1)],
            Ty::Int(width) => {
                let values = 1i64 << width.bits;
                let low = if width.is_signed { -(values / 2) } else { 0 };
                vec![(low, low + values - 1)]
            }
            Ty::Range { low, high } => vec![(*low, *high)],
            Ty::Pid | Ty::Channel | Ty::Symbol(_) => vec![(0, 255)],
            Ty::Sort(sort) => vec![of_sort(sort)],
            Ty::Union(sorts) => sorts.iter().map(of_sort).collect(),
            Ty::Number | Ty::Array { .. } | Ty::Record(_) | Ty::Multiset { .. } => return None,
        })
    }

    /// How many values a simple type has; `None` for [`Ty::Number`] and types with parts.
    pub fn cardinality(&self, id: TyId) -> Option<i128> {
        let ranges = self.ranges(id)?;
        let size = |(low, high): &(i64, i64)| (i128::from(*high) - i128::from(*low) + 1).max(0);
        Some(ranges.iter().map(size).sum())
    }

    /// The name of an element by its code.
    pub fn element(&self, code: i64) -> Option<Name> {
        let at = |sort: &Sort| usize::try_from(code - sort.first).ok();
        self.sorts
            .iter()
            .find_map(|(_, sort)| sort.elements.get(at(sort)?).copied())
    }
}
