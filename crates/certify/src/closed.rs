//! A set of states that holds the initial ones, is closed under steps, and satisfies the claim.
//!
//! The initial states are found and the steps of each member taken by the reference evaluator; each state that this gives
//! is looked up. Under symmetry a permutation is asked for first ([`Guide`]) and applied here: by symmetry a step of the
//! permuted state is the permuted step, so the set stands for the union of the orbits of its members.
//! Invariant: the answer does not depend on the guide, except that a bad one has a good certificate rejected.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use crate::file::{Certificate, Claim, Members};
use crate::short::Short;
use crate::values::Values;
use crate::{Rejected, Semantics, Told};

/// Says which permutation leads from a state to the member of the set that stands for it. Nobody believes it.
pub trait Guide<V> {
    /// For each set of elements the image of each of them.
    fn permutation(&mut self, state: &[V]) -> Option<Vec<Vec<u32>>>;
}

/// How a certificate is checked.
pub struct Manner<'a, V> {
    /// So many threads check.
    pub threads: usize,
    /// Set when nobody waits for the answer.
    pub stop: &'a AtomicBool,
    /// So many states were checked before.
    pub from: u64,
    /// Told from time to time how many states were checked.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Who knows permutations; none is needed without symmetry.
    pub guide: &'a (dyn Fn() -> Option<Box<dyn Guide<V> + 'a>> + Sync),
}

/// What was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// What holds in every reachable state.
    pub claim: Claim,
    /// The states of the set.
    pub states: u64,
    /// The initial states that were found.
    pub starts: u64,
    /// Why there may be other initial states, of which nothing is proved.
    pub bounds: Vec<String>,
    /// The steps that were taken.
    pub steps: u64,
    /// Whether each state stands for its orbit.
    pub symmetry: bool,
    /// Whether steps are those of short vectors.
    pub diagram: bool,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// What formulas ask of it.
    pub told: Told,
    /// The state of the set that it leads to, or that stands for where it leads.
    pub target: u32,
    /// Whether it changes nothing.
    pub stays: bool,
}

/// What was seen of a state.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Its steps.
    pub steps: Vec<Step>,
    /// The truth of the labels that somebody asks about.
    pub labels: Vec<bool>,
}

/// Somebody who wants to know what is seen.
pub struct Watch<'a> {
    /// Asked of every state.
    pub labels: &'a [u32],
    /// Told of every state, by its number, in any order.
    pub seen: &'a (dyn Fn(u64, Seen) + Sync),
}

/// So many states are taken at once by a thread.
const CHUNK: u64 = 64;

/// Checks a certificate of the model with this normal form.
pub fn certify<S: Semantics>(
    semantics: &S,
    given: (&str, &Certificate),
    manner: &Manner<'_, S::Value>,
) -> Result<Accepted, Rejected> {
    if !given.1.header.formulas.is_empty() {
        return Err(Rejected::Misfit("it claims formulas"));
    }
    let nobody = Watch {
        labels: &[],
        seen: &|_, _| {},
    };
    explore(semantics, given, manner, &nobody).map(|(accepted, _)| accepted)
}

/// Checks a certificate but for its formulas; somebody watches. Gives the initial states too.
pub fn explore<S: Semantics>(
    semantics: &S,
    (text, certificate): (&str, &Certificate),
    manner: &Manner<'_, S::Value>,
    watch: &Watch<'_>,
) -> Result<(Accepted, Vec<u32>), Rejected> {
    let values = Values::read(semantics, (text, certificate))?;
    if certificate.header.diagram.is_some() {
        return Err(Rejected::Misfit("its states are a diagram"));
    }
    let members = certificate.members()?;
    let set = Set { values, members };
    let mut guide = (manner.guide)();
    let (mut accepted, first) = starts(&set.values, |state| {
        set.look_up(state, guide.as_deref_mut())
    })?;
    accepted.steps = closed(&set, manner, watch)?;
    Ok((accepted, first))
}

/// Looks every initial state up, and begins the answer.
pub fn starts<S: Semantics>(
    values: &Values<'_, S>,
    mut look_up: impl FnMut(&[S::Value]) -> Result<u32, Rejected>,
) -> Result<(Accepted, Vec<u32>), Rejected> {
    let header = &values.certificate.header;
    let mut first = Vec::new();
    let mut evaluator = values.semantics.evaluator(header.wd);
    let bounds = evaluator.starts(&header.claim.setup_labels, &mut |state| {
        first.push(look_up(state)?);
        Ok(())
    })?;
    if first.is_empty() {
        return Err(Rejected::NoStart);
    }
    if let (false, Some(why)) = (header.claim.within_bounds, bounds.first()) {
        return Err(Rejected::NoAnswer(why.clone(), None));
    }
    let accepted = Accepted {
        claim: header.claim.clone(),
        states: header.states,
        starts: first.len() as u64,
        bounds,
        steps: 0,
        symmetry: header.symmetry.is_some(),
        diagram: header.diagram.is_some(),
    };
    Ok((accepted, first))
}

/// The set, with its values.
struct Set<'a, S: Semantics> {
    values: Values<'a, S>,
    members: Members,
}

