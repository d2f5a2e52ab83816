//! Types, hash-consed: equal types have equal ids.

use base::{Arena, Id, Name, Span};
use rustc_hash::FxHashMap;

/// Names a type.
pub type TyId = Id<Ty>;
/// Names a carrier set.
pub type SortId = Id<Sort>;
/// Names a free type.
pub type FreeId = Id<FreeType>;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// FALSE, TRUE
    Bool,
    /// All integers.
    Int,
    /// IEEE doubles.
    Real,
    /// Strings.
    Str,
    /// The elements of a carrier set.
    Sort(SortId),
    /// The values of a free type.
    Free(FreeId),
    /// Sets.
    Pow(TyId),
    /// Pairs.
    Prod(TyId, TyId),
    /// Records, fields sorted by name.
    Record(Vec<(Name, TyId)>),
}

/// A carrier set, with its elements fixed.
#[derive(Clone, Debug)]
pub struct Sort {
    /// The name.
    pub name: Name,
    /// The names of its elements, in order; `S1`, `S2`, … where the model gives none.
    pub elements: Vec<Name>,
    /// Where it comes from.
    pub origin: SortOrigin,
    /// Where it is declared.
    pub span: Span,
}

/// Where a carrier set comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortOrigin {
    /// Its elements are listed in the model.
    Enumerated,
    /// The constants of a free type: each that the text names is told apart, even where several are listed together.
    Free,
    /// Its size was chosen; its elements are interchangeable as far as the model does not tell them apart.
    Deferred,
    /// Like `Deferred`, but constants of the model are the names of all its elements.
    Named,
    /// A set parameter of the machine.
    Parameter,
}

/// A free type.
#[derive(Clone, Debug)]
pub struct FreeType {
    /// The name.
    pub name: Name,
    /// Constructors with the type of their argument, in order.
    pub constructors: Vec<(Name, Option<TyId>)>,
    /// What a constructor takes, where that is only a part of its type; may end early.
    pub domains: Vec<Option<crate::ExprId>>,
}

impl FreeType {
    /// A free type whose constructors are not known yet.
    pub fn named(name: Name) -> FreeType {
        FreeType {
            name,
            constructors: Vec::new(),
            domains: Vec::new(),
        }
    }

    /// What a constructor takes, if that is only a part of its type.
    pub fn domain(&self, constructor: u32) -> Option<crate::ExprId> {
        self.domains.get(constructor as usize).copied().flatten()
    }
}

/// How values are written for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// `(a|->b)`, `{}`
    #[default]
    B,
    /// `a ↦ b`, `∅`
    EventB,
}

/// All types of a model.
#[derive(Clone, Debug, Default)]
pub struct Tys {
    /// How values are written for people.
    pub notation: Notation,
    tys: Arena<Ty>,
    known: FxHashMap<Ty, TyId>,
    /// Carrier sets.
    pub sorts: Arena<Sort>,
    /// Free types.
    pub free: Arena<FreeType>,
}

impl std::ops::Index<TyId> for Tys {
    type Output = Ty;
    fn index(&self, id: TyId) -> &Ty {
        &self.tys[id]
    }
}

impl Tys {
    /// No types yet, for a language with this notation.
    pub fn with_notation(notation: Notation) -> Tys {
        Tys {
            notation,
            ..Tys::default()
        }
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Ty) -> TyId {
        if let Some(known) = self.known.get(&ty) {
            return *known;
        }
        let id = self.tys.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    /// The id of a type that was interned before.
    pub fn find(&self, ty: &Ty) -> Option<TyId> {
        self.known.get(ty).copied()
    }

    /// All types; the parts of a type come before it.
    pub fn iter(&self) -> impl Iterator<Item = (TyId, &Ty)> {
        self.tys.iter()
    }

    /// Whether values of a free type may hold values of the same type.
    pub fn is_recursive(&self, free: FreeId) -> bool {
        let mut seen = Vec::new();
        let arguments = |free: FreeId| {
            let constructors = self.free[free].constructors.iter();
            constructors.filter_map(|(_, argument)| *argument)
        };
        let mut pending: Vec<TyId> = arguments(free).collect();
        while let Some(ty) = pending.pop() {
            match &self[ty] {
                Ty::Free(other) if *other == free => return true,
                Ty::Free(other) if !seen.contains(other) => {
                    seen.push(*other);
                    pending.extend(arguments(*other));
                }
                Ty::Pow(element) => pending.push(*element),
                Ty::Prod(left, right) => pending.extend([*left, *right]),
                Ty::Record(fields) => pending.extend(fields.iter().map(|(_, field)| *field)),
                Ty::Bool | Ty::Int | Ty::Real | Ty::Str | Ty::Sort(_) | Ty::Free(_) => {}
            }
        }
        false
    }

    /// Whether a type has finitely many values.
    pub fn is_finite(&self, id: TyId) -> bool {
        base::deep::recurse(|| match &self[id] {
            Ty::Bool | Ty::Sort(_) => true,
            Ty::Int | Ty::Real | Ty::Str => false,
            Ty::Pow(element) => self.is_finite(*element),
            Ty::Prod(left, right) => self.is_finite(*left) && self.is_finite(*right),
            Ty::Record(fields) => fields.iter().all(|(_, field)| self.is_finite(*field)),
            Ty::Free(free) => {
                let constructors = &self.free[*free].constructors;
                let mut arguments = constructors.iter().filter_map(|(_, argument)| *argument);
                !self.is_recursive(*free) && arguments.all(|argument| self.is_finite(argument))
            }
        })
    }

    /// Whether a constructor takes only a part of its type and belongs to a recursive type: what it takes is then not listed.
    pub fn is_unlisted(&self, free: FreeId, constructor: u32) -> bool {
        self.free[free].domain(constructor).is_some() && self.is_recursive(free)
    }

    /// The number of values of a type, when it is finite and at most `limit`.
    pub fn size(&self, id: TyId, limit: u128) -> Option<u128> {
        let size = match &self[id] {
            Ty::Bool => 2,
            Ty::Int | Ty::Real | Ty::Str | Ty::Free(_) => return None,
            Ty::Sort(sort) => self.sorts[*sort].elements.len() as u128,
            Ty::Pow(element) => {
                let bits = u32::try_from(self.size(*element, 126)?).ok()?;
                1u128.checked_shl(bits)?
            }
            Ty::Prod(left, right) => self
                .size(*left, limit)?
                .checked_mul(self.size(*right, limit)?)?,
            Ty::Record(fields) => {
                let mut product = 1u128;
                for (_, ty) in fields {
                    product = product.checked_mul(self.size(*ty, limit)?)?;
                }
                product
            }
        };
        (size <= limit).then_some(size)
    }

    /// The type in B notation.
    pub fn show(&self, id: TyId) -> String {
        match &self[id] {
            Ty::Bool => "BOOL".to_owned(),
            Ty::Int => "INTEGER".to_owned(),
            Ty::Real => "REAL".to_owned(),
            Ty::Str => "STRING".to_owned(),
            Ty::Sort(sort) => self.sorts[*sort].name.to_string(),
            Ty::Free(free) => self.free[*free].name.to_string(),
            Ty::Pow(element) => format!("POW({})", self.show(*element)),
            Ty::Prod(left, right) => match self[*right] {
                Ty::Prod(..) => format!("{}*({})", self.show(*left), self.show(*right)),
                _ => format!("{}*{}", self.show(*left), self.show(*right)),
            },
            Ty::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, ty)| format!("{name}:{}", self.show(*ty)))
                    .collect();
                format!("struct({})", fields.join(", "))
            }
        }
    }
}
