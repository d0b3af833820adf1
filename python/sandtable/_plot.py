"""Plots; the only module that needs matplotlib."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandtable import Review

_COLORS = {"inaccuracy": "tab:blue", "mistake": "tab:orange", "blunder": "tab:red"}


def plot_review(review: Review, ax: Any = None) -> Any:
    """Plot the expected score of player 0 after each turn, with a mark for each error."""
    if ax is None:
        try:
            pyplot = import_module("matplotlib.pyplot")
        except ImportError as error:
            message = "Review.plot needs matplotlib: pip install matplotlib"
            raise ImportError(message) from error
        _, ax = pyplot.subplots(figsize=(9, 3), layout="constrained")
    turns = review.turns
    plies = [0, *(turn.plies[1] for turn in turns)]
    expected = [review.start.expected, *(turn.after.expected for turn in turns)]
    ax.axhline(0.5, color="grey", linewidth=0.8)
    ax.plot(plies, expected, color="black", linewidth=1.2)
    ax.fill_between(plies, expected, 0.5, color="grey", alpha=0.25)
    for judgement, color in _COLORS.items():
        marked = [turn for turn in turns if turn.judgement == judgement]
        x = [turn.plies[1] for turn in marked]
        y = [turn.after.expected for turn in marked]
        ax.scatter(x, y, color=color, label=judgement, zorder=3, s=22)
    ax.set_ylim(0, 1)
    ax.set_xlabel("moves")
    ax.set_ylabel(f"expected score of {review.players[0]}")
    accuracy = zip(review.players, review.accuracy, strict=True)
    ax.set_title(", ".join(f"{name} {value:.1f} %" for name, value in accuracy if value is not None))
    ax.legend(loc="best", fontsize="small")
    return ax
