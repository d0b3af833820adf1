"""A small network learns a game by playing against itself, for a few minutes on one core, with NumPy alone.

The network looks at a position and says how good it is for the player to move. A player looks one move
ahead: it tries some moves, asks the network about the positions after them, and takes the one that is worst
for the opponent; a move that wins at once needs no network. Games against itself are what it learns from: the
value of each position is drawn towards the values seen later in the game, and its result (TD(lambda)).

    python examples/train_tiny.py --minutes 5

Ctrl-C ends the learning early, and keeps what was learnt.
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
#: Chooses an action for every game.
Player = Callable[[Sequence[sandtable.Game]], list[int]]


class Network:
    """An observation, a hidden layer, and one value between -1 and 1 for the player to move."""

    def __init__(self, inputs: int, hidden: int, rng: np.random.Generator) -> None:
        # About a hundred inputs are not 0. The last layer begins with 0: a network that knows nothing says 0.
        self.weights: dict[str, Floats] = {
            "hidden": (rng.standard_normal((inputs, hidden)) * 0.1).astype(np.float32),
            "hidden_bias": np.zeros(hidden, np.float32),
            "value": np.zeros(hidden, np.float32),
            "value_bias": np.zeros(1, np.float32),
        }
        self._first = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self._second = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self._updates = 0

    def values(self, observations: Floats) -> Floats:
        """How good each position is for the player to move in it."""
        hidden = np.maximum(observations @ self.weights["hidden"] + self.weights["hidden_bias"], 0.0)
        value: Floats = np.tanh(hidden @ self.weights["value"] + self.weights["value_bias"])
        return value

    def learn(self, observations: Floats, targets: Floats, rate: float) -> float:
        """Draws the values of positions towards targets. Says how far they were off: the mean square."""
        hidden = np.maximum(observations @ self.weights["hidden"] + self.weights["hidden_bias"], 0.0)
        values = np.tanh(hidden @ self.weights["value"] + self.weights["value_bias"])
        error = values - targets
        at_value = error * (1.0 - values**2) * np.float32(2.0 / len(targets))
        at_hidden = np.outer(at_value, self.weights["value"]) * (hidden > 0.0)
        self._descend(
            {
                "hidden": observations.T @ at_hidden,
                "hidden_bias": at_hidden.sum(axis=0),
                "value": hidden.T @ at_value,
                "value_bias": at_value.sum(keepdims=True),
            },
            rate,
        )
        return float(np.mean(error**2))

    def _descend(self, gradients: dict[str, Floats], rate: float) -> None:
        """A step of Adam."""
        self._updates += 1
        rate *= math.sqrt(1.0 - 0.999**self._updates) / (1.0 - 0.9**self._updates)
        for name, gradient in gradients.items():
            first, second = self._first[name], self._second[name]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            self.weights[name] -= np.float32(rate) * first / (np.sqrt(second) + np.float32(1e-8))


def look_ahead(
    network: Network, games: Sequence[sandtable.Game], rng: np.random.Generator, candidates: int | None = None
) -> list[tuple[int, float]]:
    """For every game the best action and its value for the mover, among all, or some chosen by lot."""
    tried = [rng.permutation(game.legal_actions())[:candidates] for game in games]
    seen = np.empty((sum(map(len, tried)), *games[0].observation_shape), np.float32)
    # What an action leads to is the opponent's to judge (-1), the mover's (1), or settled by the rules (0).
    judge = np.zeros(len(seen), np.float32)
    settled = np.zeros(len(seen), np.float32)
    row = 0
    for game, actions in zip(games, tried, strict=True):
        mover = game.current_player()
        for action in actions:
            game.apply_action(action)
            if game.is_terminal():
                settled[row] = game.returns()[mover]
                seen[row] = 0.0
            else:
                judge[row] = 1.0 if game.current_player() == mover else -1.0
                game.observation(out=seen[row])
            game.undo()
            row += 1
    values = settled + judge * network.values(seen.reshape(len(seen), -1))
    chosen: list[tuple[int, float]] = []
    for actions in tried:
        own, values = values[: len(actions)], values[len(actions) :]
        best = int(own.argmax())
        chosen.append((int(actions[best]), float(own[best])))
    return chosen


def learned(network: Network, rng: np.random.Generator, candidates: int | None = None) -> Player:
    """The player that asks a network."""
    return lambda games: [action for action, _ in look_ahead(network, games, rng, candidates)]


def at_random(rng: np.random.Generator) -> Player:
    """The player that takes any move."""
    return lambda games: [int(rng.choice(game.legal_actions())) for game in games]


@dataclass
class Score:
    """The result of a match: a win is 1, a draw or a game cut off ½."""

    points: float
    games: int

    @property
    def share(self) -> float:
        return self.points / self.games

    def interval(self) -> tuple[float, float]:
        """What the share would be in an endless match, with 95 % confidence (Wilson)."""
        z = 1.96
        middle = (self.share + z**2 / (2 * self.games)) / (1 + z**2 / self.games)
        spread = self.share * (1 - self.share) / self.games + z**2 / (4 * self.games**2)
        half = z * math.sqrt(spread) / (1 + z**2 / self.games)
        return middle - half, middle + half

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{self.share:.1%} of {self.games} games (95 % between {low:.1%} and {high:.1%})"


def match(kind: str, one: Player, other: Player, games: int, max_plies: int) -> Score:
    """Games between two players, side by side; each begins half of them."""
    boards = [sandtable.make(kind) for _ in range(games)]
    while any(is_running(game, max_plies) for game in boards):
        # Who moves is settled before anyone does.
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
    """A game against itself, and what is remembered of it."""

    game: sandtable.Game
    seen: list[Floats] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def targets(self, fade: float) -> Floats:
        """What the value of each position should have been, by the values seen later and the result."""
        later = self.game.returns()[0] if self.game.is_terminal() else None
        found: list[float] = []
        for mover, value in zip(reversed(self.movers), reversed(self.values), strict=True):
            sign = 1 if mover == 0 else -1
            now = sign * value
            later = now if later is None else (1 - fade) * now + fade * later
            found.append(sign * later)
        return np.array(found[::-1], np.float32)


class Memory:
    """The last positions seen, with their targets."""

    def __init__(self, capacity: int, inputs: int) -> None:
        self.observations = np.zeros((capacity, inputs), np.float16)
        self.targets = np.zeros(capacity, np.float32)
        self.size = self._next = 0

    def add(self, episode: Episode, fade: float) -> None:
        for seen, target in zip(episode.seen, episode.targets(fade), strict=True):
            self.observations[self._next] = seen.reshape(-1)
            self.targets[self._next] = target
            self._next = (self._next + 1) % len(self.targets)
            self.size = min(self.size + 1, len(self.targets))

    def sample(self, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        rows = rng.integers(self.size, size=size)
        return self.observations[rows].astype(np.float32), self.targets[rows]


@dataclass
class Point:
    """How well the network played after some time."""

    seconds: float
    against_random: Score
    against_beginner: Score


class Learner:
    """Plays against itself and learns from it."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.rng = np.random.default_rng(options.seed)
        inputs = math.prod(sandtable.make(options.game).observation_shape)
        self.network = Network(inputs, options.hidden, self.rng)
        self.beginner = Network(inputs, options.hidden, self.rng)
        self.memory = Memory(20_000, inputs)
        self.episodes = [Episode(sandtable.make(options.game)) for _ in range(options.games)]
        self.finished = 0
        self.loss = 1.0
        self.curve: list[Point] = []

    def play_a_move(self) -> None:
        """A move in every game."""
        chosen = look_ahead(
            self.network, [episode.game for episode in self.episodes], self.rng, self.options.candidates
        )
        for number, (episode, (action, value)) in enumerate(zip(self.episodes, chosen, strict=True)):
            game = episode.game
            episode.seen.append(game.observation())
            episode.movers.append(game.current_player())
            episode.values.append(value)
            game.apply_action(action)
            if not is_running(game, self.options.max_plies):
                self.memory.add(episode, fade=0.8)
                self.finished += 1
                self.episodes[number] = Episode(sandtable.make(self.options.game))

    def learn(self) -> None:
        if self.memory.size >= 1_000:
            loss = self.network.learn(*self.memory.sample(256, self.rng), rate=self.options.rate)
            self.loss += 0.01 * (loss - self.loss)

    def measure(self, games: int, seconds: float) -> Point:
        """How well the network plays now, with random numbers of its own."""
        rng = np.random.default_rng(self.options.seed + 1)
        kind, limit = self.options.game, self.options.max_plies
        player = learned(self.network, rng, self.options.candidates)
        beginner = learned(self.beginner, rng, self.options.candidates)
        return Point(
            seconds,
            match(kind, player, at_random(rng), games, limit),
            match(kind, player, beginner, games, limit),
        )

    def run(self) -> None:
        """Learns until the time is up, or until Ctrl-C."""
        begin = time.monotonic()
        end = begin + 60 * self.options.minutes
        every = 60 * self.options.minutes / self.options.points
        print(f"{'minute':>6} {'games':>6} {'error':>6}  score against random, and against a beginner")
        try:
            while True:
                now = time.monotonic()
                if now >= begin + len(self.curve) * every or now >= end:
                    self.report(now - begin)
                if now >= end:
                    return
                self.play_a_move()
                self.learn()
        except KeyboardInterrupt:
            print("Stopped early.")

    def report(self, seconds: float) -> None:
        point = self.measure(self.options.probe, seconds)
        self.curve.append(point)
        print(
            f"{seconds / 60:6.2f} {self.finished:6} {self.loss:6.3f}"
            f"  {point.against_random.share:6.1%}  {point.against_beginner.share:6.1%}",
            flush=True,
        )


