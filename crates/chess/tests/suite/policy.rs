//! The 4,672 policy indices: hand-computed examples, and all indices against plain geometry.

use std::collections::BTreeSet;

use sandtable_chess::{BLACK, Chess, DrawRules, Move, Piece, Promotion, Role, Setup, Square, WHITE};
use sandtable_core::learn::PolicyIndex;
use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{FromSetup as _, Game, Notation as _, Player, PolicyIndexed as _, Position};

const KINDS: usize = 73;

fn position(fen: &str) -> Chess {
    Chess::from_fen(fen, DrawRules::default()).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[test]
fn the_policy_has_4672_indices() {
    assert_eq!(Chess::POLICY_SIZE, 4672);
    assert_eq!(Chess::POLICY_SIZE, 8 * 8 * KINDS);
}

#[test]
fn indices_computed_by_hand() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const START_BLACK: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    const ROOKS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const ROOKS_BLACK: &str = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    const PAWNS: &str = "nn5k/PP6/8/8/8/8/8/7K w - - 0 1";
    const PAWNS_BLACK: &str = "7k/8/8/8/8/8/pp6/NN5K b - - 0 1";
    const QUEEN: &str = "7Q/8/8/8/8/k7/8/4K3 w - - 0 1";
    // (position, move, row and column of the from-square in the mover's frame, kind)
    let table = [
        // One and two rows ahead: direction 0.
        (START, "e2e3", (6, 4), 0),
        (START, "e2e4", (6, 4), 1),
        (START_BLACK, "e7e5", (6, 4), 1),
        // Knight moves: one right and two ahead is the first, one left and two ahead the last.
        (START, "b1c3", (7, 1), 56),
        (START, "b1a3", (7, 1), 63),
        (START, "g1f3", (7, 6), 63),
        (START_BLACK, "g8f6", (7, 6), 63),
        (START_BLACK, "g8h6", (7, 6), 56),
        // Castling: two to the right (direction 2) or to the left (direction 6).
        (ROOKS, "e1g1", (7, 4), 2 * 7 + 1),
        (ROOKS, "e1c1", (7, 4), 6 * 7 + 1),
        (ROOKS_BLACK, "e8g8", (7, 4), 2 * 7 + 1),
        (ROOKS_BLACK, "e8c8", (7, 4), 6 * 7 + 1),
        // A rook across the board, straight ahead.
        (ROOKS, "a1a8", (7, 0), 6),
        (ROOKS_BLACK, "h8h1", (7, 7), 6),
        // A queen back (4), back and left (5), left (6).
        (QUEEN, "h8h1", (0, 7), 4 * 7 + 6),
        (QUEEN, "h8b2", (0, 7), 5 * 7 + 5),
        (QUEEN, "h8g7", (0, 7), 5 * 7),
        (QUEEN, "h8a8", (0, 7), 6 * 7 + 6),
        // En passant: one ahead and left (7), or ahead and right (1).
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", (3, 4), 7 * 7),
        ("4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 2", "e5f6", (3, 4), 7),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 2", "e4d3", (3, 4), 7 * 7),
        // A promotion to a queen is a queen move; underpromotions have their own kinds: left, straight, right.
        (PAWNS, "b7a8q", (1, 1), 7 * 7),
        (PAWNS, "b7a8n", (1, 1), 64),
        (PAWNS, "b7a8b", (1, 1), 65),
        (PAWNS, "b7a8r", (1, 1), 66),
        (PAWNS, "a7b8q", (1, 0), 7),
        (PAWNS, "a7b8n", (1, 0), 70),
        (PAWNS, "a7b8b", (1, 0), 71),
        (PAWNS, "a7b8r", (1, 0), 72),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8q", (1, 0), 0),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8n", (1, 0), 67),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8b", (1, 0), 68),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8r", (1, 0), 69),
        // Left is towards the a-file for Black too.
        (PAWNS_BLACK, "b2a1n", (1, 1), 64),
        (PAWNS_BLACK, "a2b1r", (1, 0), 72),
        (PAWNS_BLACK, "a2b1q", (1, 0), 7),
    ];
    for (fen, text, (row, col), kind) in table {
        let position = position(fen);
        let m = position.parse_move(text).unwrap_or_else(|e| panic!("{fen}: {e}"));
        let index = PolicyIndex((row * 8 + col) * 73 + kind);
        assert_eq!(position.policy_index(m), index, "{text} in {fen}");
        assert_eq!(position.move_at(index), Some(m), "{text} in {fen}");
    }
    assert_eq!(position(START).policy_index(position(START).parse_move("e4").unwrap()), PolicyIndex(3797));
}

/// The slow definition of a kind of move: columns to the right, rows ahead, and the promotion.
fn slow_kind(kind: usize) -> (isize, isize, Option<Promotion>) {
    let clockwise = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    let knight_moves = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    match kind {
        0..56 => {
            let ((right, ahead), distance) = (clockwise[kind / 7], (kind % 7 + 1).cast_signed());
            (right * distance, ahead * distance, None)
        }
        56..64 => (knight_moves[kind - 56].0, knight_moves[kind - 56].1, None),
        _ => {
            let piece = [Promotion::Knight, Promotion::Bishop, Promotion::Rook][(kind - 64) % 3];
            (((kind - 64) / 3).cast_signed() - 1, 1, Some(piece))
        }
    }
}

