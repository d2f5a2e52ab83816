//! Exchanges interchangeable elements in values, and shows where they stand: code per type, made once.
//!
//! A coded value is a number made of parts, so its image is a sum of the images of its elements; a mask moves
//! its bits by such sums. Only values that are no words are rebuilt, and only the result is interned.
//! Invariant: permuting changes elements and nothing else; a set that is not listed is not permuted, and showing
//! it says so.

use std::sync::Arc;

use model::sorts::SortSymmetry;
use model::{Model, SortId, Ty, TyId};
use pins::symmetry::Place;
use pins::{GroupId, LabelPart, Permute, Sort, View};

use crate::cx::Cx;
use crate::rep::{Rep, Reps};
use crate::split::Splitting;
use crate::symbolic::{Sym, SymKind};
use crate::system::{Compiled, UNASSIGNED};
use crate::value::{Row, V, bits};

/// How the values of every type are permuted.
#[derive(Debug, Default)]
pub(crate) struct Permuting {
    sorts: Vec<Sort>,
    /// By type.
    codes: Vec<Code>,
    /// By slot: whether it can hold points, or a set that hides some.
    moves: Vec<bool>,
    /// By slot: whether it can hold a set that is not listed.
    hides: Vec<bool>,
    /// By slot its place, when sets and functions lie in several slots.
    places: Vec<Place>,
    /// Whether operations were written out for their arguments, so that code may name elements which the model does not.
    is_in_parts: bool,
}

/// How values of one type are permuted.
#[derive(Debug)]
enum Code {
    /// They hold no points.
    Keep,
    /// Elements from this point on.
    Element(u32),
    /// A set of elements from this point on, as a mask.
    Mask(u32),
    /// A set of codes that are sums of elements, as a mask: the image of every bit.
    Sums(Box<[Sum]>),
    /// By its parts.
    Parts,
}

/// The image of a code: `base` and for each element its weight times the image of its point.
#[derive(Clone, Debug)]
struct Sum {
    base: u32,
    terms: Box<[(u32, u32)]>,
    /// What the code looks like.
    look: Box<[Look]>,
}

/// What a value shows, kept.
#[derive(Clone, Debug)]
enum Look {
    Atom(Box<[u64]>),
    Point(u32),
    Tuple(usize),
    Set(usize),
}

#[derive(Default)]
struct Looks(Vec<Look>);

impl View for Looks {
    fn atom(&mut self, words: &[u64]) {
        self.0.push(Look::Atom(words.into()));
    }

    fn point(&mut self, point: u32) {
        self.0.push(Look::Point(point));
    }

    fn tuple(&mut self, parts: usize) {
        self.0.push(Look::Tuple(parts));
    }

    fn set(&mut self, parts: usize) {
        self.0.push(Look::Set(parts));
    }
}

impl Permuting {
    pub(crate) fn new(
        model: &Model,
        reps: &Reps,
        slots: &[TyId],
        symmetry: &[SortSymmetry],
    ) -> Permuting {
        let mut sorts: Vec<Sort> = Vec::new();
        let mut first = vec![None; symmetry.len()];
        let mut next = 0;
        for sort in symmetry {
            if sort.interchangeable() > 0 {
                first[sort.sort.index()] = Some(next);
                sorts.push(Sort {
                    name: model.tys.sorts[sort.sort].name,
                    first: next,
                    classes: sort.classes.clone(),
                });
                next += sort.classes.len() as u32;
            }
        }
        let mut permuting = Permuting {
            sorts,
            ..Permuting::default()
        };
        for (ty, shape) in model.tys.iter() {
            let code = match shape {
                Ty::Sort(sort) => first[sort.index()].map_or(Code::Keep, Code::Element),
                Ty::Bool | Ty::Int | Ty::Real | Ty::Str => Code::Keep,
                Ty::Free(_) => {
                    let mut inside = Vec::new();
                    model::sorts::sorts_in(model, ty, &mut inside);
                    match inside.iter().any(|sort| first[sort.index()].is_some()) {
                        true => Code::Parts,
                        false => Code::Keep,
                    }
                }
                Ty::Pow(element) => permuting.set(reps, ty, *element),
                Ty::Prod(left, right) => permuting.all(&[*left, *right]),
                Ty::Record(fields) => {
                    permuting.all(&fields.iter().map(|(_, field)| *field).collect::<Vec<_>>())
                }
            };
            permuting.codes.push(code);
        }
        let has_points = !permuting.sorts.is_empty();
        // A set that is not listed may have captured elements, whatever its own are.
        let hides =
            |ty: TyId| reps[ty].rep == Rep::Tree && !matches!(reps[ty].ty, Ty::Real | Ty::Str);
        permuting.hides = slots.iter().map(|ty| has_points && hides(*ty)).collect();
        permuting.moves = slots
            .iter()
            .map(|ty| has_points && (permuting.holds(*ty) || hides(*ty)))
            .collect();
        permuting
    }

