//! What pages can ask of the server.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::Shared;
use crate::assets::ASSETS;
use crate::files::Listing;
use crate::http::{Request, Response, Status};

/// Why a request is not answered.
struct Refusal(Status, String);

impl From<Status> for Refusal {
    fn from(status: Status) -> Refusal {
        Refusal(status, status.line()[4..].to_owned())
    }
}

/// What a session could not do.
impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal(Status::Unprocessable, why)
    }
}

/// What a page asks of a session, with the texts of its editor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    request: session::Request,
    #[serde(default)]
    texts: BTreeMap<String, String>,
    #[serde(default)]
    title: String,
}

/// The answer to a request.
pub(crate) fn answer(shared: &Shared, request: &Request) -> Response {
    let answered = match request.path.strip_prefix("/api/") {
        Some(path) => asked(shared, request, path),
        None => asset(shared, request),
    };
    answered.unwrap_or_else(|Refusal(status, why)| Response {
        status,
        kind: "application/json",
        body: json!({ "error": why }).to_string().into_bytes(),
    })
}

/// A file of the pages: it holds no secret, so the token is not needed.
fn asset(shared: &Shared, request: &Request) -> Result<Response, Refusal> {
    if !shared.guard.is_ours(request) {
        return Err(Status::Forbidden.into());
    }
    let mut assets = ASSETS.iter();
    let found = assets.find(|asset| asset.path == request.path);
    let asset = found.ok_or(Status::NotFound)?;
    Ok(Response {
        status: Status::Ok,
        kind: asset.kind,
        body: asset.bytes.to_vec(),
    })
}

fn asked(shared: &Shared, request: &Request, path: &str) -> Result<Response, Refusal> {
    shared.guard.admit(request)?;
    if request.method == "POST" && !is_json(request) {
        return Err(Status::Unsupported.into());
    }
    let parts: Vec<&str> = path.split('/').collect();
    let file = || request.query.get("path").map_or("", String::as_str);
    let value = match (request.method.as_str(), parts.as_slice()) {
        ("GET", ["files"]) => {
            let Listing {
                models,
                pictures,
                is_cut,
            } = shared.server.list();
            json!({ "files": models, "pictures": pictures, "cut": is_cut, "first": shared.server.file })
        }
        ("GET", ["file"]) => {
            return Ok(Response {
                status: Status::Ok,
                kind: "application/octet-stream",
                body: shared.server.read(file())?,
            });
        }
        ("PUT", ["file"]) => {
            let text = std::str::from_utf8(&request.body).map_err(|_| Status::BadRequest)?;
            shared.server.write(file(), text)?;
            Value::Null
        }
        ("POST", ["ask"]) => {
            let asked = read(request)?;
            shared.jobs.ask(&asked.texts, asked.request)?
        }
        ("POST", ["walks"]) => {
            let asked = read(request)?;
            shared.jobs.begin(&asked.texts, asked.request)?
        }
        ("POST", ["walks", walk]) => {
            let asked = read(request)?;
            shared.jobs.go_on(number(walk)?, asked.request)?
        }
        ("DELETE", ["walks", walk]) => {
            shared.jobs.end(number(walk)?);
            Value::Null
        }
        ("GET", ["jobs"]) => shared.jobs.list(),
        ("POST", ["jobs"]) => {
            let asked = read(request)?;
            let job = shared.jobs.start(asked.title, asked.texts, asked.request)?;
            json!({ "job": job })
        }
        ("GET", ["jobs", job]) => {
            let told = shared.jobs.job(number(job)?).ok_or(Status::NotFound)?;
            return Ok(Response {
                status: Status::Ok,
                kind: "application/json",
                body: told.into_bytes(),
            });
        }
        ("DELETE", ["jobs", job]) => {
            shared.jobs.stop(number(job)?).ok_or(Status::NotFound)?;
            Value::Null
        }
        (_, ["files" | "file" | "ask" | "walks" | "jobs", ..]) => {
            return Err(Status::NotAllowed.into());
        }
        _ => return Err(Status::NotFound.into()),
    };
    Ok(Response {
        status: Status::Ok,
        kind: "application/json",
        body: value.to_string().into_bytes(),
    })
}

/// Whether a request says that its body is JSON: no form of another page can say that.
fn is_json(request: &Request) -> bool {
    let kind = request.header("content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn read(request: &Request) -> Result<Asked, Refusal> {
    let asked = serde_json::from_slice(&request.body);
    asked.map_err(|error| Refusal(Status::BadRequest, format!("not understood: {error}")))
}

fn number(text: &str) -> Result<u64, Status> {
    text.parse().map_err(|_| Status::NotFound)
}
