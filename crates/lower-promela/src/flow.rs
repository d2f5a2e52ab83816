//! The elements of a body: what SPIN's parser makes of its statements.
//!
//! A sequence is a chain of elements; `if`, `do` and `unless` have sequences below them and one element behind them where
//! the sequences meet. Reference: SPIN 6.5.2, flow.c; the numbers of elements are its state numbers.
//! Differs: nothing that shows; elements are an arena and nodes say what they are.

mod escapes;
mod loops;
mod selections;

use base::{Arena, Id, Name, Span};
use lang_promela::check::Facts;
use lang_promela::syntax::{ExprId, Initialiser, Program, StmtId, StmtKind, VarId};
use program::Direction;
use rustc_hash::FxHashMap;

/// Names an element.
pub(crate) type ElementId = Id<Element>;
/// Names a sequence.
pub(crate) type SequenceId = Id<Sequence>;

/// A statement, or a place where sequences meet.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) node: Node,
    /// What follows in its sequence.
    pub(crate) next: Option<ElementId>,
    /// The options of `if` and `do`; main part and escape of `unless`.
    pub(crate) sub: Vec<SequenceId>,
    /// Escapes, the outermost first.
    pub(crate) escapes: Vec<SequenceId>,
    /// Inside an atomic sequence, and control stays there.
    pub(crate) is_atomic: bool,
    /// The last one of an atomic sequence.
    pub(crate) ends_atomic: bool,
    pub(crate) labels: Vec<Name>,
    /// Whether another process asks whether control is here.
    pub(crate) is_asked: bool,
    /// SPIN's number of the state before it.
    pub(crate) number: u32,
    pub(crate) span: Span,
}

/// A chain of elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequence {
    pub(crate) first: Option<ElementId>,
    pub(crate) last: Option<ElementId>,
    /// The last element that was written; `last` may be the meeting point behind it.
    pub(crate) extent: Option<ElementId>,
}

/// What an element is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// A basic statement as written.
    Statement(StmtId),
    /// A declaration that is executed.
    Declared(VarId),
    /// `x = e`.
    Set(ExprId, ExprId),
    /// `x = n`.
    SetNumber(ExprId, i32),
    /// `x <= e`, or `x < e`.
    Until(ExprId, ExprId, Bound),
    /// `x <= n`.
    AtMost(ExprId, i32),
    /// `x++`.
    Next(ExprId),
    /// Steps of `for` over a channel, with the counter's position among the variables.
    Rotate(Rotate, ExprId, ExprId, usize),
    /// `skip`.
    Skip,
    If,
    Do,
    Unless,
    Atomic(SequenceId),
    DStep(SequenceId),
    Block(SequenceId),
    Goto(Target),
    /// Behind a loop.
    Break,
    /// Where sequences meet.
    Dot,
    Else,
    /// The end of the body.
    Stop,
}

/// Whether the bound belongs to the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Within,
    Below,
}

/// The steps of `for` over a channel: start, test, take a message out, put it back, count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rotate {
    Start,
    Test,
    Take,
    Put,
    Count,
}

/// Where a goto leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// A labelled statement.
    Label(StmtId),
    /// The end of the loop with this number.
    Loop(usize),
}

/// What kind of body it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Process,
    Claim,
    Observer,
}

/// A statement whose contents are built and whose own element is not.
enum Prepared {
    Plain(Node, Span),
    If(Vec<SequenceId>, Span),
    /// With the number of the loop.
    Do(Vec<SequenceId>, usize, Span),
    Unless(SequenceId, SequenceId, Span),
    LabelledUnless {
        wrap: fn(SequenceId) -> Node,
        main: SequenceId,
        escape: SequenceId,
        labels: Vec<(StmtId, Name)>,
        span: Span,
    },
}

/// One side of `unless`.
enum Side {
    Block(SequenceId),
    /// With the labels before it.
    Statement(Option<Prepared>, Vec<(StmtId, Name)>),
}

/// The elements of one body.
pub(crate) struct Flow<'p> {
    syntax: &'p Program,
    facts: &'p Facts,
    pub(crate) kind: Kind,
    pub(crate) elements: Arena<Element>,
    pub(crate) sequences: Arena<Sequence>,
    /// The sequence of the whole body.
    pub(crate) top: Option<SequenceId>,
    /// Elements of labelled statements.
    labelled: FxHashMap<StmtId, ElementId>,
    /// The elements behind loops, by number of the loop.
    ends: Vec<Option<ElementId>>,
    /// Loops open now, innermost last.
    loops: Vec<usize>,
    /// The sequence being built.
    current: SequenceId,
    /// Blocks open now, for the counters of `for` over channels.
    block: usize,
    blocks: usize,
    /// Counters of `for` over channels: the block and the channel they were made for.
    pub(crate) counters: Vec<(usize, ExprId)>,
    /// Whether declarations still belong to the creation of the process.
    at_start: bool,
    /// Variables whose declaration is executed.
    pub(crate) late: Vec<VarId>,
    /// Ends of channels that the process uses alone.
    pub(crate) promises: Vec<(Direction, ExprId)>,
}

