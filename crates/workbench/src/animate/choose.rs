//! Which move a user means: by number, by name, by name and values.

use base::near;
use subject::{EventId, Happening, Holder, Tree, Value};
use verdict::for_people;

use super::{Animator, Reply, Tone};
use crate::runnable::{Move, Moves, Place};

/// An event as it was typed.
struct Typed<'a> {
    name: &'a str,
    /// Values with the names of their parameters, if they were given.
    values: Vec<(Option<&'a str>, &'a str)>,
}

impl Animator {
    /// Does what was typed.
    pub(super) fn choose_and_take(&mut self, text: &str) -> Reply {
        match self.choose(text) {
            Ok(taken) => {
                let mut reply = Reply::default();
                self.take(taken, &mut reply);
                self.settle(&mut reply);
                reply
            }
            Err(lines) => {
                let mut reply = self.fail(lines.first().cloned().unwrap_or_default());
                for line in lines.iter().skip(1) {
                    reply.line(Tone::Plain, format!("  {line}"));
                }
                reply
            }
        }
    }

    fn choose(&mut self, text: &str) -> Result<Move, Vec<String>> {
        let moves = self.scene().moves(self.place()).moves;
        if let Ok(number) = text.parse::<usize>() {
            let chosen = number.checked_sub(1).and_then(|at| moves.get(at));
            let last = moves.len();
            return chosen
                .cloned()
                .ok_or_else(|| vec![format!("there is no event {number}; there are 1 to {last}")]);
        }
        let typed = read(text).map_err(|why| vec![why])?;
        let wanted = self.wanted(&typed)?;
        let description = self.runnable.description();
        let fitting: Vec<(usize, &Move)> = (1..)
            .zip(&moves)
            .filter(|(_, taken)| taken.happening.name(description) == typed.name)
            .filter(|(_, taken)| {
                let values = taken.arguments.iter().zip(&wanted);
                values
                    .into_iter()
                    .all(|(value, wanted)| wanted.is_none() || value == wanted)
            })
            .collect();
        match fitting.as_slice() {
            [(_, taken)] => Ok((*taken).clone()),
            [] => {
                if let (Some(event), Place::State(vector)) =
                    (self.scene().event(typed.name), self.place())
                {
                    let found = self.scene().moves_of(event, vector);
                    let lines = self.absence(text, (event, &wanted), &found);
                    return Err(lines.into_iter().map(|(_, line)| line).collect());
                }
                Err(vec![format!("{text} cannot happen here")])
            }
            several => {
                let numbers: Vec<String> = several
                    .iter()
                    .take(10)
                    .map(|(number, _)| number.to_string())
                    .collect();
                let more = if several.len() > 10 { ", …" } else { "" };
                let numbers = numbers.join(", ");
                Err(vec![format!(
                    "{text} can happen in {} ways: {numbers}{more}",
                    several.len()
                )])
            }
        }
    }

    /// Why an event cannot happen here.
    pub(super) fn why(&mut self, text: &str) -> Reply {
        let answer = read(text).map_err(|why| vec![why]).and_then(|typed| {
            let wanted = self.wanted(&typed)?;
            let Some(event) = self.scene().event(typed.name) else {
                let word = self.runnable.subject().words().event;
                return Err(vec![format!("{} is no {word}", typed.name)]);
            };
            Ok((event, wanted))
        });
        let (event, wanted) = match answer {
            Ok(answer) => answer,
            Err(lines) => return self.fail(lines.join("\n")),
        };
        let Place::State(vector) = self.place() else {
            return Reply::plain("the model is not initialised yet");
        };
        let found = self.scene().moves_of(event, vector);
        let can = found.moves.iter().any(|taken| {
            let mut values = taken.arguments.iter().zip(&wanted);
            values.all(|(value, wanted)| wanted.is_none() || value == wanted)
        });
        let mut reply = Reply::default();
        if can {
            reply.line(Tone::Plain, format!("{text} can happen here"));
        } else {
            for (at, (tone, line)) in (0..).zip(self.absence(text, (event, &wanted), &found)) {
                let indent = if at == 0 { "" } else { "  " };
                reply.line(tone, format!("{indent}{line}"));
            }
        }
        reply
    }

