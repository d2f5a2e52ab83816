//! Declarations, routines, rules and properties in the order of the text.

use base::{Diagnostic, deep};

use super::{Checker, Form, ParameterInfo, RoutineInfo, SymbolKind, Type, Within};
use crate::codes::{scope, support};
use crate::syntax::{Binder, Decl, Item, PropertyKind, Routine, Rule};

/// Rule instances a program may have; each costs memory and time before the run begins.
const MOST_INSTANCES: u64 = 1 << 24;

impl Checker<'_> {
    pub(super) fn items(&mut self) {
        let tree = self.tree;
        let mut starts = false;
        for item in &tree.items {
            match item {
                Item::Decl(decl) => self.decl(decl, SymbolKind::Global),
                Item::Routine(routine) => self.routine(routine),
                Item::Rule(rule) => {
                    starts |= has_start(rule);
                    self.rule(rule);
                }
            }
        }
        if !starts && let Some(place) = self.first_place() {
            let diagnostic =
                Diagnostic::warning(&scope::NO_START, place, "the program has no start state");
            self.push(diagnostic.help("add startstate begin … end;"));
        }
    }

    fn first_place(&self) -> Option<base::Span> {
        self.tree.items.iter().find_map(|item| match item {
            Item::Decl(Decl::Const(idents, _) | Decl::Type(idents, _) | Decl::Var(idents, _)) => {
                idents.first().map(|ident| ident.span)
            }
            Item::Routine(routine) => Some(routine.ident.span),
            Item::Rule(Rule::Simple(rule)) => Some(rule.span),
            Item::Rule(Rule::Property(property)) => Some(property.span),
            Item::Rule(_) => None,
        })
    }

    fn decl(&mut self, decl: &Decl, variable: SymbolKind) {
        match decl {
            Decl::Const(idents, value) => {
                let ty = self.infer(*value);
                let constant = self.out.constants[value.index()];
                if constant.is_none() && *self.form(ty) != Form::Unknown {
                    let message = format!(
                        "\"{}\" is not known before the program runs",
                        self.show(*value)
                    );
                    self.error(
                        &crate::codes::typing::NOT_CONSTANT,
                        self.span(*value),
                        message,
                    );
                }
                let ty = if constant.is_none() { self.unknown } else { ty };
                for ident in idents {
                    self.declare(*ident, ty, SymbolKind::Constant(constant.unwrap_or(0)));
                }
            }
            Decl::Type(idents, ty) => {
                let found = self.resolve(*ty);
                for ident in idents {
                    let named = self.name_type(found, ident.name);
                    self.declare(*ident, named, SymbolKind::Type);
                }
            }
            Decl::Var(idents, ty) => {
                let found = self.resolve(*ty);
                for ident in idents {
                    self.variable(*ident, found, variable);
                }
            }
        }
    }

    /// The first name of a type is the one it is shown by; a further name of a range is shown too, and is the same type.
    fn name_type(&mut self, ty: super::TypeId, name: base::Name) -> super::TypeId {
        match &self.out.types[ty] {
            Type {
                form: Form::Unknown | Form::Boolean | Form::Integer,
                ..
            } => ty,
            Type {
                name: Some(_),
                form: form @ Form::Range(..),
            } => {
                let form = form.clone();
                self.out.types.push(Type {
                    name: Some(name),
                    form,
                })
            }
            Type { name: Some(_), .. } => ty,
            Type { name: None, .. } => {
                self.out.types[ty].name = Some(name);
                ty
            }
        }
    }

    fn routine(&mut self, routine: &Routine) {
        let result = routine.result.map(|ty| self.resolve(ty));
        let types: Vec<_> = routine
            .parameters
            .iter()
            .map(|parameter| self.resolve(parameter.ty))
            .collect();
        let at = self.out.routines.len();
        self.out.routines.push(RoutineInfo {
            name: routine.ident.name,
            parameters: Vec::new(),
            result,
            writes_globals: false,
            writes_references: false,
        });
        self.declare(
            routine.ident,
            result.unwrap_or(self.unknown),
            SymbolKind::Routine(at),
        );
        self.scopes.push(Default::default());
        for (parameter, ty) in routine.parameters.iter().zip(types) {
            let kind = if parameter.is_var {
                SymbolKind::Reference
            } else {
                SymbolKind::Parameter
            };
            for ident in &parameter.idents {
                let symbol = self.declare(*ident, ty, kind);
                let info = ParameterInfo {
                    symbol,
                    ty,
                    is_var: parameter.is_var,
                };
                self.out.routines[at].parameters.push(info);
            }
        }
        self.within = Within::Routine(at);
        for decl in &routine.decls {
            self.decl(decl, SymbolKind::Local);
        }
        self.stmts(&routine.body);
        self.within = Within::Rule;
        self.scopes.pop();
    }

    fn rule(&mut self, rule: &Rule) {
        deep::recurse(|| self.rule_inner(rule));
    }

    fn rule_inner(&mut self, rule: &Rule) {
        match rule {
            Rule::Simple(rule) => {
                if let Some(guard) = rule.guard {
                    self.pure = Some("a guard");
                    self.condition(guard, "a guard");
                    self.pure = None;
                }
                self.scopes.push(Default::default());
                for decl in &rule.decls {
                    self.decl(decl, SymbolKind::Local);
                }
                self.stmts(&rule.body);
                self.scopes.pop();
            }
            Rule::Start(start) => {
                self.scopes.push(Default::default());
                for decl in &start.decls {
                    self.decl(decl, SymbolKind::Local);
                }
                self.stmts(&start.body);
                self.scopes.pop();
            }
            Rule::Property(property) => {
                self.pure = Some("a property");
                let what = match property.kind {
                    PropertyKind::Invariant => "an invariant",
                    PropertyKind::Assume => "an assumption",
                    PropertyKind::Cover => "a cover",
                    PropertyKind::Liveness => "a liveness property",
                };
                self.condition(property.expr, what);
                self.pure = None;
            }
            Rule::Ruleset(binders, rules) => {
                let before = self.instances;
                self.scopes.push(Default::default());
                for binder in binders {
                    self.parameter(binder);
                }
                self.rules(rules);
                self.scopes.pop();
                self.instances = before;
            }
            Rule::Alias(aliases, rules) => {
                self.scopes.push(Default::default());
                self.pure = Some("an alias around rules");
                self.aliases(aliases);
                self.pure = None;
                self.rules(rules);
                self.scopes.pop();
            }
            Rule::Choose(ident, place, rules) => {
                self.scopes.push(Default::default());
                self.element_of(*ident, *place);
                self.rules(rules);
                self.scopes.pop();
            }
        }
    }

    fn rules(&mut self, rules: &[Rule]) {
        for rule in rules {
            self.rule(rule);
        }
    }

    /// A parameter of a ruleset: each of its values is an instance of every rule inside.
    fn parameter(&mut self, binder: &Binder) {
        let ty = self.binder(binder, true);
        let values = u64::try_from(self.values(ty)).unwrap_or(u64::MAX);
        let before = self.instances;
        self.instances = before.saturating_mul(values);
        if before <= MOST_INSTANCES && self.instances > MOST_INSTANCES {
            let message = format!(
                "with \"{}\" there are {} instances of each rule",
                binder.ident.name, self.instances
            );
            self.error(&support::TOO_MANY_INSTANCES, binder.ident.span, message);
        }
    }
}

/// Whether a start state stands in a block of rules.
fn has_start(rule: &Rule) -> bool {
    deep::recurse(|| match rule {
        Rule::Start(_) => true,
        Rule::Ruleset(_, rules) | Rule::Alias(_, rules) | Rule::Choose(_, _, rules) => {
            rules.iter().any(has_start)
        }
        Rule::Simple(_) | Rule::Property(_) => false,
    })
}
