//! A set of states that holds the initial ones, is closed under steps, and satisfies the claim.
//!
//! The initial states are found and the steps of each member taken by the reference evaluator; each state that this gives
//! is looked up. Under symmetry a permutation is asked for first ([`Guide`]) and applied here: by symmetry a step of the
//! permuted state is the permuted step, so the set stands for the union of the orbits of its members.
//! Invariant: the answer does not depend on the guide, except that a bad one has a good certificate rejected.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::closed_diagram;
use crate::diagram::Diagram;
use crate::file::{Certificate, Claim, Members, fingerprint};
use crate::formula::{Atom, Evidence, Formula, Logic};
use crate::graph::{Graph, Step};
use crate::linear::Conditions;
use crate::short::Short;
use crate::{Rejected, Semantics, branching};

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
    /// The steps that were taken.
    pub steps: u64,
    /// Whether each state stands for its orbit.
    pub symmetry: bool,
    /// Whether steps are those of short vectors.
    pub diagram: bool,
}

/// So many states are taken at once by a thread.
const CHUNK: u64 = 64;

/// Checks a certificate of the model with this normal form; `formulas` are those that it claims.
pub fn certify<S: Semantics>(
    semantics: &S,
    (text, certificate): (&str, &Certificate),
    formulas: &[Formula],
    manner: &Manner<'_, S::Value>,
) -> Result<Accepted, Rejected> {
    let claimed = &certificate.header.formulas;
    if claimed.len() != formulas.len() {
        return Err(Rejected::Misfit("it claims other formulas"));
    }
    let (accepted, graph) = explore(semantics, (text, certificate), formulas, manner)?;
    for (at, (claimed, formula)) in claimed.iter().zip(formulas).enumerate() {
        let proved = match (&formula.logic, &claimed.evidence) {
            (Logic::Linear(..), Evidence::Linear(cycles)) => linear(&graph, formula, cycles),
            (Logic::Branching(said), Evidence::Branching(ranks)) => {
                branching::check(&graph, (&formula.atoms, said), ranks)
            }
            _ => Err("the evidence is for another logic".to_owned()),
        };
        proved.map_err(|why| Rejected::Formula(at, why))?;
    }
    Ok(accepted)
}

fn linear(graph: &Graph, formula: &Formula, cycles: &[crate::Cycles]) -> Result<(), String> {
    let conditions = Conditions::all(graph, formula)?;
    if conditions.len() != cycles.len() {
        return Err("it has other premises".to_owned());
    }
    let mut all = conditions.into_iter().zip(cycles);
    all.try_for_each(|(mut conditions, cycles)| conditions.check(cycles))
}

/// Checks a certificate but for its formulas, and gives the steps that they are about; none where there are no formulas.
pub fn explore<S: Semantics>(
    semantics: &S,
    (text, certificate): (&str, &Certificate),
    formulas: &[Formula],
    manner: &Manner<'_, S::Value>,
) -> Result<(Accepted, Graph), Rejected> {
    let header = &certificate.header;
    if header.model != fingerprint(text) {
        return Err(Rejected::OtherModel);
    }
    fits(semantics, certificate)?;
    let set = Set::read(semantics, certificate)?;
    let is_diagram = header.diagram.is_some();
    if is_diagram && (header.symmetry.is_some() || !formulas.is_empty()) {
        let why = "a diagram holds all states of an orbit, and proves no formulas";
        return Err(Rejected::Misfit(why));
    }
    if is_diagram && header.claim.deadlock && header.claim.stuttering {
        return Err(Rejected::Misfit(
            "of a diagram nobody sees which steps stay",
        ));
    }
    if !formulas.is_empty() && manner.from > 0 {
        return Err(Rejected::Misfit("a check of formulas cannot be resumed"));
    }
    let mut claim = header.claim.clone();
    claim.labels.dedup();
    let (mut starts, mut first) = (0, Vec::new());
    let mut evaluator = semantics.evaluator(header.wd);
    let mut guide = (manner.guide)();
    evaluator.starts(&claim.setup_labels, &mut |state| {
        starts += 1;
        first.push(set.look_up(state, guide.as_deref_mut())? as u32);
        Ok(())
    })?;
    if starts == 0 {
        return Err(Rejected::NoStart);
    }
    drop(evaluator);
    let mut graph = Graph {
        starts: first,
        ..Graph::default()
    };
    let steps = match &set.states {
        States::Members(members) => {
            let wanted = Wanted::new(&claim, formulas);
            closed(&set, members, &wanted, manner, &mut graph)?
        }
        States::Diagram(diagram) => closed_diagram::closed(&set, diagram, &claim, manner)?,
    };
    let accepted = Accepted {
        claim,
        states: header.states,
        starts,
        steps,
        symmetry: header.symmetry.is_some(),
        diagram: is_diagram,
    };
    Ok((accepted, graph))
}

