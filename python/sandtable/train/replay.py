"""The replay window: the positions of recent games, compact in memory, and batches of them to learn from."""

from __future__ import annotations

import queue
import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

import sandtable
from sandtable.train.network import Encoding, Floats, TrainingBatch
from sandtable.train.samples import Result, SampleGame

T = TypeVar("T")


@dataclass
class GamePositions:
    """The positions of a game to learn from, with their targets.

    Almost all values of an observation are 0 or 1: they are stored as bits, the others one by one.
    """

    bits: NDArray[np.uint8]
    #: Position, flat index and value of the observed values that are neither 0 nor 1, by position.
    others: tuple[NDArray[np.int64], NDArray[np.int64], Floats]
    actions: NDArray[np.int32]
    offsets: NDArray[np.int64]
    policy: Floats
    has_policy: Floats
    results: Floats

    def __len__(self) -> int:
        return len(self.bits)

    @classmethod
    def of(cls, game: SampleGame, name: str, rules: str, value_mix: float) -> GamePositions:
        """Replays a game. `value_mix` is the share of the root value in the target of the value."""
        plies = learned_plies(game)
        shape = Encoding.of(name).observation
        observations = np.zeros((len(plies), *shape), np.float32)
        legal = []
        movers = np.zeros(len(game.actions), np.int8)
        row = 0
        for ply, board in zip(range(len(game.actions)), game.replay(name, rules), strict=False):
            movers[ply] = board.current_player()
            if row < len(plies) and ply == plies[row]:
                board.observe(out=observations[row])
                legal.append(np.array(board.legal_actions(), np.int32))
                row += 1
        offsets = np.cumsum([0, *map(len, legal)])
        flat = observations.reshape(len(plies), -1)
        rows, indices = np.nonzero((flat != 0) & (flat != 1))
        return cls(
            bits=np.packbits(flat != 0, axis=1),
            others=(rows, indices, flat[rows, indices]),
            actions=np.concatenate(legal) if legal else np.zeros(0, np.int32),
            offsets=offsets,
            policy=_policy(game, plies, legal, offsets),
            has_policy=(game.counts[plies] > 0).astype(np.float32),
            results=_results(game, movers, value_mix)[plies],
        )


def learned_plies(game: SampleGame) -> NDArray[np.int64]:
    """The positions of a game to learn from: those with a policy target, or all if none has one.

    The positions between them have almost the same values and would cost as much time.
    """
    searched = np.flatnonzero(game.counts)
    return searched if len(searched) else np.arange(len(game.actions))


def _policy(
    game: SampleGame,
    plies: NDArray[np.int64],
    legal: list[NDArray[np.int32]],
    offsets: NDArray[np.int64],
) -> Floats:
    """The target probability of every legal action."""
    policy = np.zeros(offsets[-1], np.float32)
    at = 0
    for row, count in enumerate(game.counts[plies].tolist()):
        if count:
            actions = game.policy_actions[at : at + count]
            places = np.searchsorted(legal[row], actions)
            if places.max() >= len(legal[row]) or (legal[row][places] != actions).any():
                raise ValueError(
                    f"game {game.number}, move {plies[row]}: the policy target has an illegal action"
                )
            weights = game.policy_weights[at : at + count].astype(np.float32)
            policy[offsets[row] + places] = weights / weights.sum()
        at += count
    return policy


def _results(game: SampleGame, movers: NDArray[np.int8], value_mix: float) -> Floats:
    """The target probabilities of win, draw and loss for the mover of every position.

    A root value becomes the probabilities with that mean in which either win or loss is impossible.
    """
    sign = np.where(movers == 0, 1, -1)
    for_first = float(game.result.value_for(0))
    searched = np.flatnonzero(~np.isnan(game.values))
    if game.result is Result.TRUNCATED and len(searched):
        # Nobody knows how the game would have ended: the last search has the best estimate.
        for_first = float(sign[searched[-1]] * game.values[searched[-1]])
    result = (sign * for_first).astype(np.float32)
    value = np.where(np.isnan(game.values), result, game.values)

    def distribution(mean: Floats) -> Floats:
        return np.stack([np.maximum(mean, 0), 1 - np.abs(mean), np.maximum(-mean, 0)], axis=1)

    mixed: Floats = (1 - np.float32(value_mix)) * distribution(result)
    mixed += np.float32(value_mix) * distribution(value)
    return mixed


