"""A progress bar on the terminal. Without a terminal there is none."""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import TextIO

_WIDTH = 24
#: The shortest time between two updates, in seconds.
_INTERVAL = 0.1


class Progress:
    """A line that shows how far a task is. It disappears when the task ends."""

    def __init__(self, label: str, total: int, stream: TextIO | None = None) -> None:
        self.label, self.total = label, max(total, 1)
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._has_color = not os.environ.get("NO_COLOR")
        self._start = time.monotonic()
        self._shown = 0.0

    def update(self, done: int, note: str = "") -> None:
        """Shows the number of finished parts."""
        now = time.monotonic()
        if not self._is_terminal or now - self._shown < _INTERVAL:
            return
        self._shown = now
        share = min(done / self.total, 1.0)
        filled = round(_WIDTH * share)
        bar = "━" * filled
        if self._has_color:
            bar = f"\x1b[36m{bar}\x1b[0m"
        elapsed = now - self._start
        left = f", {_duration(elapsed / share - elapsed)} left" if share > 0.02 else ""
        text = f"{self.label:<12} {bar}{' ' * (_WIDTH - filled)} {done}/{self.total}{left}"
        width = shutil.get_terminal_size().columns - 1
        extra = len(bar) - filled
        self._stream.write("\r\x1b[K" + (text + (f"  {note}" if note else ""))[: width + extra])
        self._stream.flush()

    def end(self) -> None:
        """Removes the line."""
        if self._is_terminal and self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
