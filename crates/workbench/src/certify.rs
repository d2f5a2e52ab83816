//! Checks the certificate of a run that held, independently of the engines.

use std::path::Path;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics};
use certify::{Accepted, Certificate, Rejected};
use pins::LabelId;
use serde::Serialize;
use subject::evidence::Claimed;
pub use subject::evidence::Course;
use subject::{Description, Form, Ground, Setting, Subject};

use crate::check::temporal::certified;
use crate::codes;
use crate::lint::Lint;
use crate::open::{Opened, Workbench};
use crate::proofs::{self, Checked};
use crate::report::counted;

/// What became of a certificate.
pub struct Certified {
    /// What is wrong with the model or the file.
    pub lint: Lint,
    /// The answer, when the certificate could be looked at.
    pub answer: Option<CertificateReport>,
}

/// Whether a certificate proves what it claims.
#[derive(Clone, Debug, Serialize)]
pub struct CertificateReport {
    /// The model.
    pub model: String,
    /// The certificate.
    pub certificate: String,
    /// Whether it was accepted.
    pub accepted: bool,
    /// Why it was not.
    pub because: Option<String>,
    /// What holds in every reachable state.
    pub proved: Vec<String>,
    /// The states of the certificate.
    pub states: u64,
    /// The initial states that were found.
    pub starts: u64,
    /// The steps that were taken.
    pub steps: u64,
    /// Whether each state stands for those that differ by names of interchangeable elements.
    pub symmetry: bool,
    /// Whether the states are a diagram, and the steps those of short vectors.
    pub diagram: bool,
    /// What was checked of proofs that steps keep conjuncts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<Checked>,
    /// Of what beyond which bounds nothing is proved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<String>,
    /// What was believed.
    pub trusted: Vec<&'static str>,
}

/// What any certificate rests on.
const TRUSTED: &[&str] = &[
    "reading the text and making a model of it",
    "the reference evaluator",
];
/// What one of short vectors rests on.
const TRUSTED_SHORT: &str = "that a formula depends on what it mentions";
/// What one with temporal formulas rests on.
const TRUSTED_FORMULAS: &str = "reading temporal formulas";
/// What one that was checked in two runs rests on.
const TRUSTED_SAVED: &str = "the file of the interrupted check";
/// What one with symmetry rests on.
const TRUSTED_SYMMETRY: &str =
    "the analysis of the text that tells which elements are interchangeable";

/// Checks a certificate for the model in a file. What an interrupted check saved is taken up, and an interrupt saves.
pub fn certify(
    bench: &Workbench,
    model: &Path,
    certificate: &Path,
    setting: &Setting,
    course: &Course<'_>,
    saved: Option<&Path>,
) -> Certified {
    let opened = match bench.open(model, setting) {
        Ok(opened) => opened,
        Err(lint) => {
            let (lint, answer) = (*lint, None);
            return Certified { lint, answer };
        }
    };
    if certificate.is_dir() {
        return certify_proofs(opened, setting, (model, certificate));
    }
    let check = Check {
        bench,
        setting,
        files: (model, certificate),
        course,
        saved,
    };
    check.run(opened)
}

/// The check of one certificate.
struct Check<'a> {
    bench: &'a Workbench,
    setting: &'a Setting,
    files: (&'a Path, &'a Path),
    course: &'a Course<'a>,
    saved: Option<&'a Path>,
}

/// What was accepted, with its formulas, or why nothing was.
type Answer = Result<(Accepted, Vec<certify::Claimed>), Rejected>;

