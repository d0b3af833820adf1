//! For training: many games of random play, stepped together, with observations and masks.
//!
//! ```sh
//! cargo run --release --example self_play -- tribun
//! ```

use sandtable::find;
use sandtable::training::{ArrayBuffers, VectorSettings, vector_env};

const ENVS: usize = 64;
const STEPS: usize = 200;

fn main() -> Result<(), sandtable::Error> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "chess".to_owned());
    let kind = find(&name)?;
    let settings = VectorSettings::new(ENVS).with_threads(2).with_opening_plies(4);
    let mut env = vector_env(kind, "standard", &settings)?;

    // The caller owns all memory; a step allocates nothing.
    let mut buffers = ArrayBuffers::new(kind, ENVS);
    let mut actions = [0; ENVS];
    env.reset(None, buffers.arrays())?;
    let mut finished = 0;
    for _ in 0..STEPS {
        // A network would choose the actions from `buffers.observations` and `buffers.masks`.
        env.sample(&mut actions)?;
        env.step(&actions, buffers.arrays())?;
        finished += buffers.terminated.iter().chain(&buffers.truncated).filter(|ended| **ended).count();
    }
    println!("{name}: {} moves, {finished} finished games", ENVS * STEPS);
    Ok(())
}
