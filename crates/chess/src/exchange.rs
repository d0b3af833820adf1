//! What a capture is worth after everybody has taken back on the square.

use cozy_chess::{self as cozy, BitBoard, Board, Color, Piece};

/// Pawn, knight, bishop, rook, queen, king: what a search trades in. A king is never worth taking with.
pub(crate) const WORTH: [i32; 6] = [100, 325, 335, 500, 975, 10_000];

pub(crate) const fn worth(piece: Piece) -> i32 {
    WORTH[piece as usize]
}

/// The gain of the player who begins with `from` takes `to`, if both sides go on only as long as it pays.
///
/// `gain` is what that first move wins at once and `stake` the piece that then stands on the square. Pins are not
/// looked at: they would cost more than they tell.
pub(crate) fn exchange(board: &Board, from: cozy::Square, to: cozy::Square, gain: i32, stake: i32) -> i32 {
    let mut occupied = board.occupied() ^ from.bitboard();
    let mut taker = !board.side_to_move();
    let mut at_stake = stake;
    // What each capture in turn has won for the side that made it, were it the last.
    let mut gains = [0; 32];
    gains[0] = gain;
    let mut length = 1;
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let steppers = (cozy::get_knight_moves(to) & board.pieces(Piece::Knight))
        | (cozy::get_king_moves(to) & board.pieces(Piece::King))
        | (cozy::get_pawn_attacks(to, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn))
        | (cozy::get_pawn_attacks(to, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn));
    while length < gains.len() {
        // Sliders are looked up anew: a piece that left may have stood in front of another.
        let attackers = (steppers
            | cozy::get_bishop_moves(to, occupied) & diagonal
            | cozy::get_rook_moves(to, occupied) & straight)
            & occupied;
        let Some((piece, square)) = cheapest(board, attackers & board.colors(taker)) else { break };
        if piece == Piece::King && !(attackers & board.colors(!taker)).is_empty() {
            break;
        }
        gains[length] = at_stake - gains[length - 1];
        at_stake = worth(piece);
        length += 1;
        occupied ^= square.bitboard();
        taker = !taker;
    }
    for i in (1..length).rev() {
        gains[i - 1] = -gains[i].max(-gains[i - 1]);
    }
    gains[0]
}

fn cheapest(board: &Board, attackers: BitBoard) -> Option<(Piece, cozy::Square)> {
    Piece::ALL
        .into_iter()
        .find_map(|piece| (attackers & board.pieces(piece)).next_square().map(|square| (piece, square)))
}

#[cfg(test)]
mod tests {
    use sandtable_core::{Evaluate as _, Game, Rng, play_randomly};

    use super::*;
    use crate::{Move, Position, backend};

    /// What `taker` wins on the square at most, told step by step: take with the cheapest piece, or leave it.
    fn slow(board: &Board, to: cozy::Square, occupied: BitBoard, taker: Color, stake: i32) -> i32 {
        let reaches = |from: cozy::Square| {
            let targets = match board.piece_on(from).unwrap() {
                Piece::Pawn => cozy::get_pawn_attacks(from, board.color_on(from).unwrap()),
                Piece::Knight => cozy::get_knight_moves(from),
                Piece::Bishop => cozy::get_bishop_moves(from, occupied),
                Piece::Rook => cozy::get_rook_moves(from, occupied),
                Piece::Queen => cozy::get_bishop_moves(from, occupied) | cozy::get_rook_moves(from, occupied),
                Piece::King => cozy::get_king_moves(from),
            };
            targets.has(to)
        };
        let attackers: Vec<_> = occupied.into_iter().filter(|&from| from != to && reaches(from)).collect();
        let own = attackers.iter().copied().filter(|&from| board.color_on(from) == Some(taker));
        let Some(from) = own.min_by_key(|&from| worth(board.piece_on(from).unwrap())) else { return 0 };
        let guarded = attackers.iter().any(|&from| board.color_on(from) == Some(!taker));
        let piece = board.piece_on(from).unwrap();
        if piece == Piece::King && guarded {
            return 0;
        }
        let rest = slow(board, to, occupied ^ from.bitboard(), !taker, worth(piece));
        (stake - rest).max(0)
    }

    #[test]
    fn exchanges_equal_those_told_step_by_step() {
        let mut seen = 0;
        for seed in 0..40 {
            let mut game = Game::<Position>::default();
            let mut rng = Rng::new(seed);
            while play_randomly(&mut game, &mut rng, 1) == 1 && game.ply() < 150 {
                let position = game.position();
                for m in game.legal_moves().into_iter().filter(|m| matches!(m, Move::Step { .. })) {
                    let (from, to) = (backend::theirs(m.from()), backend::theirs(m.to()));
                    let board = &position.board;
                    let stake = worth(board.piece_on(from).unwrap());
                    let occupied = board.occupied() ^ from.bitboard();
                    let reply = slow(board, to, occupied, !board.side_to_move(), stake);
                    let expected = position.tactic(m).gain - reply;
                    assert_eq!(position.exchange(m), expected, "{m:?} in {position:?}");
                    seen += i32::from(expected < 0);
                }
            }
        }
        assert!(seen > 1000, "exchanges that lose are common: {seen}");
    }
}