impl Check<'_> {
    fn run(&self, opened: Opened) -> Certified {
        let certificate = self.files.1;
        if opened.subject.certifying().is_none() {
            let what = "certificates for this language";
            return refused(opened.lint, [crate::plan::missing("certify", what)]);
        }
        let bytes = match std::fs::read(certificate) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = format!("cannot read \"{}\": {error}", certificate.display());
                let diagnostic = Diagnostic::global(&codes::UNREADABLE, message);
                return refused(opened.lint, [diagnostic]);
            }
        };
        let read = Certificate::read(&bytes);
        let Opened {
            mut lint,
            mut subject,
        } = self.with_its_text(opened, read.as_ref().ok());
        // Before questions are asked: a subject may add them to its model.
        let text = subject.model_text();
        let claimed = read.as_ref().map_or(&[][..], |read| &read.header.formulas);
        let texts = claimed.iter().map(|one| (&*one.logic, &*one.text));
        let temporal = certified::read(texts, &mut *subject, &mut lint.sources);
        let ground = match ground(&*subject, self.setting) {
            Ok(ground) => ground,
            Err(diagnostics) => return refused(lint, diagnostics),
        };
        let from = match (self.saved, &read) {
            (Some(saved), Ok(read)) => taken_up(saved, read),
            _ => 0,
        };
        let answer = match (read, temporal, subject.certifying()) {
            (Ok(read), Ok(temporal), Some(certifying)) => {
                let claimed = Claimed {
                    text: &text,
                    certificate: &read,
                    temporal: &temporal,
                };
                let course = Course {
                    from,
                    ..*self.course
                };
                let answer = certifying.certify(claimed, &*ground, &course);
                if let Err(diagnostic) = self.keep(&answer, &read) {
                    return refused(lint, [*diagnostic]);
                }
                answer.map(|accepted| (accepted, read.header.formulas))
            }
            (Err(rejected), ..) => Err(rejected),
            (_, Err(why), _) => Err(Rejected::Formula(0, why)),
            (.., None) => Err(Rejected::OtherModel),
        };
        let mut answer = tell(answer, subject.description(), self.files);
        if answer.accepted && from > 0 {
            answer.trusted.push(TRUSTED_SAVED);
        }
        let answer = Some(answer);
        Certified { lint, answer }
    }

    /// The model in the text that a certificate means: a run of temporal formulas may have read assertions differently, and the hash
    /// says which of the two texts it was about.
    fn with_its_text(&self, opened: Opened, read: Option<&Certificate>) -> Opened {
        let is_meant = read.is_none_or(|read| {
            read.header.formulas.is_empty()
                || read.header.model == certify::fingerprint(&opened.subject.model_text())
        });
        if is_meant {
            return opened;
        }
        let mut other = self.setting.clone();
        other.obligations.formulas = true;
        self.bench.open(self.files.0, &other).unwrap_or(opened)
    }

    /// Saves how far a check came that was stopped, and removes what was saved when it came to its end.
    fn keep(
        &self,
        answer: &Result<Accepted, Rejected>,
        certificate: &Certificate,
    ) -> Result<(), Box<Diagnostic>> {
        let Some(saved) = self.saved else {
            return Ok(());
        };
        match answer {
            Err(Rejected::Stopped(done)) if *done > 0 => {
                let text = format!("{}\n{done}\n", fingerprint_of(certificate));
                std::fs::write(saved, text).map_err(|error| {
                    let message = format!("cannot write \"{}\": {error}", saved.display());
                    Box::new(Diagnostic::global(&codes::UNWRITABLE, message))
                })
            }
            Ok(_) => {
                // Whether it can be removed makes no difference to the answer.
                let _ = std::fs::remove_file(saved);
                Ok(())
            }
            Err(_) => Ok(()),
        }
    }
}

/// A check that could not begin, or not be saved.
fn refused(mut lint: Lint, why: impl IntoIterator<Item = Diagnostic>) -> Certified {
    lint.diagnostics.extend(why);
    Certified { lint, answer: None }
}

/// The model as a whole, for evaluators that nobody believes.
fn ground(subject: &dyn Subject, setting: &Setting) -> Result<Arc<dyn Ground>, Diagnostics> {
    let symmetry = subject.symmetry(&[]);
    let form = Form {
        wd: setting.wd,
        symmetry: Some(&symmetry),
        ..Form::default()
    };
    let ground = subject.ground(&form)?;
    Ok(ground.expect("every subject has a form of its model as a whole"))
}

/// Checks proofs that steps keep conjuncts.
fn certify_proofs(
    Opened { lint, subject }: Opened,
    setting: &Setting,
    files: (&Path, &Path),
) -> Certified {
    let ground = match ground(&*subject, setting) {
        Ok(ground) => ground,
        Err(diagnostics) => return refused(lint, diagnostics),
    };
    let mut report = CertificateReport::new(files);
    match proofs::check(files.1, &subject.model_text(), (&*subject, &*ground)) {
        Ok((checked, labels)) => {
            let known = &subject.description().labels;
            let name = |label: LabelId| known[ground.label(label).index()].name();
            report.accepted = true;
            report.proved = labels.into_iter().map(name).collect();
            report.proofs = Some(checked);
            report.trusted = vec![
                TRUSTED[0],
                "which events write what a conjunct reads",
                "that the clauses say what is asked",
            ];
        }
        Err(why) => report.because = Some(why),
    }
    Certified {
        lint,
        answer: Some(report),
    }
}

