//! The evaluator agrees with the definition and automata agree with the evaluator: for all small formulas on all small
//! words, and for larger ones at random.

mod common;

use buchi::{
    Bounds, Kind, Ltl, Word, holds_on, ignores_silence, is_safety, translate, translate_while,
};
use common::{Random, formulas_up_to, words};

/// The definition read aloud: positions are numbers, quantifiers run as far as anything can still change.
fn by_definition(formula: &Ltl, word: &Word, at: usize) -> bool {
    let len = word.letters.len();
    let exists = |at: usize| word.loop_start.is_some() || at < len;
    // A round of the loop for each operator, and two more.
    let far = at + len * (formula.size() + 2);
    let end = if word.loop_start.is_some() { far } else { len };
    let holds = |part: &Ltl, at: usize| by_definition(part, word, at);
    match formula {
        Ltl::True => true,
        Ltl::False => false,
        Ltl::Atom(atom) => {
            let at = match word.loop_start {
                Some(start) if at >= len => start + (at - start) % (len - start),
                _ => at,
            };
            word.letters[at][0] >> atom & 1 == 1
        }
        Ltl::Not(a) => !holds(a, at),
        Ltl::And(all) => all.iter().all(|part| holds(part, at)),
        Ltl::Or(all) => all.iter().any(|part| holds(part, at)),
        Ltl::Next(a) => exists(at + 1) && holds(a, at + 1),
        Ltl::Until(a, b) => (at..end).any(|k| holds(b, k) && (at..k).all(|j| holds(a, j))),
        Ltl::Release(a, b) => (at..end).all(|k| holds(b, k) || (at..k).any(|j| holds(a, j))),
        Ltl::Yesterday(a) => at > 0 && holds(a, at - 1),
        Ltl::Since(a, b) => (0..=at).any(|k| holds(b, k) && (k + 1..=at).all(|j| holds(a, j))),
        Ltl::Trigger(a, b) => (0..=at).all(|k| holds(b, k) || (k + 1..=at).any(|j| holds(a, j))),
    }
}

#[test]
fn the_evaluator_agrees_with_the_definition_on_all_small_formulas_and_words() {
    let (formulas, words) = (formulas_up_to(4), words(3));
    for formula in formulas.iter().flatten() {
        for word in &words {
            let expected = by_definition(formula, word, 0);
            assert_eq!(holds_on(formula, word), expected, "{formula} on {word:?}");
        }
    }
}

#[test]
fn automata_accept_the_words_of_all_small_formulas() {
    let formulas = formulas_up_to(5);
    let (short, long) = (words(2), words(3));
    for (size, formulas) in formulas.iter().enumerate() {
        let words = if size < 5 { &long } else { &short };
        for formula in formulas {
            let automaton = translate(formula, Bounds::default()).unwrap();
            for word in words {
                let expected = holds_on(formula, word);
                assert_eq!(automaton.accepts(word), expected, "{formula} on {word:?}");
            }
        }
    }
}

#[test]
fn automata_accept_the_words_of_larger_formulas_at_random() {
    let seed = 20_261_115;
    println!("seed {seed}");
    let mut random = Random(seed);
    let mut refused = 0;
    for _ in 0..3000 {
        let size = 4 + random.below(8);
        let formula = random.formula(size, 3);
        let Ok(automaton) = translate(&formula, Bounds::default()) else {
            refused += 1;
            continue;
        };
        let negation = translate(&Ltl::not(formula.clone()), Bounds::default());
        for _ in 0..60 {
            let word = random.word(7, 3);
            let expected = holds_on(&formula, &word);
            assert_eq!(automaton.accepts(&word), expected, "{formula} on {word:?}");
            if let Ok(negation) = &negation {
                assert_eq!(
                    negation.accepts(&word),
                    !expected,
                    "not {formula} on {word:?}"
                );
            }
        }
    }
    assert!(refused < 30, "{refused} automata were too large");
}

