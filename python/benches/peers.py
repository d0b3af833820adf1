"""The same work with other libraries: python-chess with NumPy, and OpenSpiel."""

import random

import chess
import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import make_observation

_PIECES = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]


def canonical_board(board: chess.Board, occurrences: int) -> NDArray[np.float32]:
    """The canonical board from the bitboards of python-chess: the fastest way found with NumPy."""
    me, opponent = board.turn, not board.turn
    sets = np.zeros(18, np.uint64)
    for plane, (owner, piece) in enumerate((owner, piece) for owner in (me, opponent) for piece in _PIECES):
        sets[plane] = board.pieces_mask(piece, owner)
    if board.has_legal_en_passant():
        assert board.ep_square is not None
        sets[13] = chess.BB_SQUARES[board.ep_square]
    bits = np.unpackbits(sets.astype("<u8").view(np.uint8), bitorder="little").reshape(18, 8, 8)
    if me == chess.WHITE:
        bits = bits[:, ::-1]
    planes = np.ascontiguousarray(bits.transpose(1, 2, 0), dtype=np.float32)
    planes[:, :, 12] = min(occurrences, 3) / np.float32(3)
    planes[:, :, 14] = board.has_kingside_castling_rights(me)
    planes[:, :, 15] = board.has_queenside_castling_rights(me)
    planes[:, :, 16] = board.has_kingside_castling_rights(opponent)
    planes[:, :, 17] = board.has_queenside_castling_rights(opponent)
    return planes


class OpenSpielLoop:
    """Random chess games with OpenSpiel, with observation and mask as arrays at every ply."""

    def __init__(self, seed: int) -> None:
        self._game = pyspiel.load_game("chess")
        self._observation = make_observation(self._game)
        self._mask = np.zeros(self._game.num_distinct_actions(), np.bool_)
        self._rng = random.Random(seed)
        self._state = self._game.new_initial_state()

    def _play(self, legal: list[int]) -> None:
        self._state.apply_action(self._rng.choice(legal))
        if self._state.is_terminal():
            self._state = self._game.new_initial_state()

    def as_documented(self, plies: int) -> None:
        """Uses `observation_tensor` and `legal_actions_mask`."""
        for _ in range(plies):
            np.array(self._state.observation_tensor(), np.float32)
            np.array(self._state.legal_actions_mask(), np.bool_)
            self._play(self._state.legal_actions())

    def into_arrays(self, plies: int) -> None:
        """Fills preallocated arrays, the mask from the list of legal actions: the fastest way found."""
        for _ in range(plies):
            legal = self._state.legal_actions()
            self._observation.set_from(self._state, self._state.current_player())
            self._mask.fill(False)
            self._mask[legal] = True
            self._play(legal)


class _Uniform(mcts.Evaluator):  # type: ignore[misc]
    """Equal priors and a value of 0."""

    def evaluate(self, state: pyspiel.State) -> NDArray[np.float64]:
        return np.zeros(2)

    def prior(self, state: pyspiel.State) -> list[tuple[int, float]]:
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


class OpenSpielTree:
    """OpenSpiel's `MCTSBot` at the start of a game of chess, with an evaluator that costs nothing."""

    def __init__(self, visits: int) -> None:
        game = pyspiel.load_game("chess")
        puct = mcts.SearchNode.puct_value
        self._bot = mcts.MCTSBot(game, 1.6, visits, _Uniform(), child_selection_fn=puct)
        self._state = game.new_initial_state()

    def search(self) -> None:
        """Searches once."""
        self._bot.mcts_search(self._state)
