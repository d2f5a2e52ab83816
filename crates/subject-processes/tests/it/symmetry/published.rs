//! Groups and counts that others published.

use super::*;

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
