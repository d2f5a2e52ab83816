//! Designators as places.

use base::Span;
use lang_murphi::check::{Form, SymbolKind};
use lang_murphi::syntax::{ExprId, ExprKind};
use program::{Place, PlaceId, Root, Selector};

use crate::Lowering;

impl Lowering<'_> {
    /// The place of a designator.
    ///
    /// # Panics
    /// When the expression is none; the checker has seen to that.
    pub(crate) fn place(&mut self, id: ExprId) -> PlaceId {
        let tree = self.tree;
        let mut selectors = Vec::new();
        let mut at = id;
        let root = loop {
            match &tree.exprs[at].kind {
                ExprKind::Field(inner, field) => {
                    let Form::Record(fields) = self.checked.form_of(*inner) else {
                        unreachable!("only records have fields")
                    };
                    let position = fields.iter().position(|(name, _)| *name == field.name);
                    selectors.push(Selector::Field(position.expect("the field is known") as u32));
                    at = *inner;
                }
                ExprKind::Index(inner, index) => {
                    let is_multiset = matches!(self.checked.form_of(*inner), Form::Multiset(..));
                    let index = self.expr(*index);
                    selectors.push(if is_multiset {
                        Selector::Element(index)
                    } else {
                        Selector::Index(index)
                    });
                    at = *inner;
                }
                ExprKind::Name(_) => break self.root(at),
                _ => unreachable!("a designator starts with a name"),
            }
        };
        selectors.reverse();
        let ty = self.ty(self.checked.type_of(id));
        self.new_place(root, selectors, ty, tree.exprs[id].span)
    }

    pub(crate) fn new_place(
        &mut self,
        root: Root,
        path: Vec<Selector>,
        ty: program::TyId,
        span: Span,
    ) -> PlaceId {
        self.program.places.push(Place {
            root,
            path,
            ty,
            span,
        })
    }

    fn root(&self, name: ExprId) -> Root {
        let symbol = self.checked.uses[name.index()].expect("a checked name has a symbol");
        match self.checked.symbols[symbol].kind {
            SymbolKind::Global => Root::Global(self.variables[&symbol]),
            _ => Root::Local(self.locals[&symbol]),
        }
    }

    /// Whether an expression names a place: a variable or part of one, or an alias of any kind that is no constant.
    pub(crate) fn is_place(&self, id: ExprId) -> bool {
        let mut at = id;
        loop {
            match &self.tree.exprs[at].kind {
                ExprKind::Field(inner, _) | ExprKind::Index(inner, _) => at = *inner,
                ExprKind::Name(_) => {
                    let symbol = self.checked.uses[at.index()];
                    return symbol.is_some_and(|symbol| {
                        self.variables.contains_key(&symbol) || self.locals.contains_key(&symbol)
                    });
                }
                _ => return false,
            }
        }
    }
}
