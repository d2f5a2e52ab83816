//! What is known of a text in the form of the protocol.

use base::{Sources, Span};
use serde_json::{Value, json};
use subject::editor::{Definition, DefinitionKind};
use workbench::edit::{Edited, Entry, ProposalKind, WordKind};

use crate::folder::uri_of;
use crate::lines::{Lines, units};

/// The kinds of semantic tokens, in the order of their numbers.
pub(crate) const TOKENS: &[&str] = &[
    "keyword",
    "variable",
    "number",
    "string",
    "comment",
    "operator",
    "type",
    "enumMember",
    "function",
    "parameter",
    "macro",
    "property",
    "namespace",
];
/// Their modifiers, in the order of their bits.
pub(crate) const MODIFIERS: &[&str] = &["readonly", "declaration"];

/// The place of a span; `None` for a text that is no file.
pub(crate) fn location(span: Span, sources: &Sources) -> Option<Value> {
    let path = sources.path(span.file);
    if !path.is_absolute() {
        return None;
    }
    let range = Lines::new(sources.text(span.file)).range(span.start, span.end);
    Some(json!({ "uri": uri_of(path), "range": range }))
}

/// The constant at an offset, if its value can be known.
pub(crate) fn constant(edited: &Edited, offset: u32) -> Option<String> {
    let (_, definition) = edited.name_at(offset)?;
    let one = edited.definition(definition);
    let is_known = one.kind == DefinitionKind::Constant && !edited.lint.diagnostics.has_errors();
    is_known.then(|| one.name.to_string())
}

/// What is known of a name.
pub(crate) struct Known {
    about: String,
    written: Option<String>,
    range: Value,
}

/// What is known of the name at an offset.
pub(crate) fn known(edited: &Edited, offset: u32) -> Option<Known> {
    let (span, definition) = edited.name_at(offset)?;
    let (about, written) = edited.about(definition);
    Some(Known {
        about,
        written,
        range: Lines::new(edited.text()).range(span.start, span.end),
    })
}

/// What an editor shows of a name; `value` is that of a constant.
pub(crate) fn hover(known: &Known, value: Option<&str>) -> Value {
    let value = value.map(|value| format!("\n= {value}"));
    let mut text = format!("```\n{}{}\n```", known.about, value.unwrap_or_default());
    if let Some(written) = &known.written {
        text.push_str(&format!("\n---\n```\n{written}\n```"));
    }
    json!({ "contents": { "kind": "markdown", "value": text }, "range": known.range })
}

pub(crate) fn definition(edited: &Edited, offset: u32) -> Value {
    let found = edited.name_at(offset);
    let place =
        found.and_then(|(_, at)| location(edited.definition(at).span, &edited.lint.sources));
    place.unwrap_or(Value::Null)
}

pub(crate) fn highlights(edited: &Edited, offset: u32) -> Value {
    let Some((_, definition)) = edited.name_at(offset) else {
        return json!([]);
    };
    let lines = Lines::new(edited.text());
    let places = edited.places(definition).into_iter();
    let own = places.filter(|span| Some(span.file) == edited.file);
    own.map(|span| json!({ "range": lines.range(span.start, span.end) }))
        .collect()
}

pub(crate) fn symbols(edited: &Edited) -> Value {
    let lines = Lines::new(edited.text());
    let entries = edited.outline();
    entries
        .iter()
        .map(|entry| symbol(edited, entry, &lines))
        .collect()
}

fn symbol(edited: &Edited, entry: &Entry, lines: &Lines<'_>) -> Value {
    let one = edited.definition(entry.definition);
    let children: Vec<Value> = entry
        .children
        .iter()
        .map(|child| symbol(edited, child, lines))
        .collect();
    json!({
        "name": one.name.as_str(),
        "detail": one.type_text.clone().unwrap_or_default(),
        "kind": symbol_kind(one.kind),
        "range": lines.range(one.whole.start, one.whole.end),
        "selectionRange": lines.range(one.span.start, one.span.end),
        "children": children,
    })
}

