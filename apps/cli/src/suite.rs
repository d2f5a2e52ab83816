//! `burnside tests FILE`

use workbench::suite;

use crate::args::suite::TestsArgs;
use crate::console::Console;
use crate::patience::Patience;
use crate::{export, lint};

/// Shows test cases.
pub(crate) fn run(args: &TestsArgs, console: &mut Console) -> u8 {
    let (bench, setting) = (args.model.bench(), args.model.setting());
    let patience = Patience::new(args.max_time);
    let file = (args.file.as_path(), &setting);
    match suite(&bench, file, &args.wanted(), &patience.begin()) {
        Err(wrong) => lint::refuse(&wrong, args.json, console),
        Ok(suite) => {
            if let Some(out) = &args.out
                && !export::write(Some(out), &suite.xml(), console)
            {
                return 2;
            }
            match args.json {
                true => console.json(&suite),
                false => console.answer(suite.text().trim_end()),
            }
            suite.exit()
        }
    }
}
