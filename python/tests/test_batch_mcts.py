"""Search trees of many games at once."""

import asyncio
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sandtable
from conftest import played
from numpy.typing import NDArray
from sandtable import BatchMCTS, ChessGame, LeafBatch

MATE_IN_TWO = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"

Output = tuple[NDArray[np.float32], NDArray[np.float32]]


def uniform(batch: LeafBatch) -> Output:
    return np.ones(len(batch.actions), np.float32), np.zeros(len(batch), np.float32)


def network(batch: LeafBatch) -> Output:
    """Logits and values that depend on actions and observations, as those of a network do."""
    observations = batch.observations.reshape(len(batch), -1)
    weights = np.sin(np.arange(observations.shape[1], dtype=np.float32))
    return np.sin(batch.actions.astype(np.float32)), np.tanh(0.1 * observations @ weights)


def play(trees: BatchMCTS, moves: int, visits: int = 12) -> list[list[int]]:
    """Plays moves in all games and returns the actions."""
    actions = []
    for _ in range(moves):
        trees.search(network, visits, logits=True)
        chosen = trees.choose(temperature=1.0)
        trees.advance(chosen)
        trees.reset(trees.over | trees.truncated)
        actions.append(chosen.tolist())
    return actions


def test_leaves_are_positions_with_their_legal_actions(name: str) -> None:
    trees = BatchMCTS(name, 5, seed=3, leaves=4, opening_plies=6)
    games = [trees.game(i) for i in range(5)]
    assert [game.ply for game in games] == [6] * 5 == trees.plies.tolist()
    trees.begin(20)
    batch = trees.select()
    assert batch is not None and len(batch) == 5 and batch.trees.tolist() == [0, 1, 2, 3, 4]
    assert batch.observations.dtype == np.float32 and batch.actions.dtype == np.int32
    assert batch.offsets.dtype == np.int64 and batch.trees.dtype == np.int32
    for i, game in enumerate(games):
        np.testing.assert_array_equal(batch.observations[i], game.observe())
        assert sorted(batch.actions[batch.offsets[i] : batch.offsets[i + 1]]) == game.legal_actions()
    assert batch.offsets[-1] == len(batch.actions)
    trees.expand(*uniform(batch))
    batch = trees.select()
    assert batch is not None and len(batch) == 20 and np.bincount(batch.trees).tolist() == [4] * 5
    assert len(batch.offsets) == 21 and batch.observations.flags.c_contiguous
    children = [game.clone() for game in games for _ in game.legal_actions()]
    for child, action in zip(children, [a for g in games for a in g.legal_actions()], strict=True):
        child.apply_action(action)
    known = {child.observe().tobytes() for child in children}
    assert all(observation.tobytes() in known for observation in batch.observations)


def test_roots_are_sparse_and_add_up(name: str) -> None:
    trees = BatchMCTS(name, 3, seed=1)
    assert len(trees.roots()) == 3 and trees.roots().offsets.tolist() == [0, 0, 0, 0]
    trees.search(network, [10, 0, 30], logits=True)
    roots = trees.roots()
    assert np.add.reduceat(roots.visits, [0, roots.offsets[2]]).tolist() == [10, 30]
    assert roots.offsets[1] == roots.offsets[2], "a tree without visits is not evaluated"
    for i in (0, 2):
        entries = slice(roots.offsets[i], roots.offsets[i + 1])
        assert sorted(roots.actions[entries]) == trees.game(i).legal_actions()
        assert abs(roots.priors[entries].sum() - 1) < 1e-4
        np.testing.assert_allclose(
            roots.policy[entries], roots.visits[entries] / roots.visits[entries].sum(), atol=1e-6
        )
    assert trees.root_values.shape == (3,) and abs(trees.root_values).max() < 1


@pytest.mark.parametrize("gumbel", [False, True])
def test_the_same_seed_plays_the_same_games_on_any_number_of_threads(name: str, gumbel: bool) -> None:
    def games(seed: int, threads: int) -> list[list[int]]:
        return play(BatchMCTS(name, 6, seed=seed, threads=threads, leaves=2, gumbel=gumbel), 4)

    assert games(1, 1) == games(1, 2) == games(1, 3) != games(2, 1)


@pytest.mark.parametrize("gumbel", [False, True])
def test_a_resumed_run_plays_the_same_games(name: str, gumbel: bool) -> None:
    trees = BatchMCTS(name, 4, seed=5, gumbel=gumbel, opening_plies=2, max_plies=9)
    play(trees, 5)
    # In the middle of a search, too.
    trees.begin(12)
    for _ in range(4):
        batch = trees.select()
        assert batch is not None
        trees.expand(*network(batch), logits=True)
    resumed = pickle.loads(pickle.dumps(trees))
    for run in (trees, resumed):
        while (batch := run.select()) is not None:
            run.expand(*network(batch), logits=True)
        run.advance(run.choose(1.0))
    assert play(trees, 8) == play(resumed, 8)
    assert [trees.game(i) for i in range(4)] == [resumed.game(i) for i in range(4)]


