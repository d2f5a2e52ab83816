//! Message sequence charts: for the terminal and as drawings.

use std::fmt::Write as _;

use subject::display::Chart;

use crate::escape::escaped;

/// The widest column of a chart in the terminal.
const MAX_WIDTH: usize = 28;
/// The distance of columns in a drawing.
const COLUMN: usize = 170;
/// The distance of rows in a drawing.
const ROW: usize = 26;
/// What is left free at the top and at the sides.
const MARGIN: usize = 40;
/// Longer texts are cut.
const MAX_TEXT: usize = 24;

/// A chart for the terminal: a column for everybody who takes part, a line for everything that happens; a message that is
/// received says the line where it was sent.
pub fn text(chart: &Chart) -> String {
    let told: Vec<String> = chart
        .rows
        .iter()
        .map(|row| match row.from {
            Some(from) => format!("{} (sent {})", row.text, from + 1),
            None => row.text.clone(),
        })
        .collect();
    let widths: Vec<usize> = chart
        .columns
        .iter()
        .enumerate()
        .map(|(column, name)| {
            let rows = chart.rows.iter().zip(&told);
            let own = rows.filter(|(row, _)| row.column == column);
            let widest = own.map(|(_, text)| text.chars().count()).max();
            let widest = widest.unwrap_or(0).max(name.chars().count());
            widest.min(MAX_WIDTH)
        })
        .collect();
    let number = chart.rows.len().to_string().len();
    let mut out = " ".repeat(number);
    for (name, width) in chart.columns.iter().zip(&widths) {
        let _ = write!(out, "  {:<width$}", cut(name, *width));
    }
    let mut out = format!("{}\n", out.trim_end());
    for (at, (row, text)) in chart.rows.iter().zip(&told).enumerate() {
        let mut line = format!("{:>number$}", at + 1);
        for (column, width) in widths.iter().enumerate() {
            let cell = match row.column == column {
                true => cut(text, *width),
                false => "|".to_owned(),
            };
            let _ = write!(line, "  {cell:<width$}");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// A chart as a drawing: lines of life downwards, an arrow for each message that is received.
pub fn svg(chart: &Chart) -> String {
    let x = |column: usize| MARGIN + COLUMN / 2 + column * COLUMN;
    let y = |row: usize| 2 * MARGIN + row * ROW;
    let width = 2 * MARGIN + chart.columns.len().max(1) * COLUMN;
    let height = y(chart.rows.len()) + MARGIN / 2;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"monospace\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#1a5fb4\"/></marker></defs>\n"
    );
    for (column, name) in chart.columns.iter().enumerate() {
        let (x, top) = (x(column), MARGIN);
        let bottom = height - MARGIN / 4;
        let name = escaped(name);
        let _ = writeln!(
            out,
            "<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#999\"/>\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\">{name}</text>",
            top - 10
        );
    }
    for (at, row) in chart.rows.iter().enumerate() {
        let (x, y) = (x(row.column), y(at));
        let whole = escaped(&row.text);
        let short = escaped(&cut(&row.text, MAX_TEXT));
        let _ = writeln!(
            out,
            "<g><title>{whole}</title><circle cx=\"{x}\" cy=\"{y}\" r=\"3\"/>\
             <text x=\"{}\" y=\"{}\">{short}</text></g>",
            x + 6,
            y - 4
        );
    }
    for (at, row) in chart.rows.iter().enumerate() {
        let Some(from) = row.from else { continue };
        let Some(sent) = chart.rows.get(from) else {
            continue;
        };
        let _ = writeln!(
            out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#1a5fb4\" marker-end=\"url(#tip)\"/>",
            x(sent.column),
            y(from),
            x(row.column),
            y(at)
        );
    }
    out.push_str("</svg>\n");
    out
}

fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some(_) => text
            .chars()
            .take(width.saturating_sub(1))
            .chain(['…'])
            .collect(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use subject::display::{Chart, ChartRow};

    fn chart() -> Chart {
        let row = |column, text: &str, from| ChartRow {
            column,
            text: text.to_owned(),
            from,
        };
        Chart {
            columns: vec!["P[0]".to_owned(), "Q[1]".to_owned()],
            rows: vec![row(0, "c!1", None), row(1, "c?1", Some(0))],
        }
    }

    #[test]
    fn a_message_says_where_it_was_sent() {
        let told = "   P[0]  Q[1]\n1  c!1   |\n2  |     c?1 (sent 1)\n";
        assert_eq!(super::text(&chart()), told);
    }

    #[test]
    fn a_drawing_has_an_arrow_for_each_message() {
        let drawn = super::svg(&chart());
        assert_eq!(drawn.matches("marker-end").count(), 1);
        assert_eq!(drawn.matches("<circle").count(), 2);
    }
}
