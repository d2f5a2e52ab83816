//! Random programs whose processes are alike but for places that name some: `adaptive` has the verdicts and shortest paths of plain
//! runs, and what processes tell apart is what the compiled system does.
//!
//! `BURNSIDE_RANDOM` says how many programs there are.

use base::Random;
use serde_json::Value;

use crate::support::Folder;

/// Writes a program.
struct Writer {
    random: Random,
    processes: usize,
    /// How many texts still name a process.
    names: usize,
}

impl Writer {
    /// The process that a text is about: the one that runs it, the one that holds the token or, where the program is tilted, one by its
    /// number.
    fn process(&mut self) -> String {
        if self.names > 0 && self.random.below(4) == 0 {
            self.names -= 1;
            return self.random.below(self.processes).to_string();
        }
        match self.random.below(6) {
            0 => "holder".to_owned(),
            _ => "_pid".to_owned(),
        }
    }

    fn guard(&mut self) -> String {
        let process = self.process();
        if process != "_pid" && self.random.flip() {
            let order = self.random.pick(&["==", "!=", "==", "<"]);
            return match process.as_str() {
                "holder" => "holder == _pid".to_owned(),
                named => format!("_pid {order} {named}"),
            };
        }
        match self.random.below(7) {
            0 => format!("flag[{process}]"),
            1 => format!("!flag[{process}]"),
            2 => "inside < 2".to_owned(),
            3 => "inside == 0".to_owned(),
            4 => format!("holder == {process}"),
            5 => "mine == 0".to_owned(),
            _ => "len(box) > 0".to_owned(),
        }
    }

    fn action(&mut self) -> String {
        let process = self.process();
        match self.random.below(9) {
            0 => format!("flag[{process}] = true"),
            1 => format!("flag[{process}] = false"),
            2 => "inside = (inside + 1) % 3".to_owned(),
            3 => "inside = 0".to_owned(),
            4 => format!("holder = {process}"),
            5 => "mine = 1 - mine".to_owned(),
            6 => format!("if :: len(box) < 1 -> box!{process} :: else fi"),
            7 => "if :: len(box) > 0 -> box?holder :: else fi".to_owned(),
            _ => format!("if :: {} -> mine = 1 :: else fi", self.guard()),
        }
    }

    fn option(&mut self) -> String {
        let guard = self.guard();
        let actions: Vec<String> = (0..1 + self.random.below(2))
            .map(|_| self.action())
            .collect();
        let actions = actions.join("; ");
        match self.random.below(3) {
            0 => format!("  :: {guard} -> {actions}\n"),
            1 => format!("  :: d_step {{ {guard} -> {actions} }}\n"),
            _ => format!("  :: atomic {{ {guard} -> {actions} }}\n"),
        }
    }

    fn program(&mut self) -> String {
        let options: Vec<String> = (0..2 + self.random.below(3))
            .map(|_| self.option())
            .collect();
        let otherwise = match self.random.below(4) {
            0 => "  :: else -> mine = 0\n",
            1 => "  :: inside == 2 -> break\n",
            _ => "",
        };
        let start = match self.random.below(3) {
            0 => "active [N] proctype user()",
            1 => "init { atomic { byte i; for (i : 1 .. N) { run user() } } }\nproctype user()",
            _ => {
                "init { atomic { flag[1] = true; run user(); run user(); run user() } }\nproctype user()"
            }
        };
        format!(
            "#define N {}\n\
             bool flag[N + 1]; byte inside; byte holder; chan box = [1] of {{ byte }};\n\
             {start} {{\n  byte mine;\n  do\n{}{otherwise}  od;\n  assert(inside < 2 || mine == 0)\n}}\n",
            self.processes,
            options.concat(),
        )
    }
}

fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let processes = 3 + random.below(2);
    let names = 1 + seed as usize % 3;
    let mut writer = Writer {
        random,
        processes,
        names,
    };
    writer.program()
}

fn check(folder: &Folder, seed: u64, options: &[&str]) -> Value {
    // One kind of finding each, so that the least deep one is determined.
    let only: &[&str] = match seed % 3 {
        0 => &["--no-assertions"],
        1 => &["--no-deadlock"],
        _ => &["--no-deadlock", "--no-assertions"],
    };
    let run = folder.run(&[&["check", "--json", "tilted.pml"], only, options].concat());
    assert!(
        [0, 11, 12, 13].contains(&run.exit),
        "seed {seed} {options:?}: {}{}",
        run.out,
        run.err
    );
    run.json()[0].clone()
}

#[test]
fn tilted_programs_have_the_verdicts_of_plain_runs() {
    let folder = Folder::new("check-tilted");
    let count = std::env::var("BURNSIDE_RANDOM").ok();
    let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(24);
    let (mut violated, mut fewer, mut partial) = (0, 0, 0);
    for seed in 0..count {
        folder.file("tilted.pml", program(seed));
        let plain = ["--engine", "explicit", "--symmetry", "off", "--por", "off"];
        let plain = check(&folder, seed, &plain);
        let adaptive = ["--engine", "explicit", "--symmetry", "adaptive"];
        let adaptive = check(&folder, seed, &adaptive);
        let because = adaptive["reductions"]["symmetry"]["because"].as_str();
        let is_partial = because.is_some_and(|why| why.contains("of the processes"));
        let finding = |report: &Value| {
            let first = report["findings"][0].clone();
            let steps = first["path"].as_array().map(Vec::len);
            // Without partitions processes end where their representative's do.
            let steps = steps.filter(|_| is_partial);
            (report["verdict"].clone(), first["kind"].clone(), steps)
        };
        let [reduced, whole] = [finding(&adaptive), finding(&plain)];
        assert_eq!(reduced, whole, "seed {seed}\n{}", program(seed));
        partial += u64::from(is_partial);
        violated += u64::from(plain["verdict"] == "violated");
        if plain["verdict"] == "holds" && is_partial {
            let [few, all] = [&adaptive, &plain].map(|r| r["statistics"]["states"].as_u64());
            fewer += u64::from(few < all);
        }
    }
    assert!(violated > 0 && violated < count, "{violated} of {count}");
    assert!(partial > count / 8, "{partial} of {count}");
    assert!(fewer > count / 8, "{fewer} of {count}");
}
