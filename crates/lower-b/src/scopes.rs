//! Fixes what the model leaves open: sizes of deferred sets, MININT and MAXINT.

use base::{Diagnostic, Name, Span};
use lang_b::check::{Checked, DeclId, DeclKind, Machine, World};
use lang_b::expand::Definitions;
use lang_b::preferences::{self, Setting};
use lang_b::syntax::{ClauseBody, MacroBody, SetKind};
use lang_math::{ExprId, ExprKind, Exprs, Op, Type};
use num_traits::ToPrimitive as _;
use rustc_hash::{FxHashMap, FxHashSet};

use super::instance::references;
use super::{Lower, Ref};
use model::SortId;
use model::codes::BAD_SCOPE;
use model::scope::{DEFAULT_MAX_INT, DEFAULT_MIN_INT, DEFAULT_SET_SIZE, MAX_SET_SIZE, Scopes};
use model::sizes::{Facts, Names};
use model::ty::{Sort, SortOrigin};

/// Preferences that would cut a search.
const UNUSED: [&str; 4] = [
    "MAX_OPERATIONS",
    "MAX_INITIALISATIONS",
    "TIME_OUT",
    "SYMMETRY_MODE",
];
/// Why nothing is done about what would cut a search.
const EVERYTHING: &str = "everything is explored";

