//! Lists the elements of sets that are not listed, one at a time, and cuts what has no end.
//!
//! Cuts are those of `docs/meaning.md`: integers without bounds are MININT..MAXINT, from a lower bound `l` up to
//! `max(l, MAXINT)`, sequences up to length MAXINT, strings are the literals of the model and two more.
//! Invariant: an enumeration gives no element twice, and every cut leaves a doubt.

mod spaces;

use lang_math::{Binder, Op};
use model::{Ty, TyId};
use num_traits::ToPrimitive as _;

use crate::cx::{Cx, R};
use crate::symbolic::{Space, Sym, SymKind};
use crate::trap::{Cause, Trap};
use crate::value::{Elements, Real, V};

/// What receives elements.
pub(crate) type Each<'k> = &'k mut dyn FnMut(&mut Cx<'_>, V) -> R<()>;

/// How deep values of a recursive free type are listed, where there are not too many of them.
const FREE_DEPTH: usize = 4;
/// So many values of a free type are listed at most below the first level: those of a binary tree of depth two, not three.
const FREE_MOST: usize = 100_000;

impl Cx<'_> {
    /// The elements of a symbolic set; a fault when it is infinite or too large.
    pub(crate) fn list_symbolic(&mut self, set: &V) -> R<Elements> {
        let V::Sym(sym) = set else {
            return Err(Cause::Infinite.trap());
        };
        let infinite = match sym.kind {
            // One that the text does not bound may be finite all the same.
            SymKind::Closure(..) => self.infinity(set)? == Some(true),
            _ => self.is_infinite(set)?,
        };
        if infinite {
            return Err(Cause::Infinite.trap());
        }
        let place = match &sym.kind {
            SymKind::Closure(code, _) => code.0.id,
            _ => crate::doubt::NOWHERE,
        };
        let limit = self.program.max_set;
        let mut elements = Vec::new();
        self.enumeration(|cx| {
            cx.each(set, place, &mut |_, element| {
                if elements.len() >= limit {
                    return Err(Cause::TooLarge.trap());
                }
                elements.push(element);
                Ok(())
            })
        })?;
        elements.sort_unstable();
        elements.dedup();
        Ok(Elements::Own(elements))
    }

    /// Gives every element of a set to `each`, cutting what has no end; `place` names the cut.
    pub(crate) fn each(&mut self, set: &V, place: u32, each: Each<'_>) -> R<()> {
        if let Some(row) = set.row() {
            for element in row.elements() {
                each(self, element)?;
            }
            return Ok(());
        }
        if let Some(elements) = self.reps().listed(set) {
            for element in elements.iter() {
                each(self, element.clone())?;
            }
            return Ok(());
        }
        let V::Sym(sym) = set else {
            return Ok(());
        };
        if self.uncut == Some(place) && self.is_infinite(set)? {
            return Err(Trap::Endless);
        }
        let sym = sym.clone();
        base::deep::recurse(|| self.each_symbolic(&sym, place, each))
    }

    fn each_symbolic(&mut self, sym: &Sym, place: u32, each: Each<'_>) -> R<()> {
        let reps = self.reps();
        let limit = self.program.max_set;
        let element = reps.element(sym.ty);
        match &sym.kind {
            SymKind::All => self.each_of_type(element, place, each),
            SymKind::AtLeast(least) => {
                let high = self.program.cut.1.max(*least);
                self.cut(place, || {
                    format!("integers from {least} were cut at {high}")
                })?;
                self.each_between(*least, high, each)
            }
            SymKind::Interval(low, high) => match (low.small(), high.small()) {
                (Some(low), Some(high)) => self.each_between(low, high, each),
                _ => {
                    let (mut next, high) = (low.to_big(), high.to_big());
                    while next <= high {
                        each(self, V::big(next.clone()))?;
                        next += 1;
                    }
                    Ok(())
                }
            },
            SymKind::Power { of, some, .. } => {
                let elements = self.collect(of, place)?;
                self.each_subset(sym.ty, &elements, *some, each)
            }
            SymKind::Space { op, from, to } => {
                if self.is_hollow(&[from, to])? {
                    return match self.has_empty_relation(*op, from, to)? {
                        true => each(self, reps.empty(element)),
                        false => Ok(()),
                    };
                }
                let (from, from_is_cut) = self.is_cut_by(|cx| cx.collect(from, place))?;
                let (to, to_is_cut) = self.is_cut_by(|cx| cx.collect(to, place))?;
                if Space::of(*op).needs_whole(from_is_cut, to_is_cut) {
                    return Ok(());
                }
                self.each_relation(*op, element, &from, &to, each)
            }
            SymKind::Sequences { op, of } => {
                let (of, is_cut) = self.is_cut_by(|cx| cx.collect(of, place))?;
                if is_cut && *op == Op::Permutations {
                    return Ok(());
                }
                self.each_sequence(*op, element, &of, place, each)
            }
            SymKind::Struct(sets) => {
                let parts: Vec<&V> = sets.iter().collect();
                if self.is_hollow(&parts)? {
                    return Ok(());
                }
                let mut lists = Vec::new();
                for set in sets {
                    lists.push(self.collect(set, place)?);
                }
                self.each_record(element, &lists, &mut Vec::new(), each)
            }
            SymKind::Product(left, right) => {
                if self.is_hollow(&[left, right])? {
                    return Ok(());
                }
                let right = self.collect(right, place)?;
                self.each(left, place, &mut |cx, a| {
                    for b in &right {
                        each(cx, reps.join(element, a.clone(), b.clone()))?;
                    }
                    Ok(())
                })
            }
            SymKind::Closure(code, env) => {
                let code = code.0.clone();
                let env = env.clone();
                let distinct = matches!(code.binder, Binder::Comprehension | Binder::Lambda);
                let mut seen = Vec::new();
                self.in_closure_env(&code, &env, |cx| {
                    code.plan.stream(cx, &mut |cx| {
                        let tuple = || cx.tuple(&code.names, code.tuple);
                        let value = match (code.binder, &code.value) {
                            (Binder::Comprehension, _) | (_, None) => tuple(),
                            (Binder::Lambda, Some(value)) => {
                                let argument = tuple();
                                let value = value(cx)?;
                                reps.join(element, argument, value)
                            }
                            (_, Some(value)) => value(cx)?,
                        };
                        if distinct {
                            each(cx, value)
                        } else {
                            cx.gather(&mut seen, value, limit)
                        }
                    })
                })?;
                seen.sort_unstable();
                seen.dedup();
                for value in seen {
                    each(self, value)?;
                }
                Ok(())
            }
            SymKind::Union(a, b) => {
                self.each(a, place, each)?;
                self.each(b, place, &mut |cx, x| {
                    if cx.member(&x, a)? {
                        Ok(())
                    } else {
                        each(cx, x)
                    }
                })
            }
            SymKind::Inter(a, b) => {
                let (a, b) = if self.is_infinite(a)? { (b, a) } else { (a, b) };
                self.each(a, place, &mut |cx, x| {
                    if cx.member(&x, b)? {
                        each(cx, x)
                    } else {
                        Ok(())
                    }
                })
            }
            SymKind::Minus(a, b) => self.each(a, place, &mut |cx, x| {
                if cx.member(&x, b)? {
                    Ok(())
                } else {
                    each(cx, x)
                }
            }),
            SymKind::Identity(set) => self.each(set, place, &mut |cx, x| {
                each(cx, reps.join(element, x.clone(), x))
            }),
            SymKind::Shift(by) => {
                let by = *by;
                self.each_of_type(reps.parts(element).0, place, &mut |cx, x| {
                    let y = V::big(x.to_big() + by);
                    each(cx, reps.join(element, x, y))
                })
            }
            SymKind::Constructor(free, constructor) => {
                let Some(argument) = reps.argument(*free, *constructor) else {
                    return Ok(());
                };
                let constructor = *constructor;
                self.each_of_type(argument, place, &mut |cx, x| {
                    let y = V::Free(constructor, Some(std::sync::Arc::new(x.clone())));
                    each(cx, reps.join(element, x, y))
                })
            }
            SymKind::Projection { first, left, right } => {
                let pair = reps.parts(element).0;
                let right = self.collect(right, place)?;
                self.each(left, place, &mut |cx, a| {
                    for b in &right {
                        let value = if *first { a.clone() } else { b.clone() };
                        let argument = reps.join(pair, a.clone(), b.clone());
                        each(cx, reps.join(element, argument, value))?;
                    }
                    Ok(())
                })
            }
            SymKind::Restrict { op, set, relation } => {
                if *op == Op::DomainRestriction && !self.is_infinite(set)? {
                    return self.each(set, place, &mut |cx, x| {
                        for y in cx.image_of(sym.ty, relation, &x)? {
                            each(cx, reps.join(element, x.clone(), y))?;
                        }
                        Ok(())
                    });
                }
                self.each(relation, place, &mut |cx, pair| {
                    if cx.restricted(*op, element, set, &pair)? {
                        each(cx, pair)
                    } else {
                        Ok(())
                    }
                })
            }
            SymKind::Override(below, above) => {
                self.each(above, place, each)?;
                self.each(below, place, &mut |cx, pair| {
                    let left = reps.left(element, &pair);
                    if cx.in_domain(sym.ty, &left, above)? {
                        Ok(())
                    } else {
                        each(cx, pair)
                    }
                })
            }
            SymKind::Inverse(relation, ty) => self.each(relation, place, &mut |cx, pair| {
                let (a, b) = reps.split(reps.element(*ty), &pair);
                each(cx, reps.join(element, b, a))
            }),
            SymKind::Compose(first, first_ty, second, second_ty) => {
                let mut found = Vec::new();
                self.each(first, place, &mut |cx, pair| {
                    let (a, b) = reps.split(reps.element(*first_ty), &pair);
                    for c in cx.image_of(*second_ty, second, &b)? {
                        let pair = reps.join(element, a.clone(), c);
                        cx.gather(&mut found, pair, limit)?;
                    }
                    Ok(())
                })?;
                self.each_distinct(found, each)
            }
            SymKind::Domain(relation) | SymKind::Range(relation) => {
                let V::Sym(inner) = relation else {
                    return Ok(());
                };
                let pair = reps.element(inner.ty);
                let domain = matches!(sym.kind, SymKind::Domain(_));
                let mut found = Vec::new();
                self.each(relation, place, &mut |cx, x| {
                    let part = if domain {
                        reps.left(pair, &x)
                    } else {
                        reps.right(pair, &x)
                    };
                    cx.gather(&mut found, part, limit)
                })?;
                self.each_distinct(found, each)
            }
            SymKind::Reflexive(relation) => {
                let mut found = self.elements(relation)?.into_vec();
                let all = self.list_of_type(reps.parts(element).0, place)?;
                found.extend(all.into_iter().map(|x| reps.join(element, x.clone(), x)));
                self.each_distinct(found, each)
            }
            SymKind::Closure1(_) | SymKind::Trees { .. } => Err(Cause::Infinite.trap()),
        }
    }

    fn each_distinct(&mut self, mut found: Vec<V>, each: Each<'_>) -> R<()> {
        found.sort_unstable();
        found.dedup();
        for value in found {
            each(self, value)?;
        }
        Ok(())
    }

    /// Whether a pair stays under a restriction.
    pub(crate) fn restricted(&mut self, op: Op, pair_ty: TyId, set: &V, pair: &V) -> R<bool> {
        let (a, b) = self.reps().split(pair_ty, pair);
        Ok(match op {
            Op::DomainRestriction => self.member(&a, set)?,
            Op::DomainSubtraction => !self.member(&a, set)?,
            Op::RangeRestriction => self.member(&b, set)?,
            _ => !self.member(&b, set)?,
        })
    }

    /// The elements of a set, cut where it has no end.
    pub(crate) fn collect(&mut self, set: &V, place: u32) -> R<Vec<V>> {
        let limit = self.program.max_set;
        let mut elements = Vec::new();
        self.each(set, place, &mut |cx, x| cx.list(&mut elements, x, limit))?;
        elements.sort_unstable();
        Ok(elements)
    }

    /// The values of a type, in order, cut where there is no end.
    fn list_of_type(&mut self, ty: TyId, place: u32) -> R<Vec<V>> {
        let limit = match self.nested {
            Some(depth) if depth > 0 => FREE_MOST,
            _ => self.program.max_set,
        };
        let mut values = Vec::new();
        self.each_of_type(ty, place, &mut |cx, x| cx.list(&mut values, x, limit))?;
        Ok(values)
    }

    fn list(&mut self, values: &mut Vec<V>, value: V, limit: usize) -> R<()> {
        self.spend()?;
        if values.len() >= limit {
            return Err(Cause::TooLarge.trap());
        }
        values.push(value);
        Ok(())
    }

    pub(crate) fn each_between(&mut self, low: i64, high: i64, each: Each<'_>) -> R<()> {
        for value in low..=high {
            each(self, V::Int(value))?;
        }
        Ok(())
    }

    /// Every value of a type, cut where there is no end.
    pub(crate) fn each_of_type(&mut self, ty: TyId, place: u32, each: Each<'_>) -> R<()> {
        let reps = self.reps();
        let info = &reps[ty];
        if info.rep == crate::rep::Rep::Word {
            let Some(size) = info.size.to_u64() else {
                return Err(Cause::TooLarge.trap());
            };
            for code in 0..size {
                each(self, V::Word(code))?;
            }
            return Ok(());
        }
        match &info.ty {
            Ty::Int => {
                let (low, high) = self.program.cut;
                self.cut(place, || format!("integers were cut to {low}..{high}"))?;
                self.each_between(low, high, each)
            }
            Ty::Str => {
                self.cut(place, || {
                    "strings were cut to those of the model and two more".to_owned()
                })?;
                let mut strings = self.program.strings.clone();
                let mut number = 1;
                let wanted = strings.len() + 2;
                while strings.len() < wanted {
                    let text: std::sync::Arc<str> = format!("STR{number}").into();
                    if !strings.contains(&text) {
                        strings.push(text);
                    }
                    number += 1;
                }
                for text in strings {
                    each(self, V::Str(text))?;
                }
                Ok(())
            }
            Ty::Real => {
                self.cut(place, || "reals were cut to 0.0 and 1.0".to_owned())?;
                for value in [0.0, 1.0] {
                    each(self, V::Real(Real(value)))?;
                }
                Ok(())
            }
            Ty::Free(_) => {
                let values = match self.nested {
                    Some(depth) => self.free_values(ty, place, depth)?,
                    None => self.free_values_listed(ty, place)?,
                };
                for value in values {
                    each(self, value)?;
                }
                Ok(())
            }
            Ty::Prod(left, right) => {
                let rights = self.list_of_type(*right, place)?;
                self.each_of_type(*left, place, &mut |cx, a| {
                    for b in &rights {
                        each(cx, reps.join(ty, a.clone(), b.clone()))?;
                    }
                    Ok(())
                })
            }
            Ty::Record(fields) => {
                let mut lists = Vec::new();
                for (_, field) in fields {
                    lists.push(self.list_of_type(*field, place)?);
                }
                self.each_record(ty, &lists, &mut Vec::new(), each)
            }
            Ty::Pow(element) => {
                let elements = self.list_of_type(*element, place)?;
                self.each_subset_of(ty, &elements, false, each)
            }
            Ty::Bool | Ty::Sort(_) => Ok(()),
        }
    }

    /// The values of a free type, as deep as there are not too many of them.
    fn free_values_listed(&mut self, ty: TyId, place: u32) -> R<Vec<V>> {
        let mut depth = FREE_DEPTH;
        loop {
            match self.free_values(ty, place, depth) {
                Err(Trap::Fault {
                    cause: Cause::TooLarge,
                    ..
                }) if depth > 1 => depth -= 1,
                result => return result,
            }
        }
    }

    /// The values of a free type with constructors nested up to a depth.
    fn free_values(&mut self, ty: TyId, place: u32, depth: usize) -> R<Vec<V>> {
        let reps = self.reps();
        let Ty::Free(free) = reps[ty].ty else {
            return self.list_of_type(ty, place);
        };
        let mut values = Vec::new();
        for (constructor, argument) in (0u32..).zip(reps.constructors(free)) {
            match argument {
                None => values.push(V::Free(constructor, None)),
                Some(_) if depth == 0 || reps.is_unlisted(free, constructor) => {
                    self.cut(place, || {
                        "values of a recursive type were cut at some depth".to_owned()
                    })?;
                }
                Some(argument) => {
                    let outer = self.nested.replace(depth - 1);
                    let arguments = self.list_of_type(*argument, place);
                    self.nested = outer;
                    let made = |value| V::Free(constructor, Some(std::sync::Arc::new(value)));
                    values.extend(arguments?.into_iter().map(made));
                }
            }
        }
        Ok(values)
    }
}
