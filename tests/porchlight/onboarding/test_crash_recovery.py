"""A crash while publishing leaves one complete guru or none."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from tests.fixtures.databases import Database
from tests.porchlight.onboarding.users import RISKY, SAFE, Neighbor

NO_ROWS = {"gurus": 0, "memberships": 0, "services": 0, "guru_categories": 0, "published": 0}
ALL_ROWS = {"gurus": 1, "memberships": 1, "services": 3, "guru_categories": 2, "published": 1}


async def test_publishing_killed_at_any_step_leaves_all_or_nothing(database: Database, ada: Neighbor) -> None:
    await ada.ready(SAFE, RISKY)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.porchlight.onboarding.kill_points",
        database.app_url, database.service_url, str(ada.user_id), "unbroken",
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    stdout, _ = await process.communicate()
    assert process.returncode == 0
    reports: list[dict[str, Any]] = [json.loads(line) for line in stdout.splitlines()]
    killed = [report for report in reports if report["killed"]]
    assert len(killed) >= 10
    assert [report["at"] for report in killed][-2:] == ["commit", "after"]
    for report in reports:
        assert report["left"] == (ALL_ROWS if report["at"] == "after" else NO_ROWS), report
    # The last kill came after the commit: publishing again finds the guru and creates no second one.
    response = await ada.publish("elsewhere")
    assert (response.status_code, response.json()["data"]["subdomain"]) == (200, "unbroken")
    assert len(ada.gurus()) == 1
