//! Interchangeable processes: groups that are found, and states counted under every strategy, against brute force.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use base::{Name, Sources};
use lang_promela::preprocess::{self, Definition};
use lang_promela::{check, parse};
use permgroup::Group;
use pins::{Flow, System as _};
use program::{Program, State};
use program_compile::processes::{Options, Packing, System};
use program_interp::{End, Machine};
use program_symmetry::{Entries, Scanning, Symmetry, settled_locations};
use reduce::symmetry::{Method, Quotient, Strategy, Yield};

/// Lowers a text.
fn program(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("test.pml", text.to_owned());
    let options = preprocess::Options::default();
    let read = preprocess::text_of(file, &options, &base::Files::disk(), &mut sources);
    lowered(read, lower_promela::Options::default()).expect("the text is right")
}

/// Lowers a file with one macro, counted as SPIN counts by default.
fn program_in(path: &Path, processes: Option<usize>) -> Option<Program> {
    let mut sources = Sources::new();
    let macros = processes.map(|n| Definition::Define("N".to_owned(), n.to_string()));
    let options = preprocess::Options {
        macros: macros.into_iter().collect(),
        folders: Vec::new(),
    };
    let read = preprocess::run(path, &options, &base::Files::disk(), &mut sources)
        .expect("the file is there");
    let options = lower_promela::Options {
        spin_counts: true,
        ..lower_promela::Options::default()
    };
    lowered(read, options)
}

/// The program of a text without mistakes.
fn lowered(read: preprocess::Preprocessed, options: lower_promela::Options) -> Option<Program> {
    let checked = check::run(parse::program(read));
    let is_right = !checked.diagnostics.has_errors();
    is_right.then(|| lower_promela::lower(&checked, Name::new("test"), options))
}

/// The first settled states, by the reference evaluator.
fn entries(program: &Program) -> Entries {
    let settled: Vec<Vec<bool>> = program
        .proctypes
        .iter()
        .map(|(_, kind)| settled_locations(program, &kind.graph))
        .collect();
    let machine = Machine::new(program);
    let first = machine.initial().pop().expect("a start").state;
    let mut queue = VecDeque::from([first.expect("no fault").expect("a state")]);
    let mut states: Vec<State> = Vec::new();
    while let Some(state) = queue.pop_front() {
        let mut all = state.processes.iter();
        if all.all(|p| settled[p.proctype.index()][p.location.index()]) {
            states.push(state);
            continue;
        }
        let steps = machine.steps(&state).into_iter();
        queue.extend(steps.filter_map(|step| match step.end {
            End::State(next) => Some(next),
            _ => None,
        }));
    }
    Entries {
        states,
        is_complete: true,
    }
}

/// A system that can be permuted, with its symmetry.
fn symmetric(text: &str, packing: Packing) -> (System, Symmetry) {
    permuted(program(text), packing)
}

fn permuted(program: Program, packing: Packing) -> (System, Symmetry) {
    let program = Arc::new(program);
    let entries = entries(&program);
    let found = program_symmetry::find(&program, &entries, &[], &[]).expect("there is an answer");
    let mut system =
        System::with_packing(program, Options::default(), packing).expect("it has code");
    system.permute_by(&found, &entries.states[0]);
    (system, found)
}

fn order(text: &str) -> Option<u128> {
    symmetric(text, Packing::Separate).1.group.order()
}

/// The states of a system, breadth-first; none beyond so many.
fn explore(system: &dyn pins::System, most: usize) -> Option<BTreeSet<Vec<u32>>> {
    let mut worker = system.worker();
    let mut queue = VecDeque::new();
    let blank = vec![0; system.shape().slots.len()];
    worker
        .initial(&blank, &mut |state| {
            queue.push_back(state.to_vec());
            Flow::Continue
        })
        .expect("there is a start");
    let mut seen: BTreeSet<Vec<u32>> = queue.iter().cloned().collect();
    while let Some(state) = queue.pop_front() {
        worker.all_successors(
            &state,
            &mut |_, step| {
                if seen.insert(step.target.to_vec()) {
                    queue.push_back(step.target.to_vec());
                }
                Flow::Continue
            },
            &mut |_, _| {},
        );
        if seen.len() > most {
            return None;
        }
    }
    worker.take_notes();
    Some(seen)
}

/// Whether a state has no step.
fn has_deadlock(system: &dyn pins::System) -> bool {
    let all = explore(system, usize::MAX).expect("there is no limit");
    let mut worker = system.worker();
    all.iter().any(|state| {
        let any = std::cell::Cell::new(false);
        worker.all_successors(
            state,
            &mut |_, _| {
                any.set(true);
                Flow::Continue
            },
            &mut |_, _| any.set(true),
        );
        !any.get()
    })
}

