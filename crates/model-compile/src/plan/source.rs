//! Where an enumeration takes candidates from, one after the other, and what went wrong when there are none.
//!
//! Invariant: a failure of the source is told apart from one of whoever receives the candidates.

use super::{Bound, Plan, Source, Unknown};
use crate::cx::{Cx, K, R};
use crate::trap::{Cause, Trap};
use crate::value::V;

impl Plan {
    pub(super) fn each(
        &self,
        cx: &mut Cx<'_>,
        i: usize,
        unknown: Unknown,
        source: &Source,
        otherwise: Option<&Plan>,
        k: K<'_>,
    ) -> R<()> {
        match source {
            Source::Bits(mask) => {
                let mut mask = match mask(cx) {
                    Ok(mask) => mask,
                    Err(trap) => return self.unready(cx, trap, otherwise, k),
                };
                while mask != 0 {
                    let bit = mask.trailing_zeros();
                    mask &= mask - 1;
                    unknown.bind(cx, V::Word(u64::from(bit)));
                    self.go_on(cx, i, k)?;
                }
                Ok(())
            }
            Source::Wide(mask) => {
                let mask = match mask(cx) {
                    Ok(mask) => mask,
                    Err(trap) => return self.unready(cx, trap, otherwise, k),
                };
                for bit in crate::value::bits(mask) {
                    unknown.bind(cx, V::Word(bit));
                    self.go_on(cx, i, k)?;
                }
                Ok(())
            }
            Source::Submasks(mask, some) => {
                let mask = match mask(cx) {
                    Ok(mask) => mask,
                    Err(trap) => return self.unready(cx, trap, otherwise, k),
                };
                let mut sub = 0u64;
                loop {
                    if sub != 0 || !some {
                        unknown.bind(cx, V::Word(sub));
                        self.go_on(cx, i, k)?;
                    }
                    sub = sub.wrapping_sub(mask) & mask;
                    if sub == 0 {
                        return Ok(());
                    }
                }
            }
            Source::Codes(size) => {
                for code in 0..*size {
                    unknown.bind(cx, V::Word(code));
                    self.go_on(cx, i, k)?;
                }
                Ok(())
            }
            Source::Range(lows, highs) if let Some((low, high)) = small_range(cx, lows, highs) => {
                for value in low..=high {
                    unknown.bind(cx, V::Int(value));
                    self.go_on(cx, i, k)?;
                }
                Ok(())
            }
            _ => {
                let mut is_begun = false;
                let mut given = |cx: &mut Cx<'_>, value: V| {
                    is_begun = true;
                    unknown.bind(cx, value);
                    self.go_on(cx, i, k)
                };
                let result = match source {
                    Source::Pointwise(search) => relay(&mut given, |given| {
                        search.run(cx, unknown, self.place, given)
                    }),
                    _ => source.give(cx, self.place, &mut given),
                };
                match result {
                    Ok(()) => Ok(()),
                    Err(Failed::Source(trap)) => {
                        self.unready(cx, trap, otherwise.filter(|_| !is_begun), k)
                    }
                    Err(Failed::Receiver(trap)) => Err(trap),
                }
            }
        }
    }
}

/// Who failed: the source of candidates, or what was done with one.
enum Failed {
    Source(Trap),
    Receiver(Trap),
}

impl Source {
    /// The set of candidates as a value.
    pub(super) fn ready(&self, cx: &mut Cx<'_>) -> R<V> {
        match self {
            Source::Set(set) => set(cx),
            Source::Image(relation, ty, argument) => {
                let relation = relation(cx)?;
                let argument = argument(cx)?;
                Ok(V::listed(cx.image_of(*ty, &relation, &argument)?))
            }
            Source::Bits(mask) => Ok(V::Word(mask(cx)?)),
            Source::Wide(mask) => Ok(V::of_wide(mask(cx)?)),
            _ => {
                let mut values = Vec::new();
                let result = self.give(cx, crate::doubt::NOWHERE, &mut |_, value| {
                    values.push(value);
                    Ok(())
                });
                match result {
                    Ok(()) => {
                        values.sort_unstable();
                        values.dedup();
                        Ok(V::listed(values))
                    }
                    Err(Failed::Source(trap) | Failed::Receiver(trap)) => Err(trap),
                }
            }
        }
    }

