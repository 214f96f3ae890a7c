"""Phrases that no listing has are deleted, those of searches a week after the last search."""

from __future__ import annotations

from datetime import timedelta
from threading import Thread
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.worker.maintenance import SEARCHED_PHRASE_TTL, purge_unused_phrases
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row, seed_user

Connection = psycopg.Connection[Any]


def _search(conn: Connection, words: str) -> int | None:
    row = conn.execute("SELECT phrase_id FROM app.lookup_phrase(%s, 500, 50000)", [words]).fetchone()
    return row[0] if row else None


def _offer(conn: Connection, user: UUID, *names: str) -> None:
    skills = Jsonb([{"name": name, "level": None} for name in names])
    conn.execute("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", [skills, user])


def _seed_teacher(conn: Connection, *names: str) -> UUID:
    user = seed_user(conn)
    insert_row(conn, "profiles", {"user_id": user, "handle": f"teacher-{user.hex[-12:]}"})
    _offer(conn, user, *names)
    return user


def _words(conn: Connection) -> set[str]:
    return {row[0] for row in conn.execute("SELECT words FROM phrases").fetchall()}


def _set_clock(monkeypatch: pytest.MonkeyPatch, ahead: timedelta) -> None:
    moment = clock.now() + ahead
    monkeypatch.setattr(clock, "now", lambda: moment)


def test_searched_phrase_is_deleted_after_a_week(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        for words in ("lapsed search", "repeated search"):
            _search(conn, words)
        conn.execute("UPDATE phrases SET searched_on = app.now()::date - 3")
        _search(conn, "repeated search")
        purge_unused_phrases(database.service_url)
        assert {"lapsed search", "repeated search"} <= _words(conn)
        _set_clock(monkeypatch, SEARCHED_PHRASE_TTL - timedelta(days=1))
        purge_unused_phrases(database.service_url)
        assert _words(conn) & {"lapsed search", "repeated search"} == {"repeated search"}
        _set_clock(monkeypatch, SEARCHED_PHRASE_TTL)
        purge_unused_phrases(database.service_url)
        assert "repeated search" not in _words(conn)


def test_name_without_listing_is_deleted(database: Database) -> None:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        teacher = _seed_teacher(conn, "glass blowing", "candle making")
        _offer(conn, teacher, "candle making")
        purge_unused_phrases(database.service_url)
        assert "glass blowing" not in _words(conn)
        assert "candle making" in _words(conn)
        _offer(conn, teacher, "glass blowing")  # the name can come back
        assert "glass blowing" in _words(conn)


def test_searches_use_spelling_beyond_stored_phrases(database: Database) -> None:
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute(
            "INSERT INTO phrases (words, in_use, related_by)"
            " SELECT 'stored ' || n, false, 'words-1' FROM generate_series(1, 50000) n"
        )
        assert _search(conn, "one more") is None
        assert _search(conn, "stored 7") is not None
        conn.execute("DELETE FROM phrases WHERE words = 'stored 8'")
        assert _search(conn, "one more") is not None
        conn.execute("DELETE FROM phrases WHERE words LIKE 'stored %'")


def test_phrase_used_by_open_transaction_stays(database: Database) -> None:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        teacher = _seed_teacher(conn, "basket weaving")
        _offer(conn, teacher)
        other = _seed_teacher(conn)
        with psycopg.connect(database.service_url) as unfinished:
            _offer(unfinished, other, "basket weaving")
            purge_unused_phrases(database.service_url)
        assert "basket weaving" in _words(conn)


def test_listing_named_during_deletion_gets_new_phrase(database: Database) -> None:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        teacher = _seed_teacher(conn, "soap carving")
        _offer(conn, teacher)
        row = conn.execute("SELECT id FROM phrases WHERE words = 'soap carving'").fetchone()
        assert row is not None
        with psycopg.connect(database.service_url) as deletion:
            deletion.execute("SELECT app.delete_unused_phrases(%s::integer[])", [[row[0]]])
            with psycopg.connect(database.service_url, autocommit=True) as naming:
                thread = Thread(target=_offer, args=(naming, teacher, "soap carving"))
                thread.start()
                waiting = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'"
                while conn.execute(waiting, [naming.info.backend_pid]).fetchone() != (1,):
                    assert thread.is_alive()
                deletion.commit()
                thread.join()
        names = conn.execute(
            "SELECT p.words FROM skill_offers o JOIN phrases p ON p.id = o.phrase_id WHERE o.user_id = %s", [teacher]
        ).fetchall()
        assert names == [("soap carving",)]


def test_reviews_shared_by_users_outlive_one_account(database: Database) -> None:
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        users = [seed_user(conn) for _ in range(2)]
        for number, askers in enumerate(((users[0],), users, (users[0], None))):
            for asker in askers:
                with conn.transaction():
                    conn.execute("SELECT set_config('app.user_id', %s, true)", [str(asker or "")])
                    conn.execute(
                        "SELECT app.request_risk_review(%s, 'crafts', %s, %s, 10000, 9)",
                        [new_id(), f"activity {number}", b"erased%d" % number],
                    )
        with conn.transaction():
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(users[0])])
            conn.execute("SELECT app.erase_words(300)")
        left = conn.execute("SELECT activity FROM risk_reviews WHERE digest::text LIKE '%%' ORDER BY 1").fetchall()
        assert [row[0] for row in left if row[0].startswith("activity")] == ["activity 1"]
