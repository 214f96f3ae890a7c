"""The access to each money route: every route of gurus and staff with every role."""

from __future__ import annotations

from typing import Any

import pytest

from tests.porchlight.authorization import CALLERS, ROWS
from tests.porchlight.openapi import openapi_document

_PREFIXES = ("/api/admin/money", "/api/guru/statement", "/api/guru/fee", "/api/guru/year-statement")
OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in openapi_document()["paths"].items()
    for method, operation in methods.items()
    if path.startswith(_PREFIXES)
}
# A refusal that comes before anything about the object or the body is looked at.
REFUSED = {401}


def _outcomes(operation: str) -> dict[str, set[int]]:
    row = ROWS[operation]
    return {caller: {row.own[at], *([row.other[at]] if row.other else [])} for at, caller in enumerate(CALLERS)}


def test_money_routes_are_found() -> None:
    paths = {path for _, path, _ in OPERATIONS.values()}
    assert {"/api/admin/money", "/api/admin/money/adjustments", "/api/guru/statement.csv", "/api/guru/fee"} <= paths


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_money_route_refuses_visitors_and_suspended(operation: str) -> None:
    outcomes = _outcomes(operation)
    assert outcomes["anonymous"] == outcomes["suspended"] == REFUSED


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_money_route_of_staff_refuses_all_others(operation: str) -> None:
    outcomes = _outcomes(operation)
    is_staff_route = OPERATIONS[operation][1].startswith("/api/admin")
    for caller in ("neighbor", "guru", "other guru"):
        assert (outcomes[caller] == REFUSED) is is_staff_route, caller
    assert (outcomes["admin"] == REFUSED) is not is_staff_route


@pytest.mark.parametrize("operation", sorted(name for name, (_, path, _) in OPERATIONS.items() if "/guru/" in path))
def test_money_route_of_guru_refuses_neighbor(operation: str) -> None:
    outcomes = _outcomes(operation)
    assert outcomes["neighbor"] == {404}
    assert outcomes["guru"] == outcomes["other guru"] == {200}
