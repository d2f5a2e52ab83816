//! Runs against sets in memory: all small universes, and random vectors from fixed seeds.

use std::collections::{BTreeMap, BTreeSet};

use runs::{Filter, Folder, Heap, Known, Merge, Run, Writer};

fn folder() -> Folder {
    Folder::create(&std::env::temp_dir()).expect("a folder can be made")
}

fn write(folder: &Folder, width: usize, vectors: &BTreeMap<Vec<u32>, u32>) -> Run {
    let mut writer = Writer::new(folder, width).expect("a file can be made");
    for (vector, tag) in vectors {
        writer.push(vector, *tag).expect("it can be written");
    }
    writer.finish().expect("it can be written")
}

fn read(run: &Run) -> BTreeMap<Vec<u32>, u32> {
    let mut reader = run.read().expect("it can be opened");
    let mut all = BTreeMap::new();
    while reader.advance().expect("it can be read") {
        all.insert(reader.vector().to_vec(), reader.tag());
    }
    all
}

/// Numbers that are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(most)) as u32
    }

    /// Words of all sizes.
    fn word(&mut self) -> u32 {
        let bits = self.below(32);
        self.below(u32::MAX) >> bits
    }
}

#[test]
fn what_is_written_is_read() {
    let folder = folder();
    let mut random = Random(7);
    for (width, most) in [(0, 1), (1, 5000), (2, 9000), (7, 5000)] {
        let vectors: BTreeMap<Vec<u32>, u32> = (0..most)
            .map(|_| {
                let vector = (0..width).map(|_| random.word()).collect();
                (vector, random.word())
            })
            .collect();
        let run = write(&folder, width, &vectors);
        assert_eq!(run.len(), vectors.len() as u64);
        assert_eq!(read(&run), vectors);
    }
}

#[test]
fn every_subset_of_a_small_universe_is_merged_and_asked() {
    let folder = folder();
    let universe: Vec<Vec<u32>> = (0..4).map(|n| vec![n / 2, n % 2]).collect();
    let subset = |bits: u32, tag: u32| -> BTreeMap<Vec<u32>, u32> {
        let chosen = universe.iter().enumerate();
        let chosen = chosen.filter(|(at, _)| bits >> at & 1 == 1);
        chosen.map(|(_, vector)| (vector.clone(), tag)).collect()
    };
    let runs: Vec<Run> = (0..16)
        .map(|bits| write(&folder, 2, &subset(bits, bits)))
        .collect();
    for one in 0..16 {
        for other in 0..16 {
            let mut wanted = subset(one, one);
            for (vector, tag) in subset(other, other) {
                let entry = wanted.entry(vector).or_insert(tag);
                *entry = tag.min(*entry);
            }
            let pair = [&runs[one as usize], &runs[other as usize]];
            let mut merge = Merge::new(pair).expect("they can be opened");
            let mut merged = BTreeMap::new();
            while merge.advance().expect("they can be read") {
                merged.insert(merge.vector().to_vec(), merge.tag());
            }
            assert_eq!(merged, wanted);
            for asked in 0..16u32 {
                let mut known = Known::new(pair).expect("they can be opened");
                for vector in subset(asked, 0).keys() {
                    let has = known.has(vector).expect("they can be read");
                    assert_eq!(has, wanted.contains_key(vector));
                }
            }
        }
    }
}

#[test]
fn questions_that_skip_blocks_are_answered() {
    let folder = folder();
    let vectors: BTreeMap<Vec<u32>, u32> = (0..20_000).map(|n| (vec![n / 300, n * 3], 1)).collect();
    let run = write(&folder, 2, &vectors);
    let mut random = Random(3);
    for density in [1, 50, 3000] {
        let asked: BTreeSet<Vec<u32>> = (0..60_000 / density)
            .map(|_| {
                let n = random.below(21_000);
                vec![n / 300, n * 3 + u32::from(random.below(4) == 0)]
            })
            .collect();
        let mut cursor = run.cursor().expect("it can be opened");
        for vector in asked {
            let has = cursor.has(&vector).expect("it can be read");
            assert_eq!(has, vectors.contains_key(&vector), "{vector:?}");
        }
    }
}

#[test]
fn a_heap_holds_each_vector_once_and_spills_in_order() {
    let folder = folder();
    let mut random = Random(11);
    for width in [1, 2, 5] {
        let mut heap = Heap::new(width, 1 << 20);
        for _ in 0..2 {
            let mut wanted = BTreeMap::new();
            for _ in 0..4000 {
                let vector: Vec<u32> = (0..width).map(|_| random.below(9)).collect();
                let is_new = wanted.insert(vector.clone(), 5).is_none();
                assert_eq!(heap.add(&vector), is_new);
            }
            assert_eq!(heap.len(), wanted.len());
            assert_eq!(read(&heap.spill(&folder, 5).expect("written")), wanted);
            assert!(heap.is_empty());
        }
    }
}

#[test]
fn files_go_with_what_holds_them() {
    let folder = folder();
    let path = folder.path().to_owned();
    let run = write(&folder, 1, &(0..100).map(|n| (vec![n], 0)).collect());
    assert_eq!(std::fs::read_dir(&path).expect("it is there").count(), 1);
    assert!(folder.peak() > 0);
    drop(run);
    assert_eq!(std::fs::read_dir(&path).expect("it is there").count(), 0);
    drop(folder);
    assert!(!path.exists());
}

#[test]
fn a_filter_denies_nothing_that_was_added_and_most_of_the_rest() {
    let folder = folder();
    let mut random = Random(11);
    let mut vector = || vec![random.word() & 1023, random.word(), random.word() & 7];
    let kept: BTreeMap<Vec<u32>, u32> = (0..20_000).map(|_| (vector(), 0)).collect();
    let run = write(&folder, 3, &kept);
    let mut filter = Filter::new([&run], 2 * run.len(), || {}).expect("it can be read");
    let more: BTreeSet<Vec<u32>> = (0..20_000).map(|_| vector()).collect();
    for vector in &more {
        filter.add(vector);
    }
    assert!(
        kept.keys()
            .chain(&more)
            .all(|vector| filter.may_have(vector))
    );
    assert!(filter.bytes() <= Filter::bytes_for(2 * run.len()));
    let others: Vec<Vec<u32>> = (0..20_000).map(|_| vector()).collect();
    let others = others
        .iter()
        .filter(|vector| !kept.contains_key(*vector) && !more.contains(*vector));
    let (all, told) = others.fold((0, 0), |(all, told), vector| {
        (all + 1, told + usize::from(filter.may_have(vector)))
    });
    assert!(told * 12 < all, "{told} of {all}");
}
