"""The limits on the shape of JSON bodies, against the largest body that each operation accepts."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from porchlight.features.waivers.drawings import MAX_LINES, MAX_POINTS
from tenants.http.json_size import check_json_size
from tests.porchlight.openapi import openapi_document

# A drawing has a limit on the points of all lines together, which JSON Schema does not express.
TOGETHER = {"drawn": [[1] * (2 * MAX_POINTS // MAX_LINES)] * MAX_LINES}


def _bodies() -> dict[str, Any]:
    return {
        operation["operationId"]: operation["requestBody"]["content"]["application/json"]["schema"]
        for methods in openapi_document()["paths"].values()
        for operation in methods.values()
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    }


@cache
def _components() -> dict[str, Any]:
    schemas: dict[str, Any] = openapi_document()["components"]["schemas"]
    return schemas


def _size(value: Any) -> int:
    """Return the number of values, with those inside of lists and objects."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, inner))


def _largest(schema: dict[str, Any], name: str = "") -> Any:
    """Return the value of a schema with the most values. Fails for a list that has no limit."""
    if name in TOGETHER:
        return TOGETHER[name]
    if "$ref" in schema:
        return _largest(_components()[schema["$ref"].rpartition("/")[2]])
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return max((_largest(one, name) for one in schema[choice]), key=_size)
    match schema.get("type"):
        case "object":
            return {member: _largest(one, member) for member, one in schema.get("properties", {}).items()}
        case "array":
            assert "maxItems" in schema, f"{name} needs a maximum number of items"
            return [_largest(schema["items"])] * int(schema["maxItems"])
        case _:
            return "x"


@pytest.mark.parametrize("operation", sorted(_bodies()))
def test_largest_valid_body_is_within_the_limits(operation: str) -> None:
    check_json_size(_largest(_bodies()[operation]))
