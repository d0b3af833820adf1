"""`ChessGame` and `Move`."""

import pickle

import chess
import numpy as np
import pytest
from sandtable import ChessGame, Move

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


def test_canonical_board_of_the_start_position() -> None:
    board = ChessGame().get_canonical_board()
    assert board.shape == (8, 8, 18) and board.dtype == np.float32 and board.flags.c_contiguous
    assert board[6, :, 0].all() and board[:, :, 0].sum() == 8
    assert board[7, 4, 5] == 1.0 and board[0, 4, 11] == 1.0
    assert (board[:, :, 12] == np.float32(1 / 3)).all()
    assert not board[:, :, 13].any() and board[:, :, 14:].all()
    np.testing.assert_array_equal(board, ChessGame().observe())


@pytest.mark.parametrize(
    ("move", "uci"),
    [
        ("e2e4", "e2e4"),
        ("e4", "e2e4"),
        ("Nf3", "g1f3"),
        (Move("e2e4"), "e2e4"),
        (Move(chess.Move.from_uci("b1c3")), "b1c3"),
        (Move(Move("b1c3")), "b1c3"),
        (chess.Move.from_uci("e2e4"), "e2e4"),
        *((move, move.uci()) for move in ChessGame().get_legal_moves()[:2]),
    ],
)
def test_accepts_every_kind_of_move(move: str | Move | chess.Move, uci: str) -> None:
    game = ChessGame()
    index = game.get_move_index(move)
    assert game.get_move_from_index(index) == uci and game.string_to_action(move) == index
    game.make_move(move)
    assert game.actions_played() == [index]
    game.undo()
    game.play(move)
    assert game.actions_played() == [index]


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("e2e5", "illegal move `e2e5`: a pawn cannot move from e2 to e5 here"),
        ("e7e5", "the piece on e7 belongs to the opponent"),
        ("e3e4", "no piece on e3"),
        ("e1g1", "your own piece is on g1"),
        ("Nf6", "no knight can legally move to f6"),
        ("hello", "is not a move"),
        ("", "is not a move"),
        (chess.Move.null(), "is not a move"),
        (chess.Move.from_uci("a1a8"), "a rook cannot move from a1 to a8 here"),
    ],
)
def test_illegal_moves_raise_with_the_reason(move: object, reason: str) -> None:
    game = ChessGame()
    for use in (game.make_move, game.get_move_index):
        with pytest.raises(ValueError, match=reason):
            use(move)  # type: ignore[arg-type]
    assert game == ChessGame()


@pytest.mark.parametrize("move", [None, 12, 1.5, ["e2e4"], b"e2e4"])
def test_values_that_are_not_moves_raise_type_errors(move: object) -> None:
    with pytest.raises(TypeError, match=r"move must be a string, a sandtable\.Move or a chess\.Move, not"):
        ChessGame().make_move(move)  # type: ignore[arg-type]
    for use in (ChessGame().play, ChessGame().string_to_action, Move):
        with pytest.raises(TypeError, match="move must be a string"):
            use(move)  # type: ignore[arg-type]


def test_errors_of_uci_methods_propagate() -> None:
    class Broken:
        def uci(self) -> str:
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        ChessGame().make_move(Broken())


