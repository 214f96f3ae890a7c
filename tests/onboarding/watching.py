"""What there is to be seen after somebody published."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.app import Porchlight
from tests.onboarding.people import Neighbour
from tests.platform_.world import BASE, visitor

Watch = psycopg.Connection[tuple[Any, ...]]


async def home_of(app: Porchlight, label: str) -> Any:
    """What a site's home shows."""
    async with visitor(app, f"{label}.{BASE}") as guest:
        answer = await guest.get(f"/api/gurus/{label}/home")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def site_status(app: Porchlight, label: str) -> int:
    """How a site answers."""
    async with visitor(app, f"{label}.{BASE}") as guest:
        return (await guest.get(f"/api/gurus/{label}/home")).status_code


def counted(watch: Watch, table: str, who: Neighbour) -> int:
    """How many rows of a table are of somebody's guru."""
    query = f"SELECT count(*) FROM {table} t JOIN memberships m USING (tenant_id) WHERE m.user_id = %s"
    row = watch.execute(query.encode(), [who.user_id]).fetchone()
    assert row is not None
    return int(row[0])


def world_of(watch: Watch) -> Any:
    """How many rows there are that publishing makes."""
    tables = ("gurus", "memberships", "retired_labels", "services", "guru_categories")
    return [watch.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() for table in tables]