fn states(system: &dyn pins::System) -> u64 {
    explore(system, usize::MAX).map_or(0, |seen| seen.len() as u64)
}

/// All states, and how many are left when those that a permutation maps to each other are counted once.
fn brute_force(system: &System, found: &Symmetry) -> (usize, usize) {
    let seen = explore(system, usize::MAX).expect("there is no limit");
    let Some(action) = system.action() else {
        return (seen.len(), seen.len());
    };
    let lives = action.lives[..action.ends].iter();
    let ending: Vec<u32> = lives.map(|life| life.point).collect();
    // Where some processes have ended, states are permuted by what holds these.
    let chain = Group::with_base(found.points.count, action.generators.clone(), &ending);
    let groups: Vec<Group> = (0..=ending.len())
        .map(|ended| {
            let level = chain.levels().get(ended);
            let generators = level.map_or(Vec::new(), |level| level.generators().to_vec());
            Group::new(found.points.count, generators)
        })
        .collect();
    let least = |state: &Vec<u32>| {
        let mut least = state.clone();
        if let Some(stage) = action.stage(state) {
            groups[stage].each_element(&mut |images| {
                least = least.clone().min(action.permute(state, images));
                true
            });
        }
        least
    };
    let orbits: BTreeSet<Vec<u32>> = seen.iter().map(least).collect();
    (seen.len(), orbits.len())
}

const STRATEGIES: [Strategy; 9] = [
    Strategy::Enumerate,
    Strategy::Sorted,
    Strategy::Segmented,
    Strategy::PcSorted,
    Strategy::PcSegmented,
    Strategy::Local,
    Strategy::Flattened,
    Strategy::ExactMarkers,
    Strategy::ApproxMarkers,
];

/// Every strategy keeps its promise on a program; gives states and orbits.
fn hold_to_promises(text: &str) -> (u64, u64) {
    let mut both = BTreeMap::new();
    for packing in [Packing::Separate, Packing::Tight] {
        let (system, found) = symmetric(text, packing);
        pins::check_action(&system, 60).unwrap_or_else(|broken| panic!("{text}\n{broken:?}"));
        pins::check_groups(&system, 60).unwrap_or_else(|broken| panic!("{text}\n{broken:?}"));
        let is_moved = system.action().is_none_or(|a| !a.groups.is_empty());
        assert!(is_moved, "where steps are taken is not known: {text}");
        let (all, orbits) = brute_force(&system, &found);
        let (all, orbits) = (all as u64, orbits as u64);
        let Some(action) = system.action() else {
            both.insert((all, orbits), ());
            continue;
        };
        let is_stuck = has_deadlock(&system);
        for method in [Method::Exact, Method::Canonical] {
            let quotient = Quotient::new(&system, method.clone()).expect("there is a group");
            assert_eq!(states(&quotient), orbits, "{method:?} on {text}");
            let measure = quotient.measure();
            if action.keeps_start {
                assert_eq!(
                    measure.states,
                    Some(u128::from(all)),
                    "{method:?} on {text}"
                );
            }
            assert_eq!(has_deadlock(&quotient), is_stuck, "{method:?} on {text}");
        }
        for strategy in STRATEGIES {
            let method = Method::Acting(strategy);
            let quotient = Quotient::new(&system, method).expect("there is a group");
            let counted = states(&quotient);
            match strategy.promise(action) {
                Yield::One => assert_eq!(counted, orbits, "{strategy:?} on {text}"),
                Yield::Several => {
                    assert!(
                        counted >= orbits && counted <= all,
                        "{strategy:?} on {text}"
                    );
                }
                Yield::Merging => assert!(counted <= all, "{strategy:?} on {text}"),
            }
        }
        both.insert((all, orbits), ());
    }
    assert_eq!(both.len(), 1, "packing does not change counts of {text}");
    *both.keys().next().expect("there is one")
}

const MUTEX: &str = "
    byte inside; bit flag[4];
    proctype user() {
        do
        :: flag[_pid] = 1;
           atomic { inside == 0 -> inside++ };
           inside--; flag[_pid] = 0
        od
    }
    init { atomic { run user(); run user(); run user() } }";

#[test]
fn processes_of_one_text_are_interchangeable() {
    assert_eq!(order(MUTEX), Some(6));
    hold_to_promises(MUTEX);
}

