//! Checks that clauses have no solution: a proof is a list of clauses, each of which follows from those before it.
//!
//! Paper: [Wetzler, Heule, Hunt 2014] (the files of DRAT); differs: only steps by unit propagation are accepted, from the first
//! to the last. A clause follows if supposing that all its literals are false leads to a contradiction by clauses with one literal
//! left. Deletions are passed over: with more clauses nothing else follows.
//! Invariant: shares no code with whoever found the proof; a solution of the clauses satisfies every step that was accepted, so
//! after the empty clause there is none.

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A word that is no number, or a clause without an end.
    Unreadable(String),
    /// A step that does not follow, by its number from 1 on.
    DoesNotFollow(usize),
    /// Nothing contradicts.
    NoContradiction,
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Wrong::Unreadable(word) => write!(f, "{word:?} is no number, or a clause has no end"),
            Wrong::DoesNotFollow(step) => write!(f, "step {step} does not follow"),
            Wrong::NoContradiction => f.write_str("the clauses are not contradicted"),
        }
    }
}

impl std::error::Error for Wrong {}

/// Checks that the clauses of a DIMACS file have no solution, by a DRAT file in text form; gives the number of its steps.
pub fn check(clauses: &str, proof: &str) -> Result<usize, Wrong> {
    let mut checker = Checker::default();
    for clause in read(clauses)? {
        checker.add(&clause);
    }
    let steps = read(proof)?;
    for (at, step) in steps.iter().enumerate() {
        if !checker.follows(step) {
            return Err(Wrong::DoesNotFollow(at + 1));
        }
        checker.add(step);
    }
    match checker.is_contradicted {
        true => Ok(steps.len()),
        false => Err(Wrong::NoContradiction),
    }
}

/// The clauses of a file; what is deleted, and lines that say something about the file, are left out.
fn read(text: &str) -> Result<Vec<Vec<i32>>, Wrong> {
    let mut clauses = Vec::new();
    let mut clause = Vec::new();
    let is_clause = |line: &&str| !line.starts_with(['c', 'p', 'd']);
    let words = text
        .lines()
        .filter(is_clause)
        .flat_map(str::split_whitespace);
    for word in words {
        let literal = word.parse::<i32>().ok();
        match literal.filter(|literal| literal.unsigned_abs() <= MOST) {
            Some(0) => clauses.push(std::mem::take(&mut clause)),
            Some(literal) => clause.push(literal),
            None => return Err(Wrong::Unreadable(word.to_owned())),
        }
    }
    match clause.last() {
        Some(last) => Err(Wrong::Unreadable(last.to_string())),
        None => Ok(clauses),
    }
}

/// The largest number of a variable.
const MOST: u32 = 8_000_000;

/// Where a literal stands in lists.
fn at(literal: i32) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

/// Clauses, and what follows from them literal by literal.
#[derive(Default)]
struct Checker {
    clauses: Vec<Vec<i32>>,
    /// For each literal the clauses one of whose first two it is.
    watched: Vec<Vec<usize>>,
    /// Whether each literal is true.
    is_true: Vec<bool>,
    /// The literals that are true, in the order in which this was found.
    trail: Vec<i32>,
    /// How many of these were passed on.
    done: usize,
    is_contradicted: bool,
}

impl Checker {
    /// Supposes a literal; whether that contradicts nothing.
    fn suppose(&mut self, literal: i32) -> bool {
        if !self.is_true[at(literal)] {
            self.is_true[at(literal)] = true;
            self.trail.push(literal);
        }
        !self.is_true[at(-literal)]
    }

    /// Passes on what is true; whether that contradicts nothing.
    fn propagate(&mut self) -> bool {
        while self.done < self.trail.len() {
            let falsified = -self.trail[self.done];
            self.done += 1;
            let watched = std::mem::take(&mut self.watched[at(falsified)]);
            for (seen, number) in watched.iter().enumerate() {
                let clause = &mut self.clauses[*number];
                if clause[0] == falsified {
                    clause.swap(0, 1);
                }
                let is_true = &self.is_true;
                let other = (2..clause.len()).find(|other| !is_true[at(-clause[*other])]);
                match other {
                    Some(other) if !is_true[at(clause[0])] => {
                        clause.swap(1, other);
                        let next = at(clause[1]);
                        self.watched[next].push(*number);
                        continue;
                    }
                    _ => self.watched[at(falsified)].push(*number),
                }
                let first = self.clauses[*number][0];
                if !self.suppose(first) {
                    self.watched[at(falsified)].extend(&watched[seen + 1..]);
                    return false;
                }
            }
        }
        true
    }

    /// Whether a clause follows from those before it.
    fn follows(&mut self, clause: &[i32]) -> bool {
        self.reserve(clause);
        let before = self.trail.len();
        let mut is_open = !self.is_contradicted;
        is_open = is_open && clause.iter().all(|literal| self.suppose(-literal));
        let follows = !is_open || !self.propagate();
        for literal in self.trail.drain(before..) {
            self.is_true[at(literal)] = false;
        }
        self.done = before;
        follows
    }

    /// Adds a clause that holds.
    fn add(&mut self, clause: &[i32]) {
        self.reserve(clause);
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        // What is not false comes first, to be watched; what is false here stays so.
        clause.sort_by_key(|literal| self.is_true[at(-literal)]);
        let is_open = |literal: &&i32| !self.is_true[at(-**literal)];
        let open = clause.iter().take(2).filter(is_open).count();
        match (open, clause.first()) {
            (1, Some(first)) => {
                let first = *first;
                let holds = self.suppose(first) && self.propagate();
                self.is_contradicted |= !holds;
            }
            (2, _) => {
                let number = self.clauses.len();
                self.watched[at(clause[0])].push(number);
                self.watched[at(clause[1])].push(number);
                self.clauses.push(clause);
            }
            _ => self.is_contradicted = true,
        }
    }

    fn reserve(&mut self, clause: &[i32]) {
        let most = clause.iter().map(|literal| at(*literal) | 1).max();
        let size = most.map_or(0, |most| most + 1).max(self.is_true.len());
        self.is_true.resize(size, false);
        self.watched.resize(size, Vec::new());
    }
}
