//! What an animation shows: the step, the state, what can happen, the invariant, what is watched.

use pins::{LabelKind, Truth};
use subject::paragraph::{Paragraph, Shape};
use subject::{Happening, Predicate};
use verdict::{ShownStep, for_people};

use super::{Animator, Reply, Tone};
use crate::replay::shown;
use crate::runnable::{Move, Place};

/// So many processes stand side by side.
const ACTORS_IN_ROW: usize = 4;
/// The width of one of them.
const ACTOR_WIDTH: usize = 26;
/// So many moves of one event are listed.
const MAX_OF_EVENT: usize = 12;
/// So many moves are listed with a filter.
const MAX_FILTERED: usize = 200;
/// The box of a state is so wide at least and at most.
const LEAST_FRAME: usize = 32;
const MOST_FRAME: usize = 100;
/// Longer values are cut in lists.
const MAX_VALUE: usize = 160;

impl Animator {
    /// The state and what can happen.
    pub fn view(&self) -> Reply {
        let mut reply = self.state();
        reply.lines.extend(self.events("").lines);
        reply
    }

    /// The step that led here, and what it changed.
    pub(super) fn tell_step(&self, reply: &mut Reply) {
        let path = shown(self.scene(), &self.moves());
        let Some(last) = path.steps.len().checked_sub(1) else {
            return;
        };
        let parts = path.steps[..last].iter().rev();
        let first = last - parts.take_while(|step| step.atomic).count();
        for at in first..=last {
            let number = path.number(at);
            let label = path.steps[at].label();
            let label = for_people(&label);
            reply.line(Tone::Heading, format!("{number}  {label}"));
            for (name, value) in path.changed_parts(at).0 {
                reply.line(Tone::Changed, format!("     {name} = {}", short(&value)));
            }
        }
    }

