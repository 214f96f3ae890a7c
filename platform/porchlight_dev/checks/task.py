"""One command of a run, and how it ended."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from porchlight_dev.environment import ROOT

# The line with which pytest or vitest names a failed test at its end. It is repeated with the lines after it, because a
# CI log may keep only its last lines, and a failed browser test prints its whole page there.
FAILED_TEST = re.compile(r"(?:FAILED|ERROR) \S+\.py\b| *FAIL  ")
MAX_REPEATED_TESTS = 10
LINES_OF_TEST = 7
MAX_LINE_CHARACTERS = 300
# No test takes so long: its own limits (tests.fixtures.time_limit, faulthandler_timeout) come first. The whole of a
# suite has no limit, because a slow machine is no failure.
SILENCE_SECONDS = 2400.0


@dataclass(frozen=True, slots=True)
class Task:
    """One command of a run.

    `fix` says what to do when it fails. `summary` matches the output lines that are repeated at the end. A `live` task
    shows its output while it runs; others only when they fail. A task occupies `slots` of all slots. After
    `silence_seconds` without output, it is killed, so that the run ends with its report; None means no limit.
    `framework` names the runner of a suite, whose failed tests are listed; with `reruns`, a few of them run again. Ids
    of tests are relative to `folder`.
    """

    name: str
    argv: Sequence[str]
    fix: str = ""
    summary: str | None = None
    live: bool = False
    slots: int = 1
    silence_seconds: float | None = SILENCE_SECONDS
    env: Mapping[str, str] = field(default_factory=dict)
    framework: Literal["pytest", "vitest"] | None = None
    reruns: bool = True
    folder: Path = ROOT


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a task. `failed_ids` are the tests that failed, `flaky_ids` those that passed the second time."""

    task: Task
    passed: bool
    output: list[str]
    seconds: float
    failed_ids: Sequence[str] = ()
    flaky_ids: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def summary(self) -> str:
        """The summary lines of the test runner as one line."""
        pattern = self.task.summary
        if pattern is None:
            return ""
        summary_lines = [line.strip().strip("= ") for line in self.output if re.match(pattern, line)]
        return ": " + ("; ".join(summary_lines) or "no summary, it did not finish")

    @property
    def failed_tests(self) -> list[str]:
        """The lines that name the failed tests and say how they failed."""
        if self.passed or self.task.summary is None:
            return []
        starts = [index for index, line in enumerate(self.output) if FAILED_TEST.match(line)]
        lines: list[str] = []
        for start, end in itertools.zip_longest(starts, starts[1:]):
            lines += self.output[start : min(end or len(self.output), start + LINES_OF_TEST)]
        return [line.strip()[:MAX_LINE_CHARACTERS] for line in lines[: MAX_REPEATED_TESTS * LINES_OF_TEST]]

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'} {self.task.name} ({self.seconds:.1f} s){self.summary}"
