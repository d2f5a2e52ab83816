//! What stands outside of processes: symbolic names, structures, variables, and who runs from the start.

use base::{Diagnostic, Name, Span};

use super::scope::Known;
use super::{Body, Checker, Context, Owner, Symbol};
use crate::codes::{names as code, structure};
use crate::syntax::{
    Binding, Claim, Declaration, Initialiser, MtypeList, Process, ProcessKind, StmtId, Trace, Type,
    Typedef, Unit, VarId, Visibility,
};

/// The most symbolic names of one list, as in SPIN.
const MOST_SYMBOLS: usize = 255;

/// The most messages of a channel: its length is a byte in SPIN.
const MOST_MESSAGES: i32 = 255;

impl Checker<'_> {
    pub(super) fn units(&mut self, end: Span) {
        self.scopes.enter();
        let program = self.program;
        for (index, unit) in program.units.iter().enumerate() {
            match unit {
                Unit::Process(process) => self.announce(process, index),
                Unit::Never(Claim {
                    name: Some(name), ..
                }) => {
                    self.scopes.add(name.name, Known::Claim, name.span);
                }
                _ => {}
            }
        }
        for (index, unit) in program.units.iter().enumerate() {
            self.context = Context {
                unit: index,
                ..Context::default()
            };
            match unit {
                Unit::Mtype(list) => self.mtype_list(list),
                Unit::Typedef(typedef) => self.typedef(typedef),
                Unit::Variables(declaration) => self.declare(declaration, Owner::Global),
                Unit::Process(process) => self.process(process),
                Unit::Never(claim) => self.claim(claim),
                Unit::Trace(trace) => self.trace(trace),
                Unit::Ltl(_) => {}
            }
        }
        self.formulas();
        self.widest_sends();
        self.broken_promises();
        self.anybody_runs(end);
    }

    fn announce(&mut self, process: &Process, index: usize) {
        let name = process.name;
        if let Some((_, first, _)) = self.scopes.find(name.name)
            && process.kind != ProcessKind::Init
        {
            let message = format!("the proctype \"{}\" is defined twice", name.name);
            let diagnostic = Diagnostic::error(&code::DUPLICATE, name.span, message);
            self.report(diagnostic.also(first, "first defined here"));
            return;
        }
        self.scopes.add(name.name, Known::Process, name.span);
        self.facts.processes.insert(name.name, index);
        let parameters = process
            .parameters
            .iter()
            .flat_map(|declaration| &declaration.vars);
        self.facts
            .locals
            .insert(index, parameters.copied().collect());
    }

    /// Makes the names of a checked program known again.
    pub(super) fn relearn(&mut self) {
        self.scopes.enter();
        let program = self.program;
        for unit in &program.units {
            match unit {
                Unit::Process(process) => {
                    self.scopes
                        .add(process.name.name, Known::Process, process.name.span);
                }
                Unit::Variables(declaration) => {
                    for id in &declaration.vars {
                        let name = program.vars[*id].name;
                        self.scopes.add(name.name, Known::Variable(*id), name.span);
                    }
                }
                _ => {}
            }
        }
    }

    fn mtype_list(&mut self, list: &MtypeList) {
        let subset = list.subset.map(|name| name.name);
        let before = self
            .facts
            .symbols
            .values()
            .filter(|symbol| symbol.subset == subset)
            .count();
        if before + list.names.len() > MOST_SYMBOLS {
            let message = format!("more than {MOST_SYMBOLS} symbolic names in one list");
            return self.report(Diagnostic::error(&code::MTYPE_LIST, list.span, message));
        }
        for (i, name) in list.names.iter().rev().enumerate() {
            let value = (before + i + 1) as i32;
            let known = self
                .facts
                .symbols
                .insert(name.name, Symbol { value, subset });
            if known.is_some() {
                let message = format!("the symbolic name \"{}\" is declared twice", name.name);
                self.report(Diagnostic::error(&code::MTYPE_LIST, name.span, message));
            }
        }
    }

    fn typedef(&mut self, typedef: &Typedef) {
        let name = typedef.name;
        if self.facts.structures.contains_key(&name.name) {
            let message = format!("the structure \"{}\" is defined twice", name.name);
            return self.report(Diagnostic::error(&code::DUPLICATE, name.span, message));
        }
        let mut fields: Vec<VarId> = Vec::new();
        for declaration in &typedef.fields {
            for id in &declaration.vars {
                let field = &self.program.vars[*id];
                let twice = fields
                    .iter()
                    .find(|other| self.program.vars[**other].name.name == field.name.name);
                if let Some(first) = twice {
                    let first = self.program.vars[*first].name.span;
                    let message = format!("the field \"{}\" is declared twice", field.name.name);
                    let diagnostic = Diagnostic::error(&code::REDECLARED, field.name.span, message);
                    self.report(diagnostic.also(first, "first declared here"));
                }
                self.facts.owners[id.index()] = Owner::Structure(name.name);
                self.variable(*id);
                fields.push(*id);
            }
        }
        self.facts.structures.insert(name.name, fields);
    }

    /// Variables of the program, of a process, of a claim.
    pub(super) fn declare(&mut self, declaration: &Declaration, owner: Owner) {
        for id in &declaration.vars {
            let name = self.program.vars[*id].name;
            if let Some((known, first, _)) = self.scopes.find(name.name) {
                self.redeclared(name, known, first);
            }
            self.facts.owners[id.index()] = owner;
            self.variable(*id);
            if declaration.visibility == Some(Visibility::Hidden) {
                self.hidden(*id, owner);
            }
            self.scopes.add(name.name, Known::Variable(*id), name.span);
            if let Owner::Unit(unit) = owner {
                let locals = self.facts.locals.entry(unit).or_default();
                if !locals.contains(id) {
                    locals.push(*id);
                }
            }
        }
    }

    fn redeclared(&mut self, name: Binding, known: Known, first: Span) {
        let what = match known {
            Known::Variable(_) => "a variable",
            Known::Label => "a label",
            Known::Process => "a proctype",
            Known::Claim => "a claim",
        };
        let message = format!("\"{}\" is declared already, as {what}", name.name);
        let diagnostic = Diagnostic::error(&code::REDECLARED, name.span, message);
        self.report(diagnostic.also(first, "first declared here"));
    }

    fn hidden(&mut self, id: VarId, owner: Owner) {
        let variable = &self.program.vars[id];
        let why = match (owner, variable.ty) {
            (Owner::Unit(_), _) => "only global variables can be hidden",
            (_, Type::Chan) => "a channel cannot be hidden",
            (_, Type::Bit | Type::Bool) => "a bit cannot be hidden",
            _ => return,
        };
        self.report(Diagnostic::error(&code::HIDDEN, variable.name.span, why));
    }

    /// The parts of one declaration.
    fn variable(&mut self, id: VarId) {
        let variable = &self.program.vars[id];
        let span = variable.name.span;
        if let Some(size) = variable.size
            && let Some(value) = self.constant_or_variable(size, "the size of an array")
        {
            if value <= 0 {
                let message = format!(
                    "the array \"{}\" needs at least one element",
                    variable.name.name
                );
                self.report(Diagnostic::error(&code::BAD_SIZE, span, message));
            }
            self.facts.sizes.insert(id, value.max(1) as u32);
        }
        match (variable.ty, variable.width) {
            (Type::Unsigned, None) => {
                let message = format!("the unsigned \"{}\" needs a width", variable.name.name);
                let diagnostic = Diagnostic::error(&code::WIDTH, span, message);
                self.report(diagnostic.help(format!("write unsigned {} : 8", variable.name.name)));
            }
            (Type::Unsigned, Some(width)) => {
                let bits = self.constant(width, "a width");
                if bits.is_some_and(|bits| !(1..32).contains(&bits)) {
                    let message = "an unsigned has 1 to 31 bits";
                    self.report(Diagnostic::error(&code::BAD_SIZE, span, message));
                }
            }
            (_, Some(_)) => {
                let message = "only unsigned variables have a width";
                self.report(Diagnostic::error(&code::WIDTH, span, message));
            }
            (_, None) => {}
        }
        if let Some(init) = &variable.init {
            self.initialiser(id, init);
        }
    }

    fn initialiser(&mut self, id: VarId, init: &Initialiser) {
        let variable = &self.program.vars[id];
        let name = variable.name;
        match init {
            Initialiser::Value(value) => {
                self.expression(*value);
                self.no_run(*value);
                self.symbol_fits(variable.ty, *value);
                if matches!(variable.ty, Type::Named(_)) {
                    let message = format!(
                        "the structure \"{}\" takes no first value; it is 0 in every field",
                        name.name
                    );
                    self.report(Diagnostic::warning(&code::INITIALISER, name.span, message));
                }
            }
            Initialiser::List(values) => {
                if variable.size.is_none() {
                    let message = format!(
                        "a list of values is for arrays, and \"{}\" is none",
                        name.name
                    );
                    self.report(Diagnostic::error(&code::INITIALISER, name.span, message));
                }
                for value in values {
                    self.constant(*value, "a value of the list");
                }
            }
            Initialiser::Channel {
                capacity,
                fields,
                span,
            } => {
                if variable.ty != Type::Chan {
                    let message = format!(
                        "\"[n] of {{ … }}\" makes a channel, and \"{}\" is none",
                        name.name
                    );
                    self.report(Diagnostic::error(&code::INITIALISER, name.span, message));
                }
                self.most_fields = self
                    .most_fields
                    .max(fields.iter().map(|field| self.width(*field)).sum());
                if fields.contains(&Type::Unsigned) {
                    let message = "unsigned has no width in a message; use byte or int";
                    self.report(Diagnostic::error(&code::WIDTH, *span, message));
                }
                let messages = self.constant(*capacity, "the capacity of a channel");
                if messages.is_some_and(|messages| !(0..=MOST_MESSAGES).contains(&messages)) {
                    let message = format!("a channel holds 0 to {MOST_MESSAGES} messages");
                    self.report(Diagnostic::error(&code::BAD_SIZE, *span, message));
                }
            }
        }
    }

    fn process(&mut self, process: &Process) {
        if let Some(count) = process.active.and_then(|active| active.count) {
            self.constant_or_variable(count, "the number of processes");
        }
        if let Some(priority) = process.priority {
            self.facts.mentions.priority = true;
            self.constant(priority, "a priority");
        }
        self.scopes.enter();
        let owner = Owner::Unit(self.context.unit);
        for declaration in &process.parameters {
            self.declare(declaration, owner);
            for id in &declaration.vars {
                let variable = &self.program.vars[*id];
                let what = match (variable.size, &variable.init) {
                    (Some(_), _) => "an array cannot be a parameter",
                    (_, Some(_)) => "a parameter has no first value",
                    _ => continue,
                };
                self.report(Diagnostic::error(
                    &code::PARAMETER,
                    variable.name.span,
                    what,
                ));
            }
        }
        if let Some(condition) = process.provided {
            self.facts.mentions.provided = true;
            self.expression(condition);
            self.global_condition(condition);
        }
        self.body(&process.body, Body::Process);
        self.scopes.leave();
    }

    fn claim(&mut self, claim: &Claim) {
        self.scopes.enter();
        self.body(&claim.body, Body::Claim);
        self.scopes.leave();
    }

    fn trace(&mut self, trace: &Trace) {
        let first = self.program.units.iter().find_map(|unit| match unit {
            Unit::Trace(first) => Some(first.span),
            _ => None,
        });
        if first != Some(trace.span) {
            let message = "a program has one trace or notrace";
            let diagnostic = Diagnostic::error(&code::DUPLICATE, trace.span, message);
            self.report(match first {
                Some(first) => diagnostic.also(first, "the first one"),
                None => diagnostic,
            });
        }
        self.scopes.enter();
        self.body(&trace.body, Body::Trace);
        self.scopes.leave();
    }

    /// Statements of a unit, with its labels and jumps.
    fn body(&mut self, body: &[StmtId], kind: Body) {
        self.context = Context {
            body: kind,
            at_start: true,
            ..self.context
        };
        self.jumps = super::labels::Jumps::default();
        self.scopes.enter();
        self.sequence(body);
        self.scopes.leave();
        self.resolve_jumps();
        self.goto_cycles(body);
        self.jumps_to_d_steps(body);
    }

    fn formulas(&mut self) {
        let program = self.program;
        let mut names: Vec<Name> = Vec::new();
        for unit in &program.units {
            let Unit::Ltl(formula) = unit else {
                continue;
            };
            if let Some(name) = formula.name {
                if names.contains(&name.name) {
                    let message = format!("the formula \"{}\" is defined twice", name.name);
                    self.report(Diagnostic::error(&code::DUPLICATE, name.span, message));
                }
                names.push(name.name);
            }
            self.temporal(formula.formula);
        }
    }

    fn anybody_runs(&mut self, end: Span) {
        let runs = self.program.units.iter().any(|unit| match unit {
            Unit::Process(process) => {
                process.kind == ProcessKind::Init
                    || process.active.is_some_and(|active| {
                        active.count.is_none_or(|count| {
                            self.facts
                                .constants
                                .get(&count)
                                .is_none_or(|count| *count > 0)
                        })
                    })
            }
            _ => false,
        });
        if !runs && !self.names_lost {
            let place = self.program.units.iter().find_map(|unit| match unit {
                Unit::Process(process) => Some(process.name.span),
                _ => None,
            });
            let start = Span::new(end.file, 0, 0);
            let message = "no process runs from the start";
            let diagnostic =
                Diagnostic::error(&structure::NO_PROCESS, place.unwrap_or(start), message);
            self.report(diagnostic.help("write active proctype, or init { run … }"));
        }
    }
}
