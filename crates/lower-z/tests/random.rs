//! Random specifications: the compiled and the reference evaluator find the same states and steps, and what is printed reads
//! back. `BURNSIDE_RANDOM=N` tries N of them.

#[path = "support/random.rs"]
mod random;
mod support;

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

use base::Sources;
use lang_z::print::{Markup, same, specification};
use model::scope::Scopes;
use model::{Model, Value};
use model_compile::{Options, compile};
use model_interp::{Interp, State};

/// States and the number of steps.
type Space = (BTreeSet<Vec<Option<Value>>>, usize);

/// What the reference evaluator finds; `None` when it had to cut an enumeration, which decides nothing.
fn by_reference(model: &Model) -> Result<Option<Space>, String> {
    let mut interp = Interp::new(model, model_interp::Options::default());
    let begin = interp
        .initial(&State::empty(model), usize::MAX)
        .map_err(|stop| format!("{stop:?}"))?;
    let mut known: BTreeSet<Vec<Option<Value>>> = BTreeSet::new();
    let mut queue: VecDeque<State> = VecDeque::new();
    for state in begin {
        if known.insert(state.values().to_vec()) {
            queue.push_back(state);
        }
    }
    let mut steps = 0;
    while let Some(state) = queue.pop_front() {
        for action in 0..model.actions.len() {
            let (found, stop) = match interp.transitions(action, &state) {
                Ok((_, Some(stop))) | Err(stop) if stop.is_open() => return Ok(None),
                Ok((found, stop)) => (found, stop),
                Err(stop) => return Err(format!("{stop:?}")),
            };
            if let Some(stop) = stop {
                return Err(format!("{stop:?}"));
            }
            for step in found {
                steps += 1;
                if known.insert(step.target.values().to_vec()) {
                    queue.push_back(step.target);
                }
            }
        }
    }
    Ok(Some((known, steps)))
}

fn compiled(model: &Model) -> Result<Space, String> {
    let system = compile(model, &Options::default()).map_err(|_| "it does not compile")?;
    let (states, [_, _, steps, _]) = support::explore(&system)?;
    let values = states.iter().map(|state| {
        let each = model.variables.iter();
        each.map(|(id, _)| system.value(state, id)).collect()
    });
    Ok((values.collect(), steps))
}

/// Whether the evaluators agree; `false` when one of them had no answer.
fn agree(seed: u64) -> Result<bool, String> {
    let text = random::specification(seed);
    let mut sources = Sources::new();
    let path = Path::new("random.tex");
    let file = sources.add(path, text.clone());
    let checked = lang_z::check_text(file, &mut sources);
    if checked.diagnostics.has_errors() {
        return Err(format!("{:?}\n{text}", checked.diagnostics));
    }
    for markup in [Markup::Latex, Markup::Unicode] {
        let printed = specification(&checked, markup);
        let file = sources.add(path, printed.clone());
        let again = lang_z::check_text(file, &mut sources);
        if again.diagnostics.has_errors() || !same(&checked, &again) {
            return Err(format!("does not read back:\n{printed}\n{text}"));
        }
    }
    let model = lower_z::lower(&checked, &lower_z::Options::default(), &Scopes::default())
        .map_err(|problems| format!("{problems:?}\n{text}"))?;
    let fast = compiled(&model).map_err(|why| format!("compiled: {why}\n{text}"))?;
    let slow = by_reference(&model).map_err(|why| format!("reference: {why}\n{text}"))?;
    let Some(slow) = slow else {
        return Ok(false);
    };
    if fast != slow {
        return Err(format!(
            "{} states and {} steps, by the reference evaluator {} and {}\n{text}",
            fast.0.len(),
            fast.1,
            slow.0.len(),
            slow.1
        ));
    }
    Ok(true)
}

#[test]
fn both_evaluators_find_the_same_states_and_steps() {
    let count = std::env::var("BURNSIDE_RANDOM").ok();
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(40);
    let mut answered = 0;
    for seed in 1..=count {
        match agree(seed) {
            Ok(has_answer) => answered += u64::from(has_answer),
            Err(why) => panic!("seed {seed}: {why}"),
        }
    }
    assert!(
        answered * 4 > count * 3,
        "{answered} of {count} were compared"
    );
}
