//! Source files and the places in them.

use std::path::{Path, PathBuf};

use crate::files::Files;
use crate::ids::{Arena, Id};

/// One file that was read, or a text given on the command line.
#[derive(Debug)]
pub struct SourceFile {
    path: PathBuf,
    text: String,
    line_starts: Vec<u32>,
}

/// Names a file of a [`Sources`].
pub type FileId = Id<SourceFile>;

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The span of `start..end` in `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// The smallest span that covers both; `self` if they lie in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Whether `other` lies inside this span.
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The empty span just after this one.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// The empty span just before this one.
    pub fn before(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }
}

/// A line and a column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// All files read so far.
#[derive(Debug, Default)]
pub struct Sources {
    files: Arena<SourceFile>,
    from: Files,
}

impl Sources {
    /// No files.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// No files; those to come are read from here.
    pub fn reading(from: Files) -> Sources {
        Sources {
            files: Arena::default(),
            from,
        }
    }

    /// Where files are read from.
    pub fn files(&self) -> &Files {
        &self.from
    }

    /// Adds a text under the path it is reported by.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: String) -> FileId {
        let line_starts = std::iter::once(0)
            .chain(
                text.bytes()
                    .enumerate()
                    .filter(|(_, byte)| *byte == b'\n')
                    .map(|(i, _)| i as u32 + 1),
            )
            .collect();
        self.files.push(SourceFile {
            path: path.into(),
            text,
            line_starts,
        })
    }

    /// How many texts there are.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// The path of a file as it was given.
    pub fn path(&self, file: FileId) -> &Path {
        &self.files[file].path
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> &str {
        &self.files[file].text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file)
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Where a span begins: `file:line:column`.
    pub fn place(&self, span: Span) -> String {
        let position = self.position(span.file, span.start);
        let path = self.path(span.file).display();
        format!("{path}:{}:{}", position.line, position.column)
    }

    /// Line and column of a byte offset; offsets past the end mean the end.
    pub fn position(&self, file: FileId, offset: u32) -> Position {
        let source = &self.files[file];
        let line = source.line_starts.partition_point(|start| *start <= offset) - 1;
        let start = source.line_starts[line] as usize;
        let end = (offset as usize).clamp(start, source.text.len());
        let column = source
            .text
            .get(start..end)
            .map_or(end - start, |prefix| prefix.chars().count());
        Position {
            line: line as u32 + 1,
            column: column as u32 + 1,
        }
    }

    /// The span of the line that holds `offset`, without its line break.
    pub fn line_span(&self, file: FileId, offset: u32) -> Span {
        let source = &self.files[file];
        let line = source.line_starts.partition_point(|start| *start <= offset) - 1;
        let start = source.line_starts[line];
        let end = source
            .line_starts
            .get(line + 1)
            .map_or(source.text.len() as u32, |next| next - 1);
        Span::new(file, start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let mut sources = Sources::new();
        let file = sources.add("m.mch", "ab\n∀x\n".to_owned());
        let at = |offset| {
            let Position { line, column } = sources.position(file, offset);
            (line, column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 3));
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(6), (2, 2));
        assert_eq!(at(7), (2, 3));
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(99), (3, 1));
    }
}
