//! The published strategies by name, and what each one promises.

use canon::Exchanges;
use pins::Fault;

use super::super::exact::Part;
use super::super::quotient::{Chooser, Method, Tally};
use super::Acting;
use super::enumerate::Enumerate;
use super::flattened::{Flattened, Kept};
use super::keyed::Keyed;
use super::local::Local;
use super::main_array::Main;
use super::marked::Marked;
use super::refined::Refined;
use super::segmented::Segmented;
use super::sorted::Sorted;
use super::stages::Stages;

/// How the representative of a state of processes is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The least image under all permutations.
    Enumerate,
    /// By sorting an array that processes index.
    Sorted,
    /// The least image under all permutations that sort it.
    Segmented,
    /// By sorting the places where processes are.
    PcSorted,
    /// The least image under all permutations that sort them.
    PcSegmented,
    /// By exchanging while that makes the state smaller.
    Local,
    /// The first state that looks the same without what names processes.
    Flattened,
    /// By markers, applied as a permutation.
    ExactMarkers,
    /// The first state with a marker.
    ApproxMarkers,
}

/// What the representatives of a strategy are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// One for each orbit.
    One,
    /// One or several for each orbit.
    Several,
    /// One may stand for several orbits.
    Merging,
}

impl Strategy {
    /// Whether it compares vectors word by word, so that what it gives depends on how they hold values.
    pub fn compares_words(self) -> bool {
        matches!(self, Strategy::Local | Strategy::Flattened)
    }

    /// What it promises for an action.
    pub fn promise(self, action: &pins::Action) -> Yield {
        match self {
            Strategy::Enumerate | Strategy::Segmented | Strategy::PcSegmented => Yield::One,
            Strategy::Flattened => Yield::Merging,
            Strategy::Sorted | Strategy::PcSorted | Strategy::Local => Yield::Several,
            Strategy::ExactMarkers | Strategy::ApproxMarkers => {
                let acting = Acting::new(action, &[], 0);
                match acting.is_none_or(|acting| acting.markers_are_precise()) {
                    true => Yield::One,
                    false if self == Strategy::ExactMarkers => Yield::Several,
                    false => Yield::Merging,
                }
            }
        }
    }
}

impl Acting<'_> {
    /// Proposition 2 of the markers' paper: processes that are fully interchangeable, and nothing that belongs to one of
    /// them names another.
    pub(super) fn markers_are_precise(&self) -> bool {
        self.columns.is_some() && !self.ties_points()
    }
}

/// Finds the representative of a state to which the action applies.
pub(super) trait Represent: Send {
    /// The states that follow are successors of this one, if the action applies to it.
    fn begin(&mut self, _source: Option<&[u32]>) {}
    /// Puts the representative into `out`.
    fn represent(&mut self, vector: &[u32], out: &mut Vec<u32>);
}

/// Chooses for states to which the action applies; all others stand for themselves.
struct Choosing<'a, R> {
    acting: &'a Acting<'a>,
    by: R,
}

impl<R: Represent> Chooser for Choosing<'_, R> {
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        let applies = self.acting.applies(state);
        self.by.begin(applies.then_some(state));
        None
    }

    fn begin_setup(&mut self, _: &[u32]) -> Option<u128> {
        self.by.begin(None);
        Some(1)
    }

    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault> {
        match part == Part::State && self.acting.applies(vector) {
            true => self.by.represent(vector, out),
            false => vector.clone_into(out),
        }
        Ok(())
    }

    fn exchanges(&mut self, _: &mut Exchanges) {}

    fn tally(&mut self, _: &mut Tally) {}
}

/// Chooses for states in which different numbers of processes have ended.
struct Staged<'a> {
    stages: &'a Stages<'a>,
    choosers: Vec<Option<Box<dyn Chooser + 'a>>>,
}

impl<'a> Staged<'a> {
    fn chooser(&mut self, vector: &[u32]) -> Option<&mut Box<dyn Chooser + 'a>> {
        let stage = self.stages.stage(vector)?;
        self.choosers.get_mut(stage)?.as_mut()
    }
}

impl Chooser for Staged<'_> {
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        let stage = self.stages.stage(state);
        let mut size = Some(1);
        for (at, chooser) in self.choosers.iter_mut().enumerate() {
            // Steps lead to this stage or the next one.
            let is_near = stage.is_none_or(|stage| at == stage || at == stage + 1);
            if let Some(chooser) = chooser.as_mut().filter(|_| is_near) {
                let own = chooser.begin(state);
                if Some(at) == stage {
                    size = own;
                }
            }
        }
        size
    }

    fn begin_setup(&mut self, setup: &[u32]) -> Option<u128> {
        for chooser in self.choosers.iter_mut().flatten() {
            chooser.begin_setup(setup);
        }
        Some(1)
    }

    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault> {
        match self.chooser(vector).filter(|_| part == Part::State) {
            Some(chooser) => chooser.choose(vector, part, out),
            None => {
                vector.clone_into(out);
                Ok(())
            }
        }
    }

    fn exchanges(&mut self, _: &mut Exchanges) {}

    fn tally(&mut self, tally: &mut Tally) {
        let choosers = self.choosers.iter_mut().flatten();
        choosers.for_each(|chooser| chooser.tally(tally));
    }
}

/// Who chooses by a method; `kept` are the states that stand for keys so far.
pub(in crate::symmetry) fn chooser<'a>(
    stages: &'a Stages<'a>,
    method: &Method,
    kept: &'a Kept,
) -> Box<dyn Chooser + 'a> {
    let one = |acting: &'a Acting<'a>| match method {
        Method::Acting(strategy) => by_strategy(acting, *strategy, kept),
        method => Box::new(Refined::new(acting, *method == Method::Canonical)),
    };
    let mut choosers: Vec<Option<_>> = stages.all().map(|acting| acting.map(one)).collect();
    match choosers.len() {
        1 => choosers
            .swap_remove(0)
            .expect("an action permutes something"),
        _ => Box::new(Staged { stages, choosers }),
    }
}

fn by_strategy<'a>(
    acting: &'a Acting<'a>,
    strategy: Strategy,
    kept: &'a Kept,
) -> Box<dyn Chooser + 'a> {
    fn boxed<'a>(acting: &'a Acting<'a>, by: impl Represent + 'a) -> Box<dyn Chooser + 'a> {
        Box::new(Choosing { acting, by })
    }
    match strategy {
        Strategy::Enumerate => boxed(acting, Enumerate::new(acting)),
        Strategy::Sorted => boxed(acting, Sorted::new(acting, Main::array(acting))),
        Strategy::PcSorted => boxed(acting, Sorted::new(acting, Main::control(acting))),
        Strategy::Segmented => boxed(acting, Segmented::new(acting, Main::array(acting))),
        Strategy::PcSegmented => boxed(acting, Segmented::new(acting, Main::control(acting))),
        Strategy::Local => boxed(acting, Local::new(acting)),
        Strategy::Flattened => boxed(acting, Flattened::new(acting, kept)),
        Strategy::ApproxMarkers if !acting.markers_are_precise() => {
            boxed(acting, Marked::approximate(acting, kept))
        }
        // Where markers are precise they are keys, if there is room for them.
        Strategy::ExactMarkers | Strategy::ApproxMarkers => match Keyed::new(acting) {
            Some(keyed) => boxed(acting, keyed),
            None => boxed(acting, Marked::exact(acting)),
        },
    }
}
