//! Lines of places, kept beside the program: paths show them, and nobody has the sources at hand then.

use base::{FileId, Sources, Span};
use rustc_hash::FxHashMap;

/// The name of each file, and where its lines begin.
#[derive(Debug, Default)]
pub(crate) struct Lines(FxHashMap<FileId, (String, Vec<u32>)>);

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
            let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1));
            let name = sources.path(file).file_name().unwrap_or_default();
            (name.to_string_lossy().into_owned(), starts.collect())
        };
        Lines(files.map(|file| (file, starts(file))).collect())
    }

    /// The line of a place, from 1.
    pub(crate) fn line(&self, span: Span) -> u32 {
        let starts = self.0.get(&span.file);
        starts.map_or(0, |(_, starts)| {
            starts.partition_point(|start| *start <= span.start) as u32
        })
    }

    /// `file.pml:12`
    pub(crate) fn place(&self, span: Span) -> String {
        let name = self.0.get(&span.file).map_or("", |(name, _)| name);
        format!("{name}:{}", self.line(span))
    }
}
