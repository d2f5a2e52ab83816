//! Every strategy on random programs.

use super::*;

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.roll(texts.len())]
    }
}

/// A program with a few processes of one proctype that name each other in all the ways there are.
fn random_program(dice: &mut Dice) -> String {
    let processes = 2 + dice.roll(4);
    let guards = [
        "flag[_pid] == 0",
        "flag[friend] == 1",
        "turn == _pid",
        "turn != _pid",
        "count < 2",
        "friend == turn",
        "nempty(q)",
        "nfull(q)",
        "friend != _pid",
        "(_pid == 1 || flag[1] == 0) && (_pid == 2 || flag[2] == 0)",
        "_pid < 3",
        "flag[(_pid + 1) % 5] == 0",
    ];
    let acts = [
        "flag[_pid] = 1",
        "flag[_pid] = 0",
        "turn = _pid",
        "turn = friend",
        "friend = turn",
        "friend = _pid",
        "count = (count + 1) % 3",
        "atomic { nfull(q) -> q ! _pid }",
        "atomic { nempty(q) -> q ? friend }",
        "flag[friend] = 0",
        "held[turn] = friend",
        "friend = held[_pid]",
        "friend = 1",
        "skip",
    ];
    let mut body = String::new();
    for _ in 0..2 + dice.roll(3) {
        body.push_str(&format!(
            "            :: {} -> {}",
            dice.pick(&guards),
            dice.pick(&acts)
        ));
        if dice.roll(2) == 0 {
            body.push_str(&format!("; {}", dice.pick(&acts)));
        }
        body.push('\n');
    }
    // Some come to their end, from anywhere or in one step with what is before it.
    match dice.roll(4) {
        0 => body.push_str("            :: count > 0 -> break\n"),
        1 => body.push_str("            :: atomic { turn != _pid -> turn = _pid; break }\n"),
        _ => {}
    }
    let runs = vec!["run user()"; processes].join("; ");
    format!(
        "
        byte count; bit flag[7]; pid turn; pid held[7];
        chan q = [1] of {{ pid }};
        proctype user() {{
            pid friend;
            do
{body}            od
        }}
        init {{ atomic {{ {runs} }} }}"
    )
}

/// `SYMMETRY_PROGRAMS` in the environment sets how many programs are tried.
#[test]
fn every_strategy_keeps_its_promise_on_random_programs() {
    let wanted = std::env::var("SYMMETRY_PROGRAMS").ok();
    let wanted = wanted.map_or(24, |n| n.parse().expect("SYMMETRY_PROGRAMS is a number"));
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let (mut useful, mut tried) = (0, 0);
    while tried < wanted {
        let text = random_program(&mut dice);
        let (system, found) = symmetric(&text, Packing::Tight);
        if explore(&system, 400).is_none() {
            continue;
        }
        tried += 1;
        useful += usize::from(!found.group.is_trivial());
        hold_to_promises(&text);
    }
    assert!(
        useful * 4 > tried,
        "only {useful} of {tried} programs have symmetries"
    );
}
