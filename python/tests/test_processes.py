"""Memory leaks, threads and processes."""

import contextlib
import gc
import multiprocessing
import os
import pickle
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import sandtable
from conftest import COMPLETE, DEEP, played
from numpy.typing import ArrayLike, NDArray

CALLS = 1_000_000


def resident() -> int:
    """The resident memory of the process in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def raise_and_suppress(game: sandtable.Game) -> None:
    """Raises an error and suppresses it."""
    with contextlib.suppress(ValueError):
        game.apply_action(-1)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("use", "calls"),
    [
        (lambda game: game.clone, CALLS),
        (lambda game: game.observe, CALLS),
        (lambda game: game.legal_actions, CALLS // 10),
        (lambda game: game.position_text, CALLS // 10),
        (lambda game: lambda: game.clone() == game and hash(game), CALLS // 10),
        (lambda game: lambda: sandtable.encode_batch([game, game]), CALLS // 10),
        (lambda game: lambda: raise_and_suppress(game), CALLS // 10),
    ],
    ids=["clone", "observe", "legal_actions", "position_text", "equality", "encode_batch", "error"],
)
def test_calls_do_not_leak_memory(use: Callable[[sandtable.Game], Callable[[], object]], calls: int) -> None:
    call = use(played("chess", plies=20))
    for _ in range(calls // 10):
        call()
    before = resident()
    for _ in range(calls):
        call()
    # The smallest object has 16 bytes, so one leaked object per call exceeds the limit.
    assert resident() - before < 10 * calls


def test_cycles_through_a_tree_are_collected() -> None:
    class Player:
        def __init__(self) -> None:
            self.tree = sandtable.MCTS(sandtable.make("chess"), self.evaluate)

        def evaluate(self, observations: object, masks: NDArray[np.bool_]) -> tuple[ArrayLike, ArrayLike]:
            return masks, np.zeros(len(masks))

    player = Player()
    player.tree.search(10)
    alive = weakref.ref(player)
    del player
    gc.collect()
    assert alive() is None


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_steps_do_not_leak_memory() -> None:
    env = sandtable.VectorEnv("chess", 16, threads=2, max_plies=50)
    actions = env.sample_actions()
    for _ in range(1_000):
        env.step(env.sample_actions(actions))
    before = resident()
    for _ in range(2_000):
        env.step(env.sample_actions(actions))
    assert resident() - before < 2_000_000


def test_threads_play_independent_games() -> None:
    expected = [played("cotulenh", seed=seed, plies=60) for seed in range(4)]
    found: dict[int, sandtable.Game] = {}
    threads = [
        threading.Thread(target=lambda seed=seed: found.update({seed: played("cotulenh", seed, 60)}))
        for seed in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in range(4)] == expected


@pytest.mark.parametrize(
    "call",
    [
        lambda: sandtable.search(sandtable.make("chess"), time=0.5),
        lambda: sandtable.make("chess").perft(6 if DEEP else 5),
    ],
    ids=["search", "perft"],
)
def test_long_calls_release_the_interpreter_lock(call: Callable[[], object]) -> None:
    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    call()
    during = ticks - before
    over.set()
    thread.join()
    assert during > 5, "with the lock held there would be at most one tick"


def test_game_is_playable_during_a_search() -> None:
    game = sandtable.make("chess")
    thread = threading.Thread(target=sandtable.search, args=(game,), kwargs={"time": 0.3})
    thread.start()
    time.sleep(0.05)
    game.play("e4")
    thread.join()
    assert game.sans_played() == ["e4"]


def test_every_value_can_be_pickled() -> None:
    game = sandtable.make("cotulenh")
    result = sandtable.search(game, nodes=300, lines=2)
    tree = sandtable.MCTS(game, lambda observations, masks: (masks, np.zeros(len(masks))))
    tree.search(5)
    game.resign(0)
    values = [
        result,
        *result.lines,
        *tree.root(),
        game.outcome(),
        sandtable.DrawOffer("open", 0),
        *sandtable.CoTuLenhGame().stacks().values(),
        sandtable.CoTuLenhGame().stack_at("g1").carrier,  # type: ignore[union-attr]
        *sandtable.TribunGame().units().values(),
        sandtable.Move("e7e8q"),
        sandtable.Square("e6"),
        sandtable.Tile("f6"),
    ]
    assert pickle.loads(pickle.dumps(values)) == values
    assert len({type(value) for value in values}) == 11


def next_move(game: sandtable.Game) -> tuple[sandtable.Game, int, float]:
    """The work of a process: plays a move and steps an environment."""
    game.apply_action(game.legal_actions()[0])
    env = sandtable.VectorEnv(game.name, 4, threads=2, seed=1)
    env.step(env.sample_actions())
    return game, os.getpid(), float(env.observations.sum())


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_games_can_be_sent_to_other_processes(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"start method {method} is not available")
    games = [played(name, plies=15) for name in COMPLETE]
    expected = [next_move(pickle.loads(pickle.dumps(game))) for game in games]
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = pool.map(next_move, games)
    for (game, process, total), (wanted, own_process, own_total) in zip(results, expected, strict=True):
        assert game == wanted and game.sans_played() == wanted.sans_played()
        assert process != own_process and total == own_total


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_environments_work_in_a_forked_process() -> None:
    env = sandtable.VectorEnv("chess", 8, threads=2, seed=2)
    env.step(env.sample_actions())
    actions = env.sample_actions()
    trees = sandtable.BatchMCTS("chess", 8, threads=2)
    trees.search(lambda batch: (np.ones(len(batch.actions)), np.zeros(len(batch))), 4)
    child = os.fork()
    if child == 0:
        env.step(actions)
        trees.search(lambda batch: (np.ones(len(batch.actions)), np.zeros(len(batch))), 4)
        result = sandtable.search(env.game(0), nodes=500, threads=2)
        searched = trees.roots().visits.sum() == 64
        os._exit(0 if env.game(0).ply == 2 and result.action is not None and searched else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    env.step(actions)
    assert np.all(env.players == 0)
