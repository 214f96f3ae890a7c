"""The command line of the checks: `python -m porchlight_dev.checks check|test|ci|bench|drill|api-types`."""

from __future__ import annotations

import os
import shutil
import sys

from porchlight_dev.checks.api_types import API_TYPES, generate_api_types
from porchlight_dev.checks.runner import run_tasks, write
from porchlight_dev.checks.tasks import COMMANDS, NEED_BROWSER

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def has_browser() -> bool:
    """Return whether Chromium is installed; if not, print how to get it."""
    configured = os.environ.get("PORCHLIGHT_CHROMIUM")
    if any(shutil.which(name) for name in ([configured] if configured else CHROMIUM_NAMES)):
        return True
    write(
        "The browser tests need Chromium: install it (`apt-get install chromium`) or set "
        "PORCHLIGHT_CHROMIUM=/path/to/chromium.\n"
    )
    return False


def main() -> int:
    """Run a command; return the exit code."""
    match sys.argv[1:]:
        case ["api-types"]:
            generate_api_types(API_TYPES)
            return 0
        case [command] if command in COMMANDS:
            if command in NEED_BROWSER and not has_browser():
                return 1
            return run_tasks(COMMANDS[command])
    write(f"usage: python -m porchlight_dev.checks {'|'.join([*COMMANDS, 'api-types'])}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
