//! One state for each orbit, in diagrams: columns are sorted by exchanges of neighbours after every image.
//!
//! Papers: [Emerson, Wahl 2005] dynamic symmetry reduction; [Clarke et al. 1996] multiple representatives. The orbit relation,
//! whose diagram is exponential, is never built: an exchange reads the few slots that it concerns.
//! Technique: `reduce::symmetry::Neighbours` compares and permutes short vectors of *blocks* of slots; what it says is learned
//! once and applied to whole sets. States in which an exchange makes a smaller state are those that match a greater block after
//! equal ones. Sweeps go up and down until nothing changes: after one step few columns are out of order.
//! Invariant: every state of the result is a permutation of a state of the set, and every state of the set has one there.

use std::cmp::Ordering;

use ldd::{Node, PatternId, Role, Store};
use pins::Flow;
use reduce::symmetry::{Neighbours, Pairs};

use super::config::Representatives;
use super::hiding::Hiding;
use super::insertion::Disorder;
use super::run::{Run, Stopped};

/// How many states say what tells columns apart.
const SAMPLE: usize = 64;
/// So many steps of a state are looked at.
const STEPS: usize = 64;
/// From one step that is taken to the next, going round.
const STRIDE: usize = 7;

/// So many pairs of columns are learned one by one; where there are more, slot by slot.
const LEARNED: u32 = 1 << 13;

/// What is known of exchanges.
pub(super) struct Orbits<'a> {
    pub(super) neighbours: Neighbours<'a>,
    kind: Representatives,
    /// What each class of groups may bring out of order.
    pub(super) disorders: Vec<Disorder>,
    /// By family, exchange and block.
    learned: Vec<Vec<Vec<Learned>>>,
    /// States are permuted only where these patterns match these short vectors.
    conditions: Vec<(PatternId, Vec<u32>)>,
    /// Slots with words that may hide points.
    pub(super) hiding: Vec<Hiding>,
    /// The first of them where one did.
    pub(super) hidden: Option<usize>,
}

/// A block of an exchange as the diagrams see it.
struct Learned {
    /// For each level that the block has, its position among the block's slots.
    positions: Vec<usize>,
    reads: PatternId,
    writes: PatternId,
    asked: Node,
    /// What the exchange makes of it.
    relation: Node,
    /// Where the exchange makes it smaller, and where it leaves it alone.
    greater: Node,
    equal: Node,
}

impl Learned {
    /// Nothing is known of these slots so far.
    fn nothing(slots: &[usize], order: &[usize], store: &mut Store<'_>) -> Learned {
        let levels = order
            .iter()
            .filter_map(|slot| slots.iter().position(|s| s == slot));
        Learned {
            positions: levels.collect(),
            reads: pattern(slots, Role::Read, order, store),
            writes: pattern(slots, Role::ReadWrite, order, store),
            asked: Node::EMPTY,
            relation: Node::EMPTY,
            greater: Node::EMPTY,
            equal: Node::EMPTY,
        }
    }
}

fn pattern(slots: &[usize], role: Role, order: &[usize], store: &mut Store<'_>) -> PatternId {
    let roles = order.iter().map(|slot| match slots.contains(slot) {
        true => role,
        false => Role::Skip,
    });
    store.pattern(&roles.collect::<Vec<Role>>())
}

/// Which exchange: of a family, the position.
pub(super) type Which = (usize, usize);

impl<'a> Orbits<'a> {
    /// The exchanges of a system; `None` when there are none that are about whole slots.
    pub(super) fn new(
        neighbours: Neighbours<'a>,
        kind: Representatives,
        order: &[usize],
        store: &mut Store<'_>,
        disorders: Vec<Disorder>,
    ) -> Option<Orbits<'a>> {
        let conditions = neighbours.conditions()?.into_iter();
        let conditions = conditions
            .map(|(slot, values)| {
                let pattern = pattern(&[slot], Role::Read, order, store);
                (pattern, values.to_vec())
            })
            .collect();
        let families = neighbours.families().iter().map(|family| {
            let exchanges = family.iter().map(|exchange| {
                let blocks = exchange.blocks.iter();
                blocks
                    .map(|b| Learned::nothing(&b.slots, order, store))
                    .collect()
            });
            exchanges.collect()
        });
        let learned = families.collect();
        let hiding = neighbours.hiding().into_iter().map(|slot| {
            let reads = pattern(&[slot], Role::Read, order, store);
            Hiding::new(slot, reads)
        });
        Some(Orbits {
            learned,
            hiding: hiding.collect(),
            hidden: None,
            disorders,
            neighbours,
            kind,
            conditions,
        })
    }

    /// What must survive a collection.
    pub(super) fn roots(&self, roots: &mut Vec<Node>) {
        for learned in self.learned.iter().flatten().flatten() {
            roots.extend([
                learned.asked,
                learned.relation,
                learned.greater,
                learned.equal,
            ]);
        }
        roots.extend(self.hiding.iter().map(|hiding| hiding.plain));
    }

    /// Whether the weights of representatives say how many states they stand for.
    pub(super) fn is_exact(&self) -> bool {
        !self.neighbours.finds_several() && self.neighbours.keeps_start()
    }
}

