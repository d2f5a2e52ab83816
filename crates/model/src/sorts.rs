//! Finds which elements of which carrier sets the model cannot tell apart, so that one state can stand for all
//! its permutations.
//!
//! Paper: [Leuschel, Massart 2010], definitions 2 to 4 (permutations of deferred sets) and proposition 2 (where
//! symmetry markers are precise). Differs: elements of any carrier set are interchangeable as long as no formula
//! names them, so enumerated sets have partial symmetry; a listed set such as `{a, b}`, or the parts of `partition(S, {a}, {b}, T)`,
//! split their set in two and do not fix each element; proposition 2 is extended to records and to sets of tuples with one element each.
//! Invariant: symmetry is checked, not assumed: what could look at the identity of an element (an order, a
//! choice, a conversion to text, output) disables the set, with its place as the reason.

use base::{Name, Span};
use lang_math::Op;
use rustc_hash::FxHashSet;

use crate::expr::Part;
use crate::{ExprId, Kind, Model, SortId, SortOrigin, Stmt, StmtId, Ty, TyId};

/// What is known about one carrier set.
#[derive(Clone, Debug)]
pub struct SortSymmetry {
    /// The carrier set.
    pub sort: SortId,
    /// For each element the number of its class: elements of one class are interchangeable.
    pub classes: Vec<u32>,
    /// What tells elements apart, one entry for each split.
    pub splits: Vec<Split>,
    /// What makes all elements different.
    pub broken: Option<Split>,
}

/// Something in the model that tells elements apart.
#[derive(Clone, Debug)]
pub struct Split {
    /// The elements that it names.
    pub elements: Vec<u32>,
    /// In a few words: `named in inv3`, `CHOOSE looks at the order of its elements in operation pick`.
    pub what: String,
    /// Where.
    pub span: Span,
}

impl SortSymmetry {
    /// How many elements can be exchanged with another one.
    pub fn interchangeable(&self) -> usize {
        let alike = |class: &&u32| self.classes.iter().filter(|other| other == class).count() > 1;
        self.classes.iter().filter(alike).count()
    }

    fn split(&mut self, elements: &[u32], what: String, span: Span) {
        let next = self.classes.iter().max().map_or(0, |most| most + 1);
        let mut moved: Vec<(u32, u32)> = Vec::new();
        let before = self.classes.clone();
        for element in elements {
            let Some(class) = before.get(*element as usize).copied() else {
                continue;
            };
            let target = match moved.iter().find(|(from, _)| *from == class) {
                Some((_, to)) => *to,
                None => {
                    let to = next + moved.len() as u32;
                    moved.push((class, to));
                    to
                }
            };
            self.classes[*element as usize] = target;
        }
        // A class that moved as a whole was not split.
        let is_split = moved
            .iter()
            .any(|(from, _)| self.classes.contains(from) && before.contains(from));
        if is_split {
            self.splits.push(Split {
                elements: elements.to_vec(),
                what,
                span,
            });
        }
    }
}

/// The symmetry of every carrier set, in the order of the model; `goal` is a predicate asked from outside.
pub fn analyse(model: &Model, goal: Option<ExprId>) -> Vec<SortSymmetry> {
    let sorts = model.tys.sorts.iter().map(|(sort, declared)| SortSymmetry {
        sort,
        classes: vec![0; declared.elements.len()],
        splits: Vec::new(),
        broken: None,
    });
    let mut finder = Finder {
        model,
        sorts: sorts.collect(),
        seen: FxHashSet::default(),
        place: String::new(),
    };
    finder.model(goal);
    for sort in &mut finder.sorts {
        if sort.broken.is_some() {
            sort.classes = (0..sort.classes.len() as u32).collect();
        }
    }
    finder.sorts
}

struct Finder<'m> {
    model: &'m Model,
    sorts: Vec<SortSymmetry>,
    seen: FxHashSet<ExprId>,
    place: String,
}

/// Functions of the host that treat all elements alike.
const NEUTRAL: &[&str] = &[
    "MU",
    "FORCE",
    "ENUM",
    "ENUMERATE",
    "DO_NOT_ENUMERATE",
    "LINKED_ENUMERATION",
    "CHECK_DET",
    "CLOSURE1",
    "SCCS",
    "SQUASH",
    "REPLACE",
    "ASSERT_TRUE",
    "ASSERT_EXPR",
];

