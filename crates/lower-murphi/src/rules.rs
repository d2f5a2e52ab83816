//! Declarations, functions, rules, start states and properties, with what stands around them as binders.

use base::{Name, Span, deep};
use lang_murphi::syntax::{self, Decl, Item, Routine, Rule, Stmt};
use program::{Binder, Domain, ExprId, LocalId, Mode, Property, PropertyKind, Variable};

use crate::Lowering;

impl Lowering<'_> {
    pub(crate) fn items(&mut self) {
        let tree = self.tree;
        for item in &tree.items {
            match item {
                Item::Decl(Decl::Var(idents, _)) => {
                    for ident in idents {
                        self.variable(ident.span);
                    }
                }
                Item::Decl(_) => {}
                Item::Routine(routine) => self.routine(routine),
                Item::Rule(rule) => self.rule(rule),
            }
        }
    }

    fn variable(&mut self, span: Span) {
        let symbol = self.symbol(span);
        let found = &self.checked.symbols[symbol];
        let (name, ty) = (found.name, self.ty(found.ty));
        let variable = self.program.variables.push(Variable {
            name,
            ty,
            is_hidden: false,
            span,
        });
        self.variables.insert(symbol, variable);
    }

    fn routine(&mut self, routine: &Routine) {
        let function = self.empty_function(routine.ident.name, routine.span);
        let result = routine
            .result
            .and_then(|ty| self.checked.type_exprs[ty.index()])
            .map(|ty| self.ty(ty));
        let mut parameters = Vec::new();
        for parameter in &routine.parameters {
            let mode = if parameter.is_var {
                Mode::Reference
            } else {
                Mode::Value
            };
            for ident in &parameter.idents {
                parameters.push(self.local(ident.span, mode));
            }
        }
        self.program.functions[function].parameters = parameters;
        self.program.functions[function].result = result;
        self.locals_of(&routine.decls);
        let body = self.block(&routine.body, routine.span);
        let locals = std::mem::take(&mut self.frame);
        let function = &mut self.program.functions[function];
        function.body = body;
        function.locals = locals;
    }

    /// Local variables.
    fn locals_of(&mut self, decls: &[Decl]) {
        for decl in decls {
            if let Decl::Var(idents, _) = decl {
                for ident in idents {
                    self.frame_local(ident.span, Mode::Value);
                }
            }
        }
    }

    fn rule(&mut self, rule: &Rule) {
        deep::recurse(|| self.rule_inner(rule));
    }

    fn rule_inner(&mut self, rule: &Rule) {
        let outer = self.binders.len();
        match rule {
            Rule::Simple(rule) => {
                let guard = rule.guard.map(|guard| self.expr(guard));
                let number = self.program.rules.len() + 1;
                let name = rule
                    .name
                    .map_or_else(|| Name::new(&format!("Rule {number}")), |text| text.text);
                let priority = rule.priority.unwrap_or(0);
                let made =
                    self.guarded(name, guard, (&rule.decls, &rule.body), rule.span, priority);
                self.program.rules.push(made);
            }
            Rule::Start(start) => {
                let number = self.program.starts.len() + 1;
                let name = start.name.map_or_else(
                    || Name::new(&format!("Startstate {number}")),
                    |text| text.text,
                );
                let made = self.guarded(name, None, (&start.decls, &start.body), start.span, 0);
                self.program.starts.push(made);
            }
            Rule::Property(property) => self.property(property),
            Rule::Ruleset(binders, rules) => {
                for binder in binders {
                    let domain = self.domain(binder);
                    let local = self.local(binder.ident.span, Mode::Value);
                    self.binders.push(Binder::Parameter { local, domain });
                }
                self.rules(rules);
            }
            Rule::Alias(aliases, rules) => {
                for alias in aliases {
                    self.alias(alias);
                }
                self.rules(rules);
            }
            Rule::Choose(ident, place, rules) => {
                let multiset = self.place(*place);
                let local = self.local(ident.span, Mode::Value);
                let domain = Domain::Elements(multiset);
                self.binders.push(Binder::Parameter { local, domain });
                self.rules(rules);
            }
        }
        self.binders.truncate(outer);
    }

    fn rules(&mut self, rules: &[Rule]) {
        for rule in rules {
            self.rule(rule);
        }
    }

    fn alias(&mut self, alias: &syntax::Alias) {
        if self.checked.constants[alias.value.index()].is_some() {
            return;
        }
        let binder = if self.is_place(alias.value) {
            let place = self.place(alias.value);
            Binder::Alias {
                local: self.local(alias.ident.span, Mode::Reference),
                place,
            }
        } else {
            let value = self.expr(alias.value);
            Binder::Value {
                local: self.local(alias.ident.span, Mode::Value),
                value,
            }
        };
        self.binders.push(binder);
    }

    /// A rule or start state with what stands around it.
    fn guarded(
        &mut self,
        name: Name,
        guard: Option<ExprId>,
        (decls, body): (&[Decl], &[Stmt]),
        span: Span,
        priority: i64,
    ) -> program::Rule {
        self.locals_of(decls);
        let body = self.block(body, span);
        let locals: Vec<LocalId> = std::mem::take(&mut self.frame);
        program::Rule {
            name,
            binders: self.binders.clone(),
            locals,
            guard,
            body,
            priority,
            span,
        }
    }

    fn property(&mut self, property: &syntax::Property) {
        let condition = Some(self.expr(property.expr));
        self.frame.clear();
        let kind = match property.kind {
            syntax::PropertyKind::Invariant => PropertyKind::Invariant,
            syntax::PropertyKind::Assume => PropertyKind::Assumption,
            syntax::PropertyKind::Cover => PropertyKind::Cover,
            syntax::PropertyKind::Liveness => PropertyKind::Liveness,
        };
        let name = self.name_of(property.name, property.expr);
        let binders = self.binders.clone();
        self.program.properties.push(Property {
            name,
            kind,
            binders,
            condition,
            span: property.span,
        });
    }
}