/// The exchanges of a system, in the order in which a sample of its states says that they are best compared.
pub(super) fn neighbours<'a>(
    system: &'a dyn pins::System,
    kind: Representatives,
    halt: &pins::Halt,
) -> Option<Neighbours<'a>> {
    let pairs = match kind {
        Representatives::Dynamic => Pairs::Neighbours,
        Representatives::Multiple => Pairs::WithFirst,
    };
    let mut neighbours = Neighbours::new(system, pairs)?;
    neighbours.arrange(&sample(system, halt));
    Some(neighbours)
}

/// An order of slots in which columns lie side by side as they are sorted, what tells them apart most first: an exchange of neighbours then
/// concerns few levels. What may hold columns comes before them, since they are sorted by it; what else there is comes after them, as columns
/// often say what it is (how many wait, who is next).
pub(super) fn by_columns(neighbours: &Neighbours<'_>, order: &[usize]) -> Vec<usize> {
    let mut columns: Vec<Vec<usize>> = Vec::new();
    for family in neighbours.families() {
        let first = columns.len();
        columns.resize(first + family.len() + 1, Vec::new());
        for (at, exchange) in family.iter().enumerate() {
            let own = exchange.blocks.iter().filter(|block| block.is_of_columns());
            for (position, slot) in own.flat_map(|block| block.slots.iter().enumerate()) {
                if columns.iter().all(|column| !column.contains(slot)) {
                    columns[first + at + position % 2].push(*slot);
                }
            }
        }
    }
    let families = neighbours.families().iter().flatten();
    let compared: Vec<usize> = families
        .flat_map(|exchange| exchange.blocks.iter().flat_map(|block| &block.slots))
        .copied()
        .collect();
    let columns: Vec<usize> = columns.into_iter().flatten().collect();
    let is_other = |slot: &usize| !columns.contains(slot);
    let (held, rest): (Vec<usize>, Vec<usize>) = order
        .iter()
        .copied()
        .filter(is_other)
        .partition(|slot| compared.contains(slot));
    [held, columns, rest].concat()
}

/// Some states along one walk through the steps of each state in turn. What goes wrong on the way goes wrong again in the search, and is told
/// then.
fn sample(system: &dyn pins::System, halt: &pins::Halt) -> Vec<Vec<u32>> {
    let mut worker = system.worker();
    worker.heed(halt.clone());
    let mut setup = None;
    let _ = worker.setups(&mut |found| {
        setup = Some(found.to_vec());
        Flow::Stop
    });
    let mut states = Vec::new();
    if let Some(setup) = setup {
        let _ = worker.initial(&setup, &mut |state| {
            states.push(state.to_vec());
            Flow::Stop
        });
    }
    while let Some(state) = states.last().filter(|_| states.len() < SAMPLE) {
        let mut steps = Vec::new();
        worker.all_successors(
            state,
            &mut |_, step| {
                steps.push(step.target.to_vec());
                match steps.len() < STEPS {
                    true => Flow::Continue,
                    false => Flow::Stop,
                }
            },
            &mut |_, _| {},
        );
        if steps.is_empty() {
            break;
        }
        states.push(steps.swap_remove(states.len() * STRIDE % steps.len()));
    }
    states
}

/// What sorting did to a set: the exchange, and the set before it.
pub(super) type Stages = Vec<(Which, Node)>;

