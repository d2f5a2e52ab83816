//! The instances of rules, start states and properties: one for each choice of parameters that is known before the run.

use std::ops::Range;

use base::Span;
use program::{Binder, Domain, ExprId, LocalId, Rule, StmtId};

use super::super::code::{NodeId, Op, OpId, Rounds, Target};
use super::super::footprint::Footprint;
use super::super::layout::{Bag, bags};
use super::{Compiler, Context, Known};

/// A rule whose instances would become more nodes than this keeps its parameters as loops.
const MOST_NODES: u64 = 400_000;

/// Words for the elements of a multiset in a label: their place.
const PLACE_BIAS: i64 = 0;

/// What happens before a guard is looked at.
#[derive(Clone, Debug)]
pub(crate) enum Prelude {
    /// An operation that binds a name.
    Bind(OpId),
    /// A parameter that goes through values: what, where it is kept, its position in the label and the bias there.
    Each(Rounds, Target, usize, i64),
}

/// A rule with known parameters.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// Which rule, start state or property.
    pub number: usize,
    /// The words of its parameters; those of loops are filled in when it runs.
    pub label: Vec<u32>,
    /// What is done before the guard.
    pub prelude: Vec<Prelude>,
    /// The guard or condition.
    pub guard: Option<NodeId>,
    /// What happens.
    pub body: OpId,
    /// The words and counters of its frame.
    pub frame: u32,
    /// The counters of its frame.
    pub counters: u32,
    /// What the bindings and the guard may read.
    pub looks: Footprint,
    /// What guard and body may touch.
    pub touches: Footprint,
    /// Multisets that may be written, inner ones first.
    pub bags: Vec<(u32, Bag)>,
    /// Slots that may change.
    pub stores: Vec<u32>,
    /// Words of the state that may change, as ranges.
    pub changes: Vec<Range<usize>>,
    /// Whether some of the slots are in tables.
    pub is_wide: bool,
}

/// What is compiled for every choice of parameters.
#[derive(Clone, Copy)]
struct Template<'r> {
    number: usize,
    binders: &'r [Binder],
    guard: Option<ExprId>,
    body: Option<StmtId>,
    span: Span,
}

impl<'p> Compiler<'p> {
    /// The instances of a rule or start state.
    pub fn rule(&mut self, number: usize, rule: &'p Rule) -> Vec<Instance> {
        let template = Template {
            number,
            binders: &rule.binders,
            guard: rule.guard,
            body: Some(rule.body),
            span: rule.span,
        };
        let body = self
            .weight_of_stmt(rule.body)
            .saturating_add(rule.guard.map_or(0, |guard| self.weight(guard)));
        self.instances(template, body)
    }

    /// The instances of a condition.
    pub fn condition(
        &mut self,
        number: usize,
        binders: &'p [Binder],
        condition: ExprId,
        span: Span,
    ) -> Vec<Instance> {
        let template = Template {
            number,
            binders,
            guard: Some(condition),
            body: None,
            span,
        };
        let weight = self.weight(condition);
        self.instances(template, weight)
    }

    fn instances(&mut self, template: Template<'_>, weight: u64) -> Vec<Instance> {
        let sizes = template.binders.iter().filter_map(|binder| match binder {
            Binder::Parameter { domain, .. } => self.rounds(domain),
            _ => None,
        });
        let count = sizes.fold(1, u64::saturating_mul);
        let unrolls = count.saturating_mul(weight.saturating_add(10)) <= MOST_NODES;
        let start = self.code.calls.len();
        let mut found = Vec::new();
        self.bind(
            template,
            template.binders,
            unrolls,
            Partial::default(),
            &mut found,
        );
        // Calls in what stands around the rule: their frames begin behind that of any instance.
        self.context.frame = found
            .iter()
            .map(|instance| instance.frame)
            .max()
            .unwrap_or(0);
        self.context.counters = found
            .iter()
            .map(|instance| instance.counters)
            .max()
            .unwrap_or(0);
        self.close_calls(start);
        self.context = Context::default();
        found
    }

