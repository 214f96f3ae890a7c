"""The runner of checks and tests: all failures are reported, and nothing runs twice."""

from __future__ import annotations

import itertools
import os
import re
import signal
import sys
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from porchlight_dev.checks import api_types, runner
from porchlight_dev.checks.__main__ import main
from porchlight_dev.checks.clocks import CLOCK_FOLDERS, CLOCK_VARIABLE, INSTANTS
from porchlight_dev.checks.runner import SLOTS, Schedule, run_tasks
from porchlight_dev.checks.task import Task
from porchlight_dev.checks.tasks import (
    BROWSER_FOLDERS,
    CLOCKS,
    COMMANDS,
    DRILLS,
    FAST_TESTS,
    GATE_TASKS,
    PYTEST_SUMMARY,
    SWEEPS,
    tasks_at,
)
from porchlight_dev.environment import ROOT

MARKERS = ("e2e", "tls", "sweep", "drill", "bench")


def python_task(name: str, code: str, **options: object) -> Task:
    return Task(name, [sys.executable, "-c", code], **options)  # type: ignore[arg-type]


def test_run_tasks_reports_every_failure_with_its_fix(capsys: pytest.CaptureFixture[str]) -> None:
    tasks = (
        python_task("first", "raise SystemExit('first is broken')", fix="fix the first"),
        python_task("second", "print('all good')", fix="fix the second"),
        python_task("third", "print(*[f'line {n}' for n in range(200)], sep='\\n'); raise SystemExit(1)", fix="fix it"),
    )
    assert run_tasks(tasks) == 1
    output = capsys.readouterr().out
    assert "--- first\nfirst is broken\n--> fix the first." in output
    assert "line 199\n--> fix it." in output
    assert "line 119\n" not in output
    assert "fix the second" not in output
    assert "all good" not in output
    assert output.endswith("1 of 3 checks passed.\n")


def test_run_tasks_with_leftover_process_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "REST_OF_OUTPUT_SECONDS", 0.1)
    code = "import subprocess; print(subprocess.Popen(['sleep', '600']).pid)"
    assert run_tasks((python_task("leaves a process", code, live=True),)) == 0
    output = capsys.readouterr().out
    pid = re.search(r"^\[leaves a process\] (\d+)$", output, re.M)
    assert pid is not None
    os.kill(int(pid[1]), signal.SIGKILL)


def test_run_tasks_with_silent_task_kills_it(capsys: pytest.CaptureFixture[str]) -> None:
    silent = python_task("silent", "import time; print('started'); time.sleep(600)", silence_seconds=0.5)
    assert run_tasks((silent, python_task("next", "print('fine')"))) == 1
    output = capsys.readouterr().out
    assert "[silent] printed nothing for 0.5 s and was stopped" in output
    assert output.endswith("1 of 2 checks passed.\n")


