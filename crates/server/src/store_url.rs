//! The address of a shared database.

use std::fmt;
use std::str::FromStr;

use tokio_postgres::config::Host;

/// The URL of a `PostgreSQL` database: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. `Debug` and `Display` leave the
/// password out.
///
/// ```
/// use sandtable_server::StoreUrl;
///
/// let url: StoreUrl = "postgres://sandtable:secret@db.example:5433/games".parse()?;
/// assert_eq!(url.to_string(), "postgres://sandtable@db.example:5433/games");
/// assert!("mysql://db.example/games".parse::<StoreUrl>().is_err());
/// # Ok::<(), sandtable_server::InvalidStoreUrl>(())
/// ```
#[derive(Clone)]
pub struct StoreUrl(Box<tokio_postgres::Config>);

/// The text is not the URL of a database. The error does not repeat it: it may have a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid store: expected a URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE")]
pub struct InvalidStoreUrl;

/// The port that a URL may leave out.
const DEFAULT_PORT: u16 = 5432;

impl StoreUrl {
    pub(crate) fn config(&self) -> tokio_postgres::Config {
        (*self.0).clone()
    }
}

impl FromStr for StoreUrl {
    type Err = InvalidStoreUrl;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !(text.starts_with("postgres://") || text.starts_with("postgresql://")) {
            return Err(InvalidStoreUrl);
        }
        text.parse().map(|config| Self(Box::new(config))).map_err(|_| InvalidStoreUrl)
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        if let Some(user) = self.0.get_user() {
            write!(f, "{user}@")?;
        }
        match self.0.get_hosts().first() {
            Some(Host::Tcp(host)) if host.contains(':') => write!(f, "[{host}]")?,
            Some(Host::Tcp(host)) => f.write_str(host)?,
            #[cfg(unix)]
            Some(Host::Unix(folder)) => f.write_str(&folder.to_string_lossy().replace('/', "%2F"))?,
            #[cfg(not(unix))]
            Some(_) => {}
            None => f.write_str("localhost")?,
        }
        if let Some(port) = self.0.get_ports().first().filter(|port| **port != DEFAULT_PORT) {
            write!(f, ":{port}")?;
        }
        self.0.get_dbname().map_or(Ok(()), |name| write!(f, "/{name}"))
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_never_shown() {
        for (text, shown) in [
            ("postgres://u:s3cret@db/games", "postgres://u@db/games"),
            ("postgresql://u:s3cret@%2Frun%2Fpg/games", "postgres://u@%2Frun%2Fpg/games"),
            ("postgres://db:1/games?password=s3cret", "postgres://db:1/games"),
        ] {
            let url: StoreUrl = text.parse().unwrap();
            assert_eq!(url.to_string(), shown);
            assert!(!format!("{url:?}").contains("s3cret"));
        }
        for text in
            ["", "games.sqlite", "postgres://u:s3cret@db:port/games", "postgres://u:s3cret@db/games?x=1"]
        {
            let error = text.parse::<StoreUrl>().unwrap_err();
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
    }
}
