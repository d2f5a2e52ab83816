//! Graphs as text: dot, aut, json, csv, graphml. One function per format.

use std::fmt::Write as _;

use serde_json::json;

use super::graph::{Graph, Role};
use super::svg;
use crate::choice::ExportFormat;
use crate::choice::ExportWhat;

impl Graph {
    /// The graph in a format.
    pub fn write(&self, to: ExportFormat) -> String {
        match to {
            ExportFormat::Dot => self.dot(),
            ExportFormat::Svg => svg::write(self),
            ExportFormat::Aut => self.aut(),
            ExportFormat::Json => self.json(),
            ExportFormat::Csv => self.csv(),
            ExportFormat::Graphml => self.graphml(),
        }
    }

    /// Graphviz.
    fn dot(&self) -> String {
        let mut text = format!("digraph \"{}\" {{\n", escaped(&self.model));
        if let Some(cut) = &self.cut {
            let _ = writeln!(text, "  // {cut}");
        }
        text.push_str("  node [shape=box, style=\"rounded,filled\", fillcolor=white];\n");
        for (id, node) in self.nodes.iter().enumerate() {
            let lines: Vec<String> = node.lines().iter().map(|line| escaped(line)).collect();
            let color = match node.role {
                Role::Initial => ", fillcolor=\"#d9ead3\"",
                Role::Deadlock => ", fillcolor=\"#fce5cd\"",
                Role::Broken => ", fillcolor=\"#f4cccc\"",
                Role::Root | Role::Setup => ", fillcolor=\"#eeeeee\"",
                _ => "",
            };
            let _ = writeln!(text, "  n{id} [label=\"{}\"{color}];", lines.join("\\n"));
        }
        for edge in &self.edges {
            let style = if edge.is_weak { ", style=dashed" } else { "" };
            let _ = writeln!(
                text,
                "  n{} -> n{} [label=\"{}\"{style}];",
                edge.from,
                edge.to,
                escaped(&edge.label)
            );
        }
        text.push_str("}\n");
        text
    }

    /// Aldebaran: `des (first, edges, nodes)` and one edge a line.
    fn aut(&self) -> String {
        let mut text = format!("des (0,{},{})\n", self.edges.len(), self.nodes.len());
        for edge in &self.edges {
            // There are no escapes in this format.
            let label = edge.label.replace('"', "'");
            let _ = writeln!(text, "({},\"{label}\",{})", edge.from, edge.to);
        }
        text
    }

    fn json(&self) -> String {
        let nodes = self.nodes.iter().enumerate().map(|(id, node)| {
            let values: serde_json::Map<_, _> = node
                .values
                .iter()
                .map(|(name, value)| (name.clone(), json!(value)))
                .collect();
            json!({"id": id, "role": node.role.word(), "label": node.label, "values": values})
        });
        let nodes: Vec<_> = nodes.collect();
        let edges = self.edges.iter().map(|edge| {
            json!({
                "from": edge.from,
                "to": edge.to,
                "event": edge.event,
                "label": edge.label,
                "weak": edge.is_weak,
            })
        });
        let edges: Vec<_> = edges.collect();
        let file = json!({
            "tool": "burnside",
            "model": self.model,
            "graph": self.kind.word(),
            "complete": self.cut.is_none(),
            "states": self.states(),
            "transitions": self.transitions(),
            "nodes": nodes,
            "edges": edges,
        });
        format!("{file}\n")
    }

    /// A table: states with their values, or the matrix; of other graphs the edges.
    fn csv(&self) -> String {
        let mut text = String::new();
        let mut row = |cells: Vec<&str>| {
            let cells: Vec<String> = cells.into_iter().map(cell).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        };
        let columns = self.columns.iter().map(String::as_str);
        match self.kind {
            ExportWhat::States => {
                row(["node", "role"]
                    .into_iter()
                    .chain(columns.clone())
                    .collect());
                for (id, node) in self.nodes.iter().enumerate() {
                    let id = id.to_string();
                    let value = |name: &str| {
                        let found = node.values.iter().find(|(known, _)| known == name);
                        found.map_or("", |(_, value)| value.as_str())
                    };
                    let cells = [id.as_str(), node.role.word()].into_iter();
                    row(cells.chain(columns.clone().map(value)).collect());
                }
            }
            ExportWhat::Matrix => {
                row(["event"].into_iter().chain(columns).collect());
                for node in self.nodes.iter().filter(|node| node.role == Role::Event) {
                    let cells = node.values.iter().map(|(_, value)| value.as_str());
                    row([node.label.as_str()].into_iter().chain(cells).collect());
                }
            }
            ExportWhat::Projection
            | ExportWhat::Enabling
            | ExportWhat::Hierarchy
            | ExportWhat::Automata => {
                row(vec!["from", "event", "to", "weak"]);
                let name = |id: usize| self.nodes[id].label.lines().next().unwrap_or_default();
                for edge in &self.edges {
                    let weak = if edge.is_weak { "yes" } else { "no" };
                    row(vec![name(edge.from), &edge.label, name(edge.to), weak]);
                }
            }
        }
        text
    }

    fn graphml(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  \
             <key id=\"label\" for=\"all\" attr.name=\"label\" attr.type=\"string\"/>\n  \
             <key id=\"role\" for=\"node\" attr.name=\"role\" attr.type=\"string\"/>\n",
        );
        let _ = writeln!(
            text,
            "  <graph id=\"{}\" edgedefault=\"directed\">",
            super::escaped(&self.model)
        );
        for (id, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(
                text,
                "    <node id=\"n{id}\"><data key=\"label\">{}</data><data key=\"role\">{}</data></node>",
                super::escaped(&node.lines().join("\n")),
                node.role.word()
            );
        }
        for edge in &self.edges {
            let _ = writeln!(
                text,
                "    <edge source=\"n{}\" target=\"n{}\"><data key=\"label\">{}</data></edge>",
                edge.from,
                edge.to,
                super::escaped(&edge.label)
            );
        }
        text.push_str("  </graph>\n</graphml>\n");
        text
    }
}

/// Text inside double quotes of Graphviz.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

/// A cell of a table (RFC 4180).
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
