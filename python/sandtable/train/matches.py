"""Matches between networks and engine levels, many games at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

import sandtable
from sandtable import BatchMCTS
from sandtable.train.self_play import Evaluator

#: The engine levels that networks are measured against: those whose moves do not depend on time.
LEVELS = range(9)
#: A time that no engine level needs, in seconds.
_UNLIMITED = 3600.0
#: The factor of the 95 % confidence interval.
_Z = 1.96


@dataclass(frozen=True)
class Tally:
    """Wins, draws and losses of one side."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The mean score of a game, from 0 to 1."""
        return (self.wins + self.draws / 2) / max(self.games, 1)

    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the score (Wilson), in which a draw is half a win and half a loss.

        Draws vary less, so with many of them the interval is wider than it need be.
        """
        count, share = self.games, self.score
        middle = (share + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
        spread = _Z * math.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2)) / (1 + _Z**2 / count)
        return max(middle - spread, 0.0), min(middle + spread, 1.0)

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}, {self.score:.1%}"


@dataclass(frozen=True)
class Rating:
    """An Elo estimate with its 95 % confidence interval."""

    elo: float
    low: float
    high: float


def expected_score(difference: float) -> float:
    """The expected score of a player who is this many Elo stronger."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def rating(results: Sequence[tuple[float, Tally]]) -> Rating:
    """The most likely Elo of a player with these results against opponents of known Elo.

    Half a win and half a loss against each opponent are added, so that the estimate stays finite when all
    games are won or lost.
    """

    def surplus(elo: float) -> float:
        return sum(
            tally.score * tally.games + 0.5 - (tally.games + 1) * expected_score(elo - opponent)
            for opponent, tally in results
        )

    low, high = -4000.0, 8000.0
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if surplus(middle) > 0 else (low, middle)
    elo = (low + high) / 2
    information = sum(
        (tally.games + 1) * expected_score(elo - opponent) * expected_score(opponent - elo)
        for opponent, tally in results
    )
    error = _Z * 400 / math.log(10) / math.sqrt(information)
    return Rating(elo, elo - error, elo + error)


class Player(Protocol):
    """One side of a match, in all games at once."""

    def start(self, games: Sequence[sandtable.Game], max_plies: int) -> None:
        """Begins the match. The player may look at the games, but must not change them.

        A game of `max_plies` moves is a draw.
        """
        ...

    def choose(self, turn: NDArray[np.bool_]) -> NDArray[np.int64]:
        """An action in every game in which it is this player's turn, -1 in the others."""
        ...

    def advance(self, actions: NDArray[np.int64]) -> None:
        """Learns what was played in every game; -1 where nothing was."""
        ...


class NetworkPlayer:
    """A network with a tree search of some visits per move."""

    def __init__(self, evaluate: Evaluator, visits: int, *, gumbel: bool, threads: int = 1) -> None:
        self.evaluate, self.visits = evaluate, visits
        self._gumbel, self._threads = gumbel, threads

    def start(self, games: Sequence[sandtable.Game], max_plies: int) -> None:
        """Begins the match with a tree for each game."""
        self._trees = BatchMCTS(
            games[0].name,
            len(games),
            rules=games[0].rules,
            gumbel=self._gumbel,
            threads=self._threads,
            max_plies=max_plies,
        )
        for index, game in enumerate(games):
            self._trees.set_game(index, game)

    def choose(self, turn: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The best move by the search."""
        self._trees.search(self.evaluate, np.where(turn, self.visits, 0), noise=False, logits=True)
        roots = self._trees.roots()
        actions = np.full(len(turn), -1)
        # Not `choose`, which needs a search in every tree.
        for tree in np.flatnonzero(turn).tolist():
            span = slice(roots.offsets[tree], roots.offsets[tree + 1])
            actions[tree] = roots.actions[span][roots.policy[span].argmax()]
        return actions

    def advance(self, actions: NDArray[np.int64]) -> None:
        """Follows the games and keeps what the trees know of them."""
        self._trees.advance(actions)


class LevelPlayer:
    """An engine level from 0 (random moves) to 8."""

    def __init__(self, level: int, seed: int, threads: int = 1) -> None:
        self.level, self._seed, self._threads = level, seed, threads

    def start(self, games: Sequence[sandtable.Game], max_plies: int) -> None:
        """Begins the match. Each game has a seed of its own."""
        self._games = games
        self._players = [
            sandtable.LevelPlayer(game.name, self.level, seed=self._seed + index)
            for index, game in enumerate(games)
        ]

    def choose(self, turn: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The moves of the level."""

        def move(index: int) -> int:
            # Levels have limits of their own; one of time would make matches depend on the machine.
            action = self._players[index].choose(self._games[index], time=_UNLIMITED)
            assert action is not None, "the game is not over"
            return action

        actions = np.full(len(self._games), -1)
        indices = np.flatnonzero(turn)
        with ThreadPoolExecutor(self._threads) as executor:
            actions[indices] = list(executor.map(move, indices.tolist()))
        return actions

    def advance(self, actions: NDArray[np.int64]) -> None:
        """Does nothing: a level looks at the games alone."""


def openings(game: str, rules: str, count: int, plies: int, rng: np.random.Generator) -> list[sandtable.Game]:
    """Games after some random moves, each twice in a row, so that both players can start it."""
    games: list[sandtable.Game] = []
    while len(games) < count:
        board = sandtable.make(game, rules=rules)
        for _ in range(plies):
            if not board.is_terminal():
                board.apply_action(rng.choice(board.legal_actions()))
        if not board.is_terminal():
            games += [board, board.clone()]
    return games[:count]


def match(
    one: Player,
    other: Player,
    games: list[sandtable.Game],
    max_plies: int,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Tally:
    """Plays games from the given positions and returns the tally of `one`, player 0 in every other game.

    A game of `max_plies` moves is a draw. `on_progress` is called with the number of finished games.
    """
    side = np.arange(len(games)) % 2
    for player in (one, other):
        player.start(games, max_plies)
    while True:
        running = np.array([not game.is_terminal() and game.ply < max_plies for game in games])
        on_progress(int((~running).sum()))
        if not running.any():
            break
        is_one = np.array([game.current_player() for game in games]) == side
        actions = np.maximum(one.choose(running & is_one), other.choose(running & ~is_one))
        for player in (one, other):
            player.advance(actions)
        for game, action in zip(games, actions.tolist(), strict=True):
            if action >= 0:
                game.apply_action(action)
    results = [game.returns()[own] for game, own in zip(games, side.tolist(), strict=True)]
    wins, losses = sum(result > 0 for result in results), sum(result < 0 for result in results)
    return Tally(wins, len(games) - wins - losses, losses)
