//! The paragraphs of the text, set as they are in print: schemas as boxes that are open at the right.

use subject::paragraph::{Paragraph, Shape};

use super::Page;
use crate::export::escaped;

impl Page {
    /// All paragraphs, folded.
    pub(super) fn paragraphs(&mut self, paragraphs: &[Paragraph]) {
        if paragraphs.is_empty() {
            return;
        }
        self.heading("text", "The specification");
        self.add(format_args!("<div class=\"paragraphs\">"));
        for paragraph in paragraphs {
            self.paragraph(paragraph);
        }
        self.add(format_args!("</div>"));
    }

    fn paragraph(&mut self, paragraph: &Paragraph) {
        let class = match paragraph.shape {
            Shape::Line => {
                for line in &paragraph.declared {
                    self.add(format_args!("<p class=\"line\">{}</p>", escaped(line)));
                }
                return;
            }
            Shape::Schema => "schema",
            Shape::Axiom => "axiom",
        };
        let title = escaped(&paragraph.title);
        self.add(format_args!("<section class=\"{class}\"><h3>{title}</h3>"));
        self.lines("declared", &paragraph.declared);
        self.lines("said", &paragraph.said);
        self.add(format_args!("</section>"));
    }

    fn lines(&mut self, class: &str, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        self.add(format_args!("<div class=\"{class}\">"));
        for line in lines {
            self.add(format_args!("<p>{}</p>", escaped(line)));
        }
        self.add(format_args!("</div>"));
    }
}
