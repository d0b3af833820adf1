//! `net train`: a network from self-play games.

use std::f32::consts::PI;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sandtable::GameKind;
use sandtable::nnue::train::{Samples, Settings, Trainer};
use sandtable::search::self_play::PlayedGame;
use sandtable::training::{Target, add_samples, quantize, trainer};
use serde_json::json;

use super::curve::{self, Epoch};
use super::scale::best_scale;
use super::shard::{header_value, read_games};
use crate::args::NetTrain;
use crate::failure::Failure;
use crate::output::{Output, progress};

/// One game in this many is for validation.
const VALIDATION: usize = 20;

pub(crate) fn run(args: &NetTrain, out: &mut Output) -> Result<(), Failure> {
    let (games, rules) = read_folders(args.kind.game.name, &args.folders).map_err(Failure::Usage)?;
    let kind = args.kind.game;
    let scale = match args.scale {
        Some(scale) => scale.into(),
        // Draws say little: most of them are games that the engine failed to win.
        None => best_scale(kind, games.iter().filter(|game| game.winner.is_some()), &rules)?,
    };
    let target = Target { scale, result_share: args.result_share, corrects_hand_made: args.correct };
    let (training, validation) = samples(kind, &games, &rules, target)?;
    drop(games);
    if training.is_empty() || validation.is_empty() {
        return Err(Failure::Usage("too few games: play more with `sandtable net data`".to_owned()));
    }
    let settings = Settings {
        hidden: args.hidden,
        batch: args.batch as usize,
        rate: args.rate,
        decay: args.decay,
        corrects_hand_made: args.correct,
        seed: args.seed,
    };
    let mut run = Run {
        args,
        description: format!(
            "{} {settings:?} epochs={} {target:?} positions={}+{}",
            args.kind.game.name,
            args.epochs,
            training.len(),
            validation.len()
        ),
        trainer: trainer(kind, settings),
        epochs: Vec::new(),
    };
    run.resume()?;
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    ctrlc::set_handler(move || interrupted.store(true, Ordering::Relaxed))
        .map_err(|e| Failure::Usage(format!("cannot handle Ctrl-C: {e}")))?;
    let bar = progress(args.epochs.into(), "epochs");
    bar.set_position(run.epochs.len() as u64);
    while run.epochs.len() < args.epochs as usize {
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::Interrupted);
        }
        let epoch = run.epoch(&training, &validation)?;
        bar.inc(1);
        bar.set_message(format!("validation loss {:.6}, epochs", epoch.validation));
    }
    bar.finish_and_clear();
    #[expect(clippy::cast_possible_truncation, reason = "a scale is a few hundred")]
    let network = quantize(kind, &run.trainer, scale.round() as i32);
    write_file(&args.out, &network.to_bytes())?;
    let last = run.epochs.last().expect("there is at least one epoch");
    if out.json {
        let (training, validation) = (training.len(), validation.len());
        out.object(&json!({
            "positions": training, "validation_positions": validation, "scale": scale,
            "loss": last.training, "validation_loss": last.validation,
        }))
    } else {
        out.text(format_args!(
            "{}: {} positions and {} for validation, scale {scale}, loss {:.6}, validation loss {:.6}\n",
            args.out.display(),
            training.len(),
            validation.len(),
            last.training,
            last.validation
        ))
    }
}

/// A training with its files.
struct Run<'a> {
    args: &'a NetTrain,
    /// Everything that the training depends on: the first line of a checkpoint.
    description: String,
    trainer: Trainer,
    epochs: Vec<Epoch>,
}

