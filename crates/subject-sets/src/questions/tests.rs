//! Texts with names of their own are read as themselves, in both notations.

use std::path::Path;

use base::{Diagnostics, Severity, Sources, Span};
use lang_eventb::syntax::Project;
use model::Kind;
use subject::{
    Change, EventId, Holder, Question, QuestionId, ScopeName, Setting, Subject, Typing, Wanted, Wd,
};

use super::solve_scope;
use crate::Sets;
use crate::loaded::Loaded;

const B: &str = "MACHINE M SETS S = {a, b, c} DEFINITIONS small == {a, b}
    VARIABLES n, w INVARIANT n : 0..3 & w <: S INITIALISATION n := 1 || w := {}
    OPERATIONS add(x) = PRE x : S - w & n < 3 THEN w := w \\/ {x} || n := n + 1 END END";

const EVENT_B: &str = "machine M variables n invariants n ∈ 0‥3
    events event INITIALISATION then n ≔ 1 end event inc any k where k ∈ 1‥2 n + k ≤ 3 then n ≔ n + k end end";

struct Asked {
    sets: Sets,
    sources: Sources,
}

impl Asked {
    fn new(loaded: Loaded, sources: Sources) -> Asked {
        let sets = Sets::open(loaded, &Setting::default());
        let sets = sets.unwrap_or_else(|wrong| panic!("the model is in order: {wrong:?}"));
        Asked { sets, sources }
    }

    fn b() -> Asked {
        let mut sources = Sources::new();
        let checked = lang_b::check::check_text(Path::new("M.mch"), B.to_owned(), &mut sources);
        assert!(
            !checked.diagnostics.has_errors(),
            "{:?}",
            checked.diagnostics
        );
        Asked::new(Loaded::B(Box::new(checked)), sources)
    }

    fn event_b() -> Asked {
        let (mut sources, mut wrong) = (Sources::new(), Diagnostics::new());
        let mut project = Project::default();
        let path = Path::new("M.eventb");
        lang_eventb::text::read(
            path,
            EVENT_B.to_owned(),
            &mut project,
            &mut sources,
            &mut wrong,
        );
        let checked = lang_eventb::check::check(project, wrong);
        assert!(
            !checked.diagnostics.has_errors(),
            "{:?}",
            checked.diagnostics
        );
        Asked::new(Loaded::EventB(Box::new(checked)), sources)
    }

    fn ask(
        &mut self,
        text: &str,
        wanted: Wanted,
        scope: &[ScopeName],
    ) -> Result<QuestionId, Diagnostics> {
        let question = Question {
            text,
            span: None,
            wanted,
            scope,
        };
        self.sets.ask(&question, &mut self.sources)
    }

