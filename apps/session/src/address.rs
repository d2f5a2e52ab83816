//! Texts as parts of addresses: bytes that have a meaning there are written as `%` and two digits.

/// A text as a part of an address; `/` keeps its meaning.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                escaped.push(char::from(byte));
            }
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

/// A part of an address as text.
pub fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{escaped, unescaped};

    #[test]
    fn texts_are_escaped_and_back() {
        for text in ["/a/b.mch", "/a b/ü%41.mch", "/x+y/(1).pml", "%", "%4"] {
            assert_eq!(unescaped(&escaped(text)), text);
        }
        assert_eq!(unescaped("a%20b%zz"), "a b%zz");
    }
}
