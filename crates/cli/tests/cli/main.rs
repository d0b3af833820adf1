//! The command line as its users meet it: every command, its errors, its exit codes.

mod bench;
mod common;
mod decode;
mod encode;
mod engine;
mod games;
mod general;
mod moves;
mod perft;
mod play;
mod serve;
mod show;
#[cfg(target_os = "linux")]
mod soak;
