//! Solutions of predicates over the names that mean nothing in the model.

mod best;

use base::{Diagnostic, Diagnostics, Sources};
use lang_math::{Op, Place};
use model::{ExprId, Kind, LocalId, Model, Value as Inner};
use model_interp::State;
use pins::Halt;
use subject::codes::NOT_EXECUTABLE;
use subject::solving::{Ended, Give, Position, Solving, Unsolved};
use subject::{Form, Parts};

use crate::free::free_names;
use crate::ground::{self, Program, back_end};
use crate::value::wrap_all;
use crate::{Sets, program, questions};

impl Solving for Sets {
    fn unknowns(&mut self, predicate: &str, sources: &mut Sources) -> Vec<String> {
        let file = sources.add("<predicate>", predicate.to_owned());
        let place = Place::whole(file, sources.text(file));
        let names = free_names(self.loaded.get(), &self.part, place);
        names
            .iter()
            .map(|unknown| unknown.name.to_string())
            .collect()
    }

    fn rules(&mut self, predicate: &str, sources: &mut Sources) -> Vec<Option<String>> {
        let names = self.unknowns(predicate, sources);
        let Ok(comprehension) = questions::solve_scope(self, predicate, &names, sources) else {
            return Vec::new();
        };
        let model = &self.model;
        let Kind::Bind {
            names, predicate, ..
        } = &model.exprs[comprehension].kind
        else {
            return Vec::new();
        };
        names
            .iter()
            .map(|name| definition(model, *predicate, *name))
            .collect()
    }

    fn solutions(
        &mut self,
        unsolved: Unsolved<'_>,
        at: Position<'_>,
        sources: &mut Sources,
        halt: &Halt,
        give: Give<'_>,
    ) -> Result<Ended, Diagnostics> {
        let names = self.unknowns(unsolved.predicate, sources);
        let comprehension = questions::solve_scope(self, unsolved.predicate, &names, sources)?;
        if !matches!(self.model.exprs[comprehension].kind, Kind::Bind { .. }) {
            let mut diagnostics = Diagnostics::new();
            let message = "the predicate cannot be solved for its names";
            diagnostics.push(Diagnostic::global(&NOT_EXECUTABLE, message));
            return Err(diagnostics);
        }
        let solver = back_end(unsolved.solver);
        let tys = self.tys.clone();
        let mut give = |values: &[Option<Inner>]| give(&wrap_all(&tys, values.to_vec()));
        let mut own = None;
        let (program, state): (&Program, Vec<u32>) = match at {
            Position::State(ground, state) if program(ground).is_some() => {
                let Some(program) = program(ground) else {
                    unreachable!("it was one a line above");
                };
                (program, state.to_vec())
            }
            Position::State(ground, state) => {
                let values = ground.values(state);
                let values = crate::value::unwrap_all(&values);
                let program = own.insert(self.whole()?);
                let state = program.system.encode(&plain(&values));
                (program, state)
            }
            Position::Moment(moment) => {
                let values = moment.state::<State>().values().to_vec();
                let program = own.insert(self.whole()?);
                let state = program.system.encode(&plain(&values));
                (program, state)
            }
        };
        let place = (&state[..], solver, halt);
        let ask = |model: &Model, set, give: best::Take<'_>| {
            program.system.solutions(model, set, place, give)
        };
        match unsolved.aim {
            None => Ok(Ended::without(ask(&self.model, comprehension, &mut give))),
            Some(aim) => {
                let ways: (best::Ask<'_>, best::Take<'_>) = (&ask, &mut give);
                best::best(self, (comprehension, &names), &aim, sources, ways)
            }
        }
    }
}

impl Sets {
    /// The model, compiled for a question.
    fn whole(&self) -> Result<Program, Diagnostics> {
        let form = Form {
            parts: Parts::Whole,
            ..Form::default()
        };
        let program = ground::compile((&self.model, &self.setups), (&[], None), &form)?;
        Ok(program.expect("a model as a whole always has a form"))
    }
}

/// The rule that a conjunct gives a name: `name = {x | …}`, `name = %x.(…)`.
fn definition(model: &Model, predicate: ExprId, name: LocalId) -> Option<String> {
    let mut todo = vec![predicate];
    while let Some(next) = todo.pop() {
        match &model.exprs[next].kind {
            Kind::Op(Op::And, args) => todo.extend(args.iter().rev()),
            Kind::Op(Op::Equal, sides) => {
                let is_name = |side: ExprId| matches!(model.exprs[side].kind, Kind::Local(known) if known == name);
                let rule = match sides.as_slice() {
                    [left, right] if is_name(*left) => *right,
                    [left, right] if is_name(*right) => *left,
                    _ => continue,
                };
                if questions::is_rule(model, rule) {
                    return Some(model::text::formula(model, rule));
                }
            }
            _ => {}
        }
    }
    None
}

/// Values for slots; what has none is not read.
fn plain(values: &[Option<Inner>]) -> Vec<Inner> {
    let any = Inner::Bool(false);
    let values = values.iter();
    values
        .map(|value| value.clone().unwrap_or_else(|| any.clone()))
        .collect()
}
