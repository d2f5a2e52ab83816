//! Claims about reading: what texts mean, what slips are told, what hostile input does.

mod components;
mod formulas;
mod hostile;
mod slips;

use base::{Diagnostics, Sources};
use lang_math::{ExprId, ExprKind, Exprs};

use super::Parsed;

/// A formula as fully bracketed prefix text.
fn tree(text: &str) -> String {
    let (id, exprs, diagnostics) = read(text);
    assert_eq!(told(text, &diagnostics), Vec::<String>::new(), "{text}");
    written(&exprs, id)
}

fn read(text: &str) -> (ExprId, Exprs, Diagnostics) {
    let mut sources = Sources::new();
    let file = sources.add("formula", text.to_string());
    let mut exprs = Exprs::new();
    let (id, diagnostics) = super::formula(file, text, &mut exprs);
    (id, exprs, diagnostics)
}

/// Whether a formula is refused.
fn refused(text: &str) -> bool {
    read(text).2.has_errors()
}

fn component(text: &str) -> Parsed {
    let mut sources = Sources::new();
    let file = sources.add("test.mch", text.to_string());
    super::component(file, text)
}

/// Diagnostics as `line:column id message; help`.
fn told(text: &str, diagnostics: &Diagnostics) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("test.mch", text.to_string());
    diagnostics
        .iter()
        .map(|d| {
            let place = d
                .primary
                .as_ref()
                .map(|label| sources.position(file, label.span.start))
                .map_or(String::new(), |at| format!("{}:{} ", at.line, at.column));
            let help = d
                .help
                .as_ref()
                .map_or(String::new(), |help| format!("; {help}"));
            format!("{place}{} {}{help}", d.code.id, d.message)
        })
        .collect()
}

/// What is said about a component.
fn errors(text: &str) -> Vec<String> {
    told(text, &component(text).diagnostics)
}

fn written(exprs: &Exprs, id: ExprId) -> String {
    let list = |ids: &[ExprId]| {
        ids.iter()
            .map(|id| written(exprs, *id))
            .collect::<Vec<_>>()
            .join(" ")
    };
    match exprs.kind(id) {
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Before(name) => format!("{name}$0"),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Real(text) => text.to_string(),
        ExprKind::Str(text) => format!("{:?}", text.as_str()),
        ExprKind::Op(op, args) if args.is_empty() => op.ascii().to_string(),
        ExprKind::Op(op, args) => format!("({op:?} {})", list(args)),
        ExprKind::Apply(function, args) => {
            format!("({} @ {})", written(exprs, *function), list(args))
        }
        ExprKind::Bind {
            binder,
            names,
            predicate,
            value,
            symbolic,
        } => {
            let names: Vec<&str> = names.iter().map(|n| n.name.as_str()).collect();
            let value = value.map_or(String::new(), |v| format!(" | {}", written(exprs, v)));
            let symbolic = if *symbolic { "symbolic " } else { "" };
            let predicate = written(exprs, *predicate);
            format!(
                "({symbolic}{binder:?} {} . {predicate}{value})",
                names.join(",")
            )
        }
        ExprKind::Field(inner, field) => format!("({}'{field})", written(exprs, *inner)),
        ExprKind::Record(fields) | ExprKind::Struct(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|f| format!("{}:{}", f.name, written(exprs, f.value)))
                .collect();
            format!("(record {})", fields.join(" "))
        }
        ExprKind::If {
            branches,
            otherwise,
        } => {
            let branches: Vec<String> = branches
                .iter()
                .map(|(c, r)| format!("{} -> {}", written(exprs, *c), written(exprs, *r)))
                .collect();
            format!(
                "(if {} else {})",
                branches.join(" "),
                written(exprs, *otherwise)
            )
        }
        ExprKind::Labelled(label, inner) => format!("(label {label} {})", written(exprs, *inner)),
        ExprKind::Described(inner, text) => format!("(desc {} {text})", written(exprs, *inner)),
        ExprKind::After {
            targets,
            values,
            predicate,
        } => format!(
            "(after {} := {} {})",
            list(targets),
            list(values),
            written(exprs, *predicate)
        ),
        other => format!("{other:?}"),
    }
}
