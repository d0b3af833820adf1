"""Whole training runs with the NumPy network: learning, interruptions, limits, report and command line."""

import importlib.util
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sandtable
from conftest import DEEP
from sandtable.train.__main__ import main, parse_arguments
from sandtable.train.files import Lock
from sandtable.train.matches import (
    LevelPlayer,
    NetworkPlayer,
    Tally,
    expected_score,
    match,
    openings,
    rating,
)
from sandtable.train.network import segment_softmax
from sandtable.train.replay import ReplayWindow
from sandtable.train.run import Folder, Run, create_network, load_arrays
from sandtable.train.samples import Result, read_games
from sandtable.train.self_play import SelfPlay, evaluator
from sandtable.train.sources import engine_games

COMMAND = [sys.executable, "-m", "sandtable.train"]
# Dies at the write with this number, as if it were killed: nothing is flushed or closed.
DYING = """
import os, sys
from sandtable.train.__main__ import main
left, sync = int(sys.argv[1]), os.fsync
def fsync(descriptor):
    global left
    left -= 1
    if left == 0:
        os._exit(9)
    sync(descriptor)
os.fsync = fsync
sys.exit(main(sys.argv[2:]))
"""
# Small settings that reach every part of a run.
TINY = [
    "--network=numpy",
    "--channels=4",
    "--games=6",
    "--slots=4",
    # These games are too short to be won, and without results the targets of Gumbel search are uniform.
    "--search=puct",
    "--visits=6",
    "--fast-visits=3",
    "--full-share=0.5",
    "--max-plies=16",
    "--batch=32",
    "--reuse=2",
    "--gate-games=2",
    "--match-visits=2",
    "--match-plies=16",
    "--eval-every=2",
    "--eval-games=2",
]


def tiny(folder: Path, *more: str) -> Run:
    return Run(*parse_arguments(["tribun", f"--run={folder}", *TINY, *more]), say=lambda _: None)