impl Run<'_> {
    /// A file beside the network.
    fn beside(&self, extension: &str) -> PathBuf {
        let mut name = self.args.out.as_os_str().to_owned();
        name.push(extension);
        name.into()
    }

    /// Continues from a checkpoint, if there is one.
    fn resume(&mut self) -> Result<(), Failure> {
        let path = self.beside(".checkpoint");
        if !path.exists() {
            return Ok(());
        }
        let bytes = std::fs::read(&path).map_err(|e| Failure::file("read", &path, &e))?;
        let unusable = |why: &str| {
            Failure::Usage(format!("cannot continue from {}: {why}; delete it to start anew", path.display()))
        };
        let mut lines = bytes.splitn(3, |byte| *byte == b'\n');
        let mut text = || String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
        if text() != self.description {
            return Err(unusable("it belongs to other games or settings"));
        }
        let parse = |pair: &str| {
            let (training, validation) = pair.split_once(',')?;
            Some(Epoch { training: training.parse().ok()?, validation: validation.parse().ok()? })
        };
        let epochs: Option<Vec<_>> = text().split_whitespace().map(parse).collect();
        self.epochs = epochs.ok_or_else(|| unusable("it is damaged"))?;
        if !self.trainer.resume(lines.next().unwrap_or_default()) {
            return Err(unusable("it is damaged"));
        }
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "epochs are counted in thousands at most")]
    fn epoch(&mut self, training: &Samples, validation: &Samples) -> Result<Epoch, Failure> {
        // Half a cosine from the full rate to a hundredth of it.
        let progress = self.epochs.len() as f32 / self.args.epochs as f32;
        self.trainer.rate = self.args.rate * (0.01 + 0.99 * f32::midpoint(1.0, (PI * progress).cos()));
        let epoch =
            Epoch { training: self.trainer.epoch(training), validation: self.trainer.loss(validation) };
        self.epochs.push(epoch);
        let losses: Vec<_> =
            self.epochs.iter().map(|epoch| format!("{},{}", epoch.training, epoch.validation)).collect();
        let mut checkpoint = format!("{}\n{}\n", self.description, losses.join(" ")).into_bytes();
        checkpoint.extend_from_slice(&self.trainer.checkpoint());
        write_file(&self.beside(".checkpoint"), &checkpoint)?;
        let title = format!("{}: {} positions", self.args.kind.game.name, training.len());
        write_file(&self.beside(".svg"), curve::svg(&title, &self.epochs).as_bytes())?;
        Ok(epoch)
    }
}

/// Writes a file as a whole or not at all.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok::<_, std::io::Error>(())
    };
    write().map_err(|e| Failure::file("write", path, &e))
}

/// Reads the games of all folders, which must be of the game called `name`, and the rules they were played by.
pub(super) fn read_folders(name: &str, folders: &[PathBuf]) -> Result<(Vec<PlayedGame>, String), String> {
    let (mut games, mut rules) = (Vec::new(), None);
    for folder in folders {
        let paths = files_of_games(folder)?;
        for path in &paths {
            let mut file = File::open(path).map_err(|e| format!("cannot open {}: {e}", path.display()))?;
            let (header, _) = read_games(path, &mut file, |bytes| {
                games.push(PlayedGame::decode(bytes).map_err(|e| format!("{}: {e}", path.display()))?);
                Ok(())
            })?;
            let game = header_value(&header, "game");
            if game != Some(name) {
                let other = game.unwrap_or("nothing");
                return Err(format!("{} has games of {other}, not of {name}", path.display()));
            }
            let found = header_value(&header, "rules").unwrap_or_default();
            let expected = rules.get_or_insert_with(|| found.to_owned());
            if expected != found {
                let path = path.display();
                return Err(format!(
                    "{path} has games with the rules {found}, but those before have {expected}"
                ));
            }
        }
    }
    Ok((games, rules.expect("every folder has files of games")))
}

fn files_of_games(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "games"));
    paths.sort();
    if paths.is_empty() { Err(format!("there are no games in {}", folder.display())) } else { Ok(paths) }
}

/// The positions for training and for validation, split by game.
fn samples(
    kind: &GameKind,
    games: &[PlayedGame],
    rules: &str,
    target: Target,
) -> Result<(Samples, Samples), Failure> {
    let (mut training, mut validation) = (Samples::default(), Samples::default());
    for (number, game) in games.iter().enumerate() {
        let to = if number % VALIDATION == 0 { &mut validation } else { &mut training };
        add_samples(kind, game, rules, target, to).map_err(|e| Failure::Usage(e.to_string()))?;
    }
    Ok((training, validation))
}
