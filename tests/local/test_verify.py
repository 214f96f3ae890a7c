"""One command for every check: all failures at once, each with what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from porchlight.local import verify
from porchlight.local.verify import Check, Suite, check_all, run_suites


def test_every_failure_is_shown_with_its_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    checks = (
        Check("first", lambda: (False, "first is broken"), "mend the first"),
        Check("second", lambda: (True, "all is well"), "mend the second"),
        Check("third", lambda: (False, "\n".join(f"line {n}" for n in range(200))), "mend the third"),
    )
    assert check_all(checks) == 1
    said = capsys.readouterr().out
    assert "--- first\nfirst is broken\n--> mend the first." in said
    assert "line 199\n--> mend the third." in said
    assert "line 119" not in said
    assert "mend the second" not in said
    assert "all is well" not in said
    assert said.endswith("1 of 3 checks passed.\n")


def test_all_checks_holding_is_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_all((Check("only", lambda: (True, ""), "nothing"),)) == 0
    assert capsys.readouterr().out.endswith("1 of 1 checks passed.\n")


def test_a_command_is_judged_by_its_exit_code() -> None:
    holds, said = verify.command(sys.executable, "-c", "print('why'); raise SystemExit(3)")()
    assert not holds
    assert said == "why\n"
    assert verify.command(sys.executable, "-c", "")() == (True, "")


def suite(name: str, code: str) -> Suite:
    return Suite(name, [sys.executable, "-c", code], verify.PYTEST_CLOSING)


def test_closing_lines_are_repeated_and_every_suite_runs(capsys: pytest.CaptureFixture[str]) -> None:
    failing = suite("one", "print('==== 1 failed, 2 passed in 0.1s ===='); raise SystemExit(1)")
    passing = suite("two", "print('dots'); print('==== 7 passed in 0.2s ====')")
    broken = suite("three", "raise SystemExit('no runner')")
    assert run_suites((failing, passing, broken)) == 1
    closing = capsys.readouterr().out.split("=== closing lines\n")[1].splitlines()
    assert closing[0] == "FAILED one: 1 failed, 2 passed in 0.1s"
    assert closing[1] == "ok     two: 7 passed in 0.2s"
    assert closing[2] == "FAILED three: it did not get to its end"
    assert closing[3].startswith("1 of 3 runs passed in ")


def test_a_named_browser_that_is_not_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PORCHLIGHT_CHROMIUM", "/nowhere/chromium")
    assert not verify.browser_is_there()
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert "apt-get install chromium" in said
    assert "PORCHLIGHT_CHROMIUM" in said


def test_stale_api_types_show_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    committed = tmp_path / "api.gen.ts"
    committed.write_text("export type Old = string\n")
    monkeypatch.setattr(verify, "API_TYPES", committed)

    def make(target: Path) -> tuple[bool, str]:
        target.write_text("export type New = string\n")
        return True, ""

    monkeypatch.setattr(verify, "make_api_types", make)
    fresh, said = verify.api_types_are_fresh()
    assert not fresh
    assert "-export type Old" in said
    assert "+export type New" in said
    committed.write_text("export type New = string\n")
    assert verify.api_types_are_fresh() == (True, "")
