//! Functions do what was written, and ask where they cannot.

use native::{ASK, Checked, Entry, Needs, Order, Place, Plain, Unit, Writer};

const NEEDS: Needs = Needs {
    words: 8,
    numbers: 2,
};

/// The function that is written; a processor without code has none, and nothing to test.
fn function(write: impl FnOnce(&mut Writer<'_>)) -> Option<Entry> {
    let unit = Unit::new()?;
    unit.define(NEEDS, |writer| {
        write(writer);
        true
    });
    unit.finish().pop()
}

#[test]
fn numbers_are_computed_and_stored() {
    let Some(entry) = function(|writer| {
        let (a, b) = (writer.named(0), writer.named(1));
        let sum = writer.checked(Checked::Add, a, b);
        writer.set_word(Place::fixed(7), sum);
        writer.answer(sum);
    }) else {
        return;
    };
    let mut words = [0; 8];
    assert_eq!(entry.call(&mut words, &mut [40, 2]), 42);
    assert_eq!(words[7], 42);
    assert_eq!(entry.call(&mut words, &mut [i64::MAX, 1]), ASK);
}

#[test]
fn slices_that_are_too_short_are_asked_about() {
    let Some(entry) = function(|writer| {
        let one = writer.number(1);
        writer.answer(one);
    }) else {
        return;
    };
    assert_eq!(entry.call(&mut [0; 7], &mut [0, 0]), ASK);
    assert_eq!(entry.call(&mut [0; 8], &mut [0]), ASK);
    assert_eq!(entry.call(&mut [0; 8], &mut [0, 0]), 1);
}

#[test]
fn no_index_leaves_the_words() {
    let Some(unit) = Unit::new() else { return };
    unit.define(NEEDS, |writer| {
        let at = writer.named(0);
        let place = writer.element(Place::fixed(2), at, 3, 2);
        let word = writer.word(place);
        writer.answer(word);
        true
    });
    unit.define(NEEDS, |writer| {
        let at = writer.named(0);
        let word = writer.word(Place::anywhere(at).behind(1));
        writer.answer(word);
        true
    });
    let entries = unit.finish();
    let mut words: Vec<u32> = (100..110).collect();
    for at in -3..12 {
        let element = match at {
            0..3 => 102 + 2 * at,
            _ => ASK,
        };
        let anywhere = match at {
            0..9 => 101 + at,
            _ => ASK,
        };
        assert_eq!(entries[0].call(&mut words, &mut [at, 0]), element, "{at}");
        assert_eq!(entries[1].call(&mut words, &mut [at, 0]), anywhere, "{at}");
    }
    for at in [i64::MIN, i64::MAX, -1 << 32] {
        assert_eq!(entries[1].call(&mut words, &mut [at, 0]), ASK);
    }
}

#[test]
fn loops_end_and_long_parts_are_copied() {
    let needs = Needs {
        words: 80,
        numbers: 2,
    };
    let Some(unit) = Unit::new() else { return };
    unit.define(needs, |writer| {
        let (zero, one) = (writer.number(0), writer.number(1));
        let (sum, at) = (writer.variable(zero), writer.variable(zero));
        let (again, inside, end) = (writer.label(), writer.label(), writer.label());
        writer.place(again);
        let (now, last) = (writer.get(at), writer.named(0));
        let goes_on = writer.compare(Order::Less, now, last);
        writer.branch(goes_on, inside, end);
        writer.place(inside);
        let before = writer.get(sum);
        let after = writer.plain(Plain::Add, before, now);
        writer.set(sum, after);
        let next = writer.plain(Plain::Add, now, one);
        writer.set(at, next);
        writer.jump(again);
        writer.place(end);
        writer.copy(Place::fixed(0), Place::fixed(40), 40);
        let same = writer.same(Place::fixed(0), Place::fixed(40), 40);
        writer.ask_unless(same);
        let answer = writer.get(sum);
        writer.answer(answer);
        true
    });
    let entry = &unit.finish()[0];
    let mut words: Vec<u32> = (0..80).collect();
    assert_eq!(entry.call(&mut words, &mut [100, 0]), 4950);
    assert_eq!(words[..40], words[40..]);
}

#[test]
fn parts_of_every_length_are_copied_and_filled_alone() {
    let Some(unit) = Unit::new() else { return };
    let needs = Needs {
        words: 80,
        numbers: 2,
    };
    let filled = |count: u32| (0..count).map(|at| 1000 + at).collect::<Vec<u32>>();
    for count in 0..20 {
        unit.define(needs, |writer| {
            writer.copy(Place::fixed(1), Place::fixed(31), count);
            writer.fill(Place::fixed(55), &filled(count));
            let one = writer.number(1);
            writer.answer(one);
            true
        });
    }
    for (count, entry) in unit.finish().iter().enumerate() {
        let before: Vec<u32> = (0..80).collect();
        let mut words = before.clone();
        assert_eq!(entry.call(&mut words, &mut [0, 0]), 1);
        let mut wanted = before.clone();
        wanted[31..31 + count].copy_from_slice(&before[1..=count]);
        wanted[55..55 + count].copy_from_slice(&filled(count as u32));
        assert_eq!(words, wanted, "{count}");
    }
}

#[test]
fn divisors_that_a_processor_stops_at_are_asked_about() {
    let Some(entry) = function(|writer| {
        let (a, b) = (writer.named(0), writer.named(1));
        let quotient = writer.checked(Checked::Divide, a, b);
        let rest = writer.checked(Checked::Remainder, a, b);
        let hundred = writer.number(100);
        let scaled = writer.plain(Plain::Multiply, quotient, hundred);
        let both = writer.plain(Plain::Add, scaled, rest);
        writer.answer(both);
    }) else {
        return;
    };
    let mut words = [0; 8];
    assert_eq!(entry.call(&mut words, &mut [17, 5]), 302);
    assert_eq!(entry.call(&mut words, &mut [-17, 5]), -302);
    for divisor in [0, -1] {
        assert_eq!(entry.call(&mut words, &mut [i64::MIN, divisor]), ASK);
    }
}

#[test]
fn what_is_not_wanted_is_not_there() {
    let Some(unit) = Unit::new() else { return };
    assert!(!unit.define(NEEDS, |_| false));
    assert!(unit.finish().is_empty());
}

#[test]
#[should_panic(expected = "a fixed place is one of the words")]
fn a_fixed_place_beyond_the_words_is_a_mistake() {
    let unit = Unit::new().expect("a fixed place is one of the words, or there is no code here");
    unit.define(NEEDS, |writer| {
        writer.word(Place::fixed(8));
        true
    });
}
