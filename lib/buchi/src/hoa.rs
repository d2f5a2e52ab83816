//! Writes automata in the Hanoi omega-automata format, to be read by other tools.
//!
//! The format knows infinite words only. A word that ends is written as one whose further atom `alive` is false for
//! ever after the last letter.

use std::fmt::Write;

use crate::automaton::{Automaton, Cube};

impl Automaton {
    /// The automaton in HOA format, version 1; atoms without a name are called `p0`, `p1`, …
    pub fn to_hoa(&self, names: &[String]) -> String {
        let atoms = (self.atoms as usize).max(names.len());
        let alive = atoms;
        let after_end = self.states.len();
        let mut text = String::from("HOA: v1\n");
        let mut line = |text_line: std::fmt::Arguments<'_>| {
            // Writing to a string does not fail.
            let _ = text.write_fmt(text_line);
            text.push('\n');
        };
        line(format_args!("States: {}", self.states.len() + 1));
        for state in &self.initial {
            line(format_args!("Start: {state}"));
        }
        let mut list = format!("AP: {}", atoms + 1);
        for at in 0..atoms {
            let own = format!("p{at}");
            let name = names.get(at).unwrap_or(&own);
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = write!(list, " \"{name}\"");
        }
        line(format_args!("{list} \"alive\""));
        let name = match self.sets {
            0 => "all".to_string(),
            1 => "Buchi".to_string(),
            sets => format!("generalized-Buchi {sets}"),
        };
        line(format_args!("acc-name: {name}"));
        let sets: Vec<String> = (0..self.sets).map(|set| format!("Inf({set})")).collect();
        let condition = match sets.is_empty() {
            true => "t".to_string(),
            false => sets.join("&"),
        };
        line(format_args!("Acceptance: {} {condition}", self.sets));
        line(format_args!(
            "properties: trans-labels explicit-labels trans-acc"
        ));
        line(format_args!("--BODY--"));
        let marks = |accepting: u64| {
            let sets = (0..self.sets).filter(|set| accepting >> set & 1 == 1);
            let sets: Vec<String> = sets.map(|set| set.to_string()).collect();
            match sets.is_empty() {
                true => String::new(),
                false => format!(" {{{}}}", sets.join(" ")),
            }
        };
        let label = |cube: &Cube| {
            let mut label = alive.to_string();
            for (atom, sign) in cube.literals() {
                let _ = write!(label, "&{}{atom}", if sign { "" } else { "!" });
            }
            label
        };
        for (at, state) in self.states.iter().enumerate() {
            line(format_args!("State: {at}"));
            for edge in &state.edges {
                let (label, marks) = (label(&edge.guard), marks(edge.accepting));
                line(format_args!("[{label}] {}{marks}", edge.target));
            }
            for end in &state.ends {
                line(format_args!("[{}] {after_end}", label(end)));
            }
        }
        line(format_args!("State: {after_end}"));
        let all = marks(self.all_sets());
        line(format_args!("[!{alive}] {after_end}{all}"));
        line(format_args!("--END--"));
        text
    }
}
