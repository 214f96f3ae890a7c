"""The page `/_mail`: emails that the demo stores instead of sending. Development only; `app.py` adds it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs

import orjson
import psycopg
from psycopg.rows import DictRow, dict_row
from starlette.requests import Request
from starlette.responses import Response

from porchlight.emails.invitation_card import read_invitation_cards
from porchlight.emails.mailbox_reply import ANSWERS, MailboxEmail, answer_to, reply_to
from porchlight.emails.sender import send_to_receiver
from porchlight.emails.wire import INVITATION_NAME
from tenants.http.asgi import Receive, Scope, Send
from tenants.kit import clock, timeouts
from tenants.kit.ids import parse_id
from tenants.kit.templates import create_environment

MAX_LISTED_EMAILS = 100
ORIGINAL_NAME = "message.txt"
_LIST = """
SELECT id, recipient AS "to", subject, sent_at AS "sentAt" FROM dev_mailbox WHERE recipient ILIKE %s
 ORDER BY sent_at DESC, id DESC LIMIT %s"""
_ONE = """
SELECT recipient AS "to", reply_to AS "replyTo", subject, sent_at AS "sentAt", plain, html, invitation
  FROM dev_mailbox WHERE id = %s"""
_ORIGINAL = "SELECT original FROM dev_mailbox WHERE id = %s AND original <> ''"

_PAGE_CSP = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# An email's own HTML runs no scripts and loads nothing; its links open in a new tab.
_EMAIL_CSP = (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; frame-ancestors 'self'"
)


def _format_timestamp(moment: datetime) -> str:
    return clock.to_iso8601(moment).replace("T", " ").replace("Z", " UTC")


_ENVIRONMENT = create_environment("porchlight.emails")
_ENVIRONMENT.filters["timestamp"] = _format_timestamp


class MailboxPage:
    """Lists and shows stored emails, and sends replies. Reads as the service role: the app role has no rights here.

    `reply_domain` and `reply_port`: of the mail receiver on this machine; without it, nothing can be answered.
    """

    def __init__(self, service_dsn: str, reply_domain: str = "", reply_port: int = 0) -> None:
        self._dsn = service_dsn
        self._reply_domain = reply_domain
        self._reply_port = reply_port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with the list of emails or with one email."""
        request = Request(scope, receive)
        if request.method not in ("GET", "HEAD", "POST"):
            await Response(status_code=405, headers={"allow": "GET, HEAD, POST"})(scope, receive, send)
            return
        response = await (self._send(request) if request.method == "POST" else self._respond(request))
        response.headers["cache-control"] = "no-store"
        response.headers["x-content-type-options"] = "nosniff"
        response.headers["referrer-policy"] = "no-referrer"
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        path = request.scope["path"].removeprefix("/_mail").strip("/")
        if path in ("", "messages.json"):
            recipient = request.query_params.get("to", "").replace("\0", "")[:254]
            pattern = "%" + recipient.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
            emails = await self._fetch(_LIST, [pattern, MAX_LISTED_EMAILS])
            if path:
                return _json({"messages": emails})
            return _page("mailbox.html.j2", emails=emails, recipient=recipient)
        identifier, _, part = path.partition("/")
        email_id = parse_id(identifier)
        emails = await self._fetch(_ONE, [email_id]) if email_id is not None else []
        if not emails or part not in ("", "html", "message.json", INVITATION_NAME, ORIGINAL_NAME):
            return _not_found()
        email = emails[0]
        if part == ORIGINAL_NAME:
            originals = await self._fetch(_ORIGINAL, [email_id])
            return Response(originals[0]["original"], media_type="text/plain") if originals else _not_found()
        if part == "html":
            return _page("mailbox_frame.html.j2", csp=_EMAIL_CSP, email=email)
        if part == "message.json":
            return _json(email)
        if part == INVITATION_NAME:
            return _invitation_file(email["invitation"])
        return _page(
            "mailbox_email.html.j2",
            email=email,
            frame_url=f"/_mail/{email_id}/html",
            original_url=f"/_mail/{email_id}/{ORIGINAL_NAME}",
            cards=read_invitation_cards(email["invitation"]) if email["invitation"] else [],
            invitation_url=f"/_mail/{email_id}/{INVITATION_NAME}",
            answers=self._answers(email),
        )

    def _answers(self, email: Mapping[str, Any]) -> dict[str, bool]:
        """Return whether an email can be replied to, and whether its invitation can be answered."""
        at_domain = f"@{self._reply_domain}"
        return {
            "can_reply": bool(self._reply_domain) and email["replyTo"].endswith(at_domain),
            "can_answer": bool(self._reply_domain) and at_domain in email["invitation"],
        }

    async def _send(self, request: Request) -> Response:
        """Send the reply or the answer of a form, and show what became of it."""
        email_id = parse_id(request.scope["path"].removeprefix("/_mail").strip("/"))
        emails = await self._fetch(_ONE, [email_id]) if email_id is not None else []
        if not emails or not any(self._answers(emails[0]).values()):
            return _not_found()
        email = MailboxEmail(*(emails[0][name] for name in ("to", "replyTo", "subject", "plain", "invitation")))
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        words, answer = form.get("words", [""])[0], form.get("answer", [""])[0]
        message = answer_to(email, answer) if answer in ANSWERS else reply_to(email, words)
        problem = (
            await asyncio.to_thread(send_to_receiver, message, self._reply_port)
            if message
            else "It cannot be answered."
        )
        return _page("mailbox_sent.html.j2", back_url=f"/_mail/{email_id}", problem=problem, words=words)

    async def _fetch(self, query: str, params: Sequence[Any]) -> list[DictRow]:
        def read() -> list[DictRow]:
            with psycopg.connect(
                self._dsn, connect_timeout=timeouts.current.connect_seconds, row_factory=dict_row
            ) as conn:
                return conn.execute(query, params).fetchall()

        return await asyncio.to_thread(read)


def _page(template: str, *, status: int = 200, csp: str = _PAGE_CSP, **values: object) -> Response:
    html = _ENVIRONMENT.get_template(template).render(values)
    return Response(html, status, media_type="text/html", headers={"content-security-policy": csp})


def _not_found() -> Response:
    return _page("mailbox_not_found.html.j2", status=404)


def _json(body: Mapping[str, Any]) -> Response:
    return Response(orjson.dumps(body), media_type="application/json")


def _invitation_file(invitation: str) -> Response:
    if not invitation:
        return _not_found()
    headers = {"content-disposition": f'attachment; filename="{INVITATION_NAME}"'}
    return Response(invitation, media_type="text/calendar; charset=utf-8", headers=headers)
