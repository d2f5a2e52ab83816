//! A check by many processes: the first one leads, the others do what it says until it is done.
//!
//! After every search all processes tell each other what their systems had no room for, so that all begin again with the
//! same room (decision 0104). The first process decides what comes next, since only it knows what was found; the others explore
//! the same model with the same options again, look for the goal alone or check a formula, until the first one is gone.
//! Invariant: an answer of a search in which some process lacked room is never reported as whole.

use std::cell::Cell;
use std::time::{Duration, Instant};

use base::Diagnostic;
use pins::System;
use reduce::por::Reduction;
use search::distributed::{self, Part, Place, Team};
use search::explicit::{Config, Monitor, Open, Outcome, Progress, Refused};
use subject::Subject;

use super::goal::for_goal_alone;
use super::run::{Run, Watch};
use super::temporal::Formulas;
use super::{Ended, Hooks};
use crate::codes;

/// What the first process tells the others after a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The same again, after room was made for each of these, one after the other.
    Again(Vec<Vec<u8>>),
    /// Look for the goal alone.
    Goal,
    /// Check the formula with this number.
    Formula(u64),
}

impl Next {
    /// Tells all others, when there are any; an error is a lost process.
    pub(super) fn tell(&self, run: &Run<'_>) -> Result<(), Ended> {
        let Some(team) = &run.options.team else {
            return Ok(());
        };
        let mut bytes = Vec::new();
        match self {
            Next::Goal => bytes.push(0),
            Next::Formula(number) => {
                bytes.push(2);
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            Next::Again(rooms) => {
                bytes.push(1);
                for lacks in rooms {
                    bytes.extend_from_slice(&(lacks.len() as u64).to_le_bytes());
                    bytes.extend_from_slice(lacks);
                }
            }
        }
        let told = team.tell(&bytes);
        told.map_err(|refused| run.refuse(&refused).into())
    }

    /// What the first process wants; `None` when nothing.
    fn heard(team: &Team) -> Option<Next> {
        let said = team.hear()?;
        let (kind, mut rest) = said.split_first()?;
        match *kind {
            0 => return Some(Next::Goal),
            2 => return Some(Next::Formula(u64::from_le_bytes(*rest.first_chunk()?))),
            _ => {}
        }
        let mut rooms = Vec::new();
        while let Some((len, more)) = rest.split_first_chunk() {
            let len = usize::try_from(u64::from_le_bytes(*len)).ok()?;
            let (lacks, more) = more.split_at_checked(len)?;
            rooms.push(lacks.to_vec());
            rest = more;
        }
        Some(Next::Again(rooms))
    }
}

/// Listens to the user, and ends a search whose system has no room.
struct Listening<'a> {
    watch: &'a Watch<'a>,
    subject: &'a dyn Subject,
}

impl Monitor for Listening<'_> {
    fn progress(&self, progress: &Progress) {
        self.watch.progress(progress);
    }

    fn should_stop(&self) -> bool {
        self.watch.should_stop() || !self.subject.lacks().is_empty()
    }
}

/// The states that representatives stand for: of this process, and of all once they told each other.
pub(super) struct Orbits<'a> {
    /// How many there are here; `None` when that is not known.
    pub(super) here: &'a dyn Fn() -> Option<u128>,
    /// How many there are in all.
    pub(super) everywhere: Cell<Option<u128>>,
}

impl Orbits<'_> {
    /// Finds out how many there are in all; every process has to ask.
    fn confer(&self, team: &Team) -> Result<(), Refused> {
        let here = (self.here)().map_or(Vec::new(), |sum| sum.to_le_bytes().to_vec());
        let all = team.confer(here)?;
        let sum = |sum: u128, told: &Vec<u8>| {
            let told = told.as_slice().try_into().ok()?;
            sum.checked_add(u128::from_le_bytes(told))
        };
        self.everywhere.set(all.iter().try_fold(0, sum));
        Ok(())
    }
}

