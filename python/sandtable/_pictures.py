"""Boards as `rgb_array` rendering wants them: an array of pixels, drawn from the SVG, without a window."""

import atexit
import os
import tempfile
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sandtable._sandtable import Game

try:
    import resvg_py
    from PIL import Image, ImageFont
except ImportError as error:
    raise ImportError(
        "drawing pixels needs resvg-py and Pillow: install sandtable[pettingzoo] or sandtable[gymnasium]"
    ) from error


def pixels(game: Game, size: int) -> NDArray[np.uint8]:
    """The board, `size` pixels wide: (height, width, 3)."""
    family, file = _font()
    png = resvg_py.svg_to_bytes(
        svg_string=game.svg(size=size),
        background="white",
        skip_system_fonts=True,
        font_files=[file],
        sans_serif_family=family,
    )
    return np.array(Image.open(BytesIO(png)).convert("RGB"))


@cache
def _font() -> tuple[str, str]:
    """The family and the file of the font that Pillow brings along.

    Pieces have letters on them. The fonts of the machine would do, but a machine that trains networks often
    has none; and with one font a board has the same pixels everywhere.
    """
    font = ImageFont.load_default(size=20)
    assert isinstance(font, ImageFont.FreeTypeFont), "wheels of Pillow can read fonts"
    with tempfile.NamedTemporaryFile(suffix=".ttf", delete=False) as file:
        file.write(font.font_bytes)
    atexit.register(_remove, Path(file.name), os.getpid())
    return str(font.getname()[0]), file.name


def _remove(path: Path, maker: int) -> None:
    """Removes a file in the process that made it: a forked child would take it from its parent."""
    if os.getpid() == maker:
        path.unlink(missing_ok=True)
