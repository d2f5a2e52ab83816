//! Random chains of refinement as tables, their texts, and what is wrong with them by the definition.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use base::Random;

/// Values of variables are below this, arguments and results below the next ones.
const VALUES: usize = 4;
const ARGUMENTS: usize = 2;
const RESULTS: usize = 2;

/// A step: value before, argument, value after, result.
type Move = (usize, usize, usize, usize);

/// How a level is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `ANY … THEN … || …`
    Choice,
    /// One branch of a SELECT for each move.
    Branches,
    /// One after the other; not in the most abstract machine.
    Sequence,
    /// The variable belongs to an included machine with a prefix.
    Included,
}

/// One machine.
struct Level {
    form: Form,
    /// The name of its variable.
    variable: String,
    first: BTreeSet<usize>,
    /// Where the precondition holds, by value and argument.
    precondition: BTreeSet<(usize, usize)>,
    moves: BTreeSet<Move>,
    /// What the gluing invariant relates: value above, value here.
    glue: BTreeSet<(usize, usize)>,
}

/// A chain of refinement, the most abstract machine first.
pub struct Chain {
    levels: Vec<Level>,
}

/// What a chain is by the definition.
#[derive(Debug, PartialEq, Eq)]
pub enum Judgement {
    /// A refinement, with as many states.
    Holds(usize),
    /// Some step, or start, is none of the machine above.
    Fails,
}

impl Chain {
    /// A chain of two or three machines, some of them with a slip.
    pub fn random(random: &mut Random) -> Chain {
        let mut levels = vec![Level::most_abstract(random)];
        for number in 1..2 + random.below(2) {
            let above = &levels[number - 1];
            let below = above.refined(random, number);
            levels.push(below);
        }
        let mut chain = Chain { levels };
        if random.flip() {
            chain.slip(random);
        }
        chain
    }

    fn slip(&mut self, random: &mut Random) {
        let last = self.levels.len() - 1;
        let level = &mut self.levels[1 + random.below(last)];
        let values: Vec<usize> = (0..VALUES).collect();
        match random.below(4) {
            0 => level.first = [random.pick(&values)].into(),
            1 => {
                let gone = level.precondition.iter().next_back().copied();
                level.precondition.retain(|pair| Some(*pair) != gone);
            }
            2 => {
                let step = (
                    random.pick(&values),
                    random.below(ARGUMENTS),
                    random.pick(&values),
                    random.below(RESULTS),
                );
                level.moves.insert(step);
            }
            _ if level.glue.len() > 1 => {
                let all: Vec<_> = level.glue.iter().copied().collect();
                let gone = random.pick(&all);
                level.glue.remove(&gone);
            }
            _ => {}
        }
    }

    /// What the definition says, by looking at all tuples of values that can be reached.
    pub fn judged(&self) -> Judgement {
        let mut pending = Vec::new();
        let mut known = BTreeSet::new();
        let concrete = &self.levels[self.levels.len() - 1];
        for value in &concrete.first {
            let Some(starts) = self.starts(self.levels.len() - 1, *value) else {
                return Judgement::Fails;
            };
            pending.extend(starts);
        }
        while let Some(tuple) = pending.pop() {
            if !known.insert(tuple.clone()) {
                continue;
            }
            let value = tuple[tuple.len() - 1];
            for argument in 0..ARGUMENTS {
                let accepts = |level: usize| {
                    self.levels[level]
                        .precondition
                        .contains(&(tuple[level], argument))
                };
                if !accepts(0) {
                    continue;
                }
                if !(1..tuple.len()).all(accepts) {
                    return Judgement::Fails;
                }
                let moves = concrete.moves.iter();
                for (.., end, result) in moves.filter(|step| (step.0, step.1) == (value, argument))
                {
                    let last = self.levels.len() - 1;
                    let Some(ends) = self.ends(last, &tuple, argument, *end, *result) else {
                        return Judgement::Fails;
                    };
                    pending.extend(ends);
                }
            }
        }
        Judgement::Holds(known.len())
    }

    /// The tuples that begin with a value at a level; `None` when a level above has no start for one of them.
    fn starts(&self, level: usize, value: usize) -> Option<Vec<Vec<usize>>> {
        if level == 0 {
            return Some(vec![vec![value]]);
        }
        let above = self.levels[level - 1].first.iter().copied();
        self.matched(level, value, above, &|upper| self.starts(level - 1, upper))
    }

    /// The tuples after a move of a level; `None` when a level above cannot follow one of them.
    fn ends(
        &self,
        level: usize,
        tuple: &[usize],
        argument: usize,
        value: usize,
        result: usize,
    ) -> Option<Vec<Vec<usize>>> {
        if level == 0 {
            return Some(vec![vec![value]]);
        }
        let moves = self.levels[level - 1].moves.iter();
        let above: Vec<usize> = moves
            .filter(|step| (step.0, step.1, step.3) == (tuple[level - 1], argument, result))
            .map(|step| step.2)
            .collect();
        self.matched(level, value, above.into_iter(), &|upper| {
            self.ends(level - 1, tuple, argument, upper, result)
        })
    }

    fn matched(
        &self,
        level: usize,
        value: usize,
        above: impl Iterator<Item = usize>,
        further: &dyn Fn(usize) -> Option<Vec<Vec<usize>>>,
    ) -> Option<Vec<Vec<usize>>> {
        let glue = &self.levels[level].glue;
        let uppers: Vec<usize> = above
            .filter(|upper| glue.contains(&(*upper, value)))
            .collect();
        if uppers.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        for upper in uppers {
            for mut tuple in further(upper)? {
                tuple.push(value);
                found.push(tuple);
            }
        }
        Some(found)
    }

