//! Keeps the path of an animation, and walks a saved one.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use subject::Happening;
use verdict::Shown;
use verdict::format::{Format, Heading, Recorded};

use super::{Animator, Reply, Tone};
use crate::replay;
use crate::report::counted;
use crate::runnable::Place;

impl Animator {
    pub(super) fn save(&mut self, file: &Path) -> Reply {
        let text = match self.written(file) {
            Ok(text) => text,
            Err(why) => return self.fail(why),
        };
        let name = file.display();
        match std::fs::write(file, text) {
            Ok(()) => {
                let steps = counted(self.at as u64, "step");
                Reply::plain(format!("{steps} saved to {name}"))
            }
            Err(error) => self.fail(format!("cannot write \"{name}\": {error}")),
        }
    }

    /// The path as the text of a file of this name, whose extension chooses the format.
    ///
    /// # Errors
    /// When the extension stands for no format.
    pub fn written(&self, file: &Path) -> Result<String, &'static str> {
        let format = Format::of(file)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let heading = Heading {
            file: &self.file,
            kind: "animation",
            name: None,
            message: "a path of an animation",
            why: &[],
            saved_at: now.map_or(0, |now| now.as_secs()),
        };
        let trace = replay::trace(self.scene(), &self.moves());
        let path = Shown::new(&trace, self.runnable.subject());
        format.write((&path, Some(&trace)), self.runnable.subject(), &heading)
    }

    /// Walks a path from the beginning: the text of a file of this name.
    pub fn walk_along(&mut self, file: &Path, text: &str) -> Reply {
        match replay::read_text(file, text, self.scene()) {
            Ok(recorded) => self.follow(recorded, file, false),
            Err(message) => self.fail(message),
        }
    }

    pub(super) fn load(&mut self, file: &Path) -> Reply {
        self.read_and_follow(file, false)
    }

    pub(super) fn append(&mut self, file: &Path) -> Reply {
        self.read_and_follow(file, true)
    }

    fn read_and_follow(&mut self, file: &Path, from_here: bool) -> Reply {
        match replay::read(file, self.scene()) {
            Ok(recorded) => self.follow(recorded, file, from_here),
            Err(message) => self.fail(message),
        }
    }

    fn follow(&mut self, mut recorded: Recorded, file: &Path, from_here: bool) -> Reply {
        let start = match from_here {
            true => self.place().clone(),
            false => Place::Root,
        };
        if from_here {
            // Only what happens counts: the states were those of another path.
            recorded.loop_start = None;
            let description = self.runnable.description();
            let is_beginning = |name: &str| {
                let mut beginnings = description.beginnings.iter();
                beginnings.any(|known| known.as_str() == name)
            };
            let mut number = 0;
            recorded.steps.retain(|step| {
                number += 1;
                let name = step.event.as_deref().unwrap_or_default();
                match Happening::named(description, name) {
                    Some(Happening::Setup) => false,
                    Some(Happening::Initialisation) => number > 2,
                    _ => number > 2 || !is_beginning(name),
                }
            });
            for step in &mut recorded.steps {
                step.state.clear();
                step.results.clear();
            }
        } else {
            self.at = 0;
            self.leave(1);
        }
        let (outcome, moves) = replay::follow(&mut self.runnable, &recorded, file, start);
        let mut reply = Reply::default();
        for taken in moves {
            self.take(taken, &mut reply);
        }
        for warning in &outcome.warnings {
            reply.line(Tone::Plain, format!("warning: {warning}"));
        }
        if let Some(problem) = &outcome.problem {
            self.failed = true;
            reply.failed = true;
            let text = format!("step {} does not fit: {}", problem.step, problem.event);
            reply.line(Tone::Bad, text);
            for line in &problem.why {
                reply.line(Tone::Bad, format!("  {line}"));
            }
        }
        reply
    }
}
