//! Writes a run to a file from which it can be resumed, also after the process was killed.
//!
//! Invariant: the file is replaced as a whole (written beside, synchronised, renamed): there is always a complete
//! one. Invariant: a file of another model, version or set of checks is refused with the reason.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::Duration;

use treetable::{Kind, Store, Terms};

use super::codec::{Code, Summed, code_by_field, damaged};
use super::config::Order;
use super::level::{Chunk, Level};
use super::links::Links;
use super::merge::Keys;
use super::outcome::Open;
use super::run::{Book, Run, Work, kept};
use super::stack::{Entry, Stack};

/// What a file says beside the stores.
pub struct Saved {
    pub elapsed: Duration,
    pub book: Book,
    pub work: Work,
}

const MAGIC: &[u8; 16] = b"burnside search\n";
/// Changes with every change of what is written.
const FORMAT: u32 = 5;

/// Replaces the file by the present state of the run; an error is a sentence for the user.
pub fn write(path: &Path, run: &Run<'_>, book: &Book, work: &Work) -> Result<(), String> {
    let beside = path.with_added_extension("part");
    let written = write_to(&beside, run, book, work).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| {
        // What is beside is useless; that it cannot be removed changes nothing.
        let _ = fs::remove_file(&beside);
        format!(
            "the checkpoint {} cannot be written: {error}",
            path.display()
        )
    })
}

fn write_to(path: &Path, run: &Run<'_>, book: &Book, work: &Work) -> io::Result<()> {
    let mut out = Summed::new(BufWriter::with_capacity(1 << 16, File::create(path)?));
    out.write_all(MAGIC)?;
    FORMAT.put(&mut out)?;
    identity(run).put(&mut out)?;
    (run.elapsed().as_nanos() as u64).put(&mut out)?;
    run.system.save().put(&mut out)?;
    run.setups.save(&mut out)?;
    run.store.save(&mut out)?;
    for state in 0..run.store.len() as u32 {
        match (&run.links, run.links.get(state)) {
            (Links::InOrder(_) | Links::Parents(_), Some((parent, _))) => parent.put(&mut out)?,
            (_, Some(link)) => link.put(&mut out)?,
            (_, None) => {}
        }
    }
    book.put(&mut out)?;
    match work {
        Work::Level(level) => level.save(run, &mut out)?,
        Work::Stack(stack) => stack.put(&mut out)?,
    }
    let sum = out.sum();
    sum.put(&mut out)?;
    out.into_inner().into_inner()?.sync_all()
}

type Stores = (Store, Store, Links);

/// Reads a file written by a run like `run`; `terms` are those of the stores of states and of set-ups. An error is
/// a sentence for the user.
pub fn read(path: &Path, run: &Run<'_>, terms: (Terms, Terms)) -> Result<(Stores, Saved), String> {
    let refuse = |why: &str| format!("the checkpoint {} cannot be used: {why}", path.display());
    let file = File::open(path).map_err(|error| refuse(&error.to_string()))?;
    let mut input = Summed::new(BufReader::with_capacity(1 << 16, file));
    check_identity(run, &mut input).map_err(|why| refuse(&why))?;
    let read = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => refuse("the file is damaged"),
        _ => refuse(&error.to_string()),
    };
    let elapsed = Duration::from_nanos(u64::get(&mut input).map_err(read)?);
    let tables: Vec<u8> = Code::get(&mut input).map_err(read)?;
    let rest = read_rest(run, terms, &mut input).map_err(read)?;
    run.system.restore(&tables).map_err(|why| refuse(&why))?;
    let (stores, book, work) = rest;
    Ok((
        stores,
        Saved {
            elapsed,
            book,
            work,
        },
    ))
}

fn read_rest(
    run: &Run<'_>,
    terms: (Terms, Terms),
    input: &mut Summed<BufReader<File>>,
) -> io::Result<(Stores, Book, Work)> {
    let (slots, kind) = (run.shape.slots.len(), kept(&run.config, run.shape));
    let setups = Store::restore(Kind::Tree, slots, &[], terms.1, input)?;
    let store = Store::restore(kind, slots, &run.shape.bits, terms.0, input)?;
    // Several threads may have found what is read.
    let links = Links::in_any_order(run.config.keep_paths, kind.is_exact());
    for state in 0..store.len() as u32 {
        let (parent, step) = match links {
            Links::Dropped => continue,
            Links::InOrder(_) | Links::Parents(_) => (u32::get(input)?, 0),
            Links::Steps(_) => Code::get(input)?,
        };
        if !links.set(state, parent, step) {
            return Err(io::Error::from(io::ErrorKind::OutOfMemory));
        }
    }
    let book = Book::get(input)?;
    let work = match run.config.order {
        Order::Bfs => Work::Level(Level::restore(store.len(), input)?),
        Order::Dfs | Order::Mixed => Work::Stack(Code::get(input)?),
    };
    let sum = input.sum();
    if u64::get(input)? != sum {
        return Err(damaged());
    }
    Ok(((store, setups, links), book, work))
}

