//! `burnside --explain CODE`

use base::Class;
use workbench::explain;

use crate::console::Console;
use crate::languages::LANGUAGES;

/// Shows the long text of a code.
pub(crate) fn run(id: &str, console: &mut Console) -> u8 {
    match explain(&LANGUAGES, id) {
        Ok(code) => {
            let meaning = match code.class {
                Class::Syntax => "syntax error",
                Class::Type => "type or scope error",
                Class::Unsupported => "unsupported",
                Class::Usage => "usage",
            };
            console.answer(&format!("{}: {}\n", code.id, code.title));
            console.answer(&format!("{}\n", code.explain.trim_end()));
            console.answer(&format!(
                "As an error: exit code {} ({meaning}).",
                code.class.exit()
            ));
            0
        }
        Err(unknown) => {
            let near = unknown
                .near
                .map(|near| format!("; did you mean \"{near}\"?"));
            let near = near.unwrap_or_default();
            console.say(&format!(
                "error: there is no diagnostic code \"{}\"{near}",
                id.escape_debug()
            ));
            2
        }
    }
}
