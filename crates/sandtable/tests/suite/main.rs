//! Tests of the public interface.

mod any_game;
mod messages;
mod svg;
mod tree;
mod vector_env;