def test_run_tasks_output_without_line_end_is_no_silence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pytest prints a dot for each test. A slow suite is not killed, however long it takes."""
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.1)
    code = "import time\nfor _ in range(20): print('.', end='', flush=True); time.sleep(0.2)"
    assert run_tasks((python_task("dots", code, silence_seconds=2.0),)) == 0
    assert capsys.readouterr().out.endswith("1 of 1 checks passed.\n")


def test_run_tasks_all_passing_returns_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_tasks((python_task("only", "print('yes')"),)) == 0
    assert capsys.readouterr().out.endswith("1 of 1 checks passed.\n")


def test_run_tasks_repeats_summaries_in_task_order(capsys: pytest.CaptureFixture[str]) -> None:
    tasks = (
        python_task(
            "one",
            "print('==== 1 failed, 2 passed in 0.1s ===='); raise SystemExit(1)",
            summary=PYTEST_SUMMARY,
            live=True,
            slots=2,
        ),
        python_task("two", "print('..'); print('==== 7 passed in 0.2s ====')", summary=PYTEST_SUMMARY, slots=99),
        python_task("three", "raise SystemExit('no runner')", summary=PYTEST_SUMMARY),
    )
    assert run_tasks(tasks) == 1
    output = capsys.readouterr().out
    assert "[one] ==== 1 failed" in output
    closing = output.split("=== closing lines\n")[1].splitlines()
    assert closing[0].startswith("FAILED one (")
    assert closing[0].endswith("s): 1 failed, 2 passed in 0.1s")
    assert closing[1].endswith("s): 7 passed in 0.2s")
    assert closing[2].endswith("s): no summary, it did not finish")
    assert closing[4] == "1 of 3 checks passed."


def test_run_tasks_names_failed_tests_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    """A CI log may keep only its last lines."""
    page = [f"- listitem {number}" for number in range(60)]
    output = [
        "FAILED tests/a.py::test_a - Locator expected",
        "Error: not found",
        *page,
        "FAILED tests/b.py::test_b - 1 == 2",
        "ERROR tests/c.py - ImportError",
        "==== 2 failed, 1 error in 0.1s ====",
    ]
    code = f"print(*{output!r}, sep='\\n'); raise SystemExit(1)"
    assert run_tasks((python_task("one", code, summary=PYTEST_SUMMARY, live=True),)) == 1
    closing = capsys.readouterr().out.split("=== closing lines\n")[1].splitlines()
    lines = [line.strip() for line in closing[1:-2]]
    assert lines[:2] == output[:2]
    assert [line for line in lines if line.startswith(("FAILED", "ERROR"))] == [output[0], *output[-3:-1]]
    assert len(lines) < 20


def test_schedule_small_task_runs_beside_large_one() -> None:
    large, larger, small = (python_task(name, "", slots=slots) for name, slots in (("a", 3), ("b", 99), ("c", 1)))
    schedule = Schedule((large, larger, small), SLOTS)
    assert schedule.next() == (large, 3)
    assert schedule.next() == (small, 1)
    schedule.release(1)
    schedule.release(3)
    assert schedule.next() == (larger, SLOTS)
    assert schedule.next() is None


def test_test_command_runs_each_check_once() -> None:
    for command in ("test", "test-all"):
        names = [task.name for task in COMMANDS[command]]
        assert len(set(names)) == len(names)
    # The suites have the fast tests.
    fast = {task.name for task in FAST_TESTS}
    assert {task.name for task in COMMANDS["check"]} - fast <= {task.name for task in COMMANDS["test"]}
    assert not fast & {task.name for task in COMMANDS["test-all"]}


def test_suites_of_command_never_share_a_test() -> None:
    """The property tests, with more examples, and the runs at other instants repeat tests on purpose."""
    suites = [task for task in (*GATE_TASKS, *SWEEPS, *DRILLS[:1]) if task.framework == "pytest"]
    for count in range(len(MARKERS)):
        for markers in itertools.combinations(MARKERS, count):
            chosen = [task.name for task in suites if selects(task.argv[task.argv.index("-m") + 1], markers)]
            expected = 0 if "bench" in markers and "drill" not in markers else 1
            assert len(chosen) == expected, (markers, chosen)


def selects(expression: str, markers: Collection[str]) -> bool:
    return bool(eval(expression, {name: name in markers for name in MARKERS}))  # noqa: S307


def test_tasks_at_instant_set_the_clock_of_each() -> None:
    tasks = tasks_at("2027-12-31T18:00:00+00:00")
    assert {task.env[CLOCK_VARIABLE] for task in tasks} == {"2027-12-31T18:00:00+00:00"}
    assert {task.name for task in GATE_TASKS} < {task.name for task in tasks}
    assert not {task.name for task in CLOCKS} & {task.name for task in tasks}


@pytest.mark.parametrize("instant", INSTANTS.values())
def test_clock_instant_has_an_offset(instant: str) -> None:
    assert datetime.fromisoformat(instant).utcoffset() == timedelta(0)


@pytest.mark.parametrize("folder", CLOCK_FOLDERS)
def test_clock_folder_has_tests(folder: str) -> None:
    assert list((ROOT / folder).rglob("test_*.py"))


def test_browser_tests_are_in_their_folders() -> None:
    marked = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
        if re.search(r"pytest\.mark\.(?:e2e|tls)\b", path.read_text(encoding="utf-8"))
    ]
    assert marked
    assert [path for path in marked if not path.startswith(BROWSER_FOLDERS)] == []


def test_missing_configured_browser_gives_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PORCHLIGHT_CHROMIUM", "/nowhere/chromium")
    monkeypatch.setattr(sys, "argv", ["checks", "test"])
    assert main() == 1
    output = capsys.readouterr().out
    assert output.count("\n") == 1
    assert "apt-get install chromium-headless-shell" in output
    assert "PORCHLIGHT_CHROMIUM" in output


def test_outdated_api_types_show_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    committed = tmp_path / "api.gen.ts"
    committed.write_text("export type Old = string\n")
    monkeypatch.setattr(api_types, "API_TYPES", committed)

    def generate(target: Path) -> None:
        target.write_text("export type New = string\n")

    monkeypatch.setattr(api_types, "generate_api_types", generate)
    assert "-export type Old" in api_types.diff_with_api()
    committed.write_text("export type New = string\n")
    assert api_types.diff_with_api() == ""
