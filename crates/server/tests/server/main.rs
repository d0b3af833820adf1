//! The API as clients see it. Every response in these tests is validated against `openapi.yaml`.

mod analysis;
mod client;
mod errors;
mod games;
mod openapi;
mod positions;
mod schema;
mod sockets;