    /// Those who move by themselves, side by side: where they are and what they hold.
    fn tell_actors(&self, reply: &mut Reply) {
        let values = self.scene().values(self.place());
        let actors = self.scene().subject.actors_at(&values);
        for row in actors.chunks(ACTORS_IN_ROW) {
            let cells: Vec<Vec<String>> = row
                .iter()
                .map(|actor| {
                    let held = actor.values.iter();
                    let held = held.map(|(name, value)| format!("{name} = {value}"));
                    let at = actor.at.iter().map(|at| format!("> {at}"));
                    std::iter::once(actor.name.clone())
                        .chain(at)
                        .chain(held)
                        .collect()
                })
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let texts = cells.iter().map(|cell| {
                    let text = cell.get(line).map_or("", String::as_str);
                    let cut: String = text.chars().take(ACTOR_WIDTH - 2).collect();
                    format!("{cut:<ACTOR_WIDTH$}")
                });
                let text: String = texts.collect();
                let tone = if line == 0 {
                    Tone::Heading
                } else {
                    Tone::Plain
                };
                reply.line(tone, format!("  {}", text.trim_end()));
            }
        }
    }

    /// The paragraphs of the text, or the one with this title.
    pub(super) fn schemas(&self, name: &str) -> Reply {
        let mut reply = Reply::default();
        let all = &self.runnable.description().paragraphs;
        if all.is_empty() {
            reply.line(Tone::Dim, "  the language has no schemas");
            return reply;
        }
        let is_meant = |paragraph: &&Paragraph| {
            let defined = match paragraph.shape {
                Shape::Line => paragraph.declared.first().map_or("", String::as_str),
                Shape::Schema | Shape::Axiom => paragraph.title.as_str(),
            };
            let end = defined.find([' ', '[']).unwrap_or(defined.len());
            name.is_empty() || &defined[..end] == name
        };
        for paragraph in all.iter().filter(is_meant) {
            for line in paragraph.text().lines() {
                reply.line(Tone::Plain, format!("  {line}"));
            }
        }
        if reply.lines.is_empty() {
            let titles = all.iter().map(|paragraph| paragraph.title.as_str());
            let near = base::near::nearest(name, titles.filter(|title| !title.is_empty()));
            let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
            reply.line(Tone::Bad, format!("there is no schema {name}{near}"));
        }
        reply
    }

    /// Puts the variables of a state into the box of its schema.
    fn framed(&self, variables: Reply, reply: &mut Reply) {
        let Some(name) = self.runnable.description().state else {
            reply.lines.extend(variables.lines);
            return;
        };
        let lengths = variables.lines.iter().map(|line| line.text.chars().count());
        let width = lengths.max().unwrap_or(0).clamp(LEAST_FRAME, MOST_FRAME);
        let title = name.as_str().chars().count();
        let rest = "─".repeat(width.saturating_sub(title + 3));
        reply.line(Tone::Dim, format!("  ┌─ {name} {rest}"));
        for line in variables.lines {
            reply.line(line.tone, format!("  │{}", line.text));
        }
        reply.line(Tone::Dim, format!("  └{}", "─".repeat(width)));
    }

    pub(super) fn state(&self) -> Reply {
        let (mut reply, mut variables) = (Reply::default(), Reply::default());
        let (view, description) = (self.scene(), self.runnable.description());
        let values = view.values(self.place());
        let before = self.at.checked_sub(1).map(|at| &self.history[at].place);
        let before = match before {
            Some(place @ Place::State(_)) => Some(view.values(place)),
            _ => None,
        };
        let names = description.components.iter().map(|known| known.name);
        let width = names
            .map(|name| name.as_str().chars().count())
            .max()
            .unwrap_or(0);
        let known = |is_constant: bool| match self.place() {
            Place::Root => false,
            Place::Setup(_) => is_constant,
            Place::State(_) => true,
        };
        let mut any = false;
        for (id, component) in description.component_ids() {
            if !known(component.is_constant) || description.told_apart.contains(&id) {
                continue;
            }
            any = true;
            let value = view.subject.tell(values[id.index()].as_ref());
            let old = before
                .as_ref()
                .map(|before| view.subject.tell(before[id.index()].as_ref()));
            let (mark, tone, was) = match old {
                Some(old) if old != value => {
                    ("*", Tone::Changed, format!("   was {}", short(&old)))
                }
                _ if component.is_constant => (" ", Tone::Dim, String::new()),
                _ => (" ", Tone::Plain, String::new()),
            };
            let name = component.name;
            let part = match component.is_constant {
                true => &mut reply,
                false => &mut variables,
            };
            let text = format!("{mark} {name:width$} = {}{was}", short(&value));
            part.line(tone, text);
        }
        if !any {
            reply.line(Tone::Dim, "  nothing has a value yet");
        }
        if !variables.lines.is_empty() {
            self.framed(variables, &mut reply);
        }
        self.tell_actors(&mut reply);
        reply
    }

    pub(super) fn events(&self, filter: &str) -> Reply {
        let mut reply = Reply::default();
        let description = self.runnable.description();
        let found = self.scene().moves(self.place());
        let moves = found.moves.iter();
        let steps: Vec<ShownStep> = moves.map(|taken| self.scene().show(taken)).collect();
        let width = found.moves.len().to_string().len();
        let most = if filter.is_empty() {
            MAX_OF_EVENT
        } else {
            MAX_FILTERED
        };
        let mut listed: Vec<(Happening, usize)> = Vec::new();
        for (number, (taken, step)) in (1..).zip(found.moves.iter().zip(&steps)) {
            let label = label(taken, step);
            if !label.contains(filter) {
                continue;
            }
            match listed.last_mut() {
                Some((last, count)) if *last == taken.happening => *count += 1,
                _ => listed.push((taken.happening, 1)),
            }
            if listed.last().is_some_and(|(_, count)| *count > most) {
                continue;
            }
            let breaks = match &taken.to {
                Place::State(vector) => self.scene().breaks_invariant(vector),
                _ => false,
            };
            let (mark, tone) = if breaks {
                ("!", Tone::Bad)
            } else {
                (" ", Tone::Plain)
            };
            reply.line(tone, format!("{mark} {number:>width$}  {}", short(&label)));
        }
        for (happening, count) in &listed {
            if *count > most {
                let name = happening.name(description);
                let more = count - most;
                reply.line(
                    Tone::Dim,
                    format!("  … {more} more of {name}: events {name}"),
                );
            }
        }
        for (happening, fault) in &found.faults {
            let name = happening.name(description);
            reply.line(Tone::Bad, format!("! {name}: fault: {}", fault.message));
        }
        for (happening, why) in &found.unknown {
            let name = happening.name(description);
            reply.line(Tone::Bad, format!("? {name}: not known: {}", why.message));
        }
        let disabled: Vec<&str> = match self.place() {
            Place::State(_) => {
                let events = description.event_ids();
                let events = events.filter(|event| found.is_disabled(*event));
                let names = events.map(|event| description.event(event).name.as_str());
                names.filter(|name| name.contains(filter)).collect()
            }
            _ => Vec::new(),
        };
        if !disabled.is_empty() {
            reply.line(
                Tone::Dim,
                format!("  not possible: {}", disabled.join(", ")),
            );
        }
        reply
    }

    pub(super) fn path(&self) -> Reply {
        let mut reply = Reply::default();
        let visited = self
            .history
            .iter()
            .filter_map(|visited| visited.taken.clone());
        let moves: Vec<Move> = visited.collect();
        let path = shown(self.scene(), &moves);
        let width = path.steps.len().to_string().len();
        for (at, step) in path.steps.iter().enumerate() {
            let number = path.number(at);
            let mark = if number == self.at { ">" } else { " " };
            let tone = if number <= self.at {
                Tone::Plain
            } else {
                Tone::Dim
            };
            reply.line(
                tone,
                format!("{mark} {number:>width$}  {}", for_people(&step.label())),
            );
        }
        reply
    }

    pub(super) fn invariant(&self) -> Reply {
        let Place::State(vector) = self.place() else {
            return Reply::plain("the model is not initialised yet");
        };
        let mut reply = Reply::default();
        for judged in self.scene().judge(vector) {
            let (word, tone) = match &judged.truth {
                Truth::True => ("true     ", Tone::Plain),
                Truth::False => ("FALSE    ", Tone::Bad),
                Truth::Undefined(_) => ("UNDEFINED", Tone::Bad),
                Truth::Unknown(_) => ("UNKNOWN  ", Tone::Bad),
            };
            let kind = match judged.kind {
                LabelKind::Assertion => "assertion ",
                _ => "",
            };
            let label = judged.label.as_ref().map(|label| format!("{label}: "));
            let label = label.unwrap_or_default();
            reply.line(tone, format!("  {word} {kind}{label}{}", judged.text));
            if judged.truth != Truth::True {
                for line in self.reasons(Predicate::Label(judged.id)) {
                    reply.line(Tone::Bad, format!("            {line}"));
                }
            }
        }
        if reply.lines.is_empty() {
            reply.line(Tone::Dim, "the model has no invariant");
        }
        reply
    }

    pub(super) fn watch(&mut self, text: &str) -> Reply {
        if !text.is_empty() {
            match self.runnable.formula(text) {
                Ok(formula) => self.watches.push((text.to_owned(), formula)),
                Err(message) => return self.fail(message),
            }
        }
        let mut reply = Reply::default();
        let first = if text.is_empty() {
            0
        } else {
            self.watches.len() - 1
        };
        for (number, (text, formula)) in self.watches.iter().enumerate().skip(first) {
            reply.line(Tone::Heading, format!("{}  {text}", number + 1));
            let mut last = None;
            for (step, visited) in self.history[..=self.at].iter().enumerate() {
                if !matches!(visited.place, Place::State(_)) {
                    continue;
                }
                let value = match self.scene().eval(*formula, &visited.place) {
                    Ok(answer) => answer.text(),
                    Err(reason) => format!("no value: {reason}"),
                };
                let is_new = last.as_ref() != Some(&value);
                let tone = if is_new { Tone::Changed } else { Tone::Dim };
                reply.line(tone, format!("     step {step}: {}", short(&value)));
                last = Some(value);
            }
        }
        if self.watches.is_empty() {
            reply.line(Tone::Dim, "nothing is watched");
        }
        reply
    }

    pub(super) fn unwatch(&mut self, number: usize) -> Reply {
        match number.checked_sub(1).filter(|at| *at < self.watches.len()) {
            Some(at) => {
                let (text, _) = self.watches.remove(at);
                Reply::plain(format!("{text} is no longer watched"))
            }
            None => self.fail(format!("there is no watched formula {number}")),
        }
    }
}

/// A move for people; a set-up or initialisation by what it chooses.
pub(super) fn label(taken: &Move, step: &ShownStep) -> String {
    match Animator::is_start(taken) {
        true => format!("{}: {}", step.event, for_people(&step.state.list())),
        false => for_people(&step.label()).into_owned(),
    }
}

fn short(text: &str) -> String {
    let text = for_people(text);
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}