    /// The files: names and texts, the refinement to be checked last.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for (number, level) in self.levels.iter().enumerate() {
            if level.form == Form::Included {
                files.push((format!("Inc{number}.mch"), level.included(number)));
            }
            let extension = if number == 0 { "mch" } else { "ref" };
            let above = number.checked_sub(1).map(|above| &self.levels[above]);
            files.push((format!("L{number}.{extension}"), level.text(number, above)));
        }
        files
    }
}

impl Level {
    fn most_abstract(random: &mut Random) -> Level {
        let mut moves = BTreeSet::new();
        for _ in 0..4 + random.below(12) {
            moves.insert((
                random.below(VALUES),
                random.below(ARGUMENTS),
                random.below(VALUES),
                random.below(RESULTS),
            ));
        }
        let all =
            (0..VALUES).flat_map(|value| (0..ARGUMENTS).map(move |argument| (value, argument)));
        let form = random.pick(&[Form::Choice, Form::Branches, Form::Included]);
        Level {
            form,
            variable: variable(form, 0),
            first: (0..1 + random.below(2))
                .map(|_| random.below(VALUES))
                .collect(),
            precondition: all.filter(|_| random.below(4) > 0).collect(),
            moves,
            glue: BTreeSet::new(),
        }
    }

    /// A refinement: values are encoded, some choices are made.
    fn refined(&self, random: &mut Random, number: usize) -> Level {
        let forms = [Form::Choice, Form::Branches, Form::Sequence, Form::Included];
        let form = random.pick(&forms);
        let is_shared =
            form != Form::Included && self.form != Form::Included && random.below(3) == 0;
        let shift = if is_shared { 0 } else { random.below(VALUES) };
        let code = |value: usize| (value + shift) % VALUES;
        let mut moves = BTreeSet::new();
        for (from, argument, to, result) in &self.moves {
            let step = (code(*from), *argument, code(*to), *result);
            let is_first = !moves
                .iter()
                .any(|known: &Move| (known.0, known.1) == (step.0, step.1));
            if is_first || random.flip() {
                moves.insert(step);
            }
        }
        let precondition = self.precondition.iter();
        Level {
            form,
            variable: if is_shared {
                self.variable.clone()
            } else {
                variable(form, number)
            },
            first: self
                .first
                .iter()
                .take(1)
                .map(|value| code(*value))
                .collect(),
            precondition: precondition
                .map(|(value, argument)| (code(*value), *argument))
                .collect(),
            moves,
            glue: (0..VALUES).map(|value| (value, code(value))).collect(),
        }
    }

    fn text(&self, number: usize, above: Option<&Level>) -> String {
        let v = &self.variable;
        let mut text = match above {
            None => format!("MACHINE L{number}\n"),
            Some(_) => format!("REFINEMENT L{number} REFINES L{}\n", number - 1),
        };
        let mut invariant = format!("{v} : 0..{}", VALUES - 1);
        if let Some(above) = above {
            let pairs = self
                .glue
                .iter()
                .map(|(upper, here)| format!("{upper}|->{here}"));
            _ = write!(invariant, " & {}|->{v} : {}", above.variable, set(pairs));
        }
        let first = set(self.first.iter().map(usize::to_string));
        match self.form {
            Form::Included => {
                _ = writeln!(
                    text,
                    "INCLUDES q{number}.Inc{number}\nINVARIANT {invariant}"
                );
                _ = writeln!(
                    text,
                    "INITIALISATION ANY x WHERE x : {first} THEN q{number}.put(x) END"
                );
            }
            _ => {
                _ = writeln!(text, "VARIABLES {v}\nINVARIANT {invariant}");
                _ = writeln!(text, "INITIALISATION {v} :: {first}");
            }
        }
        let precondition = self.precondition.iter();
        let precondition =
            set(precondition.map(|(value, argument)| format!("{value}|->{argument}")));
        let moves = self.moves.iter();
        let relation = set(moves.map(|(from, argument, to, result)| {
            format!("({from}|->{argument})|->({to}|->{result})")
        }));
        let body = match self.form {
            Form::Choice => format!(
                "ANY x, y WHERE ({v}|->p)|->(x|->y) : {relation} THEN {v} := x || r := y END"
            ),
            Form::Included => format!(
                "ANY x, y WHERE ({v}|->p)|->(x|->y) : {relation} THEN q{number}.put(x) || r := y END"
            ),
            Form::Sequence => format!(
                "VAR w IN w := {v}; ANY x, y WHERE (w|->p)|->(x|->y) : {relation} THEN {v} := x; r := y END END"
            ),
            Form::Branches => {
                let mut branches = "SELECT 1=2 THEN r := 0 ".to_owned();
                for (from, argument, to, result) in &self.moves {
                    _ = write!(
                        branches,
                        "WHEN {v}={from} & p={argument} THEN {v} := {to} || r := {result} "
                    );
                }
                branches + "END"
            }
        };
        _ = writeln!(
            text,
            "OPERATIONS r <-- op(p) = PRE p : 0..{} & {v}|->p : {precondition} THEN {body} END\nEND",
            ARGUMENTS - 1
        );
        text
    }

    fn included(&self, number: usize) -> String {
        format!(
            "MACHINE Inc{number}\nVARIABLES w\nINVARIANT w : 0..{0}\nINITIALISATION w := 0\n\
             OPERATIONS put(x) = PRE x : 0..{0} THEN w := x END\nEND\n",
            VALUES - 1
        )
    }
}

fn variable(form: Form, number: usize) -> String {
    match form {
        Form::Included => format!("q{number}.w"),
        _ => format!("v{number}"),
    }
}

fn set(elements: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = elements.collect();
    format!("{{{}}}", all.join(", "))
}
