"""The operations on events (https://docs.stripe.com/api/events)."""

from __future__ import annotations

from porchlight_dev.stripe_fake.clock import DAY
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, list_of
from porchlight_dev.stripe_fake.errors import no_such
from porchlight_dev.stripe_fake.store import Json

LISTED_SECONDS = 30 * DAY


def list_events(ctx: Context, call: Call) -> Json:
    """List events, up to 30 days back; `delivery_success=false` returns those that an endpoint has not accepted."""
    query, values = " AND e.created > ?", [ctx.now() - LISTED_SECONDS]
    for name, sign in (("gt", ">"), ("gte", ">="), ("lt", "<"), ("lte", "<=")):
        if (call.get("created") or {}).get(name) is not None:
            query += f" AND e.created {sign} ?"
            values.append(call.params["created"][name])
    kinds = call.get("types") or ([call.params["type"]] if call.get("type") else [])
    if kinds:
        query += f" AND ({' OR '.join(['e.type GLOB ?'] * len(kinds))})"
        values += kinds
    if call.get("delivery_success") is not None:
        wanted = "NOT " if call.params["delivery_success"] else ""
        query += f" AND {wanted}EXISTS (SELECT 1 FROM deliveries d WHERE d.event = e.id AND d.done = 0)"  # noqa: S608
    if call.get("starting_after"):
        query += " AND e.rowid < (SELECT rowid FROM events WHERE id = ?)"
        values.append(call.params["starting_after"])
    limit = max(1, min(100, call.get("limit") or 10))
    found = ctx.events.find(call.account, query, values, limit + 1)
    return list_of(found[:limit], call.url, more=len(found) > limit)


def retrieve_event(ctx: Context, call: Call) -> Json:
    """Return one event."""
    found = ctx.events.find(call.account, " AND e.id = ?", [call.path["id"]], 1)
    if not found:
        raise no_such("event", call.path["id"])
    return found[0]


OPERATIONS = (
    Operation("GET", "/v1/events", f"{LIST_PARAMS} type types[] delivery_success:bool", list_events),
    Operation("GET", "/v1/events/{id}", "expand[]", retrieve_event),
)