impl Finder<'_> {
    fn model(&mut self, goal: Option<ExprId>) {
        let model = self.model;
        self.place = "the properties".to_owned();
        for conjunct in &model.properties {
            self.place = named("the properties", conjunct.label);
            self.expr(conjunct.predicate);
        }
        for (i, conjunct) in model.invariants.iter().enumerate() {
            self.place = match conjunct.label {
                Some(label) => label.to_string(),
                None => format!("inv{}", i + 1),
            };
            self.expr(conjunct.predicate);
        }
        for (i, assertion) in model.assertions.iter().enumerate() {
            self.place = match assertion.conjunct.label {
                Some(label) => label.to_string(),
                None => format!("assertion{}", i + 1),
            };
            self.expr(assertion.conjunct.predicate);
        }
        self.place = "the initialisation".to_owned();
        self.stmt(model.initialisation);
        for action in &model.actions {
            self.place = format!("operation {}", action.name);
            for guard in &action.guard {
                self.expr(*guard);
            }
            self.stmt(action.body);
        }
        if let Some(goal) = goal {
            self.place = "the goal".to_owned();
            self.expr(goal);
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let model = self.model;
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let stmt = &model.stmts[id];
            let met = pending.len();
            stmt.for_each_part(|part| self.expr(part), |part| pending.push(part));
            // Branches are met from the last to the first, everything else in the order of the text.
            if !matches!(stmt, Stmt::Select(..) | Stmt::If(..)) {
                pending[met..].reverse();
            }
            if let Stmt::External(name, args) = stmt {
                for arg in args {
                    let arg = &model.exprs[*arg];
                    self.breaks(&format!("{name} shows elements"), arg.ty, arg.span);
                }
            }
        }
    }

    fn expr(&mut self, id: ExprId) {
        let model = self.model;
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            let expr = &model.exprs[id];
            match &expr.kind {
                Kind::Element(sort, element) => self.names(*sort, &[*element], expr.span),
                Kind::Op(Op::SetExtension, args) => {
                    if let Some((sort, elements)) = self.listed(args)
                        && model.tys.sorts[sort].origin != SortOrigin::Free
                    {
                        self.names(sort, &elements, expr.span);
                        continue;
                    }
                }
                // The parts of a partition can be given in any order: those of one element list them.
                Kind::Op(Op::Partition, args) => {
                    let (singles, others): (Vec<ExprId>, Vec<ExprId>) =
                        args.iter().partition(|part| self.single(**part).is_some());
                    let singles: Vec<ExprId> = singles
                        .iter()
                        .filter_map(|part| self.single(*part))
                        .collect();
                    if let Some((sort, elements)) = self.listed(&singles) {
                        self.names(sort, &elements, expr.span);
                        pending.extend(others);
                        continue;
                    }
                }
                Kind::External(name, args) if !NEUTRAL.contains(&name.as_str()) => {
                    let what = format!("{name} can look at the order or the names of elements");
                    self.breaks(&what, expr.ty, expr.span);
                    for arg in args {
                        self.breaks(&what, model.exprs[*arg].ty, expr.span);
                    }
                }
                Kind::Template(parts) => {
                    for part in parts {
                        if let Part::Value(value) = part {
                            let ty = model.exprs[*value].ty;
                            self.breaks("a text shows the names of elements", ty, expr.span);
                        }
                    }
                }
                _ => {}
            }
            expr.kind.for_each_child(|child| pending.push(child));
        }
    }

    /// The `a` of `{a}`, when it is an element.
    fn single(&self, part: ExprId) -> Option<ExprId> {
        match &self.model.exprs[part].kind {
            Kind::Op(Op::SetExtension, args) => match args.as_slice() {
                [only] if matches!(self.model.exprs[*only].kind, Kind::Element(..)) => Some(*only),
                _ => None,
            },
            _ => None,
        }
    }

    /// The elements of `{a, b, c}`, when all are elements of one carrier set.
    fn listed(&self, args: &[ExprId]) -> Option<(SortId, Vec<u32>)> {
        let mut found = None;
        let mut elements = Vec::new();
        for arg in args {
            let Kind::Element(sort, element) = self.model.exprs[*arg].kind else {
                return None;
            };
            if *found.get_or_insert(sort) != sort {
                return None;
            }
            elements.push(element);
        }
        Some((found?, elements))
    }

    fn names(&mut self, sort: SortId, elements: &[u32], span: Span) {
        let what = format!("named in {}", self.place);
        self.sorts[sort.index()].split(elements, what, span);
    }

    /// Something could tell all elements inside values of a type apart.
    fn breaks(&mut self, what: &str, ty: Option<TyId>, span: Span) {
        let Some(ty) = ty else { return };
        let mut inside = Vec::new();
        sorts_in(self.model, ty, &mut inside);
        for sort in inside {
            let broken = &mut self.sorts[sort.index()].broken;
            broken.get_or_insert(Split {
                elements: Vec::new(),
                what: format!("{what} in {}", self.place),
                span,
            });
        }
    }
}

