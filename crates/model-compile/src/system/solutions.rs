//! The solutions of a predicate over names that are bound nowhere else: what `solve` asks.

use lang_math::Op;
use model::{ExprId, Kind, Model, Value};
use pins::{Fault, FaultKind, Flow, Halt, Notes};

use super::{Compiled, build};
use crate::Options;
use crate::code::Compiler;
use crate::cx::{Cx, NO_TRIAL};
use crate::plan::Unknown;
use crate::planner::{Manner, Undefined};
use crate::trap::Trap;

/// In which state, by which back end, and who may end it.
type Place<'a> = (&'a [u32], model_solve::Solver, &'a Halt);

/// How far numbers without bounds are looked at, one after the other, until there is a solution.
const CUTS: [i64; 2] = [64, 2048];
/// So many candidates are looked at there.
const FUEL: u64 = 3_000_000;

impl Compiled {
    /// Gives the values of the names of a comprehension for which its predicate holds in a state, as they are found;
    /// `None` for a set that cannot be listed. `model` is the compiled one, possibly with formulas added since.
    ///
    /// # Errors
    /// The fault that ended the search; what was given before counts.
    pub fn solutions(
        &self,
        model: &Model,
        comprehension: ExprId,
        place: Place<'_>,
        give: &mut dyn FnMut(&[Option<Value>]) -> Flow,
    ) -> (Result<(), Fault>, Notes) {
        let mut given = false;
        let mut counted = |values: &[Option<Value>]| {
            given = true;
            give(values)
        };
        let mut ended = self.solutions_within(model, comprehension, place, None, &mut counted);
        for cut in CUTS {
            let (_, notes) = &ended;
            if given || notes.cuts.is_empty() || place.2.is_set() {
                break;
            }
            let mut counted = |values: &[Option<Value>]| {
                given = true;
                give(values)
            };
            let further =
                self.solutions_within(model, comprehension, place, Some(cut), &mut counted);
            // What ran out of fuel without a solution says nothing.
            let is_given_up = matches!(&further.0, Err(fault) if fault.kind == FaultKind::Halted);
            if given || !is_given_up {
                ended = further;
            }
        }
        ended
    }

    /// The same with numbers up to a cut, as far as the fuel for it lasts; without end, and with the usual cut, without one.
    fn solutions_within(
        &self,
        model: &Model,
        comprehension: ExprId,
        (state, solver, halt): Place<'_>,
        cut: Option<i64>,
        give: &mut dyn FnMut(&[Option<Value>]) -> Flow,
    ) -> (Result<(), Fault>, Notes) {
        let options = Options {
            max_set: self.program.max_set,
            max_turns: self.program.max_turns,
            solver,
            ..Options::default()
        };
        let mut program = build::program(model, &options);
        if let Some(cut) = cut {
            program.cut = (program.cut.0.min(-cut), program.cut.1.max(cut));
        }
        let compiler = Compiler::new(model, &program);
        compiler.patience.set(match solver {
            model_solve::Solver::Auto => compiler.patience.get(),
            _ => 0.0,
        });
        let Kind::Bind {
            names, predicate, ..
        } = &model.exprs[comprehension].kind
        else {
            return (Ok(()), Notes::default());
        };
        let unknowns: Vec<Unknown> = names.iter().map(|name| Unknown::Local(*name)).collect();
        let manner = Manner {
            undefined: Undefined::Fault,
            chooses: true,
            relaxed: true,
            place: predicate.index() as u32,
        };
        let plan = compiler.plan_apart(&unknowns, &compiler.chain(Op::And, *predicate), manner);
        let mut cx = Cx::new(&program, &self.table);
        cx.load_state(state);
        cx.halt = halt.clone();
        cx.fuel = cut.map_or(NO_TRIAL, |_| FUEL);
        let mut has_enough = false;
        let result = plan.run(&mut cx, &mut |cx| {
            let mut values = Vec::new();
            for name in names {
                let ty = model.locals[*name].ty;
                let value = cx.frame[name.index()].clone();
                let value = cx.canonical(value)?;
                values.push(cx.reps().to_value(ty, &value));
            }
            match give(&values) {
                Flow::Continue => Ok(()),
                Flow::Stop => {
                    has_enough = true;
                    Err(Trap::Stop)
                }
            }
        });
        let notes = cx.take_notes();
        // A component without solutions stops as well: what was passed over on the way to it still counts.
        let open = match result {
            Ok(()) | Err(Trap::Stop) => cx.passed.filter(|_| !has_enough),
            Err(trap) => Some(trap),
        };
        (open.map_or(Ok(()), |trap| Err(cx.fault(trap))), notes)
    }
}
