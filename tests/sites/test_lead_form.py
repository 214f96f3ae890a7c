"""The lead form as a browser without JavaScript sends it: nothing typed is lost, nothing is stored twice."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from uuid import uuid4

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from sites.limits import LeadLimits
from tests.platform_.world import Told, ask, serving, tell, visitor
from tests.support.databases import Database

TYPED = {
    "name": 'Ada "the baker" <b>', "email": "ada@example.com", "phone": "303 555 0117",
    "message": "First line\n</textarea><script>alert(1)</script>", "consent": "on",
}  # fmt: skip


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with serving(database, limits="on") as made:
        yield made


@pytest.fixture
def guru(database: Database) -> Told:
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        made = tell(conn, f"guru-{uuid4().hex[:8]}")
        conn.execute("DELETE FROM leads WHERE tenant_id = %s", [made.id])
        return made


async def _send(app: Porchlight, guru: Told, fields: dict[str, str], address: str = "203.0.113.7") -> httpx.Response:
    async with visitor(app, guru.host, address=address) as client:
        return await client.post("/contact", data=fields)


def _kept(database: Database, guru: Told) -> list[tuple[str, ...]]:
    with psycopg.connect(database.overseer_url) as conn:
        return conn.execute("SELECT name, email, phone, message FROM leads WHERE tenant_id = %s", [guru.id]).fetchall()


def _shows(page: str, fields: dict[str, str]) -> None:
    """Every typed word stands in the form again, as text."""
    assert "<script>alert" not in page
    for name, value in fields.items():
        if name != "consent":
            field = re.search(rf'<(input|textarea|select)[^>]*\bname="{name}"[^>]*>([^<]*)', page)
            assert field is not None, name
            shown = field[2] if field[1] == "textarea" else (re.search(r'\bvalue="([^"]*)"', field[0]) or ["", ""])[1]
            assert html.unescape(shown).strip("\n") == value, name
    if "consent" in fields:
        assert re.search(r'<input[^>]*name="consent"[^>]*\bchecked', page) or re.search(
            r'<input[^>]*\bchecked[^>]*name="consent"', page
        )


async def test_a_sent_form_is_kept_once_and_leads_to_the_thanks(
    app: Porchlight, guru: Told, database: Database
) -> None:
    for _ in range(2):  # and once more with the browser's reload
        answer = await _send(app, guru, TYPED | {"serviceId": ""})
        assert (answer.status_code, answer.headers["location"]) == (303, "/contact/sent")
    assert _kept(database, guru) == [(TYPED["name"], TYPED["email"], TYPED["phone"], TYPED["message"])]
    async with visitor(app, guru.host) as client:
        thanks = await client.get("/contact/sent")
    assert thanks.status_code == 200
    assert "Thank you! Your message has been sent." in thanks.text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"email": "nobody"}, "Please enter a valid email address."),
        ({"phone": "call me"}, "Please enter a phone number, or leave this empty."),
        ({"name": "x" * 121}, "Please use at most 120 characters."),
        ({"name": " "}, "Please tell us your name."),
        ({"message": ""}, "Please write a message."),
        ({"serviceId": "x"}, "Please choose one of the services."),
    ],
)
async def test_what_was_wrong_is_said_and_what_was_typed_stands_again(
    app: Porchlight, guru: Told, database: Database, change: dict[str, str], words: str
) -> None:
    answer = await _send(app, guru, TYPED | change)
    assert answer.status_code == 422
    assert words in html.unescape(answer.text)
    _shows(answer.text, {name: value for name, value in (TYPED | change).items() if name != "serviceId"})
    assert answer.headers["cache-control"] == "no-store"
    assert _kept(database, guru) == []


async def test_without_consent_nothing_is_kept(app: Porchlight, guru: Told, database: Database) -> None:
    fields = {name: value for name, value in TYPED.items() if name != "consent"}
    answer = await _send(app, guru, fields)
    assert answer.status_code == 422
    assert "Please agree, so that your message may be passed on." in answer.text
    _shows(answer.text, fields)
    assert _kept(database, guru) == []


async def test_who_writes_too_often_keeps_what_they_typed(app: Porchlight, guru: Told, database: Database) -> None:
    for number in range(LeadLimits().per_address):
        assert (await _send(app, guru, TYPED | {"message": f"Message {number}"})).status_code == 303
    answer = await _send(app, guru, TYPED)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert "Too many requests. Please wait a moment and try again." in answer.text
    _shows(answer.text, TYPED)


async def test_the_honeypot_is_thanked(app: Porchlight, guru: Told, database: Database) -> None:
    assert (await _send(app, guru, TYPED | {"website": "x"})).status_code == 303
    assert _kept(database, guru) == []


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
    "an odd charset": (
        BOUNDARY + b"; charset=utf-99",
        b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n',
    ),
    "bytes that are no text": (b"application/x-www-form-urlencoded", b"name=%ff%fe&email=\xff&message=%00%ed%a0%80"),
    "the same field twice": (b"application/x-www-form-urlencoded", b"name=a&name=b&email=x&message=y&consent=on"),
    "a field called nothing": (b"application/x-www-form-urlencoded", b"=&==&&;&%&%%%=%zz"),
    "ten thousand fields": (b"application/x-www-form-urlencoded", b"a=1&" * 10_000),
    "json": (b"application/json", b'{"name": "x"}'),
    "nothing said": (b"", b"name=x"),
    "nonsense": (b"\xff/;;=", b"name=x"),
}  # fmt: skip


@pytest.mark.parametrize("what", BODIES)
async def test_a_body_no_browser_sends_is_refused_calmly(
    app: Porchlight, guru: Told, database: Database, what: str
) -> None:
    kind, body = BODIES[what]
    headers = [(b"content-type", kind)] if kind else []
    answer = await ask(app, b"/contact", guru.host, method="POST", headers=headers, body=body)
    assert answer.status == 422, answer.body[:300]
    assert b"<form" in answer.body
    assert _kept(database, guru) == []


async def test_a_form_over_its_limit_is_refused(app: Porchlight, guru: Told, database: Database) -> None:
    kind = [(b"content-type", b"application/x-www-form-urlencoded")]
    long = b"name=x&email=a@b.co&consent=on&message=" + b"x" * 200_000
    for headers, body in (
        (kind, long),
        ([(b"content-length", str(len(long)).encode())], long),  # no form: the page would answer it unread
        ([*kind, (b"content-length", b"99999999999999999999999")], b"name=x"),
        ([*kind, (b"content-length", b"-1")], b"name=x"),
        ([*kind, (b"content-length", "٣".encode())], b"name=x"),
        ([*kind, (b"transfer-encoding", b"chunked"), (b"content-length", b"0")], long),
    ):
        chunks = [body[at : at + 60_000] for at in range(0, len(body), 60_000)]
        answer = await ask(app, b"/contact", guru.host, method="POST", headers=headers, body=chunks)
        assert answer.status == 413, headers
    assert _kept(database, guru) == []