impl Lower<'_> {
    /// The value of an integer setting in the definitions of the main machine.
    fn setting(&self, definitions: &Definitions<'_>, name: &str) -> Option<i64> {
        let entry = definitions.get(Name::new(name))?;
        let MacroBody::Formula(body) = entry.definition.body else {
            return None;
        };
        integer(&entry.tree.exprs, body)
    }

    pub(super) fn preferences(&mut self, definitions: &Definitions<'_>, scopes: &Scopes) {
        for (name, default) in [("MININT", DEFAULT_MIN_INT), ("MAXINT", DEFAULT_MAX_INT)] {
            let given = match scopes.integer(name) {
                Some(Ok(value)) => Some(value),
                Some(Err(message)) => {
                    self.diagnostics
                        .push(Diagnostic::global(&BAD_SCOPE, message));
                    None
                }
                None => self.setting(definitions, &format!("SET_PREF_{name}")),
            };
            let value = given.unwrap_or(default);
            if name == "MININT" {
                self.model.min_int = value;
            } else {
                self.model.max_int = value;
            }
        }
        let bounds = (self.model.min_int, self.model.max_int);
        if !scopes.preferences.is_empty() && bounds.0 > bounds.1 {
            let what = format!(
                "MININT is {}, which is more than MAXINT, {}",
                bounds.0, bounds.1
            );
            self.diagnostics.push(Diagnostic::global(&BAD_SCOPE, what));
        }
        self.model
            .scopes
            .push(format!("MININT = {}", self.model.min_int));
        self.model
            .scopes
            .push(format!("MAXINT = {}", self.model.max_int));
        for definition in &definitions.own {
            let name = definition.name.as_str();
            let why = match preferences::setting(name) {
                Some(Setting::Scope) => "states that do not satisfy it are explored, too",
                Some(Setting::MaxOperations(_)) => EVERYTHING,
                Some(Setting::Preference(known)) if UNUSED.contains(&known.name) => EVERYTHING,
                _ => continue,
            };
            let warning = format!("{name} is ignored: {why}");
            self.model.warnings.push(warning);
        }
    }

    /// Declares all carrier sets of all components: sets are never renamed.
    pub(super) fn sorts(&mut self, definitions: &Definitions<'_>, scopes: &Scopes) {
        let mut facts = facts(self.checked, (self.model.min_int, self.model.max_int));
        let default = scopes
            .preferences
            .get(&Name::new("DEFAULT_SETSIZE"))
            .and_then(|text| text.trim().parse().ok())
            .or_else(|| {
                self.setting(definitions, "SET_PREF_DEFAULT_SETSIZE")
                    .and_then(|value| usize::try_from(value).ok())
            })
            .unwrap_or(DEFAULT_SET_SIZE);
        let mut known_cards: Vec<Name> = Vec::new();
        let mut fixed = FxHashMap::default();
        for name in facts.mapped_sets() {
            if let Some(size) = self.fixed_size(name, scopes, definitions, &mut Vec::new()) {
                fixed.insert(name, size);
            }
        }
        facts.settle(&fixed, default);
        let passed = passed(self.checked);
        for machine in &self.world.machines {
            for clause in &machine.component.clauses {
                let ClauseBody::Sets(sets) = &clause.body else {
                    continue;
                };
                for set in sets {
                    match &set.kind {
                        SetKind::Enumerated(elements) => {
                            let names = elements.iter().map(|element| element.name).collect();
                            self.sort(set.name, names, SortOrigin::Enumerated, set.span);
                        }
                        SetKind::Deferred | SetKind::FromDefinition(_) => {
                            let fixed =
                                self.fixed_size(set.name, scopes, definitions, &mut known_cards);
                            self.deferred(
                                set.name,
                                fixed,
                                default,
                                &facts,
                                SortOrigin::Deferred,
                                set.span,
                            );
                        }
                    }
                }
            }
            for decl in &machine.own {
                let declared = &self.world.decls[*decl];
                if declared.kind == DeclKind::SetParameter
                    && !passed.contains(decl)
                    && !self.sorts.contains_key(&declared.name)
                {
                    let fixed =
                        self.fixed_size(declared.name, scopes, definitions, &mut known_cards);
                    self.deferred(
                        declared.name,
                        fixed,
                        default,
                        &facts,
                        SortOrigin::Parameter,
                        declared.span,
                    );
                }
            }
        }
        for name in scopes.cards.keys() {
            if !known_cards.contains(name) {
                self.diagnostics.push(Diagnostic::global(
                    &BAD_SCOPE,
                    format!("--card {name}: the model has no deferred set of this name"),
                ));
            }
        }
    }

    /// The size of a set given by the user or by `scope_S` in the main machine.
    fn fixed_size(
        &mut self,
        name: Name,
        scopes: &Scopes,
        definitions: &Definitions<'_>,
        known: &mut Vec<Name>,
    ) -> Option<usize> {
        if let Some(size) = scopes.cards.get(&name) {
            known.push(name);
            return Some(*size);
        }
        let entry = definitions.get(Name::new(&format!("scope_{name}")))?;
        let MacroBody::Formula(body) = entry.definition.body else {
            return None;
        };
        let exprs = &entry.tree.exprs;
        let size = match exprs.kind(body) {
            ExprKind::Op(Op::Interval, args) => {
                integer(exprs, args[1])? - integer(exprs, args[0])? + 1
            }
            _ => integer(exprs, body)?,
        };
        usize::try_from(size).ok()
    }

    // Seven arguments: the set, three sources of its size, and what it is named after.
    fn deferred(
        &mut self,
        name: Name,
        fixed: Option<usize>,
        default: usize,
        facts: &Facts<DeclId>,
        origin: SortOrigin,
        span: Span,
    ) {
        let size = facts.size(name, fixed, default);
        if size.size == 0 || size.size > MAX_SET_SIZE {
            self.diagnostics.push(Diagnostic::error(
                &BAD_SCOPE,
                span,
                format!("{name} would have {} elements", size.size),
            ));
            return;
        }
        self.model
            .scopes
            .push(format!("card({name}) = {} ({})", size.size, size.because));
        let named = size.names.len() == size.size;
        let elements = if named {
            size.names
                .iter()
                .map(|decl| self.world.decls[*decl].name)
                .collect()
        } else {
            (1..=size.size)
                .map(|i| Name::new(&format!("{name}{i}")))
                .collect()
        };
        let origin = if named { SortOrigin::Named } else { origin };
        let sort = self.sort(name, elements, origin, span);
        if named {
            for (i, decl) in size.names.iter().enumerate() {
                self.constants.insert(*decl, Ref::Element(sort, i as u32));
            }
        }
    }

    fn sort(&mut self, name: Name, elements: Vec<Name>, origin: SortOrigin, span: Span) -> SortId {
        let sort = self.model.tys.sorts.push(Sort {
            name,
            elements,
            origin,
            span,
        });
        self.sorts.insert(name, sort);
        sort
    }
}

/// The value of an integer literal with an optional sign.
fn integer(exprs: &Exprs, id: lang_math::ExprId) -> Option<i64> {
    match exprs.kind(id) {
        ExprKind::Int(value) => value.to_i64(),
        ExprKind::Op(Op::Negate, args) => integer(exprs, args[0])?.checked_neg(),
        _ => None,
    }
}

