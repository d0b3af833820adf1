//! The contract as its hosts see it: JSON in, JSON out.

mod routes;
mod seats;
mod sessions;
