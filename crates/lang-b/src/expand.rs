//! Replaces definitions by their bodies.
//!
//! Expansion works on trees, not on text: `PLUS(x,y) == x+y` makes `PLUS(2,3)*10` fifty. Names in a body
//! mean what they mean where the definition is used; a binder in the body may capture a name of an
//! argument, as in ProB, with a warning.
//! Invariant: the expanded tree remembers for every node through which uses of definitions it came, so a
//! diagnostic inside a body can show the body and the use.
//! Invariant: the work is bounded by [`MAX_NODES`]; definitions that explode are a diagnostic.

use std::cell::RefCell;

mod binders;
mod component;
mod definitions;
mod substitution;

pub(crate) use definitions::macros;
pub use definitions::{Definitions, Entry};

use base::{Diagnostic, Diagnostics, Id, Name, Span, deep};
use lang_math::expr::map_children;
use lang_math::{Binding, ExprId, ExprKind, Op};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

use crate::codes::definitions as codes;
use crate::codes::given;
use crate::stdlib;
use crate::syntax::{MacroBody, Subst, SubstId, SubstKind, Tree};
use base::counted;

/// How many nodes an expanded component may have.
pub const MAX_NODES: usize = 1_000_000;

/// How many arguments are remembered with their definition: it is for messages, and those are few.
const MAX_ARGUMENTS: usize = 100_000;

/// Names a use of a definition.
pub type UseId = Id<Use>;

/// A use of a definition.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The definition.
    pub name: Name,
    /// Where it is used.
    pub span: Span,
    /// The use inside whose body this one stands.
    pub outer: Option<UseId>,
}

/// What kind of host function an `External` node calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalKind {
    /// It has a value.
    Function,
    /// It is true or false.
    Predicate,
    /// It is a substitution.
    Substitution,
}

/// The declared type of a host function, expanded: a set expression over type parameters.
#[derive(Clone, Debug)]
pub struct ExternalType {
    /// What it is.
    pub kind: ExternalKind,
    /// The names of the type parameters.
    pub parameters: Vec<Name>,
    /// The set of functions, arguments or values.
    pub set: ExprId,
}

/// Where the nodes of an expanded tree come from.
#[derive(Debug, Default)]
pub struct Origins {
    /// Through which use each expression came.
    expr_uses: Vec<Option<UseId>>,
    /// Through which use each substitution came.
    subst_uses: Vec<Option<UseId>>,
    uses: base::Arena<Use>,
    /// Where arguments of definitions stand in their bodies: the definition and the place.
    arguments: FxHashMap<ExprId, (Name, Span)>,
    /// The declared types of host functions in use.
    pub externals: FxHashMap<Name, ExternalType>,
}

impl Origins {
    /// The uses of definitions through which an expression came, innermost first.
    pub fn uses_of(&self, id: ExprId) -> impl Iterator<Item = Use> {
        self.chain(self.expr_uses.get(id.index()).copied().flatten())
    }

    /// The uses of definitions through which a substitution came, innermost first.
    pub fn uses_of_subst(&self, id: SubstId) -> impl Iterator<Item = Use> {
        self.chain(self.subst_uses.get(id.index()).copied().flatten())
    }

    /// The definition whose argument an expression is, and the place of the parameter in its body.
    pub fn argument(&self, id: ExprId) -> Option<(Name, Span)> {
        self.arguments.get(&id).copied()
    }

    fn chain(&self, first: Option<UseId>) -> impl Iterator<Item = Use> {
        std::iter::successors(first.map(|id| self.uses[id]), |used| {
            used.outer.map(|id| self.uses[id])
        })
    }
}

/// Copies trees, replacing definitions.
pub struct Expander<'p, 'd> {
    definitions: &'d Definitions<'p>,
    /// What was built so far.
    pub tree: Tree,
    /// Where it comes from.
    pub origins: Origins,
    /// What was found wrong.
    pub diagnostics: Diagnostics,
    overflow: bool,
}

