//! Static exchange evaluation: the material result of the captures on one square.

use cozy_chess::{self as cozy, BitBoard, Board, Piece};

use crate::attacks::Placement;

/// The exchange values of pawn, knight, bishop, rook, queen and king. A king never recaptures into an attack.
const VALUES: [i32; 6] = [100, 325, 335, 500, 975, 10_000];

/// The exchange value of a kind of piece.
pub(crate) const fn exchange_value(piece: Piece) -> i32 {
    VALUES[piece as usize]
}

/// The gain of the side to move when it starts an exchange on `to` with the piece on `from` and both sides stop
/// capturing as soon as that is better.
///
/// `gain` is the immediate gain of the first move, `stake` the value of the piece on `to` after it. Pins are ignored:
/// finding them costs more than it gains.
pub(crate) fn static_exchange(
    board: &Board,
    from: cozy::Square,
    to: cozy::Square,
    gain: i32,
    stake: i32,
) -> i32 {
    let mut occupied = board.occupied() ^ from.bitboard();
    let mut side = !board.side_to_move();
    let mut at_stake = stake;
    // The gain of each capture for the side that makes it, if the exchange ends there.
    let mut gains = [0; 32];
    gains[0] = gain;
    let mut length = 1;
    let placement = Placement::of_board(board);
    let leapers = placement.leaping_attackers(to);
    while length < gains.len() {
        // The piece that has just captured may have uncovered a slider behind it.
        let attackers = (leapers | placement.sliding_attackers(to, occupied)) & occupied;
        let Some((piece, square)) = least_valuable(board, attackers & board.colors(side)) else { break };
        if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            break;
        }
        gains[length] = at_stake - gains[length - 1];
        at_stake = exchange_value(piece);
        length += 1;
        occupied ^= square.bitboard();
        side = !side;
    }
    for i in (1..length).rev() {
        gains[i - 1] = -gains[i].max(-gains[i - 1]);
    }
    gains[0]
}

/// The least valuable of the attackers, with its square.
fn least_valuable(board: &Board, attackers: BitBoard) -> Option<(Piece, cozy::Square)> {
    Piece::ALL
        .into_iter()
        .find_map(|piece| (attackers & board.pieces(piece)).next_square().map(|square| (piece, square)))
}

#[cfg(test)]
mod tests {
    use sandtable_core::Game;
    use sandtable_core::rules::{Rng, play_random_moves};
    use sandtable_core::search::{Evaluate as _, NodeView as _};

    use super::*;
    use crate::attacks::attacks_from;
    use crate::{Chess, Move, backend};

    /// The slow definition: the best result for `side`, which captures with its least valuable piece or stops.
    fn slow(board: &Board, to: cozy::Square, occupied: BitBoard, side: cozy::Color, stake: i32) -> i32 {
        let attacks = |from: cozy::Square| {
            let (piece, color) = (board.piece_on(from).unwrap(), board.color_on(from).unwrap());
            attacks_from(piece, color, from, occupied).has(to)
        };
        let attackers: Vec<_> = occupied.into_iter().filter(|&from| from != to && attacks(from)).collect();
        let own = attackers.iter().copied().filter(|&from| board.color_on(from) == Some(side));
        let Some(from) = own.min_by_key(|&from| exchange_value(board.piece_on(from).unwrap())) else {
            return 0;
        };
        let guarded = attackers.iter().any(|&from| board.color_on(from) == Some(!side));
        let piece = board.piece_on(from).unwrap();
        if piece == Piece::King && guarded {
            return 0;
        }
        let rest = slow(board, to, occupied ^ from.bitboard(), !side, exchange_value(piece));
        (stake - rest).max(0)
    }

    #[test]
    fn exchanges_equal_the_slow_definition() {
        let mut losing = 0;
        for seed in 0..40 {
            let mut game = Game::<Chess>::default();
            let mut rng = Rng::new(seed);
            while play_random_moves(&mut game, &mut rng, 1) == 1 && game.ply() < 150 {
                let position = game.position();
                for m in game.legal_moves().into_iter().filter(|m| matches!(m, Move::Step { .. })) {
                    let (from, to) = (backend::theirs(m.from()), backend::theirs(m.to()));
                    let board = &position.board;
                    let stake = exchange_value(board.piece_on(from).unwrap());
                    let occupied = board.occupied() ^ from.bitboard();
                    let reply = slow(board, to, occupied, !board.side_to_move(), stake);
                    let expected = position.view().tactic(m).gain - reply;
                    assert_eq!(position.view().static_exchange(m), expected, "{m:?} in {position:?}");
                    losing += i32::from(expected < 0);
                }
            }
        }
        assert!(losing > 1000, "only {losing} losing exchanges");
    }
}
