"""The command line of the checks: `python -m porchlight_dev.checks check|test|test-all|bench|drill|api-types`."""

from __future__ import annotations

import argparse
import datetime as dt

from porchlight_dev.checks.api_types import API_TYPES, generate_api_types
from porchlight_dev.checks.chromium import INSTALL_HINT, find_chromium
from porchlight_dev.checks.output import write
from porchlight_dev.checks.runner import run_tasks
from porchlight_dev.checks.tasks import COMMANDS, GATE_TASKS, NEED_BROWSER, tasks_at


def main() -> int:
    """Run a command; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m porchlight_dev.checks")
    parser.add_argument("command", choices=[*COMMANDS, "api-types"])
    parser.add_argument(
        "--clock", default="", metavar="INSTANT", help="test-all only: run at one instant, in ISO format"
    )
    options = parser.parse_args()
    command: str = options.command
    if command == "api-types":
        generate_api_types(API_TYPES)
        return 0
    if command in NEED_BROWSER and find_chromium() is None:
        write(f"{INSTALL_HINT}\n")
        return 1
    if options.clock:
        if command != "test-all" or dt.datetime.fromisoformat(options.clock).tzinfo is None:
            parser.error("--clock needs test-all, and an instant with an offset: 2027-12-31T18:00:00+00:00")
        return run_tasks(tasks_at(options.clock), gate=GATE_TASKS)
    return run_tasks(COMMANDS[command], gate=GATE_TASKS if command == "test-all" else None)


if __name__ == "__main__":
    raise SystemExit(main())
