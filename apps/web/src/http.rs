//! As much of HTTP/1.1 as pages of our own need: one request on each connection, bodies with a length, bounded sizes and times.
//!
//! By hand: the usual crates would bring forty packages and change features of crates that everything else is built with (decision 0123).
//! Invariant: whatever arrives, the answer is one of ours or the connection ends; a handler that panics is an answer too.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use session::address::unescaped;

/// The longest head of a request.
const MAX_HEAD: u64 = 16 * 1024;
/// The largest body: a model with what it refers to.
const MAX_BODY: usize = 16 * 1024 * 1024;
/// How long a client may be silent.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a whole request may take to arrive: a client that sends a byte now and then holds its connection no longer.
const ARRIVAL: Duration = Duration::from_secs(60);
/// So many connections are served at once.
const MAX_CONNECTIONS: usize = 64;

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ok,
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    NotAllowed,
    TooLarge,
    Unsupported,
    Unprocessable,
    Internal,
    Busy,
}

impl Status {
    /// The number and the words.
    pub(crate) fn line(self) -> &'static str {
        match self {
            Status::Ok => "200 OK",
            Status::BadRequest => "400 Bad Request",
            Status::Unauthorized => "401 Unauthorized",
            Status::Forbidden => "403 Forbidden",
            Status::NotFound => "404 Not Found",
            Status::NotAllowed => "405 Method Not Allowed",
            Status::TooLarge => "413 Content Too Large",
            Status::Unsupported => "415 Unsupported Media Type",
            Status::Unprocessable => "422 Unprocessable Content",
            Status::Internal => "500 Internal Server Error",
            Status::Busy => "503 Service Unavailable",
        }
    }
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// `GET`, …
    pub(crate) method: String,
    /// The path, without what follows `?`.
    pub(crate) path: String,
    /// What follows `?`, unescaped.
    pub(crate) query: BTreeMap<String, String>,
    /// The body.
    pub(crate) body: Vec<u8>,
    headers: BTreeMap<String, String>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    /// How it ended.
    pub(crate) status: Status,
    /// What the body is.
    pub(crate) kind: &'static str,
    /// The body.
    pub(crate) body: Vec<u8>,
}

/// Pages may load nothing from elsewhere, and nobody may frame them.
const HEADERS: &str = "\
Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
X-Content-Type-Options: nosniff\r\n\
Referrer-Policy: no-referrer\r\n\
Cache-Control: no-store\r\n\
Connection: close\r\n";

impl Request {
    /// The text of a header, by its name in small letters. One that was given twice is none.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// A request without a body.
    #[cfg(test)]
    pub(crate) fn plain(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let headers = headers.iter();
        let headers = headers.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: BTreeMap::new(),
            body: Vec::new(),
            headers: headers.collect(),
        }
    }
}

/// Answers every connection, each on a thread of its own, until the process ends.
pub(crate) fn listen(
    listener: &TcpListener,
    answer: impl Fn(&Request) -> Response + Send + Sync + 'static,
) -> io::Result<()> {
    let answer = Arc::new(answer);
    let served = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        // A client that is gone before it was served is no problem of the others.
        let Ok(stream) = stream else { continue };
        if served.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
            served.fetch_sub(1, Ordering::Relaxed);
            let _ = write(&stream, &refusal(Status::Busy));
            continue;
        }
        let (answer, served) = (Arc::clone(&answer), Arc::clone(&served));
        std::thread::spawn(move || {
            // Nobody is left to be told when the connection broke.
            let _ = serve(&stream, &*answer);
            served.fetch_sub(1, Ordering::Relaxed);
        });
    }
    Ok(())
}

fn serve(stream: &TcpStream, answer: &dyn Fn(&Request) -> Response) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let arriving = Arriving {
        stream,
        until: Instant::now() + ARRIVAL,
    };
    let response = match read(&mut BufReader::new(arriving))? {
        Ok(request) => catch_unwind(AssertUnwindSafe(|| answer(&request)))
            .unwrap_or_else(|_| refusal(Status::Internal)),
        Err(status) => refusal(status),
    };
    write(stream, &response)
}

