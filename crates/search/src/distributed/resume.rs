//! Takes up a saved run, with as many workers as there are now.
//!
//! Every part of the cut is read by one worker that has it. It sends each state to its owner of today, in three rounds:
//! states that were expanded, those that were not, and those of the next level; so numbers come in the order that a search
//! needs. The owner says which number the state got. Then each reader knows where the states of its parts went, and the
//! parents are asked for: the reader of the parent's part tells the owner of the state.
//! Invariant: a cut of another model, version or set of checks is refused with the reason, and so is one with a part missing.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use rustc_hash::FxHashMap;

use super::bytes::{get, put, read_state, write_state};
use super::cut::{Block, FORMAT, MAGIC, Manifest, Rest, agree, part};
use super::edge::{Batch, Inlet, Words};
use super::messages::{Kind, read};
use super::node::{Broken, Level, Node, START};
use crate::explicit::checkpoint::differs;
use crate::explicit::codec::{Code, Summed, damaged};
use crate::explicit::found::Raw;
use crate::explicit::run::{Book, Run};

/// The parcels of saved states have about so many bytes.
const BATCH: usize = 1 << 15;

/// Opens a file of a cut behind its first bytes; an error is a sentence for the user.
fn open(path: &Path) -> Result<Summed<BufReader<File>>, String> {
    let refuse = |why: &str| format!("{} cannot be used: {why}", path.display());
    let file = File::open(path).map_err(|error| refuse(&error.to_string()))?;
    let mut input = Summed::new(BufReader::with_capacity(1 << 16, file));
    let mut magic = [0; MAGIC.len()];
    let is_ours = input.read_exact(&mut magic).is_ok() && &magic == MAGIC;
    if !is_ours {
        return Err(refuse("it is no file of a distributed run"));
    }
    match u32::get(&mut input) {
        Ok(FORMAT) => Ok(input),
        _ => Err(refuse("it was written by another version")),
    }
}

fn check_sum(input: &mut Summed<BufReader<File>>) -> io::Result<()> {
    let sum = input.sum();
    match u64::get(input)? == sum {
        true => Ok(()),
        false => Err(damaged()),
    }
}

/// Reads which cut there is, for the first worker; an error is a sentence for the user.
pub fn manifest(folder: &Path, ours: &[(String, Vec<u8>)]) -> Result<Manifest, String> {
    let path = folder.join("run");
    if !path.exists() {
        let why = match folder.is_dir() {
            true => "nothing was saved there before the run ended",
            false => {
                "there is no such folder: a run that ends before it begins to search makes none"
            }
        };
        return Err(why.to_owned());
    }
    let refuse = |why: &str| format!("{} cannot be used: {why}", path.display());
    let mut input = open(&path)?;
    let manifest = Manifest::get(&mut input).and_then(|manifest| {
        check_sum(&mut input)?;
        Ok(manifest)
    });
    let manifest = manifest.map_err(|_| refuse("the file is damaged"))?;
    match differs(ours, &manifest.identity) {
        Some(why) => Err(refuse(&why)),
        None => Ok(manifest),
    }
}

/// The set-ups of a saved run, put into `origin`, and what was noticed when they were found.
pub fn origin(manifest: &Manifest, origin: &Run<'_>) -> Result<Book, String> {
    let mut session = origin.setups.session();
    for mut setup in manifest.setups.iter().map(Vec::as_slice) {
        let vector = read_state(&*origin.system, &mut setup)?;
        session.insert(&vector);
    }
    let book = Book::get(&mut manifest.start.as_slice());
    book.map_err(|_| "the saved run is damaged".to_string())
}

/// A part that is being read.
struct Reader {
    part: u32,
    input: Summed<BufReader<File>>,
    inlet: Inlet,
    /// How many states were read, of how many.
    at: u32,
    states: u32,
    /// Whether the sum at its end was compared.
    is_summed: bool,
    /// The first state that was not expanded, and the first of the next level.
    borders: (u32, u32),
    /// For each state where it is now, and its parent by part and number.
    placed: Vec<(u32, u32)>,
    links: Vec<(u32, u32)>,
    rest: Rest,
}

