"""The parts of a job isolation case: seeds, recording services and a checksum of the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import psycopg

from tests.fixtures.databases import Database


@dataclass(frozen=True, slots=True)
class JobCase:
    """One task. `seed` creates two owners with a row each, of which the task takes the first one's.

    It returns two sets of arguments for that row: with its owner, for whom the job acts, and with the other owner.
    """

    task: str
    seed: Callable[[psycopg.Connection[Any]], tuple[Mapping[str, Any], Mapping[str, Any]]]


@dataclass(slots=True)
class RecordingServices:
    """External services that record each call: (service, method, arguments)."""

    calls: list[tuple[str, str, tuple[Any, ...]]] = field(default_factory=list)

    def dependencies(self) -> dict[str, Any]:
        """Return the dependencies of jobs that are recorded."""
        return {name: _Recorder(name, self.calls) for name in ("identity", "files", "payments")} | {
            "mailer": _RecordingMailer(self.calls),
            "push": _RecordingPush(self.calls),
        }


class _RecordingMailer:
    def __init__(self, calls: list[tuple[str, str, tuple[Any, ...]]]) -> None:
        self._calls = calls

    def send(self, message: Any) -> bool:
        self._calls.append(("mailer", "send", (message,)))
        return True


class _RecordingPush:
    def __init__(self, calls: list[tuple[str, str, tuple[Any, ...]]]) -> None:
        self._calls = calls

    def send(self, *args: Any) -> None:
        self._calls.append(("push", "send", args))


class _Recorder:
    def __init__(self, service: str, calls: list[tuple[str, str, tuple[Any, ...]]]) -> None:
        self._service = service
        self._calls = calls

    def __getattr__(self, method: str) -> Callable[..., Any]:
        async def call(*args: Any, **_kwargs: Any) -> None:
            self._calls.append((self._service, method, args))

        return call


def fingerprint(database: Database) -> dict[str, tuple[int, str]]:
    """Return the number of rows and a checksum of each table, without the queue's own."""
    with psycopg.connect(database.superuser_url) as conn:
        tables = conn.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        ).fetchall()
        query = "SELECT count(*), coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') FROM {} t"
        rows = {name: conn.execute(query.format(name).encode()).fetchone() for (name,) in tables}
    return {name: (row[0], row[1]) for name, row in rows.items() if row is not None}
