"""Boards as characters and as pictures."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import sandtable
from conftest import played

SVG = "{http://www.w3.org/2000/svg}"


def test_repr_is_the_board(name: str) -> None:
    game = sandtable.make(name)
    lines = repr(game).splitlines()
    assert lines[-1] == f"{game.player_names[0]} to move" and len(lines) > 8
    game.resign(0)
    assert repr(game).splitlines()[-1] == f"{game.player_names[1]} has won by resignation"


def test_pictures_are_documents(name: str) -> None:
    game = played(name)
    picture = ET.fromstring(game.svg(size=250))
    assert picture.tag == f"{SVG}svg" and picture.get("width") == "250"
    assert game._repr_svg_() == game.svg()
    variants = {
        game.svg(),
        game.svg(flip=True),
        game.svg(last_move=False),
        game.svg(indices=True),
        game.svg(size=401),
    }
    assert len(variants) == 5


@pytest.mark.parametrize("size", [0, -1, 8193, 2**70])
def test_pictures_have_a_size(size: int) -> None:
    with pytest.raises(ValueError, match=r"size is -?\d+, and may be 1 to 8192"):
        sandtable.ChessGame().svg(size=size)


FORK = """
import os, sys
from pathlib import Path
from sandtable._pictures import _font

_, file = _font()
child = os.fork()
if child == 0:
    sys.exit()
os.waitpid(child, 0)
print(file, Path(file).exists())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked as POSIX has it")
def test_a_forked_process_leaves_the_font_to_its_parent() -> None:
    run = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    file, kept = run.stdout.split()
    assert kept == "True" and not Path(file).exists()


def test_arrows_point_from_cell_to_cell() -> None:
    game = sandtable.ChessGame()
    plain, pointed = game.svg(), game.svg(arrows=[("e2", "e4"), ("g1", "f3")])
    assert len(ET.fromstring(pointed)) == len(ET.fromstring(plain)) + 2
    assert sandtable.TribunGame().name == "tribun" and sandtable.TribunGame().svg(arrows=[("a1", "f6")])
    with pytest.raises(ValueError, match="`e9` is not on the board"):
        game.svg(arrows=[("e2", "e9")])
