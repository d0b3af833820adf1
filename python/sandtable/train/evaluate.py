"""Matches of a finished network with engine levels: `python -m sandtable.train evaluate RUN`."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from sandtable.train.files import replace as replace_file
from sandtable.train.matches import LEVELS, LevelPlayer, NetworkPlayer, match, openings
from sandtable.train.options import Stream
from sandtable.train.progress import Progress
from sandtable.train.run import MATCH_OPENING, Folder, Run, create_network, load_arrays
from sandtable.train.self_play import evaluator


def main(arguments: Sequence[str]) -> int:
    """The command `evaluate`. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m sandtable.train evaluate",
        description="Plays matches of a network with engine levels and adds them to the report of the run.",
    )
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--version", type=int, metavar="N", help="network (default: the one that plays)")
    parser.add_argument("--levels", type=int, nargs="+", default=[0, 1, 2, 3], choices=LEVELS,
                        metavar="N", help="engine levels; 0: random moves (default: 0 1 2 3)")  # fmt: skip
    parser.add_argument("--games", type=int, default=40, metavar="N", help="games of a match (default: 40)")
    parser.add_argument("--visits", type=int, default=200, metavar="N", help="visits per move (default: 200)")
    parser.add_argument("--plies", type=int, default=400, metavar="N",
                        help="moves before a game is a draw (default: 400)")  # fmt: skip
    parser.add_argument("--search", choices=["gumbel", "puct"], help="search (default: that of the run)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads (default: 1)")
    values = parser.parse_args(arguments)
    for name in ("games", "visits", "plies", "threads"):
        if getattr(values, name) < 1:
            parser.error(f"argument --{name}: must be at least 1, not {getattr(values, name)}")
    folder = Folder(values.run)
    if not folder.options.exists():
        parser.error(f"{values.run} is not the folder of a run: it has no options.json")
    options = replace(folder.read_options(), threads=values.threads)
    version = folder.read_state().best if values.version is None else values.version
    if not folder.network(version).exists():
        parser.error(f"unknown network {version}: {folder.networks} has no {folder.network(version).name}")

    network = create_network(options)
    network.load(load_arrays(folder.network(version)))
    search = values.search or options.search
    for level in values.levels:
        player = NetworkPlayer(
            evaluator(network), values.visits, gumbel=search == "gumbel", threads=values.threads
        )
        opponent = LevelPlayer(level, seed=1000 * level, threads=values.threads)
        boards = openings(
            options.game, options.rules, values.games, MATCH_OPENING, options.rng(Stream.MATCH, 0, level)
        )
        bar = Progress("match", values.games)
        start = time.monotonic()
        tally = match(player, opponent, boards, values.plies, bar.update)
        bar.end()
        low, high = tally.interval()
        event = {
            "network": version,
            "level": level,
            "search": search,
            "visits": values.visits,
            "plies": values.plies,
            **asdict(tally),
            "score": round(tally.score, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "length": round(math.fsum(board.ply for board in boards) / len(boards), 1),
            "seconds": round(time.monotonic() - start, 1),
        }
        before = folder.evaluations.read_bytes() if folder.evaluations.exists() else b""
        replace_file(folder.evaluations, before + json.dumps(event).encode() + b"\n")
        print(f"network {version} against level {level}: {tally} [{low:.1%}, {high:.1%}]", flush=True)
    try:
        run = Run(values.run, folder.read_options(), say=print)
    except BlockingIOError:
        print("The run is in progress and adds the matches to its report.")
    else:
        run.refresh_report()
    return 0
