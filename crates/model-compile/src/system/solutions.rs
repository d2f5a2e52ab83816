//! The solutions of a predicate over names that are bound nowhere else: what `solve` asks.

use lang_math::Op;
use model::{ExprId, Kind, Model, Value};
use pins::{Fault, Flow, Halt, Notes};

use super::{Compiled, build};
use crate::Options;
use crate::code::Compiler;
use crate::cx::Cx;
use crate::plan::Unknown;
use crate::planner::{Manner, Undefined};
use crate::trap::Trap;

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
        (state, solver, halt): (&[u32], model_solve::Solver, &Halt),
        give: &mut dyn FnMut(&[Option<Value>]) -> Flow,
    ) -> (Result<(), Fault>, Notes) {
        let options = Options {
            max_set: self.program.max_set,
            max_turns: self.program.max_turns,
            solver,
            ..Options::default()
        };
        let program = build::program(model, &options);
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
                Flow::Stop => Err(Trap::Stop),
            }
        });
        let notes = cx.take_notes();
        match (result, cx.passed) {
            (Ok(()), Some(trap)) | (Err(trap), _) if trap != Trap::Stop => {
                (Err(cx.fault(trap)), notes)
            }
            _ => (Ok(()), notes),
        }
    }
}
