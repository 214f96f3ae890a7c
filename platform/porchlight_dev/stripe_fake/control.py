"""The control API `/_twin/*`: what tests do to the fake Stripe, and see of it, beyond Stripe's own API."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from porchlight_dev.stripe_fake import balances, disputes, earnings, faults, payment_methods, payouts, pricing, refunds
from porchlight_dev.stripe_fake.context import Context
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.events import public
from porchlight_dev.stripe_fake.store import Json

Handler = Callable[[Mapping[str, Any], Mapping[str, str]], Any]


class Control:
    """The endpoints of the control API."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def routes(self) -> list[Route]:
        """Return the routes of the control API."""
        ctx = self._ctx
        posts: dict[str, Handler] = {
            "clock": lambda values, _path: {"now": ctx.clock.advance(int(values.get("advance_s", 0)))},
            "faults": lambda values, _path: faults.add(ctx.store, values),
            "events/hold": lambda _values, _path: {"held": ctx.events.hold()},
            "events/release": lambda values, _path: {
                "deliveries": ctx.events.release(str(values.get("order", "given")), int(values.get("copies", 1)))
            },
            "charges": lambda values, _path: _repeat(values, lambda: earnings.control(ctx, values)),
            "lines": lambda values, _path: _repeat(values, lambda: balances.create_line(ctx, values)),
            "disputes": lambda values, _path: disputes.control(ctx, values),
            "payouts/{id}/fail": lambda values, path: payouts.fail(
                ctx, path["id"], str(values.get("code", "account_closed"))
            ),
            "refunds/{id}/fail": lambda _values, path: refunds.fail(ctx, path["id"]),
            "cards": lambda values, _path: payment_methods.control_card(ctx, values),
            "pricing": lambda values, _path: pricing.change(ctx, values),
        }
        return [
            *(Route(f"/_twin/{path}", self._post(handle), methods=["POST"]) for path, handle in posts.items()),
            Route("/_twin/clock", self._clock, methods=["GET"]),
            Route("/_twin/objects", self._objects, methods=["GET"]),
            Route("/_twin/calls", self._calls, methods=["GET"]),
            Route("/_twin/faults", self._faults, methods=["GET", "DELETE"]),
        ]

    def _post(self, handle: Handler) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            body = await request.body()
            try:
                values = json.loads(body or b"{}")
                with self._ctx.store.transaction():
                    answer = handle(values, request.path_params)
            except StripeRefusal as error:
                return JSONResponse(error.body(), error.status)
            except (KeyError, TypeError, ValueError) as error:
                return JSONResponse({"error": {"message": f"Invalid request: {error!r}"}}, 400)
            return JSONResponse(public(answer) if isinstance(answer, dict) else answer)

        return endpoint

    async def _clock(self, _request: Request) -> Response:
        return JSONResponse({"now": self._ctx.now()})

    async def _faults(self, request: Request) -> Response:
        if request.method == "DELETE":
            faults.clear(self._ctx.store)
        return JSONResponse({"data": faults.waiting(self._ctx.store)})

    async def _objects(self, request: Request) -> Response:
        """Return objects of a type in the order of their creation, over all accounts, filtered by equal fields."""
        filters = dict(request.query_params)
        kind = filters.pop("type", "")
        account = filters.pop("account", None)
        if kind == "event":
            query = "SELECT body FROM events ORDER BY rowid"
            found: list[Json] = [json.loads(body) for body in self._ctx.store.values(query)]
        elif kind == "account":
            found = self._ctx.store.accounts()[::-1]
        else:
            found = self._ctx.store.find(kind, account)[::-1]
        data = [
            public(entry) | {"_account": self._ctx.store.account_of(entry["id"])}
            for entry in found
            if all(_text(_field(entry, name)) == value for name, value in filters.items())
        ]
        return JSONResponse({"data": data})

    async def _calls(self, request: Request) -> Response:
        """Return the calls of the API, oldest first, filtered by equal fields (method, path, account, status...)."""
        calls = [json.loads(body) for body in self._ctx.store.values("SELECT body FROM calls ORDER BY seq")]
        filters = dict(request.query_params)
        return JSONResponse(
            {"data": [call for call in calls if all(_text(call.get(name)) == filters[name] for name in filters)]}
        )


def _repeat(values: Mapping[str, Any], create: Callable[[], Json]) -> Json:
    """Create one object, or `count` at once."""
    count = int(values.get("count", 0))
    return {"data": [create() for _ in range(count)]} if count else create()


def _field(entry: Json, dotted: str) -> Any:
    value: Any = entry
    for name in dotted.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
