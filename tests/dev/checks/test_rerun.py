"""The second try of a few failed tests: never silent, and never an excuse for tests of races, money or isolation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

import pytest

from porchlight_dev.checks import flaky
from porchlight_dev.checks.flaky import FlakyHistory
from porchlight_dev.checks.rerun import reason_against
from porchlight_dev.checks.results import Failure, Results
from porchlight_dev.checks.runner import run_tasks
from porchlight_dev.checks.task import Task
from porchlight_dev.checks.tasks import PYTEST_SUMMARY, VITEST_SUMMARY, program
from porchlight_dev.environment import ROOT

CONFTEST = 'pytest_plugins = ["tests.fixtures.red_markers", "tests.fixtures.results_file"]\n'
SETTINGS = "[pytest]\nmarkers =\n    race: r\n    money: m\n    isolation: i\n"
# Fails in the first process that runs it, and passes in the next.
FLAKY_ONCE = """
import os, pathlib, pytest

def fail_once(name):
    mark = pathlib.Path(__file__).with_name(f"{name}.mark")
    if not mark.exists():
        mark.write_text(str(os.getpid()))
        print("the seed was 7")
        raise AssertionError("too slow")
    assert mark.read_text() != str(os.getpid())
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Run(tmp_path / "repository", capsys)


class Run:
    """A tiny repository of tests, and the runs of its only suite."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in {"conftest.py": CONFTEST, "pytest.ini": SETTINGS, **files}.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def forget(self) -> None:
        """Make the flaky tests fail once more."""
        for mark in self.folder.rglob("*.mark"):
            mark.unlink()

    def __call__(self, *options: str) -> tuple[int, str]:
        argv = [program("pytest"), "-p", "xdist", *options]
        # Plugins take most of the time of such a small run.
        env = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        task = Task("tiny", argv, summary=PYTEST_SUMMARY, framework="pytest", folder=self.folder, env=env)
        code = run_tasks((task,))
        return code, self._capsys.readouterr().out


def test_flaky_test_leaves_run_green_and_loud(run: Run) -> None:
    run.write({"test_a.py": f'{FLAKY_ONCE}\ndef test_one():\n    fail_once("one")\n\ndef test_two():\n    pass\n'})
    code, output = run()
    assert code == 0
    assert "\nFLAKY test_a.py::test_one\n" in output
    assert "ok     tiny" in output
    stored = (run.folder / "artifacts/flaky/test_a-py-test_one.txt").read_text()
    assert "too slow" in stored
    assert "the seed was 7" in stored
    assert run()[1].count("FLAKY") == 0


@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_flaky_test_odd_parameters_run_exactly(run: Run, options: tuple[str, ...]) -> None:
    values = ["a::b", "x [y] z", "é\n", "test_b.py::test", "and not", "ab"]
    source = f"""{FLAKY_ONCE}
@pytest.mark.parametrize("value", {values!r})
def test_odd(value):
    if value != "ab":
        fail_once({values!r}.index(value))
    else:
        with open("ab.runs", "a") as runs:
            runs.write("one ")
"""
    run.write({"test_a.py": source})
    code, output = run(*options)
    assert code == 0, output
    assert output.count("FLAKY test_a.py::test_odd[") == 5
    assert (run.folder / "ab.runs").read_text() == "one "


def test_test_that_fails_twice_is_red(run: Run) -> None:
    run.write({"test_a.py": "def test_one():\n    assert False\n"})
    code, output = run()
    assert code == 1
    assert "failed twice: test_a.py::test_one" in output
    assert "FLAKY" not in output


def test_six_failures_are_red_without_second_try(run: Run) -> None:
    source = f'{FLAKY_ONCE}\n@pytest.mark.parametrize("n", range(6))\ndef test_one(n):\n    fail_once(n)\n'
    run.write({"test_a.py": source})
    code, output = run()
    assert code == 1
    assert "not run again: 6 tests failed" in output


@pytest.mark.parametrize(
    ("file", "function", "marker"),
    [
        ("money/test_a.py", "test_one", "money"),
        ("bookings/test_a.py", "test_race_for_seat", "race"),
        ("sites/test_isolation.py", "test_one", "isolation"),
    ],
)
def test_marked_test_is_red_without_second_try(run: Run, file: str, function: str, marker: str) -> None:
    run.write({file: f'{FLAKY_ONCE}\ndef {function}():\n    fail_once("one")\n'})
    code, output = run()
    assert code == 1
    assert f"not run again: {file}::{function} is marked {marker}" in output


def test_dead_worker_is_a_failure_of_its_test(run: Run) -> None:
    test = "def test_one():\n    try:\n        fail_once('one')\n    except AssertionError:\n        os._exit(3)\n"
    source = f"{FLAKY_ONCE}\n{test}"
    run.write({"test_a.py": source})
    code, output = run("-n", "1")
    assert code == 0, output
    assert "\nFLAKY test_a.py::test_one\n" in output
    run.write({"race/test_a.py": source.replace("test_one", "test_race_for_seat")})
    code, output = run("-n", "1", "race")
    assert code == 1
    assert "is marked race" in output


def test_shared_part_that_failed_is_red(run: Run) -> None:
    fixture = """
