"""Memory settings of long-running processes: a worker stays small and has no long garbage collection pauses."""

from __future__ import annotations

import contextlib
import ctypes
import gc
from collections.abc import Iterator

_M_ARENA_MAX = -8  # a constant of glibc
_MAX_ARENAS = 2


def limit_malloc_arenas() -> None:
    """Let threads share glibc's malloc arenas: by default it gives each thread one, and never frees them.

    Call it before the first thread starts. It has no effect with other C libraries.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _MAX_ARENAS)


@contextlib.contextmanager
def paused_gc() -> Iterator[None]:
    """Pause garbage collection while an app is imported: it makes no garbage, and collecting takes 20 % of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def freeze_gc() -> None:
    """Free the memory that only loading needed, and exclude loaded objects from garbage collection.

    A full collection visits every object: the modules alone would pause all requests for some 100 ms.
    """
    gc.collect()
    gc.freeze()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
