//! Random programs of processes: both evaluators agree on every state and step, and the laws of `pins` hold.

mod agree;
mod generate;
mod influence;

use std::sync::Arc;

use program_compile::processes::{Options, Packing, System};

/// How many programs are compared, in how many states of each, and how many are asked about laws.
const PROGRAMS: u64 = 150;
const STATES: usize = 100;
const LAWFUL: u64 = 60;

#[test]
fn both_evaluators_agree_on_random_programs() {
    for seed in 0..PROGRAMS {
        let program = Arc::new(generate::program(seed));
        let system = System::with_packing(program.clone(), options(seed), packing(seed))
            .unwrap_or_else(|found| panic!("seed {seed}: {found:?}"));
        if let Err(difference) = agree::check(&program, &system, STATES) {
            let text = program::text::program(&program);
            panic!("seed {seed}: {difference}\n{text}");
        }
    }
}

#[test]
fn laws_hold_on_random_programs() {
    for seed in 0..LAWFUL {
        let program = Arc::new(generate::program(seed));
        let system = System::with_packing(program.clone(), Options::default(), packing(seed))
            .unwrap_or_else(|found| panic!("seed {seed}: {found:?}"));
        if let Err(broken) = pins::check_laws(&system, 40) {
            let text = program::text::program(&program);
            panic!("seed {seed}: {broken:?}\n{text}");
        }
    }
}

#[test]
fn words_that_are_left_and_groups_that_commute_are_so_on_random_programs() {
    for seed in 0..PROGRAMS {
        let program = Arc::new(generate::program(seed));
        let system = System::new(program.clone(), options(seed))
            .unwrap_or_else(|found| panic!("seed {seed}: {found:?}"));
        if let Err(wrong) = influence::check(&system, STATES) {
            let text = program::text::program(&program);
            panic!("seed {seed}: {wrong}\n{text}");
        }
    }
}

/// Two in three programs have code for the arguments of their processes.
fn options(seed: u64) -> Options {
    Options {
        keeps_arguments: !seed.is_multiple_of(3),
        ..Options::default()
    }
}

/// Every other program has packed states.
fn packing(seed: u64) -> Packing {
    [Packing::Separate, Packing::Tight][seed as usize % 2]
}
