"""Symmetries of the games, as permutations of the arrays that a network reads and writes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sandtable._sandtable import _permutations


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A symmetry of a game: see `symmetry`.

    `cells`, `actions` and `factors` are read-only int32 arrays: the entry at an index is the index to which
    it is moved. All symmetries of these games are their own inverses.
    """

    game: str
    index: int
    cells: NDArray[np.int32]
    """By cell of an observation or a head: row * columns + column."""
    actions: NDArray[np.int32]
    """By action."""
    factors: NDArray[np.int32]
    """By factor: by index of a head in the layout (rows, columns, planes)."""
    asymmetric_planes: tuple[int, ...]
    """Planes of an observation that must be 0 everywhere for the symmetry to apply."""

    def applies(self, observations: NDArray[Any], layout: Literal["hwc", "chw"] = "hwc") -> NDArray[np.bool_]:
        """Returns whether the symmetry applies to each observation of a batch: bool, (n,)."""
        batch = _batch(observations)
        axis = 3 if _planes_last(layout) else 1
        asymmetric = np.take(batch, self.asymmetric_planes, axis=axis)
        return np.asarray(~asymmetric.any(axis=(1, 2, 3)))

    def observations(self, observations: NDArray[Any], layout: Literal["hwc", "chw"] = "hwc") -> NDArray[Any]:
        """The transformed observations of a batch: a new array of the same shape and dtype.

        Heads are transformed by `factors`, because their planes may have directions.
        """
        batch = _batch(observations)
        if _planes_last(layout):
            cells = batch.reshape(len(batch), len(self.cells), batch.shape[3])
            return cells[:, self.cells].reshape(batch.shape)
        cells = batch.reshape(len(batch), batch.shape[1], len(self.cells))
        return cells[:, :, self.cells].reshape(batch.shape)


def _batch(observations: NDArray[Any]) -> NDArray[Any]:
    batch = np.asarray(observations)
    if batch.ndim != 4:
        raise ValueError(f"observations must be a batch of four dimensions, not of shape {batch.shape}")
    return batch


def _planes_last(layout: str) -> bool:
    if layout not in ("hwc", "chw"):
        raise ValueError(f"unknown layout `{layout}`: expected hwc or chw")
    return layout == "hwc"


@cache
def _symmetry(game: str, index: int) -> Symmetry:
    cells, actions, factors, asymmetric_planes = _permutations(game, index)
    for array in (cells, actions, factors):
        array.setflags(write=False)
    return Symmetry(game, index, cells, actions, factors, tuple(asymmetric_planes))


def symmetry(game: str, index: int) -> Symmetry:
    """A symmetry of a game: 0 is the identity, 1 the reflection left to right.

    A game has as many as its class attribute `SYMMETRIES` says. The position, the value and the legal actions
    are transformed together, so every position to which a symmetry applies is a second training example:

    >>> import sandtable
    >>> reflection = sandtable.symmetry("tribun", 1)
    >>> game = sandtable.make("tribun")
    >>> game.apply_action(game.string_to_action("b3-e5"))
    >>> other = game.transformed(1)
    >>> bool((reflection.observations(game.observe()[None])[0] == other.observe()).all())
    True
    >>> sorted(reflection.actions[game.legal_actions()].tolist()) == other.legal_actions()
    True
    """
    return _symmetry(game, index)
