"""Memory: `out` allocates nothing, a new array is allocated once, and nothing is copied twice.

`tracemalloc` sees every array and every Python object. Allocations inside the crates are counted by the Rust
test `no_alloc.rs`.
"""

import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
import sandtable
from conftest import played


@pytest.fixture(autouse=True)
def tracing() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def peak(call: Callable[[], object]) -> int:
    """The peak of bytes allocated during a hundred calls."""
    call()
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(100):
        call()
    return tracemalloc.get_traced_memory()[1] - before


#: More than the loop of `peak` allocates, and less than the smallest array.
OVERHEAD = 500


def test_out_allocates_nothing(name: str) -> None:
    game = played(name)
    board, mask = game.observe(), game.legal_actions_mask()
    assert peak(lambda: game.observe(board)) < OVERHEAD
    assert peak(lambda: game.legal_actions_mask(mask)) < OVERHEAD
    assert game.observe(board) is board and game.legal_actions_mask(mask) is mask
    games = [game] * 64
    batch = sandtable.encode_batch(games)
    assert peak(lambda: sandtable.encode_batch(games, batch)) < OVERHEAD


def test_new_observations_are_allocated_once(name: str) -> None:
    game = played(name)
    board = game.observe()
    assert board.flags.owndata and board.nbytes <= peak(game.observe) < board.nbytes + OVERHEAD


def test_steps_allocate_no_arrays(name: str) -> None:
    env = sandtable.VectorEnv(name, 16, seed=1)
    actions = env.sample_actions()
    arrays = env.step(actions)
    env.sample_actions(actions)

    def step() -> None:
        for again, array in zip(env.step(env.sample_actions(actions)), arrays, strict=True):
            assert again is array

    # Only the result tuple is allocated.
    assert peak(step) < OVERHEAD < env.observations[0].nbytes


PEAK_MEMORY = """
import resource
import numpy as np
import sandtable

def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

games = [sandtable.make("cotulenh")] * 2000
out = np.ones((2000, *games[0].observation_shape), np.float32)
sandtable.encode_batch(games[:10], out[:10])
before = peak()
sandtable.encode_batch(games, out)
print(out.nbytes, peak() - before)

env = sandtable.VectorEnv("cotulenh", 500, max_plies=30)
for _ in range(40):  # until every game has ended once
    env.step(env.sample_actions())
before = peak()
for _ in range(40):
    env.step(env.sample_actions())
print(env.observations.nbytes, peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads ru_maxrss in the unit of Linux")
def test_observations_are_written_without_a_second_copy() -> None:
    # A hidden copy would raise the peak memory of the process by the size of the array.
    run = subprocess.run([sys.executable, "-c", PEAK_MEMORY], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    for line in run.stdout.splitlines():
        array, growth = map(int, line.split())
        assert growth < array / 4, line
    assert len(run.stdout.splitlines()) == 2
