#![doc = include_str!("../README.md")]

mod decode;
mod net;
pub mod npy;
mod policy_head;
mod pool;
mod tree;
mod tree_batch;
mod vector_env;

pub use decode::{Decoded, decode};
pub use net::{ReadGameError, Target, add_samples, for_each_quiet, quantize, self_play, trainer};
pub use policy_head::{Permutations, permutations, write_factors};
pub use tree::{EncodedBatch, Network, NetworkOutput, Tree, search_tree};
pub use tree_batch::{
    BoxedTreeBatch, GameStatus, LeafArrays, PolicyForm, RootArrays, Selection, TreeBatch, TreeBatchError,
    TreeBatchSettings, checked_value, tree_batch,
};
pub use vector_env::{
    ArrayBuffers, Arrays, BoxedEnv, SetGameError, StepError, VectorEnv, VectorSettings, vector_env,
};