#[test]
fn active_processes_are_too_and_their_first_values_do_not_hinder() {
    let text = "
        byte turn; bit flag[3];
        active [3] proctype user() {
            do
            :: flag[_pid] = 1; turn = _pid; flag[_pid] = 0
            :: turn != _pid -> turn = _pid
            od
        }";
    assert_eq!(order(text), Some(6));
    hold_to_promises(text);
}

#[test]
fn a_process_that_is_named_stays_alone() {
    let text = "
        byte turn; bit flag[4];
        active [4] proctype user() {
            do
            :: _pid == 2 -> turn = _pid
            :: _pid != 2 -> flag[_pid] = 1 - flag[_pid]
            od
        }";
    let (_, found) = symmetric(text, Packing::Separate);
    assert_eq!(found.group.order(), Some(6));
    let alone: Vec<usize> = found.alone.iter().map(|alone| alone.pid).collect();
    assert_eq!(alone, [2]);
    assert!(found.alone[0].span.is_some());
    hold_to_promises(text);
}

#[test]
fn assignments_in_a_row_stand_in_any_order() {
    for (open, close, wanted) in [("atomic {", "}", 6), ("d_step {", "}", 6), ("", "", 1)] {
        let text = format!(
            "bit seen[4];
            proctype user() {{
                do
                :: {open} seen[_pid] == 0 -> seen[_pid] = 1;
                    if
                    :: seen[3] == 1 && seen[1] == 1 && seen[2] == 1 ->
                        seen[1] = 0; seen[2] = 0; seen[3] = 0
                    :: else
                    fi {close}
                od
            }}
            init {{ atomic {{ run user(); run user(); run user() }} }}"
        );
        assert_eq!(order(&text), Some(wanted), "{text}");
        hold_to_promises(&text);
    }
}

#[test]
fn what_is_said_of_a_variable_is_believed() {
    let text = "
        bit seen[3]; byte i; bool all;
        active [3] proctype user() {
            do
            :: seen[_pid] = 1
            :: atomic {
                i = 0; all = true;
                do
                :: i < 3 -> all = all && seen[i]; i++
                :: else -> break
                od;
                if
                :: all -> seen[_pid] = 0
                :: else
                fi;
                i = 0; all = false
               }
            od
        }";
    assert_eq!(order(text), Some(1));
    let program = program(text);
    let entries = entries(&program);
    let is_meant = |(_, variable): &(_, &program::Variable)| variable.name.as_str() == "i";
    let scan = program.variables.iter().find(is_meant).map(|(id, _)| id);
    let scanning = [Scanning::Global(scan.expect("there is one"))];
    let found = program_symmetry::find(&program, &entries, &[], &scanning).expect("an answer");
    assert_eq!(found.group.order(), Some(6));
    let program = Arc::new(program);
    let mut system = System::new(program, Options::default()).expect("it has code");
    system.permute_by(&found, &entries.states[0]);
    pins::check_action(&system, 200).expect("it is true");
    let (_, orbits) = brute_force(&system, &found);
    let quotient = Quotient::new(&system, Method::Exact).expect("there is a group");
    assert_eq!(states(&quotient), orbits as u64);
}

#[test]
fn a_ring_turns() {
    let text = "
        bit token[4];
        active [4] proctype node() {
            do
            :: token[_pid] == 0 && token[(_pid + 1) % 4] == 0 -> token[_pid] = 1
            :: token[_pid] == 1 -> token[_pid] = 0
            od
        }";
    assert_eq!(order(text), Some(4));
    hold_to_promises(text);
}

#[test]
fn a_ring_of_channels_turns_with_its_processes() {
    let text = "
        chan q0 = [1] of { byte }; chan q1 = [1] of { byte }; chan q2 = [1] of { byte };
        proctype node(chan in; chan out) {
            byte x;
            do
            :: atomic { nfull(out) -> out ! 1 }
            :: in ? x; x = 0
            od
        }
        init { atomic { run node(q0, q1); run node(q1, q2); run node(q2, q0) } }";
    assert_eq!(order(text), Some(3));
    hold_to_promises(text);
}

#[test]
fn messages_and_mailboxes_move_with_processes() {
    let text = "
        chan box1 = [1] of { pid }; chan box2 = [1] of { pid }; chan box3 = [1] of { pid };
        proctype client(chan in) {
            pid from; chan out;
            do
            :: atomic {
                if
                :: out = box1
                :: out = box2
                :: out = box3
                fi;
                out != in && nfull(out) -> out ! _pid; out = in
               }
            :: in ? from -> assert(from != _pid); from = 0
            od
        }
        init { atomic { run client(box1); run client(box2); run client(box3) } }";
    assert_eq!(order(text), Some(6));
    hold_to_promises(text);
}

