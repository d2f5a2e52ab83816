//! Coverage for people: tables, what was not reached, and what is missing.

use std::fmt::Write as _;

use super::*;

impl Coverage {
    /// The exit code: 20 when not every state was looked at.
    pub fn exit(&self) -> u8 {
        if self.complete { 0 } else { 20 }
    }

    /// The coverage for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let all = match (self.complete, self.unknown.is_empty()) {
            (true, _) => "all there are",
            (false, true) => "not all there are",
            (false, false) => "there may be more",
        };
        let states = counted(self.states as u64, "state");
        let _ = writeln!(text, "{}: {states} looked at, {all}", self.model);
        for unknown in &self.unknown {
            let _ = writeln!(text, "not known: {unknown}");
        }
        let _ = writeln!(
            text,
            "\nevents and guards            transitions  true  false  decides"
        );
        for event in &self.events {
            let count = grouped(event.transitions);
            let _ = writeln!(text, "  {:<28}{count:>10}", event.name);
            for conjunct in &event.guard {
                let sign = |seen: u64| if seen > 0 { "yes" } else { "-" };
                let _ = writeln!(
                    text,
                    "    {:<36} {:>5}  {:>5}  {:>7}",
                    short(&conjunct.text, 36),
                    sign(conjunct.seen_true),
                    sign(conjunct.seen_false),
                    sign(conjunct.decides)
                );
            }
        }
        if !self.branches.is_empty() {
            let _ = writeln!(
                text,
                "\nconditions in bodies                     true     false"
            );
            for branch in &self.branches {
                let _ = writeln!(
                    text,
                    "  {:<34} {:>9} {:>9}  {}",
                    short(&branch.text, 34),
                    grouped(branch.seen_true),
                    grouped(branch.seen_false),
                    branch.place
                );
            }
        }
        let unreached = self.unreached();
        if !unreached.is_empty() {
            let _ = write!(text, "\n{unreached}");
        }
        let _ = writeln!(text, "\nvalues");
        for variable in &self.variables {
            let more = if variable.distinct > variable.values.len() {
                ", …"
            } else {
                ""
            };
            let values = short(&variable.values.join(", "), 90);
            let _ = writeln!(
                text,
                "  {} {}: {values}{more}",
                variable.name,
                grouped(variable.distinct as u64)
            );
        }
        let gaps = self.gaps();
        let _ = writeln!(text, "\n{}", counted(gaps.len() as u64, "gap"));
        for gap in gaps {
            let _ = writeln!(text, "  {gap}");
        }
        text
    }

    /// The places that nobody came to with their statements, in the lines that users of SPIN know. A place counts once, whatever
    /// can be done there; the last one is the end of a process, whose number is the greatest.
    pub fn unreached(&self) -> String {
        let mut text = String::new();
        let mut owners: Vec<&str> = Vec::new();
        for statement in &self.statements {
            if !owners.contains(&statement.owner.as_str()) {
                owners.push(&statement.owner);
            }
        }
        for owner in owners {
            let own = || self.statements.iter().filter(|known| known.owner == owner);
            let unreached: Vec<&StatementCoverage> =
                own().filter(|known| !known.is_reached).collect();
            let _ = writeln!(text, "unreached in {owner}");
            for known in &unreached {
                let StatementCoverage {
                    place,
                    number,
                    text: statement,
                    ..
                } = known;
                let _ = writeln!(text, "\t{place}, state {number}, \"{statement}\"");
            }
            let numbers = unreached.iter().map(|known| known.number);
            let places = numbers.collect::<BTreeSet<u32>>().len();
            let all = own().map(|known| known.number).max().unwrap_or(0);
            let _ = writeln!(text, "\t({places} of {all} states)");
        }
        text
    }

    /// What was never seen, line by line.
    pub fn gaps(&self) -> Vec<String> {
        let never = if self.complete {
            "never"
        } else {
            "not seen to be"
        };
        let mut gaps = Vec::new();
        for event in &self.events {
            let name = &event.name;
            if event.faults > 0 {
                let states = counted(event.faults, "state");
                gaps.push(format!(
                    "{name} goes wrong in {states}: nothing follows there"
                ));
            } else if event.transitions == 0 {
                let happens = if self.complete {
                    "never happens"
                } else {
                    "was not seen to happen"
                };
                gaps.push(format!("{name} {happens}"));
            }
            if event.cut > 0 {
                let states = counted(event.cut, "state");
                gaps.push(format!(
                    "{name}: in {states} its guard holds for arguments that nothing after it fits: \
                     it can happen less often than it says"
                ));
            }
            for conjunct in &event.guard {
                let text = &conjunct.text;
                if conjunct.seen_true == 0 {
                    gaps.push(format!("{name}: {text} is {never} true"));
                } else if conjunct.seen_false == 0 && !conjunct.typing {
                    gaps.push(format!("{name}: {text} is {never} false"));
                } else if conjunct.decides == 0 && !conjunct.typing {
                    gaps.push(format!("{name}: {text} is {never} the only false conjunct"));
                }
            }
        }
        for statement in self.statements.iter().filter(|known| known.executed == 0) {
            let executed = if self.complete {
                "is never executed"
            } else {
                "was not seen to be executed"
            };
            gaps.push(format!(
                "{}: {} {executed}",
                statement.place, statement.text
            ));
        }
        for branch in &self.branches {
            let (place, text) = (&branch.place, &branch.text);
            for (seen, word) in [(branch.seen_true, "true"), (branch.seen_false, "false")] {
                if seen == 0 {
                    gaps.push(format!("{place}: {text} is {never} {word}"));
                }
            }
        }
        for variable in &self.variables {
            if variable.distinct == 1 && self.states > 1 {
                gaps.push(format!("{} has one value only", variable.name));
            }
        }
        gaps
    }
}

fn short(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some(_) => text.chars().take(width - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}
