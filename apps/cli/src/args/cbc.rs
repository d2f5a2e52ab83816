//! The options of `cbc`.

use std::path::PathBuf;

use workbench::Asked;

use super::solving::SolvingArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside cbc lift.mch                          may any operation break the invariant, is there a deadlock, do assertions follow
  burnside cbc lift.mch --invariant up           the same of one operation
  burnside cbc lift.mch --sequence 'call; up'    can these happen one after the other, from an initial state
  burnside cbc lift.mch --induction 3            bounded model checking, and induction over paths of up to 4 steps
  burnside cbc lift.mch --tests 5                for each operation a path of up to 5 steps that ends with it

The questions are about all states that satisfy the invariant, whether or not they can be reached, and are answered
by the solver, within the sizes of sets: holds, violated with a state and a step, open with a reason.

Exit codes: 0 all hold, 11 a deadlock, 12 an invariant, an assertion or a sequence, 20 open.";

/// The options of `cbc`.
#[derive(Debug, clap::Args)]
pub(crate) struct CbcArgs {
    /// The model.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Does an event keep the invariant? Every one unless EVENT is given.
    #[arg(long, value_name = "EVENT", num_args = 0..=1)]
    invariant: Option<Option<String>>,

    /// Is there a state that satisfies the invariant and in which nothing can happen?
    #[arg(long)]
    deadlock: bool,

    /// Do the assertions follow from the invariant?
    #[arg(long)]
    assertions: bool,

    /// Can these events happen one after the other? Names are separated by semicolons.
    #[arg(long, value_name = "EVENTS")]
    sequence: Option<String>,

    /// Look at all paths of up to N steps, and prove the invariant by induction over paths of up to N + 1 steps.
    #[arg(long, value_name = "N")]
    induction: Option<usize>,

    /// Test cases: for each event a shortest path of up to N steps that ends with it.
    #[arg(long, value_name = "N")]
    tests: Option<usize>,

    #[command(flatten)]
    pub(crate) solving: SolvingArgs,
}

impl CbcArgs {
    /// The questions; the three about single states when none is asked.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        let mut asked = Vec::new();
        asked.extend(self.invariant.clone().map(Asked::Invariant));
        if self.deadlock {
            asked.push(Asked::Deadlock);
        }
        if self.assertions {
            asked.push(Asked::Assertions);
        }
        if let Some(names) = &self.sequence {
            let names = names.split(';').map(|name| name.trim().to_owned());
            asked.push(Asked::Sequence(
                names.filter(|name| !name.is_empty()).collect(),
            ));
        }
        asked.extend(self.induction.map(Asked::Induction));
        asked.extend(self.tests.map(Asked::Tests));
        match asked.is_empty() {
            true => vec![Asked::Invariant(None), Asked::Deadlock, Asked::Assertions],
            false => asked,
        }
    }
}
