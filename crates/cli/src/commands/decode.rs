//! `decode`: looking at observations in an `.npy` file.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use sandtable::core::Layout;
use sandtable::npy::{self, Header, NpyError};
use sandtable::render::{TerminalOptions, terminal};

use super::{standing, summary};
use crate::args::Decode;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Decode, out: &mut Output) -> Result<(), Failure> {
    let mut file = File::open(&args.file).map_err(|e| Failure::file("read", &args.file, &e))?;
    let header = read_header(&mut file).map_err(|e| Failure::file("read", &args.file, &e))?;
    let header = header.map_err(|e| Failure::No(format!("{}: {e}", args.file.display())))?;
    let rows = rows(args, &header)?;
    let wanted = match args.row {
        None => 0..rows,
        Some(row) if row < rows => row..row + 1,
        Some(row) => {
            return Err(Failure::Usage(format!(
                "there is no row {row}: the file has {rows}, counted from 0"
            )));
        }
    };
    let values = args.kind.game.shape.len();
    let mut bytes = vec![0; values * size_of::<f32>()];
    let rules = args.kind.rules()?;
    let length = file.metadata().map_err(|e| Failure::file("read", &args.file, &e))?.len();
    let skipped = wanted.start.checked_mul(bytes.len()).and_then(|skipped| skipped.checked_add(header.data));
    let skipped = skipped.map(|skipped| skipped as u64).filter(|&skipped| skipped <= length);
    let skipped =
        skipped.ok_or_else(|| Failure::No(format!("the file ends before row {} of {rows}", wanted.start)))?;
    file.seek(SeekFrom::Start(skipped)).map_err(|e| Failure::file("read", &args.file, &e))?;
    let mut refused = false;
    for row in wanted {
        file.read_exact(&mut bytes).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => Failure::No(format!("the file ends within row {row} of {rows}")),
            _ => Failure::file("read", &args.file, &e),
        })?;
        let observation: Vec<f32> =
            bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        match args.kind.game.decode(&observation, args.layout.into(), args.turn.into(), rules) {
            Ok(decoded) => {
                let game = decoded.game;
                if out.json {
                    let mut answer = summary(&*game);
                    answer["row"] = row.into();
                    answer["occurrences"] = decoded.occurrences.into();
                    out.object(&answer)?;
                } else {
                    let options = TerminalOptions { indices: false, colour: out.colour() };
                    let board = terminal(&game.diagram(), options);
                    let occurrences = decoded.occurrences;
                    out.text(format_args!(
                        "row {row}, occurrence {occurrences}: {}\n{board}\n{}\n",
                        game.position(),
                        standing(&*game)
                    ))?;
                }
            }
            Err(e) => {
                refused = true;
                if out.json {
                    out.object(&serde_json::json!({ "row": row, "error": e.to_string() }))?;
                } else {
                    anstream::eprintln!("row {row}: {e}");
                }
            }
        }
    }
    if refused { Err(Failure::Answered) } else { Ok(()) }
}

/// Reads as much of the file as its header says it takes.
fn read_header(file: &mut File) -> io::Result<Result<Header, NpyError>> {
    let mut bytes = Vec::new();
    file.take(128 * 1024).read_to_end(&mut bytes)?;
    Ok(npy::parse_header(&bytes))
}

/// How many observations an array of that shape holds: one, or as many as its first extent says.
fn rows(args: &Decode, header: &Header) -> Result<usize, Failure> {
    let layout = Layout::from(args.layout);
    let extents = args.kind.game.shape.extents(layout);
    match header.shape.strip_suffix(&extents) {
        Some([]) => Ok(1),
        Some(&[rows]) => Ok(rows),
        _ => Err(Failure::No(format!(
            "{}: the array has the shape {:?}; observations of {} have {extents:?}, or an N before that",
            args.file.display(),
            header.shape,
            args.kind.game.name
        ))),
    }
}