    fn holds(&self, ty: TyId) -> bool {
        !matches!(self.codes[ty.index()], Code::Keep)
    }

    fn all(&self, parts: &[TyId]) -> Code {
        match parts.iter().any(|part| self.holds(*part)) {
            true => Code::Parts,
            false => Code::Keep,
        }
    }

    fn set(&self, reps: &Reps, ty: TyId, element: TyId) -> Code {
        match self.codes[element.index()] {
            Code::Keep => Code::Keep,
            Code::Element(first) if reps[ty].bits > 0 => Code::Mask(first),
            _ if reps[ty].bits > 0 => {
                let sums = (0..reps[ty].bits).map(|code| {
                    let mut terms = Vec::new();
                    let base = self.sum(reps, element, u64::from(code), 1, &mut terms)?;
                    let mut look = Looks::default();
                    let value = V::Word(u64::from(code));
                    let is_whole = self.show(reps, element, &value, &mut look);
                    is_whole.then(|| Sum {
                        base,
                        terms: terms.into(),
                        look: look.0.into(),
                    })
                });
                sums.collect::<Option<Vec<Sum>>>()
                    .map_or(Code::Parts, |sums| Code::Sums(sums.into()))
            }
            _ => Code::Parts,
        }
    }

    /// A code as a sum, `weight` times; `None` when sets of elements are in it.
    fn sum(
        &self,
        reps: &Reps,
        ty: TyId,
        code: u64,
        weight: u64,
        terms: &mut Vec<(u32, u32)>,
    ) -> Option<u32> {
        match (&self.codes[ty.index()], &reps[ty].ty) {
            (Code::Keep, _) => Some((code * weight) as u32),
            (Code::Element(first), _) => {
                terms.push((weight as u32, first + code as u32));
                Some(0u32.wrapping_sub(first.wrapping_mul(weight as u32)))
            }
            (_, Ty::Prod(left, right)) => {
                let size = reps[ty].right;
                let a = self.sum(reps, *left, code / size, weight * size, terms)?;
                let b = self.sum(reps, *right, code % size, weight, terms)?;
                Some(a.wrapping_add(b))
            }
            (_, Ty::Record(fields)) => {
                let (mut code, mut weight, mut base) = (code, weight, 0u32);
                for (_, field) in fields.iter().rev() {
                    let size = (reps[*field].size as u64).max(1);
                    base = base.wrapping_add(self.sum(reps, *field, code % size, weight, terms)?);
                    code /= size;
                    weight *= size;
                }
                Some(base)
            }
            _ => None,
        }
    }

    /// The image of a code or mask.
    fn word(&self, reps: &Reps, ty: TyId, word: u128, images: &[u32]) -> u128 {
        match &self.codes[ty.index()] {
            Code::Keep => word,
            Code::Element(first) => u128::from(images[*first as usize + word as usize] - first),
            Code::Mask(first) => bits(word).fold(0, |mask, bit| {
                mask | 1 << (images[*first as usize + bit as usize] - first)
            }),
            Code::Sums(sums) => {
                bits(word).fold(0, |mask, bit| mask | 1 << sums[bit as usize].image(images))
            }
            Code::Parts => match &reps[ty].ty {
                Ty::Prod(left, right) => {
                    let size = u128::from(reps[ty].right.max(1));
                    let left = self.word(reps, *left, word / size, images);
                    left * size + self.word(reps, *right, word % size, images)
                }
                Ty::Record(fields) => {
                    let (mut rest, mut weight, mut image) = (word, 1, 0);
                    for (_, field) in fields.iter().rev() {
                        let size = reps[*field].size.max(1);
                        image += weight * self.word(reps, *field, rest % size, images);
                        rest /= size;
                        weight *= size;
                    }
                    image
                }
                Ty::Pow(element) => bits(word).fold(0, |mask, bit| {
                    mask | 1 << self.word(reps, *element, u128::from(bit), images)
                }),
                _ => word,
            },
        }
    }

