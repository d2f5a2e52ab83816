//! Which names are known where.
//!
//! A scope is what stands between braces; a name is unique along the chain of scopes that contain it, as in SPIN.

use base::{Name, Span};
use rustc_hash::FxHashMap;

use crate::syntax::VarId;

/// Where a variable belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// To the program.
    Global,
    /// To each process, claim or trace of the unit with this number.
    Unit(usize),
    /// To a structure.
    Structure(Name),
}

/// The variables that nobody declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predefined {
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    ProcessCount,
    /// `_last`.
    Last,
    /// `_priority`.
    Priority,
    /// `_`.
    Anything,
}

impl Predefined {
    /// The one that is written so.
    pub fn of(text: &str) -> Option<Predefined> {
        Some(match text {
            "_pid" => Predefined::Pid,
            "_nr_pr" => Predefined::ProcessCount,
            "_last" => Predefined::Last,
            "_priority" => Predefined::Priority,
            "_" => Predefined::Anything,
            _ => return None,
        })
    }
}

/// What a name stands for in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Variable(VarId),
    Label,
    Process,
    Claim,
}

/// Names a scope.
pub(super) type ScopeId = usize;

#[derive(Debug, Default)]
pub(super) struct Scopes {
    names: Vec<FxHashMap<Name, (Known, Span)>>,
    parents: Vec<Option<ScopeId>>,
    current: Option<ScopeId>,
}

impl Scopes {
    /// Opens a scope inside the current one.
    pub(super) fn enter(&mut self) -> ScopeId {
        let id = self.names.len();
        self.names.push(FxHashMap::default());
        self.parents.push(self.current);
        self.current = Some(id);
        id
    }

    /// Closes the current scope.
    pub(super) fn leave(&mut self) {
        self.current = self.current.and_then(|id| self.parents[id]);
    }

    /// The scopes from the current one outwards.
    fn chain(&self) -> impl Iterator<Item = ScopeId> + '_ {
        std::iter::successors(self.current, |id| self.parents[*id])
    }

    /// What a name stands for, where, and in which scope.
    pub(super) fn find(&self, name: Name) -> Option<(Known, Span, ScopeId)> {
        self.chain().find_map(|id| {
            self.names[id]
                .get(&name)
                .map(|(known, span)| (*known, *span, id))
        })
    }

    /// Makes a name known in the current scope.
    pub(super) fn add(&mut self, name: Name, known: Known, span: Span) -> ScopeId {
        let id = self.current.unwrap_or(0);
        if let Some(names) = self.names.get_mut(id) {
            names.insert(name, (known, span));
        }
        id
    }

    /// Whether `inner` is `outer` or lies inside it.
    pub(super) fn is_within(&self, inner: ScopeId, outer: ScopeId) -> bool {
        std::iter::successors(Some(inner), |id| self.parents[*id]).any(|id| id == outer)
    }

    /// The variables that are known here, for near names.
    pub(super) fn variables(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.chain().flat_map(|id| {
            let known = self.names[id].iter();
            known
                .filter(|(_, known)| matches!(known.0, Known::Variable(_)))
                .map(|(name, _)| name.as_str())
        })
    }
}
