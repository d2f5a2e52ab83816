//! The points that permutations exchange, numbered through: processes, channels, values of other kinds, locations.

use crate::kinds::{KindId, Kinds};
use crate::values::Values;

/// All points.
#[derive(Clone, Debug)]
pub struct Points {
    /// How many processes there are: the first points, by pid.
    pub processes: usize,
    /// How many channels there are: the next points, by reference from 1 on.
    pub channels: usize,
    /// Other kinds: by the number that stands for them, with their values and the point of the first.
    pub kinds: Vec<(KindId, Vec<i64>, u32)>,
    /// For each graph (proctypes, then the observer) the points of its locations, where they may move.
    pub locations: Vec<Vec<Option<u32>>>,
    /// How many points there are.
    pub count: usize,
}

impl Points {
    /// Numbers the points; `settled` are the locations that may move, for each graph.
    pub fn new(
        kinds: &Kinds<'_>,
        values: &Values,
        processes: usize,
        channels: usize,
        settled: &[Vec<bool>],
    ) -> Points {
        let mut count = processes + channels;
        let mut others: Vec<KindId> = values.sets.keys().copied().collect();
        others.retain(|kind| {
            !kinds.is_pid(*kind) && !kinds.is_channel(*kind) && values.is_moving(kinds, *kind)
        });
        others.sort();
        let others = others.into_iter().map(|kind| {
            let own: Vec<i64> = values.sets[&kind].iter().copied().collect();
            let first = count as u32;
            count += own.len();
            (kind, own, first)
        });
        let kinds = others.collect();
        let locations = settled.iter().map(|graph| {
            let points = graph.iter().map(|is_settled| {
                is_settled.then(|| {
                    count += 1;
                    count as u32 - 1
                })
            });
            points.collect()
        });
        let locations = locations.collect();
        Points {
            processes,
            channels,
            kinds,
            locations,
            count,
        }
    }

    /// The point of a location of a graph.
    pub fn location(&self, graph: usize, location: usize) -> Option<u32> {
        self.locations[graph][location]
    }

    /// The point of a value of a kind.
    pub fn value(&self, kinds: &Kinds<'_>, kind: KindId, value: i64) -> Option<u32> {
        let kind = kinds.find(kind);
        if kind == kinds.find(kinds.number) {
            return None;
        }
        if kinds.is_pid(kind) {
            let pid = usize::try_from(value).ok()?;
            return (pid < self.processes).then_some(pid as u32);
        }
        if kinds.is_channel(kind) {
            let number = usize::try_from(value - 1).ok()?;
            return (number < self.channels).then_some((self.processes + number) as u32);
        }
        let (_, values, first) = self.kinds.iter().find(|(own, _, _)| *own == kind)?;
        let at = values.binary_search(&value).ok()?;
        Some(first + at as u32)
    }
}
