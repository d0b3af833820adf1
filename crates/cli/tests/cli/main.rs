//! End-to-end tests of the command line: every command, its errors and its exit codes.

mod archive;
mod bench;
mod common;
mod decode;
mod encode;
mod engine;
#[cfg(unix)]
mod external;
mod games;
mod general;
mod generate;
#[cfg(unix)]
mod instances;
mod moves;
mod net;
#[cfg(feature = "nim")]
mod nim;
mod perft;
mod play;
mod policy;
mod puzzles;
mod review;
mod serve;
mod show;
#[cfg(target_os = "linux")]
mod soak;
mod storage;
mod uci;
