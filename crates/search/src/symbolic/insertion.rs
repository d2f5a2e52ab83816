//! Sorts what one step made of sorted states: only the column that the step changed can be out of order.
//!
//! Papers: [Emerson, Wahl 2005]; the column is inserted where it belongs, down first and then up, as in sorting by insertion.
//! Technique: images are kept apart by the column that their groups write. One pass down and one up serve all columns: what was exchanged
//! at one place goes on to the next one together with what begins there, and what was not exchanged is done. So an exchange looks
//! at few states, and no pass is needed to see that nothing is left to do.
//! Needs: sources are sorted; the order of two columns depends on their own slots and on slots that hold columns and were not written.
//! Otherwise, and where columns hold each other, everything is sorted as in `orbits.rs`.
//! Invariant: the result is what sorting gives.

use ldd::Node;
use pins::Shape;
use reduce::symmetry::Neighbours;

use super::config::Representatives;
use super::run::{Run, Stopped};

/// What a class of groups may bring out of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disorder {
    /// Nothing.
    Nothing,
    /// A column of a family, by its position.
    Column(usize, usize),
    /// Several columns.
    Anything,
}

/// Images by what is out of order in them.
pub(super) struct Images {
    sorted: Node,
    /// By family and column.
    columns: Vec<Vec<Node>>,
    others: Node,
}

impl Images {
    /// All sets.
    pub(super) fn all(&self) -> Vec<Node> {
        let mut all: Vec<Node> = self.columns.iter().flatten().copied().collect();
        all.extend([self.sorted, self.others]);
        all
    }

    fn of(&mut self, disorder: Disorder) -> &mut Node {
        match disorder {
            Disorder::Nothing => &mut self.sorted,
            Disorder::Column(family, column) => &mut self.columns[family][column],
            Disorder::Anything => &mut self.others,
        }
    }
}

/// What classes of groups bring out of order; these are the groups of each class.
pub(super) fn disorders(
    neighbours: &Neighbours<'_>,
    kind: Representatives,
    shape: &Shape,
    classes: &[&[usize]],
) -> Vec<Disorder> {
    // Elements that are alike only in some states were not sorted before that.
    let is_always = neighbours.conditions().is_some_and(|c| c.is_empty());
    if kind == Representatives::Multiple || !is_always {
        return vec![Disorder::Anything; classes.len()];
    }
    let mut slots = vec![Disorder::Nothing; shape.slots.len()];
    for (number, family) in neighbours.families().iter().enumerate() {
        for (at, exchange) in family.iter().enumerate() {
            for block in &exchange.blocks {
                for (position, slot) in block.slots.iter().enumerate() {
                    let own = match block.is_of_columns() {
                        true => Disorder::Column(number, at + position % 2),
                        false => Disorder::Anything,
                    };
                    slots[*slot] = together(slots[*slot], own);
                }
            }
        }
    }
    let class = |members: &&[usize]| {
        let written = members
            .iter()
            .flat_map(|at| shape.groups[*at].may_write.iter());
        written.fold(Disorder::Nothing, |all, slot| together(all, slots[slot]))
    };
    classes.iter().map(class).collect()
}

fn together(a: Disorder, b: Disorder) -> Disorder {
    match (a, b) {
        (Disorder::Nothing, other) | (other, Disorder::Nothing) => other,
        (a, b) if a == b => a,
        _ => Disorder::Anything,
    }
}

