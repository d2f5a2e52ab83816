//! Which events break how much of a symmetry: what `--symmetry adaptive` can make use of where events name elements.
//!
//! A set that more than half of the events tell apart is no case of partial symmetry (the places of a program are such a set): it is left out.
//! Invariant: the permutations that an event keeps are counted among those that everything but events keeps.

use std::collections::BTreeMap;

use base::Sources;
use reduce::symmetry::Telling;
use serde::Serialize;
use subject::Subject;
use subject::symmetry::Breaks;

/// An event that tells elements apart which nothing but events does.
#[derive(Clone, Debug, Serialize)]
pub struct BreakingReport {
    /// The event.
    pub event: String,
    /// The set.
    pub set: String,
    /// The elements that it leaves interchangeable with each other, as numbers of elements; the largest first.
    pub cells: Vec<usize>,
    /// One in so many permutations is kept, as a number; `null` from 2^128 on.
    pub one_in: Option<String>,
}

/// All events that break a symmetry, in their order; edges of processes by their places.
pub(super) fn breaking(subject: &dyn Subject, sources: &Sources) -> Vec<BreakingReport> {
    let Some(partial) = subject.partial_symmetry(&[]) else {
        return Vec::new();
    };
    match partial.breaks {
        Breaks::Elements { base, events } => {
            let names = subject.description().events.iter();
            let names = names.map(|event| event.name.to_string());
            let named: Vec<(String, Telling)> = names.zip(events.iter().cloned()).collect();
            let told = reports(&base, &named);
            let is_partial =
                |set: &str| 2 * told.iter().filter(|t| t.set == set).count() <= events.len();
            let partial = told.iter().filter(|told| is_partial(&told.set));
            partial.cloned().collect()
        }
        Breaks::Steps { base, edges } => {
            let places = edges.into_iter();
            let places = places.map(|(span, told)| (format!("at {}", sources.place(span)), told));
            reports(&base, &places.collect::<Vec<_>>())
        }
        Breaks::Nothing => Vec::new(),
    }
}

/// What named events tell apart that the base does not.
fn reports(base: &Telling, named: &[(String, Telling)]) -> Vec<BreakingReport> {
    let told = named.iter().flat_map(|(event, telling)| {
        base.iter().filter_map(|(set, before)| {
            let (_, after) = telling.iter().find(|(name, _)| name == set)?;
            let (cells, one_in) = left(before, after)?;
            Some(BreakingReport {
                event: event.clone(),
                set: set.to_string(),
                cells,
                one_in: one_in.map(|count| count.to_string()),
            })
        })
    });
    told.collect()
}

/// The sizes of the cells that finer classes make, and how many times fewer permutations they have; `None` when nothing changes.
fn left(before: &[u32], after: &[u32]) -> Option<(Vec<usize>, Option<u128>)> {
    let mut classes: BTreeMap<u32, BTreeMap<u32, usize>> = BTreeMap::new();
    for (class, cell) in before.iter().zip(after) {
        *classes.entry(*class).or_default().entry(*cell).or_default() += 1;
    }
    let mut one_in = Some(1u128);
    for cells in classes.values() {
        let mut placed = 0;
        for size in cells.values() {
            // The ways to choose the elements of each cell.
            for taken in 1..=*size as u128 {
                placed += 1;
                one_in = one_in.and_then(|ways| ways.checked_mul(placed));
                one_in = one_in.map(|ways| ways / taken);
            }
        }
    }
    let count = classes.len();
    let cells = classes.into_values().flat_map(BTreeMap::into_values);
    let mut cells: Vec<usize> = cells.collect();
    cells.sort_unstable_by(|a, b| b.cmp(a));
    (cells.len() > count).then_some((cells, one_in))
}

impl BreakingReport {
    /// `operation share tells elements of Proc apart and leaves 3 and 1 interchangeable: one in 4 permutations`
    pub(super) fn line(&self, word: &str) -> String {
        let cells: Vec<String> = self.cells.iter().map(usize::to_string).collect();
        let one_in = self.one_in.as_deref().unwrap_or("2^128 or more");
        format!(
            "{word} {} tells elements of {} apart and leaves {} interchangeable: one in {one_in} permutations",
            self.event,
            self.set,
            cells.join(" and "),
        )
    }
}
