//! The positions of the benchmarks.

use sandtable_core::{Notation, Position};
use sandtable_cotulenh::{CoTuLenh, Rules};

pub(crate) fn start() -> CoTuLenh {
    CoTuLenh::start(Rules::STANDARD)
}

/// A middlegame with five stacks and Blue to move.
pub(crate) fn middlegame() -> CoTuLenh {
    let text = "2a3c4/2n2h1h3/6s2a1/4g1(ft)1g1i/2(ni)e2mt1e1/11/3(NI)3T3/3E1(TM)4f/4G1A1G(ES)1/9A1/N4H1H1F1/6C4 b - - 15 17";
    CoTuLenh::from_text(text, Rules::STANDARD).expect("the middlegame is valid")
}
