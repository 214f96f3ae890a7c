"""What a process that serves for weeks does about its memory: a worker stays small and never pauses for long."""

from __future__ import annotations

import contextlib
import ctypes
import gc

_ARENA_MAX = -8  # glibc's M_ARENA_MAX
_ARENAS = 2


def few_arenas() -> None:
    """Let threads share the C library's heaps: by default each may get one of its own, and none is given back.

    Early, before there are threads. Other C libraries have no such thing.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


def settle() -> None:
    """Everything is loaded: give back what loading needed, and look no more for garbage in what stays for ever.

    Python's full collections walk every object there is, some 100 ms for the modules alone, in which nobody is
    answered.
    """
    gc.collect()
    gc.freeze()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
