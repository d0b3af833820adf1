"""Measures the package against its peers, in turns, so that a busy machine disturbs both alike.

    pip install . -r python/requirements-bench.txt
    python python/benches/bench.py

Each figure is that of its best turn, the one that was disturbed least; ratios are those of the figures.
"""

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
from peers import OpenSpielLoop, canonical_board

TURNS = 12
ENVS = 1024
# A turn of OpenSpiel's goes through some whole games, as the middle of a game costs more than its end.
PLIES = 2_000


@dataclass
class Time:
    """Seconds for one piece of work, by the clock and by the processor; the best of all turns."""

    clock: float = inf
    processor: float = inf


def best_of(*works: tuple[Callable[[], object], int]) -> list[Time]:
    """The time of each of the works, each with how often it is done in a turn."""
    best = [Time() for _ in works]
    for _ in range(TURNS):
        for mine, (work, times) in zip(best, works, strict=True):
            clock, processor = time.perf_counter(), time.process_time()
            for _ in range(times):
                work()
            mine.clock = min(mine.clock, (time.perf_counter() - clock) / times)
            mine.processor = min(mine.processor, (time.process_time() - processor) / times)
    return best


def canonical() -> None:
    """`get_canonical_board()` in a middlegame."""
    fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"
    game, board = sandtable.ChessGame(fen), chess.Board(fen)
    out = np.zeros((8, 8, 18), np.float32)
    plain = test_python_chess.canonical_board
    for peer in (plain, canonical_board):
        assert np.array_equal(game.get_canonical_board(), peer(board, 1))
    found = best_of(
        (game.get_canonical_board, 2_000),
        (lambda: game.get_canonical_board(out), 2_000),
        (lambda: plain(board, 1), 50),
        (lambda: canonical_board(board, 1), 50),
    )
    ours, ours_out, by_planes, by_bits = (time.clock for time in found)
    print(f"get_canonical_board():             {ours * 1e6:7.2f} µs")
    print(f"get_canonical_board(out):          {ours_out * 1e6:7.2f} µs")
    print(f"python-chess, plane by plane:      {by_planes * 1e6:7.2f} µs, {by_planes / ours:6.1f} × ours")
    print(f"python-chess, by its bitboards:    {by_bits * 1e6:7.2f} µs, {by_bits / ours:6.1f} × ours")


def environments(threads: int) -> None:
    """Plies a second of random games, with observations and masks."""
    spiel = OpenSpielLoop(seed=1)
    works: list[tuple[Callable[[], object], int]] = []
    for name in sandtable.GAMES:
        env = sandtable.VectorEnv(name, ENVS, threads=threads, seed=1)
        actions = env.sample_actions()

        def step(env: sandtable.VectorEnv = env, actions: object = actions) -> None:
            env.step(env.sample_actions(actions))  # type: ignore[arg-type]

        # Until the games are no longer all at the same move.
        for _ in range(400):
            step()
        works.append((step, 10))
    works += [(lambda: spiel.as_documented(PLIES), 1), (lambda: spiel.into_arrays(PLIES), 1)]
    *ours, documented, arrays = best_of(*works)
    peers = {"as documented": rates(PLIES, documented), "into arrays": rates(PLIES, arrays)}
    print(f"\nPlies a second by the clock, and in brackets a second of processor time; threads={threads}:")
    for label, (clock, processor) in peers.items():
        print(f"OpenSpiel's chess, {label + ':':<15}{clock:11,.0f} ({processor:,.0f})")
    for name, spent in zip(sandtable.GAMES, ours, strict=True):
        clock, processor = rates(ENVS, spent)
        print(f"VectorEnv of {ENVS}, {name + ':':<15}{clock:12,.0f} ({processor:,.0f})")
        if name == "chess":
            for label, (peer_clock, peer_processor) in peers.items():
                ratios = f"{clock / peer_clock:.1f} ({processor / peer_processor:.1f})"
                print(f"    {ratios} × OpenSpiel {label}")


def rates(plies: int, spent: Time) -> tuple[float, float]:
    """Plies a second by the clock and by the processor."""
    return plies / spent.clock, plies / spent.processor


if __name__ == "__main__":
    canonical()
    environments(threads=1)
    environments(threads=2)
