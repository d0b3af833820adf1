//! Tests of the public interface.

mod any_game;
mod messages;
mod networks;
mod policy_head;
mod refusals;
mod review;
mod rules_pages;
mod svg;
mod tree;
mod tree_batch;
mod vector_env;
