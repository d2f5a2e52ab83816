//! Which schemas are the state, the initialisation and the operations.
//!
//! A specification does not say; these are the rules of `docs/z.md`: `Init` includes the state, and an operation has
//! state variables both plain and primed and is not a part of another schema.

use base::{Diagnostic, Diagnostics, Name};
use lang_math::TypeId;
use lang_z::tree::{Connective, Decl, ParagraphKind, TermId, TermKind, Text};
use lang_z::{Checked, GlobalId, GlobalKind, Meaning, codes};
use rustc_hash::FxHashSet;

use super::Options;

/// What is wrong; boxed, because most answers are right.
type Problem = Box<Diagnostic>;

/// The machine that a specification describes.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The schema of the state.
    pub state: GlobalId,
    /// The initialisation.
    pub init: GlobalId,
    /// Whether the initialisation speaks of the primed state.
    pub primed: bool,
    /// Whether the initialisation was guessed by its name.
    pub guessed: bool,
    /// The variables, in the order of their declaration.
    pub variables: Vec<Name>,
    /// The operations, in the order of the text.
    pub operations: Vec<Operation>,
    /// The schema `Invariant`.
    pub invariant: Option<GlobalId>,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its schema.
    pub schema: GlobalId,
    /// Its name.
    pub name: Name,
    /// Its inputs.
    pub inputs: Vec<Name>,
    /// Its outputs.
    pub outputs: Vec<Name>,
}

impl Machine {
    /// The variables with their types.
    pub fn scope(&self, checked: &Checked) -> Vec<(Name, TypeId)> {
        let ty = checked.globals[self.state].ty;
        ty.and_then(|ty| checked.components(ty)).unwrap_or_default()
    }
}

/// A schema that could be part of the machine.
fn body(checked: &Checked, id: GlobalId) -> Option<TermId> {
    let global = &checked.globals[id];
    if global.toolkit || !global.parameters.is_empty() {
        return None;
    }
    match global.kind {
        GlobalKind::Schema(term) => Some(term),
        GlobalKind::Abbreviation(term) if checked.dialect.is_iso() => {
            checked.components(global.ty?)?;
            Some(term)
        }
        _ => None,
    }
}

fn schemas(checked: &Checked) -> Vec<(GlobalId, TermId)> {
    let all = checked.globals.iter();
    all.filter_map(|(id, _)| Some((id, body(checked, id)?)))
        .collect()
}

fn names(checked: &Checked, ids: &[GlobalId]) -> String {
    let names: Vec<&str> = ids
        .iter()
        .map(|id| checked.globals[*id].name.as_str())
        .collect();
    names.join(", ")
}

/// Finds the machine; warnings say what was guessed.
pub fn find(checked: &Checked, options: &Options) -> Result<(Machine, Vec<String>), Diagnostics> {
    let mut warnings = Vec::new();
    let result = (|| {
        let (init, guessed) = initialisation(checked, options, &mut warnings)?;
        let (state, primed) = state(checked, options, init)?;
        let Some(variables) = body(checked, state).map(|term| ordered(checked, term)) else {
            let message = format!("`{}` cannot be the state", checked.globals[state].name);
            return Err(Diagnostic::global(&codes::NO_STATE, message).into());
        };
        let invariant = checked
            .global(Name::new("Invariant"))
            .filter(|id| body(checked, *id).is_some());
        let operations = operations(checked, options, &variables, &[init, state])?;
        Ok(Machine {
            state,
            init,
            primed,
            guessed,
            variables,
            operations,
            invariant,
        })
    })();
    result
        .map(|machine| (machine, warnings))
        .map_err(|problem: Problem| {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(*problem);
            diagnostics
        })
}

fn asked(checked: &Checked, name: Name, option: &str) -> Result<GlobalId, Problem> {
    let found = checked
        .global(name)
        .filter(|id| body(checked, *id).is_some());
    found.ok_or_else(|| {
        let all: Vec<GlobalId> = schemas(checked).into_iter().map(|(id, _)| id).collect();
        let message = format!("`{option} {name}`: there is no such schema");
        Diagnostic::global(&codes::NO_OPERATION, message)
            .help(format!("the schemas are {}", names(checked, &all)))
            .into()
    })
}

fn initialisation(
    checked: &Checked,
    options: &Options,
    warnings: &mut Vec<String>,
) -> Result<(GlobalId, bool), Problem> {
    if let Some(name) = options.init {
        return Ok((asked(checked, name, "--init")?, false));
    }
    if let Some(init) = checked.global(Name::new("Init"))
        && body(checked, init).is_some()
    {
        return Ok((init, false));
    }
    let all = by_dependency(checked);
    let candidates: Vec<GlobalId> = all
        .iter()
        .copied()
        .filter(|id| {
            let name = checked.globals[*id].name.as_str().to_lowercase();
            name.contains("init")
        })
        .collect();
    match candidates.as_slice() {
        [] => {
            let message = "there is no schema `Init`, nor one whose name contains \"init\"";
            let mut problem = Diagnostic::global(&codes::NO_INIT, message);
            if !all.is_empty() {
                problem = problem.help(format!("name it with `--init`: {}", names(checked, &all)));
            }
            Err(problem.into())
        }
        [first, ..] => {
            let name = checked.globals[*first].name;
            warnings.push(match candidates.len() {
                1 => format!("there is no schema `Init`; `{name}` is taken for the initialisation"),
                _ => format!(
                    "there is no schema `Init`; of {} the first is taken for the initialisation",
                    names(checked, &candidates)
                ),
            });
            Ok((*first, true))
        }
    }
}

