"""A training run: self-play, learning, gating and evaluation in a folder, resumable at any moment.

An iteration has four phases. `state.json` names the next one and is replaced when a phase ends; everything
that a phase writes is either replaced as a whole or ignored until the state names it. So a run that was
killed continues with the phase that it was in. Samples and networks depend on the settings alone, not on how
often the run was interrupted.
"""

from __future__ import annotations

import io
import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sandtable
from sandtable.train.files import Lock, ShardError, ShardWriter, lines, replace
from sandtable.train.matches import (
    LEVELS,
    LevelPlayer,
    NetworkPlayer,
    Player,
    Tally,
    match,
    openings,
    rating,
)
from sandtable.train.network import Arrays, Encoding, Losses, Network
from sandtable.train.options import Options, Stream
from sandtable.train.progress import Progress
from sandtable.train.replay import ReplayWindow, learned_plies, prefetch
from sandtable.train.report import write_report
from sandtable.train.samples import Result, SampleGame, open_writer, read_games
from sandtable.train.self_play import SelfPlay, evaluator
from sandtable.train.sources import generated_games, recorded_games

#: Seconds between two snapshots of the games in progress, or of the network that learns.
SNAPSHOT_INTERVAL = 30.0
#: Random moves at the beginning of the games of a match.
MATCH_OPENING = 4


class Stopped(Exception):
    """The run was asked to stop, or its time is up. A match in progress is repeated."""


@dataclass
class State:
    """Where a run is."""

    #: The iteration in progress; 0 while the run prepares its first network.
    iteration: int = 0
    #: The next phase of the iteration.
    phase: str = "start_games"
    #: The version of the network that plays.
    best: int = 0
    #: The network of the last evaluation, and its Elo.
    evaluated: int | None = None
    elo: float | None = None
    #: The time that the run has taken, in seconds.
    seconds: float = 0.0
    #: The length of the log. What follows belongs to a phase that was not finished.
    log_bytes: int = 0


def create_network(options: Options) -> Network:
    """An untrained network of the kind that the settings name."""
    encoding = Encoding.of(options.game)
    seed = int(options.rng(Stream.WEIGHTS).integers(2**31))
    if options.network == "numpy":
        from sandtable.train.numpy_network import NumpyNetwork

        return NumpyNetwork(encoding, options.channels, options.weight_decay, seed)
    from sandtable.train.torch_network import TorchNetwork

    return TorchNetwork(
        encoding, options.blocks, options.channels, options.weight_decay, seed, options.threads
    )


def save_arrays(path: Path, arrays: Arrays) -> None:
    """Writes arrays to an `.npz` file, replaced as a whole."""
    buffer = io.BytesIO()
    # Not `allow_pickle`, which older versions of NumPy would store as an array.
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    replace(path, buffer.getvalue())


def load_arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """Reads an `.npz` file."""
    with np.load(path, allow_pickle=False) as file:
        return dict(file)