    /// The image of a value.
    fn value(&self, reps: &Reps, ty: TyId, value: &V, images: &[u32]) -> V {
        if !self.holds(ty) {
            return value.clone();
        }
        match (value, &reps[ty].ty) {
            (V::Word(word), _) => V::Word(self.word(reps, ty, u128::from(*word), images) as u64),
            (V::Wide(_), _) => V::of_wide(self.word(reps, ty, value.wide(), images)),
            (V::Duo(..) | V::Trio(..) | V::Pair(_), Ty::Prod(left, right)) => reps.join(
                ty,
                value.with_left(|part| self.value(reps, *left, part, images)),
                value.with_right(|part| self.value(reps, *right, part, images)),
            ),
            (V::Set(_) | V::Row(..), Ty::Pow(element)) => {
                let elements = reps.listed(value);
                let elements = elements.iter().flat_map(|elements| elements.iter());
                let elements = elements.map(|e| self.value(reps, *element, e, images));
                reps.set(ty, elements.collect())
            }
            (V::Rec(_) | V::Row(..), Ty::Record(fields)) => {
                let values = reps.record_fields(ty, value);
                let values = fields.iter().zip(&values);
                let values =
                    values.map(|((_, field), value)| self.value(reps, *field, value, images));
                reps.record(ty, values.collect())
            }
            (V::Free(constructor, argument), Ty::Free(free)) => {
                let argument = argument.as_ref().and_then(|argument| {
                    let ty = reps.argument(*free, *constructor)?;
                    Some(self.value(reps, ty, argument, images).into())
                });
                V::Free(*constructor, argument)
            }
            (V::Sym(sym), _) => match (&sym.kind, factors(reps, ty)) {
                (SymKind::Product(left, right), Some(types)) => {
                    let left = self.value(reps, types.0, left, images);
                    let right = self.value(reps, types.1, right, images);
                    V::Sym(Arc::new(Sym {
                        ty: sym.ty,
                        kind: SymKind::Product(left, right),
                    }))
                }
                _ => value.clone(),
            },
            _ => value.clone(),
        }
    }

    /// Shows a value; `false` for one that cannot be permuted.
    fn show(&self, reps: &Reps, ty: TyId, value: &V, view: &mut dyn View) -> bool {
        if !self.holds(ty) {
            let mut words = Vec::new();
            let is_plain = self.encode(value, &mut words);
            view.atom(&words);
            return is_plain;
        }
        match (&reps[ty].ty, value) {
            (Ty::Sort(_), V::Word(word)) => {
                if let Code::Element(first) = self.codes[ty.index()] {
                    view.point(first + *word as u32);
                }
                true
            }
            (Ty::Prod(left, right), V::Word(_) | V::Duo(..) | V::Trio(..) | V::Pair(_)) => {
                let (a, b) = reps.split(ty, value);
                view.tuple(2);
                self.show(reps, *left, &a, view) && self.show(reps, *right, &b, view)
            }
            (Ty::Record(fields), V::Word(_) | V::Rec(_) | V::Row(..)) => {
                let values = reps.record_fields(ty, value);
                view.tuple(values.len());
                let mut parts = fields.iter().zip(&values);
                parts.all(|((_, field), value)| self.show(reps, *field, value, view))
            }
            (Ty::Pow(_), V::Word(_) | V::Wide(_)) if self.show_mask(ty, value.wide(), view) => true,
            (Ty::Pow(element), V::Word(_) | V::Wide(_) | V::Set(_) | V::Row(..)) => {
                let Some(elements) = reps.listed(value) else {
                    return false;
                };
                view.set(elements.len());
                elements.iter().all(|e| self.show(reps, *element, e, view))
            }
            (Ty::Free(free), V::Free(constructor, argument)) => {
                view.tuple(2);
                view.atom(&[u64::from(*constructor)]);
                match (argument, reps.argument(*free, *constructor)) {
                    (Some(argument), Some(ty)) => self.show(reps, ty, argument, view),
                    _ => {
                        view.atom(&[]);
                        true
                    }
                }
            }
            (_, V::Sym(sym)) => self.show_symbolic(reps, ty, sym, view),
            _ => false,
        }
    }

