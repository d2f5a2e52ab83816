//! Turns the tree of a formula into what engines read: numbered atoms below a few operators.
//!
//! Quantifiers become one conjunct or disjunct for each value of their name; an `or` of assumptions about fairness becomes
//! a list of alternatives.
//! Where elements are interchangeable and a formula says something of each of them (`!p.(p : S => …)` outside, or where it could be put
//! outside), one of them speaks for all: paths of the model are permuted to paths [Emerson, Sistla 1996]. The others stay
//! interchangeable, and so the formula can be checked on representatives. Elsewhere a quantifier over predicates of one state becomes one predicate, which tells
//! no elements apart.
//! Invariant: formulas stay small: where an operator needs a part twice, the size is bounded before it is copied.

use std::collections::{HashMap, HashSet};

use base::{Diagnostic, Diagnostics, deep};
use buchi::Ltl;
use lang_formula::{
    Atom as Written, Binary, Fairness as Fair, Formula, NodeId, NodeKind, Path, Quantifier, Unary,
    codes,
};
use search::branching::Ctl;
use search::liveness::{Constraint, Fairness};
use subject::{Question, ScopeName, Typing, Value, Wanted};

use super::atoms::{Atoms, Fixed, instance, unsupported};
use super::forbidden::Barred;
use super::host::{Host, one};
use super::position::{Position, has_quantifier, proposition};

/// The most operators and atoms of a formula, quantifiers written out.
const MAX_SIZE: usize = 20_000;
/// The most alternatives of an assumption.
const MAX_ALTERNATIVES: usize = 64;

/// A formula over numbered atoms.
#[derive(Debug)]
pub(super) enum Lowered {
    /// Linear time.
    Ltl(Linear),
    /// Branching time.
    Ctl(Ctl),
    /// What no path may do.
    Automaton(Barred),
}

/// A formula of linear time.
#[derive(Debug)]
pub(super) struct Linear {
    /// As it is written.
    pub(super) written: Formula,
    /// The formula.
    pub(super) formula: Ltl,
    /// What is assumed of paths: one of these; nothing when empty.
    pub(super) fairness: Vec<Fairness>,
    /// What the parts of the formula became, outside of quantifiers.
    pub(super) parts: HashMap<NodeId, Ltl>,
    /// Parts that stand for more than they became: one element speaks for others.
    pub(super) spoken_for: HashSet<NodeId>,
}

/// Lowers a formula. Elements of one class of `alike` can be exchanged in the model and in everything that is asked.
pub(super) fn lower(
    formula: Formula,
    atoms: &mut Atoms,
    host: &mut Host<'_>,
    alike: &[Vec<String>],
) -> Result<Lowered, Diagnostics> {
    let mut lowering = Lowering {
        formula: &formula,
        atoms,
        host,
        alike,
        fixed: Vec::new(),
        parts: HashMap::new(),
        spoken_for: HashSet::new(),
    };
    match formula.logic {
        lang_formula::Logic::Ltl => {
            let (root, _) = lowering.linear(formula.root, Position::Conjunct)?;
            let fairness = match formula.fairness {
                Some(fairness) => lowering.fairness(fairness)?,
                None => Vec::new(),
            };
            let Lowering {
                parts, spoken_for, ..
            } = lowering;
            Ok(Lowered::Ltl(Linear {
                written: formula,
                formula: root,
                fairness,
                parts,
                spoken_for,
            }))
        }
        lang_formula::Logic::Ctl => lowering.branching(formula.root).map(Lowered::Ctl),
    }
}

struct Lowering<'a, 'h> {
    formula: &'a Formula,
    atoms: &'a mut Atoms,
    host: &'a mut Host<'h>,
    /// Quantified names with their values, outermost first.
    fixed: Vec<Fixed>,
    parts: HashMap<NodeId, Ltl>,
    alike: &'a [Vec<String>],
    spoken_for: HashSet<NodeId>,
}

