"""Files in a folder of this machine, outside of every web root."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from porchlight.ports import FileGone, FileOutage

PIECE = 256 * 1024  # bytes
P = ParamSpec("P")
T = TypeVar("T")
KEY = re.compile(r"[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*")


class FolderStore:
    """Keeps files below `root`, which is made when the first one comes. Nobody but this account can read them."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def put(self, key: str, source: Path, kind: str) -> None:
        """Keep a file. It appears under its name whole, and is on the disk by then."""
        await _off_loop(self._put, self._path(key), source)

    async def size(self, key: str) -> int:
        """How many bytes there are under a name."""
        return await _off_loop(lambda path: path.stat().st_size, self._path(key))

    async def read(self, key: str) -> AsyncIterator[bytes]:
        """The file, piece by piece."""
        file = await _off_loop(lambda path: path.open("rb"), self._path(key))
        try:
            while piece := await asyncio.to_thread(file.read, PIECE):
                yield piece
        finally:
            file.close()

    async def delete(self, key: str) -> None:
        """Throw a file away."""
        await _off_loop(lambda path: path.unlink(missing_ok=True), self._path(key))

    def _path(self, key: str) -> Path:
        if not KEY.fullmatch(key):
            raise ValueError("files are kept under names of our own")
        return self._root / key

    def _put(self, target: Path, source: Path) -> None:
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with source.open("rb") as given, open(descriptor, "wb") as kept:
                shutil.copyfileobj(given, kept, PIECE)
                kept.flush()
                os.fsync(kept.fileno())
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


async def _off_loop(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return await asyncio.to_thread(work, *args, **kwargs)
    except FileNotFoundError as fault:
        raise FileGone from fault
    except OSError as fault:
        raise FileOutage(type(fault).__name__) from fault
