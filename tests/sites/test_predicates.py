"""Every statement names its tenant: without any fence it meets that guru's rows alone, and the fence holds without it.

The two gurus here are twins: their posts, services and leads have the very same ids, slugs, tags and keys. A statement
that forgets the tenant anywhere, in a join too, mixes them up.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

import sites
from sites.stats.counting import VISIT
from tenants.kit.ids import new_id
from tests.platform_.world import Told, checksum, insert, lead, post, service, tell
from tests.support.databases import Database

NOW = datetime.now(UTC)
PREDICATE = re.compile(r"(?:\b\w+\.)?tenant_id = (?:%\(tenant\)s|\w+\.tenant_id|g\.id)|\bg\.id = %\(tenant\)s")
# A salt is everybody's; a report is kept by a function, for staff, and names its subject.
TENANTLESS = {"sites.stats.counting._SALT", "sites.reports.actions._LEAVE"}


def _statements() -> dict[str, str]:
    """Every whole statement that a module of `sites` keeps as a constant."""
    found = {}
    for module in pkgutil.walk_packages(sites.__path__, "sites."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if (
                name.isupper()
                and isinstance(value, str)
                and re.match(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b", value)
            ):
                found.setdefault(f"{module.name}.{name}", value)
    return {name: text for name, text in found.items() if name not in TENANTLESS}


STATEMENTS = _statements()


class Twins:
    """Two gurus alike but for their words."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with psycopg.connect(database.overseer_url) as conn:
            self.own, self.other = tell(conn, "alpha", posts=0), tell(conn, "beta", posts=0)
            for guru in (self.own, self.other):
                conn.execute("DELETE FROM services WHERE tenant_id = %s", [guru.id])
                conn.execute("DELETE FROM leads WHERE tenant_id = %s", [guru.id])
            ids = [new_id() for _ in range(12)]
            extra = [new_id() for _ in range(12)]
            for guru, more in ((self.own, []), (self.other, extra)):
                guru.tags = ["bread", "oven"]
                for number, made in enumerate([*ids, *more]):
                    day = NOW - timedelta(days=1 + number // 2)
                    post(conn, guru, f"post-{number}", id=made, published_at=day)
                    service(conn, guru, f"service {number} {guru.mark}", id=made, position=number)
                    lead(conn, guru, f"key-{number}", id=made, address_hash=b"same", digest=b"d" + guru.mark.encode())
                    insert(conn, "daily_visits", {
                        "tenant_id": guru.id, "day": (NOW - timedelta(days=number + 1)).date(), "visitors": 3,
                    })  # fmt: skip
                post(conn, guru, "to-come", published_at=NOW + timedelta(days=2 if guru is self.own else 1))
                picture = {"id": ids[4], "width": 1, "height": 1, "size": 1, "data": guru.mark.encode()}
                insert(conn, "site_images", {"tenant_id": guru.id} | picture)
                shown = {"secret_hash": b"same", "page": "/", "changes": f'"{guru.mark}"', "framed_by": "http://main"}
                insert(conn, "site_previews", {"tenant_id": guru.id} | shown)
        self.post = ids[4]
        self.params = {
            "tenant": self.own.id, "id": self.post, "slug": "post-4", "tags": ["bread"], "tag": "bread", "limit": 5,
            "content": True, "before": NOW - timedelta(days=3), "before_id": ids[5], "service": ids[3],
            "name": "Ada", "email": "ada@example.com", "phone": "", "message": "Hi", "page": "", "consented": NOW,
            "address": b"same", "key": "new-key", "digest": b"new", "now": NOW, "per_address": 13, "per_tenant": 14,
            "task": "tell_guru_of_lead", "day": NOW.date(), "visit": VISIT,
            "subjects": [VISIT, ids[0], ids[1]], "visitors": [b"visitor"] * 3,
            "hash": b"same", "since": NOW - timedelta(minutes=1),
        }  # fmt: skip

    def params_of(self, name: str) -> dict[str, Any]:
        """The parameters of a statement, in a world where they make a difference."""
        given = dict(self.params)
        if name.endswith("_LEAVE"):
            given["id"] = new_id()
        elif name.endswith("_SAME"):
            given["key"] = "key-3"
        return given

    @contextmanager
    def as_overseer(self) -> Iterator[psycopg.Connection[Any]]:
        """Past every fence; nothing stays."""
        with psycopg.connect(self.database.overseer_url) as conn:
            conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(self.own.id)])
            yield conn
            conn.rollback()

    @contextmanager
    def as_app(self, guru: Told) -> Iterator[psycopg.Connection[Any]]:
        """Behind the fence of a guru; nothing stays."""
        with psycopg.connect(self.database.app_url) as conn:
            conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(guru.id)])
            yield conn
            conn.rollback()