/// Schemas in the order of the text, but those that are used before those that use them.
fn by_dependency(checked: &Checked) -> Vec<GlobalId> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    for (id, _) in schemas(checked) {
        visit(checked, id, &mut seen, &mut order);
    }
    order
}

fn visit(
    checked: &Checked,
    id: GlobalId,
    seen: &mut FxHashSet<GlobalId>,
    order: &mut Vec<GlobalId>,
) {
    let Some(term) = body(checked, id) else {
        return;
    };
    if !seen.insert(id) {
        return;
    }
    let mut used = Vec::new();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        used.extend(schema_of(checked, term).map(|(id, _)| id));
        let mut children = Vec::new();
        checked.tree.terms[term]
            .kind
            .for_each_child(|child| children.push(child));
        pending.extend(children.into_iter().rev());
    }
    for id in used {
        base::deep::recurse(|| visit(checked, id, seen, order));
    }
    order.push(id);
}

/// The global schema that a name refers to, and its strokes.
fn schema_of(checked: &Checked, term: TermId) -> Option<(GlobalId, Name)> {
    let plain = Name::new("");
    match checked.meanings.get(&term)? {
        Meaning::Global(id, _) | Meaning::Delta(id, _) | Meaning::Xi(id, _) => Some((*id, plain)),
        Meaning::Decorated(id, _, strokes) => Some((*id, *strokes)),
        Meaning::Local => None,
    }
}

fn state(
    checked: &Checked,
    options: &Options,
    init: GlobalId,
) -> Result<(GlobalId, bool), Problem> {
    let mut included: Vec<(GlobalId, bool)> = Vec::new();
    if let Some(term) = body(checked, init) {
        inclusions(checked, term, &mut included);
    }
    let init_name = checked.globals[init].name;
    let span = checked.globals[init].span;
    if let Some(name) = options.state {
        let state = asked(checked, name, "--state")?;
        let primed = match included.iter().find(|(id, _)| *id == state) {
            Some((_, primed)) => *primed,
            None => is_primed(checked, init, state),
        };
        return Ok((state, primed));
    }
    match included.as_slice() {
        [one] => Ok(*one),
        [] => {
            let message = format!("`{init_name}` includes no schema, so the state is not clear");
            let all: Vec<GlobalId> = schemas(checked).into_iter().map(|(id, _)| id).collect();
            Err(Diagnostic::error(&codes::NO_STATE, span, message)
                .help(format!("name it with `--state`: {}", names(checked, &all)))
                .into())
        }
        several => {
            let ids: Vec<GlobalId> = several.iter().map(|(id, _)| *id).collect();
            let message =
                format!("`{init_name}` includes several schemas, so the state is not clear");
            Err(Diagnostic::error(&codes::NO_STATE, span, message)
                .help(format!("name it with `--state`: {}", names(checked, &ids)))
                .into())
        }
    }
}

/// Whether a schema has the primed components of another, not the plain ones.
fn is_primed(checked: &Checked, init: GlobalId, state: GlobalId) -> bool {
    let components = |id: GlobalId| {
        let ty = checked.globals[id].ty;
        ty.and_then(|ty| checked.components(ty)).unwrap_or_default()
    };
    let (init, state) = (components(init), components(state));
    let has = |name: Name| init.iter().any(|(known, _)| *known == name);
    state
        .iter()
        .any(|(name, _)| has(Name::new(&format!("{name}'"))) && !has(*name))
}

/// The schemas that a schema includes, plain or primed.
fn inclusions(checked: &Checked, term: TermId, out: &mut Vec<(GlobalId, bool)>) {
    let mut add = |term: TermId, more: &str| {
        if let Some((id, strokes)) = schema_of(checked, term) {
            let primed = format!("{strokes}{more}") == "'";
            let is_schema = matches!(
                checked.globals[id].kind,
                GlobalKind::Schema(_) | GlobalKind::Abbreviation(_)
            );
            if is_schema && !out.iter().any(|(known, _)| *known == id) {
                out.push((id, primed));
            }
        }
    };
    match &checked.tree.terms[term].kind {
        TermKind::Ref(..) => add(term, ""),
        TermKind::Decorate(inner, stroke) => add(*inner, stroke.as_str()),
        TermKind::Schema(text) => {
            for decl in &text.decls {
                if let Decl::Include(schema) = decl {
                    base::deep::recurse(|| inclusions(checked, *schema, out));
                }
            }
        }
        TermKind::Connect(Connective::And, left, right) => {
            base::deep::recurse(|| {
                inclusions(checked, *left, out);
                inclusions(checked, *right, out);
            });
        }
        _ => {}
    }
}

