//! For players: the engine's analysis of a position.
//!
//! ```sh
//! cargo run --release --example analyze -- chess "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3"
//! ```

use std::ops::ControlFlow;

use sandtable::engine::{Evaluation, engine_for};
use sandtable::find;
use sandtable::search::{AlphaBetaSettings, Limits};

fn main() -> Result<(), sandtable::Error> {
    let mut arguments = std::env::args().skip(1);
    let kind = find(&arguments.next().unwrap_or_else(|| "chess".to_owned()))?;
    let game = match arguments.next() {
        Some(text) => kind.parse(&text, "standard")?,
        None => kind.start("standard")?,
    };
    let mut engine = engine_for(kind.name, 16, AlphaBetaSettings::default(), &Evaluation::Default)
        .expect("there is memory for a small table");
    let report = game.search(&mut engine, &Limits::nodes(50_000), &mut |report| {
        println!("depth {:2}  {} nodes", report.depth, report.nodes);
        ControlFlow::Continue(())
    });
    for line in &report.lines {
        println!("{:?}  {}", line.score, line.moves.join(" "));
    }
    Ok(())
}