impl Run<'_> {
    /// Whether this process does what another one says.
    pub(super) fn is_helper(&self) -> bool {
        self.options.team.as_ref().is_some_and(|team| team.me > 0)
    }

    /// Takes part in the searches of another process until it is done.
    pub(super) fn help(
        &self,
        formulas: Option<&Formulas>,
        start: Instant,
        hooks: &Hooks<'_>,
    ) -> Ended {
        let mut next = Next::Again(Vec::new());
        loop {
            if let Err(ended) = self.take_part(&next, formulas, start, hooks) {
                return ended;
            }
            let team = self.options.team.as_deref();
            next = match team.and_then(Next::heard) {
                None => return Ended::Helped,
                Some(next) => next,
            };
        }
    }

    /// Does what the first process wants.
    fn take_part(
        &self,
        next: &Next,
        formulas: Option<&Formulas>,
        start: Instant,
        hooks: &Hooks<'_>,
    ) -> Result<(), Ended> {
        let explored = match (next, formulas) {
            (Next::Again(rooms), _) => {
                for lacks in rooms {
                    self.lack(std::slice::from_ref(lacks))?;
                    self.subject.make_room();
                }
                if formulas.is_some() && Formulas::are_alone(self.options) {
                    // Formulas are told one by one.
                    return Ok(());
                }
                self.explore(hooks).map(|_| ())
            }
            (Next::Goal, _) => {
                let options = &for_goal_alone(self.options);
                let goal = Run { options, ..*self };
                goal.explore(hooks).map(|_| ())
            }
            (Next::Formula(index), Some(formulas)) => {
                let explored = formulas.explore_one(self, *index as usize, start, hooks);
                explored.map(|_| ())
            }
            (Next::Formula(_), None) => return Err(Ended::Helped),
        };
        match explored {
            Err(Ended::Helped) => Ok(()),
            Err(ended) => Err(ended),
            Ok(()) => Err(Ended::Bug(
                "a worker came to an answer of its own".to_owned(),
            )),
        }
    }

    /// Explores together with the other processes of the team.
    pub(super) fn explore_together(
        &self,
        system: &dyn System,
        search: &Config,
        reduction: Option<&Reduction<'_>>,
        watch: &Watch<'_>,
        orbits: Option<&Orbits<'_>>,
    ) -> Result<(Outcome, Vec<Part>), Ended> {
        let options = self.options;
        let config = distributed::Config {
            search: Config {
                checkpoint: None,
                resume: None,
                ..search.clone()
            },
            threads: options.threads,
            memory_each: options.memory_each,
            saves: options.checkpoint.as_ref().map(|folder| Place {
                folder: folder.clone(),
                every: Duration::from_secs_f64(options.every),
            }),
            resume: options.resume.clone(),
        };
        let alone = Team::alone();
        let team = options.team.as_deref().unwrap_or(&alone);
        let listening = Listening {
            watch,
            subject: self.subject,
        };
        let outcome = distributed::explore(system, &config, reduction, team, &listening);
        let outcome = outcome.map_err(|refused| self.refuse(&refused))?;
        let Some(mut outcome) = outcome else {
            // Whoever is lost is the business of the first process.
            if let Ok(all) = team.confer(self.subject.lacks()) {
                self.lack(&all)?;
                let _ = orbits.map(|orbits| orbits.confer(team));
            }
            return Err(Ended::Helped);
        };
        let search = &mut outcome.search;
        let is_lost = |open: &Open| matches!(open, Open::Lost(_));
        if !search.open.iter().any(is_lost) {
            let told = team.confer(self.subject.lacks()).and_then(|all| {
                orbits.map_or(Ok(()), |orbits| orbits.confer(team))?;
                Ok(all)
            });
            match told {
                Ok(all) => self.lack(&all)?,
                Err(refused) => {
                    search.is_complete = false;
                    search.open.push(Open::Lost(refused.to_string()));
                }
            }
        }
        if !self.subject.lacks().is_empty() && !watch.should_stop() {
            // Nobody interrupted it: what had no room is told as such.
            search.open.retain(|open| *open != Open::Interrupted);
            search.is_complete = false;
        }
        Ok((outcome.search, outcome.parts))
    }

    /// Takes what all processes lack for what this one lacks.
    fn lack(&self, all: &[Vec<u8>]) -> Result<(), Ended> {
        for lacks in all {
            let known = self.subject.also_lacks(lacks);
            known.map_err(|why| Diagnostic::global(&codes::CHECKPOINT, why))?;
        }
        Ok(())
    }
}
