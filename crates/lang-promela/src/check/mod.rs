//! Names and kinds: what every reference means, and the rules of SPIN that a program must follow.
//!
//! One walk in the order of the text, since SPIN knows a name from its declaration on. `scope` keeps the names, `globals`
//! looks at what stands outside of processes, `statements` and `expressions`, `references` and `remote` at what
//! stands inside, `labels` at jumps,
//! `structure` at where statements may stand, `constants` computes what must be known now.
//! Invariant: every finding is reported once; what follows from a name that is unknown already is not.
//! Invariant: when nothing is reported, every variable, goto and constant has an entry in [`Facts`].

mod constants;
mod entry;
mod exclusive;
mod expressions;
mod globals;
mod labels;
mod references;
mod remote;
mod scope;
mod statements;
mod structure;

use base::{Diagnostic, Diagnostics, FileId, Name, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::files::Files;
use crate::parse::{self, Parsed};
use crate::preprocess::{self, Macros};
use crate::syntax::{ExprId, Program, StmtId, Type, VarId};

pub use scope::{Owner, Predefined};

/// A program with the meaning of its names.
#[derive(Debug)]
pub struct Checked {
    /// The tree.
    pub program: Program,
    /// What its names mean.
    pub facts: Facts,
    /// What is wrong, from the preprocessor on.
    pub diagnostics: Diagnostics,
    /// The macros at the end of the text.
    pub macros: Macros,
}

/// What names mean and constants are worth.
#[derive(Debug, Default)]
pub struct Facts {
    /// What the first name of each reference means; remote variables are here too.
    pub meanings: FxHashMap<ExprId, Meaning>,
    /// Where each variable belongs, by number.
    pub owners: Vec<Owner>,
    /// The number of elements of each array.
    pub sizes: FxHashMap<VarId, u32>,
    /// The values of expressions that must be constant.
    pub constants: FxHashMap<ExprId, i32>,
    /// Structures with their fields in order.
    pub structures: FxHashMap<Name, Vec<VarId>>,
    /// The numbers of symbolic names, with the subset of each.
    pub symbols: FxHashMap<Name, Symbol>,
    /// The variables of each unit with a body: parameters first, then in the order of the text.
    pub locals: FxHashMap<usize, Vec<VarId>>,
    /// The labels of each unit with a body, in the order of the text.
    pub labels: FxHashMap<usize, Vec<Label>>,
    /// Where each goto leads: a labelled statement.
    pub targets: FxHashMap<StmtId, StmtId>,
    /// The units that are processes, by name.
    pub processes: FxHashMap<Name, usize>,
    /// Whether `_last`, priorities or `np_` are mentioned.
    pub mentions: Mentions,
}

/// What a program mentions that changes what a state is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mentions {
    /// `_last`.
    pub last: bool,
    /// `priority`, `set_priority`, `get_priority` or `_priority`.
    pub priority: bool,
    /// `provided`.
    pub provided: bool,
}

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A declared variable.
    Variable(VarId),
    /// A variable that every program has.
    Predefined(Predefined),
}

/// A symbolic name.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Its number.
    pub value: i32,
    /// The subset it belongs to.
    pub subset: Option<Name>,
}

/// A label.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Its name.
    pub name: Name,
    /// The labelled statement.
    pub statement: StmtId,
    /// Its place.
    pub span: Span,
}

/// Resolves the names of a program and looks at its rules.
pub fn run(parsed: Parsed) -> Checked {
    let Parsed {
        program,
        diagnostics,
        names_lost,
        end,
        macros,
    } = parsed;
    let mut checker = Checker::new(&program, diagnostics, names_lost);
    checker.facts.owners = vec![Owner::Global; program.vars.len()];
    checker.units(end);
    let Checker {
        facts,
        mut diagnostics,
        ..
    } = checker;
    diagnostics.sort();
    Checked {
        program,
        facts,
        diagnostics,
        macros,
    }
}

/// Reads a formula with the names and macros of a checked program, and adds it to the tree.
pub fn ask(
    checked: &mut Checked,
    file: FileId,
    files: &dyn Files,
    sources: &mut Sources,
) -> Result<ExprId, Diagnostics> {
    let options = preprocess::Options::default();
    let text = preprocess::text_with(file, (&options, checked.macros.clone()), files, sources);
    let program = std::mem::take(&mut checked.program);
    let (program, id, mut diagnostics) = parse::formula(text, program);
    checked.program = program;
    if !diagnostics.has_errors() {
        diagnostics.extend(formula(checked, id));
    }
    match diagnostics.has_errors() {
        true => Err(diagnostics),
        false => Ok(id),
    }
}

/// Resolves the names of a formula that was added to a checked program: global ones only.
fn formula(checked: &mut Checked, formula: ExprId) -> Diagnostics {
    let program = std::mem::take(&mut checked.program);
    let mut checker = Checker::new(&program, Diagnostics::new(), false);
    checker.facts = std::mem::take(&mut checked.facts);
    checker.relearn();
    checker.temporal(formula);
    let Checker {
        facts, diagnostics, ..
    } = checker;
    checked.facts = facts;
    checked.program = program;
    diagnostics
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    /// The unit whose body is read.
    unit: usize,
    /// What kind of body it is.
    body: Body,
    /// The d_step around the statement.
    d_step: Option<StmtId>,
    /// Loops around it.
    loops: usize,
    /// Whether it may still be part of the creation of the process.
    at_start: bool,
}

/// What kind of body is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Body {
    #[default]
    Process,
    Claim,
    Trace,
}

struct Checker<'p> {
    program: &'p Program,
    facts: Facts,
    diagnostics: Diagnostics,
    scopes: scope::Scopes,
    context: Context,
    jumps: labels::Jumps,
    /// The most fields that a channel of the program has.
    most_fields: usize,
    /// Where messages are sent, and how many fields they have.
    sends: Vec<(Span, usize)>,
    /// What `xr` and `xs` promise, and which channels are used.
    promises: Vec<exclusive::Use>,
    uses: Vec<exclusive::Use>,
    /// Whether an `xr` or `xs` was read.
    has_exclusive: bool,
    /// Unknown names that were reported.
    unknown: FxHashSet<Name>,
    names_lost: bool,
}

impl<'p> Checker<'p> {
    fn new(program: &'p Program, diagnostics: Diagnostics, names_lost: bool) -> Checker<'p> {
        Checker {
            program,
            facts: Facts::default(),
            diagnostics,
            scopes: scope::Scopes::default(),
            context: Context::default(),
            jumps: labels::Jumps::default(),
            most_fields: 0,
            sends: Vec::new(),
            promises: Vec::new(),
            uses: Vec::new(),
            has_exclusive: false,
            unknown: FxHashSet::default(),
            names_lost,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// How many fields a value of this type has in a message.
    fn width(&self, ty: Type) -> usize {
        base::deep::recurse(|| match ty {
            Type::Named(name) => match self.facts.structures.get(&name.name) {
                Some(fields) => fields
                    .iter()
                    .map(|field| self.width(self.program.vars[*field].ty) * self.elements(*field))
                    .sum(),
                None => 1,
            },
            _ => 1,
        })
    }

    /// How many elements a variable has.
    fn elements(&self, var: VarId) -> usize {
        self.facts.sizes.get(&var).map_or(1, |size| *size as usize)
    }
}