def test_subtrees_are_kept() -> None:
    trees = BatchMCTS("chess", 2, seed=1)
    trees.search(network, 100, logits=True, noise=False)
    actions = trees.choose()
    roots = trees.roots()
    best = [roots.visits[roots.offsets[i] : roots.offsets[i + 1]].max() for i in range(2)]
    trees.advance([actions[0], -1])
    assert trees.plies.tolist() == [1, 0] and trees.players.tolist() == [1, 0]
    roots = trees.roots()
    assert roots.visits[: roots.offsets[1]].sum() == best[0] - 1
    assert roots.visits[roots.offsets[1] :].sum() == 100
    evaluations = 0

    def count(batch: LeafBatch) -> Output:
        nonlocal evaluations
        evaluations += len(batch)
        return uniform(batch)

    trees.search(count, [10, 0])
    assert evaluations == 10, "the root has been evaluated"


def test_visits_and_noise_can_differ_between_trees() -> None:
    trees = BatchMCTS("tribun", 4, seed=1)
    trees.search(uniform, np.array([4, 20, 4, 20]), noise=np.array([False, True, False, True]))
    roots = trees.roots()
    for i, (visits, noise) in enumerate([(4, False), (20, True), (4, False), (20, True)]):
        entries = slice(roots.offsets[i], roots.offsets[i + 1])
        assert roots.visits[entries].sum() == visits
        assert (np.ptp(roots.priors[entries]) > 1e-3) == noise


def test_a_forced_mate_is_played() -> None:
    trees = BatchMCTS("chess", 3, seed=1)
    for index, fen in enumerate([MATE_IN_TWO, BACK_RANK]):
        trees.set_game(index, ChessGame(fen))
    for _ in range(3):
        trees.search(uniform, [3_000, 3_000, 1])
        if trees.plies[1] == 0:
            assert trees.root_values[1] == 1.0
        trees.advance(trees.choose(temperature=1.0))
    assert trees.over.tolist() == [True, True, False] and trees.plies.tolist() == [3, 1, 3]
    assert trees.returns().tolist() == [[1.0, -1.0], [1.0, -1.0], [0.0, 0.0]]
    assert trees.choose().tolist()[:2] == [-1, -1] and trees.root_values[0] == -1.0
    with pytest.raises(ValueError, match="the game of tree 1 is over: use -1, or reset the tree"):
        trees.advance([-1, 0, -1])
    trees.reset(trees.over)
    assert trees.plies.tolist() == [0, 0, 3] and trees.game(0) == ChessGame()


def test_games_are_truncated() -> None:
    trees = BatchMCTS("cotulenh", 2, max_plies=3)
    for _ in range(3):
        trees.search(uniform, 4)
        trees.advance(trees.choose())
    assert trees.truncated.tolist() == [True, True] and not trees.over.any()
    trees.search(uniform, 4)
    assert trees.choose().tolist() == [-1, -1] and trees.returns().tolist() == [[0, 0], [0, 0]]


def test_evaluations_can_come_from_an_event_loop() -> None:
    async def evaluate(batch: LeafBatch) -> Output:
        await asyncio.sleep(0)
        return uniform(batch)

    async def search(trees: BatchMCTS) -> None:
        trees.begin(8)
        while (batch := trees.select()) is not None:
            trees.expand(*await evaluate(batch))

    async def main() -> list[BatchMCTS]:
        groups = [BatchMCTS("chess", 2, seed=seed) for seed in range(3)]
        await asyncio.gather(*map(search, groups))
        return groups

    assert all(trees.roots().visits.sum() == 16 for trees in asyncio.run(main()))


def test_lists_columns_and_rounding_errors_are_accepted() -> None:
    outputs: list[Callable[[LeafBatch], Any]] = [
        lambda batch: ([1.0] * len(batch.actions), [0.0] * len(batch)),
        lambda batch: (np.ones(len(batch.actions), np.float64), np.zeros((len(batch), 1))),
        lambda batch: (np.zeros(len(batch.actions)), np.full(len(batch), 1.0005)),
        lambda batch: (np.ones((len(batch.actions), 1)), np.full(len(batch), -1.0005)),
    ]
    for output in outputs:
        trees = BatchMCTS("chess", 2)
        trees.search(output, 5)
        assert trees.roots().visits.sum() == 10 and abs(trees.roots().values).max() <= 1


