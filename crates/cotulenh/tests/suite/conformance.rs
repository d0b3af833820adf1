//! The conformance suite of all games.

use sandtable_core::Position;
use sandtable_core::rules::Rng;
use sandtable_cotulenh::{CoTuLenh, KindSet, Square, Step, StepKind};
use sandtable_testkit::{Subject, conformance};

/// Steps of random groups of the mover's stacks to random targets on their lines, most of them illegal.
fn near_misses(position: &CoTuLenh, rng: &mut Rng) -> Vec<Step> {
    let own: Vec<_> = position.board().pieces(position.turn()).collect();
    let squares: Vec<_> = Square::all().collect();
    let mut steps: Vec<_> = own
        .iter()
        .take(1)
        .map(|&(from, _)| Step::End { from })
        .chain(position.legal_moves().first().copied())
        .collect();
    for _ in 0..60 {
        if own.is_empty() {
            break;
        }
        let (from, stack) = own[rng.below(own.len())];
        let kinds: Vec<_> = stack.kinds().iter().collect();
        let group: KindSet = kinds.iter().copied().filter(|_| rng.below(2) == 0).collect();
        let near = || squares.iter().copied().filter(|&to| from.line_to(to).is_some_and(|(_, n)| n <= 5));
        let to = near().nth(rng.below(near().count())).unwrap();
        let kind = StepKind::ALL[rng.below(StepKind::ALL.len())];
        steps.push(match rng.below(3) {
            0 => Step::Whole { from, to, kind },
            1 => Step::Deploy { from, to, group, kind },
            _ => Step::Deploy { from: squares[rng.below(squares.len())], to, group, kind },
        });
    }
    steps
}

/// Stacks of all sizes near each other, few pieces around the commanders, and a deployment in progress.
const OPENINGS: &[&str] = &[
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/4T6/2(NFI)8/3(EG)3(FT)3/3E1A1(TM)G2/8S2/2N2H1H3/6C4 r - - 0 1",
    "6(hc)4/11/3(es)3(ftm)3/2(nf)8/11/4(NF)6/11/5(TI)5/2(NI)5(EG)2/11/7(HC)3/11 b - - 12 30",
    "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1 c3:(NT):F>c7...",
];

conformance!(CoTuLenh, Subject { openings: OPENINGS, games: 1, near_misses });