#[test]
fn a_translation_ends_when_it_is_told_to() {
    let untils = (0..6).map(|atom| Ltl::until(Ltl::Atom(atom), Ltl::Atom(atom + 1)));
    let formula = Ltl::globally(Ltl::And(untils.collect()));
    let left = std::cell::Cell::new(5);
    let go_on = || left.replace(left.get() - 1) > 0;
    let ended = translate_while(&formula, Bounds::default(), &go_on).unwrap();
    assert_eq!(ended, None);
    assert_eq!(left.get(), -1);
}

/// What the breadth-first search for bad prefixes rests on.
#[test]
fn violations_of_safety_formulas_reach_a_state_that_accepts_everything_or_end() {
    let (formulas, words) = (formulas_up_to(4), words(3));
    for formula in formulas
        .iter()
        .flatten()
        .filter(|formula| is_safety(formula))
    {
        let automaton = translate(&Ltl::not(formula.clone()), Bounds::default()).unwrap();
        for word in &words {
            // Many rounds: as many as there are states.
            let mut reached: Vec<u32> = automaton.initial.clone();
            let mut is_bad = false;
            let start = word.loop_start.unwrap_or(0);
            let rounds = match word.loop_start {
                Some(_) => automaton.states.len() + 1,
                None => 1,
            };
            let prefix = &word.letters[..start];
            let repeated = std::iter::repeat_n(&word.letters[start..], rounds).flatten();
            let line: Vec<&Vec<u64>> = prefix.iter().chain(repeated).collect();
            for (at, letter) in line.iter().enumerate() {
                is_bad |= reached.iter().any(|state| automaton.is_universal(*state));
                if word.loop_start.is_none() && at + 1 == line.len() {
                    let ends = reached
                        .iter()
                        .flat_map(|at| &automaton.states[*at as usize].ends);
                    is_bad |= ends.into_iter().any(|cube| cube.admits(letter));
                }
                let edges = reached
                    .iter()
                    .flat_map(|at| &automaton.states[*at as usize].edges);
                let edges = edges.filter(|edge| edge.guard.admits(letter));
                let mut next: Vec<u32> = edges.map(|edge| edge.target).collect();
                next.sort_unstable();
                next.dedup();
                reached = next;
            }
            is_bad |= word.loop_start.is_some()
                && reached.iter().any(|state| automaton.is_universal(*state));
            assert_eq!(is_bad, !holds_on(formula, word), "{formula} on {word:?}");
        }
    }
}

#[test]
fn automata_of_common_patterns_are_small() {
    let (p, q) = (|| Ltl::Atom(0), || Ltl::Atom(1));
    let recurs = |a| Ltl::globally(Ltl::finally(a));
    let cases = [
        (recurs(p()), 1, 1),
        (Ltl::and(recurs(p()), recurs(q())), 1, 2),
        (
            Ltl::not(Ltl::globally(Ltl::implies(p(), Ltl::finally(q())))),
            2,
            1,
        ),
        (
            Ltl::not(Ltl::globally(Ltl::implies(p(), Ltl::once(q())))),
            2,
            1,
        ),
        (Ltl::not(recurs(p())), 2, 1),
        (Ltl::globally(p()), 1, 0),
    ];
    for (formula, states, sets) in cases {
        let automaton = translate(&formula, Bounds::default()).unwrap();
        let found = (automaton.states.len(), automaton.sets);
        assert_eq!(found, (states, sets), "{formula}: {automaton:?}");
    }
}

#[test]
fn a_wide_quantifier_is_no_problem() {
    // "Each of 100 requests is answered", negated: 100 alternatives, each with an until of its own.
    let one = |at: u32| {
        let answered = Ltl::finally(Ltl::Atom(2 * at + 1));
        Ltl::globally(Ltl::implies(Ltl::Atom(2 * at), answered))
    };
    let all = Ltl::And((0..100).map(one).collect());
    let automaton = translate(&Ltl::not(all), Bounds::default()).unwrap();
    assert!(automaton.states.len() <= 200);
}

