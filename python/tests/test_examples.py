"""The examples run: the notebook from top to bottom, and a few seconds of learning."""

import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import nbformat
import numpy as np
import pytest
import sandtable
import train_tiny
from conftest import ROOT
from nbclient import NotebookClient

EXAMPLES = ROOT / "examples"
TRAIN = [sys.executable, str(EXAMPLES / "train_tiny.py")]
# Small and short, with a match after it: enough to go through all of it once.
SHORT = [
    "--games=4",
    "--candidates=4",
    "--max-plies=30",
    "--hidden=4",
    "--probe=2",
    "--points=2",
    "--match=4",
]


def test_the_notebook_runs() -> None:
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells), "outputs are not kept"
    # A cell that fails raises here.
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in cells for output in cell.outputs]
    pictures = [output for output in outputs if "image/svg+xml" in output.get("data", {})]
    printed = "".join(output["text"] for output in outputs if output.output_type == "stream")
    assert len(pictures) == 4
    assert "Ke5: no king of yours can legally go to e5" in printed
    assert "(1000, 11, 11, 31)" in printed
    assert re.search(r"the first player won [1-9]\d* games, the second [1-9]\d*", printed)


def test_the_network_learns_what_it_is_taught() -> None:
    rng = np.random.default_rng(1)
    network = train_tiny.Network(50, 16, rng)
    seen = rng.integers(2, size=(64, 50)).astype(np.float32)
    targets = np.where(seen[:, 3] > seen[:, 7], 0.8, -0.4).astype(np.float32)
    assert not network.values(seen).any()
    errors = [network.learn(seen, targets, rate=0.01) for _ in range(300)]
    assert errors[0] == pytest.approx(np.mean(targets**2), rel=1e-3) and errors[-1] < 0.01 * errors[0]
    assert network.values(seen) == pytest.approx(targets, abs=0.2)


def test_targets_come_from_the_end_of_the_game() -> None:
    game = sandtable.ChessGame()
    for move in ["f2f3", "e7e5", "g2g4", "d8h4"]:
        game.make_move(move)
    mated = train_tiny.Episode(game, [], movers=[0, 1, 0, 1], values=[0.0, 0.0, 0.0, 1.0])
    assert mated.targets(0.5).tolist() == [-0.125, 0.25, -0.5, 1.0]
    # A game that was cut off has no result: its last value stands for it.
    unfinished = train_tiny.Episode(sandtable.ChessGame(), [], movers=[0, 1], values=[0.0, 0.5])
    assert unfinished.targets(0.5).tolist() == [-0.25, 0.5]


def test_learning_runs_and_writes_what_it_learnt(tmp_path: Path) -> None:
    out = tmp_path / "trained"
    run = subprocess.run(
        [*TRAIN, "--minutes=0.1", "--out", str(out), *SHORT], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert re.search(r"Against random moves: [\d.]+% of 4 games \(95 % between", run.stdout)
    with np.load(out / "weights.npz") as weights:
        assert weights["hidden"].shape == (11 * 11 * 31, 4)
    picture = ET.parse(out / "curve.svg").getroot()
    assert len(picture.findall("{http://www.w3.org/2000/svg}polyline")) == 2
    assert sorted(path.name for path in out.iterdir()) == ["curve.svg", "weights.npz"]


@pytest.mark.skipif(os.name != "posix", reason="an interrupt is sent as POSIX has it")
def test_an_interrupt_keeps_what_was_learnt(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*TRAIN, "--minutes=60", "--out", str(tmp_path), *SHORT], stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stdout is not None
    try:
        # Learning has begun once the first point of the curve is printed.
        assert "minute" in process.stdout.readline() and "0.00" in process.stdout.readline()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 0 and "Stopped early." in rest and "Against random moves" in rest
    assert (tmp_path / "weights.npz").exists()


def test_help_and_bad_arguments_are_explained() -> None:
    run = subprocess.run([*TRAIN, "--help"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and "--minutes" in run.stdout and "Ctrl-C" in run.stdout
    run = subprocess.run([*TRAIN, "--minutes=-1"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and "-1 is not a time to learn for" in run.stderr
    run = subprocess.run([*TRAIN, "--seed=-1"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and "argument --seed: -1 is less than 0" in run.stderr
