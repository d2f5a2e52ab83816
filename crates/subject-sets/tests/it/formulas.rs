//! Certificates of temporal formulas and of diagrams that were changed: the evidence of one formula proves no other that is false, and no
//! changed byte proves a claim that is.
//!
//! `CERTIFICATE_MUTATIONS=10000` tries so many; a sample otherwise.

use std::collections::BTreeMap;
use std::path::Path;

use base::Random;
use certify::Certificate;
use certify_temporal::Evidence;
use evidence::{text, with_header};
use workbench::choice::{Engine, Symmetry};
use workbench::plan::Options;
use workbench::report::Verdict;

use crate::certificates::{certified, oracle_machines, scratch};
use crate::check;
use crate::mutations::wanted;

/// Formulas of a machine, each with its logic.
type Formulas = BTreeMap<String, Vec<(String, String)>>;

/// The formulas of the shared material, by machine; none when it is absent.
fn oracle_formulas() -> Formulas {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/ltl.tsv");
    let mut formulas = Formulas::new();
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("skipped: there is no {}", file.display());
        return formulas;
    };
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        if let [machine, logic, formula, ..] = cells[..] {
            let known = formulas.entry(machine.to_owned()).or_default();
            known.push((logic.to_lowercase(), formula.to_owned()));
        }
    }
    formulas
}

fn asking(logic: &str, formula: &str) -> Options {
    let mut options = Options {
        invariant: false,
        deadlock: false,
        max_states: Some(300),
        ..Options::default()
    };
    match logic {
        "ltl" => options.ltl.push(formula.to_owned()),
        _ => options.ctl.push(formula.to_owned()),
    }
    options
}

fn read(evidence: &str) -> Evidence {
    serde_json::from_str(evidence).expect("evidence")
}

/// Changes a number of the evidence.
fn change(evidence: &mut Evidence, random: &mut Random) {
    match evidence {
        Evidence::Branching(ranks) if !ranks.is_empty() => {
            let at = random.below(ranks.len());
            let state = random.below(ranks[at].len());
            ranks[at][state] = random.below(4) as u32;
        }
        Evidence::Linear(all) if !all.is_empty() => {
            let at = random.below(all.len());
            let cycles = &mut all[at];
            let node = random.below(cycles.nodes.len());
            let pairs = &mut cycles.nodes[node];
            match random.below(4) {
                0 if !pairs.is_empty() => _ = pairs.remove(random.below(pairs.len())),
                1 if !pairs.is_empty() => {
                    let pair = random.below(pairs.len());
                    pairs[pair].1 = random.below(cycles.parts.len()) as u32;
                }
                2 if !cycles.parts.is_empty() => {
                    let part = random.below(cycles.parts.len());
                    cycles.parts[part].condition = random.below(4) as u32;
                }
                _ if !cycles.states.is_empty() => {
                    let state = random.below(cycles.states.len());
                    _ = cycles.states[state].pop();
                }
                _ => {}
            }
        }
        Evidence::Branching(_) | Evidence::Linear(_) => {}
    }
}

#[test]
fn no_evidence_proves_a_formula_that_is_false() {
    let formulas = oracle_formulas();
    let folder = scratch("formulas");
    let file = folder.join("changed.proof");
    let mut random = Random::new(31);
    let (mut tried, mut certificates) = (0, 0);
    let machines = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/machines");
    for (machine, formulas) in formulas.iter().step_by(3) {
        if tried >= wanted() {
            break;
        }
        let name = machine.trim_end_matches(".mch");
        let model = machines.join(format!("{name}.mch"));
        let verdict = |(logic, formula): &&(String, String)| {
            check(&model, &asking(logic, formula)).report.verdict
        };
        let is = |wanted: Verdict| formulas.iter().filter(move |one| verdict(one) == wanted);
        let wrong: Vec<_> = is(Verdict::Violated).collect();
        for (logic, formula) in is(Verdict::Holds) {
            std::fs::remove_file(&file).ok();
            let options = Options {
                certificate: Some(file.clone()),
                ..asking(logic, formula)
            };
            let report = check(&model, &options).report;
            // Nothing is written where something else is wrong or open, which is told.
            if report.certificate.is_none() {
                let is_told = report.verdict != Verdict::Holds || !report.warnings.is_empty();
                assert!(is_told, "{name} {formula}");
                continue;
            }
            let bytes = std::fs::read(&file).expect("a certificate");
            let header = Certificate::read(&bytes).expect("a certificate").header;
            // What is not certified is named in a warning.
            let Some(own) = header.formulas.first() else {
                continue;
            };
            let answer = certified(&model, &file);
            assert!(answer.accepted, "{name} {formula}: {:?}", answer.because);
            certificates += 1;
            for (other, said) in wrong.iter().filter(|(other, _)| other == logic) {
                for round in 0..3 {
                    let mut changed = header.clone();
                    let claimed = &mut changed.formulas[0];
                    claimed.logic.clone_from(other);
                    claimed.text.clone_from(said);
                    let mut found = read(&own.evidence);
                    (0..round).for_each(|_| change(&mut found, &mut random));
                    claimed.evidence = text(&found);
                    std::fs::write(&file, with_header(&bytes, &changed)).expect("a scratch file");
                    tried += 1;
                    let answer = certified(&model, &file);
                    assert!(
                        !answer.accepted,
                        "{name}: {said} by the evidence of {formula}"
                    );
                }
            }
        }
    }
    println!("{tried} changed certificates of {certificates}, none accepted");
    assert!(
        formulas.is_empty() || tried > 100,
        "only {tried} were tried"
    );
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn no_changed_byte_proves_what_is_false() {
    let machines = oracle_machines();
    let folder = scratch("bytes");
    let file = folder.join("changed.proof");
    let mut random = Random::new(37);
    let (mut tried, mut accepted) = (0, 0);
    for model in machines.iter().step_by(5) {
        if tried >= wanted() {
            break;
        }
        let is_symbolic = random.below(2) == 0;
        let options = Options {
            deadlock: false,
            certificate: Some(file.clone()),
            engine: if is_symbolic {
                Engine::Symbolic
            } else {
                Engine::Explicit
            },
            symmetry: match is_symbolic {
                true => Symmetry::Off,
                false => random.pick(&[Symmetry::Off, Symmetry::Canonical, Symmetry::Flood]),
            },
            max_states: Some(300),
            ..Options::default()
        };
        std::fs::remove_file(&file).ok();
        check(model, &options);
        let Ok(bytes) = std::fs::read(&file) else {
            continue;
        };
        let whole = Options {
            deadlock: true,
            ..Options::default()
        };
        let moves = check(model, &whole).report.verdict == Verdict::Holds;
        for _ in 0..20 {
            let mut changed = bytes[..bytes.len() - 32].to_vec();
            for _ in 0..=random.below(2) {
                let at = random.below(changed.len());
                changed[at] = match random.below(3) {
                    0 => changed[at] ^ 1,
                    1 => changed[random.below(changed.len())],
                    _ => random.below(256) as u8,
                };
            }
            let hash = blake3::hash(&changed);
            changed.extend(hash.as_bytes());
            std::fs::write(&file, &changed).expect("a scratch file");
            tried += 1;
            let answer = certified(model, &file);
            accepted += usize::from(answer.accepted);
            let claims = answer
                .proved
                .iter()
                .any(|what| what.contains("no deadlock"));
            assert!(moves || !claims, "{}", model.display());
        }
    }
    println!("{tried} changed files, {accepted} still prove what is true");
    assert!(
        machines.is_empty() || tried > 100,
        "only {tried} were tried"
    );
    std::fs::remove_dir_all(&folder).ok();
}