/// The components of a schema in the order of their declaration.
fn ordered(checked: &Checked, term: TermId) -> Vec<Name> {
    let mut out = Vec::new();
    in_order(checked, term, "", &mut out);
    let known = checked.ty(term).and_then(|ty| checked.components(ty));
    let known: Vec<Name> = known
        .unwrap_or_default()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    out.retain(|name| known.contains(name));
    for name in known {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

fn in_order(checked: &Checked, term: TermId, strokes: &str, out: &mut Vec<Name>) {
    match &checked.tree.terms[term].kind {
        TermKind::Schema(Text { decls, .. }) => {
            for decl in decls {
                match decl {
                    Decl::Vars(names, _) => {
                        names
                            .iter()
                            .for_each(|name| add_name(name.name, strokes, out));
                    }
                    Decl::Define(name, _) => add_name(name.name, strokes, out),
                    Decl::Include(schema) => {
                        base::deep::recurse(|| in_order(checked, *schema, strokes, out));
                    }
                }
            }
        }
        TermKind::Ref(..) => {
            if let Some((id, own)) = schema_of(checked, term)
                && let Some(body) = body(checked, id)
            {
                let strokes = format!("{own}{strokes}");
                base::deep::recurse(|| in_order(checked, body, &strokes, out));
            }
        }
        TermKind::Connect(_, left, right) => base::deep::recurse(|| {
            in_order(checked, *left, strokes, out);
            in_order(checked, *right, strokes, out);
        }),
        _ => {}
    }
}

fn add_name(name: Name, strokes: &str, out: &mut Vec<Name>) {
    let name = Name::new(&format!("{name}{strokes}"));
    if !out.contains(&name) {
        out.push(name);
    }
}

fn operations(
    checked: &Checked,
    options: &Options,
    variables: &[Name],
    others: &[GlobalId],
) -> Result<Vec<Operation>, Problem> {
    if !options.operations.is_empty() {
        let mut found = Vec::new();
        for name in &options.operations {
            let id = asked(checked, *name, "--operation")?;
            found.push(operation(checked, id, variables).ok_or_else(|| {
                let message = format!(
                    "`{name}` has no state variable both plain and primed, or one in only one form"
                );
                Diagnostic::error(&codes::NO_OPERATION, checked.globals[id].span, message)
            })?);
        }
        return Ok(found);
    }
    let used = used_in_schemas(checked);
    let mut found = Vec::new();
    for (id, _) in schemas(checked) {
        let name = checked.globals[id].name;
        if others.contains(&id)
            || used.contains(&id)
            || matches!(name.as_str(), "Invariant" | "Scope")
        {
            continue;
        }
        found.extend(operation(checked, id, variables));
    }
    Ok(found)
}

fn operation(checked: &Checked, id: GlobalId, variables: &[Name]) -> Option<Operation> {
    let components = checked.components(checked.globals[id].ty?)?;
    let has = |name: Name| components.iter().any(|(known, _)| *known == name);
    let mut both = false;
    for name in variables {
        let (before, after) = (has(*name), has(Name::new(&format!("{name}'"))));
        if before != after {
            return None;
        }
        both |= before;
    }
    if !both {
        return None;
    }
    let order = body(checked, id).map(|term| ordered(checked, term))?;
    let ending = |stroke: char| {
        let names = order.iter().filter(|name| name.as_str().ends_with(stroke));
        names.copied().collect()
    };
    Some(Operation {
        schema: id,
        name: checked.globals[id].name,
        inputs: ending('?'),
        outputs: ending('!'),
    })
}

/// Schemas that other schemas use, but for their predicates.
fn used_in_schemas(checked: &Checked) -> FxHashSet<GlobalId> {
    let mut used = FxHashSet::default();
    for paragraph in &checked.tree.paragraphs[checked.toolkit..] {
        let term = match &paragraph.kind {
            ParagraphKind::Schema { body, .. } => *body,
            ParagraphKind::Abbreviation(_, _, body) if checked.dialect.is_iso() => *body,
            _ => continue,
        };
        mark(checked, term, &mut used);
    }
    used
}

fn mark(checked: &Checked, term: TermId, used: &mut FxHashSet<GlobalId>) {
    base::deep::recurse(|| match &checked.tree.terms[term].kind {
        TermKind::Schema(text) => mark_text(checked, text, used),
        TermKind::Quantify(_, text, body) => {
            mark_text(checked, text, used);
            mark(checked, *body, used);
        }
        kind => {
            used.extend(schema_of(checked, term).map(|(id, _)| id));
            kind.for_each_child(|child| mark(checked, child, used));
        }
    });
}

fn mark_text(checked: &Checked, text: &Text, used: &mut FxHashSet<GlobalId>) {
    for decl in &text.decls {
        match decl {
            Decl::Vars(_, term) | Decl::Include(term) | Decl::Define(_, term) => {
                mark(checked, *term, used);
            }
        }
    }
}
