//! Addresses: what is asked for under each, and what is answered. docs/studio.md lists them.

use super::asked::{Asked, AskedError, Effort};
use super::door::Seat;
use super::downloads::{self, DownloadError, Kind};
use super::events;
use super::guard::Visitor;
use super::known;
use super::pages::Asset;
use super::position::{self, Position};
use super::runs::RunError;
use super::store::is_id;
use super::studio::Studio;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Extension, Path, Query, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream::unfold;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::sync::Semaphore;

/// The largest body, and the time it may take to arrive.
const LARGEST_BODY: usize = 64 << 10;
const BODY_TIME: Duration = Duration::from_secs(5);
/// Whoever finds all hands busy waits so long.
const PATIENCE: Duration = Duration::from_secs(30);
/// What a page may do: nothing but what comes from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
/// Bytes of a file that are in memory at a time.
const CHUNK: usize = 64 << 10;

type Shared = State<Arc<Studio>>;

/// What goes wrong, for the visitor.
pub struct Trouble(StatusCode, String);

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

impl From<AskedError> for Trouble {
    fn from(error: AskedError) -> Trouble {
        Trouble(StatusCode::UNPROCESSABLE_ENTITY, error.0)
    }
}

impl From<RunError> for Trouble {
    fn from(error: RunError) -> Trouble {
        let status = match &error {
            RunError::Asked(_) => StatusCode::UNPROCESSABLE_ENTITY,
            RunError::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            RunError::Unknown => StatusCode::NOT_FOUND,
            RunError::NotNow(_) => StatusCode::CONFLICT,
            RunError::Unkept(_) => StatusCode::INSUFFICIENT_STORAGE,
        };
        Trouble(status, error.to_string())
    }
}

