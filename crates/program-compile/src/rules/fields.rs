//! States as bits that permutations move: so that whoever chooses representatives sorts elements by what they hold.
//!
//! Only where every family is bits of a slot with one index and no elements in it, or a single word that may be an element:
//! then nothing that belongs to one element names another, and what an element holds is a number (`reduce`, `acting/keyed.rs`).
//! Invariant: permuting by the action is permuting (law 5 of [`pins::Permute`]).

use pins::action::{Action, Cell, Family, Field};
use pins::symmetry::classes;

use super::points::Points;
use super::slots::{Slot, Slots};

/// The most elements: more permutations than can be counted are of no use.
const MOST: usize = 32;

/// The action of exchanging elements; `None` where a state is more than bits that belong to single elements.
pub(super) fn action(points: &Points, slots: &Slots) -> Option<Action> {
    let count = points.count();
    if count > MOST {
        return None;
    }
    let names = points.sorts.iter();
    let names = names.flat_map(|sort| std::iter::repeat_n(sort.name, sort.classes.len()));
    let mut action = Action {
        points: names.collect(),
        processes: count,
        generators: generators(points),
        keeps_start: true,
        ..Action::default()
    };
    for (number, slot) in slots.list.iter().enumerate() {
        if slot.family.is_some() {
            add_family(&mut action, slots, number, slot)?;
        }
    }
    Some(action)
}

/// Adds the cells of a slot.
fn add_family(action: &mut Action, slots: &Slots, number: usize, slot: &Slot) -> Option<()> {
    let moving = &slot.family.as_ref()?.moving;
    let values = moving.values();
    let is_single = slot.words.len() == 1 && moving.is_single();
    let is_plain = moving.is_flat() && values.is_empty();
    if slots.is_in_table(number) || !moving.is_of_words() || !(is_plain || is_single) {
        return None;
    }
    let table = (!values.is_empty()).then_some(action.tables.len());
    action.tables.extend(table.map(|_| values));
    let family = action.families.len();
    action.families.push(Family {
        name: String::new(),
        is_control: false,
    });
    let mut shift = 0;
    for (at, (_, bits)) in slot.words.iter().enumerate() {
        let field = Field {
            slot: number,
            shift,
            mask: u32::MAX >> (32 - u32::from((*bits).clamp(1, 32))),
        };
        shift += u32::from(*bits);
        let index: Vec<u32> = moving.point_at(at).into_iter().collect();
        // What stands at no element and names none stays as it is.
        if table.is_some() || !index.is_empty() {
            action.cells.push(Cell {
                field,
                family,
                index,
                table,
                within: None,
            });
        }
    }
    Some(())
}

/// For each set of elements the exchange of the first two and a rotation.
fn generators(points: &Points) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..points.count() as u32).collect();
    let mut all = Vec::new();
    for class in classes(&points.sorts) {
        let mut exchanged = identity.clone();
        exchanged.swap(class[0] as usize, class[1] as usize);
        let mut rotated = identity.clone();
        for (at, point) in class.iter().enumerate() {
            rotated[*point as usize] = class[(at + 1) % class.len()];
        }
        all.extend([exchanged, rotated]);
    }
    all
}
