"""The command line of the checks: `python -m porchlight_dev.checks check|test|ci|bench|drill|api-types`."""

from __future__ import annotations

import sys

from porchlight_dev.checks.api_types import API_TYPES, generate_api_types
from porchlight_dev.checks.chromium import INSTALL_HINT, find_chromium
from porchlight_dev.checks.runner import run_tasks, write
from porchlight_dev.checks.tasks import COMMANDS, NEED_BROWSER


def main() -> int:
    """Run a command; return the exit code."""
    match sys.argv[1:]:
        case ["api-types"]:
            generate_api_types(API_TYPES)
            return 0
        case [command] if command in COMMANDS:
            if command in NEED_BROWSER and find_chromium() is None:
                write(f"{INSTALL_HINT}\n")
                return 1
            return run_tasks(COMMANDS[command])
    write(f"usage: python -m porchlight_dev.checks {'|'.join([*COMMANDS, 'api-types'])}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
