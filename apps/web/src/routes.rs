//! What pages can ask of the server.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, Request as HttpRequest, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use session::Request;

use crate::Shared;
use crate::assets::ASSETS;

/// The largest request: a model with what it refers to.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// Pages may load nothing from elsewhere, and nobody may frame them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type App = State<Arc<Shared>>;
type Answer = Result<Json<Value>, Refusal>;

/// Why a request is not answered.
struct Refusal(StatusCode, String);

impl From<StatusCode> for Refusal {
    fn from(status: StatusCode) -> Refusal {
        Refusal(
            status,
            status.canonical_reason().unwrap_or_default().to_owned(),
        )
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// What a page asks of a session, with the texts of its editor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    request: Request,
    #[serde(default)]
    texts: BTreeMap<String, String>,
    #[serde(default)]
    title: String,
}

#[derive(Deserialize)]
struct Named {
    path: String,
}

/// Everything that can be asked.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let api = Router::new()
        .route("/files", get(files))
        .route("/file", get(file).put(save))
        .route("/ask", post(ask))
        .route("/walks", post(begin))
        .route("/walks/{walk}", post(go_on))
        .route("/jobs", get(jobs).post(start))
        .route("/jobs/{job}", get(job).delete(stop))
        .layer(from_fn_with_state(Arc::clone(&shared), admit));
    Router::new()
        .nest("/api", api)
        .fallback(asset)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(Arc::clone(&shared), protect))
        .with_state(shared)
}

/// Refuses other hosts and origins, and says what browsers may do with an answer.
async fn protect(State(shared): App, request: HttpRequest, next: Next) -> Response {
    let mut response = match shared.guard.is_ours(request.headers()) {
        true => next.run(request).await,
        false => Refusal::from(StatusCode::FORBIDDEN).into_response(),
    };
    let set = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in set {
        response
            .headers_mut()
            .insert(name, header::HeaderValue::from_static(value));
    }
    response
}

/// Refuses who has not the token.
async fn admit(
    State(shared): App,
    headers: HeaderMap,
    request: HttpRequest,
    next: Next,
) -> Response {
    match shared.guard.admit(&headers) {
        Ok(()) => next.run(request).await,
        Err(status) => Refusal::from(status).into_response(),
    }
}

async fn asset(request: HttpRequest) -> Response {
    let mut assets = ASSETS.iter();
    match assets.find(|asset| asset.path == request.uri().path()) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.kind)], asset.bytes).into_response(),
        None => Refusal::from(StatusCode::NOT_FOUND).into_response(),
    }
}

async fn files(State(shared): App) -> Answer {
    blocking(move || {
        let first = shared.server.file.clone();
        Ok(json!({ "files": shared.server.list(), "first": first }))
    })
    .await
}

async fn file(State(shared): App, Query(named): Query<Named>) -> Result<Bytes, Refusal> {
    let read = run(move || shared.server.read(&named.path)).await?;
    Ok(Bytes::from(read?))
}

async fn save(State(shared): App, Query(named): Query<Named>, text: String) -> Answer {
    blocking(move || {
        shared.server.write(&named.path, &text)?;
        Ok(Value::Null)
    })
    .await
}

async fn ask(State(shared): App, Json(asked): Json<Asked>) -> Answer {
    blocking(move || told(shared.jobs.ask(&asked.texts, asked.request))).await
}

async fn begin(State(shared): App, Json(asked): Json<Asked>) -> Answer {
    blocking(move || told(shared.jobs.begin(&asked.texts, asked.request))).await
}

async fn go_on(State(shared): App, Path(walk): Path<u64>, Json(asked): Json<Asked>) -> Answer {
    blocking(move || told(shared.jobs.go_on(walk, asked.request))).await
}

async fn jobs(State(shared): App) -> Answer {
    Ok(Json(shared.jobs.list()))
}

async fn start(State(shared): App, Json(asked): Json<Asked>) -> Answer {
    blocking(move || {
        let number = shared.jobs.start(asked.title, asked.texts, asked.request);
        told(number.map(|number| json!({ "job": number })))
    })
    .await
}

async fn job(State(shared): App, Path(job): Path<u64>) -> Answer {
    let found = shared.jobs.job(job);
    Ok(Json(found.ok_or(StatusCode::NOT_FOUND)?))
}

async fn stop(State(shared): App, Path(job): Path<u64>) -> Answer {
    shared.jobs.stop(job).ok_or(StatusCode::NOT_FOUND)?;
    Ok(Json(Value::Null))
}

/// What a session could not do is an answer that says why.
fn told(answer: Result<Value, String>) -> Result<Value, Refusal> {
    answer.map_err(|why| Refusal(StatusCode::UNPROCESSABLE_ENTITY, why))
}

/// Does what takes time on a thread that may wait.
async fn blocking(work: impl FnOnce() -> Result<Value, Refusal> + Send + 'static) -> Answer {
    run(work).await?.map(Json)
}

/// What panics is an error of that request alone.
async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Refusal::from(StatusCode::INTERNAL_SERVER_ERROR))
}