/// A request that arrives, until its time is over.
struct Arriving<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Read for Arriving<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left.min(PATIENCE)))?;
        self.stream.read(into)
    }
}

fn refusal(status: Status) -> Response {
    Response {
        status,
        kind: "application/json",
        body: format!("{{\"error\":\"{}\"}}", &status.line()[4..]).into_bytes(),
    }
}

fn write(mut stream: &TcpStream, response: &Response) -> io::Result<()> {
    let Response { status, kind, body } = response;
    let (line, length) = (status.line(), body.len());
    let head = format!(
        "HTTP/1.1 {line}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{HEADERS}\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

/// Reads a request; what is none of ours is refused.
fn read(from: &mut impl BufRead) -> io::Result<Result<Request, Status>> {
    let mut head = from.by_ref().take(MAX_HEAD);
    let mut first = String::new();
    head.read_line(&mut first)?;
    let words: Vec<&str> = first.split_whitespace().collect();
    let [method, target, "HTTP/1.1" | "HTTP/1.0"] = words.as_slice() else {
        return Ok(Err(Status::BadRequest));
    };
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    loop {
        let mut line = String::new();
        if head.read_line(&mut line)? == 0 {
            return Ok(Err(Status::BadRequest));
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Ok(Err(Status::BadRequest));
        };
        // Two values of one header would be read differently by different readers.
        let name = name.to_ascii_lowercase();
        if headers.insert(name, value.trim().to_owned()).is_some() {
            return Ok(Err(Status::BadRequest));
        }
    }
    let length = headers
        .get("content-length")
        .map_or(Ok(0), |text| text.parse::<usize>());
    let length = match length {
        Ok(length) if length > MAX_BODY => return Ok(Err(Status::TooLarge)),
        Ok(length) if !headers.contains_key("transfer-encoding") => length,
        _ => return Ok(Err(Status::BadRequest)),
    };
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    Ok(Ok(Request {
        method: (*method).to_owned(),
        path: path.to_owned(),
        query: pairs
            .map(|(name, value)| (unescaped(name), unescaped(value)))
            .collect(),
        body,
        headers,
    }))
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};
    use std::net::{TcpListener, TcpStream};
    use std::time::{Duration, Instant};

    use super::{Arriving, Status, read};

    fn parsed(text: &str) -> Result<(String, String, Vec<u8>), Status> {
        let read = read(&mut text.as_bytes()).map_err(|_| Status::BadRequest)?;
        read.map(|request| (request.method, request.path, request.body))
    }

    #[test]
    fn requests_are_read_and_anything_else_is_refused() {
        let request =
            "PUT /api/file?path=a%20b.mch HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcd";
        let whole = read(&mut request.as_bytes()).ok().and_then(Result::ok);
        let whole = whole.expect("it is a request");
        assert_eq!(whole.query.get("path").map(String::as_str), Some("a b.mch"));
        assert_eq!(
            (whole.header("host"), whole.body.as_slice()),
            (Some("h"), &b"abc"[..])
        );
        for bad in [
            "",
            "GET\r\n\r\n",
            "GET / SPDY/3\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
        ] {
            assert_eq!(parsed(bad), Err(Status::BadRequest), "{bad:?}");
        }
        let large = "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n";
        assert_eq!(parsed(large), Err(Status::TooLarge));
        let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "y".repeat(20_000));
        assert_eq!(parsed(&long), Err(Status::BadRequest));
    }

    #[test]
    fn a_client_that_sends_a_byte_now_and_then_is_not_waited_for() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let client = std::thread::spawn(move || {
            let mut stream = TcpStream::connect(address).expect("it listens");
            // Until nobody reads any more.
            while stream.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let (stream, _) = listener.accept().expect("a client");
        let begun = Instant::now();
        let arriving = Arriving {
            stream: &stream,
            until: begun + Duration::from_millis(300),
        };
        assert!(read(&mut BufReader::new(arriving)).is_err());
        assert!(begun.elapsed() < Duration::from_secs(10));
        drop(stream);
        client.join().expect("it gave up");
    }
}
