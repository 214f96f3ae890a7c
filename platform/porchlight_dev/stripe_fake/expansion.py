"""Expansion (https://docs.stripe.com/api/expanding_objects): on request, ids become objects and more fields appear."""

from __future__ import annotations

import copy
from typing import Any

from porchlight_dev.stripe_fake import accounts, balances
from porchlight_dev.stripe_fake.context import Context
from porchlight_dev.stripe_fake.errors import ValidationError
from porchlight_dev.stripe_fake.events import INCLUDED, public
from porchlight_dev.stripe_fake.store import Json

MAX_DEPTH = 4
_INCLUDED = INCLUDED | {"balance": ("instant_available.net_available",)}


def present(ctx: Context, obj: Json, expand: list[str]) -> Json:
    """Return an answer: public fields only, with what `expand` asks for."""
    paths = [tuple(path.split(".")) for path in expand]
    for path in paths:
        if len(path) > MAX_DEPTH + (path[0] == "data"):
            raise ValidationError("You cannot expand more than 4 levels of a property.", param="expand")
    answer: Json = _present(ctx, copy.deepcopy(obj), paths)
    return answer


def _present(ctx: Context, value: Any, paths: list[tuple[str, ...]]) -> Any:
    if isinstance(value, list):
        return [_present(ctx, entry, paths) for entry in value]
    if not isinstance(value, dict):
        return value
    value = public(value)
    kind = value.get("object", "")
    if kind == "balance_transaction":
        value = balances.with_status(value, ctx.now())
    if kind == "list":
        inner = [path[1:] for path in paths if path[0] == "data"]
        value["data"] = [_present(ctx, entry, [path for path in inner if path]) for entry in value["data"]]
        return value
    _leave_out(value, _INCLUDED.get(kind, ()), paths)
    for name in {path[0] for path in paths}:
        deeper = [path[1:] for path in paths if path[0] == name and len(path) > 1]
        if name not in value:
            raise ValidationError(f"This property cannot be expanded ({name}).", param="expand")
        value[name] = _present(ctx, _resolve(ctx, value[name]), deeper)
    return {name: _tidy(ctx, entry) for name, entry in value.items()}


def _tidy(ctx: Context, value: Any) -> Any:
    """Return a nested value with the statuses and fields of an answer."""
    if isinstance(value, dict) and value.get("object") in ("balance_transaction", "invoice"):
        value = public(value)
        if value["object"] == "balance_transaction":
            return balances.with_status(value, ctx.now())
    return value


def _leave_out(value: Json, included: tuple[str, ...], paths: list[tuple[str, ...]]) -> None:
    for dotted in included:
        path = tuple(dotted.split("."))
        if any(given[: len(path)] == path for given in paths):
            continue
        targets = [value]
        for name in path[:-1]:
            targets = [entry for target in targets for entry in _entries(target.get(name))]
        for target in targets:
            target.pop(path[-1], None)


def _entries(value: Any) -> list[Json]:
    if isinstance(value, list):
        return [entry for entry in value if isinstance(entry, dict)]
    return [value] if isinstance(value, dict) else []


def _resolve(ctx: Context, value: Any) -> Any:
    if isinstance(value, list):
        return [_resolve(ctx, entry) for entry in value]
    if not isinstance(value, str):
        return value
    if value.startswith("acct_"):
        account = ctx.store.account(value)
        return accounts.v1_view(ctx, account) if account else value
    found = ctx.store.get(value)
    return found if found is not None else value
