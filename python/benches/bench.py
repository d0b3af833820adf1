"""Benchmarks the package against python-chess and OpenSpiel.

    pip install . -r python/requirements-bench.txt
    python python/benches/bench.py

The contestants alternate for several rounds, so that load on the machine affects all of them. Each figure is
the best round.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path

import chess
import numpy as np
import sandtable

sys.path.append(str(Path(__file__).parents[1] / "tests"))
import test_python_chess
from peers import OpenSpielLoop, OpenSpielTree, canonical_board

ROUNDS = 12
ENVS = 1024
# A round of OpenSpiel covers several whole games, because middlegames cost more than endgames.
PLIES = 2_000
TREES = 64
VISITS = 32

MEMORY_STEPS = 600
MEMORY_SCRIPT = """
import os, sandtable
def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
sandtable.VectorEnv("{name}", 1)
before = resident()
env = sandtable.VectorEnv("{name}", {envs}, seed=1, masks=False)
for _ in range({steps}):
    env.step(env.sample_actions())
print(resident() - before)
"""


@dataclass
class Time:
    """Seconds per call, wall-clock and processor time."""

    wall: float = inf
    cpu: float = inf


def best_of(*contestants: tuple[Callable[[], object], int]) -> list[Time]:
    """The best times of functions, each with its number of calls per round."""
    best = [Time() for _ in contestants]
    for _ in range(ROUNDS):
        for record, (call, calls) in zip(best, contestants, strict=True):
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(calls):
                call()
            record.wall = min(record.wall, (time.perf_counter() - wall) / calls)
            record.cpu = min(record.cpu, (time.process_time() - cpu) / calls)
    return best


def canonical() -> None:
    """`get_canonical_board()` in a middlegame."""
    fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"
    game, board = sandtable.ChessGame(fen), chess.Board(fen)
    out = np.zeros((8, 8, 18), np.float32)
    by_plane = test_python_chess.canonical_board
    for peer in (by_plane, canonical_board):
        assert np.array_equal(game.get_canonical_board(), peer(board, 1))
    times = best_of(
        (game.get_canonical_board, 2_000),
        (lambda: game.get_canonical_board(out), 2_000),
        (lambda: by_plane(board, 1), 50),
        (lambda: canonical_board(board, 1), 50),
    )
    ours, ours_out, planes, bitboards = (time.wall for time in times)
    print(f"get_canonical_board():             {ours * 1e6:7.2f} µs")
    print(f"get_canonical_board(out):          {ours_out * 1e6:7.2f} µs")
    print(f"python-chess, plane by plane:      {planes * 1e6:7.2f} µs, {planes / ours:6.1f} × ours")
    print(f"python-chess, from bitboards:      {bitboards * 1e6:7.2f} µs, {bitboards / ours:6.1f} × ours")


def environments(threads: int) -> None:
    """Plies per second of random games, with observations and masks or lists of legal actions."""
    spiel = OpenSpielLoop(seed=1)
    contestants: list[tuple[Callable[[], object], int]] = []
    names = {"chess": "chess", **{f"{name}, lists": name for name in sandtable.GAMES}}
    for label, name in names.items():
        env = sandtable.VectorEnv(name, ENVS, threads=threads, seed=1, masks=label == name)
        actions = env.sample_actions()

        def step(env: sandtable.VectorEnv = env, actions: object = actions) -> None:
            env.step(env.sample_actions(actions))  # type: ignore[arg-type]

        # Warm up until the games are out of step.
        for _ in range(400):
            step()
        contestants.append((step, 10))
    contestants += [(lambda: spiel.as_documented(PLIES), 1), (lambda: spiel.into_arrays(PLIES), 1)]
    *ours, documented, arrays = best_of(*contestants)
    peers = {"as documented": rates(PLIES, documented), "into arrays": rates(PLIES, arrays)}
    print(f"\nPlies per second of wall-clock time (of processor time); threads={threads}:")
    for label, (wall, cpu) in peers.items():
        print(f"OpenSpiel's chess, {label + ':':<15}{wall:11,.0f} ({cpu:,.0f})")
    for label, spent in zip(names, ours, strict=True):
        wall, cpu = rates(ENVS, spent)
        print(f"VectorEnv of {ENVS}, {label + ':':<17}{wall:12,.0f} ({cpu:,.0f})")
        if label == "chess":
            for peer, (peer_wall, peer_cpu) in peers.items():
                ratios = f"{wall / peer_wall:.1f} ({cpu / peer_cpu:.1f})"
                print(f"    {ratios} × OpenSpiel {peer}")


def memory() -> None:
    """The resident memory that environments with lists of legal actions add to a process."""
    print(f"\nMemory of {ENVS} environments after {MEMORY_STEPS} steps, arrays included:")
    for name in sandtable.GAMES:
        script = MEMORY_SCRIPT.format(name=name, envs=ENVS, steps=MEMORY_STEPS)
        used = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
        print(f"{name + ':':<10}{int(used.stdout) / 1e6:6.1f} MB")


def trees() -> None:
    """Visits per second of tree searches from the start of chess, and plies per second of self-play."""
    trees = sandtable.BatchMCTS("chess", TREES)

    def search() -> None:
        trees.reset()
        trees.search(uniform, VISITS)

    spiel = OpenSpielTree(VISITS)
    ours, theirs = best_of((search, 10), (spiel.search, 1))
    wall, cpu = rates(TREES * VISITS, ours)
    peer_wall, peer_cpu = rates(VISITS, theirs)
    print(f"\nVisits per second of wall-clock time (of processor time), {VISITS} visits from the start:")
    print(f"OpenSpiel's MCTSBot:       {peer_wall:12,.0f} ({peer_cpu:,.0f})")
    print(f"BatchMCTS of {TREES}:           {wall:12,.0f} ({cpu:,.0f})")
    print(f"    {wall / peer_wall:.1f} ({cpu / peer_cpu:.1f}) × OpenSpiel")
    print(
        f"\nPlies per second of self-play, {TREES} games, {VISITS} visits, without the time of the evaluator:"
    )
    for name in sandtable.GAMES:
        for threads in (1, 2):
            print(
                f"BatchMCTS, {name + ', threads=' + str(threads) + ':':<25}{self_play(name, threads):10,.0f}"
            )


def uniform(batch: sandtable.LeafBatch) -> tuple[np.ndarray, np.ndarray]:
    """Equal priors and a value of 0."""
    return np.ones(len(batch.actions), np.float32), np.zeros(len(batch), np.float32)


def self_play(name: str, threads: int, moves: int = 40) -> float:
    """Plies per second of self-play, without the time of the evaluator."""
    trees = sandtable.BatchMCTS(name, TREES, seed=1, threads=threads)
    weights = np.sin(np.arange(np.prod(sandtable.make(name).observation_shape), dtype=np.float32))
    inside = 0.0

    def evaluator(batch: sandtable.LeafBatch) -> tuple[np.ndarray, np.ndarray]:
        nonlocal inside
        start = time.perf_counter()
        values = np.tanh(0.1 * batch.observations.reshape(len(batch), -1) @ weights)
        logits = np.sin(batch.actions.astype(np.float32))
        inside += time.perf_counter() - start
        return logits, values

    best = inf
    for _ in range(3):
        inside, start = 0.0, time.perf_counter()
        for _ in range(moves // 3):
            trees.search(evaluator, VISITS, logits=True)
            trees.roots()
            trees.advance(trees.choose(temperature=1.0))
            trees.reset(trees.over | trees.truncated)
        best = min(best, time.perf_counter() - start - inside)
    return TREES * (moves // 3) / best


def rates(plies: int, spent: Time) -> tuple[float, float]:
    """Plies per second of wall-clock and of processor time."""
    return plies / spent.wall, plies / spent.cpu


if __name__ == "__main__":
    canonical()
    environments(threads=1)
    environments(threads=2)
    memory()
    trees()
