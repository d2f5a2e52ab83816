//! Explores a B machine with the compiled evaluator and prints counts and speed.

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)]
mod support;

use std::path::Path;
use std::time::Instant;

use model_compile::{Options, Wd, compile};

fn main() {
    for argument in std::env::args().skip(1) {
        let start = Instant::now();
        let model = match support::load(Path::new(&argument)) {
            Ok(model) => model,
            Err(error) => {
                println!("{argument}: {error}");
                continue;
            }
        };
        let options = Options {
            wd: if std::env::var_os("LENIENT").is_some() {
                Wd::Lenient
            } else {
                Wd::Default
            },
            ..Options::default()
        };
        let compiled = match compile(&model, &options) {
            Ok(compiled) => compiled,
            Err(unsupported) => {
                println!("{argument}: {unsupported:?}");
                continue;
            }
        };
        let loaded = start.elapsed();
        let start = Instant::now();
        let found = support::explore(&compiled, 20_000_000);
        let elapsed = start.elapsed().as_secs_f64();
        println!(
            "{argument}: setups {} states {} nodes {} edges {} deadlocked {} violated {} faults {} \
             | load {:.3}s explore {elapsed:.3}s {:.0} states/s, {} interned",
            found.setups,
            found.states,
            found.nodes,
            found.edges,
            found.deadlocked,
            found.violated,
            found.faults.len(),
            loaded.as_secs_f64(),
            found.states as f64 / elapsed,
            compiled.interned(),
        );
        if let Some(fault) = found.faults.first() {
            println!("  fault: {:?} {}", fault.kind, fault.message);
        }
        for (_, cut) in &found.notes.cuts {
            println!("  cut: {cut}");
        }
        if let Some(fault) = &found.notes.first_undefined {
            println!(
                "  undefined guards: {} ({})",
                found.notes.undefined_guards, fault.message
            );
        }
    }
}
