"""The mailbox page of the demo, and the mails of signing in."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from porchlight.app import mailbox
from porchlight.notices.mail import Letter, MailboxMailer
from porchlight.notices.sign_in import letter_for_code
from tests.platform_.world import BASE, serving, settings_of, visitor
from tests.support.databases import Database

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)><form action=//evil.example><a href='/x'>link</a>"


def _keep(database: Database, key: str, **changes: str) -> None:
    given: dict[str, Any] = {
        "recipient": "ada@example.com",
        "subject": "Hello",
        "plain": "Plain words",
        "html": "<p>HTML words</p>",
    }
    MailboxMailer(database.overseer_url).send(Letter(key=key, **(given | changes)))


async def test_mail_is_listed_and_read(database: Database) -> None:
    _keep(database, "one", subject="First <b>mail</b>")
    _keep(database, "two", recipient="100%@example.com", subject="Second")
    async with serving(database) as app, visitor(app, BASE) as web:
        page = await web.get("/_mail")
        assert page.status_code == 200
        assert "First &lt;b&gt;mail&lt;/b&gt;" in page.text
        assert "Second" in page.text
        found = await web.get("/_mail", params={"to": "100%"})
        assert "Second" in found.text
        assert "First" not in found.text
        listed = (await web.get("/_mail/messages.json", params={"to": "ada@"})).json()["messages"]
        assert [message["subject"] for message in listed] == ["First <b>mail</b>"]
        shown = await web.get(f"/_mail/{listed[0]['id']}")
        assert "Plain words" in shown.text
        assert 'sandbox="allow-popups allow-popups-to-escape-sandbox"' in shown.text
        for wrong in ("nonsense", "00000000-0000-0000-0000-000000000000", f"{listed[0]['id']}/other"):
            assert (await web.get(f"/_mail/{wrong}")).status_code == 404
        assert (await web.post("/_mail")).status_code == 405


async def test_a_mails_html_runs_nothing(database: Database) -> None:
    _keep(database, "evil", recipient="evil@example.com", html=EVIL, plain=EVIL, subject=EVIL, reply_to=EVIL)
    async with serving(database) as app, visitor(app, BASE) as web:
        listed = (await web.get("/_mail/messages.json", params={"to": "evil@"})).json()["messages"]
        shown = await web.get(f"/_mail/{listed[0]['id']}")
        assert "<script" not in shown.text
        assert "script-src" not in shown.headers["content-security-policy"]
        assert "default-src 'none'" in shown.headers["content-security-policy"]
        inner = await web.get(f"/_mail/{listed[0]['id']}/html")
        policy = inner.headers["content-security-policy"]
        assert policy.startswith("sandbox allow-popups allow-popups-to-escape-sandbox;")
        assert "default-src 'none'" in policy
        assert "form-action 'none'" in policy
        assert inner.headers["x-content-type-options"] == "nosniff"


async def test_it_is_on_the_main_host_of_a_demo_alone(database: Database) -> None:
    from tenants.lifecycle import NewGuru, create

    with psycopg.connect(database.overseer_url) as conn:
        create(conn, NewGuru("nomail", "No Mail", "general", ""))
    assert mailbox(settings_of(database, env="production")) is None
    assert mailbox(settings_of(database, smtp_url="smtp://mail.example:25")) is None
    async with serving(database) as app, visitor(app, f"nomail.{BASE}") as web:
        assert "mailbox" not in (await web.get("/_mail", follow_redirects=False)).text.lower()
    async with serving(database, env="production", limits="on") as app, visitor(app, BASE) as web:
        assert "Mailbox" not in (await web.get("/_mail")).text


KINDS = {
    "VERIFY_EMAIL": ("verifyEmail", "ada@example.com"),
    "PASSWORD_RESET": ("resetPassword", "ada@example.com"),
    "VERIFY_AND_CHANGE_EMAIL": ("verifyAndChangeEmail", "new@example.com"),
    "RECOVER_EMAIL": ("recoverEmail", "ada@example.com"),
    "EMAIL_SIGNIN": ("signIn", "ada@example.com"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_codes_become_mails_with_links_to_our_own_page(kind: str) -> None:
    code = {"requestType": kind, "email": "ada@example.com", "newEmail": "new@example.com", "oobCode": "se&cret"}
    letter = letter_for_code(code, "https://porchlight.example")
    assert letter is not None
    mode, recipient = KINDS[kind]
    assert letter.recipient == recipient
    link = f"https://porchlight.example/auth/action?mode={mode}&oobCode=se%26cret&apiKey=local&lang=en"
    assert link in letter.plain
    assert link.replace("&", "&amp;") in letter.html
    assert "<img" not in letter.html
    again = letter_for_code(code, "https://porchlight.example")
    assert again is not None
    assert again.key == letter.key
    assert "se&cret" not in letter.key


def test_unknown_codes_are_left_alone() -> None:
    assert letter_for_code({"requestType": "OTHER", "email": "a@example.com", "oobCode": "x"}, "https://h") is None
    assert (
        letter_for_code({"requestType": "VERIFY_EMAIL", "email": "a@example.com", "oobCode": ""}, "https://h") is None
    )
