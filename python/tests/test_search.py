"""Engine search and tree search."""

import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import sandtable
from conftest import played
from numpy.typing import NDArray
from sandtable import MCTS, ChessGame

MATE_IN_TWO = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"


def test_finds_a_mate_in_two() -> None:
    result = sandtable.search(ChessGame(MATE_IN_TWO), depth=5)
    assert result.lines[0].mate == 2 and result.lines[0].centipawns is None
    assert len(result.lines[0].moves) >= 3 and result.move == result.lines[0].moves[0]


def test_lines_are_best_first_and_legal(name: str) -> None:
    game = played(name, plies=10)
    before = game.clone()
    result = sandtable.search(game, nodes=3_000, lines=3)
    assert game == before and result.depth >= 1 and result.nodes <= 3_000
    assert len({line.action for line in result.lines}) == 3
    scores = [line.centipawns for line in result.lines if line.centipawns is not None]
    assert scores == sorted(scores, reverse=True)
    for line in result.lines:
        assert game.string_to_action(line.moves[0]) == line.action
        follower = game.clone()
        for text in line.moves:
            follower.play(text)
    assert sandtable.search(game, nodes=3_000, lines=3) == result


def test_evaluations(name: str, tmp_path: Path) -> None:
    game = played(name, plies=6)
    network, hand = (sandtable.search(game, nodes=2_000, eval=eval) for eval in (None, "hand"))
    assert network == sandtable.search(game, nodes=2_000)
    assert network.lines[0].centipawns != hand.lines[0].centipawns
    with pytest.raises(OSError, match=r"cannot read .*missing\.net"):
        sandtable.search(game, nodes=10, eval=tmp_path / "missing.net")
    (tmp_path / "bad.net").write_bytes(b"no network")
    with pytest.raises(ValueError, match=r"cannot use .*bad\.net: not an evaluation network"):
        sandtable.search(game, nodes=10, eval=str(tmp_path / "bad.net"))


def test_stops_at_the_time_limit() -> None:
    start = time.monotonic()
    result = sandtable.search(sandtable.make("cotulenh"), time=0.2, threads=2)
    assert 0.15 < time.monotonic() - start < 5.0 and result.action is not None


def test_finished_games_have_no_lines() -> None:
    game = ChessGame()
    game.agree_draw()
    result = sandtable.search(game, depth=3)
    assert result.lines == [] and result.action is None and result.move is None


