//! Declarations, routines, rules and statements as text.

use base::deep;

use super::Printer;
use crate::syntax::{
    Alias, Decl, Ident, Item, Property, PropertyKind, Routine, Rule, SimpleRule, StartState, Stmt,
    StmtKind, Text,
};

impl Printer<'_> {
    pub(super) fn items(&mut self) {
        let tree = self.tree;
        for (at, item) in tree.items.iter().enumerate() {
            if at > 0 {
                self.line();
            }
            match item {
                Item::Decl(decl) => self.decl(decl),
                Item::Routine(routine) => self.routine(routine),
                Item::Rule(rule) => self.rule(rule),
            }
        }
        self.put("\n");
    }

    pub(super) fn idents(&mut self, idents: &[Ident]) {
        let names: Vec<&str> = idents.iter().map(|ident| ident.name.as_str()).collect();
        self.put(&names.join(", "));
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Const(idents, value) => {
                self.put("const ");
                self.idents(idents);
                self.put(": ");
                self.expr(*value, 0);
            }
            Decl::Type(idents, ty) | Decl::Var(idents, ty) => {
                self.put(if matches!(decl, Decl::Type(..)) {
                    "type "
                } else {
                    "var "
                });
                self.idents(idents);
                self.put(": ");
                self.ty(*ty);
            }
        }
        self.put(";");
    }

    fn text(&mut self, text: Option<Text>) {
        if let Some(text) = text {
            self.put(&format!(" \"{}\"", text.text));
        }
    }

    fn decls(&mut self, decls: &[Decl]) {
        for decl in decls {
            self.line();
            self.decl(decl);
        }
    }

    fn body(&mut self, decls: &[Decl], body: &[Stmt]) {
        self.decls(decls);
        self.line();
        self.put("begin");
        self.stmts(body);
        self.line();
        self.put("end;");
    }

    fn routine(&mut self, routine: &Routine) {
        self.put(if routine.result.is_some() {
            "function "
        } else {
            "procedure "
        });
        self.name(routine.ident.name);
        self.put("(");
        for (at, parameter) in routine.parameters.iter().enumerate() {
            self.put(if at == 0 { "" } else { "; " });
            self.put(if parameter.is_var { "var " } else { "" });
            self.idents(&parameter.idents);
            self.put(": ");
            self.ty(parameter.ty);
        }
        self.put(")");
        if let Some(result) = routine.result {
            self.put(": ");
            self.ty(result);
        }
        self.put(";");
        self.body(&routine.decls, &routine.body);
    }

    fn rule(&mut self, rule: &Rule) {
        deep::recurse(|| match rule {
            Rule::Simple(rule) => self.simple_rule(rule),
            Rule::Start(StartState {
                name, decls, body, ..
            }) => {
                self.put("startstate");
                self.text(*name);
                self.body(decls, body);
            }
            Rule::Property(property) => self.property(property),
            Rule::Ruleset(binders, rules) => {
                self.put("ruleset ");
                for (at, binder) in binders.iter().enumerate() {
                    self.put(if at == 0 { "" } else { "; " });
                    self.binder(binder);
                }
                self.rules(rules);
            }
            Rule::Alias(aliases, rules) => {
                self.aliases(aliases);
                self.rules(rules);
            }
            Rule::Choose(ident, place, rules) => {
                self.put("choose ");
                self.name(ident.name);
                self.put(": ");
                self.expr(*place, 0);
                self.rules(rules);
            }
        });
    }

    fn rules(&mut self, rules: &[Rule]) {
        self.put(" do");
        self.depth += 1;
        for rule in rules {
            self.line();
            self.rule(rule);
        }
        self.depth -= 1;
        self.line();
        self.put("end;");
    }

    fn simple_rule(&mut self, rule: &SimpleRule) {
        self.put("rule");
        if let Some(priority) = rule.priority {
            self.put(&format!(" {priority}"));
        }
        self.text(rule.name);
        if let Some(guard) = rule.guard {
            self.put(" ");
            self.expr(guard, 0);
            self.put(" ==>");
        }
        self.body(&rule.decls, &rule.body);
    }

    fn property(&mut self, property: &Property) {
        self.put(match property.kind {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Assume => "assume",
            PropertyKind::Cover => "cover",
            PropertyKind::Liveness => "liveness",
        });
        self.text(property.name);
        self.put(" ");
        self.expr(property.expr, 0);
        self.put(";");
    }

    fn aliases(&mut self, aliases: &[Alias]) {
        self.put("alias ");
        for (at, alias) in aliases.iter().enumerate() {
            self.put(if at == 0 { "" } else { "; " });
            self.name(alias.ident.name);
            self.put(": ");
            self.expr(alias.value, 0);
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        self.depth += 1;
        for stmt in stmts {
            self.line();
            deep::recurse(|| self.stmt(&stmt.kind));
            self.put(";");
        }
        self.depth -= 1;
    }

    fn end(&mut self) {
        self.line();
        self.put("end");
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Error => {}
            StmtKind::Assign(target, value) => {
                self.expr(*target, 0);
                self.put(" := ");
                self.expr(*value, 0);
            }
            StmtKind::If(branches, otherwise) => {
                for (at, (condition, body)) in branches.iter().enumerate() {
                    if at > 0 {
                        self.line();
                    }
                    self.put(if at == 0 { "if " } else { "elsif " });
                    self.expr(*condition, 0);
                    self.put(" then");
                    self.stmts(body);
                }
                self.otherwise(otherwise);
            }
            StmtKind::Switch(value, cases, otherwise) => {
                self.put("switch ");
                self.expr(*value, 0);
                for (labels, body) in cases {
                    self.line();
                    self.put("case ");
                    for (at, label) in labels.iter().enumerate() {
                        self.put(if at == 0 { "" } else { ", " });
                        self.expr(*label, 0);
                    }
                    self.put(":");
                    self.stmts(body);
                }
                self.otherwise(otherwise);
            }
            StmtKind::For(binder, body) => {
                self.put("for ");
                self.binder(binder);
                self.put(" do");
                self.stmts(body);
                self.end();
            }
            StmtKind::While(condition, body) => {
                self.put("while ");
                self.expr(*condition, 0);
                self.put(" do");
                self.stmts(body);
                self.end();
            }
            StmtKind::Alias(aliases, body) => {
                self.aliases(aliases);
                self.put(" do");
                self.stmts(body);
                self.end();
            }
            _ => self.short_stmt(stmt),
        }
    }

    fn otherwise(&mut self, body: &[Stmt]) {
        if !body.is_empty() {
            self.line();
            self.put("else");
            self.stmts(body);
        }
        self.end();
    }

    /// Statements of one line.
    fn short_stmt(&mut self, stmt: &StmtKind) {
        let (word, exprs, text) = match stmt {
            StmtKind::Return(value) => ("return", value.as_slice(), None),
            StmtKind::Assert(condition, text) => ("assert", std::slice::from_ref(condition), *text),
            StmtKind::Assume(condition, text) => ("assume", std::slice::from_ref(condition), *text),
            StmtKind::Cover(condition, text) => ("cover", std::slice::from_ref(condition), *text),
            StmtKind::Fail(text) => ("error", &[][..], Some(*text)),
            StmtKind::PutText(text) => ("put", &[][..], Some(*text)),
            StmtKind::Put(value) => ("put", std::slice::from_ref(value), None),
            StmtKind::Clear(target) => ("clear", std::slice::from_ref(target), None),
            StmtKind::Undefine(target) => ("undefine", std::slice::from_ref(target), None),
            StmtKind::Call(call) => return self.expr(*call, 0),
            StmtKind::MultisetAdd(value, place) | StmtKind::MultisetRemove(value, place) => {
                let adds = matches!(stmt, StmtKind::MultisetAdd(..));
                self.put(if adds {
                    "multisetadd("
                } else {
                    "multisetremove("
                });
                self.expr(*value, 0);
                self.put(", ");
                self.expr(*place, 0);
                return self.put(")");
            }
            StmtKind::MultisetRemovePred(ident, place, condition) => {
                self.put("multisetremovepred(");
                self.name(ident.name);
                self.put(": ");
                self.expr(*place, 0);
                self.put(", ");
                self.expr(*condition, 0);
                return self.put(")");
            }
            _ => return,
        };
        self.put(word);
        self.text(text);
        for expr in exprs {
            self.put(" ");
            self.expr(*expr, 0);
        }
    }
}