/// What names mean while a body is copied.
struct Env<'e, 'p> {
    tree: &'p Tree,
    /// Actual arguments by parameter; empty outside definitions.
    arguments: &'e [(Name, ExprId, &'e Env<'e, 'p>)],
    current: Option<UseId>,
    /// Names bound by quantifiers and the like around the current node, with how often.
    bound: RefCell<FxHashMap<Name, u32>>,
}

impl<'e, 'p> Env<'e, 'p> {
    fn top(tree: &'p Tree) -> Env<'e, 'p> {
        Env {
            tree,
            arguments: &[],
            current: None,
            bound: RefCell::default(),
        }
    }

    fn is_bound(&self, name: Name) -> bool {
        self.bound
            .borrow()
            .get(&name)
            .is_some_and(|count| *count > 0)
    }

    fn argument(&self, name: Name) -> Option<(ExprId, &'e Env<'e, 'p>)> {
        self.arguments
            .iter()
            .find(|(parameter, ..)| *parameter == name)
            .map(|(_, argument, env)| (*argument, *env))
    }

    fn enter(&self, names: &[Binding]) {
        let mut bound = self.bound.borrow_mut();
        for binding in names {
            *bound.entry(binding.name).or_default() += 1;
        }
    }

    fn leave(&self, names: &[Binding]) {
        let mut bound = self.bound.borrow_mut();
        for binding in names {
            if let Some(count) = bound.get_mut(&binding.name) {
                *count = count.saturating_sub(1);
            }
        }
    }
}

impl<'p, 'd> Expander<'p, 'd> {
    /// An expander for one component.
    pub fn new(definitions: &'d Definitions<'p>) -> Self {
        Expander {
            definitions,
            tree: Tree::default(),
            origins: Origins::default(),
            diagnostics: Diagnostics::new(),
            overflow: false,
        }
    }

    /// The expansion of a formula of `tree`, in which these names are no definitions.
    pub fn formula(&mut self, tree: &'p Tree, id: ExprId, names: &[Binding]) -> ExprId {
        let env = Env::top(tree);
        env.enter(names);
        self.expr(&env, id)
    }

    fn push(&mut self, env: &Env<'_, 'p>, kind: ExprKind, span: Span) -> ExprId {
        let exprs = &mut self.tree.exprs;
        let id = exprs.push(kind, span);
        self.origins.expr_uses.push(env.current);
        if exprs.len() > MAX_NODES && !self.overflow {
            self.overflow = true;
            self.diagnostics.push(
                Diagnostic::error(
                    &codes::TOO_LARGE,
                    span,
                    format!("definitions expand to more than {MAX_NODES} nodes"),
                )
                .help("replace inner definitions by constants"),
            );
        }
        id
    }

    fn push_subst(&mut self, env: &Env<'_, 'p>, kind: SubstKind, span: Span) -> SubstId {
        let id = self.tree.substs.push(Subst { kind, span });
        self.origins.subst_uses.push(env.current);
        id
    }

    fn expr(&mut self, env: &Env<'_, 'p>, id: ExprId) -> ExprId {
        deep::recurse(|| self.expr_here(env, id))
    }

