//! Chooses, once per type, how values are kept: small finite types as machine words, sets of them as bits.
//!
//! A type with `n` values is *coded* `0..n`: FALSE and TRUE, the elements of a carrier set, a pair as
//! `left * n(right) + right`, a record as a mixed-radix number, a set over at most 64 codes as its mask.
//! Sets over 65 to 128 codes are two words; everything else is a canonical tree ([`crate::value::V`]).
//! Invariant: a type has one representation, and equal values have equal representations.

use base::Name;
use model::{FreeId, Ty, TyId, Tys};

use crate::value::Held;

/// How values of a type are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rep {
    /// A code below `size`.
    Word,
    /// A set over 65 to 128 codes.
    Wide,
    /// An integer.
    Int,
    /// Anything else.
    Tree,
}

/// What is known of a type.
#[derive(Clone, Debug)]
pub(crate) struct Info {
    pub rep: Rep,
    pub ty: Ty,
    /// The number of values, for words.
    pub size: u128,
    /// For sets: the number of codes of the elements, 0 when they are not coded or more than 128.
    pub bits: u32,
    /// For coded pairs: the number of codes of the right component.
    pub right: u64,
    /// What small values that are no words hold in place.
    pub held: Option<Held>,
    /// Whether the type has finitely many values.
    pub finite: bool,
}

/// The representations of all types.
#[derive(Clone, Debug)]
pub(crate) struct Reps {
    infos: Vec<Info>,
    /// The argument types of the constructors of every free type.
    free: Vec<Vec<Option<TyId>>>,
    /// Constructors whose arguments are not listed.
    unlisted: Vec<(FreeId, u32)>,
}

/// The largest type that is coded unless it is a mask: codes stay below 2^63.
const MAX_CODES: u128 = 1 << 63;

impl Reps {
    pub(crate) fn new(tys: &Tys) -> Reps {
        let free = tys
            .free
            .iter()
            .map(|(_, free)| free.constructors.iter().map(|(_, ty)| *ty).collect())
            .collect();
        let all = tys.free.iter().flat_map(|(id, free)| {
            let count = free.constructors.len() as u32;
            (0..count).map(move |constructor| (id, constructor))
        });
        let unlisted = all.filter(|(free, constructor)| tys.is_unlisted(*free, *constructor));
        let mut reps = Reps {
            infos: Vec::new(),
            unlisted: unlisted.collect(),
            free,
        };
        for (_, ty) in tys.iter() {
            let info = reps.describe(tys, ty);
            reps.infos.push(info);
            let ty = TyId::new(reps.infos.len() - 1);
            reps.infos[ty.index()].held = reps.held_by(ty);
        }
        reps
    }

    fn describe(&self, tys: &Tys, ty: &Ty) -> Info {
        let free_is_finite = |free: FreeId| {
            let id = tys.find(&Ty::Free(free));
            id.is_some_and(|id| tys.is_finite(id))
        };
        let mut info = Info {
            rep: Rep::Tree,
            ty: ty.clone(),
            size: 0,
            bits: 0,
            right: 0,
            held: None,
            finite: true,
        };
        match ty {
            Ty::Bool => info.code(2),
            Ty::Sort(sort) => info.code(tys.sorts[*sort].elements.len() as u128),
            Ty::Int => {
                info.rep = Rep::Int;
                info.finite = false;
            }
            Ty::Real | Ty::Str => info.finite = false,
            Ty::Free(free) => info.finite = free_is_finite(*free),
            Ty::Pow(element) => {
                let element = &self[*element];
                info.finite = element.finite;
                if element.rep == Rep::Word && element.size <= 128 {
                    info.bits = element.size as u32;
                    if info.bits <= 64 {
                        info.code(1 << info.bits);
                    } else {
                        info.rep = Rep::Wide;
                    }
                }
            }
            Ty::Prod(left, right) => {
                let (left, right) = (&self[*left], &self[*right]);
                info.finite = left.finite && right.finite;
                if let Some(size) = left.times(right) {
                    info.right = right.size as u64;
                    info.code(size);
                }
            }
            Ty::Record(fields) => {
                let mut size = Some(1u128);
                for (_, field) in fields {
                    let field = &self[*field];
                    info.finite &= field.finite;
                    size = size
                        .filter(|_| field.rep == Rep::Word)
                        .and_then(|size| size.checked_mul(field.size))
                        .filter(|size| *size <= MAX_CODES);
                }
                if let Some(size) = size {
                    info.code(size);
                }
            }
        }
        info
    }

    /// The type of the elements of a set type; the type itself when it is no set (which typing excludes).
    pub(crate) fn element(&self, set: TyId) -> TyId {
        match &self[set].ty {
            Ty::Pow(element) => *element,
            _ => set,
        }
    }

    /// The types of the components of a pair type.
    pub(crate) fn parts(&self, pair: TyId) -> (TyId, TyId) {
        match &self[pair].ty {
            Ty::Prod(left, right) => (*left, *right),
            _ => (pair, pair),
        }
    }

    /// The types of domain and range elements of a relation type.
    pub(crate) fn sides(&self, relation: TyId) -> (TyId, TyId) {
        self.parts(self.element(relation))
    }

    /// The fields of a record type.
    pub(crate) fn fields(&self, record: TyId) -> &[(Name, TyId)] {
        match &self[record].ty {
            Ty::Record(fields) => fields,
            _ => &[],
        }
    }

    /// The constructors of a free type, each with the type of its argument.
    pub(crate) fn constructors(&self, free: FreeId) -> &[Option<TyId>] {
        &self.free[free.index()]
    }

    /// Whether the arguments of a constructor are not listed, since not every value of their type is one.
    pub(crate) fn is_unlisted(&self, free: FreeId, constructor: u32) -> bool {
        self.unlisted.contains(&(free, constructor))
    }

    /// The type of a constructor's argument.
    pub(crate) fn argument(&self, free: FreeId, constructor: u32) -> Option<TyId> {
        self.free[free.index()][constructor as usize]
    }

    /// The id of a type that was interned.
    pub(crate) fn find(&self, wanted: &Ty) -> Option<TyId> {
        self.infos
            .iter()
            .position(|info| info.ty == *wanted)
            .map(TyId::new)
    }
}

impl std::ops::Index<TyId> for Reps {
    type Output = Info;
    fn index(&self, id: TyId) -> &Info {
        &self.infos[id.index()]
    }
}

impl Info {
    fn code(&mut self, size: u128) {
        self.rep = Rep::Word;
        self.size = size;
    }

    fn times(&self, other: &Info) -> Option<u128> {
        if self.rep != Rep::Word || other.rep != Rep::Word {
            return None;
        }
        self.size
            .checked_mul(other.size)
            .filter(|size| *size <= MAX_CODES)
    }

    /// Whether a value is its own slot; the greatest word is kept free for marks.
    pub(crate) fn is_direct(&self) -> bool {
        self.rep == Rep::Word && self.size < 1 << 32
    }
}
