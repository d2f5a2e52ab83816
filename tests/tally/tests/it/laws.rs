//! The systems obey the laws of the waist, and the judge finds the same steps as they do.

use std::collections::BTreeSet;

use base::Sources;
use pins::{check_laws, check_permutations};
use subject::setting::Reading;
use subject::{Form, Language, Parts, Setting, Subject, Value, Wd};
use tally::Tally;
use workbench::Runnable;

use crate::{bench, model};

const MODELS: [&str; 3] = ["depot", "hoard", "count"];

fn open(name: &str) -> Box<dyn Subject> {
    let mut sources = Sources::new();
    let read = Tally.read(&model(name), &Reading::default(), &mut sources);
    match read.text.open(&Setting::default()) {
        Ok(subject) => subject,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

#[test]
fn systems_obey_the_laws_as_a_whole_and_in_parts() {
    for name in MODELS {
        let subject = open(name);
        let symmetry = subject.symmetry(&[]);
        for parts in [Parts::Whole, Parts::Everything] {
            let form = Form {
                parts,
                symmetry: Some(&symmetry),
                ..Form::default()
            };
            let Ok(Some(ground)) = subject.ground(&form) else {
                assert_eq!((name, parts), ("count", Parts::Everything));
                continue;
            };
            if let Err(broken) = check_laws(ground.system(), 200) {
                panic!("{name}: {broken:?}");
            }
            if let Err(broken) = check_permutations(ground.system(), 200) {
                panic!("{name}: {broken:?}");
            }
        }
    }
}

#[test]
fn the_judge_finds_the_steps_that_the_search_finds() {
    type Found = BTreeSet<(String, Vec<Option<Value>>, Vec<Option<Value>>)>;
    for name in MODELS {
        let Ok(runnable) = Runnable::open(&bench(), &model(name), &Setting::default()) else {
            panic!("{name} cannot be run");
        };
        let (view, subject) = (runnable.view(), runnable.subject());
        let describe = subject.description();
        let mut judge = subject.judge(Wd::Default, u64::MAX);
        let mut places: Vec<_> = view.moves(&workbench::Place::Root).moves;
        let mut known: BTreeSet<_> = places.iter().map(|taken| taken.to.clone()).collect();
        while let Some(taken) = places.pop() {
            let moves = view.moves(&taken.to);
            let searched: Found = moves
                .moves
                .iter()
                .map(|one| {
                    (
                        one.happening.name(describe).to_owned(),
                        one.arguments.clone(),
                        view.values(&one.to),
                    )
                })
                .collect();
            let at = judge.at(&view.values(&taken.to));
            let Ok(possible) = judge.possible(&at) else {
                panic!("{name}: the judge has no answer");
            };
            let judged: Found = possible
                .steps
                .into_iter()
                .map(|one| {
                    (
                        one.happening.name(describe).to_owned(),
                        one.arguments,
                        one.after,
                    )
                })
                .collect();
            assert_eq!(searched, judged, "{name}");
            assert_eq!(
                moves.faults.is_empty(),
                possible.faults.is_empty(),
                "{name}"
            );
            let new = moves
                .moves
                .into_iter()
                .filter(|one| known.insert(one.to.clone()));
            places.extend(new);
        }
        assert!(known.len() > 5, "{name} has {} states", known.len());
    }
}