impl Reader {
    fn new(path: &Path, part: u32, slots: usize) -> Result<Reader, String> {
        let mut input = open(path)?;
        let head = Rest::get(&mut input).and_then(|rest| Ok((rest, u64::get(&mut input)?)));
        let damaged = |_| format!("{} is damaged", path.display());
        let (rest, states) = head.map_err(damaged)?;
        let (at, end) = rest.level;
        let states = u32::try_from(states).unwrap_or(u32::MAX);
        if at > end || end > states {
            return Err(format!("{} is damaged", path.display()));
        }
        Ok(Reader {
            part,
            input,
            inlet: Inlet::new(slots, false),
            at: 0,
            states,
            is_summed: false,
            borders: (at, end),
            placed: Vec::new(),
            links: Vec::new(),
            rest,
        })
    }
}

/// Takes up the run: parts from `folder`, as `manifest` of the first worker says. A refusal is left in the node.
pub fn resume(
    node: &mut Node<'_>,
    folder: &Path,
    manifest: Option<&Manifest>,
) -> Result<(), Broken> {
    let Some((serial, (parts, depth))) = agree_on_cut(node, manifest)? else {
        return Ok(());
    };
    let Some(holders) = agree_on_holders(node, folder, serial, parts)? else {
        return Ok(());
    };
    let me = node.me();
    let mine = (0..parts).filter(|part| holders[*part as usize] == me);
    let slots = node.state.len();
    let mut readers = Vec::new();
    for number in mine {
        let path = part(folder, number as usize, parts as usize, serial);
        match Reader::new(&path, number, slots) {
            Ok(reader) => readers.push(reader),
            Err(why) => node.refuse(why),
        }
    }
    let mut borders = [0; 2];
    for stage in 0..3 {
        for reader in &mut readers {
            let until = [reader.borders.0, reader.borders.1, reader.states][stage];
            if node.refusal.is_none()
                && let Err(why) = spread(node, reader, until)?
            {
                node.refuse(why);
            }
        }
        settle(node, &mut readers)?;
        if let Some(border) = borders.get_mut(stage) {
            *border = node.run.store.len() as u32;
        }
    }
    let mine = node.refusal.clone().map_or(Ok(()), Err);
    if let Some(why) = agree(node, mine)? {
        node.refuse(why);
        return Ok(());
    }
    link(node, &mut readers, &holders)?;
    node.level = Level {
        depth,
        at: borders[0],
        end: borders[1],
    };
    node.delivery.later_from = borders[1];
    take_over(node, readers);
    node.finish_round()
}

/// A cut: its serial number, the number of its parts and its depth.
type Cut = (u64, (u32, u32));

/// The first worker tells the others which cut is meant.
fn agree_on_cut(node: &mut Node<'_>, manifest: Option<&Manifest>) -> Result<Option<Cut>, Broken> {
    if let Some(manifest) = manifest {
        node.heed_owners(manifest.owners.clone());
        let cut = (manifest.serial, (manifest.parts, manifest.depth));
        node.port.send_others(&Kind::Saved.parcel(&cut));
        node.finish_round()?;
        return Ok(Some(cut));
    }
    node.finish_round()?;
    let saved = node.saved.pop();
    let cut = saved.and_then(|(_, parcel)| read::<(u64, (u32, u32))>(&parcel.bytes.0[1..]).ok());
    // The first worker refused.
    Ok(cut.filter(|_| node.me() != 0))
}

/// Everybody tells which parts it has; for each part who reads it.
fn agree_on_holders(
    node: &mut Node<'_>,
    folder: &Path,
    serial: u64,
    parts: u32,
) -> Result<Option<Vec<usize>>, Broken> {
    let has = |number: &u32| {
        let path = part(folder, *number as usize, parts as usize, serial);
        path.is_file()
    };
    let mine: Vec<u32> = (0..parts).filter(has).collect();
    node.port.send_others(&Kind::Saved.parcel(&mine));
    node.finish_round()?;
    let mut having: Vec<Vec<usize>> = vec![Vec::new(); parts as usize];
    let me = node.me();
    let others = std::mem::take(&mut node.saved)
        .into_iter()
        .map(|(_, parcel)| {
            let theirs = read::<Vec<u32>>(&parcel.bytes.0[1..]);
            (parcel.from as usize, theirs.unwrap_or_default())
        });
    for (worker, theirs) in others.chain([(me, mine)]) {
        for number in theirs {
            if let Some(workers) = having.get_mut(number as usize) {
                workers.push(worker);
            }
        }
    }
    let mut holders = Vec::new();
    for (number, workers) in having.iter_mut().enumerate() {
        workers.sort_unstable();
        match workers.get(number % workers.len().max(1)) {
            Some(worker) => holders.push(*worker),
            None => {
                let name = part(folder, number, parts as usize, serial);
                node.refuse(format!("nobody has {}", name.display()));
                return Ok(None);
            }
        }
    }
    Ok(Some(holders))
}