impl Run<'_> {
    /// No images.
    pub(super) fn no_images(&self) -> Images {
        let columns = self.orbits.as_ref().map_or(Vec::new(), |orbits| {
            let families = orbits.neighbours.families().iter();
            families
                .map(|family| vec![Node::EMPTY; family.len() + 1])
                .collect()
        });
        Images {
            sorted: Node::EMPTY,
            columns,
            others: Node::EMPTY,
        }
    }

    /// Adds what a class of groups leads to.
    pub(super) fn add_image(
        &mut self,
        images: &mut Images,
        class: usize,
        image: Node,
        keep: &[Node],
    ) -> Result<(), Stopped> {
        let disorder = self.disorder(class);
        let mut keep = keep.to_vec();
        keep.push(image);
        keep.extend(images.all());
        self.reject_hidden(image, Some(class), &keep)?;
        let known = *images.of(disorder);
        *images.of(disorder) = self.attempt(&keep, |run| run.store.union(known, image))?;
        Ok(())
    }

    /// What a class may bring out of order. That columns hold each other is found out on the way.
    fn disorder(&self, class: usize) -> Disorder {
        match &self.orbits {
            None => Disorder::Nothing,
            Some(orbits) if orbits.neighbours.finds_several() => Disorder::Anything,
            Some(orbits) => orbits.disorders[class],
        }
    }

    /// Representatives of all images that are none of the states in `known`, which are representatives.
    pub(super) fn representatives_of(
        &mut self,
        mut images: Images,
        known: Node,
        keep: &[Node],
    ) -> Result<Node, Stopped> {
        let mut keep = keep.to_vec();
        keep.push(known);
        let own = keep.len();
        keep.extend(images.all());
        let mut fresh = [images.sorted, images.others];
        for set in images.columns.iter_mut().flatten().chain(&mut fresh) {
            *set = self.attempt(&keep, |run| run.store.minus(*set, known))?;
            keep.push(*set);
        }
        keep.truncate(own);
        let [mut done, mut others] = fresh;
        for family in 0..images.columns.len() {
            let columns = std::mem::take(&mut images.columns[family]);
            let mut keep = keep.clone();
            keep.extend(images.all());
            keep.extend([done, others]);
            keep.extend_from_slice(&columns);
            // Meanwhile columns may have turned out to hold each other: then no order says what comes first.
            let is_ordered = |run: &Run<'_>| {
                let orbits = run.orbits.as_ref();
                orbits.is_none_or(|orbits| !orbits.neighbours.finds_several())
            };
            let inserted = match is_ordered(self) {
                true => self.inserted(family, columns.clone(), &keep)?,
                false => Node::EMPTY,
            };
            keep.push(inserted);
            if is_ordered(self) {
                done = self.attempt(&keep, |run| run.store.union(done, inserted))?;
            } else {
                for set in columns {
                    keep.push(others);
                    others = self.attempt(&keep, |run| run.store.union(others, set))?;
                }
            }
        }
        keep.push(done);
        let others = self.representatives(others, &keep)?;
        keep.push(others);
        self.attempt(&keep, |run| run.store.union(done, others))
    }

    /// Sets of states in each of which one column may be out of order, by its position; all sorted.
    fn inserted(
        &mut self,
        family: usize,
        mut columns: Vec<Node>,
        keep: &[Node],
    ) -> Result<Node, Stopped> {
        let mut keep = keep.to_vec();
        let own = keep.len();
        let (mut done, mut carried) = (Node::EMPTY, Node::EMPTY);
        for at in (1..columns.len()).rev() {
            keep.truncate(own);
            keep.extend_from_slice(&columns);
            keep.push(carried);
            let set = columns[at];
            let set = self.attempt(&keep, |run| run.store.union(set, carried))?;
            (carried, columns[at]) = self.parted((family, at - 1), set, &keep)?;
        }
        for at in 0..columns.len() {
            keep.truncate(own);
            keep.extend_from_slice(&columns);
            keep.extend([done, carried]);
            let set = columns[at];
            let set = self.attempt(&keep, |run| run.store.union(set, carried))?;
            let rest = match at + 1 < columns.len() {
                true => {
                    let (moved, rest) = self.parted((family, at), set, &keep)?;
                    carried = moved;
                    rest
                }
                false => set,
            };
            keep.extend([rest, carried]);
            done = self.attempt(&keep, |run| run.store.union(done, rest))?;
        }
        Ok(done)
    }
}
