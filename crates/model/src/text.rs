//! The model as text, so that people can see what a check really runs on (`burnside print --model`).
//!
//! Every part of a [`Model`] is shown: carrier sets with their elements, types of all names, conjuncts with
//! their labels, guarded actions with normalised bodies, what was chosen and what is not checked. Formulas
//! are in B notation with the fewest parentheses; they go through the printer of `lang-math`.
//! Invariant: different names are spelt differently: a bound name that would hide another gets a number.

mod formula;
mod statement;

use lang_math::print::layout::Layout;

use crate::{Action, Conjunct, ExprId, LocalId, Model, Sort, SortOrigin};
use formula::Names;

/// The whole model.
pub fn model(model: &Model) -> String {
    let mut text = Text {
        model,
        names: Names::new(model),
        out: Layout::new(),
    };
    text.model();
    let mut text = text.out.finish();
    text.push('\n');
    text
}

/// One formula of a model, in one line.
pub fn formula(model: &Model, id: ExprId) -> String {
    let (exprs, root) = formula::tree(model, &mut Names::new(model), id);
    let text = lang_math::print::to_string(&exprs, root, &lang_math::print::Style::default());
    let words: Vec<&str> = text.split_whitespace().collect();
    // Line ends are the layout's; blanks inside a string literal must stay.
    if text.contains('\n') && !text.contains('"') {
        words.join(" ")
    } else {
        text.replace('\n', " ")
    }
}

/// Collects the lines.
struct Text<'a> {
    model: &'a Model,
    names: Names<'a>,
    out: Layout,
}

impl Text<'_> {
    fn model(&mut self) {
        let model = self.model;
        self.out.text(&format!("MODEL {}", model.name));
        self.out.line();
        self.section("SCOPES", &model.scopes, |text, scope| text.out.text(scope));
        let sorts: Vec<&Sort> = model.tys.sorts.iter().map(|(_, sort)| sort).collect();
        self.section("SORTS", &sorts, |text, sort| text.sort(sort));
        self.free_types();
        let variables = |is_constant: bool| -> Vec<String> {
            model
                .variables
                .iter()
                .filter(|(_, variable)| variable.is_constant == is_constant)
                .map(|(_, variable)| format!("{} : {}", variable.name, model.tys.show(variable.ty)))
                .collect()
        };
        self.section("CONSTANTS", &variables(true), |text, line| {
            text.out.text(line)
        });
        if model.has_setup && model.properties.is_empty() {
            self.out.text("PROPERTIES");
            self.indented(|text| text.out.text("btrue"));
        }
        self.section("PROPERTIES", &model.properties, Text::conjunct);
        self.section("VARIABLES", &variables(false), |text, line| {
            text.out.text(line)
        });
        self.section("INVARIANT", &model.invariants, Text::conjunct);
        self.section("ASSUMED", &model.assumed, Text::conjunct);
        self.section("ASSERTIONS", &model.assertions, |text, assertion| {
            if assertion.is_static {
                text.out.text("static ");
            }
            text.conjunct(&assertion.conjunct);
        });
        self.out.text("INITIALISATION");
        self.indented(|text| text.statement(model.initialisation));
        self.section("ACTIONS", &model.actions, |text, action| {
            text.action(action)
        });
        let goal = model.goal.iter().map(|name| format!("{name} (a goal)"));
        let left: Vec<String> = goal.chain(model.not_checked.iter().cloned()).collect();
        self.section("NOT CHECKED", &left, |text, line| text.out.text(line));
        self.section("WARNINGS", &model.warnings, |text, line| {
            text.out.text(line)
        });
        self.out.text("END");
    }

    /// A heading with one entry per line; nothing when there are none.
    fn section<T>(&mut self, heading: &str, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.out.text(heading);
        self.out.indent();
        for item in items {
            self.out.line();
            each(self, item);
        }
        self.out.dedent();
        self.out.line();
    }

    /// A block of its own lines.
    fn indented(&mut self, body: impl FnOnce(&mut Self)) {
        self.out.indent();
        self.out.line();
        body(self);
        self.out.dedent();
        self.out.line();
    }

    fn sort(&mut self, sort: &Sort) {
        let origin = match sort.origin {
            SortOrigin::Enumerated | SortOrigin::Free => "enumerated",
            SortOrigin::Deferred => "deferred",
            SortOrigin::Named => "deferred, all elements named",
            SortOrigin::Parameter => "parameter",
        };
        let elements: Vec<&str> = sort.elements.iter().map(|name| name.as_str()).collect();
        let elements = elements.join(", ");
        self.out
            .text(&format!("{} = {{{elements}}} ({origin})", sort.name));
    }

    fn free_types(&mut self) {
        let model = self.model;
        let free: Vec<String> = model
            .tys
            .free
            .iter()
            .map(|(_, free)| {
                let constructors: Vec<String> = (0u32..)
                    .zip(&free.constructors)
                    .map(
                        |(index, (name, argument))| match (free.domain(index), argument) {
                            (Some(set), _) => format!("{name}({})", formula(model, set)),
                            (None, Some(ty)) => format!("{name}({})", model.tys.show(*ty)),
                            (None, None) => name.to_string(),
                        },
                    )
                    .collect();
                format!("{} = {}", free.name, constructors.join(", "))
            })
            .collect();
        self.section("FREETYPES", &free, |text, line| text.out.text(line));
    }

    fn conjunct(&mut self, conjunct: &Conjunct) {
        if let Some(label) = conjunct.label {
            self.out.text(&format!("[{label}] "));
        }
        self.formula(conjunct.predicate);
    }

    fn action(&mut self, action: &Action) {
        self.names.enter(&action.parameters);
        self.names.enter(&action.results);
        if !action.results.is_empty() {
            let results = self.typed(&action.results);
            self.out.text(&format!("{results} <-- "));
        }
        self.out.text(action.name.as_str());
        if !action.parameters.is_empty() {
            let parameters = self.typed(&action.parameters);
            self.out.text(&format!("({parameters})"));
        }
        self.out.indent();
        if !action.guard.is_empty() {
            self.out.line();
            self.out.text("WHEN");
            self.out.indent();
            for conjunct in &action.guard {
                self.out.line();
                self.formula(*conjunct);
            }
            self.out.dedent();
        }
        self.out.line();
        self.out.text("THEN");
        self.out.indent();
        self.out.line();
        self.statement(action.body);
        self.out.dedent();
        self.out.dedent();
        self.names.leave(action.results.len());
        self.names.leave(action.parameters.len());
    }

    /// `x : INTEGER, y : BOOL`, for names that were entered.
    fn typed(&self, locals: &[LocalId]) -> String {
        let names: Vec<String> = locals
            .iter()
            .map(|local| {
                let ty = self.model.locals[*local].ty;
                format!("{} : {}", self.names.local(*local), self.model.tys.show(ty))
            })
            .collect();
        names.join(", ")
    }

    fn formula(&mut self, id: ExprId) {
        formula::write(self.model, &mut self.names, id, &mut self.out);
    }
}

#[cfg(test)]
mod tests;