/// The squares and the promotion of an index. `None` if it leaves the board or promotes on the wrong rank.
fn geometry(index: usize, mover: Player) -> Option<(Square, Square, Option<Promotion>)> {
    let (cell, (right, ahead, promotion)) = (index / KINDS, slow_kind(index % KINDS));
    let (file, ranks_ahead) = (cell % 8, 7 - cell / 8);
    if promotion.is_some() && ranks_ahead != 6 {
        return None;
    }
    let square = |file: usize, ahead: usize| {
        Square::from_coords(file, if mover == WHITE { ahead + 1 } else { 8_usize.checked_sub(ahead)? })
    };
    let from = square(file, ranks_ahead)?;
    let to = square(file.checked_add_signed(right)?, ranks_ahead.checked_add_signed(ahead)?)?;
    Some((from, to, promotion))
}

/// A position in which a piece of `mover` can move from one square to another: with something to capture for a pawn
/// that moves diagonally, and kings that do not interfere.
fn position_for(mover: Player, role: Role, from: Square, to: Square) -> Option<Chess> {
    let mut setup = Setup { turn: mover, ..Setup::empty() };
    setup.board[from.index()] = Some(Piece { owner: mover, role });
    if role == Role::Pawn && from.file() != to.file() {
        setup.board[to.index()] = Some(Piece { owner: !mover, role: Role::Knight });
    }
    let free = |square: &Square| setup.board[square.index()].is_none() && *square != to;
    Square::all().filter(free).find_map(|own| {
        Square::all().filter(|other| free(other) && *other != own).find_map(|other| {
            let mut setup = setup.clone();
            setup.board[own.index()] = Some(Piece { owner: mover, role: Role::King });
            setup.board[other.index()] = Some(Piece { owner: !mover, role: Role::King });
            let position = Chess::from_setup(&setup, DrawRules::default()).ok()?;
            position.legal_moves().iter().any(|m| (m.from(), m.to()) == (from, to)).then_some(position)
        })
    })
}

#[test]
fn exactly_1858_indices_can_be_legal() {
    for mover in Player::ALL {
        let mut reachable = BTreeSet::new();
        for index in 0..Chess::POLICY_SIZE {
            let Some((from, to, promotion)) = geometry(index, mover) else { continue };
            let role = match (index % KINDS, promotion) {
                (_, Some(_)) => Role::Pawn,
                (0..56, None) => Role::Queen,
                (_, None) => Role::Knight,
            };
            let position = position_for(mover, role, from, to)
                .unwrap_or_else(|| panic!("no position for {role:?} from {from} to {to}"));
            let expected = match promotion {
                Some(promotion) => Move::Promote { from, to, promotion },
                None => Move::Step { from, to },
            };
            assert_eq!(position.move_at(PolicyIndex(index as u32)), Some(expected));
            assert_eq!(position.policy_index(expected).index(), index);
            reachable.insert(index);
        }
        // On an empty board: 1,456 queen moves, 336 knight moves, 3 × 22 underpromotions.
        assert_eq!(reachable.len(), 1456 + 336 + 66);
    }
}

#[test]
fn indices_that_leave_the_board_have_no_move() {
    let mut game = Game::<Chess>::new(DrawRules::default());
    let mut rng = Rng::new(3);
    for _ in 0..40 {
        let position = game.position();
        for index in 0..Chess::POLICY_SIZE {
            let found = position.move_at(PolicyIndex(index as u32));
            match geometry(index, position.turn()) {
                None => assert_eq!(found, None, "{index} in {}", position.to_text()),
                Some((from, to, _)) => {
                    assert!(found.is_none_or(|m| (m.from(), m.to()) == (from, to)), "{index}");
                }
            }
        }
        play_random_moves(&mut game, &mut rng, 3);
    }
}

#[test]
fn indices_beyond_the_last_have_no_move() {
    for position in [Chess::default(), Chess::default().mirrored()] {
        for index in (4672..10_000).chain(u32::MAX - 100..=u32::MAX) {
            assert_eq!(position.move_at(PolicyIndex(index)), None);
        }
    }
}

#[test]
fn a_position_with_218_moves_has_218_indices() {
    let most = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    let mut mask = vec![false; Chess::POLICY_SIZE];
    most.write_mask(&mut mask).unwrap();
    assert_eq!(mask.iter().filter(|legal| **legal).count(), 218);
}

#[test]
fn a_checkmated_player_has_no_index() {
    let mated = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let mut mask = vec![true; Chess::POLICY_SIZE];
    mated.write_mask(&mut mask).unwrap();
    assert!(mask.iter().all(|legal| !legal));
    assert!((0..4672).all(|index| mated.move_at(PolicyIndex(index)).is_none()));
}

#[test]
fn both_players_share_one_frame() {
    for (white, black) in [("e2e4", "e7e5"), ("g1f3", "g8f6"), ("a2a3", "a7a6"), ("h2h4", "h7h5")] {
        let (start, mirror) = (Chess::default(), Chess::default().mirrored());
        assert_eq!((start.turn(), mirror.turn()), (WHITE, BLACK));
        let index = |position: &Chess, text| position.policy_index(position.parse_move(text).unwrap());
        assert_eq!(index(&start, white), index(&mirror, black));
    }
}