    fn bind(
        &mut self,
        template: Template<'_>,
        binders: &[Binder],
        unrolls: bool,
        mut partial: Partial,
        found: &mut Vec<Instance>,
    ) {
        let Some((binder, rest)) = binders.split_first() else {
            found.extend(self.finish(template, partial));
            return;
        };
        self.context = std::mem::take(&mut partial.context);
        match binder {
            Binder::Parameter {
                local,
                domain: Domain::Type(ty),
            } if unrolls => {
                let layout = self.layout.ty(*ty);
                let values: Vec<(i64, u32)> = layout
                    .values()
                    .map(|value| (value, (value - layout.bias) as u32))
                    .collect();
                partial.context = std::mem::take(&mut self.context);
                for (value, word) in values {
                    let mut next = partial.clone();
                    next.context.locals.insert(*local, Known::Value(value));
                    next.label.push(word);
                    self.bind(template, rest, unrolls, next, found);
                }
                return;
            }
            Binder::Parameter { local, domain } => {
                let step = self.each(*local, domain, partial.label.len());
                // A chosen element has all its words in the label, and how many equal ones come before it.
                let words = match &step {
                    Prelude::Each(Rounds::Places(_, bag), ..) => bag.stride as usize,
                    _ => 1,
                };
                partial.prelude.push(step);
                partial.label.resize(partial.label.len() + words, 0);
            }
            Binder::Alias { local, place } => {
                if let Some(op) = self.alias(*local, *place, template.span) {
                    partial.prelude.push(Prelude::Bind(op));
                }
            }
            Binder::Value { local, value } => {
                let target = self.target(*local);
                let node = self.value(*value);
                let op = match target {
                    Target::Counter(counter) => Op::StoreCounter(counter, node),
                    Target::Word(word, _) => {
                        let ty = self.program.locals[*local].ty;
                        Op::StoreFixed(self.layout.words + word, node, self.store(ty))
                    }
                };
                let op = self.op(op, self.program.exprs[*value].span);
                partial.prelude.push(Prelude::Bind(op));
            }
        }
        partial.context = std::mem::take(&mut self.context);
        self.bind(template, rest, unrolls, partial, found);
    }

    /// A parameter that is a loop.
    fn each(&mut self, local: LocalId, domain: &Domain, position: usize) -> Prelude {
        let rounds = self.rounds_of(domain);
        let target = self.target(local);
        let bias = match domain {
            Domain::Type(ty) => self.layout.ty(*ty).bias,
            _ => PLACE_BIAS,
        };
        Prelude::Each(rounds, target, position, bias)
    }

    fn finish(&mut self, template: Template<'_>, partial: Partial) -> Option<Instance> {
        self.context = partial.context;
        let start = self.code.calls.len();
        let guard = template.guard.map(|guard| self.int(guard));
        let constant = guard.and_then(|guard| self.constant(guard));
        // An instance whose guard is false whatever the state does not exist; conditions are kept.
        if constant == Some(0) && template.body.is_some() && partial.prelude.is_empty() {
            self.context = Context::default();
            return None;
        }
        let looks = self.context.footprint.clone();
        let body = template
            .body
            .map_or(self.nothing, |body| self.statement_of(body, None));
        self.close_calls(start);
        let made = std::mem::take(&mut self.context);
        let bags = self.written_bags(&made.footprint);
        let guard = if constant.is_some_and(|value| value != 0) && template.body.is_some() {
            None
        } else {
            guard
        };
        Some(Instance {
            number: template.number,
            label: partial.label,
            prelude: partial.prelude,
            guard,
            body,
            frame: made.frame,
            counters: made.counters,
            looks,
            touches: made.footprint,
            bags,
            stores: Vec::new(),
            changes: Vec::new(),
            is_wide: false,
        })
    }

    /// The multisets of the state that code may write.
    fn written_bags(&self, footprint: &Footprint) -> Vec<(u32, Bag)> {
        let mut found = Vec::new();
        for (id, variable) in self.program.variables.iter() {
            let start = self.layout.variables[id.index()];
            bags(
                self.program,
                self.layout,
                variable.ty,
                start,
                &mut |at, bag| {
                    let words = at..at + bag.capacity * bag.stride;
                    if words
                        .into_iter()
                        .any(|word| footprint.writes.contains(word as usize))
                    {
                        found.push((at, bag));
                    }
                },
            );
        }
        found
    }
}

/// What is bound so far.
#[derive(Clone, Debug, Default)]
struct Partial {
    context: Context,
    label: Vec<u32>,
    prelude: Vec<Prelude>,
}
