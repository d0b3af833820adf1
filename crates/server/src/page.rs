//! The page, from within the program.

use axum::Router;
use axum::http::{Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, get};
use rust_embed::RustEmbed;

use crate::refusal::{Code, Refusal};

/// What `npm run build` has made, if it was run before this program was built.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

/// What is shown where the page was not built.
const NOT_BUILT: &str = include_str!("not_built.html");

/// Everything that the API has not: the page, and what is to be said where there is nothing.
pub(crate) fn routes() -> Router {
    let page = get(page::<Page>).fallback(async || Refusal::method_not_allowed());
    let api = ["/api", "/api/", "/api/{*rest}"].into_iter();
    api.fold(Router::new(), |router, path| router.route(path, any(nothing))).fallback_service(page)
}

async fn nothing() -> Refusal {
    Refusal::new(Code::NotFound, "there is nothing of that name")
}

/// A file of a page; every path that is no file is the page itself, which knows what to show.
async fn page<P: RustEmbed>(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let (name, file) = match P::get(path) {
        Some(file) => (path, Some(file)),
        // A file that is asked for by an old page and gone must not be answered with a page.
        None if path.starts_with("assets/") => return nothing().await.into_response(),
        None => ("index.html", P::get("index.html")),
    };
    let Some(file) = file else { return Html(NOT_BUILT).into_response() };
    // The names of assets change with their contents.
    let cache = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let kind = file.metadata.mimetype().to_owned();
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache.to_owned())], file.data).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use axum::http::StatusCode;

    use super::*;

    /// A page as the build makes one, embedded as the real one is.
    #[derive(RustEmbed)]
    #[folder = "tests/page"]
    struct Built;

    /// A page that was not built.
    #[derive(RustEmbed)]
    #[folder = "tests/no such folder"]
    #[allow_missing = true]
    struct Missing;

    /// The status, type, caching and text of an answer.
    async fn answer<P: RustEmbed>(path: &'static str) -> (StatusCode, String, String, String) {
        let response = page::<P>(Uri::from_static(path)).await;
        let header =
            |name| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        let (kind, caching) = (header(header::CONTENT_TYPE), header(header::CACHE_CONTROL));
        let status = response.status();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, kind, caching, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn every_path_is_the_page_itself() {
        for path in ["/", "/index.html", "/game/7", "/../Cargo.toml", "/assets"] {
            let (status, kind, caching, text) = answer::<Built>(path).await;
            assert_eq!(
                (status.as_u16(), kind.as_str(), caching.as_str()),
                (200, "text/html", "no-cache"),
                "{path}"
            );
            assert!(text.contains("<title>A page</title>"), "{path}: {text}");
        }
    }

    #[tokio::test]
    async fn files_have_their_types_and_are_kept_if_their_names_change_with_them() {
        let forever = "public, max-age=31536000, immutable";
        for (path, kind, caching, part) in [
            ("/assets/main-0a1b2c3d.js", "text/javascript", forever, "export"),
            ("/assets/main-0a1b2c3d.css", "text/css", forever, "body"),
            ("/favicon.svg", "image/svg+xml", "no-cache", "<svg"),
        ] {
            let (status, found, caches, text) = answer::<Built>(path).await;
            assert_eq!((status.as_u16(), found.as_str(), caches.as_str()), (200, kind, caching), "{path}");
            assert!(text.contains(part), "{path}: {text}");
        }
        for path in ["/assets/main-ffffffff.js", "/assets/", "/assets/../index.html"] {
            let (status, kind, _, text) = answer::<Built>(path).await;
            assert_eq!((status.as_u16(), kind.as_str()), (404, "application/json"), "{path}");
            assert!(text.contains("not_found"), "{path}: {text}");
        }
    }

    #[tokio::test]
    async fn a_page_that_was_not_built_says_how_to_build_it() {
        let (status, kind, _, text) = answer::<Missing>("/").await;
        assert_eq!((status.as_u16(), kind.as_str()), (200, "text/html; charset=utf-8"));
        assert_eq!(text, NOT_BUILT);
    }

    /// The files are in the program: what becomes of the folder after it was built changes nothing.
    #[test]
    fn the_page_is_within_the_program() {
        let file = Built::get("index.html").unwrap();
        assert!(matches!(file.data, std::borrow::Cow::Borrowed(_)), "it was read from the disk");
    }
}
