//! The page, from within the program.

use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::refusal::{Code, Refusal};

/// What `npm run build` has made, if it was run before this program was built.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

/// What is shown where the page was not built.
const NOT_BUILT: &str = include_str!("not_built.html");

/// A file of the page; every path that is no file is the page itself, which knows what to show.
pub(crate) async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return Refusal::new(Code::NotFound, "there is nothing of that name").into_response();
    }
    let (name, file) = match Page::get(path) {
        Some(file) => (path, Some(file)),
        // A file that is asked for by an old page and gone must not be answered with a page.
        None if path.starts_with("assets/") => return StatusCode::NOT_FOUND.into_response(),
        None => ("index.html", Page::get("index.html")),
    };
    let Some(file) = file else { return Html(NOT_BUILT).into_response() };
    // The names of assets change with their contents.
    let cache = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let kind = file.metadata.mimetype().to_owned();
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache.to_owned())], file.data).into_response()
}
