//! Quantifiers, comprehensions, sums and the other formulas that bind names.

use super::{ITEM, Place, Printer};
use crate::expr::{Binder, Binding, ExprId};

impl Printer<'_> {
    pub(super) fn bind(
        &mut self,
        binder: Binder,
        names: &[Binding],
        predicate: ExprId,
        value: Option<ExprId>,
    ) {
        let unicode = self.style.unicode;
        let dot = if unicode { "·" } else { "." };
        let parenthesised = match binder {
            Binder::Comprehension => {
                self.bracketed("{", "}", |printer| {
                    printer.names(names);
                    printer.text(" |");
                    printer.fill();
                    printer.formula(predicate, 0);
                });
                return;
            }
            Binder::Image => {
                self.bracketed("{", "}", |printer| {
                    printer.binder_names(names, !unicode);
                    printer.text(dot);
                    printer.formula(predicate, Place::Formula.least());
                    printer.text(" |");
                    printer.fill();
                    if let Some(value) = value {
                        printer.formula(value, ITEM);
                    }
                });
                return;
            }
            Binder::Forall => {
                self.text(if unicode { "∀" } else { "!" });
                names.len() > 1
            }
            Binder::Exists => {
                self.text(if unicode { "∃" } else { "#" });
                names.len() > 1
            }
            Binder::Lambda => {
                self.text(if unicode { "λ" } else { "%" });
                names.len() > 1
            }
            Binder::Sum => {
                self.text(if unicode { "∑" } else { "SIGMA" });
                true
            }
            Binder::Product => {
                self.text(if unicode { "∏" } else { "PI" });
                true
            }
            Binder::Union => {
                self.text(if unicode { "⋃" } else { "UNION" });
                true
            }
            Binder::Inter => {
                self.text(if unicode { "⋂" } else { "INTER" });
                true
            }
        };
        self.binder_names(names, parenthesised);
        self.text(dot);
        self.bracketed("(", ")", |printer| {
            printer.formula(predicate, 0);
            if let Some(value) = value {
                printer.text(" |");
                printer.fill();
                printer.formula(value, ITEM);
            }
        });
    }

    fn binder_names(&mut self, names: &[Binding], parenthesised: bool) {
        if parenthesised {
            self.text("(");
        }
        self.names(names);
        if parenthesised {
            self.text(")");
        }
    }
}