impl From<DownloadError> for Trouble {
    fn from(error: DownloadError) -> Trouble {
        let status = match &error {
            DownloadError::NoPicture | DownloadError::Line(_) => StatusCode::UNPROCESSABLE_ENTITY,
            DownloadError::Refused(_) | DownloadError::Unread(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Trouble(status, error.to_string())
    }
}

/// The whole server, behind its guard.
pub fn router(studio: Arc<Studio>) -> Router {
    let mut router = Router::new();
    for (place, (address, asset)) in Asset::ALL.into_iter().enumerate() {
        let answer =
            move |State(studio): Shared, Extension(visitor): Extension<Visitor>| page(studio, visitor, place, asset);
        router = router.route(address, get(answer));
    }
    router
        .route("/api/hello", get(hello))
        .route("/api/game", post(game))
        .route("/api/position", post(examine))
        .route("/api/hint", post(hint))
        .route("/api/paving", post(paving))
        .route("/api/text", post(text))
        .route("/api/read", post(read))
        .route("/api/runs", get(list).post(ask))
        .route("/api/runs/{id}", get(one).delete(forget))
        .route("/api/runs/{id}/stop", post(stop))
        .route("/api/runs/{id}/events", get(watch))
        .route("/api/runs/{id}/play", get(play))
        .route("/api/runs/{id}/walk", get(walk))
        .route("/api/runs/{id}/certificate", get(certificate))
        .route("/api/runs/{id}/files/{kind}", get(file))
        .fallback(async || Trouble(StatusCode::NOT_FOUND, "there is nothing here".to_owned()))
        .layer(from_fn_with_state(studio.clone(), guarded))
        .with_state(studio)
}

// ------------------------------------------------------------------------------------------------------------ the guard

/// Refuses what must not be answered, reads the body in bounds, and says who the visitor is.
async fn guarded(State(studio): Shared, request: Request, next: Next) -> Response {
    let mut answer = match admitted(&studio, request).await {
        Ok(request) => next.run(request).await,
        Err(trouble) => trouble.into_response(),
    };
    let headers = answer.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

async fn admitted(studio: &Studio, request: Request) -> Result<Request, Trouble> {
    let refused = |refusal: super::guard::Refusal| Trouble(StatusCode::FORBIDDEN, refusal.words().to_owned());
    let (mut parts, body) = request.into_parts();
    studio.guard.admit(&parts.method, &parts.headers).map_err(refused)?;
    let known = Visitor::of(&parts.headers);
    let visitor = known.clone().unwrap_or_else(Visitor::new);
    let body = if matches!(parts.method, Method::GET | Method::HEAD) {
        Body::empty()
    } else {
        // Before a byte of the body is read.
        studio.guard.allow(&visitor, &parts.headers).map_err(refused)?;
        match tokio::time::timeout(BODY_TIME, to_bytes(body, LARGEST_BODY)).await {
            Ok(Ok(bytes)) => Body::from(bytes),
            Ok(Err(_)) => return Err(Trouble(StatusCode::PAYLOAD_TOO_LARGE, "that is too long".to_owned())),
            Err(_) => return Err(Trouble(StatusCode::REQUEST_TIMEOUT, "that takes too long".to_owned())),
        }
    };
    parts.extensions.insert(visitor);
    Ok(Request::from_parts(parts, body))
}

/// Does work on another thread, as long as there are hands for it.
async fn by<T: Send + 'static>(
    hands: &Arc<Semaphore>,
    work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Trouble> {
    let busy = || Trouble(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; try again".to_owned());
    let hand = tokio::time::timeout(PATIENCE, hands.clone().acquire_owned()).await;
    let Ok(Ok(hand)) = hand else { return Err(busy()) };
    let done = tokio::task::spawn_blocking(move || {
        let _hand = hand;
        work()
    });
    done.await
        .unwrap_or_else(|_| Err(Trouble(StatusCode::INTERNAL_SERVER_ERROR, "a fault of the program's".to_owned())))
}

/// The JSON of a body.
fn parsed<T: DeserializeOwned>(body: &Bytes) -> Result<T, Trouble> {
    serde_json::from_slice(body).map_err(|error| Trouble(StatusCode::BAD_REQUEST, error.to_string()))
}

// ------------------------------------------------------------------------------------------------------------ the pages

async fn page(studio: Arc<Studio>, visitor: Visitor, place: usize, asset: Asset) -> Result<Response, Trouble> {
    let bytes = match studio.assets[place].get() {
        Some(bytes) => bytes.clone(),
        None => {
            let text = by(&studio.quick, move || {
                asset.text().map_err(|error| Trouble(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
            });
            let bytes = Bytes::from(text.await?);
            studio.assets[place].get_or_init(|| bytes).clone()
        }
    };
    let mut answer = ([(header::CONTENT_TYPE, asset.media())], bytes).into_response();
    if asset == Asset::Studio {
        remember(&visitor, &mut answer);
    }
    Ok(answer)
}

/// Gives a visitor his cookie.
fn remember(visitor: &Visitor, answer: &mut Response) {
    if let Ok(cookie) = HeaderValue::from_str(&visitor.cookie()) {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
}

/// What a page has to know before it asks anything.
async fn hello(State(studio): Shared, Extension(visitor): Extension<Visitor>) -> Response {
    let mut answer = Json(json!({
        "token": studio.guard.token(&visitor),
        "version": env!("CARGO_PKG_VERSION"),
        "most": studio.runs.most,
        "shapes": known::catalogues(),
    }))
    .into_response();
    remember(&visitor, &mut answer);
    answer
}

// ------------------------------------------------------------------------------------------------- games and positions

async fn game(State(studio): Shared, body: Bytes) -> Result<Json<Value>, Trouble> {
    let asked: Asked = parsed(&body)?;
    by(&studio.quick, move || Ok(Json(known::about(&asked)?))).await
}

async fn examine(State(studio): Shared, body: Bytes) -> Result<Json<Value>, Trouble> {
    let position: Position = parsed(&body)?;
    by(&studio.slow, move || Ok(Json(position.examine(false)?))).await
}

async fn hint(State(studio): Shared, body: Bytes) -> Result<Json<Value>, Trouble> {
    let position: Position = parsed(&body)?;
    by(&studio.slow, move || Ok(Json(position.examine(true)?))).await
}

async fn paving(State(studio): Shared, body: Bytes) -> Result<Json<Value>, Trouble> {
    let position: Position = parsed(&body)?;
    by(&studio.slow, move || Ok(Json(position.paving()?))).await
}

async fn text(State(studio): Shared, body: Bytes) -> Result<Json<Value>, Trouble> {
    let position: Position = parsed(&body)?;
    by(&studio.quick, move || Ok(Json(json!({ "text": position.text()? })))).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    text: String,
}

async fn read(State(studio): Shared, body: Bytes) -> Result<Json<Value>, Trouble> {
    let Saved { text } = parsed(&body)?;
    by(&studio.quick, move || Ok(Json(position::read(&text)?))).await
}

// -------------------------------------------------------------------------------------------------------------- the runs

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToSettle {
    asked: Asked,
    effort: Effort,
}

async fn ask(
    State(studio): Shared,
    Extension(visitor): Extension<Visitor>,
    body: Bytes,
) -> Result<(StatusCode, Json<Value>), Trouble> {
    let ToSettle { asked, effort } = parsed(&body)?;
    let own = studio.clone();
    let run = by(&studio.quick, move || Ok(own.runs.ask(&visitor.owner(), asked, effort)?)).await?;
    Ok((StatusCode::CREATED, Json(studio.view(&run))))
}

async fn list(State(studio): Shared, Extension(visitor): Extension<Visitor>) -> Json<Value> {
    let runs = studio.runs.list(&visitor.owner());
    Json(runs.iter().map(|run| studio.view(run)).collect())
}

/// The name of a run out of an address: anything else leads nowhere.
fn named(id: &str) -> Result<&str, Trouble> {
    if is_id(id) { Ok(id) } else { Err(RunError::Unknown.into()) }
}

async fn one(
    State(studio): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Trouble> {
    Ok(Json(studio.view(&studio.runs.get(&visitor.owner(), named(&id)?)?)))
}

async fn stop(
    State(studio): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Trouble> {
    Ok(Json(studio.view(&studio.runs.stop(&visitor.owner(), named(&id)?)?)))
}

async fn forget(
    State(studio): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<StatusCode, Trouble> {
    studio.runs.forget(&visitor.owner(), named(&id)?)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn watch(
    State(studio): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(seat): Extension<Seat>,
    Path(id): Path<String>,
) -> Result<Response, Trouble> {
    Ok(events::watch(&studio, &visitor.owner(), named(&id)?, &seat)?.into_response())
}

// ------------------------------------------------------------------------------------------------------- settled runs

async fn play(
    State(studio): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Trouble> {
    let (_, path) = studio.runs.certificate(&visitor.owner(), named(&id)?)?;
    by(&studio.slow, move || Ok(Json(downloads::playable(&path)?))).await
}

#[derive(Deserialize)]
struct After {
    #[serde(default)]
    after: String,
}

async fn walk(
    State(studio): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(After { after }): Query<After>,
) -> Result<Json<Value>, Trouble> {
    let (_, path) = studio.runs.certificate(&visitor.owner(), named(&id)?)?;
    by(&studio.slow, move || Ok(Json(downloads::walk(&path, &after)?))).await
}

async fn file(
    State(studio): Shared,
    Extension(visitor): Extension<Visitor>,
    Path((id, kind)): Path<(String, Kind)>,
) -> Result<Response, Trouble> {
    let (run, path) = studio.runs.certificate(&visitor.owner(), named(&id)?)?;
    let as_json = studio.tree_json;
    let bytes = by(&studio.slow, move || Ok(downloads::make(kind, &path, as_json)?)).await?;
    let name = downloads::file_name(&run, kind.ending());
    Ok((attached(kind.media(), &name), bytes).into_response())
}

/// A file to be kept, not shown.
fn attached(media: &'static str, name: &str) -> [(header::HeaderName, String); 2] {
    [
        (header::CONTENT_TYPE, media.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ]
}

/// The certificate, piece by piece: it may be long.
async fn certificate(
    State(studio): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Response, Trouble> {
    let (run, path) = studio.runs.certificate(&visitor.owner(), named(&id)?)?;
    let unread = |error: io::Error| Trouble::from(DownloadError::Unread(error));
    let file = tokio::fs::File::open(path).await.map_err(unread)?;
    let length = file.metadata().await.map_err(unread)?.len();
    let pieces = unfold(file, |mut file| async {
        let mut piece = vec![0; CHUNK];
        match file.read(&mut piece).await {
            Ok(0) => None,
            Ok(read) => {
                piece.truncate(read);
                Some((Ok(Bytes::from(piece)), file))
            }
            Err(error) => Some((Err(error), file)),
        }
    });
    let name = downloads::file_name(&run, "cert.zst");
    let mut answer = (attached("application/zstd", &name), Body::from_stream(pieces)).into_response();
    answer.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    Ok(answer)
}
