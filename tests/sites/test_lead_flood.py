"""A flood of leads to one guru: senders prove work, a network has its share, honest visitors get through."""

from __future__ import annotations

import html
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from sites.context import LEADS_PER_HOUR
from tenants.db.rate_limit import hash_sender
from tests.fixtures.databases import Database
from tests.fixtures.proofs import solve
from tests.porchlight.app_client import http_client, run_app
from tests.porchlight.factories import SeededGuru, seed_guru

LEAD = {"name": "Ada Alvarez", "email": "ada@example.com", "message": "Do you teach bread?", "consent": True}
PROOF_MESSAGE = "This form is getting a lot of messages right now. Please turn on JavaScript"


@dataclass
class FloodedGuru:
    """A guru's site with limits, and direct access to its leads."""

    app: Porchlight
    conn: psycopg.Connection[Any]
    guru: SeededGuru

    async def post(self, key: str, address: str, proof: str = "") -> httpx.Response:
        """Post a lead from an address."""
        headers = {"idempotency-key": key, "porchlight-proof": proof}
        async with http_client(self.app, self.guru.host, address=address) as client:
            return await client.post(f"/api/gurus/{self.guru.label}/leads", json=LEAD, headers=headers)

    async def post_as_browser(self, key: str, address: str) -> httpx.Response:
        """Post a lead as the site's form does: solve the challenge if there is one."""
        response = await self.post(key, address)
        if response.status_code == 429 and (challenge := response.json()["error"].get("challenge")):
            return await self.post(key, address, solve(challenge))
        return response

    async def challenge(self, key: str, address: str = "192.0.2.1") -> str:
        """Return the challenge for a lead."""
        response = await self.post(key, address)
        assert (response.status_code, response.json()["error"]["code"]) == (429, "proof_required"), response.text
        return str(response.json()["error"]["challenge"])

    def flood(self, addresses: list[str], leads_per_address: int = 1) -> None:
        """Store leads of this hour, as an attacker who solves each challenge leaves them."""
        secret = self.app.settings.address_secret
        with self.conn.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO leads (tenant_id, id, name, email, message, address_hash, network_hash, idempotency_key,"
                " digest) SELECT %s, gen_random_uuid(), 'x', 'x@x.example', 'x', %s, %s, gen_random_uuid()::text, ''"
                "  FROM generate_series(1, %s)",
                [
                    (self.guru.id, sender.address_hash, sender.network_hash, leads_per_address)
                    for sender in (hash_sender(secret, address) for address in addresses)
                ],
            )

    def count(self) -> int:
        """Return the number of stored leads."""
        row = self.conn.execute("SELECT count(*) FROM leads WHERE tenant_id = %s", [self.guru.id]).fetchone()
        return int(row[0]) if row else 0


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with run_app(database, limits="on") as porchlight:
        yield porchlight


@pytest.fixture
def site(app: Porchlight, database: Database) -> Iterator[FloodedGuru]:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        guru = seed_guru(conn, f"flood-{uuid4().hex[:8]}")
        conn.execute("DELETE FROM leads WHERE tenant_id = %s", [guru.id])
        yield FloodedGuru(app, conn, guru)


def attackers(count: int) -> list[str]:
    """Return addresses in as many networks."""
    return [f"10.{number // 250}.{number % 250}.7" for number in range(count)]


async def test_leads_below_flood_need_no_proof(site: FloodedGuru) -> None:
    site.flood(attackers(LEADS_PER_HOUR.flood_from - 1))
    assert (await site.post("last", "192.0.2.1")).status_code == 201
    response = await site.post("next", "192.0.2.1")
    error = response.json()["error"]
    assert (response.status_code, error["code"], set(error)) == (
        429,
        "proof_required",
        {"code", "message", "challenge"},
    )
    assert error["message"].startswith(PROOF_MESSAGE)
    site.conn.execute("UPDATE leads SET created_at = created_at - interval '61 minutes'")
    assert (await site.post("next", "192.0.2.1")).status_code == 201


@pytest.mark.parametrize("address_count", [30, 300])
async def test_flood_of_addresses_refuses_no_honest_visitor(site: FloodedGuru, address_count: int) -> None:
    site.flood(attackers(address_count), LEADS_PER_HOUR.per_address)
    before = site.count()
    honest = [f"198.51.{number}.20" for number in range(3)] + ["2001:db8:77::1"]
    statuses = [(await site.post_as_browser(f"honest-{number}", of)).status_code for number, of in enumerate(honest)]
    assert statuses == [201] * len(honest)
    assert site.count() == before + len(honest)