impl Run<'_> {
    /// Representatives of the states of a set; the set itself where nothing is reduced.
    pub(super) fn representatives(&mut self, set: Node, keep: &[Node]) -> Result<Node, Stopped> {
        self.sort(set, keep, None)
    }

    /// The same, and how it came about if that is asked for.
    pub(super) fn sort(
        &mut self,
        set: Node,
        keep: &[Node],
        mut stages: Option<&mut Stages>,
    ) -> Result<Node, Stopped> {
        let Some(orbits) = &self.orbits else {
            return Ok(set);
        };
        let kind = orbits.kind;
        let sizes: Vec<usize> = orbits.learned.iter().map(Vec::len).collect();
        let mut keep = keep.to_vec();
        keep.push(set);
        let mut moving = self.permutable(set, &keep)?;
        keep.push(moving);
        let resting = self.attempt(&keep, |run| run.store.minus(set, moving))?;
        keep.push(resting);
        for (family, size) in sizes.into_iter().enumerate() {
            // A column goes up or down all the way in one sweep; the bound is for orders that are none.
            let sweeps = match kind {
                Representatives::Dynamic => size + 2,
                Representatives::Multiple => 1,
            };
            for _ in 0..sweeps {
                // A set that is compared with must not be collected: its number could be another's by then.
                let before = moving;
                keep.push(before);
                let down: Box<dyn Iterator<Item = usize>> = match kind {
                    Representatives::Dynamic => Box::new((0..size).rev()),
                    Representatives::Multiple => Box::new(std::iter::empty()),
                };
                for at in (0..size).chain(down) {
                    if let Some(stages) = stages.as_deref_mut() {
                        stages.push(((family, at), moving));
                        keep.push(moving);
                    }
                    moving = self.exchange((family, at), moving, &keep)?;
                }
                if moving == before {
                    break;
                }
            }
        }
        keep.push(moving);
        self.attempt(&keep, |run| run.store.union(moving, resting))
    }

    /// A set with two columns exchanged in the states that this makes smaller.
    fn exchange(&mut self, which: Which, set: Node, keep: &[Node]) -> Result<Node, Stopped> {
        let (moved, rest) = self.parted(which, set, keep)?;
        let mut keep = keep.to_vec();
        keep.extend([moved, rest]);
        self.attempt(&keep, |run| run.store.union(rest, moved))
    }

    /// The states of a set that an exchange makes smaller, exchanged, and those that it does not.
    pub(super) fn parted(
        &mut self,
        which: Which,
        set: Node,
        keep: &[Node],
    ) -> Result<(Node, Node), Stopped> {
        let (mut undecided, mut greater) = (set, Node::EMPTY);
        let mut keep = keep.to_vec();
        keep.extend([set, undecided, greater]);
        let own = keep.len() - 2;
        let mut block = 0;
        while block < self.block_count(which) && !undecided.is_empty() {
            self.take_apart_large(which, block, undecided, &keep)?;
            let (reads, above, equal) = self.learn_block(which, block, undecided, &keep)?;
            (undecided, greater) = self.attempt(&keep, |run| {
                let more = run.store.matching(undecided, above, reads)?;
                let greater = run.store.union(greater, more)?;
                Ok((run.store.matching(undecided, equal, reads)?, greater))
            })?;
            (keep[own], keep[own + 1]) = (undecided, greater);
            block += 1;
        }
        if greater.is_empty() {
            return Ok((greater, set));
        }
        let rest = self.attempt(&keep, |run| run.store.minus(set, greater))?;
        let mut moved = greater;
        keep.extend([rest, moved]);
        for block in 0..self.block_count(which) {
            self.learn_block(which, block, moved, &keep)?;
            moved = self.attempt(&keep, |run| {
                let learned = run.block(which, block);
                run.store.forward(moved, learned.relation, learned.writes)
            })?;
            *keep.last_mut().expect("it was extended") = moved;
        }
        Ok((moved, rest))
    }

    /// Takes a block apart whose columns hold so much that pairs of them are too many to be learned one by one.
    fn take_apart_large(
        &mut self,
        which: Which,
        block: usize,
        set: Node,
        keep: &[Node],
    ) -> Result<(), Stopped> {
        let learned = self.block(which, block);
        if learned.positions.len() <= 2 {
            return Ok(());
        }
        let (reads, asked) = (learned.reads, learned.asked);
        let fresh = self.attempt(keep, |run| {
            let short = run.store.project(set, reads)?;
            run.store.minus(short, asked)
        })?;
        if fresh.is_empty() || self.store.count(fresh) + self.store.count(asked) <= LEARNED.into() {
            return Ok(());
        }
        let orbits = self.orbits.as_mut().expect("only with orbits");
        if orbits.neighbours.take_apart(which, block) {
            let (family, at) = which;
            let blocks = orbits.neighbours.families()[family][at].blocks.iter();
            orbits.learned[family][at] = blocks
                .map(|block| Learned::nothing(&block.slots, &self.order, &mut self.store))
                .collect();
        }
        Ok(())
    }

    fn block_count(&self, (family, at): Which) -> usize {
        let orbits = self.orbits.as_ref().expect("only with orbits");
        orbits.learned[family][at].len()
    }

    fn block(&self, (family, at): Which, block: usize) -> &Learned {
        let orbits = self.orbits.as_ref().expect("only with orbits");
        &orbits.learned[family][at][block]
    }

    /// Completes what is known of a block for a set: its pattern, where it gets smaller, where it is left alone.
    fn learn_block(
        &mut self,
        which: Which,
        block: usize,
        set: Node,
        keep: &[Node],
    ) -> Result<(PatternId, Node, Node), Stopped> {
        let learned = self.block(which, block);
        let (reads, asked) = (learned.reads, learned.asked);
        let fresh = self.attempt(keep, |run| {
            let short = run.store.project(set, reads)?;
            run.store.minus(short, asked)
        })?;
        if !fresh.is_empty() {
            self.ask_block(which, block, fresh, keep)?;
        }
        let learned = self.block(which, block);
        Ok((reads, learned.greater, learned.equal))
    }

    fn ask_block(
        &mut self,
        (family, at): Which,
        block: usize,
        fresh: Node,
        keep: &[Node],
    ) -> Result<(), Stopped> {
        let orbits = self.orbits.as_ref().expect("only with orbits");
        let exchange = &orbits.neighbours.families()[family][at];
        let learned = &orbits.learned[family][at][block];
        let known = [learned.relation, learned.greater, learned.equal];
        let asked = learned.asked;
        let mut found: [Vec<Vec<u32>>; 3] = Default::default();
        let mut halted = Ok(());
        let mut words = vec![0; learned.positions.len()];
        self.store.for_each(fresh, &mut |short| {
            for (position, word) in learned.positions.iter().zip(short) {
                words[*position] = *word;
            }
            let neighbours = &orbits.neighbours;
            let (order, image) = neighbours.compare(exchange, &exchange.blocks[block], &words);
            let levels = learned.positions.iter().zip(short);
            let step = levels.flat_map(|(position, word)| [*word, image[*position]]);
            found[0].push(step.collect());
            match order {
                Ordering::Greater => found[1].push(short.to_vec()),
                Ordering::Equal => found[2].push(short.to_vec()),
                Ordering::Less => {}
            }
            if found[0].len().is_multiple_of(1024) {
                halted = self.store.poll();
            }
            halted.is_ok()
        });
        halted.map_err(|_| Stopped)?;
        let mut keep = keep.to_vec();
        keep.push(fresh);
        let [relation, greater, equal, asked] = self.attempt(&keep, |run| {
            let add = |at: usize| {
                let more = run.store.from_vectors(&mut found[at].clone())?;
                run.store.union(known[at], more)
            };
            Ok([add(0)?, add(1)?, add(2)?, run.store.union(asked, fresh)?])
        })?;
        let orbits = self.orbits.as_mut().expect("only with orbits");
        let learned = &mut orbits.learned[family][at][block];
        learned.relation = relation;
        (learned.greater, learned.equal, learned.asked) = (greater, equal, asked);
        Ok(())
    }

    /// The part of a set in which an exchange changes nothing.
    pub(super) fn unchanged(
        &mut self,
        which: Which,
        set: Node,
        keep: &[Node],
    ) -> Result<Node, Stopped> {
        let mut equal = set;
        let mut keep = keep.to_vec();
        keep.push(set);
        for block in 0..self.block_count(which) {
            keep.push(equal);
            let (reads, _, same) = self.learn_block(which, block, equal, &keep)?;
            equal = self.attempt(&keep, |run| run.store.matching(equal, same, reads))?;
        }
        Ok(equal)
    }

    /// The part of a set that can be permuted.
    pub(super) fn permutable(&mut self, set: Node, keep: &[Node]) -> Result<Node, Stopped> {
        let Some(orbits) = &self.orbits else {
            return Ok(Node::EMPTY);
        };
        let conditions = orbits.conditions.clone();
        let mut moving = set;
        let mut keep = keep.to_vec();
        keep.push(set);
        for (pattern, values) in conditions {
            keep.push(moving);
            moving = self.attempt(&keep, |run| {
                let mut short: Vec<[u32; 1]> = values.iter().map(|v| [*v]).collect();
                let short = run.store.from_vectors(&mut short)?;
                run.store.matching(moving, short, pattern)
            })?;
        }
        Ok(moving)
    }
}
