//! `exact` and `canonical` for any group: one representative for each orbit.
//!
//! Technique: where nothing of a process names another, columns are sorted by what they hold (`keyed.rs`). Else points are
//! coloured by where they stand. Where the group is a product of full symmetric groups (`columns.rs`),
//! columns are sorted by colour; equal colours are decided when exchanging the two columns changes nothing. What is left,
//! and every other group, goes through the chain (`chain.rs`) with colours as keys. `canonical` always does.
//! Invariant: equal colours are never believed; what is decided was compared cell by cell.

use canon::Exchanges;
use pins::Fault;

use super::super::exact::Part;
use super::super::orbits::multinomial;
use super::super::quotient::{Chooser, Tally};
use super::Acting;
use super::chain::{Chain, Goal};
use super::keyed::Keyed;

/// Rounds of refinement before the chain is walked.
const ROUNDS: usize = 3;

/// Finds representatives.
pub(in crate::symmetry) struct Refined<'a> {
    acting: &'a Acting<'a>,
    is_always_searched: bool,
    keyed: Option<Keyed<'a>>,
    chain: Chain,
    /// The state that those asked about are successors of, and its colours.
    source: Vec<u32>,
    source_colours: Vec<u64>,
    colours: Vec<u64>,
    spare: Vec<u64>,
    swapping: Vec<u32>,
    order: Vec<Vec<usize>>,
    /// The permutation found last.
    pub(in crate::symmetry) images: Vec<u32>,
    found: Vec<u32>,
    searched: u64,
}

/// How a representative was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The action does not apply.
    Itself,
    /// By keys.
    Keyed,
    /// By colours.
    Sorted,
    Searched,
}

