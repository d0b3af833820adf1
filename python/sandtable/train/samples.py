"""Games with search results as training samples: the wire form `sandtable-samples-1`.

A game is stored as its moves: replaying them gives the positions. `docs/training.md` defines the bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sandtable
from sandtable.train.files import ShardError, ShardWriter, read_records

#: The beginning of the header line of a file.
KIND = "sandtable-samples 1"

#: A root value of 1, and the root value of a move that was not searched.
_ONE = 32_767
_UNKNOWN = -32_768
#: Game number, network version, result, length of the start text, number of moves, number of policy entries.
_HEAD = struct.Struct("<IIBxHII")


class Result(IntEnum):
    """How a game ended."""

    FIRST_WINS = 0
    SECOND_WINS = 1
    DRAW = 2
    #: The game was stopped before its end; training counts it as a draw.
    TRUNCATED = 3

    def value_for(self, player: int) -> int:
        """1 if the player has won, -1 if the player has lost, else 0."""
        return 0 if self >= Result.DRAW else 1 if self == player else -1


@dataclass
class SampleGame:
    """A game with what a search found in its positions."""

    #: The number of the game in its file.
    number: int
    #: The version of the network that played; 0 for an untrained one and for games of other origin.
    network: int
    result: Result
    #: The first position as text; empty for the start position of the rules.
    start: str
    #: The policy index of every move.
    actions: NDArray[np.uint32]
    #: The root value of every position for its mover, -1 to 1; NaN where nothing was searched.
    values: NDArray[np.float32]
    #: The number of policy entries of every position; 0 where it has no policy target.
    counts: NDArray[np.uint16]
    #: The policy targets, one position after the other: actions in ascending order, and weights. The target
    #: of an action is its share of the weights of the position.
    policy_actions: NDArray[np.uint32]
    policy_weights: NDArray[np.uint16]

    def encode(self) -> bytes:
        """The bytes of a record."""
        start = self.start.encode()
        stored = np.where(np.isnan(self.values), _UNKNOWN, np.rint(np.clip(self.values, -1, 1) * _ONE))
        return b"".join(
            (
                _HEAD.pack(
                    self.number,
                    self.network,
                    self.result,
                    len(start),
                    len(self.actions),
                    len(self.policy_actions),
                ),
                start,
                self.actions.astype("<u4").tobytes(),
                stored.astype("<i2").tobytes(),
                self.counts.astype("<u2").tobytes(),
                self.policy_actions.astype("<u4").tobytes(),
                self.policy_weights.astype("<u2").tobytes(),
            )
        )

    @classmethod
    def decode(cls, record: bytes) -> SampleGame:
        """The game of a record. Raises `ShardError` if the bytes are not a game."""
        if len(record) < _HEAD.size:
            raise ShardError(f"a game has at least {_HEAD.size} bytes, not {len(record)}")
        number, network, result, start_length, moves, entries = _HEAD.unpack_from(record)
        expected = _HEAD.size + start_length + 8 * moves + 6 * entries
        if len(record) != expected:
            raise ShardError(f"game {number} has {len(record)} bytes, not {expected}")
        if result not in set(Result):
            raise ShardError(f"game {number} has the result {result}: expected 0 to 3")
        at = _HEAD.size

        def take(dtype: str, count: int) -> NDArray[np.generic]:
            nonlocal at
            array = np.frombuffer(record, dtype, count, at)
            at += array.nbytes
            return array

        start = take("u1", start_length).tobytes().decode()
        actions = take("<u4", moves).astype(np.uint32)
        stored = take("<i2", moves).astype(np.float32)
        counts = take("<u2", moves).astype(np.uint16)
        if int(counts.sum()) != entries:
            raise ShardError(f"game {number} has {entries} policy entries, but its moves have {counts.sum()}")
        return cls(
            number=number,
            network=network,
            result=Result(result),
            start=start,
            actions=actions,
            values=np.where(stored == _UNKNOWN, np.float32(np.nan), stored / np.float32(_ONE)),
            counts=counts,
            policy_actions=take("<u4", entries).astype(np.uint32),
            policy_weights=take("<u2", entries).astype(np.uint16),
        )

    @classmethod
    def without_search(cls, number: int, result: Result, start: str, actions: list[int]) -> SampleGame:
        """A game of which only the moves are known: the target of each position is the move played."""
        moves = np.array(actions, np.uint32)
        return cls(
            number=number,
            network=0,
            result=result,
            start=start,
            actions=moves,
            values=np.full(len(moves), np.nan, np.float32),
            counts=np.ones(len(moves), np.uint16),
            policy_actions=moves,
            policy_weights=np.ones(len(moves), np.uint16),
        )

    def keep_targets(self, kept: NDArray[np.bool_]) -> None:
        """Removes the policy targets of the other positions, in a game `without_search`."""
        self.counts = kept.astype(np.uint16)
        self.policy_actions, self.policy_weights = self.policy_actions[kept], self.policy_weights[kept]

    def replay(self, game: str, rules: str) -> Iterator[sandtable.Game]:
        """The positions before every move, and the last one. Yields the same object each time."""
        board = sandtable.make(game, rules=rules, text=self.start or None)
        for action in self.actions.tolist():
            yield board
            board.apply_action(action)
        yield board


def header(game: str, rules: str) -> str:
    """The header line of a file of games."""
    return f"{KIND} game={game} rules={rules}"


def open_writer(path: Path, game: str, rules: str) -> ShardWriter:
    """Opens or creates a file to append games to. An incomplete last game is removed."""
    return ShardWriter(path, header(game, rules), KIND)


def read_games(path: Path, game: str, rules: str) -> list[SampleGame]:
    """The games of a file. Raises `ShardError` if it is damaged or has games of another kind."""
    found, records = read_records(path, KIND)
    if found.rstrip("\n") != header(game, rules):
        raise ShardError(
            f"{path} has other games: it begins with `{found.rstrip()}`, not `{header(game, rules)}`"
        )
    return [SampleGame.decode(record) for record in records]
