//! Cuts the few lines that a diagnostic talks about out of a file that may be huge.
//!
//! A renderer that is handed whole files scans them, and one that is handed a line of a megabyte prints it.
//! Invariant: an excerpt has at most [`LINES`] lines of at most [`LINE`] characters.

use std::ops::Range;

use annotate_snippets::normalize_untrusted_str as visible;

use crate::source::{FileId, Sources, Span};

/// Places at most so many lines apart share an excerpt; a longer span is shown by its first line. The
/// renderer folds what lies between, so this bounds work, not what is seen.
const LINES: u32 = 200;

/// The longest line that is shown as it is. The renderer scrolls lines wider than the terminal by itself.
const LINE: usize = 300;

/// Of a longer line, so many characters before the mark are kept …
const BEFORE: usize = 40;

/// … and so many from the mark on.
const AFTER: usize = 80;

/// Stands for what was cut from a line.
const CUT: &str = "...";

/// How far to look back from a blank line for one that shows where in the text it is.
const LOOK_BACK: usize = 20;

/// A place to show.
pub(super) struct Mark<'a> {
    /// Where; exists in the file, at character boundaries, without trailing line breaks.
    pub(super) span: Span,
    /// Whether it is the place the diagnostic is about.
    pub(super) primary: bool,
    /// What is there; may be empty.
    pub(super) text: &'a str,
    first_line: u32,
    last_line: u32,
}

/// Some consecutive lines of one file, and the marks in them.
pub(super) struct Excerpt<'a> {
    /// The path of the file, safe to print.
    pub(super) path: String,
    /// The number of the first line.
    pub(super) first_line: u32,
    /// The lines, cut if need be.
    pub(super) text: String,
    /// What to mark.
    pub(super) marks: Vec<Mark<'a>>,
    /// A line to show although nothing is marked in it: the text before a place on a blank line.
    pub(super) context: Option<Range<usize>>,
    file: FileId,
    last_line: u32,
    lines: Vec<Line>,
}

/// What is kept of a line of the file, and where it stands in the text of the excerpt.
struct Line {
    start: usize,
    kept: Range<usize>,
    at: usize,
}

impl<'a> Mark<'a> {
    /// A mark for `span`, or for what there is of it.
    pub(super) fn new(span: Span, primary: bool, text: &'a str, sources: &Sources) -> Mark<'a> {
        let mut span = existing(span, sources);
        let trimmed = sources.slice(span).trim_end_matches(['\r', '\n']);
        span.end = span.start + trimmed.len() as u32;
        let first_line = sources.position(span.file, span.start).line;
        let mut last_line = sources.position(span.file, span.end).line;
        if last_line - first_line >= LINES {
            span.end = sources.line_span(span.file, span.start).end;
            last_line = first_line;
        }
        Mark {
            span,
            primary,
            text,
            first_line,
            last_line,
        }
    }
}

impl<'a> Excerpt<'a> {
    /// The excerpts that show all of `marks`: neighbours together, in the order of the first mark of each.
    pub(super) fn gather(marks: Vec<Mark<'a>>, sources: &Sources) -> Vec<Excerpt<'a>> {
        let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
        for mark in marks {
            let near = excerpts.iter_mut().find(|excerpt| {
                let first = excerpt.first_line.min(mark.first_line);
                let last = excerpt.last_line.max(mark.last_line);
                excerpt.file == mark.span.file && last - first < LINES
            });
            match near {
                Some(excerpt) => {
                    excerpt.first_line = excerpt.first_line.min(mark.first_line);
                    excerpt.last_line = excerpt.last_line.max(mark.last_line);
                    excerpt.marks.push(mark);
                }
                None => excerpts.push(Excerpt {
                    path: visible(&sources.path(mark.span.file).to_string_lossy()),
                    first_line: mark.first_line,
                    text: String::new(),
                    context: None,
                    file: mark.span.file,
                    last_line: mark.last_line,
                    marks: vec![mark],
                    lines: Vec::new(),
                }),
            }
        }
        for excerpt in &mut excerpts {
            excerpt.fill(sources);
        }
        excerpts
    }

    /// The bytes of the excerpt that stand for `span`.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        self.offset(span.start as usize)..self.offset(span.end as usize)
    }

