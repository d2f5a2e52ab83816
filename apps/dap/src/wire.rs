//! Messages with their lengths before them, in and out.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver};

use serde_json::Value;

/// A longer message is none of an editor's.
const LONGEST: usize = 64 << 20;

/// What arrives on standard input, until it ends; a thread of its own reads, so that a run can be paused.
pub(crate) fn listen() -> Receiver<Value> {
    let (send, messages) = mpsc::channel();
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(message) = read(&mut input) {
            if send.send(message).is_err() {
                break;
            }
        }
    });
    messages
}

/// The next message; `None` at the end, or when what arrives is no message.
fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let mut bytes = Vec::new();
    let length = length.filter(|length| *length <= LONGEST)?;
    input.take(length as u64).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Writes a message.
pub(crate) fn write(message: &Value) -> io::Result<()> {
    let text = message.to_string();
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_by_their_lengths() {
        let mut input =
            "Content-Length: 2\r\n\r\n{}content-length:4\r\nX: y\r\n\r\ntrueContent-Length: 9"
                .as_bytes();
        assert_eq!(read(&mut input), Some(serde_json::json!({})));
        assert_eq!(read(&mut input), Some(Value::Bool(true)));
        assert_eq!(read(&mut input), None);
    }
}
