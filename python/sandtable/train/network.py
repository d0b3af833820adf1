"""What training asks of a network, and how the parts of its policy head become logits of actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import sandtable

Floats = NDArray[np.float32]
Arrays = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Encoding:
    """The shapes of a game's observations and of its policy head."""

    game: str
    observation: tuple[int, int, int]
    head: tuple[int, int, int]
    #: The name and version of the head.
    head_id: str
    #: The number of symmetries, the identity included.
    symmetries: int

    @classmethod
    def of(cls, game: str) -> Encoding:
        """The encoding of the game with this name."""
        # Only the classes of the games have the constants, not their base class.
        kind: Any = type(sandtable.make(game))
        return cls(game, kind.OBSERVATION_SHAPE, kind.HEAD_SHAPE, kind.HEAD_ID, kind.SYMMETRIES)

    def factors(self, actions: NDArray[np.int32]) -> NDArray[np.int32]:
        """The cells and planes of the head whose logits add up to the logit of each action.

        Flat indices into the head, `(len(actions), MAX_FACTORS)`. The index of an unused place is the size of
        the head: a head with a zero appended can be indexed directly.
        """
        factors = type(sandtable.make(self.game)).action_factors(actions)
        rows, columns, planes = self.head
        return np.where(factors < 0, np.int32(rows * columns * planes), factors)


@dataclass
class TrainingBatch:
    """Positions to learn from. The legal actions are in one array, one position after the other."""

    #: (n, rows, columns, planes)
    observations: Floats
    #: The legal actions (m,); position i has `actions[offsets[i]:offsets[i + 1]]`.
    actions: NDArray[np.int32]
    offsets: NDArray[np.int64]
    #: The target probability of each legal action (m,).
    policy: Floats
    #: 1 for a position with a policy target, 0 for one without (n,).
    has_policy: Floats
    #: The target probabilities of win, draw and loss for the side to move (n, 3).
    results: Floats

    def rows(self) -> NDArray[np.int64]:
        """The position of each legal action (m,)."""
        return np.repeat(np.arange(len(self.observations)), np.diff(self.offsets))


@dataclass
class Losses:
    """The mean losses of a batch before the update."""

    #: Cross-entropy of the policy. At best it is the entropy of the targets.
    policy: float
    #: Cross-entropy of win, draw and loss.
    value: float
    #: The entropy of the network's policy over the legal actions.
    entropy: float


class Network(Protocol):
    """A network with a factored policy head and a value head with win, draw and loss."""

    def evaluate(
        self, observations: Floats, actions: NDArray[np.int32], offsets: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """The logit of each legal action (m,) and the value of each position for its side to move (n,)."""
        ...

    def train(self, batch: TrainingBatch, learning_rate: float) -> Losses:
        """Makes one step of gradient descent."""
        ...

    def weights(self) -> Arrays:
        """Everything that `evaluate` depends on."""
        ...

    def optimizer(self) -> Arrays:
        """Everything else that `train` depends on."""
        ...

    def load(self, weights: Arrays, optimizer: Arrays | None = None) -> None:
        """Restores a network; without `optimizer`, training starts afresh."""
        ...


def segment_softmax(logits: Floats, offsets: NDArray[np.int64]) -> Floats:
    """The softmax within each segment `offsets[i]:offsets[i + 1]`; no segment is empty."""
    starts, lengths = offsets[:-1], np.diff(offsets)
    shifted = logits - np.repeat(np.maximum.reduceat(logits, starts), lengths)
    exponentials = np.exp(shifted)
    softmax: Floats = exponentials / np.repeat(np.add.reduceat(exponentials, starts), lengths)
    return softmax


def softmax(logits: Floats) -> Floats:
    """The softmax of each row."""
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Floats = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities
