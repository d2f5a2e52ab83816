//! Names that a formula introduces: what they stand for in a definition, and captures.

use base::{Diagnostic, Name, Span, deep};
use lang_math::expr::for_each_child;
use lang_math::{Binding, ExprId, ExprKind, Exprs, Op};

use super::{Env, Expander};
use crate::codes::definitions as codes;
use crate::syntax::MacroBody;

impl<'p, 'd> Expander<'p, 'd> {
    /// Runs `body` inside a binder of `names`; the answer has the names it introduces, definitions and
    /// parameters replaced.
    pub(super) fn binder<R>(
        &mut self,
        env: &Env<'_, 'p>,
        names: &[Binding],
        body: impl FnOnce(&mut Self) -> R,
    ) -> (Vec<Binding>, R) {
        let mut found = Vec::with_capacity(names.len());
        // A name that was replaced goes on meaning its replacement; the others hide what they meant.
        let mut hiding = Vec::with_capacity(names.len());
        for binding in names {
            if self.binding(env, binding, &mut found) {
                hiding.push(*binding);
            }
        }
        env.enter(&hiding);
        let result = body(self);
        env.leave(&hiding);
        (found, result)
    }

    /// Adds what one name of a binder stands for; the answer says whether it stands for itself.
    pub(super) fn binding(
        &mut self,
        env: &Env<'_, 'p>,
        binding: &Binding,
        found: &mut Vec<Binding>,
    ) -> bool {
        let renamed = self.rename(env, binding.name);
        if renamed != binding.name || self.is_name(env, binding.name) {
            found.push(Binding {
                name: renamed,
                span: binding.span,
            });
            return false;
        }
        let listed = self
            .definition(env, binding.name)
            .filter(|entry| entry.definition.parameters.is_empty())
            .and_then(|entry| match &entry.definition.body {
                MacroBody::Names(names) => Some((names.clone(), entry)),
                MacroBody::Formula(body) => {
                    names_of(&entry.tree.exprs, *body).map(|names| (names, entry))
                }
                MacroBody::Substitution(_) => None,
            });
        let Some((names, entry)) = listed else {
            if let Some(entry) = self.definition(env, binding.name)
                && !entry.built_in
            {
                self.diagnostics.push(
                    Diagnostic::error(
                        &codes::WRONG_SORT,
                        binding.span,
                        format!(
                            "a name is needed here, but `{}` is a definition",
                            binding.name
                        ),
                    )
                    .also(entry.definition.span, "defined here")
                    .help("rename the bound name or the definition"),
                );
            }
            found.push(*binding);
            return true;
        };
        self.definitions.used.borrow_mut().insert(binding.name);
        let inner = Env::top(entry.tree);
        for name in names {
            deep::recurse(|| {
                self.binding(
                    &inner,
                    &Binding {
                        name: name.name,
                        span: binding.span,
                    },
                    found,
                );
            });
        }
        false
    }

    /// Whether a name is a parameter whose argument is a name.
    pub(super) fn is_name(&self, env: &Env<'_, 'p>, name: Name) -> bool {
        !env.is_bound(name)
            && env.argument(name).is_some_and(|(argument, outer)| {
                matches!(outer.tree.exprs.kind(argument), ExprKind::Name(_))
            })
    }

    /// Warns when a binder of the body, around the use of a parameter, binds a name of the argument.
    pub(super) fn warn_of_capture(
        &mut self,
        env: &Env<'_, 'p>,
        outer: &Env<'_, 'p>,
        argument: ExprId,
        at: Span,
    ) {
        if env.bound.borrow().values().all(|count| *count == 0) {
            return;
        }
        let mut pending = vec![argument];
        while let Some(id) = pending.pop() {
            match outer.tree.exprs.kind(id) {
                ExprKind::Name(name) if env.is_bound(*name) => {
                    self.diagnostics.push(
                        Diagnostic::warning(
                            &codes::CAPTURE,
                            outer.tree.exprs.span(id),
                            format!("`{name}` is captured by a binder of the definition"),
                        )
                        .also(at, "used here, where that name is bound")
                        .help("rename the bound name in the definition"),
                    );
                    return;
                }
                // Names that the argument binds itself are its own business.
                ExprKind::Bind { .. } | ExprKind::Let { .. } => {}
                kind => for_each_child(kind, |child| pending.push(child)),
            }
        }
    }
}

/// The names of a formula that is a list of names, written as a tuple.
pub(super) fn names_of(exprs: &Exprs, id: ExprId) -> Option<Vec<Binding>> {
    let mut names = Vec::new();
    let mut id = id;
    loop {
        match exprs.kind(id) {
            ExprKind::Op(Op::Maplet, args) => {
                let ExprKind::Name(name) = exprs.kind(args[1]) else {
                    return None;
                };
                names.push(Binding {
                    name: *name,
                    span: exprs.span(args[1]),
                });
                id = args[0];
            }
            ExprKind::Name(name) => {
                names.push(Binding {
                    name: *name,
                    span: exprs.span(id),
                });
                names.reverse();
                return Some(names);
            }
            _ => return None,
        }
    }
}
