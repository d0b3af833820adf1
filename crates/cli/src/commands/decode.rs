//! `decode`: observations from an `.npy` file, shown as positions.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use sandtable::core::learn::Layout;
use sandtable::render::{TerminalOptions, terminal};
use sandtable::training::decode;
use sandtable::training::npy::{self, Header, NpyError};

use super::{status, summary};
use crate::args::Decode;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Decode, out: &mut Output) -> Result<(), Failure> {
    let mut file = File::open(&args.file).map_err(|e| Failure::file("read", &args.file, &e))?;
    let header = read_header(&mut file).map_err(|e| Failure::file("read", &args.file, &e))?;
    let header = header.map_err(|e| Failure::Invalid(format!("{}: {e}", args.file.display())))?;
    let rows = rows(args, &header)?;
    let selected = match args.row {
        None => 0..rows,
        Some(row) if row < rows => row..row + 1,
        Some(row) => {
            return Err(Failure::Usage(format!(
                "row {row} is out of range: the file has {rows} rows, counted from 0"
            )));
        }
    };
    let values = args.kind.game.shape.len();
    let mut bytes = vec![0; values * size_of::<f32>()];
    let rules = args.kind.rules()?;
    let length = file.metadata().map_err(|e| Failure::file("read", &args.file, &e))?.len();
    let offset = selected.start.checked_mul(bytes.len()).and_then(|offset| offset.checked_add(header.data));
    let offset = offset.map(|offset| offset as u64).filter(|&offset| offset <= length);
    let offset = offset.ok_or_else(|| {
        Failure::Invalid(format!("truncated file: it ends before row {} of {rows}", selected.start))
    })?;
    file.seek(SeekFrom::Start(offset)).map_err(|e| Failure::file("read", &args.file, &e))?;
    let mut any_invalid = false;
    for row in selected {
        file.read_exact(&mut bytes).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => {
                Failure::Invalid(format!("truncated file: it ends within row {row} of {rows}"))
            }
            _ => Failure::file("read", &args.file, &e),
        })?;
        let observation: Vec<f32> =
            bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        match decode(args.kind.game, &observation, args.layout.into(), args.turn.into(), rules) {
            Ok(decoded) => {
                let game = decoded.game;
                if out.json {
                    let mut answer = summary(&*game);
                    answer["row"] = row.into();
                    answer["occurrences"] = decoded.occurrences.into();
                    out.object(&answer)?;
                } else {
                    let options = TerminalOptions::default().with_color(out.color());
                    let board = terminal(&game.diagram(), options);
                    let occurrences = decoded.occurrences;
                    out.text(format_args!(
                        "row {row}, occurrence {occurrences}: {}\n{board}\n{}\n",
                        game.position_text(),
                        status(&*game)
                    ))?;
                }
            }
            Err(e) => {
                any_invalid = true;
                if out.json {
                    out.object(&serde_json::json!({ "row": row, "error": e.to_string() }))?;
                } else {
                    anstream::eprintln!("row {row}: {e}");
                }
            }
        }
    }
    if any_invalid { Err(Failure::Reported) } else { Ok(()) }
}

/// Reads and parses the header.
fn read_header(file: &mut File) -> io::Result<Result<Header, NpyError>> {
    let mut bytes = Vec::new();
    file.take(128 * 1024).read_to_end(&mut bytes)?;
    Ok(npy::parse_header(&bytes))
}

/// Returns the number of observations in the array: its first extent, or 1 for the shape of a single observation.
fn rows(args: &Decode, header: &Header) -> Result<usize, Failure> {
    let layout = Layout::from(args.layout);
    let extents = args.kind.game.shape.extents(layout);
    match header.shape.strip_suffix(&extents) {
        Some([]) => Ok(1),
        Some(&[rows]) => Ok(rows),
        _ => Err(Failure::Invalid(format!(
            "{}: wrong shape {:?}: expected {extents:?} or [N, {}] for {}",
            args.file.display(),
            header.shape,
            extents.map(|extent| extent.to_string()).join(", "),
            args.kind.game.name
        ))),
    }
}
