//! `burnside cbc FILE`

use serde::Serialize;
use workbench::{Answers, constrain};

use crate::args::cbc::CbcArgs;
use crate::console::Console;
use crate::lint;
use crate::patience::Patience;

/// The JSON form.
#[derive(Serialize)]
struct Report<'a> {
    tool: &'static str,
    schema: u8,
    #[serde(flatten)]
    answers: &'a Answers,
}

/// Asks, and shows the answers.
pub(crate) fn run(args: &CbcArgs, console: &mut Console) -> u8 {
    let (bench, setting) = (args.solving.model.bench(), args.solving.model.setting());
    let patience = Patience::new(args.solving.max_time);
    let halt = patience.begin();
    let file = (args.file.as_path(), &setting);
    match constrain(&bench, file, &args.asked(), (args.solving.solver, &halt)) {
        Err(wrong) => lint::refuse(&wrong, args.solving.json, console),
        Ok(answers) => {
            if args.solving.json {
                console.json(&Report {
                    tool: "burnside",
                    schema: 1,
                    answers: &answers,
                });
            } else {
                console.answer(answers.text().trim_end());
            }
            answers.exit()
        }
    }
}
