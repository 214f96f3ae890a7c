"""The parts that every resource of the fake Stripe works with: store, clock, events, and a call of the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from porchlight_dev.stripe_fake.clock import Clock
from porchlight_dev.stripe_fake.errors import no_such
from porchlight_dev.stripe_fake.events import Events
from porchlight_dev.stripe_fake.forms import Params, params
from porchlight_dev.stripe_fake.store import Json, Store

PAGE_PARAMS = "limit:int starting_after ending_before expand[]"
LIST_PARAMS = f"{PAGE_PARAMS} created.gt:int created.gte:int created.lt:int created.lte:int"


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of the fake Stripe. `url` is the base URL of its hosted pages."""

    store: Store
    clock: Clock
    events: Events
    url: str
    publishable_key: str = ""
    pricing_table: str = ""

    def now(self) -> int:
        """Return the fake's time in epoch seconds."""
        return self.clock.now()


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the API. `account` is the Stripe-Account header, or empty for the platform."""

    account: str
    path: Mapping[str, str]
    params: Json
    url: str = ""

    def get(self, name: str, default: Any = None) -> Any:
        """Return a parameter."""
        return self.params.get(name, default)


Handler = Callable[[Context, Call], Json]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API: its method, path, parameters and handler."""

    method: str
    path: str
    description: str
    handle: Handler
    params: Params = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", params(self.description))


def blank(names: str) -> Json:
    """Return fields that Stripe leaves null here."""
    return dict.fromkeys(names.split())


def require(ctx: Context, kind: str, object_id: str, account: str | None = "") -> Json:
    """Return an object by its id, or raise the error for an unknown one."""
    found = ctx.store.get(object_id, account)
    if found is None or found["object"] != kind:
        raise no_such(kind.replace("_", " "), object_id)
    return found


def retrieve(kind: str) -> Handler:
    """Return the handler of `GET /v1/<kind>s/{id}`."""

    def handle(ctx: Context, call: Call) -> Json:
        return require(ctx, kind, call.path["id"], call.account)

    return handle


def listing(kind: str, filters: Iterable[str] = ()) -> Handler:
    """Return the handler of a list whose filters are fields of the object."""
    names = tuple(filters)

    def handle(ctx: Context, call: Call) -> Json:
        where = {name: call.params[name] for name in names if call.get(name) is not None}
        return page(ctx, call, kind, where)

    return handle


def page(ctx: Context, call: Call, kind: str, where: Mapping[str, Any]) -> Json:
    """Return one page of a list, newest first (https://docs.stripe.com/api/pagination)."""
    limit = max(1, min(100, call.get("limit") or 10))
    for edge in ("starting_after", "ending_before"):
        if call.get(edge):
            require(ctx, kind, call.params[edge], call.account)
    found = ctx.store.find(
        kind,
        call.account,
        where=where,
        after=call.get("starting_after", ""),
        before=call.get("ending_before", ""),
        created=call.get("created"),
        limit=limit + 1,
    )
    more = len(found) > limit
    kept = (found[1:] if call.get("ending_before") else found[:limit]) if more else found
    return list_of(kept, call.url, more=more)


def list_of(data: list[Json], url: str, *, more: bool = False) -> Json:
    """Return a list object."""
    return {"object": "list", "data": data, "has_more": more, "url": url}
