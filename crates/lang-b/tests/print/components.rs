//! Random components: every clause and every substitution that a text can have.

use base::{Name, Random};
use lang_b::syntax::{
    Clause, ClauseBody, Component, ComponentKind, Constructor, Declared, Definition,
    DefinitionFileRef, FilePragma, FilePragmaKind, FreeType, Link, MachineRef, Macro, MacroBody,
    Operation, SetDecl, SetKind, SubstId, SubstKind, Tree, Value, Visibility,
};
use lang_math::{Binding, ExprId};

use crate::formulas::{Formulas, nowhere};

/// How high the formulas of a component grow.
const FORMULA: usize = 2;

/// Makes components.
pub(crate) struct Components<'a> {
    pub(crate) random: &'a mut Random,
    pub(crate) tree: Tree,
}

/// A component with about half of all clauses.
pub(crate) fn component(random: &mut Random) -> Component {
    let mut components = Components {
        random,
        tree: Tree::default(),
    };
    components.component()
}

impl Components<'_> {
    fn formulas(&mut self) -> Formulas<'_> {
        Formulas::new(self.random, &mut self.tree.exprs)
    }

    fn expression(&mut self) -> ExprId {
        self.formulas().expression(FORMULA)
    }

    fn predicate(&mut self) -> ExprId {
        self.formulas().predicate(FORMULA)
    }

    fn name(&mut self) -> Name {
        self.formulas().name()
    }

    fn reference_binding(&mut self) -> Binding {
        Binding {
            name: self.formulas().reference(),
            span: nowhere(),
        }
    }

    fn names(&mut self) -> Vec<Binding> {
        self.formulas().names()
    }

    fn expressions(&mut self) -> Vec<ExprId> {
        self.formulas().expressions(FORMULA)
    }

    fn description(&mut self) -> Option<Name> {
        let described = self.random.below(4) == 0;
        described.then(|| self.formulas().description())
    }

    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| make(self)).collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.random.flip().then(|| make(self))
    }

    fn component(&mut self) -> Component {
        let kind = self.random.pick(&[
            ComponentKind::Machine,
            ComponentKind::Model,
            ComponentKind::System,
            ComponentKind::Refinement,
            ComponentKind::Implementation,
            ComponentKind::DefinitionFile,
        ]);
        let clauses = if kind == ComponentKind::DefinitionFile {
            vec![self.definitions()]
        } else {
            self.clauses()
        };
        let pragmas = [
            FilePragmaKind::Package(Name::new("a.b")),
            FilePragmaKind::ImportPackage(Name::new("c.d")),
            FilePragmaKind::Generated,
        ];
        let is_file = kind == ComponentKind::DefinitionFile;
        Component {
            kind,
            name: if is_file {
                Name::new("")
            } else {
                Name::new("M")
            },
            name_span: nowhere(),
            parameters: if is_file || self.random.flip() {
                Vec::new()
            } else {
                self.names()
            },
            clauses: clauses
                .into_iter()
                .map(|body| Clause {
                    body,
                    keyword: nowhere(),
                })
                .collect(),
            pragmas: pragmas
                .into_iter()
                .filter(|_| !is_file && self.random.below(3) == 0)
                .map(|kind| FilePragma {
                    kind,
                    span: nowhere(),
                })
                .collect(),
            tree: std::mem::take(&mut self.tree),
            span: nowhere(),
        }
    }

    fn clauses(&mut self) -> Vec<ClauseBody> {
        let mut clauses = Vec::new();
        let count = 20;
        for which in 0..count {
            if self.random.flip() {
                continue;
            }
            clauses.push(match which {
                0 => ClauseBody::Refines(MachineRef {
                    instance: None,
                    machine: Name::new("Abstract"),
                    arguments: Vec::new(),
                    file: None,
                    span: nowhere(),
                }),
                1 => ClauseBody::References(
                    self.random.pick(&[Link::Sees, Link::Uses]),
                    self.some(2, |c| c.reference(false)),
                ),
                2 => ClauseBody::References(
                    self.random.pick(&[Link::Includes, Link::Extends]),
                    self.some(2, |c| c.reference(true)),
                ),
                3 => ClauseBody::References(Link::Imports, self.some(2, |c| c.reference(true))),
                4 => ClauseBody::Promotes(self.some(3, Self::reference_binding)),
                5 => ClauseBody::Constraints(self.predicate()),
                6 => ClauseBody::Sets(self.some(3, Self::set)),
                7 => ClauseBody::FreeTypes(self.some(2, Self::free_type)),
                8 => ClauseBody::Constants(Visibility::Concrete, self.some(3, Self::declared)),
                9 => ClauseBody::Constants(Visibility::Abstract, self.some(3, Self::declared)),
                10 => ClauseBody::Properties(self.predicate()),
                11 => ClauseBody::Values(self.some(2, |c| Value {
                    name: c.reference_binding(),
                    value: c.expression(),
                })),
                12 => ClauseBody::Variables(Visibility::Concrete, self.some(3, Self::declared)),
                13 => ClauseBody::Variables(Visibility::Abstract, self.some(3, Self::declared)),
                14 => ClauseBody::Invariant(self.predicate()),
                15 => ClauseBody::Assertions(self.some(2, Self::predicate)),
                16 => ClauseBody::Initialisation(self.sequence(2)),
                17 => {
                    let operations = self.some(3, Self::operation);
                    if self.random.below(4) == 0 {
                        ClauseBody::LocalOperations(operations)
                    } else {
                        ClauseBody::Operations(operations)
                    }
                }
                18 => ClauseBody::Variant(self.expression()),
                _ => self.definitions(),
            });
        }
        clauses
    }

    fn reference(&mut self, with_arguments: bool) -> MachineRef {
        MachineRef {
            instance: self.maybe(|_| Name::new("inst")),
            machine: Name::new("Other"),
            arguments: if with_arguments && self.random.flip() {
                self.expressions()
            } else {
                Vec::new()
            },
            file: self.maybe(|_| Name::new("folder/Other.mch")),
            span: nowhere(),
        }
    }

    fn declared(&mut self) -> Declared {
        Declared {
            name: self.name(),
            span: nowhere(),
            description: self.description(),
        }
    }

    fn set(&mut self) -> SetDecl {
        SetDecl {
            name: self.name(),
            span: nowhere(),
            kind: match self.random.below(3) {
                0 => SetKind::Deferred,
                1 => SetKind::Enumerated(self.names()),
                _ => SetKind::FromDefinition(Binding {
                    name: self.name(),
                    span: nowhere(),
                }),
            },
            description: self.description(),
        }
    }

    fn free_type(&mut self) -> FreeType {
        FreeType {
            name: self.name(),
            span: nowhere(),
            parameters: self.maybe(Self::names).unwrap_or_default(),
            constructors: self.some(3, |c| Constructor {
                name: c.name(),
                span: nowhere(),
                argument: c.maybe(Self::expression),
            }),
        }
    }

    fn operation(&mut self) -> Operation {
        Operation {
            name: self.formulas().reference(),
            span: nowhere(),
            results: self.maybe(Self::names).unwrap_or_default(),
            parameters: self.maybe(Self::names).unwrap_or_default(),
            refines: (self.random.below(4) == 0).then(|| self.reference_binding()),
            body: self.parallel(3),
            description: self.description(),
        }
    }

    fn definitions(&mut self) -> ClauseBody {
        ClauseBody::Definitions(self.some(4, |c| match c.random.below(6) {
            0 => Definition::File(DefinitionFileRef {
                path: Name::new("Library.def"),
                library: c.random.flip(),
                span: nowhere(),
            }),
            1 => c.macro_(|c| MacroBody::Names(vec![c.names()[0], c.names()[0]])),
            2 => c.macro_(|c| {
                loop {
                    let id = c.parallel(2);
                    if !c.reads_as_formula(id) {
                        return MacroBody::Substitution(id);
                    }
                }
            }),
            3 | 4 => c.macro_(|c| MacroBody::Formula(c.predicate())),
            _ => c.macro_(|c| MacroBody::Formula(c.expression())),
        }))
    }

    /// Whether a definition of this substitution would be taken for one of a formula.
    fn reads_as_formula(&self, id: SubstId) -> bool {
        match &self.tree.substs[id].kind {
            SubstKind::Call { results, .. } => results.is_empty(),
            SubstKind::BecomesSuch { .. } => true,
            SubstKind::If {
                branches,
                otherwise: Some(otherwise),
            } => branches
                .iter()
                .map(|(_, body)| *body)
                .chain([*otherwise])
                .all(|body| self.reads_as_formula(body)),
            SubstKind::Let { body, .. } => self.reads_as_formula(*body),
            _ => false,
        }
    }

    fn macro_(&mut self, body: impl FnOnce(&mut Self) -> MacroBody) -> Definition {
        Definition::Macro(Macro {
            name: self.name(),
            span: nowhere(),
            parameters: self.maybe(Self::names).unwrap_or_default(),
            body: body(self),
            whole: nowhere(),
        })
    }

    fn add(&mut self, kind: SubstKind) -> SubstId {
        self.tree.subst(kind, nowhere())
    }

    /// `S ; T`, or less.
    pub(crate) fn sequence(&mut self, height: usize) -> SubstId {
        if height > 0 && self.random.below(3) == 0 {
            let mut parts = vec![self.parallel(height - 1)];
            parts.extend(self.some(2, |c| c.parallel(height - 1)));
            self.add(SubstKind::Sequence(parts))
        } else {
            self.parallel(height)
        }
    }

    /// `S || T`, or less.
    fn parallel(&mut self, height: usize) -> SubstId {
        if height > 0 && self.random.below(3) == 0 {
            let mut parts = vec![self.statement(height - 1)];
            parts.extend(self.some(2, |c| c.statement(height - 1)));
            self.add(SubstKind::Parallel(parts))
        } else {
            self.statement(height)
        }
    }

    fn statement(&mut self, height: usize) -> SubstId {
        let kinds = if height == 0 { 5 } else { 17 };
        let below = height.saturating_sub(1);
        let kind = match self.random.below(kinds) {
            0 => SubstKind::Skip,
            1 => SubstKind::Assign {
                targets: self.formulas().targets(),
                values: self.expressions(),
            },
            2 => SubstKind::BecomesElement {
                targets: self.formulas().targets(),
                set: self.expression(),
            },
            3 => SubstKind::BecomesSuch {
                targets: self.formulas().targets(),
                predicate: self.predicate(),
            },
            4 => SubstKind::Call {
                results: self.maybe(|c| c.formulas().targets()).unwrap_or_default(),
                name: self.formulas().reference(),
                name_span: nowhere(),
                arguments: self.maybe(Self::expressions).unwrap_or_default(),
            },
            5 => SubstKind::Block(self.sequence(below)),
            6 => SubstKind::Pre(self.predicate(), self.sequence(below)),
            7 => SubstKind::Assert(self.predicate(), self.sequence(below)),
            8 => SubstKind::Witness(self.predicate(), self.sequence(below)),
            9 => SubstKind::Choice(self.some(3, |c| c.sequence(below))),
            10 => SubstKind::If {
                branches: self.some(3, |c| (c.predicate(), c.sequence(below))),
                otherwise: self.maybe(|c| c.sequence(below)),
            },
            11 => SubstKind::Select {
                branches: self.some(3, |c| (c.predicate(), c.sequence(below))),
                otherwise: self.maybe(|c| c.sequence(below)),
            },
            12 => SubstKind::Case {
                subject: self.expression(),
                branches: self.some(3, |c| (c.expressions(), c.sequence(below))),
                otherwise: self.maybe(|c| c.sequence(below)),
            },
            13 => SubstKind::Any {
                names: self.names(),
                predicate: self.predicate(),
                body: self.sequence(below),
            },
            14 => SubstKind::Let {
                names: self.names(),
                equations: self.predicate(),
                body: self.sequence(below),
            },
            15 => SubstKind::Var {
                names: self.names(),
                body: self.sequence(below),
            },
            _ => SubstKind::While {
                condition: self.predicate(),
                body: self.sequence(below),
                invariant: self.predicate(),
                variant: self.expression(),
            },
        };
        self.add(kind)
    }
}
