//! Several runs read as one, and several runs asked as one.

use std::io;

use crate::run::{Cursor, Reader, Run};

/// The vectors of several runs in ascending order, each once, with the least of its tags.
///
/// There are few runs: the least vector is found by looking at all of them.
#[derive(Debug)]
pub struct Merge {
    /// Each stands at a vector.
    readers: Vec<Reader>,
    vector: Vec<u32>,
    tag: u32,
}

impl Merge {
    /// Begins before the first vector.
    pub fn new<'r>(runs: impl IntoIterator<Item = &'r Run>) -> io::Result<Merge> {
        let mut readers = Vec::new();
        for run in runs {
            let mut reader = run.read()?;
            if reader.advance()? {
                readers.push(reader);
            }
        }
        Ok(Merge {
            readers,
            vector: Vec::new(),
            tag: 0,
        })
    }

    /// Goes to the next vector; `false` at the end.
    pub fn advance(&mut self) -> io::Result<bool> {
        let Some(least) = self.readers.iter().map(Reader::vector).min() else {
            return Ok(false);
        };
        self.vector.clear();
        self.vector.extend_from_slice(least);
        self.tag = u32::MAX;
        let mut at = 0;
        while at < self.readers.len() {
            let reader = &mut self.readers[at];
            if reader.vector() == self.vector {
                self.tag = self.tag.min(reader.tag());
                if !reader.advance()? {
                    self.readers.swap_remove(at);
                    continue;
                }
            }
            at += 1;
        }
        Ok(true)
    }

    /// The vector it stands at.
    pub fn vector(&self) -> &[u32] {
        &self.vector
    }

    /// The least tag of that vector.
    pub fn tag(&self) -> u32 {
        self.tag
    }
}

/// Several runs that are asked about ascending vectors.
#[derive(Debug)]
pub struct Known<'r>(Vec<Cursor<'r>>);

impl<'r> Known<'r> {
    /// To be asked from the beginning.
    pub fn new(runs: impl IntoIterator<Item = &'r Run>) -> io::Result<Known<'r>> {
        let cursors = runs.into_iter().map(Run::cursor);
        Ok(Known(cursors.collect::<io::Result<_>>()?))
    }

    /// Whether one of the runs has `vector`, which is greater than all that were asked for before.
    pub fn has(&mut self, vector: &[u32]) -> io::Result<bool> {
        // What is known was most often found lately.
        for cursor in self.0.iter_mut().rev() {
            if cursor.has(vector)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
