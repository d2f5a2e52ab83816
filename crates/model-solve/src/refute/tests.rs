//! Random clauses: those without a solution are refuted, others are not, and a checker that shares no code accepts the proofs, of
//! these clauses and not of ones that have a solution.

use base::Random;

use super::refute;

const VARIABLES: usize = 7;

fn clauses(random: &mut Random) -> Vec<Vec<i32>> {
    let mut literal = |_| {
        let variable = random.below(VARIABLES) as i32 + 1;
        match random.below(2) {
            0 => variable,
            _ => -variable,
        }
    };
    let count = 20 + literal(0).unsigned_abs() as usize * 4;
    (0..count)
        .map(|_| (0..3).map(&mut literal).collect())
        .collect()
}

fn has_solution(clauses: &[Vec<i32>]) -> bool {
    let holds =
        |solution: usize, lit: &i32| (solution >> (lit.unsigned_abs() - 1) & 1 == 1) == (*lit > 0);
    (0..1usize << VARIABLES).any(|solution| {
        let mut clauses = clauses.iter();
        clauses.all(|clause| clause.iter().any(|lit| holds(solution, lit)))
    })
}

fn text(clauses: &[Vec<i32>]) -> String {
    let line = |clause: &Vec<i32>| {
        let literals = clause.iter().map(|lit| format!("{lit} "));
        literals.collect::<String>() + "0\n"
    };
    clauses.iter().map(line).collect()
}

#[test]
fn exactly_what_has_no_solution_is_refuted_with_a_proof() {
    let mut random = Random::new(3);
    let (mut refuted, mut solved, mut changed) = (0, 0, 0);
    let mut last: Option<Vec<Vec<i32>>> = None;
    for _ in 0..2_000 {
        let clauses = clauses(&mut random);
        let proof = refute(&clauses);
        assert_eq!(proof.is_none(), has_solution(&clauses), "{clauses:?}");
        match proof {
            Some(proof) => {
                let steps = certify_clauses::check(&text(&clauses), &text(&proof));
                assert_eq!(steps, Ok(proof.len()), "{clauses:?}");
                // Without its first steps a proof has a hole, unless they were not needed.
                let rest = &proof[proof.len() / 2..];
                changed +=
                    usize::from(certify_clauses::check(&text(&clauses), &text(rest)).is_err());
                last = Some(proof);
                refuted += 1;
            }
            None => {
                if let Some(last) = &last {
                    let answer = certify_clauses::check(&text(&clauses), &text(last));
                    assert!(answer.is_err(), "{clauses:?}");
                }
                solved += 1;
            }
        }
    }
    assert!(refuted > 300 && solved > 300, "{refuted} {solved}");
    assert!(changed > 100, "{changed}");
}

#[test]
fn pigeons_that_do_not_fit_are_refuted() {
    // Pigeon `p` sits in hole `h`.
    let holes = 6;
    let sits = |p: i32, h: i32| p * holes + h + 1;
    let mut clauses: Vec<Vec<i32>> = (0..=holes)
        .map(|p| (0..holes).map(|h| sits(p, h)).collect())
        .collect();
    for h in 0..holes {
        for p in 0..=holes {
            clauses.extend((0..p).map(|q| vec![-sits(p, h), -sits(q, h)]));
        }
    }
    let proof = refute(&clauses).expect("a proof");
    let steps = certify_clauses::check(&text(&clauses), &text(&proof));
    assert_eq!(steps, Ok(proof.len()));
    clauses.pop();
    let answer = certify_clauses::check(&text(&clauses), &text(&proof));
    assert!(answer.is_err());
}