    /// The truth of a question in the first state, with these values of its names.
    fn truth(&self, question: QuestionId, values: &[subject::Value]) -> bool {
        let mut judge = self.sets.judge(Wd::Default, 1_000_000);
        let start = judge.beginning();
        let states = judge.initial(&start, 1).unwrap_or_default();
        let answer = judge.truth_of(question, values, &states[0]);
        answer.unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    fn value(&self, holder: Holder, text: &str) -> subject::Value {
        let tree = subject::Tree::Written(text.to_owned());
        let value = self.sets.read_value(holder, &tree);
        value.unwrap_or_else(|| panic!("{text} is a value"))
    }
}

fn by(name: &str, typing: &str, sources: &mut Sources) -> ScopeName {
    let file = sources.add("<range>", typing.to_owned());
    ScopeName {
        name: name.to_owned(),
        typing: Typing::By(typing.to_owned(), Span::new(file, 0, typing.len() as u32)),
    }
}

/// The parameter of the first event.
fn x() -> Holder {
    Holder::Parameter(EventId::new(0), 0)
}

#[test]
fn a_text_that_does_not_end_is_an_error_at_its_place() {
    let mut asked = Asked::b();
    for text in ["m : w) => (1=1", "m : w /*", "m : w & (1=1", "m : w))"] {
        let scope = [by("m", "m : S", &mut asked.sources)];
        let Err(wrong) = asked.ask(text, Wanted::Predicate, &scope) else {
            panic!("{text} is no predicate");
        };
        let first = wrong.iter().find(|found| found.severity == Severity::Error);
        let place = first.and_then(|found| found.primary.as_ref());
        let file = place.map(|place| asked.sources.text(place.span.file));
        assert_eq!(file, Some(text), "{wrong:?}");
    }
    let scope = [by("m", "m : S", &mut asked.sources)];
    assert!(
        asked
            .ask("m : w // so far", Wanted::Predicate, &scope)
            .is_ok()
    );
}

#[test]
fn names_have_the_types_of_their_ranges_or_of_what_they_stand_for() {
    let mut asked = Asked::b();
    let scope = [by("m", "m : small", &mut asked.sources)];
    let inside = asked.ask("m /: w & m : small", Wanted::Predicate, &scope);
    let inside = inside.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let a = asked.value(x(), "a");
    assert!(asked.truth(inside, std::slice::from_ref(&a)));
    let c = asked.value(x(), "c");
    let bound = asked.sets.bind(inside, 0, &[c]);
    let bound = bound.unwrap_or_else(|| panic!("elements can be written"));
    assert!(!asked.truth(bound, &[]));
    // An own name hides a definition and a variable.
    for name in ["small", "n"] {
        let scope = [by(name, &format!("{name} : S"), &mut asked.sources)];
        let hidden = asked.ask(&format!("{name} = a"), Wanted::Predicate, &scope);
        let hidden = hidden.unwrap_or_else(|wrong| panic!("{wrong:?}"));
        assert!(asked.truth(hidden, std::slice::from_ref(&a)));
    }
    // The type of a parameter decides what an empty set is of.
    let like = ScopeName {
        name: "p".to_owned(),
        typing: Typing::Like(x()),
    };
    assert!(asked.ask("{p} /= {}", Wanted::Predicate, &[like]).is_ok());
    assert!(asked.ask("1", Wanted::Equal(x()), &[]).is_err());
    let equal = asked.ask("a", Wanted::Equal(x()), &[]);
    let equal = equal.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assert!(asked.truth(equal, &[a]));
}

#[test]
fn marks_stand_for_values_before_a_step_in_both_notations() {
    for (mut asked, text) in [
        (Asked::b(), "n = n$0 + 1 & n$0 < 3"),
        (Asked::event_b(), "n = n$0 + 1 ∧ n$0 < 3"),
    ] {
        let question = asked.ask(text, Wanted::BeforeAfter, &[]);
        let question = question.unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let before = asked.sets.before(question);
        assert_eq!(before.len(), 1);
        let n = Holder::Component(before[0]);
        let (zero, one) = (asked.value(n, "0"), asked.value(n, "1"));
        assert!(asked.truth(question, &[zero]));
        assert!(!asked.truth(question, &[one]));
    }
    let mut asked = Asked::event_b();
    assert!(asked.ask("n$0 = 1", Wanted::Predicate, &[]).is_err());
}

#[test]
fn ranges_and_changes_are_questions() {
    let mut asked = Asked::event_b();
    let own = ScopeName {
        name: "k".to_owned(),
        typing: Typing::Inferred,
    };
    let range = asked.ask("k ∈ 1‥3 ∧ k > n", Wanted::Predicate, &[own]);
    let range = range.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let values = asked
        .sets
        .range(range)
        .unwrap_or_else(|why| panic!("{why}"));
    let texts: Vec<String> = values.iter().map(subject::Value::text).collect();
    assert_eq!(texts, ["1", "2", "3"]);
    let value = asked.ask("n + 1", Wanted::Expression, &[]);
    let value = value.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assert!(asked.sets.change(value, Change::Increasing).is_ok());
    let set = asked.ask("{n}", Wanted::Expression, &[]);
    let set = set.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let refused = asked.sets.change(set, Change::Increasing);
    assert_eq!(refused, Err("needs a number".to_owned()));
}

#[test]
fn unknowns_are_the_names_that_mean_nothing_and_become_a_set() {
    for (mut asked, text) in [
        (Asked::b(), "x : 1..n & y = x + 1 & #z.(z : 1..x)"),
        (Asked::event_b(), "x ∈ 1‥n ∧ y = x + 1 ∧ (∃z·z ∈ 1‥x)"),
    ] {
        let Asked { sets, sources } = &mut asked;
        let solving = sets.solving().unwrap_or_else(|| panic!("sets are solved"));
        let unknowns = solving.unknowns(text, sources);
        assert_eq!(unknowns, ["x", "y"]);
        let set = solve_scope(sets, text, &unknowns, sources);
        let set = set.unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let Kind::Bind { names, .. } = &sets.model.exprs[set].kind else {
            panic!("it is a comprehension");
        };
        assert_eq!(names.len(), 2);
        // An error is about what was written.
        let wrong = solve_scope(sets, "x : 1..n & y", &unknowns, sources);
        assert!(wrong.is_err());
    }
}
