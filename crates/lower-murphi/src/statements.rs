//! Statements.

use base::{Name, Span, deep};
use lang_murphi::syntax::{Alias, Binder, ExprId, ExprKind, Ident, Stmt, StmtKind as From, Text};
use program::{Arm, Mode, Print, Property, PropertyKind, Root, StmtId, StmtKind};

use crate::Lowering;

/// Longer texts of conditions are cut in names.
const SHOWN: usize = 60;

impl Lowering<'_> {
    /// Statements one after the other.
    pub(crate) fn block(&mut self, stmts: &[Stmt], span: Span) -> StmtId {
        let span = stmts.first().map_or(span, |stmt| stmt.span);
        let body = stmts
            .iter()
            .map(|stmt| deep::recurse(|| self.stmt(stmt)))
            .collect();
        self.program.stmt(StmtKind::Block(body), span)
    }

    // Long: one arm for each kind of statement.
    fn stmt(&mut self, stmt: &Stmt) -> StmtId {
        let span = stmt.span;
        let kind = match &stmt.kind {
            From::Error => StmtKind::Block(Vec::new()),
            From::Assign(target, value) => self.assign(*target, *value),
            From::If(branches, otherwise) => {
                let arms = branches
                    .iter()
                    .map(|(condition, body)| (self.expr(*condition), self.block(body, span)))
                    .collect();
                StmtKind::If {
                    arms,
                    otherwise: self.otherwise(otherwise, span),
                }
            }
            From::Switch(value, cases, otherwise) => {
                let value = self.expr(*value);
                let mut arms = Vec::new();
                for (labels, body) in cases {
                    let values = labels.iter().map(|label| self.expr(*label)).collect();
                    arms.push(Arm {
                        values,
                        body: self.block(body, span),
                    });
                }
                StmtKind::Switch {
                    value,
                    arms,
                    otherwise: self.otherwise(otherwise, span),
                }
            }
            From::For(binder, body) => self.for_stmt(binder, body, span),
            From::While(condition, body) => {
                let condition = self.expr(*condition);
                StmtKind::While {
                    condition,
                    body: self.block(body, span),
                }
            }
            From::Alias(aliases, body) => return self.aliases(aliases, body, span),
            From::Return(value) => StmtKind::Return(value.map(|value| self.expr(value))),
            From::Assert(condition, text) => {
                let text = Some(self.name_of(*text, *condition));
                StmtKind::Assert {
                    condition: self.expr(*condition),
                    text,
                }
            }
            From::Assume(condition, _) => StmtKind::Assume(self.expr(*condition)),
            From::Cover(condition, text) => self.cover(*condition, *text, span),
            From::Fail(text) => StmtKind::Error(text.text),
            From::PutText(text) => StmtKind::Print(vec![Print::Text(text.text)]),
            From::Put(value) => {
                let part = if self.is_place(*value) {
                    Print::Whole(self.place(*value))
                } else {
                    Print::Value(self.expr(*value))
                };
                StmtKind::Print(vec![part])
            }
            From::Clear(target) => StmtKind::Clear(self.place(*target)),
            From::Undefine(target) => StmtKind::Undefine(self.place(*target)),
            From::Call(call) => {
                let tree = self.tree;
                let ExprKind::Call(_, arguments) = &tree.exprs[*call].kind else {
                    unreachable!("a call statement holds a call")
                };
                let (function, arguments) = self.call(*call, arguments);
                StmtKind::Call(function, arguments)
            }
            From::MultisetAdd(value, place) => {
                let multiset = self.place(*place);
                StmtKind::MultisetAdd {
                    multiset,
                    value: self.copied(*value),
                }
            }
            From::MultisetRemove(element, place) => {
                let multiset = self.place(*place);
                StmtKind::MultisetRemove {
                    multiset,
                    element: self.expr(*element),
                }
            }
            From::MultisetRemovePred(ident, place, condition) => {
                self.remove_if(*ident, *place, *condition)
            }
        };
        self.program.stmt(kind, span)
    }

    fn otherwise(&mut self, body: &[Stmt], span: Span) -> Option<StmtId> {
        (!body.is_empty()).then(|| self.block(body, span))
    }

    fn assign(&mut self, target: ExprId, value: ExprId) -> StmtKind {
        let place = self.place(target);
        if self.tree.exprs[value].kind == ExprKind::Undefined {
            return StmtKind::Undefine(place);
        }
        StmtKind::Assign(place, self.assigned(value))
    }

    fn for_stmt(&mut self, binder: &Binder, body: &[Stmt], span: Span) -> StmtKind {
        let domain = self.domain(binder);
        let local = self.frame_local(binder.ident.span, Mode::Value);
        StmtKind::For {
            local,
            domain,
            body: self.block(body, span),
        }
    }

    fn remove_if(&mut self, ident: Ident, place: ExprId, condition: ExprId) -> StmtKind {
        let multiset = self.place(place);
        let local = self.frame_local(ident.span, Mode::Value);
        StmtKind::MultisetRemoveIf {
            local,
            multiset,
            condition: self.expr(condition),
        }
    }

    /// Names for places hold in what follows; names for values are locals that are assigned first.
    fn aliases(&mut self, aliases: &[Alias], body: &[Stmt], span: Span) -> StmtId {
        let Some((alias, rest)) = aliases.split_first() else {
            return self.block(body, span);
        };
        if self.checked.constants[alias.value.index()].is_some() {
            return self.aliases(rest, body, span);
        }
        if self.is_place(alias.value) {
            let place = self.place(alias.value);
            let local = self.frame_local(alias.ident.span, Mode::Reference);
            let body = self.aliases(rest, body, span);
            return self
                .program
                .stmt(StmtKind::Alias { local, place, body }, alias.ident.span);
        }
        let value = self.expr(alias.value);
        let local = self.frame_local(alias.ident.span, Mode::Value);
        let ty = self.program.locals[local].ty;
        let target = self.new_place(Root::Local(local), Vec::new(), ty, alias.ident.span);
        let assign = self
            .program
            .stmt(StmtKind::Assign(target, value), alias.ident.span);
        let rest = self.aliases(rest, body, span);
        self.program.stmt(StmtKind::Block(vec![assign, rest]), span)
    }

    fn cover(&mut self, condition: ExprId, text: Option<Text>, span: Span) -> StmtKind {
        let name = self.name_of(text, condition);
        let number = self.program.properties.len() as u32;
        self.program.properties.push(Property {
            name,
            kind: PropertyKind::Cover,
            binders: Vec::new(),
            condition: None,
            span,
        });
        StmtKind::Cover(self.expr(condition), number)
    }

    /// The name that a text gives, or a short form of the condition.
    pub(crate) fn name_of(&self, text: Option<Text>, condition: ExprId) -> Name {
        if let Some(text) = text {
            return text.text;
        }
        let printed = lang_murphi::print::expression(self.tree, condition);
        let short = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        if short.chars().count() <= SHOWN {
            return Name::new(&short);
        }
        let cut: String = short.chars().take(SHOWN - 1).chain(['…']).collect();
        Name::new(&cut)
    }
}
