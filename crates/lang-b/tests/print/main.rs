//! The law of printing: reading what was printed gives the same tree.
//!
//! For random trees over every kind of node, in ASCII and in Unicode, and for every text that is known to
//! be good, if the folder `../shared` with those texts is there.

mod components;
mod formulas;
mod known;
mod shape;

use base::{Id, Random};
use lang_b::parse;
use lang_b::print::{self, Style};
use lang_math::print::to_string;
use lang_math::{Binder, ExprId, Exprs, Op, Sort};

use formulas::Formulas;

/// Where all random tests start; a failure names the tree and both texts.
const SEED: u64 = 3;

pub(crate) const STYLES: [Style; 2] = [Style { unicode: false }, Style { unicode: true }];

/// Fails if reading what is printed gives another formula.
fn reads_back(exprs: &Exprs, id: ExprId) {
    for style in STYLES {
        let text = to_string(exprs, id, &style);
        let mut read = Exprs::new();
        let (read_id, diagnostics) = parse::formula(Id::new(0), &text, &mut read);
        let messages: Vec<_> = diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert!(
            exprs.same(id, &read, read_id) && messages.is_empty(),
            "seed {SEED}: {text}\nreads as: {}\nwith: {messages:?}",
            to_string(&read, read_id, &style),
        );
    }
}

#[test]
fn every_operator_reads_back_with_any_operands() {
    let mut random = Random::new(SEED);
    for op in Op::ALL {
        for height in [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3] {
            let mut exprs = Exprs::new();
            let id = Formulas::new(&mut random, &mut exprs).operation(*op, height);
            reads_back(&exprs, id);
        }
    }
}

#[test]
fn every_binder_reads_back_with_any_body() {
    let mut random = Random::new(SEED);
    for binder in [
        Binder::Forall,
        Binder::Exists,
        Binder::Comprehension,
        Binder::Image,
        Binder::Lambda,
        Binder::Sum,
        Binder::Product,
        Binder::Union,
        Binder::Inter,
    ] {
        for height in [0, 1, 1, 2, 2, 2, 2, 3] {
            let mut exprs = Exprs::new();
            let id = Formulas::new(&mut random, &mut exprs).bind(binder, height);
            reads_back(&exprs, id);
        }
    }
}

#[test]
fn random_formulas_read_back() {
    let mut random = Random::new(SEED);
    for i in 0..6_000 {
        let mut exprs = Exprs::new();
        let sort = if i % 2 == 0 {
            Sort::Expression
        } else {
            Sort::Predicate
        };
        let height = 1 + i % 5;
        let id = Formulas::new(&mut random, &mut exprs).formula(sort, height);
        reads_back(&exprs, id);
    }
}

#[test]
fn no_parentheses_can_be_left_out() {
    let mut random = Random::new(SEED);
    for i in 0..3_000 {
        let mut exprs = Exprs::new();
        let mut formulas = Formulas::new(&mut random, &mut exprs);
        formulas.all = false;
        let sort = if i % 2 == 0 {
            Sort::Expression
        } else {
            Sort::Predicate
        };
        let id = formulas.formula(sort, 2);
        let text = to_string(&exprs, id, &Style::default());
        for (open, close) in parentheses(&text) {
            let without = format!(
                "{} {} {}",
                &text[..open],
                &text[open + 1..close],
                &text[close + 1..]
            );
            let mut read = Exprs::new();
            let (read_id, diagnostics) = parse::formula(Id::new(0), &without, &mut read);
            assert!(
                diagnostics.has_errors() || !exprs.same(id, &read, read_id),
                "seed {SEED}: {text}\nis also: {without}"
            );
        }
    }
}

/// The pairs of parentheses around formulas, in a text whose strings and comments hold none.
fn parentheses(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => open.push(at),
            b')' => {
                let start = open.pop().unwrap_or_default();
                // Not those around the names of a binder.
                if !text[at + 1..].starts_with('.') {
                    pairs.push((start, at));
                }
            }
            _ => {}
        }
    }
    pairs
}

#[test]
fn random_components_read_back() {
    let mut random = Random::new(SEED);
    for _ in 0..600 {
        let component = components::component(&mut random);
        for style in STYLES {
            let text = print::component(&component, &style);
            let parsed = parse::component(Id::new(0), &text);
            if !component.same(&parsed.component) {
                let messages: Vec<_> = parsed
                    .diagnostics
                    .iter()
                    .map(|d| {
                        (
                            d.message.as_str(),
                            d.primary.as_ref().map(|at| at.span.start),
                        )
                    })
                    .collect();
                let read = print::component(&parsed.component, &style);
                let differ = text.lines().zip(read.lines()).find(|(a, b)| a != b);
                panic!("seed {SEED}:\n{text}\nfirst difference: {differ:#?}\nwith: {messages:#?}");
            }
        }
    }
}
