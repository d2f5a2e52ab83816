//! Puts the definitions of theory operators in the place of their uses.
//!
//! A definition is copied for each use: arguments in the place of their names, bound names renamed so that they
//! catch nothing of the arguments, type parameters as new names whose type the use decides. What is left for
//! the type checker are data types with their constructors and destructors.
//! A recursive operator becomes a constant function with a defining axiom, in a context of its own that everything
//! sees; its type is that of its uses, so it can be used for one choice of type parameters only.
//! Invariant: after expansion an operator of a theory is a data type, a constructor, a destructor, or unsupported.

mod recursive;

use base::{Diagnostic, Diagnostics, Name, Span, deep};
use lang_math::{Args, Binder, Binding, ExprId, ExprKind, Op};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

use crate::syntax::{Case, Change, Definition, Labelled, Operator, Project};
use crate::{check, codes};

/// How deep definitions may use each other: a definition that uses itself never ends.
const MAX_DEPTH: usize = 64;
/// How many nodes expansion may add: definitions that use others twice grow exponentially.
const MAX_NODES: usize = 5_000_000;

/// Expands all formulas of a project.
pub fn expand(project: &mut Project, diagnostics: &mut Diagnostics) {
    if project.theories.is_empty() {
        return;
    }
    mark(project);
    let mut operators = FxHashMap::default();
    for theory in &project.theories {
        for operator in &theory.operators {
            let entry = (operator.clone(), theory.parameters.clone());
            operators.insert(operator.name, entry);
        }
    }
    let mut expander = Expander {
        project,
        operators,
        functions: Vec::new(),
        fresh: 0,
        depth: 0,
        diagnostics,
    };
    expander.all();
    expander.declare_functions();
}

/// Makes names and applications that were read from text uses of theory operators. In a project that uses a theory
/// its operators are no identifiers; where one is declared all the same, the machine does not use that theory.
fn mark(project: &mut Project) {
    // Each with the number of its arguments.
    let mut names: FxHashMap<Name, usize> = FxHashMap::default();
    for theory in &project.theories {
        for operator in &theory.operators {
            names.insert(operator.name, operator.arguments.len());
        }
        for datatype in &theory.datatypes {
            names.insert(datatype.name, datatype.parameters.len());
            for (constructor, fields) in &datatype.constructors {
                names.insert(*constructor, fields.len());
                names.extend(fields.iter().map(|(destructor, _)| (*destructor, 1)));
            }
        }
    }
    let contexts = project.contexts.iter();
    let of_contexts = contexts.flat_map(|context| context.sets.iter().chain(&context.constants));
    let of_machines = project.machines.iter().flat_map(|machine| {
        let parameters = machine.events.iter().flat_map(|event| &event.parameters);
        machine.variables.iter().chain(parameters)
    });
    for declared in of_contexts.chain(of_machines) {
        names.remove(&declared.name);
    }
    let ids: Vec<ExprId> = project.exprs.ids().collect();
    for id in &ids {
        if let ExprKind::Bind { names: bound, .. } = project.exprs.kind(*id) {
            for binding in bound {
                names.remove(&binding.name);
            }
        }
    }
    for id in ids {
        let marked = match project.exprs.kind(id) {
            ExprKind::Name(name) if names.contains_key(name) => {
                ExprKind::External(*name, Args::new())
            }
            ExprKind::Apply(function, args) => match project.exprs.kind(*function) {
                // A name in front of its arguments was marked before the application; an operator without
                // arguments may be a function.
                ExprKind::External(name, none)
                    if none.is_empty() && names.get(name).is_some_and(|count| *count > 0) =>
                {
                    ExprKind::External(*name, args.clone())
                }
                _ => continue,
            },
            _ => continue,
        };
        project.exprs.replace(id, marked);
    }
}

/// The name of the context that holds recursive operators as functions.
pub const FUNCTIONS: &str = "(theories)";

struct Expander<'a> {
    project: &'a mut Project,
    operators: FxHashMap<Name, (Operator, Vec<Name>)>,
    /// Recursive operators that are used, each with the axiom that defines it as a function.
    functions: Vec<(Name, Option<ExprId>)>,
    fresh: usize,
    depth: usize,
    diagnostics: &'a mut Diagnostics,
}