fn named(place: &str, label: Option<Name>) -> String {
    label.map_or(place.to_owned(), |label| label.to_string())
}

/// The carrier sets whose elements values of a type can hold.
pub fn sorts_in(model: &Model, ty: TyId, found: &mut Vec<SortId>) {
    let mut seen = FxHashSet::default();
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match &model.tys[ty] {
            Ty::Bool | Ty::Int | Ty::Real | Ty::Str => {}
            Ty::Sort(sort) => {
                if !found.contains(sort) {
                    found.push(*sort);
                }
            }
            Ty::Free(free) => {
                let constructors = model.tys.free[*free].constructors.iter();
                pending.extend(constructors.filter_map(|(_, argument)| *argument));
            }
            Ty::Pow(element) => pending.push(*element),
            Ty::Prod(left, right) => pending.extend([*left, *right]),
            Ty::Record(fields) => pending.extend(fields.iter().map(|(_, field)| *field)),
        }
    }
}

/// How precisely symmetry markers describe values of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precision {
    /// It holds no interchangeable element.
    Plain,
    /// Proposition 2 applies: equal markers, symmetric values.
    Precise,
    /// It does not, for this reason.
    Imprecise(&'static str),
}

/// Whether symmetry markers are precise for values of a type: proposition 2.
pub fn precision(model: &Model, sorts: &[SortSymmetry], ty: TyId) -> Precision {
    let moves = |ty: TyId| {
        let mut inside = Vec::new();
        sorts_in(model, ty, &mut inside);
        inside
            .iter()
            .any(|sort| sorts[sort.index()].interchangeable() > 0)
    };
    // Elements in a tuple, none of them below a set.
    fn elements(model: &Model, ty: TyId, moves: &dyn Fn(TyId) -> bool) -> Option<usize> {
        match &model.tys[ty] {
            _ if !moves(ty) => Some(0),
            Ty::Sort(_) => Some(1),
            Ty::Prod(left, right) => {
                Some(elements(model, *left, moves)? + elements(model, *right, moves)?)
            }
            Ty::Record(fields) => fields.iter().try_fold(0, |sum, (_, field)| {
                Some(sum + elements(model, *field, moves)?)
            }),
            _ => None,
        }
    }
    fn inner(model: &Model, ty: TyId, moves: &dyn Fn(TyId) -> bool) -> Precision {
        match &model.tys[ty] {
            _ if !moves(ty) => Precision::Plain,
            Ty::Sort(_) => Precision::Precise,
            Ty::Pow(element) => match elements(model, *element, moves) {
                Some(1) => Precision::Precise,
                Some(_) => {
                    Precision::Imprecise("it relates interchangeable elements to each other")
                }
                None => Precision::Imprecise("it holds sets of interchangeable elements in a set"),
            },
            Ty::Prod(left, right) => both([*left, *right].into_iter(), model, moves),
            Ty::Record(fields) => both(fields.iter().map(|(_, field)| *field), model, moves),
            _ => Precision::Imprecise("it holds interchangeable elements in a free type"),
        }
    }
    fn both(
        parts: impl Iterator<Item = TyId>,
        model: &Model,
        moves: &dyn Fn(TyId) -> bool,
    ) -> Precision {
        parts
            .map(|part| inner(model, part, moves))
            .find(|precision| matches!(precision, Precision::Imprecise(_)))
            .unwrap_or(Precision::Precise)
    }
    inner(model, ty, &moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sort(classes: usize) -> SortSymmetry {
        SortSymmetry {
            sort: SortId::new(0),
            classes: vec![0; classes],
            splits: Vec::new(),
            broken: None,
        }
    }

    fn span() -> Span {
        Span::new(base::FileId::new(0), 0, 0)
    }

    #[test]
    fn a_listed_set_splits_its_class_in_two() {
        let mut sort = sort(5);
        sort.split(&[0, 1], String::new(), span());
        assert_eq!(sort.interchangeable(), 5);
        sort.split(&[1, 2], String::new(), span());
        assert_eq!(sort.interchangeable(), 2, "{:?}", sort.classes);
        assert_eq!(sort.splits.len(), 2);
    }

    #[test]
    fn naming_all_elements_together_tells_none_apart() {
        let mut sort = sort(3);
        sort.split(&[2, 0, 1], String::new(), span());
        assert_eq!(sort.interchangeable(), 3);
        assert!(sort.splits.is_empty());
    }
}
