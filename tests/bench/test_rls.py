"""(a) CPU cost of the RLS policies: the same query with them and with only its WHERE clause."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest

from porchlight_dev.postgres.server import SUPERUSER
from sites.home.queries import _HOME as HOME
from sites.posts.queries import _INDEX as INDEX
from tenants.db import roles
from tests.bench.conftest import BenchDatabase
from tests.bench.figures import least, print_figure

pytestmark = pytest.mark.bench
READS_PER_ROUND = 200  # short rounds, so that other load affects both sides


class Backend:
    """A connection that measures the CPU time of its server process."""

    def __init__(self, dsn: str, tenant: str) -> None:
        self._conn = psycopg.connect(dsn, autocommit=True, prepare_threshold=0)
        self._tenant = tenant
        self._schedstat = Path(f"/proc/{self._conn.info.backend_pid}/schedstat")

    def __enter__(self) -> Backend:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._conn.close()

    def read(self, query: str, values: Mapping[str, Any]) -> float:
        """Return the server's CPU time of one read in microseconds. Each read is a transaction, as in a request."""
        before = int(self._schedstat.read_text().split()[0])
        for _ in range(READS_PER_ROUND):
            # Both sides set the tenant, so that only the policies differ.
            with self._conn.pipeline():
                self._conn.execute("SELECT set_config('app.tenant_id', %s, true)", [self._tenant])
                self._conn.execute(query, {"tenant": self._tenant, **values})
        return (int(self._schedstat.read_text().split()[0]) - before) / READS_PER_ROUND / 1000


@contextlib.contextmanager
def bypass_rls_role(bench_database: BenchDatabase) -> Iterator[str]:
    """Yield the URL of a role with the app's grants and without RLS."""
    with psycopg.connect(bench_database.url(SUPERUSER), autocommit=True) as superuser:
        superuser.execute("CREATE ROLE bench_plain LOGIN BYPASSRLS PASSWORD 'bench'")
        superuser.execute(f'GRANT CONNECT ON DATABASE "{bench_database.name}" TO bench_plain')
        superuser.execute("GRANT USAGE ON SCHEMA public, app TO bench_plain")
        superuser.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO bench_plain")
        try:
            yield f"postgresql://bench_plain:bench@127.0.0.1:{bench_database.postgres.port}/{bench_database.name}"
        finally:
            superuser.execute("DROP OWNED BY bench_plain")
            superuser.execute("DROP ROLE bench_plain")


@pytest.mark.parametrize(
    ("name", "query", "values"),
    [("list of 20 posts", INDEX, {"limit": 20}), ("home, eight reads in one", HOME, {})],
)
def test_rls_read_cpu_cost(bench_database: BenchDatabase, name: str, query: str, values: dict[str, Any]) -> None:
    tenant = str(bench_database.tenant("guru-000007"))
    with (
        bypass_rls_role(bench_database) as dsn,
        Backend(bench_database.url(roles.APP_ROLE), tenant) as with_rls,
        Backend(dsn, tenant) as without_rls,
    ):
        with_rls.read(query, values)
        without_rls.read(query, values)
        ours, baseline = least(
            lambda: with_rls.read(query, values), lambda: without_rls.read(query, values), rounds=101
        )
    print_figure(f"(a) fenced read, {name}", ours, baseline, "µs", at_most=1.05, note="of the backend's processor")
