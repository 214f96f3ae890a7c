"""The progress of a start, as lines where there is no terminal."""

from __future__ import annotations

import asyncio
import io

import pytest
from rich.console import Console

from porchlight_dev.progress import StartSteps


async def test_report_names_steps_in_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porchlight_dev.progress.REPORT_INTERVAL_SECONDS", 0)
    output = io.StringIO()
    steps = StartSteps(Console(file=output, width=200))
    with steps.step("API"), steps.step("Worker"):
        report = asyncio.create_task(steps.report())
        while "... API 0 s, Worker 0 s" not in output.getvalue():
            await asyncio.sleep(0)
    output.truncate(0)
    await asyncio.sleep(0)
    report.cancel()
    assert output.getvalue() == ""
