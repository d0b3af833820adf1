//! The perft of cozy-chess, the baseline of ours.

use cozy_chess::Board;

/// The perft of the start position.
///
/// It counts the last ply in bulk, as ours does, and tests the depth once per node rather than once per group of moves.
pub(crate) fn generator_perft(depth: u32) -> u64 {
    fn count(board: &Board, depth: u32) -> u64 {
        let mut nodes = 0;
        match depth {
            0 => nodes = 1,
            1 => {
                board.generate_moves(|moves| {
                    nodes += moves.len() as u64;
                    false
                });
            }
            _ => {
                board.generate_moves(|moves| {
                    for m in moves {
                        let mut next = board.clone();
                        next.play_unchecked(m);
                        nodes += count(&next, depth - 1);
                    }
                    false
                });
            }
        }
        nodes
    }
    count(&Board::startpos(), depth)
}
