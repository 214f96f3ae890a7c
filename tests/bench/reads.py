"""Every read of the API with its arguments and caller, called without a network.

The reads are those of the OpenAPI document, with the arguments of `tests/porchlight/operation_arguments.py`, each as a
caller whom the authorization matrix lets read: a visitor, a guru who has very much of everything, or an admin.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from porchlight.app import Porchlight
from tenants.http.asgi import Message, Receive, Scope, Send
from tests.bench.busy_guru import BusyGuru
from tests.fixtures.identity import PROJECT, CertificateServer
from tests.porchlight.admin.api_client import ADMIN_KEY, OWN_ORIGIN
from tests.porchlight.app_client import BASE_HOST, RawResponse, http_client, send_raw
from tests.porchlight.authorization import CALLERS, ROWS
from tests.porchlight.openapi import openapi_document
from tests.porchlight.operation_arguments import QUERIES

# Files of many rows that are sent in parts. Their time is that of the first part, because the rest grows with the file.
STREAMED = {"export_account", "export_leads", "export_guru_statement", "export_year_statement"}
# The caller of reads that everyone may make and that mean something else, or cost more, for a signed-in user.
SIGNED_IN = {"get_current_session", "create_login_handoff", "get_public_profile"}


@dataclass
class Deployment:
    """The app at one size, with its callers' headers."""

    app: Porchlight
    guru: BusyGuru
    headers: dict[str, list[tuple[bytes, bytes]]]

    async def call(self, read: Read, cursor: str = "") -> tuple[RawResponse, float, float]:
        """Call the app. Return the response, the milliseconds it took, and those of the loop's thread.

        Of a streamed file, they are those until the first part of its body.
        """
        target = read.target(self.guru.values, cursor).encode()
        first_part: list[tuple[float, float]] = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            async def timed_send(message: Message) -> None:
                if not first_part and message.get("body"):
                    first_part.append((time.perf_counter(), time.thread_time()))
                await send(message)

            await self.app(scope, receive, timed_send)

        streamed = read.operation in STREAMED
        began, began_cpu = time.perf_counter(), time.thread_time()
        response = await send_raw(app if streamed else self.app, target, BASE_HOST, headers=self.headers[read.caller])
        ended, ended_cpu = first_part[0] if streamed else (time.perf_counter(), time.thread_time())
        return response, (ended - began) * 1000, (ended_cpu - began_cpu) * 1000

    async def longest_stall(self, read: Read) -> tuple[float, float]:
        """Return the longest time that a read keeps the event loop from others, and its whole time, in ms."""
        stalls = [0.0]

        async def watch() -> None:
            last = time.perf_counter()
            while True:
                await asyncio.sleep(0)
                stalls.append(time.perf_counter() - last)
                last = time.perf_counter()

        watcher = asyncio.create_task(watch())
        await asyncio.sleep(0)
        began = time.perf_counter()
        await self.call(read)
        whole = time.perf_counter() - began
        watcher.cancel()
        return max(stalls) * 1000, whole * 1000


@dataclass(frozen=True, slots=True)
class Read:
    """One operation with one query. `next_page` means the page after the first one."""

    operation: str
    path: str
    query: str
    caller: str
    next_page: bool = False

    @property
    def name(self) -> str:
        """The operation with its query, for the output."""
        return self.operation + (f"?{self.query}" if self.query else "") + (" (next)" if self.next_page else "")

    def target(self, values: dict[str, str], cursor: str) -> str:
        """Return path and query."""
        kinds = ROWS[self.operation].names
        path = re.sub(r"{(\w+)}", lambda match: values[kinds.get(match[1], match[1])], self.path)
        query = "&".join(
            part for part in (self.query.format(**values), urlencode({"cursor": cursor}) * bool(cursor)) if part
        )
        return f"{path}?{query}" if query else path


def reads() -> Iterator[Read]:
    """Return every read of the OpenAPI document with each of its queries."""
    for path, methods in openapi_document()["paths"].items():
        if "get" in methods:
            operation = methods["get"]["operationId"]
            for query in QUERIES[operation]:
                yield Read(operation, path, query, caller_of(operation))


def caller_of(operation: str) -> str:
    """Return who reads: a visitor if visitors may, otherwise a guru or an admin."""
    statuses = dict(zip(CALLERS, ROWS[operation].own, strict=True))
    order = ("guru", "anonymous", "admin") if operation in SIGNED_IN else ("anonymous", "guru", "admin")
    return next((caller for caller in order if statuses[caller] < 400), "guru")


def kinds_of_path_values() -> set[str]:
    """Return the kinds of objects that the paths of reads name."""
    kinds = {"subdomain", "service", "listing photo"}
    for path, methods in openapi_document()["paths"].items():
        if "get" in methods:
            names = ROWS[methods["get"]["operationId"]].names
            kinds |= {names.get(name, name) for name in re.findall(r"{(\w+)}", path)}
    return kinds


def app_settings(certificates: CertificateServer) -> dict[str, Any]:
    """Return the settings of an app that answers every read, with a payment provider that cannot be reached."""
    return {
        "firebase_project_id": PROJECT,
        "firebase_certs_url": certificates.url,
        "admin_key": ADMIN_KEY,
        "stripe_secret_key": "sk_test_bench",
        "stripe_webhook_secret": "whsec_bench",
        "stripe_api_base": "http://127.0.0.1:9",
        "page_cache": "off",
    }


async def sign_in(app: Porchlight, guru: BusyGuru) -> dict[str, list[tuple[bytes, bytes]]]:
    """Return the headers of each caller."""
    async with http_client(app, BASE_HOST) as client:
        response = await client.post("/api/admin/login", json={"key": ADMIN_KEY}, headers=OWN_ORIGIN)
    assert response.status_code == 200, response.text
    admin = response.headers["set-cookie"].split(";")[0]
    return {"anonymous": [], "guru": [(b"cookie", guru.cookie.encode())], "admin": [(b"cookie", admin.encode())]}


def next_cursor(response: RawResponse) -> str:
    """Return the cursor of the next page, or ""."""
    if response.header("content-type") != "application/json":
        return ""
    answer: Any = json.loads(response.body)
    data = answer.get("data") if isinstance(answer, dict) and isinstance(answer.get("data"), dict) else answer
    return str(data.get("nextCursor") or data.get("next") or "") if isinstance(data, dict) else ""
