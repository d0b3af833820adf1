"""Trains a small value network by self-play, in a few minutes on one core, with NumPy only.

The network estimates the value of a position for the side to move. A player searches one move deep: it tries
some moves, evaluates the positions after them and plays the one that is worst for the opponent; terminal
positions are scored by the rules. The network learns from self-play by TD(lambda): the target of a position
is a mix of the values found later in the game and the result.

    python examples/train_tiny.py --minutes 5

Ctrl-C stops training early and keeps the weights.
"""

import argparse
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import sandtable
from numpy.typing import NDArray

Floats = NDArray[np.float32]
#: Chooses an action in every game.
Player = Callable[[Sequence[sandtable.Game]], list[int]]

#: The lambda of TD(lambda): how much of a target comes from later in the game.
TRACE_DECAY = 0.8
REPLAY_CAPACITY = 20_000
BATCH_SIZE = 256
#: Positions to collect before the first update.
WARM_UP = 1_000


class Network:
    """A value network: an observation, one hidden layer, a value from -1 to 1 for the side to move."""

    def __init__(self, inputs: int, hidden: int, rng: np.random.Generator) -> None:
        # About a hundred inputs are non-zero. The output layer starts at 0: an untrained network returns 0.
        self.weights: dict[str, Floats] = {
            "hidden": (rng.standard_normal((inputs, hidden)) * 0.1).astype(np.float32),
            "hidden_bias": np.zeros(hidden, np.float32),
            "value": np.zeros(hidden, np.float32),
            "value_bias": np.zeros(1, np.float32),
        }
        # The moment estimates of Adam.
        self._mean = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self._variance = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self._updates = 0

    def values(self, observations: Floats) -> Floats:
        """The value of each position for its side to move."""
        hidden = np.maximum(observations @ self.weights["hidden"] + self.weights["hidden_bias"], 0.0)
        value: Floats = np.tanh(hidden @ self.weights["value"] + self.weights["value_bias"])
        return value

    def update(self, observations: Floats, targets: Floats, learning_rate: float) -> float:
        """Makes one step of gradient descent. Returns the loss before it: the mean squared error."""
        hidden = np.maximum(observations @ self.weights["hidden"] + self.weights["hidden_bias"], 0.0)
        values = np.tanh(hidden @ self.weights["value"] + self.weights["value_bias"])
        error = values - targets
        value_gradient = error * (1.0 - values**2) * np.float32(2.0 / len(targets))
        hidden_gradient = np.outer(value_gradient, self.weights["value"]) * (hidden > 0.0)
        self._adam(
            {
                "hidden": observations.T @ hidden_gradient,
                "hidden_bias": hidden_gradient.sum(axis=0),
                "value": hidden.T @ value_gradient,
                "value_bias": value_gradient.sum(keepdims=True),
            },
            learning_rate,
        )
        return float(np.mean(error**2))

    def _adam(self, gradients: dict[str, Floats], learning_rate: float) -> None:
        self._updates += 1
        rate = learning_rate * math.sqrt(1.0 - 0.999**self._updates) / (1.0 - 0.9**self._updates)
        for name, gradient in gradients.items():
            mean, variance = self._mean[name], self._variance[name]
            mean += 0.1 * (gradient - mean)
            variance += 0.001 * (gradient**2 - variance)
            self.weights[name] -= np.float32(rate) * mean / (np.sqrt(variance) + np.float32(1e-8))


