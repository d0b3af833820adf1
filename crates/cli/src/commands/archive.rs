//! `backup` and `restore`: the games of a server as a file.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use sandtable_server::{ArchiveError, Archived};
use serde_json::json;

use super::data_directory;
use crate::args::{Backup, Restore};
use crate::failure::Failure;
use crate::output::{Output, progress};

/// How long a copy may take before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn backup(args: &Backup, out: &mut Output) -> Result<(), Failure> {
    let data = data_directory(args.data.as_ref())?;
    let archived =
        with_progress(|progress| sandtable_server::backup(&data, &args.file, args.force, progress))?;
    report(out, "Backed up", archived, &format!("to {}", args.file.display()))
}

pub(crate) fn restore(args: &Restore, out: &mut Output) -> Result<(), Failure> {
    let data = data_directory(args.data.as_ref())?;
    let archived = with_progress(|progress| sandtable_server::restore(&data, &args.file, progress))?;
    report(out, "Restored", archived, &format!("from {} to {}", args.file.display(), data.display()))
}

/// Copies with a progress bar if it takes long.
fn with_progress(
    copy: impl FnOnce(&mut dyn FnMut(u64, u64)) -> Result<Archived, ArchiveError>,
) -> Result<Archived, Failure> {
    let (started, mut bar) = (Instant::now(), None::<ProgressBar>);
    let archived = copy(&mut |done, total| {
        if started.elapsed() >= PATIENCE {
            bar.get_or_insert_with(|| progress(total, "pages")).set_position(done);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    archived.map_err(|e| match e {
        e @ ArchiveError::NotABackup { .. } => Failure::Invalid(e.to_string()),
        e => Failure::Usage(e.to_string()),
    })
}

fn report(out: &mut Output, done: &str, archived: Archived, place: &str) -> Result<(), Failure> {
    let Archived { games, bytes, .. } = archived;
    if out.json {
        return out.object(&json!({ "games": games, "bytes": bytes }));
    }
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    out.text(format_args!("{done} {games} ({} KiB) {place}\n", bytes.div_ceil(1024)))
}
