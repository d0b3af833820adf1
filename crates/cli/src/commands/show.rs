//! `show`: the board, as text or SVG.

use sandtable::render::{SvgOptions, TerminalOptions, svg, terminal};
use serde_json::json;

use super::{status, summary, write_file};
use crate::args::Show;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Show, out: &mut Output) -> Result<(), Failure> {
    if args.svg.is_some() && args.positions.are_streamed() {
        return Err(Failure::Usage("--svg takes one position, not a stream".to_owned()));
    }
    args.positions.for_each(&args.kind, out, |game, out| {
        let diagram = game.diagram();
        if let Some(path) = &args.svg {
            let options = SvgOptions::default().with_width(args.width).with_indices(args.indices);
            write_file(path, svg(&diagram, &options).as_bytes())?;
        }
        if out.json {
            let mut answer = summary(&*game);
            let cells = diagram.cells.iter().map(|cell| {
                let figure = cell.figure.as_ref();
                json!({
                    "name": cell.name,
                    "index": cell.index,
                    "owner": figure.map(|figure| game.players()[figure.owner]),
                    "figure": figure.map(|figure| &figure.letters),
                })
            });
            answer["cells"] = cells.collect();
            return out.object(&answer);
        }
        let options = TerminalOptions::default().with_indices(args.indices).with_color(out.color());
        out.text(format_args!(
            "{}\n{}\n{}\n",
            terminal(&diagram, options),
            game.position_text(),
            status(&*game)
        ))
    })
}
