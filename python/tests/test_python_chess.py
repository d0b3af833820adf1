"""Compares every position of random games with python-chess: legal moves, FEN, result and tensor.

A hundred games, two thousand with `cargo xtask test --deep`.
"""

import random
from collections import Counter

import chess
import numpy as np
import pytest
from conftest import DEEP
from numpy.typing import NDArray
from sandtable import ChessGame

GAMES = 2_000 if DEEP else 100
SHARDS = 10
PIECES = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]


def canonical_board(board: chess.Board, occurrences: int) -> NDArray[np.float32]:
    """The (8, 8, 18) tensor, plane by plane as in the table of docs/chess-encoding.md."""
    planes = np.zeros((8, 8, 18), np.float32)
    me, opponent = board.turn, not board.turn

    def cell(square: chess.Square) -> tuple[int, int]:
        rank_index = 7 - chess.square_rank(square)
        return (rank_index if me == chess.WHITE else 7 - rank_index), chess.square_file(square)

    for owner, first in [(me, 0), (opponent, 6)]:
        for number, piece in enumerate(PIECES):
            for square in board.pieces(piece, owner):
                rank, file = cell(square)
                planes[rank, file, first + number] = 1.0
    planes[:, :, 12] = min(occurrences, 3) / np.float32(3)
    if board.has_legal_en_passant():
        assert board.ep_square is not None
        rank, file = cell(board.ep_square)
        planes[rank, file, 13] = 1.0
    planes[:, :, 14] = board.has_kingside_castling_rights(me)
    planes[:, :, 15] = board.has_queenside_castling_rights(me)
    planes[:, :, 16] = board.has_kingside_castling_rights(opponent)
    planes[:, :, 17] = board.has_queenside_castling_rights(opponent)
    return planes


def check_position(game: ChessGame, board: chess.Board, occurrences: int) -> None:
    fen = board.fen(en_passant="legal")
    assert game.fen == fen
    outcome = board.outcome()
    assert game.is_game_over() == (outcome is not None), fen
    if outcome is None:
        assert game.get_result() is None and not game.is_draw()
        legal = sorted(move.uci() for move in board.legal_moves)
        assert sorted(move.uci() for move in game.get_legal_moves()) == legal, fen
        assert int(game.get_legal_moves_mask().sum()) == len(legal), fen
    else:
        expected = 0.0 if outcome.winner is None else 1.0 if outcome.winner == board.turn else -1.0
        assert game.get_result() == expected and game.is_draw() == (outcome.winner is None), fen
    assert game.in_check() == board.is_check()
    assert game.occurrences == occurrences, fen
    np.testing.assert_array_equal(game.get_canonical_board(), canonical_board(board, occurrences), fen)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_games_agree(shard: int) -> None:
    positions = 0
    for seed in range(shard, GAMES, SHARDS):
        rng = random.Random(seed)
        game, board = ChessGame(), chess.Board()
        seen: Counter[str] = Counter()
        while True:
            key = " ".join(board.fen(en_passant="legal").split()[:4])
            seen[key] += 1
            check_position(game, board, seen[key])
            positions += 1
            if board.is_game_over():
                break
            moves = list(board.legal_moves)
            # Sometimes take a move back on the board, so that positions repeat.
            last = board.move_stack[-2:-1]
            back = [chess.Move(move.to_square, move.from_square) for move in last]
            move = back[0] if back and back[0] in moves and rng.random() < 0.1 else rng.choice(moves)
            game.make_move(move)
            board.push(move)
    assert positions > 1_000