/// Sends the states of a part up to a number to their owners.
fn spread(
    node: &mut Node<'_>,
    reader: &mut Reader,
    until: u32,
) -> Result<Result<(), String>, Broken> {
    let mut batches: FxHashMap<usize, Vec<u8>> = FxHashMap::default();
    let system = &*node.run.system;
    while reader.at < until {
        let block = match Block::get(&mut reader.input) {
            Ok(block) if block.links.len() == block.count as usize && block.count > 0 => block,
            _ => return Ok(Err(format!("part {} is damaged", reader.part))),
        };
        let mut batch = Batch::new(&block.states, &mut reader.inlet);
        loop {
            let words = Words {
                system,
                numbers: node.delivery.routing.numbers(),
            };
            let old = match batch.next(&mut reader.inlet, words) {
                Ok(Some(source)) if source.number == reader.placed.len() as u32 => source.number,
                Ok(None) => break,
                Ok(_) => return Ok(Err(format!("part {} is damaged", reader.part))),
                Err(why) => return Ok(Err(why)),
            };
            reader.placed.push((START, 0));
            let state = &reader.inlet.state;
            let cell = node.delivery.routing.cell(state);
            let owner = node.delivery.routing.owner(cell);
            if owner == node.me() {
                let number = node.run.store.len() as u32;
                if !node.place(state, (START, 0)) {
                    return Ok(Err("there is no room for the saved states".to_string()));
                }
                reader.placed[old as usize] = (owner as u32, number);
                continue;
            }
            let bytes = batches.entry(owner).or_default();
            if bytes.is_empty() {
                bytes.push(Kind::Saved as u8);
            }
            put(bytes, u64::from(reader.part));
            put(bytes, u64::from(old));
            if let Err(why) = write_state(system, state, bytes) {
                return Ok(Err(why));
            }
            if bytes.len() >= BATCH {
                let bytes = std::mem::take(bytes);
                node.port.send(owner, bytes);
            }
        }
        node.delivery.fresh.clear();
        reader.links.extend_from_slice(&block.links);
        reader.at = reader.placed.len() as u32;
        node.look_up(std::time::Duration::ZERO)?;
        take_saved(node);
    }
    for (owner, bytes) in batches {
        if !bytes.is_empty() {
            node.port.send(owner, bytes);
        }
    }
    // A part may be at its end before the last stage: its sum follows once.
    if reader.at == reader.states && !std::mem::replace(&mut reader.is_summed, true) {
        let damaged = |_| format!("part {} is damaged", reader.part);
        return Ok(check_sum(&mut reader.input).map_err(damaged));
    }
    Ok(Ok(()))
}

/// Waits until all states of a stage have a place, and their readers know it.
fn settle(node: &mut Node<'_>, readers: &mut [Reader]) -> Result<(), Broken> {
    node.finish_round()?;
    // What was stored is answered, and the answers take a round.
    take_saved(node);
    node.finish_round()?;
    for (kind, parcel) in std::mem::take(&mut node.saved) {
        let mut body = &parcel.bytes.0[1..];
        while kind == Kind::Placed && !body.is_empty() {
            let placed = [get(&mut body), get(&mut body), get(&mut body)];
            let [Ok(part), Ok(old), Ok(new)] = placed else {
                return Err(Broken);
            };
            let reader = readers.iter_mut().find(|r| u64::from(r.part) == part);
            let place = reader.and_then(|reader| reader.placed.get_mut(old as usize));
            *place.ok_or(Broken)? = (parcel.from, new as u32);
        }
    }
    Ok(())
}

/// Stores saved states that arrived and tells their readers the numbers they got.
fn take_saved(node: &mut Node<'_>) {
    let system = &*node.run.system;
    for (kind, parcel) in std::mem::take(&mut node.saved) {
        if kind != Kind::Saved {
            node.saved.push((kind, parcel));
            continue;
        }
        let mut body = &parcel.bytes.0[1..];
        let mut answer = vec![Kind::Placed as u8];
        while !body.is_empty() {
            let head = [get(&mut body), get(&mut body)];
            let state = read_state(system, &mut body);
            let ([Ok(part), Ok(old)], Ok(state)) = (head, state) else {
                node.refuse("a saved state is damaged".to_string());
                return;
            };
            let number = node.run.store.len() as u64;
            if !node.place(&state, (START, 0)) {
                node.refuse("there is no room for the saved states".to_string());
                return;
            }
            put(&mut answer, part);
            put(&mut answer, old);
            put(&mut answer, number);
        }
        node.delivery.fresh.clear();
        node.port.send(parcel.from as usize, answer);
    }
}

