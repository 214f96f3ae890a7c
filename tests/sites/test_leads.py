"""Leaving a lead: what is refused and how, what is kept once, what is limited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from sites.leads.actions import sender
from sites.limits import LeadLimits
from tenants.kit.ids import new_id
from tests.platform_.world import Told, serving, tell, visitor
from tests.support.databases import Database

LEAD = {"name": "Ada Alvarez", "email": "ada@example.com", "message": "Bread?\nOn Sundays.", "consent": True}
LIMITS = LeadLimits()


@dataclass
class Door:
    """A guru's site with limits, and a look at what is behind it."""

    app: Porchlight
    guru: Told
    watch: psycopg.Connection[Any]

    async def knock(self, lead: Any, *, key: str | None = None, address: str = "203.0.113.7") -> httpx.Response:
        """Leave a lead."""
        async with visitor(self.app, self.guru.host, address=address) as client:
            headers = {"idempotency-key": key} if key else {}
            return await client.post(f"/api/gurus/{self.guru.label}/leads", json=lead, headers=headers)

    def kept(self) -> list[tuple[Any, ...]]:
        """The leads that are there."""
        return self.watch.execute(
            "SELECT name, email, phone, message, service_id, page, consented_at IS NOT NULL, id FROM leads"
            " WHERE tenant_id = %s ORDER BY created_at, id",
            [self.guru.id],
        ).fetchall()

    def jobs(self) -> list[str]:
        """The leads a guru will be told of."""
        rows = self.watch.execute(
            "SELECT args ->> 'lead_id' FROM jobs.procrastinate_jobs WHERE args ->> 'tenant_id' = %s ORDER BY id",
            [str(self.guru.id)],
        ).fetchall()
        return [row[0] for row in rows]


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with serving(database, limits="on") as made:
        yield made


@pytest.fixture
async def door(app: Porchlight, database: Database) -> AsyncIterator[Door]:
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        guru = tell(conn, f"guru-{uuid4().hex[:8]}")
        conn.execute("DELETE FROM leads WHERE tenant_id = %s", [guru.id])
        yield Door(app, guru, conn)


async def test_a_lead_is_kept_with_everything_and_the_guru_will_be_told(door: Door) -> None:
    whole = LEAD | {
        "name": "  Ada Alvarez ", "email": "Ada@EXAMPLE.com", "phone": "+1 (303) 555-0117 x2",
        "serviceId": str(door.guru.services[1]), "page": "/services", "website": "",
    }  # fmt: skip
    answer = await door.knock(whole, key="k1")
    assert (answer.status_code, answer.json()) == (
        201,
        {"success": True, "message": "Thank you! Your message has been sent."},
    )
    ((*kept, made),) = door.kept()
    assert kept == [
        "Ada Alvarez", "Ada@example.com", "+1 (303) 555-0117 x2", "Bread?\nOn Sundays.", door.guru.services[1],
        "/services", True,
    ]  # fmt: skip
    assert door.jobs() == [str(made)]
    address = door.watch.execute("SELECT address_hash FROM leads WHERE id = %s", [made]).fetchone()
    assert address == (sender(door.app.settings.address_secret, "203.0.113.7").address_hash,)


