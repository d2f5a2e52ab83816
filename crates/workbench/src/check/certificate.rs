//! Writes the certificate of a run that held: the states that were found, in the notation of the language, with the claim.
//!
//! Under symmetry the canonical form of each representative is written, whichever method chose it, so that whoever checks
//! the certificate can be told the way there.
//! Invariant: the file says only what the run claims; nobody who reads it has to believe it (`crates/certify`).

use std::path::Path;

use base::{Diagnostic, Span};
use certify::{Certificate, Claim, Claimed, Definedness, Header, Levels, fingerprint};
use evidence::{Writer, with_header};
use pins::{Flow, LabelId, System};
use reduce::symmetry::{Forms, Method, Quotient};
use rustc_hash::FxHashMap;
use search::explicit::{Checks, Kept, Open, Outcome};
use search::symbolic::Diagram;
use subject::evidence::{Certifying, Course};
use subject::{Form, Ground, Wd};

use super::facts::Facts;
use super::run::Run;
use super::temporal::{Certifiable, Formulas};
use super::{Ended, Hooks};
use crate::choice::Symmetry;
use crate::codes;
use crate::report::Verdict;

/// Said of a run that has no certificate.
const NOT_WRITTEN: &str = "no certificate was written: the run does not hold";

impl Run<'_> {
    /// Writes the certificate that was asked for, if the run holds; says why not otherwise.
    pub(super) fn certify(
        &self,
        outcome: &Outcome,
        (ground, checks): (&dyn Ground, &Checks),
        facts: &mut Facts,
    ) {
        let Some(claim) = self.certified_claim(outcome, (ground, checks), facts) else {
            return;
        };
        let is_reduced = facts.symmetry.method != Symmetry::Off;
        let quotient = match is_reduced {
            true => Quotient::new(ground.system(), Method::Exact),
            false => None,
        };
        let Some(certifying) = self.subject.certifying() else {
            return;
        };
        if quotient.is_some() && !certifying.permutes() {
            let why = "no certificate was written: states stand for others in a way that is not certified; --symmetry off helps";
            facts.warnings.push(why.to_owned());
            return;
        }
        let mut states = Collected::new(ground);
        states.certifying = Some(certifying);
        if let Err(component) = states.collect(&outcome.states, quotient.as_ref()) {
            self.is_infinite(component, facts);
            return;
        }
        let header = Header {
            symmetry: quotient.is_some().then(|| certifying.classes()),
            ..self.header(claim)
        };
        facts.proof = Some(states.writer.finish(&header).into());
    }

    /// Writes the certificate of a run on sets of states that was asked for, if it holds; says why not otherwise.
    pub(super) fn certify_set(
        &self,
        set: &Diagram,
        outcome: &Outcome,
        (ground, checks): (&dyn Ground, &Checks),
        facts: &mut Facts,
    ) {
        let Some(claim) = self.certified_claim(outcome, (ground, checks), facts) else {
            return;
        };
        let mut states = Collected::new(ground);
        if states.slots.iter().any(|slots| slots.len() != 1) {
            let why = "no certificate was written: a variable takes several levels of the diagram";
            facts.warnings.push(why.to_owned());
            return;
        }
        if let Err(component) = states.collect_set(set) {
            self.is_infinite(component, facts);
            return;
        }
        let component = |slot: &usize| ground.component(*slot).index();
        let header = Header {
            states: outcome.statistics.states,
            diagram: Some(Levels {
                order: set.order.iter().map(component).collect(),
                nodes: 0,
            }),
            ..self.header(claim)
        };
        facts.proof = Some(states.writer.finish(&header).into());
    }

    /// What a certificate claims that was asked for, if the run holds so far: everywhere, or where only set-ups and initial
    /// states were cut, within these bounds.
    fn certified_claim(
        &self,
        outcome: &Outcome,
        (ground, checks): (&dyn Ground, &Checks),
        facts: &mut Facts,
    ) -> Option<Claim> {
        self.options.certificate.as_ref()?;
        let mut claim = claim(checks);
        let holds = outcome.is_complete && facts.open_because.is_empty();
        if outcome.findings.is_empty() && outcome.open == [Open::Cut] {
            let cuts = cut_at_start(ground.system());
            facts.bounds = cuts.iter().map(|cut| self.cut(cut)).collect();
            let certifying = self.subject.certifying();
            let is_bounded = |certifying: &dyn Certifying| {
                let bounds = certifying.bounds(self.definedness());
                !bounds.is_empty()
            };
            claim.within_bounds = !facts.is_open() && certifying.is_some_and(is_bounded);
        }
        if outcome.findings.is_empty() && (holds || claim.within_bounds) {
            return Some(claim);
        }
        facts.warnings.push(NOT_WRITTEN.to_owned());
        None
    }

    /// Writes the certificate that was asked for, with what proves the formulas, if everything holds.
    pub(super) fn write_certificate(
        &self,
        formulas: Option<&Formulas>,
        hooks: &Hooks<'_>,
        facts: &mut Facts,
    ) -> Result<(), Ended> {
        let (Some(path), Some(proof)) = (&self.options.certificate, facts.proof.take()) else {
            return Ok(());
        };
        if !facts.findings.is_empty() || !self.plan.open_because.is_empty() || facts.is_open() {
            facts.warnings.push(NOT_WRITTEN.to_owned());
            return Ok(());
        }
        if !facts.bounds.is_empty() {
            let bounds = facts.bounds.join("; ");
            let why = format!("the certificate claims nothing beyond bounds: {bounds}");
            facts.warnings.push(why);
        }
        let mut bytes = proof.to_vec();
        if let Some(formulas) = formulas {
            let (claimed, refused) = self.prove(&proof, formulas, hooks, facts)?;
            facts.warnings.extend(refused);
            facts.certified = claimed.iter().map(|one| one.text.clone()).collect();
            let mut header = read(&proof)?.header;
            header.formulas = claimed;
            bytes = with_header(&proof, &header);
        }
        facts.certificate = Some(path.display().to_string());
        write(path, &bytes)
    }

    /// What proves the formulas that hold, and why there is nothing for others.
    fn prove(
        &self,
        proof: &[u8],
        formulas: &Formulas,
        hooks: &Hooks<'_>,
        facts: &Facts,
    ) -> Result<(Vec<Claimed>, Vec<String>), Ended> {
        let own = self.subject.description().labels.len();
        let held = facts
            .formulas
            .iter()
            .map(|told| told.verdict == Verdict::Holds);
        let Certifiable {
            temporal,
            texts,
            mut refused,
        } = formulas.certifiable(self.options.fair, own, held);
        let mut claimed = Vec::new();
        if temporal.formulas.is_empty() {
            return Ok((claimed, refused));
        }
        let certificate = read(proof)?;
        let symmetry = self.subject.symmetry(&[]);
        let ground = self.ground(&Form {
            symmetry: Some(&symmetry),
            ..self.form()
        })?;
        let course = Course {
            threads: self.options.threads,
            from: 0,
            stop: hooks.stop,
            progress: &|_| {},
        };
        let given = subject::evidence::Claimed {
            text: self.text,
            certificate: &certificate,
            temporal: &temporal,
        };
        let certifying = self.subject.certifying();
        let explored = certifying.map(|certifying| certifying.explore(given, &*ground, &course));
        let graph = match explored {
            Some(Ok(graph)) => graph,
            Some(Err(rejected)) => {
                refused.push(format!("no formula is certified: {rejected}"));
                return Ok((claimed, refused));
            }
            None => return Ok((claimed, refused)),
        };
        for (formula, (logic, text)) in temporal.formulas.iter().zip(texts) {
            match evidence::prove(&graph, formula) {
                Ok(found) => claimed.push(Claimed {
                    logic,
                    text,
                    evidence: evidence::text(&found),
                }),
                Err(why) => refused.push(format!("not certified: {logic} {text}: {why}")),
            }
        }
        Ok((claimed, refused))
    }

    fn is_infinite(&self, component: usize, facts: &mut Facts) {
        let name = self.subject.description().components[component].name;
        let why = format!("no certificate was written: {name} is an infinite set");
        facts.warnings.push(why);
    }

    fn definedness(&self) -> Definedness {
        match self.options.setting.wd {
            Wd::Strict => Definedness::Strict,
            Wd::Default | Wd::Lenient => Definedness::Default,
        }
    }

    /// What a certificate of single states is about.
    fn header(&self, claim: Claim) -> Header {
        Header {
            model: fingerprint(self.text),
            name: self.subject.description().name.clone(),
            wd: self.definedness(),
            claim,
            symmetry: None,
            components: 0,
            states: 0,
            diagram: None,
            formulas: Vec::new(),
        }
    }
}

