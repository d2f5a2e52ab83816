//! A graph as a drawing, by ourselves: nothing needs to be installed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use verdict::escaped;

use super::graph::{Graph, Node};
use super::layout::place;

/// Graphs with more nodes show numbers, and values only on demand.
const MAX_DETAILED: usize = 80;
/// Graphs with more edges show no labels on them.
const MAX_LABELLED: usize = 250;
/// More lines on a node are cut.
const MAX_LINES: usize = 8;
/// Longer lines are cut.
const MAX_LINE: usize = 34;
/// The width of a letter and the height of a line, in the font below.
const LETTER: f64 = 6.7;
const LINE: f64 = 15.0;

const STYLE: &str = "\
text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#1b1f24}\
.node rect{fill:#fff;stroke:#57606a;stroke-width:1}\
.root rect,.setup rect{fill:#eef0f2}.initial rect{fill:#d7f0dd;stroke:#1a7f37}\
.deadlock rect{fill:#fde7c8;stroke:#9a6700}.broken rect{fill:#ffdcd8;stroke:#cf222e;stroke-width:2}\
.event rect{fill:#ddebff}.machine rect{fill:#ddebff}\
path{fill:none;stroke:#8c959f;stroke-width:1.1}.weak{stroke-dasharray:5 4}\
.edge text{fill:#57606a;font-size:10px;paint-order:stroke;stroke:#fff;stroke-width:3px}";

/// The drawing.
pub(super) fn write(graph: &Graph) -> String {
    let labels = labels(graph);
    let sizes: Vec<(f64, f64)> = labels.iter().map(|lines| size(lines)).collect();
    let edges = merged(graph);
    let pairs: Vec<(usize, usize)> = edges.keys().map(|(from, to, _)| (*from, *to)).collect();
    let layout = place(&sizes, &pairs);
    let mut text = head(graph, (layout.width, layout.height));
    let drawing = Drawing {
        centres: &layout.centres,
        sizes: &sizes,
    };
    drawing.edges(&edges, &mut text);
    drawing.nodes(graph, &labels, &mut text);
    if let Some(cut) = &graph.cut {
        let _ = writeln!(text, "<text x=\"8\" y=\"14\">{}</text>", escaped(cut));
    }
    text.push_str("</svg>\n");
    text
}

/// The lines of each node.
fn labels(graph: &Graph) -> Vec<Vec<String>> {
    let detailed = graph.nodes.len() <= MAX_DETAILED;
    let nodes = graph.nodes.iter().enumerate();
    nodes
        .map(|(id, node)| match detailed {
            true => lines(node),
            false => vec![id.to_string()],
        })
        .collect()
}

/// How wide and high the box of some lines is.
fn size(lines: &[String]) -> (f64, f64) {
    let lengths = lines.iter().map(|line| line.chars().count());
    let longest = lengths.max().unwrap_or(0);
    (
        (longest as f64 * LETTER + 16.0).max(28.0),
        lines.len().max(1) as f64 * LINE + 8.0,
    )
}

/// The labels of edges by their ends, and whether they are weak.
type Merged<'a> = BTreeMap<(usize, usize, bool), Vec<&'a str>>;

/// Edges between the same nodes are drawn once.
fn merged(graph: &Graph) -> Merged<'_> {
    let mut merged = Merged::new();
    for edge in &graph.edges {
        let labels = merged
            .entry((edge.from, edge.to, edge.is_weak))
            .or_default();
        if !labels.contains(&edge.label.as_str()) {
            labels.push(&edge.label);
        }
    }
    merged
}

/// What stands before edges and nodes.
fn head(graph: &Graph, (width, height): (f64, f64)) -> String {
    // Arcs that lead up, and loops, stand out on the right.
    let width = width + 90.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n<title>{}: {}</title>\n\
         <style>{STYLE}</style>\n<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
         markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" \
         style=\"fill:#8c959f;stroke:none\"/></marker></defs>\n",
        escaped(&graph.model),
        graph.kind.word()
    )
}

/// Where nodes lie.
struct Drawing<'a> {
    centres: &'a [(f64, f64)],
    sizes: &'a [(f64, f64)],
}

