//! `net`: evaluation networks.

mod check;
mod curve;
mod data;
mod scale;
mod shard;
mod train;

use crate::args::{Net, NetCommand};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Net, out: &mut Output) -> Result<(), Failure> {
    match &args.command {
        NetCommand::Data(args) => data::run(args, out),
        NetCommand::Train(args) => train::run(args, out),
        NetCommand::Scale(args) => scale::run(args, out),
        NetCommand::Check(args) => check::run(args, out),
    }
}
