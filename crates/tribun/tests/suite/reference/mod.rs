//! The generator agrees with the test vectors and with a slow reference implementation.

mod agreement;
mod slow;
mod vectors;
