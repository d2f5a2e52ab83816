//! A set of states that holds the initial ones, is closed under steps, and satisfies the claim.
//!
//! The initial states are found and the steps of each member taken by the reference evaluator; each state that this gives
//! is looked up. Under symmetry a permutation is asked for first ([`Guide`]) and applied here: by symmetry a step of the
//! permuted state is the permuted step, so the set stands for the union of the orbits of its members.
//! Invariant: the answer does not depend on the guide, except that a bad one has a good certificate rejected.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use crate::closed_diagram;
use crate::diagram::Diagram;
use crate::file::{Certificate, Claim, Members, fingerprint};
use crate::short::Short;
use crate::{Rejected, Semantics};

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
    /// The steps that were taken.
    pub steps: u64,
    /// Whether each state stands for its orbit.
    pub symmetry: bool,
    /// Whether steps are those of short vectors.
    pub diagram: bool,
}

/// So many states are taken at once by a thread.
const CHUNK: u64 = 64;

/// Checks a certificate.
pub fn certify<S: Semantics>(
    semantics: &S,
    certificate: &Certificate,
    manner: &Manner<'_, S::Value>,
) -> Result<Accepted, Rejected> {
    let header = &certificate.header;
    if header.model != fingerprint(&semantics.text()) {
        return Err(Rejected::OtherModel);
    }
    fits(semantics, certificate)?;
    let set = Set::read(semantics, certificate)?;
    if header.symmetry.is_some() && matches!(set.states, States::Diagram(_)) {
        return Err(Rejected::Misfit("a diagram holds all states of an orbit"));
    }
    let mut claim = header.claim.clone();
    claim.labels.dedup();
    let mut starts = 0;
    let mut evaluator = semantics.evaluator(header.wd);
    let mut guide = (manner.guide)();
    evaluator.starts(&claim.setup_labels, &mut |state| {
        starts += 1;
        set.look_up(state, guide.as_deref_mut())
    })?;
    if starts == 0 {
        return Err(Rejected::NoStart);
    }
    drop(evaluator);
    let steps = match &set.states {
        States::Members(members) => closed(&set, members, &claim, manner)?,
        States::Diagram(diagram) => closed_diagram::closed(&set, diagram, &claim, manner)?,
    };
    Ok(Accepted {
        claim,
        states: header.states,
        starts,
        steps,
        symmetry: header.symmetry.is_some(),
        diagram: header.diagram.is_some(),
    })
}

/// What the header says can be said of the model.
fn fits<S: Semantics>(semantics: &S, certificate: &Certificate) -> Result<(), Rejected> {
    let header = &certificate.header;
    if header.components != semantics.components() {
        return Err(Rejected::Misfit("the number of components differs"));
    }
    let labels = header.claim.labels.iter().chain(&header.claim.setup_labels);
    if labels
        .into_iter()
        .any(|label| *label as usize >= semantics.labels())
    {
        return Err(Rejected::Misfit("it claims a label that there is not"));
    }
    if let Some(claimed) = &header.symmetry {
        let known = semantics.classes();
        let is_finer = |(claimed, known): (&Vec<u32>, &Vec<u32>)| {
            claimed.len() == known.len()
                && (0..claimed.len())
                    .all(|a| (0..a).all(|b| claimed[a] != claimed[b] || known[a] == known[b]))
        };
        if claimed.len() != known.len() || !claimed.iter().zip(&known).all(is_finer) {
            return Err(Rejected::Misfit(
                "it exchanges elements that the model tells apart",
            ));
        }
    }
    Ok(())
}

/// The states of a set.
enum States {
    Members(Members),
    Diagram(Diagram),
}

/// The set, with its values.
pub(crate) struct Set<'a, S: Semantics> {
    pub(crate) semantics: &'a S,
    pub(crate) certificate: &'a Certificate,
    states: States,
    /// For each component its values by their numbers.
    values: Vec<Vec<S::Value>>,
    /// The other way round.
    numbers: Vec<BTreeMap<S::Value, u32>>,
}

