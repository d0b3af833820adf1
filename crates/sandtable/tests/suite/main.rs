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
mod vector_env;
