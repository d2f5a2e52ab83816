//! An animation: a model, the path so far, and commands that go on, go back and look around.
//!
//! The terminal and `--script` give the same commands to the same [`Animator`] and show the same replies, so what
//! documents show is what users see.
//! Invariant: the same commands, model and seed give the same replies.
//! Invariant: every state of the path was reached by a move of the model.

mod branches;
mod choose;
mod command;
mod file;
mod look;
mod scene;
mod view;

use std::collections::BTreeMap;
use std::path::Path;

use base::Random;
use pins::{FaultKind, Halt, Truth};
use subject::display::Listing;
use subject::{Happening, Predicate, Setting};
use verdict::for_people;

use crate::FindingKind;
use crate::lint::Lint;
use crate::open::Workbench;
use crate::replay::{at_end, trace};
use crate::runnable::{Answer, Formula, Move, Place, Runnable, View};
use command::Command;

pub use command::{HELP, WORDS};
pub use scene::{Scene, SceneBranch, SceneMove, ScenePredicate, SceneValue, Watched};

/// So many formulas are remembered.
const MAX_ASKED: usize = 20_000;

/// An animation.
pub struct Animator {
    runnable: Runnable,
    file: String,
    /// The places of the path, the beginning first; what was undone follows `at`.
    history: Vec<Visited>,
    at: usize,
    /// Paths that were left for another way, the latest last.
    branches: Vec<Vec<Visited>>,
    watches: Vec<(String, Formula)>,
    /// Formulas that were asked before.
    asked: BTreeMap<String, Result<Formula, String>>,
    random: Random,
    met: Option<FindingKind>,
    failed: bool,
}

/// A place of the path and how it was reached.
#[derive(Clone)]
struct Visited {
    taken: Option<Move>,
    place: Place,
}

/// How a line is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As any other.
    Plain,
    /// As a heading.
    Heading,
    /// As something that changed.
    Changed,
    /// As something wrong.
    Bad,
    /// As something of less interest.
    Dim,
}

/// A line of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How it is to be read.
    pub tone: Tone,
    /// Its text.
    pub text: String,
}

/// The answer to a command.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// What to show.
    pub lines: Vec<Line>,
    /// Whether the animation is somewhere else now.
    pub moved: bool,
    /// Whether the user wants an end.
    pub quit: bool,
    /// Whether the command could not be obeyed, or an expectation failed.
    pub failed: bool,
}

impl Reply {
    fn line(&mut self, tone: Tone, text: impl Into<String>) {
        self.lines.push(Line {
            tone,
            text: text.into(),
        });
    }

    fn bad(text: impl Into<String>) -> Reply {
        let mut reply = Reply::default();
        reply.line(Tone::Bad, text);
        reply
    }

    fn plain(text: impl Into<String>) -> Reply {
        let mut reply = Reply::default();
        reply.line(Tone::Plain, text);
        reply
    }

    /// The reply as plain text.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.text.as_str()).collect();
        lines.join("\n")
    }
}

impl Animator {
    /// Opens the model in a file. One that cannot be run is returned as its lint.
    pub fn open(
        bench: &Workbench,
        path: &Path,
        setting: &Setting,
        seed: u64,
    ) -> Result<Animator, Box<Lint>> {
        let runnable = Runnable::open(bench, path, setting)?;
        Ok(Animator {
            runnable,
            file: path.display().to_string(),
            history: vec![Visited {
                taken: None,
                place: Place::Root,
            }],
            at: 0,
            branches: Vec::new(),
            watches: Vec::new(),
            asked: BTreeMap::new(),
            random: Random::new(seed),
            met: None,
            failed: false,
        })
    }

    /// From now on, questions end without an answer once `halt` is set.
    pub fn heed(&mut self, halt: Halt) {
        self.runnable.heed(halt);
    }

    /// What was found about the file.
    pub fn lint(&self) -> &Lint {
        self.runnable.lint()
    }

    /// Goes to an initial state where there is no choice, and shows where the animation is.
    pub fn begin(&mut self) -> Reply {
        let mut reply = Reply::default();
        self.judge(&mut reply);
        self.settle(&mut reply);
        reply.moved = true;
        reply
    }

    /// Goes on to an initial state as long as there is no choice.
    fn settle(&mut self, reply: &mut Reply) {
        while !matches!(self.place(), Place::State(_)) {
            let mut moves = self.scene().moves(self.place()).moves;
            if moves.len() != 1 {
                break;
            }
            let taken = moves.remove(0);
            self.take(taken, reply);
        }
    }

