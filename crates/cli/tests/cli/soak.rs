//! A soak test of `serve`: an hour of guests who play each other, during which memory must not grow.
//!
//! The memory curve is written to `target/soak`, or to the folder in `SANDTABLE_SOAK_OUT`, as `memory.csv` and `memory.svg`.

mod clients;
mod curve;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use self::clients::Soak;
use self::curve::{Curve, Sample};
use crate::serve::ServerProcess;

/// The resident memory of a process, in KiB.
fn resident(process: u32) -> u32 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a status");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

#[test]
#[ignore = "takes an hour; set SANDTABLE_SOAK_SECONDS to change that"]
fn memory_is_steady_over_an_hour_of_play() {
    let seconds = std::env::var("SANDTABLE_SOAK_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3_600);
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/soak");
    let out = std::env::var_os("SANDTABLE_SOAK_OUT").map_or_else(|| default.into(), PathBuf::from);
    let directory = tempfile::tempdir().expect("a directory");
    // The clients are a trusted proxy, so that every guest has an address of its own.
    let args = ["--log", "warn", "--trust-proxy", "127.0.0.1"];
    let server = ServerProcess::start_with(directory.path(), &args);
    let process = server.process.id();
    let (began, time) = (Instant::now(), Duration::from_secs(seconds));
    let soak = Soak::new(server.url.clone(), began + time);
    let mut curve = Curve::create(&out, time);
    Runtime::new().expect("a runtime").block_on(async {
        let mut clients = JoinSet::new();
        for number in 0..6 {
            clients.spawn(soak.clone().play(number));
        }
        for _ in 0..2 {
            clients.spawn(soak.clone().analyze());
        }
        clients.spawn(soak.clone().play_engine());
        clients.spawn(soak.clone().browse());
        clients.spawn(soak.clone().inspect());
        while soak.is_running() {
            let (games, moves, messages) = soak.progress();
            curve.add(&Sample { at: began.elapsed(), resident: resident(process), games, moves, messages });
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        // A client that failed ends the test here.
        clients.join_all().await;
    });
    println!("{seconds} s: {}; {}", soak.report(), curve.finish());
    soak.assert_everything_was_done();
    let [_, before, _, after] = curve.peaks();
    assert!(after < before * 5 / 4 + 16 * 1024, "{before} KiB grew to {after} KiB");
    server.kill();
}
