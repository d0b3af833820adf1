//! For training: many games of random play, stepped together, with observations and masks.
//!
//! ```sh
//! cargo run --release --example self_play -- tribun
//! ```

use sandtable::{Arrays, VectorSettings, find};

const ENVS: usize = 64;
const STEPS: usize = 200;

fn main() -> Result<(), sandtable::Error> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "chess".to_owned());
    let kind = find(&name)?;
    let settings = VectorSettings::new(ENVS).with_threads(2).with_opening_plies(4);
    let mut env = kind.vector_env("standard", &settings)?;

    // The caller owns all memory; a step allocates nothing.
    let mut observations = vec![0.0; ENVS * kind.shape.len()];
    let mut final_observations = observations.clone();
    let mut masks = vec![false; ENVS * kind.policy_size];
    let (mut players, mut rewards) = ([0; ENVS], [0.0; 2 * ENVS]);
    let (mut terminated, mut truncated) = ([false; ENVS], [false; ENVS]);
    let mut actions = [0; ENVS];
    let mut finished = 0;
    for step in 0..=STEPS {
        let arrays = Arrays {
            observations: &mut observations,
            masks: &mut masks,
            players: &mut players,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            final_observations: &mut final_observations,
        };
        if step == 0 {
            env.reset(arrays)?;
        } else {
            // A network would choose the actions from observations and masks.
            env.sample(&mut actions)?;
            env.step(&actions, arrays)?;
            finished += terminated.iter().zip(&truncated).filter(|(a, b)| **a || **b).count();
        }
    }
    println!("{name}: {} moves, {finished} finished games", ENVS * STEPS);
    Ok(())
}
