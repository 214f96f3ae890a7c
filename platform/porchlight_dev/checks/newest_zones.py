"""Check that the pinned package tzdata is the newest: an older one is an hour off somewhere.

It asks the package index. Without a connection it says so and passes, so that `make test-all` works offline.
"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

from porchlight_dev.environment import BIN

PACKAGE = "tzdata"
_COMMAND = [str(BIN / "uv"), "pip", "compile", "-", "--no-deps", "--no-header", "--no-annotate", "--quiet"]


def newest() -> str | None:
    """Return the newest version, or None without a connection."""
    done = subprocess.run(_COMMAND, input=PACKAGE, capture_output=True, text=True, check=False)
    name, _, version = done.stdout.strip().partition("==")
    return version if done.returncode == 0 and name == PACKAGE else None


def main() -> int:
    """Compare the versions and say what to do."""
    installed, found = importlib.metadata.version(PACKAGE), newest()
    if found is None:
        sys.stdout.write(f"{PACKAGE} {installed}: the package index did not answer, so the newest version is unknown\n")
    elif found != installed:
        sys.stdout.write(f"{PACKAGE} {installed} is pinned, {found} is the newest\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
