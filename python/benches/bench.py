"""Measures the package against its peers, in turns, so that a busy machine disturbs both alike.

    pip install . -r python/requirements-bench.txt
    python python/benches/bench.py

Each figure is that of its best turn, the one that was disturbed least; ratios are those of the figures.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import sandtable

sys.path.append(str(Path(__file__).parents[1] / "tests"))
import test_python_chess
from peers import OpenSpielLoop, canonical_board

TURNS = 40
ENVS = 1024


def best_of(*works: tuple[Callable[[], object], int]) -> list[float]:
    """Seconds for each of the works, each with how often it is done in a turn; best of all turns."""
    best = [float("inf")] * len(works)
    for _ in range(TURNS):
        for number, (work, times) in enumerate(works):
            begin = time.perf_counter()
            for _ in range(times):
                work()
            best[number] = min(best[number], (time.perf_counter() - begin) / times)
    return best


def canonical() -> None:
    """`get_canonical_board()` in a middlegame."""
    fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"
    game, board = sandtable.ChessGame(fen), chess.Board(fen)
    out = np.zeros((8, 8, 18), np.float32)
    plain = test_python_chess.canonical_board
    for peer in (plain, canonical_board):
        assert np.array_equal(game.get_canonical_board(), peer(board, 1))
    ours, ours_out, by_planes, by_bits = best_of(
        (game.get_canonical_board, 2_000),
        (lambda: game.get_canonical_board(out), 2_000),
        (lambda: plain(board, 1), 50),
        (lambda: canonical_board(board, 1), 50),
    )
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

        # Into the games, and out of the opening.
        for _ in range(20):
            step()
        works.append((step, 4))
    works += [(lambda: spiel.as_documented(100), 1), (lambda: spiel.into_arrays(500), 1)]
    seconds = best_of(*works)
    rates = [ENVS / time for time in seconds[: len(sandtable.GAMES)]]
    documented, arrays = 100 / seconds[-2], 500 / seconds[-1]
    print(f"OpenSpiel's chess, as documented:  {documented:9,.0f} plies a second")
    print(f"OpenSpiel's chess, into arrays:    {arrays:9,.0f} plies a second")
    for name, rate in zip(sandtable.GAMES, rates, strict=True):
        label = f'VectorEnv("{name}", {ENVS}, threads={threads}):'
        ratios = (
            f"; {rate / documented:5.1f} × and {rate / arrays:5.1f} × OpenSpiel" if name == "chess" else ""
        )
        print(f"{label:<44}{rate:9,.0f} plies a second{ratios}")


if __name__ == "__main__":
    canonical()
    environments(threads=1)
    environments(threads=2)
