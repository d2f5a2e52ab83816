//! Elements to locations and edges: choices flattened, escapes put before.
//!
//! Reference: SPIN 6.5.2, pangen2.c (what is generated) and the function retrans of the generated checker. A location is an
//! element where control rests; its edges are the statements that can be reached from it without a step.
//! Invariant: the order of edges is SPIN's, since `else` looks at those before it.

use program::{Act, Edge, Graph, Location, LocationId, Marks, Then};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Lowering;
use crate::flow::{ElementId, Flow, Kind, Node, SequenceId};
use crate::marks::marks;
use crate::optimise::Optimised;

/// Makes the graph of one body.
struct Builder {
    graph: Graph,
    /// Locations of elements; those inside a d_step are apart.
    locations: FxHashMap<(ElementId, Inside), LocationId>,
    marks: FxHashMap<ElementId, Marks>,
    open: Vec<(ElementId, Inside)>,
    optimised: Optimised,
}

/// The d_step that a location is inside of.
type Inside = Option<ElementId>;

/// A step of a location: its element and the escape it belongs to.
#[derive(Clone, Copy)]
struct Step {
    element: ElementId,
    escape: Option<ElementId>,
}

/// What happens behind a step, in the same step.
struct Merged {
    effects: Vec<program::StmtId>,
    to: LocationId,
    is_atomic: bool,
}

