"""Boards as text and SVG."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import sandtable
from conftest import played

SVG = "{http://www.w3.org/2000/svg}"


def test_repr_shows_board_and_status(name: str) -> None:
    game = sandtable.make(name)
    lines = repr(game).splitlines()
    assert lines[-1] == f"{game.player_names[0]} to move" and len(lines) > 8
    game.resign(0)
    assert repr(game).splitlines()[-1] == f"{game.player_names[1]} wins (resignation)"


def test_svg_options(name: str) -> None:
    game = played(name)
    picture = ET.fromstring(game.svg(size=250))
    assert picture.tag == f"{SVG}svg" and picture.get("width") == "250"
    assert game._repr_svg_() == game.svg()
    # Each option changes the document.
    variants = {
        game.svg(),
        game.svg(flip=True),
        game.svg(last_move=False),
        game.svg(indices=True),
        game.svg(size=401),
    }
    assert len(variants) == 5


@pytest.mark.parametrize("size", [0, -1, 8193, 2**70])
def test_rejects_svg_sizes_out_of_range(size: int) -> None:
    with pytest.raises(ValueError, match=r"size must be 1 to 8192, not -?\d+"):
        sandtable.ChessGame().svg(size=size)


FORK = """
import os, sys
from pathlib import Path
from sandtable._render import _font

_, file = _font()
child = os.fork()
if child == 0:
    sys.exit()
os.waitpid(child, 0)
print(file, Path(file).exists())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_forked_processes_keep_the_font_file() -> None:
    run = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    file, kept = run.stdout.split()
    assert kept == "True" and not Path(file).exists()


def test_every_arrow_is_drawn(name: str) -> None:
    game = sandtable.make(name)
    plain, one, two = (
        game.svg(arrows=arrows) for arrows in ([], [("a1", "f6")], [("a1", "f6"), ("b2", "c3")])
    )
    assert len(ET.fromstring(two)) == len(ET.fromstring(one)) + 1 == len(ET.fromstring(plain)) + 2
    assert game.svg(arrows=[("f6", "a1")]) != one
    with pytest.raises(ValueError, match="arrows: `z9` is not on the board"):
        game.svg(arrows=[("a1", "z9")])
