//! The speed of vector environments: random games with lists of legal actions, without masks.
//!
//! ```text
//! cargo run --release -p sandtable --example vector_env -- cotulenh 1024 2 400
//! ```
//!
//! The arguments are the game, the number of environments, the number of threads and the number of measured steps. Every
//! step samples actions, plays them and lists the legal actions of all environments. Environments are stepped 200 times
//! before, so that their games are out of step.

use std::time::Instant;

use sandtable::find;
use sandtable::training::{ArrayBuffers, BoxedEnv, VectorSettings, vector_env};

/// The measured part of a step, by name, for profilers.
const PARTS: [&str; 3] = ["sample", "step", "list"];

/// The lists of legal actions.
#[derive(Default)]
struct Legal {
    actions: Vec<i32>,
    offsets: Vec<i64>,
}

impl Legal {
    #[inline(never)]
    fn list(&mut self, env: &mut BoxedEnv) {
        self.actions.resize(env.count_legal(), 0);
        self.offsets.resize(env.len() + 1, 0);
        env.write_legal(&mut self.actions, &mut self.offsets).expect("the arrays have these lengths");
    }
}

/// Steps all environments. Returns the seconds spent on each part and the number of legal actions listed.
#[inline(never)]
fn run(env: &mut BoxedEnv, arrays: &mut ArrayBuffers, steps: usize) -> ([f64; PARTS.len()], usize) {
    let mut actions = vec![0; env.len()];
    let mut legal = Legal::default();
    let mut spent = [0.0; PARTS.len()];
    let mut listed = 0;
    for _ in 0..steps {
        let start = Instant::now();
        env.sample(&mut actions).expect("one action per environment");
        let sampled = Instant::now();
        env.step(&actions, arrays.arrays()).expect("sampled actions are legal");
        let stepped = Instant::now();
        legal.list(env);
        for (part, time) in spent.iter_mut().zip([sampled - start, stepped - sampled, stepped.elapsed()]) {
            *part += time.as_secs_f64();
        }
        listed += legal.actions.len();
    }
    (spent, listed)
}

#[expect(clippy::cast_precision_loss, reason = "the numbers of plies and moves are far below 2^52")]
fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "cotulenh".into());
    let mut number = |default| args.next().map_or(default, |arg| arg.parse().expect("a number"));
    let (envs, threads, steps) = (number(1024), number(1), number(400));
    let kind = find(&name).expect("chess, cotulenh or tribun");
    let settings = VectorSettings::new(envs).with_threads(threads);
    let mut env = vector_env(kind, kind.rules[0], &settings).expect("the first rules of the game");
    let mut arrays = ArrayBuffers::new(kind, envs).without_masks();
    env.reset(None, arrays.arrays()).expect("the arrays have the lengths of the environments");
    run(&mut env, &mut arrays, 200);

    let (spent, listed) = run(&mut env, &mut arrays, steps);
    let plies = (envs * steps) as f64;
    let total: f64 = spent.iter().sum();
    println!("{name}, {envs} environments, threads={threads}: {:.0} plies per second", plies / total);
    for (part, time) in PARTS.iter().zip(spent) {
        println!("{part:>8}: {:6.0} ns per ply", 1e9 * time / plies);
    }
    println!("{:8.1} legal actions per position", listed as f64 / plies);
}
