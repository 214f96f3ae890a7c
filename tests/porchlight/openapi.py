"""The OpenAPI document of the API, generated once per process: it takes a second of CPU time."""

from __future__ import annotations

from functools import cache
from typing import Any

from porchlight.cli.main import document
from tests.fixtures.shared_routes import share_routes

share_routes()


@cache
def openapi_document() -> dict[str, Any]:
    """Return the document. Callers only read it."""
    return document()


def documented_routes() -> list[tuple[str, str]]:
    """Return the method, in lower case, and the path of every operation, in the order of the document."""
    return [(method, path) for path, methods in openapi_document()["paths"].items() for method in methods]