import pytest
from tests.fixtures.shared_resources import SharedPartError

@pytest.fixture(scope="session")
def part():
    yield
    raise SharedPartError("the product logged unhandled errors")

def test_one(part):
    pass
"""
    run.write({"test_a.py": fixture})
    code, output = run()
    assert code == 1
    assert "is marked shared" in output


def test_flaky_test_keeps_log_of_product(run: Run) -> None:
    """The product's state is gone when someone looks at it."""
    plugins = CONFTEST.replace("[", '["tests.fixtures.failure_reports", ', 1)
    fixture = """
@pytest.fixture
def demo(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "api.log").write_text('{"level": "info", "event": "request"}\\n')
    return {"state": str(tmp_path)}

def test_one(demo):
    fail_once("one")
"""
    run.write({"conftest.py": plugins, "test_a.py": f"{FLAKY_ONCE}{fixture}"})
    assert run()[0] == 0
    stored = (run.folder / "artifacts/flaky/test_a-py-test_one.txt").read_text()
    assert 'api: {"level": "info", "event": "request"}' in stored


def test_unreadable_file_is_red_without_second_try(run: Run) -> None:
    run.write({"test_a.py": "import nothing_of_this_name\n"})
    code, output = run()
    assert code == 1
    assert "not run again: test_a.py cannot be read" in output


def test_test_flaky_twice_is_red_until_its_file_changes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    source = f'{FLAKY_ONCE}\ndef test_one():\n    fail_once("one")\n'
    run.write({"test_a.py": source})
    assert run()[0] == 0
    run.forget()
    code, output = run()
    assert code == 1
    assert "flaky twice in two weeks: test_a.py::test_one" in output
    assert "--clear 'test_a.py::test_one'" in output
    # It passes now, and stays red.
    assert run()[0] == 1
    run.write({"test_a.py": f"{source}\n# fixed\n"})
    assert run()[0] == 0


def test_cleared_test_has_no_history(tmp_path: Path) -> None:
    history = FlakyHistory(tmp_path / "flaky.jsonl", root=tmp_path)
    history.add("tiny", ["a::b"])
    history.add("tiny", ["a::b", "a::c"])
    assert history.repeated(["tiny"]) == ["a::b"]
    assert history.repeated(["other"]) == []
    assert history.clear("a::b") == 2
    assert history.repeated(["tiny"]) == []
    assert [entry.id for entry in history.entries()] == ["a::c"]


def test_flaky_test_has_no_history_after_two_weeks(tmp_path: Path) -> None:
    now = dt.datetime(2027, 3, 1, tzinfo=dt.UTC)
    path = tmp_path / "flaky.jsonl"
    FlakyHistory(path, root=tmp_path, now=now).add("tiny", ["a::b"])
    path.write_text(f"{path.read_text()}no entry\n")
    later = FlakyHistory(path, root=tmp_path, now=now + flaky.WINDOW - dt.timedelta(hours=1))
    later.add("tiny", ["a::b"])
    assert later.repeated(["tiny"]) == ["a::b"]
    assert FlakyHistory(path, root=tmp_path, now=now + flaky.WINDOW).repeated(["tiny"]) == []


def test_unfinished_suite_has_no_second_try() -> None:
    task = Task("tiny", ["pytest"], framework="pytest")
    failures = (Failure("a::b"),)
    assert reason_against(task, Results(failures)) == ""
    assert reason_against(task, Results(failures, is_complete=False)) == "the run did not finish"
    assert reason_against(task, Results()) == "no test failed, but the runner did"


def test_flaky_web_test_leaves_run_green_and_loud(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "a.test.js").write_text("""
import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
describe("a $(group) [1]", () => {
  it("is 'flaky' | once?", () => {
    const again = existsSync("mark");
    writeFileSync("mark", "");
    expect(again).toBe(true);
  });
  it("passes", () => expect(existsSync("mark")).toBe(true));
});
""")
    argv = [str(ROOT / "node_modules/.bin/vitest"), "run", "--reporter=default", "--reporter=json"]
    task = Task("web", argv, summary=VITEST_SUMMARY, framework="vitest", folder=folder)
    assert run_tasks((task,)) == 0
    assert "\nFLAKY a.test.js::a $(group) [1] is 'flaky' | once?\n" in capsys.readouterr().out
    (folder / "a.test.js").write_text('import { it } from "vitest";\nit("fails", () => { throw new Error("no"); });\n')
    assert run_tasks((task,)) == 1
    assert "failed twice: a.test.js::fails" in capsys.readouterr().out
