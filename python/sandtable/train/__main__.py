"""The command line of `python -m sandtable.train`."""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from types import FrameType

import sandtable
from sandtable.train.files import ShardError
from sandtable.train.options import Options
from sandtable.train.run import Run


def _integer(low: int, high: int | None = None) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = int(text)
        if number < low or (high is not None and number > high):
            limits = f"at least {low}" if high is None else f"{low} to {high}"
            raise argparse.ArgumentTypeError(f"must be {limits}, not {number}")
        return number

    parse.__name__ = "integer"
    return parse


def _number(low: float, high: float = math.inf) -> Callable[[str], float]:
    def parse(text: str) -> float:
        number = float(text)
        if not low <= number <= high or math.isinf(number):
            limits = f"at least {low:g}" if math.isinf(high) else f"{low:g} to {high:g}"
            raise argparse.ArgumentTypeError(f"must be {limits}, not {text}")
        return number

    parse.__name__ = "number"
    return parse


def parse_arguments(arguments: Sequence[str] | None = None) -> tuple[Path, Options]:
    """The folder and the settings of a run."""
    parser = argparse.ArgumentParser(
        prog="python -m sandtable.train",
        description="Trains a network by self-play. The same command continues a run that was stopped.",
        epilog="Ctrl-C stops; the same command repeats the learning phase or match in progress and goes on. "
        "More commands: python -m sandtable.train evaluate, python -m sandtable.train export",
    )
    default = {item.name: item.default for item in fields(Options)}

    parser.add_argument("game", choices=sandtable.GAMES, help="game to learn")
    parser.add_argument("--run", type=Path, required=True, metavar="FOLDER", help="folder of the run")
    parser.add_argument("--rules", help="rules of the game (default: its first rules)")

    def group(title: str) -> Callable[..., None]:
        section = parser.add_argument_group(title)

        def add(flag: str, kind: Callable[[str], object], help: str, **options: object) -> None:
            known = default[flag[2:].replace("-", "_")]
            shown = "" if known is None or known == () else f" (default: {known})"
            section.add_argument(flag, type=kind, default=known, help=help + shown, **options)  # type: ignore[arg-type]

        return add

    add = group("limits of the whole run, all sessions together")
    add("--hours", _number(0), "training time", metavar="H")
    add("--minutes", _number(0), "training time", metavar="M")
    add("--iterations", _integer(1), "number of iterations", metavar="N")

    add = group("network")
    add(
        "--network",
        str,
        "torch: residual network; numpy: small network, for tests",
        choices=["torch", "numpy"],
    )
    add("--blocks", _integer(0, 100), "residual blocks", metavar="N")
    add("--channels", _integer(1, 4096), "channels of each layer", metavar="N")
    add("--seed", _integer(0, 2**63), "seed of everything that is random", metavar="N")

    add = group("self-play")
    add("--games", _integer(1), "games of an iteration", metavar="N")
    add("--slots", _integer(1, 65_536), "games in parallel", metavar="N")
    add("--ray", str, "play on the Ray cluster at this address; `local` starts one", metavar="ADDRESS")
    add(
        "--search",
        str,
        "gumbel: sequential halving at the root; puct: with noise",
        choices=["gumbel", "puct"],
    )
    add("--visits", _integer(1), "visits of a thorough search", metavar="N")
    add("--fast-visits", _integer(1), "visits of a brief search", metavar="N")
    add(
        "--full-share",
        _number(0.01, 1),
        "share of thorough searches; only these are policy targets",
        metavar="X",
    )
    add("--temperature-plies", _integer(0), "moves at the beginning that are chosen with noise", metavar="N")
    add("--opening-plies", _integer(0), "random moves at the beginning of each game", metavar="N")
    add("--max-plies", _integer(1), "moves before a game is truncated, a draw", metavar="N")
    add("--threads", _integer(1, 256), "threads of search, network and engine", metavar="N")

    add = group("learning")
    add("--window", _integer(1), "most recent positions to learn from", metavar="N")
    add("--batch", _integer(1), "positions of a batch", metavar="N")
    add("--reuse", _number(0.01), "how often a position is learnt from, on average", metavar="X")
    add("--learning-rate", _number(0), "learning rate of AdamW", metavar="X")
    add("--weight-decay", _number(0), "weight decay of AdamW", metavar="X")
    add("--value-mix", _number(0, 1), "share of the search's value in the value target", metavar="X")

    add = group("matches")
    add(
        "--gate",
        _number(0, 1),
        "score that a new network needs to replace the old one; 0: no match",
        metavar="X",
    )
    add("--gate-games", _integer(2), "games of that match", metavar="N")
    add("--match-visits", _integer(1), "visits per move in matches", metavar="N")
    add("--match-plies", _integer(1), "moves before a game of a match is a draw", metavar="N")
    add("--eval-every", _integer(1), "iterations between evaluations", metavar="N")
    add("--eval-games", _integer(0), "games against each opponent of an evaluation", metavar="N")

    add = group("start from games")
    add("--from-engine", _integer(0), "start from this many games of the engine", metavar="GAMES")
    add("--engine-nodes", _integer(1), "nodes per move in these games", metavar="N")
    add("--from-records", str, "start from PGN files, game records or files of `sandtable net data`",
        nargs="+", metavar="FILE")  # fmt: skip
    add(
        "--from-random",
        _integer(0),
        "start from the ends of this many won games of random moves",
        metavar="GAMES",
    )
    add("--random-plies", _integer(1), "moves of these games to keep, counted from the end", metavar="N")
    add("--epochs", _number(0.01), "how often the network sees the games that it starts from", metavar="X")

    values = vars(parser.parse_args(arguments))
    folder: Path = values.pop("run")
    try:
        values["rules"] = sandtable.make(values["game"], rules=values["rules"]).rules
    except ValueError as error:
        parser.error(f"argument --rules: {error}")
    if values["opening_plies"] >= values["max_plies"]:
        parser.error(
            f"argument --opening-plies: must be less than --max-plies ({values['max_plies']}), "
            f"not {values['opening_plies']}"
        )
    values["from_records"] = tuple(values["from_records"])
    return folder, Options(**values)


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains or exports. Returns the exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if arguments[:1] == ["export"]:
            from sandtable.train.export import main as export

            return export(arguments[1:])
        if arguments[:1] == ["evaluate"]:
            from sandtable.train.evaluate import main as evaluate

            return evaluate(arguments[1:])
        return _train(*parse_arguments(arguments))
    except (ValueError, OSError, ShardError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        fixes = {
            "torch": "pip install 'sandtable[train]', or train with --network numpy",
            "onnx": "pip install 'sandtable[train]'",
            "ray": "pip install ray",
        }
        if error.name not in fixes:
            raise
        print(f"error: {error.name} is not installed: {fixes[error.name]}", file=sys.stderr)
        return 1


def _train(folder: Path, options: Options) -> int:
    run = Run(folder, options, say=lambda text: print(text, flush=True))
    with _stop_on_signals(run):
        run.run()
    minutes = run.state.seconds / 60
    if run.is_complete:
        print(f"All {options.iterations} iterations are done, after {minutes:.1f} minutes.")
    else:
        print(
            f"Stopped in iteration {run.state.iteration} after {minutes:.1f} minutes. "
            "The same command continues."
        )
    print(f"Report: {run.folder.report}")
    return 0


@contextmanager
def _stop_on_signals(run: Run) -> Iterator[None]:
    """Makes Ctrl-C and SIGTERM request a stop; the second Ctrl-C ends the run at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        run.request_stop()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("Stopping; Ctrl-C again ends at once.", file=sys.stderr, flush=True)

    signals = [signal.SIGINT, signal.SIGTERM] if os.name == "posix" else [signal.SIGINT]
    before = [signal.signal(number, stop) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
