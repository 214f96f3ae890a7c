"""Limits on the shape of JSON bodies. Each unknown member and each wrong item costs the event loop an error."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tenants.kit.errors import ValidationFailed

# tests/porchlight/test_largest_bodies.py: the largest body of any operation has 578 members (a profile with all its
# skills), the one with the most values 4,116 (a drawn signature).
MAX_MEMBERS = 600  # of all objects
MAX_CONTAINERS = 600  # objects and lists: as wrong items, they cost more than numbers and strings
MAX_VALUES = 5_000
MAX_DEPTH = 16
_TOO_MANY = {"body": "This has too many values."}


def check_json_size(value: Any) -> None:
    """Raise ValidationFailed for a parsed body with more members, containers, values or levels than any form sends.

    It stops at the first limit, so it costs less than a millisecond.
    """
    members = containers = values = 0
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MAX_DEPTH):
        deeper: list[Any] = []
        containers += len(level)
        if containers > MAX_CONTAINERS:
            raise ValidationFailed(fields=_TOO_MANY)
        for one in level:
            if isinstance(one, dict):
                members += len(one)
                children: Collection[Any] = one.values()
            else:
                children = one
            values += len(children)
            if members > MAX_MEMBERS or values > MAX_VALUES:
                raise ValidationFailed(fields=_TOO_MANY)
            deeper += [child for child in children if isinstance(child, dict | list)]
        if not deeper:
            return
        level = deeper
    raise ValidationFailed(fields={"body": "This is nested too deeply."})