impl<'p> Flow<'p> {
    pub(crate) fn new(syntax: &'p Program, facts: &'p Facts, kind: Kind) -> Flow<'p> {
        let mut sequences = Arena::new();
        let current = sequences.push(Sequence {
            first: None,
            last: None,
            extent: None,
        });
        Flow {
            syntax,
            facts,
            kind,
            elements: Arena::new(),
            sequences,
            top: None,
            labelled: FxHashMap::default(),
            ends: Vec::new(),
            loops: Vec::new(),
            current,
            block: 0,
            blocks: 0,
            counters: Vec::new(),
            at_start: true,
            late: Vec::new(),
            promises: Vec::new(),
        }
    }

    /// Builds the elements of a body.
    pub(crate) fn body(&mut self, body: &[StmtId], end: Span) {
        self.statements(body);
        let stop = self.element(Node::Stop, end);
        self.append(stop, self.current);
        self.close();
        self.top = Some(self.current);
        self.tie_ends();
    }

    /// Where a goto leads.
    pub(crate) fn target(&self, target: Target) -> ElementId {
        match target {
            Target::Label(statement) => self.labelled[&statement],
            Target::Loop(number) => {
                self.ends[number].unwrap_or_else(|| unreachable!("every loop has an end"))
            }
        }
    }

    pub(crate) fn element(&mut self, node: Node, span: Span) -> ElementId {
        let number = self.elements.len() as u32 + 1;
        self.elements.push(Element {
            node,
            next: None,
            sub: Vec::new(),
            escapes: Vec::new(),
            is_atomic: false,
            ends_atomic: false,
            labels: Vec::new(),
            is_asked: false,
            number,
            span,
        })
    }

    /// Puts an element behind a sequence. A goto with a label that means something gets a step of its own before it.
    fn append(&mut self, id: ElementId, to: SequenceId) {
        if matches!(self.elements[id].node, Node::Goto(_))
            && let Some(at) = self.elements[id]
                .labels
                .iter()
                .position(|label| means_something(*label))
        {
            let skip = self.element(Node::Skip, self.elements[id].span);
            let label = self.elements[id].labels.remove(at);
            self.elements[skip].labels.push(label);
            for element in self.labelled.values_mut().filter(|element| **element == id) {
                *element = skip;
            }
            self.append(skip, to);
        }
        match self.sequences[to].last {
            Some(last) => self.elements[last].next = Some(id),
            None => self.sequences[to].first = Some(id),
        }
        self.sequences[to].last = Some(id);
    }

    fn push(&mut self, node: Node, span: Span) -> ElementId {
        let id = self.element(node, span);
        self.append(id, self.current);
        id
    }

    /// Opens a sequence; returns the one around it.
    fn open(&mut self) -> SequenceId {
        self.at_start = false;
        let inner = self.sequences.push(Sequence {
            first: None,
            last: None,
            extent: None,
        });
        std::mem::replace(&mut self.current, inner)
    }

    /// Ends what was written of the current sequence.
    fn close(&mut self) -> SequenceId {
        let current = self.current;
        self.sequences[current].extent = self.sequences[current].last;
        current
    }

    /// The sequence of some statements.
    fn inner(&mut self, body: &[StmtId]) -> SequenceId {
        let outer = self.open();
        self.statements(body);
        let inner = self.close();
        self.current = outer;
        inner
    }

    /// A sequence between braces, which is a block for counters.
    fn braces(&mut self, body: &[StmtId]) -> SequenceId {
        self.blocks += 1;
        let outer = std::mem::replace(&mut self.block, self.blocks);
        let inner = self.inner(body);
        self.block = outer;
        inner
    }

    fn statements(&mut self, body: &[StmtId]) {
        for statement in body {
            self.statement(*statement, &[]);
        }
    }

    /// Adds a statement to the current sequence; `labels` stand before it.
    fn statement(&mut self, id: StmtId, labels: &[(StmtId, Name)]) {
        if let StmtKind::Labelled(label, inner) = self.syntax.stmts[id].kind {
            let mut labels = labels.to_vec();
            labels.push((id, label.name));
            return base::deep::recurse(|| self.statement(inner, &labels));
        }
        if let Some(prepared) = base::deep::recurse(|| self.prepare(id)) {
            self.finish(prepared, labels);
        }
    }

    /// Builds what a statement contains. Its own element comes later: SPIN numbers elements in that order.
    fn prepare(&mut self, id: StmtId) -> Option<Prepared> {
        let syntax = self.syntax;
        let span = syntax.stmts[id].span;
        let plain = |node| Some(Prepared::Plain(node, span));
        match &syntax.stmts[id].kind {
            StmtKind::Declare(declaration) => {
                for var in &declaration.vars {
                    self.declared(*var);
                }
                None
            }
            StmtKind::Exclusive { receive, channels } => {
                let direction = match receive {
                    true => Direction::Receive,
                    false => Direction::Send,
                };
                let promises = channels.iter().map(|channel| (direction, *channel));
                self.promises.extend(promises);
                None
            }
            StmtKind::Error => None,
            StmtKind::Labelled(_, inner) => self.prepare(*inner),
            StmtKind::If(choices) => Some(Prepared::If(self.options(choices), span)),
            StmtKind::Do(choices) => {
                let number = self.enter_loop();
                let subs = self.options(choices);
                self.loops.pop();
                Some(Prepared::Do(subs, number, span))
            }
            StmtKind::For {
                variable,
                range,
                body,
            } => Some(self.for_loop(*variable, range, body, span)),
            StmtKind::Select {
                variable,
                from,
                to,
                at_once,
            } => Some(self.select(*variable, *from, *to, *at_once, span)),
            StmtKind::Atomic(body) => {
                let inner = self.braces(body);
                self.mark_atomic(inner);
                plain(Node::Atomic(inner))
            }
            StmtKind::DStep(body) => {
                let inner = self.braces(body);
                self.mark_d_step(inner);
                plain(Node::DStep(inner))
            }
            StmtKind::Block { body, .. } => plain(Node::Block(self.braces(body))),
            StmtKind::Unless(main, escape) => Some(self.unless(*main, *escape, span)),
            StmtKind::Break => {
                let number = self
                    .loops
                    .last()
                    .copied()
                    .unwrap_or_else(|| unreachable!("a break stands in a loop"));
                plain(Node::Goto(Target::Loop(number)))
            }
            StmtKind::Goto(_) => plain(Node::Goto(Target::Label(self.facts.targets[&id]))),
            StmtKind::Else => plain(Node::Else),
            _ => plain(Node::Statement(id)),
        }
    }

    /// Adds the element of a statement whose contents are built.
    fn finish(&mut self, prepared: Prepared, labels: &[(StmtId, Name)]) -> ElementId {
        self.at_start = false;
        let element = match prepared {
            Prepared::Plain(node, span) => return self.labelled_push(node, span, labels),
            Prepared::If(subs, span) => self.selection(Node::If, subs, None, span),
            Prepared::Do(subs, number, span) => self.selection(Node::Do, subs, Some(number), span),
            Prepared::Unless(main, escape, span) => self.protected(main, escape, span),
            Prepared::LabelledUnless {
                wrap,
                main,
                escape,
                labels,
                span,
            } => {
                let outer = self.open();
                self.protected(main, escape, span);
                let inner = self.close();
                self.current = outer;
                return self.labelled_push(wrap(inner), span, &labels);
            }
        };
        self.label(element, labels);
        element
    }

    /// Adds an element whose labels must be known before it is put behind the sequence.
    fn labelled_push(&mut self, node: Node, span: Span, labels: &[(StmtId, Name)]) -> ElementId {
        let id = self.element(node, span);
        self.label(id, labels);
        self.append(id, self.current);
        id
    }

    fn label(&mut self, element: ElementId, labels: &[(StmtId, Name)]) {
        for (statement, name) in labels {
            if self.labelled.contains_key(statement) {
                continue;
            }
            self.labelled.insert(*statement, element);
            self.elements[element].labels.push(*name);
        }
    }

    /// A declaration: part of the creation of the process, or a step.
    fn declared(&mut self, var: VarId) {
        if self.at_start {
            return;
        }
        let variable = &self.syntax.vars[var];
        if matches!(variable.init, Some(Initialiser::Channel { .. })) {
            return;
        }
        self.late.push(var);
        self.push(Node::Declared(var), variable.name.span);
    }

    /// Labels that other processes ask about need a state of their own: a goto gets a step before it.
    pub(crate) fn remote(&mut self, labels: &[Name]) {
        for id in 0..self.elements.len() {
            let id = ElementId::new(id);
            let asked = self.elements[id]
                .labels
                .iter()
                .any(|label| labels.contains(label));
            self.elements[id].is_asked = asked;
            if asked && matches!(self.elements[id].node, Node::Goto(_)) {
                let goto = self.element(self.elements[id].node, self.elements[id].span);
                self.elements[goto].next = self.elements[id].next;
                self.elements[id].node = Node::Skip;
                self.elements[id].next = Some(goto);
            }
        }
    }

    /// Ties the last elements of blocks to what follows the block.
    fn tie_ends(&mut self) {
        // From the outside in: what follows an inner block is known when the outer one is tied.
        for id in (0..self.elements.len()).rev() {
            let id = ElementId::new(id);
            let inner = match self.elements[id].node {
                Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner) => inner,
                _ => continue,
            };
            let (Some(last), Some(next)) = (self.sequences[inner].last, self.elements[id].next)
            else {
                continue;
            };
            self.elements[last].next = Some(next);
        }
    }
}

/// Whether a label says something about runs.
pub(crate) fn means_something(label: Name) -> bool {
    let text = label.as_str();
    text.starts_with("accept") || text.starts_with("end") || text.starts_with("progress")
}
