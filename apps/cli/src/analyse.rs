//! `burnside analyse FILE`

use base::Name;
use workbench::{Scopes, analyse};

use crate::args::analyse::AnalyseArgs;
use crate::console::Console;
use crate::lint;

/// Shows the analysis of a file, or its errors.
pub(crate) fn run(args: &AnalyseArgs, console: &mut Console) -> u8 {
    let cards = args.card.iter();
    let preferences = args.pref.iter();
    let scopes = Scopes {
        cards: cards.map(|(set, size)| (Name::new(set), *size)).collect(),
        preferences: preferences
            .map(|(name, value)| (Name::new(name), value.clone()))
            .collect(),
    };
    let analysed = analyse(&args.file, &scopes);
    match (&analysed.analysis, args.json) {
        (Some(analysis), true) => console.json(analysis),
        (None, true) => console.json(&analysed.lint.report()),
        (analysis, false) => {
            lint::show(&analysed.lint, true, console);
            if let Some(analysis) = analysis {
                console.answer(analysis.text().trim_end());
            }
        }
    }
    analysed.lint.exit()
}