    fn expr_here(&mut self, env: &Env<'_, 'p>, id: ExprId) -> ExprId {
        let node = &env.tree.exprs[id];
        let span = node.span;
        if self.overflow {
            return self.push(env, ExprKind::Error, span);
        }
        let copy = match &node.kind {
            ExprKind::Name(name) => return self.name(env, id, *name, &[]),
            ExprKind::Apply(function, args) => {
                if let ExprKind::Name(name) = env.tree.exprs.kind(*function) {
                    let takes_arguments = self
                        .definition(env, *name)
                        .is_some_and(|entry| !entry.definition.parameters.is_empty());
                    if takes_arguments {
                        return self.name(env, id, *name, args);
                    }
                }
                map_children(&node.kind, |child| self.expr(env, child))
            }
            ExprKind::Bind {
                binder,
                names,
                predicate,
                value,
                symbolic,
            } => {
                let (renamed, (predicate, value)) = self.binder(env, names, |this| {
                    let predicate = this.expr(env, *predicate);
                    (predicate, value.map(|value| this.expr(env, value)))
                });
                ExprKind::Bind {
                    binder: *binder,
                    names: renamed,
                    predicate,
                    value,
                    symbolic: *symbolic,
                }
            }
            ExprKind::Let {
                names,
                equations,
                body,
            } => {
                let (renamed, (equations, body)) = self.binder(env, names, |this| {
                    (this.expr(env, *equations), this.expr(env, *body))
                });
                ExprKind::Let {
                    names: renamed,
                    equations,
                    body,
                }
            }
            ExprKind::Before(name) => ExprKind::Before(self.rename(env, *name)),
            kind => map_children(kind, |child| self.expr(env, child)),
        };
        let copied = self.push(env, copy, span);
        if node.parenthesised {
            self.tree.exprs.parenthesise(copied);
        }
        copied
    }