impl Lowering<'_> {
    /// The graph of a body. The variables are taken from `self.locals`.
    pub(crate) fn graph(&mut self, flow: &mut Flow<'_>) -> Graph {
        let optimised = match flow.kind {
            Kind::Process => self.optimised(flow),
            Kind::Claim | Kind::Observer => Optimised::default(),
        };
        for id in (0..flow.elements.len()).rev() {
            if let Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner) =
                flow.elements[ElementId::new(id)].node
            {
                flow.bridge(inner);
            }
        }
        let mut builder = Builder {
            graph: Graph::default(),
            locations: FxHashMap::default(),
            marks: marks(flow),
            open: Vec::new(),
            optimised,
        };
        let first = flow.top.and_then(|top| flow.sequences[top].first);
        if let Some(first) = first {
            let start = flow.rest(first, flow.elements[first].is_atomic);
            builder.graph.start = Some(builder.location(flow, start, None));
        }
        let stop = flow.top.and_then(|top| flow.sequences[top].last);
        if let Some(stop) = stop {
            builder.graph.end = Some(builder.location(flow, stop, None));
        }
        while let Some((element, inside)) = builder.open.pop() {
            match inside {
                None => self.location(flow, &mut builder, element),
                Some(d_step) => self.inner_location(flow, &mut builder, element, d_step),
            }
        }
        builder.graph.variables = std::mem::take(&mut self.locals);
        builder.graph
    }

    /// The edges of a location where control rests.
    fn location(&mut self, flow: &Flow<'_>, builder: &mut Builder, element: ElementId) {
        let from = builder.location(flow, element, None);
        let steps = self.steps_with_escapes(flow, element);
        let mut levels: Vec<Vec<program::EdgeId>> = Vec::new();
        let mut group: Option<Option<ElementId>> = None;
        for step in steps {
            if group != Some(step.escape) {
                levels.push(Vec::new());
                group = Some(step.escape);
            }
            let edges = self.edges(flow, builder, from, step.element);
            if let Some(level) = levels.last_mut() {
                level.extend(edges);
            }
        }
        builder.graph.locations[from].levels = levels;
    }

    /// The steps of a location, escapes first.
    fn steps_with_escapes(&self, flow: &Flow<'_>, element: ElementId) -> Vec<Step> {
        let plain = singles(flow, element);
        let mut steps: Vec<Step> = plain
            .iter()
            .map(|element| Step {
                element: *element,
                escape: None,
            })
            .collect();
        let mut before: Vec<Step> = Vec::new();
        for statement in &plain {
            if matches!(flow.elements[*statement].node, Node::Dot) {
                continue;
            }
            for escape in flow.elements[*statement].escapes.iter().rev() {
                let Some(first) = flow.sequences[*escape].first else {
                    continue;
                };
                let entry = flow.rest(first, flow.elements[*statement].is_atomic);
                for step in self.escape_steps(flow, element, entry) {
                    if steps.iter().any(|known| known.element == step) {
                        continue;
                    }
                    let step = Step {
                        element: step,
                        escape: Some(entry),
                    };
                    match self.options.inner_escapes_first {
                        true => before.push(step),
                        false => steps.insert(0, step),
                    }
                }
            }
        }
        before.extend(steps);
        before
    }

    /// The steps of an escape; SPIN has put its own escapes before them already if its number is smaller.
    fn escape_steps(&self, flow: &Flow<'_>, from: ElementId, entry: ElementId) -> Vec<ElementId> {
        match flow.elements[entry].number < flow.elements[from].number {
            true => {
                let steps = base::deep::recurse(|| self.steps_with_escapes(flow, entry));
                steps.into_iter().map(|step| step.element).collect()
            }
            false => singles(flow, entry),
        }
    }

    /// The edges of one statement from a location: several only for a d_step that begins with a choice.
    fn edges(
        &mut self,
        flow: &Flow<'_>,
        builder: &mut Builder,
        from: LocationId,
        statement: ElementId,
    ) -> Vec<program::EdgeId> {
        let element = &flow.elements[statement];
        if let Node::DStep(inner) = element.node {
            return self.enter_d_step(flow, builder, from, statement, inner);
        }
        let act = match element.node {
            Node::Stop => match flow.kind {
                Kind::Process => Act::End,
                Kind::Claim | Kind::Observer => return Vec::new(),
            },
            _ => self.act(flow, statement),
        };
        let then = if element.is_atomic {
            Then::Same
        } else {
            Then::Anybody
        };
        if let Some(merged) = self.merged(flow, builder, statement) {
            return vec![self.merged_edge(flow, builder, from, statement, (act, merged))];
        }
        let to = match after(flow, statement) {
            Some(next) => builder.location(flow, flow.rest(next, element.is_atomic), None),
            None => from,
        };
        vec![self.edge(flow, builder, (from, to), statement, (act, then))]
    }

    /// What follows a step in the same step, where it leads and who goes on: SPIN's optimisations.
    fn merged(
        &mut self,
        flow: &Flow<'_>,
        builder: &mut Builder,
        statement: ElementId,
    ) -> Option<Merged> {
        let span = flow.elements[statement].span;
        let mut effects = self.resets(builder, statement, span);
        let Some(target) = builder.optimised.merged.get(&statement).copied() else {
            if effects.is_empty() {
                return None;
            }
            let atomic = flow.elements[statement].is_atomic;
            let next = flow.rest(after(flow, statement)?, atomic);
            return Some(Merged {
                effects,
                to: builder.location(flow, next, None),
                is_atomic: atomic,
            });
        };
        let mut last = statement;
        for _ in 0..flow.elements.len() {
            let next = match flow.elements[last].node {
                Node::Goto(goto) => {
                    flow.hop(flow.target(goto), flow.elements[last].is_atomic, target)
                }
                _ => flow.elements[last].next?,
            };
            if next == target || !builder.optimised.followers.contains_key(&next) {
                break;
            }
            if let Act::Do(effect) = self.act(flow, next) {
                effects.push(effect);
            }
            effects.extend(self.resets(builder, next, flow.elements[next].span));
            last = next;
        }
        Some(Merged {
            effects,
            to: builder.location(flow, target, None),
            is_atomic: flow.elements[last].is_atomic,
        })
    }

    /// The assignments of 0 to variables that die with a step.
    fn resets(
        &mut self,
        builder: &Builder,
        statement: ElementId,
        span: base::Span,
    ) -> Vec<program::StmtId> {
        let dead = builder
            .optimised
            .dead
            .get(&statement)
            .cloned()
            .unwrap_or_default();
        dead.into_iter().map(|var| self.reset(var, span)).collect()
    }

    /// A step with effects behind it. What may block goes first, on an edge of its own that nobody can come between.
    fn merged_edge(
        &mut self,
        flow: &Flow<'_>,
        builder: &mut Builder,
        from: LocationId,
        statement: ElementId,
        (act, merged): (Act, Merged),
    ) -> program::EdgeId {
        let then = if merged.is_atomic {
            Then::Same
        } else {
            Then::Anybody
        };
        let span = flow.elements[statement].span;
        if merged.effects.is_empty() {
            return self.edge(flow, builder, (from, merged.to), statement, (act, then));
        }
        let mut effects = merged.effects;
        if let Act::Do(first) = act {
            effects.insert(0, first);
            let act = Act::Do(self.out.stmt(program::StmtKind::Block(effects), span));
            return self.edge(flow, builder, (from, merged.to), statement, (act, then));
        }
        let between = builder.graph.locations.push(Location {
            levels: Vec::new(),
            labels: Vec::new(),
            marks: Marks::default(),
            number: flow.elements[statement].number,
            span,
        });
        let rest = Act::Do(self.out.stmt(program::StmtKind::Block(effects), span));
        let behind = self.edge(flow, builder, (between, merged.to), statement, (rest, then));
        builder.graph.locations[between].levels = vec![vec![behind]];
        self.edge(
            flow,
            builder,
            (from, between),
            statement,
            (act, Then::First),
        )
    }

    fn edge(
        &mut self,
        flow: &Flow<'_>,
        builder: &mut Builder,
        (from, to): (LocationId, LocationId),
        statement: ElementId,
        (act, then): (Act, Then),
    ) -> program::EdgeId {
        builder.graph.edges.push(Edge {
            from,
            to,
            act,
            then,
            text: self.text_of(flow, statement),
            span: flow.elements[statement].span,
        })
    }

    /// The first statement of a d_step starts where control rests. Of several first statements the first possible one is
    /// taken: each guard is joined by the negation of those before it.
    fn enter_d_step(
        &mut self,
        flow: &Flow<'_>,
        builder: &mut Builder,
        from: LocationId,
        d_step: ElementId,
        inner: SequenceId,
    ) -> Vec<program::EdgeId> {
        let Some(first) = flow.sequences[inner].first else {
            return Vec::new();
        };
        let beginning = flow.beginning(first);
        let firsts = singles(flow, beginning);
        let mut edges = Vec::new();
        let mut before = None;
        for statement in firsts {
            let act = match flow.elements[statement].node {
                // The `else` of a choice inside; one that the d_step begins with belongs to the choice around it.
                Node::Else if statement != beginning => {
                    Act::Guard(self.truth(flow.elements[statement].span))
                }
                _ => self.act(flow, statement),
            };
            let alone = self.after_others(&act, before);
            before = self.joined(before, &act);
            let (to, then) = self.inside(flow, builder, statement, d_step);
            edges.push(self.edge(flow, builder, (from, to), statement, (alone, then)));
            if before.is_none() {
                break;
            }
        }
        edges
    }

    /// The edges of a location inside a d_step.
    fn inner_location(
        &mut self,
        flow: &Flow<'_>,
        builder: &mut Builder,
        element: ElementId,
        d_step: ElementId,
    ) {
        let from = builder.location(flow, element, Some(d_step));
        let mut level = Vec::new();
        for statement in singles(flow, element) {
            let act = self.act(flow, statement);
            let (to, then) = self.inside(flow, builder, statement, d_step);
            level.push(self.edge(flow, builder, (from, to), statement, (act, then)));
        }
        builder.graph.locations[from].levels = vec![level];
    }

    /// Where a statement of a d_step leads, and whether the d_step goes on there.
    fn inside(
        &mut self,
        flow: &Flow<'_>,
        builder: &mut Builder,
        statement: ElementId,
        d_step: ElementId,
    ) -> (LocationId, Then) {
        let Node::DStep(inner) = flow.elements[d_step].node else {
            unreachable!("only d_steps have an inside");
        };
        let members = members(flow, inner);
        let next = after(flow, statement).map(|next| flow.rest(next, false));
        match next {
            Some(next) if members.contains(&next) => {
                (builder.location(flow, next, Some(d_step)), Then::First)
            }
            _ => {
                let atomic = flow.elements[d_step].is_atomic;
                let outside = flow.elements[d_step]
                    .next
                    .map(|next| flow.rest(next, atomic));
                let to = match outside {
                    Some(outside) => builder.location(flow, outside, None),
                    None => builder.location(flow, d_step, None),
                };
                (to, if atomic { Then::Same } else { Then::Anybody })
            }
        }
    }
}

