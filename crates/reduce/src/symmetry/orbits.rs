//! Counts the states that a representative stands for, so that the size of the whole space is known.

/// In how many ways a set can be cut into parts of these sizes; `None` from 2^128 on.
pub(super) fn multinomial(sizes: impl Iterator<Item = usize>) -> Option<u128> {
    let mut ways: u128 = 1;
    let mut total: u128 = 0;
    for size in sizes {
        // Most parts have one element, and most sets are small.
        if size == 1 {
            total += 1;
            ways = ways.checked_mul(total)?;
            continue;
        }
        for one in 1..=size as u128 {
            total += 1;
            // ways * total / one, divided first where that is possible.
            let common = gcd(ways, one);
            let rest = one / common;
            ways = (ways / common).checked_mul(total / gcd(total, rest))?;
            let left = rest / gcd(total, rest);
            ways /= left.max(1);
        }
    }
    Some(ways)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::multinomial;

    #[test]
    fn the_parts_of_small_sets_are_counted() {
        assert_eq!(multinomial([2, 1].into_iter()), Some(3));
        assert_eq!(multinomial([1, 1, 1, 1].into_iter()), Some(24));
        assert_eq!(multinomial([3, 3, 3].into_iter()), Some(1680));
        assert_eq!(
            multinomial([30, 30].into_iter()),
            Some(118_264_581_564_861_424)
        );
        assert_eq!(multinomial([1; 40].into_iter()), None);
        assert_eq!(multinomial(std::iter::empty()), Some(1));
    }
}