/// What the properties and constraints of all components say about deferred sets.
fn facts(checked: &Checked, limits: (i64, i64)) -> Facts<DeclId> {
    let world = &checked.world;
    let actuals = actuals(checked);
    let readers: Vec<Named<'_>> = world
        .machines
        .iter()
        .map(|machine| Named {
            world,
            machine,
            actuals: &actuals,
        })
        .collect();
    let mut properties: Vec<(&dyn Names<DeclId>, ExprId)> = Vec::new();
    for reader in &readers {
        for clause in &reader.machine.component.clauses {
            if let ClauseBody::Properties(id) | ClauseBody::Constraints(id) = clause.body {
                properties.push((reader, id));
            }
        }
    }
    let members = world.decls.iter().filter_map(|(id, declared)| {
        match (declared.kind, world.types.get(declared.ty)) {
            (DeclKind::Constant(_), Type::Given(set)) if declared.instance_of.is_none() => {
                Some((*set, id))
            }
            _ => None,
        }
    });
    Facts::collect(&properties, members, limits)
}

/// The sets that stand for set parameters; `None` for what is no whole set, or not the same everywhere.
type Actuals = FxHashMap<DeclId, Option<DeclId>>;

fn actuals(checked: &Checked) -> Actuals {
    let mut found = Actuals::default();
    each_formal(checked, |machine, formal, actual| {
        let Some(actual) = actual else { return };
        let set = machine.meanings[actual.index()].filter(|decl| {
            let kind = checked.world.decls[*decl].kind;
            matches!(kind, DeclKind::DeferredSet | DeclKind::SetParameter)
        });
        let known = found.entry(formal).or_insert(set);
        if *known != set {
            *known = None;
        }
    });
    found
}

/// The parameters that every reference to their machine gives: they are no sets of their own.
fn passed(checked: &Checked) -> FxHashSet<DeclId> {
    let (mut given, mut open) = (FxHashSet::default(), FxHashSet::default());
    each_formal(checked, |_, formal, actual| {
        let set = match actual {
            Some(_) => &mut given,
            None => &mut open,
        };
        set.insert(formal);
    });
    given.retain(|formal| !open.contains(formal));
    given
}

/// Goes through the parameters of each machine that is referred to, with what the referring machine passes for them.
fn each_formal(checked: &Checked, mut take: impl FnMut(&Machine, DeclId, Option<ExprId>)) {
    for (id, unit) in checked.project.units.iter() {
        let machine = &checked.world.machines[id.index()];
        for reference in &unit.references {
            let written = references(machine).find(|known| known.span == reference.written.span);
            let arguments = written.map_or(&[][..], |written| &written.arguments);
            for (at, formal) in checked.world.parameters(reference.unit).iter().enumerate() {
                take(machine, *formal, arguments.get(at).copied());
            }
        }
    }
}

/// What names in the properties of a component mean.
struct Named<'w> {
    world: &'w World,
    machine: &'w Machine,
    actuals: &'w Actuals,
}

impl Names<DeclId> for Named<'_> {
    fn exprs(&self) -> &Exprs {
        &self.machine.component.tree.exprs
    }

    fn constant(&self, id: ExprId) -> Option<DeclId> {
        let decl = self.machine.meanings[id.index()]?;
        let root = super::root(self.world, decl);
        matches!(self.world.decls[root].kind, DeclKind::Constant(_)).then_some(root)
    }

    fn carrier(&self, id: ExprId) -> Option<Name> {
        let mut decl = self.machine.meanings[id.index()]?;
        // A parameter is the set that was passed; parameters are not passed in circles.
        while let Some(actual) = self.actuals.get(&decl) {
            decl = (*actual)?;
        }
        let decl = &self.world.decls[decl];
        matches!(decl.kind, DeclKind::DeferredSet | DeclKind::SetParameter).then_some(decl.name)
    }

    fn enumerated(&self, id: ExprId) -> Option<i64> {
        let decl = self.machine.meanings[id.index()]?;
        let decl = &self.world.decls[decl];
        if decl.kind != DeclKind::EnumeratedSet {
            return None;
        }
        let clauses = self
            .world
            .machines
            .iter()
            .flat_map(|m| &m.component.clauses);
        let mut sets = clauses.filter_map(|clause| match &clause.body {
            ClauseBody::Sets(sets) => Some(sets),
            _ => None,
        });
        sets.find_map(|sets| {
            let set = sets.iter().find(|set| set.name == decl.name)?;
            match &set.kind {
                SetKind::Enumerated(elements) => i64::try_from(elements.len()).ok(),
                SetKind::Deferred | SetKind::FromDefinition(_) => None,
            }
        })
    }
}
