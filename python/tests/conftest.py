"""Fixtures and helpers of all tests."""

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import sandtable
from sandtable._sandtable import _COMPLETE_GAMES

ROOT = Path(__file__).resolve().parents[2]

#: Set by `cargo xtask test --deep`.
DEEP = os.environ.get("SANDTABLE_DEEP") == "1"

#: The games with everything that a game can have. The test build has the toy game besides: see test_nim.py.
COMPLETE = _COMPLETE_GAMES

# A shell ignores SIGINT in what it starts in the background, and children inherit that: without this line the
# tests of Ctrl-C, here and in child processes, would depend on how the run was started.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=COMPLETE)
def name(request: pytest.FixtureRequest) -> str:
    """The name of every complete game in turn."""
    return str(request.param)


def random_game(name: str, seed: int, plies: int, rules: str | None = None) -> Iterator[sandtable.Game]:
    """A game of random moves: yields the same object before every move and after the last."""
    rng = random.Random(seed)
    game = sandtable.make(name, rules=rules)
    for _ in range(plies):
        yield game
        if game.is_terminal():
            return
        game.apply_action(rng.choice(game.legal_actions()))
    yield game


def played(name: str, seed: int = 1, plies: int = 40, rules: str | None = None) -> sandtable.Game:
    """A game after `plies` random moves."""
    *_, game = random_game(name, seed, plies, rules)
    return game
