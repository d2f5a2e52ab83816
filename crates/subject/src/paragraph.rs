//! The paragraphs of a text that people know by their shape: schemas, definitions of constants, and lines of their own.

use std::fmt::Write as _;

/// A paragraph, as it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// What stands in the upper edge of its box; empty where the box has none.
    pub title: String,
    /// How it is set.
    pub shape: Shape,
    /// Its declarations, or the line that it is.
    pub declared: Vec<String>,
    /// What is said of what it declares.
    pub said: Vec<String>,
}

/// How a paragraph is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A box with a title.
    Schema,
    /// A bar at the left.
    Axiom,
    /// A line.
    Line,
}

/// A box is at least so wide.
const LEAST_WIDTH: usize = 32;

impl Paragraph {
    /// The paragraph for a terminal, with a line break at its end.
    pub fn text(&self) -> String {
        let parts = self.declared.iter().chain(&self.said);
        let longest = parts.map(|part| part.chars().count()).max().unwrap_or(0);
        let title = self.title.chars().count();
        let width = (longest + 2).max(title + 4).max(LEAST_WIDTH);
        let mut text = String::new();
        let (edge, bar) = match self.shape {
            Shape::Line => {
                for part in &self.declared {
                    let _ = writeln!(text, "{part}");
                }
                return text;
            }
            Shape::Axiom if self.title.is_empty() => (String::new(), "│ "),
            Shape::Schema | Shape::Axiom => {
                let rest = "─".repeat(width.saturating_sub(title + 3));
                (format!("┌─ {} {rest}\n", self.title), "│ ")
            }
        };
        text += &edge;
        for part in &self.declared {
            let _ = writeln!(text, "{bar}{part}");
        }
        if !self.said.is_empty() {
            let _ = writeln!(text, "├{}", "─".repeat(LEAST_WIDTH / 2));
        }
        for part in &self.said {
            let _ = writeln!(text, "{bar}{part}");
        }
        if self.shape == Shape::Schema {
            let _ = writeln!(text, "└{}", "─".repeat(width));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Paragraph, Shape};

    #[test]
    fn a_schema_is_a_box_and_an_axiom_a_bar() {
        let paragraph = |shape, title: &str| Paragraph {
            title: title.to_owned(),
            shape,
            declared: vec!["n : ℕ".to_owned()],
            said: vec!["n ≤ 3".to_owned()],
        };
        let schema = paragraph(Shape::Schema, "Count").text();
        let lines: Vec<&str> = schema.lines().collect();
        assert!(lines[0].starts_with("┌─ Count ─"), "{schema}");
        assert_eq!(lines[1..4], ["│ n : ℕ", "├────────────────", "│ n ≤ 3"]);
        assert_eq!(
            lines[0].chars().count(),
            lines[4].chars().count(),
            "{schema}"
        );
        let axiom = paragraph(Shape::Axiom, "").text();
        assert_eq!(axiom, "│ n : ℕ\n├────────────────\n│ n ≤ 3\n");
    }
}