impl<'a> Refined<'a> {
    pub(in crate::symmetry) fn new(
        acting: &'a Acting<'a>,
        is_always_searched: bool,
    ) -> Refined<'a> {
        Refined {
            acting,
            is_always_searched,
            keyed: Keyed::new(acting).filter(|_| !is_always_searched),
            chain: Chain::default(),
            source: Vec::new(),
            source_colours: Vec::new(),
            colours: Vec::new(),
            spare: Vec::new(),
            swapping: permgroup::identity(acting.points()),
            order: Vec::new(),
            images: permgroup::identity(acting.points()),
            found: Vec::new(),
            searched: 0,
        }
    }

    /// Puts the representative of a vector into `out`, and the permutation that leads there into `images`.
    pub(in crate::symmetry) fn form(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        let way = self.way(vector, out);
        if let (Way::Keyed, Some(keyed)) = (way, &self.keyed) {
            keyed.images(&mut self.images);
        }
    }

    fn way(&mut self, vector: &[u32], out: &mut Vec<u32>) -> Way {
        let acting = self.acting;
        out.clear();
        if !acting.applies(vector) {
            out.extend_from_slice(vector);
            for (point, image) in self.images.iter_mut().enumerate() {
                *image = point as u32;
            }
            return Way::Itself;
        }
        if let Some(keyed) = &mut self.keyed {
            keyed.sort(vector, out);
            return Way::Keyed;
        }
        match self.source.len() == vector.len() {
            true => {
                self.colours.clone_from(&self.source_colours);
                acting.follow(&self.source, vector, &mut self.colours);
            }
            false => acting.colours(vector, &mut self.colours),
        }
        acting.gather(&mut self.colours);
        if !self.is_always_searched && acting.columns.is_some() {
            for round in 0..=ROUNDS {
                if self.is_sorted(vector) {
                    if permgroup::is_identity(&self.images) {
                        out.extend_from_slice(vector);
                    } else {
                        acting.apply(&self.images, vector, out);
                    }
                    return Way::Sorted;
                }
                if round < ROUNDS {
                    acting.refine(vector, &mut self.colours, &mut self.spare);
                }
            }
        } else {
            self.split(vector);
        }
        self.searched += 1;
        let goal = Goal::LeastAlike;
        let images = self.chain.least(acting, vector, &self.colours, goal, out);
        self.images.copy_from_slice(images);
        Way::Searched
    }

    /// Refines colours: once, and again while that splits them and most points still share theirs. The chain is quick
    /// where few do.
    fn split(&mut self, vector: &[u32]) {
        let mut known = self.count();
        for round in 0..ROUNDS {
            let points = self.colours.len();
            if known == points || round > 0 && known * 2 > points {
                return;
            }
            let (colours, spare) = (&mut self.colours, &mut self.spare);
            self.acting.refine(vector, colours, spare);
            let now = self.count();
            if now == known {
                return;
            }
            known = now;
        }
    }

    /// How many colours there are.
    fn count(&mut self) -> usize {
        self.spare.clone_from(&self.colours);
        self.spare.sort_unstable();
        self.spare.chunk_by(|a, b| a == b).count()
    }

    /// Sorts columns by colour; whether that decides. The permutation is in `images`.
    fn is_sorted(&mut self, vector: &[u32]) -> bool {
        let Some(columns) = &self.acting.columns else {
            return false;
        };
        self.order.resize(columns.orbits.len(), Vec::new());
        let colours = &self.colours;
        for (columns, order) in columns.orbits.iter().zip(&mut self.order) {
            let colour = |at: usize| colours[columns[at][0] as usize];
            order.clear();
            order.extend(0..columns.len());
            order.sort_unstable_by_key(|at| (colour(*at), *at));
            for pair in order.windows(2) {
                if colour(pair[0]) == colour(pair[1]) {
                    let (a, b) = (&columns[pair[0]], &columns[pair[1]]);
                    exchange(&mut self.swapping, a, b);
                    let is_same = self.acting.fixes(&self.swapping, vector);
                    exchange(&mut self.swapping, a, b);
                    if !is_same {
                        return false;
                    }
                }
            }
            for (to, from) in order.iter().enumerate() {
                for (to, from) in columns[to].iter().zip(&columns[*from]) {
                    self.images[*from as usize] = *to;
                }
            }
        }
        true
    }

    /// The size of the orbit of a vector, after its representative was found in a way.
    fn orbit(&self, way: Way) -> Option<u128> {
        match way {
            Way::Itself | Way::Keyed => Some(1),
            Way::Searched => Some(self.acting.order()? / self.chain.stabiliser()?.max(1)),
            Way::Sorted => {
                let columns = self.acting.columns.as_ref()?;
                let mut size: u128 = 1;
                for (columns, order) in columns.orbits.iter().zip(&self.order) {
                    let colour = |at: &usize| self.colours[columns[*at][0] as usize];
                    let cells = order.chunk_by(|a, b| colour(a) == colour(b));
                    size = size.checked_mul(multinomial(cells.map(<[usize]>::len))?)?;
                }
                Some(size)
            }
        }
    }
}

/// Exchanges two columns in a permutation.
fn exchange(images: &mut [u32], a: &[u32], b: &[u32]) {
    for (a, b) in a.iter().zip(b) {
        images.swap(*a as usize, *b as usize);
    }
}

impl Chooser for Refined<'_> {
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        let source = self.acting.applies(state).then_some(state);
        match &mut self.keyed {
            Some(keyed) => {
                keyed.begin(source);
                return keyed.orbit();
            }
            None => {
                self.source.clear();
                if let Some(state) = source {
                    self.source.extend_from_slice(state);
                    self.acting.colours(state, &mut self.source_colours);
                }
            }
        }
        let mut out = std::mem::take(&mut self.found);
        let way = self.way(state, &mut out);
        self.found = out;
        self.orbit(way)
    }

    fn begin_setup(&mut self, _: &[u32]) -> Option<u128> {
        self.source.clear();
        self.keyed.iter_mut().for_each(|keyed| keyed.begin(None));
        Some(1)
    }

    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault> {
        match part {
            Part::State => {
                self.way(vector, out);
            }
            Part::Setup => vector.clone_into(out),
        }
        Ok(())
    }

    fn exchanges(&mut self, _: &mut Exchanges) {}

    fn tally(&mut self, tally: &mut Tally) {
        tally.searched += std::mem::take(&mut self.searched);
    }
}
