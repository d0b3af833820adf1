//! The API as clients see it. Every response in these tests is validated against `openapi.yaml`.

mod analysis;
mod client;
mod cluster;
mod errors;
mod games;
mod malformed;
#[cfg(feature = "nim")]
mod nim;
mod openapi;
mod operations;
mod positions;
mod postgres;
mod quotas;
mod reviews;
mod schema;
mod seats;
mod slow_clients;
mod sockets;
mod storage;