impl Lowering<'_, '_> {
    fn too_large(&self, id: NodeId) -> Diagnostics {
        let message =
            format!("the formula has more than {MAX_SIZE} operators when it is written out");
        one(Diagnostic::error(
            &codes::UNSUPPORTED,
            self.formula.span(id),
            message,
        ))
    }

    /// A part of linear time, with its size.
    fn linear(&mut self, id: NodeId, at: Position) -> Result<(Ltl, usize), Diagnostics> {
        let before = self.spoken_for.len();
        let (lowered, size) = deep::recurse(|| self.linear_here(id, at))?;
        if size > MAX_SIZE {
            return Err(self.too_large(id));
        }
        if self.spoken_for.len() > before {
            self.spoken_for.insert(id);
        }
        if self.fixed.is_empty() {
            self.parts.insert(id, lowered.clone());
        }
        Ok((lowered, size))
    }

    fn linear_here(&mut self, id: NodeId, at: Position) -> Result<(Ltl, usize), Diagnostics> {
        let formula = self.formula;
        match formula.kind(id) {
            NodeKind::Constant(true) => Ok((Ltl::True, 1)),
            NodeKind::Constant(false) => Ok((Ltl::False, 1)),
            NodeKind::Atom(atom) => Ok((Ltl::Atom(self.atom(atom, id)?), 1)),
            NodeKind::Unary(operator, operand) => {
                let (a, size) = self.linear(*operand, at.of_operand(*operator))?;
                let lowered = match operator {
                    Unary::Not => Ltl::not(a),
                    Unary::Globally => Ltl::globally(a),
                    Unary::Finally => Ltl::finally(a),
                    Unary::Next => Ltl::next(a),
                    Unary::Historically => Ltl::historically(a),
                    Unary::Once => Ltl::once(a),
                    Unary::Yesterday => Ltl::yesterday(a),
                };
                Ok((lowered, size + 1))
            }
            NodeKind::Binary(operator, left, right) => {
                let (first, second) = at.of_operands(*operator, has_quantifier(formula, *right));
                let (a, first) = self.linear(*left, first)?;
                let (b, second) = self.linear(*right, second)?;
                let size = match operator {
                    Binary::Iff => 2 * (first + second),
                    Binary::WeakUntil => first + 2 * second,
                    _ => first + second,
                };
                if size > MAX_SIZE {
                    return Err(self.too_large(id));
                }
                let lowered = match operator {
                    Binary::Iff => Ltl::iff(a, b),
                    Binary::Implies => Ltl::implies(a, b),
                    Binary::And => Ltl::and(a, b),
                    Binary::Or => Ltl::or(a, b),
                    Binary::Until => Ltl::until(a, b),
                    Binary::WeakUntil => Ltl::weak_until(a, b),
                    Binary::Release => Ltl::release(a, b),
                    Binary::Since => Ltl::since(a, b),
                    Binary::Trigger => Ltl::trigger(a, b),
                };
                Ok((lowered, size + 1))
            }
            NodeKind::Quantified {
                quantifier,
                name,
                range,
                body,
            } => {
                let at = at.of_quantified(*quantifier);
                if at == Position::Anywhere
                    && let Some(atom) = self.folded(id)
                {
                    return Ok((Ltl::Atom(atom), 1));
                }
                self.quantified((id, at), *quantifier, (name, range), *body)
            }
            NodeKind::Branching(..)
            | NodeKind::ExistsStep(..)
            | NodeKind::ExistsUntil(..)
            | NodeKind::Fair(_) => Err(self.misplaced(id)),
        }
    }

    fn misplaced(&self, id: NodeId) -> Diagnostics {
        unsupported(self.formula.span(id), "this operator has no meaning here")
    }

    fn atom(&mut self, atom: &Written, id: NodeId) -> Result<u32, Diagnostics> {
        let (text, span) = (self.formula.part(id), self.formula.span(id));
        self.atoms.number(atom, &text, span, &self.fixed, self.host)
    }