class ReplayWindow:
    """The positions of the most recent games: at least `capacity` positions, if there are as many."""

    def __init__(self, name: str, rules: str, capacity: int, value_mix: float) -> None:
        self.name, self.rules = name, rules
        self._encoding = Encoding.of(name)
        self.capacity, self.value_mix = capacity, value_mix
        self._games: deque[GamePositions] = deque()
        self._ends: list[int] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, games: Iterable[SampleGame]) -> None:
        """Adds games; the oldest leave as soon as the others fill the window."""
        for game in games:
            positions = GamePositions.of(game, self.name, self.rules, self.value_mix)
            self._games.append(positions)
            self._size += len(positions)
            while self._size - len(self._games[0]) >= self.capacity:
                self._size -= len(self._games.popleft())
        self._ends = list(accumulate(map(len, self._games)))

    def sample(self, size: int, rng: np.random.Generator) -> TrainingBatch:
        """A batch of random positions, half of them reflected where the rules are symmetric."""
        batch = self._batch(size, rng)
        if self._encoding.symmetries > 1:
            reflect(batch, sandtable.symmetry(self.name, 1), rng.random(size) < 0.5)
        return batch

    def _batch(self, size: int, rng: np.random.Generator) -> TrainingBatch:
        shape = self._encoding.observation
        chosen = []
        for place in rng.integers(self._size, size=size).tolist():
            index = bisect_right(self._ends, place)
            game = self._games[index]
            chosen.append((game, place - self._ends[index] + len(game)))
        values = int(np.prod(shape))
        bits = np.stack([game.bits[ply] for game, ply in chosen])
        flat = np.unpackbits(bits, axis=1, count=values).astype(np.float32)
        for row, (game, ply) in enumerate(chosen):
            rows, indices, others = game.others
            if len(rows):
                low, high = np.searchsorted(rows, [ply, ply + 1])
                flat[row, indices[low:high]] = others[low:high]
        spans = [slice(game.offsets[ply], game.offsets[ply + 1]) for game, ply in chosen]
        return TrainingBatch(
            observations=flat.reshape(size, *shape),
            actions=np.concatenate(
                [game.actions[span] for (game, _), span in zip(chosen, spans, strict=True)]
            ),
            offsets=np.cumsum([0, *(span.stop - span.start for span in spans)]),
            policy=np.concatenate([game.policy[span] for (game, _), span in zip(chosen, spans, strict=True)]),
            has_policy=np.array([game.has_policy[ply] for game, ply in chosen], np.float32),
            results=np.stack([game.results[ply] for game, ply in chosen]),
        )


def reflect(batch: TrainingBatch, symmetry: sandtable.Symmetry, chosen: NDArray[np.bool_]) -> None:
    """Transforms the chosen positions of a batch to which the symmetry applies."""
    chosen = chosen & symmetry.applies(batch.observations)
    if not chosen.any():
        return
    batch.observations[chosen] = symmetry.observations(batch.observations[chosen])
    actions = chosen[batch.rows()]
    batch.actions[actions] = symmetry.actions[batch.actions[actions]]


def prefetch(items: Iterable[T], depth: int = 2) -> Iterator[T]:
    """Yields the same items, computed ahead of time in a thread.

    The thread ends when the items or the caller end. An error in the thread is raised here.
    """
    ready: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(depth)
    ended = threading.Event()

    def put(item: tuple[T | None, BaseException | None]) -> bool:
        while not ended.is_set():
            try:
                ready.put(item, timeout=0.1)
                return True
            except queue.Full:
                pass
        return False

    def produce() -> None:
        try:
            for item in items:
                if not put((item, None)):
                    return
            put((None, StopIteration()))
        except BaseException as error:
            put((None, error))

    thread = threading.Thread(target=produce, name="prefetch", daemon=True)
    thread.start()
    try:
        while True:
            item, error = ready.get()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            yield item  # type: ignore[misc]
    finally:
        ended.set()
        thread.join()