async def test_attacker_without_proof_adds_up_to_flood_mark(site: FloodedGuru) -> None:
    statuses = [(await site.post(f"k{n}", address)).status_code for n, address in enumerate(attackers(40))]
    assert statuses == [201] * LEADS_PER_HOUR.flood_from + [429] * (40 - LEADS_PER_HOUR.flood_from)
    assert site.count() == LEADS_PER_HOUR.flood_from


@pytest.mark.parametrize(
    ("used", "network", "other"),
    [
        ("192.0.2.{}", "192.0.2.200", "192.0.3.1"),
        ("2001:db8:5:{}::1", "2001:db8:5:ffff::1", "2001:db8:6::1"),
    ],
)
async def test_network_has_one_share_of_the_hour(site: FloodedGuru, used: str, network: str, other: str) -> None:
    site.flood([used.format(number) for number in range(1, LEADS_PER_HOUR.per_network + 1)])
    refused = await site.post_as_browser("same-network", network)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limited")
    assert (await site.post_as_browser("other-network", other)).status_code == 201


async def test_address_has_its_share_despite_proofs(site: FloodedGuru) -> None:
    site.flood(attackers(LEADS_PER_HOUR.flood_from))
    site.flood(["192.0.2.1"], LEADS_PER_HOUR.per_address)
    assert (await site.post_as_browser("more", "192.0.2.1")).json()["error"]["code"] == "rate_limited"
    assert (await site.post_as_browser("other", "192.0.2.2")).status_code == 201


async def test_total_bounds_the_rows_of_an_hour(site: FloodedGuru) -> None:
    site.flood(["10.0.0.1"], LEADS_PER_HOUR.total)
    assert (await site.post_as_browser("late", "192.0.2.1")).json()["error"]["code"] == "rate_limited"


async def test_proof_is_good_for_one_lead_of_one_guru(site: FloodedGuru) -> None:
    site.flood(attackers(LEADS_PER_HOUR.flood_from))
    other = FloodedGuru(site.app, site.conn, seed_guru(site.conn, f"other-{uuid4().hex[:8]}"))
    other.flood(attackers(LEADS_PER_HOUR.flood_from))
    proof = solve(await site.challenge("k1"))
    before = other.count()
    assert (await other.post("k1", "192.0.2.1", proof)).json()["error"]["code"] == "proof_required"
    assert other.count() == before
    assert (await site.post("k2", "192.0.2.1", proof)).json()["error"]["code"] == "proof_required"
    assert (await site.post("k1", "192.0.2.1", proof)).status_code == 201
    before = site.count()
    # A replay is a resend of the same lead, from anywhere and without the proof too.
    assert [(await site.post("k1", of, proof)).status_code for of in ("192.0.2.1", "192.0.2.9")] == [200, 200]
    assert (await site.post("k1", "192.0.2.1")).status_code == 200
    assert (await site.post("k3", "192.0.2.1", proof)).json()["error"]["code"] == "proof_required"
    assert site.count() == before


async def test_forged_or_malformed_proof_is_refused(site: FloodedGuru) -> None:
    site.flood(attackers(LEADS_PER_HOUR.flood_from))
    bits, expires_at, signature = (await site.challenge("k1")).split(".")
    proofs = [
        solve(f"1.{expires_at}.{signature}"),
        f"{bits}.{expires_at}.{signature}:wrong",
        f"{bits}.1.{signature}:1",
        "x" * 5000,
        ":",
    ]
    codes = [(await site.post("k1", "192.0.2.1", proof)).json()["error"]["code"] for proof in proofs]
    assert codes == ["proof_required"] * len(proofs)
    assert site.count() == LEADS_PER_HOUR.flood_from


async def test_form_without_javascript_shows_flood_message(site: FloodedGuru) -> None:
    site.flood(attackers(LEADS_PER_HOUR.flood_from))
    async with http_client(site.app, site.guru.host, address="192.0.2.1") as client:
        response = await client.post("/contact", data={**LEAD, "consent": "on"})
    assert response.status_code == 429
    page = html.unescape(response.text)
    assert PROOF_MESSAGE in page
    assert str(LEAD["message"]) in page