def draw(curve: Sequence[Point], title: str) -> str:
    """The curve as an SVG document."""
    width, height, left, right, top, bottom = 640, 320, 50, 610, 40, 270
    span = max(curve[-1].seconds, 1.0)

    def place(seconds: float, share: float) -> str:
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
        (
            "against itself before it learnt",
            "#c0392b",
            [point.against_beginner.share for point in curve],
        ),
    ]
    for number, (name, colour, shares) in enumerate(lines):
        line = " ".join(place(point.seconds, share) for point, share in zip(curve, shares, strict=True))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        y = bottom - 14 - 18 * (1 - number)
        parts.append(f'<text x="{right - 8}" y="{y}" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def save(learner: Learner) -> None:
    """Writes the weights and the curve: complete, or not at all."""
    directory: Path = learner.options.out
    directory.mkdir(parents=True, exist_ok=True)
    weights, picture = directory / "weights.npz", directory / "curve.svg"
    with open(weights.with_suffix(".part"), "wb") as file:
        np.savez(file, allow_pickle=False, **learner.network.weights)
    os.replace(weights.with_suffix(".part"), weights)
    print(f"The weights are in {weights}.")
    if learner.curve:
        title = f"{learner.options.game}: score of the network while it learns"
        picture.with_suffix(".part").write_text(draw(learner.curve, title), encoding="utf-8")
        os.replace(picture.with_suffix(".part"), picture)
        print(f"The curve is in {picture}.")


def arguments() -> argparse.Namespace:
    def positive(text: str) -> int:
        if (number := int(text)) < 1:
            raise argparse.ArgumentTypeError(f"{number} is less than 1")
        return number

    def seed(text: str) -> int:
        if (number := int(text)) < 0:
            raise argparse.ArgumentTypeError(f"{number} is less than 0")
        return number

    def minutes(text: str) -> float:
        if not 0 < (number := float(text)) < math.inf:
            raise argparse.ArgumentTypeError(f"{text} is not a time to learn for")
        return number

    parser = argparse.ArgumentParser(
        description="A small network learns a game by playing against itself.",
        epilog="Ctrl-C ends the learning early, and keeps what was learnt.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--game", choices=sandtable.GAMES, default="tribun", help="what is learnt")
    parser.add_argument("--minutes", type=minutes, default=5.0, help="how long to learn")
    parser.add_argument("--seed", type=seed, default=1, help="of all random numbers")
    parser.add_argument("--out", type=Path, default=Path("trained"), help="directory for weights and curve")
    parser.add_argument("--match", type=positive, default=200, help="games of the match at the end")
    parser.add_argument("--probe", type=positive, default=20, help="games for a point of the curve")
    parser.add_argument("--points", type=positive, default=10, help="of the curve, besides the first")
    parser.add_argument("--hidden", type=positive, default=32, help="width of the hidden layer")
    parser.add_argument("--games", type=positive, default=32, help="played side by side")
    parser.add_argument("--candidates", type=positive, default=16, help="moves that are tried in a position")
    parser.add_argument("--max-plies", type=positive, default=200, help="after which a game is cut off")
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning")
    return parser.parse_args()


def main() -> None:
    learner = Learner(arguments())
    learner.run()
    save(learner)
    print(f"A match of {learner.options.match} games against each; Ctrl-C leaves it out.")
    try:
        last = learner.measure(learner.options.match, 0.0)
    except KeyboardInterrupt:
        return
    print(f"Against random moves: {last.against_random}.")
    print(f"Against the network before it learnt: {last.against_beginner}.")


if __name__ == "__main__":
    main()
