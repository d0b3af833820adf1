"""Files that survive a crash: replaced as a whole, or appended record by record with checksums."""

from __future__ import annotations

import os
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

#: Length and checksum of a record, four bytes each, lowest byte first.
_PREFIX = struct.Struct("<II")


class ShardError(ValueError):
    """A file of records that is damaged, or that belongs to something else."""


def replace(path: Path, content: bytes) -> None:
    """Replaces a file as a whole. After a crash it has the old content or the new one."""
    temporary = path.with_name(path.name + ".part")
    with open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Makes the names of new files in a folder durable. Windows cannot open folders and does not need it."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def read_records(path: Path, kind: str) -> tuple[str, list[bytes]]:
    """The header line and the records of a shard. An incomplete last record is left out.

    `kind` is the beginning of the header, for example `sandtable-samples 1`.
    """
    header, records, _ = _scan(path, path.read_bytes(), kind)
    return header, records


def _scan(path: Path, data: bytes, kind: str) -> tuple[str, list[bytes], int]:
    """The header, the records and the end of the last complete record."""
    end = data.find(b"\n") + 1
    header = data[:end].decode("utf-8", "replace")
    if not header.startswith(kind + " "):
        found = header.rstrip("\n") or data[:40].decode("utf-8", "replace")
        raise ShardError(f"{path} is not a file of the format `{kind}`: it begins with `{found[:60]}`")
    records = []
    while end < len(data):
        if len(data) - end < _PREFIX.size:
            break
        length, checksum = _PREFIX.unpack_from(data, end)
        payload = data[end + _PREFIX.size : end + _PREFIX.size + length]
        after = end + _PREFIX.size + length
        if length == 0 or after > len(data) or zlib.crc32(payload) != checksum:
            # The last record may be incomplete, or the file may end in zeros after a loss of power. Anything
            # else is damage that must not go unnoticed.
            if (length > 0 and after >= len(data)) or not any(data[end:]):
                break
            raise ShardError(f"{path} is damaged: the record at byte {end} has a wrong checksum")
        records.append(payload)
        end = after
    return header, records, end


class ShardWriter:
    """A file of records to append to."""

    def __init__(self, path: Path, header: str, kind: str) -> None:
        """Opens or creates the file. An incomplete last record is removed.

        Raises `ShardError` if the file is damaged or has another header.
        """
        self.path = path
        #: The records that the file had when it was opened, and those appended since.
        self.count = 0
        start = (header + "\n").encode()
        data = path.read_bytes() if path.exists() else b""
        end = 0
        # A file shorter than its header was interrupted while it was created.
        if len(data) >= len(start) or not start.startswith(data):
            found, records, end = _scan(path, data, kind)
            if found != header + "\n":
                raise ShardError(
                    f"{path} has other settings: it begins with `{found.rstrip()}`, not `{header}`"
                )
            self.count = len(records)
        self._file: IO[bytes] = open(path, "r+b" if path.exists() else "w+b")  # noqa: SIM115
        self._file.truncate(end)
        self._file.seek(end)
        if end == 0:
            self._file.write(start)
            self._sync()
            _sync_folder(path.parent)

    def append(self, records: Iterable[bytes]) -> None:
        """Appends records. They are on the disk when this returns."""
        written = 0
        for record in records:
            self._file.write(_PREFIX.pack(len(record), zlib.crc32(record)) + record)
            written += 1
        if written:
            self._sync()
            self.count += written

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


class Lock:
    """An exclusive lock: one process at a time writes to a folder.

    The operating system releases it when the process ends.
    """

    def __init__(self, folder: Path) -> None:
        self._file = open(folder / "lock", "a+b")  # noqa: SIM115
        try:
            if sys.platform == "win32":
                import msvcrt

                self._file.seek(0)
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise BlockingIOError(f"another process is training in {folder}: stop it first") from error

    def release(self) -> None:
        """Releases the lock."""
        self._file.close()


def lines(path: Path, length: int) -> Iterator[str]:
    """The complete lines among the first `length` bytes of a file."""
    with open(path, "rb") as file:
        yield from file.read(length).decode("utf-8").splitlines()
