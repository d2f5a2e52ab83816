//! What a user says of interchangeable processes (`--scalarset`), and what contradicts it.
//!
//! Paper: SymmSPIN [Bošnački, Dams, Holenderski 2002] takes scalarsets from a file beside the model and believes them. Differs:
//! `pid` claims that all processes of one text are interchangeable, and every use that tells them apart is a diagnostic with its
//! place; a variable is claimed to run through processes in an order that does not matter, which no analysis of
//! single statements sees. That is believed as far as the first states do not contradict it.

use base::{Diagnostic, Span};
use program::{Kind, Program, Root, State, StmtKind};
use program_compile::processes::System;
use program_symmetry::{Scanning, Symmetry as Found};
use subject::codes::{MISFIT_OPTION, SCALARSET};

/// States whose steps are permuted before a claim is believed.
const MOST_STATES: usize = 500;

/// Claims that were read.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    /// All processes of a text are interchangeable.
    pub(super) is_full: bool,
    /// Variables that run through processes.
    pub(super) scanning: Vec<Scanning>,
    /// Names that are none.
    pub(super) unknown: Vec<Diagnostic>,
}

impl Claims {
    /// Reads names: `pid`, a variable, or a proctype and a variable with a colon between them.
    pub(super) fn new(program: &Program, names: &[String]) -> Claims {
        let mut claims = Claims::default();
        for name in names {
            if name == "pid" {
                claims.is_full = true;
                continue;
            }
            let (owner, own) = match name.split_once(':') {
                Some((owner, own)) => (Some(owner), own),
                None => (None, name.as_str()),
            };
            let before = claims.scanning.len();
            if owner.is_none() {
                let globals = program.variables.iter();
                let meant = globals.filter(|(_, variable)| variable.name.as_str() == own);
                claims
                    .scanning
                    .extend(meant.map(|(id, _)| Scanning::Global(id)));
            }
            for (kind, proctype) in program.proctypes.iter() {
                if owner.is_some_and(|owner| owner != proctype.name.as_str()) {
                    continue;
                }
                let locals = proctype.graph.variables.iter();
                let meant = locals.filter(|(_, variable)| variable.name.as_str() == own);
                claims
                    .scanning
                    .extend(meant.map(|(id, _)| Scanning::Local(kind, id)));
            }
            if claims.scanning.len() == before {
                let message =
                    format!("--scalarset {name}: neither pid nor a variable of the model");
                claims
                    .unknown
                    .push(Diagnostic::global(&MISFIT_OPTION, message));
            }
        }
        claims
    }

    /// What contradicts the claims in what was found.
    pub(super) fn refuted(
        &self,
        program: &Program,
        first: &State,
        found: &Found,
    ) -> Vec<Diagnostic> {
        let mut refuted = self.unknown.clone();
        if !self.is_full {
            return refuted;
        }
        let name = |pid: usize| {
            let kind = &program.proctypes[first.processes[pid].proctype];
            format!("{}[{pid}]", kind.name)
        };
        let mut told: Vec<(Option<Span>, &str)> = Vec::new();
        for alone in &found.alone {
            if told.contains(&(alone.span, alone.what)) {
                continue;
            }
            told.push((alone.span, alone.what));
            let message = format!("--scalarset pid: {}: {}", name(alone.pid), alone.what);
            refuted.push(match alone.span {
                Some(span) => Diagnostic::error(&SCALARSET, span, message),
                None => Diagnostic::global(&SCALARSET, message),
            });
        }
        if !refuted.is_empty() {
            return refuted;
        }
        for (id, kind) in program.proctypes.iter() {
            let own: Vec<u32> = (0..first.processes.len() as u32)
                .filter(|pid| first.processes[*pid as usize].proctype == id)
                .collect();
            let swaps = own.windows(2).all(|pair| {
                let wanted = own.iter().map(|pid| match *pid {
                    pid if pid == pair[0] => (pid, pair[1]),
                    pid if pid == pair[1] => (pid, pair[0]),
                    pid => (pid, pid),
                });
                found.group.taking(&wanted.collect::<Vec<_>>()).is_some()
            });
            if !swaps {
                let message = format!(
                    "--scalarset pid: processes of {} can be exchanged together only, not two by two",
                    kind.name
                );
                let span = computed(program).unwrap_or(kind.span);
                refuted.push(Diagnostic::error(&SCALARSET, span, message));
            }
        }
        refuted
    }

    /// What contradicts the claims in the first states of a system.
    pub(super) fn contradicted(&self, program: &Program, system: &System) -> Option<Diagnostic> {
        let first = self.scanning.first()?;
        let broken = pins::check_action(system, MOST_STATES).err()?;
        let (variable, owner) = match *first {
            Scanning::Global(id) => (&program.variables[id], None),
            Scanning::Local(kind, id) => {
                let proctype = &program.proctypes[kind];
                (&proctype.graph.variables[id], Some(&proctype.name))
            }
        };
        let name = match owner {
            Some(owner) => format!("{owner}:{}", variable.name),
            None => variable.name.to_string(),
        };
        let message = format!(
            "--scalarset {name}: the order in which it runs through processes is seen: {}",
            broken.message
        );
        let span = assigned(program, *first).unwrap_or(variable.span);
        Some(Diagnostic::error(&SCALARSET, span, message))
    }
}

/// Arithmetic on process numbers.
fn computed(program: &Program) -> Option<Span> {
    let own = |id: program::ExprId| matches!(program.exprs[id].kind, Kind::SelfPid);
    let mut exprs = program.exprs.iter();
    let found = exprs.find(|(_, expr)| match expr.kind {
        Kind::Binary(operator, a, b) => {
            !matches!(operator, program::Binary::Equal | program::Binary::Unequal)
                && (own(a) || own(b))
        }
        _ => false,
    });
    found.map(|(_, expr)| expr.span)
}

/// Where a variable is assigned to.
fn assigned(program: &Program, variable: Scanning) -> Option<Span> {
    let root = match variable {
        Scanning::Global(id) => Root::Global(id),
        Scanning::Local(_, id) => Root::Process(id),
    };
    let mut statements = program.stmts.iter();
    let found = statements.find(|(_, statement)| match statement.kind {
        StmtKind::Assign(place, _) => program.places[place].root == root,
        _ => false,
    });
    found.map(|(_, statement)| statement.span)
}
