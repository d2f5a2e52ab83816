//! Substitutions: `;` and `||` between statements, keywords on lines of their own.

use base::deep;
use lang_math::print::{Place, spelling};
use lang_math::{Binding, ExprId};

use super::Printer;
use crate::syntax::{SubstId, SubstKind};

/// What a substitution may be without a block around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    /// Between keywords: `S ; T` too.
    Sequence,
    /// Between semicolons: `S || T`, no `;`.
    Parallel,
    /// Between `||`: one statement.
    Statement,
}

impl Printer<'_> {
    /// A substitution between keywords.
    pub(super) fn subst(&mut self, id: SubstId) {
        self.bonded(id, Bond::Sequence);
    }

    /// A substitution where `;` ends it.
    pub(super) fn closed_subst(&mut self, id: SubstId) {
        self.bonded(id, Bond::Parallel);
    }

    fn bonded(&mut self, id: SubstId, least: Bond) {
        let tree = self.tree;
        let kind = &tree.substs[id].kind;
        let bond = match kind {
            SubstKind::Sequence(_) => Bond::Sequence,
            SubstKind::Parallel(_) => Bond::Parallel,
            _ => Bond::Statement,
        };
        deep::recurse(|| {
            if bond < least {
                self.text("BEGIN");
                self.body(|printer| printer.statement(kind));
                self.end();
            } else {
                self.statement(kind);
            }
        });
    }

    // Long: one arm for each kind of substitution.
    fn statement(&mut self, kind: &SubstKind) {
        match kind {
            SubstKind::Error => self.text("?"),
            SubstKind::Skip => self.text("skip"),
            SubstKind::Assign { targets, values } => self.assignment(targets, values),
            SubstKind::BecomesElement { targets, set } => self.becomes_element(targets, *set),
            SubstKind::BecomesSuch { targets, predicate } => self.becomes_such(targets, *predicate),
            SubstKind::Call {
                results,
                name,
                arguments,
                ..
            } => {
                if !results.is_empty() {
                    self.formulas(results, Place::Target);
                    self.symbol(" <-- ", " ← ");
                }
                self.call(name.as_str(), arguments);
            }
            SubstKind::External(name, arguments) => self.call(name.as_str(), arguments),
            SubstKind::Block(body) => {
                self.text("BEGIN");
                self.body(|printer| printer.subst(*body));
                self.end();
            }
            SubstKind::Pre(predicate, body) => self.guarded("PRE", *predicate, *body),
            SubstKind::Assert(predicate, body) => self.guarded("ASSERT", *predicate, *body),
            SubstKind::Witness(predicate, body) => self.guarded("WITNESS", *predicate, *body),
            SubstKind::Choice(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    self.next_line(i > 0);
                    self.text(if i == 0 { "CHOICE" } else { "OR" });
                    self.body(|printer| printer.subst(*part));
                }
                self.end();
            }
            SubstKind::If {
                branches,
                otherwise,
            } => self.branches(["IF", "ELSIF"], branches, *otherwise),
            SubstKind::Select {
                branches,
                otherwise,
            } => self.branches(["SELECT", "WHEN"], branches, *otherwise),
            SubstKind::Case {
                subject,
                branches,
                otherwise,
            } => self.case(*subject, branches, *otherwise),
            SubstKind::Any {
                names,
                predicate,
                body,
            } => {
                self.binder("ANY", names);
                self.out.line();
                self.headed("WHERE", *predicate, "THEN");
                self.body(|printer| printer.subst(*body));
                self.end();
            }
            SubstKind::Let {
                names,
                equations,
                body,
            } => {
                self.binder("LET", names);
                self.out.line();
                self.headed("BE", *equations, "IN");
                self.body(|printer| printer.subst(*body));
                self.end();
            }
            SubstKind::Var { names, body } => {
                self.binder("VAR", names);
                self.text(" IN");
                self.body(|printer| printer.subst(*body));
                self.end();
            }
            SubstKind::While {
                condition,
                body,
                invariant,
                variant,
            } => self.while_loop([*condition, *invariant, *variant], *body),
            SubstKind::Sequence(parts) => self.joined(parts, ";", Bond::Parallel),
            SubstKind::Parallel(parts) => {
                let separator = if self.style.unicode { " ∥" } else { " ||" };
                self.joined(parts, separator, Bond::Statement);
            }
        }
    }

    fn while_loop(&mut self, [condition, invariant, variant]: [ExprId; 3], body: SubstId) {
        self.headed("WHILE", condition, "DO");
        self.body(|printer| printer.subst(body));
        self.out.line();
        self.text("INVARIANT");
        self.body(|printer| printer.formula(invariant, Place::Formula));
        self.out.line();
        self.text("VARIANT");
        self.body(|printer| printer.formula(variant, Place::Item));
        self.end();
    }

    fn becomes_such(&mut self, targets: &[ExprId], predicate: ExprId) {
        self.out.open();
        self.formulas(targets, Place::Target);
        self.text(" : (");
        self.out.indent();
        self.out.cut();
        self.formula(predicate, Place::Enclosed);
        self.out.dedent();
        self.out.cut();
        self.text(")");
        self.out.close();
    }

    fn becomes_element(&mut self, targets: &[ExprId], set: ExprId) {
        self.out.open();
        self.formulas(targets, Place::Target);
        self.text(" ::");
        self.out.indent();
        self.out.fill();
        self.formula(set, Place::Expression);
        self.out.dedent();
        self.out.close();
    }

    fn assignment(&mut self, targets: &[ExprId], values: &[ExprId]) {
        self.out.open();
        self.formulas(targets, Place::Target);
        self.symbol(" :=", " ≔");
        self.out.indent();
        self.out.fill();
        self.formulas(values, Place::Expression);
        self.out.dedent();
        self.out.close();
    }

    fn joined(&mut self, parts: &[SubstId], separator: &str, least: Bond) {
        self.out.open();
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.text(separator);
                self.out.soft();
            }
            self.bonded(*part, least);
        }
        self.out.close();
    }

    fn call(&mut self, name: &str, arguments: &[ExprId]) {
        // Statements know no tree functions, so a name stands bare in front of arguments here.
        self.text(&spelling::name(name));
        self.arguments(arguments);
    }

    fn guarded(&mut self, keyword: &str, predicate: ExprId, body: SubstId) {
        self.headed(keyword, predicate, "THEN");
        self.body(|printer| printer.subst(body));
        self.end();
    }

    fn branches(
        &mut self,
        keywords: [&str; 2],
        branches: &[(ExprId, SubstId)],
        otherwise: Option<SubstId>,
    ) {
        for (i, (condition, body)) in branches.iter().enumerate() {
            self.next_line(i > 0);
            self.headed(keywords[usize::from(i > 0)], *condition, "THEN");
            self.body(|printer| printer.subst(*body));
        }
        self.otherwise(otherwise);
        self.end();
    }

    fn case(
        &mut self,
        subject: ExprId,
        branches: &[(Vec<ExprId>, SubstId)],
        otherwise: Option<SubstId>,
    ) {
        self.text("CASE ");
        self.formula(subject, Place::Item);
        self.text(" OF");
        self.body(|printer| {
            for (i, (labels, body)) in branches.iter().enumerate() {
                printer.next_line(i > 0);
                printer.text(if i == 0 { "EITHER " } else { "OR " });
                printer.formulas(labels, Place::Expression);
                printer.text(" THEN");
                printer.body(|printer| printer.subst(*body));
            }
            printer.otherwise(otherwise);
            printer.end();
        });
        self.end();
    }

    fn otherwise(&mut self, otherwise: Option<SubstId>) {
        if let Some(otherwise) = otherwise {
            self.out.line();
            self.text("ELSE");
            self.body(|printer| printer.subst(otherwise));
        }
    }

    fn binder(&mut self, keyword: &str, names: &[Binding]) {
        self.text(keyword);
        self.text(" ");
        self.names(names);
    }

    /// `PRE P THEN`, on three lines if it is long.
    fn headed(&mut self, keyword: &str, predicate: ExprId, then: &str) {
        self.out.open();
        self.text(keyword);
        self.out.indent();
        self.out.soft();
        self.formula(predicate, Place::Formula);
        self.out.dedent();
        self.out.soft();
        self.text(then);
        self.out.close();
    }

    /// Indented lines after a keyword.
    pub(super) fn body(&mut self, print: impl FnOnce(&mut Self)) {
        self.out.indent();
        self.out.line();
        print(self);
        self.out.dedent();
    }

    fn next_line(&mut self, really: bool) {
        if really {
            self.out.line();
        }
    }

    fn end(&mut self) {
        self.out.line();
        self.text("END");
    }
}
