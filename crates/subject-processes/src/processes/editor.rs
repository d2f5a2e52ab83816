//! What editors ask of Promela: macros and inlines, variables, processes, types, labels and formulas.
//!
//! A name that a macro made has the span of its use.

use base::{Name, Span};
use lang_promela::check::{Checked, Meaning};
use lang_promela::lex::Word;
use lang_promela::syntax::{Process, Program, Type, Unit, VarId};
use subject::editor::{Definition, DefinitionKind, Lexicon, Names, Operator};

/// The words of Promela.
pub(crate) fn lexicon() -> Lexicon {
    let operators = OPERATORS.iter().map(|text| Operator {
        ascii: text,
        unicode: text,
    });
    Lexicon {
        keywords: Word::ALL.iter().map(|word| word.text()).collect(),
        operators: operators.collect(),
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        blocks: &[("if", "fi"), ("do", "od"), ("{", "}")],
        ..Lexicon::default()
    }
}

const OPERATORS: &[&str] = &[
    "->", "::", "!!", "??", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "[]", "<>",
];

/// What a program declares and uses.
pub(crate) fn names(checked: &Checked) -> Names {
    let program = &checked.program;
    let mut names = Names::default();
    let mut of_var: Vec<Option<usize>> = vec![None; program.vars.len()];
    for (at, unit) in program.units.iter().enumerate() {
        match unit {
            Unit::Mtype(list) => {
                for name in &list.names {
                    let ty = Some("mtype".to_owned());
                    names.definitions.push(plain(
                        (name.name, name.span),
                        DefinitionKind::Element,
                        ty,
                    ));
                }
            }
            Unit::Typedef(typedef) => {
                let mut own = plain(
                    (typedef.name.name, typedef.name.span),
                    DefinitionKind::Set,
                    None,
                );
                own.whole = typedef.span;
                names.definitions.push(own);
                for var in typedef.fields.iter().flat_map(|field| &field.vars) {
                    let own = variable(program, *var, DefinitionKind::Field, Some(typedef.span));
                    of_var[var.index()] = Some(names.definitions.len());
                    names.definitions.push(own);
                }
            }
            Unit::Variables(declaration) => {
                for var in &declaration.vars {
                    let own = variable(program, *var, DefinitionKind::Variable, None);
                    of_var[var.index()] = Some(names.definitions.len());
                    names.definitions.push(own);
                }
            }
            Unit::Process(process) => {
                declared_by(checked, (at, process), &mut names, &mut of_var);
            }
            Unit::Ltl(formula) => {
                if let Some(name) = formula.name {
                    let mut own = plain((name.name, name.span), DefinitionKind::Linear, None);
                    own.whole = formula.whole;
                    names.definitions.push(own);
                }
            }
            Unit::Never(_) | Unit::Trace(_) => {}
        }
    }
    names.definitions.extend(replaced(checked));
    for (expr, meaning) in &checked.facts.meanings {
        if let Meaning::Variable(var) = meaning
            && let Some(definition) = of_var[var.index()]
        {
            names.uses.push((program.exprs[*expr].span, definition));
        }
    }
    names.uses.sort_unstable();
    names
}

/// A proctype with its parameters, locals and labels.
fn declared_by(
    checked: &Checked,
    (at, process): (usize, &Process),
    names: &mut Names,
    of_var: &mut [Option<usize>],
) {
    let mut own = plain(
        (process.name.name, process.name.span),
        DefinitionKind::Event,
        None,
    );
    own.whole = extent(process);
    let scope = own.whole;
    names.definitions.push(own);
    let parameters = process.parameters.iter();
    let parameters: Vec<VarId> = parameters.flat_map(|one| one.vars.clone()).collect();
    for var in checked.facts.locals.get(&at).into_iter().flatten() {
        let kind = match parameters.contains(var) {
            true => DefinitionKind::Parameter,
            false => DefinitionKind::Local,
        };
        of_var[var.index()] = Some(names.definitions.len());
        let own = variable(&checked.program, *var, kind, Some(scope));
        names.definitions.push(own);
    }
    for label in checked.facts.labels.get(&at).into_iter().flatten() {
        let mut own = plain((label.name, label.span), DefinitionKind::Local, None);
        own.scope = Some(scope);
        names.definitions.push(own);
    }
}

/// What stands for other text: macros, and inlines with their parameters.
fn replaced(checked: &Checked) -> Vec<Definition> {
    let macros = checked.macros.written().into_iter();
    let mut found: Vec<Definition> = macros
        .map(|(name, span, whole)| Definition {
            whole,
            ..plain((name, span), DefinitionKind::Macro, None)
        })
        .collect();
    for inline in &checked.program.inlines {
        found.push(Definition {
            whole: inline.span,
            ..plain(
                (inline.name.name, inline.name.span),
                DefinitionKind::Macro,
                None,
            )
        });
        found.extend(inline.parameters.iter().map(|parameter| Definition {
            scope: Some(inline.span),
            ..plain(
                (parameter.name, parameter.span),
                DefinitionKind::Parameter,
                None,
            )
        }));
    }
    found
}

fn plain(
    (name, span): (Name, Span),
    kind: DefinitionKind,
    type_text: Option<String>,
) -> Definition {
    Definition {
        name,
        kind,
        span,
        whole: span,
        scope: None,
        type_text,
        is_typed: true,
    }
}

fn variable(
    program: &Program,
    var: VarId,
    kind: DefinitionKind,
    scope: Option<Span>,
) -> Definition {
    let variable = &program.vars[var];
    let mut text = match variable.ty {
        Type::Bit => "bit".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Byte => "byte".to_owned(),
        Type::Pid => "pid".to_owned(),
        Type::Short => "short".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Unsigned => "unsigned".to_owned(),
        Type::Mtype(_) => "mtype".to_owned(),
        Type::Chan => "chan".to_owned(),
        Type::Named(name) => name.name.to_string(),
    };
    if variable.size.is_some() {
        text.push_str("[]");
    }
    Definition {
        scope,
        ..plain((variable.name.name, variable.name.span), kind, Some(text))
    }
}

/// From the name of a process to its closing brace.
fn extent(process: &Process) -> Span {
    process.name.span.to(process.end)
}
