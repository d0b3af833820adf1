//! `puzzles`: positions with one winning turn.

mod file;
mod mine;
pub(crate) mod solve;

use crate::args::{Puzzles, PuzzlesCommand};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Puzzles, out: &mut Output) -> Result<(), Failure> {
    match &args.command {
        PuzzlesCommand::Mine(args) => mine::run(args, out),
        PuzzlesCommand::Solve(args) => solve::run(args, out),
    }
}
