#![doc = include_str!("../README.md")]

mod evaluation;
mod level;
mod policy_network;
mod puzzle;
pub mod review;

pub use evaluation::{Evaluation, default_network, engine_for, install_network, read_network};
pub use level::{Level, LevelError, LevelPlayer, Skill, Strength};
pub use policy_network::{
    PolicyEngine, PolicyError, PolicyEvaluator, PolicyNetwork, PolicyOutput, WrongOutput,
};
pub use puzzle::{BoardSketch, MineSettings, Puzzle, PuzzleError, all_themes, check_puzzle, mine_puzzles};
