//! Finds the name that was probably meant when an unknown one is met.

/// The candidate closest to `wanted`, if one is close enough to be worth suggesting.
///
/// Distance counts insertions, deletions, substitutions and swaps of neighbours; a change of letter case
/// alone is the closest of all. Ties go to the candidate that sorts first.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match wanted.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .filter(|candidate| *candidate != wanted)
        .filter_map(|candidate| {
            if candidate.eq_ignore_ascii_case(wanted) {
                return Some((0, candidate));
            }
            let distance = distance(wanted, candidate, limit)?;
            (distance < wanted.chars().count()).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// The edit distance (optimal string alignment), or `None` when it exceeds `limit`.
fn distance(left: &str, right: &str, limit: usize) -> Option<usize> {
    // Most candidates are too long or too short: they cost nothing else.
    if left.chars().count().abs_diff(right.chars().count()) > limit {
        return None;
    }
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.iter().enumerate() {
        let mut current = vec![i + 1];
        for (j, r) in right.iter().enumerate() {
            let mut best = (previous[j] + usize::from(l != r))
                .min(previous[j + 1] + 1)
                .min(current[j] + 1);
            if i > 0 && j > 0 && left[i - 1] == *r && *l == right[j - 1] {
                best = best.min(before[j - 1] + 1);
            }
            current.push(best);
        }
        before = previous;
        previous = current;
    }
    previous.last().copied().filter(|d| *d <= limit)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn suggests_typos_but_not_strangers() {
        let names = ["active", "ready", "waiting", "pp"];
        assert_eq!(nearest("actve", names), Some("active"));
        assert_eq!(nearest("raedy", names), Some("ready"));
        assert_eq!(nearest("WAITING", names), Some("waiting"));
        assert_eq!(nearest("p", names), None);
        assert_eq!(nearest("ppp", names), Some("pp"));
        assert_eq!(nearest("counter", names), None);
    }
}