    /// Shows a set that is a mask of elements or of sums of elements; `false` when it is neither.
    fn show_mask(&self, ty: TyId, mask: u128, view: &mut dyn View) -> bool {
        match &self.codes[ty.index()] {
            Code::Mask(first) => {
                view.set(mask.count_ones() as usize);
                bits(mask).for_each(|bit| view.point(first + bit as u32));
                true
            }
            Code::Sums(sums) => {
                view.set(mask.count_ones() as usize);
                for bit in bits(mask) {
                    for look in &sums[bit as usize].look {
                        match look {
                            Look::Atom(words) => view.atom(words),
                            Look::Point(point) => view.point(*point),
                            Look::Tuple(parts) => view.tuple(*parts),
                            Look::Set(parts) => view.set(*parts),
                        }
                    }
                }
                true
            }
            _ => false,
        }
    }

    /// Shows a set that is not listed, if permuting it is known to be permuting its parts.
    fn show_symbolic(&self, reps: &Reps, ty: TyId, sym: &Sym, view: &mut dyn View) -> bool {
        match (&sym.kind, factors(reps, ty)) {
            // All values, or what code says that names no element and captured none: the same for all names.
            (SymKind::All, _) => {
                view.atom(&[0]);
                true
            }
            (SymKind::Closure(code, captured), _) => {
                view.atom(&[1, u64::from(code.0.id)]);
                self.is_plain(captured)
            }
            (SymKind::Product(left, right), Some(types)) => {
                view.tuple(3);
                view.atom(&[2]);
                self.show(reps, types.0, left, view) && self.show(reps, types.1, right, view)
            }
            _ => false,
        }
    }

    /// Whether code that captured these values can hold no elements: it names none, unless it was written for one.
    fn is_plain(&self, captured: &[V]) -> bool {
        captured.is_empty() && !self.is_in_parts
    }

    /// A value without points as words, so that equal values of one type have equal words; `false` when it could
    /// hide points all the same.
    fn encode(&self, value: &V, words: &mut Vec<u64>) -> bool {
        match value {
            V::None => words.push(u64::MAX),
            V::Word(word) => words.push(*word),
            V::Int(value) => words.extend([0, *value as u64]),
            V::Wide(mask) => words.extend(mask),
            V::Big(value) => {
                let (sign, digits) = value.to_u64_digits();
                words.extend([
                    1 + u64::from(sign == num_bigint::Sign::Minus),
                    digits.len() as u64,
                ]);
                words.extend(digits);
            }
            V::Real(value) => words.push(value.0.to_bits()),
            V::Str(text) => {
                words.push(text.len() as u64);
                words.extend(text.as_bytes().chunks(8).map(|chunk| {
                    chunk
                        .iter()
                        .fold(0, |word, byte| word << 8 | u64::from(*byte))
                }));
            }
            V::Duo(..) | V::Trio(..) | V::Pair(_) => {
                return value.with_left(|left| self.encode(left, words))
                    && value.with_right(|right| self.encode(right, words));
            }
            V::Set(elements) => {
                words.push(elements.len() as u64);
                return elements.iter().all(|element| self.encode(element, words));
            }
            V::Rec(fields) => return fields.iter().all(|field| self.encode(field, words)),
            V::Row(shape, bits) => {
                let row = Row::from_parts(*shape, *bits);
                if let Some(width) = row.record_width() {
                    words.extend([u64::MAX - 2, u64::from(width), bits[0], bits[1]]);
                    return true;
                }
                words.push(row.len() as u64);
                return row.elements().all(|element| self.encode(&element, words));
            }
            V::Free(constructor, argument) => {
                words.push(u64::from(*constructor));
                return argument
                    .as_ref()
                    .is_none_or(|argument| self.encode(argument, words));
            }
            V::Sym(sym) => {
                words.push(u64::MAX - 1);
                return match &sym.kind {
                    SymKind::All | SymKind::Shift(_) => {
                        words.push(sym.ty.index() as u64);
                        true
                    }
                    SymKind::AtLeast(least) => {
                        words.push(*least as u64);
                        true
                    }
                    // Its code reads the constants where they stand.
                    SymKind::Closure(code, captured) => {
                        words.push(u64::from(code.0.id));
                        self.is_plain(captured)
                    }
                    _ => false,
                };
            }
        }
        true
    }
}

