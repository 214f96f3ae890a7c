"""The error that every development tool shows without a traceback."""

from __future__ import annotations


class DevError(Exception):
    """A problem that the developer can fix.

    The message is one complete sentence: what is wrong and what to do next.
    """