    /// What is said of an event that is not among what was found to be possible: why it cannot happen, or that this is not
    /// known.
    fn absence(
        &self,
        text: &str,
        (event, wanted): (EventId, &[Option<Value>]),
        found: &Moves,
    ) -> Vec<(Tone, String)> {
        let unknown = match (self.scene().is_halted(), found.unknown.first()) {
            (true, _) => Some("the evaluation was halted"),
            (false, Some((_, why))) => Some(&*why.message),
            (false, None) => None,
        };
        if let Some(why) = unknown {
            let line = format!("whether {text} can happen here is not known: {why}");
            return vec![(Tone::Plain, line)];
        }
        let mut lines = vec![(Tone::Plain, format!("{text} cannot happen here"))];
        let reasons = self.scene().why_not(event, wanted, self.place());
        let reasons = reasons.iter();
        lines.extend(reasons.map(|line| (Tone::Plain, for_people(line).into_owned())));
        let faults = found.faults.iter();
        lines.extend(faults.map(|(_, fault)| (Tone::Bad, format!("fault: {}", fault.message))));
        lines
    }

    /// The values that were typed, in the order of the parameters.
    fn wanted(&mut self, typed: &Typed<'_>) -> Result<Vec<Option<Value>>, Vec<String>> {
        let Some(event) = self.scene().event(typed.name) else {
            return match typed.values.is_empty() {
                true => Ok(Vec::new()),
                false => Err(vec![format!("{} has no parameters", typed.name)]),
            };
        };
        let parameters = &self.runnable.description().event(event).parameters;
        let parameters: Vec<String> = parameters.iter().map(|p| p.name.to_string()).collect();
        let mut wanted = vec![None; parameters.len()];
        for (at, (name, text)) in typed.values.iter().enumerate() {
            let at = match name {
                None => Some(at).filter(|at| *at < parameters.len()),
                Some(name) => parameters.iter().position(|known| known == name),
            };
            let Some(at) = at else {
                let count = parameters.len();
                let what = match name {
                    Some(name) => {
                        let known = parameters.iter().map(String::as_str);
                        let near =
                            near::nearest(name, known).map(|near| format!("; there is {near}"));
                        format!(
                            "{} has no parameter {name}{}",
                            typed.name,
                            near.unwrap_or_default()
                        )
                    }
                    None => format!("{} has {count} parameters", typed.name),
                };
                return Err(vec![what]);
            };
            let value = self.value(Holder::Parameter(event, at), text);
            let parameter = &parameters[at];
            let value = value.map_err(|why| vec![format!("{parameter} = {text}: {why}")])?;
            wanted[at] = Some(value);
        }
        Ok(wanted)
    }

    /// A value that was typed: in the canonical notation or as a formula.
    fn value(&mut self, holder: Holder, text: &str) -> Result<Value, String> {
        let written = Tree::Written(text.to_owned());
        if let Some(value) = self.runnable.subject().read_value(holder, &written) {
            return Ok(value);
        }
        let answer = match self.runnable.formula(text) {
            Ok(formula) => Some(self.scene().eval(formula, self.place())?),
            Err(_) => None,
        };
        let subject = self.runnable.subject();
        let value = answer.and_then(|answer| answer.value(subject, holder));
        value.ok_or_else(|| format!("no value of {}", subject.type_text(holder)))
    }

    /// Whether a move is a set-up or an initialisation.
    pub(super) fn is_start(taken: &Move) -> bool {
        !matches!(taken.happening, Happening::Event(_))
    }
}

/// Reads `name`, `name(1, {2,3})` or `name(p = 1)`.
fn read(text: &str) -> Result<Typed<'_>, String> {
    let Some(open) = text.find('(') else {
        return Ok(Typed {
            name: text.trim(),
            values: Vec::new(),
        });
    };
    let inside = text[open + 1..].trim_end();
    let Some(inside) = inside.strip_suffix(')') else {
        return Err("a closing parenthesis is missing".to_owned());
    };
    let values = split(inside).into_iter().filter(|part| !part.is_empty());
    Ok(Typed {
        name: text[..open].trim(),
        values: values
            .map(|part| match part.split_once('=') {
                Some((name, value)) if is_name(name.trim()) => (Some(name.trim()), value.trim()),
                _ => (None, part),
            })
            .collect(),
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Splits at commas outside brackets and strings.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quoted, mut start) = (0usize, false, 0);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '{' | '[' if !quoted => depth += 1,
            ')' | '}' | ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::{read, split};

    #[test]
    fn values_are_split_outside_brackets() {
        assert_eq!(split("1, {2,3}, \"a,b\""), ["1", "{2,3}", "\"a,b\""]);
        let typed = read("borrow(r = READER1, {1}={1})").expect("it is an event");
        assert_eq!(typed.name, "borrow");
        assert_eq!(typed.values, [(Some("r"), "READER1"), (None, "{1}={1}")]);
        assert!(read("f(1").is_err());
    }
}
