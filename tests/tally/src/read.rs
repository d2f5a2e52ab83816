//! The reader: from a text to a checked model, or to diagnostics; and formulas that a person typed.
//!
//! Invariant: no input makes it panic; after an error it goes on with the next declaration.

use base::{Class, Code, Diagnostic, Diagnostics, FileId, Name, Span};

use crate::model::{
    Atom, Claim, Comparison, Counter, Event, LARGEST, MOST_WORKERS, Model, Predicate, Relation,
    Sum, Update, Whose,
};

/// The text is no sentence of the language.
pub static SYNTAX: Code = Code {
    id: "T0001",
    class: Class::Syntax,
    title: "something else is expected here",
    explain: "\
A text is a list of declarations: `tally NAME`, `workers N`, `shared NAME = N`, `own NAME = N`,
`event NAME when … do …`, `invariant …`, `assert …`.",
};

/// A name or number does not fit.
pub static MISFIT: Code = Code {
    id: "T0002",
    class: Class::Type,
    title: "a name or number does not fit",
    explain: "\
Counters are declared before they are used. What each worker has is `NAME` for the worker who acts, `NAME'` for the one
whom it meets; outside events it is `sum NAME` or `NAME.1`. Counters run from 0 to 15, and there are at most 8 workers.",
};

const DECLARATIONS: [&str; 7] = [
    "tally",
    "workers",
    "shared",
    "own",
    "event",
    "invariant",
    "assert",
];
const WORDS: [&str; 5] = ["when", "do", "and", "or", "sum"];
const SYMBOLS: [&str; 13] = [
    ":=", "!=", "<=", ">=", "=", "<", ">", "+", "-", ",", "'", ".", ":",
];

/// What a formula is.
#[derive(Clone, Debug)]
pub enum Formula {
    /// True or false.
    Predicate(Predicate),
    /// A number.
    Expression(Sum),
}

/// A part of a text, and where it stands.
pub struct Place<'t> {
    /// The file.
    pub file: FileId,
    /// The part.
    pub text: &'t str,
    /// Where it begins.
    pub start: usize,
}

struct Reader<'t, 'm> {
    tokens: Vec<(&'t str, Span)>,
    at: usize,
    end: Span,
    model: &'m mut Model,
    /// Names that stand for numbers.
    scope: &'m [String],
    is_in_event: bool,
    diagnostics: Diagnostics,
}

/// What was expected was not there; the diagnostic is written.
struct Wrong;
type Parsed<T> = Result<T, Wrong>;

/// Reads a whole text.
pub fn read(place: &Place<'_>) -> (Model, Diagnostics) {
    let mut model = Model::default();
    let mut reader = Reader::new(place, &mut model, &[]);
    reader.declarations();
    let diagnostics = reader.diagnostics;
    model.claims.sort_by_key(|claim| !claim.is_invariant);
    (model, diagnostics)
}

/// Reads a formula about a model, with names that stand for numbers.
pub fn formula(place: &Place<'_>, model: &Model, scope: &[String]) -> Result<Formula, Diagnostics> {
    let mut model = model.clone();
    let mut reader = Reader::new(place, &mut model, scope);
    let formula = reader.formula();
    match formula {
        Ok(formula) if !reader.diagnostics.has_errors() => Ok(formula),
        _ => Err(reader.diagnostics),
    }
}

impl<'t, 'm> Reader<'t, 'm> {
    fn new(place: &Place<'t>, model: &'m mut Model, scope: &'m [String]) -> Reader<'t, 'm> {
        let end = (place.start + place.text.len()) as u32;
        let mut reader = Reader {
            tokens: Vec::new(),
            at: 0,
            end: Span::new(place.file, end, end),
            model,
            scope,
            is_in_event: false,
            diagnostics: Diagnostics::new(),
        };
        reader.tokenise(place);
        reader
    }

    fn tokenise(&mut self, place: &Place<'t>) {
        let mut rest = place.text;
        loop {
            rest = rest.trim_start();
            if rest.starts_with("//") {
                rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
                continue;
            }
            let Some(first) = rest.chars().next() else {
                return;
            };
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
            let length = match symbol {
                Some(symbol) => symbol.len(),
                None if is_part(first) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
                None => first.len_utf8(),
            };
            let start = place.start + place.text.len() - rest.len();
            let span = Span::new(place.file, start as u32, (start + length) as u32);
            match symbol.is_some() || is_part(first) {
                true => self.tokens.push((&rest[..length], span)),
                false => self.error(
                    &SYNTAX,
                    span,
                    format!("`{first}` is no part of the language"),
                ),
            }
            rest = &rest[length..];
        }
    }

