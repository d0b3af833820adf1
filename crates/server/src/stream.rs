//! The stream of a connection, with timeouts for clients that send a request head slowly or do not read their responses.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use crate::clients::Permit;

/// Whether a connection is serving a request, so that what the client sends is not a request head.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServingFlag(Arc<AtomicBool>);

impl ServingFlag {
    /// A request head is complete. Dropping the result means that its response has been handed over to be written.
    pub(crate) fn begin(&self) -> Serving {
        self.0.store(true, Ordering::Release);
        Serving { flag: self.clone(), is_upgraded: false }
    }

    fn is_serving(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// A request that is being served.
#[derive(Debug)]
pub(crate) struct Serving {
    flag: ServingFlag,
    is_upgraded: bool,
}

impl Serving {
    /// The connection becomes a WebSocket: no request head will follow.
    pub(crate) fn upgraded(mut self) {
        self.is_upgraded = true;
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if !self.is_upgraded {
            self.flag.0.store(false, Ordering::Release);
        }
    }
}

/// A timer that is set while something is overdue.
#[derive(Debug)]
struct Deadline {
    timeout: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
    const fn new(timeout: Duration) -> Self {
        Self { timeout, sleep: None }
    }

    /// Starts the timer unless it is running.
    fn start(&mut self) {
        if self.sleep.is_none() {
            self.sleep = Some(Box::pin(sleep(self.timeout)));
        }
    }

    fn clear(&mut self) {
        self.sleep = None;
    }

    /// Fails if the timer runs and has expired; otherwise the task is woken when it expires.
    fn check(&mut self, context: &mut Context<'_>, late: &'static str) -> io::Result<()> {
        let is_late = self.sleep.as_mut().is_some_and(|sleep| sleep.as_mut().poll(context).is_ready());
        if is_late { Err(io::Error::new(io::ErrorKind::TimedOut, late)) } else { Ok(()) }
    }
}

/// The stream of a connection.
#[derive(Debug)]
pub(crate) struct TimedStream {
    stream: TcpStream,
    serving: ServingFlag,
    /// Runs from the first byte of a request head until it is complete; for the first one, from the start.
    head: Deadline,
    /// Runs while the client does not read what is to be written.
    write: Deadline,
    /// Counts the connection until it is closed, also as a WebSocket.
    _permit: Permit,
}

impl TimedStream {
    pub(crate) fn new(
        stream: TcpStream,
        serving: ServingFlag,
        head_timeout: Duration,
        write_timeout: Duration,
        permit: Permit,
    ) -> Self {
        let mut head = Deadline::new(head_timeout);
        head.start();
        Self { stream, serving, head, write: Deadline::new(write_timeout), _permit: permit }
    }

    /// Passes on the result of an attempt to write. An error if there was no progress for too long.
    fn written<T>(&mut self, result: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.write.clear();
            return result;
        }
        self.write.start();
        self.write.check(context, "the client does not read")?;
        Poll::Pending
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.serving.is_serving() {
            self.head.clear();
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let before = buffer.filled().len();
        if let Poll::Ready(result) = Pin::new(&mut self.stream).poll_read(context, buffer) {
            if buffer.filled().len() > before {
                self.head.start();
            }
            return Poll::Ready(result);
        }
        self.head.check(context, "incomplete request head")?;
        Poll::Pending
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(result, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(result, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        self.written(result, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
