"""Observations of sites and tables after publishing."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.app import Porchlight
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.onboarding.users import Neighbor

ServiceConnection = psycopg.Connection[tuple[Any, ...]]


async def fetch_home(app: Porchlight, label: str) -> Any:
    """Return the data of a site's home page."""
    async with http_client(app, f"{label}.{BASE_HOST}") as client:
        response = await client.get(f"/api/gurus/{label}/home")
    assert response.status_code == 200, response.text
    return response.json()


async def site_status(app: Porchlight, label: str) -> int:
    """Return the status of a site's home page."""
    async with http_client(app, f"{label}.{BASE_HOST}") as client:
        return (await client.get(f"/api/gurus/{label}/home")).status_code


def count_rows(watch: ServiceConnection, table: str, user: Neighbor) -> int:
    """Count the rows of a table that belong to the user's guru."""
    query = f"SELECT count(*) FROM {table} t JOIN memberships m USING (tenant_id) WHERE m.user_id = %s"
    row = watch.execute(query.encode(), [user.user_id]).fetchone()
    assert row is not None
    return int(row[0])


def row_counts(watch: ServiceConnection) -> Any:
    """Count all rows of the tables that publishing writes."""
    tables = ("gurus", "memberships", "retired_labels", "services", "guru_categories")
    return [watch.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() for table in tables]
