//! Lines of places, kept beside the program: paths show them, and nobody has the sources at hand then.

use base::{FileId, Sources, Span};
use rustc_hash::FxHashMap;

/// Where the lines of each file begin.
#[derive(Debug, Default)]
pub(crate) struct Lines(FxHashMap<FileId, Vec<u32>>);

impl Lines {
    /// The lines of the first files of some sources.
    pub(crate) fn new(sources: &Sources) -> Lines {
        let files = (0..sources.count()).map(FileId::new);
        let starts = |file: FileId| {
            let ends = sources
                .text(file)
                .bytes()
                .enumerate()
                .filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0)
                .chain(ends.map(|(at, _)| at as u32 + 1))
                .collect()
        };
        Lines(files.map(|file| (file, starts(file))).collect())
    }

    /// The line of a place, from 1.
    pub(crate) fn line(&self, span: Span) -> u32 {
        let starts = self.0.get(&span.file);
        starts.map_or(0, |starts| {
            starts.partition_point(|start| *start <= span.start) as u32
        })
    }
}
