//! Recursive operators: each becomes a constant function with a defining axiom.

use base::{Name, Span};
use lang_math::{Args, Binder, Binding, ExprId, ExprKind, Op, Sort};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

use super::{Expander, FUNCTIONS};
use crate::syntax::{Case, Context, Definition, Labelled, Operator, Reference};

impl Expander<'_> {
    /// Declares the recursive operators that were used.
    pub(super) fn declare_functions(&mut self) {
        let Some((_, Some(first))) = self.functions.first() else {
            return;
        };
        let span = self.project.exprs.span(*first);
        let name = Name::new(FUNCTIONS);
        let reference = Reference { name, span };
        for context in &mut self.project.contexts {
            context.extends.push(reference);
        }
        for machine in &mut self.project.machines {
            machine.sees.push(reference);
        }
        let mut context = Context::new(name, span);
        for (name, axiom) in &self.functions {
            let Some(axiom) = axiom else { continue };
            context.constants.push(Binding { name: *name, span });
            context.axioms.push(Labelled {
                label: *name,
                label_span: span,
                formula: *axiom,
                is_theorem: false,
                span,
            });
        }
        self.project.contexts.push(context);
    }

    /// Whether the definition of an operator uses the operator.
    pub(super) fn is_recursive(&self, operator: Name) -> bool {
        let mut seen: Vec<Name> = Vec::new();
        let mut pending = vec![operator];
        while let Some(name) = pending.pop() {
            let Some((known, _)) = self.operators.get(&name) else {
                continue;
            };
            let mut bodies: Vec<ExprId> = match &known.definition {
                Definition::Direct(body) => vec![*body],
                Definition::Cases(cases) => cases.iter().map(|case| case.value).collect(),
                _ => Vec::new(),
            };
            while let Some(id) = bodies.pop() {
                let kind = self.project.exprs.kind(id);
                if let ExprKind::External(used, _) = kind {
                    if *used == operator {
                        return true;
                    }
                    if !seen.contains(used) {
                        seen.push(*used);
                        pending.push(*used);
                    }
                }
                lang_math::expr::for_each_child(kind, |child| bodies.push(child));
            }
        }
        false
    }

    /// A use of a recursive operator: the application of its function.
    pub(super) fn recursive(
        &mut self,
        operator: &Operator,
        parameters: &[Name],
        args: &Args,
        span: Span,
    ) -> Result<ExprId, &'static str> {
        let Definition::Cases(cases) = &operator.definition else {
            return Err("is defined by recursion without cases, which cannot be run");
        };
        let is_predicate = cases
            .iter()
            .any(|case| self.project.exprs.sort(case.value) == Some(Sort::Predicate));
        if !self
            .functions
            .iter()
            .any(|(name, _)| *name == operator.name)
        {
            let at = self.functions.len();
            self.functions.push((operator.name, None));
            let axiom = self.function(operator, cases, parameters, is_predicate, span)?;
            self.functions[at].1 = Some(axiom);
        }
        let function = self.push(ExprKind::Name(operator.name), span);
        let mut args = args.iter();
        let mut argument = *args.next().ok_or("has no arguments")?;
        for next in args {
            let pair = ExprKind::Op(Op::Maplet, smallvec![argument, *next]);
            argument = self.push(pair, span);
        }
        let value = self.push(ExprKind::Apply(function, smallvec![argument]), span);
        if !is_predicate {
            return Ok(value);
        }
        let truth = self.push(ExprKind::Op(Op::True, smallvec![]), span);
        Ok(self.push(ExprKind::Op(Op::Equal, smallvec![value, truth]), span))
    }

    /// `f = λ x · x ∈ T ∣ E`
    pub(super) fn function(
        &mut self,
        operator: &Operator,
        cases: &[Case],
        parameters: &[Name],
        is_predicate: bool,
        span: Span,
    ) -> Result<ExprId, &'static str> {
        let mut names = self.type_names(parameters, span);
        let mut bound = Vec::new();
        let mut predicate: Option<ExprId> = None;
        for (argument, ty) in &operator.arguments {
            let name = Name::new(&format!("{argument}'{}", self.fresh));
            let value = self.push(ExprKind::Name(name), span);
            let ty = self.copy(*ty, &names, span);
            let member = self.push(ExprKind::Op(Op::Member, smallvec![value, ty]), span);
            predicate = Some(match predicate {
                None => member,
                Some(left) => self.push(ExprKind::Op(Op::And, smallvec![left, member]), span),
            });
            bound.push(Binding { name, span });
            names.insert(*argument, value);
        }
        let mut value = self.cases(cases, &names, span)?;
        if is_predicate {
            value = self.push(ExprKind::Op(Op::ToBool, smallvec![value]), span);
        }
        let lambda = ExprKind::Bind {
            binder: Binder::Lambda,
            names: bound,
            predicate: predicate.ok_or("has no arguments")?,
            value: Some(value),
            symbolic: true,
        };
        let lambda = self.push(lambda, span);
        let function = self.push(ExprKind::Name(operator.name), span);
        Ok(self.push(ExprKind::Op(Op::Equal, smallvec![function, lambda]), span))
    }

    /// New names for the type parameters of one use.
    pub(super) fn type_names(
        &mut self,
        parameters: &[Name],
        span: Span,
    ) -> FxHashMap<Name, ExprId> {
        self.fresh += 1;
        let mut names = FxHashMap::default();
        for parameter in parameters {
            let name = Name::new(&format!("{parameter}'{}", self.fresh));
            self.project.type_names.push(name);
            let id = self.push(ExprKind::Name(name), span);
            names.insert(*parameter, id);
        }
        names
    }
}
