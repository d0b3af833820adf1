"""Where memory is taken: not at all with `out`, once without, and never for a second copy.

`tracemalloc` hears of every array and every Python object. What the crates take for themselves is counted in
Rust: `no_alloc.rs`.
"""

import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
import sandtable
from conftest import played


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def peak(work: Callable[[], object]) -> int:
    """How many bytes at most were taken at any time while it worked a hundred times over."""
    work()
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(100):
        work()
    return tracemalloc.get_traced_memory()[1] - before


#: The loop of `peak` itself, and the whole numbers it counts with.
LOOP = 500


def test_out_takes_no_memory(name: str) -> None:
    game = played(name)
    board, mask = game.observation(), game.legal_actions_mask()
    assert peak(lambda: game.observation(board)) < LOOP
    assert peak(lambda: game.legal_actions_mask(mask)) < LOOP
    assert game.observation(board) is board and game.legal_actions_mask(mask) is mask
    games = [game] * 64
    batch = sandtable.encode_batch(games)
    assert peak(lambda: sandtable.encode_batch(games, batch)) < LOOP


def test_a_new_observation_is_taken_once(name: str) -> None:
    game = played(name)
    board = game.observation()
    assert board.flags.owndata and board.nbytes <= peak(game.observation) < board.nbytes + LOOP


def test_a_step_takes_no_arrays(name: str) -> None:
    env = sandtable.VectorEnv(name, 16, seed=1)
    actions = env.sample_actions()
    arrays = env.step(actions)
    env.sample_actions(actions)

    def step() -> None:
        for again, array in zip(env.step(env.sample_actions(actions)), arrays, strict=True):
            assert again is array

    # Less than the smallest of the observations: what is taken is the tuple of the answer.
    assert peak(step) < LOOP < env.observations[0].nbytes


SECOND_COPY = """
import resource
import numpy as np
import sandtable

def most() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

games = [sandtable.make("cotulenh")] * 2000
out = np.ones((2000, *games[0].observation_shape), np.float32)
sandtable.encode_batch(games[:10], out[:10])
before = most()
sandtable.encode_batch(games, out)
print(out.nbytes, most() - before)

env = sandtable.VectorEnv("cotulenh", 500, max_plies=30)
for _ in range(40):  # so that every game has ended once
    env.step(env.sample_actions())
before = most()
for _ in range(40):
    env.step(env.sample_actions())
print(env.observations.nbytes, most() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted as Linux does")
def test_nothing_is_copied_twice() -> None:
    # The most memory that the process ever had does not grow by another copy, wherever it would be kept.
    run = subprocess.run([sys.executable, "-c", SECOND_COPY], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    for line in run.stdout.splitlines():
        array, growth = map(int, line.split())
        assert growth < array / 4, line
    assert len(run.stdout.splitlines()) == 2
