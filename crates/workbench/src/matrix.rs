//! Shows who reads and writes what, before and after slots are reordered: `analyse --matrix`.
//!
//! Paper: [Bendisposto et al. 2016], figure 4. One row for each group, one column for each slot: `r` read, `w`
//! overwritten, `+` read and written, `m` written by some steps only, `.` untouched.
//! Invariant: what is shown is what the symbolic engine uses: both ask the compiled system and `search`.

mod png;

use std::fmt::Write as _;
use std::path::Path;

use base::Diagnostics;
use pins::Shape;
use search::symbolic::order::{self, Reorder as Order};
use serde::Serialize;
use subject::{Form, Parts, Setting, Subject};

use crate::choice::{Reorder, Split};
use crate::lint::Lint;
use crate::open::{Opened, Workbench};

/// What was found about a file.
#[derive(Debug)]
pub struct Matrices {
    /// What is wrong with the file.
    pub lint: Lint,
    /// The matrix as declared, then as reordered.
    pub matrices: Option<[Matrix; 2]>,
}

/// Who reads and writes what.
#[derive(Clone, Debug, Serialize)]
pub struct Matrix {
    /// How the slots are ordered.
    pub order: String,
    /// The slots.
    pub slots: Vec<String>,
    /// The groups: name, and one letter for each slot.
    pub groups: Vec<(String, String)>,
    /// What the order is expected to cost.
    pub weighted_event_span: f64,
}

/// The matrices of the model in a file. Without `reorder` the best order is shown.
pub fn matrices(
    bench: &Workbench,
    path: &Path,
    setting: &Setting,
    reorder: Option<Reorder>,
    split: Split,
) -> Matrices {
    let Opened { mut lint, subject } = match bench.open(path, setting) {
        Ok(opened) => opened,
        Err(lint) => {
            return Matrices {
                lint: *lint,
                matrices: None,
            };
        }
    };
    let (order, word) = match reorder {
        None => (Order::Best, "best"),
        Some(Reorder::None) => (Order::None, "none"),
        Some(Reorder::Sloan) => (Order::Sloan, "sloan"),
        Some(Reorder::CuthillMckee) => (Order::CuthillMckee, "cuthill-mckee"),
        Some(Reorder::Force) => (Order::Force, "force"),
        Some(Reorder::Anneal) => (Order::Anneal, "anneal"),
    };
    let matrices = match shape_of(&*subject, split) {
        Ok(shape) => Some([
            Matrix::new(&shape, Order::None, "as declared"),
            Matrix::new(&shape, order, word),
        ]),
        Err(diagnostics) => {
            lint.diagnostics.extend(diagnostics);
            None
        }
    };
    Matrices { lint, matrices }
}

/// Rows and columns of a picture in letters; more are left out, and said so.
const MOST: usize = 200;

impl Matrix {
    fn new(shape: &Shape, reorder: Order, word: &str) -> Matrix {
        let order = order::order(shape, reorder);
        let touched = order::touched(shape);
        let letter = |group: &pins::Group, slot: usize| match (
            group.reads.contains(slot),
            group.may_write.contains(slot),
            group.must_write.contains(slot),
        ) {
            (true, true, _) => '+',
            (true, false, _) => 'r',
            (false, true, true) => 'w',
            (false, true, false) => 'm',
            (false, false, _) => '.',
        };
        let groups = shape.groups.iter().map(|group| {
            let letters = order.iter().map(|slot| letter(group, *slot));
            (group.name.to_string(), letters.collect())
        });
        Matrix {
            order: word.to_owned(),
            slots: order
                .iter()
                .map(|slot| shape.slots[*slot].name.to_string())
                .collect(),
            groups: groups.collect(),
            weighted_event_span: order::weighted_span(&touched, &order),
        }
    }

    /// The picture in letters.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} slots, {} groups, order {}: weighted event span {:.3}\n",
            self.slots.len(),
            self.groups.len(),
            self.order,
            self.weighted_event_span
        );
        let width = self
            .groups
            .iter()
            .take(MOST)
            .map(|(name, _)| name.chars().count());
        let width = width.max().unwrap_or(0);
        for (name, letters) in self.groups.iter().take(MOST) {
            let letters: String = letters.chars().take(MOST).collect();
            let _ = writeln!(text, "  {name:width$} {letters}");
        }
        if self.groups.len() > MOST || self.slots.len() > MOST {
            text.push_str("  … (JSON and SVG have all)\n");
        }
        let _ = writeln!(text, "  columns: {}", self.slots.join(", "));
        text
    }

    /// The picture as an image: eight by eight pixels for each cell, without names.
    pub fn png(&self) -> Vec<u8> {
        const CELL: usize = 8;
        let (width, height) = (self.slots.len() * CELL, self.groups.len() * CELL);
        let mut pixels = Vec::with_capacity(width * height * 3);
        for (_, letters) in &self.groups {
            let row: Vec<[u8; 3]> = letters.chars().map(colour).collect();
            for line in 0..CELL {
                for cell in &row {
                    for column in 0..CELL {
                        let is_rim = line == CELL - 1 || column == CELL - 1;
                        pixels.extend(if is_rim { [255; 3] } else { *cell });
                    }
                }
            }
        }
        png::rgb(width, height, &pixels)
    }

    /// The picture as a drawing.
    pub fn svg(&self) -> String {
        const CELL: usize = 10;
        let (margin, head) = (160, 130);
        let width = margin + self.slots.len() * CELL + 10;
        let height = head + self.groups.len() * CELL + 10;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"8\">\n"
        );
        for (at, slot) in self.slots.iter().enumerate() {
            let (x, y) = (margin + at * CELL + 7, head - 4);
            let name = escaped(slot);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" transform=\"rotate(-60 {x} {y})\">{name}</text>"
            );
        }
        for (row, (name, letters)) in self.groups.iter().enumerate() {
            let y = head + row * CELL;
            let _ = writeln!(
                svg,
                "<text x=\"2\" y=\"{}\">{}</text>",
                y + 8,
                escaped(name)
            );
            for (at, letter) in letters.chars().enumerate() {
                let [red, green, blue] = colour(letter);
                let colour = format!("#{red:02x}{green:02x}{blue:02x}");
                let x = margin + at * CELL;
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"9\" height=\"9\" fill=\"{colour}\"/>"
                );
            }
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// Read blue, overwritten red, both violet, written by some steps ochre.
fn colour(letter: char) -> [u8; 3] {
    match letter {
        'r' => [0x7a, 0xa6, 0xd6],
        'w' => [0xd6, 0x7a, 0x7a],
        '+' => [0x7d, 0x5b, 0xa6],
        'm' => [0xe0, 0xb0, 0x50],
        _ => [0xee, 0xee, 0xee],
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The slots and groups that the symbolic engine works on.
fn shape_of(subject: &dyn Subject, split: Split) -> Result<Shape, Diagnostics> {
    let parts = match split {
        Split::Off => Parts::Whole,
        Split::On => Parts::Everything,
        Split::Auto => Parts::Worth,
    };
    let in_parts = subject.ground(&Form {
        parts,
        ..Form::default()
    })?;
    let ground = match in_parts {
        Some(ground) => Some(ground),
        None => subject.ground(&Form::default())?,
    };
    Ok(ground.map_or_else(Shape::default, |ground| ground.system().shape().clone()))
}
