//! The web page, embedded in the binary.

use axum::Router;
use axum::http::{Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, get};
use rust_embed::RustEmbed;
use sandtable_contract::ApiError;

use crate::error::{ErrorResponse, method_not_allowed};

/// The output of `npm run build`; empty if it did not run before this crate was compiled.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

/// Shown when the page is not embedded.
const NOT_BUILT: &str = include_str!("not_built.html");

/// Everything outside the API: the files of the page, and 404 for unknown API paths.
pub(crate) fn routes() -> Router {
    let page = get(file::<Page>).fallback(async || method_not_allowed());
    let api = ["/api", "/api/", "/api/{*rest}"].into_iter();
    api.fold(Router::new(), |router, path| router.route(path, any(not_found))).fallback_service(page)
}

async fn not_found() -> ErrorResponse {
    ApiError::path_not_found().into()
}

/// A file of the page. Other paths get `index.html`, because the page has its own router.
async fn file<P: RustEmbed>(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let (name, file) = match P::get(path) {
        Some(file) => (path, Some(file)),
        // An outdated page may request an asset that no longer exists: HTML would be the wrong response.
        None if path.starts_with("assets/") => return not_found().await.into_response(),
        None => ("index.html", P::get("index.html")),
    };
    let Some(file) = file else { return Html(NOT_BUILT).into_response() };
    // The names of assets contain a hash of their contents.
    let cache = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let content_type = file.metadata.mimetype().to_owned();
    ([(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, cache.to_owned())], file.data)
        .into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use axum::http::StatusCode;

    use super::*;

    /// A small page, embedded in the same way as the real one.
    #[derive(RustEmbed)]
    #[folder = "tests/page"]
    struct Built;

    /// A page that was not built.
    #[derive(RustEmbed)]
    #[folder = "tests/no such folder"]
    #[allow_missing = true]
    struct Missing;

    /// The status, content type, cache control and body of a response.
    async fn fetch<P: RustEmbed>(path: &'static str) -> (StatusCode, String, String, String) {
        let response = file::<P>(Uri::from_static(path)).await;
        let header =
            |name| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        let (content_type, cache) = (header(header::CONTENT_TYPE), header(header::CACHE_CONTROL));
        let status = response.status();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, content_type, cache, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn serves_the_page_for_unknown_paths() {
        for path in ["/", "/index.html", "/game/7", "/../Cargo.toml", "/assets"] {
            let (status, content_type, cache, text) = fetch::<Built>(path).await;
            assert_eq!(
                (status.as_u16(), content_type.as_str(), cache.as_str()),
                (200, "text/html", "no-cache"),
                "{path}"
            );
            assert!(text.contains("<title>A page</title>"), "{path}: {text}");
        }
    }

    #[tokio::test]
    async fn serves_files_with_their_type_and_cache_policy() {
        let forever = "public, max-age=31536000, immutable";
        for (path, expected_type, expected_cache, part) in [
            ("/assets/main-0a1b2c3d.js", "text/javascript", forever, "export"),
            ("/assets/main-0a1b2c3d.css", "text/css", forever, "body"),
            ("/favicon.svg", "image/svg+xml", "no-cache", "<svg"),
        ] {
            let (status, content_type, cache, text) = fetch::<Built>(path).await;
            assert_eq!(
                (status.as_u16(), content_type.as_str(), cache.as_str()),
                (200, expected_type, expected_cache),
                "{path}"
            );
            assert!(text.contains(part), "{path}: {text}");
        }
        for path in ["/assets/main-ffffffff.js", "/assets/", "/assets/../index.html"] {
            let (status, content_type, _, text) = fetch::<Built>(path).await;
            assert_eq!((status.as_u16(), content_type.as_str()), (404, "application/json"), "{path}");
            assert!(text.contains("not_found"), "{path}: {text}");
        }
    }

    #[tokio::test]
    async fn explains_how_to_build_a_missing_page() {
        let (status, content_type, _, text) = fetch::<Missing>("/").await;
        assert_eq!((status.as_u16(), content_type.as_str()), (200, "text/html; charset=utf-8"));
        assert_eq!(text, NOT_BUILT);
    }

    /// Embedded data is borrowed; data read from disk at run time would be owned.
    #[test]
    fn the_page_is_embedded() {
        let file = Built::get("index.html").unwrap();
        assert!(matches!(file.data, std::borrow::Cow::Borrowed(_)), "read from disk");
    }
}