#[test]
fn numbers_that_processes_are_given_move_with_them() {
    let text = "
        byte turn; bit flag[3];
        proctype user(byte id) {
            do
            :: flag[id] = 1; (turn != id) -> turn = id
            :: flag[id] = 0
            od
        }
        init { atomic { run user(0); run user(1); run user(2) } }";
    assert_eq!(order(text), Some(6));
    hold_to_promises(text);
}

#[test]
fn control_points_move_where_options_are_exchanged() {
    let text = "
        byte last;
        active [2] proctype user() {
            do
            :: last == 0 -> last = 1
            :: last == 1 -> last = 0
            od
        }
        active proctype other() { do :: last != 7 -> skip od }";
    // The literals 0 and 1 are process numbers only if one is compared with a process.
    hold_to_promises(text);
    let text = "
        byte last;
        active [2] proctype user() {
            do
            :: last == _pid ->
                if
                :: last == 0 -> last = 1
                :: last == 1 -> last = 0
                fi
            od
        }";
    assert_eq!(order(text), Some(2));
    hold_to_promises(text);
}

#[test]
fn order_and_arithmetic_tell_processes_apart() {
    let text = "
        byte least = 9;
        active [3] proctype user() { do :: _pid < least -> least = _pid :: least = 9 od }";
    let (_, found) = symmetric(text, Packing::Separate);
    assert!(found.group.is_trivial());
    assert_eq!(found.alone.len(), 3);
    assert!(found.alone.iter().all(|alone| alone.span.is_some()));
    // A half of them is alike under a comparison with a literal.
    let text = "
        byte low; byte high;
        active [4] proctype user() {
            do
            :: _pid < 2 -> low = (low + 1) % 3
            :: _pid >= 2 -> high = (high + 1) % 3
            od
        }";
    assert_eq!(order(text), Some(4));
    hold_to_promises(text);
}

#[test]
fn a_tree_and_a_cube_have_their_symmetries() {
    // Four leaves below two inner nodes below a root: 2 * 2 * 2 permutations.
    let text = "
        bit lit[7];
        proctype leaf(byte me; byte up) {
            do
            :: lit[up] == 1 -> lit[me] = 1 - lit[me]
            od
        }
        proctype inner(byte me) { do :: lit[0] == 1 -> lit[me] = 1 - lit[me] od }
        proctype root() { do :: lit[0] = 1 - lit[0] od }
        init { atomic {
            run root(); run inner(1); run inner(2);
            run leaf(3, 1); run leaf(4, 1); run leaf(5, 2); run leaf(6, 2) } }";
    assert_eq!(order(text), Some(8));
    hold_to_promises(text);
    let text = "
        byte at;
        active [8] proctype corner() {
            do
            :: at == _pid ->
                if
                :: at = (_pid ^ 1)
                :: at = (_pid ^ 2)
                :: at = (_pid ^ 4)
                fi
            od
        }";
    assert_eq!(order(text), Some(48));
    hold_to_promises(text);
}

#[test]
fn processes_that_end_are_interchangeable_unless_that_is_seen() {
    let text = "
        byte n;
        active [3] proctype user() { n++; n-- }";
    assert_eq!(order(text), Some(6));
    hold_to_promises(text);
    // What a process holds when it comes to its end differs; others live for ever, between or before those that end.
    let text = "
        byte n; pid last;
        proctype user() { byte mine; if :: mine = n :: mine = 2 :: last = _pid fi; n = mine }
        proctype clock() { do :: n < 3 -> n = 0 od }
        init { atomic { run user(); run clock(); run user(); run clock(); run user(); run user() } }";
    assert_eq!(order(text), Some(48));
    hold_to_promises(text);
    for seen in ["n = _nr_pr", "timeout -> n = 7", "enabled(0) -> n = 7"] {
        let text = format!(
            "byte n;
            active [3] proctype user() {{ n++; n-- }}
            active proctype other() {{ {seen} }}"
        );
        let (_, found) = symmetric(&text, Packing::Separate);
        assert!(found.group.is_trivial(), "{text}");
        assert_eq!(found.alone.len(), 3);
        assert!(found.alone.iter().all(|alone| alone.span.is_some()));
    }
    // Whoever has a younger one that lives for ever never ends.
    let text = "
        byte n;
        active [3] proctype user() { n++; n-- }
        active proctype clock() { do :: n < 3 -> skip od }";
    assert_eq!(order(text), Some(6));
    hold_to_promises(text);
}

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

