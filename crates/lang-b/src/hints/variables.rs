//! Finds variables that nothing reads, that never change, or that have no first value; and results that an
//! operation never assigns.
//!
//! A variable counts as read wherever its value is used, except where it is assigned and in a conjunct of the
//! invariant that only gives it a type. `v : 0..5` is worth checking when v changes, so it counts then.

use base::{Diagnostic, Name, Span};
use lang_math::expr::for_each_child;
use lang_math::{ExprId, ExprKind, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Model, targets, walk};
use crate::check::{DeclId, DeclKind};
use crate::codes::hints as codes;
use crate::syntax::{ClauseBody, SubstId, SubstKind};

/// What the clauses do with declarations.
#[derive(Default)]
struct Uses {
    read: FxHashSet<DeclId>,
    /// Limited by the invariant to less than a type, as in `v : 0..5`: that is worth checking when v changes.
    limited: FxHashSet<DeclId>,
    /// Assigned by the initialisation.
    first: FxHashSet<DeclId>,
    /// Assigned by an operation.
    later: FxHashSet<DeclId>,
}

/// What the component says besides its formulas.
struct Told {
    /// Something reads the variable.
    read: bool,
    /// There are operations.
    changes: bool,
    /// Where INITIALISATION stands.
    initialisation: Option<Span>,
}

