"""Prints lines, and reads those of a process while it runs."""

from __future__ import annotations

import codecs
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import IO

_print_lock = threading.Lock()
_CHUNK_BYTES = 65_536


def write(text: str) -> None:
    """Print `text` at once. Lines of parallel tasks do not mix."""
    with _print_lock:
        sys.stdout.write(text)
        sys.stdout.flush()


class OutputReader:
    """A thread that collects the lines of a pipe. `silent_seconds` counts from the last byte: pytest prints dots."""

    def __init__(self, pipe: IO[bytes], on_line: Callable[[str], None]) -> None:
        self.lines: list[str] = []
        self._pipe = pipe
        self._on_line = on_line
        self._last_byte_at = time.monotonic()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def silent_seconds(self) -> float:
        """The time since the last output."""
        return time.monotonic() - self._last_byte_at

    def finish(self, seconds: float) -> None:
        """Wait for the rest of the output. A process that the task left behind keeps the pipe open."""
        self._thread.join(seconds)

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        with self._pipe:
            while chunk := os.read(self._pipe.fileno(), _CHUNK_BYTES):
                self._last_byte_at = time.monotonic()
                *lines, rest = (rest + decoder.decode(chunk)).split("\n")
                for line in lines:
                    self._add(line.rstrip("\r"))
        if rest:
            self._add(rest)

    def _add(self, line: str) -> None:
        self.lines.append(line)
        self._on_line(line)
