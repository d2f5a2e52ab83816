//! The quotient with its permutations: every step of a representative, with the permutation that takes its target to the next
//! representative.
//!
//! Papers: [Emerson, Sistla 1997], [Gyuris, Sistla 1999]: the annotated quotient structure. What is said of single elements, such
//! as fairness of every instance of an event or of every process, is followed along these permutations.
//! Where whole slots are moved, steps are taken to steps of other groups: a permutation of points is continued to groups
//! ([`pins::Action::groups`]) by what generates both.
//! Invariant: the representatives are those of [`Method::Exact`], and processes that may end stay where they are.
//!
//! [`Method::Exact`]: super::Method::Exact

use std::cell::RefCell;

use permgroup::{Group, inverse};
use pins::symmetry::permuted;
use pins::{Action, Flow, GroupId, Permute, Worker};
use rustc_hash::FxHashMap;

use super::acting::{Acting, Refined};
use super::forms::Forms;
use super::quotient::{Means, Method, Quotient};

/// Gives steps with permutations.
pub struct Annotated<'a> {
    worker: RefCell<Box<dyn Worker + 'a>>,
    forming: RefCell<Forming<'a>>,
    moving: Moving<'a>,
}

/// Finds representatives with permutations of all points.
enum Forming<'a> {
    Elements(Box<Forms<'a>>),
    Slots(&'a Acting<'a>, Box<Refined<'a>>),
}

/// Moves what steps are about.
enum Moving<'a> {
    Elements(&'a dyn Permute),
    Slots(Box<Slots>),
}

/// Points and groups that are moved together.
struct Slots {
    /// How many points there are; groups come behind them.
    points: usize,
    both: Group,
    /// Permutations of points with those of groups.
    known: RefCell<FxHashMap<Vec<u32>, Vec<u32>>>,
}

/// A step of a representative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedStep {
    /// Its group.
    pub group: GroupId,
    /// Arguments, then results.
    pub label: Vec<u32>,
    /// The representative of its target.
    pub target: Vec<u32>,
    /// The image of every point on the way from the target to its representative.
    pub images: Vec<u32>,
}

impl<'a> Annotated<'a> {
    /// The steps of a quotient by [`Method::Exact`]; `None` for others, and where steps are not known to be moved.
    pub fn new(quotient: &'a Quotient<'a>) -> Option<Annotated<'a>> {
        let (system, means) = quotient.parts();
        if *quotient.method() != Method::Exact {
            return None;
        }
        let (forming, moving) = match means {
            Means::Elements(elements) => (
                Forming::Elements(Box::new(Forms::new(quotient)?)),
                Moving::Elements(elements.permute),
            ),
            Means::Acting(stages, _) if stages.has_ends() => return None,
            Means::Acting(stages, _) => {
                let acting = stages.whole();
                let slots = Slots::new(acting.action)?;
                let refined = Box::new(Refined::new(acting, false));
                (
                    Forming::Slots(acting, refined),
                    Moving::Slots(Box::new(slots)),
                )
            }
        };
        Some(Annotated {
            worker: RefCell::new(system.worker()),
            forming: RefCell::new(forming),
            moving,
        })
    }

    /// All steps out of a representative.
    pub fn steps(&self, state: &[u32]) -> Vec<AnnotatedStep> {
        let mut steps = Vec::new();
        self.worker.borrow_mut().all_successors(
            state,
            &mut |group, step| {
                steps.push((group, step.label.to_vec(), step.target.to_vec()));
                Flow::Continue
            },
            // What faults is told of where the quotient is explored.
            &mut |_, _| {},
        );
        let mut forming = self.forming.borrow_mut();
        let steps = steps.into_iter().map(|(group, label, target)| {
            let (images, target) = forming.form(&target);
            AnnotatedStep {
                group,
                label,
                target,
                images,
            }
        });
        steps.collect()
    }

    /// The name of a step with its points exchanged.
    pub fn permute_label(
        &self,
        group: GroupId,
        label: &[u32],
        images: &[u32],
    ) -> (GroupId, Vec<u32>) {
        match &self.moving {
            Moving::Elements(permute) => (group, permute.permute_label(group, label, images)),
            Moving::Slots(slots) => {
                let image = |number: u32| slots.image(number, images);
                let group = GroupId::new(image(group.index() as u32) as usize);
                (group, label.iter().map(|word| image(*word)).collect())
            }
        }
    }
}

impl Annotated<'_> {
    /// A state with its points exchanged.
    pub fn permute_state(&self, state: &[u32], images: &[u32]) -> Vec<u32> {
        match (&self.moving, &*self.forming.borrow()) {
            (Moving::Elements(permute), _) => permuted(*permute, state, images),
            (_, Forming::Slots(acting, _)) => acting.action.permute(state, images),
            (Moving::Slots(_), Forming::Elements(_)) => {
                unreachable!("what is moved is what forms are found of")
            }
        }
    }

    /// The permutation of a representative to a state of its orbit.
    pub fn names(&self, representative: &[u32], state: &[u32]) -> Option<Vec<u32>> {
        let (images, form) = self.forming.borrow_mut().form(state);
        (form == representative).then(|| inverse(&images))
    }
}

impl Forming<'_> {
    fn form(&mut self, state: &[u32]) -> (Vec<u32>, Vec<u32>) {
        match self {
            Forming::Elements(forms) => forms.form(state),
            Forming::Slots(acting, refined) => {
                let mut out = Vec::new();
                refined.form(state, &mut out);
                (acting.widened(&refined.images), out)
            }
        }
    }
}

impl Slots {
    fn new(action: &Action) -> Option<Slots> {
        let points = action.points.len();
        let groups = action.groups.first()?.len();
        let generators = action.generators.iter().zip(&action.groups);
        let both = generators.map(|(images, groups)| {
            let behind = groups.iter().map(|group| group + points as u32);
            images.iter().copied().chain(behind).collect()
        });
        let base: Vec<u32> = (0..points as u32).collect();
        let both = Group::with_base(points + groups, both.collect(), &base);
        // What holds all points holds all groups.
        let below = both.levels().get(points);
        below
            .is_none_or(|level| level.generators().is_empty())
            .then(|| Slots {
                points,
                both,
                known: RefCell::default(),
            })
    }

    /// The group that a permutation of points takes a group to.
    fn image(&self, group: u32, images: &[u32]) -> u32 {
        let mut known = self.known.borrow_mut();
        if !known.contains_key(images) {
            let wanted: Vec<(u32, u32)> = (0..).zip(images.iter().copied()).collect();
            let all = self.both.reaching(&wanted);
            let all = all.expect("representatives are found by permutations of the group");
            known.insert(images.to_vec(), all);
        }
        known[images][self.points + group as usize] - self.points as u32
    }
}