/// The protocol's number for a kind of symbol.
pub(crate) fn symbol_kind(kind: DefinitionKind) -> u32 {
    match kind {
        DefinitionKind::Component => 2,
        DefinitionKind::Set => 10,
        DefinitionKind::Element => 22,
        DefinitionKind::Constant => 14,
        DefinitionKind::Variable | DefinitionKind::Local | DefinitionKind::Parameter => 13,
        DefinitionKind::Event | DefinitionKind::Macro => 12,
        DefinitionKind::Property | DefinitionKind::Linear | DefinitionKind::Branching => 17,
        DefinitionKind::Field => 8,
    }
}

pub(crate) fn completion(edited: &Edited, offset: u32) -> Value {
    let lines = Lines::new(edited.text());
    let before = |from: u32| edited.text().get(from as usize..offset as usize);
    let proposals = edited.proposals(offset).into_iter();
    let items = proposals.map(|proposal| {
        // A symbol is found by its spelling in ASCII too.
        let typed = before(proposal.from).unwrap_or_default();
        let is_other = |also: &&str| !typed.is_empty() && also.starts_with(typed);
        let other = proposal.also.filter(is_other);
        let filter = other.filter(|_| !proposal.text.starts_with(typed));
        let (kind, order) = match proposal.kind {
            ProposalKind::Keyword => (14, "2"),
            ProposalKind::Operator => (24, "3"),
            ProposalKind::Name(DefinitionKind::Event) => (3, "1"),
            ProposalKind::Name(DefinitionKind::Element) => (20, "1"),
            ProposalKind::Name(DefinitionKind::Constant) => (21, "1"),
            ProposalKind::Name(DefinitionKind::Set) => (13, "1"),
            ProposalKind::Name(DefinitionKind::Component) => (9, "1"),
            ProposalKind::Name(_) => (6, "1"),
        };
        json!({
            "label": proposal.text,
            "detail": proposal.detail,
            "kind": kind,
            "sortText": format!("{order}{}", proposal.text),
            "filterText": filter.unwrap_or(&proposal.text),
            "textEdit": { "range": lines.range(proposal.from, offset), "newText": proposal.text },
        })
    });
    json!({ "isIncomplete": false, "items": items.collect::<Vec<_>>() })
}

pub(crate) fn tokens(edited: &Edited) -> Value {
    let text = edited.text();
    let lines = Lines::new(text);
    let mut data: Vec<u32> = Vec::new();
    let mut last = (0, 0);
    for (word, kind) in edited.colours() {
        let (number, modifiers) = match (word.kind, kind) {
            (WordKind::Keyword, _) => (0, 0),
            (WordKind::Number, _) => (2, 0),
            (WordKind::Text, _) => (3, 0),
            (WordKind::Comment, _) => (4, 0),
            (WordKind::Operator, _) => (5, 0),
            // What means nothing gets no colour.
            (WordKind::Name, None) => continue,
            (WordKind::Name, Some(kind)) => match kind {
                DefinitionKind::Set => (6, 0),
                DefinitionKind::Element => (7, 0),
                DefinitionKind::Constant => (1, 1),
                DefinitionKind::Variable | DefinitionKind::Local => (1, 0),
                DefinitionKind::Event => (8, 0),
                DefinitionKind::Parameter => (9, 0),
                DefinitionKind::Macro => (10, 0),
                DefinitionKind::Property
                | DefinitionKind::Linear
                | DefinitionKind::Branching
                | DefinitionKind::Field => (11, 0),
                DefinitionKind::Component => (12, 0),
            },
        };
        // A token of the protocol stays on one line.
        let mut start = word.start as usize;
        for part in text[start..word.end as usize].split_inclusive('\n') {
            let shown = part.trim_end_matches(['\n', '\r']);
            let (line, character) = lines.place(start as u32);
            if !shown.is_empty() {
                let first = if line == last.0 {
                    character - last.1
                } else {
                    character
                };
                data.extend([line - last.0, first, units(shown), number, modifiers]);
                last = (line, character);
            }
            start += part.len();
        }
    }
    json!({ "data": data })
}