def test_moves_are_hashable_values() -> None:
    move = Move("e7e8q")
    assert move == Move("e7e8q") == "e7e8q" and move != Move("e7e8r") and move != "e7e8r"
    assert {move, Move("e7e8q")} == {move} and hash(move) == hash(Move("e7e8q"))
    assert move != 52 and move is not None and (move == object()) is False
    assert (move.from_square, move.to_square, move.promotion) == (chess.E7, chess.E8, "q")
    assert str(move) == move.uci() == "e7e8q" and repr(move) == "Move('e7e8q')"
    assert pickle.loads(pickle.dumps(move)) == move
    assert Move("e2e4").promotion is None
    with pytest.raises(ValueError, match="invalid UCI move `e2e9`"):
        Move("e2e9")


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "r3k2r/P7/8/8/8/8/7p/R3K2R w KQkq - 0 1"])
def test_moves_equal_and_hash_like_those_of_python_chess(fen: str) -> None:
    ours, theirs = ChessGame(fen).get_legal_moves(), list(chess.Board(fen).legal_moves)
    assert set(ours) == set(theirs) and len(ours) == len(theirs)
    for move in theirs:
        twin = Move(move)
        assert move in ours and twin in theirs and move in set(ours) and twin in set(theirs)
        assert move == twin and twin == move and hash(move) == hash(twin)
        assert {move: 1}[twin] == {twin: 1}[move] == 1  # type: ignore[index]
    assert chess.Move.from_uci("e2e5") not in ours and chess.Move.null() not in ours
    assert Move("a7a8q") != chess.Move.from_uci("a7a8r") and Move("a7a8q") != chess.Move.from_uci("a7a8")
    assert Move("e2e4") != chess.Move(chess.E2, chess.E4, drop=chess.PAWN)


def test_foreign_moves_may_use_the_game() -> None:
    game = ChessGame()

    class Curious:
        def uci(self) -> str:
            return game.legal_moves()[0]

    game.make_move(Curious())
    game.play(Curious())
    assert game.get_move_index(Curious()) in game.legal_actions() and game.ply == 2


def test_results_are_for_the_side_to_move() -> None:
    game = ChessGame(MATE_IN_ONE)
    assert game.get_result() is None and not game.is_game_over() and not game.is_draw()
    game.make_move("d1d8")
    assert game.is_game_over() and game.get_result() == -1.0 and not game.is_draw()
    assert game.get_legal_moves() == [] and not game.get_legal_moves_mask().any()
    with pytest.raises(ValueError, match=r"the game is over: White wins \(checkmate\)"):
        game.make_move("g8f8")
    game.undo_move()
    game.resign(1)
    assert game.get_result() == 1.0
    stalemate = ChessGame("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert stalemate.is_game_over() and stalemate.is_draw() and stalemate.get_result() == 0.0


def test_undo_without_moves_raises_index_error() -> None:
    game = ChessGame()
    with pytest.raises(IndexError, match="no move to take back"):
        game.undo_move()
    game.make_move("e4")
    game.undo_move()
    assert game == ChessGame()


def test_state_is_the_fen() -> None:
    game = ChessGame()
    game.make_move("e4")
    assert game.get_state() == game.fen == game.position_text()
    assert (
        ChessGame(game.get_state()).fen
        == game.fen
        == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    )
    for fen, reason in [
        ("", "expected 6 FEN fields .*, found 0"),
        ("x", "expected 6 FEN fields .*, found 1"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has no king; Black has no king"),
    ]:
        with pytest.raises(ValueError, match=reason):
            ChessGame(fen)


def test_pieces_by_square() -> None:
    game = ChessGame()
    board = chess.Board()
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        symbol = piece and piece.symbol()
        assert game.piece_at(square) == game.piece_at(chess.square_name(square)) == symbol
    for wrong in (64, -1, "i1"):
        with pytest.raises(ValueError):
            game.piece_at(wrong)
    with pytest.raises(TypeError):
        game.piece_at(None)  # type: ignore[arg-type]


def test_claimed_draws() -> None:
    game = ChessGame()
    with pytest.raises(ValueError, match="no draw to claim"):
        game.claim_draw()
    for text in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        game.make_move(text)
    assert game.occurrences == 3 and not game.is_game_over()
    assert game.can_claim_draw() == "threefold repetition"
    assert (game.get_canonical_board()[:, :, 12] == 1.0).all()
    before = game.clone()
    assert game.claim_draw() == "threefold repetition" and game.is_draw()
    assert game.can_claim_draw() is None, "the game is over"
    twin = pickle.loads(pickle.dumps(game))
    assert twin == game != before
    game.undo_move()
    assert not game.is_draw()
    strict = ChessGame(rules="claims")
    for text in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        strict.make_move(text)
    assert strict.is_draw()