class Folder:
    """The files of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.options = path / "options.json"
        self.state = path / "state.json"
        self.log = path / "log.jsonl"
        self.report = path / "report.html"
        self.evaluations = path / "evaluations.jsonl"
        self.snapshot = path / "self-play.snapshot"
        self.learning = path / "learning.npz"
        self.samples = path / "samples"
        self.networks = path / "networks"

    def games(self, iteration: int) -> Path:
        """The games of an iteration; of number 0, those that the run starts from."""
        return self.samples / f"{iteration:05}.samples"

    def network(self, version: int) -> Path:
        """The weights of a network."""
        return self.networks / f"{version:05}.npz"

    def optimizer(self, version: int) -> Path:
        """The state of the optimizer after the training of a network. Only the last one is kept."""
        return self.networks / f"{version:05}.optimizer.npz"

    def read_options(self) -> Options:
        """The settings of the run."""
        stored = json.loads(self.options.read_text())
        return Options(**{**stored, "from_records": tuple(stored["from_records"])})

    def read_state(self) -> State:
        """Where the run is."""
        return State(**json.loads(self.state.read_text())) if self.state.exists() else State()

    def events(self) -> list[dict[str, Any]]:
        """The events of the log."""
        length = self.read_state().log_bytes
        return [json.loads(line) for line in lines(self.log, length)] if length else []

    def final_matches(self) -> list[dict[str, Any]]:
        """The matches of the command `evaluate`, as events."""
        if not self.evaluations.exists():
            return []
        found = self.evaluations.read_text(encoding="utf-8").splitlines()
        return [{"event": "final", **json.loads(line)} for line in found]


class Run:
    """A run in progress."""

    def __init__(self, folder: Path, options: Options, say: Callable[[str], None] = print) -> None:
        """Opens or creates the folder.

        Raises `ValueError` if a run with other settings is in it, `BlockingIOError` if another process is
        training there.
        """
        self.folder, self.options, self._say = Folder(folder), options, say
        for path in (folder, self.folder.samples, self.folder.networks):
            path.mkdir(parents=True, exist_ok=True)
        self._lock = Lock(folder)
        try:
            if self.folder.options.exists():
                options.check_stored(self.folder.options.read_text(), folder)
            replace(self.folder.options, options.to_json().encode())
            self.state = self.folder.read_state()
        except BaseException:
            self._lock.release()
            raise
        #: The state on the disk.
        self._saved = asdict(self.state)
        #: The events of the phase in progress.
        self._pending: list[dict[str, Any]] = []
        self._since = time.monotonic()
        self._stop_requested = False
        self._window: ReplayWindow | None = None
        #: The networks in memory, by version.
        self._cache: dict[int, Network] = {}

    # The course of a run.

    def request_stop(self) -> None:
        """Makes the run stop soon. A match in progress is repeated when it continues."""
        self._stop_requested = True

    def run(self) -> None:
        """Trains until a limit is reached or a stop is requested."""
        # What follows in the log belongs to a phase that was not finished.
        with open(self.folder.log, "ab") as log:
            log.truncate(self.state.log_bytes)
        phases: dict[str, Callable[[], None]] = {
            "start_games": self._start_games,
            "pretrain": self._pretrain,
            "self_play": self._self_play,
            "learn": self._learn,
            "gate": self._gate,
            "evaluate": self._evaluate,
        }
        try:
            try:
                while not self.is_complete:
                    self._check()
                    phases[self.state.phase]()
            except Stopped:
                self._save_time()
            self._write_report()
        finally:
            self._lock.release()

    @property
    def is_complete(self) -> bool:
        """Whether all iterations are done."""
        limit = self.options.iterations
        return limit is not None and self.state.iteration > limit

    def _check(self) -> None:
        """Raises `Stopped` if it is time to stop."""
        limit = self.options.seconds
        if self._stop_requested or (limit is not None and self._elapsed() >= limit):
            raise Stopped

    def _elapsed(self) -> float:
        return self.state.seconds + time.monotonic() - self._since

    def _save_time(self) -> None:
        """Writes how long the run has taken; the phase in progress stays unfinished."""
        self.state.seconds = self._saved["seconds"] = self._elapsed()
        self._since = time.monotonic()
        replace(self.folder.state, (json.dumps(self._saved, indent=2) + "\n").encode())

    def _next(self, phase: str) -> None:
        """Ends a phase: first the log, then the state that includes it."""
        with open(self.folder.log, "ab") as log:
            for event in self._pending:
                log.write((json.dumps(event) + "\n").encode())
            log.flush()
            os.fsync(log.fileno())
            self.state.log_bytes = log.tell()
        self._pending.clear()
        self.state.phase = phase
        self._saved = asdict(self.state)
        self._save_time()

    def _log(self, event: str, **details: Any) -> None:
        """Adds an event to the log when the phase ends."""
        known = {"event": event, "iteration": self.state.iteration, "seconds": round(self._elapsed(), 1)}
        self._pending.append({**known, **details})

    def refresh_report(self) -> None:
        """Writes the report of a run that is not continued, and releases its folder."""
        try:
            self._write_report()
        finally:
            self._lock.release()

    def _write_report(self) -> None:
        events = [*self.folder.events(), *self.folder.final_matches()]
        write_report(self.folder.report, self.options, events, self._shown_games())

    def _shown_games(self) -> list[tuple[str, SampleGame]]:
        """Games for the report: of the first, the middle and the last iteration with games."""
        last = self.state.iteration if self.state.phase != "self_play" else self.state.iteration - 1
        shown = []
        for iteration in sorted({1, (last + 1) // 2, last}):
            if 1 <= iteration <= last:
                games = self._read_games(iteration)
                # A decisive game says more; the longest of them, because short ones end by a blunder.
                game = max(games, key=lambda game: (game.result < Result.DRAW, len(game.actions)))
                shown.append((f"Iteration {iteration}, game {game.number}", game))
        return shown

    # Networks and samples.

    def _read_games(self, iteration: int) -> list[SampleGame]:
        """The games of an iteration whose self-play is finished; of number 0, the start games.

        Raises `ShardError` if some are missing: a damaged length looks like an incomplete last record.
        """
        path = self.folder.games(iteration)
        games = read_games(path, self.options.game, self.options.rules)
        expected = self.options.games
        if iteration == 0:
            events = self.folder.events() + self._pending
            expected = next(event["games"] for event in events if event["event"] == "start_games")
        if len(games) != expected:
            raise ShardError(
                f"{path} is damaged: it has {len(games)} games, not {expected}. Restore it from a backup, or "
                "choose another folder with --run"
            )
        return games

    def _network(self, version: int) -> Network:
        """The network of a version, for evaluation."""
        if version not in self._cache:
            network = create_network(self.options)
            network.load(load_arrays(self.folder.network(version)))
            # The network that plays and the one that may replace it.
            while len(self._cache) >= 2:
                self._cache.pop(next(iter(self._cache)))
            self._cache[version] = network
        return self._cache[version]

    def _learner(self, version: int) -> Network:
        """The network of a version with the state of its optimizer, to train it further."""
        network = create_network(self.options)
        network.load(load_arrays(self.folder.network(version)), load_arrays(self.folder.optimizer(version)))
        return network

    def _save_network(self, version: int, network: Network) -> None:
        save_arrays(self.folder.optimizer(version), network.optimizer())
        save_arrays(self.folder.network(version), network.weights())

    def _forget_optimizers(self, version: int) -> None:
        """Removes the states of the optimizer that are older than a version."""
        for path in self.folder.networks.glob("*.optimizer.npz"):
            if path < self.folder.optimizer(version):
                path.unlink()

    def _filled_window(self) -> ReplayWindow:
        """The replay window with the games of all iterations up to this one."""
        if self._window is None:
            options = self.options
            self._window = ReplayWindow(options.game, options.rules, options.window, options.value_mix)
            recent: list[list[SampleGame]] = []
            positions = 0
            for iteration in range(self.state.iteration, -1, -1):
                if positions < options.window and self.folder.games(iteration).exists():
                    recent.append(self._read_games(iteration))
                    positions += sum(len(learned_plies(game)) for game in recent[-1])
            for games in reversed(recent):
                self._window.add(games)
        return self._window

    # Phases.

    def _start_games(self) -> None:
        """Collects the games that the run starts from, if any."""
        options = self.options
        if options.from_engine or options.from_random or options.from_records:
            recorded = list(recorded_games(options))
            total = len(recorded) + options.from_engine + options.from_random
            bar = Progress("start games", total)
            with open_writer(self.folder.games(0), options.game, options.rules) as writer:
                writer.append(game.encode() for game in recorded[writer.count :])
                for game in generated_games(options, writer.count - len(recorded)):
                    writer.append([game.encode()])
                    bar.update(writer.count)
                    self._check()
            bar.end()
            games = read_games(self.folder.games(0), options.game, options.rules)
            if not games:
                raise ValueError("the files of --from-records have no game with the rules of this run")
            self._log("start_games", **_statistics(games))
        self._next("pretrain")

    def _pretrain(self) -> None:
        """Makes network 0: untrained, or trained on the games that the run starts from."""
        network = create_network(self.options)
        if self.folder.games(0).exists():
            window = self._filled_window()
            steps = math.ceil(len(window) * self.options.epochs / self.options.batch)
            losses = self._train(network, steps, fall=True)
            self._log("pretrain", steps=steps, **asdict(losses))
            self._say(f"start games: policy loss {losses.policy:.3f}, value loss {losses.value:.3f}")
        self._save_network(0, network)
        self._next("evaluate")
        self.folder.learning.unlink(missing_ok=True)

    def _self_play(self) -> None:
        """Plays the games of the iteration."""
        options, state = self.options, self.state
        start = time.monotonic()
        with open_writer(self.folder.games(state.iteration), options.game, options.rules) as writer:
            moves = self._play_here(writer) if options.ray is None else self._play_on_cluster(writer)
        rate = moves / (time.monotonic() - start)
        games = self._read_games(state.iteration)
        if self._window is not None:
            self._window.add(games)
        statistics = _statistics(games)
        self._log("self_play", network=state.best, moves_per_second=round(rate, 1), **statistics)
        self._next("learn")
        self.folder.snapshot.unlink(missing_ok=True)
        self._say(
            f"iteration {state.iteration}: {statistics['games']} games by network {state.best}, "
            f"{statistics['length']:.0f} moves each, {statistics['decisive']:.0%} decisive, "
            f"{rate:.0f} moves/s"
        )

    def _play_here(self, writer: ShardWriter) -> int:
        """Plays the games in this process. Returns the number of moves."""
        options, state = self.options, self.state
        evaluate = evaluator(self._network(state.best))
        play = self._restored() or SelfPlay(options, state.iteration, state.best)
        before = play.moves
        saved = start = time.monotonic()
        bar = Progress("self-play", options.games)
        while not play.is_done:
            finished = play.finished
            games = play.step(evaluate)
            # Games that were written before the run was interrupted are played again, but not written.
            writer.append(game.encode() for game in games[max(writer.count - finished, 0) :])
            bar.update(play.finished, f"{(play.moves - before) / (time.monotonic() - start):.0f} moves/s")
            stop = self._should_stop()
            if not play.is_done and (stop or time.monotonic() - saved > SNAPSHOT_INTERVAL):
                replace(self.folder.snapshot, play.snapshot())
                self._save_time()
                saved = time.monotonic()
            if stop:
                bar.end()
                raise Stopped
        bar.end()
        return play.moves - before

    def _play_on_cluster(self, writer: ShardWriter) -> int:
        """Plays the games on a Ray cluster. Returns the number of moves."""
        from sandtable.train.cluster import play_parts

        options, state = self.options, self.state
        moves = 0
        bar = Progress("self-play", options.games)
        weights = load_arrays(self.folder.network(state.best))
        part = writer.count // options.slots
        for games in play_parts(options, state.iteration, state.best, weights, part, self._check):
            finished = part * options.slots
            part += 1
            writer.append(games[writer.count - finished :])
            moves += sum(len(SampleGame.decode(game).actions) for game in games)
            bar.update(writer.count)
        bar.end()
        return moves

    def _should_stop(self) -> bool:
        try:
            self._check()
        except Stopped:
            return True
        return False

    def _restored(self) -> SelfPlay | None:
        """The games in progress of this iteration, if there is a snapshot of them."""
        if not self.folder.snapshot.exists():
            return None
        try:
            play = SelfPlay.restore(self.folder.snapshot.read_bytes(), self.options)
        except ValueError as error:
            self._say(f"Playing the games of this iteration again: {error}.")
            return None
        return play if (play.iteration, play.version) == (self.state.iteration, self.state.best) else None

    def _learn(self) -> None:
        """Trains the network on the replay window."""
        options, iteration = self.options, self.state.iteration
        window = self._filled_window()
        network = self._learner(iteration - 1)
        new = sum(len(learned_plies(game)) for game in self._read_games(iteration))
        steps = math.ceil(new * options.reuse / options.batch)
        start = time.monotonic()
        losses = self._train(network, steps)
        rate = steps * options.batch / (time.monotonic() - start)
        self._save_network(iteration, network)
        speed = {"steps": steps, "window": len(window), "positions_per_second": round(rate, 1)}
        self._log("learn", **speed, **asdict(losses))
        self._next("gate")
        self.folder.learning.unlink(missing_ok=True)
        self._forget_optimizers(iteration)
        self._say(f"  policy loss {losses.policy:.3f}, value loss {losses.value:.3f}, {rate:.0f} positions/s")

    def _train(self, network: Network, steps: int, fall: bool = False) -> Losses:
        """Trains a network on random batches of the window. Returns the mean losses.

        With `fall`, the learning rate falls to a tenth: what the games teach is then learnt to the end.
        """
        options, window, iteration = self.options, self._filled_window(), self.state.iteration
        done, sums = self._restore_learning(network)
        saved = time.monotonic()
        bar = Progress("learning", steps)
        batches = prefetch(
            window.sample(options.batch, options.rng(Stream.LEARN, iteration, step))
            for step in range(done, steps)
        )
        for step, batch in enumerate(batches, done + 1):
            rate = options.learning_rate * (1 - 0.9 * step / steps if fall else 1)
            losses = network.train(batch, rate)
            sums += losses.policy, losses.value, losses.entropy
            bar.update(step, f"loss {losses.policy + losses.value:.3f}")
            stop = self._should_stop() and step < steps
            if stop or time.monotonic() - saved > SNAPSHOT_INTERVAL:
                self._save_learning(network, step, sums)
                self._save_time()
                saved = time.monotonic()
            if stop:
                bar.end()
                raise Stopped
        bar.end()
        if not np.isfinite(sums).all():
            raise ValueError("the loss is not finite: choose a lower --learning-rate and start another run")
        policy, value, entropy = (sums / max(steps, 1)).tolist()
        return Losses(policy, value, entropy)

    def _save_learning(self, network: Network, step: int, sums: NDArray[np.float64]) -> None:
        """Writes the network in the middle of a learning phase."""
        position = {"iteration": np.array(self.state.iteration), "step": np.array(step), "sums": sums}
        weights = {f"weights.{name}": array for name, array in network.weights().items()}
        optimizer = {f"optimizer.{name}": array for name, array in network.optimizer().items()}
        save_arrays(self.folder.learning, {**position, **weights, **optimizer})

    def _restore_learning(self, network: Network) -> tuple[int, NDArray[np.float64]]:
        """Loads the network of an interrupted learning phase.

        Returns the number of steps done and the sums of their losses.
        """
        arrays = load_arrays(self.folder.learning) if self.folder.learning.exists() else {}
        if not arrays or int(arrays.pop("iteration")) != self.state.iteration:
            return 0, np.zeros(3)
        step, sums = int(arrays.pop("step")), arrays.pop("sums").astype(np.float64)
        parts: dict[str, dict[str, NDArray[np.generic]]] = {"weights": {}, "optimizer": {}}
        for key, array in arrays.items():
            part, name = key.split(".", 1)
            parts[part][name] = array
        network.load(parts["weights"], parts["optimizer"])
        return step, sums

    def _gate(self) -> None:
        """Decides whether the new network plays from now on."""
        options, state = self.options, self.state
        new = state.iteration
        if options.gate > 0:
            tally = self._match(self._player(new), self._player(state.best), options.gate_games, 0)
            accepted = tally.score >= options.gate
            self._say(f"  network {new} against {state.best}: {tally}{', accepted' if accepted else ''}")
            self._log("gate", network=new, against=state.best, accepted=accepted, **asdict(tally))
        else:
            accepted = True
        if accepted:
            state.best = new
        if new % options.eval_every == 0:
            self._next("evaluate")
        else:
            self._next_iteration()

    def _evaluate(self) -> None:
        """Measures the network that plays, by matches with engine levels and earlier networks."""
        options, state = self.options, self.state
        if options.eval_games > 0 and state.evaluated != state.best:
            results: list[tuple[float, Tally]] = []
            for level in self._levels():
                player = LevelPlayer(level, seed=1000 * state.iteration, threads=options.threads)
                tally = self._match(self._player(state.best), player, options.eval_games, 10 + level)
                elo = sandtable.level_elo(options.game, level)
                assert elo is not None, "every game has an estimate"
                results.append((elo, tally))
                self._log("level", network=state.best, level=level, **asdict(tally))
                self._say(f"  network {state.best} against level {level}: {tally}")
            found = rating(results)
            self._say(f"  Elo {found.elo:.0f} [{found.low:.0f}, {found.high:.0f}]")
            self._log("elo", network=state.best, **asdict(found))
            for version in sorted({0, state.evaluated or 0} - {state.best}):
                tally = self._match(self._player(state.best), self._player(version), options.eval_games, 1)
                self._log("earlier", network=state.best, against=version, **asdict(tally))
                self._say(f"  network {state.best} against network {version}: {tally}")
            state.evaluated, state.elo = state.best, found.elo
        self._next_iteration()

    def _next_iteration(self) -> None:
        self.state.iteration += 1
        self._next("self_play")
        self._write_report()

    def _levels(self) -> list[int]:
        """The levels to play against: random moves, and the two that are closest to the last estimate."""
        elo = self.state.elo

        def distance(level: int) -> float:
            of_level = sandtable.level_elo(self.options.game, level)
            return abs((of_level or 0) - elo) if elo is not None else level

        return sorted({0, *sorted(LEVELS, key=distance)[:2]})

    def _player(self, version: int) -> NetworkPlayer:
        options = self.options
        return NetworkPlayer(
            evaluator(self._network(version)),
            options.match_visits,
            gumbel=options.search == "gumbel",
            threads=options.threads,
        )

    def _match(self, one: Player, other: Player, games: int, number: int) -> Tally:
        options = self.options
        rng = options.rng(Stream.MATCH, self.state.iteration, number)
        boards = openings(options.game, options.rules, games, MATCH_OPENING, rng)
        bar = Progress("match", games)

        def on_progress(done: int) -> None:
            bar.update(done)
            if done < games:
                self._check()

        tally = match(one, other, boards, options.match_plies, on_progress)
        bar.end()
        return tally


def _statistics(games: list[SampleGame]) -> dict[str, Any]:
    """What the log says about games."""
    lengths = [len(game.actions) for game in games]
    results = [game.result for game in games]
    return {
        "games": len(games),
        "positions": sum(lengths),
        "length": float(np.mean(lengths)),
        "decisive": sum(result < Result.DRAW for result in results) / len(games),
        "first_wins": results.count(Result.FIRST_WINS),
        "second_wins": results.count(Result.SECOND_WINS),
        "draws": results.count(Result.DRAW),
        "truncated": results.count(Result.TRUNCATED),
        # Without noise all games would be one game.
        "distinct": len({game.actions.tobytes() for game in games}),
        "target_entropy": _target_entropy(games),
    }


def _target_entropy(games: list[SampleGame]) -> float:
    """The mean entropy of the policy targets, in nats."""
    entropies = []
    for game in games:
        counts = game.counts[game.counts > 0].astype(np.int64)
        if len(counts):
            starts = np.cumsum(counts) - counts
            totals = np.add.reduceat(game.policy_weights.astype(np.float64), starts)
            shares = game.policy_weights / np.repeat(totals, counts)
            entropies.append(-np.add.reduceat(shares * np.log(shares), starts))
    return float(np.concatenate(entropies).mean()) if entropies else 0.0
