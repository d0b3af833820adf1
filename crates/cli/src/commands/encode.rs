//! `encode`: observations, written to an `.npy` file or printed.

use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use sandtable::core::learn::Layout;
use sandtable::training::npy;
use sandtable::{AnyGame, render};
use serde_json::{Value, json};

use super::AtomicFile;
use crate::args::Encode;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Encode, out: &mut Output) -> Result<(), Failure> {
    let layout = Layout::from(args.layout);
    let shape = args.kind.game.shape;
    let mut file = args.out.as_deref().map(ArrayFile::create).transpose()?;
    let mut observation = vec![0.0; shape.len()];
    let mut pipe_broken = false;
    let bar = ProgressBar::new_spinner().with_message("positions");
    let encoded = args.positions.for_each(&args.kind, out, |mut game, out| {
        for text in args.moves.split_whitespace() {
            game.play(text).map_err(|e| Failure::Invalid(e.to_string()))?;
        }
        game.write_observation(layout, &mut observation).expect("the buffer has the shape of an observation");
        if let Some(file) = &mut file {
            file.push(&observation)?;
            bar.inc(1);
        }
        if !args.planes || pipe_broken {
            return Ok(());
        }
        match show_planes(&*game, layout, &observation, out) {
            // Standard output is closed, but the file must still be written.
            Err(Failure::Output(e)) if file.is_some() && e.kind() == io::ErrorKind::BrokenPipe => {
                pipe_broken = true;
                Ok(())
            }
            shown => shown,
        }
    });
    bar.finish_and_clear();
    if let Err(failure) = &encoded
        && !matches!(failure, Failure::Reported)
    {
        return encoded;
    }
    if let (Some(file), Some(path)) = (file, &args.out) {
        let extents = shape.extents(layout);
        let rows = args.positions.are_streamed().then_some(file.rows);
        let extents: Vec<_> = rows.into_iter().chain(extents).collect();
        file.finish(path, &extents)?;
        announce(args, path, &extents, out)?;
    }
    encoded
}

fn announce(args: &Encode, path: &PathBuf, extents: &[usize], out: &mut Output) -> Result<(), Failure> {
    let encoding = args.kind.game.encoding;
    if out.json {
        return out
            .object(&json!({ "out": path, "shape": extents, "dtype": "float32", "encoding": encoding }));
    }
    let extents: Vec<_> = extents.iter().map(ToString::to_string).collect();
    out.text(format_args!("{}: ({}) float32, {encoding}\n", path.display(), extents.join(", ")))
}

fn show_planes(game: &dyn AnyGame, layout: Layout, values: &[f32], out: &mut Output) -> Result<(), Failure> {
    let shape = game.shape();
    if !out.json {
        let planes = render::planes(game.planes(), shape, layout, values);
        return out.text(planes.expect("the observation is one of this game"));
    }
    let planes = game.planes().iter().enumerate().map(|(number, plane)| {
        let at = |row, col| values[shape.offset(layout, number, row * shape.cols + col)];
        let rows: Value =
            (0..shape.rows).map(|row| (0..shape.cols).map(|col| at(row, col)).collect::<Value>()).collect();
        json!({ "name": plane.name, "values": rows })
    });
    out.object(
        &json!({ "game": game.name(), "fen": game.position_text(), "planes": planes.collect::<Value>() }),
    )
}

/// An `.npy` file that grows by one observation at a time and is renamed to its final path when complete.
struct ArrayFile {
    file: BufWriter<AtomicFile>,
    rows: usize,
    path: PathBuf,
}

impl ArrayFile {
    fn create(path: &Path) -> Result<Self, Failure> {
        let mut file =
            Self { file: BufWriter::new(AtomicFile::create(path)?), rows: 0, path: path.to_owned() };
        file.write(&[0; npy::HEADER_LEN])?;
        Ok(file)
    }

    fn push(&mut self, observation: &[f32]) -> Result<(), Failure> {
        self.rows += 1;
        observation.iter().try_for_each(|value| self.write(&value.to_le_bytes()))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file.write_all(bytes).map_err(|e| Failure::file("write", &self.path, &e))
    }

    /// Overwrites the placeholder with the real header.
    fn finish(mut self, path: &Path, extents: &[usize]) -> Result<(), Failure> {
        self.file.seek(SeekFrom::Start(0)).map_err(|e| Failure::file("write", path, &e))?;
        let header = npy::header(extents).expect("the shape of an observation fits the header");
        self.write(&header)?;
        let file = self.file.into_inner().map_err(|e| Failure::file("write", path, e.error()))?;
        file.commit()
    }
}
