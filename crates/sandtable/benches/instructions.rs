//! Instructions per node of the engine, the same on every run: `cargo bench -p sandtable --bench instructions`.
//!
//! Requires valgrind, and `gungraun-runner` in the version of `gungraun` in the lock file.

#![expect(missing_docs, reason = "a benchmark has no public API")]

use std::hint::black_box;
use std::ops::ControlFlow;

use gungraun::prelude::*;
use sandtable::core::search::Evaluate;
use sandtable::core::{Game, Notation};
use sandtable::engine::{Evaluation, engine_for};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits};
use sandtable::{chess, cotulenh, tribun};

/// Four games, each with an engine that has searched nothing yet.
type Searches<P> = [(Game<P>, AlphaBeta); 4];

/// Games from `positions` with engines of the game called `name`.
fn searches<P: Notation>(name: &str, positions: [&str; 4], evaluation: &Evaluation) -> Searches<P> {
    positions.map(|text| {
        let position = P::from_text(text, P::Rules::default()).expect("the position is valid");
        let engine = engine_for(name, 1, AlphaBetaSettings::default(), evaluation);
        (Game::from_position(position), engine.expect("a table of 1 MiB fits"))
    })
}

/// Searches 5,000 nodes of each game: divided by 20,000, the instructions per node. Returns the searches, so that freeing them
/// is not counted.
fn search_20000<P: Evaluate>(mut searches: Searches<P>) -> Searches<P> {
    for (game, engine) in &mut searches {
        let report = engine.search(black_box(game), &Limits::nodes(5000), |_| ControlFlow::Continue(()));
        assert_eq!(report.nodes, 5000);
    }
    searches
}

#[library_benchmark]
#[bench::network(searches("chess", CHESS, &Evaluation::Default))]
#[bench::hand_made(searches("chess", CHESS, &Evaluation::HandMade))]
fn chess_nodes(searches: Searches<chess::Chess>) -> Searches<chess::Chess> {
    search_20000(searches)
}

#[library_benchmark]
#[bench::network(searches("cotulenh", COTULENH, &Evaluation::Default))]
#[bench::hand_made(searches("cotulenh", COTULENH, &Evaluation::HandMade))]
fn cotulenh_nodes(searches: Searches<cotulenh::CoTuLenh>) -> Searches<cotulenh::CoTuLenh> {
    search_20000(searches)
}

#[library_benchmark]
#[bench::network(searches("tribun", TRIBUN, &Evaluation::Default))]
#[bench::hand_made(searches("tribun", TRIBUN, &Evaluation::HandMade))]
fn tribun_nodes(searches: Searches<tribun::Tribun>) -> Searches<tribun::Tribun> {
    search_20000(searches)
}

library_benchmark_group!(name = nodes, benchmarks = [chess_nodes, cotulenh_nodes, tribun_nodes]);
main!(library_benchmark_groups = nodes);

// Middlegames, reached by the engine after four random moves.

const CHESS: [&str; 4] = [
    "r4rk1/1p2bpp1/1qp1p2p/3nN3/P2P4/PQN1P3/1B3PPP/R5K1 w - - 4 21",
    "3r2r1/1p3kb1/3pb2p/pBp5/1n6/q4NB1/P1P2PPP/1R1Q1RK1 w - - 4 21",
    "4r1k1/1pp4p/p1q4n/8/P4Pp1/3BP1P1/1PPB1K1r/R2Q4 w - - 5 21",
    "4r1k1/1bp2pbp/1pn5/6p1/8/2Bq3P/4NPP1/Q3KB1R w K - 0 21",
];

const COTULENH: [&str; 4] = [
    "2nc2s4/5h1h3/3a3f1f1/4g3g2/10i/8(ea)2/5A5/2IEGA5/3F3T1E1/6S1G2/1N3H1HF2/6C4 r - - 1 19",
    "7c3/1(nf)3hsh3/7f3/4g(tm)2g2/9(ea)1/4a2t3/11/10I/5(TM)5/4G3GA1/1(NF)3HSH3/2(NF)3C4 b - - 5 19",
    "6c4/1(nf)3h1h3/1n1a4f(es)1/4g2t3/8g1i/8a2/2A(EA)1T5/2I8/2N1G6/8F2/1(NF)3HSH3/6C4 b - - 1 19",
    "6c4/n1(nf)2hsh3/9a1/4g1(fm)1g2/7T2i/3t7/2T8/8(EA)2/8G2/3(EA)G6/1(NF)3HSHF2/6C4 b - - 0 19",
];

const TRIBUN: [&str; 4] = [
    "black:a1=1*,a2=4,a4=2,b1=2,b3=3,b5=4,b6=1,c1=2,c2=2,c5=1,d1=2,d2=2,e3=2,g4=3 \
     white:f9=1,g9=2,h5=2,h6=2/3,h10=2,h11=2,i7=2,i9=2,i10=3,i11=1,j6=1,j7=4,j10=3,j11=2*,k9=2 b -",
    "black:a3=2,a4=2,b2=3*,b5=2,c1=2,c3=4,c5=2,c6=1,d1=2,d2=2,e4=3,e6=2,f2=1,f3=1,g4=1 \
     white:f6=3/3,f7=1,f8=1,f9=1,f10=1,g6=1,g9=2,h10=2,h11=2,i5=2,i8=1,i9=4,i10=3,i11=2,j7=3,k11=1* b -",
    "black:a2=4*,a3=2,a4=2,b3=3,c1=2,c2=3,c6=4,d1=2,d4=2,d6=1,e1=2,g3=2,h3=4,i4=3 \
     white:e8=1,e9=1,f7=4,g8=3,h6=1,h7=1,h8=3,h9=4,h10=4,i6=1,i7=2,i8=1,j7=2,j9=3,k8=2,k10=3* b -",
    "black:a2=3*,a4=1,b4=2,b5=2,c2=3,c5=2,d1=2,d4=3,d7=2,e2=2,e3=3,e5=3,e6=3,f3=4 \
     white:e7=2,f10=1,g7=3,g9=2,g10=3,h10=2,i6=4,i7=1,i9=2,i10=3,i11=2,j7=2,j8=1,j10=3,k7=2,k10=3* b -",
];
