//! Reads a command line of SPIN.

use std::path::PathBuf;

use base::near;
use subject::display::Listing;
use subject::setting::Reading;
use workbench::choice::{Fair, Order, Por, Store, Symmetry};
use workbench::plan::{Besides, Options};
use workbench::report::SpinRun;

use crate::foreign::{self, Read};

/// What is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// A random walk.
    #[default]
    Simulate,
    /// The path of an error.
    Follow,
    /// A check.
    Verify,
}

/// What a command line asks for.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) mode: Mode,
    pub(super) file: Option<PathBuf>,
    pub(super) options: Options,
    pub(super) reading: Reading,
    pub(super) listing: Listing,
    pub(super) chart: bool,
    pub(super) steps: usize,
    pub(super) seed: u64,
    pub(super) unreached: bool,
    pub(super) notes: Vec<String>,
    claim: Option<String>,
    /// Claims are not checked.
    claims_left: bool,
    acceptance: bool,
    no_claim: bool,
    optimisations_off: [bool; 3],
    /// `xr` and `xs` are not tested: pan tests them where it makes use of them.
    believes: bool,
}

impl foreign::Wanted for Wanted {
    fn file(&self) -> Option<&PathBuf> {
        self.file.as_ref()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// A walk that is not bounded by -u ends after so many steps.
const MOST_STEPS: usize = 10_000;

/// Options for SPIN that change nothing here, with the reason.
const WITHOUT_EFFECT: &[(&str, &str)] = &[
    ("b", "printf is not executed while states are explored"),
    ("B", "the final state is always printed"),
    ("h", "the seed is the one that is given"),
    ("v", "there are no verbose messages"),
    ("w", "there are no verbose messages"),
    ("X", "errors are diagnostics"),
    ("k", "the path is the one that -run wrote last"),
    ("collapse", "states are always compressed"),
    ("O2", "nothing is compiled"),
];

/// Options for pan that change nothing here, with the reason; a number may follow the letter.
const PAN_WITHOUT_EFFECT: &[(char, &str)] = &[
    ('m', "the depth of a search is not bounded"),
    ('w', "tables grow by themselves"),
    ('i', "breadth-first search finds a shortest path"),
    ('I', "breadth-first search finds a shortest path"),
    ('k', "states are stored exactly"),
    ('M', "states are stored exactly"),
    ('v', "there are no verbose messages"),
    ('h', "hashing cannot be chosen"),
    ('x', "paths are always overwritten"),
    ('X', "there are no verbose messages"),
];

/// Macros of pan's source, which is not made here.
const PAN_MACROS: &[&str] = &[
    "NOREDUCE",
    "SAFETY",
    "NOCLAIM",
    "NP",
    "COLLAPSE",
    "MA",
    "HC",
    "HC4",
    "BFS",
    "VECTORSZ",
    "MEMLIM",
    "NOFAIR",
    "REACH",
    "BITSTATE",
    "XUSAFE",
    "NXT",
    "NOBOUNDCHECK",
    "NOCOMP",
    "CHECK",
    "SVDUMP",
    "PEG",
    "VAR_RANGES",
];

impl Default for Wanted {
    fn default() -> Wanted {
        let mut options = Options::default();
        options.setting.processes.spin_counts = true;
        options.symmetry = Symmetry::Off;
        options.por = Por::Off;
        Wanted {
            mode: Mode::default(),
            file: None,
            options,
            reading: Reading::default(),
            listing: Listing::default(),
            chart: false,
            steps: MOST_STEPS,
            seed: 1,
            unreached: true,
            notes: Vec::new(),
            claim: None,
            claims_left: false,
            acceptance: false,
            no_claim: false,
            optimisations_off: [false; 3],
            believes: false,
        }
    }
}

/// Reads the options; an error is a message and an exit code.
pub(super) fn read(arguments: &[String]) -> Read<Wanted> {
    let mut wanted = Wanted::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let Some(option) = argument.strip_prefix('-') else {
            foreign::take_file(&mut wanted.file, argument)?;
            continue;
        };
        let mut value = || {
            let next = rest.next().cloned();
            next.ok_or_else(|| (format!("-{option} needs a value"), 2))
        };
        match option {
            "run" | "search" => wanted.mode = Mode::Verify,
            "t" if wanted.mode != Mode::Verify => wanted.mode = Mode::Follow,
            "ltl" | "N" => wanted.claim = Some(value()?),
            "noclaim" => wanted.no_claim = true,
            "safety" => wanted.safety(),
            "np" => wanted.options.non_progress = true,
            "bfs" => wanted.options.search = Order::Bfs,
            "dfs" => wanted.options.search = Order::Dfs,
            "bitstate" => wanted.options.store = Store::Bitstate,
            "D" | "U" | "I" => {
                let letter = option.chars().next().unwrap_or_default();
                wanted.preprocess(letter, &value()?);
            }
            _ if option.starts_with(['D', 'U', 'I']) && wanted.is_joined(option) => {
                let (letter, name) = option.split_at(1);
                let letter = letter.chars().next().unwrap_or_default();
                wanted.preprocess(letter, name);
            }
            _ if wanted.mode == Mode::Verify => wanted.pan(option)?,
            _ => wanted.spin(option)?,
        }
    }
    wanted.optimise();
    let tests_promises = wanted.mode == Mode::Verify && !wanted.believes;
    wanted.options.setting.processes.promises = tests_promises;
    Ok(wanted)
}

impl Wanted {
    /// Whether a letter with a text behind it is an option of the preprocessor.
    fn is_joined(&self, option: &str) -> bool {
        option.len() > 1 && !(self.mode == Mode::Verify && option.starts_with('I'))
    }