/// What is cut when set-ups and initial states are looked for. That something was cut may be told as a fault too, and the run has
/// told every other one.
fn cut_at_start(system: &dyn System) -> Vec<(Option<Span>, String)> {
    let mut worker = system.worker();
    let mut setups: Vec<Vec<u32>> = Vec::new();
    let _ = worker.setups(&mut |setup| {
        setups.push(setup.to_vec());
        Flow::Continue
    });
    for setup in &setups {
        let _ = worker.initial(setup, &mut |_| Flow::Continue);
    }
    worker.take_notes().cuts
}

/// Reads what was just made.
fn read(proof: &[u8]) -> Result<Certificate, Ended> {
    let read = Certificate::read(proof);
    read.map_err(|rejected| Ended::Bug(format!("a certificate that was made: {rejected}")))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Ended> {
    std::fs::write(path, bytes).map_err(|error| unwritable(path, &error))
}

/// A file of evidence cannot be written.
pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> Ended {
    let message = format!("cannot write \"{}\": {error}", path.display());
    Diagnostic::global(&codes::UNWRITABLE, message).into()
}

/// What was checked, as labels of the subject.
fn claim(checks: &Checks) -> Claim {
    let numbers = |labels: &[LabelId]| -> Vec<u32> {
        labels.iter().map(|label| label.index() as u32).collect()
    };
    let mut labels = [numbers(&checks.invariants), numbers(&checks.assertions)].concat();
    labels.dedup();
    Claim {
        labels,
        setup_labels: numbers(&checks.setup_labels),
        deadlock: checks.deadlock,
        stuttering: checks.stuttering,
        ends: numbers(&checks.ends),
        within_bounds: false,
    }
}

/// States as numbers of the values of their components.
struct Collected<'g> {
    ground: &'g dyn Ground,
    /// Who may have components of its own.
    certifying: Option<&'g dyn Certifying>,
    /// The numbers of texts for each of these, and the states.
    texts: Vec<FxHashMap<String, u32>>,
    rows: Vec<Vec<u32>>,
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
            certifying: None,
            texts: Vec::new(),
            rows: Vec::new(),
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
        if !self.rows.is_empty() {
            self.write_rows();
        }
        answer
    }

    /// Gives states of different lengths the same: what is not there is an empty text.
    fn write_rows(&mut self) {
        let width = self.texts.len();
        self.writer = Writer::new(width);
        let mut empty = vec![0; width];
        for (at, known) in self.texts.iter_mut().enumerate() {
            if self.rows.iter().any(|row| row.len() <= at) {
                let next = known.len() as u32;
                empty[at] = *known.entry(String::new()).or_insert(next);
            }
            let mut texts: Vec<(u32, &String)> =
                known.iter().map(|(text, at)| (*at, text)).collect();
            texts.sort_unstable();
            for (_, text) in texts {
                self.writer.number(at, text.clone());
            }
        }
        for mut row in std::mem::take(&mut self.rows) {
            row.extend_from_slice(&empty[row.len()..]);
            self.writer.add(&row);
        }
    }

    fn add(&mut self, state: &[u32]) -> Result<(), usize> {
        let own = self.certifying;
        if let Some(texts) = own.and_then(|own| own.components(self.ground, state)) {
            let width = self.texts.len().max(texts.len());
            self.texts.resize(width, FxHashMap::default());
            let numbers = texts.into_iter().zip(&mut self.texts).map(|(text, known)| {
                let next = known.len() as u32;
                *known.entry(text).or_insert(next)
            });
            let row = numbers.collect();
            self.rows.push(row);
            return Ok(());
        }
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