WRONG: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"name": ""}, {"name": "This field is required."}),
    ({"name": "   "}, {"name": "This field is required."}),
    ({"name": None}, {"name": "This must be text."}),
    ({"name": "x" * 121}, {"name": "Please use at most 120 characters."}),
    ({"name": "two\nlines"}, {"name": "This must be a single line."}),
    ({"name": "nul\0"}, {"name": "This contains characters that cannot be stored."}),
    ({"email": ""}, {"email": "This field is required."}),
    ({"email": "nobody"}, {"email": "Please enter a valid email address."}),
    ({"email": "a@b"}, {"email": "Please enter a valid email address."}),
    ({"email": "a@b..com"}, {"email": "Please enter a valid email address."}),
    ({"email": "a@-b.com"}, {"email": "Please enter a valid email address."}),
    ({"email": ".a@b.com"}, {"email": "Please enter a valid email address."}),
    ({"email": "a@b.com, c@d.com"}, {"email": "Please enter a valid email address."}),
    ({"email": "<a@b.com>"}, {"email": "Please enter a valid email address."}),
    ({"email": "a@b.com\r\nBcc: c@d.com"}, {"email": "This must be a single line."}),
    ({"email": "x" * 250 + "@b.com"}, {"email": "Please use at most 254 characters."}),
    ({"message": ""}, {"message": "This field is required."}),
    ({"message": "x" * 5001}, {"message": "Please use at most 5000 characters."}),
    ({"message": 5}, {"message": "This must be text."}),
    ({"phone": "call me"}, {"phone": "Please enter a phone number, or leave this empty."}),
    ({"phone": "1" * 41}, {"phone": "Please use at most 40 characters."}),
    ({"consent": False}, {"consent": "Please agree, so that your message may be passed on."}),
    ({"consent": "true"}, {"consent": "This must be true or false."}),
    ({"consent": 1}, {"consent": "This must be true or false."}),
    ({"serviceId": "bread"}, {"serviceId": "Please choose one of the services."}),
    ({"serviceId": str(new_id())}, {"serviceId": "Please choose one of the services."}),
    ({"serviceId": "{" + "0" * 34 + "}"}, {"serviceId": "Please choose one of the services."}),
    ({"admin": True}, {"admin": "This field is not known here."}),
    ({"service_id": "x"}, {"service_id": "This field is not known here."}),
    (
        {"email": "nobody", "phone": "?", "consent": False},
        {
            "email": "Please enter a valid email address.",
            "phone": "Please enter a phone number, or leave this empty.",
            "consent": "Please agree, so that your message may be passed on.",
        },
    ),
]


@pytest.mark.parametrize(("change", "fields"), WRONG)
async def test_what_is_wrong_is_named(door: Door, change: dict[str, Any], fields: dict[str, str]) -> None:
    answer = await door.knock(LEAD | change)
    assert answer.status_code == 422
    body = answer.json()
    assert body == {
        "success": False,
        "message": "Please check the highlighted fields.",
        "error": {"code": "validation_failed", "message": "Please check the highlighted fields.", "fields": fields},
    }
    assert door.kept() == []
    assert door.jobs() == []


async def test_missing_fields_are_named(door: Door) -> None:
    answer = await door.knock({})
    assert answer.json()["error"]["fields"] == dict.fromkeys(("name", "email", "message"), "This field is required.")


async def test_who_fills_the_honeypot_is_thanked_and_dropped(door: Door) -> None:
    answer = await door.knock(LEAD | {"website": "https://spam.example"})
    assert answer.status_code == 201
    assert answer.json()["success"] is True
    assert door.kept() == []
    assert door.jobs() == []


async def test_a_resend_is_the_same_lead(door: Door) -> None:
    assert [(await door.knock(LEAD, key="again")).status_code for _ in range(3)] == [201, 200, 200]
    other = await door.knock(LEAD | {"message": "Something else"}, key="again")
    assert (other.status_code, other.json()["error"]["code"]) == (409, "conflict")
    assert len(door.kept()) == len(door.jobs()) == 1
    assert (await door.knock(LEAD)).status_code == 201  # without a key: the words themselves are one
    assert (await door.knock(LEAD)).status_code == 200
    assert (await door.knock(LEAD, address="203.0.113.8")).status_code == 201
    assert len(door.kept()) == 3


@pytest.mark.parametrize("key", ["two words", "k" * 201, "käse", " "])
async def test_a_key_of_another_kind_is_refused(door: Door, key: str) -> None:
    async with visitor(door.app, door.guru.host) as client:
        headers = [(b"idempotency-key", key.encode())]
        answer = await client.post(f"/api/gurus/{door.guru.label}/leads", json=LEAD, headers=headers)
    if key != " ":  # an empty header is no key
        assert answer.status_code == 422
        assert list(answer.json()["error"]["fields"]) == ["Idempotency-Key"]


