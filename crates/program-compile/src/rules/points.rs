//! The elements of named scalarsets as points, and values with their points exchanged or shown.

use pins::{Sort, View};
use program::{Program, SortKind, Ty, TyId};

use super::layout::Layout;

/// Which codes are points.
#[derive(Debug)]
pub(crate) struct Points {
    /// The sorts with their points.
    pub sorts: Vec<Sort>,
    /// The point of each code.
    of_code: Vec<Option<u32>>,
    /// The code of each point.
    code: Vec<i64>,
}

impl Points {
    /// The points of a program: elements of scalarsets with a name.
    pub fn new(program: &Program) -> Points {
        let mut points = Points {
            sorts: Vec::new(),
            of_code: Vec::new(),
            code: Vec::new(),
        };
        for (_, sort) in program.types.sorts.iter() {
            let last = sort.first + sort.elements.len() as i64;
            if points.of_code.len() < last as usize {
                points.of_code.resize(last as usize, None);
            }
            let (SortKind::Scalarset, Some(name)) = (sort.kind, sort.name) else {
                continue;
            };
            let first = points.code.len() as u32;
            for code in sort.first..last {
                points.of_code[code as usize] = Some(points.code.len() as u32);
                points.code.push(code);
            }
            points.sorts.push(Sort {
                name,
                first,
                classes: vec![0; sort.elements.len()],
            });
        }
        points
    }

    /// Whether values of a type can hold points.
    pub fn holds(&self, program: &Program, ty: TyId) -> bool {
        match program.types.get(ty) {
            Ty::Sort(_) | Ty::Union(_) => {
                let ranges = program.types.ranges(ty).unwrap_or_default();
                ranges.iter().any(|(low, _)| self.point(*low).is_some())
            }
            Ty::Array { index, element } => {
                self.holds(program, *index) || self.holds(program, *element)
            }
            Ty::Record(record) => {
                let fields = &program.types.records[*record].fields;
                fields.iter().any(|(_, field)| self.holds(program, *field))
            }
            Ty::Multiset { element, .. } => self.holds(program, *element),
            _ => false,
        }
    }

    /// How many points there are.
    pub fn count(&self) -> usize {
        self.code.len()
    }

    /// The point of a code.
    pub fn point(&self, code: i64) -> Option<u32> {
        self.of_code
            .get(usize::try_from(code).ok()?)
            .copied()
            .flatten()
    }

    /// A code with points exchanged.
    #[inline]
    pub fn image(&self, code: i64, permutation: &[u32]) -> i64 {
        match self.point(code) {
            Some(point) => self.code[permutation[point as usize] as usize],
            None => code,
        }
    }
}

/// Values of a program, for permuting.
#[derive(Clone, Copy)]
pub(crate) struct Values<'v> {
    pub program: &'v Program,
    pub layout: &'v Layout,
    pub points: &'v Points,
}

