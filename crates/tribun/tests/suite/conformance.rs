//! The conformance suite of all games.

use sandtable_core::Position;
use sandtable_core::rules::Rng;
use sandtable_testkit::{Subject, conformance};
use sandtable_tribun::{Action, Event, Tribun};

/// Mirrored legal actions, and actions whose word differs from a legal one in one bit.
fn near_misses(position: &Tribun, rng: &mut Rng) -> Vec<Action> {
    let legal = position.legal_moves();
    let mut tried: Vec<_> = legal.iter().step_by(7).map(|action| action.mirrored()).collect();
    for action in legal.iter().step_by(5) {
        if let Ok(Event::Board(action)) = Event::from_word(action.word() ^ 1 << rng.below(28)) {
            tried.push(action);
        }
    }
    tried
}

conformance!(
    Tribun,
    Subject {
        openings: &[
            // Slaves on both sides, an open draw offer.
            "black:a1=1*,f6=3/2,e5=4/8,d6=1/1,c3=2/4 white:k11=4*,g8=2/3,h7=4/1,i6=6,g5=8 b offer:w",
            // A tribun of height 8, a declined draw offer.
            "black:f6=8*,a1=1,b1=1,c2=1,b3=1,d5=2,e6=2 white:k11=3*,h9=6,i8=3/6,j10=2 w declined:b",
        ],
        games: 1,
        near_misses,
    }
);