    /// `-safety`: the claim stays.
    fn safety(&mut self) {
        let note = "-safety has no effect: what a claim says about cycles is checked, too";
        self.notes.push(note.to_owned());
    }

    /// What lines about the run say beyond its report.
    pub(super) fn run(&self) -> SpinRun {
        SpinRun {
            claims_left: self.claims_left,
            no_assertions: !self.options.setting.obligations.assertions,
            no_ends: !self.options.deadlock,
            most_errors: self.options.all_findings.max(1),
            ..SpinRun::default()
        }
    }

    /// `-D`, `-U`, `-I`
    fn preprocess(&mut self, letter: char, text: &str) {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        match letter {
            'D' if self.mode == Mode::Verify && PAN_MACROS.contains(&name) => match name {
                "NOCLAIM" => self.no_claim = true,
                "SAFETY" => self.safety(),
                "NP" => self.options.non_progress = true,
                "BITSTATE" => self.options.store = Store::Bitstate,
                "NOREDUCE" | "XUSAFE" => self.believes = true,
                _ => {
                    let note = format!("-D{text} has no effect: no C is compiled");
                    self.notes.push(note);
                }
            },
            'D' => self.reading.defines.push((name.to_owned(), value)),
            'U' => self.reading.undefines.push(name.to_owned()),
            _ => self.reading.folders.push(PathBuf::from(text)),
        }
    }

    /// An option before `-run`, or without it.
    fn spin(&mut self, option: &str) -> Read<()> {
        let number = |text: &str| -> Result<u64, (String, u8)> {
            let wrong = || (format!("-{option}: \"{text}\" is no number"), 2);
            text.parse().map_err(|_| wrong())
        };
        match option {
            "p" => self.listing.statements = true,
            "g" => self.listing.globals = true,
            "l" => self.listing.locals = true,
            "s" => self.listing.sends = true,
            "r" => self.listing.receives = true,
            "c" => self.chart = true,
            "m" => self.options.setting.processes.lossy = true,
            "J" => self.options.setting.processes.inner_unless = true,
            "a" => {
                let message =
                    "-a: no verifier is generated, because none is needed; -run checks the model";
                return Err((message.to_owned(), 152));
            }
            "o1" | "o2" | "o3" => {
                let at = usize::from(option.as_bytes()[1] - b'1');
                self.optimisations_off[at] = true;
            }
            _ if option.starts_with('u') => self.steps = number(&option[1..])? as usize,
            _ if option.starts_with('n') => self.seed = number(&option[1..])?,
            _ if option.starts_with('j') => {
                self.notes
                    .push(format!("-{option} has no effect: every step is listed"));
            }
            _ => match WITHOUT_EFFECT.iter().find(|(known, _)| *known == option) {
                Some((_, why)) => self.notes.push(format!("-{option} has no effect: {why}")),
                None => return Err(unknown(option)),
            },
        }
        Ok(())
    }

    /// An option behind `-run`.
    fn pan(&mut self, option: &str) -> Read<()> {
        match option {
            "a" => self.acceptance = true,
            "l" => self.options.non_progress = true,
            "f" => self.options.fair = Fair::Weak,
            "A" => self.options.setting.obligations.assertions = false,
            "E" => self.options.deadlock = false,
            "q" => self.options.setting.processes.end_empty = true,
            "e" => self.options.all_findings = usize::MAX,
            "n" => self.unreached = false,
            "o1" | "o2" | "o3" => return self.spin(option),
            _ if option.starts_with('c') && option[1..].parse::<usize>().is_ok() => {
                let stop: usize = option[1..].parse().unwrap_or(1);
                self.options.all_findings = if stop == 0 { usize::MAX } else { stop };
            }
            _ => {
                let letter = option.chars().next().unwrap_or_default();
                let is_number = option.chars().skip(1).all(|c| c.is_ascii_digit());
                let known = PAN_WITHOUT_EFFECT
                    .iter()
                    .find(|(known, _)| *known == letter);
                match known.filter(|_| is_number) {
                    Some((_, why)) => {
                        self.notes.push(format!("-{option} has no effect: {why}"));
                    }
                    None => return self.spin(option),
                }
            }
        }
        Ok(())
    }

