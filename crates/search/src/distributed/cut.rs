//! Saves a run of many workers: a part for each, written at one moment of the search, and a file that says which parts count.
//!
//! A cut is made between two rounds, when no state is on its way. Every worker writes a file of its own; when all have
//! succeeded, the first one replaces `run`, which names the cut, and the parts of the cut before are removed. So whatever
//! dies at whatever moment, `run` names a whole cut.
//! States are written as on an edge ([`super::edge`]), values included: any number of workers can read them.
//! Invariant: a part that cannot be written costs this cut, never the one before.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::bytes::write_state;
use super::edge::{Edge, Source, Words};
use super::messages::{Kind, read};
use super::node::{Broken, Level, Node};
use super::routing::Owners;
use crate::explicit::checkpoint::identity;
use crate::explicit::codec::{Code, Summed, code_by_field};
use crate::explicit::found::Raw;
use crate::explicit::run::{Book, Run};

/// Where cuts go, and how often they are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder; every process has one, which may be the same.
    pub folder: PathBuf,
    /// How often.
    pub every: Duration,
}

pub(super) const MAGIC: &[u8; 16] = b"burnside shares\n";
/// Changes with every change of what is written.
pub(super) const FORMAT: u32 = 6;

/// What `run` says.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// Which cut.
    pub serial: u64,
    /// How many parts it has.
    pub parts: u32,
    /// Steps from an initial state to the level.
    pub depth: u32,
    /// What must be the same, with the words that say what is not.
    pub identity: Vec<(String, Vec<u8>)>,
    /// Nanoseconds of the search so far.
    pub elapsed: u64,
    /// What decided who owns a state.
    pub owners: Owners,
    /// The set-ups, as [`write_state`] writes them.
    pub setups: Vec<Vec<u8>>,
    /// What was noticed while they were sought, as the book of the start writes itself.
    pub start: Vec<u8>,
}

/// What a part says beside its states.
#[derive(Clone, Debug, Default)]
pub struct Rest {
    /// The first state of the level that is not expanded, and the first of the next level.
    pub level: (u32, u32),
    /// States expanded so far, and transitions.
    pub expanded: (u64, u64),
    /// Calls for successors and for labels.
    pub calls: (u64, u64),
    /// Transitions of each group.
    pub groups: Vec<u64>,
    /// What the system noticed.
    pub notes: pins::Notes,
    /// How often a budget did not suffice, and the first time.
    pub budget: (u64, Option<pins::Fault>),
    /// Findings, of states of the part.
    pub findings: Vec<Raw>,
}

/// Some states of a part, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// How many.
    pub count: u32,
    /// The states.
    pub states: Vec<u8>,
    /// For each the owner and the number of its parent.
    pub links: Vec<(u32, u32)>,
}

code_by_field!(Manifest: serial, parts, depth, identity, elapsed, owners, setups, start);
code_by_field!(Rest: level, expanded, calls, groups, notes, budget, findings);
code_by_field!(Block: count, states, links);

/// The cuts of one worker.
pub struct Saves<'p> {
    place: &'p Place,
    serial: u64,
}

impl<'p> Saves<'p> {
    /// None yet. All workers agree on the number of the first one: no cut that is there is overwritten.
    pub fn begin(place: &'p Place, node: &mut Node<'_>) -> Result<Saves<'p>, Broken> {
        if let Err(error) = fs::create_dir_all(&place.folder) {
            node.refuse(format!("{}: {error}", place.folder.display()));
        }
        let parts = parts(&place.folder).map(|(_, serial)| serial);
        let mine = parts.max().unwrap_or(0);
        node.port.send_others(&Kind::Saved.parcel(&mine));
        node.finish_round()?;
        let theirs = std::mem::take(&mut node.saved).into_iter();
        let theirs = theirs.filter_map(|(_, parcel)| read::<u64>(&parcel.bytes.0[1..]).ok());
        let serial = theirs.fold(mine, u64::max);
        Ok(Saves { place, serial })
    }

    /// Makes a cut, together with all other workers; a sentence for the user when that failed.
    pub fn write(&mut self, node: &mut Node<'_>) -> Result<Option<String>, Broken> {
        let begun = Instant::now();
        self.serial += 1;
        let path = part(
            &self.place.folder,
            node.me(),
            node.port.peers(),
            self.serial,
        );
        let written = match node.is_undecided() {
            true => Err("some states could not be stored or checked".to_string()),
            false => replace(&path, |out| write_part(node, out)),
        };
        let problem = agree(node, written)?;
        let committed = match (&problem, node.me()) {
            // From then on it can be resumed, whoever hears of it.
            (None, 0) => self.commit(node).inspect(|()| node.has_cut = true),
            _ => Ok(()),
        };
        let problem = match problem {
            None => agree(node, committed)?,
            some => some,
        };
        let useless: Vec<PathBuf> = match problem {
            None => parts(&self.place.folder)
                .filter(|(_, serial)| *serial < self.serial)
                .map(|(path, _)| path)
                .collect(),
            Some(_) => vec![path],
        };
        for useless in useless {
            // That it cannot be removed, or that somebody was faster, changes nothing.
            let _ = fs::remove_file(useless);
        }
        node.has_cut |= problem.is_none();
        node.saved_at = (Instant::now(), begun.elapsed());
        Ok(problem.map(|why| format!("no checkpoint was written: {why}")))
    }

    fn commit(&self, node: &mut Node<'_>) -> Result<(), String> {
        let mut manifest = Manifest {
            serial: self.serial,
            parts: node.port.peers() as u32,
            depth: node.level.depth,
            identity: identity(node.run),
            elapsed: node.run.elapsed().as_nanos() as u64,
            owners: node.delivery.routing.owners().clone(),
            ..Manifest::default()
        };
        if let Some((origin, book)) = &node.origin {
            manifest.setups = setups(origin)?;
            manifest.start = start_bytes(book);
        }
        replace(&self.place.folder.join("run"), |out| {
            manifest.put(out).map_err(|error| error.to_string())
        })
    }
}