impl Values<'_> {
    /// Puts the value `from`, with its points exchanged, into `to`.
    pub fn permute(&self, ty: TyId, from: &[u32], to: &mut [u32], permutation: &[u32]) {
        match self.program.types.get(ty) {
            Ty::Array { index, element } => {
                let stride = self.layout.ty(*element).words as usize;
                let index = self.layout.ty(*index);
                for (at, value) in index.values().enumerate() {
                    let image = index
                        .position(self.points.image(value, permutation))
                        .unwrap_or(0) as usize;
                    let (from, to) = (
                        &from[at * stride..][..stride],
                        &mut to[image * stride..][..stride],
                    );
                    self.permute(*element, from, to, permutation);
                }
            }
            Ty::Record(record) => {
                let mut at = 0;
                for (_, field) in &self.program.types.records[*record].fields {
                    let words = self.layout.ty(*field).words as usize;
                    self.permute(
                        *field,
                        &from[at..at + words],
                        &mut to[at..at + words],
                        permutation,
                    );
                    at += words;
                }
            }
            Ty::Multiset { element, .. } => {
                let stride = self.layout.ty(*element).words as usize + 1;
                for (from, to) in from.chunks_exact(stride).zip(to.chunks_exact_mut(stride)) {
                    to[0] = from[0];
                    match from[0] {
                        0 => to[1..].fill(0),
                        _ => self.permute(*element, &from[1..], &mut to[1..], permutation),
                    }
                }
                sort_places(to, stride);
            }
            Ty::Sort(_) | Ty::Union(_) if from[0] != 0 => {
                let bias = self.layout.ty(ty).bias;
                let image = self.points.image(i64::from(from[0]) + bias, permutation);
                to[0] = (image - bias) as u32;
            }
            _ => to[0] = from[0],
        }
    }

    /// Shows a value as a term.
    pub fn view(&self, ty: TyId, words: &[u32], view: &mut dyn View) {
        if !self.points.holds(self.program, ty) {
            let atom: Vec<u64> = words.iter().map(|word| u64::from(*word)).collect();
            return view.atom(&atom);
        }
        match self.program.types.get(ty) {
            Ty::Array { index, element } => {
                let stride = self.layout.ty(*element).words as usize;
                let moves = self.points.holds(self.program, *index);
                let index = self.layout.ty(*index);
                let count = index.count() as usize;
                if moves {
                    view.set(count)
                } else {
                    view.tuple(count)
                }
                for (at, value) in index.values().enumerate() {
                    if moves {
                        view.tuple(2);
                        self.view_code(value, view);
                    }
                    self.view(*element, &words[at * stride..][..stride], view);
                }
            }
            Ty::Record(record) => {
                let fields = &self.program.types.records[*record].fields;
                view.tuple(fields.len());
                let mut at = 0;
                for (_, field) in fields {
                    let count = self.layout.ty(*field).words as usize;
                    self.view(*field, &words[at..at + count], view);
                    at += count;
                }
            }
            Ty::Multiset { element, .. } => {
                let stride = self.layout.ty(*element).words as usize + 1;
                // Equal elements stand side by side; a term's set has each part once, with how often it is there.
                let mut parts: Vec<(&[u32], u64)> = Vec::new();
                for place in words.chunks_exact(stride).filter(|place| place[0] != 0) {
                    match parts.last_mut() {
                        Some((last, count)) if *last == &place[1..] => *count += 1,
                        _ => parts.push((&place[1..], 1)),
                    }
                }
                view.set(parts.len());
                for (part, count) in parts {
                    view.tuple(2);
                    self.view(*element, part, view);
                    view.atom(&[count]);
                }
            }
            _ => match words[0] {
                0 => view.atom(&[u64::MAX]),
                word => self.view_code(i64::from(word) + self.layout.ty(ty).bias, view),
            },
        }
    }

    /// Shows a code of a sort.
    pub fn view_code(&self, code: i64, view: &mut dyn View) {
        match self.points.point(code) {
            Some(point) => view.point(point),
            None => view.atom(&[code as u64]),
        }
    }
}

/// Up to so many places are put in order where they are: mostly one is out of order, and room elsewhere costs more.
const FEW_PLACES: usize = 64;

/// Puts the places of a multiset in order: taken ones first, ascending.
pub(crate) fn sort_places(words: &mut [u32], stride: usize) {
    let is_ordered = |a: &[u32], b: &[u32]| b[0] < a[0] || b[0] == a[0] && a[1..] <= b[1..];
    let mut pairs = words
        .chunks_exact(stride)
        .zip(words.chunks_exact(stride).skip(1));
    let Some(first) = pairs.position(|(a, b)| !is_ordered(a, b)) else {
        return;
    };
    if words.len() > FEW_PLACES * stride {
        let mut places: Vec<Vec<u32>> = words.chunks_exact(stride).map(<[u32]>::to_vec).collect();
        places.sort_by(|a, b| b[0].cmp(&a[0]).then_with(|| a[1..].cmp(&b[1..])));
        for (place, sorted) in words.chunks_exact_mut(stride).zip(&places) {
            place.copy_from_slice(sorted);
        }
        return;
    }
    // The places before `next` are in order.
    for next in ((first + 1) * stride..words.len()).step_by(stride) {
        let (sorted, rest) = words.split_at(next);
        let place = &rest[..stride];
        let behind = sorted.rchunks_exact(stride);
        let behind = behind.take_while(|other| !is_ordered(other, place)).count();
        words[next - behind * stride..next + stride].rotate_right(stride);
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW_PLACES, sort_places};

    /// All ways to fill four places, and a long multiset backwards.
    #[test]
    fn places_are_in_order_afterwards() {
        for filling in 0..7usize.pow(4) {
            let place = |at: u32| filling / 7usize.pow(at) % 7;
            // Free, or taken by one of two words in each of two parts.
            let words: Vec<u32> = (0..4)
                .flat_map(|at| match place(at) as u32 {
                    0 => [0, 0, 0],
                    taken => [1, taken / 3, taken % 3],
                })
                .collect();
            let mut wanted: Vec<[u32; 3]> = words.as_chunks().0.to_vec();
            wanted.sort_by_key(|place| (1 - place[0], *place));
            let mut sorted = words.clone();
            sort_places(&mut sorted, 3);
            assert_eq!(sorted, wanted.as_flattened(), "{words:?}");
        }
        let many = FEW_PLACES as u32 + 9;
        let mut words: Vec<u32> = (0..many).flat_map(|at| [1, many - at]).collect();
        sort_places(&mut words, 2);
        let wanted: Vec<u32> = (0..many).flat_map(|at| [1, 1 + at]).collect();
        assert_eq!(words, wanted);
    }
}
