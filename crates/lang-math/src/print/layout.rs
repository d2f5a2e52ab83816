//! Decides where printed text breaks into lines: short things stay on one line, long ones do not.
//!
//! A printer emits texts, groups and places where a line may end; [`Layout::finish`] chooses. A group that
//! fits stays on one line. In a group that does not, every [`Layout::soft`] becomes a line end, and a
//! [`Layout::fill`] does if what follows it up to the next one would not fit.
//! Differs from the usual documents-as-trees: items are a flat list, so depth costs no stack, and three
//! passes over it make the whole linear in the length of the text.

/// The width that lines try to keep.
pub const WIDTH: usize = 100;

/// The columns of one level of indentation.
const STEP: usize = 2;

/// Where indentation stops: deeper nesting than this would leave no room for text, and make the length of
/// the output quadratic in the depth.
const MAX_INDENTATION: usize = 60;

/// Wider than any line: a group with a line end inside never fits.
const NEVER_FITS: usize = 1 << 40;

/// Text with places where lines may end.
#[derive(Debug, Default)]
pub struct Layout {
    text: String,
    items: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
enum Item {
    /// The text from the end of the text before up to this byte.
    Text(usize),
    Open,
    Close,
    /// A line end if the group is broken, else a space.
    Soft,
    /// A line end if the group is broken, else nothing.
    Cut,
    /// A line end if what follows does not fit, else a space.
    Fill,
    /// A line end.
    Line,
    In,
    Out,
}

impl Layout {
    /// An empty layout.
    pub fn new() -> Layout {
        Layout::default()
    }

    /// Adds text that stays together.
    pub fn text(&mut self, text: &str) {
        self.text.push_str(text);
        let end = self.text.len();
        match self.items.last_mut() {
            Some(Item::Text(last)) => *last = end,
            _ => self.items.push(Item::Text(end)),
        }
    }

    /// Starts a group.
    pub fn open(&mut self) {
        self.items.push(Item::Open);
    }

    /// Ends the group started last.
    pub fn close(&mut self) {
        self.items.push(Item::Close);
    }

    /// A space, or a line end where the group is broken.
    pub fn soft(&mut self) {
        self.items.push(Item::Soft);
    }

    /// Nothing, or a line end where the group is broken.
    pub fn cut(&mut self) {
        self.items.push(Item::Cut);
    }

    /// A space, or a line end where the text up to the next one would not fit.
    pub fn fill(&mut self) {
        self.items.push(Item::Fill);
    }

    /// A line end.
    pub fn line(&mut self) {
        self.items.push(Item::Line);
    }

    /// Lines that start from here on are indented by one more step.
    pub fn indent(&mut self) {
        self.items.push(Item::In);
    }

    /// Takes one step of indentation back.
    pub fn dedent(&mut self) {
        self.items.push(Item::Out);
    }

    /// The text, broken into lines.
    pub fn finish(self) -> String {
        let before = self.widths();
        let reach = self.reaches(&before);
        let mut page = Page::default();
        let mut flat = vec![false];
        let mut start = 0;
        for (i, item) in self.items.iter().enumerate() {
            let is_flat = flat.last().copied().unwrap_or(false);
            let fits = page.column + (reach[i] - before[i]) <= WIDTH;
            match *item {
                Item::Text(end) => {
                    page.text(&self.text[start..end]);
                    start = end;
                }
                Item::Open => flat.push(is_flat || fits),
                Item::Close => {
                    flat.pop();
                }
                Item::Soft if is_flat => page.text(" "),
                Item::Cut if is_flat => {}
                Item::Fill if is_flat || fits => page.text(" "),
                Item::Soft | Item::Cut | Item::Fill | Item::Line => page.line(),
                Item::In => page.indentation += STEP,
                Item::Out => page.indentation -= STEP,
            }
        }
        page.out
    }

    /// For each item the width of all before it, were everything on one line.
    fn widths(&self) -> Vec<usize> {
        let (mut start, mut width) = (0, 0);
        let mut before = Vec::with_capacity(self.items.len() + 1);
        before.push(0);
        for item in &self.items {
            width += match *item {
                Item::Text(end) => self.text[std::mem::replace(&mut start, end)..end]
                    .chars()
                    .count(),
                Item::Soft | Item::Fill => 1,
                Item::Line => NEVER_FITS,
                Item::Open | Item::Close | Item::Cut | Item::In | Item::Out => 0,
            };
            before.push(width);
        }
        before
    }

    /// For each group and fill the width before the first place where a line may end after what must fit.
    fn reaches(&self, before: &[usize]) -> Vec<usize> {
        struct Group {
            after: usize,
            next: usize,
        }
        let end = before.last().copied().unwrap_or(0);
        let mut reach = before.to_vec();
        let mut next_break = end;
        let mut groups = vec![Group {
            after: end,
            next: end,
        }];
        for (i, item) in self.items.iter().enumerate().rev() {
            match item {
                Item::Close => groups.push(Group {
                    after: next_break,
                    next: next_break,
                }),
                Item::Open => {
                    if let Some(group) = groups.pop() {
                        reach[i] = group.after;
                    }
                }
                Item::Soft | Item::Cut | Item::Fill | Item::Line => {
                    next_break = before[i];
                    if let Some(group) = groups.last_mut() {
                        reach[i] = group.next;
                        group.next = next_break;
                    }
                }
                Item::Text(_) | Item::In | Item::Out => {}
            }
        }
        reach
    }
}

/// Lines under construction. Invariant: no line ends in blanks that [`Layout`] added.
#[derive(Default)]
struct Page {
    out: String,
    column: usize,
    indentation: usize,
    pending: bool,
}

impl Page {
    fn line(&mut self) {
        self.out.push('\n');
        self.column = self.indentation.min(MAX_INDENTATION);
        self.pending = true;
    }

    fn text(&mut self, text: &str) {
        if std::mem::take(&mut self.pending) {
            self.column = self.indentation.min(MAX_INDENTATION);
            self.out.extend(std::iter::repeat_n(' ', self.column));
        }
        self.out.push_str(text);
        self.column = match text.rfind('\n') {
            Some(newline) => text[newline + 1..].chars().count(),
            None => self.column + text.chars().count(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: usize, separator: fn(&mut Layout)) -> String {
        let mut layout = Layout::new();
        layout.text("{");
        layout.indent();
        layout.open();
        for i in 0..words {
            if i > 0 {
                layout.text(",");
                separator(&mut layout);
            }
            layout.text("word");
        }
        layout.close();
        layout.dedent();
        layout.text("}");
        layout.finish()
    }

    #[test]
    fn what_fits_stays_on_one_line() {
        assert_eq!(list(3, Layout::soft), "{word, word, word}");
        assert_eq!(list(16, Layout::soft).lines().count(), 1);
    }

    #[test]
    fn a_broken_group_ends_a_line_at_every_soft_place() {
        let text = list(40, Layout::soft);
        assert_eq!(text.lines().count(), 40);
        assert!(text.lines().skip(1).all(|line| line.starts_with("  word")));
    }

    #[test]
    fn a_fill_uses_the_width_but_does_not_exceed_it() {
        let text = list(40, Layout::fill);
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
    }

    #[test]
    fn a_line_end_breaks_the_groups_around_it() {
        let mut layout = Layout::new();
        layout.open();
        layout.text("a");
        layout.soft();
        layout.text("b");
        layout.line();
        layout.text("c");
        layout.close();
        assert_eq!(layout.finish(), "a\nb\nc");
    }
}
