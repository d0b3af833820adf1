//! `net check`: a network against another by SPRT.

use sandtable::search::elo::Verdict;

use crate::args::{Match, NamedSpec, NetCheck};
use crate::commands::tournament;
use crate::failure::Failure;
use crate::opponent::Spec;
use crate::output::Output;

pub(crate) fn run(args: &NetCheck, out: &mut Output) -> Result<(), Failure> {
    let player = |evaluation: &str| {
        let text = format!("{};eval={evaluation}", args.budget);
        let spec = text.parse().map_err(Failure::Usage)?;
        match spec {
            Spec::Engine(..) => Ok(NamedSpec { text, spec }),
            _ => Err(Failure::Usage(format!(
                "invalid limit `{}`: expected depth:N, nodes:N or time:TIME",
                args.budget
            ))),
        }
    };
    let contest = Match {
        kind: args.kind.clone(),
        a: player(&args.net)?,
        b: player(&args.against)?,
        games: args.games,
        series: args.series,
        sprt: args.sprt,
        stop_early: true,
        out: args.out.clone(),
    };
    match tournament::play(&contest, out)?.verdict(args.sprt) {
        Verdict::Accepted => Ok(()),
        Verdict::Rejected | Verdict::Open => Err(Failure::Reported),
    }
}