/// Markers' paper, figures 4 and 8, on our own text of figure 3.
#[test]
fn peterson_has_the_published_counts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela/Peterson.pml");
    for (processes, all, orbits) in [(3, 2_636, 494), (4, 60_577, 3_106)] {
        let (system, found) = permuted(
            program_in(&path, Some(processes)).expect("the text is right"),
            Packing::Tight,
        );
        let ways = (1..=processes as u128).product::<u128>();
        assert_eq!(found.group.order(), Some(ways));
        for method in [
            Method::Exact,
            Method::Canonical,
            Method::Acting(Strategy::Enumerate),
            Method::Acting(Strategy::Segmented),
            Method::Acting(Strategy::PcSegmented),
            Method::Acting(Strategy::Local),
            Method::Acting(Strategy::ExactMarkers),
            Method::Acting(Strategy::ApproxMarkers),
        ] {
            let quotient = Quotient::new(&system, method.clone()).expect("there is a group");
            assert_eq!(states(&quotient), orbits, "{method:?} {processes}");
            if method == Method::Exact {
                assert_eq!(quotient.measure().states, Some(all));
            }
        }
    }
}

/// The orbits of reachable states, by applying generators until nothing new comes; none where there are too many states.
fn merged(system: &System, found: &Symmetry, most: usize) -> Option<usize> {
    let seen = explore(system, most)?;
    let action = system.action()?;
    let lives = action.lives[..action.ends].iter();
    let ending: Vec<u32> = lives.map(|life| life.point).collect();
    let chain = Group::with_base(found.points.count, action.generators.clone(), &ending);
    let mut known: BTreeSet<Vec<u32>> = BTreeSet::new();
    let mut orbits = 0;
    for state in seen {
        if !known.insert(state.clone()) {
            continue;
        }
        orbits += 1;
        let level = action
            .stage(&state)
            .and_then(|stage| chain.levels().get(stage));
        let generators = level.map_or(&[][..], |level| level.generators());
        let mut queue = vec![state];
        while let Some(state) = queue.pop() {
            for images in generators {
                let image = action.permute(&state, images);
                if known.insert(image.clone()) {
                    queue.push(image);
                }
            }
        }
    }
    Some(orbits)
}

/// Groups and counts of TopSPIN's models, and their orbits by brute force; skipped, visibly, where the shared material is absent.
/// With `WHOLE=1` in the environment all rows are counted (release build: a few minutes), else those below 5,000 states.
#[test]
fn groups_are_at_least_those_of_topspin() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let Ok(table) = std::fs::read_to_string(shared.join("oracle/groups.csv")) else {
        eprintln!("skipped: {} is absent", shared.display());
        return;
    };
    let is_whole = std::env::var_os("WHOLE").is_some();
    let most = if is_whole { 300_000 } else { 5_000 };
    let mut wrong = Vec::new();
    for line in table.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        // Some of the models are there to be refused.
        let Some(program) = program_in(&shared.join("corpus").join(row[0]), None) else {
            eprintln!("refused: {}", row[0]);
            continue;
        };
        let (system, found) = permuted(program, Packing::Tight);
        let wanted: u128 = row[1].parse().expect("an order");
        let order = found.group.order();
        if order.is_some_and(|order| order < wanted) {
            wrong.push(format!(
                "{}: order {order:?}, wanted {wanted}: {:?}",
                row[0], found.alone
            ));
        }
        let is_small = order.is_some_and(|order| order <= 100_000);
        let orbits = is_small.then(|| merged(&system, &found, most as usize));
        if let Some(orbits) = orbits.flatten() {
            let counted = Quotient::new(&system, Method::Exact).map(|quotient| states(&quotient));
            eprintln!("{}: {orbits} orbits", row[0]);
            if counted.is_some_and(|counted| counted != orbits as u64) {
                wrong.push(format!("{}: {counted:?}, merged {orbits}", row[0]));
            }
        }
        let Ok(wanted) = row[3].parse::<u64>() else {
            continue;
        };
        let method = match row[2] {
            "any full" | "exactmarkers" => Method::Exact,
            _ => Method::Acting(Strategy::Flattened),
        };
        if wanted > most {
            eprintln!("not counted: {}", row[0]);
            continue;
        }
        let counted = Quotient::new(&system, method).map(|quotient| states(&quotient));
        if counted != Some(wanted) {
            wrong.push(format!(
                "{}: {} {counted:?}, wanted {wanted}",
                row[0], row[2]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