impl<S: Semantics> Set<'_, S> {
    fn find(&self, state: &[S::Value]) -> Option<u32> {
        self.members.find(&self.values.numbers(state)?)
    }

    /// The number of a state of the set: the given one, or one that it can be permuted to.
    fn look_up(
        &self,
        state: &[S::Value],
        guide: Option<&mut (dyn Guide<S::Value> + '_)>,
    ) -> Result<u32, Rejected> {
        if let Some(found) = self.find(state) {
            return Ok(found);
        }
        let header = &self.values.certificate.header;
        let (Some(classes), Some(guide)) = (&header.symmetry, guide) else {
            return Err(Rejected::StartOutside);
        };
        let permutation = guide.permutation(state);
        let permutation = permutation.filter(|found| is_permutation(found, classes));
        let permutation = permutation.ok_or(Rejected::StartOutside)?;
        let permute = |(at, value)| self.values.semantics.permute(at, value, &permutation);
        let moved: Vec<S::Value> = state.iter().enumerate().map(permute).collect();
        self.find(&moved).ok_or(Rejected::StartOutside)
    }
}

/// Whether each element has an image of its own class, and no two have one.
fn is_permutation(images: &[Vec<u32>], classes: &[Vec<u32>]) -> bool {
    let is_one = |(images, classes): (&Vec<u32>, &Vec<u32>)| {
        let mut seen = vec![false; classes.len()];
        images.len() == classes.len()
            && images.iter().zip(classes).all(|(image, class)| {
                let at = *image as usize;
                classes.get(at) == Some(class) && !std::mem::replace(&mut seen[at], true)
            })
    };
    images.len() == classes.len() && images.iter().zip(classes).all(is_one)
}

/// Checks every member; gives the number of steps.
fn closed<S: Semantics>(
    set: &Set<'_, S>,
    manner: &Manner<'_, S::Value>,
    watch: &Watch<'_>,
) -> Result<u64, Rejected> {
    let header = &set.values.certificate.header;
    let count = header.states;
    let (next, done) = (AtomicU64::new(manner.from), AtomicU64::new(manner.from));
    let steps = AtomicU64::new(0);
    // The reason of the first state, so that the answer does not depend on threads.
    let first: Mutex<Option<(u64, Rejected)>> = Mutex::new(None);
    let first = || first.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        let mut short = Short::new(set.values.semantics, header.wd);
        let mut guide = (manner.guide)();
        while !manner.stop.load(Relaxed) {
            let from = next.fetch_add(CHUNK, Relaxed);
            if from >= count {
                return;
            }
            let to = count.min(from + CHUNK);
            for at in from..to {
                match member(set, watch, at, &mut short, guide.as_deref_mut()) {
                    Ok(seen) => {
                        steps.fetch_add(seen.steps.len() as u64, Relaxed);
                        (watch.seen)(at, seen);
                    }
                    Err(why) => {
                        next.store(count, Relaxed);
                        let mut first = first();
                        if first.as_ref().is_none_or(|(known, _)| at < *known) {
                            *first = Some((at, why.in_state(at)));
                        }
                        return;
                    }
                };
            }
            let done = done.fetch_add(to - from, Relaxed) + to - from;
            (manner.progress)(done);
        }
    };
    std::thread::scope(|scope| {
        (1..manner.threads).for_each(|_| _ = scope.spawn(work));
        work();
    });
    let why = first().take();
    // A thread that took states has checked them.
    match (why, done.load(Relaxed)) {
        (Some((_, why)), _) => Err(why),
        (None, done) if done < count => Err(Rejected::Stopped(done)),
        (None, _) => Ok(steps.load(Relaxed)),
    }
}

/// Checks one member: the claim holds in it, and its steps stay in the set.
fn member<S: Semantics>(
    set: &Set<'_, S>,
    watch: &Watch<'_>,
    at: u64,
    short: &mut Short<'_, S>,
    mut guide: Option<&mut (dyn Guide<S::Value> + '_)>,
) -> Result<Seen, Rejected> {
    let values = &set.values;
    let claim = &values.certificate.header.claim;
    let numbers = set.members.state(at as usize);
    let state = values.of(numbers);
    for label in &claim.labels {
        if !short.holds(*label, numbers, &state)? {
            return Err(Rejected::False(*label, None));
        }
    }
    let mut seen = Seen::default();
    for label in watch.labels {
        seen.labels.push(short.holds(*label, numbers, &state)?);
    }
    let (mut changed, mut target) = (numbers.to_vec(), state.clone());
    for action in 0..values.semantics.actions() {
        let targets = short.steps(action, numbers, &state)?;
        let mentions = short.mentions(action);
        for (written, told) in targets.iter() {
            // By numbers first, which needs no values.
            let mut found = Some(());
            for (at, value) in mentions.iter().zip(written) {
                let number = values.number(*at, value);
                found = found.and(number.map(|number| changed[*at] = number));
            }
            let stays = found.is_some() && changed == numbers;
            let found = match found.and_then(|()| set.members.find(&changed)) {
                Some(found) => found,
                None => {
                    let written = mentions.iter().zip(written);
                    written.for_each(|(at, value)| target[*at] = value.clone());
                    set.look_up(&target, guide.as_deref_mut())?
                }
            };
            seen.steps.push(Step {
                told: told.clone(),
                target: found,
                stays,
            });
        }
        for at in mentions {
            changed[*at] = numbers[*at];
            target[*at] = state[*at].clone();
        }
    }
    let mut steps = seen.steps.iter();
    if claim.deadlock && !steps.any(|step| !(claim.stuttering && step.stays)) {
        let mut ends = claim.ends.iter();
        let may_end = ends.try_fold(false, |may, end| {
            Ok(may || short.holds(*end, numbers, &state)?)
        });
        return match may_end? {
            true => Ok(seen),
            false => Err(Rejected::Deadlock(at)),
        };
    }
    Ok(seen)
}
