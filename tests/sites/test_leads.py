"""Creating leads: validation, idempotency, rate limits."""

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
from sites.context import LEADS_PER_HOUR
from tenants.db.rate_limit import hash_sender
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.refusals import refusal
from tests.porchlight.app_client import http_client, run_app
from tests.porchlight.factories import SeededGuru, seed_guru

LEAD = {"name": "Ada Alvarez", "email": "ada@example.com", "message": "Bread?\nOn Sundays.", "consent": True}


@dataclass
class LeadClient:
    """A client of a guru's site with rate limits, with access to the database."""

    app: Porchlight
    guru: SeededGuru
    conn: psycopg.Connection[Any]

    async def post(
        self, lead: Any, *, key: str | None = None, address: str = "203.0.113.7", proof: str = ""
    ) -> httpx.Response:
        """Post a lead."""
        async with http_client(self.app, self.guru.host, address=address) as client:
            headers = ({"idempotency-key": key} if key else {}) | ({"porchlight-proof": proof} if proof else {})
            return await client.post(f"/api/gurus/{self.guru.label}/leads", json=lead, headers=headers)

    def stored_leads(self) -> list[tuple[Any, ...]]:
        """Return the stored leads."""
        return self.conn.execute(
            "SELECT name, email, phone, message, service_id, page, consented_at IS NOT NULL, id FROM leads"
            " WHERE tenant_id = %s ORDER BY created_at, id",
            [self.guru.id],
        ).fetchall()

    def enqueued_leads(self) -> list[str]:
        """Return the ids of leads, for each job that notifies the guru. The visitor's receipt is another job."""
        rows = self.conn.execute(
            "SELECT args ->> 'lead_id', array_agg(task_name ORDER BY task_name) FROM jobs.procrastinate_jobs"
            " WHERE args ->> 'tenant_id' = %s GROUP BY 1 ORDER BY min(id)",
            [str(self.guru.id)],
        ).fetchall()
        assert all(tasks.count("leads:send_receipt") == tasks.count("leads:notify_guru") for _, tasks in rows)
        return [lead for lead, tasks in rows for task in tasks if task == "leads:notify_guru"]


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with run_app(database, limits="on") as porchlight:
        yield porchlight


@pytest.fixture
async def leads(app: Porchlight, database: Database) -> AsyncIterator[LeadClient]:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        guru = seed_guru(conn, f"guru-{uuid4().hex[:8]}")
        conn.execute("DELETE FROM leads WHERE tenant_id = %s", [guru.id])
        yield LeadClient(app, guru, conn)


async def test_create_lead_stores_lead_and_enqueues_email(leads: LeadClient) -> None:
    lead = LEAD | {
        "name": "  Ada Alvarez ", "email": "Ada@EXAMPLE.com", "phone": "+1 (303) 555-0117 x2",
        "serviceId": str(leads.guru.services[1]), "page": "/services", "website": "",
    }  # fmt: skip
    response = await leads.post(lead, key="k1")
    assert (response.status_code, response.json()) == (
        201,
        {"success": True, "message": "Thank you! Your message has been sent."},
    )
    ((*columns, lead_id),) = leads.stored_leads()
    assert columns == [
        "Ada Alvarez", "Ada@example.com", "+1 (303) 555-0117 x2", "Bread?\nOn Sundays.", leads.guru.services[1],
        "/services", True,
    ]  # fmt: skip
    assert leads.enqueued_leads() == [str(lead_id)]
    stored = leads.conn.execute("SELECT address_hash, network_hash FROM leads WHERE id = %s", [lead_id]).fetchone()
    sender = hash_sender(leads.app.settings.address_secret, "203.0.113.7")
    assert stored == (sender.address_hash, sender.network_hash)


