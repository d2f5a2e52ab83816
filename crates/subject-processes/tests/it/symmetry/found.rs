//! What is found interchangeable in a text, and what tells processes apart.

use super::*;

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
