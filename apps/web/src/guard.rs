//! Who is let in: requests of our own pages, with the token that the server printed when it began.
//!
//! Another page in the same browser can send requests to the loopback address too. It does not know the token; its origin is refused
//! besides, and so is a host name that merely resolves to this machine.

use std::io;

use session::address::escaped;

use crate::http::{Request, Status};

/// Decides who is let in.
pub(crate) struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    /// A guard with a new token.
    pub(crate) fn new(port: u16) -> io::Result<Guard> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
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
    pub(crate) fn is_ours(&self, request: &Request) -> bool {
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{}", self.port));
        let is_host = request
            .header("host")
            .is_some_and(|host| hosts.iter().any(|known| known == host));
        let is_origin = match request.header("origin") {
            None => true,
            Some(origin) => hosts
                .iter()
                .any(|known| origin == format!("http://{known}")),
        };
        is_host && is_origin
    }

    /// Lets a request in that has the token.
    pub(crate) fn admit(&self, request: &Request) -> Result<(), Status> {
        if !self.is_ours(request) {
            return Err(Status::Forbidden);
        }
        let given = request.header("authorization");
        let given = given
            .and_then(|value| value.strip_prefix("Bearer "))
            .unwrap_or_default();
        match same(given.as_bytes(), self.token.as_bytes()) {
            true => Ok(()),
            false => Err(Status::Unauthorized),
        }
    }
}

/// Compares in a time that does not tell how much is equal.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |sum, (x, y)| sum | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::{Guard, same};
    use crate::http::{Request, Status};

    #[test]
    fn only_our_pages_with_the_token_are_let_in() {
        let guard = Guard::new(8000).expect("there is randomness");
        let bearer = format!("Bearer {}", guard.token);
        let admitted =
            |headers: &[(&str, &str)]| guard.admit(&Request::plain("GET", "/api/files", headers));
        let (host, token) = (
            ("host", "127.0.0.1:8000"),
            ("authorization", bearer.as_str()),
        );
        assert_eq!(admitted(&[host, token]), Ok(()));
        assert_eq!(
            admitted(&[host, token, ("origin", "http://localhost:8000")]),
            Ok(())
        );
        for other in [
            "http://evil.example",
            "http://127.0.0.1:8001",
            "null",
            "https://127.0.0.1:8000",
        ] {
            let answer = admitted(&[host, token, ("origin", other)]);
            assert_eq!(answer, Err(Status::Forbidden), "{other}");
        }
        assert_eq!(
            admitted(&[("host", "evil.example:8000"), token]),
            Err(Status::Forbidden)
        );
        assert_eq!(admitted(&[token]), Err(Status::Forbidden));
        let wrong = ("authorization", "Bearer 0");
        assert_eq!(admitted(&[host, wrong]), Err(Status::Unauthorized));
        assert_eq!(admitted(&[host]), Err(Status::Unauthorized));
        assert!(same(b"ab", b"ab") && !same(b"ab", b"ac") && !same(b"ab", b"a"));
    }

    #[test]
    fn tokens_differ() {
        let token = || Guard::new(1).expect("there is randomness").token;
        assert_ne!(token(), token());
    }
}
