//! For apps and servers: the rules of one game, embedded.
//!
//! Reads moves or complete turns of Cờ Tư Lệnh from the command line and prints the game record.
//!
//! ```sh
//! cargo run --example embed_rules -- Ic6 Id7
//! ```

use sandtable::prelude::*;

fn main() -> Result<(), sandtable::Error> {
    let mut game = CoTuLenhGame::default();
    for turn in std::env::args().skip(1) {
        game.play_turn(&turn)?;
    }
    match game.outcome() {
        Outcome::Ongoing => println!("{} legal moves in {}", game.legal_moves().len(), game.position_text()),
        Outcome::Win { winner, reason } => println!("{winner:?} wins ({reason})"),
        Outcome::Draw { reason } => println!("draw ({reason})"),
    }
    print!("{}", game.record(&vec![("Event".into(), "Example".into())]));
    Ok(())
}
