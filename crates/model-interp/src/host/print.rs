//! Output of models: the text goes to the notes, the predicate is true.

use model::Value;

use crate::Interp;
use crate::sequence;
use crate::stop::Run;

impl Interp<'_> {
    /// The value of an output function, or `None` if it is none.
    pub(super) fn print(&mut self, name: &str, values: &[Value]) -> Option<Run<Value>> {
        let truth = Ok(Value::Bool(true));
        let text = match (name, values) {
            (
                "printf" | "dprintf" | "iprintf" | "tprintf" | "printf_nonvar" | "PRINTF",
                [Value::Str(format), values],
            )
            | ("fprintf" | "FPRINTF", [_, Value::Str(format), values]) => {
                self.format_all(format, values)
            }
            ("printf_opt_trace", [Value::Str(format), values, Value::Bool(wanted)]) => {
                if !wanted {
                    return Some(truth);
                }
                self.format_all(format, values)
            }
            ("printf_two", [Value::Str(format), value, Value::Str(other), second]) => {
                let first = self.format(format, std::slice::from_ref(value));
                format!(
                    "{first}{}",
                    self.format(other, std::slice::from_ref(second))
                )
            }
            ("vprintf", [Value::Str(format), value])
            | ("fvprintf", [_, Value::Str(format), value]) => {
                let text = self.format(format, std::slice::from_ref(value));
                self.notes.output.push(text);
                return Some(Ok(value.clone()));
            }
            (
                "PRINT" | "PRINT_BT" | "print1" | "observe" | "observe_silent" | "observe_indent"
                | "tobserve" | "observe_fun",
                [value],
            ) => self.host_text(value),
            ("DEBUG_PRINT_STATE", [Value::Str(text)]) => text.to_string(),
            ("ADD_ERROR" | "ADD_STATE_ERROR" | "ADD_WARNING", [Value::Str(text), value]) => {
                format!("{text}{}", self.host_text(value))
            }
            ("ADD_ERRORS" | "ADD_STATE_ERRORS" | "ADD_WARNINGS", [value]) => self.host_text(value),
            ("TRACE" | "SLEEP", [_]) => return Some(truth),
            _ => return None,
        };
        self.notes.output.push(text);
        Some(truth)
    }

    /// The text with the members of a sequence in it. Libraries of the field declare other types; then it is the value itself.
    fn format_all(&mut self, format: &str, values: &Value) -> String {
        match sequence::members(values) {
            Ok(values) => self.format(format, &values),
            Err(_) => self.format(format, std::slice::from_ref(values)),
        }
    }
}