/// The file of a part.
pub fn part(folder: &Path, worker: usize, workers: usize, serial: u64) -> PathBuf {
    folder.join(format!("part-{worker}-of-{workers}.{serial}"))
}

/// The parts in a folder, each with its cut.
fn parts(folder: &Path) -> impl Iterator<Item = (PathBuf, u64)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let name = entry.file_name();
        let name = name.to_str()?;
        let (_, serial) = name.strip_prefix("part-")?.split_once('.')?;
        Some((entry.path(), serial.parse().ok()?))
    })
}

/// Tells all others whether something succeeded here; the first problem of anybody.
pub(super) fn agree(
    node: &mut Node<'_>,
    result: Result<(), String>,
) -> Result<Option<String>, Broken> {
    let mine = result.err();
    node.port.send_others(&Kind::Written.parcel(&mine));
    let me = node.me();
    node.written[me] = Some(mine);
    node.finish_round()?;
    let mut problem = None;
    for worker in 0..node.written.len() {
        let theirs = node.written[worker].take().ok_or(Broken)?;
        if let (None, Some(why)) = (&problem, theirs) {
            problem = Some(match worker == me {
                true => why,
                false => format!("worker {worker}: {why}"),
            });
        }
    }
    Ok(problem)
}

/// Replaces a file as a whole; an error is a sentence for the user.
fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), String>,
) -> Result<(), String> {
    let beside = path.with_added_extension("part");
    let named = |error: io::Error| format!("{}: {error}", path.display());
    let attempt = || -> Result<(), String> {
        let file = File::create(&beside).map_err(named)?;
        let mut out = Summed::new(BufWriter::with_capacity(1 << 16, file));
        out.write_all(MAGIC).map_err(named)?;
        FORMAT.put(&mut out).map_err(named)?;
        // The folder is named, not the file: a full disk is told once.
        let folder = path.parent().unwrap_or(path);
        write(&mut out).map_err(|why| format!("{}: {why}", folder.display()))?;
        let sum = out.sum();
        sum.put(&mut out).map_err(named)?;
        let file = out.into_inner().into_inner();
        let file = file.map_err(|error| named(error.into_error()))?;
        file.sync_all().map_err(named)?;
        fs::rename(&beside, path).map_err(named)
    };
    attempt().inspect_err(|_| {
        // What is beside is useless; that it cannot be removed changes nothing.
        let _ = fs::remove_file(&beside);
    })
}

fn write_part(node: &mut Node<'_>, out: &mut dyn Write) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    let Level { at, end, .. } = node.level;
    let states = node.run.store.len() as u32;
    let tally = &node.delivery.tally;
    let rest = Rest {
        level: (at, end),
        expanded: (node.expanded, tally.transitions),
        calls: (tally.next_state_calls, tally.label_calls),
        groups: tally.groups.clone(),
        notes: node.notes.clone(),
        budget: node.found.budget.clone(),
        findings: node.found.findings.clone(),
    };
    rest.put(out).map_err(told)?;
    u64::from(states).put(out).map_err(told)?;
    let mut edge = Edge::new(node.state.len(), false, false);
    let mut block = Block::default();
    let mut vector = vec![0; node.state.len()];
    for number in 0..states {
        // States that are expanded, those that are not, and those of the next level stand in blocks of their own.
        let is_border = number == at || number == end;
        if edge.is_full() || is_border {
            flush(&mut edge, &mut block, out).map_err(told)?;
        }
        node.delivery.session.load(number, &mut vector);
        let source = Source {
            number,
            is_clean: false,
            asks: false,
        };
        let words = Words {
            system: &*node.run.system,
            numbers: node.delivery.routing.numbers(),
        };
        edge.add(words, source, &vector, &[]);
        block.count += 1;
        block
            .links
            .push(node.run.links.get(number).unwrap_or((u32::MAX, 0)));
    }
    flush(&mut edge, &mut block, out).map_err(told)?;
    match edge.problem.take() {
        Some(problem) => Err(problem),
        None => Ok(()),
    }
}

fn flush(edge: &mut Edge, block: &mut Block, out: &mut dyn Write) -> io::Result<()> {
    if edge.take(&mut block.states) {
        block.put(out)?;
        *block = Block::default();
    }
    Ok(())
}

fn setups(origin: &Run<'_>) -> Result<Vec<Vec<u8>>, String> {
    let mut vector = vec![0; origin.shape.slots.len()];
    let mut session = origin.setups.session();
    let setup = |number: u32| {
        session.load(number, &mut vector);
        let mut bytes = Vec::new();
        write_state(&*origin.system, &vector, &mut bytes).map(|()| bytes)
    };
    (0..origin.setups.len() as u32).map(setup).collect()
}

fn start_bytes(book: &Book) -> Vec<u8> {
    let mut bytes = Vec::new();
    book.put(&mut bytes)
        .expect("a vector takes what is written to it");
    bytes
}
