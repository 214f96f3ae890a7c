"""Canonical JSON (RFC 8785) of strings, integers, lists and objects, and its SHA-256."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import rfc8785


def canonical_json(value: Any) -> bytes:
    """Return the canonical form of a value.

    Raises ValueError for null, booleans, fractions and other types, for integers over 53 bits and for lone surrogates.
    """
    _require_strings_and_integers(value)
    return rfc8785.dumps(value)


def parse_canonical_json(data: bytes) -> Any:
    """Parse canonical JSON. Raises ValueError for every other form of the same value, such as one with spaces."""
    try:
        value = json.loads(data.decode())
        if canonical_json(value) != data:
            raise ValueError("The JSON is not canonical.")
    except RecursionError as error:
        raise ValueError("The JSON is nested too deeply.") from error
    return value


def _require_strings_and_integers(value: Any) -> None:
    if isinstance(value, dict):
        for member in value.values():
            _require_strings_and_integers(member)
    elif isinstance(value, list):
        for member in value:
            _require_strings_and_integers(member)
    elif isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError("The JSON has a value that is neither a string nor an integer.")


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of bytes as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
