"""The tests that failed in a suite, as the test runner wrote them to a file."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porchlight_dev.checks.task import Task

SEPARATOR = "::"


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed test.

    `phase` is pytest's `setup`, `call` or `teardown`, `collect` for a file that cannot be read, and `crash` for a dead
    worker. `markers` are those whose failures a second try cannot excuse.
    """

    id: str
    phase: str = "call"
    markers: tuple[str, ...] = ()
    text: str = ""
    sections: tuple[tuple[str, str], ...] = ()

    @property
    def file(self) -> str:
        """The test's file, relative to the repository."""
        return self.id.partition(SEPARATOR)[0]


@dataclass(frozen=True, slots=True)
class Results:
    """The failures of one suite, and the seed of its order. For pytest, `passed` has only ids that ran again."""

    failures: tuple[Failure, ...] = ()
    passed: frozenset[str] = frozenset()
    seed: str = ""
    is_complete: bool = True


def with_results(task: Task) -> tuple[Task, Path]:
    """Return the task so that it writes its results, and the path of their file."""
    slug = re.sub(r"\W+", "-", task.name).strip("-")
    path = task.folder / "artifacts" / "results" / f"{slug}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if task.framework == "vitest":
        return replace(task, argv=[*task.argv, f"--outputFile.json={path}"]), path
    return replace(task, argv=[*task.argv, f"--results={path}"]), path


def read_results(task: Task, path: Path) -> Results:
    """Read the file that `with_results` named. Without a file, or with half of one, the results are not complete."""
    try:
        return _read_vitest(path, task.folder) if task.framework == "vitest" else _read_pytest(path)
    except (OSError, ValueError):
        return Results(is_complete=False)


def _read_pytest(path: Path) -> Results:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    failures: dict[str, Failure] = {}
    for row in rows:
        if row["event"] == "failed":
            sections = tuple((title, text) for title, text in row["sections"])
            failure = Failure(row["id"], row["phase"], tuple(row["markers"]), row["text"], sections)
            if previous := failures.get(failure.id):  # a test that failed in its call and in its teardown
                failure = replace(
                    previous, text=f"{previous.text}\n{failure.text}", markers=previous.markers + failure.markers
                )
            failures[failure.id] = failure
    passed = frozenset(row["id"] for row in rows if row["event"] == "passed")
    seed = next((str(row["seed"]) for row in rows if row["event"] == "start"), "")
    return Results(tuple(failures.values()), passed, seed, any(row["event"] == "finish" for row in rows))


def _read_vitest(path: Path, folder: Path) -> Results:
    failures: list[Failure] = []
    passed: set[str] = set()
    document = json.loads(path.read_text(encoding="utf-8"))
    for file in document["testResults"]:
        name = _relative(file["name"], folder)
        tests = [(f"{name}{SEPARATOR}{test['fullName']}", test) for test in file["assertionResults"]]
        failed = [
            Failure(test_id, text="\n".join(test["failureMessages"]))
            for test_id, test in tests
            if test["status"] == "failed"
        ]
        failures += failed
        passed.update(test_id for test_id, test in tests if test["status"] == "passed")
        if file["status"] == "failed" and not failed:
            failures.append(Failure(name, "collect", text=file.get("message", "")))
    return Results(tuple(failures), frozenset(passed))


def _relative(name: str, folder: Path) -> str:
    path = Path(name)
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else name


def only(task: Task, failures: Sequence[Failure]) -> Task:
    """Return a task that runs these tests alone, in a new process of its test runner, one after the other."""
    files = sorted({failure.file for failure in failures})
    if task.framework == "vitest":
        names = "|".join(f"^{_javascript_escape(failure.id.partition(SEPARATOR)[2])}$" for failure in failures)
        argv: list[str] = [*task.argv, *files, "-t", names]
    else:
        ids_file = task.folder / "artifacts" / "results" / "only.json"
        ids_file.write_text(json.dumps([failure.id for failure in failures]), encoding="utf-8")
        argv = [task.argv[0], f"--only={ids_file}", *files]
    return replace(task, name=f"{task.name}, again", argv=argv)


def _javascript_escape(text: str) -> str:
    return re.sub(r"[\\^$.*+?()\[\]{}|/-]", r"\\\g<0>", text)
