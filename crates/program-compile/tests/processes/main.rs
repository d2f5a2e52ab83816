//! Random programs of processes: both evaluators agree on every state and step, and the laws of `pins` hold.

mod agree;
mod generate;

use std::sync::Arc;

use program_compile::processes::{Options, System};

/// How many programs, and how many states of each.
const PROGRAMS: u64 = 600;
const STATES: usize = 120;

#[test]
fn both_evaluators_agree_on_random_programs() {
    for seed in 0..PROGRAMS {
        let program = Arc::new(generate::program(seed));
        let system = System::new(program.clone(), Options::default())
            .unwrap_or_else(|found| panic!("seed {seed}: {found:?}"));
        if let Err(difference) = agree::check(&program, &system, STATES) {
            let text = program::text::program(&program);
            panic!("seed {seed}: {difference}\n{text}");
        }
    }
}

#[test]
fn laws_hold_on_random_programs() {
    for seed in 0..PROGRAMS {
        let program = Arc::new(generate::program(seed));
        let system = System::new(program.clone(), Options::default())
            .unwrap_or_else(|found| panic!("seed {seed}: {found:?}"));
        if let Err(broken) = pins::check_laws(&system, 40) {
            let text = program::text::program(&program);
            panic!("seed {seed}: {broken:?}\n{text}");
        }
    }
}
