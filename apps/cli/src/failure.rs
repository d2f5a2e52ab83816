//! Tells scripts that there is no result: with `--json` wrong options and internal errors are an object too.
//!
//! Invariant: it writes past the lock of standard output, which the thread that failed may not hold.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::AsFd as _;

/// Whether the command line asks for JSON.
pub(crate) fn wants_json() -> bool {
    let mut options = std::env::args().skip(1).take_while(|word| word != "--");
    options.any(|word| word == "--json")
}

/// The object of a run without a result.
fn object(message: &str, exit: i32) -> serde_json::Value {
    serde_json::json!({
        "tool": "burnside",
        "version": env!("CARGO_PKG_VERSION"),
        "schema": 1,
        "verdict": "error",
        "diagnostics": [{"code": null, "severity": "error", "message": message}],
        "exit": exit,
    })
}

/// Writes the object, if the command line asks for JSON. Who reads nothing has the exit code.
pub(crate) fn tell(message: &str, exit: i32) {
    if !wants_json() {
        return;
    }
    if let Ok(out) = std::io::stdout().as_fd().try_clone_to_owned() {
        _ = writeln!(File::from(out), "{}", object(message, exit));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_failure_is_an_error_with_its_message_and_code() {
        let object = super::object("no such option", 2);
        assert_eq!(object["verdict"], "error");
        assert_eq!(object["exit"], 2);
        assert_eq!(object["diagnostics"][0]["message"], "no such option");
    }
}
