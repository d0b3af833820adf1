"""The settings of a run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

#: Marks settings that may change when a run continues: they change neither games nor networks, except that
#: `threads` changes the last bits of PyTorch networks, and so their games.
_FREE = {"free": True}


class Stream(IntEnum):
    """What random numbers are for. Each use has a stream of its own and does not depend on the others."""

    WEIGHTS = 1
    ENGINE = 2
    SELF_PLAY = 3
    LEARN = 4
    MATCH = 5
    RANDOM = 6


@dataclass(frozen=True)
class Options:
    """The settings of a run. `--help` describes them."""

    game: str
    rules: str
    network: str = "torch"
    blocks: int = 4
    channels: int = 32
    seed: int = 1

    games: int = 128
    slots: int = 64
    ray: str | None = None
    search: str = "gumbel"
    visits: int = 64
    fast_visits: int = 16
    full_share: float = 0.25
    temperature_plies: int = 24
    max_plies: int = 200
    opening_plies: int = 0

    window: int = 150_000
    batch: int = 256
    reuse: float = 4.0
    learning_rate: float = 1e-3
    weight_decay: float = 1e-4
    value_mix: float = 0.25

    gate: float = 0.5
    gate_games: int = 40
    match_visits: int = 32
    match_plies: int = 300

    from_engine: int = 0
    engine_nodes: int = 300
    from_records: tuple[str, ...] = ()
    from_random: int = 0
    random_plies: int = 60
    epochs: float = 4.0

    eval_every: int = field(default=5, metadata=_FREE)
    eval_games: int = field(default=20, metadata=_FREE)
    threads: int = field(default=1, metadata=_FREE)
    hours: float | None = field(default=None, metadata=_FREE)
    minutes: float | None = field(default=None, metadata=_FREE)
    iterations: int | None = field(default=None, metadata=_FREE)

    @property
    def seconds(self) -> float | None:
        """The time limit of the whole run."""
        limits = [60 * self.minutes] if self.minutes is not None else []
        if self.hours is not None:
            limits.append(3600 * self.hours)
        return min(limits, default=None)

    def rng(self, stream: Stream, *numbers: int) -> np.random.Generator:
        """The random numbers of one thing, such as the self-play of an iteration."""
        return np.random.default_rng((self.seed, stream, *(number + 1 for number in numbers)))

    def to_json(self) -> str:
        """The settings as they are stored in the folder of a run."""
        return json.dumps(asdict(self), indent=2) + "\n"

    def check_stored(self, stored: str, folder: Path) -> None:
        """Raises `ValueError` if a run with the stored settings cannot continue with these."""
        before: dict[str, Any] = json.loads(stored)
        now: dict[str, Any] = json.loads(self.to_json())
        changes = [
            f"{flag(item.name)} was {before.get(item.name)}, not {now[item.name]}"
            for item in fields(self)
            if not item.metadata.get("free") and _meaning(item.name, before) != _meaning(item.name, now)
        ]
        if changes:
            raise ValueError(
                f"the run in {folder} has other settings: {'; '.join(changes)}. "
                "Continue it with the same command, or choose another folder with --run"
            )


def _meaning(name: str, settings: dict[str, Any]) -> Any:
    """What games and networks depend on: whether there is a cluster, but not where."""
    return settings.get(name) is not None if name == "ray" else settings.get(name)


def flag(name: str) -> str:
    """The command-line flag of a setting."""
    return "the game" if name == "game" else "--" + name.replace("_", "-")
