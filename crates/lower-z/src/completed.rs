//! Equations that say what the parts of a chosen value are, put together to one that says what it is.
//!
//! Specifications change a function or a sequence by its parts: `{x} ⩤ f' = {x} ⩤ f ∧ f' x = v`, `front s' = s ∧ last s' = v`.
//! One equation for the whole is computed where two for its parts would be searched.
//! Invariant: nothing is taken away; an equation that follows from others is added.

use lang_math::Op;
use model::{ExprId, Kind, LocalId};
use smallvec::smallvec;

use super::Lower;
use super::redundant::key;

/// What an equation says of a part of a chosen value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// All but the value at a point.
    Elsewhere,
    /// The value at a point.
    Point,
    Front,
    Last,
    Tail,
    Head,
}

impl About {
    /// The part that completes another one.
    fn rest(self) -> Option<About> {
        match self {
            About::Elsewhere => Some(About::Point),
            About::Front => Some(About::Last),
            About::Tail => Some(About::Head),
            _ => None,
        }
    }
}

/// An equation about a part of a chosen value.
struct PartOf {
    whole: LocalId,
    about: About,
    /// The point, and its text.
    point: Option<(ExprId, String)>,
    value: ExprId,
    at: usize,
}

impl Lower<'_> {
    /// Two equations that say what the parts of a chosen value are say what it is: `{x} ⩤ f' = g` with `f' x = v`,
    /// `front s' = t` with `last s' = v`. The equation stands before the later of them; they stay as tests.
    pub(super) fn completed(&mut self, conjuncts: Vec<ExprId>, chosen: &[LocalId]) -> Vec<ExprId> {
        let mut parts: Vec<PartOf> = Vec::new();
        for (at, conjunct) in conjuncts.iter().enumerate() {
            let Kind::Op(Op::Equal, args) = &self.model.exprs[*conjunct].kind else {
                continue;
            };
            for (side, value) in [(args[0], args[1]), (args[1], args[0])] {
                if !self.mentions(value, chosen)
                    && let Some((whole, about, point)) = self.part_of(side, chosen)
                {
                    let point = point.map(|point| (point, key(&self.model, point)));
                    parts.push(PartOf {
                        whole,
                        about,
                        point,
                        value,
                        at,
                    });
                }
            }
        }
        let mut found = Vec::new();
        for one in &parts {
            let Some(rest) = one.about.rest() else {
                continue;
            };
            let text = |part: &PartOf| part.point.as_ref().map(|(_, text)| text.clone());
            let other = parts.iter().find(|other| {
                other.whole == one.whole && other.about == rest && text(other) == text(one)
            });
            if let Some(other) = other {
                found.push((one.at.max(other.at), one, other.value));
            }
        }
        found.sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
        let mut result = conjuncts;
        for (at, one, value) in found {
            if let Some(equation) = self.whole_of(one, value) {
                result.insert(at, equation);
            }
        }
        result
    }

    /// Which part of which chosen value an expression is.
    fn part_of(
        &self,
        expr: ExprId,
        chosen: &[LocalId],
    ) -> Option<(LocalId, About, Option<ExprId>)> {
        let local = |expr: ExprId| match self.model.exprs[expr].kind {
            Kind::Local(local) if chosen.contains(&local) => Some(local),
            _ => None,
        };
        match &self.model.exprs[expr].kind {
            Kind::Apply(function, point) if !self.mentions(*point, chosen) => {
                Some((local(*function)?, About::Point, Some(*point)))
            }
            Kind::Op(Op::DomainSubtraction, args) => {
                let Kind::Op(Op::SetExtension, points) = &self.model.exprs[args[0]].kind else {
                    return None;
                };
                match points.as_slice() {
                    [point] if !self.mentions(*point, chosen) => {
                        Some((local(args[1])?, About::Elsewhere, Some(*point)))
                    }
                    _ => None,
                }
            }
            Kind::Op(op, args) => {
                let about = match op {
                    Op::Front => About::Front,
                    Op::Last => About::Last,
                    Op::Tail => About::Tail,
                    Op::First => About::Head,
                    _ => return None,
                };
                Some((local(args[0])?, about, None))
            }
            _ => None,
        }
    }

    /// The equation for a chosen value whose parts are known.
    fn whole_of(&mut self, one: &PartOf, value: ExprId) -> Option<ExprId> {
        let span = self.model.exprs[one.value].span;
        let whole = self.local_expr(one.whole);
        let ty = self.ty_of(whole)?;
        let (op, left, right) = match one.about {
            About::Elsewhere => {
                let (point, _) = one.point.as_ref()?;
                let pair = self.pair(*point, value, span)?;
                let single = self.op(Op::SetExtension, smallvec![pair], ty, span);
                (Op::Overwrite, one.value, single)
            }
            About::Front => (Op::InsertTail, one.value, value),
            About::Tail => (Op::InsertFront, value, one.value),
            _ => return None,
        };
        let together = self.op(op, smallvec![left, right], ty, span);
        Some(self.test(Op::Equal, smallvec![whole, together], span))
    }
}