NOT_ASCII = "We can't send email to an address with “ë” before the @. Please use another address."
INVALID: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"name": ""}, {"name": "This field is required."}),
    ({"name": "   "}, {"name": "This field is required."}),
    ({"name": None}, {"name": "This must be text."}),
    ({"name": "x" * 121}, {"name": "Use 120 characters or fewer."}),
    ({"name": "two\nlines"}, {"name": "This must be a single line."}),
    ({"name": "nul\0"}, {"name": "This contains characters we can't save."}),
    ({"email": ""}, {"email": "This field is required."}),
    ({"email": "not an email"}, {"email": "Please enter a valid email address."}),
    ({"email": "a@b"}, {"email": "Please enter a valid email address."}),
    ({"email": "a@b..com"}, {"email": "Please enter a valid email address."}),
    ({"email": "a@-b.com"}, {"email": "Please enter a valid email address."}),
    ({"email": ".a@b.com"}, {"email": "Please enter a valid email address."}),
    ({"email": "a@b.com, c@d.com"}, {"email": "Please enter a valid email address."}),
    ({"email": "<a@b.com>"}, {"email": "Please enter a valid email address."}),
    ({"email": "zoë@b.com"}, {"email": NOT_ASCII}),
    ({"email": "a@b.test"}, {"email": "Email to this address never arrives. Please use an address that you read."}),
    ({"email": "a@b.com\r\nBcc: c@d.com"}, {"email": "This must be a single line."}),
    ({"email": "x" * 250 + "@b.com"}, {"email": "Use 254 characters or fewer."}),
    ({"message": ""}, {"message": "This field is required."}),
    ({"message": "x" * 5001}, {"message": "Use 5000 characters or fewer."}),
    ({"message": 5}, {"message": "This must be text."}),
    ({"phone": "call me"}, {"phone": "Please enter a phone number or leave this blank."}),
    ({"phone": "1" * 41}, {"phone": "Use 40 characters or fewer."}),
    ({"consent": False}, {"consent": "Please check the box so we can send your message."}),
    ({"consent": "true"}, {"consent": "This must be true or false."}),
    ({"consent": 1}, {"consent": "This must be true or false."}),
    ({"serviceId": "bread"}, {"serviceId": "Please choose one of the services."}),
    ({"serviceId": str(new_id())}, {"serviceId": "Please choose one of the services."}),
    ({"serviceId": "{" + "0" * 34 + "}"}, {"serviceId": "Please choose one of the services."}),
    ({"admin": True}, {"admin": "This field isn't recognized."}),
    ({"service_id": "x"}, {"service_id": "This field isn't recognized."}),
    (
        {"email": "not an email", "phone": "?", "consent": False},
        {
            "email": "Please enter a valid email address.",
            "phone": "Please enter a phone number or leave this blank.",
            "consent": "Please check the box so we can send your message.",
        },
    ),
]


@pytest.mark.parametrize(("change", "fields"), INVALID)
async def test_create_lead_with_invalid_field_names_it(
    leads: LeadClient, change: dict[str, Any], fields: dict[str, str]
) -> None:
    response = await leads.post(LEAD | change)
    assert response.status_code == 422
    body = response.json()
    assert body == {
        "success": False,
        "message": "Please check the highlighted fields.",
        "error": {"code": "validation_failed", "message": "Please check the highlighted fields.", "fields": fields},
    }
    assert leads.stored_leads() == []
    assert leads.enqueued_leads() == []


async def test_create_lead_with_missing_fields_names_them(leads: LeadClient) -> None:
    response = await leads.post({})
    assert response.json()["error"]["fields"] == dict.fromkeys(("name", "email", "message"), "This field is required.")


async def test_create_lead_with_filled_honeypot_stores_nothing(leads: LeadClient) -> None:
    response = await leads.post(LEAD | {"website": "https://spam.example"})
    assert response.status_code == 201
    assert response.json()["success"] is True
    assert leads.stored_leads() == []
    assert leads.enqueued_leads() == []


async def test_create_lead_resend_stores_one_lead(leads: LeadClient) -> None:
    assert [(await leads.post(LEAD, key="again")).status_code for _ in range(3)] == [201, 200, 200]
    other = await leads.post(LEAD | {"message": "Something else"}, key="again")
    assert (other.status_code, other.json()["error"]["code"]) == (409, "key_reused")
    assert len(leads.stored_leads()) == len(leads.enqueued_leads()) == 1
    assert (await leads.post(LEAD)).status_code == 201  # without a key, the content is the key
    assert (await leads.post(LEAD)).status_code == 200
    assert (await leads.post(LEAD, address="203.0.113.8")).status_code == 201
    assert len(leads.stored_leads()) == 3


