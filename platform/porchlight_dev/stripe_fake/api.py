"""The API of the fake Stripe: authentication, accounts, parameters, idempotency, faults and answers."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from porchlight_dev.stripe_fake import expansion, faults
from porchlight_dev.stripe_fake.context import Call, Context, Operation
from porchlight_dev.stripe_fake.errors import StripeRefusal, ValidationError
from porchlight_dev.stripe_fake.events import API_VERSION
from porchlight_dev.stripe_fake.faults import Fault
from porchlight_dev.stripe_fake.forms import check, parse_form
from porchlight_dev.stripe_fake.idempotency import Idempotency
from porchlight_dev.stripe_fake.store import Json, new_id

MAX_LOGGED_CALLS = 100_000


@dataclass(frozen=True, slots=True)
class CallResult:
    """The answer to a call. `saved` is false if the endpoint did not begin to execute."""

    status: int
    body: Json
    saved: bool = True
    replayed: bool = False


class Api:
    """The operations of the API for a platform with `secret_key`."""

    def __init__(self, ctx: Context, secret_key: str, operations: Sequence[Operation]) -> None:
        self._ctx = ctx
        self._key = secret_key
        self._keys = Idempotency(ctx.store, ctx.clock)
        self._operations = operations

    def routes(self) -> list[Route]:
        """Return the routes of the API."""
        named = [
            Route(operation.path, self._endpoint(operation), methods=[operation.method])
            for operation in self._operations
        ]
        methods = ["GET", "POST", "DELETE"]
        return [*named, *(Route(f"/{v}/{{path:path}}", self._unknown, methods=methods) for v in ("v1", "v2"))]

    async def _unknown(self, request: Request) -> Response:
        message = f"Unrecognized request URL ({request.method}: {request.url.path})."
        return self._respond(CallResult(404, StripeRefusal(message, status=404).body()), new_id("req"))

    def _endpoint(self, operation: Operation) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            request_id = new_id("req")
            body = await request.body()
            key = request.headers.get("idempotency-key", "") if request.method == "POST" else ""
            fault = faults.take(self._ctx.store, request.method, request.url.path)
            answer = await self._answer(operation, request, body, key, request_id, fault)
            self._log(request, body, key, answer.status, fault)
            if fault and fault.cuts:
                return await _cut(request, answer, whole=fault.action != "close")
            if fault and fault.action == "hang":
                await asyncio.sleep(float(fault.value))
            return self._respond(answer, request_id, key)

        return endpoint

    async def _answer(
        self, operation: Operation, request: Request, body: bytes, key: str, request_id: str, fault: Fault | None
    ) -> CallResult:
        if fault and fault.action == "drop_before":
            return CallResult(0, {})
        v2 = operation.path.startswith("/v2/")
        digest = self._keys.digest(request.method, request.url.path, body)
        account = request.headers.get("stripe-account", "")
        try:
            self._authenticate(request)
            self._check_account(account)
            saved = self._keys.saved(account, key, digest, v2=v2) if key else None
            if saved:
                return CallResult(*saved, replayed=True)
            call = self._call(operation, request, body, account)
        except StripeRefusal as error:
            return CallResult(error.status, error.body(), saved=False)
        self._keys.begin(account, key)
        try:
            if fault and fault.action == "delay":
                await asyncio.sleep(float(fault.value))
            with self._ctx.store.transaction():
                answer = self._execute(operation, call, request_id, key, fault)
                if key and answer.saved:
                    self._keys.save(account, key, digest, answer.status, answer.body, v2=v2)
            return answer
        finally:
            self._keys.end(account, key)

    def _execute(self, operation: Operation, call: Call, request_id: str, key: str, fault: Fault | None) -> CallResult:
        error = fault.error() if fault else None
        if fault and error and not fault.executes:
            # Stripe saves what an endpoint answered, and nothing for a call that it refused to start.
            return CallResult(error.status, error.body(), saved=error.status not in (401, 409, 429))
        self._ctx.events.request = {"id": request_id, "idempotency_key": key or None}
        try:
            with self._ctx.store.transaction():
                answer = self._handle(operation, call)
        except StripeRefusal as refusal:
            answer = CallResult(refusal.status, refusal.body(), saved=not isinstance(refusal, ValidationError))
        finally:
            self._ctx.events.request = {"id": None, "idempotency_key": None}
        return CallResult(error.status, error.body()) if error else answer

    def _handle(self, operation: Operation, call: Call) -> CallResult:
        try:
            found = operation.handle(self._ctx, call)
        except StripeRefusal as refusal:
            if not refusal.keep:
                raise
            return CallResult(refusal.status, refusal.body())
        return CallResult(200, expansion.present(self._ctx, found, call.get("expand") or []))

    def _authenticate(self, request: Request) -> None:
        scheme, _, value = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "basic":
            value = base64.b64decode(value).decode(errors="replace").partition(":")[0]
        if value != self._key:
            message = f"Invalid API Key provided: {value[:8]}****"
            raise StripeRefusal(message, status=401, kind="invalid_request_error")

    def _check_account(self, account_id: str) -> None:
        if not account_id:
            return
        account = self._ctx.store.account(account_id)
        if account is None or account["deleted"]:
            message = (
                f"The provided key does not have access to account '{account_id}' (or that account does not exist)."
                " Application access may have been revoked."
            )
            raise StripeRefusal(message, status=403, code="account_invalid")

    def _call(self, operation: Operation, request: Request, body: bytes, account: str) -> Call:
        if operation.path.startswith("/v2/"):
            try:
                given = json.loads(body or b"{}")
            except ValueError as error:
                raise ValidationError("Invalid JSON in the request body.", code="invalid_json") from error
        else:
            given = parse_form(request.url.query if request.method != "POST" else body.decode(errors="replace"))
        checked = check(given, operation.params)
        return Call(account, dict(request.path_params), checked, request.url.path)

    def _log(self, request: Request, body: bytes, key: str, status: int, fault: Fault | None) -> None:
        entry = {
            "at": self._ctx.now(),
            "method": request.method,
            "path": request.url.path,
            "account": request.headers.get("stripe-account", ""),
            "idempotency_key": key,
            "body": body.decode(errors="replace"),
            "query": request.url.query,
            "status": status,
            "fault": f"{fault.action}:{fault.value}".rstrip(":") if fault else "",
            "api_version": request.headers.get("stripe-version", ""),
        }
        row = self._ctx.store.db.execute("INSERT INTO calls (body) VALUES (?)", [json.dumps(entry)])
        if row.lastrowid and row.lastrowid % 1000 == 0:
            self._ctx.store.db.execute("DELETE FROM calls WHERE seq <= ?", [row.lastrowid - MAX_LOGGED_CALLS])

    @staticmethod
    def _respond(answer: CallResult, request_id: str, key: str = "") -> Response:
        headers = {"request-id": request_id, "stripe-version": API_VERSION}
        if key:
            headers["idempotency-key"] = key
        if answer.replayed:
            headers |= {"idempotent-replayed": "true", "original-request": request_id}
        return JSONResponse(answer.body, answer.status, headers)


async def _cut(request: Request, answer: CallResult, *, whole: bool) -> Response:
    """Cut the connection: before the first byte of the answer (`whole`), or in the middle of its body."""
    if whole:
        request.state.transport.abort()
        await asyncio.sleep(0)
        return Response()
    text = json.dumps(answer.body).encode()
    return Response(text[: len(text) // 2], answer.status, {"content-length": str(len(text)), "connection": "close"})