    /// The definition behind a name that neither a parameter nor a binder hides.
    fn definition(&self, env: &Env<'_, 'p>, name: Name) -> Option<Entry<'p>> {
        if env.is_bound(name) || env.argument(name).is_some() {
            return None;
        }
        self.definitions.get(name)
    }

    /// Whether a name means a definition that was reported already.
    fn is_refused(&self, env: &Env<'_, 'p>, name: Name) -> bool {
        self.definitions.refused.contains(&name) && !env.is_bound(name)
    }

    /// A name that may be replaced by an argument of the same kind: `x$0` with `x` a parameter.
    fn rename(&self, env: &Env<'_, 'p>, name: Name) -> Name {
        if env.is_bound(name) {
            return name;
        }
        match env.argument(name) {
            Some((argument, outer)) => match outer.tree.exprs.kind(argument) {
                ExprKind::Name(other) => self.rename(outer, *other),
                _ => name,
            },
            None => name,
        }
    }

    /// A name in a formula, used with `args` (of `env`) when it is a definition with parameters.
    fn name(&mut self, env: &Env<'_, 'p>, id: ExprId, name: Name, args: &[ExprId]) -> ExprId {
        let span = env.tree.exprs.span(id);
        if !env.is_bound(name)
            && let Some((argument, outer)) = env.argument(name)
        {
            let copied = self.expr(outer, argument);
            if let Some(current) = env.current
                && self.origins.arguments.len() < MAX_ARGUMENTS
            {
                let name = self.origins.uses[current].name;
                self.origins.arguments.insert(copied, (name, span));
            }
            self.warn_of_capture(env, outer, argument, span);
            return copied;
        }
        let Some(entry) = self.definition(env, name) else {
            let kind = if self.is_refused(env, name) {
                ExprKind::Error
            } else {
                ExprKind::Name(name)
            };
            return self.push(env, kind, span);
        };
        self.definitions.used.borrow_mut().insert(name);
        if let Some(kind) = self.external(name)
            && kind != ExternalKind::Substitution
        {
            if self.arity(entry, span, args.len()) {
                self.external_type(name, kind);
            }
            let args = args.iter().map(|arg| self.expr(env, *arg)).collect();
            return self.push(env, ExprKind::External(name, args), span);
        }
        if !self.arity(entry, span, args.len()) {
            return self.push(env, ExprKind::Error, span);
        }
        self.inside(env, entry, span, args, |this, inner| match &entry.definition.body {
            MacroBody::Formula(body) => this.expr(inner, *body),
            MacroBody::Names(names) => {
                let mut parts: Vec<ExprId> = Vec::new();
                for binding in names {
                    parts.push(this.push(inner, ExprKind::Name(binding.name), binding.span));
                }
                let mut parts = parts.into_iter();
                let first = parts.next().unwrap_or_else(|| this.push(inner, ExprKind::Error, span));
                parts.fold(first, |left, right| {
                    this.push(inner, ExprKind::Op(Op::Maplet, smallvec![left, right]), span)
                })
            }
            MacroBody::Substitution(_) => {
                this.diagnostics.push(
                    Diagnostic::error(
                        &codes::WRONG_SORT,
                        span,
                        format!("definition `{name}` is a substitution, but a formula is needed here"),
                    )
                    .also(entry.definition.span, "defined here"),
                );
                this.push(inner, ExprKind::Error, span)
            }
        })
    }

    /// Runs `body` with the parameters of a definition bound to `args` of `env`.
    fn inside<R>(
        &mut self,
        env: &Env<'_, 'p>,
        entry: Entry<'p>,
        span: Span,
        args: &[ExprId],
        body: impl FnOnce(&mut Self, &Env<'_, 'p>) -> R,
    ) -> R {
        let current = self.origins.uses.push(Use {
            name: entry.definition.name,
            span,
            outer: env.current,
        });
        let arguments: Vec<_> = entry
            .definition
            .parameters
            .iter()
            .zip(args)
            .map(|(parameter, arg)| (parameter.name, *arg, env))
            .collect();
        let inner = Env {
            tree: entry.tree,
            arguments: &arguments,
            current: Some(current),
            bound: RefCell::default(),
        };
        // Recursion was refused before, so the depth is bounded by the number of definitions.
        deep::recurse(|| body(self, &inner))
    }

    fn arity(&mut self, entry: Entry<'p>, span: Span, found: usize) -> bool {
        let wanted = entry.definition.parameters.len();
        if wanted == found {
            return true;
        }
        self.diagnostics.push(
            Diagnostic::error(
                &codes::ARITY,
                span,
                format!(
                    "definition `{}` takes {}, but {}",
                    entry.definition.name,
                    counted(wanted, "argument"),
                    given(found)
                ),
            )
            .also(entry.definition.span, "defined here"),
        );
        false
    }

    /// Whether a definition only declares a function of the host.
    fn external(&self, name: Name) -> Option<ExternalKind> {
        self.definitions.externals.get(&name).copied()
    }

    /// Expands the declared type of a host function, once.
    fn external_type(&mut self, name: Name, kind: ExternalKind) {
        if self.origins.externals.contains_key(&name) {
            return;
        }
        let prefix = match kind {
            ExternalKind::Function => "EXTERNAL_FUNCTION_",
            ExternalKind::Predicate => "EXTERNAL_PREDICATE_",
            ExternalKind::Substitution => "EXTERNAL_SUBSTITUTION_",
        };
        let Some(entry) = self.definitions.get(Name::new(&format!("{prefix}{name}"))) else {
            return;
        };
        self.definitions
            .used
            .borrow_mut()
            .insert(entry.definition.name);
        if stdlib::external(name.as_str()).is_none() {
            self.diagnostics.push(
                Diagnostic::warning(
                    &codes::UNKNOWN_EXTERNAL,
                    entry.definition.span,
                    format!("external function `{name}` is not known to Burnside"),
                )
                .note("it is typed as declared, but cannot be evaluated"),
            );
        }
        let parameters: Vec<Name> = entry
            .definition
            .parameters
            .iter()
            .map(|parameter| parameter.name)
            .collect();
        let env = Env::top(entry.tree);
        env.enter(&entry.definition.parameters);
        let set = match entry.definition.body {
            MacroBody::Formula(body) => self.expr(&env, body),
            _ => self.push(&env, ExprKind::Error, entry.definition.span),
        };
        self.origins.externals.insert(
            name,
            ExternalType {
                kind,
                parameters,
                set,
            },
        );
    }
}

#[cfg(test)]
mod tests;