impl<'a, S: Semantics> Set<'a, S> {
    fn read(semantics: &'a S, certificate: &'a Certificate) -> Result<Set<'a, S>, Rejected> {
        let mut all = Vec::new();
        let mut numbers = Vec::new();
        for (component, texts) in certificate.values.iter().enumerate() {
            let mut values = Vec::new();
            let mut known = BTreeMap::new();
            for (number, text) in texts.iter().enumerate() {
                let value = semantics.read(component, text);
                let value = value.ok_or_else(|| Rejected::NoValue(component, text.clone()))?;
                if known.insert(value.clone(), number as u32).is_some() {
                    return Err(Rejected::Damaged("a value has two numbers"));
                }
                values.push(value);
            }
            all.push(values);
            numbers.push(known);
        }
        Ok(Set {
            semantics,
            certificate,
            states: match certificate.diagram()? {
                Some(diagram) => States::Diagram(diagram),
                None => States::Members(certificate.members()?),
            },
            values: all,
            numbers,
        })
    }

    /// The values of a state.
    pub(crate) fn values_of(&self, numbers: &[u32]) -> Vec<S::Value> {
        let values = numbers.iter().zip(&self.values);
        values
            .map(|(number, values)| values[*number as usize].clone())
            .collect()
    }

    /// The number of a value of a component.
    pub(crate) fn number(&self, component: usize, value: &S::Value) -> Option<u32> {
        self.numbers[component].get(value).copied()
    }

    fn contains(&self, state: &[S::Value]) -> bool {
        let numbers = state.iter().zip(&self.numbers);
        let numbers: Option<Vec<u32>> = numbers
            .map(|(value, numbers)| numbers.get(value).copied())
            .collect();
        numbers.is_some_and(|numbers| self.has(&numbers))
    }

    /// Whether a state, by the numbers of its values, is in the set.
    fn has(&self, numbers: &[u32]) -> bool {
        match &self.states {
            States::Members(members) => members.contains(numbers),
            States::Diagram(diagram) => diagram.contains(numbers),
        }
    }

    /// Checks that a state, or one that it can be permuted to, is in the set.
    fn look_up(
        &self,
        state: &[S::Value],
        guide: Option<&mut (dyn Guide<S::Value> + '_)>,
    ) -> Result<(), Rejected> {
        if self.contains(state) {
            return Ok(());
        }
        let header = &self.certificate.header;
        let (Some(classes), Some(guide)) = (&header.symmetry, guide) else {
            return Err(Rejected::StartOutside);
        };
        let permutation = guide.permutation(state);
        let permutation = permutation.filter(|found| is_permutation(found, classes));
        let permutation = permutation.ok_or(Rejected::StartOutside)?;
        let moved: Vec<S::Value> = state
            .iter()
            .map(|value| self.semantics.permute(value, &permutation))
            .collect();
        match self.contains(&moved) {
            true => Ok(()),
            false => Err(Rejected::StartOutside),
        }
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
    members: &Members,
    claim: &Claim,
    manner: &Manner<'_, S::Value>,
) -> Result<u64, Rejected> {
    let count = set.certificate.header.states;
    let (next, done, steps) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    // The reason of the first state, so that the answer does not depend on threads.
    let first: Mutex<Option<(u64, Rejected)>> = Mutex::new(None);
    let work = || {
        let mut short = Short::new(set.semantics, set.certificate.header.wd);
        let mut guide = (manner.guide)();
        loop {
            let from = next.fetch_add(CHUNK, Relaxed);
            if from >= count || manner.stop.load(Relaxed) {
                return;
            }
            let to = count.min(from + CHUNK);
            for at in from..to {
                let numbers = members.state(at as usize);
                match member(set, claim, numbers, &mut short, guide.as_deref_mut()) {
                    Ok(taken) => steps.fetch_add(taken, Relaxed),
                    Err(why) => {
                        next.store(count, Relaxed);
                        let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
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
        for _ in 1..manner.threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    let first = first.into_inner().unwrap_or_else(PoisonError::into_inner);
    match first {
        Some((_, why)) => Err(why),
        None if done.load(Relaxed) < count => Err(Rejected::Stopped),
        None => Ok(steps.load(Relaxed)),
    }
}

/// Checks one member: the claim holds in it, and its steps stay in the set.
fn member<S: Semantics>(
    set: &Set<'_, S>,
    claim: &Claim,
    numbers: &[u32],
    short: &mut Short<'_, S>,
    mut guide: Option<&mut (dyn Guide<S::Value> + '_)>,
) -> Result<u64, Rejected> {
    let state = set.values_of(numbers);
    for label in &claim.labels {
        short.holds(*label, numbers, &state)?;
    }
    let mut taken = 0;
    let (mut changed, mut target) = (numbers.to_vec(), state.clone());
    for action in 0..set.semantics.actions() {
        let targets = short.steps(action, numbers, &state)?;
        taken += targets.len() as u64;
        let mentions = short.mentions(action);
        for values in targets.iter() {
            let mut has_numbers = true;
            for (at, value) in mentions.iter().zip(values) {
                let number = set.number(*at, value);
                has_numbers &= number.is_some();
                changed[*at] = number.unwrap_or_default();
            }
            if !(has_numbers && set.has(&changed)) {
                for (at, value) in mentions.iter().zip(values) {
                    target[*at] = value.clone();
                }
                set.look_up(&target, guide.as_deref_mut())?;
            }
        }
        for at in mentions {
            changed[*at] = numbers[*at];
            target[*at] = state[*at].clone();
        }
    }
    match taken == 0 && claim.deadlock {
        true => Err(Rejected::Deadlock(0)),
        false => Ok(taken),
    }
}