@pytest.mark.parametrize("key", ["two words", "k" * 201, "käse", " "])
async def test_create_lead_with_malformed_key_is_rejected(leads: LeadClient, key: str) -> None:
    async with http_client(leads.app, leads.guru.host) as client:
        headers = [(b"idempotency-key", key.encode())]
        response = await client.post(f"/api/gurus/{leads.guru.label}/leads", json=LEAD, headers=headers)
    if key != " ":  # an empty header counts as no key
        assert response.status_code == 422
        assert list(response.json()["error"]["fields"]) == ["Idempotency-Key"]


@pytest.mark.parametrize("keyed", [True, False])
async def test_concurrent_resends_store_one_lead_and_one_job(leads: LeadClient, keyed: bool) -> None:
    responses = await asyncio.gather(*(leads.post(LEAD, key="double" if keyed else None) for _ in range(12)))
    assert sorted(response.status_code for response in responses) == [200] * 11 + [201]
    assert len(leads.stored_leads()) == len(leads.enqueued_leads()) == 1


async def test_create_lead_over_address_limit_gets_429(leads: LeadClient) -> None:
    for number in range(LEADS_PER_HOUR.per_address):
        assert (await leads.post(LEAD, key=f"k{number}")).status_code == 201
    late = await leads.post(LEAD, key="late")
    assert (late.status_code, late.json()["error"]["code"]) == (429, "rate_limited")
    assert late.json()["message"] == "Too many requests. Please wait a moment and try again."
    assert int(late.headers["retry-after"]) > 0
    assert (await leads.post(LEAD, key="k3")).status_code == 200  # a resend is not a new lead
    assert (await leads.post(LEAD, key="elsewhere", address="203.0.113.99")).status_code == 201
    assert len(leads.stored_leads()) == len(leads.enqueued_leads()) == LEADS_PER_HOUR.per_address + 1
    leads.conn.execute("UPDATE leads SET created_at = created_at - interval '61 minutes'")
    assert (await leads.post(LEAD, key="an-hour-later")).status_code == 201


async def test_ipv6_network_counts_as_one_address(leads: LeadClient) -> None:
    addresses = [f"2001:db8::{number:x}:1:2:3" for number in range(1, LEADS_PER_HOUR.per_address + 1)]
    for number, address in enumerate(addresses):
        assert (await leads.post(LEAD, key=f"k{number}", address=address)).status_code == 201
    refused = await leads.post(LEAD, key="late", address="2001:db8:0:0:ffff::1")
    assert refusal(refused) == (429, "rate_limited")
    assert (await leads.post(LEAD, key="other", address="2001:db8:0:1::1")).status_code == 201
    assert len(leads.stored_leads()) == LEADS_PER_HOUR.per_address + 1


async def test_concurrent_leads_exceed_limit_by_pool_size_at_most(leads: LeadClient) -> None:
    responses = await asyncio.gather(*(leads.post(LEAD, key=f"burst{number}") for number in range(60)))
    created = sum(response.status_code == 201 for response in responses)
    assert 0 < created <= LEADS_PER_HOUR.per_address + leads.app.db.writes.max_size
    assert {response.status_code for response in responses} <= {201, 429, 503}  # 503 only on a busy machine
    assert len(leads.stored_leads()) == len(leads.enqueued_leads()) == created


async def test_create_lead_for_deleted_guru_gets_404(leads: LeadClient) -> None:
    path = f"/api/gurus/{leads.guru.label}/leads"
    async with http_client(leads.app, leads.guru.host) as client:
        tenant = await leads.app.directory.find_by_name(leads.guru.label)
        leads.conn.execute("DELETE FROM gurus WHERE id = %s", [leads.guru.id])
        leads.app.directory._store(leads.guru.label, tenant, 1e12)  # as before the notification
        response = await client.post(path, json=LEAD)
        page = await client.get("/")
        form = await client.post("/contact", data={**LEAD, "consent": "on"})
    assert (response.status_code, response.json()["error"]["code"]) == (404, "guru_not_found")
    assert page.status_code == 404
    assert "Guru Not Found" in page.text
    assert form.status_code == 404
