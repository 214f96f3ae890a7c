"""What goes wrong on one machine, said in one sentence."""

from __future__ import annotations


class LocalError(Exception):
    """A problem the person at the terminal can do something about.

    The message is one whole sentence: what is wrong and what to do. It is shown without a traceback.
    """