    fn error(&mut self, code: &'static Code, span: Span, message: String) {
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
    }

    fn peek(&self) -> &'t str {
        self.tokens.get(self.at).map_or("", |(text, _)| text)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = !self.peek().is_empty() && self.peek() == text;
        self.at += usize::from(found);
        found
    }

    fn wrong<T>(&mut self, what: &str) -> Parsed<T> {
        let message = match self.peek() {
            "" => format!("expected {what}, but the text ends here"),
            found => format!("expected {what}, found `{found}`"),
        };
        self.error(&SYNTAX, self.span(), message);
        Err(Wrong)
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        match self.accept(text) {
            true => Ok(()),
            false => self.wrong(&format!("`{text}`")),
        }
    }

    fn name(&mut self) -> Parsed<(&'t str, Span)> {
        let (text, span) = (self.peek(), self.span());
        let is_word = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !is_word || DECLARATIONS.contains(&text) || WORDS.contains(&text) {
            return self.wrong("a name");
        }
        self.at += 1;
        Ok((text, span))
    }

    fn number(&mut self, largest: i64) -> Parsed<i64> {
        let (text, span) = (self.peek(), self.span());
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.wrong("a number");
        }
        self.at += 1;
        match text.parse::<i64>() {
            Ok(number) if number <= largest => Ok(number),
            _ => {
                self.error(
                    &MISFIT,
                    span,
                    format!("a number from 0 to {largest} is needed here"),
                );
                Ok(0)
            }
        }
    }

    fn declarations(&mut self) {
        while self.at < self.tokens.len() {
            let before = self.at;
            if self.declaration().is_err() {
                self.at = self.at.max(before + 1);
                while self.at < self.tokens.len() && !DECLARATIONS.contains(&self.peek()) {
                    self.at += 1;
                }
            }
        }
        if self.model.name.is_empty() && !self.diagnostics.has_errors() {
            self.error(&SYNTAX, self.end, "expected `tally NAME`".to_owned());
        }
    }

    fn declaration(&mut self) -> Parsed<()> {
        let start = self.span();
        let word = self.peek();
        self.at += 1;
        match word {
            "tally" => self.model.name = self.name()?.0.to_owned(),
            "workers" => self.model.workers = self.number(MOST_WORKERS as i64)? as usize,
            "shared" | "own" => {
                let (name, span) = self.name()?;
                self.expect("=")?;
                let start = self.number(LARGEST)?;
                self.new_name(name, span);
                if word == "own" && self.model.workers == 0 {
                    self.error(&MISFIT, span, "there are no workers to own it".to_owned());
                }
                let (name, is_own) = (Name::new(name), word == "own");
                self.model.counters.push(Counter {
                    name,
                    is_own,
                    start,
                    span,
                });
            }
            "event" => self.event(start)?,
            "invariant" | "assert" => {
                let predicate = self.predicate()?;
                let span = self.since(start);
                let is_invariant = word == "invariant";
                self.model.claims.push(Claim {
                    is_invariant,
                    predicate,
                    span,
                });
            }
            _ => {
                self.at -= 1;
                return self.wrong("a declaration");
            }
        }
        Ok(())
    }

    fn since(&self, start: Span) -> Span {
        self.tokens[..self.at]
            .last()
            .map_or(start, |(_, last)| start.to(*last))
    }

    fn new_name(&mut self, name: &str, span: Span) {
        let counters = self.model.counters.iter().map(|known| known.name);
        let mut known = counters.chain(self.model.events.iter().map(|known| known.name));
        if known.any(|known| known.as_str() == name) {
            self.error(&MISFIT, span, format!("{name} is declared twice"));
        }
    }

    fn event(&mut self, start: Span) -> Parsed<()> {
        let (name, span) = self.name()?;
        self.new_name(name, span);
        self.is_in_event = true;
        let parts = self.event_parts();
        self.is_in_event = false;
        let (guard, updates) = parts?;
        let span = self.since(start);
        self.model.events.push(Event {
            name: Name::new(name),
            guard,
            updates,
            span,
        });
        Ok(())
    }

    fn event_parts(&mut self) -> Parsed<(Vec<Comparison>, Vec<Update>)> {
        let guard = match self.accept("when") {
            true => self.conjunction()?,
            false => Vec::new(),
        };
        self.expect("do")?;
        let mut updates: Vec<Update> = Vec::new();
        loop {
            let start = self.span();
            let target = self.atom()?;
            self.expect(":=")?;
            let value = self.sum()?;
            let span = self.since(start);
            match target {
                Atom::Counter(_, Whose::Everybodys) | Atom::Number(_) | Atom::Name(_) => {
                    self.error(&MISFIT, start, "only a counter gets a value".to_owned());
                }
                Atom::Counter(counter, whose) => {
                    if updates
                        .iter()
                        .any(|one| one.counter == counter && one.whose == whose)
                    {
                        self.error(&MISFIT, span, "this counter gets a value twice".to_owned());
                    }
                    updates.push(Update {
                        counter,
                        whose,
                        value,
                        span,
                    });
                }
            }
            if !self.accept(",") {
                return Ok((guard, updates));
            }
        }
    }

    fn formula(&mut self) -> Parsed<Formula> {
        let left = self.sum()?;
        let formula = match self.at == self.tokens.len() {
            true => Formula::Expression(left),
            false => {
                self.at = 0;
                Formula::Predicate(self.predicate()?)
            }
        };
        match self.at == self.tokens.len() {
            true => Ok(formula),
            false => self.wrong("the end of the formula"),
        }
    }

    fn predicate(&mut self) -> Parsed<Predicate> {
        let mut any = vec![self.conjunction()?];
        while self.accept("or") {
            any.push(self.conjunction()?);
        }
        Ok(any)
    }

    fn conjunction(&mut self) -> Parsed<Vec<Comparison>> {
        let mut all = vec![self.comparison()?];
        while self.accept("and") {
            all.push(self.comparison()?);
        }
        Ok(all)
    }

    fn comparison(&mut self) -> Parsed<Comparison> {
        let left = self.sum()?;
        let Ok(relation) = self.peek().parse::<Relation>() else {
            return self.wrong("one of = != < <= > >=");
        };
        self.at += 1;
        let right = self.sum()?;
        Ok(Comparison {
            left,
            relation,
            right,
        })
    }

    fn sum(&mut self) -> Parsed<Sum> {
        let mut sign = if self.accept("-") { -1 } else { 1 };
        let mut sum = Vec::new();
        loop {
            sum.push((sign, self.atom()?));
            sign = match self.peek() {
                "+" => 1,
                "-" => -1,
                _ => return Ok(sum),
            };
            self.at += 1;
        }
    }

    fn atom(&mut self) -> Parsed<Atom> {
        if self.peek().starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Atom::Number(self.number(1_000_000)?));
        }
        let is_sum = self.accept("sum");
        let (name, span) = self.name()?;
        if let Some(at) = self.scope.iter().rposition(|known| known == name) {
            return Ok(Atom::Name(at));
        }
        let mut counters = self.model.counters.iter();
        let Some(id) = counters.position(|known| known.name.as_str() == name) else {
            self.error(&MISFIT, span, format!("there is no counter {name}"));
            return Ok(Atom::Number(0));
        };
        let whose = match self.peek() {
            _ if is_sum => Whose::Everybodys,
            "'" => {
                self.at += 1;
                Whose::Partners
            }
            "." => {
                self.at += 1;
                let span = self.span();
                let worker = self.number(self.model.workers as i64)? as usize;
                if worker == 0 {
                    self.error(&MISFIT, span, "workers are counted from 1".to_owned());
                }
                Whose::Worker(worker.saturating_sub(1))
            }
            _ if self.model.counters[id].is_own => Whose::Mine,
            _ => Whose::Shared,
        };
        let wrong = match (self.model.counters[id].is_own, whose) {
            (false, Whose::Shared) | (true, Whose::Everybodys | Whose::Worker(_)) => None,
            (false, _) => Some(format!("{name} is shared: it is nobody's own")),
            (true, _) if self.is_in_event => None,
            (true, _) => Some(format!("whose {name}? say sum {name} or {name}.1")),
        };
        if let Some(wrong) = wrong {
            self.error(&MISFIT, span, wrong);
        }
        Ok(Atom::Counter(id, whose))
    }
}
