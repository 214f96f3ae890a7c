"""The mailbox page `/_mail` of the demo."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.app import mailbox
from porchlight.emails.sender import MailboxMailer
from porchlight.ports import EmailMessage
from tenants.tenancy.lifecycle import NewGuru, create_guru
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, create_settings, http_client, run_app

UNSAFE_HTML = "<script>alert(1)</script><img src=x onerror=alert(2)><form action=//evil.example><a href='/x'>link</a>"


def store_email(database: Database, key: str, **changes: str) -> None:
    values: dict[str, Any] = {
        "recipient": "ada@example.com",
        "subject": "Hello",
        "text": "Plain words",
        "html": "<p>HTML words</p>",
    }
    MailboxMailer(database.service_url).send(EmailMessage(key=key, **(values | changes)))


async def test_mailbox_lists_searches_and_shows_emails(database: Database) -> None:
    store_email(database, "one", subject="First <b>mail</b>", reply_to="zoe@example.com")
    store_email(database, "two", recipient="100%@example.com", subject="Second")
    async with run_app(database) as app, http_client(app, BASE_HOST) as web:
        page = await web.get("/_mail")
        assert page.status_code == 200
        assert "<title>Mailbox · Porchlight mailbox</title>" in page.text
        assert "First &lt;b&gt;mail&lt;/b&gt;" in page.text
        assert "Second" in page.text
        page = await web.get("/_mail", params={"to": "100%"})
        assert "Second" in page.text
        assert "First" not in page.text
        listed = (await web.get("/_mail/messages.json", params={"to": "ada@"})).json()["messages"]
        assert [message["subject"] for message in listed] == ["First <b>mail</b>"]
        assert set(listed[0]) == {"id", "to", "subject", "sentAt"}
        page = await web.get(f"/_mail/{listed[0]['id']}")
        assert "Plain words" in page.text
        assert 'sandbox="allow-popups allow-popups-to-escape-sandbox"' in page.text
        inner = await web.get(f"/_mail/{listed[0]['id']}/html")
        assert "<p>HTML words</p>" in inner.text
        message = (await web.get(f"/_mail/{listed[0]['id']}/message.json")).json()
        assert (message["to"], message["replyTo"], message["plain"], message["html"]) == (
            "ada@example.com",
            "zoe@example.com",
            "Plain words",
            "<p>HTML words</p>",
        )
        original = await web.get(f"/_mail/{listed[0]['id']}/message.txt")
        assert original.headers["content-type"] == "text/plain; charset=utf-8"
        assert "Subject: First <b>mail</b>\r\n" in original.text
        assert "Reply-To: zoe@example.com\r\n" in original.text
        for wrong in ("nonsense", "00000000-0000-0000-0000-000000000000", f"{listed[0]['id']}/other"):
            assert (await web.get(f"/_mail/{wrong}")).status_code == 404
        assert (await web.delete("/_mail")).status_code == 405


async def test_mailbox_unsafe_email_runs_no_scripts(database: Database) -> None:
    store_email(
        database,
        "unsafe",
        recipient="evil@example.com",
        html=UNSAFE_HTML,
        text=UNSAFE_HTML,
        subject=UNSAFE_HTML,
    )
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("UPDATE dev_mailbox SET reply_to = %s WHERE key = 'unsafe'", [UNSAFE_HTML])
    async with run_app(database) as app, http_client(app, BASE_HOST) as web:
        listed = (await web.get("/_mail/messages.json", params={"to": "evil@"})).json()["messages"]
        for path in ("/_mail?to=evil@", f"/_mail/{listed[0]['id']}"):
            page = await web.get(path)
            assert "<script" not in page.text
            assert "script-src" not in page.headers["content-security-policy"]
            assert "default-src 'none'" in page.headers["content-security-policy"]
        inner = await web.get(f"/_mail/{listed[0]['id']}/html")
        policy = inner.headers["content-security-policy"]
        assert policy.startswith("sandbox allow-popups allow-popups-to-escape-sandbox;")
        assert "default-src 'none'" in policy
        assert "form-action 'none'" in policy
        assert inner.headers["x-content-type-options"] == "nosniff"


async def test_mailbox_exists_only_on_main_host_of_demo(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        create_guru(conn, NewGuru("nomail", "No Mail", "general", ""))
    assert mailbox(create_settings(database, env="production")) is None
    assert mailbox(create_settings(database, smtp_url="smtp://mail.example:25")) is None
    async with run_app(database) as app, http_client(app, f"nomail.{BASE_HOST}") as web:
        assert "mailbox" not in (await web.get("/_mail", follow_redirects=False)).text.lower()
    async with run_app(database, env="production", limits="on") as app, http_client(app, BASE_HOST) as web:
        assert "Mailbox" not in (await web.get("/_mail")).text


async def test_mailbox_reply_goes_to_the_mail_receiver(database: Database) -> None:
    store_email(database, "answerable", reply_to=f"reply+{'0' * 32}@reply.example", subject="Zoe wrote to you")
    store_email(database, "silent", recipient="silent@example.com", reply_to="zoe@example.com")
    settings = {"reply_domain": "reply.example", "reply_port": 1}
    async with run_app(database, **settings) as app, http_client(app, BASE_HOST) as web:
        emails = (await web.get("/_mail/messages.json")).json()["messages"]
        ids = {email["subject"]: email["id"] for email in emails}
        page = await web.get(f"/_mail/{ids['Zoe wrote to you']}")
        assert '<textarea id="words"' in page.text
        sent = await web.post(f"/_mail/{ids['Zoe wrote to you']}", data={"words": "Yes, <b>gladly</b>"})
        assert "The mail receiver refused it: The mail receiver does not respond." in sent.text
        assert "Yes, &lt;b&gt;gladly&lt;/b&gt;" in sent.text
        assert '<textarea id="words"' not in (await web.get(f"/_mail/{ids['Hello']}")).text
        assert (await web.post(f"/_mail/{ids['Hello']}", data={"words": "Hi"})).status_code == 404
