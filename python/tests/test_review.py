"""Reviews of games."""

import sys
from typing import Any

import pytest
import sandtable
from conftest import played

FOOLS_MATE = "1. f3 e5 2. g4 Qh4# 0-1"


def fools_mate() -> sandtable.Review:
    game, _ = sandtable.ChessGame.from_record(FOOLS_MATE)
    return sandtable.review(game, nodes=2_000)


def test_the_blunder_is_found_and_a_better_turn_shown() -> None:
    review = fools_mate()
    blunder = review.turns[2]
    assert (blunder.number, blunder.player, blunder.text, blunder.plies) == (2, 0, "g4", (2, 3))
    assert blunder.judgement == "blunder" and blunder.loss > 0.3 and blunder in review.errors
    assert blunder.better and blunder.after_better is not None and blunder.after.mate == -1
    last = review.turns[3]
    assert (last.loss, last.after.expected, last.after.mate) == (0, 0, 0)
    white, black = review.accuracy
    assert white is not None and black is not None and white < 85 < black
    assert "White" in repr(review) and "blunder" in repr(blunder) and "expected" in repr(blunder.after)


def test_the_record_has_the_review() -> None:
    record = fools_mate().record([("White", "Anna")]).replace("\n", " ")
    assert '[White "Anna"]' in record and "2. g4 $4 {[%eval #-1] [%loss " in record and "(2. " in record
    sandtable.ChessGame.from_record(record)


def test_every_game_is_reviewed_and_the_result_is_reproducible(name: str) -> None:
    game = played(name, plies=12)
    before = game.clone()
    review = sandtable.review(game, nodes=300)
    assert game == before and review == sandtable.review(game, nodes=300, threads=3)
    assert 0 < len(review.turns) <= 12 and all(0 <= turn.after.expected <= 1 for turn in review.turns)
    assert review != sandtable.review(game, nodes=900, eval="hand")


def test_arguments_are_checked() -> None:
    game = sandtable.ChessGame()
    with pytest.raises(ValueError, match="nodes must be at least 1, not 0"):
        sandtable.review(game, nodes=0)
    for threads in (0, 10_000):
        with pytest.raises(ValueError, match="threads must be 1 to 256"):
            sandtable.review(game, threads=threads)
    assert sandtable.review(game, nodes=100).accuracy == (None, None)


class Axes:
    """Records the calls of a plot."""

    def __init__(self) -> None:
        self.calls: dict[str, list[tuple[Any, ...]]] = {}

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **_: self.calls.setdefault(name, []).append(args)


def test_a_plot_has_every_turn_and_every_error() -> None:
    review = fools_mate()
    axes = Axes()
    assert review.plot(axes) is axes
    [(plies, expected)] = axes.calls["plot"]
    assert plies == [0, 1, 2, 3, 4] and expected[-1] == 0
    assert sum(len(x) for x, _ in axes.calls["scatter"]) == len(review.errors)


def test_a_plot_without_matplotlib_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        fools_mate().plot()
