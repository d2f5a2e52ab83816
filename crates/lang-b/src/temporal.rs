//! The temporal formulas that a machine carries in its definitions: `ASSERT_LTL… == "…"`, `ASSERT_CTL… == "…"`.

use base::{Diagnostics, Name, Span};
use lang_math::ExprKind;

use crate::check::Checked;
use crate::expand::Definitions;
use crate::preferences::{Setting, setting};
use crate::syntax::MacroBody;

/// A definition that holds a temporal formula.
#[derive(Clone, Debug)]
pub struct TemporalDefinition {
    /// Its name.
    pub name: Name,
    /// Whether it is about branching time.
    pub is_branching: bool,
    /// The text of the formula; `None` when the definition is no string.
    pub text: Option<Name>,
    /// Where the string stands, quotes included; else the name.
    pub span: Span,
}

impl Checked {
    /// The temporal formulas in the definitions of the main machine, in the order of the text.
    pub fn temporal_definitions(&self) -> Vec<TemporalDefinition> {
        let Some(unit) = self.unit() else {
            return Vec::new();
        };
        // What is wrong with the definitions was reported by the checker.
        let definitions = Definitions::collect(&self.project, unit, &mut Diagnostics::new());
        let own = definitions.own.iter();
        own.filter_map(|definition| {
            let is_branching = match setting(definition.name.as_str()) {
                Some(Setting::AssertLtl(_)) => false,
                Some(Setting::AssertCtl(_)) => true,
                _ => return None,
            };
            let mut found = TemporalDefinition {
                name: definition.name,
                is_branching,
                text: None,
                span: definition.span,
            };
            if let MacroBody::Formula(body) = definition.body {
                let exprs = &unit.component.tree.exprs;
                if let ExprKind::Str(text) = exprs.kind(body) {
                    found.text = Some(*text);
                    found.span = exprs.span(body);
                }
            }
            Some(found)
        })
        .collect()
    }
}