    /// Obeys a command.
    pub fn obey(&mut self, line: &str) -> Reply {
        let description = self.runnable.description();
        let is_event = |word: &str| Happening::named(description, word).is_some();
        let command = match command::parse(line, is_event) {
            Ok(command) => command,
            Err(message) => return self.fail(message),
        };
        match command {
            Command::Nothing => Reply::default(),
            Command::Help => Reply::plain(HELP.trim_end()),
            Command::Quit => Reply {
                quit: true,
                ..Reply::default()
            },
            Command::Do(text) => self.choose_and_take(text),
            Command::Undo(steps) => self.go(self.at.checked_sub(steps)),
            Command::Redo(steps) => self.go(self.at.checked_add(steps)),
            Command::Goto(step) => self.go(Some(step)),
            Command::View => self.view(),
            Command::State => self.state(),
            Command::Events(filter) => self.events(filter),
            Command::Why(text) => self.why(text),
            Command::Find(text) => self.find(text),
            Command::Random(steps) => self.walk(steps),
            Command::Eval(text) => self.eval(text),
            Command::Watch(text) => self.watch(text),
            Command::Unwatch(number) => self.unwatch(number),
            Command::Invariant => self.invariant(),
            Command::Schema(name) => self.schemas(name),
            Command::Path => self.path(),
            Command::Branches => self.show_branches(),
            Command::Branch(number) => self.take_branch(number),
            Command::Save(file) => self.save(Path::new(file)),
            Command::Load(file) => self.load(Path::new(file)),
            Command::Append(file) => self.append(Path::new(file)),
            Command::Expect(text) => self.expect(text),
        }
    }

    /// The exit code: the kind of what was met first, 1 when an expectation failed, else 0.
    pub fn exit(&self) -> u8 {
        match (self.failed, self.met) {
            (true, _) => 1,
            (false, Some(kind)) => kind.exit(),
            (false, None) => 0,
        }
    }

    /// The names that can begin a command here: events first.
    pub fn words(&self) -> Vec<String> {
        let events = self.runnable.description().events.iter();
        let events = events.map(|event| event.name.to_string());
        events
            .chain(WORDS.iter().map(|word| (*word).to_owned()))
            .collect()
    }

    /// The path so far in the lines that users of the language know.
    pub fn listing(&self, wanted: Listing) -> Option<String> {
        let view = self.scene();
        view.subject.listing(&trace(view, &self.moves()), wanted)
    }

    /// Who sent what to whom so far.
    pub fn chart(&self) -> Option<String> {
        let view = self.scene();
        let chart = view.subject.chart(&trace(view, &self.moves()));
        chart.map(|chart| verdict::chart::text(&chart))
    }

    /// How many steps the path has.
    pub fn steps(&self) -> usize {
        self.at
    }

