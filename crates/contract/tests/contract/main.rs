//! The contract as its hosts see it: JSON in, JSON out.

mod lessons;
mod reviews;
mod routes;
mod seats;
mod sessions;