impl Expander<'_> {
    fn all(&mut self) {
        let mut contexts = std::mem::take(&mut self.project.contexts);
        for context in &mut contexts {
            self.labelled(&mut context.axioms);
        }
        self.project.contexts = contexts;
        let mut machines = std::mem::take(&mut self.project.machines);
        for machine in &mut machines {
            self.labelled(&mut machine.invariants);
            self.labelled(&mut machine.variants);
            for event in &mut machine.events {
                self.labelled(&mut event.guards);
                self.labelled(&mut event.witnesses);
                for action in &mut event.actions {
                    match &mut action.change {
                        Change::Assign(values) => {
                            for value in values {
                                *value = self.root(*value);
                            }
                        }
                        Change::Element(formula) | Change::Such(formula) => {
                            *formula = self.root(*formula);
                        }
                    }
                }
            }
        }
        self.project.machines = machines;
    }

    fn labelled(&mut self, list: &mut [Labelled]) {
        for labelled in list {
            labelled.formula = self.root(labelled.formula);
        }
    }

    /// Expands a whole formula, and remembers what was written.
    fn root(&mut self, id: ExprId) -> ExprId {
        let expanded = self.formula(id);
        if expanded != id {
            self.project.written.insert(expanded, id);
        }
        expanded
    }

    /// The formula without operators that have a definition.
    fn formula(&mut self, id: ExprId) -> ExprId {
        if !self.is_extended(id) {
            return id;
        }
        deep::recurse(|| self.formula_here(id))
    }

    fn is_extended(&self, id: ExprId) -> bool {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let kind = self.project.exprs.kind(id);
            if matches!(kind, ExprKind::External(..)) {
                return true;
            }
            lang_math::expr::for_each_child(kind, |child| pending.push(child));
        }
        false
    }

    fn formula_here(&mut self, id: ExprId) -> ExprId {
        let kind = self.project.exprs.kind(id).clone();
        let span = self.project.exprs.span(id);
        let changed = lang_math::expr::map_children(&kind, |child| self.formula(child));
        if let ExprKind::External(name, args) = &changed
            && let ("COND", [then, otherwise, condition]) = (name.as_str(), args.as_slice())
        {
            let chosen = ExprKind::If {
                branches: vec![(*condition, *then)],
                otherwise: *otherwise,
            };
            return self.push(chosen, span);
        }
        if let ExprKind::External(name, args) = &changed
            && let Some((operator, parameters)) = self.operators.get(name).cloned()
        {
            return match self.define(&operator, &parameters, args, span) {
                Ok(defined) => defined,
                Err(why) => {
                    let message = format!("operator `{name}` {why}");
                    self.diagnostics
                        .push(Diagnostic::error(&codes::THEORY, span, message));
                    self.push(ExprKind::Error, span)
                }
            };
        }
        self.push(changed, span)
    }

    fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.project.exprs.push(kind, span)
    }

    fn define(
        &mut self,
        operator: &Operator,
        parameters: &[Name],
        args: &Args,
        span: Span,
    ) -> Result<ExprId, &'static str> {
        if operator.arguments.len() != args.len() {
            return Err("is used with another number of arguments than it has");
        }
        if self.is_recursive(operator.name) {
            return self.recursive(operator, parameters, args, span);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH || self.project.exprs.len() > MAX_NODES {
            return Err("is defined by recursion, which cannot be run");
        }
        let mut names = self.type_names(parameters, span);
        let mut values = Vec::new();
        for ((_, ty), arg) in operator.arguments.iter().zip(args) {
            let ty = self.copy(*ty, &names, span);
            values.push(self.push(ExprKind::Op(Op::OfType, smallvec![*arg, ty]), span));
        }
        for ((name, _), value) in operator.arguments.iter().zip(&values) {
            names.insert(*name, *value);
        }
        let result = match &operator.definition {
            Definition::Direct(body) => {
                let copied = self.copy(*body, &names, span);
                Ok(self.formula(copied))
            }
            Definition::Cases(cases) => self.cases(cases, &names, span),
            Definition::BuiltIn(tag) => self.built_in(tag.as_str(), &values, span),
            Definition::Axiomatic => Err("is defined by axioms only, which cannot be run"),
            Definition::Unreadable => Err("has a definition that could not be read"),
        };
        self.depth -= 1;
        result
    }

    /// A case for each constructor, asked in turn.
    fn cases(
        &mut self,
        cases: &[Case],
        names: &FxHashMap<Name, ExprId>,
        span: Span,
    ) -> Result<ExprId, &'static str> {
        let recursive = "is defined by recursion, which cannot be run";
        let mut branches = Vec::new();
        let mut last = None;
        for (position, case) in cases.iter().enumerate() {
            let subject = *names.get(&case.argument).ok_or(recursive)?;
            let ExprKind::External(constructor, fields) =
                self.project.exprs.kind(case.pattern).clone()
            else {
                return Err("is defined with a pattern that is no constructor");
            };
            let mut inner = names.clone();
            let destructors = self.destructors(constructor);
            if destructors.len() != fields.len() {
                return Err("is defined with a pattern that does not fit its constructor");
            }
            for (field, destructor) in fields.iter().zip(destructors) {
                if let ExprKind::Name(name) = *self.project.exprs.kind(*field) {
                    let value = ExprKind::External(destructor, smallvec![subject]);
                    let value = self.push(value, span);
                    inner.insert(name, value);
                }
            }
            let copied = self.copy(case.value, &inner, span);
            let value = self.formula(copied);
            if position + 1 == cases.len() {
                last = Some(value);
            } else {
                let test = Name::new(&format!("is {constructor}"));
                let test = self.push(ExprKind::External(test, smallvec![subject]), span);
                branches.push((test, value));
            }
        }
        let otherwise = last.ok_or(recursive)?;
        if branches.is_empty() {
            return Ok(otherwise);
        }
        let kind = ExprKind::If {
            branches,
            otherwise,
        };
        Ok(self.push(kind, span))
    }

    fn destructors(&self, constructor: Name) -> Vec<Name> {
        let datatypes = self.project.theories.iter().flat_map(|t| &t.datatypes);
        let mut constructors = datatypes.flat_map(|datatype| &datatype.constructors);
        let found = constructors.find(|(name, _)| *name == constructor);
        found.map_or(Vec::new(), |(_, fields)| {
            fields.iter().map(|(name, _)| *name).collect()
        })
    }

    /// Operators that are mapped to ones that are built in.
    fn built_in(
        &mut self,
        tag: &str,
        values: &[ExprId],
        span: Span,
    ) -> Result<ExprId, &'static str> {
        if let Some(op) = mapped(tag).filter(|op| op.arity() == Some(values.len())) {
            let args = values.iter().copied().collect();
            return Ok(self.push(ExprKind::Op(op, args), span));
        }
        match (tag, values) {
            ("SIGMA" | "PI", [function]) => {
                self.fresh += 1;
                let name = Name::new(&format!("pair'{}", self.fresh));
                let pair = self.push(ExprKind::Name(name), span);
                let member = ExprKind::Op(Op::Member, smallvec![pair, *function]);
                let predicate = self.push(member, span);
                let projection = self.push(ExprKind::Op(Op::Projection2, smallvec![]), span);
                let value = self.push(ExprKind::Apply(projection, smallvec![pair]), span);
                let binder = match tag {
                    "SIGMA" => Binder::Sum,
                    _ => Binder::Product,
                };
                let kind = ExprKind::Bind {
                    binder,
                    names: vec![Binding { name, span }],
                    predicate,
                    value: Some(value),
                    symbolic: false,
                };
                Ok(self.push(kind, span))
            }
            ("choose" | "mu", [set]) => {
                let picks = check::PICKS[usize::from(tag == "mu")].0;
                let picked = ExprKind::External(Name::new(picks), smallvec![*set]);
                Ok(self.push(picked, span))
            }
            _ => Err("is mapped to a function that is not built in"),
        }
    }

    /// A copy of a formula with other formulas in the place of names.
    fn copy(&mut self, id: ExprId, names: &FxHashMap<Name, ExprId>, span: Span) -> ExprId {
        deep::recurse(|| self.copy_here(id, names, span))
    }

    fn copy_here(&mut self, id: ExprId, names: &FxHashMap<Name, ExprId>, span: Span) -> ExprId {
        let kind = self.project.exprs.kind(id).clone();
        if let ExprKind::Name(name) = kind
            && let Some(value) = names.get(&name)
        {
            return *value;
        }
        if let ExprKind::Bind {
            binder,
            names: bound,
            predicate,
            value,
            symbolic,
        } = &kind
        {
            self.fresh += 1;
            let mut inner = names.clone();
            let mut renamed = Vec::new();
            for binding in bound {
                let name = Name::new(&format!("{}'{}", binding.name, self.fresh));
                let id = self.push(ExprKind::Name(name), span);
                inner.insert(binding.name, id);
                renamed.push(Binding { name, span });
            }
            let predicate = self.copy(*predicate, &inner, span);
            let value = value.map(|value| self.copy(value, &inner, span));
            let kind = ExprKind::Bind {
                binder: *binder,
                names: renamed,
                predicate,
                value,
                symbolic: *symbolic,
            };
            return self.push(kind, span);
        }
        let copied = lang_math::expr::map_children(&kind, |child| self.copy(child, names, span));
        self.push(copied, span)
    }
}

/// The operator that a tag of ProB's mappings stands for.
fn mapped(tag: &str) -> Option<Op> {
    Some(match tag {
        "closure1" => Op::Closure1,
        "closure" => Op::Closure,
        "seq" => Op::Sequences,
        "seq1" => Op::Sequences1,
        "iseq" => Op::InjectiveSequences,
        "perm" => Op::Permutations,
        "size" => Op::Size,
        "first" => Op::First,
        "last" => Op::Last,
        "front" => Op::Front,
        "tail" => Op::Tail,
        "rev" => Op::Reverse,
        "concat" => Op::Concat,
        _ => return None,
    })
}