impl Model<'_> {
    /// Warns of variables that are not used as variables should be.
    pub(super) fn variables(&mut self) {
        let component = &self.machine.component;
        let none = FxHashSet::default();
        let mut uses = Uses::default();
        let mut initialisation = None;
        let mut changes = false;
        let mut bodies: FxHashMap<Name, SubstId> = FxHashMap::default();
        for clause in &component.clauses {
            if let ClauseBody::Operations(list) | ClauseBody::LocalOperations(list) = &clause.body {
                bodies.extend(
                    list.iter()
                        .map(|operation| (operation.name, operation.body)),
                );
            }
        }
        for clause in &component.clauses {
            match &clause.body {
                ClauseBody::Constraints(id)
                | ClauseBody::Properties(id)
                | ClauseBody::Variant(id) => self.reads(*id, &none, &mut uses.read),
                ClauseBody::Invariant(id) => {
                    for conjunct in self.tree().exprs.conjuncts(*id) {
                        self.conjunct(conjunct, &mut uses);
                    }
                }
                ClauseBody::Assertions(list) => {
                    for id in list {
                        self.reads(*id, &none, &mut uses.read);
                    }
                }
                ClauseBody::Initialisation(body) => {
                    initialisation = Some(clause.keyword);
                    self.executes(*body, &bodies, &mut uses.read, &mut uses.first);
                }
                ClauseBody::Operations(list) | ClauseBody::LocalOperations(list) => {
                    changes |= !list.is_empty();
                    for operation in list {
                        self.executes(
                            operation.body,
                            &FxHashMap::default(),
                            &mut uses.read,
                            &mut uses.later,
                        );
                    }
                }
                _ => {}
            }
        }
        self.results(&uses.later);
        let mentioned = self.mentioned_by_definitions();
        // A picture in a file of its own may show any variable.
        let shown = self
            .own_definitions()
            .any(|definition| definition.name.as_str() == "VISB_JSON_FILE");
        for decl in &self.machine.own {
            let declared = &self.world.decls[*decl];
            if !matches!(declared.kind, DeclKind::Variable(_)) {
                continue;
            }
            let (name, span) = (declared.name, declared.span);
            let read = uses.read.contains(decl) || mentioned.contains(&name) || shown;
            let told = Told {
                read,
                changes,
                initialisation,
            };
            self.variable(*decl, (name, span), &uses, &told);
        }
    }

    /// Warns of one variable.
    fn variable(&mut self, decl: DeclId, declared: (Name, Span), uses: &Uses, told: &Told) {
        let (name, span) = declared;
        let Told {
            read,
            changes,
            initialisation,
        } = *told;
        let assigned = uses.later.contains(&decl);
        if let Some(keyword) = initialisation
            && !uses.first.contains(&decl)
        {
            self.found.push(
                Diagnostic::warning(
                    &codes::NOT_INITIALISED,
                    span,
                    format!("variable `{name}` is not initialised"),
                )
                .also(keyword, format!("this never assigns `{name}`"))
                .help(format!(
                    "add `{name} := …` or `{name} :: …` to INITIALISATION"
                )),
            );
        }
        // What a refinement keeps belongs to the abstract machine too, which may read it.
        if self.is_kept(name) {
            return;
        }
        let limited = assigned && uses.limited.contains(&decl);
        if !read && !limited {
            let warning = if assigned {
                Diagnostic::warning(
                    &codes::UNUSED_VARIABLE,
                    span,
                    format!("variable `{name}` is assigned but never read"),
                )
                .help("nothing in this machine depends on its value: remove it, or read it")
            } else {
                Diagnostic::warning(
                    &codes::UNUSED_VARIABLE,
                    span,
                    format!("variable `{name}` is never used"),
                )
                .help("remove it, or use it in an operation")
            };
            self.found.push(warning);
        } else if changes && read && !assigned && uses.first.contains(&decl) {
            self.found.push(
                    Diagnostic::warning(
                        &codes::NEVER_ASSIGNED,
                        span,
                        format!("variable `{name}` never changes: no operation assigns it"),
                    )
                    .help(format!(
                        "it could be a constant: declare `{name}` under CONSTANTS, with its value in PROPERTIES"
                    )),
                );
        }
    }

    /// Warns of results that are never assigned.
    fn results(&mut self, assigned: &FxHashSet<DeclId>) {
        for operation in &self.machine.operations {
            let name = self.world.signatures[operation.signature].name;
            for decl in &operation.outputs {
                if assigned.contains(decl) {
                    continue;
                }
                let declared = &self.world.decls[*decl];
                let result = declared.name;
                self.found.push(
                    Diagnostic::warning(
                        &codes::RESULT_NOT_ASSIGNED,
                        declared.span,
                        format!("operation `{name}` never assigns its result `{result}`"),
                    )
                    .help(format!("add `{result} := …` to its body")),
                );
            }
        }
    }

    /// Whether the refined component has a variable of this name.
    fn is_kept(&self, name: Name) -> bool {
        self.unit.refines.is_some_and(|refined| {
            self.world.machines[refined.index()]
                .exports
                .iter()
                .any(|export| export.name == name)
        })
    }

    /// The reads of one conjunct of the invariant; `v : S` with a fixed set S only gives v a type.
    fn conjunct(&self, id: ExprId, uses: &mut Uses) {
        let exprs = &self.tree().exprs;
        let mut root = id;
        while let ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) = exprs.kind(root) {
            root = *inner;
        }
        if let ExprKind::Op(Op::Member | Op::Subset, args) = exprs.kind(root) {
            let mut of_set = FxHashSet::default();
            self.reads(args[1], &FxHashSet::default(), &mut of_set);
            let fixed = !of_set
                .iter()
                .any(|decl| matches!(self.world.decls[*decl].kind, DeclKind::Variable(_)));
            if fixed && self.is_tuple(args[0]) {
                if !self.is_type(args[1]) {
                    self.reads(args[0], &FxHashSet::default(), &mut uses.limited);
                }
                return;
            }
        }
        self.reads(id, &FxHashSet::default(), &mut uses.read);
    }

    /// Whether a set says of its elements little more than their type.
    fn is_type(&self, set: ExprId) -> bool {
        let tree = self.tree();
        let mut fits = true;
        let node = |id: ExprId| {
            fits &= match tree.exprs.kind(id) {
                ExprKind::Name(_) => self.meaning(id).is_some_and(|decl| {
                    matches!(
                        self.world.decls[decl].kind,
                        DeclKind::DeferredSet
                            | DeclKind::EnumeratedSet
                            | DeclKind::SetParameter
                            | DeclKind::FreeType
                    )
                }),
                ExprKind::Struct(_) | ExprKind::Described(..) => true,
                ExprKind::Op(op, _) => matches!(
                    op,
                    Op::Integers
                        | Op::Naturals
                        | Op::Naturals1
                        | Op::Int
                        | Op::Nat
                        | Op::Nat1
                        | Op::Booleans
                        | Op::Strings
                        | Op::Reals
                        | Op::Floats
                        | Op::PowerSet
                        | Op::FiniteSubsets
                        | Op::Times
                        | Op::Cartesian
                        | Op::Relations
                        | Op::PartialFunctions
                        | Op::TotalFunctions
                        | Op::Sequences
                ),
                _ => false,
            };
        };
        walk(tree, vec![set], Vec::new(), node, |_| {});
        fits
    }

    /// Whether an expression is a name or a tuple of names.
    fn is_tuple(&self, mut id: ExprId) -> bool {
        let exprs = &self.tree().exprs;
        loop {
            match exprs.kind(id) {
                ExprKind::Name(_) => return true,
                ExprKind::Op(Op::Maplet, args)
                    if matches!(exprs.kind(args[1]), ExprKind::Name(_)) =>
                {
                    id = args[0];
                }
                _ => return false,
            }
        }
    }

    /// Adds what a formula reads; names of `except` stand for new values.
    fn reads(&self, id: ExprId, except: &FxHashSet<DeclId>, read: &mut FxHashSet<DeclId>) {
        let tree = self.tree();
        let mut note = |id: ExprId| {
            if let Some(decl) = self.meaning(id)
                && (matches!(tree.exprs.kind(id), ExprKind::Before(_)) || !except.contains(&decl))
            {
                read.insert(decl);
            }
        };
        walk(tree, vec![id], Vec::new(), &mut note, |_| {});
    }

    /// Adds what a substitution reads and assigns, with what the operations of `bodies` assign that it calls.
    fn executes(
        &self,
        body: SubstId,
        bodies: &FxHashMap<Name, SubstId>,
        read: &mut FxHashSet<DeclId>,
        assigned: &mut FxHashSet<DeclId>,
    ) {
        let tree = self.tree();
        let mut entered = FxHashSet::default();
        let mut pending = vec![body];
        while let Some(id) = pending.pop() {
            let kind = &tree.substs[id].kind;
            let targets = targets(kind);
            let mut changed = FxHashSet::default();
            for target in targets {
                changed.extend(self.target(*target, read));
            }
            assigned.extend(&changed);
            if !matches!(kind, SubstKind::BecomesSuch { .. }) {
                changed.clear();
            }
            if let SubstKind::Call { name, .. } = kind
                && let Some(body) = bodies.get(name)
                && entered.insert(*name)
            {
                pending.push(*body);
            }
            // Targets come first.
            let mut left_out = targets.len();
            tree.for_each_below(
                id,
                |formula| match left_out {
                    0 => self.reads(formula, &changed, read),
                    _ => left_out -= 1,
                },
                |below| pending.push(below),
            );
        }
    }

    /// The variable that an assignment changes; the points of `f(x) := E` are read.
    fn target(&self, id: ExprId, read: &mut FxHashSet<DeclId>) -> Option<DeclId> {
        let exprs = &self.tree().exprs;
        let none = FxHashSet::default();
        let mut root = id;
        loop {
            match exprs.kind(root) {
                ExprKind::Apply(function, args) => {
                    for arg in args {
                        self.reads(*arg, &none, read);
                    }
                    root = *function;
                }
                ExprKind::Field(record, _) => root = *record,
                ExprKind::Name(_) => return self.meaning(root),
                kind => {
                    for_each_child(kind, |child| self.reads(child, &none, read));
                    return None;
                }
            }
        }
    }
}
