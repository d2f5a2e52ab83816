//! What is sent and received: structures are spread out into their parts.

use base::Span;
use lang_promela::check::Meaning;
use lang_promela::syntax::{ExprId, ExprKind, Part, Type, VarId};
use program::{Kind, Pattern, PlaceId, Root, Selector};

use crate::Lowering;

impl Lowering<'_> {
    /// The fields of a message that is sent.
    pub(crate) fn values(&mut self, arguments: &[ExprId]) -> Vec<program::ExprId> {
        let syntax = self.syntax;
        let mut out = Vec::new();
        for argument in arguments {
            match &syntax.exprs[*argument].kind {
                ExprKind::Variable(parts) if self.is_structure(*argument, parts) => {
                    let span = syntax.exprs[*argument].span;
                    for place in self.parts(*argument, parts, span) {
                        let ty = self.out.places[place].ty;
                        out.push(self.out.expr(Kind::Read(place), ty, span));
                    }
                }
                _ => out.push(self.expression(*argument)),
            }
        }
        out
    }

    /// What a message that is received must look like.
    pub(crate) fn patterns(&mut self, arguments: &[ExprId]) -> Vec<Pattern> {
        let syntax = self.syntax;
        let mut out = Vec::new();
        for argument in arguments {
            let span = syntax.exprs[*argument].span;
            match &syntax.exprs[*argument].kind {
                ExprKind::Variable(parts) => match self.facts.meanings[argument] {
                    Meaning::Predefined(_) => out.push(Pattern::Any),
                    Meaning::Variable(_) => {
                        let places = self.parts(*argument, parts, span);
                        out.extend(places.into_iter().map(Pattern::Store));
                    }
                },
                _ => out.push(Pattern::Equal(self.expression(*argument))),
            }
        }
        out
    }

    /// As [`Lowering::patterns`], for a question: variables match anything.
    pub(crate) fn poll_patterns(&mut self, arguments: &[ExprId]) -> Vec<Pattern> {
        let patterns = self.patterns(arguments);
        let ask = |pattern| match pattern {
            Pattern::Store(_) => Pattern::Any,
            other => other,
        };
        patterns.into_iter().map(ask).collect()
    }

    fn is_structure(&mut self, id: ExprId, parts: &[Part]) -> bool {
        match self.facts.meanings[&id] {
            Meaning::Variable(var) => {
                let (_, _, last) = self.path(var, parts);
                matches!(self.syntax.vars[last].ty, Type::Named(_))
            }
            Meaning::Predefined(_) => false,
        }
    }

    /// The simple parts of a reference, in order.
    fn parts(&mut self, id: ExprId, parts: &[Part], span: Span) -> Vec<PlaceId> {
        let Meaning::Variable(var) = self.facts.meanings[&id] else {
            return Vec::new();
        };
        let root = self.root(var);
        let (path, _, last) = self.path(var, parts);
        let mut out = Vec::new();
        self.spread(last, root, path, span, &mut out);
        out
    }

    fn spread(
        &mut self,
        var: VarId,
        root: Root,
        path: Vec<Selector>,
        span: Span,
        out: &mut Vec<PlaceId>,
    ) {
        let Type::Named(structure) = self.syntax.vars[var].ty else {
            let ty = self.element_type(var);
            return out.push(self.out.place(root, path, ty, span));
        };
        let facts = self.facts;
        for (i, field) in facts.structures[&structure.name].iter().enumerate() {
            let mut path = path.clone();
            path.push(Selector::Field(i as u32));
            match facts.sizes.get(field) {
                None => base::deep::recurse(|| self.spread(*field, root, path, span, out)),
                Some(size) => {
                    for index in 0..*size {
                        let mut path = path.clone();
                        path.push(Selector::Index(self.number(i64::from(index), span)));
                        base::deep::recurse(|| self.spread(*field, root, path, span, out));
                    }
                }
            }
        }
    }
}
