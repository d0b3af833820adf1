//! Greedy Nim, the smallest complete game: the required traits of core, and the defaults of everything else.
//!
//! Two players take one, two or three counters from a pile. A player who takes *one* moves again; the player who takes the
//! last counter wins. Players may pass, so that positions repeat; the third occurrence is a draw.
//!
//! | file | traits |
//! |---|---|
//! | `position.rs` | `Rules`, `EndRule`, `Position`, `FromSetup` |
//! | `notation.rs` | `Notation` |
//! | `encoding.rs` | `Observe`, `PolicyIndexed` |
//! | `render.rs` | `Render` |

mod encoding;
mod notation;
mod position;
mod render;

pub use notation::NimError;
pub use position::{Ending, Nim, OneSet, PILE, Take};

sandtable_core::keep_defaults!(Nim: FactoredPolicy, Symmetric, Features, Evaluate, Arrange, Explain);

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
