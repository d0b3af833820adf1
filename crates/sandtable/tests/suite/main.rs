//! Tests of the public interface.

mod any_game;
mod svg;
mod tree;
mod vector_env;