def best_actions(
    network: Network, games: Sequence[sandtable.Game], rng: np.random.Generator, candidates: int | None = None
) -> list[tuple[int, float]]:
    """The best action of every game and its value for the mover, from a one-ply search.

    With `candidates`, only that many randomly chosen actions are tried.
    """
    tried = [rng.permutation(game.legal_actions())[:candidates] for game in games]
    observations = np.empty((sum(map(len, tried)), *games[0].observation_shape), np.float32)
    # The value for the mover is `result + sign * network value`. The sign is -1 if the opponent moves next, 1
    # if the mover moves again, and 0 after the end of the game.
    sign = np.zeros(len(observations), np.float32)
    result = np.zeros(len(observations), np.float32)
    row = 0
    for game, actions in zip(games, tried, strict=True):
        mover = game.current_player()
        for action in actions:
            game.apply_action(action)
            if game.is_terminal():
                result[row] = game.returns()[mover]
                observations[row] = 0.0
            else:
                sign[row] = 1.0 if game.current_player() == mover else -1.0
                game.observe(out=observations[row])
            game.undo()
            row += 1
    values = result + sign * network.values(observations.reshape(len(observations), -1))
    best: list[tuple[int, float]] = []
    for actions in tried:
        own, values = values[: len(actions)], values[len(actions) :]
        choice = int(own.argmax())
        best.append((int(actions[choice]), float(own[choice])))
    return best


def network_player(network: Network, rng: np.random.Generator, candidates: int | None = None) -> Player:
    """A player that chooses by the network's values."""
    return lambda games: [action for action, _ in best_actions(network, games, rng, candidates)]


def random_player(rng: np.random.Generator) -> Player:
    """A player that chooses uniformly at random."""
    return lambda games: [int(rng.choice(game.legal_actions())) for game in games]


