"""Limits on the shape of JSON bodies. Each unknown member and each wrong item costs the event loop an error."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tenants.kit.errors import ValidationFailed

MAX_MEMBERS = 500  # of all objects
MAX_VALUES = 10_000
MAX_DEPTH = 16


def check_json_size(value: Any) -> None:
    """Raise ValidationFailed for a parsed body with more members, values or levels than any form sends.

    It stops at the first limit, so it costs less than a millisecond.
    """
    members = values = 0
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MAX_DEPTH):
        deeper: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                members += len(one)
                children: Collection[Any] = one.values()
            else:
                children = one
            values += len(children)
            if members > MAX_MEMBERS or values > MAX_VALUES:
                raise ValidationFailed(fields={"body": "This has too many values."})
            deeper += [child for child in children if isinstance(child, dict | list)]
        if not deeper:
            return
        level = deeper
    raise ValidationFailed(fields={"body": "This is nested too deeply."})