    /// All three optimisations are off, or none is.
    fn optimise(&mut self) {
        let off = self.optimisations_off;
        if off == [true; 3] {
            self.options.setting.processes.spin_counts = false;
        } else if off != [false; 3] {
            let note = "-o1, -o2, -o3 have an effect only together: states are counted without any optimisation";
            self.notes.push(note.to_owned());
        }
    }

    /// Decides what is checked, by what the file has.
    pub(super) fn choose(&mut self, formulas: &[String], claims: &[String]) -> Result<(), String> {
        let options = &mut self.options;
        // Cycles through accept labels are looked for besides everything else; a claim takes the place of end states.
        let is_claimed = !formulas.is_empty() || !claims.is_empty();
        let is_checked = options.non_progress || is_claimed && !self.no_claim;
        self.claims_left = self.no_claim;
        options.besides = Besides {
            assertions: options.setting.obligations.assertions,
            deadlock: options.deadlock && !is_checked,
        };
        if options.non_progress {
            return Ok(());
        }
        if let Some(name) = &self.claim {
            if claims.contains(name) {
                options.never = Some(Some(name.clone()));
            } else if formulas.contains(name) {
                options.ltl.push(name.clone());
            } else {
                let known: Vec<&str> = formulas.iter().chain(claims).map(String::as_str).collect();
                return Err(match known.is_empty() {
                    true => format!("there is no claim {name}: the file has none"),
                    false => format!("there is no claim {name}; there are {}", known.join(", ")),
                });
            }
            return Ok(());
        }
        if self.no_claim {
            options.acceptance = self.acceptance;
            return Ok(());
        }
        match (formulas.first(), claims.first()) {
            (_, Some(claim)) => options.never = Some(Some(claim.clone())),
            (Some(formula), None) => options.ltl.push(formula.clone()),
            (None, None) => options.acceptance = self.acceptance,
        }
        if formulas.len() + claims.len() > 1 {
            let chosen = claims
                .first()
                .or(formulas.first())
                .cloned()
                .unwrap_or_default();
            let all: Vec<&str> = formulas.iter().chain(claims).map(String::as_str).collect();
            self.notes.push(format!(
                "the model has several claims: {}; {chosen} is checked, -ltl NAME chooses another one",
                all.join(", ")
            ));
        }
        if options.fair != Fair::None && options.never.is_none() && options.ltl.is_empty() {
            options.acceptance = true;
        }
        Ok(())
    }
}

fn unknown(option: &str) -> (String, u8) {
    const KNOWN: &[&str] = &[
        "run", "search", "ltl", "noclaim", "safety", "bfs", "dfs", "bitstate", "collapse", "np",
    ];
    let message = format!("-{option}: this option of SPIN is not known here");
    match near::nearest(option, KNOWN.iter().copied()) {
        Some(known) => (format!("{message}; did you mean -{known}?"), 2),
        None => (message, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::{Mode, read};
    use workbench::choice::Fair;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn letters_mean_something_else_behind_run() {
        let follow = read(&words("-t -p -g -l M.pml")).expect("they are known");
        assert_eq!(follow.mode, Mode::Follow);
        assert!(follow.listing.locals && !follow.options.non_progress);
        let verify = read(&words("-DN=4 -run -l -f -DNOREDUCE -m10000 M.pml")).expect("known");
        assert!(verify.options.non_progress);
        assert_eq!(verify.options.fair, Fair::Weak);
        assert_eq!(verify.reading.defines.len(), 1);
        assert_eq!(verify.notes.len(), 1);
        assert!(!verify.options.setting.processes.promises);
    }

    #[test]
    fn the_claim_is_chosen_by_name_or_is_the_first() {
        let formulas = ["p".to_owned(), "q".to_owned()];
        let mut first = read(&words("-run M.pml")).expect("known");
        first.choose(&formulas, &[]).expect("there is one");
        assert_eq!(first.options.ltl, ["p"]);
        let mut named = read(&words("-run -a -N q M.pml")).expect("known");
        named.choose(&formulas, &[]).expect("there is one");
        assert_eq!(named.options.ltl, ["q"]);
        let mut wrong = read(&words("-run -ltl r M.pml")).expect("known");
        assert!(wrong.choose(&formulas, &[]).is_err());
    }

    #[test]
    fn what_is_not_known_is_refused_by_name() {
        assert_eq!(
            read(&words("-a M.pml")).map_err(|(_, exit)| exit).err(),
            Some(152)
        );
        let (message, exit) = read(&words("-serach M.pml")).expect_err("it is misspelt");
        assert_eq!(exit, 2);
        assert!(message.contains("-search"), "{message}");
    }
}
