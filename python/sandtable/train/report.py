"""The report of a run: one HTML page without external files, for somebody who looks at it once a day."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

import sandtable
from sandtable.train.chart import Series, line_chart
from sandtable.train.files import replace
from sandtable.train.matches import LEVELS, Tally
from sandtable.train.options import Options
from sandtable.train.samples import Result, SampleGame

Event = dict[str, Any]

_RESULTS = {
    Result.FIRST_WINS: "{0} wins",
    Result.SECOND_WINS: "{1} wins",
    Result.DRAW: "Draw",
    Result.TRUNCATED: "Stopped at the move limit, counted as a draw",
}

#: The style sheet and the script, which are part of the page.
_STYLE = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
_SCRIPT = Path(__file__).with_name("report.js").read_text(encoding="utf-8")


def write_report(
    path: Path, options: Options, events: Sequence[Event], games: Sequence[tuple[str, SampleGame]]
) -> None:
    """Writes the report, replaced as a whole. `games` are shown to step through, with their titles."""
    replace(path, report(options, events, games).encode())


def report(options: Options, events: Sequence[Event], games: Sequence[tuple[str, SampleGame]]) -> str:
    """The report as HTML."""

    def of(kind: str) -> list[Event]:
        return [event for event in events if event["event"] == kind]

    name = escape(options.game)
    cards = [
        *_charts(options, of),
        *_final(of),
        _matches(of),
        *(_game(title, game, options) for title, game in games),
    ]
    size = (
        f"{options.blocks} blocks × {options.channels} channels"
        if options.network == "torch"
        else "NumPy network"
    )
    return "".join(
        (
            "<!doctype html><html lang=en><meta charset=utf-8>",
            '<meta name=viewport content="width=device-width, initial-scale=1">',
            f"<title>{name}: training report</title><style>{_STYLE}</style><main>",
            f"<h1>Training report: {name}</h1>",
            f'<p class="soft">Rules {escape(options.rules)}, {size}, {options.visits} visits per thorough '
            f"search, seed {options.seed}.</p>",
            _facts(options, of),
            f'<div class="cards">{"".join(cards)}</div></main><script>{_SCRIPT}</script></html>\n',
        )
    )


def _facts(options: Options, of: Any) -> str:
    """The state of the run in a few numbers."""
    played, ratings = of("self_play"), of("elo")
    seconds = max(
        (
            event["seconds"]
            for kind in ("start_games", "pretrain", "self_play", "learn", "gate", "elo")
            for event in of(kind)
        ),
        default=0,
    )
    facts = [
        (
            f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.0f} min",
            f"of training, iterations: {len(played)}",
        ),
        (
            f"{sum(event['games'] for event in played):,}",
            f"games of self-play, {sum(event['positions'] for event in played):,} positions",
        ),
    ]
    for start, learned in zip(of("start_games"), of("pretrain"), strict=False):
        losses = f"policy loss {learned['policy']:.2f}, " if learned["policy"] else ""
        facts.append(
            (f"{start['games']:,}", f"games to start from; {losses}value loss {learned['value']:.2f}")
        )
    if ratings:
        last = ratings[-1]
        facts.append(
            (
                f"{last['elo']:.0f} Elo",
                f"network {last['network']}; 95 %: {last['low']:.0f} to {last['high']:.0f}",
            )
        )
        facts.append((_strength(options, last["elo"]), "of the engine; level 0 plays random moves"))
    accepted = [event for event in of("gate") if event["accepted"]]
    if of("gate"):
        newest = f"the last was network {accepted[-1]['network']}" if accepted else "none yet"
        facts.append(
            (f"{len(accepted)} of {len(of('gate'))}", f"new networks replaced the old one; {newest}")
        )
    boxes = (
        f'<div class="fact"><b>{escape(value)}</b><span class="soft">{escape(text)}</span></div>'
        for value, text in facts
    )
    return f'<div class="facts">{"".join(boxes)}</div>'


def _level_elos(game: str) -> list[tuple[float, int]]:
    """The Elo of the engine levels."""
    known = ((sandtable.level_elo(game, level), level) for level in LEVELS)
    return [(float(elo), level) for elo, level in known if elo is not None]


def _strength(options: Options, elo: float) -> str:
    """The engine levels next to an Elo, in words."""
    below = [level for of_level, level in _level_elos(options.game) if of_level <= elo]
    if not below:
        return "below level 0"
    if below[-1] == LEVELS[-1]:
        return f"above level {LEVELS[-1]}"
    return f"level {below[-1]} to {below[-1] + 1}"


def _card(title: str, text: str, content: str, wide: bool = False) -> str:
    name = "card wide" if wide else "card"
    return f'<section class="{name}"><h2>{escape(title)}</h2><p>{escape(text)}</p>{content}</section>'


def _points(events: Sequence[Event], key: str) -> list[tuple[float, float]]:
    return [(event["iteration"], event[key]) for event in events]


def _charts(options: Options, of: Any) -> list[str]:
    """The charts with a sentence that says how to read each."""
    x = "iteration"
    ratings, played, learned, gates = of("elo"), of("self_play"), of("learn"), of("gate")
    band = [(event["low"], event["high"]) for event in ratings]
    levels = [
        (elo, f"level {level}" if level else "random moves") for elo, level in _level_elos(options.game)
    ]
    scores = [(event["iteration"], _tally(event).score) for event in gates]
    threshold = [(event["iteration"], options.gate) for event in gates]
    # Without a match every network replaces the old one.
    gate = (
        [
            _card(
                "New network against old",
                f"Score of each new network against the old one; it replaces it from {options.gate:.0%} on.",
                line_chart([Series("score", 0, scores), Series("needed", 1, threshold)], x, percent=True),
            )
        ]
        if options.gate > 0
        else []
    )
    return [
        _card(
            "Strength",
            "Elo against the engine's levels, with the 95 % confidence interval. It means little while "
            "almost all games are drawn by the move limit (see Matches). It should rise; a flat line over "
            "many iterations means that the run has converged or is stuck.",
            line_chart([Series("Elo", 0, _points(ratings, "elo"), band)], x, marks=levels),
            wide=True,
        ),
        _card(
            "Policy loss",
            "How far the network's move choice is from the search's. It falls towards the entropy of the "
            "targets; it may rise for a while when better networks play more varied games.",
            line_chart([Series("policy loss", 0, _points(learned, "policy"))], x),
        ),
        _card(
            "Value loss",
            "How badly results are predicted. 1.10 is guessing; 0 would mean that every result is known in "
            "advance.",
            line_chart([Series("value loss", 1, _points(learned, "value"))], x),
        ),
        _card(
            "Policy entropy",
            "How undecided move choices are, in nats. Near 0 the network always plays the same moves, and "
            "self-play finds nothing new.",
            line_chart(
                [
                    Series("network", 0, _points(learned, "entropy")),
                    Series("search (target)", 2, _points(played, "target_entropy")),
                ],
                x,
                from_zero=True,
            ),
        ),
        _card(
            "Game length",
            f"Mean number of moves of a self-play game; games are stopped after {options.max_plies}.",
            line_chart([Series("moves", 3, _points(played, "length"))], x, from_zero=True),
        ),
        _card(
            "Decisive games",
            "Share of self-play games with a winner. Without decisive games there is little to learn from.",
            line_chart(
                [
                    Series("decisive", 0, _points(played, "decisive")),
                    Series(
                        "won by the first player",
                        2,
                        [(e["iteration"], e["first_wins"] / e["games"]) for e in played],
                    ),
                    Series(
                        "won by the second player",
                        1,
                        [(e["iteration"], e["second_wins"] / e["games"]) for e in played],
                    ),
                ],
                x,
                percent=True,
            ),
        ),
        *gate,
    ]


def _tally(event: Event) -> Tally:
    return Tally(event["wins"], event["draws"], event["losses"])


def _opponent(event: Event) -> str:
    if "against" in event:
        return f"network {event['against']}"
    return f"engine level {event['level']}" if event["level"] else "random moves"


def _final(of: Any) -> list[str]:
    """A table of the matches of the command `evaluate`, if there are any."""
    rows = []
    for event in of("final"):
        tally = _tally(event)
        low, high = tally.interval()
        rows.append(
            (
                f"network {event['network']}, {event['visits']} visits",
                _opponent(event),
                tally.wins,
                tally.draws,
                tally.losses,
                f"{tally.score:.1%}",
                f"{low:.0%} to {high:.0%}",
                event["length"],
            )
        )
    heads = ("player", "opponent", "won", "drawn", "lost", "score", "95 %", "moves")
    text = (
        "Matches of the command evaluate, with their 95 % confidence intervals and the mean length of a game."
    )
    return [_card("Final matches", text, _table(heads, rows), wide=True)] if rows else []


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    def line(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    lines = [line("th", heads), *(line("td", row) for row in rows)]
    return f'<div class="scroll"><table>{"".join(lines)}</table></div>'


def _matches(of: Any) -> str:
    """A table of the matches of the evaluations, the latest first."""
    rows = []
    for event in sorted(of("level") + of("earlier"), key=lambda event: -event["iteration"])[:24]:
        tally = _tally(event)
        cells = (
            event["iteration"],
            f"network {event['network']}",
            _opponent(event),
            tally.wins,
            tally.draws,
            tally.losses,
        )
        rows.append((*cells, f"{tally.score:.0%}"))
    heads = ("iteration", "player", "opponent", "won", "drawn", "lost", "score")
    content = _table(heads, rows) if rows else '<p class="empty">No data yet.</p>'
    return _card("Matches", "Evaluations of the network that plays, the latest first.", content, wide=True)


def _game(title: str, game: SampleGame, options: Options) -> str:
    """A game to step through. The boards share most of their parts, so only the changes are stored."""
    parts: dict[str, int] = {}
    boards: list[list[int]] = []
    for board in game.replay(options.game, options.rules):
        pieces = board.svg(size=460).replace("><", ">\n<").split("\n")
        boards.append([parts.setdefault(piece, len(parts)) for piece in pieces])
    names = board.player_names
    content = {
        "parts": list(parts),
        "first": boards[0],
        "changes": [_changes(*pair) for pair in pairwise(boards)],
        "moves": board.sans_played()[-len(boards) + 1 :],
    }
    data = json.dumps(content, separators=(",", ":"))
    # The data must not end the element that contains it.
    data = data.replace("</", "<\\/")
    outcome = board.outcome()
    reason = f" ({outcome.reason})" if outcome else ""
    result = _RESULTS[game.result].format(*names) + reason
    page = (
        '<div class="game"><img alt="board"><div class="steps"><button data-by="-1">◀</button>'
        '<input type="range" min="0" value="0" aria-label="move"><button data-by="1">▶</button></div>'
        '<span class="move"></span><noscript>Stepping through the game needs JavaScript.</noscript>'
        f'<script type="application/json">{data}</script></div>'
    )
    return _card(title, f"{len(game.actions)} moves. {result}.", page)


def _changes(before: list[int], after: list[int]) -> list[list[int]]:
    """How a list becomes another one, from its end: place, number of items to remove, new items."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    changes = [
        [start, end - start, *after[low:high]]
        for tag, start, end, low, high in matcher.get_opcodes()
        if tag != "equal"
    ]
    return changes[::-1]