impl Builder {
    /// The location of an element, made when it is met first.
    fn location(&mut self, flow: &Flow<'_>, element: ElementId, inside: Inside) -> LocationId {
        if let Some(known) = self.locations.get(&(element, inside)) {
            return *known;
        }
        let known = &flow.elements[element];
        let mut marks = self.marks.get(&element).copied().unwrap_or_default();
        marks.is_end |= matches!(known.node, Node::Stop);
        let id = self.graph.locations.push(Location {
            levels: Vec::new(),
            labels: if inside.is_none() {
                known.labels.clone()
            } else {
                Vec::new()
            },
            marks: if inside.is_none() {
                marks
            } else {
                Marks::default()
            },
            number: known.number,
            span: known.span,
        });
        self.locations.insert((element, inside), id);
        self.open.push((element, inside));
        id
    }
}

/// What follows an element.
pub(crate) fn after(flow: &Flow<'_>, id: ElementId) -> Option<ElementId> {
    match flow.elements[id].node {
        Node::Goto(target) => Some(flow.target(target)),
        _ => flow.elements[id].next,
    }
}

/// The statements that can be the next step at an element.
pub(crate) fn singles(flow: &Flow<'_>, element: ElementId) -> Vec<ElementId> {
    let mut out = Vec::new();
    base::deep::recurse(|| collect(flow, element, &mut out));
    out
}

fn collect(flow: &Flow<'_>, element: ElementId, out: &mut Vec<ElementId>) {
    let options: Vec<SequenceId> = match flow.elements[element].node {
        Node::If | Node::Do => flow.elements[element].sub.clone(),
        Node::Atomic(inner) | Node::Block(inner) => vec![inner],
        _ => return out.push(element),
    };
    for option in options {
        let Some(first) = flow.sequences[option].first else {
            continue;
        };
        let beginning = flow.beginning(first);
        if !flow.is_never(beginning) {
            base::deep::recurse(|| collect(flow, beginning, out));
        }
    }
}

/// All elements below a sequence.
fn members(flow: &Flow<'_>, id: SequenceId) -> FxHashSet<ElementId> {
    let mut all = FxHashSet::default();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let mut at = flow.sequences[id].first;
        while let Some(element) = at {
            if !all.insert(element) {
                break;
            }
            open.extend(&flow.elements[element].sub);
            if let Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner) =
                flow.elements[element].node
            {
                open.push(inner);
            }
            at = if Some(element) == flow.sequences[id].last {
                None
            } else {
                flow.elements[element].next
            };
        }
    }
    all
}
