//! Expressions, places and formulas in one line, fully bracketed.

use crate::property::FormulaKind;
use crate::{
    Argument, Binary, ChannelQuestion, Domain, ExprId, FormulaId, Kind, Pattern, PlaceId,
    ProctypeId, Program, Quantifier, Root, Selector, Unary, Value, Variable,
};

use super::values::{ty, value};

/// An expression.
pub fn expression(program: &Program, id: ExprId) -> String {
    base::deep::recurse(|| expression_here(program, id))
}

fn expression_here(program: &Program, id: ExprId) -> String {
    let expr = &program.exprs[id];
    let show = |id: &ExprId| expression(program, *id);
    let local = |id: &crate::LocalId| program.locals[*id].name;
    match &expr.kind {
        Kind::Constant(code) => value(program, expr.ty, &Value::Int(*code)),
        Kind::Undefined => "undefined".to_string(),
        Kind::Read(id) => place(program, *id),
        Kind::Copy(id) => format!("copy({})", place(program, *id)),
        Kind::Unary(op, operand) => {
            let op = match op {
                Unary::Minus => "-",
                Unary::Not => "!",
                Unary::Complement => "~",
            };
            format!("{op}{}", show(operand))
        }
        Kind::Binary(op, a, b) => format!("({} {} {})", show(a), symbol(*op), show(b)),
        Kind::Choice(c, a, b) => format!("({} ? {} : {})", show(c), show(a), show(b)),
        Kind::Quantified {
            quantifier,
            local: name,
            domain: over,
            body,
        } => {
            let word = match quantifier {
                Quantifier::All => "all",
                Quantifier::Some => "some",
            };
            let (name, over) = (local(name), domain(program, *over));
            format!("({word} {name} in {over}: {})", show(body))
        }
        Kind::Count {
            local: name,
            multiset,
            body,
        } => {
            let (name, of) = (local(name), place(program, *multiset));
            format!("count({name} in {of}: {})", show(body))
        }
        Kind::IsUndefined(id) => format!("is_undefined({})", place(program, *id)),
        Kind::IsMember(operand, of) => {
            format!("is_member({}, {})", show(operand), ty(program, *of))
        }
        Kind::Part(whole, part) => format!("{}{}", show(whole), selector(program, part)),
        Kind::Call(function, arguments) => {
            call(program, program.functions[*function].name, arguments)
        }
        _ => of_process(program, id),
    }
}

fn of_process(program: &Program, id: ExprId) -> String {
    let show = |id: &ExprId| expression(program, *id);
    let one = |of: &ProctypeId, pid: &Option<ExprId>| {
        let name = program.proctypes[*of].name;
        pid.map_or_else(|| name.to_string(), |pid| format!("{name}[{}]", show(&pid)))
    };
    match &program.exprs[id].kind {
        Kind::SelfPid => "_pid".to_string(),
        Kind::Processes => "_nr_pr".to_string(),
        Kind::Last => "_last".to_string(),
        Kind::Run {
            proctype,
            arguments,
            priority,
        } => {
            let arguments: Vec<String> = arguments.iter().map(show).collect();
            let name = program.proctypes[*proctype].name;
            let priority = priority.map_or_else(String::new, |p| format!(" priority {}", show(&p)));
            format!("run {name}({}){priority}", arguments.join(", "))
        }
        Kind::NewChannel(kind) => format!("new #{} {}", kind.index(), program.channels[*kind].name),
        Kind::Ask(question, channel) => {
            let word = match question {
                ChannelQuestion::Length => "len",
                ChannelQuestion::IsEmpty => "empty",
                ChannelQuestion::IsFull => "full",
                ChannelQuestion::IsNotEmpty => "nempty",
                ChannelQuestion::IsNotFull => "nfull",
            };
            format!("{word}({})", show(channel))
        }
        Kind::Poll {
            channel,
            is_any,
            patterns: fields,
        } => {
            let word = if *is_any { "??" } else { "?" };
            format!("{}{word}[{}]", show(channel), patterns(program, fields))
        }
        Kind::Enabled(pid) => format!("enabled({})", show(pid)),
        Kind::LocationOf(pid) => format!("pc_value({})", show(pid)),
        Kind::PriorityOf(pid) => format!("get_priority({})", show(pid)),
        Kind::At {
            proctype,
            pid,
            locations,
        } => {
            let at: Vec<String> = locations.iter().map(|l| l.index().to_string()).collect();
            format!("{}@{{{}}}", one(proctype, pid), at.join(", "))
        }
        Kind::Timeout => "timeout".to_string(),
        Kind::NoProgress => "np_".to_string(),
        _ => unreachable!("expressions without processes were shown before"),
    }
}