    /// One conjunct or disjunct for each value.
    fn quantified(
        &mut self,
        (id, at): (NodeId, Position),
        quantifier: Quantifier,
        (name, range): (&lang_formula::Text, &lang_formula::Text),
        body: NodeId,
    ) -> Result<(Ltl, usize), Diagnostics> {
        let mut scope: Vec<ScopeName> = self.fixed.iter().map(|f| f.name.clone()).collect();
        scope.push(ScopeName {
            name: name.text.clone(),
            typing: Typing::Inferred,
        });
        let question = Question {
            text: &range.text,
            span: Some(range.span),
            wanted: Wanted::Predicate,
            scope: &scope,
        };
        let predicate = self.host.subject.ask(&question, self.host.sources)?;
        self.atoms.asked.push(predicate);
        let predicate = instance(predicate, 0, &self.fixed, range.span, self.host)?;
        let values = self.host.subject.range(predicate);
        let mut values = values.map_err(|why| unsupported(range.span, &why))?;
        if at != Position::Anywhere {
            let all = values.len();
            self.keep_speakers(&mut values);
            if values.len() < all {
                self.spoken_for.insert(id);
            }
        }
        let bound = ScopeName {
            name: name.text.clone(),
            typing: Typing::By(range.text.clone(), range.span),
        };
        let mut parts = Vec::new();
        let mut total = 1;
        for value in values {
            self.fixed.push(Fixed {
                name: bound.clone(),
                value,
            });
            let inside = Written::Predicate(range.clone());
            let text = format!("{{{}}}", range.text.trim());
            let inside = self
                .atoms
                .number(&inside, &text, range.span, &self.fixed, self.host);
            let lowered = inside.and_then(|inside| Ok((inside, self.linear(body, at)?)));
            self.fixed.pop();
            let (inside, (body, size)) = lowered?;
            total += size + 2;
            if total > MAX_SIZE {
                return Err(self.too_large(id));
            }
            parts.push(match quantifier {
                Quantifier::Exists => Ltl::and(Ltl::Atom(inside), body),
                Quantifier::Forall => Ltl::implies(Ltl::Atom(inside), body),
            });
        }
        let lowered = match quantifier {
            Quantifier::Exists => Ltl::Or(parts),
            Quantifier::Forall => Ltl::And(parts),
        };
        Ok((lowered, total))
    }

    /// A quantifier over predicates of one state as one predicate, which tells no elements apart; nothing where the language of the model does not write
    /// quantifiers as formulas do.
    fn folded(&mut self, id: NodeId) -> Option<u32> {
        if self.alike.is_empty() {
            return None;
        }
        let text = proposition(self.formula, id)?;
        let span = self.formula.span(id);
        let shown = format!("{{{text}}}");
        let predicate = Written::Predicate(lang_formula::Text { text, span });
        let atom = self
            .atoms
            .number(&predicate, &shown, span, &self.fixed, self.host);
        atom.ok()
    }

    /// Keeps one value of each class of interchangeable elements. Those that quantifiers outside are about are not
    /// interchangeable with others.
    fn keep_speakers(&self, values: &mut Vec<Value>) {
        let outside: Vec<String> = self.fixed.iter().map(|f| f.value.text()).collect();
        let mut spoken: Vec<&Vec<String>> = Vec::new();
        values.retain(|value| {
            let text = value.text();
            let class = self.alike.iter().find(|class| class.contains(&text));
            match class.filter(|_| !outside.contains(&text)) {
                Some(class) if spoken.contains(&class) => false,
                Some(class) => {
                    spoken.push(class);
                    true
                }
                None => true,
            }
        });
    }

