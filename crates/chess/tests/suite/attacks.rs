//! `attackers` and `legal_moves_from` against slow definitions.

use sandtable_chess::{Chess, ChessGame, Piece, Role, Square, SquareSet, WHITE};
use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{Game, Player, Position};

/// Calls `f` with every position of some random games and with some positions with special moves.
fn for_each_visited(mut f: impl FnMut(&Chess)) {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1",
    ] {
        f(ChessGame::from_text(fen, sandtable_chess::DrawRules::default()).unwrap().position());
    }
    for seed in 0..10 {
        let (mut game, mut rng) = (Game::<Chess>::default(), Rng::new(seed));
        while play_random_moves(&mut game, &mut rng, 1) == 1 {
            f(game.position());
        }
    }
}

fn square_at(from: Square, right: isize, up: isize) -> Option<Square> {
    Square::from_coords(from.file().checked_add_signed(right)?, from.rank().checked_add_signed(up)?)
}

/// The slow definition: walks from a piece in each direction until it meets the target, another piece or the edge.
fn attacks(position: &Chess, from: Square, Piece { owner, role }: Piece, target: Square) -> bool {
    const STRAIGHT: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    let knight = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let up = if owner == WHITE { 1 } else { -1 };
    let (directions, reach): (Vec<(isize, isize)>, isize) = match role {
        Role::Pawn => (vec![(-1, up), (1, up)], 1),
        Role::Knight => (knight.to_vec(), 1),
        Role::Bishop => (DIAGONAL.to_vec(), 7),
        Role::Rook => (STRAIGHT.to_vec(), 7),
        Role::Queen => ([STRAIGHT, DIAGONAL].concat(), 7),
        Role::King => ([STRAIGHT, DIAGONAL].concat(), 1),
    };
    directions.into_iter().any(|(right, up)| {
        for distance in 1..=reach {
            let Some(square) = square_at(from, right * distance, up * distance) else { return false };
            if square == target {
                return true;
            }
            if position.piece_on(square).is_some() {
                return false;
            }
        }
        false
    })
}

#[test]
fn attackers_equal_the_slow_definition() {
    let mut attacked = 0;
    for_each_visited(|position| {
        let pieces: Vec<_> =
            Square::all().filter_map(|square| Some((square, position.piece_on(square)?))).collect();
        for target in Square::all() {
            for player in Player::ALL {
                let attackers = pieces.iter().filter(|(_, piece)| piece.owner == player);
                let slow: SquareSet = attackers
                    .filter(|(from, piece)| attacks(position, *from, *piece, target))
                    .map(|(from, _)| *from)
                    .collect();
                assert_eq!(
                    position.attackers(target) & position.occupied(player),
                    slow,
                    "{target} in {}",
                    position.to_fen()
                );
                attacked += usize::from(!slow.is_empty());
            }
        }
        let king = position.king(position.turn());
        assert_eq!(
            (position.attackers(king) & position.occupied(!position.turn())).is_empty(),
            !position.is_check()
        );
    });
    assert!(attacked > 10_000, "only {attacked} attacked squares");
}

#[test]
fn legal_moves_from_equals_the_filtered_list() {
    for_each_visited(|position| {
        let legal = position.legal_moves();
        for square in Square::all() {
            let filtered: Vec<_> = legal.iter().copied().filter(|m| m.from() == square).collect();
            assert_eq!(position.legal_moves_from(square), filtered, "{square} in {}", position.to_fen());
        }
    });
}

#[test]
fn pieces_and_king_match_the_board() {
    for_each_visited(|position| {
        for player in Player::ALL {
            for role in Role::ALL {
                let piece = Some(Piece { owner: player, role });
                let slow: SquareSet =
                    Square::all().filter(|&square| position.piece_on(square) == piece).collect();
                assert_eq!(position.pieces(player, role), slow);
            }
            assert!(position.pieces(player, Role::King).contains(position.king(player)));
        }
    });
}