    /// The heading `path:line:column` that the renderer derives from a cut line, and the right one; `None`
    /// if they agree.
    pub(super) fn heading(&self, sources: &Sources) -> Option<(String, String)> {
        let mark = self
            .marks
            .iter()
            .min_by_key(|mark| (!mark.primary, mark.span.start))?;
        let meant = sources.position(self.file, mark.span.start);
        let before = &self.text[..self.offset(mark.span.start as usize)];
        let shown = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        let heading = |column| format!("{}:{}:{column}", self.path, meant.line);
        (shown != meant.column as usize).then(|| (heading(shown), heading(meant.column as usize)))
    }

    /// Copies the lines out of the file.
    fn fill(&mut self, sources: &Sources) {
        let text = sources.text(self.file);
        let line_at = |offset: usize| {
            let line = sources.line_span(self.file, offset as u32);
            line.start as usize..line.end as usize
        };
        let first = self.marks.iter().map(|mark| mark.span.start).min();
        let mut line = line_at(first.unwrap_or(0) as usize);
        if text[line.clone()].trim().is_empty() {
            let mut above = line.clone();
            for back in 1..=LOOK_BACK {
                if above.start == 0 {
                    break;
                }
                above = line_at(above.start - 1);
                if !text[above.clone()].trim().is_empty() {
                    self.first_line -= back as u32;
                    self.context = Some(0..0);
                    line = above;
                    break;
                }
            }
        }
        for number in self.first_line..=self.last_line {
            if number > self.first_line {
                line = line_at(line.end + 1);
                self.text.push('\n');
            }
            let content = line.start..line.start + text[line.clone()].trim_end_matches('\r').len();
            let kept = self.keep(text, content.clone());
            if kept.start > content.start {
                self.text.push_str(CUT);
            }
            let at = self.text.len();
            self.text.push_str(&text[kept.clone()]);
            if kept.end < content.end {
                self.text.push_str(CUT);
            }
            self.lines.push(Line {
                start: line.start,
                kept,
                at,
            });
        }
        // An empty last line is no line to the renderer.
        if self
            .lines
            .last()
            .is_some_and(|line| line.at == self.text.len())
        {
            self.text.push('\n');
        }
    }

    /// The part of a line that is shown: all of it, or what surrounds its first mark.
    fn keep(&self, text: &str, line: Range<usize>) -> Range<usize> {
        if line.len() <= LINE {
            return line;
        }
        let inside = |offset: u32| {
            let offset = offset as usize;
            (line.start..=line.end).contains(&offset).then_some(offset)
        };
        let focus = self
            .marks
            .iter()
            .find_map(|mark| inside(mark.span.start).or_else(|| inside(mark.span.end)))
            .unwrap_or(line.start);
        let before = &text[line.start..focus];
        let start = before
            .char_indices()
            .rev()
            .take(BEFORE)
            .last()
            .map_or(focus, |(offset, _)| line.start + offset);
        let end = text[focus..line.end]
            .char_indices()
            .nth(AFTER)
            .map_or(line.end, |(offset, _)| focus + offset);
        start..end
    }

    /// Where the byte `offset` of the file stands in the excerpt; what was cut is at the cut.
    fn offset(&self, offset: usize) -> usize {
        let after = self.lines.partition_point(|line| line.start <= offset);
        let line = &self.lines[after.saturating_sub(1)];
        line.at + offset.clamp(line.kept.start, line.kept.end) - line.kept.start
    }
}

/// The part of `span` that exists: within the file and at character boundaries.
pub(super) fn existing(span: Span, sources: &Sources) -> Span {
    let text = sources.text(span.file);
    let start = text.floor_char_boundary(span.start as usize);
    let end = text.ceil_char_boundary((span.end as usize).min(text.len()));
    Span::new(span.file, start as u32, end.max(start) as u32)
}
