//! Tunes the evaluation of chess from its own games and prints the weights after each pass.
//!
//! `cargo run --release -p sandtable-search --example tune_chess -- [GAMES] [NODES] [PASSES] [SEED]`

use sandtable_chess::{DrawRules, Position};
use sandtable_core::{Rules, Weighted};
use sandtable_search::tune::{SelfPlay, best_scale, loss, self_play, tune};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = [400, 2000, 4, 1];
    for (number, text) in numbers.iter_mut().zip(std::env::args().skip(1)) {
        *number = text.parse().map_err(|e| format!("`{text}` is not a number: {e}"))?;
    }
    let [games, nodes, passes, seed] = numbers;
    let rules = DrawRules::named("claims").ok_or("chess has rules that end games by themselves")?;
    let how = SelfPlay { games, opening: 8, nodes, limit: 300, seed };
    let samples = self_play::<Position>(rules, how, |number| {
        if number % 50 == 0 {
            eprintln!("{number} games");
        }
    });
    let mut weights = Position::WEIGHTS;
    let scale = best_scale(&samples, &weights);
    let before = loss(&samples, &weights, scale);
    eprintln!("{} positions, scale {scale}, loss {before:.6}", samples.len());
    for pass in 0..passes {
        // Big steps first, to leave small hollows behind.
        let step = [8, 4, 2, 1][pass.min(3) as usize];
        eprintln!("pass {}: loss {:.6}", pass + 1, tune(&samples, &mut weights, scale, step));
        println!("{weights:?}");
    }
    Ok(())
}
