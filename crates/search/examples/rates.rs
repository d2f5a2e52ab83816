//! Prints how many states a second each store takes with one and several threads.
//!
//! `cargo run --release -p search --example rates [-- SLOTS VALUES THREADS STORE]` explores `VALUES ^ SLOTS` states
//! of independent counters, a system so cheap that the store is what is measured. `CPU` is the processor time of
//! all threads: on a busy machine it says more than seconds do.

use pins::toy::counters;
use search::explicit::{Config, Order, Quiet, StoreKind, explore};

fn main() {
    let arguments: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let slots = arguments.first().copied().unwrap_or(7);
    let values = arguments.get(1).copied().unwrap_or(10) as u32;
    let most = arguments.get(2).copied().unwrap_or(2);
    let system = counters(slots, values);
    println!(
        "{:12} {:6} {:>8} {:>11} {:>12} {:>8} {:>8} {:>11} {:>11} {:>10}",
        "store",
        "order",
        "threads",
        "states",
        "transitions",
        "seconds",
        "CPU",
        "states/s",
        "trans/s",
        "B/state"
    );
    let stores = [
        StoreKind::Tree,
        StoreKind::Plain,
        StoreKind::Fingerprint,
        StoreKind::Bitstate,
    ];
    let wanted = std::env::args().nth(4);
    for store in stores {
        if wanted
            .as_ref()
            .is_some_and(|name| *name != format!("{store:?}"))
        {
            continue;
        }
        for (order, threads) in (1..=most).map(|n| (Order::Bfs, n)).chain([(Order::Dfs, 1)]) {
            let config = Config {
                store,
                order,
                threads,
                ..Config::default()
            };
            let before = processor_seconds();
            let outcome = match explore(&system, &config, &Quiet) {
                Ok(outcome) => outcome,
                Err(refused) => {
                    eprintln!("{refused}");
                    return;
                }
            };
            let statistics = outcome.statistics;
            let seconds = statistics.wall.as_secs_f64();
            println!(
                "{:12} {:6} {:>8} {:>11} {:>12} {:>8.2} {:>8.2} {:>11.0} {:>11.0} {:>5.1} {:>5.1}",
                format!("{store:?}"),
                format!("{order:?}"),
                threads,
                statistics.states,
                statistics.transitions,
                seconds,
                processor_seconds() - before,
                statistics.states as f64 / seconds,
                statistics.transitions as f64 / seconds,
                statistics.store_bytes as f64 / statistics.states as f64,
                statistics.peak_bytes as f64 / statistics.states as f64,
            );
        }
    }
}

/// User time of this process so far, from the operating system; 0 where that is not known.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name
        .split(' ')
        .nth(11)
        .and_then(|ticks| ticks.parse().ok());
    ticks.unwrap_or(0.0) / 100.0
}
