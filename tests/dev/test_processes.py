"""Child processes: their signals."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from porchlight_dev.processes import spawn

PRINT_SIGINT = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"


def test_spawned_child_does_not_ignore_sigint(tmp_path: Path) -> None:
    """The background jobs of a shell ignore SIGINT; a server must not miss it before it has its own handler."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with (tmp_path / "log").open("wb") as log:
            assert spawn([sys.executable, "-c", PRINT_SIGINT], env=dict(os.environ), log=log).wait(60) == 0
    finally:
        signal.signal(signal.SIGINT, before)
    assert (tmp_path / "log").read_text() == "False\n"
