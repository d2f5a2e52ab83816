//! Decides whether formulas may be checked with fewer interleavings.
//!
//! Ample sets keep the states as atoms see them and the order of visible steps; they add and remove silent ones. So they keep
//! formulas of linear time that cannot tell (`buchi::ignores_silence`), fairness of operations included. A group is visible
//! when it can change what an atom says of a state, or takes a step that an atom names; visible groups are never put before
//! others. What is possible is asked of the whole model. What is about branching, and fairness of every label, is refused.

use base::Diagnostic;
use buchi::Counts;
use pins::GroupId;
use reduce::por::{GroupSet, Relations};
use subject::{Change, EventId, Ground, Subject};

use super::atoms::{Asks, Atoms, Match};
use super::lower::Lowered;
use super::{Formulas, Prepared};
use crate::check::Ended;
use crate::choice::{Fair, Por, Symmetry};
use crate::codes;
use crate::plan::Options;

/// Whether ample sets are used; an error says why they cannot be.
pub(super) fn decide(options: &Options, formulas: &Formulas) -> Result<bool, Ended> {
    let refused = |why: String| {
        let message = format!("--por {}: {why}", options.por.word());
        Err(Diagnostic::global(&codes::MISFIT_OPTION, message).into())
    };
    match options.por {
        Por::Auto | Por::Off => return Ok(false),
        Por::Stubborn | Por::Deletion => {
            return refused("stubborn sets keep deadlocks and labels, not formulas".to_owned());
        }
        Por::Ample => {}
    }
    if options.fair != Fair::None {
        return refused("--fair is about the steps that it leaves out".to_owned());
    }
    if !matches!(options.symmetry, Symmetry::Auto | Symmetry::Off) {
        return refused("with temporal formulas it is not used together with symmetry".to_owned());
    }
    for prepared in &formulas.formulas {
        if let Some(why) = obstacle(prepared, &formulas.atoms) {
            return refused(format!("{}: {why}", prepared.text));
        }
    }
    for atom in &formulas.atoms.atoms {
        if let Asks::Sink | Asks::BeforeAfter(..) = atom.asks {
            let why = "every step could change it, or make it true";
            return refused(format!("{}: {why}", atom.text));
        }
    }
    Ok(true)
}

fn obstacle(prepared: &Prepared, atoms: &Atoms) -> Option<&'static str> {
    let linear = match &prepared.lowered {
        Err(_) => return None,
        Ok(Lowered::Ctl(_)) => {
            return Some("ample sets do not keep formulas of branching time");
        }
        Ok(Lowered::Automaton(_)) => {
            return Some("a claim may count steps");
        }
        Ok(Lowered::Ltl(linear)) => linear,
    };
    if prepared.needs_labels() {
        return Some("WEF and SEF are about every step");
    }
    let kind = |atom: u32| kind(&atoms.atoms[atom as usize].asks);
    match buchi::ignores_silence(&linear.formula, &kind) {
        Ok(()) => None,
        Err(Counts::Next) => Some("X and Y count steps"),
        Err(Counts::Step) => Some(
            "an atom about the next step stands where other steps may be put before it (as in {p} => [Op])",
        ),
    }
}

/// What an atom says where nothing that is visible happens.
fn kind(asks: &Asks) -> buchi::Kind {
    match asks {
        Asks::Holds(_) | Asks::Enabled(_) | Asks::Count(..) | Asks::Sink | Asks::CanMove(_) => {
            buchi::Kind::State
        }
        Asks::Taken(_) | Asks::Deadlock | Asks::BeforeAfter(..) | Asks::Moves(_) => {
            buchi::Kind::Event
        }
        Asks::Change(_, _, Change::Unchanged) => buchi::Kind::Rest,
        Asks::Change(..) => buchi::Kind::Event,
    }
}

/// The groups that can change an atom, or take a step that one is about.
pub(super) fn visible(
    subject: &dyn Subject,
    ground: &dyn Ground,
    relations: &Relations,
    atoms: &Atoms,
) -> GroupSet {
    let shape = ground.system().shape();
    let mut is_read = vec![false; subject.description().components.len()];
    for question in &atoms.questions {
        for component in subject.reads(*question) {
            is_read[component.index()] = true;
        }
    }
    let mut visible = GroupSet::new(shape.groups.len());
    for (at, group) in shape.groups.iter().enumerate() {
        let mut written = group.may_write.iter();
        let is_seen = written.any(|slot| is_read[ground.component(slot).index()]);
        if !group.is_pure || is_seen {
            visible.insert(at);
        }
    }
    for atom in &atoms.atoms {
        match &atom.asks {
            Asks::Taken(wanted) => {
                for group in groups_of(wanted.event, ground) {
                    visible.insert(group);
                }
            }
            Asks::Enabled(wanted) => changers(wanted, ground, relations, &mut visible),
            Asks::Count(all, _) => {
                for wanted in all {
                    changers(wanted, ground, relations, &mut visible);
                }
            }
            _ => {}
        }
    }
    visible
}

/// The groups of an event.
fn groups_of(event: EventId, ground: &dyn Ground) -> Vec<usize> {
    let all = 0..ground.system().shape().groups.len();
    all.filter(|group| ground.event(GroupId::new(*group)) == event)
        .collect()
}

/// The groups after which other steps of this kind may be possible than before.
fn changers(wanted: &Match, ground: &dyn Ground, relations: &Relations, visible: &mut GroupSet) {
    let shape = ground.system().shape();
    for own in groups_of(wanted.event, ground) {
        let reads = &shape.groups[own].reads;
        for (at, group) in shape.groups.iter().enumerate() {
            let touches = group.may_write.intersects(reads);
            // Whether there are steps at all is known better than which.
            let may_switch = relations.can_enable.has(at, own)
                || relations.can_disable.has(at, own)
                || at == own;
            if touches && (may_switch || !wanted.arguments.is_empty()) {
                visible.insert(at);
            }
        }
    }
}
