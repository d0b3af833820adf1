"""Self-play: the games of one iteration, played in parallel by one network."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sandtable import BatchMCTS, LeafBatch
from sandtable.train.network import Floats, Network
from sandtable.train.options import Options, Stream
from sandtable.train.samples import Result, SampleGame

#: The sum of the weights of a policy target, but for rounding: as fine as 16 bits allow, because there are
#: hundreds of moves.
_WEIGHTS = 65_535

Evaluator = Callable[[LeafBatch], tuple[Floats, Floats]]


def evaluator(network: Network) -> Evaluator:
    """The network as the function that a tree search calls; its policy is in logits."""
    return lambda batch: network.evaluate(batch.observations, batch.actions, batch.offsets)


@dataclass
class _Episode:
    """A game in progress."""

    number: int
    actions: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    policy_actions: list[NDArray[np.int32]] = field(default_factory=list)
    policy_weights: list[NDArray[np.uint16]] = field(default_factory=list)


class SelfPlay:
    """The games of one iteration, or a part of them.

    They depend on the settings, the seed, the iteration, their numbers and the network alone. So they can be
    played again, anywhere, with the same result; `snapshot` saves the time to do that from the beginning.
    """

    def __init__(
        self, options: Options, iteration: int, version: int, first: int = 0, games: int | None = None
    ) -> None:
        """Prepares `games` games with the numbers from `first` on; all games of the iteration by default."""
        self.options = options
        self.iteration, self.version = iteration, version
        self._end = first + (options.games if games is None else games)
        self._rng = options.rng(Stream.SELF_PLAY, iteration, first)
        slots = min(options.slots, self._end - first)
        self._trees = BatchMCTS(
            options.game,
            slots,
            rules=options.rules,
            seed=int(self._rng.integers(2**63)),
            threads=options.threads,
            gumbel=options.search == "gumbel",
            opening_plies=options.opening_plies,
        )
        self._playing = np.ones(slots, np.bool_)
        self._episodes = [_Episode(first + slot) for slot in range(slots)]
        self._next = first + slots
        self._left = self._end - first
        #: Finished games.
        self.finished = 0
        #: Moves played.
        self.moves = 0

    @property
    def is_done(self) -> bool:
        """Whether all games are finished."""
        return self._left == 0

    def step(self, evaluate: Evaluator) -> list[SampleGame]:
        """Plays one move in every game. Returns the games that it finished, in the order of their places."""
        options, trees = self.options, self._trees
        playing = self._playing
        # Playout cap randomisation: most moves are searched briefly, so that more games are finished; the
        # others thoroughly and with noise, and only these are policy targets.
        full = self._rng.random(len(playing)) < options.full_share
        visits = np.where(full, options.visits, options.fast_visits)
        # `choose` needs a search in every tree whose game is not over; the trees do not know of the limit.
        visits[~playing] = 1
        visits[trees.over | trees.truncated] = 0
        is_early = trees.plies < options.temperature_plies
        if options.search == "gumbel":
            # The Gumbel noise makes the first moves of games differ.
            trees.search(evaluate, visits, noise=full | is_early, logits=True)
            actions = trees.choose(0.0)
        else:
            trees.search(evaluate, visits, noise=full, logits=True)
            actions = trees.choose(is_early.astype(np.float32))
        actions[~playing] = -1
        roots = trees.roots()
        values = trees.root_values
        for slot in np.flatnonzero(playing).tolist():
            episode = self._episodes[slot]
            episode.actions.append(int(actions[slot]))
            episode.values.append(float(values[slot]))
            span = slice(roots.offsets[slot], roots.offsets[slot + 1])
            weights = np.rint(roots.policy[span] * _WEIGHTS).astype(np.uint16)
            entries = np.flatnonzero(weights) if full[slot] else np.zeros(0, np.int64)
            entries = entries[np.argsort(roots.actions[span][entries])]
            episode.counts.append(len(entries))
            episode.policy_actions.append(roots.actions[span][entries])
            episode.policy_weights.append(weights[entries])
        trees.advance(actions)
        self.moves += int(playing.sum())
        # The trees do not know of the limit: a position near it is not worth less.
        ended = trees.over | trees.truncated | (trees.plies >= options.max_plies)
        return self._collect(playing & ended)

    def _collect(self, ended: NDArray[np.bool_]) -> list[SampleGame]:
        """Takes the games that ended and starts the next ones in their places."""
        returns = self._trees.returns()
        over = self._trees.over
        games = []
        restart = np.zeros(len(ended), np.bool_)
        for slot in np.flatnonzero(ended).tolist():
            games.append(self._sample(self._episodes[slot], bool(over[slot]), float(returns[slot, 0]), slot))
            self.finished += 1
            self._left -= 1
            if self._next < self._end:
                self._episodes[slot] = _Episode(self._next)
                self._next += 1
                restart[slot] = True
            else:
                self._playing[slot] = False
        if restart.any():
            self._trees.reset(restart)
        return games

    def _sample(self, episode: _Episode, over: bool, returns: float, slot: int) -> SampleGame:
        if not over:
            result = Result.TRUNCATED
        elif returns == 0:
            result = Result.DRAW
        else:
            result = Result.FIRST_WINS if returns > 0 else Result.SECOND_WINS
        played = self._trees.game(slot).actions_played()
        opening = len(played) - len(episode.actions)
        # Random moves of the opening were not searched: they have no target.
        return SampleGame(
            number=episode.number,
            network=self.version,
            result=result,
            start="",
            actions=np.array(played, np.uint32),
            values=np.array([np.nan] * opening + episode.values, np.float32),
            counts=np.array([0] * opening + episode.counts, np.uint16),
            policy_actions=np.concatenate([np.zeros(0, np.uint32), *episode.policy_actions]).astype(
                np.uint32
            ),
            policy_weights=np.concatenate([np.zeros(0, np.uint16), *episode.policy_weights]).astype(
                np.uint16
            ),
        )

    def snapshot(self) -> bytes:
        """The state of all games in progress, trees included."""
        return pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL)

    @staticmethod
    def restore(snapshot: bytes, options: Options) -> SelfPlay:
        """Continues from a snapshot. Raises `ValueError` if it cannot be read."""
        try:
            restored = pickle.loads(snapshot)
        except Exception as error:  # A snapshot of another version may fail in any way.
            raise ValueError(f"cannot read the snapshot of the games in progress: {error}") from error
        if not isinstance(restored, SelfPlay):
            raise ValueError("the snapshot of the games in progress has another form")
        restored.options = options
        return restored
