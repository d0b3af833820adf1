"""Self-play on a Ray cluster. The only module that needs Ray.

The games of an iteration are divided into parts of `--slots` games. A part is a task without state: Ray runs
it on any free machine, and runs it again elsewhere if its worker dies. Since the games of a part depend on
their numbers and the network alone, it does not matter where they are played. All machines need
`sandtable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import ray

from sandtable.train.network import Arrays
from sandtable.train.options import Options
from sandtable.train.self_play import SelfPlay, evaluator

#: Seconds between two questions whether to stop.
_INTERVAL = 0.5


def play_part(options: Options, iteration: int, version: int, weights: Arrays, part: int) -> list[bytes]:
    """Plays a part of the games of an iteration and returns them encoded, in the order of their numbers."""
    from sandtable.train.run import create_network

    network = create_network(options)
    network.load(weights)
    evaluate = evaluator(network)
    first = part * options.slots
    play = SelfPlay(options, iteration, version, first, min(options.slots, options.games - first))
    games = []
    while not play.is_done:
        games += play.step(evaluate)
    return [game.encode() for game in sorted(games, key=lambda game: game.number)]


def play_parts(
    options: Options,
    iteration: int,
    version: int,
    weights: Arrays,
    first: int,
    check: Callable[[], None],
) -> Iterator[list[bytes]]:
    """The parts of an iteration from number `first` on, in order.

    `check` is called from time to time and may raise to stop.
    """
    if not ray.is_initialized():
        ray.init(
            address=None if options.ray == "local" else options.ray,
            include_dashboard=False,
            logging_level="warning",
            log_to_driver=False,
        )
    task = ray.remote(num_cpus=options.threads, max_retries=-1)(play_part)
    shared = ray.put(dict(weights))
    parts = range(first, -(-options.games // options.slots))
    pending = [task.remote(options, iteration, version, shared, part) for part in parts]
    try:
        while pending:
            ready, _ = ray.wait([pending[0]], timeout=_INTERVAL)
            if ready:
                yield ray.get(pending.pop(0))
            check()
    finally:
        for reference in pending:
            ray.cancel(reference, force=True)
