//! `perft`: the number of legal move sequences.

use std::time::Instant;

use serde_json::json;

use crate::args::Perft;
use crate::failure::Failure;
use crate::output::{Output, progress};

pub(crate) fn run(args: &Perft, out: &mut Output) -> Result<(), Failure> {
    if args.divide && args.depth == 0 {
        return Err(Failure::Usage("--divide needs a depth of at least 1".to_owned()));
    }
    let threads = usize::from(args.threads);
    args.positions.for_each(&args.kind, out, |game, out| {
        let bar = progress(game.count_legal(), "perft");
        let start = Instant::now();
        let shares =
            game.divide(args.depth, threads, &|| bar.inc(1)).map_err(|e| Failure::Usage(e.to_string()))?;
        let nodes = if args.depth == 0 { 1 } else { shares.iter().map(|share| share.nodes).sum() };
        let seconds = start.elapsed().as_secs_f64();
        bar.finish_and_clear();
        #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
        let rate = nodes as f64 / seconds.max(1e-9);
        if out.json {
            let mut answer = json!({
                "game": game.name(),
                "rules": game.rules(),
                "fen": game.position_text(),
                "depth": args.depth,
                "threads": threads,
                "nodes": nodes,
                "seconds": seconds,
                "nodes_per_second": rate.round(),
            });
            if args.divide {
                answer["divide"] =
                    shares.iter().map(|share| json!({ "move": share.root, "nodes": share.nodes })).collect();
            }
            return out.object(&answer);
        }
        if args.divide {
            let lines: Vec<_> =
                shares.iter().map(|share| format!("{}: {}\n", share.root, share.nodes)).collect();
            out.text(format_args!("{}\n", lines.concat()))?;
        }
        out.text(format_args!("{nodes} nodes in {seconds:.3} s, {:.1} million per second\n", rate / 1e6))
    })
}
