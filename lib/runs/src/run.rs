//! One sorted file: how it is written, read from the beginning, and asked about ascending vectors.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

use crate::folder::Folder;

/// A block has so many vectors: a question reads one block at least, and the first vector of each stays in memory.
const BLOCK: u64 = 256;
/// Bytes that are read or written at once.
const BUFFER: usize = 1 << 18;
/// The same where blocks are left out.
const SOME: usize = 1 << 14;

/// A finished file of ascending vectors; removed when it is dropped.
#[derive(Debug)]
pub struct Run {
    path: PathBuf,
    folder: Folder,
    width: usize,
    len: u64,
    bytes: u64,
    /// The first vector of each block, one after the other.
    firsts: Vec<u32>,
    /// Where each block begins.
    starts: Vec<u64>,
}

impl Run {
    /// How many vectors.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes that are in memory all the time.
    pub fn resident(&self) -> u64 {
        (self.firsts.len() * 4 + self.starts.len() * 8) as u64
    }

    /// All vectors, from the beginning.
    pub fn read(&self) -> io::Result<Reader> {
        self.reader(BUFFER)
    }

    fn reader(&self, buffer: usize) -> io::Result<Reader> {
        Ok(Reader {
            input: File::open(&self.path)?,
            buffer: vec![0; buffer.max(2 * most_bytes(self.width))],
            unread: 0..0,
            base: 0,
            vector: vec![0; self.width],
            tag: 0,
            at: 0,
            len: self.len,
        })
    }

