//! Set-ups: none, very many, and some that are never found.

use super::*;

#[test]
fn no_set_up_and_no_initial_state_are_findings() {
    let mut none = graph(1);
    (none.setups, none.initial) = (vec![], vec![]);
    let outcome = run(&none, &all(&none));
    assert_eq!(outcome.findings[0].kind, FindingKind::Setup);
    assert_eq!(outcome.findings[0].event, Some(Event::Setup));
    assert_eq!(outcome.statistics.nodes(), 1);
    assert_eq!(outcome.statistics.edges(), 0);
    let mut stuck = graph(1);
    stuck.initial = vec![vec![]; stuck.setups.len()];
    let outcome = run(&stuck, &all(&stuck));
    assert_eq!(outcome.findings[0].event, Some(Event::Initialisation));
    assert_eq!(outcome.statistics.states, 0);
}

#[test]
fn labels_on_set_ups_are_asked_of_every_set_up() {
    let system = sparse(Sparse {
        nodes: 50,
        groups: 2,
        setups: 8,
        fault_in: 0,
        violation_in: 0,
        seed: 5,
    });
    let config = all(&system);
    let outcome = run(&system, &config);
    // Set-up 5 is the one that violates it.
    let found = &outcome.findings[0];
    assert_eq!((found.kind, found.state), (FindingKind::Assertion, None));
    assert_eq!(found.path.len(), 1);
    assert_eq!(found.path[0].state[0], 5);
}

/// As many set-ups as wanted, each with a counter that goes to 2.
fn many_setups(count: u32) -> Toy {
    let mut many = toy(
        2,
        vec![0, 0],
        vec![group("count", &[1], &[1])],
        Box::new(|state, _, target, emit| {
            if state[1] < 2 {
                target.clear();
                target.extend_from_slice(&[state[0], state[1] + 1]);
                emit(&[], target);
            }
            Ok(())
        }),
    );
    many.shape.slots[0].is_constant = true;
    many.shape.has_setup = true;
    many.setups = (0..count).map(|i| vec![i, 0]).collect();
    many.initial = (0..count).map(|i| vec![vec![i, 0]]).collect();
    many
}

#[test]
fn very_many_setups_are_explored_in_batches_with_the_counts_of_one_run() {
    let many = many_setups(45_000);
    let outcome = explore(&many, &Config::default(), &Quiet).unwrap();
    let counted = &outcome.statistics;
    assert!(outcome.is_complete);
    assert_eq!(outcome.findings, []);
    assert_eq!((counted.setups, counted.states), (45_000, 135_000));
    assert_eq!((counted.transitions, counted.start_edges), (90_000, 90_000));
    assert_eq!(counted.depth, 2);
    assert_eq!(outcome.warnings.len(), 1, "{:?}", outcome.warnings);
    let mut limited = Config::default();
    limited.limits.max_states = Some(70_000);
    let outcome = explore(&many, &limited, &Quiet).unwrap();
    assert_eq!(outcome.open, [Open::MaxStates]);
    assert_eq!(outcome.statistics.states, 70_000);
    limited.limits.max_states = None;
    limited.limits.max_setups = Some(30_000);
    let outcome = explore(&many, &limited, &Quiet).unwrap();
    assert_eq!(outcome.open, [Open::MaxSetups]);
    assert_eq!(outcome.statistics.setups, 30_000);
}

/// A system whose set-ups are never found.
struct Hard(Shape);

struct Seeking(Halt);

impl System for Hard {
    fn shape(&self) -> &Shape {
        &self.0
    }
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Seeking(Halt::default()))
    }
}

impl Worker for Seeking {
    fn setups(&mut self, _: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        while !self.0.is_set() {
            std::thread::yield_now();
        }
        Err(Halt::fault())
    }
    fn initial(&mut self, _: &[u32], _: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        Ok(())
    }
    fn successors(
        &mut self,
        _: &[u32],
        _: GroupId,
        _: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        Ok(())
    }
    fn all_successors(
        &mut self,
        _: &[u32],
        _: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        _: &mut dyn FnMut(GroupId, Fault),
    ) {
    }
    fn label(&mut self, _: &[u32], _: LabelId) -> Truth {
        Truth::True
    }
    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }
    fn heed(&mut self, halt: Halt) {
        self.0 = halt;
    }
}

#[test]
fn setups_that_are_not_found_in_time_leave_the_run_open() {
    let hard = Hard(many_setups(1).shape);
    let mut config = Config::default();
    config.limits.max_time = Some(Duration::from_millis(100));
    let outcome = explore(&hard, &config, &Quiet).unwrap();
    assert_eq!(outcome.findings, []);
    assert_eq!(outcome.open, [Open::MaxTime]);
    assert!(!outcome.is_complete);
}
