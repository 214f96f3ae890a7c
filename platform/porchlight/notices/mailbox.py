"""/_mail: the mail that the demo keeps instead of sending. Development only; `app.py` leaves it out elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Any
from uuid import UUID

import orjson
import psycopg
from starlette.requests import Request
from starlette.responses import Response

from tenants.edge import Receive, Scope, Send
from tenants.kit import clock
from tenants.kit.ids import parse_id

MOST = 100  # mails listed
_LIST = (
    "SELECT id, recipient, subject, sent_at FROM mailbox WHERE recipient ILIKE %s"
    " ORDER BY sent_at DESC, id DESC LIMIT %s"
)
_ONE = "SELECT recipient, reply_to, subject, sent_at, plain, html FROM mailbox WHERE id = %s"

_STYLE = """html{color-scheme:dark}body{margin:0;background:#0b1210;color:#e8f0ec;font:1rem/1.5 system-ui,sans-serif}
main{max-width:56rem;margin:0 auto;padding:2rem 1.25rem 4rem}h1{font-size:1.5rem;margin:0 0 1rem}
a{color:#6ee7a8}form{display:flex;gap:.5rem;margin:0 0 1.5rem}label{flex:1}
input{width:100%;box-sizing:border-box;padding:.625rem .875rem;border-radius:.625rem;border:1px solid #3f5149;
background:#101a16;color:inherit;font:inherit}button{padding:.625rem 1.25rem;border:0;border-radius:.625rem;
background:#34d07f;color:#06130c;font:inherit;font-weight:600}ul{list-style:none;margin:0;padding:0}
li a{display:block;padding:.875rem 1rem;border-radius:.75rem;text-decoration:none;color:inherit;background:#101a16;
margin:0 0 .5rem}li a:hover{background:#17241e}strong{display:block}small,dt{color:#a9bab1}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0 0 1.5rem}dd{margin:0;overflow-wrap:anywhere}
iframe{width:100%;height:36rem;border:0;border-radius:.75rem;background:#fff}h2{font-size:1.125rem;margin:2rem 0 .5rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#101a16;padding:1rem;border-radius:.75rem}
:focus-visible{outline:3px solid #6ee7a8;outline-offset:2px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"""

_PAGE_CSP = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# A mail's own HTML runs nothing and loads nothing; its links open in a new tab.
_MAIL_CSP = (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; frame-ancestors 'self'"
)


class MailboxPage:
    """Lists and shows the kept mail. Reads as the overseer: requests' own role cannot touch the mailbox."""

    def __init__(self, overseer_dsn: str) -> None:
        self._dsn = overseer_dsn

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method not in ("GET", "HEAD"):
            await Response(status_code=405, headers={"allow": "GET, HEAD"})(scope, receive, send)
            return
        answer = await self._answer(request)
        answer.headers["cache-control"] = "no-store"
        answer.headers["x-content-type-options"] = "nosniff"
        answer.headers["referrer-policy"] = "no-referrer"
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        rest = request.scope["path"].removeprefix("/_mail").strip("/")
        wanted = request.query_params.get("to", "").replace("\0", "")[:254]
        if rest in ("", "messages.json"):
            pattern = "%" + wanted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
            rows = await self._rows(_LIST, [pattern, MOST])
            return _messages(rows) if rest else _page("Mailbox", _listed(rows, wanted))
        identifier, _, part = rest.partition("/")
        mail_id = parse_id(identifier)
        rows = await self._rows(_ONE, [mail_id]) if mail_id is not None else []
        if not rows or part not in ("", "html", "message.json"):
            return _page("No such mail", '<p><a href="/_mail">All mail</a></p>', status=404)
        if part == "html":
            html = '<base target="_blank">' + rows[0][5]
            return Response(html, media_type="text/html", headers={"content-security-policy": _MAIL_CSP})
        if part == "message.json":
            names = ("to", "replyTo", "subject", "sentAt", "plain", "html")
            return _json(dict(zip(names, rows[0], strict=True)))
        return _page(str(rows[0][2]), _shown(UUID(identifier), rows[0]))

    async def _rows(self, query: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
        def read() -> list[tuple[Any, ...]]:
            with psycopg.connect(self._dsn, connect_timeout=2) as conn:
                return conn.execute(query, params).fetchall()

        return await asyncio.to_thread(read)


def _page(title: str, body: str, *, status: int = 200) -> Response:
    html = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">'
        f"<title>{escape(title)} · Porchlight mailbox</title><style>{_STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>"
    )
    return Response(html, status, media_type="text/html", headers={"content-security-policy": _PAGE_CSP})


def _listed(rows: list[tuple[Any, ...]], wanted: str) -> str:
    search = (
        '<form method="get" action="/_mail"><label><span class="hidden">Recipient</span>'
        f'<input name="to" value="{escape(wanted, quote=True)}" placeholder="Recipient" autocomplete="off"></label>'
        "<button>Search</button></form>"
    )
    if not rows:
        return search + "<p>No mail here yet. What the demo would send appears on this page.</p>"
    items = "".join(
        f'<li><a href="/_mail/{mail_id}"><strong>{escape(subject)}</strong>'
        f"<small>to {escape(recipient)} · {_time(sent_at)}</small></a></li>"
        for mail_id, recipient, subject, sent_at in rows
    )
    return f"{search}<ul>{items}</ul>"


def _shown(mail_id: UUID, row: tuple[Any, ...]) -> str:
    recipient, reply_to, _subject, sent_at, plain, _html = row
    answer = f"<dt>Reply to</dt><dd>{escape(reply_to)}</dd>" if reply_to else ""
    return (
        f'<p><a href="/_mail">All mail</a></p><dl><dt>To</dt><dd>{escape(recipient)}</dd>{answer}'
        f"<dt>Sent</dt><dd>{_time(sent_at)}</dd></dl>"
        f'<iframe title="The mail as HTML" src="/_mail/{mail_id}/html" '
        'sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>'
        f"<h2>As plain text</h2><pre>{escape(plain)}</pre>"
    )


def _time(moment: datetime) -> str:
    return clock.wire(moment).replace("T", " ").replace("Z", " UTC")


def _messages(rows: list[tuple[Any, ...]]) -> Response:
    names = ("id", "to", "subject", "sentAt")
    return _json({"messages": [dict(zip(names, row, strict=True)) for row in rows]})


def _json(body: dict[str, Any]) -> Response:
    return Response(orjson.dumps(body), media_type="application/json")