/// The types of two sets whose product has this type.
fn factors(reps: &Reps, ty: TyId) -> Option<(TyId, TyId)> {
    let (left, right) = match &reps[reps.element(ty)].ty {
        Ty::Prod(left, right) => (*left, *right),
        _ => return None,
    };
    Some((reps.find(&Ty::Pow(left))?, reps.find(&Ty::Pow(right))?))
}

impl Sum {
    fn image(&self, images: &[u32]) -> u32 {
        self.terms.iter().fold(self.base, |sum, (weight, point)| {
            sum.wrapping_add(weight.wrapping_mul(images[*point as usize]))
        })
    }
}

impl Compiled {
    /// Prepares permuting: `symmetry` is what is known of the carrier sets of the compiled model.
    pub fn with_symmetry(mut self, model: &Model, symmetry: &[SortSymmetry]) -> Compiled {
        let program = &self.program;
        self.permuting = Permuting::new(model, &program.reps, &program.slots, symmetry);
        self
    }

    /// The same for a model in parts; without symmetry where the keys of parts hold elements in a way that is no list.
    pub fn with_symmetry_in_parts(
        self,
        splitting: &Splitting,
        symmetry: &[SortSymmetry],
    ) -> Compiled {
        let mut compiled = self.with_symmetry(&splitting.model, symmetry);
        let sorts = &compiled.permuting.sorts;
        let tys = &splitting.model.tys;
        let point = |sort: SortId, element: u32| {
            let found = sorts.iter().find(|s| s.name == tys.sorts[sort].name)?;
            let class = found.classes[element as usize];
            let alike = found.classes.iter().filter(|other| **other == class);
            (alike.count() > 1).then_some(found.first + element)
        };
        match splitting.places(&point) {
            Some(places) => {
                compiled.permuting.places = places;
                compiled.permuting.is_in_parts = true;
            }
            None => compiled.permuting = Permuting::default(),
        }
        compiled
    }
}

impl Permute for Compiled {
    fn sorts(&self) -> &[Sort] {
        &self.permuting.sorts
    }

    fn moves(&self, slot: usize) -> bool {
        self.permuting.moves.get(slot).copied().unwrap_or(false)
    }

    fn changes(&self, slot: usize) -> bool {
        let types = &self.program.slots;
        types.get(slot).is_some_and(|ty| self.permuting.holds(*ty))
    }

    fn may_hide(&self, slot: usize) -> bool {
        self.permuting.hides.get(slot).copied().unwrap_or(false)
    }

    fn places(&self) -> &[Place] {
        &self.permuting.places
    }

    fn permute(&self, slot: usize, word: u32, images: &[u32]) -> u32 {
        self.permute_as(self.program.slots[slot], word, images)
    }

    fn permute_label(&self, group: GroupId, label: &[u32], images: &[u32]) -> Vec<u32> {
        let types = self.label_types(group);
        let words = label.iter().zip(types);
        words
            .map(|(word, ty)| match *word {
                UNASSIGNED => UNASSIGNED,
                word => self.permute_as(ty, word, images),
            })
            .collect()
    }

    fn label_part(&self, group: GroupId, position: usize, word: u32) -> LabelPart {
        let Some(ty) = self.label_types(group).nth(position) else {
            return LabelPart::Other;
        };
        match self.permuting.codes[ty.index()] {
            _ if word == UNASSIGNED => LabelPart::Fixed,
            Code::Keep => LabelPart::Fixed,
            Code::Element(first) => LabelPart::Point(first + word),
            _ => LabelPart::Other,
        }
    }

    fn view(&self, slot: usize, word: u32, view: &mut dyn View) -> bool {
        let cx = Cx::new(&self.program, &self.table);
        let ty = self.program.slots[slot];
        self.permuting
            .show(&self.program.reps, ty, &cx.load(ty, word), view)
    }
}

impl Compiled {
    fn permute_as(&self, ty: TyId, word: u32, images: &[u32]) -> u32 {
        let (permuting, reps) = (&self.permuting, &self.program.reps);
        if !permuting.holds(ty) {
            return word;
        }
        if reps[ty].is_direct() {
            return permuting.word(reps, ty, u128::from(word), images) as u32;
        }
        let value = permuting.value(reps, ty, &self.table.read(&reps[ty], word), images);
        self.table.write(value)
    }
}