/// Gives every state its parent.
fn link(node: &mut Node<'_>, readers: &mut [Reader], holders: &[usize]) -> Result<(), Broken> {
    let mut asked: FxHashMap<usize, Vec<u8>> = FxHashMap::default();
    for reader in readers.iter() {
        for (placed, parent) in reader.placed.iter().zip(&reader.links) {
            let (to, kind) = match parent.0 {
                START => (placed.0 as usize, Kind::Sought),
                part => match holders.get(part as usize) {
                    Some(holder) => (*holder, Kind::Seek),
                    None => return Err(Broken),
                },
            };
            let bytes = asked
                .entry(to * 2 + usize::from(kind == Kind::Seek))
                .or_default();
            if bytes.is_empty() {
                bytes.push(kind as u8);
            }
            if kind == Kind::Seek {
                put(bytes, u64::from(placed.0));
            }
            for number in [placed.1, parent.0, parent.1] {
                put(bytes, u64::from(number));
            }
            if bytes.len() >= BATCH {
                let bytes = std::mem::take(bytes);
                node.port.send(to, bytes);
            }
        }
    }
    for (key, bytes) in asked {
        if !bytes.is_empty() {
            node.port.send(key / 2, bytes);
        }
    }
    node.finish_round()?;
    let mut told: FxHashMap<usize, Vec<u8>> = FxHashMap::default();
    for (kind, parcel) in std::mem::take(&mut node.saved) {
        if kind != Kind::Seek {
            node.saved.push((kind, parcel));
            continue;
        }
        let mut body = &parcel.bytes.0[1..];
        while !body.is_empty() {
            let numbers = [
                get(&mut body),
                get(&mut body),
                get(&mut body),
                get(&mut body),
            ];
            let [Ok(owner), Ok(state), Ok(part), Ok(old)] = numbers else {
                return Err(Broken);
            };
            let reader = readers.iter().find(|r| u64::from(r.part) == part);
            let place = reader.and_then(|reader| reader.placed.get(old as usize));
            let place = place.ok_or(Broken)?;
            let bytes = told.entry(owner as usize).or_default();
            if bytes.is_empty() {
                bytes.push(Kind::Sought as u8);
            }
            for number in [state, u64::from(place.0), u64::from(place.1)] {
                put(bytes, number);
            }
        }
    }
    for (owner, bytes) in told {
        if owner >= node.port.peers() {
            return Err(Broken);
        }
        node.port.send(owner, bytes);
    }
    node.finish_round()?;
    for (_, parcel) in std::mem::take(&mut node.saved) {
        let mut body = &parcel.bytes.0[1..];
        while !body.is_empty() {
            let numbers = [get(&mut body), get(&mut body), get(&mut body)];
            let [Ok(state), Ok(owner), Ok(number)] = numbers else {
                return Err(Broken);
            };
            if state >= node.run.store.len() as u64 {
                return Err(Broken);
            }
            node.run
                .links
                .set(state as u32, owner as u32, number as u32);
        }
    }
    Ok(())
}

/// Counts of the parts read here go on here, findings go to the owners of their states.
fn take_over(node: &mut Node<'_>, readers: Vec<Reader>) {
    for reader in readers {
        let rest = reader.rest;
        let tally = &mut node.delivery.tally;
        node.expanded += rest.expanded.0;
        tally.transitions += rest.expanded.1;
        tally.next_state_calls += rest.calls.0;
        tally.label_calls += rest.calls.1;
        for (mine, theirs) in tally.groups.iter_mut().zip(&rest.groups) {
            *mine += theirs;
        }
        node.notes.merge(rest.notes);
        let budget = &mut node.found.budget;
        budget.0 += rest.budget.0;
        budget.1 = budget.1.take().or(rest.budget.1);
        for raw in rest.findings {
            let old = raw.state.and_then(|old| reader.placed.get(old as usize));
            let Some((owner, number)) = old.copied() else {
                continue;
            };
            let raw = Raw {
                state: Some(number),
                ..raw
            };
            node.port.send(owner as usize, Kind::Found.parcel(&raw));
        }
    }
}
