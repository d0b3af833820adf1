//! The server as its clients see it: every answer in these tests is held against `openapi.yaml`.

mod analysis;
mod client;
mod contract;
mod description;
mod games;
mod positions;
mod refusals;
mod sockets;
