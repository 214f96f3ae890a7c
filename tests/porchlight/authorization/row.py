"""Rows of the matrix, and the statuses that many of them share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

CALLERS = ("anonymous", "neighbor", "guru", "other guru", "admin", "suspended")
KEY = "correct-horse-battery-staple-0123456789"

Content = tuple[str, bytes] | None  # type and body


@dataclass(frozen=True)
class Row:
    """Expected statuses of an operation. `other` is empty when neither path nor body names an object."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    body: Any
    content: Content
    query: str
    names: Mapping[str, str]


def row(
    own: str, other: str = "", /, *, body: Any = None, content: Content = None, query: str = "", **names: str
) -> Row:
    """Create a row; see the docstring of this package."""
    own_statuses, other_statuses = (tuple(int(status) for status in text.split()) for text in (own, other))
    if len(own_statuses) != len(CALLERS) or len(other_statuses) not in (0, len(CALLERS)):
        raise ValueError(f"a row has {len(CALLERS)} statuses, one for each of: {', '.join(CALLERS)}")
    return Row(own_statuses, other_statuses, body, content, query, names)


OPEN = "200 200 200 200 200 200"
ADMIN = "401 401 401 401 200 401"
INVALID_BODY = "401 422 422 422 401 401"
GURU = "401 404 200 200 401 401"
GURU_INVALID_BODY = "401 404 422 422 401 401"
NOT_OWN = "401 404 404 404 401 401"
ADMIN_ANY = (ADMIN, ADMIN)
SIGNED_IN = "401 200 200 200 401 401"
UNKNOWN = "404 404 404 404 404 404"
CREATED = "201 201 201 201 201 201"
REASON = {"reason": "because"}
