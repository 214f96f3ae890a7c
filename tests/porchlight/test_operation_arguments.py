"""The arguments with which the benchmark of operations measures every read."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

from tests.porchlight.openapi import openapi_document
from tests.porchlight.operation_arguments import QUERIES

READS: dict[str, dict[str, Any]] = {
    methods["get"]["operationId"]: methods["get"]
    for methods in openapi_document()["paths"].values()
    if "get" in methods
}
FOLLOWED = {"cursor"}  # the benchmark reads the next page by itself


def test_arguments_cover_every_read() -> None:
    missing = sorted(set(READS) - set(QUERIES))
    assert not missing, (
        "These reads have no arguments for the benchmark. Add each to QUERIES in"
        " tests/porchlight/operation_arguments.py, whose docstring explains how:\n  " + "\n  ".join(missing)
    )
    assert set(QUERIES) <= set(READS), f"arguments of removed reads: {sorted(set(QUERIES) - set(READS))}"


def test_arguments_name_every_query_parameter() -> None:
    wrong = []
    for operation in sorted(set(READS) & set(QUERIES)):
        parameters = READS[operation].get("parameters", [])
        documented = {parameter["name"] for parameter in parameters if parameter["in"] == "query"} - FOLLOWED
        named = {name for query in QUERIES[operation] for name in parse_qs(query)}
        if named != documented:
            wrong.append(
                f"{operation}: not measured {sorted(documented - named)}, unknown {sorted(named - documented)}"
            )
    assert not wrong, "Queries in tests/porchlight/operation_arguments.py:\n  " + "\n  ".join(wrong)
