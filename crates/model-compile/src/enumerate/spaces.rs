//! Lists subsets, records, relations and sequences over listed sets.

use lang_math::Op;
use model::TyId;

use super::Each;
use crate::cx::{Cx, R};
use crate::symbolic::Space;
use crate::trap::Cause;
use crate::value::V;

impl Cx<'_> {
    /// Keeps a value that may come again; so many at most, as far as they differ.
    pub(super) fn gather(&mut self, values: &mut Vec<V>, value: V, limit: usize) -> R<()> {
        self.spend()?;
        if values.len() >= limit {
            values.sort_unstable();
            values.dedup();
            if values.len() > limit / 2 {
                return Err(Cause::TooLarge.trap());
            }
        }
        values.push(value);
        Ok(())
    }

    /// Every subset of listed elements; `power` is the type of the set of subsets.
    pub(crate) fn each_subset(
        &mut self,
        power: TyId,
        elements: &[V],
        some: bool,
        each: Each<'_>,
    ) -> R<()> {
        let ty = self.reps().element(power);
        self.each_subset_of(ty, elements, some, each)
    }

    /// Every subset, of type `ty`, of listed elements.
    pub(crate) fn each_subset_of(
        &mut self,
        ty: TyId,
        elements: &[V],
        some: bool,
        each: Each<'_>,
    ) -> R<()> {
        let reps = self.reps();
        // In the order of the masks: every subset of the first n elements comes before the n+1st is used.
        let n = elements.len();
        if n >= 63 {
            return Err(Cause::TooLarge.trap());
        }
        for mask in u64::from(some)..1 << n {
            self.spend()?;
            let chosen = crate::value::bits(u128::from(mask))
                .map(|i| elements[i as usize].clone())
                .collect();
            each(self, reps.set(ty, chosen))?;
        }
        Ok(())
    }

    /// Every subset of so many elements, in order.
    pub(crate) fn each_chosen(
        &mut self,
        ty: TyId,
        elements: &[V],
        size: usize,
        chosen: &mut Vec<V>,
        each: Each<'_>,
    ) -> R<()> {
        self.go_on()?;
        if size == 0 {
            let set = self.reps().set(ty, chosen.clone());
            return each(self, set);
        }
        for (i, element) in elements.iter().enumerate() {
            if elements.len() - i < size {
                break;
            }
            chosen.push(element.clone());
            let rest = &elements[i + 1..];
            let result = base::deep::recurse(|| self.each_chosen(ty, rest, size - 1, chosen, each));
            chosen.pop();
            result?;
        }
        Ok(())
    }

    pub(super) fn each_record(
        &mut self,
        ty: TyId,
        lists: &[Vec<V>],
        chosen: &mut Vec<V>,
        each: Each<'_>,
    ) -> R<()> {
        let Some(list) = lists.get(chosen.len()) else {
            let record = self.reps().record(ty, chosen.clone());
            return each(self, record);
        };
        for value in list {
            chosen.push(value.clone());
            let result = self.each_record(ty, lists, chosen, each);
            chosen.pop();
            result?;
        }
        Ok(())
    }

    /// Every relation of a space between listed sets; `ty` is the type of one relation.
    pub(crate) fn each_relation(
        &mut self,
        op: Op,
        ty: TyId,
        from: &[V],
        to: &[V],
        each: Each<'_>,
    ) -> R<()> {
        let space = Space::of(op);
        if space.injective && space.total && from.len() > to.len() {
            return Ok(());
        }
        if space.functional && space.surjective && to.len() > from.len() {
            return Ok(());
        }
        let mut search = Relations {
            space,
            ty,
            from,
            to,
            pairs: Vec::new(),
            used: vec![0; to.len()],
            missing: to.len(),
        };
        search.choose(self, 0, each)
    }

    pub(super) fn each_sequence(
        &mut self,
        op: Op,
        ty: TyId,
        of: &[V],
        place: u32,
        each: Each<'_>,
    ) -> R<()> {
        let (least, most, injective) = match op {
            Op::Permutations => (of.len(), of.len(), true),
            Op::InjectiveSequences => (0, of.len(), true),
            Op::InjectiveSequences1 => (1, of.len(), true),
            _ => {
                let most = self.program.max_int.max(0) as usize;
                if !of.is_empty() {
                    self.cut(place, || format!("sequences were cut at length {most}"))?;
                }
                let most = if of.is_empty() { 0 } else { most };
                (usize::from(op == Op::Sequences1), most, false)
            }
        };
        for length in least..=most {
            self.each_of_length(ty, of, length, injective, &mut Vec::new(), each)?;
        }
        Ok(())
    }

    /// The sequences of these lengths.
    pub(crate) fn each_short(
        &mut self,
        ty: TyId,
        of: &[V],
        lengths: std::ops::RangeInclusive<i64>,
        each: Each<'_>,
    ) -> R<()> {
        for length in lengths {
            self.each_of_length(ty, of, length as usize, false, &mut Vec::new(), each)?;
        }
        Ok(())
    }

    fn each_of_length(
        &mut self,
        ty: TyId,
        of: &[V],
        length: usize,
        injective: bool,
        chosen: &mut Vec<usize>,
        each: Each<'_>,
    ) -> R<()> {
        self.spend()?;
        if chosen.len() == length {
            let values = chosen.iter().map(|i| of[*i].clone()).collect();
            let sequence = self.sequence(ty, values);
            return each(self, sequence);
        }
        for i in 0..of.len() {
            if injective && chosen.contains(&i) {
                continue;
            }
            chosen.push(i);
            let result = base::deep::recurse(|| {
                self.each_of_length(ty, of, length, injective, chosen, each)
            });
            chosen.pop();
            result?;
        }
        Ok(())
    }

    /// The sequence of these values.
    pub(crate) fn sequence(&self, ty: TyId, values: Vec<V>) -> V {
        let reps = self.reps();
        let pair = reps.element(ty);
        let pairs = values
            .into_iter()
            .enumerate()
            .map(|(i, value)| reps.join(pair, V::Int(i as i64 + 1), value))
            .collect();
        reps.set(ty, pairs)
    }
}

