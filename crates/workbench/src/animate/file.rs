//! Keeps the path of an animation, and walks a saved one.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use verdict::Shown;
use verdict::format::{Format, Heading};

use super::{Animator, Reply, Tone};
use crate::replay;
use crate::report::counted;
use crate::runnable::Place;

impl Animator {
    pub(super) fn save(&mut self, file: &Path) -> Reply {
        let format = match Format::of(file) {
            Ok(format) => format,
            Err(why) => return self.fail(why),
        };
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
        let paths = (&path, Some(&trace));
        let text = match format.write(paths, self.runnable.subject(), &heading) {
            Ok(text) => text,
            Err(why) => return self.fail(why),
        };
        let name = file.display();
        match std::fs::write(file, text) {
            Ok(()) => {
                let steps = counted(path.steps.len() as u64, "step");
                Reply::plain(format!("{steps} saved to {name}"))
            }
            Err(error) => self.fail(format!("cannot write \"{name}\": {error}")),
        }
    }

    pub(super) fn load(&mut self, file: &Path) -> Reply {
        self.follow(file, false)
    }

    pub(super) fn append(&mut self, file: &Path) -> Reply {
        self.follow(file, true)
    }

    fn follow(&mut self, file: &Path, from_here: bool) -> Reply {
        let mut recorded = match replay::read(file, self.scene()) {
            Ok(recorded) => recorded,
            Err(message) => return self.fail(message),
        };
        let start = match from_here {
            true => self.place().clone(),
            false => Place::Root,
        };
        if from_here {
            // Only what happens counts: the states were those of another path.
            recorded.loop_start = None;
            recorded.steps.retain(|step| {
                !matches!(
                    step.event.as_deref(),
                    Some("SETUP_CONSTANTS" | "INITIALISATION")
                )
            });
            for step in &mut recorded.steps {
                step.state.clear();
                step.results.clear();
            }
        } else {
            self.at = 0;
            self.history.truncate(1);
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
            let text = format!("step {} does not fit: {}", problem.step, problem.event);
            reply.line(Tone::Bad, text);
            for line in &problem.why {
                reply.line(Tone::Bad, format!("  {line}"));
            }
        }
        reply
    }
}