/// What must be the same, with the words that say what is not.
pub(crate) fn identity(run: &Run<'_>) -> Vec<(String, Vec<u8>)> {
    let config = &*run.config;
    let names = |names: &mut dyn Iterator<Item = &'static str>| {
        names
            .flat_map(|name| name.bytes().chain([0]))
            .collect::<Vec<u8>>()
    };
    let slots = &mut run.shape.slots.iter().map(|slot| slot.name.as_str());
    let groups = &mut run.shape.groups.iter().map(|group| group.name.as_str());
    let checks = &config.checks;
    let search = format!(
        "{:?} {:?} {}",
        config.order, config.store, config.keep_paths
    );
    let labels = format!(
        "{:?} {:?} {:?} {} {} {:?} {:?}",
        checks.invariants,
        checks.assertions,
        checks.setup_labels,
        checks.deadlock,
        checks.stuttering,
        checks.ends,
        checks.goal
    );
    vec![
        ("version".into(), env!("CARGO_PKG_VERSION").into()),
        ("model".into(), config.fingerprint.clone()),
        ("model".into(), [names(slots), names(groups)].concat()),
        ("search order or store".into(), search.into()),
        ("set of checks".into(), labels.into()),
    ]
}

fn check_identity(run: &Run<'_>, input: &mut dyn Read) -> Result<(), String> {
    let no_checkpoint = |_| "it is not a checkpoint".to_string();
    let mut magic = [0; MAGIC.len()];
    input.read_exact(&mut magic).map_err(no_checkpoint)?;
    if &magic != MAGIC {
        return Err("it is not a checkpoint".to_string());
    }
    if u32::get(input).map_err(no_checkpoint)? != FORMAT {
        return Err("it was written by another version".to_string());
    }
    let theirs: Vec<(String, Vec<u8>)> = Code::get(input).map_err(no_checkpoint)?;
    differs(&identity(run), &theirs).map_or(Ok(()), Err)
}

/// What is not the same, as a sentence about the file.
pub(crate) fn differs(ours: &[(String, Vec<u8>)], theirs: &[(String, Vec<u8>)]) -> Option<String> {
    match ours.iter().zip(theirs).find(|(a, b)| a != b) {
        Some(((what, _), _)) => Some(format!("it was written for another {what}")),
        None if ours.len() != theirs.len() => Some("it was written by another version".to_string()),
        None => None,
    }
}

impl Code for Book {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        self.tally.put(out)?;
        self.notes.put(out)?;
        self.findings.put(out)?;
        self.budget.put(out)?;
        (self.initial, self.start_edges).put(out)?;
        (self.depth, self.peak).put(out)?;
        // The other reasons are found again, or do not outlast the limit that caused them.
        self.open.contains(&Open::MaxSetups).put(out)
    }
    fn get(input: &mut dyn Read) -> io::Result<Book> {
        let mut book = Book {
            tally: Code::get(input)?,
            notes: Code::get(input)?,
            findings: Code::get(input)?,
            budget: Code::get(input)?,
            ..Book::default()
        };
        (book.initial, book.start_edges) = Code::get(input)?;
        (book.depth, book.peak) = Code::get(input)?;
        if bool::get(input)? {
            book.open.push(Open::MaxSetups);
        }
        Ok(book)
    }
}

impl Level {
    fn save(&self, run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
        (self.depth, (self.start, self.len)).put(out)?;
        self.order.put(out)?;
        self.vectors.put(out)?;
        self.pending.put(out)?;
        self.next_start.put(out)?;
        self.chunks.put(out)?;
        self.unclean
            .iter()
            .copied()
            .collect::<Vec<u32>>()
            .put(out)?;
        let least = |keys: &Keys| -> Vec<Option<u64>> {
            let next = self.next_start..run.store.len() as u32;
            next.map(|state| keys.least(state)).collect()
        };
        self.keys.as_deref().map(least).put(out)
    }

    fn restore(states: usize, input: &mut dyn Read) -> io::Result<Level> {
        let (depth, (start, len)) = Code::get(input)?;
        let mut level = Level {
            depth,
            start,
            len,
            order: Code::get(input)?,
            vectors: Code::get(input)?,
            pending: Code::get(input)?,
            next_start: Code::get(input)?,
            chunks: Code::get(input)?,
            unclean: Vec::<u32>::get(input)?.into_iter().collect(),
            keys: None,
        };
        if let Some(least) = Option::<Vec<Option<u64>>>::get(input)? {
            let keys = Keys::new(level.next_start);
            for (state, key) in (level.next_start..).zip(least) {
                if let Some(key) = key {
                    keys.offer(state, key);
                }
            }
            level.keys = Some(Box::new(keys));
        }
        let is_sound = level
            .pending
            .iter()
            .all(|(from, to)| from <= to && *to <= level.len)
            && level.next_start as usize <= states
            && level
                .order
                .as_ref()
                .is_none_or(|order| order.len() == len as usize);
        if is_sound { Ok(level) } else { Err(damaged()) }
    }
}

code_by_field!(Chunk: first, news, vectors, found, notes);
code_by_field!(Entry: id, depth, vector);

impl Code for Box<[u32]> {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        self.to_vec().put(out)
    }
    fn get(input: &mut dyn Read) -> io::Result<Box<[u32]>> {
        Ok(Vec::get(input)?.into())
    }
}

impl Code for Stack {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.states.len() as u64).put(out)?;
        self.states.iter().try_for_each(|entry| entry.put(out))?;
        self.unclean
            .iter()
            .copied()
            .collect::<Vec<u32>>()
            .put(out)?;
        (self.too_deep, self.seed).put(out)?;
        self.given_up.put(out)
    }
    fn get(input: &mut dyn Read) -> io::Result<Stack> {
        let states = Vec::<Entry>::get(input)?.into();
        let unclean = Vec::<u32>::get(input)?.into_iter().collect();
        let (too_deep, seed) = Code::get(input)?;
        Ok(Stack {
            states,
            unclean,
            too_deep,
            seed,
            given_up: Code::get(input)?,
        })
    }
}
