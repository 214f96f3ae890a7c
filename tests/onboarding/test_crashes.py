"""Killed in the middle of publishing: one guru or none, whatever the moment."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from tests.onboarding.people import RISKY, SAFE, Neighbour
from tests.support.databases import Database

NOTHING = {"gurus": 0, "memberships": 0, "services": 0, "guru_categories": 0, "published": 0}
EVERYTHING = {"gurus": 1, "memberships": 1, "services": 3, "guru_categories": 2, "published": 1}


async def test_killed_at_every_step_boundary(database: Database, ada: Neighbour) -> None:
    await ada.ready(SAFE, RISKY)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.onboarding.crashing",
        database.app_url, database.overseer_url, str(ada.user_id), "unbroken",
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, _ = await process.communicate()
    assert process.returncode == 0
    reports: list[dict[str, Any]] = [json.loads(line) for line in said.splitlines()]
    killed = [report for report in reports if report["killed"]]
    assert len(killed) >= 10
    assert [report["at"] for report in killed][-2:] == ["commit", "after"]
    for report in reports:
        assert report["left"] == (EVERYTHING if report["at"] == "after" else NOTHING), report
    # What the last kill left is whole: publishing again finds it, and makes no other.
    answer = await ada.publish("elsewhere")
    assert (answer.status_code, answer.json()["data"]["subdomain"]) == (200, "unbroken")
    assert len(ada.gurus()) == 1