    /// The alternatives of an assumption.
    fn fairness(&mut self, id: NodeId) -> Result<Vec<Fairness>, Diagnostics> {
        let formula = self.formula;
        match formula.kind(id) {
            NodeKind::Fair(fair) => {
                let mut one = Fairness::default();
                match fair {
                    Fair::Weak(pattern) => {
                        let (enabled, taken) = self.atoms.pair(pattern, self.host)?;
                        one.weak.push(Constraint { enabled, taken });
                    }
                    Fair::Strong(pattern) => {
                        let (enabled, taken) = self.atoms.pair(pattern, self.host)?;
                        one.strong.push(Constraint { enabled, taken });
                    }
                    Fair::EveryWeak => one.weak_labels = true,
                    Fair::EveryStrong => one.strong_labels = true,
                }
                Ok(vec![one])
            }
            NodeKind::Binary(operator, left, right) => {
                let left = deep::recurse(|| self.fairness(*left))?;
                let right = deep::recurse(|| self.fairness(*right))?;
                let found: Vec<Fairness> = match operator {
                    Binary::Or => left.into_iter().chain(right).collect(),
                    _ => left
                        .iter()
                        .flat_map(|a| right.iter().map(move |b| both(a, b)))
                        .take(MAX_ALTERNATIVES + 1)
                        .collect(),
                };
                if found.len() > MAX_ALTERNATIVES {
                    let message =
                        format!("the assumption has more than {MAX_ALTERNATIVES} alternatives");
                    return Err(unsupported(formula.span(id), &message));
                }
                Ok(found)
            }
            _ => Err(self.misplaced(id)),
        }
    }

    fn branching(&mut self, id: NodeId) -> Result<Ctl, Diagnostics> {
        deep::recurse(|| self.branching_here(id))
    }

    fn branching_here(&mut self, id: NodeId) -> Result<Ctl, Diagnostics> {
        let formula = self.formula;
        Ok(match formula.kind(id) {
            NodeKind::Constant(true) => Ctl::True,
            NodeKind::Constant(false) => Ctl::False,
            // A state is left by many steps: as an atom, `[Op]` says that one of them is possible.
            NodeKind::Atom(Written::Taken(pattern)) => {
                Ctl::Atom(self.atoms.pair(pattern, self.host)?.0)
            }
            NodeKind::Atom(Written::Change(..) | Written::BeforeAfter(_)) => {
                return Err(self.misplaced(id));
            }
            NodeKind::Atom(atom) => Ctl::Atom(self.atom(atom, id)?),
            NodeKind::Unary(Unary::Not, operand) => Ctl::not(self.branching(*operand)?),
            NodeKind::Binary(operator, left, right) => {
                let (a, b) = (self.branching(*left)?, self.branching(*right)?);
                match operator {
                    Binary::Implies => Ctl::implies(a, b),
                    Binary::And => Ctl::and(a, b),
                    Binary::Or => Ctl::or(a, b),
                    _ => return Err(self.misplaced(id)),
                }
            }
            NodeKind::Branching(path, operator, operand) => {
                let a = self.branching(*operand)?;
                match (path, operator) {
                    (Path::Some, Unary::Next) => Ctl::ex(a),
                    (Path::Some, Unary::Finally) => Ctl::ef(a),
                    (Path::Some, Unary::Globally) => Ctl::eg(a),
                    (Path::All, Unary::Next) => Ctl::ax(a),
                    (Path::All, Unary::Finally) => Ctl::af(a),
                    (Path::All, Unary::Globally) => Ctl::ag(a),
                    _ => return Err(self.misplaced(id)),
                }
            }
            NodeKind::ExistsStep(pattern, operand) => {
                let (_, taken) = self.atoms.pair(pattern, self.host)?;
                Ctl::ex_by(taken, self.branching(*operand)?)
            }
            NodeKind::ExistsUntil(left, right) => {
                Ctl::eu(self.branching(*left)?, self.branching(*right)?)
            }
            NodeKind::Unary(..) | NodeKind::Quantified { .. } | NodeKind::Fair(_) => {
                return Err(self.misplaced(id));
            }
        })
    }
}

/// Both assumptions.
pub(super) fn both(a: &Fairness, b: &Fairness) -> Fairness {
    Fairness {
        weak: a.weak.iter().chain(&b.weak).cloned().collect(),
        strong: a.strong.iter().chain(&b.strong).cloned().collect(),
        weak_labels: a.weak_labels || b.weak_labels,
        strong_labels: a.strong_labels || b.strong_labels,
        weak_actors: a.weak_actors || b.weak_actors,
        strong_actors: a.strong_actors || b.strong_actors,
    }
}
