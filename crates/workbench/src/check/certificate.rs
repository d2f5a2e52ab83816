//! Writes the certificate of a run that held: the states that were found, in the notation of the language, with the claim.
//!
//! Under symmetry the canonical form of each representative is written, whichever method chose it, so that whoever checks
//! the certificate can be told the way there.
//! Invariant: the file says only what the run claims; nobody who reads it has to believe it (`crates/certify`).

use std::path::Path;

use base::Diagnostic;
use certify::{Claim, Definedness, Header, Levels, Writer, fingerprint};
use pins::LabelId;
use reduce::symmetry::{Forms, Method, Quotient};
use rustc_hash::FxHashMap;
use search::explicit::{Checks, Kept, Outcome};
use search::symbolic::Diagram;
use subject::{Ground, Wd};

use super::Ended;
use super::facts::Facts;
use super::run::Run;
use crate::choice::Symmetry;
use crate::codes;

impl Run<'_> {
    /// Writes the certificate that was asked for, if the run holds; says why not otherwise.
    pub(super) fn certify(
        &self,
        outcome: &Outcome,
        (ground, checks): (&dyn Ground, &Checks),
        facts: &mut Facts,
    ) -> Result<(), Ended> {
        let Some(path) = self.wants_certificate(outcome, facts) else {
            return Ok(());
        };
        let is_reduced = facts.symmetry.method != Symmetry::Off;
        let quotient = match is_reduced {
            true => Quotient::new(ground.system(), Method::Exact),
            false => None,
        };
        let mut states = Collected::new(ground);
        if let Err(component) = states.collect(&outcome.states, quotient.as_ref()) {
            self.is_infinite(component, facts);
            return Ok(());
        }
        let certifying = self.subject.certifying();
        let classes = certifying.map(|certifying| certifying.classes());
        let header = Header {
            symmetry: classes.filter(|_| quotient.is_some()),
            ..self.header(checks)
        };
        facts.certificate = Some(path.display().to_string());
        write(path, &states.writer.finish(&header))
    }

    /// Writes the certificate of a run on sets of states that was asked for, if it holds; says why not otherwise.
    pub(super) fn certify_set(
        &self,
        set: &Diagram,
        outcome: &Outcome,
        (ground, checks): (&dyn Ground, &Checks),
        facts: &mut Facts,
    ) -> Result<(), Ended> {
        let Some(path) = self.wants_certificate(outcome, facts) else {
            return Ok(());
        };
        let mut states = Collected::new(ground);
        if states.slots.iter().any(|slots| slots.len() != 1) {
            let why = "no certificate was written: a variable takes several levels of the diagram";
            facts.warnings.push(why.to_owned());
            return Ok(());
        }
        if let Err(component) = states.collect_set(set) {
            self.is_infinite(component, facts);
            return Ok(());
        }
        let component = |slot: &usize| ground.component(*slot).index();
        let header = Header {
            states: outcome.statistics.states,
            diagram: Some(Levels {
                order: set.order.iter().map(component).collect(),
                nodes: 0,
            }),
            ..self.header(checks)
        };
        facts.certificate = Some(path.display().to_string());
        write(path, &states.writer.finish(&header))
    }

    /// Where a certificate is written, if one was asked for and the run holds.
    fn wants_certificate(&self, outcome: &Outcome, facts: &mut Facts) -> Option<&Path> {
        let path = self.options.certificate.as_deref()?;
        let holds = outcome.is_complete && outcome.findings.is_empty();
        if !holds || !facts.open_because.is_empty() {
            let why = "no certificate was written: the run does not hold";
            facts.warnings.push(why.to_owned());
            return None;
        }
        Some(path)
    }

    fn is_infinite(&self, component: usize, facts: &mut Facts) {
        let name = self.subject.description().components[component].name;
        let why = format!("no certificate was written: {name} is an infinite set");
        facts.warnings.push(why);
    }

    /// What a certificate of single states is about.
    fn header(&self, checks: &Checks) -> Header {
        Header {
            model: fingerprint(&self.subject.model_text()),
            name: self.subject.description().name.clone(),
            wd: match self.options.setting.wd {
                Wd::Strict => Definedness::Strict,
                Wd::Default | Wd::Lenient => Definedness::Default,
            },
            claim: claim(checks),
            symmetry: None,
            components: 0,
            states: 0,
            diagram: None,
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Ended> {
    std::fs::write(path, bytes).map_err(|error| {
        let message = format!("cannot write \"{}\": {error}", path.display());
        Diagnostic::global(&codes::UNWRITABLE, message).into()
    })
}

/// What was checked, as labels of the subject.
fn claim(checks: &Checks) -> Claim {
    let numbers = |labels: &[LabelId]| -> Vec<u32> {
        labels.iter().map(|label| label.index() as u32).collect()
    };
    let labels = [numbers(&checks.invariants), numbers(&checks.assertions)];
    Claim {
        labels: labels.concat(),
        setup_labels: numbers(&checks.setup_labels),
        deadlock: checks.deadlock,
    }
}

/// States as numbers of the values of their components.
struct Collected<'g> {
    ground: &'g dyn Ground,
    /// For each component its slots.
    slots: Vec<Vec<usize>>,
    /// For each component the numbers of its values, by the words of its slots.
    known: Vec<FxHashMap<Box<[u32]>, u32>>,
    writer: Writer,
}

impl<'g> Collected<'g> {
    fn new(ground: &'g dyn Ground) -> Collected<'g> {
        let mut slots: Vec<Vec<usize>> = Vec::new();
        for slot in 0..ground.system().shape().slots.len() {
            let component = ground.component(slot).index();
            if slots.len() <= component {
                slots.resize(component + 1, Vec::new());
            }
            slots[component].push(slot);
        }
        Collected {
            ground,
            known: vec![FxHashMap::default(); slots.len()],
            writer: Writer::new(slots.len()),
            slots,
        }
    }

    /// Adds states, or their canonical forms; an error is a component without a plain value.
    fn collect(&mut self, states: &Kept, quotient: Option<&Quotient<'_>>) -> Result<(), usize> {
        let mut forms = quotient.and_then(Forms::new);
        let mut answer = Ok(());
        states.each(|state| {
            if answer.is_ok() {
                answer = match &mut forms {
                    Some(forms) => self.add(&forms.form(state).1),
                    None => self.add(state),
                };
            }
        });
        answer
    }

    fn add(&mut self, state: &[u32]) -> Result<(), usize> {
        let mut numbers = Vec::with_capacity(self.slots.len());
        for component in 0..self.slots.len() {
            numbers.push(self.number(component, state)?);
        }
        self.writer.add(&numbers);
        Ok(())
    }

    /// Adds the nodes of a diagram each of whose levels is a component.
    fn collect_set(&mut self, set: &Diagram) -> Result<(), usize> {
        let mut below: Vec<usize> = vec![0];
        // A state that lends its values to the other components.
        let mut state = vec![0; set.order.len()];
        let mut node = set.nodes.len();
        for slot in &set.order {
            (state[*slot], node) = match node.checked_sub(1).map(|at| set.nodes[at][0]) {
                Some((value, child)) => (value, child as usize),
                None => return Ok(()),
            };
        }
        for edges in &set.nodes {
            let depth = below[edges[0].1 as usize] + 1;
            below.push(depth);
            let slot = set.order[set.order.len() - depth];
            let component = self.ground.component(slot).index();
            let mut numbered = Vec::new();
            for (value, child) in edges {
                let before = std::mem::replace(&mut state[slot], *value);
                numbered.push((self.number(component, &state)?, *child));
                state[slot] = before;
            }
            numbered.sort_unstable();
            self.writer.add_node(&numbered);
        }
        Ok(())
    }

    /// The number of the value of a component in a state.
    fn number(&mut self, component: usize, state: &[u32]) -> Result<u32, usize> {
        let slots = self.slots[component].iter();
        let words: Box<[u32]> = slots.map(|slot| state[*slot]).collect();
        if let Some(number) = self.known[component].get(&words) {
            return Ok(*number);
        }
        let mut values = self.ground.values(state);
        let value = values.get_mut(component).and_then(Option::take);
        let text = value.ok_or(component)?.text();
        let number = self.writer.number(component, text);
        self.known[component].insert(words, number);
        Ok(number)
    }
}
