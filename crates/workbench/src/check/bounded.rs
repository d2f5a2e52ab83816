//! Bounded model checking with induction as an engine of `check`: the invariant, by constraints over whole paths.
//!
//! Paper: as in `model-compile/src/constraints.rs`. `--max-depth` bounds the paths from the beginning.
//! Invariant: what it does not look at stands among what is not checked.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use base::Diagnostic;
use pins::{Halt, LabelId};

use super::facts::Facts;
use super::run::Run;
use super::{Ended, Hooks};
use crate::codes;
use crate::constrain::{Asked, answers};
use crate::report::{Finding, FindingKind, Verdict};

/// Paths from the beginning have at most so many steps unless somebody says otherwise.
const DEPTH: usize = 8;

/// How often the clock and the user are asked.
const LOOK: Duration = Duration::from_millis(20);

/// Checks the invariant.
pub(super) fn check(run: &Run<'_>, hooks: &Hooks<'_>) -> Result<Facts, Ended> {
    let options = run.options;
    let depth = options.max_depth.map(usize::try_from);
    let depth = depth.and_then(Result::ok).unwrap_or(DEPTH);
    let (halt, done) = (Halt::default(), AtomicBool::new(false));
    let limit = options
        .max_time
        .map(|most| Duration::from_secs_f64(most.max(0.0)));
    let begun = Instant::now();
    let answered = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                let is_late = limit.is_some_and(|limit| begun.elapsed() >= limit);
                if is_late || hooks.stop.load(Relaxed) {
                    halt.set();
                    return;
                }
                std::thread::sleep(LOOK);
            }
        });
        let asked = [Asked::Induction(depth)];
        let answered = answers(
            run.subject,
            &options.setting,
            &asked,
            (options.solver, &halt),
        );
        done.store(true, Relaxed);
        answered
    });
    let answered = answered
        .map_err(|why| Diagnostic::global(&codes::MISSING_PART, format!("--engine bmc: {why}")))?;
    let mut facts = Facts::planned(run.plan, options);
    for (is_wanted, what) in [
        (options.deadlock, "deadlock"),
        (options.setting.obligations.assertions, "assertions"),
        (true, "definedness"),
    ] {
        if is_wanted {
            let what = format!("{what} (bounded model checking looks at the invariant)");
            facts.not_checked.push(what);
        }
    }
    for answered in answered {
        match answered.verdict {
            Verdict::Open => facts.open_because.extend(answered.because),
            Verdict::Violated => {
                let label = answered
                    .label
                    .map(|at| &run.subject.description().labels[at]);
                let text = label.map_or("", |label| label.text.as_str());
                facts.findings.push(Finding {
                    kind: FindingKind::Invariant,
                    name: label.map(|label| label.name()),
                    message: format!("invariant is false: {text}"),
                    why: Vec::new(),
                    place: label
                        .and_then(|l| l.span)
                        .map(|span| run.sources.place(span)),
                    path: answered.path,
                    loop_start: None,
                    along: Vec::new(),
                    last_changed: None,
                    found_in: None,
                    chart: None,
                    evidence: None,
                    label: answered.label.map(LabelId::new),
                });
            }
            Verdict::Holds | Verdict::Error => {}
        }
    }
    Ok(facts)
}