    /// To be asked about ascending vectors.
    pub fn cursor(&self) -> io::Result<Cursor<'_>> {
        Ok(Cursor {
            run: self,
            reader: self.reader(SOME)?,
            is_loaded: false,
        })
    }

    /// The last block that begins with `vector` or before it.
    fn block_of(&self, vector: &[u32]) -> Option<usize> {
        let (mut low, mut high) = (0, self.starts.len());
        while low < high {
            let middle = (low + high) / 2;
            let first = &self.firsts[middle * self.width..(middle + 1) * self.width];
            match first <= vector {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low.checked_sub(1)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.folder.shrink(self.bytes);
        // The folder goes with all that is left in it.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Writes a run.
#[derive(Debug)]
pub struct Writer {
    output: BufWriter<File>,
    run: Run,
    last: Vec<u32>,
}

impl Writer {
    /// A new run of vectors of `width` words.
    pub fn new(folder: &Folder, width: usize) -> io::Result<Writer> {
        let path = folder.file();
        Ok(Writer {
            output: BufWriter::with_capacity(BUFFER, File::create_new(&path)?),
            run: Run {
                path,
                folder: folder.clone(),
                width,
                len: 0,
                bytes: 0,
                firsts: Vec::new(),
                starts: Vec::new(),
            },
            last: vec![0; width],
        })
    }

    /// Adds a vector that is greater than all before it.
    pub fn push(&mut self, vector: &[u32], tag: u32) -> io::Result<()> {
        let run = &mut self.run;
        debug_assert!(run.len == 0 || self.last.as_slice() < vector, "ascending");
        let mut shared = 0;
        if run.len.is_multiple_of(BLOCK) {
            run.firsts.extend_from_slice(vector);
            run.starts.push(run.bytes);
        } else {
            let mut pairs = self.last.iter().zip(vector);
            shared = pairs.position(|(a, b)| a != b).unwrap_or(run.width);
        }
        run.bytes += put(&mut self.output, shared as u32)?;
        for word in &vector[shared..] {
            run.bytes += put(&mut self.output, *word)?;
        }
        run.bytes += put(&mut self.output, tag)?;
        run.len += 1;
        self.last.copy_from_slice(vector);
        Ok(())
    }

    /// No more vectors follow.
    pub fn finish(mut self) -> io::Result<Run> {
        self.output.flush()?;
        self.run.folder.grow(self.run.bytes);
        Ok(self.run)
    }
}

/// Reads a run, vector by vector.
///
/// A whole vector lies in the buffer when it is decoded, so nothing is asked of the file byte by byte.
#[derive(Debug)]
pub struct Reader {
    input: File,
    buffer: Vec<u8>,
    /// What was read and not decoded yet.
    unread: Range<usize>,
    /// Where the buffer begins in the file.
    base: u64,
    vector: Vec<u32>,
    tag: u32,
    at: u64,
    len: u64,
}

impl Reader {
    /// Reads the next vector; `false` at the end.
    pub fn advance(&mut self) -> io::Result<bool> {
        if self.at == self.len {
            return Ok(false);
        }
        if self.unread.len() < most_bytes(self.vector.len()) {
            self.refill()?;
        }
        let mut bytes = &self.buffer[self.unread.clone()];
        let shared = get(&mut bytes)? as usize;
        let rest = self.vector.get_mut(shared..);
        for word in rest.ok_or(io::ErrorKind::InvalidData)? {
            *word = get(&mut bytes)?;
        }
        self.tag = get(&mut bytes)?;
        self.unread.start = self.unread.end - bytes.len();
        self.at += 1;
        Ok(true)
    }

    /// Reads until there is a whole vector in the buffer, or the file ends.
    #[cold]
    fn refill(&mut self) -> io::Result<()> {
        let Range { start, end } = self.unread.clone();
        self.buffer.copy_within(start..end, 0);
        self.base += start as u64;
        self.unread = 0..end - start;
        while self.unread.len() < most_bytes(self.vector.len()) {
            match self.input.read(&mut self.buffer[self.unread.end..]) {
                Ok(0) => break,
                Ok(read) => self.unread.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Goes to a block, of which this is the first vector.
    fn go_to(&mut self, start: u64, vector: u64) -> io::Result<()> {
        let inside = start.checked_sub(self.base);
        match inside.filter(|at| *at <= self.unread.end as u64) {
            // What is buffered is not read again.
            Some(at) => self.unread.start = at as usize,
            None => {
                self.input.seek(SeekFrom::Start(start))?;
                (self.base, self.unread) = (start, 0..0);
            }
        }
        self.at = vector;
        Ok(())
    }

    /// The vector read last.
    pub fn vector(&self) -> &[u32] {
        &self.vector
    }

    /// Its tag.
    pub fn tag(&self) -> u32 {
        self.tag
    }
}

/// A vector takes at most so many bytes.
fn most_bytes(width: usize) -> usize {
    5 * (width + 2)
}

/// Answers whether a run has a vector, for ascending vectors.
#[derive(Debug)]
pub struct Cursor<'r> {
    run: &'r Run,
    reader: Reader,
    /// Whether the reader stands at a vector.
    is_loaded: bool,
}

impl Cursor<'_> {
    /// Whether the run has `vector`, which is greater than all that were asked for before.
    pub fn has(&mut self, vector: &[u32]) -> io::Result<bool> {
        if self.is_loaded && self.reader.vector() >= vector {
            return Ok(self.reader.vector() == vector);
        }
        let Some(block) = self.run.block_of(vector) else {
            return Ok(false);
        };
        let first = block as u64 * BLOCK;
        if first > self.reader.at {
            self.reader.go_to(self.run.starts[block], first)?;
        }
        while self.reader.advance()? {
            self.is_loaded = true;
            if self.reader.vector() >= vector {
                return Ok(self.reader.vector() == vector);
            }
        }
        Ok(false)
    }
}

/// Writes a number, seven bits in a byte; how many bytes.
fn put(output: &mut BufWriter<File>, mut number: u32) -> io::Result<u64> {
    let (mut bytes, mut len) = ([0; 5], 0);
    while number >= 0x80 {
        bytes[len] = number as u8 | 0x80;
        number >>= 7;
        len += 1;
    }
    bytes[len] = number as u8;
    output.write_all(&bytes[..=len])?;
    Ok(len as u64 + 1)
}

#[inline]
fn get(bytes: &mut &[u8]) -> io::Result<u32> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or(io::ErrorKind::UnexpectedEof)?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}
