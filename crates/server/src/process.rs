//! The server as a process: its runtime, its signals and its file descriptors.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::{Config, Server, StartError};

/// How long threads may take to end once everything is closed. Searches have been told to stop by then.
const THREADS_TIMEOUT: Duration = Duration::from_millis(400);

/// How a server stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Pending requests had time to finish, and the games were closed.
    Gracefully,
    /// A second signal came while the server was shutting down. No acknowledged change is lost.
    AtOnce,
}

/// Runs a server until Ctrl-C or a termination signal. Calls `ready` with the address once the server listens.
///
/// A stop takes at most 5 seconds; a second signal ends it at once. Threads that have not ended by then are left behind, so
/// the caller should end the process.
pub fn run(config: Config, ready: impl FnOnce(SocketAddr)) -> Result<Stopped, StartError> {
    raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let stopped = runtime.block_on(serve(config, ready));
    match stopped {
        Ok(Stopped::Gracefully) => runtime.shutdown_timeout(THREADS_TIMEOUT),
        Ok(Stopped::AtOnce) | Err(_) => runtime.shutdown_background(),
    }
    stopped
}

async fn serve(config: Config, ready: impl FnOnce(SocketAddr)) -> Result<Stopped, StartError> {
    // Install the handlers before `ready`: a signal may arrive as soon as the address is known.
    let mut signals = Signals::install()?;
    let server = tokio::select! {
        server = Server::bind(config) => server?,
        () = signals.next() => return Ok(Stopped::Gracefully),
    };
    let address = server.address()?;
    tracing::info!(%address, access = ?server.app.config.access, "listening");
    ready(address);
    let (stop, stopping) = oneshot::channel::<()>();
    let mut serving = pin!(server.run(async move {
        let _ = stopping.await;
    }));
    tokio::select! {
        () = &mut serving => return Ok(Stopped::Gracefully),
        () = signals.next() => drop(stop),
    }
    tokio::select! {
        () = serving => Ok(Stopped::Gracefully),
        () = signals.next() => {
            tracing::warn!("stopping at once");
            Ok(Stopped::AtOnce)
        }
    }
}

/// The signals that stop a server: Ctrl-C and termination.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn install() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// The signal that stops a server: Ctrl-C.
#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn install() -> io::Result<Self> {
        Ok(Self(tokio::signal::windows::ctrl_c()?))
    }

    async fn next(&mut self) {
        self.0.recv().await;
    }
}

/// Allows as many open files as the system permits: every connection is one, and the usual default of 1,024 is soon reached.
fn raise_file_limit() {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => tracing::debug!(limit, "open files"),
        Err(e) => tracing::warn!(%e, "cannot raise the limit of open files"),
    }
}
