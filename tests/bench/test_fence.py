"""(a) What the fence costs the database: the same read, fenced, and with only its WHERE."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest

from porchlight.local.postgres import SUPERUSER
from sites.home.queries import _HOME as HOME
from sites.posts.queries import _INDEX as INDEX
from tenants import roles
from tests.bench.conftest import Stage
from tests.bench.figures import least, show

pytestmark = pytest.mark.bench
TIMES = 200  # a turn: short ones, so that what the machine does meanwhile falls on both


class Backend:
    """A connection whose server process's work can be told."""

    def __init__(self, dsn: str, tenant: str) -> None:
        self._conn = psycopg.connect(dsn, autocommit=True, prepare_threshold=0)
        self._tenant = tenant
        self._work = Path(f"/proc/{self._conn.info.backend_pid}/schedstat")

    def __enter__(self) -> Backend:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._conn.close()

    def read(self, query: str, values: Mapping[str, Any]) -> float:
        """Microseconds of processor that the server spends on one read, as requests read: each a transaction."""
        before = int(self._work.read_text().split()[0])
        for _ in range(TIMES):
            # Both sides set the tenant, so that nothing but the policies differs.
            with self._conn.pipeline():
                self._conn.execute("SELECT set_config('app.tenant_id', %s, true)", [self._tenant])
                self._conn.execute(query, {"tenant": self._tenant, **values})
        return (int(self._work.read_text().split()[0]) - before) / TIMES / 1000


@contextlib.contextmanager
def past_the_fence(stage: Stage) -> Iterator[str]:
    """The address of a role with the grants of the app's, for which the WHERE is all there is."""
    with psycopg.connect(stage.url(SUPERUSER), autocommit=True) as boss:
        boss.execute("CREATE ROLE bench_plain LOGIN BYPASSRLS PASSWORD 'bench'")
        boss.execute(f'GRANT CONNECT ON DATABASE "{stage.name}" TO bench_plain')
        boss.execute("GRANT USAGE ON SCHEMA public, app TO bench_plain")
        boss.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO bench_plain")
        try:
            yield f"postgresql://bench_plain:bench@127.0.0.1:{stage.postgres.port}/{stage.name}"
        finally:
            boss.execute("DROP OWNED BY bench_plain")
            boss.execute("DROP ROLE bench_plain")


@pytest.mark.parametrize(
    ("name", "query", "values"),
    [("list of 20 posts", INDEX, {"limit": 20}), ("home, eight reads in one", HOME, {})],
)
def test_fenced_read(stage: Stage, name: str, query: str, values: dict[str, Any]) -> None:
    tenant = str(stage.tenant("guru-000007"))
    with (
        past_the_fence(stage) as dsn,
        Backend(stage.url(roles.APP), tenant) as fenced,
        Backend(dsn, tenant) as plain,
    ):
        fenced.read(query, values)
        plain.read(query, values)
        ours, floor = least(lambda: fenced.read(query, values), lambda: plain.read(query, values), rounds=101)
    show(f"(a) fenced read, {name}", ours, floor, "µs", most=1.05, note="of the backend's processor")
