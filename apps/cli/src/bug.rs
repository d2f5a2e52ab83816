//! Says what to do when the program itself is wrong: a panic names a broken invariant and exits with 255.

use std::io::Write;
use std::panic::PanicHookInfo;

use crate::failure;

/// The exit code of an internal error.
const EXIT: i32 = 255;

/// From now on a panic is reported as a bug and ends the process.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|info| {
        tell(info);
        failure::tell(&format!("internal error: {}", message(info)), EXIT);
        std::process::exit(EXIT);
    }));
}

/// From now on a panic is reported as a bug, and whoever catches it goes on.
pub(crate) fn tell_only() {
    std::panic::set_hook(Box::new(tell));
}

fn tell(info: &PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string);
    let report = report(&message(info), place.as_deref().unwrap_or("unknown place"));
    let _ = writeln!(std::io::stderr().lock(), "{report}");
}

fn message(info: &PanicHookInfo<'_>) -> String {
    let text = info.payload_as_str().unwrap_or("no message");
    text.trim_end().to_owned()
}

/// The text of a bug report, for people to pass on.
pub(crate) fn report(message: &str, place: &str) -> String {
    format!(
        "internal error: this is a bug in burnside, not in your model
  broken invariant: {message}
  at: {place}
  version: burnside {} ({} {})
Please report it: attach this text, the command line, and the files it names.",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_bug_report_names_the_invariant_and_what_to_attach() {
        let report = super::report("every group has a guard", "crates/x.rs:1:2");
        for part in [
            "this is a bug in burnside",
            "every group has a guard",
            "crates/x.rs:1:2",
            env!("CARGO_PKG_VERSION"),
            "attach",
        ] {
            assert!(report.contains(part), "{part} is missing in\n{report}");
        }
    }
}
