//! Logs of stored games.

use sandtable_contract::{GameSettings, LogEntry, Session};

/// The settings of a game, a line break, and its log, both as JSON: they are rejected, or are a game that is restored from what it
/// would store.
pub fn log(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some((settings, log)) = text.split_once('\n') else { return };
    let Ok(settings) = serde_json::from_str::<GameSettings>(settings) else { return };
    let Ok(log) = serde_json::from_str::<Vec<LogEntry>>(log) else { return };
    let Ok(session) = Session::restore(settings.clone(), &log) else { return };
    let stored = serde_json::to_string(&log).expect("a log is JSON");
    let log: Vec<LogEntry> =
        serde_json::from_str(&stored).unwrap_or_else(|error| panic!("{stored}: {error}"));
    let again = Session::restore(settings, &log).unwrap_or_else(|error| panic!("{stored}: {error:?}"));
    assert_eq!(again.version(), session.version());
}
