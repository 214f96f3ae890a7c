"""The end of a run: the output of failed tasks, one line per task, flaky tests and the totals."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from porchlight_dev.checks.output import write
from porchlight_dev.checks.task import Result, Task

MAX_FAILURE_LINES = 80


def report(results: Sequence[Result], seconds: float, gate: Collection[Task] | None = None) -> None:
    """Print the output of failed tasks, one line per task, and the totals."""
    failed = [result for result in results if not result.passed]
    for result in failed:
        _print_failed(result)
    write("\n=== closing lines\n")
    for result in results:
        write(f"{result}\n")
        write("".join(f"    {line}\n" for line in [*result.failed_tests, *result.notes]))
    for result in results:
        write("".join(f"FLAKY {test_id}\n" for test_id in result.flaky_ids))
    if gate is not None:
        _print_unseen(results, gate)
    minutes, rest = divmod(int(seconds), 60)
    write(f"Finished in {minutes} min {rest} s.\n")
    write(f"{len(results) - len(failed)} of {len(results)} checks passed.\n")


def _print_failed(result: Result) -> None:
    visible_lines = [] if result.task.live else result.output[-MAX_FAILURE_LINES:]
    left_out = 0 if result.task.live else len(result.output) - len(visible_lines)
    write(f"\n--- {result.task.name}\n")
    write(f"({left_out} earlier lines left out)\n" if left_out else "")
    write("".join(f"{line}\n" for line in visible_lines))
    write(f"--> {result.task.fix}.\n" if result.task.fix else "")


def _print_unseen(results: Sequence[Result], gate: Collection[Task]) -> None:
    """Print the failures that `make test` does not have: its own tasks did not show them."""
    names = {task.name for task in gate}
    seen = {test_id for result in results if result.task.name in names for test_id in result.failed_ids}
    unseen = [
        f"{result.task.name}: {test_id}"
        for result in results
        if result.task.name not in names and not result.passed
        for test_id in (result.failed_ids or ["failed without a failed test"])
        if test_id not in seen
    ]
    write(f"{len(unseen)} failures that `make test` does not see\n")
    write("".join(f"    {line}\n" for line in unseen))