@dataclass
class Score:
    """The result of a match: 1 point for a win, ½ for a draw or a truncated game."""

    points: float
    games: int

    @property
    def share(self) -> float:
        return self.points / self.games

    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share (Wilson)."""
        z = 1.96
        middle = (self.share + z**2 / (2 * self.games)) / (1 + z**2 / self.games)
        spread = self.share * (1 - self.share) / self.games + z**2 / (4 * self.games**2)
        half = z * math.sqrt(spread) / (1 + z**2 / self.games)
        return middle - half, middle + half

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{self.share:.1%} of {self.games} games (95 % confidence: {low:.1%} to {high:.1%})"


def match(kind: str, one: Player, other: Player, games: int, max_plies: int) -> Score:
    """Plays games in parallel and returns the score of `one`, who starts every other game."""
    boards = [sandtable.make(kind) for _ in range(games)]
    while any(is_running(game, max_plies) for game in boards):
        # Sort the games by side to move before anyone moves.
        turns: tuple[list[sandtable.Game], list[sandtable.Game]] = ([], [])
        for number, game in enumerate(boards):
            if is_running(game, max_plies):
                turns[(game.current_player() + number) % 2].append(game)
        for own, player in zip(turns, (one, other), strict=True):
            for game, action in zip(own, player(own) if own else [], strict=True):
                game.apply_action(action)
    points = sum((game.returns()[number % 2] + 1) / 2 for number, game in enumerate(boards))
    return Score(points, games)


def is_running(game: sandtable.Game, max_plies: int) -> bool:
    return not game.is_terminal() and game.ply < max_plies


@dataclass
class Episode:
    """A self-play game with the observation, the mover and the value found at every move."""

    game: sandtable.Game
    observations: list[Floats] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def targets(self, trace_decay: float) -> Floats:
        """The TD(lambda) targets. The last value stands in for the result of a truncated game."""
        later = self.game.returns()[0] if self.game.is_terminal() else None
        targets: list[float] = []
        for mover, value in zip(reversed(self.movers), reversed(self.values), strict=True):
            sign = 1 if mover == 0 else -1
            now = sign * value
            later = now if later is None else (1 - trace_decay) * now + trace_decay * later
            targets.append(sign * later)
        return np.array(targets[::-1], np.float32)


class ReplayBuffer:
    """The most recent positions with their targets."""

    def __init__(self, capacity: int, inputs: int) -> None:
        self.observations = np.zeros((capacity, inputs), np.float16)
        self.targets = np.zeros(capacity, np.float32)
        self.size = self._next = 0

    def add(self, episode: Episode) -> None:
        for observation, target in zip(episode.observations, episode.targets(TRACE_DECAY), strict=True):
            self.observations[self._next] = observation.reshape(-1)
            self.targets[self._next] = target
            self._next = (self._next + 1) % len(self.targets)
            self.size = min(self.size + 1, len(self.targets))

    def sample(self, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        rows = rng.integers(self.size, size=size)
        return self.observations[rows].astype(np.float32), self.targets[rows]


@dataclass
class Point:
    """A point of the learning curve."""

    seconds: float
    against_random: Score
    against_untrained: Score


class Learner:
    """Plays against itself and learns from the games."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.rng = np.random.default_rng(options.seed)
        inputs = math.prod(sandtable.make(options.game).observation_shape)
        self.network = Network(inputs, options.hidden, self.rng)
        self.untrained = Network(inputs, options.hidden, self.rng)
        self.replay = ReplayBuffer(REPLAY_CAPACITY, inputs)
        self.episodes = [Episode(sandtable.make(options.game)) for _ in range(options.games)]
        self.finished = 0
        #: The running mean of the loss.
        self.loss = 1.0
        self.curve: list[Point] = []

    def step(self) -> None:
        """Plays one move in every self-play game and makes one update of the network."""
        self._play()
        self._update()

    def _play(self) -> None:
        games = [episode.game for episode in self.episodes]
        best = best_actions(self.network, games, self.rng, self.options.candidates)
        for number, (episode, (action, value)) in enumerate(zip(self.episodes, best, strict=True)):
            game = episode.game
            episode.observations.append(game.observe())
            episode.movers.append(game.current_player())
            episode.values.append(value)
            game.apply_action(action)
            if not is_running(game, self.options.max_plies):
                self.replay.add(episode)
                self.finished += 1
                self.episodes[number] = Episode(sandtable.make(self.options.game))

    def _update(self) -> None:
        if self.replay.size >= WARM_UP:
            batch = self.replay.sample(BATCH_SIZE, self.rng)
            loss = self.network.update(*batch, learning_rate=self.options.learning_rate)
            self.loss += 0.01 * (loss - self.loss)

    def evaluate(self, games: int) -> tuple[Score, Score]:
        """The scores of the network in matches against random moves and against the untrained network.

        Uses its own random generator, so that evaluations do not change the training.
        """
        rng = np.random.default_rng(self.options.seed + 1)
        kind, limit = self.options.game, self.options.max_plies
        player = network_player(self.network, rng, self.options.candidates)
        untrained = network_player(self.untrained, rng, self.options.candidates)
        return (
            match(kind, player, random_player(rng), games, limit),
            match(kind, player, untrained, games, limit),
        )

    def run(self) -> None:
        """Trains until the time is up or until Ctrl-C."""
        start = time.monotonic()
        end = start + 60 * self.options.minutes
        interval = 60 * self.options.minutes / self.options.points
        print(f"{'minute':>6} {'games':>6} {'loss':>6}  score against random moves and the untrained network")
        try:
            while True:
                now = time.monotonic()
                if now >= start + len(self.curve) * interval or now >= end:
                    self._report(now - start)
                if now >= end:
                    return
                self.step()
        except KeyboardInterrupt:
            print("Stopped early.")

    def _report(self, seconds: float) -> None:
        point = Point(seconds, *self.evaluate(self.options.eval_games))
        self.curve.append(point)
        print(
            f"{seconds / 60:6.2f} {self.finished:6} {self.loss:6.3f}"
            f"  {point.against_random.share:6.1%}  {point.against_untrained.share:6.1%}",
            flush=True,
        )


