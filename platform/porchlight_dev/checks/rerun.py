"""Runs a few failed tests again, once, alone and in a new process, and says so.

A test that passes the second time leaves the run green, but not silent: the run ends with `FLAKY <id>`, and
`artifacts/flaky/` keeps the traceback, the product's log and the seed. Red stays red when a test fails again, when
more than MAX_TESTS failed, when a file cannot be read, and for markers whose failures no second try excuses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from porchlight_dev.checks.flaky import CLEAR_COMMAND, FlakyHistory
from porchlight_dev.checks.results import Failure, Results, only, read_results, with_results
from porchlight_dev.checks.task import Result, Task

MAX_TESTS = 5

RunOnce = Callable[[Task], Result]


def run_with_second_try(task: Task, run_once: RunOnce) -> Result:
    """Run a suite; run its failed tests again if a second try may excuse them."""
    listing, path = with_results(task)
    result = run_once(listing)
    results = read_results(task, path)
    ids = [failure.id for failure in results.failures]
    result = replace(result, task=task, failed_ids=ids)
    if result.passed:
        return _red_if_repeated(result)
    if refusal := reason_against(task, results):
        return replace(result, notes=[f"not run again: {refusal}"])
    again = only(task, results.failures)
    again_listing, again_path = with_results(again)
    second = run_once(again_listing)
    passed = read_results(task, again_path).passed
    still_failed = [test_id for test_id in ids if test_id not in passed]
    if still_failed or not second.passed:
        notes = [f"failed twice: {test_id}" for test_id in still_failed]
        return replace(result, notes=notes or ["the second run failed without a failed test"])
    stored = [store(task, failure, results.seed) for failure in results.failures]
    FlakyHistory(root=task.folder).add(task.name, ids)
    notes = [f"{path.relative_to(task.folder)} has the first failure" for path in stored]
    return _red_if_repeated(replace(result, passed=True, failed_ids=(), flaky_ids=ids, notes=notes))


def reason_against(task: Task, results: Results) -> str:
    """Return why the failures are final, or "" if the tests may run again."""
    count = len(results.failures)
    if not task.reruns:
        return "this suite has one try"
    if not results.is_complete:
        return "the run did not finish"
    if count == 0:
        return "no test failed, but the runner did"
    if count > MAX_TESTS:
        return f"{count} tests failed, and more than {MAX_TESTS} are no accident"
    for failure in results.failures:
        if failure.phase == "collect":
            return f"{failure.id} cannot be read"
        if failure.markers:
            return f"{failure.id} is marked {', '.join(failure.markers)}"
    return ""


def store(task: Task, failure: Failure, seed: str) -> Path:
    """Write all that is known about the first failure of a flaky test; return the file."""
    folder = task.folder / "artifacts" / "flaky"
    folder.mkdir(parents=True, exist_ok=True)
    slug = re.sub(r"\W+", "-", failure.id).strip("-")
    path = folder / f"{slug[-150:]}.txt"
    parts = [f"{failure.id}\nsuite: {task.name}\nseed of the order: {seed or 'none'}", failure.text]
    parts += [f"--- {title}\n{text}" for title, text in failure.sections]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path


def _red_if_repeated(result: Result) -> Result:
    repeated = FlakyHistory(root=result.task.folder).repeated([result.task.name])
    if not repeated:
        return result
    notes = [
        f"flaky twice in two weeks: {test_id}. After a fix of the product, run `{CLEAR_COMMAND} '{test_id}'`"
        for test_id in repeated
    ]
    return replace(result, passed=False, failed_ids=[*result.failed_ids, *repeated], notes=[*result.notes, *notes])
