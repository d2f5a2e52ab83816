//! A line over time, as a small drawing.

use std::fmt::Write as _;

/// Fewer points are no line.
pub(super) const FEWEST: usize = 3;
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 120.0;
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 18.0;

/// The drawing of points in the order of time.
pub(super) fn line(points: &[(f64, f64)], caption: &str) -> String {
    let end = points
        .iter()
        .map(|point| point.0)
        .fold(f64::MIN_POSITIVE, f64::max);
    let most = points.iter().map(|point| point.1).fold(1.0, f64::max);
    let x = |time: f64| LEFT + time / end * (WIDTH - LEFT - 6.0);
    let y = |value: f64| HEIGHT - BOTTOM - value / most * (HEIGHT - BOTTOM - 8.0);
    let mut path = String::new();
    for (number, (time, value)) in points.iter().enumerate() {
        let letter = if number == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{:.1} {:.1}", x(*time), y(*value));
    }
    let area = format!(
        "{path}L{:.1} {:.1}L{:.1} {:.1}Z",
        x(end),
        y(0.0),
        x(points[0].0),
        y(0.0)
    );
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"100%\" role=\"img\" aria-label=\"{caption} over time\">\
         <path d=\"{area}\" fill=\"#ddebff\"/><path d=\"{path}\" fill=\"none\" stroke=\"#0969da\" stroke-width=\"1.6\"/>\
         <line x1=\"{LEFT}\" y1=\"{base:.1}\" x2=\"{WIDTH}\" y2=\"{base:.1}\" stroke=\"#8c959f\"/>\
         <g font-size=\"10\" fill=\"#57606a\"><text x=\"{label:.1}\" y=\"14\" text-anchor=\"end\">{}</text>\
         <text x=\"{label:.1}\" y=\"{base:.1}\" text-anchor=\"end\">0</text>\
         <text x=\"{WIDTH}\" y=\"{HEIGHT}\" text-anchor=\"end\">{end:.1} s</text></g></svg>",
        short(most),
        base = HEIGHT - BOTTOM,
        label = LEFT - 6.0
    )
}

/// `1.2 M`
fn short(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{:.1} G", v / 1e9),
        v if v >= 1e6 => format!("{:.1} M", v / 1e6),
        v if v >= 1e4 => format!("{:.0} k", v / 1e3),
        v => format!("{v:.0}"),
    }
}
