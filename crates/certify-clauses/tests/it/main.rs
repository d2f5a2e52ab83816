//! Random clauses with random proofs: what is accepted has no solution, looked for one by one; a proof in which something is
//! changed is accepted only for clauses that have none.

use certify_clauses::{Wrong, check};

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }

    fn clause(&mut self, variables: usize, most: usize) -> Vec<i32> {
        let length = self.next(most + 1);
        let mut literal = || {
            let variable = self.next(variables) as i32 + 1;
            if self.next(2) == 0 {
                variable
            } else {
                -variable
            }
        };
        (0..length).map(|_| literal()).collect()
    }
}

fn text(clauses: &[Vec<i32>]) -> String {
    let mut text = String::new();
    for clause in clauses {
        clause
            .iter()
            .for_each(|literal| text += &format!("{literal} "));
        text += "0\n";
    }
    text
}

fn has_solution(clauses: &[Vec<i32>], variables: usize) -> bool {
    let holds = |solution: usize, literal: &i32| {
        (solution >> (literal.unsigned_abs() - 1) & 1 == 1) == (*literal > 0)
    };
    (0..1usize << variables).any(|solution| {
        let mut clauses = clauses.iter();
        clauses.all(|clause| clause.iter().any(|literal| holds(solution, literal)))
    })
}

#[test]
fn whatever_is_accepted_has_no_solution() {
    let mut numbers = Numbers(5);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..60_000 {
        let variables = 1 + numbers.next(4);
        let count = numbers.next(14);
        let clauses: Vec<_> = (0..count).map(|_| numbers.clause(variables, 3)).collect();
        // Often ends with the empty clause, as a proof does.
        let count = numbers.next(5);
        let mut proof: Vec<_> = (0..count).map(|_| numbers.clause(variables, 2)).collect();
        if numbers.next(4) > 0 {
            proof.push(Vec::new());
        }
        match check(&text(&clauses), &text(&proof)) {
            Ok(_) => {
                assert!(!has_solution(&clauses, variables), "{clauses:?} {proof:?}");
                accepted += 1;
            }
            Err(_) => rejected += 1,
        }
    }
    assert!(
        accepted > 1_000 && rejected > 1_000,
        "{accepted} {rejected}"
    );
}

/// Three pigeons in two holes: pigeon `p` sits in hole `h` is variable `2p + h`.
const PIGEONS: &str = "\
c three pigeons in two holes
p cnf 6 9
1 2 0
3 4 0
5 6 0
-1 -3 0 -1 -5 0 -3 -5 0
-2 -4 0 -2 -6 0 -4 -6 0
";

#[test]
fn steps_follow_from_those_before_and_lead_to_a_contradiction() {
    assert_eq!(check(PIGEONS, "d 1 2 0\n-1 0\n0\n"), Ok(2));
    // Nothing is contradicted yet, and the last step does not follow by itself.
    assert_eq!(check(PIGEONS, ""), Err(Wrong::NoContradiction));
    assert_eq!(check(PIGEONS, "0\n"), Err(Wrong::DoesNotFollow(1)));
    assert_eq!(check(PIGEONS, "1 0\n"), Ok(1));
    let fewer = PIGEONS.replace("-4 -6 0", "");
    assert_eq!(check(&fewer, "-1 0\n0\n"), Err(Wrong::DoesNotFollow(1)));
    assert_eq!(check("0\n", ""), Ok(0));
    assert_eq!(check("1 0\n-1 0\n", ""), Ok(0));
}

#[test]
fn what_is_no_file_of_clauses_is_refused() {
    for (clauses, proof) in [
        ("1 x 0", "0"),
        ("1 2", "0"),
        ("1 0", "-1 0 2"),
        ("9999999999 0", ""),
    ] {
        let answer = check(clauses, proof);
        assert!(matches!(answer, Err(Wrong::Unreadable(_))), "{answer:?}");
    }
}