#[test]
fn too_large_automata_are_refused() {
    let many = |at: u32| Ltl::finally(Ltl::Atom(at));
    let all = Ltl::And((0..70).map(many).collect());
    assert!(translate(&all, Bounds::default()).is_err());
}

#[test]
fn the_hanoi_format_tells_ends_by_an_atom() {
    let formula = Ltl::until(Ltl::Atom(0), Ltl::Atom(1));
    let automaton = translate(&formula, Bounds::default()).unwrap();
    let names = ["ready".to_string(), "say \"go\"".to_string()];
    let text = automaton.to_hoa(&names);
    assert_eq!(
        text,
        "HOA: v1
States: 3
Start: 0
AP: 3 \"ready\" \"say \\\"go\\\"\" \"alive\"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels trans-acc
--BODY--
State: 0
[2&0] 0
[2&1] 1
[2&1] 2
State: 1
[2] 1 {0}
[2] 2
State: 2
[!2] 2 {0}
--END--
"
    );
}

/// The word with a silent position before one of its positions: no event, the same state.
fn with_silence(word: &Word, at: usize, kinds: &[Kind]) -> Word {
    let mut silent = 0;
    for (atom, kind) in kinds.iter().enumerate() {
        silent |= match kind {
            Kind::State => word.letters[at][0] & 1 << atom,
            Kind::Event => 0,
            Kind::Rest => 1 << atom,
        };
    }
    let mut word = word.clone();
    word.letters.insert(at, vec![silent]);
    if let Some(start) = &mut word.loop_start {
        // Before the first position of the loop it is either not part of the loop, or the first one of it.
        *start += usize::from(at < *start);
    }
    word
}

/// What partial order reduction rests on.
#[test]
fn formulas_that_ignore_silence_have_the_same_truth_with_it() {
    let (formulas, words) = (formulas_up_to(5), words(3));
    let mut count = 0;
    for kinds in [
        [Kind::State, Kind::Event],
        [Kind::Rest, Kind::Event],
        [Kind::State, Kind::State],
    ] {
        let kind = |atom: u32| kinds[atom as usize];
        for formula in formulas.iter().flatten() {
            if ignores_silence(formula, &kind).is_err() {
                continue;
            }
            count += 1;
            // Large formulas on short words.
            let most = if formula.size() < 5 { 3 } else { 2 };
            for word in words.iter().filter(|word| word.letters.len() <= most) {
                let expected = holds_on(formula, word);
                for at in 0..word.letters.len() {
                    let longer = with_silence(word, at, &kinds);
                    let found = holds_on(formula, &longer);
                    assert_eq!(
                        found, expected,
                        "{formula} on {word:?} with silence at {at}"
                    );
                }
            }
        }
    }
    assert!(count > 1000, "only {count} formulas ignore silence");
}

#[test]
fn larger_formulas_that_ignore_silence_have_the_same_truth_with_it_at_random() {
    let seed = 20_261_116;
    println!("seed {seed}");
    let mut random = Random(seed);
    let kinds = [Kind::State, Kind::Event, Kind::Event, Kind::Rest];
    let kind = |atom: u32| kinds[atom as usize];
    let mut count = 0;
    for _ in 0..60_000 {
        let size = 4 + random.below(7);
        let formula = random.formula(size, 4);
        if ignores_silence(&formula, &kind).is_err() {
            continue;
        }
        count += 1;
        for _ in 0..30 {
            let word = random.word(6, 4);
            let at = random.below(word.letters.len());
            let longer = with_silence(&word, at, &kinds);
            let expected = holds_on(&formula, &word);
            assert_eq!(
                holds_on(&formula, &longer),
                expected,
                "{formula} on {word:?}, {at}"
            );
        }
    }
    assert!(count > 1000, "only {count} formulas ignore silence");
}
