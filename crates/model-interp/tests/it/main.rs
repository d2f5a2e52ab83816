//! Claims about the whole evaluator, asked in the notation of B.

mod formulas;
mod steps;

use std::path::Path;

use base::Sources;
use lang_b::check::{Checked, check_text};
use model::Model;
use model::scope::Scopes;

use model_interp::{Interp, Notes, Options, State, Stop, StopKind, Wd};

/// A machine, lowered, and formulas over it.
struct Machine {
    sources: Sources,
    checked: Checked,
    model: Model,
}

impl Machine {
    fn new(text: &str) -> Machine {
        let mut sources = Sources::new();
        let checked = check_text(Path::new("M.mch"), text.to_owned(), &mut sources);
        let errors: Vec<_> = checked.diagnostics.iter().map(|d| &d.message).collect();
        assert!(!checked.diagnostics.has_errors(), "{errors:?} in {text}");
        let model = match lower_b::lower(&checked, &Scopes::default()) {
            Ok(model) => model,
            Err(diagnostics) => {
                let errors: Vec<_> = diagnostics.iter().map(|d| d.message.clone()).collect();
                panic!("{errors:?} in {text}");
            }
        };
        Machine {
            sources,
            checked,
            model,
        }
    }

    fn interp(&self, wd: Wd) -> Interp<'_> {
        let budget = 2_000_000;
        Interp::new(&self.model, Options { wd, budget })
    }

    /// The first initial state.
    fn start(&self) -> State {
        let mut interp = self.interp(Wd::Default);
        let setups = interp.setups(1).unwrap_or_else(|stop| panic!("{stop}"));
        let mut states = interp
            .initial(&setups[0], 1)
            .unwrap_or_else(|stop| panic!("{stop}"));
        states.swap_remove(0)
    }

    fn formula(&mut self, text: &str) -> model::ExprId {
        match lower_b::formula(&mut self.checked, &mut self.model, text, &mut self.sources) {
            Ok(formula) => formula.expr,
            Err(diagnostics) => {
                let errors: Vec<_> = diagnostics.iter().map(|d| d.message.clone()).collect();
                panic!("{errors:?} in {text}");
            }
        }
    }

    /// The value of a formula in a state, and what was noted.
    fn ask(&mut self, text: &str, state: &State) -> (Result<String, Stop>, Notes) {
        let formula = self.formula(text);
        let mut interp = self.interp(Wd::Default);
        let value = interp.eval(formula, state);
        let value = value.map(|value| value.show(&self.model.tys));
        (value, interp.take_notes())
    }

    /// Values as canonical text, `?` for undefined, `oo` for what is open, `~` before what was cut.
    fn check(&mut self, claims: &[(&str, &str)]) {
        let state = self.start();
        for (formula, expected) in claims {
            let (value, notes) = self.ask(formula, &state);
            let cut = if notes.cuts.is_empty() { "" } else { "~" };
            let found = match value {
                Ok(value) => format!("{cut}{value}"),
                Err(stop) => match stop.kind {
                    StopKind::Undefined => "?".to_owned(),
                    StopKind::Open => "oo".to_owned(),
                    StopKind::Violated => format!("violated: {stop}"),
                    StopKind::Refinement => format!("refinement: {stop}"),
                    StopKind::Budget => "budget".to_owned(),
                    StopKind::Unsupported => format!("unsupported: {stop}"),
                },
            };
            assert_eq!(found, *expected, "{formula}");
        }
    }
}
