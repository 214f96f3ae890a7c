"""The lead form without JavaScript: typed values are kept, and a lead is created once."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from pydantic import StringConstraints
from pydantic.alias_generators import to_camel

from porchlight.app import Porchlight
from sites.context import LEADS_PER_HOUR
from sites.leads.schemas import LeadDetails
from tests.fixtures.databases import Database
from tests.porchlight.app_client import http_client, run_app, send_raw
from tests.porchlight.factories import SeededGuru, seed_guru

TYPED = {
    "name": 'Ada "the baker" <b>', "email": "ada@example.com", "phone": "303 555 0117",
    "message": "First line\n</textarea><script>alert(1)</script>", "consent": "on",
}  # fmt: skip


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with run_app(database, limits="on") as porchlight:
        yield porchlight


@pytest.fixture
def guru(database: Database) -> SeededGuru:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        guru = seed_guru(conn, f"guru-{uuid4().hex[:8]}")
        conn.execute("DELETE FROM leads WHERE tenant_id = %s", [guru.id])
        return guru


async def _send(
    app: Porchlight, guru: SeededGuru, fields: dict[str, str], address: str = "203.0.113.7"
) -> httpx.Response:
    async with http_client(app, guru.host, address=address) as client:
        return await client.post("/contact", data=fields)


def _stored_leads(database: Database, guru: SeededGuru) -> list[tuple[str, ...]]:
    with psycopg.connect(database.service_url) as conn:
        return conn.execute("SELECT name, email, phone, message FROM leads WHERE tenant_id = %s", [guru.id]).fetchall()


def _assert_form_values(page: str, fields: dict[str, str]) -> None:
    """Assert that the form contains the typed values, escaped."""
    assert "<script>alert" not in page
    for name, value in fields.items():
        if name != "consent":
            field = re.search(rf'<(input|textarea|select)[^>]*\bname="{name}"[^>]*>([^<]*)', page)
            assert field is not None, name
            displayed = (
                field[2] if field[1] == "textarea" else (re.search(r'\bvalue="([^"]*)"', field[0]) or ["", ""])[1]
            )
            assert html.unescape(displayed).strip("\n") == value, name
    if "consent" in fields:
        assert re.search(r'<input[^>]*name="consent"[^>]*\bchecked', page) or re.search(
            r'<input[^>]*\bchecked[^>]*name="consent"', page
        )


async def test_lead_form_creates_one_lead_and_confirms(app: Porchlight, guru: SeededGuru, database: Database) -> None:
    for _ in range(2):  # the second time as a reload of the browser
        response = await _send(app, guru, TYPED | {"serviceId": ""})
        assert (response.status_code, response.headers["location"]) == (303, "/contact/sent")
    assert _stored_leads(database, guru) == [(TYPED["name"], TYPED["email"], TYPED["phone"], TYPED["message"])]
    async with http_client(app, guru.host) as client:
        thanks = await client.get("/contact/sent")
    assert thanks.status_code == 200
    assert "Thank you! Your message has been sent." in thanks.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"email": "not an email"}, "Please enter a valid email address."),
        ({"phone": "call me"}, "Please enter a phone number or leave this blank."),
        ({"name": "x" * 121}, "Use 120 characters or fewer."),
        ({"name": " "}, "Please enter your name."),
        ({"message": ""}, "Please write a message."),
        ({"serviceId": "x"}, "Please choose one of the services."),
    ],
)
async def test_lead_form_with_invalid_field_keeps_values(
    app: Porchlight, guru: SeededGuru, database: Database, change: dict[str, str], message: str
) -> None:
    response = await _send(app, guru, TYPED | change)
    assert response.status_code == 422
    assert message in html.unescape(response.text)
    _assert_form_values(response.text, {name: value for name, value in (TYPED | change).items() if name != "serviceId"})
    assert response.headers["cache-control"] == "no-store"
    assert _stored_leads(database, guru) == []


async def test_lead_form_shows_every_detail(app: Porchlight, guru: SeededGuru) -> None:
    async with http_client(app, guru.host) as client:
        page = (await client.get("/contact")).text
    for name, field in LeadDetails.model_fields.items():
        max_length = next(part.max_length for part in field.metadata if isinstance(part, StringConstraints))
        control = re.search(rf'<input [^>]*name="{to_camel(name)}"[^>]*>', page)
        assert control is not None, name
        assert f'maxLength="{max_length}"' in control[0], name
        assert f'<label for="lead-{to_camel(name)}">{field.title}<' in page, name


@pytest.mark.parametrize("query", ["", "?service=", "?service=%FF", f"?service={UUID(int=1)}"])
async def test_lead_form_with_unknown_service_has_none(app: Porchlight, guru: SeededGuru, query: str) -> None:
    async with http_client(app, guru.host) as client:
        page = (await client.get(f"/contact{query}")).text
    assert re.findall(r'<option value="([^"]*)" selected', page) == [""]


async def test_lead_form_starts_with_chosen_service(app: Porchlight, guru: SeededGuru) -> None:
    async with http_client(app, guru.host) as client:
        response = await client.get(f"/contact?service={guru.services[0]}")
    assert response.status_code == 200
    assert re.findall(r'<option value="([^"]*)" selected', response.text) == [str(guru.services[0])]
    assert "Please check the highlighted fields." not in response.text


async def test_lead_form_without_consent_creates_no_lead(app: Porchlight, guru: SeededGuru, database: Database) -> None:
    fields = {name: value for name, value in TYPED.items() if name != "consent"}
    response = await _send(app, guru, fields)
    assert response.status_code == 422
    assert "Please check the box so we can send your message." in response.text
    _assert_form_values(response.text, fields)
    assert _stored_leads(database, guru) == []


async def test_lead_form_over_rate_limit_keeps_values(app: Porchlight, guru: SeededGuru, database: Database) -> None:
    for number in range(LEADS_PER_HOUR.per_address):
        assert (await _send(app, guru, TYPED | {"message": f"Message {number}"})).status_code == 303
    response = await _send(app, guru, TYPED)
    assert response.status_code == 429
    assert int(response.headers["retry-after"]) > 0
    assert "Too many requests. Please wait a moment and try again." in response.text
    _assert_form_values(response.text, TYPED)


async def test_lead_form_with_filled_honeypot_creates_no_lead(
    app: Porchlight, guru: SeededGuru, database: Database
) -> None:
    assert (await _send(app, guru, TYPED | {"website": "x"})).status_code == 303
    assert _stored_leads(database, guru) == []


BOUNDARY = b"multipart/form-data; boundary=b"
BODIES: dict[str, tuple[bytes, bytes]] = {
    "no boundary": (b"multipart/form-data", b"--b\r\n"),
    "no parts": (BOUNDARY, b"nothing"),
    "half a part": (BOUNDARY, b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nAd'),
    "no name": (BOUNDARY, b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n"),
    "a file": (
        BOUNDARY,
        b'--b\r\nContent-Disposition: form-data; name="name"; filename="x"\r\n\r\nx\r\n--b--\r\n',
    ),
    "a thousand parts": (BOUNDARY, b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n' * 1000 + b"--b--"),
    "an unknown charset": (
        BOUNDARY + b"; charset=utf-99",
        b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n',
    ),
    "bytes that are not UTF-8": (b"application/x-www-form-urlencoded", b"name=%ff%fe&email=\xff&message=%00%ed%a0%80"),
    "the same field twice": (b"application/x-www-form-urlencoded", b"name=a&name=b&email=x&message=y&consent=on"),
    "a field without a name": (b"application/x-www-form-urlencoded", b"=&==&&;&%&%%%=%zz"),
    "ten thousand fields": (b"application/x-www-form-urlencoded", b"a=1&" * 10_000),
    "json": (b"application/json", b'{"name": "x"}'),
    "no content type": (b"", b"name=x"),
    "a malformed content type": (b"\xff/;;=", b"name=x"),
}  # fmt: skip


@pytest.mark.parametrize("case", BODIES)
async def test_lead_form_with_malformed_body_is_rejected(
    app: Porchlight, guru: SeededGuru, database: Database, case: str
) -> None:
    content_type, body = BODIES[case]
    headers = [(b"content-type", content_type)] if content_type else []
    response = await send_raw(app, b"/contact", guru.host, method="POST", headers=headers, body=body)
    assert response.status == 422, response.body[:300]
    assert b"<form" in response.body
    assert _stored_leads(database, guru) == []


async def test_lead_form_over_size_limit_is_rejected(app: Porchlight, guru: SeededGuru, database: Database) -> None:
    form = [(b"content-type", b"application/x-www-form-urlencoded")]
    long = b"name=x&email=a@b.co&consent=on&message=" + b"x" * 200_000
    for headers, body in (
        (form, long),
        ([(b"content-length", str(len(long)).encode())], long),  # not a form: it would be rejected without being read
        ([*form, (b"content-length", b"99999999999999999999999")], b"name=x"),
        ([*form, (b"content-length", b"-1")], b"name=x"),
        ([*form, (b"content-length", "٣".encode())], b"name=x"),
        ([*form, (b"transfer-encoding", b"chunked"), (b"content-length", b"0")], long),
    ):
        chunks = [body[at : at + 60_000] for at in range(0, len(body), 60_000)]
        response = await send_raw(app, b"/contact", guru.host, method="POST", headers=headers, body=chunks)
        assert response.status == 413, headers
    assert _stored_leads(database, guru) == []
