//! What a program written by hand for one model takes: the limit that an explorer of all models is measured against.
//!
//! `rustc -O -C target-cpu=native benches/hand/explorers.rs -o explorers && ./explorers grid|function|queue|code|scheduler`
//!
//! States are numbers of 64 bits, kept in an open-addressing table of 2^N places and in a list that is the queue; the invariant is asked
//! of each new state. No paths, no limits, no faults: what a person would write to count states.

use std::time::Instant;

struct Explorer {
    table: Vec<u64>,
    states: Vec<u64>,
    mask: usize,
}

impl Explorer {
    fn new(bits: u32) -> Explorer {
        Explorer {
            table: vec![u64::MAX; 1 << bits],
            states: Vec::new(),
            mask: (1 << bits) - 1,
        }
    }

    #[inline]
    fn add(&mut self, state: u64, holds: impl Fn(u64) -> bool) {
        let mut at = (state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & self.mask;
        loop {
            match self.table[at] {
                u64::MAX => break,
                known if known == state => return,
                _ => at = (at + 1) & self.mask,
            }
        }
        assert!(holds(state), "the invariant");
        self.table[at] = state;
        self.states.push(state);
    }
}

/// Explores from `initial`; `steps` gives every successor of a state.
fn explore(
    bits: u32,
    initial: u64,
    holds: impl Fn(u64) -> bool + Copy,
    steps: impl Fn(u64, &mut dyn FnMut(u64)),
) {
    let begun = Instant::now();
    let mut explorer = Explorer::new(bits);
    explorer.add(initial, holds);
    let (mut next, mut transitions) = (0, 0u64);
    while next < explorer.states.len() {
        let state = explorer.states[next];
        next += 1;
        steps(state, &mut |successor| {
            transitions += 1;
            explorer.add(successor, holds);
        });
    }
    let states = explorer.states.len();
    println!("{states} states, {transitions} transitions, {:.2} s", begun.elapsed().as_secs_f64());
}

fn grid() {
    let part = |state: u64, at: u32| state >> (8 * at) & 0xff;
    let holds = move |state| (0..3).all(|at| part(state, at) <= 215);
    explore(25, 0, holds, |state, next| {
        for at in 0..3 {
            if part(state, at) < 215 {
                next(state + (1 << (8 * at)));
            }
        }
        if (0..3).all(|at| part(state, at) == 215) {
            next(0);
        }
    });
}

fn function() {
    let part = |state: u64, at: u32| state >> (4 * at) & 0xf;
    let holds = move |state| (0..6).all(|at| part(state, at) <= 9);
    explore(21, 0, holds, |state, next| {
        for at in 0..6 {
            if part(state, at) < 9 {
                next(state + (1 << (4 * at)));
            }
        }
    });
}

fn queue() {
    let size = |state: u64| state >> 32;
    let item = |state: u64, at: u64| state >> (4 * at) & 0xf;
    let holds = move |state| size(state) <= 8 && (0..size(state)).all(|at| item(state, at) <= 5);
    explore(22, 0, holds, |state, next| {
        if size(state) < 8 {
            for x in 0..6 {
                next((state | x << (4 * size(state))) + (1 << 32));
            }
        }
        if size(state) > 0 {
            let items = (state & 0xffff_ffff) >> 4;
            next(items | (size(state) - 1) << 32);
        }
    });
}

fn code() {
    const LENGTH: u64 = 6;
    let holds = |state: u64| state >> 40 <= LENGTH;
    explore(22, 0, holds, |state, next| {
        let (entered, number) = (state >> 40, state & 0xff_ffff_ffff);
        if entered < LENGTH {
            for digit in 0..10 {
                next((entered + 1) << 40 | (10 * number + digit));
            }
        } else {
            next(0);
        }
    });
}

fn scheduler() {
    const PROCESSES: u32 = 11;
    let all: u64 = (1 << PROCESSES) - 1;
    let part = move |state: u64, at: u32| state >> (16 * at) & all;
    let holds = move |state| {
        let [waiting, ready, running] = [0, 1, 2].map(|at| part(state, at));
        waiting & ready == 0 && waiting & running == 0 && ready & running == 0 && running.count_ones() <= 1
    };
    let make = |waiting: u64, ready: u64, running: u64| waiting | ready << 16 | running << 32;
    let bits = |mut set: u64| {
        std::iter::from_fn(move || {
            let bit = set & set.wrapping_neg();
            set ^= bit;
            (bit != 0).then_some(bit)
        })
    };
    explore(21, 0, holds, |state, next| {
        let [waiting, ready, running] = [0, 1, 2].map(|at| part(state, at));
        for one in bits(all & !(waiting | ready | running)) {
            next(make(waiting | one, ready, running));
        }
        for one in bits(waiting) {
            match running {
                0 => next(make(waiting & !one, ready, one)),
                _ => next(make(waiting & !one, ready | one, running)),
            }
            next(make(waiting & !one, ready, running));
        }
        if running != 0 {
            if ready == 0 {
                next(make(waiting | running, ready, 0));
            }
            for one in bits(ready) {
                next(make(waiting | running, ready & !one, one));
            }
        }
    });
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("grid") => grid(),
        Some("function") => function(),
        Some("queue") => queue(),
        Some("code") => code(),
        Some("scheduler") => scheduler(),
        _ => eprintln!("grid, function, queue, code or scheduler"),
    }
}