    fn give(
        &self,
        cx: &mut Cx<'_>,
        place: u32,
        given: &mut dyn FnMut(&mut Cx<'_>, V) -> R<()>,
    ) -> Result<(), Failed> {
        match self {
            Source::Range(lows, highs) => {
                let (low, high) = ends(cx, lows, highs).map_err(Failed::Source)?;
                let (min, max) = cx.program.cut;
                let (low, high) = match (low, high) {
                    (Some(low), Some(high)) => (low, high),
                    (Some(low), None) => {
                        let high = V::Int(max.max(low.small().unwrap_or(max)));
                        cx.cut(place, || {
                            format!("integers without an upper bound were cut at {max}")
                        })
                        .map_err(Failed::Source)?;
                        (low, high)
                    }
                    (None, Some(high)) => {
                        let low = V::Int(min.min(high.small().unwrap_or(min)));
                        cx.cut(place, || {
                            format!("integers without a lower bound were cut at {min}")
                        })
                        .map_err(Failed::Source)?;
                        (low, high)
                    }
                    (None, None) => {
                        cx.cut(place, || {
                            format!("integers without bounds were cut to {min}..{max}")
                        })
                        .map_err(Failed::Source)?;
                        (V::Int(min), V::Int(max))
                    }
                };
                if let (V::Int(low), V::Int(high)) = (&low, &high) {
                    for value in *low..=*high {
                        given(cx, V::Int(value)).map_err(Failed::Receiver)?;
                    }
                    return Ok(());
                }
                let (mut next, high) = (low.to_big(), high.to_big());
                while next <= high {
                    given(cx, V::big(next.clone())).map_err(Failed::Receiver)?;
                    next += 1;
                }
                Ok(())
            }
            Source::Subsets(set, ty) => {
                let set = set(cx).map_err(Failed::Source)?;
                let elements = cx.collect(&set, place).map_err(Failed::Source)?;
                relay(given, |given| {
                    cx.each_subset_of(*ty, &elements, false, given)
                })
            }
            Source::Short { op, ty, of, most } => {
                let mut longest: Option<V> = None;
                for bound in most {
                    let bound = bound(cx).map_err(Failed::Source)?;
                    if longest
                        .as_ref()
                        .is_none_or(|known| bound.cmp_number(known).is_lt())
                    {
                        longest = Some(bound);
                    }
                }
                let of = of(cx).map_err(Failed::Source)?;
                let of = cx.collect(&of, place).map_err(Failed::Source)?;
                let Some(longest) = longest.and_then(|most| most.small()) else {
                    return Err(Failed::Source(Cause::TooLarge.trap()));
                };
                let least = i64::from(*op == lang_math::Op::Sequences1);
                let most = if of.is_empty() {
                    longest.min(0)
                } else {
                    longest
                };
                relay(given, |given| cx.each_short(*ty, &of, least..=most, given))
            }
            Source::Chosen { of, ty, size } => {
                let size = size(cx).map_err(Failed::Source)?;
                let of = of(cx).map_err(Failed::Source)?;
                let of = cx.collect(&of, place).map_err(Failed::Source)?;
                match size.small().map(usize::try_from) {
                    Some(Ok(size)) if size <= of.len() => relay(given, |given| {
                        cx.each_chosen(*ty, &of, size, &mut Vec::new(), given)
                    }),
                    _ => Ok(()),
                }
            }
            Source::Type(ty) => relay(given, |given| cx.each_of_type(*ty, place, given)),
            // Runs only where the unknown is at hand, in `Plan::each`.
            Source::Pointwise(_) => Ok(()),
            Source::Codes(size) => {
                for code in 0..*size {
                    given(cx, V::Word(code)).map_err(Failed::Receiver)?;
                }
                Ok(())
            }
            Source::Submasks(mask, some) => {
                let mask = mask(cx).map_err(Failed::Source)?;
                let mut sub = 0u64;
                loop {
                    if sub != 0 || !some {
                        given(cx, V::Word(sub)).map_err(Failed::Receiver)?;
                    }
                    sub = sub.wrapping_sub(mask) & mask;
                    if sub == 0 {
                        return Ok(());
                    }
                }
            }
            Source::Bits(_) | Source::Wide(_) | Source::Set(_) | Source::Image(..) => {
                let set = self.ready(cx).map_err(Failed::Source)?;
                relay(given, |given| cx.each(&set, place, given))
            }
        }
    }
}

/// Runs an enumeration that reports failures of both sides alike, and tells them apart.
fn relay(
    given: &mut dyn FnMut(&mut Cx<'_>, V) -> R<()>,
    run: impl FnOnce(&mut dyn FnMut(&mut Cx<'_>, V) -> R<()>) -> R<()>,
) -> Result<(), Failed> {
    let mut receiver = None;
    let result = run(&mut |cx, value| given(cx, value).inspect_err(|trap| receiver = Some(*trap)));
    match (result, receiver) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(trap)) => Err(Failed::Receiver(trap)),
        (Err(trap), None) => Err(Failed::Source(trap)),
    }
}

/// The ends of a range with one bound on each side, where both are small; `None` asks for [`ends`].
#[inline]
fn small_range(cx: &mut Cx<'_>, lows: &[Bound], highs: &[Bound]) -> Option<(i64, i64)> {
    let ([low], [high]) = (lows, highs) else {
        return None;
    };
    let low = (low.code.fast)(cx).ok()?;
    Some((low, (high.code.fast)(cx).ok()?))
}

/// The greatest low end and the least high end. What is undefined is no end, and where it comes before others in the
/// text neither are those: the conjunct is tested, and tells of it.
fn ends(cx: &mut Cx<'_>, lows: &[Bound], highs: &[Bound]) -> R<(Option<V>, Option<V>)> {
    let mut undefined = u32::MAX;
    let low = bound(cx, lows, true, &mut undefined)?;
    let high = bound(cx, highs, false, &mut undefined)?;
    let is_late = |bound: &Bound| bound.order.1 && bound.order.0 > undefined;
    if !lows.iter().chain(highs).any(is_late) {
        return Ok((low, high));
    }
    let early = |bounds: &[Bound]| {
        let early = bounds.iter().filter(|bound| !is_late(bound));
        early.cloned().collect::<Vec<Bound>>()
    };
    let (lows, highs) = (early(lows), early(highs));
    let low = bound(cx, &lows, true, &mut undefined)?;
    Ok((low, bound(cx, &highs, false, &mut undefined)?))
}

/// The best of some ends; `undefined` becomes the first place in the text of one that is none.
fn bound(cx: &mut Cx<'_>, bounds: &[Bound], greatest: bool, undefined: &mut u32) -> R<Option<V>> {
    let mut best: Option<V> = None;
    for bound in bounds {
        let value = match bound.code.value(cx) {
            Ok(value) => value,
            Err(trap) if bound.optional && trap.is_undefined() => {
                *undefined = bound.order.0.min(*undefined);
                continue;
            }
            Err(trap) => return Err(trap),
        };
        let better = match &best {
            None => true,
            Some(best) => value.cmp_number(best).is_gt() == greatest,
        };
        if better {
            best = Some(value);
        }
    }
    Ok(best)
}