INVALID: list[tuple[Callable[[LeafBatch], object], type[Exception], str]] = [
    (lambda b: (np.ones(3), np.zeros(len(b))), ValueError, r"priors must have shape \(60,\), not \(3,\)"),
    (lambda b: (np.ones(60), np.zeros(7)), ValueError, r"values must have shape \(3,\), not \(7,\)"),
    (
        lambda b: (np.full(60, np.nan), np.zeros(3)),
        ValueError,
        "priors must be finite and at least 0, not NaN",
    ),
    (lambda b: (np.full(60, -1.0), np.zeros(3)), ValueError, r"not -1 \(for action \d+ of leaf 0\)"),
    (lambda b: (np.ones(60), np.array([0, 0, np.nan])), ValueError, r"not NaN \(of leaf 2\)"),
    (lambda b: (np.ones(60), np.array([0, 1.01, 0])), ValueError, r"-1 to 1, not 1.01 \(of leaf 1\)"),
    (lambda b: np.ones(60), TypeError, "must return a tuple of two arrays"),
    (lambda b: None, TypeError, "must return a tuple of two arrays"),
]


@pytest.mark.parametrize(("output", "error", "message"), INVALID)
def test_rejects_invalid_evaluations(
    output: Callable[[LeafBatch], Any], error: type[Exception], message: str
) -> None:
    trees = BatchMCTS("chess", 3)
    with pytest.raises(error, match=message):
        trees.search(output, 10)
    trees.search(uniform, 10)
    assert trees.roots().visits.sum() == 30


def test_an_evaluator_that_raises_leaves_the_results_so_far() -> None:
    calls = 0

    def evaluator(batch: LeafBatch) -> Output:
        nonlocal calls
        calls += 1
        if calls == 7:
            raise ZeroDivisionError("broken")
        return network(batch)

    trees = BatchMCTS("chess", 2, seed=1, leaves=2)
    with pytest.raises(ZeroDivisionError, match="broken"):
        trees.search(evaluator, 100, logits=True)
    assert trees.roots().visits.sum() == 5 * 4, "the root, five batches of four"
    assert trees.select() is None
    trees.search(network, 10, logits=True)
    assert trees.roots().visits.sum() == 40


def test_rejects_calls_out_of_order() -> None:
    trees = BatchMCTS("chess", 2)
    with pytest.raises(RuntimeError, match="there is no batch to expand: call select first"):
        trees.expand([], [])
    with pytest.raises(ValueError, match="tree 0 has not been searched"):
        trees.choose()
    trees.begin(4)
    batch = trees.select()
    assert batch is not None
    for call in (
        trees.select,
        trees.reset,
        lambda: trees.begin(3),
        lambda: trees.advance([-1, -1]),
        lambda: trees.set_game(0, ChessGame()),
        lambda: pickle.dumps(trees),
    ):
        with pytest.raises(
            RuntimeError, match="the selected batch is not expanded yet: call expand or cancel"
        ):
            call()
    with pytest.raises(ValueError, match="shape"):
        trees.expand([1.0], [0.0])
    trees.expand(*uniform(batch))
    assert trees.select() is not None
    trees.cancel()
    while (batch := trees.select()) is not None:
        trees.expand(*uniform(batch))
    assert trees.roots().visits.sum() == 8