    /// The model, to look at.
    fn scene(&self) -> View<'_> {
        self.runnable.view()
    }

    fn place(&self) -> &Place {
        &self.history[self.at].place
    }

    /// The moves of the path.
    fn moves(&self) -> Vec<Move> {
        let visited = self.history[..=self.at].iter();
        visited
            .filter_map(|visited| visited.taken.clone())
            .collect()
    }

    /// Goes on by a move; what was undone becomes a branch, unless this is the same way.
    fn take(&mut self, taken: Move, reply: &mut Reply) {
        let is_redo = self.history.get(self.at + 1).is_some_and(|next| {
            next.place == taken.to && next.taken.as_ref().is_some_and(|next| same(next, &taken))
        });
        if !is_redo {
            self.leave(self.at + 1);
            self.history.push(Visited {
                place: taken.to.clone(),
                taken: Some(taken),
            });
            self.prune();
        }
        self.at += 1;
        reply.moved = true;
        let (said, met) = (reply.lines.len(), self.met);
        self.tell_step(reply);
        self.judge(reply);
        while self.runnable.make_room() {
            self.walk_again();
            reply.lines.truncate(said);
            self.met = met;
            self.tell_step(reply);
            self.judge(reply);
        }
    }

    /// Takes the same paths in a system that was made anew: its places are others.
    fn walk_again(&mut self) {
        let view = self.runnable.view();
        for path in std::iter::once(&mut self.history).chain(&mut self.branches) {
            let mut place = Place::Root;
            for visited in &mut path[1..] {
                let Some(taken) = &mut visited.taken else {
                    continue;
                };
                let moves = view.moves(&place).moves;
                // Where the path needs still more room, that is asked for next.
                let Some(again) = moves.into_iter().find(|other| same(other, taken)) else {
                    break;
                };
                place = again.to.clone();
                visited.place = again.to.clone();
                *taken = again;
            }
        }
    }

    /// Says what is wrong here, and remembers the first thing that was.
    fn judge(&mut self, reply: &mut Reply) {
        let lines = at_end(self.scene(), self.place());
        if lines.is_empty() {
            return;
        }
        for line in lines {
            reply.line(Tone::Bad, format!("  ! {line}"));
        }
        let kind = self.trouble();
        self.met = self.met.or(kind);
    }

    fn trouble(&self) -> Option<FindingKind> {
        let place = self.place();
        if let Place::State(vector) = place {
            let judged = self.scene().judge(vector);
            let broken = judged
                .iter()
                .find(|judged| matches!(judged.truth, Truth::False | Truth::Undefined(_)));
            if self.scene().is_halted() {
                return None;
            }
            if let Some(broken) = broken {
                return Some(match (&broken.truth, broken.kind) {
                    (Truth::Undefined(_), _) => FindingKind::Fault,
                    (_, pins::LabelKind::Assertion) => FindingKind::Assertion,
                    _ => FindingKind::Invariant,
                });
            }
        }
        let moves = self.scene().moves(place);
        // Nothing is known of what was not looked at.
        if self.scene().is_halted() {
            return None;
        }
        if let Some((_, fault)) = moves.faults.first() {
            return Some(match fault.kind {
                FaultKind::Refinement => FindingKind::Refinement,
                _ => FindingKind::Fault,
            });
        }
        if !moves.is_stuck() {
            return None;
        }
        match place {
            Place::Root | Place::Setup(_) => Some(FindingKind::Setup),
            Place::State(_) => Some(FindingKind::Deadlock),
        }
    }

    fn go(&mut self, to: Option<usize>) -> Reply {
        let Some(to) = to.filter(|to| *to < self.history.len()) else {
            let last = self.history.len() - 1;
            return self.fail(format!(
                "there is no such step; the path has steps 0 to {last}"
            ));
        };
        self.at = to;
        let mut reply = Reply {
            moved: true,
            ..Reply::default()
        };
        if to == 0 {
            reply.line(Tone::Heading, "at the beginning: nothing has a value");
        } else {
            self.tell_step(&mut reply);
        }
        reply
    }

    /// The value of a formula here; an error is one line.
    ///
    /// # Errors
    /// What is wrong with the formula, or why it has no value here.
    pub fn value_of(&mut self, text: &str) -> Result<String, String> {
        let formula = match self.asked.get(text) {
            Some(known) => known.clone()?,
            None => {
                let formula = self.runnable.formula(text);
                // Pictures ask the same in every state; what is asked once for all has an end.
                if self.asked.len() < MAX_ASKED {
                    self.asked.insert(text.to_owned(), formula.clone());
                }
                formula?
            }
        };
        let answer = self.scene().eval(formula, self.place())?;
        Ok(answer.text())
    }

    fn eval(&mut self, text: &str) -> Reply {
        let formula = match self.runnable.formula(text) {
            Ok(formula) => formula,
            Err(message) => return self.fail(message),
        };
        match self.scene().eval(formula, self.place()) {
            Ok(answer) => Reply::plain(for_people(&answer.text())),
            Err(reason) => Reply::bad(format!("no value: {reason}")),
        }
    }

    fn expect(&mut self, text: &str) -> Reply {
        let formula = match self.runnable.formula(text) {
            Ok(formula) if formula.is_predicate => formula,
            Ok(_) => return self.fail(format!("{text} is an expression; a predicate is needed")),
            Err(message) => return self.fail(message),
        };
        match self.scene().eval(formula, self.place()) {
            Ok(Answer::Truth(true)) => Reply::plain("as expected"),
            Ok(_) => {
                let mut reply = self.fail(format!("not as expected: {text} is false"));
                for line in self.reasons(Predicate::Question(formula.id)) {
                    reply.line(Tone::Bad, format!("  {line}"));
                }
                reply
            }
            Err(reason) => self.fail(format!("not as expected: {text} has no value: {reason}")),
        }
    }

    /// Why a predicate is false here.
    fn reasons(&self, predicate: Predicate) -> Vec<String> {
        let lines = self.scene().explain(predicate, self.place());
        let lines = lines.iter();
        lines.map(|line| for_people(line).into_owned()).collect()
    }

    /// A command that cannot be obeyed: a script with one has failed.
    fn fail(&mut self, message: impl Into<String>) -> Reply {
        self.failed = true;
        Reply {
            failed: true,
            ..Reply::bad(message)
        }
    }
}

/// Whether two moves are the same thing happening, wherever they lead.
fn same(one: &Move, other: &Move) -> bool {
    one.happening == other.happening
        && one.arguments == other.arguments
        && one.results == other.results
}