@pytest.fixture(scope="module")
def twins(database: Database) -> Twins:
    return Twins(database)


def _run(conn: psycopg.Connection[Any], name: str, text: str, params: dict[str, Any], guru: Told) -> tuple[Any, ...]:
    """What a statement answers and what it leaves of a guru; numbers drawn from sequences left out."""
    rows = conn.execute(text.encode(), params).fetchall()
    if name.endswith("_LEAVE"):
        rows = [row[:2] for row in rows]
    return rows, checksum(conn, guru, ("posts", "post_views", "services", "leads", "daily_visits"))


def _mixed_up(twins: Twins, name: str, text: str, unlisted: Told | None = None) -> list[str]:
    """How the statement mixes up gurus when there is no fence; `unlisted` may list nothing of what they offer."""
    params = twins.params_of(name)
    unlist = "UPDATE guru_categories SET listed = false WHERE tenant_id = %s"
    with twins.as_app(twins.own) as fenced:
        if unlisted is not None:
            fenced.execute(unlist, [unlisted.id])
        expected = _run(fenced, name, text, params, twins.own)
    faults = []
    with twins.as_overseer() as conn:
        if unlisted is not None:
            conn.execute(unlist, [unlisted.id])
        before = checksum(conn, twins.other)
        try:
            found = _run(conn, name, text, params, twins.own)
        except psycopg.Error as broken:
            return [type(broken).__name__]
        if twins.other.mark in repr(found[0]):
            faults.append("it shows the other's words")
        if found != expected:
            faults.append("it counts the other's rows")
        if checksum(conn, twins.other) != before:
            faults.append("it changes the other's rows")
    return faults


def test_the_statements_are_found() -> None:
    assert len(STATEMENTS) >= 13
    for name in ("home.queries._HOME", "posts.queries._LIST", "leads.actions._LEAVE", "stats.counting._COUNT"):
        assert f"sites.{name}" in STATEMENTS


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_meets_its_own_guru_alone_without_any_fence(twins: Twins, name: str) -> None:
    text = STATEMENTS[name]
    assert PREDICATE.search(text), "it names no tenant"
    for unlisted in (None, twins.own, twins.other):
        assert _mixed_up(twins, name, text, unlisted) == []
    with twins.as_app(twins.own) as conn:
        rows, _ = _run(conn, name, text, twins.params_of(name), twins.own)
    assert rows
    assert name.endswith(("_OFFERED", "_LEAVE", "_COUNT")) or re.search("markalpha|bread", repr(rows)), rows


@pytest.mark.parametrize("name", STATEMENTS)
def test_dropping_any_predicate_is_noticed(twins: Twins, name: str) -> None:
    """The test above does fail when a statement forgets its tenant, at each place where it is named."""
    text = STATEMENTS[name]
    for match in PREDICATE.finditer(text):
        mutated = text[: match.start()] + "true" + text[match.end() :]
        if "%(tenant)s" not in mutated:
            mutated = mutated.replace("true", "(true OR %(tenant)s::text = '')", 1)
        worlds = (None, twins.own, twins.other)  # whether anything is listed shows only where it makes a difference
        assert any(_mixed_up(twins, name, mutated, unlisted) for unlisted in worlds), (
            f"{name}: {match[0]} at {match.start()}"
        )


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_fence_holds_whatever_a_statement_names(twins: Twins, name: str) -> None:
    with psycopg.connect(twins.database.superuser_url) as watch:
        before = checksum(watch, twins.own)
        watch.rollback()
        with twins.as_app(twins.other) as conn:
            try:
                rows = conn.execute(STATEMENTS[name].encode(), twins.params_of(name)).fetchall()
            except psycopg.errors.InsufficientPrivilege:
                rows = []
            conn.commit()
        assert twins.own.mark not in repr(rows)
        assert "post-" not in repr(rows)
        assert checksum(watch, twins.own) == before