pub(crate) fn folds(edited: &Edited) -> Value {
    let lines = Lines::new(edited.text());
    let folds = edited.folds().into_iter();
    folds
        .map(|fold| {
            let (start, end) = (lines.place(fold.start).0, lines.place(fold.end).0);
            json!({ "startLine": start, "endLine": end })
        })
        .collect()
}

pub(crate) fn formatted(edited: &Edited) -> Value {
    let Some(text) = edited.formatted() else {
        return Value::Null;
    };
    let old = edited.text();
    let whole = Lines::new(old).range(0, old.len() as u32);
    match text == old {
        true => json!([]),
        false => json!([{ "range": whole, "newText": text }]),
    }
}

pub(crate) fn hints(edited: &Edited, range: &Value) -> Value {
    let lines = Lines::new(edited.text());
    let (from, to) = (lines.offset(&range["start"]), lines.offset(&range["end"]));
    let hints = edited.hints().into_iter();
    let inside = hints.filter(|(at, _)| (from..=to).contains(at));
    inside
        .map(|(at, text)| {
            json!({ "position": lines.position(at), "label": format!(" : {text}"), "kind": 1 })
        })
        .collect()
}

/// What can be done about what is wrong in a range.
pub(crate) fn actions(edited: &Edited, uri: &str, range: &Value) -> Value {
    let lines = Lines::new(edited.text());
    let (from, to) = (lines.offset(&range["start"]), lines.offset(&range["end"]));
    let mut actions = Vec::new();
    for diagnostic in edited.lint.diagnostics.iter() {
        let (Some(primary), Some(fix)) = (&diagnostic.primary, &diagnostic.fix) else {
            continue;
        };
        let span = primary.span;
        if Some(span.file) != edited.file || span.end < from || span.start > to {
            continue;
        }
        let edit = json!({ "range": lines.range(span.start, span.end), "newText": fix });
        actions.push(json!({
            "title": format!("Write \"{fix}\""),
            "kind": "quickfix",
            "isPreferred": true,
            "diagnostics": [crate::publish::diagnostic(diagnostic, edited)],
            "edit": { "changes": { uri: [edit] } },
        }));
    }
    Value::Array(actions)
}

/// What can be run: the model as a whole, at its name.
/// What can be run from the text: checks at the name of the model and at each property, and the animator.
pub(crate) fn lenses(edited: &Edited, uri: &str, can_animate: bool) -> Value {
    let own = edited.definitions().iter();
    let own = own.filter(|one| Some(one.span.file) == edited.file);
    let own: Vec<&Definition> = own.collect();
    let mut components = own.iter();
    let first = components.find(|one| one.kind == DefinitionKind::Component);
    let at = first.map_or(0, |one| one.span.start);
    let lines = Lines::new(edited.text());
    let lens = |at: u32, title: &str, command: &str, arguments: Value| {
        let command = json!({ "title": title, "command": command, "arguments": arguments });
        json!({ "range": lines.range(at, at), "command": command })
    };
    let mut lenses = vec![lens(at, "▶ check", "burnside.check", json!([uri]))];
    if can_animate {
        lenses.push(lens(at, "▶ animate", "burnside.animate", json!([uri])));
    }
    let formulas = own.iter().filter_map(|one| {
        let name = one.name.as_str();
        let (title, choices) = match one.kind {
            DefinitionKind::Linear => ("▶ check this formula", json!({ "ltl": [name] })),
            DefinitionKind::Branching => ("▶ check this formula", json!({ "ctl": [name] })),
            DefinitionKind::Property => ("▶ check this property", json!({ "only": name })),
            _ => return None,
        };
        let arguments = json!([uri, choices]);
        Some(lens(one.span.start, title, "burnside.check", arguments))
    });
    lenses.extend(formulas);
    Value::Array(lenses)
}
