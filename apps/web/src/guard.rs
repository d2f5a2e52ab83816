//! Who is let in: requests of our own pages, with the token that the server printed when it began.
//!
//! Another page in the same browser can send requests to the loopback address too. It does not know the token; its origin is refused
//! besides, and so is a host name that merely resolves to this machine.

use std::io;

use axum::http::{HeaderMap, StatusCode, header};

/// Decides who is let in.
pub(crate) struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    /// A guard with a new token.
    pub(crate) fn new(port: u16) -> io::Result<Guard> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Guard { token, port })
    }

    /// The address to open, the token in it. What follows `#` stays in the browser.
    pub(crate) fn address(&self, file: Option<&str>) -> String {
        let file = file.map(|file| format!("&file={}", escaped(file)));
        format!(
            "http://127.0.0.1:{}/#token={}{}",
            self.port,
            self.token,
            file.unwrap_or_default()
        )
    }

    /// Whether a request comes from a page of ours, by its host and origin.
    pub(crate) fn is_ours(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{}", self.port));
        let is_host =
            text(header::HOST).is_some_and(|host| hosts.iter().any(|known| known == host));
        let is_origin = match text(header::ORIGIN) {
            None => true,
            Some(origin) => hosts
                .iter()
                .any(|known| origin == format!("http://{known}")),
        };
        is_host && is_origin
    }

    /// Lets a request in that has the token.
    pub(crate) fn admit(&self, headers: &HeaderMap) -> Result<(), StatusCode> {
        if !self.is_ours(headers) {
            return Err(StatusCode::FORBIDDEN);
        }
        let given = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        let given = given
            .and_then(|value| value.strip_prefix("Bearer "))
            .unwrap_or_default();
        match same(given.as_bytes(), self.token.as_bytes()) {
            true => Ok(()),
            false => Err(StatusCode::UNAUTHORIZED),
        }
    }
}

/// Compares in a time that does not tell how much is equal.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |sum, (x, y)| sum | (x ^ y)) == 0
}

/// A text as a part of an address.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                escaped.push(char::from(byte));
            }
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

    use super::{Guard, same};

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_str(text).expect("a header");
        pairs
            .iter()
            .map(|(name, text)| (name.clone(), value(text)))
            .collect()
    }

    #[test]
    fn only_our_pages_with_the_token_are_let_in() {
        let guard = Guard::new(8000).expect("there is randomness");
        let bearer = format!("Bearer {}", guard.token);
        let host = (header::HOST, "127.0.0.1:8000");
        let token = (header::AUTHORIZATION, bearer.as_str());
        let admitted = |pairs: &[(header::HeaderName, &str)]| guard.admit(&headers(pairs));
        assert_eq!(admitted(&[host.clone(), token.clone()]), Ok(()));
        let own = (header::ORIGIN, "http://localhost:8000");
        assert_eq!(admitted(&[host.clone(), token.clone(), own]), Ok(()));
        for other in [
            "http://evil.example",
            "http://127.0.0.1:8001",
            "null",
            "https://127.0.0.1:8000",
        ] {
            let origin = (header::ORIGIN, other);
            let answer = admitted(&[host.clone(), token.clone(), origin]);
            assert_eq!(answer, Err(StatusCode::FORBIDDEN), "{other}");
        }
        let rebound = (header::HOST, "evil.example:8000");
        assert_eq!(
            admitted(&[rebound, token.clone()]),
            Err(StatusCode::FORBIDDEN)
        );
        assert_eq!(admitted(&[token]), Err(StatusCode::FORBIDDEN));
        let wrong = (header::AUTHORIZATION, "Bearer 0");
        assert_eq!(
            admitted(&[host.clone(), wrong]),
            Err(StatusCode::UNAUTHORIZED)
        );
        assert_eq!(admitted(&[host]), Err(StatusCode::UNAUTHORIZED));
        assert!(same(b"ab", b"ab") && !same(b"ab", b"ac") && !same(b"ab", b"a"));
    }

    #[test]
    fn tokens_differ() {
        let token = || Guard::new(1).expect("there is randomness").token;
        assert_ne!(token(), token());
    }
}
