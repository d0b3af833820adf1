"""Boards as arrays of pixels for the render mode `rgb_array`, rasterised from the SVG without a window."""

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
        "rgb_array rendering needs resvg-py and Pillow: install sandtable[pettingzoo] or sandtable[gymnasium]"
    ) from error


def rgb_array(game: Game, size: int) -> NDArray[np.uint8]:
    """Renders the board, `size` pixels wide: uint8, (height, width, 3)."""
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
    """The family and the file of the font that Pillow includes.

    Training machines often have no fonts for the letters of pieces, and with one font boards have the same
    pixels on every machine.
    """
    font = ImageFont.load_default(size=20)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow wheels include FreeType"
    with tempfile.NamedTemporaryFile(suffix=".ttf", delete=False) as file:
        file.write(font.font_bytes)
    atexit.register(_remove, Path(file.name), os.getpid())
    return str(font.getname()[0]), file.name


def _remove(path: Path, owner: int) -> None:
    """Removes a file, but only in the process that created it: a forked child must leave it to its parent."""
    if os.getpid() == owner:
        path.unlink(missing_ok=True)
