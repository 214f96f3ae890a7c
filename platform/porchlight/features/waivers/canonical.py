"""Canonical JSON (RFC 8785) of strings, integers, lists and objects, and its SHA-256."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import rfc8785

_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


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


def encode_base64url(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Return the bytes of a base64url text without padding. Raises ValueError for every other spelling of them."""
    # Python skips unknown characters and ignores the unused bits of the last one.
    if not _BASE64URL.fullmatch(text):
        raise ValueError("The text is not base64url.")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode_base64url(data) != text:
        raise ValueError("The text is not the shortest base64url form.")
    return data