/// The certificate that a saved check was about.
fn fingerprint_of(certificate: &Certificate) -> String {
    certificate
        .hash
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// How many states an interrupted check of a certificate has checked; none if it was about another one.
fn taken_up(saved: &Path, certificate: &Certificate) -> u64 {
    let text = std::fs::read_to_string(saved).unwrap_or_default();
    let mut lines = text.lines();
    let is_same = lines.next() == Some(&fingerprint_of(certificate));
    let done = lines.next().and_then(|done| done.parse().ok());
    done.filter(|_| is_same).unwrap_or(0)
}

/// The answer in words.
fn tell(answer: Answer, description: &Description, files: (&Path, &Path)) -> CertificateReport {
    let mut report = CertificateReport::new(files);
    let name = |label: u32| description.labels[label as usize].name();
    match answer {
        Err(Rejected::False(label, state)) => {
            let place = state.map_or("a set-up".to_owned(), |state| format!("state {state}"));
            report.because = Some(format!("{} is false in {place}", name(label)));
        }
        Err(rejected) => report.because = Some(rejected.to_string()),
        Ok((accepted, formulas)) => {
            let claim = accepted.claim;
            let labels = claim.labels.iter().chain(&claim.setup_labels);
            report.proved = labels.map(|label| name(*label)).collect();
            if claim.deadlock {
                report.proved.push("there is no deadlock".to_owned());
            }
            report.proved.push("no formula is undefined".to_owned());
            for formula in &formulas {
                let text = formula
                    .text
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                report.proved.push(format!("{} {text}", formula.logic));
            }
            report.accepted = true;
            report.states = accepted.states;
            report.starts = accepted.starts;
            report.steps = accepted.steps;
            report.symmetry = accepted.symmetry;
            report.diagram = accepted.diagram;
            report.bounds = accepted.bounds;
            report.trusted = TRUSTED.to_vec();
            report.trusted.push(TRUSTED_SHORT);
            report
                .trusted
                .extend((!formulas.is_empty()).then_some(TRUSTED_FORMULAS));
            report
                .trusted
                .extend(accepted.symmetry.then_some(TRUSTED_SYMMETRY));
        }
    }
    report
}

impl CertificateReport {
    fn new((model, certificate): (&Path, &Path)) -> CertificateReport {
        CertificateReport {
            model: model.display().to_string(),
            certificate: certificate.display().to_string(),
            accepted: false,
            because: None,
            proved: Vec::new(),
            states: 0,
            starts: 0,
            steps: 0,
            symmetry: false,
            diagram: false,
            proofs: None,
            bounds: Vec::new(),
            trusted: Vec::new(),
        }
    }

    /// The exit code.
    pub fn exit(&self) -> u8 {
        u8::from(!self.accepted)
    }

    /// The answer for people.
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        if let Some(because) = &self.because {
            lines.push(format!("certificate: rejected ({because})"));
            return lines.join("\n");
        }
        if let Some(checked) = &self.proofs {
            return self.proofs_text(checked);
        }
        let orbits = if self.symmetry {
            ", each for its orbit"
        } else {
            ""
        };
        lines.push(format!(
            "{}{orbits}, closed under {} from {}",
            counted(self.states, "state"),
            match self.diagram {
                true => format!("{} of short vectors", counted(self.steps, "step")),
                false => counted(self.steps, "step"),
            },
            counted(self.starts, "initial state"),
        ));
        lines.extend(self.proved.iter().map(|what| format!("proved: {what}")));
        let beyond = self.bounds.iter();
        lines.extend(beyond.map(|what| format!("not proved beyond bounds: {what}")));
        lines.push(format!("trusted: {}", self.trusted.join("; ")));
        let within = match self.bounds.is_empty() {
            true => "",
            false => " (within bounds)",
        };
        lines.push(format!("certificate: accepted{within}"));
        lines.join("\n")
    }

    /// The answer about proofs that steps keep conjuncts.
    fn proofs_text(&self, checked: &Checked) -> String {
        let mut lines = vec![format!(
            "{} with a proof of {}, checked step by step",
            counted(checked.questions, "question"),
            counted(checked.steps, "clause"),
        )];
        let supposed = counted(checked.supposed, "conjunct");
        let kept = |what: &String| format!("kept by every step where {supposed} hold: {what}");
        lines.extend(self.proved.iter().map(kept));
        let mut trusted = self.trusted.join("; ");
        if checked.believed > 0 {
            let believed = counted(checked.believed, "question");
            trusted.push_str(&format!("; the solver about {believed} without clauses"));
        }
        lines.push(format!("trusted: {trusted}"));
        lines.push("proofs: accepted".to_owned());
        lines.join("\n")
    }
}