def curve_svg(curve: Sequence[Point], title: str) -> str:
    """The learning curve as an SVG document."""
    width, height, left, right, top, bottom = 640, 320, 50, 610, 40, 270
    span = max(curve[-1].seconds, 1.0)

    def point_at(seconds: float, share: float) -> str:
        return f"{left + (right - left) * seconds / span:.1f},{bottom - (bottom - top) * share:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="13" fill="#333">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{left}" y="24" font-size="15">{title}</text>',
    ]
    for percent in (0, 25, 50, 75, 100):
        y = bottom - (bottom - top) * percent / 100
        parts.append(f'<path d="M{left} {y}H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{percent} %</text>')
    for quarter in range(5):
        minutes = span / 60 * quarter / 4
        x = left + (right - left) * quarter / 4
        parts.append(f'<text x="{x}" y="{bottom + 20}" text-anchor="middle">{minutes:.2g}</text>')
    parts.append(f'<text x="{(left + right) / 2}" y="{bottom + 40}" text-anchor="middle">minutes</text>')
    lines = [
        ("against random moves", "#1f6fb4", [point.against_random.share for point in curve]),
        ("against the untrained network", "#c0392b", [point.against_untrained.share for point in curve]),
    ]
    for number, (name, color, shares) in enumerate(lines):
        line = " ".join(point_at(point.seconds, share) for point, share in zip(curve, shares, strict=True))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2.5"/>')
        y = bottom - 14 - 18 * (1 - number)
        parts.append(f'<text x="{right - 8}" y="{y}" text-anchor="end" fill="{color}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def save(learner: Learner) -> None:
    """Writes the weights and the learning curve. Files are renamed into place, so none is ever incomplete."""
    directory: Path = learner.options.out
    directory.mkdir(parents=True, exist_ok=True)
    weights, picture = directory / "weights.npz", directory / "curve.svg"
    with open(weights.with_suffix(".part"), "wb") as file:
        np.savez(file, allow_pickle=False, **learner.network.weights)
    os.replace(weights.with_suffix(".part"), weights)
    print(f"Weights: {weights}")
    if learner.curve:
        title = f"{learner.options.game}: score of the network during training"
        picture.with_suffix(".part").write_text(curve_svg(learner.curve, title), encoding="utf-8")
        os.replace(picture.with_suffix(".part"), picture)
        print(f"Learning curve: {picture}")


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    def positive(text: str) -> int:
        if (number := int(text)) < 1:
            raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
        return number

    def seed(text: str) -> int:
        if (number := int(text)) < 0:
            raise argparse.ArgumentTypeError(f"must be at least 0, not {number}")
        return number

    def minutes(text: str) -> float:
        if not 0 < (number := float(text)) < math.inf:
            raise argparse.ArgumentTypeError(f"must be more than 0, not {text}")
        return number

    parser = argparse.ArgumentParser(
        description="Trains a small value network by self-play.",
        epilog="Ctrl-C stops training early and keeps the weights.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--game", choices=sandtable.GAMES, default="tribun", help="game to learn")
    parser.add_argument("--minutes", type=minutes, default=5.0, help="training time")
    parser.add_argument("--seed", type=seed, default=1, help="seed of the random generator")
    parser.add_argument("--out", type=Path, default=Path("trained"), help="directory for weights and curve")
    parser.add_argument("--match", type=positive, default=200, help="games of each final match")
    parser.add_argument("--eval-games", type=positive, default=20, help="games per point of the curve")
    parser.add_argument("--points", type=positive, default=10, help="points of the curve after the first")
    parser.add_argument("--hidden", type=positive, default=32, help="width of the hidden layer")
    parser.add_argument("--games", type=positive, default=32, help="self-play games in parallel")
    parser.add_argument("--candidates", type=positive, default=16, help="moves to try in each position")
    parser.add_argument("--max-plies", type=positive, default=200, help="moves before a game is truncated")
    parser.add_argument("--learning-rate", type=float, default=1e-3, help="learning rate of Adam")
    return parser.parse_args(arguments)


def main() -> None:
    learner = Learner(parse_arguments())
    learner.run()
    save(learner)
    print(f"Playing two matches of {learner.options.match} games; Ctrl-C skips them.")
    try:
        against_random, against_untrained = learner.evaluate(learner.options.match)
    except KeyboardInterrupt:
        return
    print(f"Against random moves: {against_random}.")
    print(f"Against the untrained network: {against_untrained}.")


if __name__ == "__main__":
    main()