@pytest.mark.parametrize("keyed", [True, False])
async def test_sent_many_times_at_once_it_is_one_lead_and_one_job(door: Door, keyed: bool) -> None:
    answers = await asyncio.gather(*(door.knock(LEAD, key="double" if keyed else None) for _ in range(12)))
    assert sorted(answer.status_code for answer in answers) == [200] * 11 + [201]
    assert len(door.kept()) == len(door.jobs()) == 1


async def test_an_address_is_limited_and_told_when_to_come_again(door: Door) -> None:
    for number in range(LIMITS.per_address):
        assert (await door.knock(LEAD, key=f"k{number}")).status_code == 201
    late = await door.knock(LEAD, key="late")
    assert (late.status_code, late.json()["error"]["code"]) == (429, "rate_limited")
    assert late.json()["message"] == "Too many requests. Please wait a moment and try again."
    assert int(late.headers["retry-after"]) > 0
    assert (await door.knock(LEAD, key="k3")).status_code == 200  # a resend is no new lead
    assert (await door.knock(LEAD, key="elsewhere", address="203.0.113.99")).status_code == 201
    assert len(door.kept()) == len(door.jobs()) == LIMITS.per_address + 1
    door.watch.execute("UPDATE leads SET created_at = created_at - interval '61 minutes'")
    assert (await door.knock(LEAD, key="an-hour-later")).status_code == 201


async def test_one_network_of_the_new_internet_is_one_address(door: Door) -> None:
    addresses = [f"2001:db8::{number:x}:1:2:3" for number in range(1, LIMITS.per_address + 1)]
    for number, address in enumerate(addresses):
        assert (await door.knock(LEAD, key=f"k{number}", address=address)).status_code == 201
    assert (await door.knock(LEAD, key="late", address="2001:db8:0:0:ffff::1")).status_code == 429
    assert (await door.knock(LEAD, key="other", address="2001:db8:0:1::1")).status_code == 201


async def test_a_guru_is_limited_too(door: Door) -> None:
    door.watch.execute(
        "INSERT INTO leads (tenant_id, id, name, email, message, address_hash, idempotency_key, digest)"
        " SELECT %s, gen_random_uuid(), 'x', 'x', 'x', int8send(n), n::text, '' FROM generate_series(1, %s) n",
        [door.guru.id, LIMITS.per_tenant - 1],
    )
    assert (await door.knock(LEAD, key="last")).status_code == 201
    assert (await door.knock(LEAD, key="late", address="203.0.113.9")).status_code == 429


async def test_a_burst_passes_a_limit_by_no_more_than_what_runs_at_once(door: Door) -> None:
    answers = await asyncio.gather(*(door.knock(LEAD, key=f"burst{number}") for number in range(60)))
    kept = sum(answer.status_code == 201 for answer in answers)
    assert 0 < kept <= LIMITS.per_address + door.app.db.writes.max_size
    assert {answer.status_code for answer in answers} <= {201, 429, 503}  # 503: a busy machine, not another answer
    assert len(door.kept()) == len(door.jobs()) == kept


async def test_a_guru_deleted_since_we_looked_is_not_found(door: Door) -> None:
    path = f"/api/gurus/{door.guru.label}/leads"
    async with visitor(door.app, door.guru.host) as client:
        tenant = await door.app.directory.named(door.guru.label)
        door.watch.execute("DELETE FROM gurus WHERE id = %s", [door.guru.id])
        door.app.directory._remember(door.guru.label, tenant, 1e12)  # as if we had not heard of it yet
        answer = await client.post(path, json=LEAD)
        page = await client.get("/")
        form = await client.post("/contact", data={**LEAD, "consent": "on"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "guru_not_found")
    assert page.status_code == 404
    assert "Guru Not Found" in page.text
    assert form.status_code == 404
