"""The file store in a local folder, outside of every web root.

obstore's LocalStore is not used: it calls no fsync and creates files with mode 0644.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from porchlight.ports import FileGone, FileOutage
from porchlight.storage.keys import CHUNK_BYTES, check_key

P = ParamSpec("P")
T = TypeVar("T")


class FolderStore:
    """Stores files below `root`, which the first upload creates. Only the process's user can read them."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def put(self, key: str, source: Path, kind: str) -> None:
        """Store a file atomically. It is synced to disk when this returns."""
        await _in_thread(self._put, self._path(key), source)

    async def size(self, key: str) -> int:
        """Return a file's size in bytes."""
        return await _in_thread(lambda path: path.stat().st_size, self._path(key))

    async def read(self, key: str) -> AsyncIterator[bytes]:
        """Yield a file's content in chunks."""
        file = await _in_thread(lambda path: path.open("rb"), self._path(key))
        try:
            while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
                yield chunk
        finally:
            file.close()

    async def delete(self, key: str) -> None:
        """Delete a file, if it exists."""
        await _in_thread(lambda path: path.unlink(missing_ok=True), self._path(key))

    def _path(self, key: str) -> Path:
        return self._root / check_key(key)

    def _put(self, target: Path, source: Path) -> None:
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with source.open("rb") as reader, open(descriptor, "wb") as writer:
                shutil.copyfileobj(reader, writer, CHUNK_BYTES)
                writer.flush()
                os.fsync(writer.fileno())
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


async def _in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return await asyncio.to_thread(function, *args, **kwargs)
    except FileNotFoundError as error:
        raise FileGone from error
    except OSError as error:
        raise FileOutage(type(error).__name__) from error