def contents(folder: Path) -> dict[str, bytes]:
    """The samples and networks of a run."""
    files = [*folder.glob("samples/*"), *folder.glob("networks/*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def results(folder: Path) -> list[dict[str, object]]:
    """The log without times."""
    return [
        {key: value for key, value in event.items() if "second" not in key or key == "second_wins"}
        for event in Folder(folder).events()
    ]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two iterations."""
    folder = tmp_path_factory.mktemp("run") / "whole"
    tiny(folder, "--iterations=2").run()
    return folder


def test_a_run_writes_samples_networks_log_and_report(uninterrupted: Path) -> None:
    names = sorted(
        str(path.relative_to(uninterrupted)) for path in uninterrupted.rglob("*") if path.is_file()
    )
    assert names == [
        "lock",
        "log.jsonl",
        "networks/00000.npz",
        "networks/00001.npz",
        "networks/00002.npz",
        "networks/00002.optimizer.npz",
        "options.json",
        "report.html",
        "samples/00001.samples",
        "samples/00002.samples",
        "state.json",
    ]
    games = read_games(uninterrupted / "samples/00001.samples", "tribun", "standard")
    assert sorted(game.number for game in games) == list(range(6))
    for game in games:
        *_, last = game.replay("tribun", "standard")
        assert last.is_terminal() or (last.ply == 16 and game.result is Result.TRUNCATED)
        assert (game.counts > 0).any() and (game.counts == 0).any()
    events = [event["event"] for event in Folder(uninterrupted).events()]
    evaluation = ["level", "level", "elo"]
    one = ["self_play", "learn", "gate"]
    assert events[: len(evaluation + one)] == evaluation + one and events.count("learn") == 2
    before, after = (load_arrays(uninterrupted / f"networks/0000{version}.npz") for version in (0, 2))
    assert all((before[key] != after[key]).any() for key in before)


def test_the_report_is_one_page_without_external_files(uninterrupted: Path) -> None:
    page = (uninterrupted / "report.html").read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\s\"'\\]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<link|<img[^>]*src|<script[^>]*src|@import", page)
    for title in ("Strength", "Policy loss", "Value loss", "Policy entropy", "Game length", "Decisive games"):
        assert f"<h2>{title}</h2>" in page
    (data, *_) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.S)
    game = json.loads(data)
    assert len(game["changes"]) == len(game["moves"]) > 0
    parts = game["first"]
    for change in game["changes"]:
        for at, removed, *added in change:
            parts[at : at + removed] = added
    ends = []
    for sample in read_games(uninterrupted / "samples/00001.samples", "tribun", "standard"):
        *_, last = sample.replay("tribun", "standard")
        ends.append(last.svg(size=460).replace("\n", ""))
    assert "".join(game["parts"][part] for part in parts) in ends


def test_a_killed_run_equals_one_that_was_not(uninterrupted: Path, tmp_path: Path) -> None:
    rng = random.Random(1)
    folder = tmp_path / "killed"
    arguments = ["tribun", f"--run={folder}", *TINY, "--iterations=2"]
    kills = -1
    code = 9
    while code == 9:
        kills += 1
        # The first kills come while the run starts, later ones give it more time, so that it ends.
        writes = str(rng.randint(1, 4 + 3 * kills))
        process = subprocess.run([sys.executable, "-c", DYING, writes, *arguments], capture_output=True)
        code = process.returncode
    assert code == 0, process.stderr.decode()
    assert kills >= 3
    assert contents(folder) == contents(uninterrupted)
    assert results(folder) == results(uninterrupted)


def test_a_stopped_run_continues_in_the_middle_of_games(uninterrupted: Path, tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    steps = 0
    while True:
        run = tiny(folder, "--iterations=2")
        checks = 0

        def count(run: Run = run, allowed: int = 8 + 4 * steps) -> None:
            nonlocal checks
            checks += 1
            # More each time, because matches are not interrupted in the middle.
            if checks == allowed:
                run.request_stop()
            Run._check(run)

        run._check = count  # type: ignore[method-assign]
        run.run()
        steps += 1
        if run.is_complete:
            break
        assert steps < 60
    assert steps > 5
    assert contents(folder) == contents(uninterrupted)
    assert results(folder) == results(uninterrupted)


def test_snapshots_change_nothing() -> None:
    _, options = parse_arguments(["tribun", "--run=x", *TINY])
    evaluate = evaluator(create_network(options))
    one, other = SelfPlay(options, 1, 0), SelfPlay(options, 1, 0)
    games: list[bytes] = []
    while not one.is_done:
        games += [game.encode() for game in one.step(evaluate)]
        other = SelfPlay.restore(other.snapshot(), options)
        same = [game.encode() for game in other.step(evaluate)]
        assert games[len(games) - len(same) :] == same
    assert other.is_done and len(games) == 6
    with pytest.raises(ValueError, match="cannot read the snapshot"):
        SelfPlay.restore(b"garbage", options)


def test_changed_settings_are_refused(uninterrupted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tribun", f"--run={uninterrupted}", *TINY, "--iterations=2"]
    assert main([*arguments, "--visits=7", "--seed=5"]) == 1
    error = capsys.readouterr().err
    assert (
        "has other settings: --seed was 1, not 5; --visits was 6, not 7. Continue it with the same" in error
    )
    assert main(["chess", *arguments[1:]]) == 1
    assert "the game was tribun, not chess" in capsys.readouterr().err
    # Limits and evaluations may change.
    assert main([*arguments, "--eval-games=4", "--threads=2"]) == 0
    assert "All 2 iterations are done" in capsys.readouterr().out


def test_time_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    assert main(["tribun", f"--run={tmp_path}", *TINY, "--minutes=0.01"]) == 0
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
    assert "The same command continues" in capsys.readouterr().out
    state, files = Folder(tmp_path).read_state(), contents(tmp_path)
    assert state.seconds >= 0.6
    # The limit is one of the whole run: nothing is left of it.
    assert main(["tribun", f"--run={tmp_path}", *TINY, "--minutes=0.01"]) == 0
    after = Folder(tmp_path).read_state()
    assert replace(after, seconds=state.seconds) == state and contents(tmp_path) == files


@pytest.mark.skipif(os.name != "posix", reason="needs SIGINT")
def test_ctrl_c_saves_and_stops(tmp_path: Path) -> None:
    command = [*COMMAND, "tribun", f"--run={tmp_path}", *TINY]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert any("iteration 1" in line for line in process.stdout), "the run ended early"
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 0 and "The same command continues." in out and "Stopping" in error
    assert (tmp_path / "report.html").exists()


def test_one_process_trains_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tiny(tmp_path)
    assert main(["tribun", f"--run={tmp_path}", *TINY]) == 1
    assert "another process is training in" in capsys.readouterr().err
    del run


def test_the_report_is_written_under_the_lock(tmp_path: Path) -> None:
    run = tiny(tmp_path, "--iterations=1", "--eval-games=0")
    reports = 0

    def check() -> None:
        nonlocal reports
        reports += 1
        with pytest.raises(BlockingIOError):
            Lock(tmp_path)

    run._write_report = check  # type: ignore[method-assign]
    run.run()
    assert reports > 1
    Lock(tmp_path).release()


def test_missing_games_of_a_finished_iteration_are_an_error(
    uninterrupted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(uninterrupted, tmp_path / "run")
    path = tmp_path / "run/samples/00001.samples"
    data = bytearray(path.read_bytes())
    # The highest byte of the length of the first game: the file seems to end within that game.
    data[data.index(b"\n") + 4] = 1
    path.write_bytes(data)
    assert main(["tribun", f"--run={tmp_path / 'run'}", *TINY, "--iterations=3"]) == 1
    assert "00001.samples is damaged: it has 0 games, not 6" in capsys.readouterr().err
    assert path.read_bytes() == data


def test_export_errors(
    uninterrupted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, out, message in [
        (tmp_path, "net.onnx", "is not the folder of a run: it has no options.json"),
        (uninterrupted, "none/net.onnx", "argument --out: unknown folder"),
        (uninterrupted, "net.onnx", "has a NumPy network"),
    ]:
        with pytest.raises(SystemExit):
            main(["export", str(folder), f"--out={tmp_path / out}"])
        assert message in capsys.readouterr().err

    def without_onnx(arguments: list[str]) -> int:
        raise ModuleNotFoundError("No module named 'onnx'", name="onnx")

    monkeypatch.setattr("sandtable.train.export.main", without_onnx)
    assert main(["export", str(uninterrupted), "--out=net.onnx"]) == 1
    assert "error: onnx is not installed: pip install 'sandtable[train]'" in capsys.readouterr().err


def test_evaluate_adds_matches_to_the_report(
    uninterrupted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(uninterrupted, folder)
    arguments = ["evaluate", str(folder), "--visits=2", "--games=2", "--plies=12"]
    assert main([*arguments, "--levels", "0", "2"]) == 0
    assert "network 2 against level 2: " in capsys.readouterr().out
    matches = [json.loads(line) for line in (folder / "evaluations.jsonl").read_text().splitlines()]
    assert [(match["network"], match["level"], match["visits"]) for match in matches] == [
        (2, 0, 2),
        (2, 2, 2),
    ]
    assert all(match["wins"] + match["draws"] + match["losses"] == 2 for match in matches)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<h2>Final matches</h2>" in page and "<td>engine level 2</td>" in page
    lock = Lock(folder)
    assert main([*arguments, "--levels=0", "--version=1"]) == 0
    assert "The run is in progress and adds the matches to its report." in capsys.readouterr().out
    lock.release()
    for more, message in [
        (["--visits=0"], "argument --visits: must be at least 1, not 0"),
        (["--version=9"], "unknown network 9"),
    ]:
        with pytest.raises(SystemExit):
            main([*arguments, *more])
        assert message in capsys.readouterr().err


def test_a_run_can_start_from_engine_games(tmp_path: Path) -> None:
    arguments = ["--from-engine=3", "--engine-nodes=10", "--iterations=1", "--eval-games=0"]
    tiny(tmp_path, *arguments).run()
    events = [event["event"] for event in Folder(tmp_path).events()]
    assert events == ["start_games", "pretrain", "self_play", "learn", "gate"]
    assert len(read_games(tmp_path / "samples/00000.samples", "tribun", "standard")) == 3
    assert "games to start from; policy loss " in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_argument_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in [
        (["go", "--run=x"], "argument game: invalid choice: 'go'"),
        (["tribun"], "the following arguments are required: --run"),
        (["tribun", "--run=x", "--visits=0"], "argument --visits: must be at least 1, not 0"),
        (["tribun", "--run=x", "--gate=2"], "argument --gate: must be 0 to 1, not 2"),
        (["tribun", "--run=x", "--rules=x"], "argument --rules: "),
        (
            ["tribun", "--run=x", "--opening-plies=9", "--max-plies=9"],
            "argument --opening-plies: must be less than --max-plies (9), not 9",
        ),
    ]:
        with pytest.raises(SystemExit):
            parse_arguments(arguments)
        assert message in capsys.readouterr().err


def test_ratings() -> None:
    assert expected_score(0) == 0.5 and expected_score(400) == pytest.approx(10 / 11)
    even = rating([(1000.0, Tally(10, 0, 10))])
    assert even.elo == pytest.approx(1000, abs=0.1) and even.low < 900 and even.high > 1100
    two = rating([(1000.0, Tally(90, 0, 10)), (1400.0, Tally(40, 20, 40))])
    assert two.elo == pytest.approx(1389, abs=15) and two.high - two.low < 150
    assert 1400 < rating([(1000.0, Tally(20, 0, 0))]).elo < 2500, "finite without a loss"


def test_scores_have_intervals() -> None:
    assert Tally(10, 0, 10).interval() == pytest.approx((0.299, 0.701), abs=1e-3)
    assert Tally(0, 20, 0).interval() == Tally(10, 0, 10).interval()
    low, high = Tally(40, 0, 0).interval()
    assert low == pytest.approx(0.912, abs=1e-3) and high == 1


def test_matches_are_fair_and_counted() -> None:
    boards = openings("tribun", "standard", 6, 4, np.random.default_rng(1))
    assert all(board.ply == 4 for board in boards)
    assert [boards[i] == boards[i + 1] for i in range(0, 6, 2)] == [True] * 3
    strong, weak = LevelPlayer(6, seed=1), LevelPlayer(0, seed=2)
    tally = match(strong, weak, boards, max_plies=200)
    assert tally.games == 6 and tally.score > 0.8
    boards = openings("tribun", "standard", 4, 4, np.random.default_rng(1))
    assert match(weak, weak, boards, max_plies=6) == Tally(0, 4, 0), "truncated games are draws"
    assert {board.ply for board in boards} == {6}


def test_matches_may_be_longer_than_the_games_of_a_tree() -> None:
    board = sandtable.make("tribun")
    rng = np.random.default_rng(0)
    limit = board.ply_limit
    while board.ply < limit - 1:
        board.apply_action(rng.choice(board.legal_actions()))
    _, options = parse_arguments(["tribun", "--run=x", *TINY])
    player = NetworkPlayer(evaluator(create_network(options)), 2, gumbel=True)
    boards: list[sandtable.Game] = [board, board.clone()]
    assert match(player, LevelPlayer(0, seed=1), boards, max_plies=limit + 4).games == 2
    assert all(board.is_terminal() or board.ply == limit + 4 for board in boards)


LEARNING = [
    "--network=numpy",
    "--channels=16",
    "--from-engine=400",
    "--engine-nodes=100",
    "--epochs=3",
    "--learning-rate=0.004",
    "--batch=128",
    "--iterations=1",
    "--games=24",
    "--slots=24",
    "--visits=16",
    "--fast-visits=4",
    "--max-plies=120",
    "--gate=0",
    "--eval-games=0",
]


def kill_and_resume(arguments: list[str], folder: Path) -> None:
    """A run that is killed while it learns, first from games of the engine and then from its own."""
    # Several threads would wait for each other on a busy machine.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for phase in ("pretrain", "learn"):
        with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL, env=environment) as process:
            while Folder(folder).read_state().phase != phase:
                assert process.poll() is None, "the run ended early"
                time.sleep(0.05)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        assert Folder(folder).read_state().phase == phase
    last = subprocess.run([*COMMAND, *arguments], stdout=subprocess.DEVNULL, env=environment)
    assert last.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_short_run_that_was_killed_beats_the_untrained_network(tmp_path: Path) -> None:
    # Chess has the smallest encoding, and an untrained network leaves pieces hanging.
    arguments = ["chess", f"--run={tmp_path}", *LEARNING]
    kill_and_resume(arguments, tmp_path)
    _, options = parse_arguments(arguments)
    trained, untrained = create_network(options), create_network(options)
    trained.load(load_arrays(tmp_path / "networks/00001.npz"))

    # It predicts moves of the engine in games with numbers that the run did not reach.
    window = ReplayWindow("chess", "standard", 10_000, value_mix=0.0)
    window.add(engine_games(replace(options, from_engine=1003), 1000))
    batch = window.sample(256, np.random.default_rng(1))
    losses = []
    for network in (trained, untrained):
        logits, _ = network.evaluate(batch.observations, batch.actions, batch.offsets)
        losses.append(-np.log(segment_softmax(logits, batch.offsets)[batch.policy > 0]).mean())
    assert losses[0] < losses[1] - 0.3, losses

    # And it wins the match. Results on one machine: +30 =2 -0, and +25 =7 -0 with fewer moves.
    boards = openings("chess", "standard", 32, 4, np.random.default_rng(9))
    one, other = (NetworkPlayer(evaluator(network), 16, gumbel=True) for network in (trained, untrained))
    tally = match(one, other, boards, max_plies=160)
    assert tally.wins >= 18 and tally.losses <= 4, tally


def test_elo_of_levels(name: str) -> None:
    elos = [elo for level in range(10) if (elo := sandtable.level_elo(name, level)) is not None]
    assert len(elos) == 10 and elos == sorted(set(elos))
    with pytest.raises(ValueError, match="unknown level `10`"):
        sandtable.level_elo(name, 10)
    with pytest.raises(ValueError, match="unknown game `go`"):
        sandtable.level_elo("go", 1)


@pytest.mark.skipif(not (DEEP and importlib.util.find_spec("ray")), reason="a deep test with Ray")
def test_a_cluster_replaces_a_worker_that_died(tmp_path: Path) -> None:
    import psutil
    import ray
    from sandtable.train.cluster import play_part, play_parts

    arguments = [
        "tribun",
        f"--run={tmp_path}",
        *TINY,
        "--ray=local",
        "--games=12",
        "--slots=3",
        "--visits=40",
    ]
    _, options = parse_arguments([*arguments, "--max-plies=60"])
    weights = create_network(options).weights()
    expected = [play_part(options, 1, 0, weights, part) for part in range(4)]
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    killed: list[int] = []

    def kill_a_worker() -> None:
        workers = [
            process
            for process in psutil.Process().children(recursive=True)
            if "ray::play_part" in " ".join(process.cmdline())
        ]
        if workers and not killed:
            killed.append(workers[0].pid)
            workers[0].kill()

    try:
        parts = list(play_parts(options, 1, 0, weights, 0, kill_a_worker))
        assert killed and parts == expected
        # A whole run.
        Run(tmp_path / "run", replace(options, iterations=1), say=lambda _: None).run()
        games = read_games(tmp_path / "run/samples/00001.samples", "tribun", "standard")
        assert [game.number for game in games] == list(range(12))
    finally:
        ray.shutdown()