/// What the header says can be said of the model.
fn fits<S: Semantics>(semantics: &S, certificate: &Certificate) -> Result<(), Rejected> {
    let header = &certificate.header;
    if !semantics.fits(header.components) {
        return Err(Rejected::Misfit("the number of components differs"));
    }
    let claim = &header.claim;
    let labels = claim.labels.iter().chain(&claim.setup_labels);
    let labels = labels.chain(&claim.ends);
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

    fn find(&self, state: &[S::Value]) -> Option<usize> {
        let numbers = state.iter().zip(&self.numbers);
        let numbers: Option<Vec<u32>> = numbers
            .map(|(value, numbers)| numbers.get(value).copied())
            .collect();
        self.has(&numbers.filter(|numbers| numbers.len() == self.numbers.len())?)
    }

    /// The number of a state, given by the numbers of its values, if it is in the set; 0 in a diagram.
    fn has(&self, numbers: &[u32]) -> Option<usize> {
        match &self.states {
            States::Members(members) => members.find(numbers),
            States::Diagram(diagram) => diagram.contains(numbers).then_some(0),
        }
    }

    /// The number of a state of the set: the given one, or one that it can be permuted to.
    fn look_up(
        &self,
        state: &[S::Value],
        guide: Option<&mut (dyn Guide<S::Value> + '_)>,
    ) -> Result<usize, Rejected> {
        if let Some(found) = self.find(state) {
            return Ok(found);
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
            .enumerate()
            .map(|(at, value)| self.semantics.permute(at, value, &permutation))
            .collect();
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

/// What is wanted of each state.
struct Wanted<'c> {
    claim: &'c Claim,
    /// The labels that formulas ask about, ascending; none where there are no formulas.
    asked: Option<Vec<u32>>,
}

impl<'c> Wanted<'c> {
    fn new(claim: &'c Claim, formulas: &[Formula]) -> Wanted<'c> {
        let atoms = formulas.iter().flat_map(|formula| &formula.atoms);
        let labels = atoms.filter_map(|atom| match atom {
            Atom::Label(label) => Some(*label),
            _ => None,
        });
        let asked: BTreeSet<u32> = labels.collect();
        let asked = asked.into_iter().collect();
        Wanted {
            claim,
            asked: (!formulas.is_empty()).then_some(asked),
        }
    }
}

/// What was seen of a state.
#[derive(Clone, Default)]
struct Seen {
    steps: Vec<Step>,
    /// The truth of the labels that formulas ask about.
    labels: Vec<bool>,
}

/// Checks every member; gives the number of steps.
fn closed<S: Semantics>(
    set: &Set<'_, S>,
    members: &Members,
    wanted: &Wanted<'_>,
    manner: &Manner<'_, S::Value>,
    graph: &mut Graph,
) -> Result<u64, Rejected> {
    let count = set.certificate.header.states;
    let (next, done) = (AtomicU64::new(manner.from), AtomicU64::new(manner.from));
    let steps = AtomicU64::new(0);
    // The reason of the first state, so that the answer does not depend on threads.
    let first: Mutex<Option<(u64, Rejected)>> = Mutex::new(None);
    let kept: Mutex<BTreeMap<u64, Vec<Seen>>> = Mutex::default();
    let work = || {
        let mut short = Short::new(set.semantics, set.certificate.header.wd);
        let mut guide = (manner.guide)();
        loop {
            let from = match manner.stop.load(Relaxed) {
                true => count,
                false => next.fetch_add(CHUNK, Relaxed),
            };
            if from >= count {
                return;
            }
            let to = count.min(from + CHUNK);
            let mut seen = Vec::new();
            for at in from..to {
                let numbers = members.state(at as usize);
                match member(set, wanted, numbers, &mut short, guide.as_deref_mut()) {
                    Ok(one) => {
                        steps.fetch_add(one.steps.len() as u64, Relaxed);
                        seen.extend(wanted.asked.is_some().then_some(one));
                    }
                    Err(why) => {
                        next.store(count, Relaxed);
                        let mut first = locked(&first);
                        if first.as_ref().is_none_or(|(known, _)| at < *known) {
                            *first = Some((at, why.in_state(at)));
                        }
                        return;
                    }
                };
            }
            if !seen.is_empty() {
                locked(&kept).insert(from, seen);
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
    if let Some((_, why)) = locked(&first).take() {
        return Err(why);
    }
    // A thread that took states has checked them.
    if done.load(Relaxed) < count {
        return Err(Rejected::Stopped(done.load(Relaxed)));
    }
    let labels = wanted.asked.iter().flatten();
    graph.labels = labels.map(|label| (*label, Vec::new())).collect();
    for seen in std::mem::take(&mut *locked(&kept)).into_values().flatten() {
        graph.steps.push(seen.steps);
        for (truths, truth) in graph.labels.values_mut().zip(seen.labels) {
            truths.push(truth);
        }
    }
    Ok(steps.load(Relaxed))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks one member: the claim holds in it, and its steps stay in the set.
fn member<S: Semantics>(
    set: &Set<'_, S>,
    wanted: &Wanted<'_>,
    numbers: &[u32],
    short: &mut Short<'_, S>,
    mut guide: Option<&mut (dyn Guide<S::Value> + '_)>,
) -> Result<Seen, Rejected> {
    let state = set.values_of(numbers);
    let claim = wanted.claim;
    for label in &claim.labels {
        if !short.holds(*label, numbers, &state)? {
            return Err(Rejected::False(*label, None));
        }
    }
    let mut seen = Seen::default();
    for label in wanted.asked.iter().flatten() {
        seen.labels.push(short.holds(*label, numbers, &state)?);
    }
    let (mut changed, mut target) = (numbers.to_vec(), state.clone());
    for action in 0..set.semantics.actions() {
        let targets = short.steps(action, numbers, &state)?;
        let mentions = short.mentions(action);
        for (values, marks) in targets.iter() {
            let mut has_numbers = true;
            for (at, value) in mentions.iter().zip(values) {
                let number = set.number(*at, value);
                has_numbers &= number.is_some();
                changed[*at] = number.unwrap_or_default();
            }
            let found = has_numbers.then(|| set.has(&changed)).flatten();
            let found = match found {
                Some(found) => found,
                None => {
                    for (at, value) in mentions.iter().zip(values) {
                        target[*at] = value.clone();
                    }
                    set.look_up(&target, guide.as_deref_mut())?
                }
            };
            seen.steps.push(Step {
                marks: *marks,
                target: found as u32,
                stays: has_numbers && changed == numbers,
            });
        }
        for at in mentions {
            changed[*at] = numbers[*at];
            target[*at] = state[*at].clone();
        }
    }
    let mut moves = seen
        .steps
        .iter()
        .filter(|step| !(claim.stuttering && step.stays));
    if claim.deadlock && moves.next().is_none() {
        for end in &claim.ends {
            if short.holds(*end, numbers, &state)? {
                return Ok(seen);
            }
        }
        return Err(Rejected::Deadlock(0));
    }
    Ok(seen)
}