impl Drawing<'_> {
    /// Draws edges, with their labels where there is room; the title of an edge has them all.
    fn edges(&self, edges: &Merged<'_>, text: &mut String) {
        let labelled = edges.len() <= MAX_LABELLED;
        let boxes = self.centres.iter().zip(self.sizes);
        let mut taken: Vec<Area> = boxes
            .map(|(centre, size)| Area::around(*centre, *size))
            .collect();
        for ((from, to, is_weak), labels) in edges {
            let all = labels.join(", ");
            let curve = Curve::new(self.centres, self.sizes, *from, *to);
            let class = if *is_weak { " class=\"weak\"" } else { "" };
            let _ = write!(
                text,
                "<g class=\"edge\"><path{class} d=\"{}\" marker-end=\"url(#a)\"><title>{}</title></path>",
                curve.path(),
                escaped(&all)
            );
            let label = short(&all);
            let size = (label.chars().count() as f64 * LETTER * 0.92, 12.0);
            let mut places = PLACES.iter().map(|part| curve.at(*part));
            let free = |at: &(f64, f64)| {
                let area = Area::around(*at, size);
                taken.iter().all(|other| !area.meets(other))
            };
            if let Some(at) = places.find(free).filter(|_| labelled) {
                taken.push(Area::around(at, size));
                let _ = write!(
                    text,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    at.0,
                    at.1 + 3.5,
                    escaped(&label)
                );
            }
            text.push_str("</g>\n");
        }
    }

    /// Draws nodes as boxes with their lines.
    fn nodes(&self, graph: &Graph, labels: &[Vec<String>], text: &mut String) {
        for (id, node) in graph.nodes.iter().enumerate() {
            let (x, y) = self.centres[id];
            let (width, height) = self.sizes[id];
            let _ = write!(
                text,
                "<g class=\"node {}\"><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
                 height=\"{height:.1}\" rx=\"6\"/>",
                node.role.word(),
                escaped(&node.lines().join("\n")),
                x - width / 2.0,
                y - height / 2.0
            );
            for (number, line) in labels[id].iter().enumerate() {
                let _ = write!(
                    text,
                    "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    x - width / 2.0 + 8.0,
                    y - height / 2.0 + 15.0 + number as f64 * LINE,
                    escaped(line)
                );
            }
            text.push_str("</g>\n");
        }
    }
}

/// Where a label may lie on its edge, best first.
const PLACES: &[f64] = &[0.6, 0.5, 0.7, 0.4, 0.78, 0.3];

/// A rectangle that is taken.
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn around(centre: (f64, f64), size: (f64, f64)) -> Area {
        Area {
            left: centre.0 - size.0 / 2.0,
            right: centre.0 + size.0 / 2.0,
            top: centre.1 - size.1 / 2.0,
            bottom: centre.1 + size.1 / 2.0,
        }
    }

    fn meets(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// The curve of an edge: a cubic spline by its four points.
struct Curve([(f64, f64); 4]);

impl Curve {
    fn new(centres: &[(f64, f64)], sizes: &[(f64, f64)], from: usize, to: usize) -> Curve {
        let ((x, y), (w, h)) = (centres[from], sizes[from]);
        let ((u, v), (tw, th)) = (centres[to], sizes[to]);
        if from == to {
            let (right, r) = (x + w / 2.0, 16.0);
            let out = right + 2.0 * r;
            return Curve([
                (right, y - 6.0),
                (out, y - r),
                (out, y + r),
                (right, y + 6.0),
            ]);
        }
        if v > y {
            let (start, end) = (y + h / 2.0, v - th / 2.0);
            let middle = (start + end) / 2.0;
            return Curve([(x, start), (x, middle), (u, middle), (u, end)]);
        }
        // Up, or along the layer: an arc on the side.
        let (start, end) = (x + w / 2.0, u + tw / 2.0);
        let out = start.max(end) + 24.0 + (y - v) * 0.12;
        Curve([(start, y), (out, y), (out, v), (end, v)])
    }

    fn path(&self) -> String {
        let [(a, b), (c, d), (e, f), (g, h)] = self.0;
        format!("M{a:.1} {b:.1}C{c:.1} {d:.1} {e:.1} {f:.1} {g:.1} {h:.1}")
    }

    /// The point after a part of the way.
    fn at(&self, t: f64) -> (f64, f64) {
        let s = 1.0 - t;
        let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
        let sum = |pick: fn(&(f64, f64)) -> f64| {
            self.0
                .iter()
                .zip(weights)
                .map(|(point, weight)| pick(point) * weight)
                .sum()
        };
        (sum(|point| point.0), sum(|point| point.1))
    }
}

fn lines(node: &Node) -> Vec<String> {
    let all = node.lines();
    let mut lines: Vec<String> = all.iter().take(MAX_LINES).map(|line| short(line)).collect();
    if all.len() > MAX_LINES {
        lines.push(format!("… {} more", all.len() - MAX_LINES));
    }
    lines
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