struct Relations<'a> {
    space: Space,
    ty: TyId,
    from: &'a [V],
    to: &'a [V],
    pairs: Vec<V>,
    used: Vec<u32>,
    missing: usize,
}

impl Relations<'_> {
    fn choose(&mut self, cx: &mut Cx<'_>, i: usize, each: Each<'_>) -> R<()> {
        // One level for every point of a domain, which may be large.
        if i.is_multiple_of(64) {
            base::deep::recurse(|| self.choose_here(cx, i, each))
        } else {
            self.choose_here(cx, i, each)
        }
    }

    fn choose_here(&mut self, cx: &mut Cx<'_>, i: usize, each: Each<'_>) -> R<()> {
        cx.spend()?;
        let space = self.space;
        if i == self.from.len() {
            if space.surjective && self.missing > 0 {
                return Ok(());
            }
            let relation = cx.reps().set(self.ty, self.pairs.clone());
            return each(cx, relation);
        }
        if space.surjective && space.functional && self.missing > self.from.len() - i {
            return Ok(());
        }
        if space.functional {
            if !space.total {
                self.choose(cx, i + 1, each)?;
            }
            for j in 0..self.to.len() {
                if space.injective && self.used[j] > 0 {
                    continue;
                }
                self.push(cx, i, j);
                let result = self.choose(cx, i + 1, each);
                self.pop(j);
                result?;
            }
            return Ok(());
        }
        if self.to.len() >= 63 {
            return Err(Cause::TooLarge.trap());
        }
        for mask in u64::from(space.total)..1 << self.to.len() {
            for j in crate::value::bits(u128::from(mask)) {
                self.push(cx, i, j as usize);
            }
            let result = self.choose(cx, i + 1, each);
            for j in crate::value::bits(u128::from(mask)) {
                self.pop(j as usize);
            }
            result?;
        }
        Ok(())
    }

    fn push(&mut self, cx: &Cx<'_>, i: usize, j: usize) {
        let pair = cx.reps().element(self.ty);
        let value = cx
            .reps()
            .join(pair, self.from[i].clone(), self.to[j].clone());
        self.pairs.push(value);
        self.used[j] += 1;
        if self.used[j] == 1 {
            self.missing -= 1;
        }
    }

    fn pop(&mut self, j: usize) {
        self.pairs.pop();
        self.used[j] -= 1;
        if self.used[j] == 0 {
            self.missing += 1;
        }
    }
}