def test_illegal_actions_change_no_game() -> None:
    trees = BatchMCTS("chess", 2)
    trees.search(uniform, 3)
    legal = trees.choose()
    for action in (0, -2, 2**40):
        with pytest.raises(ValueError, match=rf"action {action} is not legal in the game of tree 1"):
            trees.advance([legal[0], action])
    with pytest.raises(ValueError, match=r"actions must have shape \(2,\): one per tree"):
        trees.advance(legal[:1])
    with pytest.raises(TypeError, match="actions must be integers, not float64"):
        trees.advance([0.5, 0.5])
    assert trees.plies.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("leaves", 0, "leaves must be 1 to 65536, not 0"),
        ("threads", 0, "threads must be 1 to 256, not 0"),
        ("exploration", float("nan"), "exploration must be at least 0, not NaN"),
        ("fpu_reduction", -1.0, "fpu_reduction must be at least 0, not -1"),
        ("root_fpu_reduction", float("inf"), "root_fpu_reduction must be at least 0, not inf"),
        ("noise_alpha", 0.0, "noise_alpha must be more than 0, not 0"),
        ("noise_fraction", 1.5, "noise_fraction must be 0 to 1, not 1.5"),
        ("gumbel_moves", 0, "gumbel_moves must be 1 to 1048576, not 0"),
        ("max_nodes", 0, "max_nodes must be 1 to 2147483648, not 0"),
        ("max_plies", 0, "max_plies must be at least 1, not 0"),
        ("opening_plies", 17_850, r"opening_plies must be less than max_plies \(17850\), not 17850"),
        ("seed", -1, "seed must be 0 to 18446744073709551615, not -1"),
        ("rules", "x", "unknown rules `x`"),
    ],
)
def test_rejects_invalid_settings(setting: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BatchMCTS("chess", 2, **{setting: value})  # type: ignore[arg-type]


def test_rejects_invalid_arguments() -> None:
    with pytest.raises(ValueError, match="unknown game `go`"):
        BatchMCTS("go", 2)
    with pytest.raises(ValueError, match="count must be 1 to 1048576, not 0"):
        BatchMCTS("chess", 0)
    trees = BatchMCTS("chess", 2)
    with pytest.raises(ValueError, match=f"visits must be 0 to 2147483647, not {10**30}"):
        trees.search(uniform, 10**30)
    with pytest.raises(ValueError, match="visits must be 0 to 2147483647, not -1"):
        trees.begin([3, -1])
    with pytest.raises(ValueError, match=r"visits must be one number or have shape \(2,\), not shape \(3,\)"):
        trees.begin([3, 3, 3])
    with pytest.raises(TypeError, match="visits must be integers, not float64"):
        trees.begin([3.5, 1.0])
    with pytest.raises(TypeError, match="noise must be bool, not int64"):
        trees.begin(3, noise=[1, 0])
    with pytest.raises(TypeError, match="evaluator must be callable with a LeafBatch"):
        trees.search(None, 3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="temperature must be at least 0, not -1"):
        trees.choose([0.0, -1.0])
    with pytest.raises(IndexError, match="unknown tree 2: expected 0 to 1"):
        trees.game(2)
    with pytest.raises(TypeError, match="expected a game of chess, not of tribun"):
        trees.set_game(0, sandtable.make("tribun"))
    with pytest.raises(TypeError, match="mask must be bool"):
        trees.reset([0, 1])


def test_another_thread_gets_a_clear_error() -> None:
    trees = BatchMCTS("chess", 256, leaves=4)
    errors: list[str] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            try:
                trees.roots()
            except RuntimeError as error:
                errors.append(str(error))

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for _ in range(20):
            try:
                trees.search(uniform, 64)
            except RuntimeError as error:
                errors.append(str(error))
            if errors:
                break
    finally:
        over.set()
        thread.join()
    assert errors and all("this BatchMCTS is in use, by another thread" in error for error in errors)


def test_ctrl_c_stops_a_search() -> None:
    trees = BatchMCTS("chess", 8)
    calls = 0

    def interrupted(batch: LeafBatch) -> Output:
        nonlocal calls
        calls += 1
        if calls == 5:
            signal.raise_signal(signal.SIGINT)
        return uniform(batch)

    with pytest.raises(KeyboardInterrupt):
        trees.search(interrupted, 10**6)
    before = int(trees.roots().visits.sum())
    trees.search(uniform, 4)
    assert before > 0 and int(trees.roots().visits.sum()) == before + 32


def test_arrays_of_a_batch_cannot_be_resized() -> None:
    # Its holder could shrink an array that owns its memory: the next batch would be written beyond its end.
    trees = BatchMCTS("chess", 4)
    trees.begin(20)
    batch = trees.select()
    assert batch is not None
    for array in (batch.observations, batch.actions, batch.offsets, batch.trees):
        with pytest.raises(ValueError, match="cannot resize"):
            array.resize(1)
    for array in (batch.observations, batch.actions, batch.offsets, batch.trees):
        assert isinstance(array.base, np.ndarray)
        array.base.dtype = np.uint8  # type: ignore[assignment, misc]
    with pytest.raises((ValueError, TypeError)):
        trees.expand(*uniform(batch))
        trees.select()


def test_memory_of_batches_is_reused() -> None:
    trees = BatchMCTS("cotulenh", 8)
    trees.begin(20)
    addresses = set()
    while (batch := trees.select()) is not None:
        addresses.add(batch.observations.ctypes.data)
        trees.expand(*uniform(batch))
    assert len(addresses) == 1


def test_games_of_other_processes_go_on(name: str) -> None:
    trees = BatchMCTS(name, 2, seed=1)
    trees.set_game(0, played(name, plies=12))
    trees.search(network, 8, logits=True)
    code = "import pickle, sys; trees = pickle.load(sys.stdin.buffer); print(trees.choose(1.0).tolist())"
    run = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(trees), capture_output=True, check=True
    )
    assert run.stdout.decode().strip() == str(trees.choose(1.0).tolist())