def test_a_line_without_moves_has_no_best_move() -> None:
    assert sandtable.SearchResult([sandtable.Line(12, None, 0, [])], depth=1, nodes=1).move is None


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [
        ("depth", 0, "depth must be at least 1, not 0"),
        ("depth", -1, "depth must be at least 1, not -1"),
        ("nodes", 0, "nodes must be at least 1, not 0"),
        ("nodes", -(2**70), "nodes must be at least 1, not -"),
        ("time", -1.0, "time must be at least 0 seconds, not -1"),
        ("time", float("nan"), "time must be at least 0 seconds, not NaN"),
        ("lines", 0, "lines must be at least 1, not 0"),
        ("hash_mb", 0, "hash_mb must be 1 to 65536, not 0"),
        ("hash_mb", 2**70, "hash_mb must be 1 to 65536, not "),
        ("threads", 0, "threads must be 1 to 256, not 0"),
        ("threads", -1, "threads must be 1 to 256, not -1"),
    ],
)
def test_rejects_invalid_limits(limit: str, value: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sandtable.search(ChessGame(), **{limit: value})  # type: ignore[arg-type]


def test_searches_games_only() -> None:
    with pytest.raises(TypeError):
        sandtable.search("chess")  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_AS")
def test_a_table_that_does_not_fit_raises_memory_error() -> None:
    script = """
import resource, sandtable
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
try:
    sandtable.search(sandtable.make("chess"), depth=1, hash_mb=8192)
except MemoryError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert run.stdout == "not enough memory for a transposition table of 8192 MiB: choose a smaller one\n"


@pytest.mark.parametrize(
    "call",
    [
        "sandtable.search(sandtable.make('chess'), time=600, threads=2)",
        "sandtable.review(sandtable.make('chess'), nodes=10**12)",
        "sandtable.make('chess').perft(30)",
        "sandtable.make('tribun').perft(30, threads=3)",
        "sandtable.LevelPlayer('chess', 9).choose(sandtable.make('chess'), time=1000)",
        "sandtable.MCTS(sandtable.make('chess'), lambda o, m: (m, [0.0] * len(m))).search(10**9)",
    ],
)
def test_ctrl_c_stops_a_search(call: str) -> None:
    code = f"import sandtable\nprint('ready', flush=True)\n{call}"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdout is not None and process.stdout.readline().strip() == b"ready"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert b"KeyboardInterrupt" in errors and process.returncode != 0


Output = tuple[NDArray[np.float32], NDArray[np.float32]]


def uniform(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> Output:
    return masks.astype(np.float32), np.zeros(len(masks), np.float32)


def test_evaluator_gets_batches(name: str) -> None:
    game = played(name, plies=8)
    sizes: list[int] = []

    def evaluator(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> Output:
        assert observations.shape == (len(masks), *game.observation_shape)
        assert observations.dtype == np.float32 and observations.flags.c_contiguous
        assert masks.shape == (len(observations), game.num_actions) and masks.dtype == np.bool_
        if not sizes:
            np.testing.assert_array_equal(observations[0], game.observe())
            np.testing.assert_array_equal(masks[0], game.legal_actions_mask())
        sizes.append(len(masks))
        return uniform(observations, masks)

    tree = MCTS(game, evaluator, batch_size=8, seed=1)
    assert tree.root() == [] and tree.choose() is None and not tree.policy().any()
    tree.search(64)
    assert sizes[0] == 1 and max(sizes) == 8 and tree.visits == 64
    root = tree.root()
    assert sorted(move.action for move in root) == game.legal_actions()
    assert sum(move.visits for move in root) == 64 and abs(sum(move.prior for move in root) - 1) < 1e-4
    policy = tree.policy()
    assert policy.shape == (game.num_actions,) and abs(policy.sum() - 1) < 1e-5
    assert all(policy[move.action] == np.float32(move.visits / 64) for move in root)


@pytest.mark.parametrize("seed", [-1, 2**64, 2**70])
def test_rejects_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(ValueError, match=r"seed must be 0 to 18446744073709551615, not -?\d+"):
        MCTS(ChessGame(), uniform, seed=seed)


def test_same_seed_gives_the_same_tree() -> None:
    def root_visits(seed: int) -> list[tuple[int, int]]:
        tree = MCTS(ChessGame(), uniform, batch_size=4, seed=seed)
        tree.add_noise(0.3, 0.5)
        tree.search(100)
        return [(move.action, move.visits) for move in tree.root()]

    assert root_visits(1) == root_visits(1) != root_visits(2)


def test_advance_follows_the_game() -> None:
    game = ChessGame(MATE_IN_TWO)
    tree = MCTS(game, uniform, batch_size=2)
    for _ in range(3):
        tree.search(3_000)
        action = tree.choose()
        assert action is not None and tree.line()[0] == tree.game.action_to_string(action)
        tree.advance(action)
    assert tree.game.outcome() is not None and game.ply == 0
    tree.search(10)
    with pytest.raises(ValueError, match="the game is over"):
        tree.advance(0)


@pytest.mark.parametrize(
    ("output", "error", "message"),
    [
        (
            lambda m: (m[:, :5], np.zeros(len(m))),
            ValueError,
            r"priors must have shape \(1, 4672\), not \(1, 5\)",
        ),
        (lambda m: (m, np.zeros((len(m), 2))), ValueError, r"values must have shape \(1,\), not \(1, 2\)"),
        (lambda m: (m, np.full(len(m), 1.5)), ValueError, "values must be -1 to 1, not"),
        (lambda m: (m, np.full(len(m), np.nan)), ValueError, "values must be -1 to 1, not"),
        (lambda m: (m - 2.0, np.zeros(len(m))), ValueError, "priors must be finite and at least 0, not"),
        (lambda m: (m * np.inf, np.zeros(len(m))), ValueError, "priors must be finite and at least 0, not"),
        (lambda m: m, TypeError, "must return a tuple of two arrays"),
        (lambda m: (m, m, m), TypeError, "must return a tuple of two arrays"),
        (lambda m: None, TypeError, "must return a tuple of two arrays"),
        (lambda m: ("a", "b"), ValueError, "could not convert"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_rejects_invalid_evaluator_outputs(output: object, error: type[Exception], message: str) -> None:
    tree = MCTS(ChessGame(), lambda observations, masks: output(masks))  # type: ignore[operator]
    with pytest.raises(error, match=message):
        tree.search(10)
    assert tree.root() == []


def test_evaluator_errors_propagate_and_keep_the_tree() -> None:
    calls = 0

    def evaluator(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> Output:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise ZeroDivisionError("broken")
        return uniform(observations, masks)

    tree = MCTS(ChessGame(), evaluator, batch_size=2)
    with pytest.raises(ZeroDivisionError, match="broken"):
        tree.search(100)
    assert calls == 3 and tree.visits == 2
    tree.search(20)
    assert tree.visits == 22


def test_evaluators_may_return_lists_columns_and_rounding_errors() -> None:
    outputs = [
        lambda m: (m.tolist(), [0.0] * len(m)),
        lambda m: (m, np.zeros((len(m), 1))),
        lambda m: (m, np.full(len(m), 1.0005)),
        # Anything at illegal actions.
        lambda m: (np.where(m, 1.0, np.nan), np.zeros(len(m))),
        lambda m: (np.where(m, 1.0, -7.0), np.zeros(len(m))),
    ]
    for output in outputs:
        tree = MCTS(ChessGame(), lambda observations, masks, output=output: output(masks))  # type: ignore[misc]
        tree.search(30)
        assert tree.visits == 30 and max(abs(move.value) for move in tree.root()) <= 1


def test_trees_can_be_pickled_with_their_random_state() -> None:
    tree = MCTS(played("tribun", plies=6), uniform, batch_size=4, seed=3)
    tree.add_noise()
    tree.search(40)
    copy = pickle.loads(pickle.dumps(tree))
    for searched in (tree, copy):
        searched.search(20)
    assert copy.root() == tree.root() and copy.game == tree.game and copy.size == tree.size
    assert [copy.choose(1.0) for _ in range(5)] == [tree.choose(1.0) for _ in range(5)]


def test_a_tree_that_is_searched_cannot_be_used_by_its_evaluator() -> None:
    def evaluator(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> Output:
        tree.choose()
        return uniform(observations, masks)

    tree = MCTS(ChessGame(), evaluator)
    with pytest.raises(
        RuntimeError, match="this MCTS is in use, by another thread or by the search that calls"
    ):
        tree.search(10)


def test_rejects_invalid_settings() -> None:
    with pytest.raises(TypeError, match="evaluator must be callable"):
        MCTS(ChessGame(), None)  # type: ignore[arg-type]
    for setting, value, message in (
        ("batch_size", 0, "batch_size must be at least 1, not 0"),
        ("batch_size", -1, "batch_size must be at least 1, not -1"),
        ("exploration", -0.5, "exploration must be at least 0, not -0.5"),
        ("exploration", float("nan"), "exploration must be at least 0, not NaN"),
        ("fpu_reduction", float("inf"), "fpu_reduction must be at least 0, not inf"),
    ):
        with pytest.raises(ValueError, match=message):
            MCTS(ChessGame(), uniform, **{setting: value})  # type: ignore[arg-type]
    for temperature in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="temperature must be at least 0, not"):
            MCTS(ChessGame(), uniform).choose(temperature)
    for visits in (-1, 10**30):
        with pytest.raises(ValueError, match=f"visits must be 0 to 2147483647, not {visits}"):
            MCTS(ChessGame(), uniform).search(visits)
    for alpha, fraction in [(0.0, 0.25), (0.3, 1.5), (float("nan"), 0.5)]:
        with pytest.raises(ValueError, match="alpha must be more than 0 and fraction 0 to 1"):
            MCTS(ChessGame(), uniform).add_noise(alpha, fraction)
