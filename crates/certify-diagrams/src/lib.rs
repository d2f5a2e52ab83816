//! Checks a certificate whose set of states is a diagram: it holds the initial ones, is closed under steps, and satisfies the claim.
//!
//! Every short vector of every action and label that a state of the set has is asked of the reference evaluator, with the
//! other components as in some state; some are asked again with the other components of a random one. What a step makes of a
//! short vector it makes of every state that has it (`certify/src/short.rs` says what is trusted there).

mod diagram;

use std::sync::atomic::Ordering::Relaxed;

use certify::{Accepted, Certificate, Manner, Part, Rejected, Semantics, Short, Values, starts};

use crate::diagram::{Diagram, Inclusion, Relation};

/// One short vector in so many is asked again in another state.
const ASKED_AGAIN: u64 = 16;

/// Checks a certificate of the model with this normal form; its states are a diagram.
pub fn certify<S: Semantics>(
    semantics: &S,
    (text, certificate): (&str, &Certificate),
    manner: &Manner<'_, S::Value>,
) -> Result<Accepted, Rejected> {
    let values = Values::read(semantics, (text, certificate))?;
    let header = &certificate.header;
    if header.symmetry.is_some() || !header.formulas.is_empty() {
        let why = "a diagram holds all states of an orbit, and proves no formulas";
        return Err(Rejected::Misfit(why));
    }
    if header.claim.deadlock && header.claim.stuttering {
        let why = "of a diagram nobody sees which steps stay";
        return Err(Rejected::Misfit(why));
    }
    let diagram = Diagram::read(certificate)?;
    let (mut accepted, _) = starts(&values, |state| {
        let numbers = values.numbers(state);
        let found = numbers.filter(|numbers| diagram.contains(numbers));
        found.map(|_| 0).ok_or(Rejected::StartOutside)
    })?;
    accepted.steps = closed(&values, &diagram, manner)?;
    Ok(accepted)
}

/// Checks a diagram; gives the number of steps of short vectors.
fn closed<S: Semantics>(
    values: &Values<'_, S>,
    diagram: &Diagram,
    manner: &Manner<'_, S::Value>,
) -> Result<u64, Rejected> {
    let header = &values.certificate.header;
    let mut walk = Walk {
        values,
        diagram,
        manner,
        short: Short::new(values.semantics, header.wd),
        first: diagram.member(&mut |_| 0),
        asked: 0,
        steps: 0,
        random: 1,
    };
    for label in &header.claim.labels {
        walk.label(*label)?;
    }
    // The states that have no step so far; none where nobody asks.
    let mut stuck = header.claim.deadlock.then(|| diagram.clone());
    for action in 0..values.semantics.actions() {
        let enabled = walk.action(action)?;
        stuck = stuck.and_then(|rest| rest.without(&enabled));
    }
    match stuck {
        Some(_) => Err(Rejected::Deadlock(0)),
        None => Ok(walk.steps),
    }
}

/// What is known while a diagram is checked.
struct Walk<'a, 'm, S: Semantics> {
    values: &'a Values<'a, S>,
    diagram: &'a Diagram,
    manner: &'a Manner<'m, S::Value>,
    short: Short<'a, S>,
    /// A state, which lends its values to what is not mentioned.
    first: Vec<u32>,
    /// How many short vectors were asked about.
    asked: u64,
    steps: u64,
    random: u64,
}

impl<S: Semantics> Walk<'_, '_, S> {
    /// A random state of the set.
    fn other(&mut self) -> Vec<u32> {
        let random = &mut self.random;
        self.diagram.member(&mut |below| {
            *random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (*random >> 33) as usize % below
        })
    }

    /// Every state with a short vector of some levels: that of the first state but for these.
    fn each(
        &mut self,
        components: &[usize],
        visit: &mut impl FnMut(&mut Self, &[u32], &[u32]) -> Result<(), Rejected>,
    ) -> Result<Vec<usize>, Rejected> {
        let levels = self.diagram.levels(components);
        let mut state = self.first.clone();
        let diagram = self.diagram;
        diagram.short_vectors(&levels, &mut |short| {
            for (level, value) in levels.iter().zip(short) {
                state[diagram.order[*level]] = *value;
            }
            self.asked += 1;
            if self.manner.stop.load(Relaxed) {
                return Err(Rejected::Stopped(0));
            }
            if self.asked.is_multiple_of(1024) {
                (self.manner.progress)(self.asked);
            }
            visit(self, short, &state)
        })?;
        Ok(levels)
    }

    fn label(&mut self, label: u32) -> Result<(), Rejected> {
        let components = self.values.semantics.mentions(Part::Label(label));
        self.each(&components, &mut |walk, _, numbers| {
            let state = walk.values.of(numbers);
            match walk.short.holds(label, numbers, &state)? {
                true => Ok(()),
                false => Err(Rejected::False(label, None)),
            }
        })?;
        Ok(())
    }

    /// Checks that steps of an action stay in the set; gives the short vectors from which it has one.
    fn action(&mut self, action: usize) -> Result<Relation, Rejected> {
        let components = self.short.mentions(action).to_vec();
        let (mut pairs, mut enabled) = (Vec::new(), Vec::new());
        let levels = self.each(&components, &mut |walk, short, numbers| {
            let state = walk.values.of(numbers);
            let targets = walk.short.steps(action, numbers, &state)?;
            if walk.asked.is_multiple_of(ASKED_AGAIN) {
                let mut other = walk.other();
                components.iter().for_each(|at| other[*at] = numbers[*at]);
                let again = walk.short.steps_again(action, &walk.values.of(&other))?;
                if again != targets {
                    let why = "an action depends on what it does not mention";
                    return Err(Rejected::NoAnswer(why.to_owned(), None));
                }
            }
            walk.steps += targets.len() as u64;
            for (target, _) in targets.iter() {
                let mut row = Vec::new();
                for (level, read) in walk.diagram.levels(&components).iter().zip(short) {
                    let component = walk.diagram.order[*level];
                    let at = components.iter().position(|known| *known == component);
                    let value = at.map(|at| &target[at]);
                    let written = value.and_then(|value| walk.values.number(component, value));
                    row.push((*read, written.ok_or(Rejected::StepOutside(0))?));
                }
                pairs.push(row);
            }
            if !targets.is_empty() {
                enabled.push(short.iter().map(|value| (*value, *value)).collect());
            }
            Ok(())
        })?;
        let relation = Relation::new(levels.clone(), pairs);
        match Inclusion::new(self.diagram, &relation).holds() {
            true => Ok(Relation::new(levels, enabled)),
            false => Err(Rejected::StepOutside(0)),
        }
    }
}