/// A place.
pub fn place(program: &Program, id: PlaceId) -> String {
    let place = &program.places[id];
    let variable = |variable: &Variable, index: usize| format!("{}#{index}", variable.name);
    let mut text = match place.root {
        Root::Global(id) => program.variables[id].name.to_string(),
        // The process is not known here: its number is what tells its variables apart.
        Root::Process(id) => format!("self.{}", id.index()),
        Root::Local(id) => program.locals[id].name.to_string(),
        Root::Remote {
            proctype,
            pid,
            variable: id,
        } => {
            let of = &program.proctypes[proctype];
            let pid = pid.map_or_else(String::new, |pid| format!("[{}]", expression(program, pid)));
            let name = variable(&of.graph.variables[id], id.index());
            format!("{}{pid}:{name}", of.name)
        }
    };
    for part in &place.path {
        text.push_str(&selector(program, part));
    }
    text
}

fn selector(program: &Program, part: &Selector) -> String {
    match part {
        Selector::Field(field) => format!(".{field}"),
        Selector::Index(index) => format!("[{}]", expression(program, *index)),
        Selector::Element(at) => format!("[|{}|]", expression(program, *at)),
    }
}

/// Arguments of a call.
pub(super) fn call(program: &Program, name: base::Name, arguments: &[Argument]) -> String {
    let arguments = arguments.iter().map(|argument| match argument {
        Argument::Value(id) => expression(program, *id),
        Argument::Reference(id) => format!("var {}", place(program, *id)),
    });
    format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
}

/// What a name ranges over.
pub(super) fn domain(program: &Program, domain: Domain) -> String {
    match domain {
        Domain::Type(id) => ty(program, id),
        Domain::Count { from, to, by } => {
            let by = by.map_or_else(String::new, |by| format!(" by {}", expression(program, by)));
            let (from, to) = (expression(program, from), expression(program, to));
            format!("{from} to {to}{by}")
        }
        Domain::Elements(id) => format!("elements {}", place(program, id)),
    }
}

/// The fields of a message.
pub(super) fn patterns(program: &Program, patterns: &[Pattern]) -> String {
    let fields = patterns.iter().map(|pattern| match pattern {
        Pattern::Equal(id) => format!("={}", expression(program, *id)),
        Pattern::Store(id) => place(program, *id),
        Pattern::Any => "_".to_string(),
    });
    fields.collect::<Vec<_>>().join(", ")
}

/// A temporal formula.
pub(super) fn formula(program: &Program, id: FormulaId) -> String {
    let show = |id: FormulaId| base::deep::recurse(|| formula(program, id));
    let two = |a, op, b| format!("({} {op} {})", show(a), show(b));
    match program.formulas[id].kind {
        FormulaKind::Now(expr) => expression(program, expr),
        FormulaKind::Not(a) => format!("!{}", show(a)),
        FormulaKind::And(a, b) => two(a, "&&", b),
        FormulaKind::Or(a, b) => two(a, "||", b),
        FormulaKind::Implies(a, b) => two(a, "->", b),
        FormulaKind::Equivalent(a, b) => two(a, "<->", b),
        FormulaKind::Next(a) => format!("X {}", show(a)),
        FormulaKind::Always(a) => format!("[] {}", show(a)),
        FormulaKind::Eventually(a) => format!("<> {}", show(a)),
        FormulaKind::Until(a, b) => two(a, "U", b),
        FormulaKind::WeakUntil(a, b) => two(a, "W", b),
        FormulaKind::Release(a, b) => two(a, "V", b),
    }
}

fn symbol(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Equal => "==",
        Binary::Unequal => "!=",
        Binary::Less => "<",
        Binary::AtMost => "<=",
        Binary::Greater => ">",
        Binary::AtLeast => ">=",
        Binary::And => "&&",
        Binary::Or => "||",
        Binary::Implies => "->",
    }
}
